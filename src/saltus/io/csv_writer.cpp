// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/csv_writer.hpp"

#include <charconv>
#include <cmath>

namespace saltus::io {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;
constexpr std::size_t most_digits = 25;  ///< "-1.2345678901234567e-308" and a separator

/// printf's "%.17g"; not a number is "nan" without a sign.
char* print_number(char* place, double value) {
  if (value == 0 && !std::signbit(value)) {  // columns are often all zero
    *place = '0';
    return place + 1;
  }
  if (std::isnan(value)) value = std::abs(value);
  return std::to_chars(place, place + most_digits, value, std::chars_format::general, 17).ptr;
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, std::span<const std::string> header)
    : file_(std::move(path)), buffer_(buffer_bytes + (header.size() + 1) * most_digits) {
  std::string line;
  for (const std::string& name : header) {
    if (!line.empty()) line += ',';
    line += name;
  }
  file_.write(line + '\n');
}

void CsvWriter::write(std::span<const double> row) {
  char* place = buffer_.data() + used_;
  for (const double value : row) {
    place = print_number(place, value);
    *place++ = ',';
  }
  if (!row.empty()) place[-1] = '\n';
  used_ = static_cast<std::size_t>(place - buffer_.data());
  if (used_ >= buffer_bytes) flush();
}

void CsvWriter::flush() {
  file_.write({buffer_.data(), used_});
  used_ = 0;
}

void CsvWriter::close() {
  flush();
  file_.close();
}

}  // namespace saltus::io
