// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/gap_search.hpp"

#include <cmath>

#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace gap_search_test {

using namespace test;

/// One long step of a scene without closed contacts, and what the search says of it.
struct Searched : Scene {
  ConstrainedMotion motion;
  RungeKuttaMotion flow;
  GapSearch search;

  Searched(const Model& model, double h)
      : Scene(model), motion(system), flow(system, motion), search(system, flow) {
    EXPECT_TRUE(flow.step(state.configuration, state.velocity, 0, h));
  }
  std::optional<GapSearch::Crossing> first() {
    return search.first(state.configuration, [](ContactIndex) { return true; });
  }
  /// The least gap of all points at a fraction of the step.
  double gap_at(double theta) const {
    Configuration q = state.configuration;
    VectorX v = state.velocity;
    flow.state_at(theta, q, v);
    double least = HUGE_VAL;
    for (const ContactEntry& entry : system.elements().contacts.listed) {
      const ContactElement& e = entry.element;
      least = std::min(least, e.gap(system.pair(q, e.node_A, e.node_B)));
    }
    return least;
  }
  /// The first fraction at which a gap is negative, by many looks; 2 if there is none.
  double first_by_looks(int looks) const {
    for (int i = 0; i <= looks; ++i) {
      if (gap_at(static_cast<double>(i) / looks) < 0) return static_cast<double>(i) / looks;
    }
    return 2;
  }
};

Model bullet(const Vector3& from, double speed, double radius) {
  return two_balls(
      {.mass = 1, .radius = radius},
      {.mass = 1, .radius = radius, .position = from, .velocity = {.linear = {-speed, 0, 0}}}, {});
}

// A bullet that is far away at every look but between two of them.
TEST(GapSearch, SeesABulletPassThroughAtAnySpeed) {
  const double r = 0.005;
  for (const double speed : {1.0, 1e2, 1e4, 1e6}) {
    Searched scene(bullet({1, 0.7 * r, 0}, speed, r), 2 / speed);
    const auto crossing = scene.first();
    ASSERT_TRUE(crossing) << speed;
    const double touch = (1 - std::sqrt(4 * r * r - 0.49 * r * r)) / 2;  // of the step
    EXPECT_NEAR(crossing->closed, touch, 1e-12);
    EXPECT_LE(crossing->open, crossing->closed);
  }
}

TEST(GapSearch, SeesNoneWhereTheBulletMissesByAHair) {
  const double r = 0.005;
  Searched miss(bullet({1, 2 * r * (1 + 1e-9), 0}, 100, r), 0.02);
  EXPECT_FALSE(miss.first());
  EXPECT_LE(miss.search.take_overlooked(), 1e-11);
  Searched hit(bullet({1, 2 * r * (1 - 1e-7), 0}, 100, r), 0.02);
  EXPECT_TRUE(hit.first());
}

// Boxes that tumble over a floor: the first corner at the first moment, beside very many looks.
TEST(GapSearch, OfTumblingBoxesIsNotLaterThanManyLooks) {
  Random random(3);
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    const Vector3 spin = random.vector(60);
    const Vector3 velocity(1, 0, random.uniform(-4, 1));
    Model model = box_on_floor(1, {0.4, 0.1, 0.05}, {.linear = velocity, .angular = spin}, {});
    std::get<RigidBody>(model.bodies[0]).pose.position.z() = random.uniform(0.209, 0.23);
    Searched scene(model, 0.02);
    const double truth = scene.first_by_looks(20000);
    const auto crossing = scene.first();
    ASSERT_EQ(crossing.has_value(), truth <= 1) << i;
    if (!crossing) continue;
    ++found;
    EXPECT_NEAR(crossing->closed, truth, 1.0 / 20000) << i;
    EXPECT_NEAR(scene.gap_at(crossing->closed), 0, 1e-9) << i;
  }
  EXPECT_GT(found, 5);
}

/// Two frames about crossed axes, the first on the ground: what turns has stops.
Model gimbal(double outer, double inner, const Limits& of_outer, const Limits& of_inner) {
  Model model;
  const auto body = [&](const char* name, const Vector3& spin) {
    return model.add(RigidBody{.name = name,
                               .inertia = ExplicitInertia{.mass = 1, .moments = {0.1, 0.2, 0.25}},
                               .velocity = {.angular = spin}});
  };
  const BodyId frame = body("frame", outer * Vector3::UnitZ());
  const BodyId wheel = body("wheel", outer * Vector3::UnitZ() + inner * Vector3::UnitX());
  model.add(Revolute{.name = "outer",
                     .bodies = {model.ground(), frame},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 0, 1),
                     .limits = of_outer});
  model.add(Revolute{.name = "inner",
                     .bodies = {frame, wheel},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(1, 0, 0),
                     .limits = of_inner});
  return model;
}

TEST(GapSearch, OfStopsOfAnglesIsNotLaterThanManyLooks) {
  Random random(5);
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    const auto limits = [&] {
      return Limits{.lower = -random.uniform(0.1, 1.5), .upper = random.uniform(0.1, 1.5)};
    };
    Searched scene(gimbal(random.uniform(-9, 9), random.uniform(-9, 9), limits(), limits()), 0.1);
    ASSERT_FALSE(scene.search.turns_too_far());
    const double truth = scene.first_by_looks(20000);
    const auto crossing = scene.first();
    ASSERT_EQ(crossing.has_value(), truth <= 1) << i;
    if (!crossing) continue;
    ++found;
    EXPECT_NEAR(crossing->closed, truth, 1.0 / 20000) << i;
    EXPECT_NEAR(scene.gap_at(crossing->closed), 0, 1e-9) << i;
  }
  EXPECT_GT(found, 10);
}

// A slide in whose oscillation less than a hair is beyond its stop, between any two looks.
TEST(GapSearch, SeesAStopThatIsReachedByAHair) {
  for (const double beyond : {1e-3, 1e-6, 1e-9, -1e-6}) {
    Model model;
    const BodyId block =
        model.add(RigidBody{.name = "block",
                            .inertia = ExplicitInertia{.mass = 1, .moments = {1, 1, 1}},
                            .velocity = {.linear = {0, 0, 1}}});
    const double top = 1 / (2 * 9.81);
    model.add(Prismatic{.name = "guide",
                        .bodies = {model.ground(), block},
                        .at = Vector3(0, 0, 0),
                        .axis = Vector3(0, 0, 1),
                        .limits = Limits{.upper = top * (1 - beyond)}});
    Searched scene(model, 0.19);
    EXPECT_EQ(scene.first().has_value(), beyond > 0) << beyond;
    EXPECT_LE(scene.search.take_overlooked(), 1e-11);
  }
}

TEST(GapSearch, TellsWhereAnAngleIsNotKnown) {
  EXPECT_FALSE(Searched(gimbal(2, 0, {.upper = 9}, {.upper = 9}), 0.5).search.turns_too_far());
  EXPECT_TRUE(Searched(gimbal(30, 0, {.upper = 9}, {.upper = 9}), 0.5).search.turns_too_far());
}

}  // namespace gap_search_test
}  // namespace saltus
