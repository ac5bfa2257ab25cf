// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/simulation/flexible_record.hpp"
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
  explicit Recorder(const System& system, FlexibleDetail detail = FlexibleDetail::All);

  const std::vector<Column>& columns() const { return columns_; }
  /// The state from which the first step starts.
  void start(const State& state);
  /// Adds the impulses of one step to those since the last row: the mean of the smooth forces at
  /// its ends, and the corrections.
  void accumulate(const State& state);
  /// The row of an event, in the frame of the results.
  EventRow event(const ContactEvent& event, const Configuration& q) const;
  /// The row of a state; impulses since the last row are in it and start again from zero.
  std::span<const double> row(const State& state);

 private:
  void add_body_columns(const BodyEntry& body);
  void add_joint_columns(const JointEntry& joint);
  void add_contact_columns();
  void put_body(const BodyEntry& body, const State& state);
  void put_joints(const State& state);
  void put_contacts(const State& state);
  void add_vector(const std::string& prefix, const char* unit, const std::string& description);
  void put(const Vector3& v);

  const System& system_;
  std::vector<FlexibleRecord> flexible_;  // in the order of the bodies
  std::vector<Column> columns_;
  std::vector<double> row_;
  std::size_t place_ = 0;
  std::vector<JointReaction> joint_impulses_, last_reactions_;
  std::vector<Vector3> contact_impulses_;  // on the second collider, inertial components
  std::vector<int> points_;                // of each contact of the model
  double last_time_ = 0;
};

}  // namespace saltus
