// SPDX-License-Identifier: Apache-2.0
// A ball that falls through wind: a force by a law of one's own; results go to
// ball_in_the_wind-out. The same model as ball_in_the_wind.py.
#include <cstdio>
#include <saltus/saltus.hpp>
using namespace saltus;

int main() {
  const Vector3 wind(5, 0, 0);  // m/s

  Model model;
  const BodyId ball =
      model.add(PointMass{.name = "ball", .mass = 0.1, .pose = {.position = {0, 0, 100}}});

  // Air resistance: 0.004 N s²/m² times the square of the speed through the air.
  const ForceLaw drag = [wind](double, const FrameMotion&, const FrameMotion& body) {
    const Vector3 u = body.velocity - wind;
    return Wrench{.force = -0.004 * u.norm() * u};
  };
  model.add(UserForce{.name = "drag", .between = {at(model.ground()), at(ball)}, .law = drag});

  Simulation simulation{model,
                        {.integrator = NonsmoothGeneralizedAlpha{.step = 1e-2, .rho_inf = 0.8}}};
  const RunReport report = simulation.run_until(20);
  std::puts(report.summary().c_str());
  save(simulation.result(), "ball_in_the_wind-out");
  return report.converged() ? 0 : 1;
}
