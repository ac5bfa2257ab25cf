// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/force_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "saltus/io/hdf5_text.hpp"

namespace saltus::io {
namespace {

constexpr std::size_t kind_bytes = 6;
constexpr std::size_t first_number = 4;
constexpr std::size_t numbers = force_columns.size() - first_number - 1;

std::array<double, numbers> numbers_of(const ForceRow& r) {
  return {r.impulse,        r.continuous_force,  r.impact_force,    r.total_force,
          r.approach_speed, r.duration,          r.peak_force,      r.peak_indentation,
          r.peak_pressure,  r.semi_axis_a,       r.semi_axis_b,     r.shear_stress,
          r.shear_depth,    r.octahedral_stress, r.octahedral_depth};
}

std::string_view word(ForceRow::Kind kind) {
  return kind == ForceRow::Kind::Impact ? "impact" : "step";
}

}  // namespace

std::vector<std::string> names_of(std::span<const EventColumn> columns) {
  std::vector<std::string> names;
  for (const EventColumn& column : columns) names.emplace_back(column.name);
  return names;
}

std::vector<std::string> units_of(std::span<const EventColumn> columns) {
  std::vector<std::string> units;
  for (const EventColumn& column : columns) units.emplace_back(column.unit);
  return units;
}

void write_force(CsvWriter& file, const ForceRow& row) {
  file.put(row.time);
  file.put(row.contact);
  file.put(word(row.kind));
  file.put(row.order);
  for (const double value : numbers_of(row)) {
    if (std::isnan(value)) {
      file.put(std::string_view());
    } else {
      file.put(value);
    }
  }
  file.put(row.depends_on_step ? 1 : 0);
  file.end_row();
}

ForceRecord::ForceRecord(std::size_t name_bytes)
    : name_bytes_(std::max<std::size_t>(name_bytes, 1)),
      row_((1 + numbers) * sizeof(double) + name_bytes_ + kind_bytes + 2 * sizeof(std::int32_t)) {}

Hdf5Handle ForceRecord::type() const {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, row_.size()), &H5Tclose);
  std::size_t offset = 0, column = 0;
  const auto add = [&](hid_t member) {
    H5Tinsert(type, force_columns[column++].name, offset, member);
    offset += H5Tget_size(member);
  };
  add(H5T_NATIVE_DOUBLE);
  add(text_type(name_bytes_));
  add(text_type(kind_bytes));
  add(H5T_NATIVE_INT32);
  for (std::size_t i = 0; i < numbers; ++i) add(H5T_NATIVE_DOUBLE);
  add(H5T_NATIVE_INT32);
  return type;
}

std::span<const char> ForceRecord::pack(const ForceRow& row) {
  char* place = row_.data();
  const auto add = [&](const void* bytes, std::size_t size) {
    std::memcpy(place, bytes, size);
    place += size;
  };
  const auto add_text = [&](std::string_view text, std::size_t size) {
    std::fill(std::copy_n(text.data(), std::min(text.size(), size), place), place + size, '\0');
    place += size;
  };
  const auto order = static_cast<std::int32_t>(row.order);
  const std::int32_t depends = row.depends_on_step ? 1 : 0;
  const std::array<double, numbers> values = numbers_of(row);
  add(&row.time, sizeof(double));
  add_text(row.contact, name_bytes_);
  add_text(word(row.kind), kind_bytes);
  add(&order, sizeof order);
  add(values.data(), sizeof values);
  add(&depends, sizeof depends);
  return row_;
}

Hdf5Handle history_type() {
  static_assert(sizeof(std::int64_t) == sizeof(double));
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, history_columns.size() * sizeof(double)), &H5Tclose);
  for (std::size_t i = 0; i < history_columns.size(); ++i) {
    H5Tinsert(type, history_columns[i].name, i * sizeof(double),
              i == 0 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
  }
  return type;
}

std::vector<char> pack_history(std::int64_t row, std::span<const ImpactSample> history) {
  static_assert(sizeof(ImpactSample) == 4 * sizeof(double));
  std::vector<char> bytes(history.size() * (sizeof row + sizeof(ImpactSample)));
  char* place = bytes.data();
  for (const ImpactSample& sample : history) {
    std::memcpy(place, &row, sizeof row);
    std::memcpy(place + sizeof row, &sample, sizeof sample);
    place += sizeof row + sizeof sample;
  }
  return bytes;
}

}  // namespace saltus::io
