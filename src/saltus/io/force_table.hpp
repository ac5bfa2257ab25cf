// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/table_row.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// The columns of contact forces, in files of every kind.
inline constexpr std::array<TableColumn, 22> force_columns = {
    {{"time", "s"},
     {"contact", "", TableColumn::Kind::Name},
     {"kind", "", TableColumn::Kind::Word},
     {"order", "1", TableColumn::Kind::Count},
     {"impulse_n", "N s"},
     {"continuous_force", "N"},
     {"impact_force", "N"},
     {"total_force", "N"},
     {"approach_speed", "m/s"},
     {"duration", "s"},
     {"peak_force", "N"},
     {"peak_indentation", "m"},
     {"peak_pressure", "Pa"},
     {"semi_axis_a", "m"},
     {"semi_axis_b", "m"},
     {"shear_stress", "Pa"},
     {"shear_depth", "m"},
     {"octahedral_stress", "Pa"},
     {"octahedral_depth", "m"},
     {"depends_on_step", "1", TableColumn::Kind::Count},
     {"overlaps", "1", TableColumn::Kind::Count},
     {"permanent_indentation", "m"}}};

/// Those of the histories within impacts: the row of the impact in the contact forces, and a
/// sample.
inline constexpr std::array<TableColumn, 7> history_columns = {
    {{"row", "1", TableColumn::Kind::Long},
     {"time", "s"},
     {"indentation", "m"},
     {"rate", "m/s"},
     {"force", "N"},
     {"friction_t1", "N"},
     {"friction_t2", "N"}}};

/// Appends a row. What does not apply is an empty cell.
void write_force(CsvWriter& file, const ForceRow& force);
/// Puts all values of a row. What does not apply is not a number.
void put_force(TableRow& row, const ForceRow& force);
/// A sample of the impact in that row of the contact forces.
void put_sample(TableRow& row, std::int64_t force_row, const ImpactSample& sample);

}  // namespace saltus::io
