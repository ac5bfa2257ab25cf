// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/violation_watch.hpp"

#include <gtest/gtest.h>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace violation_watch_test {

/// A pendulum of 0.3 m and a ball of 0.1 m on the floor; far away a part of 1e7 m.
constexpr const char* scene = R"({"saltus": 1, "model": {
  "bodies": [
    {"name": "bob", "type": "rigid", "pose": {"position": [0.3, 0, 5]},
     "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.05}},
    {"name": "ball", "type": "rigid", "pose": {"position": [2, 0, 0.05]},
     "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.05}},
    {"name": "moon", "type": "rigid", "pose": {"position": [0, 1e9, 1e9]},
     "inertia": {"type": "solid_sphere", "mass": 1e9, "radius": 5e6}}],
  "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0, 5],
              "axis": [0, 1, 0]}],
  "colliders": [{"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "sphere", "radius": 0.05}},
                {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}],
  "contacts": [{"name": "rests", "between": ["floor", "skin"]}]},
  "simulation": {"end_time": 0.1}})";

class ViolationWatchTest : public testing::Test {
 protected:
  std::string after_moving(const char* body, const Vector3& shift) {
    State state = simulation.state();
    for (const BodyEntry& entry : simulation.system().elements().bodies) {
      if (entry.name != body) continue;
      state.configuration.nodes[static_cast<std::size_t>(entry.node)].x += shift;
    }
    const StepReport step{.position_violation = shift.norm(), .penetration = shift.norm()};
    return ViolationWatch(simulation.system()).look(state, step).text;
  }

  ModelFile file = parse_model(scene, "scene.json");
  Simulation simulation{file.model, file.simulation};
};

TEST_F(ViolationWatchTest, NamesTheJoint) {
  const std::string told = after_moving("bob", {1e-3, 0, 0});
  EXPECT_NE(told.find("joint \"pin\" is violated by 0.001 m"), std::string::npos) << told;
}

TEST_F(ViolationWatchTest, NamesTheContact) {
  const std::string told = after_moving("ball", {0, 0, -1e-3});
  EXPECT_NE(told.find("contact \"rests\" is violated: 0.001 m deep"), std::string::npos) << told;
}

// 1e-6 of 0.3 m and of about 0.1 m, whatever the moon is.
TEST_F(ViolationWatchTest, MeasuresByThePartsAtHand) {
  EXPECT_NE(after_moving("bob", {4e-7, 0, 0}), "");
  EXPECT_EQ(after_moving("bob", {2e-7, 0, 0}), "");
  EXPECT_NE(after_moving("ball", {0, 0, -2e-7}), "");
  EXPECT_EQ(after_moving("ball", {0, 0, -5e-8}), "");
  EXPECT_EQ(after_moving("moon", {1, 1, 1}), "");
}

// Of a method that drifts: the way of velocities into a contact, in steps that contradict.
TEST_F(ViolationWatchTest, DriftIsNoViolationButPushingThroughIs) {
  ViolationWatch watch(simulation.system(), true);
  State state = simulation.state();
  const auto node = [&](const char* body) {
    for (const BodyEntry& entry : simulation.system().elements().bodies) {
      if (entry.name == body) return static_cast<std::size_t>(entry.node);
    }
    return std::size_t{0};
  };
  state.configuration.nodes[node("ball")].x.z() -= 1e-3;
  state.configuration.nodes[node("bob")].x.x() += 1e-3;
  PushedThrough pushed;
  StepReport step{.position_violation = 1e-3, .penetration = 1e-3};
  EXPECT_FALSE(watch.look(state, step, 1e-3, pushed));
  step.contradiction = 0.5;
  EXPECT_FALSE(watch.look(state, step, 1e-3, pushed));  // no velocity goes there
  state.velocity[simulation.system().nodes()[node("ball")].first_unknown + 2] = -2e-2;
  const ViolationWatch::Violation broken = watch.look(state, step, 1e-3, pushed);
  EXPECT_NE(broken.text.find("contact \"rests\" is violated: 2e-05 m deep besides the drift"),
            std::string::npos)
      << broken.text;
  EXPECT_NEAR(pushed.contacts.begin()->second, 2e-5, 1e-12);
  step.converged = false;
  state.velocity[simulation.system().nodes()[node("bob")].first_unknown] = 1;
  EXPECT_NE(watch.look(state, step, 1e-3, pushed).text.find("joint \"pin\" is violated by 0.001 m"),
            std::string::npos);
}

TEST_F(ViolationWatchTest, AGapIsNoViolation) { EXPECT_EQ(after_moving("ball", {0, 0, 1}), ""); }

}  // namespace violation_watch_test
}  // namespace saltus
