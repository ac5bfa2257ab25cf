// SPDX-License-Identifier: Apache-2.0
// Forces from impulses: what counts as an impact, what lasts, and how rows add up.
#include "saltus/simulation/force_recovery.hpp"

#include <gtest/gtest.h>

#include "saltus/io/result_directory.hpp"
#include "tests/benchmarks/force_runs.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::test {
namespace force_recovery_test {

constexpr double g = 9.81;

Dynamics steps(double h, double end) {
  return {.end_time = end, .integrator = NonsmoothGeneralizedAlpha{.step = h}};
}

BodyId add_ball(Model& model, const std::string& name, double radius, const Vector3& position,
                const Vector3& velocity = Vector3::Zero()) {
  const BodyId body = model.add(RigidBody{.name = name,
                                          .inertia = solid_sphere(1, radius),
                                          .pose = {.position = position},
                                          .velocity = {.linear = velocity}});
  model.add(Collider{.name = name, .frame = at(body), .shape = Sphere{radius}});
  return body;
}

/// A ball of 1 kg above a floor.
Model ball_on_floor(const Contact& law, double height = 0, const Vector3& velocity = {0, 0, 0}) {
  Model model;
  add_ball(model, "ball", 0.1, {0, 0, 0.1 + height}, velocity);
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  Contact contact = law;
  contact.name = "touch";
  contact.between = {"floor", "ball"};
  model.add(contact);
  return model;
}

/// Balls in a row, touching; the first comes with 1 m/s and meets them after 0.05 s.
Model row_of_balls(int count, const Contact& law) {
  Model model;
  model.gravity.setZero();
  for (int i = 0; i < count; ++i) {
    const Vector3 place(0.2 * i - (i == 0 ? 0.05 : 0), 0, 0);
    add_ball(model, fmt::format("ball_{}", i), 0.1, place, Vector3(i == 0 ? 1 : 0, 0, 0));
  }
  Contact contact = law;
  contact.name = "balls";
  contact.between = {"ball_*", "ball_*"};
  model.add(contact);
  return model;
}

const Contact bouncing = {.restitution = 0.8, .stiffness = 1e8};

void expect_rows_add_up(const ForceSink& sink) {
  for (const ForceRow& row : sink.steps()) {
    EXPECT_NEAR(row.continuous_force + row.impact_force, row.total_force, 1e-12 * row.total_force);
    EXPECT_GE(row.continuous_force, 0);
    EXPECT_GE(row.impact_force, 0);
    EXPECT_EQ(row.depends_on_step, row.impact_force > 0);
  }
}

TEST(ForceRecovery, ContactsWithoutALocalLawHaveNoRowsAndNoColumns) {
  const ForceSink sink = run_forces(ball_on_floor({.restitution = 0.8}, 0.1), steps(1e-3, 0.5));
  EXPECT_TRUE(sink.forces().empty());
  EXPECT_FALSE(sink.has("touch.friction_work"));
  EXPECT_FALSE(sink.report().contacts[0].peaks.has_value());
}

TEST(ForceRecovery, LastingContactIsItsForceWhateverTheStep) {
  for (const double h : {1e-4, 1e-3, 1e-2}) {
    const ForceSink sink = run_forces(ball_on_floor(bouncing), steps(h, 0.1));
    EXPECT_TRUE(sink.impacts().empty());
    ASSERT_FALSE(sink.steps().empty());
    for (const ForceRow& row : sink.steps()) {
      EXPECT_NEAR(row.continuous_force, g, 1e-9);
      EXPECT_EQ(row.impact_force, 0);
      EXPECT_FALSE(row.depends_on_step);
    }
  }
}

TEST(ForceRecovery, OneRowAStepInTheOrderOfTime) {
  const ForceSink sink = run_forces(ball_on_floor(bouncing), steps(1e-3, 0.05));
  const std::vector<ForceRow> rows = sink.steps();
  ASSERT_EQ(rows.size(), 50U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rows[i].time, 1e-3 * static_cast<double>(i + 1), 1e-12);
  }
}

TEST(ForceRecovery, BouncesLeaveNothingToLastingContact) {
  const ForceSink sink = run_forces(ball_on_floor(bouncing, 0.5), steps(1e-3, 1.0));
  expect_rows_add_up(sink);
  ASSERT_GE(sink.impacts().size(), 2U);
  for (const ForceRow& row : sink.steps()) {
    EXPECT_EQ(row.continuous_force, 0);
    EXPECT_TRUE(row.depends_on_step);
  }
}

TEST(ForceRecovery, SpeedAndImpulseAreThoseOfTheTouch) {
  const double v = std::sqrt(2 * g * 0.5);
  const std::vector<Integrator> methods = {NonsmoothGeneralizedAlpha{.step = 7e-3},
                                           MoreauJean{.step = 7e-3}};
  for (const Integrator& method : methods) {
    const ForceSink sink =
        run_forces(ball_on_floor(bouncing, 0.5), Dynamics{.end_time = 0.4, .integrator = method});
    ASSERT_EQ(sink.impacts().size(), 1U);
    EXPECT_NEAR(sink.impacts()[0].approach_speed, v, 1e-9);
    EXPECT_NEAR(sink.impacts()[0].impulse, 1.8 * v, 1e-9);
  }
}

TEST(ForceRecovery, TheHistoryOfAnImpactHasItsImpulse) {
  for (const ForceMethod method : {ForceMethod::Reconstruction, ForceMethod::Integration}) {
    Contact law = bouncing;
    law.damping_model = hertz::DampingModel::Zhang;  // its own restitution is nearly e
    law.force_method = method;
    const ForceSink sink = run_forces(ball_on_floor(law, 0.5), steps(1e-3, 0.4));
    ASSERT_EQ(sink.impacts().size(), 1U);
    const ForceRow row = sink.impacts()[0];
    ASSERT_EQ(row.history.size(), static_cast<std::size_t>(ForceRecovery::samples));
    double impulse = 0, largest = 0;
    for (std::size_t i = 1; i < row.history.size(); ++i) {
      const ImpactSample &a = row.history[i - 1], &b = row.history[i];
      impulse += (b.time - a.time) * (a.force + b.force) / 2;
      largest = std::max(largest, b.force);
    }
    EXPECT_NEAR(impulse, row.impulse, 3e-3 * row.impulse);  // 64 trapezoids
    EXPECT_NEAR(largest, row.peak_force, 3e-3 * row.peak_force);
    EXPECT_NEAR(row.history.front().rate, row.approach_speed, 1e-9);
    EXPECT_NEAR(row.history.back().rate, -0.8 * row.approach_speed, 0.01 * row.approach_speed);
    EXPECT_EQ(row.history.back().time, row.duration);
  }
}

// Each contact of the row has its own impact, one after the other, with the speed of that impact.
TEST(ForceRecovery, ImpactsRunThroughARowOfBalls) {
  const ForceSink sink =
      run_forces(row_of_balls(4, {.restitution = 1, .stiffness = 1e8}), steps(1e-3, 0.1));
  const std::vector<ForceRow> impacts = sink.impacts();
  ASSERT_EQ(impacts.size(), 3U);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    EXPECT_EQ(impacts[i].order, static_cast<int>(i + 1));
    EXPECT_NEAR(impacts[i].approach_speed, 1, 1e-9);
    EXPECT_NEAR(impacts[i].impulse, 1, 1e-9);
    EXPECT_EQ(impacts[i].duration, impacts[0].duration);
  }
  expect_rows_add_up(sink);
}

// All at once, the inner contact does not approach and stays closed: there is an impulse, but no
// speed from which a force could be rebuilt.
TEST(ForceRecovery, ImpulsesThroughClosedContactsAreMarked) {
  Dynamics options = steps(1e-3, 0.1);
  options.multiple_impacts = MultipleImpacts::Simultaneous;
  const ForceSink sink = run_forces(row_of_balls(3, {.restitution = 1, .stiffness = 1e8}), options);
  EXPECT_EQ(sink.impacts("balls.ball_0.ball_1.0").size(), 1U);
  EXPECT_TRUE(sink.impacts("balls.ball_1.ball_2.0").empty());
  const std::vector<ForceRow> rows = sink.steps("balls.ball_1.ball_2.0");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].depends_on_step);
  EXPECT_EQ(rows[0].continuous_force, 0);
  EXPECT_NEAR(rows[0].impact_force * 1e-3, rows[0].impulse, 1e-12);
  expect_rows_add_up(sink);
}

// A ball on the floor, hit by another that comes to rest on it: the floor carries one weight, then
// two, and no more than that in the step of the impact, whose impulse is 100 weights over h.
TEST(ForceRecovery, ImpulsesOnTopOfALastingForceAreSplitFromIt) {
  Model model;
  add_ball(model, "lower", 0.1, {0, 0, 0.1});
  add_ball(model, "upper", 0.1, {0, 0, 0.35});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "floor", .between = {"floor", "lower"}, .stiffness = 1e8});
  model.add(Contact{
      .name = "balls", .between = {"lower", "upper"}, .restitution = 0.5, .stiffness = 1e8});
  const ForceSink sink = run_forces(model, steps(1e-3, 0.15));
  ASSERT_FALSE(sink.impacts("balls").empty());
  const double hit = sink.impacts("balls")[0].time;
  bool found = false;
  for (const ForceRow& row : sink.steps("floor")) {
    EXPECT_GE(row.continuous_force, g * (1 - 1e-9)) << row.time;
    EXPECT_LE(row.continuous_force, 2 * g * (1 + 1e-9)) << row.time;
    if (row.time == hit) found = row.impact_force > 100 * g && row.depends_on_step;
  }
  EXPECT_TRUE(found);
  expect_rows_add_up(sink);
}

// A ball rests under a force with a peak, and far away another one bounces in that step: all of the
// peak lasts.
TEST(ForceRecovery, ABounceElsewhereIsNoImpactHere) {
  for (const bool beside : {false, true}) {
    Model model = ball_on_floor({.restitution = 0.5, .stiffness = 1e8});
    const Table peak{.times = {0, 0.02, 0.023, 0.026, 1}, .values = {0, 0, -500, 0, 0}};
    model.add(Force{.on = at(BodyId{0}), .value = {0.0, 0.0, peak}});
    if (beside) {
      add_ball(model, "other", 0.1, {50, 0, 0.1 + g * 0.0225 * 0.0225 / 2});
      model.add(Contact{.name = "elsewhere",
                        .between = {"floor", "other"},
                        .restitution = 0.5,
                        .stiffness = 1e8});
    }
    const ForceSink sink = run_forces(model, steps(1e-3, 0.03));
    EXPECT_EQ(sink.impacts("elsewhere").empty(), !beside);
    double largest = 0;
    for (const ForceRow& row : sink.steps("touch")) {
      EXPECT_FALSE(row.depends_on_step) << row.time;
      largest = std::max(largest, row.continuous_force);
    }
    EXPECT_GT(largest, 400);
    expect_rows_add_up(sink);
  }
}

// Without a rebound there is no duration: the impulse stands in the row, and what is divided by
// the step is marked.
TEST(ForceRecovery, LandingsWithoutReboundAreMarked) {
  const ForceSink sink =
      run_forces(ball_on_floor({.restitution = 0, .stiffness = 1e8}, 0.1), steps(1e-3, 0.3));
  ASSERT_EQ(sink.impacts().size(), 1U);
  const ForceRow landing = sink.impacts()[0];
  EXPECT_NEAR(landing.approach_speed, std::sqrt(2 * g * 0.1), 1e-9);
  EXPECT_NEAR(landing.impulse, std::sqrt(2 * g * 0.1), 1e-9);
  EXPECT_TRUE(std::isnan(landing.duration));
  EXPECT_TRUE(std::isnan(landing.peak_force));
  EXPECT_TRUE(landing.depends_on_step);
  const std::vector<ForceRow> rows = sink.steps();
  EXPECT_TRUE(rows.front().depends_on_step);
  EXPECT_LE(rows.front().continuous_force, g * (1 + 1e-9));
  EXPECT_NEAR(rows.back().continuous_force, g, 1e-9);
  EXPECT_FALSE(rows.back().depends_on_step);
  EXPECT_NEAR(sink.report().contacts[0].peaks->continuous_force, g, 1e-9);
  expect_rows_add_up(sink);
}

TEST(ForceRecovery, StressesAreThoseOfTheContinuousForce) {
  const ForceSink sink =
      run_forces(ball_on_floor({.young_modulus = 2e11, .poisson_ratio = 0.3}), steps(1e-3, 0.01));
  const ForceRow row = sink.steps().back();
  const double E = 2e11 / (2 * (1 - 0.09)), a = std::cbrt(0.75 * g * 0.1 / E);
  EXPECT_NEAR(row.semi_axis_a, a, 1e-9 * a);
  EXPECT_NEAR(row.peak_pressure, 1.5 * g / (std::acos(-1.0) * a * a), 1e-6 * row.peak_pressure);
}

// The radii of the shapes, or those that the contact gives.
TEST(ForceRecovery, RadiiOfTheContactReplaceThoseOfTheShapes) {
  Contact law = {.restitution = 0.8, .young_modulus = 2e11};
  const ForceRow of_shapes = run_forces(ball_on_floor(law, 0.1), steps(1e-3, 0.2)).impacts().at(0);
  law.radii = {0, 0.1};
  const ForceRow same = run_forces(ball_on_floor(law, 0.1), steps(1e-3, 0.2)).impacts().at(0);
  law.radii = {0, 0, 0.1, 0.4};
  const ForceRow slender = run_forces(ball_on_floor(law, 0.1), steps(1e-3, 0.2)).impacts().at(0);
  EXPECT_EQ(same.peak_force, of_shapes.peak_force);
  EXPECT_GT(slender.semi_axis_a, 1.5 * slender.semi_axis_b);
  EXPECT_LT(slender.duration, of_shapes.duration);
}

// A block that slides to rest: all friction is at its one point.
TEST(ForceRecovery, FrictionWorkIsWhatTheLedgerHas) {
  Contact law = bouncing;
  law.friction = 0.3;
  const ForceSink sink = run_forces(ball_on_floor(law, 0, {2, 0, 0}), steps(1e-3, 1));
  const double loss = sink.last("energy.friction_loss");
  EXPECT_GT(loss, 0.1);
  EXPECT_NEAR(sink.last("touch.friction_work"), loss, 1e-9 * loss);
}

// The last bounces before rest always come faster than an impact lasts, more of them with a soft
// law.
TEST(ForceRecovery, ImpactsThatBeginBeforeTheLastHasEndedAreMarked) {
  std::vector<long> counts;
  for (const double stiffness : {1e9, 1e5}) {
    const Contact law = {.restitution = 0.7, .stiffness = stiffness};
    const ForceSink sink = run_forces(ball_on_floor(law, 0.01), steps(1e-4, 0.5));
    const std::vector<ForceRow> impacts = sink.impacts();
    ASSERT_GE(impacts.size(), 5U);
    EXPECT_FALSE(impacts[0].overlaps);
    long marked = 0;
    for (std::size_t i = 1; i < impacts.size(); ++i) {
      const double between = impacts[i].time - impacts[i - 1].time;
      if (std::abs(between - impacts[i - 1].duration) < 2e-4) continue;  // times are those of steps
      EXPECT_EQ(impacts[i].overlaps, between < impacts[i - 1].duration) << i;
    }
    for (const ForceRow& row : impacts) marked += row.overlaps ? 1 : 0;
    EXPECT_EQ(sink.report().contacts[0].peaks->overlapping_impacts, marked);
    counts.push_back(marked);
    for (const ForceRow& row : sink.steps()) EXPECT_FALSE(row.overlaps);
  }
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[1], counts[0]);
}

TEST(ForceRecovery, TooSmallARestitutionIsTold) {
  const auto warnings = [](Contact law) {
    Simulation simulation(ball_on_floor(law), steps(1e-3, 0.01));
    return simulation.run().warnings;
  };
  Contact law = {.restitution = 0.02, .stiffness = 1e8};
  ASSERT_EQ(warnings(law).size(), 1U);
  EXPECT_EQ(warnings(law)[0],
            "contact \"touch\": restitution 0.02 is too small for forces within impacts, they are "
            "those of 0.05");
  law.force_method = ForceMethod::Integration;
  EXPECT_EQ(warnings(law).size(), 1U);  // of Flores' damping
  law.damping_model = hertz::DampingModel::HuntCrossley;
  EXPECT_TRUE(warnings(law).empty());
  law.restitution = 0;  // no forces are rebuilt
  law.force_method.reset();
  EXPECT_TRUE(warnings(law).empty());
  law.restitution = 0.05;
  EXPECT_TRUE(warnings(law).empty());
}

TEST(ForceRecovery, WorksWithHalvedAndShortenedSteps) {
  const ForceSink sink = run_forces(ball_on_floor(bouncing), steps(3e-3, 0.01));
  for (const ForceRow& row : sink.steps()) EXPECT_NEAR(row.continuous_force, g, 1e-9);
  EXPECT_NEAR(sink.steps().back().time, 0.01, 1e-15);
}

// ---- files
// ---------------------------------------------------------------------------------------

std::string forces_file(const Model& model) {
  const TemporaryDirectory directory;
  Simulation simulation(model, steps(1e-3, 0.3));
  ResultDirectory results(directory / "out", {.model = "a.json"});
  simulation.run(&results);
  return text_of(directory / "out" / "contact_forces.csv");
}

TEST(ForceRecovery, FilesHaveOneHeaderAndEmptyCellsForWhatDoesNotApply) {
  const std::string text = forces_file(ball_on_floor(bouncing, 0.1));
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "time,contact,kind,order,impulse_n,continuous_force,impact_force,total_force,"
            "approach_speed,duration,peak_force,peak_indentation,peak_pressure,semi_axis_a,"
            "semi_axis_b,shear_stress,shear_depth,octahedral_stress,octahedral_depth,"
            "depends_on_step,overlaps,permanent_indentation");
  EXPECT_NE(text.find(",touch,impact,1,"), std::string::npos);
  EXPECT_NE(text.find(",touch,step,0,"), std::string::npos);
  EXPECT_NE(text.find(",,,,,,,0,0,\n"), std::string::npos);  // an impact without stresses
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(ForceRecovery, ThereIsNoFileWithoutALocalLaw) {
  EXPECT_EQ(forces_file(ball_on_floor({.restitution = 0.8}, 0.1)), "");
}

}  // namespace force_recovery_test
}  // namespace saltus::test
