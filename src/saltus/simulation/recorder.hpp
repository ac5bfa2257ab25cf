// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/bearing_watch.hpp"
#include "saltus/simulation/flexible_record.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// Force and torque (about the joint's point) of a joint on its second body, inertial components.
struct JointReaction {
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();
};
JointReaction joint_reaction(const JointElement& joint, const Configuration& q,
                             const Eigen::Ref<const VectorX>& multiplier);

/// Turns states into rows of the time series.
class Recorder {
 public:
  /// @param forces  of contacts with a local law: they have columns of their own; may be null.
  explicit Recorder(const System& system, const RecordOptions& options = {},
                    const ForceRecovery* forces = nullptr, BearingWatch* bearings = nullptr);

  const std::vector<Column>& columns() const { return columns_; }
  /// The state from which the first step starts.
  void start(const State& state);
  /// Adds the impulses of one step to those since the last row: the mean of the smooth forces at
  /// its ends, and the corrections.
  void accumulate(const State& state);
  /// How often a step, or an equilibrium, was iterated; a row shows the most since the last one.
  void count_iterations(int smooth, int position = 0, int velocity = 0);
  /// The row of an event, in the frame of the results.
  EventRow event(const ContactEvent& event) const;
  /// The row of a state; impulses since the last row are in it and start again from zero.
  std::span<const double> row(const State& state);

 private:
  void add_body_columns(const BodyEntry& body);
  void add_joint_columns(const JointEntry& joint);
  void add_contact_columns();
  void add_point_columns(const std::string& name, bool has_moments, bool is_journal);
  bool has_forces(std::size_t listed) const { return forces_ != nullptr && forces_->has(listed); }
  bool has_totals(const ContactGroup& group) const;
  void put_body(const BodyEntry& body, const State& state);
  void put_joints(const State& state);
  void put_contacts(const State& state);
  void put_point(std::size_t i, ContactStatus status, const State& state);
  void accumulate_contacts(const State& state);
  void add_vector(const std::string& prefix, const char* unit, const std::string& description);
  void put(const Vector3& v);

  const System& system_;
  const ForceRecovery* forces_;
  BearingWatch* bearings_;
  std::vector<FlexibleRecord> flexible_;  // in the order of the bodies
  std::vector<Column> columns_;
  std::vector<double> row_;
  std::size_t place_ = 0;
  std::vector<JointReaction> joint_impulses_, last_reactions_;
  // Of contacts since the last row, on the second collider.
  struct PointImpulse {
    Vector3 along = Vector3::Zero();   // n, t1, t2
    Vector3 force = Vector3::Zero();   // inertial components
    Vector3 moment = Vector3::Zero();  // n, t1, t2
  };
  bool shows_points_ = true;
  std::vector<PointImpulse> impulses_;  // of listed points
  std::vector<Vector3> totals_;         // of the model's contacts
  std::vector<int> closed_;             // how many of their points touch
  double last_time_ = 0;
  std::array<int, 3> iterations_ =
      {};  // smooth motion, position, velocity: most since the last row
};

}  // namespace saltus
