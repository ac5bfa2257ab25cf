// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "saltus/io/output_file.hpp"

namespace saltus::io {

/// A table of numbers as text: a header line, then a line a row, numbers with 17 significant
/// digits, which give back the same double. Lines reach the file whole, many at a time.
/// @throws FileError in every function but the destructor.
class CsvWriter {
 public:
  /// @pre no name has a comma, quotation mark or line break.
  CsvWriter(std::filesystem::path path, std::span<const std::string> header);

  /// @pre one value a column.
  void write(std::span<const double> row);
  void flush();
  /// Flushes and closes.
  void close();

 private:
  OutputFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace saltus::io
