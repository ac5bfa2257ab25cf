// SPDX-License-Identifier: Apache-2.0
// A deep groove ball bearing under radial, axial and moment load, against equilibrium of rigid
// rings and balls.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/example_run.hpp"
#include "tests/support/rigid_bearing.hpp"

namespace saltus::test {
namespace bearing_3d_test {

constexpr double pi = std::numbers::pi;
constexpr double r_b = 0.00396875, r_i = 0.01277875, r_o = 0.02072125, groove = 0.0041;

const TableSink& run() {
  // While the loads grow the ring strikes the balls: with warnings of the restitution.
  static const TableSink table = [] {
    const ModelFile file = read_example("ball_bearing_3d");
    return run_model(file.model, file.simulation);
  }();
  return table;
}

std::string ball(std::size_t k) { return "bearing.ball" + std::to_string(k); }

RigidBearing equilibrium_at(std::size_t row) {
  RigidBearing bearing;
  bearing.inner_ring = r_i + groove;
  bearing.outer_ring = r_o - groove;
  bearing.room = 2 * (groove - r_b);
  for (std::size_t k = 0; k < 8; ++k) {
    bearing.angles.push_back(run().at(ball(k) + ".angle", row));
  }
  bearing.force = {0, -300 - 0.2 * 9.81, 90};
  bearing.moment = {0.3, 0, 0};
  return bearing;
}

/// Mean over some rows: the ring trembles about the equilibrium, which moves slowly.
double mean(const std::string& column, std::size_t row) {
  constexpr std::size_t half = 10;
  double sum = 0;
  for (std::size_t i = row - half; i <= row + half; ++i) sum += run().at(column, i);
  return sum / (2 * half + 1);
}

TEST(DeepGrooveBearing, BallsCarryWhatEquilibriumOfRigidRingsAsks) {
  double squares = 0, worst = 0;
  int count = 0;
  for (double t = 0.05; t < 0.195; t += 0.0073) {
    const std::size_t row = run().row_at(t);
    const RigidBearing::Equilibrium expected = equilibrium_at(row).solve();
    ASSERT_LT(expected.residual, 0.01);
    for (std::size_t k = 0; k < 8; ++k) {
      const double error = mean(ball(k) + ".load_inner", row) - expected.loads[k];
      squares += error * error;
      worst = std::max(worst, std::abs(error));
      ++count;
    }
  }
  measured("rms", std::sqrt(squares / count));
  measured("worst", worst);
  EXPECT_LT(std::sqrt(squares / count), 0.03 * 300);
}

/// Away from the moments at which a ball passes the bottom: there the load goes over to the next
/// ball, equilibrium jumps to the other side and the ring swings after it, by up to 2.8 µm off,
/// whatever the friction is.
TEST(DeepGrooveBearing, TheInnerRingStandsWhereEquilibriumPutsIt) {
  double worst = 0, tilt_squares = 0;
  int count = 0;
  for (double t = 0.05; t < 0.195; t += 0.0023) {
    const std::size_t row = run().row_at(t);
    const RigidBearing bearing = equilibrium_at(row);
    const bool goes_over = std::ranges::any_of(bearing.angles, [](double angle) {
      return std::abs(std::remainder(angle + pi / 2, 2 * pi)) < 0.1;
    });
    if (goes_over) continue;
    const RigidBearing::Equilibrium expected = bearing.solve();
    const Eigen::Vector3d centre(mean("inner.position.x", row), mean("inner.position.y", row),
                                 mean("inner.position.z", row));
    worst = std::max(worst, (centre - expected.centre).norm());
    const Eigen::Vector3d axis = run().rotation("inner", row).col(2);
    tilt_squares +=
        std::pow(-axis.y() - expected.tilt.x(), 2) + std::pow(axis.x() - expected.tilt.y(), 2);
    ++count;
  }
  measured("worst_centre", worst);
  measured("tilt_rms", std::sqrt(tilt_squares / count));
  EXPECT_LT(worst, 1e-6) << "of 4.5e-5 m";
  EXPECT_LT(std::sqrt(tilt_squares / count), 1e-4) << "of 1.6e-3 rad";
}

/// Rolling at the mean contact angle: (1 − γ cos α)/2 of the inner speed.
TEST(DeepGrooveBearing, CageFrequencyIsThatOfRolling) {
  const BearingTotal& total = run().report().bearings.front();
  const double gamma = 2 * r_b / (r_i + r_o);
  const double free_angle = std::acos(1 - (r_o - r_i - 2 * r_b) / (2 * (groove - r_b)));
  const double expected = (1 - gamma * std::cos(free_angle)) / 2;
  measured("cage_ratio", total.cage_ratio);
  measured("expected", expected);
  EXPECT_NEAR(total.cage_ratio, expected, 0.005 * expected);
}

/// The grooves fit so closely that the balls would swing in them with a period of 0.19 ms.
TEST(DeepGrooveBearing, StepsNeedNotResolveHowBallsSwingInTheGrooves) {
  ModelFile file = read_example("ball_bearing_3d");
  Dynamics& dynamics = std::get<Dynamics>(file.simulation);
  std::get<NonsmoothGeneralizedAlpha>(dynamics.integrator).step = 1e-4;
  dynamics.end_time = 0.05;
  const TableSink table = run_model(file.model, file.simulation);
  for (const std::string& warning : table.report().warnings) {
    EXPECT_EQ(warning.find("halved"), std::string::npos) << warning;
  }
}

/// Without friction an axial force draws the balls to where the centres of both grooves and the
/// ball are in one line, and beyond: a light ball between two contacts that nearly contradict each
/// other. There is no energy but the work of the force, and that is lost in the end.
TEST(DeepGrooveBearing, WithoutFrictionAnAxialForceMakesNoEnergy) {
  for (const double speed : {0.0, 100.0}) {
    Model model;
    model.gravity.setZero();
    const BodyId shaft =
        model.add(RigidBody{.name = "shaft",
                            .inertia = solid_cylinder(0.5, 0.013, 0.1, Vector3::UnitZ()),
                            .velocity = {Vector3::Zero(), {0, 0, speed}}});
    model.add(Force{.on = at(shaft), .value = {0.0, 0.0, 500.0}});
    model.add(BallBearing{.name = "bearing",
                          .inner = at(shaft),
                          .outer = at(model.ground()),
                          .balls = 3,
                          .ball_radius = 0.004,
                          .inner_radius = 0.013,
                          .outer_radius = 0.02101,
                          .inner_groove_radius = 0.00412,
                          .outer_groove_radius = 0.00412});
    const TableSink table = run_model(
        model, Dynamics{.end_time = 0.02, .integrator = NonsmoothGeneralizedAlpha{.step = 2e-5}});
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    const double start = table.at("energy.kinetic", 0);
    double most = 0;
    for (const double kinetic : table.column("energy.kinetic")) most = std::max(most, kinetic);
    EXPECT_LE(most - start, 500 * 7e-5) << "more than the way of the shaft allows";
    EXPECT_GE(table.last("energy.impact_loss"), 0);
    EXPECT_GE(table.last("energy.numerical_loss"), -1e-3 * start);
  }
}

TEST(DeepGrooveBearing, ForcesOnTheInnerRingAddUpToTheLoads) {
  const BearingTotal& total = run().report().bearings.front();
  // The loads grow for 10 ms of 200.
  EXPECT_NEAR(total.radial_force, 292.5 + 0.2 * 9.81, 1.5);
  EXPECT_NEAR(total.axial_force, 87.75, 0.6);
  ASSERT_TRUE(total.life);
  measured("life_hours", total.life->hours);
  EXPECT_TRUE(run().report().converged());
  EXPECT_LT(run().report().max_penetration, 1e-9);
}

}  // namespace bearing_3d_test
}  // namespace saltus::test
