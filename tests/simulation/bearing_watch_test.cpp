// SPDX-License-Identifier: Apache-2.0
// What is told of a bearing, from states that are made by hand.
#include "saltus/simulation/bearing_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "saltus/dynamics/initial_state.hpp"
#include "saltus/hertz/rating_life.hpp"

namespace saltus {
namespace bearing_watch_test {

constexpr double pi = std::numbers::pi;
constexpr double h = 1e-3, omega = 20;

Model bearing_model(double settle_time = 0) {
  Model model;
  const BodyId shaft =
      model.add(RigidBody{.name = "shaft",
                          .inertia = solid_cylinder(1, 0.01, 0.1, Vector3(0, 0, 1)),
                          .velocity = {.angular = Vector3(0, 0, omega)}});
  model.add(BallBearing{.name = "b",
                        .inner = at(shaft),
                        .outer = at(ground_body),
                        .balls = 8,
                        .ball_radius = 0.004,
                        .inner_radius = 0.0127,
                        .outer_radius = 0.02071,
                        .inner_groove_radius = 0.0041,
                        .outer_groove_radius = 0.0041,
                        .friction = 0.01,
                        .young_modulus = 2e11,
                        .settle_time = settle_time});
  return model;
}

/// A bearing whose balls stand still while loads come and go.
class WatchedBearing {
 public:
  explicit WatchedBearing(double settle_time = 0)
      : model_(bearing_model(settle_time)), system_(model_, 1), watch_(model_, system_) {
    KktSolver kkt(system_);
    state_ = initial_state(system_, kkt, {});
    watch_.start(state_);
  }

  /// A step in which the lowest ball presses with these forces on the two races.
  /// @param lost  by friction on the outer race, J
  void step(double on_inner, double on_outer, double lost = 0) {
    state_.time += h;
    state_.contacts.clear();
    put(0, on_inner, Vector3(1, 0, 0));
    put(8, on_outer, Vector3(-1, 0, 0));
    state_.contact_losses[1].friction += lost;
    watch_.step(state_, {}, output_);
  }
  BearingTotal finish() { return watch_.totals().at(0); }
  const Model& model() const { return model_; }

 private:
  void put(ContactIndex contact, double force, const Vector3& on_ball) {
    state_.contacts.push_back({.contact = contact,
                               .status = ContactStatus::Slip,
                               .impulse = Vector3(force * h, 0, 0),
                               .force = force * h * on_ball});
  }

  Model model_;
  System system_;
  BearingWatch watch_;
  RunOutput output_{system_, EventDetail::None, {}};
  State state_;
};

TEST(BearingWatch, MeansAreImpulsesOverTimeAndPeaksAreOfLastingContact) {
  WatchedBearing bearing;
  for (int i = 0; i < 10; ++i) bearing.step(i == 4 ? 1000 : 100, 120);  // an impact in step 4
  const BearingTotal total = bearing.finish();
  ASSERT_EQ(total.inner.size(), 8U);
  EXPECT_NEAR(total.inner[0].mean, 190, 1e-9);
  EXPECT_NEAR(total.inner[0].peak, 100, 1e-9);
  EXPECT_NEAR(total.outer[0].mean, 120, 1e-9);
  EXPECT_EQ(total.inner[3].mean, 0);
  EXPECT_NEAR(total.radial_force, 190, 1e-9);
  EXPECT_NEAR(total.axial_force, 0, 1e-12);
}

TEST(BearingWatch, SpeedsAreThoseOfTheRaces) {
  WatchedBearing bearing;
  for (int i = 0; i < 10; ++i) bearing.step(1, 1);
  const BearingTotal total = bearing.finish();
  EXPECT_NEAR(total.inner_speed, omega, 1e-9);
  EXPECT_NEAR(total.cage_speed, 0, 1e-12);  // the balls of this test do not move
  EXPECT_NEAR(total.cage_slip, 1, 1e-12);
}

TEST(BearingWatch, WhatComesBeforeTheSettleTimeDoesNotCount) {
  WatchedBearing bearing(5 * h);
  for (int i = 0; i < 20; ++i) bearing.step(i < 5 ? 5000 : 100, i < 5 ? 5000 : 120);
  const BearingTotal total = bearing.finish();
  EXPECT_NEAR(total.from, 5 * h, 1e-12);
  EXPECT_NEAR(total.inner[0].mean, 100, 1e-9);
  EXPECT_NEAR(total.inner[0].peak, 100, 1e-9);
  EXPECT_NEAR(total.outer[0].peak, 120, 1e-9);
  EXPECT_NEAR(total.radial_force, 100, 1e-9);
  EXPECT_NEAR(total.inner_speed, omega, 1e-9);
  ASSERT_TRUE(total.life);
  EXPECT_NEAR(total.life->equivalent_load, 100, 1e-9);
}

TEST(BearingWatch, ARunThatEndsBeforeTheSettleTimeTellsNoLoads) {
  WatchedBearing bearing(0.5);
  for (int i = 0; i < 5; ++i) bearing.step(100, 100, 0.1);
  const BearingTotal total = bearing.finish();
  EXPECT_TRUE(total.inner.empty());
  EXPECT_FALSE(total.life);
  EXPECT_FALSE(total.inner_stress);
  EXPECT_NEAR(std::accumulate(total.friction_work.begin(), total.friction_work.end(), 0.0), 0.5,
              1e-12);
}

TEST(BearingWatch, LifeIsThatOfTheConstantLoad) {
  WatchedBearing bearing;
  for (int i = 0; i < 50; ++i) bearing.step(300, 300);
  const BearingTotal total = bearing.finish();
  ASSERT_TRUE(total.life);
  EXPECT_NEAR(total.life->equivalent_load, 300, 1e-9);
  const double C = hertz::basic_dynamic_rating(
      {.balls = 8, .ball_diameter = 0.008, .pitch_diameter = 0.0127 + 0.02071});
  EXPECT_NEAR(total.life->dynamic_rating, C, 1e-9 * C);
  EXPECT_NEAR(total.life->million_revolutions, std::pow(C / 300, 3), 1e-9 * std::pow(C / 300, 3));
}

TEST(BearingWatch, FrictionWorkIsWhereTheBallIs) {
  WatchedBearing bearing;
  for (int i = 0; i < 4; ++i) bearing.step(100, 100, 0.25);
  const std::vector<double> work = bearing.finish().friction_work;
  ASSERT_EQ(work.size(), 36U);
  // Ball 0 is at the angle 0, on the border of two sectors.
  EXPECT_NEAR(work.front() + work.back(), 1, 1e-12);
}

TEST(BearingWatch, StressesHaveTheIndentationOfTheirForce) {
  WatchedBearing bearing;
  for (int i = 0; i < 5; ++i) bearing.step(200, 200);
  const BearingTotal total = bearing.finish();
  const double compliance = hertz::contact_compliance({2e11, 0.3}, {2e11, 0.3});
  const double K_i =
      hertz::contact_stiffness(hertz::ball_on_inner_race(0.004, 0.0041, 0.0127), compliance);
  const double K_o =
      hertz::contact_stiffness(hertz::ball_in_outer_race(0.004, 0.0041, 0.02071), compliance);
  ASSERT_TRUE(total.inner_stress && total.outer_stress);
  EXPECT_NEAR(total.inner_stress->indentation, std::pow(200 / K_i, 2.0 / 3), 1e-15);
  EXPECT_NEAR(total.outer_stress->indentation, std::pow(200 / K_o, 2.0 / 3), 1e-15);
}

// Textbooks write the curvature of a race with γ = ball diameter × cos α / pitch diameter.
TEST(RaceStress, HasTheCurvatureAtTheContactAngle) {
  const BallBearing b = bearing_model().ball_bearings[0];
  const double r = b.ball_radius, compliance = hertz::contact_compliance({2e11, 0.3}, {2e11, 0.3});
  for (const double degrees : {0.0, 20.0, 30.0, 40.0}) {
    const double c = std::cos(degrees * pi / 180);
    for (const bool is_inner : {true, false}) {
      const double groove = 0.0041,
                   ring = is_inner ? b.inner_radius + groove : b.outer_radius - groove;
      const double sign = is_inner ? 1 : -1;  // towards which side of the ring the ball is pushed
      const double pitch = ring - sign * (groove - r) * c;
      const double gamma = r * c / pitch;
      const double along = sign / r * gamma / (1 - sign * gamma);
      const hertz::PointContact textbook(hertz::contact_geometry({r, r}, {1 / along, -groove}),
                                         compliance, 0.3);
      const auto stress = race_stress(b, is_inner, 500, is_inner ? -c : c);
      ASSERT_TRUE(stress);
      const double p = textbook.stress(500).peak_pressure;
      EXPECT_NEAR(stress->peak_pressure, p, 1e-9 * p) << degrees << " degrees";
    }
  }
}

}  // namespace bearing_watch_test
}  // namespace saltus
