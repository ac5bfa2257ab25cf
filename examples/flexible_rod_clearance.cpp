// SPDX-License-Identifier: Apache-2.0
// A slider-crank with a flexible rod and a clearance between rod and slider; results go to
// slider_crank-out. The same model as flexible_rod_clearance.json and flexible_rod_clearance.py.
#include <saltus/saltus.hpp>
using namespace saltus;

int main() {
  Model model{.gravity = {0, 0, 0}};
  const BodyId ground = model.ground();

  const BodyId crank = model.add(RigidBody{
      .name = "crank", .inertia = slender_rod(0.30, 0.05), .pose = {.position = {0.025, 0, 0}}});
  const BodyId rod =
      model.add(Beam{.name = "rod",
                     .start = {0.05, 0, 0},
                     .end = {0.17, 0, 0},
                     .elements = 8,
                     .section = circular_section(5e-3),
                     .material = {.young_modulus = 207e9, .poisson_ratio = 0.3, .density = 7800}});
  const BodyId slider = model.add(RigidBody{.name = "slider",
                                            .inertia = solid_box(0.14, {0.04, 0.03, 0.03}),
                                            .pose = {.position = {0.17, 0, 0}}});

  model.add(Revolute{
      .name = "bearing", .between = {at(ground), at(crank, {-0.025, 0, 0})}, .drive = Speed{52.4}});
  model.add(Revolute{.name = "crank_pin", .between = {at(crank, {0.025, 0, 0}), at(rod, 0.0)}});
  model.add(Prismatic{
      .name = "guide", .bodies = {ground, slider}, .at = {0.17, 0, 0}, .axis = {1, 0, 0}});

  // The clearance joint is no joint: a 9.5 mm pin in a 10 mm bore, in frictional contact.
  const ColliderId pin =
      model.add(Collider{"pin", at(rod, 0.12), Cylinder{.radius = 9.5e-3, .length = 0.02}});
  const ColliderId bore =
      model.add(Collider{"bore", at(slider), Bore{.radius = 10e-3, .length = 0.02}});
  model.add(Contact{.between = {pin, bore}, .restitution = 0.9, .friction = 0.05});

  Simulation simulation{model,
                        {.integrator = NonsmoothGeneralizedAlpha{.step = 1e-5, .rho_inf = 0.8}}};
  const RunReport report = simulation.run_until(0.24);
  save(simulation.result(), "slider_crank-out");
  return report.converged() ? 0 : 1;
}
