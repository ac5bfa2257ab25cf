// SPDX-License-Identifier: Apache-2.0
// A ball on a compliant contact, by a trapezoidal rule of its own: what the element and its memory
// do from step to step, without the integrators.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

#include "saltus/elements/compliant_contact.hpp"
#include "saltus/hertz/local_impact.hpp"
#include "tests/elements/sphere_contacts.hpp"

namespace saltus {
namespace compliant_motion_test {

using test::feature;
using test::Kind;

constexpr double mass = 1, radius = 0.05;

/// A solid sphere over the plane z = 0, fixed to the ground.
struct Ball {
  CompliantContact e;
  NodePose ground, pose;
  Vector6 v = Vector6::Zero();
  Vector6 force = Vector6::Zero();  // at the beginning of the step
  Vector3 gravity = Vector3::Zero();
  ContactMemory memory;
  ContactBooks books;
  double time = 0, damped = 0, deepest = 0, strongest = 0;
  int most_iterations = 0;

  Ball(const hertz::CompliantLaw& law, double height, const Vector3& speed) {
    e.contact = touch(feature(Kind::Plane, 0, {}), feature(Kind::Sphere, radius, {})).element;
    e.law = law;
    pose.x.z() = radius + height;
    v.head<3>() = speed;
  }
  static Vector6 inertia() {
    Vector6 m;
    m << Vector3::Constant(mass), Vector3::Constant(0.4 * mass * radius * radius);
    return m;
  }
  Vector12 both() const {
    Vector12 out = Vector12::Zero();
    out.tail<6>() = v;
    return out;
  }
  CompliantContact::Forces contact_forces(double t) const {
    return e.forces({ground, pose}, both(), t, memory);
  }
  Vector6 total(double t) const {
    const auto f = contact_forces(t);
    Vector6 sum = (f.elastic + f.damping).tail<6>();
    sum.head<3>() += mass * gravity;
    return sum;
  }
  void start() {
    memory = e.start({ground, pose}, both(), time);
    force = total(time);
  }
  double energy() const {
    return v.dot(inertia().cwiseProduct(v)) / 2 - mass * gravity.dot(pose.x) + e.energy(memory);
  }
  /// v₁ − v₀ = h (f₀ + f₁)/(2 m), q₁ = q₀ ∘ h (v₀ + v₁)/2, by Newton's method.
  void step(double h) {
    const NodePose q_0 = pose;
    const Vector6 v_0 = v, m = inertia();
    const Vector6 damping_0 = contact_forces(time).damping.tail<6>();
    const double t = time + h;
    Vector6 mean = v_0;
    for (int i = 1; i <= 30; ++i) {
      mean = (v_0 + v) / 2;
      pose = q_0.moved(h * mean.head<3>(), h * mean.tail<3>());
      const Vector6 r = m.cwiseProduct(v - v_0) - h / 2 * (force + total(t));
      most_iterations = std::max(most_iterations, i);
      if (r.norm() <= 1e-12 * (h * force.norm() + m.cwiseProduct(v_0).norm())) break;
      const auto T = e.tangents({ground, pose}, both(), t, memory);
      Matrix6 S = h / 2 * (T.C.bottomRightCorner<6, 6>() + h / 2 * T.K.bottomRightCorner<6, 6>());
      S.diagonal() += m;
      v -= S.partialPivLu().solve(r);
    }
    const auto at_end = contact_forces(t);
    damped -= h / 2 * (damping_0 + at_end.damping.tail<6>()).dot(mean);
    const Vector6 f = total(t);
    memory = e.end({ground, pose}, both(), t, memory, books);
    force = f;
    time = t;
    deepest = std::max(deepest, memory.indentation());
    strongest = std::max(strongest, memory.normal_force);
  }
};

constexpr double stiffness = 1e9;

TEST(CompliantMotion, HertzsImpact) {
  const double speed = 1;
  const hertz::CompliantLaw law{.stiffness = stiffness};
  const double T = law.duration(mass, speed);
  const double depth = std::pow(5 * mass * speed * speed / (4 * stiffness), 0.4);
  EXPECT_NEAR(T, 2.9432 * depth / speed, 1e-4 * T);
  Ball ball(law, speed * T / 10, {0, 0, -speed});
  ball.start();
  const double before = ball.energy();
  double closed = 0;
  while (ball.v.z() < 0 || ball.memory.is_closed) {
    ball.step(T / 50);
    if (ball.memory.is_closed) closed += T / 50;
  }
  EXPECT_NEAR(ball.v.z(), speed, 1e-4 * speed);
  EXPECT_NEAR(ball.deepest, depth, 2e-3 * depth);
  EXPECT_NEAR(ball.strongest, stiffness * std::pow(depth, 1.5), 3e-3 * ball.strongest);
  EXPECT_NEAR(closed, T, 0.05 * T);
  EXPECT_NEAR(ball.energy(), before, 2e-4 * before);
}

TEST(CompliantMotion, DampingLawsGiveWhatTheirEquationsGive) {
  const double speed = 1;
  for (const double ratio : {0.15, 1.6, 6.4}) {
    const hertz::CompliantLaw law{.stiffness = stiffness, .damping_ratio = ratio};
    const double T = law.duration(mass, speed);
    const hertz::LocalImpact exact = hertz::integrate_local_law(
        {.mass = mass, .stiffness = stiffness, .damping = ratio * stiffness / speed}, speed);
    Ball ball(law, 0.003 * T, {0, 0, -speed});
    ball.start();
    const double before = ball.energy();
    while (ball.v.z() < 0 || ball.memory.is_closed) ball.step(T / 400);
    EXPECT_NEAR(ball.v.z(), exact.restitution * speed, 2e-3 * speed) << ratio;
    EXPECT_NEAR(ball.deepest, exact.peak_indentation, 2e-3 * exact.peak_indentation) << ratio;
    EXPECT_NEAR(ball.damped, before - ball.energy(), 2e-3 * before) << ratio;
  }
}

TEST(CompliantMotion, RestKeepsTheWeight) {
  const double g = 9.81, depth = std::pow(mass * g / stiffness, 2.0 / 3);
  Ball ball({.stiffness = stiffness, .damping_ratio = 1}, -depth, Vector3::Zero());
  ball.gravity.z() = -g;
  ball.start();
  for (int i = 0; i < 100; ++i) ball.step(1e-4);
  EXPECT_NEAR(ball.memory.normal_force, mass * g, 1e-9 * mass * g);
  EXPECT_NEAR(ball.memory.indentation(), depth, 1e-9 * depth);
}

TEST(CompliantMotion, SecondOrderWhileTouching) {
  const double g = 9.81, depth = std::pow(mass * g / stiffness, 2.0 / 3);
  const double period = 2 * std::numbers::pi / std::sqrt(1.5 * stiffness * std::sqrt(depth) / mass);
  std::vector<double> places;
  for (const int steps : {100, 200, 400}) {
    Ball ball({.stiffness = stiffness}, -1.3 * depth, Vector3::Zero());
    ball.gravity.z() = -g;
    ball.start();
    for (int i = 0; i < steps; ++i) ball.step(1.3 * period / steps);
    places.push_back(ball.pose.x.z());
  }
  const double ratio = (places[0] - places[1]) / (places[1] - places[2]);
  EXPECT_NEAR(ratio, 4, 0.3);
}

TEST(CompliantMotion, SlidesThenRolls) {
  const double g = 9.81, k = 1e8, depth = std::pow(mass * g / k, 2.0 / 3), speed = 0.2;
  Ball ball({.stiffness = k, .damping_ratio = 1}, -depth, {speed, 0, 0});
  ball.gravity.z() = -g;
  ball.e.friction = 0.2;
  ball.start();
  const double before = ball.energy();
  for (int i = 0; i < 12000; ++i) ball.step(1e-5);
  // The spring across the normal goes on swinging, with the force at which it began to stick.
  const double swing =
      0.2 * mass * g / std::sqrt(2.0 / 7 * mass * ball.memory.tangential_stiffness);
  EXPECT_LT(std::abs(ball.v.x() - 5.0 / 7 * speed), swing);
  EXPECT_NEAR(ball.v.x() + 0.4 * ball.v[4] * radius, speed, 1e-4 * speed);
  EXPECT_NEAR(ball.books.friction_loss, mass * speed * speed / 7, 1e-2 * mass * speed * speed / 7);
  EXPECT_NEAR(ball.books.friction_loss + ball.damped, before - ball.energy(), 1e-3 * before);
  EXPECT_LE(ball.most_iterations, 12);
}

TEST(CompliantMotion, SticksOnASlopeWithoutCreep) {
  const double g = 9.81, angle = 0.2, k = 1e6;
  const double depth = mass * g * std::cos(angle) / k;
  Ball block({.stiffness = k, .exponent = 1}, -depth, Vector3::Zero());
  block.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  block.e.contact = touch(feature(Kind::Plane, 0, {}), feature(Kind::Point, 0, {})).element;
  block.e.friction = 0.5;
  block.pose.x.z() = -depth;
  block.start();
  const double stretched = mass * g * std::sin(angle) / (0.8 * k);
  double sum = 0, farthest = 0;
  constexpr int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    block.step(1e-4);
    sum += block.pose.x.x();
    farthest = std::max(farthest, block.pose.x.x());
    ASSERT_TRUE(block.memory.sticks);
  }
  EXPECT_LE(farthest, 2 * stretched * (1 + 1e-6));
  EXPECT_NEAR(sum / steps, stretched, 0.02 * stretched);
  EXPECT_EQ(block.books.friction_loss, 0);
}

}  // namespace compliant_motion_test
}  // namespace saltus
