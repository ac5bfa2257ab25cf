// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/simulation/result_sink.hpp"

namespace saltus::test {

/// A result sink that keeps the time series in memory, by column names, and the events.
class TableSink : public ResultSink {
 public:
  void begin(const ResultLayout& layout) override {
    for (const Channel& channel : layout.channels) index_[channel.name] = index_.size();
    columns_.resize(layout.channels.size());
  }
  void record(std::span<const double> row) override {
    for (std::size_t i = 0; i < row.size(); ++i) columns_[i].push_back(row[i]);
  }
  void event(const EventRow& event) override { events_.push_back(event); }
  void end(const RunReport& report) override { report_ = report; }

  std::size_t rows() const { return columns_.empty() ? 0 : columns_[0].size(); }
  bool has(const std::string& name) const { return index_.contains(name); }
  const std::vector<double>& column(const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) throw std::out_of_range("no column is named " + name);
    return columns_[found->second];
  }
  double at(const std::string& name, std::size_t row) const { return column(name).at(row); }
  double time(std::size_t row) const { return at("time", row); }
  double last(const std::string& name) const { return column(name).back(); }
  /// The columns name.x, name.y, name.z.
  Eigen::Vector3d vector(const std::string& name, std::size_t row) const {
    return {at(name + ".x", row), at(name + ".y", row), at(name + ".z", row)};
  }
  Eigen::Matrix3d rotation(const std::string& body, std::size_t row) const {
    const std::string o = body + ".orientation.";
    return Eigen::Quaterniond(at(o + "w", row), at(o + "x", row), at(o + "y", row),
                              at(o + "z", row))
        .toRotationMatrix();
  }
  /// The row whose time is nearest to t.
  std::size_t row_at(double t) const {
    const std::vector<double>& times = column("time");
    const auto next = std::lower_bound(times.begin(), times.end(), t);
    if (next == times.begin()) return 0;
    const auto i = static_cast<std::size_t>(next - times.begin());
    return next == times.end() || t - times[i - 1] < *next - t ? i - 1 : i;
  }
  const std::vector<EventRow>& events() const { return events_; }
  /// The events of a kind, of one contact point or of all.
  std::vector<EventRow> events(const std::string& kind, const std::string& contact = {}) const {
    std::vector<EventRow> chosen;
    for (const EventRow& event : events_) {
      if (event.kind == kind && (contact.empty() || event.contact == contact)) {
        chosen.push_back(event);
      }
    }
    return chosen;
  }
  const RunReport& report() const { return report_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::vector<double>> columns_;
  std::vector<EventRow> events_;
  RunReport report_;
};

}  // namespace saltus::test
