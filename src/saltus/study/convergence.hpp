// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "saltus/simulation/run_report.hpp"

namespace saltus::study {

/// What halving the step does to one column of the results.
struct ColumnConvergence {
  std::string name = {}, unit = {};
  std::vector<double> steps = {};        ///< h, h/2, …
  std::vector<double> values = {};       ///< at the end, one a step
  std::optional<double> order = {};      ///< of the finest three; none: they do not get closer
  double estimate = 0;                   ///< Richardson's; without an order the finest value
  double error = 0;                      ///< of the finest value
  std::optional<double> departs = {};    ///< when the finest two runs differ by a part of the range
  std::vector<double> differences = {};  ///< of the finest two, at Convergence::times
};

struct Convergence {
  std::vector<ColumnConvergence> columns = {};
  std::vector<double> times = {};  ///< that the finest two runs have both recorded
  /// When the first column departs: before that, runs can be compared; none: to the end.
  std::optional<double> comparable_until = {};
  double end_time = 0;
};

/// Of a column whose finest runs differ by more than this part of its range one cannot say what it
/// will be.
constexpr double departure = 0.01;

struct ConvergenceOptions {
  std::filesystem::path model = {};
  std::vector<std::string> settings = {};
  int halvings = 2;
  /// Names, or beginnings of them up to a dot; none: the places of all bodies.
  std::vector<std::string> columns = {};
};

/// What becomes of three values at h, h/2, h/4: order, estimate and error.
void extrapolate(ColumnConvergence& column);

/// Hears of each run; false stops.
using RunListener = std::function<bool(int level, double time, double fraction)>;

/// Runs a model with its step, half of it, …
/// @throws InputError if its integrator has no step to be halved, or a column is not known;
///         StudyStopped if a run does not get to its end.
Convergence converge(const ConvergenceOptions& options, const RunListener& hear);

/// A run that does not get to its end: there is nothing to compare.
struct StudyStopped {
  double step = 0;
  RunReport report = {};
};

/// The content of convergence.json.
std::string convergence_json(const Convergence& convergence);
/// A page with a table and plots, which needs nothing else.
std::string convergence_page(const Convergence& convergence, const std::string& model);

}  // namespace saltus::study
