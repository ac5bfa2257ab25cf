// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/impact_table.hpp"

namespace saltus::io {
namespace {

// Cells of a file, or values of a packed row.

template <class Row>
void put_all(Row& row, const ImpactRow& impact) {
  row.put(impact.time);
  for (const int number : {impact.impact, impact.order, impact.group}) row.put(number);
  row.put(std::string_view(impact.contact));
  row.put(impact.points);
  for (const double value : {impact.restitution, impact.compression_impulse, impact.impulse,
                             impact.compression_work, impact.normal_work, impact.friction_work}) {
    row.put(value);
  }
  row.put(impact.transitions);
}

template <class Row>
void put_all(Row& row, const ImpactRow& impact, const ImpactMoment& moment) {
  for (const int number : {impact.impact, impact.order, impact.group}) row.put(number);
  row.put(std::string_view(moment.contact));
  row.put(moment.p);
  for (const Vector3* v : {&moment.impulse, &moment.velocity}) {
    for (const double value : *v) row.put(value);
  }
  for (const double value : {moment.normal_work, moment.friction_work, moment.group_work}) {
    row.put(value);
  }
}

}  // namespace

void write_impact(CsvWriter& impacts, CsvWriter& paths, const ImpactRow& row) {
  put_all(impacts, row);
  impacts.end_row();
  for (const ImpactMoment& moment : row.path) {
    put_all(paths, row, moment);
    paths.end_row();
  }
}

void put_impact(TableRow& row, const ImpactRow& impact) { put_all(row, impact); }

void put_moment(TableRow& row, const ImpactRow& impact, const ImpactMoment& moment) {
  put_all(row, impact, moment);
}

}  // namespace saltus::io
