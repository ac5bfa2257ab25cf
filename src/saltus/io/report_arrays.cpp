// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace saltus::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <class T>
bool are_same(std::span<const T> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

template <class T>
Json ReportArrays::put(const char* type, const std::vector<T>& values) {
  bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));  // aligned
  const std::size_t at = bytes_.size();
  bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return {{"type", type}, {"at", at}, {"count", values.size()}};
}

Json ReportArrays::add(std::span<const double> values) {
  if (!values.empty() && are_same(values)) {
    return {{"value", values.front()}, {"count", values.size()}};
  }
  std::vector<float> small(values.size());
  std::transform(values.begin(), values.end(), small.begin(),
                 [](double x) { return static_cast<float>(x); });
  return put("f32", small);
}

Json ReportArrays::add_coarse(std::span<const double> values) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (values.empty() || are_same(values) || !std::all_of(values.begin(), values.end(), is_finite)) {
    return add(values);
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  constexpr double levels = 65535;
  const double step = (*high - *low) / levels;
  std::vector<std::uint16_t> small(values.size());
  std::transform(values.begin(), values.end(), small.begin(), [&, origin = *low](double x) {
    return static_cast<std::uint16_t>(std::min(levels, std::round((x - origin) / step)));
  });
  Json json = put("q16", std::vector<double>{*low, step});
  bytes_.append(reinterpret_cast<const char*>(small.data()), small.size() * sizeof(small[0]));
  json["count"] = values.size();
  return json;
}

Json ReportArrays::add_exact(std::span<const double> values) {
  return put("f64", std::vector<double>(values.begin(), values.end()));
}

Json ReportArrays::add(std::span<const std::uint32_t> values) {
  return put("u32", std::vector<std::uint32_t>(values.begin(), values.end()));
}

Json ReportArrays::add_small(std::span<const double> values) {
  if (!values.empty() && are_same(values)) {
    return {{"value", values.front()}, {"count", values.size()}};
  }
  std::vector<std::uint8_t> small(values.size());
  std::transform(values.begin(), values.end(), small.begin(), [](double x) {
    return static_cast<std::uint8_t>(std::fmax(0, std::fmin(x, 255)));
  });
  return put("u8", small);
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < n ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= n ? digits[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace saltus::io
