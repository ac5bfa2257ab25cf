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

/// An impact, or a change of state of a contact point: one row of the events. Vectors are (n, t1,
/// t2) in the contact's frame of the results: n from the first to the second collider, impulses on
/// the second, velocities of the second relative to the first.
struct EventRow {
  double time = 0;
  std::string contact;  ///< name of the contact point, as in the columns
  std::string kind;     ///< "impact", "closes", "opens", "sticks", "slips"
  int order = 0;        ///< of sub-impacts inside a step
  Vector3 impulse = Vector3::Zero();
  Vector3 before = Vector3::Zero();
  Vector3 after = Vector3::Zero();
  double energy_lost = 0;  ///< J
};

/// Where a simulation puts what it computes. The simulation itself knows no files.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  virtual void begin(std::span<const Column> columns) = 0;
  /// One row, in the order of the columns.
  virtual void record(std::span<const double> row) = 0;
  /// An event, when it has happened; in the order of time.
  virtual void event(const EventRow& /*event*/) {}
  /// What is known so far: called after the first row and after every step.
  virtual void update(const RunReport& /*so_far*/) {}
  virtual void end(const RunReport& report) = 0;
  /// Called after every step with the share of the work done; false stops the run.
  virtual bool progress(double /*time*/, double /*fraction*/, long /*steps*/) { return true; }
};

}  // namespace saltus
