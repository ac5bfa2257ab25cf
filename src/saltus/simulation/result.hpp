// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "saltus/core/id.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

class Simulation;

/// What a simulation has computed, in memory: a table with one row a record, events, forces of
/// contacts, the report. Columns have the names that the result files give them.
class Result : public ResultSink {
 public:
  /// A column over time, and three columns that form a vector (one row a record): no copies.
  using Series = Eigen::Map<const VectorX, 0, Eigen::InnerStride<>>;
  using VectorSeries = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>,
                                  0, Eigen::OuterStride<>>;

  /// @param simulation  whose results these are
  explicit Result(const Simulation& simulation) : simulation_(&simulation) {}

  const Simulation& simulation() const { return *simulation_; }
  const ResultLayout& layout() const { return layout_; }
  const std::vector<Channel>& columns() const { return layout_.channels; }
  std::size_t rows() const { return rows_; }
  /// Row by row. Whoever holds it keeps it: later rows do not move it.
  std::shared_ptr<const double[]> values() const { return values_; }

  /// @throws InputError if there is no such column, with the nearest name.
  Series series(std::string_view column) const;
  /// Of columns `<name>.x`, `.y`, `.z`, or `.n`, `.t1`, `.t2`.
  VectorSeries vectors(std::string_view name) const;
  Series time() const { return series("time"); }
  VectorSeries position(BodyId body) const;
  VectorSeries velocity(BodyId body) const;

  const std::vector<EventRow>& events() const { return events_; }
  const std::vector<ForceRow>& forces() const { return forces_; }
  const std::vector<ImpactRow>& impacts() const { return impacts_; }
  const ModeTable& modes() const { return modes_; }
  const RunReport& report() const { return report_; }

  void begin(const ResultLayout& layout) override;
  void record(std::span<const double> row) override;
  void event(const EventRow& event) override { events_.push_back(event); }
  void force(const ForceRow& row) override { forces_.push_back(row); }
  void impact(const ImpactRow& row) override { impacts_.push_back(row); }
  void modes(const ModeTable& table) override { modes_ = table; }
  void end(const RunReport& report) override { report_ = report; }
  /// Forgets rows of forces from this one on: what was only provisional.
  void drop_forces(std::size_t first) { forces_.resize(first); }

 private:
  std::size_t index_of(std::string_view column) const;

  const Simulation* simulation_;
  ResultLayout layout_;
  std::shared_ptr<double[]> values_;
  std::size_t rows_ = 0, capacity_ = 0;
  std::vector<EventRow> events_;
  std::vector<ForceRow> forces_;
  std::vector<ImpactRow> impacts_;
  ModeTable modes_;
  RunReport report_;
};

}  // namespace saltus
