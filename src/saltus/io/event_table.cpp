// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/event_table.hpp"

namespace saltus::io {
namespace {

/// Cells of a file, or values of a packed row.
template <class Row>
void put_all(Row& row, const EventRow& event) {
  row.put(event.time);
  row.put(std::string_view(event.contact));
  row.put(std::string_view(event.kind));
  row.put(event.order);
  for (const Vector3* v : {&event.impulse, &event.before, &event.after}) {
    for (const double value : *v) row.put(value);
  }
  row.put(event.energy_lost);
}

}  // namespace

void write_event(CsvWriter& file, const EventRow& event) {
  put_all(file, event);
  file.end_row();
}

void put_event(TableRow& row, const EventRow& event) { put_all(row, event); }

}  // namespace saltus::io
