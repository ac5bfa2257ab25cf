// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/correction.hpp"
#include "tests/support/scene.hpp"

namespace saltus::test {

/// One step of the nonsmooth generalized-α method from the start of a scene, in its parts.
struct OneStep : Scene {
  double h;
  SmoothMotion smooth;
  ContactSet contacts;
  PositionCorrection position;
  VelocityCorrection velocity;
  State next;
  StepReport report;

  OneStep(const Model& model, double length, const CorrectionOptions& options = {})
      : Scene(model),
        h(length),
        smooth(system, kkt, 0.8, options.tolerance, 25),
        contacts(system),
        position(system, kkt, contacts, options),
        velocity(system, kkt, contacts, options),
        next(state) {}

  StepData data() { return {state, h, {.time = state.time + h}, next, report}; }
  bool predict() {
    next = state;
    next.time = state.time + h;
    return smooth.solve(state, h, {.time = next.time}, next, report);
  }
  bool correct_position() { return position.solve(smooth, data()); }
  bool correct_velocity() { return velocity.solve(smooth, position, data()); }
  bool to_positions() { return predict() && correct_position(); }
  bool to_velocities() { return to_positions() && correct_velocity(); }

  const VectorX& U() const { return position.increment(); }
  const VectorX& W() const { return velocity.jump(); }
  const Vector6& nu(std::size_t i = 0) const { return position.reactions()[i].nu; }
  const Vector6& impulse(std::size_t i = 0) const {
    return velocity.impulses().reactions()[i].impulse;
  }
  const ContactGeometry& point(std::size_t i = 0) const { return contacts.points()[i]; }
  /// A reaction of point i on its body, inertial components.
  Vector3 inertial(const Vector6& reaction, std::size_t i = 0) const {
    return point(i).axes() * reaction.head<3>();
  }
};

/// A point mass that may touch the floor z = 0.
inline Model point_on_floor(double mass, const Vector3& position, const Vector3& velocity,
                            Contact contact) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId body = model.add(PointMass{.name = "mass",
                                          .mass = mass,
                                          .pose = {.position = position},
                                          .velocity = {.linear = velocity}});
  model.add(Collider{.name = "tip", .frame = at(body), .shape = PointShape{}});
  contact.between = {"floor", "tip"};
  model.add(contact);
  return model;
}

}  // namespace saltus::test
