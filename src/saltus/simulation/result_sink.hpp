// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/simulation/run_report.hpp"

namespace saltus {

/// One column of the time series.
struct Column {
  std::string name;         ///< "ball.position.x"
  std::string unit;         ///< "m"
  std::string description;  ///< sign, frame and body in words
};

/// Where a simulation puts what it computes. The simulation itself knows no files.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  virtual void begin(std::span<const Column> columns) = 0;
  /// One row, in the order of the columns.
  virtual void record(std::span<const double> row) = 0;
  /// What is known so far: called after the first row and after every step.
  virtual void update(const RunReport& /*so_far*/) {}
  virtual void end(const RunReport& report) = 0;
  /// Called after every step with the share of the work done; false stops the run.
  virtual bool progress(double /*time*/, double /*fraction*/, long /*steps*/) { return true; }
};

}  // namespace saltus
