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

/// Whether a cell with this text needs quotation marks. Spreadsheets may take what begins like a
/// formula for one unless it is quoted.
bool needs_quotes(std::string_view text) {
  constexpr std::string_view formula = "=+-@";
  return text.find_first_of(",\"\r\n") != std::string_view::npos ||
         (!text.empty() && formula.find(text.front()) != std::string_view::npos);
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, std::span<const std::string> header)
    : file_(std::move(path)), buffer_(buffer_bytes) {
  for (const std::string& name : header) put(name);
  end_row();
  flush();
}

CsvWriter::CsvWriter(std::filesystem::path path, std::uint64_t bytes)
    : file_(std::move(path), bytes), buffer_(buffer_bytes) {}

char* CsvWriter::room(std::size_t bytes) {
  if (used_ + bytes > buffer_.size()) buffer_.resize(used_ + bytes);
  return buffer_.data() + used_;
}

void CsvWriter::advance_to(const char* place) {
  used_ = static_cast<std::size_t>(place - buffer_.data());
}

void CsvWriter::write(std::span<const double> row) {
  char* place = room(row.size() * most_digits);
  for (const double value : row) {
    place = print_number(place, value);
    *place++ = ',';
  }
  advance_to(place);
  if (!row.empty()) end_row();
}

void CsvWriter::put(double value) {
  char* place = print_number(room(most_digits), value);
  *place++ = ',';
  advance_to(place);
}

void CsvWriter::put(std::string_view text) {
  const bool quoted = needs_quotes(text);
  char* place = room(2 * text.size() + 3);
  if (quoted) *place++ = '"';
  for (const char c : text) {
    if (c == '"') *place++ = '"';
    *place++ = c;
  }
  if (quoted) *place++ = '"';
  *place++ = ',';
  advance_to(place);
}

void CsvWriter::end_row() {
  if (used_ == 0) ++used_;  // a row without cells is a line all the same
  buffer_[used_ - 1] = '\n';
  if (used_ >= buffer_bytes) flush();
}

void CsvWriter::flush() {
  file_.write({buffer_.data(), used_});
  used_ = 0;
}

void CsvWriter::sync() {
  flush();
  file_.sync();
}

void CsvWriter::close() {
  flush();
  file_.close();
}

}  // namespace saltus::io
