// SPDX-License-Identifier: Apache-2.0
// Durations and peak forces of impacts, rebuilt from impulses.
#include "tests/benchmarks/force_runs.hpp"

namespace saltus::test {
namespace force_impacts_test {

struct Expected {
  double restitution;
  double duration;         ///< ms
  double force;            ///< N
  double indentation;      ///< mm
  const char* model = "";  ///< damping
};

// ---- bouncing_ball_force
// -------------------------------------------------------------------------

/// H = 1 m, the first bounce.
const std::vector<Expected> bounces = {{1.0, 1.369, 11544, 1.894},
                                       {0.8, 1.391, 10902, 1.772},
                                       {0.6, 1.446, 11297, 1.626},
                                       {0.4, 1.581, 13070, 1.439},
                                       {0.2, 1.999, 17857, 1.157}};

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

TEST(BouncingBallForce, HasTheDurationsAndPeakForcesOfTheMethod) {
  for (const Expected& expected : bounces) {
    SCOPED_TRACE(expected.restitution);
    const ForceRow row = first_bounce(expected.restitution, 1e-3);
    measured(fmt::format("duration_{}", expected.restitution), row.duration);
    measured(fmt::format("force_{}", expected.restitution), row.peak_force);
    EXPECT_NEAR(row.duration * 1e3, expected.duration, 0.001);  // printed with three decimals
    EXPECT_NEAR(row.peak_force, expected.force, 1e-3 * expected.force);
    EXPECT_NEAR(row.peak_indentation * 1e3, expected.indentation, 0.001);
  }
}

// Constant gravity: speed and impulse at the touch are found exactly, wherever it is in the step.
TEST(BouncingBallForce, DoesNotDependOnTheStep) {
  for (const Expected& expected : bounces) {
    const double v = std::sqrt(2 * 9.8);
    double worst = 0;
    for (const double h : {1e-4, 3e-4, 1e-3, 2.7e-3, 1e-2}) {
      const ForceRow row = first_bounce(expected.restitution, h);
      const ForceRow finest = first_bounce(expected.restitution, 1e-4);
      EXPECT_NEAR(row.approach_speed, v, 1e-9);
      EXPECT_NEAR(row.impulse, (1 + expected.restitution) * v, 1e-9);
      worst = std::max(worst, std::abs(row.duration / finest.duration - 1));
      worst = std::max(worst, std::abs(row.peak_force / finest.peak_force - 1));
    }
    measured(fmt::format("difference_{}", expected.restitution), worst);
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

TEST(TwoSphereImpact, HasThePublishedDurationsAndThePeakForcesOfTheMethod) {
  const std::vector<Expected> all = {
      {0.8, 0.1601, 295.7, 13.82e-3, "hu"},    {0.6, 0.1665, 301.8, 12.68e-3, "hu"},
      {0.4, 0.1820, 328.4, 11.23e-3, "hu"},    {0.2, 0.2302, 388.2, 9.02e-3, "hu"},
      {0.8, 0.1601, 293.7, 13.82e-3, "zhang"}, {0.6, 0.1665, 298.4, 12.68e-3, "zhang"},
      {0.4, 0.1820, 328.2, 11.23e-3, "zhang"}, {0.2, 0.2302, 395.9, 9.02e-3, "zhang"}};
  for (const Expected& expected : all) {
    SCOPED_TRACE(fmt::format("{} {}", expected.model, expected.restitution));
    const ForceSink sink =
        run_forces("two_sphere_impact",
                   {fmt::format("/model/contacts/hit/restitution={}", expected.restitution),
                    fmt::format("/model/contacts/hit/damping_model=\"{}\"", expected.model)});
    ASSERT_EQ(sink.impacts().size(), 1U);
    const ForceRow row = sink.impacts().front();
    measured(fmt::format("duration_{}_{}", expected.model, expected.restitution), row.duration);
    measured(fmt::format("force_{}_{}", expected.model, expected.restitution), row.peak_force);
    EXPECT_NEAR(row.time, 0.2, 1.1e-2);  // the step of the touch or the next: 0.2 is its end
    EXPECT_NEAR(row.impulse, 0.0138 * (1 + expected.restitution), 1e-9);
    // The constant of the reference is 5.5e9, that of Young's modulus 5.4945e9.
    EXPECT_NEAR(row.duration * 1e3, expected.duration, 2e-3 * expected.duration);
    EXPECT_NEAR(row.peak_force, expected.force, 2e-3 * expected.force);
    EXPECT_NEAR(row.peak_indentation * 1e3, expected.indentation, 2e-3 * expected.indentation);
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
  EXPECT_NEAR(impacts[0].time, 0.0438, 0.5e-3);
  EXPECT_NEAR(impacts[1].time, 0.0672, 0.5e-3);
  EXPECT_NEAR(impacts[0].duration, 68.5e-6, 0.02 * 68.5e-6);
  EXPECT_NEAR(impacts[1].duration, 75e-6, 0.02 * 75e-6);
}

}  // namespace force_impacts_test
}  // namespace saltus::test
