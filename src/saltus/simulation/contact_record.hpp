// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// What contacts do: each listed point for itself, and of contacts with more than one point the
/// sums over all of them. A single listed point is its own total.
class ContactRecord : public Observer {
 public:
  /// @param system  must live longer
  /// @param forces  of contacts with a local law: their points have a quantity more; may be null,
  ///                else it must live longer.
  ContactRecord(const System& system, ContactDetail detail, const ForceRecovery* forces = nullptr);

  /// Adds the impulses of the step to those since the last row.
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void row(const State& state, Row& row) override;
  void archive(Archive& memory) override { memory(impulses_, totals_); }

 private:
  /// Of a point since the last row, on the second collider.
  struct PointImpulse {
    Vector3 along = Vector3::Zero();   ///< n, t1, t2
    Vector3 force = Vector3::Zero();   ///< inertial components
    Vector3 moment = Vector3::Zero();  ///< n, t1, t2

    void archive(Archive& memory) { memory(along, force, moment); }
  };

  bool has_totals(const ContactGroup& group) const;
  void put_points(const State& state, Row& row) const;
  void put_point(std::size_t listed, ContactStatus status, const State& state, Row& row) const;
  void put_totals(const State& state, Row& row);

  const System& system_;
  const ForceRecovery* forces_;
  bool shows_points_;
  std::vector<PointImpulse> impulses_;  // of listed points
  std::vector<Vector3> totals_;         // of the model's contacts
  std::vector<int> memory_of_;          // of listed points, in Configuration::contacts; −1: rigid
  std::vector<int> closed_;             // how many of their points touch; workspace
};

}  // namespace saltus
