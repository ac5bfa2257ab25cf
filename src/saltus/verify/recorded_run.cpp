// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/recorded_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void RecordedRun::begin(const ResultLayout& layout) {
  for (const Channel& channel : layout.channels) index_.emplace(channel.name, index_.size());
  columns_.resize(layout.channels.size());
}

void RecordedRun::record(std::span<const double> row) {
  for (std::size_t i = 0; i < row.size(); ++i) columns_[i].push_back(row[i]);
}

bool RecordedRun::progress(double time, double fraction, long /*steps*/) {
  return !watch_ || watch_(time, fraction);
}

const std::vector<double>& RecordedRun::column(const std::string& name) const {
  static const std::vector<double> none;
  const auto found = index_.find(name);
  return found == index_.end() ? none : columns_[found->second];
}

double RecordedRun::value(const std::string& name, std::size_t row) const {
  const std::vector<double>& values = column(name);
  return row < values.size() ? values[row] : nothing;
}

double RecordedRun::at(const std::string& name, double time) const {
  const std::vector<double>& t = times();
  if (t.size() < 2) return nothing;
  const double tolerance = 1e-3 * (t[1] - t[0]);
  const auto row = std::lower_bound(t.begin(), t.end(), time - tolerance);
  if (row == t.end() || *row > time + tolerance) return nothing;
  return value(name, static_cast<std::size_t>(row - t.begin()));
}

Vector3 RecordedRun::vector(const std::string& name, std::size_t row) const {
  return {value(name + ".x", row), value(name + ".y", row), value(name + ".z", row)};
}

double RecordedRun::impact_time(std::size_t number) const {
  for (const EventRow& event : events_) {
    if (event.kind == "impact" && number-- == 0) return event.time;
  }
  return nothing;
}

}  // namespace saltus
