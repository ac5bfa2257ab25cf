// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// The results of a run in memory, by column names. What is not there reads as not-a-number, so
/// that a check on it misses.
class RecordedRun : public ResultSink {
 public:
  /// Sees time and share of the work done after each step; false stops the run.
  using Watch = std::function<bool(double time, double fraction)>;

  explicit RecordedRun(Watch watch = {}) : watch_(std::move(watch)) {}

  void begin(const ResultLayout& layout) override;
  void record(std::span<const double> row) override;
  void event(const EventRow& event) override { events_.push_back(event); }
  void end(const RunReport& report) override { report_ = report; }
  bool progress(double time, double fraction, long steps) override;

  std::size_t rows() const { return times().size(); }
  const std::vector<double>& times() const { return column("time"); }
  /// Empty if there is no such column.
  const std::vector<double>& column(const std::string& name) const;
  double value(const std::string& name, std::size_t row) const;
  /// The value at a recorded time, to a thousandth of a step.
  double at(const std::string& name, double time) const;
  double last(const std::string& name) const { return value(name, rows() - 1); }
  Vector3 vector(const std::string& name, std::size_t row) const;

  const std::vector<EventRow>& events() const { return events_; }
  /// Time of the impact with this number, from 0.
  double impact_time(std::size_t number) const;
  const RunReport& report() const { return report_; }

 private:
  Watch watch_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::vector<double>> columns_;
  std::vector<EventRow> events_;
  RunReport report_;
};

}  // namespace saltus
