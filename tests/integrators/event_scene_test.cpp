// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/event_scene.hpp"

#include <cmath>

#include "tests/support/scene.hpp"
#include "tests/support/stepped.hpp"

namespace saltus {
namespace event_scene_test {

using namespace test;

/// Adds balls of radius 0.1 over a floor; all may touch each other and the floor.
void add_balls(Model& model, const std::vector<std::pair<Vector3, Vector3>>& starts,
               double restitution = 0.7, double friction = 0.3) {
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    add_ball(model, "ball_" + std::to_string(i), 1.3, 0.1, starts[i].first,
             {.linear = starts[i].second});
  }
  Contact contact{.restitution = restitution, .friction = friction};
  contact.between = {"*", "*"};
  model.add(contact);
}

Model balls(const std::vector<std::pair<Vector3, Vector3>>& starts, double restitution = 0.7,
            double friction = 0.3) {
  Model model;
  add_balls(model, starts, restitution, friction);
  return model;
}

struct Followed : Stepped {
  std::vector<ContactEvent> events;

  Followed(const Model& model, double interval, int intervals)
      : Stepped(model, EventDriven{.step = interval}) {
    for (int i = 0; i < intervals && steps(); ++i) {
      events.insert(events.end(), report.events.begin(), report.events.end());
      parts.push_back(dynamic_cast<EventDrivenScene&>(*stepper).parts());
    }
    EXPECT_TRUE(report.converged) << report.message;
  }
  std::vector<int> parts = {};

  Vector3 place(int node) const {
    return state.configuration.nodes[static_cast<std::size_t>(node)].x;
  }
};

const Vector3 still{0, 0, 0};

TEST(EventScene, WhatIsElsewhereChangesNoBit) {
  const auto slow = std::pair(Vector3(0.1, 0, 0.41), Vector3(0.3, 0.1, 0));
  const auto fast = std::pair(Vector3(3, 0, 0.2), Vector3(-1, 0, -40));
  const Followed alone(balls({slow}), 0.01, 150), with(balls({slow, fast}), 0.01, 150),
      behind(balls({fast, slow}), 0.01, 150);
  EXPECT_EQ(alone.place(1), with.place(1));
  EXPECT_EQ(alone.velocity(1), with.velocity(1));
  EXPECT_EQ(alone.spin(1), with.spin(1));
  EXPECT_EQ(alone.place(1), behind.place(2));
  EXPECT_EQ(alone.velocity(1), behind.velocity(2));
}

// The lower ball bounces off the floor and then meets the upper one, all in one long interval: at
// its beginning nothing tells that they will.
TEST(EventScene, PartsThatMeetGoThroughTheIntervalAsOne) {
  const Model model = balls({{{0, 0, 0.3}, {0, 0, -6}}, {{0, 0, 2.5}, {0, 0, 0.1}}}, 1);
  const Followed scene(model, 0.5, 1);
  ASSERT_EQ(scene.parts.back(), 1);
  const System system(model);
  EventDrivenStepper whole(system, EventDriven{.step = 0.5});
  State state = initial_state(system);
  whole.start(state, 0.5);
  const StepReport report = whole.step(state, 0.5, 0.5);
  ASSERT_TRUE(report.converged) << report.message;
  ASSERT_EQ(scene.events.size(), report.events.size());
  for (std::size_t i = 0; i < report.events.size(); ++i) {
    EXPECT_EQ(scene.events[i].contact, report.events[i].contact);
    EXPECT_NEAR(scene.events[i].time, report.events[i].time, 1e-13);
  }
  EXPECT_NEAR((scene.state.velocity - state.velocity).norm(), 0, 1e-12);
}

// Of two balls that slide without friction one strikes the other and they part: closed points and
// what was told of them go along.
TEST(EventScene, PartsThatComeTogetherAndPartKeepTheirContacts) {
  const Followed scene(balls({{{0, 0, 0.1}, {1, 0, 0}}, {{0.35, 0, 0.1}, still}}, 0.7, 0), 0.02,
                       60);
  EXPECT_EQ(scene.parts.front(), 2);
  EXPECT_TRUE(std::ranges::count(scene.parts, 1) > 0);
  EXPECT_EQ(scene.parts.back(), 2);
  int closes = 0, impacts = 0;
  for (const ContactEvent& event : scene.events) {
    closes += event.kind == ContactEventKind::Closes;
    impacts += event.kind == ContactEventKind::Impact;
  }
  EXPECT_EQ(impacts, 1);
  EXPECT_EQ(closes, 2);  // both with the floor, at the start, and never again
  EXPECT_NEAR(scene.state.energy.residual(), 0, 1e-9);
}

TEST(EventScene, JointsAreFollowedAsIfAlone) {
  Model model = skew_pendulum({0, 2, 1});
  const Followed alone(model, 0.01, 50);
  add_balls(model, {{{5, 0, 0.3}, still}});
  const Followed with(model, 0.01, 50);
  ASSERT_EQ(with.parts.back(), 2);
  EXPECT_EQ(alone.place(1), with.place(1));
  EXPECT_EQ(alone.place(2), with.place(2));
  EXPECT_EQ(alone.state.reaction, with.state.reaction);
}

}  // namespace event_scene_test
}  // namespace saltus
