// SPDX-License-Identifier: Apache-2.0
// A slider-crank whose crank pin is a ball bearing with much clearance (Sanchez D-2).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/example_run.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace bearing_slider_crank_test {

constexpr double r = 0.11, l = 0.225, omega = 50;

/// Force on the crank pin in the outer dead centre from rod and slider, rigid and without
/// clearance.
double pin_force(double rod_mass) {
  const double pin = omega * omega * r, slider = pin * (1 + r / l);
  return 2 * slider + rod_mass * (pin + slider) / 2;
}

/// Light balls between heavy bodies bounce very often: the program warns of sequences of impacts
/// that it cuts off, and of restitution that it reduces.
TableSink run_with_impacts(const std::string& name) {
  const ModelFile file = read_example(name);
  TableSink table = run_model(file.model, file.simulation);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  return table;
}

/// The largest mean force of a step, of lasting contact or with impacts in it.
double largest_load(const TableSink& table) {
  double largest = 0;
  for (int k = 0; k < 8; ++k) {
    for (const double load : table.column(fmt::format("bearing.ball{}.load_outer", k))) {
      largest = std::max(largest, load);
    }
  }
  return largest;
}

double largest_peak(const TableSink& table) {
  double largest = 0;
  for (const BallLoad& load : table.report().bearings.front().outer) {
    largest = std::max(largest, load.peak);
  }
  return largest;
}

TEST(BearingSliderCrank, WithoutClearanceThePinCarriesTheInertiaForces) {
  ModelFile file = read_example("bearing_slider_crank_rigid", {set_end(0.13)});
  file.model.ball_bearings.clear();
  file.model.add(Revolute{.name = "pin",
                          .bodies = {BodyId{3}, BodyId{4}},
                          .at = Vector3(r, 0, 0),
                          .axis = Direction(0, 0, 1)});
  const TableSink table = run_model(file.model, file.simulation);
  // One turn takes 2π/50 s.
  const std::size_t row = table.row_at(2 * std::numbers::pi / omega);
  const double force = table.vector("pin.force", row).norm();
  measured("pin_force", force);
  EXPECT_NEAR(pin_force(4), known("bearing_slider_crank_rigid", "pin force at 0°, no clearance"),
              1e-9);
  // The outer race adds its 8 g; the row is off the dead centre by up to 0.0025 rad.
  EXPECT_NEAR(force, pin_force(4) + 0.008 * omega * omega * r, 0.5);
}

TEST(BearingSliderCrank, IdealFlexibleJointCarriesTheSameOnTheMean) {
  const TableSink table = run_example("bearing_slider_crank_ideal");
  // Vibrations of the beams: the mean over the turns of the last 0.4 s, about the dead centre.
  double sum = 0;
  int count = 0;
  for (std::size_t i = table.row_at(0.2); i < table.rows(); ++i) {
    const double angle = std::remainder(omega * table.time(i), 2 * std::numbers::pi);
    if (std::abs(angle) > 0.1) continue;
    sum += table.vector("pin.force", i).norm();
    ++count;
  }
  const double expected = pin_force(7850 * 0.00113 * l);
  measured("pin_force", sum / count);
  EXPECT_NEAR(sum / count, expected, 0.02 * expected);
}

/// Printed: about 9100 N. Where an impact is in a step, its mean force is the impulse over the
/// step, 60 kN at 10⁻⁴ s; lasting contact carries what the ideal joint does, about 2.1 kN. The
/// force within the strongest impact, by the local law, is between the two.
TEST(BearingSliderCrank, RigidBodiesStrikeEachOtherThroughTheBalls) {
  const TableSink table = run_with_impacts("bearing_slider_crank_rigid");
  measured("largest_mean_of_a_step", largest_load(table));
  measured("largest_lasting", largest_peak(table));
  EXPECT_NEAR(largest_peak(table), pin_force(4), 0.15 * pin_force(4));
  double strongest = 0;
  for (const ContactTotal& contact : table.report().contacts) {
    if (contact.peaks && contact.peaks->impact) {
      strongest = std::max(strongest, contact.peaks->impact->peak_force);
    }
  }
  measured("strongest_impact", strongest);
  EXPECT_GT(strongest, 3000) << "the order of magnitude of 9100 N";
  EXPECT_LT(strongest, 30000);
  EXPECT_LT(table.report().max_penetration, 1e-9);
}

/// Printed: about 2500 N. From 0.1 s on the median over the balls is 2470 N at this step and 3420 N
/// at half of it, the largest 3000 and 3900 N: not resolved, so that only the order of magnitude is
/// checked.
TEST(BearingSliderCrank, FlexibleBodiesHoldTheRaces) {
  const TableSink table = run_with_impacts("bearing_slider_crank_flexible");
  std::vector<double> peaks;
  for (const BallLoad& load : table.report().bearings.front().outer) peaks.push_back(load.peak);
  std::ranges::sort(peaks);
  measured("largest_mean_of_a_step", largest_load(table));
  measured("largest_lasting", peaks.back());
  measured("median_lasting", (peaks[3] + peaks[4]) / 2);
  EXPECT_LT(table.report().max_penetration, 1e-9);
  EXPECT_GT(peaks.front(), 1000) << "the order of magnitude";
  EXPECT_LT(peaks.back(), 5000) << "the start of the run, with 8000 N, does not count";
  EXPECT_NEAR(table.report().bearings.front().from, 0.1, 1e-9);
}

/// 4.54, 1.36 and 1.23 GPa are printed for 9100 N, the groove is not. One of ball radius + 0.4 mm
/// gives the pressure; its contact has B/A = 17. The printed shear stresses are 0.30 and 0.27 of
/// the pressure, the values of B/A ≈ 500 that the source uses for its other bearing: no one groove
/// gives all three.
TEST(BearingSliderCrank, PressureAtThePrintedForceIsThePrintedOne) {
  const hertz::ElasticMaterial steel{2.06e11, 0.25};
  const hertz::PointContact contact(hertz::ball_on_inner_race(0.0055, 0.0059, 0.033745),
                                    hertz::contact_compliance(steel, steel), 0.25);
  const hertz::ContactStress stress = contact.stress(9100);
  measured("peak_pressure", stress.peak_pressure);
  measured("shear", stress.shear);
  measured("octahedral_shear", stress.octahedral_shear);
  EXPECT_TRUE(
      agrees(1e-9 * stress.peak_pressure, "bearing_slider_crank_rigid", "pressure at 9100 N"));
  EXPECT_NEAR(stress.shear / stress.peak_pressure, 0.324, 0.001);
  EXPECT_NEAR(stress.octahedral_shear / stress.peak_pressure, 0.283, 0.001);
}

}  // namespace bearing_slider_crank_test
}  // namespace saltus::test
