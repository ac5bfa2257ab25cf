// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/table_row.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// The columns of impacts whose insides are recorded, in files of every kind.
inline constexpr std::array<TableColumn, 13> impact_columns = {
    {{"time", "s"},
     {"impact", "1", TableColumn::Kind::Count},
     {"order", "1", TableColumn::Kind::Count},
     {"group", "1", TableColumn::Kind::Count},
     {"contact", "", TableColumn::Kind::Name},
     {"points", "1", TableColumn::Kind::Count},
     {"restitution", "1"},
     {"compression_impulse", "N s"},
     {"impulse", "N s"},
     {"compression_work", "J"},
     {"normal_work", "J"},
     {"friction_work", "J"},
     {"transitions", "1", TableColumn::Kind::Count}}};

/// Those of their paths: a moment at a point.
inline constexpr std::array<TableColumn, 14> path_columns = {
    {{"impact", "1", TableColumn::Kind::Count},
     {"order", "1", TableColumn::Kind::Count},
     {"group", "1", TableColumn::Kind::Count},
     {"contact", "", TableColumn::Kind::Name},
     {"p", "N s"},
     {"impulse_n", "N s"},
     {"impulse_t1", "N s"},
     {"impulse_t2", "N s"},
     {"velocity_n", "m/s"},
     {"velocity_t1", "m/s"},
     {"velocity_t2", "m/s"},
     {"normal_work", "J"},
     {"friction_work", "J"},
     {"group_work", "J"}}};

/// Appends a row, and rows of its path.
void write_impact(CsvWriter& impacts, CsvWriter& paths, const ImpactRow& row);
/// Puts all values of a row.
void put_impact(TableRow& row, const ImpactRow& impact);
/// Puts a moment of the path of an impact.
void put_moment(TableRow& row, const ImpactRow& impact, const ImpactMoment& moment);

}  // namespace saltus::io
