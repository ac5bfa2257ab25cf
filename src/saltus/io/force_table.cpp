// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/force_table.hpp"

#include <cmath>

namespace saltus::io {
namespace {

std::string_view word(ForceRow::Kind kind) {
  return kind == ForceRow::Kind::Impact ? "impact" : "step";
}

void put_number(TableRow& row, double value) { row.put(value); }

void put_number(CsvWriter& file, double value) {
  if (std::isnan(value)) {
    file.put(std::string_view());
  } else {
    file.put(value);
  }
}

/// Cells of a file, or values of a packed row.
template <class Row>
void put_all(Row& row, const ForceRow& f) {
  row.put(f.time);
  row.put(std::string_view(f.contact));
  row.put(word(f.kind));
  row.put(f.order);
  for (const double value :
       {f.impulse, f.continuous_force, f.impact_force, f.total_force, f.approach_speed, f.duration,
        f.peak_force, f.peak_indentation, f.peak_pressure, f.semi_axis_a, f.semi_axis_b,
        f.shear_stress, f.shear_depth, f.octahedral_stress, f.octahedral_depth}) {
    put_number(row, value);
  }
  row.put(f.depends_on_step ? 1 : 0);
  row.put(f.overlaps ? 1 : 0);
  put_number(row, f.permanent_indentation);
}

}  // namespace

void write_force(CsvWriter& file, const ForceRow& force) {
  put_all(file, force);
  file.end_row();
}

void put_force(TableRow& row, const ForceRow& force) { put_all(row, force); }

void put_sample(TableRow& row, std::int64_t force_row, const ImpactSample& sample) {
  row.put(force_row);
  for (const double value : {sample.time, sample.indentation, sample.rate, sample.force,
                             sample.friction_t1, sample.friction_t2}) {
    row.put(value);
  }
}

}  // namespace saltus::io
