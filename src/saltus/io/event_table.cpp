// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/event_table.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "saltus/io/hdf5_text.hpp"

namespace saltus::io {
namespace {

constexpr std::size_t kind_bytes = 6;  ///< "impact", "closes", "sticks"
constexpr std::size_t first_number = 4;
constexpr std::size_t numbers = event_columns.size() - first_number;

std::array<double, numbers> numbers_of(const EventRow& e) {
  return {e.impulse[0], e.impulse[1], e.impulse[2], e.before[0], e.before[1],
          e.before[2],  e.after[0],   e.after[1],   e.after[2],  e.energy_lost};
}

}  // namespace

std::vector<std::string> event_column_names() {
  std::vector<std::string> names;
  for (const EventColumn& column : event_columns) names.emplace_back(column.name);
  return names;
}

std::vector<std::string> event_column_units() {
  std::vector<std::string> units;
  for (const EventColumn& column : event_columns) units.emplace_back(column.unit);
  return units;
}

void write_event(CsvWriter& file, const EventRow& event) {
  file.put(event.time);
  file.put(event.contact);
  file.put(event.kind);
  file.put(event.order);
  for (const double value : numbers_of(event)) file.put(value);
  file.end_row();
}

EventRecord::EventRecord(std::size_t name_bytes)
    : name_bytes_(std::max<std::size_t>(name_bytes, 1)),
      row_((1 + numbers) * sizeof(double) + name_bytes_ + kind_bytes + sizeof(std::int32_t)) {}

Hdf5Handle EventRecord::type() const {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, row_.size()), &H5Tclose);
  std::size_t offset = 0, column = 0;
  const auto add = [&](hid_t member) {
    H5Tinsert(type, event_columns[column++].name, offset, member);
    offset += H5Tget_size(member);
  };
  add(H5T_NATIVE_DOUBLE);
  add(text_type(name_bytes_));
  add(text_type(kind_bytes));
  add(H5T_NATIVE_INT32);
  for (std::size_t i = 0; i < numbers; ++i) add(H5T_NATIVE_DOUBLE);
  return type;
}

std::span<const char> EventRecord::pack(const EventRow& event) {
  char* place = row_.data();
  const auto add = [&](const void* bytes, std::size_t size) {
    std::memcpy(place, bytes, size);
    place += size;
  };
  const auto add_text = [&](const std::string& text, std::size_t size) {
    std::fill(std::copy_n(text.data(), std::min(text.size(), size), place), place + size, '\0');
    place += size;
  };
  const auto order = static_cast<std::int32_t>(event.order);
  const std::array<double, numbers> values = numbers_of(event);
  add(&event.time, sizeof(double));
  add_text(event.contact, name_bytes_);
  add_text(event.kind, kind_bytes);
  add(&order, sizeof order);
  add(values.data(), sizeof values);
  return row_;
}

}  // namespace saltus::io
