// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/contact_checks.hpp"

// Balls made in a test, and how they are run.
namespace saltus::test {

inline Dynamics steps(double h, double end) {
  return {.end_time = end, .integrator = NonsmoothGeneralizedAlpha{.step = h}};
}

inline TableSink run_well(const Model& model, const Dynamics& options) {
  TableSink table = run_model(model, options);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_LE(table.report().max_penetration, 1e-9);
  return table;
}

inline BodyId add_ball(Model& model, const std::string& name, double mass, double radius,
                       const Vector3& position, const Twist& velocity = {}) {
  const BodyId body = model.add(RigidBody{.name = name,
                                          .inertia = solid_sphere(mass, radius),
                                          .pose = {.position = position},
                                          .velocity = velocity});
  model.add(Collider{.name = "skin_of_" + name, .frame = at(body), .shape = Sphere{radius}});
  return body;
}

}  // namespace saltus::test
