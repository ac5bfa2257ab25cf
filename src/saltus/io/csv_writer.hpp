// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/io/output_file.hpp"

namespace saltus::io {

/// A table as text: a header line, then a line a row, numbers with 17 significant digits, which
/// give back the same double, texts in quotation marks where they need them (RFC 4180). Lines reach
/// the file whole, many at a time.
/// @throws FileError in every function but the destructor.
class CsvWriter {
 public:
  CsvWriter(std::filesystem::path path, std::span<const std::string> header);

  /// Goes on with a table that has so many bytes; what is behind them is cut off.
  CsvWriter(std::filesystem::path path, std::uint64_t bytes);

  /// @pre one value a column.
  void write(std::span<const double> row);
  /// The next cell of a row that end_row() ends.
  void put(double value);
  void put(std::string_view text);
  void end_row();
  /// @pre no row is begun.
  void flush();
  /// Flushes, and waits until the disk has it.
  void sync();
  /// Flushes and closes.
  void close();
  /// That have reached the file.
  std::uint64_t bytes() const { return file_.bytes(); }

 private:
  /// A place in the buffer for that many bytes.
  char* room(std::size_t bytes);
  void advance_to(const char* place);

  OutputFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace saltus::io
