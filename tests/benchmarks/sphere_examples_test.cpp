// SPDX-License-Identifier: Apache-2.0
// What every example with spheres must show: no penetration, a ledger that closes, few iterations.
#include <algorithm>
#include <iterator>
#include <vector>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace sphere_examples_test {

struct Example {
  const char* name;
  int smooth = 0, position = 0, velocity = 0;  ///< most iterations a step, if published
};

const std::vector<Example> examples = {{"sphere_sliding", 1, 2, 2},
                                       {"sphere_rolling", 1, 1, 3},
                                       {"sphere_spinning", 1, 1, 2},
                                       {"sphere_roll_slide_1"},
                                       {"sphere_roll_slide_2"},
                                       {"sphere_roll_slide_3"},
                                       {"sphere_wall", 1, 7, 7},
                                       {"roller_crank_rigid", 1, 3, 2},
                                       {"roller_crank_flexible", 2, 3, 2},  // published: 1
                                       {"driven_spheres", 1, 3, 3},
                                       {"cue_ball_collision", 1, 4, 5},
                                       {"throw_angle", 1, 3, 6},
                                       {"three_balls_frictionless", 1, 3, 1},
                                       {"three_balls_frictional", 1, 4, 2},
                                       {"bernoulli_balls", 1, 3, 1},
                                       {"billiard_break", 1, 7, 4},
                                       {"billiard_break_rolling", 1, 7, 4},
                                       {"three_spheres_plane"},
                                       {"three_spheres_plane_frictional"},
                                       {"newtons_cradle"},
                                       {"newtons_cradle_unequal"},
                                       {"sphere_in_bowl"},
                                       {"billiard_15"}};

class SphereExamples : public testing::TestWithParam<Example> {};

TEST_P(SphereExamples, DoNotPenetrateAndCloseTheirLedger) {
  const TableSink table = run_example(GetParam().name);
  const RunReport& report = table.report();
  const double energy = energy_turnover(table) + table.at("energy.kinetic", 0);
  measured("penetration", report.max_penetration);
  measured("residual", largest_of(table.column("energy.residual")) / energy);
  measured("gain", energy_gain(table) / energy);
  measured("smooth", report.smooth.max);
  measured("position", report.position.max);
  measured("velocity", report.velocity.max);
  EXPECT_LE(report.max_penetration, 1e-9);
  EXPECT_LE(report.max_position_violation, 1e-9);
  EXPECT_LE(largest_of(table.column("energy.residual")), 1e-9 * energy);
  EXPECT_LE(energy_gain(table), 1e-4 * energy);  // second order in the motion between impacts
}

/// Those whose source tells the iterations.
std::vector<Example> published_examples() {
  std::vector<Example> published;
  std::ranges::copy_if(examples, std::back_inserter(published),
                       [](const Example& item) { return item.smooth > 0; });
  return published;
}

class PublishedIterations : public testing::TestWithParam<Example> {};

// With the tolerance of the source, 1e-5.
TEST_P(PublishedIterations, AreNotExceeded) {
  const Example& item = GetParam();
  const RunReport report =
      run_troubled(item.name, {"/simulation/integrator/tolerance=1e-5"}).report();
  measured("smooth", report.smooth.max);
  measured("position", report.position.max);
  measured("velocity", report.velocity.max);
  EXPECT_LE(report.smooth.max, item.smooth);
  EXPECT_LE(report.position.max, item.position);
  EXPECT_LE(report.velocity.max, item.velocity);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedIterations, testing::ValuesIn(published_examples()),
                         [](const auto& item) { return std::string(item.param.name); });
INSTANTIATE_TEST_SUITE_P(All, SphereExamples, testing::ValuesIn(examples),
                         [](const auto& item) { return std::string(item.param.name); });

}  // namespace sphere_examples_test
}  // namespace saltus::test
