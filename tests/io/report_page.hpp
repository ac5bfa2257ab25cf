// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "saltus/io/json_text.hpp"

namespace saltus {

using io::Json;

/// Between the tags of a script element.
inline std::string script(const std::string& page, const std::string& id) {
  const std::size_t tag = page.find("id=\"" + id + "\"");
  const std::size_t from = page.find('>', tag) + 1;
  return page.substr(from, page.find("</script", from) - from);
}

inline std::string decoded(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0, bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6U | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255U);
  }
  return bytes;
}

/// A page read again, as the viewer does.
struct Page {
  explicit Page(const std::string& page)
      : header(io::parse_json(script(page, "saltus-header"))),
        bytes(decoded(script(page, "saltus-arrays"))) {}

  Page(Json head, std::string block) : header(std::move(head)), bytes(std::move(block)) {}

  template <class T>
  std::vector<double> numbers(std::size_t at, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
    return {values.begin(), values.end()};
  }
  std::vector<double> array(const Json& ref) const {
    const auto count = ref["count"].get<std::size_t>();
    if (ref.contains("value")) return std::vector<double>(count, ref["value"].get<double>());
    const auto at = ref["at"].get<std::size_t>();
    const std::string type = ref["type"].text();
    if (type == "f64") return numbers<double>(at, count);
    if (type == "f32") return numbers<float>(at, count);
    if (type == "q16") {
      const std::vector<double> scale = numbers<double>(at, 2);
      std::vector<double> values = numbers<std::uint16_t>(at + 16, count);
      for (double& x : values) x = scale[0] + scale[1] * x;
      return values;
    }
    if (type == "u32") return numbers<std::uint32_t>(at, count);
    return numbers<std::uint8_t>(at, count);
  }
  std::vector<double> column(const std::string& name) const {
    for (const Json& column : header["columns"].items()) {
      if (column["name"] != name) continue;
      Json ref = column;
      ref["count"] = header["rows"];
      return array(ref);
    }
    return {};
  }

  Json header;
  std::string bytes;
};

}  // namespace saltus
