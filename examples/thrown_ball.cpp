// SPDX-License-Identifier: Apache-2.0
// A ball thrown at 2 m/s on a rough floor: it bounces, slides and then rolls. Prints every impact.
// The same model as thrown_ball.json and thrown_ball.py.
#include <cstdio>
#include <saltus/saltus.hpp>
using namespace saltus;

int main() {
  Model model;  // SI units; gravity is (0, 0, -9.81) unless set

  const BodyId ball = model.add(RigidBody{.name = "ball",
                                          .inertia = solid_sphere(1.0, 0.1),
                                          .pose = {.position = {0, 0, 1}},
                                          .velocity = {.linear = {2, 0, 0}}});
  const ColliderId skin = model.add(Collider{"skin", at(ball), Sphere{.radius = 0.1}});
  const ColliderId floor = model.add(Collider{"floor", at(model.ground()), HalfSpace{}});
  model.add(Contact{.between = {skin, floor}, .restitution = 0.8, .friction = 0.3});

  Simulation simulation{model,
                        {.integrator = NonsmoothGeneralizedAlpha{.step = 1e-3, .rho_inf = 0.8},
                         .solver = GaussSeidel{.tolerance = 1e-10}}};
  simulation.on_impact([](const Impact& impact) {
    std::printf("%.4f s  %.3e N s\n", impact.time, impact.impulse.norm());
  });

  const RunReport report = simulation.run_until(2.0);
  std::puts(report.summary().c_str());
  return report.converged() ? 0 : 1;
}
