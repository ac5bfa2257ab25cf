// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/time_breaks.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How long a step may be: as long as its error allows, and short where something strikes. Equation
/// numbers: docs/theory/adaptive_step.md.
class AdaptivePace {
 public:
  AdaptivePace(const System& system, const AdaptiveStep& options);  ///< the system must live longer

  /// The length with which a run of this one begins.
  double first(double duration) const;
  void start(const State& state, double first);

  double shortest() const { return options_.shortest(); }
  /// How closely a time is to be found, s.
  double resolution() const;
  /// The next length where it is so long to where a step has to end. Rests of a few steps are
  /// divided evenly.
  double propose(double rest) const;
  /// Where a step to the time `end` has to end since a drive or load breaks before.
  double break_before(double start, double end) const { return breaks_.first(start, end); }
  /// Whether steps depend already on where that is.
  bool is_near(double rest) const;

  // Of a step that is tried, in this order.
  void begin();
  /// Whether something strikes that is to be met more closely than by a step of length h; then
  /// `length` gets what is to be tried instead.                                             (8)
  bool misses(const State& start, std::span<const ContactEvent> events, double h, double& length);
  /// The error of the halves over what is allowed: up to 1 they will do.                  (4–6)
  double error(const State& start, const State& whole, const State& halves, double h);
  // One of these is the end of it.
  void accept(const State& state, double h, double error);
  /// One had too large an error: what is to be tried instead.
  double reject(double h, double error);
  /// One did not converge.
  double give_way(double h);

  void archive(Archive& memory) { memory(wanted_, speeds_, aimed_, missed_); }

 private:
  double length(std::size_t component) const;
  double length_at(const ContactElement& e) const;
  void look(const State& state, std::vector<double>& speeds) const;
  /// When an open point closes, from a state, s; negative: it cannot be told.
  double time_to_close(const ContactElement& e, const State& state) const;

  const System& system_;
  AdaptiveStep options_;
  TimeBreaks breaks_;
  double wanted_ = 0;           // the length that the error allows, s
  std::vector<double> speeds_;  // of components: the largest so far, m/s
  double aimed_ = 0;            // the length at hand is to have an impact in it; 0: it is not
  bool missed_ = false;         // the last one that was to had none
  // Of the step at hand, of components.
  std::vector<char> struck_;  // something struck them
  std::vector<double> errors_, now_;
};

}  // namespace saltus
