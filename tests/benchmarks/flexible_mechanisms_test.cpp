// SPDX-License-Identifier: Apache-2.0
// Mechanisms with beams: cranks with flexible rods, a beam under a falling ball.
#include <numbers>

#include "tests/support/flexible_runs.hpp"

namespace saltus::test {
namespace flexible_mechanisms_test {

using std::numbers::pi;

// ---- roller_crank_flexible
// -----------------------------------------------------------------------

/// One run for three tests.
const TableSink& roller_run() {
  static const TableSink table = run_example("roller_crank_flexible");
  return table;
}

TEST(RollerCrank, LeavesTheFloorTwiceAndNeedsFewIterations) {
  const TableSink& table = roller_run();
  const RunReport& report = table.report();
  measured("impacts", static_cast<double>(report.impacts));
  measured("largest_gap", largest_of(table.column("rolling.gap")));
  EXPECT_EQ(report.impacts, 2);
  EXPECT_EQ(table.events("opens").size(), 2u);
  EXPECT_LE(report.smooth.max, 3);
  EXPECT_LE(report.position.max, 3);
  EXPECT_LE(report.velocity.max, 3);
  expect_closed_books(table);
}

// In flight nothing turns the roller: its hinge is at its centre.
TEST(RollerCrank, SpinsEvenlyInFlight) {
  const TableSink& table = roller_run();
  int flights = 0;
  for (std::size_t row = 2; row < table.rows(); ++row) {
    if (table.at("rolling.impulse.n", row) > 0 || table.at("rolling.gap", row) <= 0) continue;
    ++flights;
    EXPECT_NEAR(table.at("roller.angular_velocity.z", row),
                table.at("roller.angular_velocity.z", row - 1), 1e-9)
        << table.time(row);
  }
  EXPECT_GT(flights, 0);
}

// Friction obeys Coulomb's law, and the mean force of the floor is the weight that rests on it.
TEST(RollerCrank, FrictionStaysInItsCone) {
  const TableSink& table = roller_run();
  double slipping = 0, sticking = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double n = table.at("rolling.impulse.n", row);
    const double t =
        std::hypot(table.at("rolling.impulse.t1", row), table.at("rolling.impulse.t2", row));
    EXPECT_LE(t, 0.1 * n * (1 + 1e-9) + 1e-15);
    if (table.at("rolling.status", row) == 1) ++slipping;
    if (table.at("rolling.status", row) == 2) ++sticking;
  }
  EXPECT_GT(slipping, 0);
  EXPECT_GT(sticking, 0);
  EXPECT_GT(table.report().energy.friction_loss, 0);
}

// ---- flexible_slider_crank
// -----------------------------------------------------------------------

/// Deflection of the rod's middle from its chord.
double deflection(const TableSink& table, std::size_t row) {
  const Eigen::Vector3d a = table.vector("rod.node0.position", row);
  const Eigen::Vector3d b = table.vector("rod.node10.position", row);
  return (b - a).normalized().cross(table.vector("rod.node5.position", row) - a).z();
}

// The drive's work becomes energy and losses; the slider follows the crank but for the rod's
// shortening.
TEST(FlexibleSliderCrank, FollowsTheDriveAndKeepsItsBooks) {
  const TableSink table = run_example("flexible_slider_crank");
  double worst = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.time(row), angle = t < 0.1 ? 300 * t * t : 60 * t - 3;
    const double y = 0.15 * std::sin(angle);
    const double x = 0.15 * std::cos(angle) + std::sqrt(0.09 - y * y);
    worst = std::max(worst, std::abs(table.at("slider.position.x", row) - x));
  }
  measured("slider", worst);
  // A bow of w shortens the chord by π²w²/(4 L); the crank may stand across the rod's direction.
  EXPECT_LE(worst, pi * pi * 6e-4 * 6e-4 / (4 * 0.3) * 2);
  EXPECT_NEAR(table.last("drive.angle"), 27, 1e-9);
  expect_closed_books(table);
  EXPECT_LE(table.report().smooth.max, 4);
}

/// Acceleration of the rod's middle if it were rigid, and the crank turns at 60 rad/s.
Eigen::Vector3d middle_acceleration(double angle) {
  const double w = 60, r = 0.15, L = 0.3;
  const auto slider = [&](double a) {
    return r * std::cos(a) + std::sqrt(L * L - std::pow(r * std::sin(a), 2));
  };
  const double d = 1e-4,
               x_aa = (slider(angle + d) - 2 * slider(angle) + slider(angle - d)) / (d * d);
  const Eigen::Vector3d pin(-w * w * r * std::cos(angle), -w * w * r * std::sin(angle), 0);
  return (pin + Eigen::Vector3d(w * w * x_aa, 0, 0)) / 2;
}

// Weight and inertia across the rod vary linearly along it: they bend its middle by
// 5 ρA a L⁴/(384 EI), with the acceleration a of the middle.
TEST(FlexibleSliderCrank, BendsByItsInertia) {
  const TableSink table = run_example(
      "flexible_slider_crank",
      {R"(/model/bodies/1/damping={"type": "modal_ratio", "ratio": 0.2})"});  // no vibration
  const double A = pi * 9e-6, EI = 2.07e11 * pi / 4 * 81e-12, L = 0.3, w_1 = 2 * pi * 134.9;
  double largest = 0, worst = 0;
  for (std::size_t row = table.row_at(0.3); row < table.rows(); ++row) {
    const double angle = 60 * table.time(row) - 3;
    const Eigen::Vector3d chord =
        table.vector("rod.node10.position", row) - table.vector("rod.node0.position", row);
    const Eigen::Vector3d a = middle_acceleration(angle) + Eigen::Vector3d(0, 9.81, 0);
    const double across = chord.normalized().cross(a).z();
    const double expected = -5 * 7800 * A * across * std::pow(L, 4) / (384 * EI);
    largest = std::max(largest, std::abs(expected));
    worst = std::max(worst, std::abs(deflection(table, row) - expected));
  }
  measured("largest_deflection", largest);
  measured("difference", worst);
  // Left out: the lag 2 ζ ω/ω₁ of damping and (ω/ω₁)² of inertia, for ω and 2 ω; and the slider's
  // and the rod's own pull, m ω² r (1 + r/L), of the Euler load π²EI/L².
  const double dynamic = 2 * 0.2 * 120 / w_1 + std::pow(120 / w_1, 2);
  const double axial = (0.05 + 7800 * A * L) * 3600 * 0.15 * 1.5 * L * L / (pi * pi * EI);
  EXPECT_LE(worst, (dynamic + axial) * largest);
}

// ---- beam_falling_mass
// ---------------------------------------------------------------------------

TEST(BeamAndBall, NoEnergyIsWonAndBooksClose) {
  const TableSink table = run_example("beam_falling_mass", {set_end(0.6), set_record(1)});
  const double h = 2e-4, speed = std::sqrt(2 * 9.81 * 0.19);
  ASSERT_GE(table.report().impacts, 2);
  const EventRow first = table.events("impact")[0];
  measured("first_impact", first.time);
  // The beam, straight at the start, sags 2.3 mm of itself and vibrates while the ball falls 0.19
  // m.
  EXPECT_NEAR(first.time, speed / 9.81, 4.6e-3 / speed + h);
  EXPECT_LE(energy_gain(table), 1e-3 * energy_turnover(table));
  expect_closed_books(table);
}

// Damped more, it comes to rest: bent by both weights, which the supports carry.
TEST(BeamAndBall, RestsWithTheStaticDeflection) {
  const double h = 1e-3, n = 16;
  const TableSink table = run_example(
      "beam_falling_mass", {set_step(h), set_end(6), set_record(1),
                            R"(/model/bodies/0/damping={"type": "modal_ratio", "ratio": 0.1})"});
  const double E = 2.1e11, I = 0.05 * std::pow(0.02, 3) / 12, A = 1e-3, L = 2, g = 9.81;
  const double ball = 2 * g, beam = 7850 * A * L * g;
  const double by_ball = ball * std::pow(L, 3) / (48 * E * I);
  const double by_beam = 5 * beam * std::pow(L, 3) / (384 * E * I);
  const double shear = (ball / 4 + beam / 8) * L / (5.0 / 6 * E / 2.6 * A);
  // The weight acts on nodes: it bends by 0.8/n² less (n = 2: one load in the middle).
  const double expected = by_ball + (1 - 0.8 / (n * n)) * by_beam + shear;
  const double sag = -table.last("beam.node8.position.z");
  measured("deflection", sag);
  measured("expected", expected);
  EXPECT_NEAR(sag, expected, std::pow(pi * sag / L, 2) * expected);     // slopes are finite
  EXPECT_NEAR(table.last("ball.position.z"), 0.01 + 0.05 - sag, 1e-6);  // face 10 mm above the axis
  EXPECT_NEAR(table.last("hit.impulse.n") / h, ball, 1e-6 * ball);
  EXPECT_NEAR((table.last("left.impulse.z") + table.last("right.impulse.z")) / h, ball + beam,
              1e-6 * (ball + beam));
  EXPECT_LE(std::abs(table.last("ball.velocity.z")), 1e-6);
  EXPECT_LE(std::abs(table.last("beam.velocity.z")), 1e-6);
  expect_closed_books(table);
}

}  // namespace flexible_mechanisms_test
}  // namespace saltus::test
