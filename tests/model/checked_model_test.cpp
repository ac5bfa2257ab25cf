// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/checked_model.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/core/input_error.hpp"
#include "saltus/model/validate.hpp"

namespace saltus::checked_model_test {
namespace {

Model one_ball() {
  Model model;
  model.add(RigidBody{.name = "ball", .inertia = solid_sphere(1, 0.1)});
  return model;
}

Model with_bearing() {
  Model model;
  const BodyId shaft = model.add(RigidBody{.name = "shaft", .inertia = solid_sphere(1, 0.01)});
  model.add(BallBearing{.name = "bearing",
                        .inner = at(shaft),
                        .outer = at(ground_body),
                        .balls = 8,
                        .ball_radius = 0.00396875,
                        .inner_radius = 0.01277125,
                        .outer_radius = 0.02071875});
  return model;
}

/// What the issues say, or what none of them would: nothing thrown.
template <class Make>
std::vector<std::string> refusal(const Make& make) {
  std::vector<std::string> messages;
  try {
    make();
  } catch (const InputError& error) {
    for (const Issue& issue : error.issues()) messages.push_back(issue.message());
  }
  return messages;
}

std::vector<std::string> messages(const std::vector<Issue>& issues) {
  std::vector<std::string> result;
  for (const Issue& issue : issues) result.push_back(issue.message());
  return result;
}

TEST(CheckedModel, CannotBeMadeOfAModelThatBreaksRules) {
  Model model = one_ball();
  model.gravity[0] = std::numeric_limits<double>::quiet_NaN();
  std::get<RigidBody>(model.bodies[0]).inertia = solid_sphere(-1, 0.1);
  const std::vector<std::string> broken = messages(validate(model));
  EXPECT_GE(broken.size(), 2U);
  EXPECT_EQ(refusal([&] { CheckedModel checked(model); }), broken);
}

TEST(CheckedModel, WithoutBearingsSimulatesTheGivenModel) {
  const CheckedModel checked = one_ball();
  EXPECT_EQ(&checked.simulated(), &checked.given());
  EXPECT_EQ(body_name(checked.given(), {0}), "ball");
}

TEST(CheckedModel, ExpandsBearingsBehindWhatIsGiven) {
  const CheckedModel checked = with_bearing();
  EXPECT_EQ(checked.given().bodies.size(), 1U);
  EXPECT_EQ(checked.given().ball_bearings.size(), 1U);
  EXPECT_EQ(checked.simulated().ball_bearings.size(), 0U);
  EXPECT_EQ(body_name(checked.simulated(), {0}), "shaft");
  EXPECT_EQ(body_name(checked.simulated(), {1}), "bearing.ball0");
}

TEST(CheckedModel, CopiesShareWhatWasChecked) {
  CheckedModel first = with_bearing();
  const CheckedModel copy = first, moved = std::move(first);
  EXPECT_EQ(&copy.given(), &moved.given());
  EXPECT_EQ(&copy.simulated(), &moved.simulated());
  EXPECT_EQ(&first.given(), &copy.given());  // NOLINT: still whole
}

TEST(CheckedRun, TellsBrokenRulesOfModelOptionsAndBoth) {
  Model model = with_bearing();
  model.gravity[0] = std::numeric_limits<double>::quiet_NaN();
  const Dynamics options{.integrator = GeneralizedAlpha{.step = -1}};
  const std::vector<std::string> broken = messages(validate(model, options));
  EXPECT_GE(broken.size(), 3U);
  EXPECT_EQ(refusal([&] { CheckedRun(model, options); }), broken);
}

TEST(CheckedRun, NeedsLawsWhereARunIsMeant) {
  Model model = one_ball();
  model.add(UserForce{.name = "wind", .between = {at(model.ground()), at(BodyId{0})}});
  const std::vector<std::string> missing = {
      "/model/forces/0: a force of type \"user\" needs a law; a program (C++ or Python) gives it; "
      "a "
      "model file cannot"};
  const CheckedRun run(model, Dynamics{});
  EXPECT_EQ(refusal([&] { run.require_laws(); }), missing);
  const auto for_a_run = [&] { CheckedRun(model, Dynamics{}, CheckedRun::Laws::Required); };
  EXPECT_EQ(refusal(for_a_run), missing);

  std::get<UserForce>(model.forces[0]).law = [](double, const FrameMotion&, const FrameMotion&) {
    return Wrench{};
  };
  EXPECT_EQ(refusal(for_a_run), std::vector<std::string>());
}

}  // namespace
}  // namespace saltus::checked_model_test
