// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_set.hpp"

#include <cmath>

#include "tests/support/derivative.hpp"
#include "tests/support/one_step.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace contact_set_test {

using namespace test;

/// A scene and the points that may close in a step from its start.
struct Selected : Scene {
  ContactSet contacts;
  double h;

  Selected(const Model& model, double length) : Scene(model), contacts(system), h(length) {
    select();
  }
  void select() { contacts.select(state, state.configuration, state.velocity, h); }
  const ContactGeometry& point(std::size_t i = 0) const { return contacts.points()[i]; }
};

Model rough_balls(double gap, const Twist& first = {}, const Twist& second = {}) {
  return two_balls({.mass = 1, .velocity = first},
                   {.mass = 3, .radius = 0.3, .position = {0.8 + gap, 0, 0}, .velocity = second},
                   {.restitution = 0.5, .friction = 0.4});
}

// (12): half of what both bodies may move in a step, whatever their directions.
TEST(ContactSet, SelectsPointsThatMayCloseInTheStep) {
  const double h = 0.01;
  const Twist first{.linear = {3, 0, 0}}, second{.linear = {0, -4, 0}};
  const double reach = 0.5 * h * (3 + 4);
  EXPECT_EQ(Selected(rough_balls(0.99 * reach, first, second), h).contacts.points().size(), 1u);
  EXPECT_TRUE(Selected(rough_balls(1.01 * reach, first, second), h).contacts.empty());
  // At rest what is nearly closed counts: a millionth of the size.
  EXPECT_EQ(Selected(rough_balls(1e-8), h).contacts.points().size(), 1u);
  EXPECT_TRUE(Selected(rough_balls(1e-4), h).contacts.empty());
}

// A bounded face is open beside its edges and from behind.
TEST(ContactSet, SelectsPointsOfAFaceOnItsOwnSideOnly) {
  const auto selected = [](const Vector3& start, const Vector3& end) {
    Model model = point_on_floor(1, start, {0, 0, 0}, {});
    model.colliders[0].shape = Face{.size = Eigen::Vector2d(2, 1)};
    Scene scene(model);
    ContactSet contacts(scene.system);
    const Configuration q = moved(scene.system, scene.state.configuration, end - start);
    contacts.select(scene.state, q, VectorX::Zero(3), 0.01);
    return !contacts.empty();
  };
  EXPECT_TRUE(selected({0, 0, 0.01}, {0, 0, -0.01}));
  EXPECT_TRUE(selected({0.99, 0.49, 0.01}, {0.99, 0.49, -0.01}));
  EXPECT_FALSE(selected({0, 0.51, 0.01}, {0, 0.51, -0.01}));  // beside the edge
  EXPECT_FALSE(selected({1.01, 0, 0.01}, {1.01, 0, -0.01}));  // beside the other
  EXPECT_FALSE(selected({0, 0, -0.01}, {0, 0, -0.02}));       // it came from behind
}

TEST(ContactSet, LetsWhatIsOutsideOfAHollowSpherePass) {
  for (const bool inside : {true, false}) {
    Model model;
    model.gravity.setZero();
    model.add(
        Collider{.name = "shell", .frame = at(model.ground()), .shape = HollowSphereShape{1}});
    add_ball(model, "ball", 1, 0.1, {inside ? 0.905 : 1.2, 0, 0}, {.linear = {1, 0, 0}});
    model.add(Contact{.between = {"shell", "skin_of_ball"}});
    EXPECT_EQ(Selected(model, 0.01).contacts.empty(), !inside);
  }
}

TEST(ContactSet, AddsPointsThatWerePushedIntoASurface) {
  Selected box(box_on_floor(2, {1, 0.6, 0.5}, {}, {}), 0.01);
  ASSERT_EQ(box.contacts.points().size(), 4u);
  EXPECT_FALSE(box.contacts.add_violated(box.state, box.state.configuration));
  VectorX lift = VectorX::Zero(6);
  lift[2] = 0.3;
  Configuration q = moved(box.system, box.state.configuration, lift);
  box.contacts.select(box.state, q, box.state.velocity, 0.01);
  ASSERT_TRUE(box.contacts.empty());
  // Tilted about y until the two corners at one side are below the floor.
  lift << 0, 0, 0, 0, 0.2, 0;
  q = moved(box.system, box.state.configuration, lift);
  EXPECT_TRUE(box.contacts.add_violated(box.state, q));
  ASSERT_EQ(box.contacts.points().size(), 2u);
  for (const ContactGeometry& point : box.contacts.points()) {
    EXPECT_LT(box.gap(q, point.contact), 0);
  }
  EXPECT_FALSE(box.contacts.add_violated(box.state, q));  // all are known now
}

TEST(ContactSet, NamesSpheresThatWentThroughEachOther) {
  Selected balls(rough_balls(0.2), 0.01);
  const auto through = [&](const Vector3& way) {
    VectorX motion = VectorX::Zero(12);
    motion.head<3>() = way;
    return balls.contacts.passed_through(balls.state,
                                         moved(balls.system, balls.state.configuration, motion));
  };
  EXPECT_FALSE(through({2.5, 0, 0}).empty());
  EXPECT_TRUE(through({0.5, 0, 0}).empty());   // it would be seen at the end
  EXPECT_TRUE(through({2.5, 6, 0}).empty());   // it went by
  EXPECT_TRUE(through({-2.5, 0, 0}).empty());  // away
}

// u = H v − s is the rate of the gap and of the slip.
TEST(ContactSet, HasRowsThatAreTheDerivativesOfGapAndSlip) {
  Random random(2);
  Agreement agreement("rows");
  for (int i = 0; i < 10; ++i) {
    Selected balls(carried(rough_balls(1e-8), random.rotation(), random.vector()), 0.01);
    ASSERT_EQ(balls.contacts.points().size(), 1u);
    balls.contacts.linearize(balls.state.configuration);
    const VectorX v = random.vector_x(12);
    const auto gap = [&](double s) -> VectorX {
      return balls.contacts
          .gap(balls.state, moved(balls.system, balls.state.configuration, s * v), 0)
          .head<3>();
    };
    agreement.compare(balls.contacts.velocity(v, 0).head<3>(), derivative(gap));
  }
  agreement.expect_within(1e-9);  // of a five-point stencil with a step of 1e-3
}

TEST(ContactSet, SeesVelocitiesFromARunningSurface) {
  Model model = point_on_floor(1, {0, 0, 0}, {1, 0, 0}, {});
  std::get<HalfSpace>(model.colliders[0].shape).surface_velocity = {3, -2, 0};
  Selected mass(model, 0.01);
  mass.contacts.linearize(mass.state.configuration);
  const Vector6 u = mass.contacts.velocity(mass.state.velocity, 0);
  EXPECT_LE((mass.point().axes() * u.head<3>() - Vector3(-2, 2, 0)).norm(), 1e-15);
  EXPECT_LE((mass.point().velocity_n - u).norm(), 1e-15);
  // And the slip of a step: the belt has run on by h s.
  const Vector6 g = mass.contacts.gap(mass.state, mass.state.configuration, 0);
  EXPECT_LE((mass.point().axes() * g.head<3>() + 0.01 * Vector3(3, -2, 0)).norm(), 1e-15);
}

TEST(ContactSet, CountsTheCreepOfEarlierSteps) {
  Selected mass(point_on_floor(1, {0, 0, 0}, {0, 0, 0}, {.friction = 0.5}), 0.01);
  const Vector6 before = mass.contacts.gap(mass.state, mass.state.configuration, 0);
  ContactState last{.contact = 0, .status = ContactStatus::Stick};
  last.creep << 1e-3, -2e-3, 0, 0, 0;
  last.impulse = {0.2, 0.05, 0};
  mass.state.contacts = {last};
  mass.select();
  const Vector6 after = mass.contacts.gap(mass.state, mass.state.configuration, 0);
  EXPECT_LE(((after - before).tail<5>() - last.creep).norm(), 1e-18);
  EXPECT_EQ(mass.point().hold, 1);  // under load, with friction
  // (14): ν = h/2 Λ
  EXPECT_LE((mass.contacts.last_multiplier(mass.state, 0).head<3>() - 0.005 * last.impulse).norm(),
            1e-18);
}

// (21): contacts that last react along the mean of the rows at both ends; impacts do not.
TEST(ContactSet, TurnsTheReactionsOfLastingContacts) {
  const auto turned = [](const Twist& first, ContactStatus before) {
    Selected balls(rough_balls(0, first), 0.01);
    balls.state.contacts = {{.contact = 0, .status = before, .t1 = {0, 1, 0}}};
    balls.select();
    VectorX motion = VectorX::Zero(12);
    motion.segment<3>(6) = Vector3(-0.01, 0.1, 0);
    const Configuration end = moved(balls.system, balls.state.configuration, motion);
    balls.contacts.linearize(end);
    balls.contacts.set_closed(0, true);
    balls.contacts.divide(ContactSet::Connecting::Closed);
    const bool lasting = balls.contacts.turn_lasting(0, balls.state, 1);
    const ContactGeometry& p = balls.point();
    const auto mean = ((p.H_n + p.H) / 2).eval();
    EXPECT_EQ(p.turned, lasting);
    EXPECT_EQ((p.F - mean).norm() < 1e-15, lasting);
    EXPECT_GT((p.H_n - p.H).norm(), 0.1);
    balls.contacts.turn_back(0);
    EXPECT_EQ(balls.point().F, balls.point().H);
    return lasting;
  };
  const Twist across{.linear = {0, -1, 0}}, into{.linear = {1, 0, 0}};
  EXPECT_TRUE(turned(across, ContactStatus::Slip));
  EXPECT_FALSE(turned(across, ContactStatus::Open));  // it was open
  EXPECT_FALSE(turned(into, ContactStatus::Slip));    // it strikes
}

// (17): the direction of a blow is that of the touch, however far the step goes on.
TEST(ContactSet, FindsTheRowsOfTheTouch) {
  const auto normals = [](double h) {
    // Straight towards a ball at rest, half a radius off its centre.
    Selected balls(two_balls({.position = {-1, 0.25, 0}, .velocity = {.linear = {10, 0, 0}}},
                             {.position = {0, 0, 0}}, {.restitution = 0.9}),
                   h);
    const VectorX motion = h * balls.state.velocity;
    const Configuration smooth = moved(balls.system, balls.state.configuration, motion);
    balls.contacts.select(balls.state, smooth, balls.state.velocity, h);
    EXPECT_EQ(balls.contacts.points().size(), 1u);
    balls.contacts.linearize(smooth);
    balls.contacts.set_closed(0, true);
    balls.contacts.divide(ContactSet::Connecting::Closed);
    balls.contacts.find_touching_rows(0, balls.state, smooth, 10);
    EXPECT_TRUE(balls.contacts.has_touching_rows(0));
    const Vector3 end = balls.point().axes().col(0);
    balls.contacts.use_touching_rows(0, true);
    const Vector3 touch = balls.point().axes().col(0);
    balls.contacts.use_touching_rows(0, false);
    EXPECT_EQ(balls.point().axes().col(0), end);
    return std::pair(touch, end);
  };
  // From the first ball to the second, where their centres are 1 m apart.
  const Vector3 exact(std::sqrt(1 - 0.0625), -0.25, 0);
  for (const double h : {4e-3, 6e-3, 8e-3}) {  // they touch after 3.2 ms
    const auto [touch, end] = normals(h);
    EXPECT_LT((touch - exact).norm(), 0.1 * (end - exact).norm()) << h;
  }
}

TEST(ContactSet, MeasuresAReactionByItsBound) {
  Model model = rough_balls(0);
  model.contacts[0].rolling_friction = 0.02;
  model.contacts[0].spinning_friction = 0.01;
  Selected balls(model, 0.01);
  const double length = 0.3;  // the smaller radius: moments are written over it
  const auto usage = [&](const Vector6& l, int part) {
    return balls.contacts.usage(balls.point(), 0.4, l,
                                friction_parts[static_cast<std::size_t>(part)]);
  };
  Vector6 l;
  l << 10, 2.4, -3.2, 0.05 / length, 0.12 / length, 0.16 / length;
  EXPECT_NEAR(usage(l, 0), 1, 1e-14);        // 4 = 0.4 · 10
  EXPECT_NEAR(usage(l, 1), 0.5, 1e-14);      // 0.05 of 0.1 N m
  EXPECT_NEAR(usage(l, 2), 1, 1e-14);        // 0.2 of 0.2 N m
  EXPECT_TRUE(std::isinf(usage(0 * l, 0)));  // no normal reaction
  EXPECT_TRUE(std::isinf(balls.contacts.usage(balls.point(), 0, l, friction_parts[0])));
  model.contacts[0].sliding_and_spinning = SlidingAndSpinning::Coupled;
  Selected coupled(model, 0.01);
  const double both = coupled.contacts.usage(coupled.point(), 0.4, l, friction_parts[0]);
  EXPECT_NEAR(both, std::hypot(1, 0.5), 1e-14);  // (7c): one bound for both
}

// The problem that is posed: H K⁻¹ Fᵀ of two free balls is 1/m₁ + 1/m₂ along the normal.
TEST(ContactSet, PosesTheProblemOfItsPoints) {
  Selected balls(rough_balls(0), 0.01);
  balls.contacts.linearize(balls.state.configuration);
  const VectorX zero = VectorX::Zero(12), none;
  ASSERT_TRUE(balls.kkt.linearize(balls.state.configuration, zero, zero, {}, none, {.mass = 1}));
  const auto all = [](std::size_t) { return true; };
  const auto friction = [](std::size_t) { return 0.25; };
  balls.contacts.divide(ContactSet::Connecting::All);
  ASSERT_EQ(balls.contacts.pose(balls.kkt, 0, all, friction).size(), 1u);
  VectorX l = VectorX::Zero(3);
  Vector6 b, start;
  b << -1, 2, 3, 0, 0, 0;
  start << 5, 6, 7, 0, 0, 0;
  balls.contacts.put(0, b, true, start, l);
  const nonsmooth::ContactProblem& problem = balls.contacts.problem();
  ASSERT_TRUE(problem.local);
  const nonsmooth::ContactRows& rows = problem.contacts[0];
  EXPECT_EQ(rows.b, b);
  EXPECT_EQ(rows.mu, 0.25);
  EXPECT_EQ(l, start.head<3>());
  EXPECT_EQ(balls.contacts.reaction(0, l).head<3>(), start.head<3>());
  const Matrix3 W = (rows.H * rows.Y).topLeftCorner<3, 3>();
  const double inverse = 1 + 1.0 / 3;
  EXPECT_LE((W - Matrix3(Vector3(inverse, 3.5 * inverse, 3.5 * inverse).asDiagonal())).norm(),
            1e-13);
  balls.contacts.put(0, b, false, start, l);
  EXPECT_EQ(balls.contacts.problem().contacts[0].mu, 0);
  EXPECT_TRUE(balls.contacts
                  .pose(
                      balls.kkt, 0, [](std::size_t) { return false; }, friction)
                  .empty());
}

TEST(IsApproach, ComparesWithTheSpeedsAtHand) {
  EXPECT_TRUE(is_approach(-1, 1));
  EXPECT_FALSE(is_approach(1, 1));
  EXPECT_FALSE(is_approach(0, 0));
  EXPECT_FALSE(is_approach(-1e-7, 1));  // round-off of rest
  EXPECT_TRUE(is_approach(-1e-7, 1e-3));
}

}  // namespace contact_set_test
}  // namespace saltus
