// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/table_row.hpp"

#include <algorithm>
#include <cstring>

#include "saltus/core/assert.hpp"
#include "saltus/io/hdf5_text.hpp"

namespace saltus::io {

using Kind = TableColumn::Kind;

std::vector<std::string> names_of(std::span<const TableColumn> columns) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.emplace_back(column.name);
  return names;
}

std::vector<std::string> units_of(std::span<const TableColumn> columns) {
  std::vector<std::string> units;
  for (const TableColumn& column : columns) units.emplace_back(column.unit);
  return units;
}

TableRow::TableRow(std::span<const TableColumn> columns, std::size_t name_bytes)
    : columns_(columns), name_bytes_(std::max<std::size_t>(name_bytes, 1)) {
  std::size_t bytes = 0;
  for (const TableColumn& column : columns) bytes += size_of(column);
  row_.resize(bytes);
}

std::size_t TableRow::size_of(const TableColumn& column) const {
  switch (column.kind) {
    case Kind::Number:
      return sizeof(double);
    case Kind::Count:
      return sizeof(std::int32_t);
    case Kind::Long:
      return sizeof(std::int64_t);
    case Kind::Word:
      return TableColumn::longest_word;
    case Kind::Name:
      return name_bytes_;
  }
  return 0;
}

Hdf5Handle TableRow::type() const {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, row_.size()), &H5Tclose);
  std::size_t offset = 0;
  for (const TableColumn& column : columns_) {
    const std::size_t size = size_of(column);
    const auto add = [&](hid_t member) { H5Tinsert(type, column.name, offset, member); };
    switch (column.kind) {
      case Kind::Number:
        add(H5T_NATIVE_DOUBLE);
        break;
      case Kind::Count:
        add(H5T_NATIVE_INT32);
        break;
      case Kind::Long:
        add(H5T_NATIVE_INT64);
        break;
      case Kind::Word:
      case Kind::Name:
        add(text_type(size));
        break;
    }
    offset += size;
  }
  return type;
}

char* TableRow::next(Kind kind) {
  SALTUS_ASSERT(column_ < columns_.size());
  SALTUS_ASSERT(columns_[column_].kind == kind);
  static_cast<void>(kind);
  char* const place = row_.data() + place_;
  place_ += size_of(columns_[column_++]);
  return place;
}

void TableRow::put(double value) { std::memcpy(next(Kind::Number), &value, sizeof value); }

void TableRow::put(int value) {
  const auto bits = static_cast<std::int32_t>(value);
  std::memcpy(next(Kind::Count), &bits, sizeof bits);
}

void TableRow::put(std::int64_t value) { std::memcpy(next(Kind::Long), &value, sizeof value); }

void TableRow::put(std::string_view text) {
  const Kind kind = columns_[column_].kind;
  SALTUS_ASSERT(kind == Kind::Word || kind == Kind::Name);
  const std::size_t size = size_of(columns_[column_]);
  char* const place = next(kind);
  std::fill(std::copy_n(text.data(), std::min(text.size(), size), place), place + size, '\0');
}

std::span<const char> TableRow::bytes() {
  SALTUS_ASSERT(column_ == columns_.size());
  column_ = place_ = 0;
  return row_;
}

}  // namespace saltus::io
