// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/table_row.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// The columns of events, in files of every kind.
inline constexpr std::array<TableColumn, 14> event_columns = {
    {{"time", "s"},
     {"contact", "", TableColumn::Kind::Name},
     {"kind", "", TableColumn::Kind::Word},
     {"order", "1", TableColumn::Kind::Count},
     {"impulse_n", "N s"},
     {"impulse_t1", "N s"},
     {"impulse_t2", "N s"},
     {"before_n", "m/s"},
     {"before_t1", "m/s"},
     {"before_t2", "m/s"},
     {"after_n", "m/s"},
     {"after_t1", "m/s"},
     {"after_t2", "m/s"},
     {"energy_lost", "J"}}};

/// Appends a row.
void write_event(CsvWriter& file, const EventRow& event);
/// Puts all values of a row.
void put_event(TableRow& row, const EventRow& event);

}  // namespace saltus::io
