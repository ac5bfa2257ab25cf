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
    return ViolationWatch(simulation.system()).look(state, step);
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

TEST_F(ViolationWatchTest, AGapIsNoViolation) { EXPECT_EQ(after_moving("ball", {0, 0, 1}), ""); }

}  // namespace violation_watch_test
}  // namespace saltus
