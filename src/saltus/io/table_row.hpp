// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/io/hdf5_handle.hpp"

namespace saltus::io {

/// A column of a table that is written as CSV and as HDF5.
struct TableColumn {
  enum class Kind {
    Number,  ///< double
    Count,   ///< 32 bits
    Long,    ///< 64 bits
    Word,    ///< a text of at most `longest_word` bytes
    Name,    ///< of a contact point
  };
  static constexpr std::size_t longest_word = 6;  ///< "impact", "closes", "sticks"

  const char* name;
  const char* unit;
  Kind kind = Kind::Number;
};

std::vector<std::string> names_of(std::span<const TableColumn> columns);
std::vector<std::string> units_of(std::span<const TableColumn> columns);

/// Rows of HDF5: one compound value each, without gaps, texts of fixed length.
class TableRow {
 public:
  /// @param columns     must live longer
  /// @param name_bytes  length of the longest name; longer ones are cut
  explicit TableRow(std::span<const TableColumn> columns, std::size_t name_bytes = 1);

  Hdf5Handle type() const;
  /// The next value of a row, in the order of the columns.
  void put(double value);
  void put(int value);
  void put(std::int64_t value);
  void put(std::string_view text);
  /// The bytes of a row with all its values, valid until the next put, which begins another.
  std::span<const char> bytes();

 private:
  std::size_t size_of(const TableColumn& column) const;
  /// The place of the next value, which must be of this kind.
  char* next(TableColumn::Kind kind);

  std::span<const TableColumn> columns_;
  std::size_t name_bytes_;
  std::vector<char> row_;
  std::size_t column_ = 0, place_ = 0;
};

}  // namespace saltus::io
