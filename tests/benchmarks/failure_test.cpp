// SPDX-License-Identifier: Apache-2.0
// What happens when joints are too many, contradict each other, do not fit the pose, or drive a
// mechanism where it cannot go.
#include <cmath>

#include "saltus/core/input_error.hpp"
#include "tests/support/example_run.hpp"

namespace saltus::test {
namespace failure_test {

bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

std::string refusal(const Model& model) {
  try {
    Simulation simulation(model, Dynamics{});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// A door that falls open about the x axis, on `hinges` hinges.
Model door(int hinges) {
  Model model;
  const BodyId leaf = model.add(RigidBody{
      .name = "leaf", .inertia = solid_box(20, {1, 0.8, 0.04}), .pose = {.position = {0, 0.4, 0}}});
  for (int i = 0; i < hinges; ++i) {
    model.add(Revolute{.name = "hinge_" + std::to_string(i + 1),
                       .bodies = {model.ground(), leaf},
                       .at = Vector3(i - 0.5, 0, 0),
                       .axis = Vector3(1, 0, 0)});
  }
  return model;
}

TEST(RedundantJoints, AThirdHingeChangesNothing) {
  const Dynamics options{.end_time = 1, .integrator = GeneralizedAlpha{.step = 2e-3}};
  const TableSink one = run_model(door(1), options), three = run_model(door(3), options);
  ASSERT_TRUE(three.report().converged()) << three.report().message;
  EXPECT_TRUE(three.report().warnings.empty());
  double motion = 0, force = 0;
  for (std::size_t row = 0; row < one.rows(); ++row) {
    motion = std::max(
        motion, (one.vector("leaf.position", row) - three.vector("leaf.position", row)).norm());
    const Vector3 sum = three.vector("hinge_1.force", row) + three.vector("hinge_2.force", row) +
                        three.vector("hinge_3.force", row);
    force = std::max(force, (one.vector("hinge_1.force", row) - sum).norm());
  }
  measured("motion", motion);
  measured("force", force);
  EXPECT_LE(motion, 1e-10);      // the same constraint manifold, Newton's tolerance
  EXPECT_LE(force, 200 * 1e-8);  // multipliers to Newton's tolerance of weights of 200 N
  EXPECT_LE(three.report().max_position_violation, 1e-10);
}

TEST(ContradictoryJoints, OfPositionAreNamed) {
  Model model;
  const BodyId bob =
      model.add(PointMass{.name = "bob", .mass = 1, .pose = {.position = {2, 0, 0}}});
  model.add(Distance{.name = "left_rod", .between = {at(model.ground()), at(bob)}, .length = 1});
  model.add(Distance{
      .name = "right_rod", .between = {at(model.ground(), {5, 0, 0}), at(bob)}, .length = 1});
  const std::string message = refusal(model);
  EXPECT_TRUE(mentions(message, "left_rod") && mentions(message, "right_rod")) << message;
  EXPECT_TRUE(mentions(message, "contradict")) << message;
}

TEST(ContradictoryJoints, OfVelocityAreNamed) {
  Model model = door(2);
  std::get<Revolute>(model.joints[0]).drive = Speed{1.0};
  std::get<Revolute>(model.joints[1]).drive = Speed{2.0};
  const std::string message = refusal(model);
  EXPECT_TRUE(mentions(message, "hinge_1") && mentions(message, "hinge_2")) << message;
}

// A drive that jumps is said to; one that bends or swings is not.
TEST(Drives, ThatJumpAreNamed) {
  const auto warnings = [](const Drive& drive) {
    Model model{.gravity = Vector3::Zero()};
    const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 1)});
    model.add(Revolute{.name = "shaft",
                       .bodies = {model.ground(), wheel},
                       .at = Vector3::Zero(),
                       .axis = Vector3(0, 0, 1),
                       .drive = drive});
    return run_model(model, Dynamics{.end_time = 1, .integrator = GeneralizedAlpha{.step = 1e-2}})
        .report()
        .warnings;
  };
  for (const char* jump : {"t<0.503?0:1", "20*t*(t<0.503)"}) {
    const std::vector<std::string> said = warnings(Speed{Expression{jump}});
    ASSERT_FALSE(said.empty()) << jump;
    EXPECT_TRUE(mentions(said[0], "shaft") && mentions(said[0], "0.503")) << said[0];
  }
  EXPECT_FALSE(warnings(Position{Expression{"t<0.503?0:1"}}).empty());
  EXPECT_FALSE(warnings(Position{Table{{0, 0.5, 1}, {0, 1, 3}}}).empty());  // the speed jumps
  EXPECT_TRUE(warnings(Speed{2.0}).empty());
  EXPECT_TRUE(warnings(Speed{Table{{0, 0.5, 1}, {0, 1, 3}}}).empty());
  EXPECT_TRUE(warnings(Position{Sine{.amplitude = 0.3, .frequency = 2}}).empty());
  EXPECT_TRUE(warnings(Position{Expression{"0.2*t^3"}}).empty());
}

TEST(GivenPose, IsMovedOntoTheJointsAndThatIsSaid) {
  Model model;
  const BodyId rod = model.add(RigidBody{.name = "rod",
                                         .inertia = solid_box(1, {1, 0.1, 0.1}),
                                         .pose = {.position = {0.52, 0.01, 0}}});
  model.add(Revolute{.name = "pin", .between = {at(model.ground()), at(rod, {-0.5, 0, 0})}});
  const TableSink table = run_model(model, Dynamics{.end_time = 0.1});
  ASSERT_TRUE(table.report().converged());
  ASSERT_EQ(table.report().warnings.size(), 1u);
  EXPECT_TRUE(mentions(table.report().warnings[0], "rod")) << table.report().warnings[0];
  EXPECT_TRUE(mentions(table.report().warnings[0], "did not fit")) << table.report().warnings[0];
  EXPECT_NEAR(table.vector("rod.position", 0).norm(), 0.5, 1e-10);
}

/// The slider-crank with a rod (0.04 m) shorter than its crank (0.05 m): it jams at asin 0.8 =
/// 0.9273 rad, t = 0.018546 s.
const Settings short_rod = {"/model/bodies/1/pose/position=[0.07, 0, 0]",
                            "/model/bodies/1/inertia/length=0.04",
                            "/model/bodies/1/velocity/angular=[0, 0, -62.5]",
                            "/model/bodies/2/pose/position=[0.09, 0, 0]",
                            "/model/joints/2/at=[0.09, 0, 0]",
                            "/model/joints/3/at=[0.09, 0, 0]"};

class ImpossibleDrive : public testing::TestWithParam<const char*> {};

TEST_P(ImpossibleDrive, EndsTheRunWithAMessageAndCompleteResults) {
  Settings settings = short_rod;
  settings.push_back(std::string("/simulation/on_failure=\"") + GetParam() + "\"");
  const ModelFile file = read_example("slider_crank", settings);
  TableSink table;
  Simulation simulation(file.model, file.simulation);
  const RunReport report = simulation.run(&table);
  EXPECT_EQ(report.status, RunStatus::Failed);
  EXPECT_TRUE(mentions(report.message, "joint \"")) << report.message;
  RecordProperty("message", report.message);
  measured("jam", std::asin(0.8) / 50);
  measured("end_time", report.end_time);
  EXPECT_NEAR(report.end_time, std::asin(0.8) / 50, 3e-4);  // some steps of 1e-4 s before it jams
  EXPECT_LE(report.end_time, std::asin(0.8) / 50);
  ASSERT_EQ(static_cast<long>(table.rows()), report.steps + 1);
  EXPECT_NEAR(table.last("time"), report.end_time, 1e-12);
  EXPECT_TRUE(simulation.state().velocity.allFinite());
  EXPECT_TRUE(simulation.state().multiplier.allFinite());
  for (std::size_t row = 0; row < table.rows(); ++row) {  // up to there it is right
    const double a = 50 * table.time(row);
    const double x = 0.05 * std::cos(a) + std::sqrt(0.0016 - std::pow(0.05 * std::sin(a), 2));
    ASSERT_NEAR(table.at("slider.position.x", row), x, 1e-9) << "t = " << table.time(row);
  }
}
INSTANTIATE_TEST_SUITE_P(Policies, ImpossibleDrive, testing::Values("stop", "halve"));

// Steps in which the top turns by 1.5 rad need more than the two iterations that Newton's method
// gets here.
TEST(FailurePolicy, HalvingRescuesStepsThatAreTooLarge) {
  const auto run = [](const char* policy) {
    const ModelFile file = read_example(
        "spinning_top", {set_step(1e-2), set_end(0.1), "/simulation/integrator/max_iterations=2",
                         std::string("/simulation/on_failure=\"") + policy + "\""});
    return run_model(file.model, file.simulation);
  };
  const TableSink stopped = run("stop"), halved = run("halve"), accepted = run("accept");
  EXPECT_EQ(stopped.report().status, RunStatus::Failed);
  EXPECT_TRUE(mentions(stopped.report().message, "top") ||
              mentions(stopped.report().message, "tip"))
      << stopped.report().message;
  ASSERT_EQ(halved.report().status, RunStatus::Completed) << halved.report().message;
  ASSERT_FALSE(halved.report().warnings.empty());
  EXPECT_TRUE(mentions(halved.report().warnings[0], "halved")) << halved.report().warnings[0];
  EXPECT_EQ(halved.report().steps, 10);
  EXPECT_NEAR(halved.last("time"), 0.1, 1e-15);
  EXPECT_EQ(accepted.report().status, RunStatus::Completed) << accepted.report().message;
  const TableSink exact = run_example("spinning_top", {set_end(0.1)});
  const double error = (halved.vector("top.position", halved.rows() - 1) -
                        exact.vector("top.position", exact.rows() - 1))
                           .norm();
  measured("error", error);
  EXPECT_LE(error, std::pow(150 * 2.5e-3, 2));  // (Ωh)² of the steps halved twice
}

}  // namespace failure_test
}  // namespace saltus::test
