// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/simulation/channel.hpp"
#include "saltus/simulation/mode_table.hpp"
#include "saltus/simulation/run_report.hpp"

namespace saltus {

/// What rows of events are called; a stop is the impact of a joint on its limits.
inline constexpr std::array event_kinds = {"impact", "closes", "opens", "sticks", "slips", "stop"};

/// An impact, or a change of state of a contact point: one row of the events. Vectors are (n, t1,
/// t2) in the contact's frame of the results: n from the first to the second collider, impulses on
/// the second, velocities of the second relative to the first.
struct EventRow {
  double time = 0;
  std::string contact;  ///< name of the contact point, as in the columns
  std::string kind;     ///< of event_kinds
  int order = 0;        ///< of sub-impacts inside a step
  Vector3 impulse = Vector3::Zero();
  Vector3 before = Vector3::Zero();
  Vector3 after = Vector3::Zero();
  double energy_lost = 0;  ///< J
};

/// A moment within an impact.
struct ImpactSample {
  double time = 0;         ///< since the touch, s
  double indentation = 0;  ///< m
  double rate = 0;         ///< of indentation, m/s
  double force = 0;        ///< N
  // Friction along the contact's tangents, if it is known.
  double friction_t1 = std::numeric_limits<double>::quiet_NaN();  ///< N
  double friction_t2 = std::numeric_limits<double>::quiet_NaN();  ///< N
};

/// What a contact point with a local law carried: an impact, or a step in which it touched. What
/// does not apply is not a number. Forces are normal ones, pressing is positive.
struct ForceRow {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  enum class Kind { Impact, Step };

  double time = 0;      ///< end of the step
  std::string contact;  ///< name of the contact point, as in the columns
  Kind kind = Kind::Step;
  int order = 0;                        ///< of impacts inside a step, as in the events
  double impulse = 0;                   ///< N s: of the impact, or of the whole step
  double continuous_force = 0;          ///< N: of lasting contact, mean of the step
  double impact_force = none;           ///< N: impulse of impacts over the length of the step
  double total_force = none;            ///< N: the sum; at an impact continuous and peak force
  double approach_speed = none;         ///< m/s
  double duration = none;               ///< s
  double peak_force = none;             ///< N
  double peak_indentation = none;       ///< m
  double permanent_indentation = none;  ///< m, left by an elastoplastic law
  // Under the total force of an impact, the continuous force of a step.
  double peak_pressure = none;                               ///< Pa
  double semi_axis_a = none, semi_axis_b = none;             ///< m, a >= b
  double shear_stress = none, shear_depth = none;            ///< Pa, m
  double octahedral_stress = none, octahedral_depth = none;  ///< Pa, m
  /// Whether a force in this row is an impulse divided by the length of the step.
  bool depends_on_step = false;
  /// Whether an impact begins before the last one of the same point has ended: neither peak is to
  /// be trusted.
  bool overlaps = false;

  int model_contact = 0;                   ///< which contact of the model
  std::vector<ImpactSample> history = {};  ///< of an impact
};

/// A moment inside of an impact, at one of its points. Vectors as in EventRow; impulses and works
/// are counted from the beginning of the event.
struct ImpactMoment {
  std::string contact;  ///< name of the contact point
  double p = 0;         ///< sum of the normal impulses of the event so far, N s
  Vector3 impulse = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
  double normal_work = 0;    ///< done on the point along its normal, J
  double friction_work = 0;  ///< and along its tangents, J
  double group_work = 0;     ///< W_n of its group, as the law of restitution measures it, J
};

/// The points between two bodies in one event of an impact, or those that take no part in it.
struct ImpactRow {
  double time = 0;
  int impact = 0;       ///< its number among those that are recorded, from 1
  int order = 0;        ///< of the event in the impact, as in EventRow
  int group = 0;        ///< from 1; 0: the points that take no part in this event
  std::string contact;  ///< name of its first contact point
  int points = 0;
  // Of a group that takes part; else zero.
  double restitution = 0;          ///< e*
  double compression_impulse = 0;  ///< sum of the normal impulses at the end of compression, N s
  double impulse = 0;              ///< and at the end of the event, N s
  double compression_work = 0;     ///< W_nc, J
  double normal_work = 0;          ///< W_nf, J
  double friction_work = 0;        ///< J
  int transitions = 0;             ///< changes of stick and slip in the event, of all its groups
  std::vector<ImpactMoment> path = {};
};

/// A contact point and its colliders, in the order of `between`.
struct PointColliders {
  std::string point = {};
  std::string first = {}, second = {};
};

/// What a sink gets to know before the first row.
struct ResultLayout {
  std::vector<Channel> channels = {};       ///< of the rows
  std::size_t longest_contact_name = 1;     ///< of contact points, bytes
  bool has_forces = false;                  ///< whether contacts have local laws
  bool has_impacts = false;                 ///< whether insides of impacts are recorded
  std::vector<PointColliders> points = {};  ///< of contacts, as columns name them
};

/// When a simulation offers its memory (Simulation::save) to who takes what it computes.
enum class MemoryMoment {
  AfterStep,
  BeforeLastStep,  ///< with it the run can go on to a later end as if that had been asked for
  Stopped          ///< before its end; a row that is only recorded because of that follows
};

/// Which steps a sink wants to have whole, to solve them again elsewhere (replay.hpp).
enum class StepWish {
  None,
  Failed,     ///< the one at which a run gives up
  Inaccurate  ///< those too that fail before they are halved, or end short of the tolerances
};

/// A step of a dynamic run as it began.
struct StepCapsule {
  double time = 0;    ///< at its beginning, s
  double length = 0;  ///< s
  long number = 0;    ///< from 1
  std::string message = {};
  bool is_fatal = false;      ///< the run ended there
  Archive::Bytes state = {};  ///< the State at its beginning

  void archive(Archive& memory) { memory(time, length, number, message, is_fatal, state); }
};

/// Where a simulation puts what it computes. The simulation itself knows no files.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  virtual void begin(const ResultLayout& layout) = 0;
  /// One row, in the order of the channels.
  virtual void record(std::span<const double> row) = 0;
  /// An event, when it has happened; in the order of time.
  virtual void event(const EventRow& /*event*/) {}
  /// What a contact point with a local law carried; in the order of time, one step late.
  virtual void force(const ForceRow& /*row*/) {}
  /// What happened inside of an impact; in the order of time.
  virtual void impact(const ImpactRow& /*row*/) {}
  /// The natural modes of a modal analysis; once, before the end.
  virtual void modes(const ModeTable& /*table*/) {}
  /// What is known so far: called after the first row and after every step.
  virtual void update(const RunReport& /*so_far*/) {}
  virtual void end(const RunReport& report) = 0;
  /// Whether it wants the memory of a dynamic run now; asked after every step and at the moments
  /// above. What was told before is what a run with this memory does not tell again.
  virtual bool wants_memory(MemoryMoment /*moment*/) { return false; }
  virtual void memory(const Archive::Bytes& /*saved*/, const RunReport& /*so_far*/) {}
  /// Asked once, when a run begins or goes on.
  virtual StepWish wants_steps() { return StepWish::None; }
  virtual void capsule(const StepCapsule& /*step*/) {}
  /// Called after every step with the share of the work done; false stops the run.
  virtual bool progress(double /*time*/, double /*fraction*/, long /*steps*/) { return true; }
};

}  // namespace saltus
