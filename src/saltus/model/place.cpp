// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/place.hpp"

#include <fmt/format.h>

namespace saltus {

std::string Place::escaped(std::string_view key) {
  constexpr std::size_t longest = 80;
  std::string text;
  for (const char c : key) {
    if (text.size() >= longest && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      return text + "…";
    }
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace saltus
