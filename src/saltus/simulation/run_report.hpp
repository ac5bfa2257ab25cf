// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/state.hpp"
#include "saltus/integrators/modes.hpp"
#include "saltus/simulation/bearing_total.hpp"
#include "saltus/simulation/energy_turnover.hpp"

namespace saltus {

enum class RunStatus { Completed, Failed, Interrupted };

/// Iterations of one sub-problem over all steps.
struct IterationCount {
  int max = 0;
  long total = 0;
  long steps = 0;

  void add(int iterations) {
    max = std::max(max, iterations);
    total += iterations;
    ++steps;
  }
  double mean() const {
    return steps > 0 ? static_cast<double>(total) / static_cast<double>(steps) : 0;
  }
  void archive(Archive& memory) { memory(max, total, steps); }
};

/// The impact with the largest force.
struct StrongestImpact {
  double time = 0;              ///< end of the step, s
  double impulse = 0;           ///< N s
  double approach_speed = 0;    ///< m/s
  double duration = 0;          ///< s
  double peak_force = 0;        ///< N
  double peak_indentation = 0;  ///< m

  void archive(Archive& memory) {
    memory(time, impulse, approach_speed, duration, peak_force, peak_indentation);
  }
};

/// Forces of a contact with a local law, the largest of all its points.
struct ContactPeaks {
  double continuous_force = 0;   ///< N
  double peak_pressure = 0;      ///< Pa, under continuous forces and in impacts; 0 if not known
  long overlapping_impacts = 0;  ///< that began before the last one of their point had ended
  std::optional<StrongestImpact> impact = {};

  void archive(Archive& memory) {
    memory(continuous_force, peak_pressure, overlapping_impacts, impact);
  }
};

/// What one contact of the model did, all its points together.
struct ContactTotal {
  std::string name;
  long impacts = 0;
  double friction_loss = 0;                ///< J
  double impact_loss = 0;                  ///< J
  std::vector<double> friction_work = {};  ///< of pins in bores, by sectors of the bore's angle, J
  std::optional<ContactPeaks> peaks = {};  ///< only with a local law

  void archive(Archive& memory) { memory(name, impacts, friction_loss, impact_loss, peaks); }
};

/// What compliant contacts did, and the steps that saw it.
struct CompliantTotal {
  double max_indentation = 0;   ///< m
  long divided_steps = 0;       ///< steps of the integrator that were divided
  long parts = 0;               ///< into so many
  long contacts = 0;            ///< that closed and opened again
  double shortest_contact = 0;  ///< s
  int fewest_steps = 0;         ///< that a contact had

  void add_contact(double duration, int steps);
  void archive(Archive& memory) {
    memory(max_indentation, divided_steps, parts, contacts, shortest_contact, fewest_steps);
  }
};

/// Steps that were chosen by their error.
struct AdaptiveTotal {
  long accepted = 0;
  long rejected = 0;
  double shortest = 0;  ///< of those that were accepted, s
  double longest = 0;   ///< s
  long beyond = 0;      ///< as short as they may be, and still with a larger error

  void add(double h);
  void archive(Archive& memory) { memory(accepted, rejected, shortest, longest, beyond); }
};

/// Bodies that were left as they are for some time.
struct SleepTotal {
  std::vector<double> times = {};  ///< of nodes, s

  /// After a step of length h.
  void add(std::span<const int> nodes, double h);
  int bodies() const;
  double longest() const;
  double mean() const;  ///< of those that slept
  void archive(Archive& memory) { memory(times); }
};

/// The worst violation of joints and contacts in a run that goes on whatever comes.
struct AcceptedViolation {
  double first = 0;  ///< when joints or contacts were violated first, s
  double ratio = 0;  ///< of the size of the parts
  double time = 0;   ///< of the worst
  std::string text = {};

  void archive(Archive& memory) { memory(first, ratio, time, text); }
};

/// How far joints and contacts were pushed through in steps whose equations contradict each other
/// or were not solved, where drift alone is the method's own, m.
struct PushedThrough {
  std::map<std::int64_t, double> contacts = {};
  std::map<int, double> joints = {};  ///< by their rows

  void archive(Archive& memory) { memory(contacts, joints); }
};

/// What a run did.
struct RunReport {
  std::string stopped_by = {};  ///< the condition on which the run ended before its end time
  RunStatus status = RunStatus::Completed;
  std::string message = {};  ///< why it failed; empty otherwise
  long steps = 0;
  double end_time = 0;  ///< reached, s
  double wall_seconds = 0;
  IterationCount smooth = {}, position = {}, velocity = {};
  long impacts = 0;
  SleepTotal sleep = {};
  long inaccurate_steps = 0;   ///< that were accepted, or tried again, short of the tolerances
  double max_penetration = 0;  ///< of rigid contacts, m
  std::optional<CompliantTotal> compliant = {};  ///< only with compliant contacts
  std::optional<AdaptiveTotal> adaptive = {};    ///< only where steps are chosen by their error
  /// Deepest that a gap may have been below zero unseen, m; NaN where integrators step over
  /// impacts.
  double max_overlooked = std::numeric_limits<double>::quiet_NaN();
  double max_position_violation = 0;  ///< of joints, m (angles times the characteristic length)
  double max_velocity_violation = 0;  ///< of joints, m/s
  std::optional<AcceptedViolation> accepted = {};
  PushedThrough pushed = {};
  EnergyLedger energy = {};
  EnergyTurnover turnover = {};
  std::vector<ContactTotal> contacts = {};
  std::vector<BearingTotal> bearings = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> notes = {};  ///< what results leave out on purpose
  std::vector<Mode> modes = {};         ///< of a modal analysis

  bool converged() const { return status == RunStatus::Completed; }
  /// A few lines for people.
  std::string summary() const;
  /// What steps add to; the rest is made anew whenever a run stops.
  void archive(Archive& memory) {
    memory(steps, end_time, smooth, position, velocity, impacts, sleep, inaccurate_steps,
           max_penetration, compliant, adaptive, max_overlooked, max_position_violation,
           max_velocity_violation, accepted, pushed, energy, turnover, contacts, warnings);
  }
};

}  // namespace saltus
