// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/io/json_text.hpp"

namespace saltus::io {

/// The numbers of a report, in one block of bytes (little-endian). `add` returns what the page
/// needs to find them: {"type": "f32", "at": first byte, "count": how many}, or {"value": x} where
/// all are the same. Coarse ones ("q16") begin with two doubles, the value of 0 and the step.
class ReportArrays {
 public:
  /// Seven digits are enough to draw.
  Json add(std::span<const double> values);
  /// Two bytes each, in steps of a 65 535th of their range: for what is only looked at.
  Json add_coarse(std::span<const double> values);
  /// For times, which are compared.
  Json add_exact(std::span<const double> values);
  Json add(std::span<const std::uint32_t> values);
  /// @pre whole numbers from 0 to 255
  Json add_small(std::span<const double> values);

  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  Json put(const char* type, const std::vector<T>& values);

  std::string bytes_;
};

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace saltus::io
