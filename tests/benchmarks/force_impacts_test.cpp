// SPDX-License-Identifier: Apache-2.0
// Durations and peak forces of impacts, rebuilt from impulses.
#include "tests/benchmarks/force_runs.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace force_impacts_test {

struct Expected {
  double restitution;
  double duration;     ///< ms
  double force;        ///< N
  double indentation;  ///< mm
};

// ---- bouncing_ball_force
// -------------------------------------------------------------------------

std::string set_bounce(const std::string& field, double value) {
  return fmt::format("/model/contacts/bounce/{}={}", field, value);
}

ForceRow first_bounce(double restitution, double h, const Settings& more = {}) {
  Settings settings = {set_bounce("restitution", restitution), set_step(h), set_end(0.6)};
  settings.insert(settings.end(), more.begin(), more.end());
  const ForceSink sink = run_forces("bouncing_ball_force", settings);
  const std::vector<ForceRow> impacts = sink.impacts();
  EXPECT_GE(impacts.size(), 1U);
  return impacts.empty() ? ForceRow{} : impacts.front();
}

// Constant gravity: speed and impulse at the touch are found exactly, wherever it is in the step.
// Durations and peak forces themselves: `saltus verify bouncing_ball_force`.
TEST(BouncingBallForce, DoesNotDependOnTheStep) {
  for (const double e : {1.0, 0.8, 0.6, 0.4, 0.2}) {
    const double v = std::sqrt(2 * 9.8);
    const ForceRow finest = first_bounce(e, 1e-4);
    double worst = 0;
    for (const double h : {3e-4, 1e-3, 2.7e-3, 1e-2}) {
      const ForceRow row = first_bounce(e, h);
      EXPECT_NEAR(row.approach_speed, v, 1e-9);
      EXPECT_NEAR(row.impulse, (1 + e) * v, 1e-9);
      worst = std::max(worst, std::abs(row.duration / finest.duration - 1));
      worst = std::max(worst, std::abs(row.peak_force / finest.peak_force - 1));
    }
    measured(fmt::format("difference_{}", e), worst);
    EXPECT_LE(worst, 1e-9);
  }
}

// First order: the scheme loses height in each bounce.
TEST(BouncingBallForce, LaterBouncesAreOffByTheStep) {
  const auto second = [](double h) {
    const ForceSink sink = run_forces("bouncing_ball_force", {set_step(h), set_end(1.2)});
    return sink.impacts().at(1);
  };
  const double exact = 0.6 * std::sqrt(2 * 9.8);
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    const double off = std::abs(second(h).approach_speed - exact);
    measured(fmt::format("off_{}", h), off / exact);
    EXPECT_LE(off, 2 * 9.8 * h);
  }
}

TEST(BouncingBallForce, AtRestIsTheWeight) {
  const ForceSink sink = run_forces("bouncing_ball_force");
  const ForceRow& last = sink.forces().back();
  EXPECT_EQ(last.kind, ForceRow::Kind::Step);
  EXPECT_NEAR(last.continuous_force, 9.8, 1e-9);
  EXPECT_EQ(last.impact_force, 0);
  EXPECT_FALSE(last.depends_on_step);
  // No bounce leaves a lasting force: the largest one is the weight.
  EXPECT_NEAR(sink.report().contacts[0].peaks->continuous_force, 9.8, 0.01 * 9.8);
}

// Direct integration of the law with Flores' damping.
TEST(BouncingBallForce, IntegrationOfTheLocalLawIsTheSmoothMotion) {
  const std::vector<Expected> smooth = {{1.0, 1.318, 12358, 1.983},
                                        {0.8, 1.357, 11306, 1.808},
                                        {0.6, 1.431, 11262, 1.615},
                                        {0.4, 1.601, 12276, 1.386},
                                        {0.2, 2.163, 15421, 1.072}};
  for (const Expected& expected : smooth) {
    SCOPED_TRACE(expected.restitution);
    const ForceRow row = first_bounce(expected.restitution, 1e-3,
                                      {"/model/contacts/bounce/force_method=\"integration\""});
    EXPECT_NEAR(row.duration * 1e3, expected.duration, 0.001);
    EXPECT_NEAR(row.peak_force, expected.force, 1e-3 * expected.force);
    EXPECT_NEAR(row.peak_indentation * 1e3, expected.indentation, 0.001);
  }
}

// ---- two_sphere_impact
// ---------------------------------------------------------------------------

// Which damping does not matter to duration and indentation. The forces of the default, that of Hu:
// `saltus verify two_sphere_impact`.
TEST(TwoSphereImpact, HasTheDurationsOfTheMethodAndThePeakForcesOfEachDamping) {
  for (const auto& [e, force] : {std::pair(0.8, 293.7), {0.6, 298.4}, {0.4, 328.2}, {0.2, 395.9}}) {
    const ForceSink sink =
        run_forces("two_sphere_impact", {fmt::format("/model/contacts/hit/restitution={}", e),
                                         "/model/contacts/hit/damping_model=\"zhang\""});
    ASSERT_EQ(sink.impacts().size(), 1U);
    const ForceRow row = sink.impacts().front();
    measured(fmt::format("duration_{}", e), row.duration);
    measured(fmt::format("force_{}", e), row.peak_force);
    EXPECT_NEAR(row.time, 0.2, 1.1e-2);  // the step of the touch or the next: 0.2 is its end
    EXPECT_NEAR(row.impulse, 0.0138 * (1 + e), 1e-9);
    const std::string name = fmt::format("e = {}: ", e);
    EXPECT_TRUE(agrees(row.duration, "two_sphere_impact", name + "method's T"));
    EXPECT_TRUE(agrees(row.peak_indentation, "two_sphere_impact", name + "depth"));
    EXPECT_NEAR(row.peak_force, force, 2e-3 * force) << e;
  }
}

TEST(TwoSphereImpact, HasTheStressesOfTwoSpheres) {
  const ForceSink sink = run_forces("two_sphere_impact");
  const ForceRow row = sink.impacts().at(0);
  const double R = 0.01, E = 7.5e10 / (2 * (1 - 0.09));  // relative radius, modulus of both
  const double a = std::cbrt(0.75 * row.peak_force * R / E);
  const double p = 1.5 * row.peak_force / (std::acos(-1.0) * a * a);
  measured("pressure", row.peak_pressure);
  EXPECT_NEAR(row.semi_axis_a, a, 1e-9 * a);
  EXPECT_NEAR(row.semi_axis_b, a, 1e-9 * a);
  EXPECT_NEAR(row.peak_pressure, p, 1e-9 * p);
  EXPECT_NEAR(row.shear_stress, 0.3100 * p, 1e-3 * p);
  EXPECT_NEAR(row.shear_depth, 0.4809 * a, 1e-3 * a);
  EXPECT_NEAR(row.octahedral_stress, 0.2923 * p, 1e-3 * p);
  EXPECT_EQ(sink.report().contacts[0].peaks->peak_pressure, row.peak_pressure);
}

// ---- crank_block_impact
// --------------------------------------------------------------------------

TEST(CrankBlockImpact, HasThePublishedTimesAndDurations) {
  const ForceSink sink = run_forces("crank_block_impact");
  const std::vector<ForceRow> impacts = sink.impacts();
  ASSERT_EQ(impacts.size(), 2U);
  for (int i = 0; i < 2; ++i) {
    const ForceRow& row = impacts[static_cast<std::size_t>(i)];
    measured(fmt::format("time_{}", i), row.time);
    measured(fmt::format("speed_{}", i), row.approach_speed);
    measured(fmt::format("duration_{}", i), row.duration);
    measured(fmt::format("force_{}", i), row.peak_force);
  }
  const std::string name = "crank_block_impact";
  EXPECT_TRUE(agrees(impacts[0].time, name, "first impact"));
  EXPECT_TRUE(agrees(impacts[1].time, name, "second impact"));
  EXPECT_TRUE(agrees(impacts[0].duration, name, "duration of the first"));
  EXPECT_TRUE(agrees(impacts[1].duration, name, "duration of the second"));
}

}  // namespace force_impacts_test
}  // namespace saltus::test
