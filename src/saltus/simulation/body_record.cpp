// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/body_record.hpp"

#include "saltus/simulation/quantities.hpp"

namespace saltus {

BodyRecord::BodyRecord(const System& system, FlexibleDetail detail) : system_(system) {
  const VectorX pull = nodal_pull(system);
  for (const BodyEntry& body : system.elements().bodies) {
    if (body.is_flexible()) flexible_.emplace_back(system, body, pull, detail);
  }
}

void BodyRecord::row(const State& state, Row& row) {
  auto flexible = flexible_.begin();
  for (const BodyEntry& body : system_.elements().bodies) {
    if (body.is_flexible()) {
      flexible++->row(state, row);
    } else {
      put_rigid(body, state, row);
    }
  }
}

void BodyRecord::put_rigid(const BodyEntry& body, const State& state, Row& row) const {
  const OwnerView owner{OwnerKind::Bodies, body.name};
  const auto n = static_cast<std::size_t>(body.node);
  const NodePose& pose = state.configuration.nodes[n];
  const int k = system_.nodes()[n].first_unknown;
  const Vector3 arm = pose.R * body.origin;
  const Vector3 xdot = state.velocity.segment<3>(k);
  row.put(owner, quantities::position, Vector3(pose.x + arm + system_.origin()));
  if (!body.has_rotation()) return row.put(owner, quantities::velocity, xdot);
  row.put(owner, quantities::orientation, pose.orientation);
  const Vector3 omega = pose.R * state.velocity.segment<3>(k + 3);
  row.put(owner, quantities::velocity, Vector3(xdot + omega.cross(arm)));
  row.put(owner, quantities::angular_velocity, omega);
  row.put(owner, quantities::rotation, state.rotation[n]);
}

}  // namespace saltus
