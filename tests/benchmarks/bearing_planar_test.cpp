// SPDX-License-Identifier: Apache-2.0
// A ball bearing in a plane (Sanchez D-1): speed of the cage, loads of the balls, stresses.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/example_run.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace bearing_planar_test {

constexpr double pi = std::numbers::pi;
constexpr double load = 100;
constexpr double r_i = 0.01277125;

/// One run for all tests.
const TableSink& run() {
  // Balls of 2 g between 1.25 kg and the ground bounce very often: the program warns of sequences
  // of impacts that it cuts off.
  static const TableSink table = [] {
    const ModelFile file = read_example("ball_bearing");
    return run_model(file.model, file.simulation);
  }();
  return table;
}
const BearingTotal& bearing() { return run().report().bearings.front(); }

std::string ball(std::size_t k) { return "bearing.ball" + std::to_string(k); }

/// Rigid and at rest: two balls astride the bottom carry, θ from there.
double static_load(double theta) {
  return std::abs(theta) < pi / 4 ? load * std::sin(pi / 4 - std::abs(theta)) / std::sin(pi / 4)
                                  : 0.0;
}

/// Mean of a column over rows first to last.
double mean(const std::vector<double>& column, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) sum += column[i];
  return sum / static_cast<double>(last - first + 1);
}

TEST(PlanarBearing, CageGoesAsRollingBallsDo) {
  measured("cage_ratio", bearing().cage_ratio);
  EXPECT_TRUE(agrees(bearing().cage_ratio, "ball_bearing", "cage over inner speed"))
      << "clearance, slip";
  EXPECT_NEAR(bearing().inner_speed, 500 * 2 * pi / 60, 1e-9);
  const double rolling = known("ball_bearing", "cage over inner speed");
  EXPECT_NEAR(bearing().cage_slip, 1 - bearing().cage_ratio / rolling, 1e-5);
}

/// The balls of the lower quarter share the load as in equilibrium. Impacts scatter single steps:
/// means over an eighth of the time from ball to ball, 39 ms.
TEST(PlanarBearing, BallsCarryWhatEquilibriumAsks) {
  const TableSink& table = run();
  const std::size_t window = 50, begin = table.row_at(0.1);
  double worst = 0, squares = 0;
  int count = 0;
  for (std::size_t i = begin; i + window < table.rows(); i += window) {
    for (std::size_t k = 0; k < 8; ++k) {
      double expected = 0;
      for (std::size_t j = i; j <= i + window; ++j) {
        const double theta = std::remainder(table.at(ball(k) + ".angle", j) + pi / 2, 2 * pi);
        expected += static_load(theta) / static_cast<double>(window + 1);
      }
      const double found = mean(table.column(ball(k) + ".load_outer"), i, i + window);
      worst = std::max(worst, std::abs(found - expected));
      squares += (found - expected) * (found - expected);
      ++count;
    }
  }
  measured("worst", worst);
  measured("rms", std::sqrt(squares / count));
  EXPECT_LT(std::sqrt(squares / count), 0.03 * load);
}

TEST(PlanarBearing, ForcesOnTheInnerRaceAddUpToTheLoad) {
  EXPECT_NEAR(bearing().radial_force, load, 0.01 * load);
  EXPECT_NEAR(bearing().axial_force, 0, 1e-9);
}

/// At 100 N, with exact coefficients; the printed ones, read from a graph, differ by 2 %.
TEST(PlanarBearing, StressesAreThoseOfHertz) {
  const hertz::ElasticMaterial steel{2.06e11, 0.25};
  const hertz::PointContact contact(hertz::ball_on_inner_race(0.00396875, 0.00397875, r_i),
                                    hertz::contact_compliance(steel, steel), 0.25);
  const hertz::ContactStress at_load = contact.stress(load);
  EXPECT_NEAR(at_load.peak_pressure, 694e6, 1e6);
  EXPECT_TRUE(agrees(1e-6 * at_load.peak_pressure, "ball_bearing", "largest pressure"));
  EXPECT_TRUE(agrees(1e-6 * at_load.shear, "ball_bearing", "largest shear"));
  EXPECT_TRUE(agrees(1e-6 * at_load.octahedral_shear, "ball_bearing", "largest octahedral shear"));
  // The bearing's own is that of its peak.
  double peak = 0;
  for (const BallLoad& ball_load : bearing().inner) peak = std::max(peak, ball_load.peak);
  measured("peak", peak);
  ASSERT_TRUE(bearing().inner_stress);
  EXPECT_NEAR(bearing().inner_stress->peak_pressure, at_load.peak_pressure * std::cbrt(peak / load),
              1e3);
}

/// A 6204 has C = 13.5 kN with 8 balls of 7.938 mm in catalogues, by another factor for the steel.
TEST(PlanarBearing, RatingLifeIsThatOfTheLoad) {
  ASSERT_TRUE(bearing().life);
  const BearingLife& life = *bearing().life;
  measured("equivalent_load", life.equivalent_load);
  EXPECT_NEAR(life.equivalent_load, load, 0.05 * load);
  EXPECT_NEAR(life.million_revolutions, std::pow(life.dynamic_rating / life.equivalent_load, 3),
              1e-6 * life.million_revolutions);
  EXPECT_NEAR(life.hours, life.million_revolutions * 1e6 / (60 * 500), 1e-6 * life.hours);
}

/// Where balls carry they wear: below, between −135 and −45 degrees.
TEST(PlanarBearing, FrictionWorkIsDoneWhereTheLoadIs) {
  double below = 0, all = 0;
  for (std::size_t i = 0; i < bearing().friction_work.size(); ++i) {
    all += bearing().friction_work[i];
    if (i >= 22 && i < 32) below += bearing().friction_work[i];
  }
  EXPECT_GT(below, 0.9 * all);
  const auto& contacts = run().report().contacts;
  const auto outer = std::ranges::find_if(
      contacts, [](const ContactTotal& total) { return total.name == "bearing.outer"; });
  EXPECT_NEAR(all, outer->friction_loss, 1e-9 * std::abs(outer->friction_loss));
}

}  // namespace bearing_planar_test
}  // namespace saltus::test
