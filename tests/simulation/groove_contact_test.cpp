// SPDX-License-Identifier: Apache-2.0
// Forces and stresses of balls in grooves: the curvature is that of the wall that is touched.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/benchmarks/force_runs.hpp"

namespace saltus::test {
namespace groove_contact_test {

constexpr double pi = std::numbers::pi;
constexpr double r = 0.01, groove = 0.012, ring = 0.05, E = 2e11, nu = 0.3;
constexpr double force = 400;  // N

/// A ball at rest in a tube, pressed against its wall at an angle from the direction away from the
/// axis.
Model ball_in_tube(double beta, GrooveOpening opening = GrooveOpening::Closed) {
  Model model;
  const Vector3 down(std::cos(beta), 0, std::sin(beta));
  model.gravity = force * down;
  const BodyId ball =
      model.add(RigidBody{.name = "ball",
                          .inertia = solid_sphere(1, r),
                          .pose = {.position = Vector3(ring, 0, 0) + (groove - r) * down}});
  model.add(Collider{.name = "ball", .frame = at(ball), .shape = Sphere{r}});
  model.add(Collider{.name = "tube",
                     .frame = at(model.ground()),
                     .shape = Groove{.radius = groove, .ring_radius = ring, .opening = opening}});
  model.add(Contact{.name = "wall", .between = {"ball", "tube"}, .young_modulus = E});
  return model;
}

/// Half the sum of the curvatures along the ring and across it.
hertz::ContactGeometry closed_form(double beta) {
  const double c = std::cos(beta);
  const double along = (1 / r - c / (ring + groove * c)) / 2, across = (1 / r - 1 / groove) / 2;
  return {std::min(along, across), std::max(along, across)};
}

ForceRow first_step(const Model& model) {
  return run_forces(model, Dynamics{.end_time = 3e-4,
                                    .integrator = NonsmoothGeneralizedAlpha{.step = 1e-4}})
      .steps()
      .at(0);
}

TEST(BallInGroove, StressesAreThoseOfTheWallThatIsTouched) {
  for (const double degrees : {0.0, 25.0, 60.0, 90.0, 120.0, 155.0, 180.0, -40.0}) {
    const double beta = degrees * pi / 180;
    const ForceRow row = first_step(ball_in_tube(beta));
    const hertz::PointContact exact(closed_form(beta), hertz::contact_compliance({E, nu}, {E, nu}),
                                    nu);
    const hertz::ContactStress stress = exact.stress(force);
    EXPECT_NEAR(row.continuous_force, force, 1e-6 * force) << degrees << " degrees";
    // The cosine is rounded to 1/4096.
    EXPECT_NEAR(row.peak_pressure, stress.peak_pressure, 1e-5 * stress.peak_pressure);
    EXPECT_NEAR(row.semi_axis_a, stress.major_semi_axis, 1e-4 * stress.major_semi_axis);
    EXPECT_NEAR(row.semi_axis_b, stress.minor_semi_axis, 1e-4 * stress.minor_semi_axis);
  }
}

// The convex inner wall is touched on a smaller area than the concave outer one.
TEST(BallInGroove, InnerAndOuterWallDiffer) {
  const ForceRow outer = first_step(ball_in_tube(0)), inner = first_step(ball_in_tube(pi));
  EXPECT_GT(inner.peak_pressure, 1.1 * outer.peak_pressure);
}

TEST(BallInGroove, HalfATubeIsAsTheWholeOne) {
  const auto pressure = [](double beta, GrooveOpening opening) {
    return first_step(ball_in_tube(beta, opening)).peak_pressure;
  };
  const double beta = 30 * pi / 180;
  EXPECT_EQ(pressure(beta, GrooveOpening::Inwards), pressure(beta, GrooveOpening::Closed));
  EXPECT_EQ(pressure(pi - beta, GrooveOpening::Outwards),
            pressure(pi - beta, GrooveOpening::Closed));
}

/// A bearing that is drawn along its axis as far as its play allows: cos α = 1 − clearance/play.
Model axially_loaded(double alpha) {
  constexpr double ball = 0.004, groove_radius = 0.0042, play = 2 * (groove_radius - ball);
  Model model;
  model.gravity.setZero();
  const BodyId shaft =
      model.add(RigidBody{.name = "shaft",
                          .inertia = solid_cylinder(0.5, 0.01, 0.1, Vector3(0, 0, 1)),
                          .pose = {.position = Vector3(0, 0, -play * std::sin(alpha))}});
  model.add(BallBearing{.name = "bearing",
                        .inner = at(shaft),
                        .outer = at(ground_body),
                        .balls = 6,
                        .ball_radius = ball,
                        .inner_radius = 0.0127,
                        .outer_radius = 0.0127 + 2 * ball + play * (1 - std::cos(alpha)),
                        .inner_groove_radius = groove_radius,
                        .outer_groove_radius = groove_radius,
                        .young_modulus = E});
  model.add(Force{.name = "load", .on = at(shaft), .value = {0.0, 0.0, -500.0}});
  return model;
}

TEST(BallInGroove, BearingsHaveTheCurvatureAtTheirContactAngle) {
  for (const double degrees : {20.0, 30.0, 40.0}) {
    const double alpha = degrees * pi / 180, c = std::cos(alpha), ball = 0.004;
    const Model model = axially_loaded(alpha);
    const BallBearing& b = model.ball_bearings[0];
    const ForceSink sink = run_forces(
        model, Dynamics{.end_time = 5e-5, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-5}});
    const double pitch = b.outer_radius - 0.0042 + (0.0042 - ball) * c;
    for (const bool is_inner : {true, false}) {
      const std::string name = is_inner ? "inner" : "outer";
      const ForceRow row =
          sink.steps(fmt::format("bearing.{0}.bearing.ball0.bearing.{0}_race.0", name)).back();
      EXPECT_NEAR(row.continuous_force, 500 / (6 * std::sin(alpha)), 1e-3 * row.continuous_force)
          << degrees << " degrees, " << name;
      const double gamma = ball * c / pitch, sign = is_inner ? 1 : -1;
      const double along = sign / ball * gamma / (1 - sign * gamma);
      const hertz::PointContact exact(hertz::contact_geometry({ball, ball}, {1 / along, -0.0042}),
                                      hertz::contact_compliance({E, nu}, {E, nu}), nu);
      const double p = exact.stress(row.continuous_force).peak_pressure;
      EXPECT_NEAR(row.peak_pressure, p, 1e-4 * p) << degrees << " degrees, " << name;
    }
  }
}

}  // namespace groove_contact_test
}  // namespace saltus::test
