// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/integrators/constrained_motion.hpp"
#include "tests/support/scene.hpp"

// Contact points that are closed, as the event-driven motion has them between two events.
namespace saltus::test {

/// The points of a system that touch at q.
inline std::vector<ClosedPoint> touching_points(const System& system, const Configuration& q,
                                                ContactStatus mode = ContactStatus::Slip) {
  std::vector<ClosedPoint> points;
  const ContactPoints& contacts = system.elements().contacts;
  for (ContactIndex i = 0; i < contacts.size(); ++i) {
    ClosedPoint point;
    point.contact = i;
    point.entry = contacts.point(i, q);
    const ContactElement& e = point.element();
    point.from = e.place(system.pair(q, e.node_A, e.node_B));
    if (e.gap(point.from) > 1e-9) continue;
    const ContactLaw& law = contacts.law(point.entry);
    point.static_friction = law.static_friction.value_or(coefficient(law.friction, 0));
    point.mode = mode;
    points.push_back(point);
  }
  return points;
}

/// A scene whose touching points are closed.
struct ClosedScene : Scene {
  ConstrainedMotion motion;

  explicit ClosedScene(const Model& model, ContactStatus mode = ContactStatus::Slip,
                       HyperstaticForces forces = HyperstaticForces::MinimumNorm)
      : Scene(model), motion(system, forces) {
    motion.points() = touching_points(system, state.configuration, mode);
  }
  ConstrainedMotion::At now() const { return {state.configuration, state.velocity, 0}; }
  ClosedPoint& point(std::size_t i = 0) { return motion.points()[i]; }
  bool accelerate() { return motion.accelerate(now()); }
  /// Σ Hᵀ f of the points.
  VectorX contact_forces() const {
    VectorX f = VectorX::Zero(system.velocities());
    for (const ClosedPoint& p : motion.points()) {
      const Vector12 local = p.H.transpose() * p.force;
      system.scatter(local, p.element().node_A, p.element().node_B, f);
    }
    return f;
  }
  /// M v̇ − f − Gᵀλ − Hᵀ f_c, which vanishes.
  VectorX imbalance() const {
    return momentum(state.configuration, motion.acceleration()) -
           forces(state.configuration, state.velocity, motion.multiplier()) - contact_forces();
  }
};

/// Gravity that stands on a floor z = 0 as on an incline that falls towards +x.
inline Vector3 inclined_gravity(double angle) {
  return g_0 * Vector3(std::sin(angle), 0, -std::cos(angle));
}

}  // namespace saltus::test
