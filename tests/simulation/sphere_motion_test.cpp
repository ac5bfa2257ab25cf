// SPDX-License-Identifier: Apache-2.0
// Spheres in a row and in triangles: impacts that run from contact to contact; and rolling that
// does not drift.
#include <numbers>

#include "tests/support/balls.hpp"

namespace saltus::test {
namespace sphere_motion_test {

// ---- impacts that run through touching balls
// -----------------------------------------------------

constexpr double row_radius = 0.1;

std::string ball_name(std::size_t i) { return fmt::format("ball_{}", i); }

/// Balls along x without gravity, each touching the next.
Model row_of_balls(const std::vector<double>& masses, const std::vector<double>& velocities,
                   double restitution) {
  Model model{.gravity = Vector3::Zero()};
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double x = 2 * row_radius * static_cast<double>(i);
    add_ball(model, ball_name(i), masses[i], row_radius, {x, 0, 0},
             {.linear = {velocities[i], 0, 0}});
  }
  model.add(Contact{.name = "row", .between = {"skin_*", "skin_*"}, .restitution = restitution});
  return model;
}

double velocity(const TableSink& table, std::size_t ball) {
  return table.last(ball_name(ball) + ".velocity.x");
}

struct Sums {
  double momentum = 0, energy = 0;
};

Sums sums(const std::vector<double>& masses, const std::vector<double>& velocities) {
  Sums s;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    s.momentum += masses[i] * velocities[i];
    s.energy += masses[i] * velocities[i] * velocities[i] / 2;
  }
  return s;
}

/// Runs a row for ten steps and returns momentum and energy at the end; expects that no ball
/// approaches the next.
Sums after_the_impact(const TableSink& table, const std::vector<double>& masses) {
  std::vector<double> v;
  for (std::size_t i = 0; i < masses.size(); ++i) v.push_back(velocity(table, i));
  for (std::size_t i = 1; i < v.size(); ++i) EXPECT_GE(v[i] - v[i - 1], -1e-12) << i;
  return sums(masses, v);
}

TEST(RowOfBalls, AsManyLeaveAsCome) {
  const std::size_t n = 5;
  for (std::size_t moving = 1; moving < n; ++moving) {
    std::vector<double> v(n, 0.0);
    std::fill_n(v.begin(), moving, 1.0);
    const TableSink table =
        run_well(row_of_balls(std::vector<double>(n, 1.0), v, 1), steps(1e-3, 0.01));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(velocity(table, i), i >= n - moving ? 1 : 0, 1e-12) << moving << ", ball " << i;
    }
  }
}

// Each of the k balls that come hits each of the n − k that rest: k (n − k) impacts, in n − 1
// rounds of pairs that have no ball in common.
TEST(RowOfBalls, TellsEverySubImpactInItsOrder) {
  const std::size_t n = 5;
  for (std::size_t moving = 1; moving < n; ++moving) {
    std::vector<double> v(n, 0.0);
    std::fill_n(v.begin(), moving, 1.0);
    const TableSink table =
        run_well(row_of_balls(std::vector<double>(n, 1.0), v, 1), steps(1e-3, 0.01));
    const std::vector<EventRow> impacts = table.events("impact");
    ASSERT_EQ(impacts.size(), moving * (n - moving));
    for (std::size_t i = 0; i < impacts.size(); ++i) {
      EXPECT_EQ(impacts[i].time, impacts[0].time);
      EXPECT_NEAR(impacts[i].before[0], -1, 1e-12);
      EXPECT_NEAR(impacts[i].after[0], 1, 1e-12);
      EXPECT_NEAR(impacts[i].impulse[0], 1, 1e-12);
      if (i > 0) {
        EXPECT_GE(impacts[i].order, impacts[i - 1].order);
      }
    }
    EXPECT_EQ(impacts.back().order - impacts.front().order, static_cast<int>(n) - 2) << moving;
    EXPECT_EQ(table.report().impacts, static_cast<long>(impacts.size()));
  }
}

TEST(RowOfBalls, UnequalMassesKeepEnergyAndMomentum) {
  for (const std::vector<double>& masses :
       {std::vector<double>{1, 2, 0.5, 3, 1}, std::vector<double>{5, 4, 3, 2, 1},
        std::vector<double>{1, 3, 9, 27, 81}, std::vector<double>{0.3, 1, 0.3, 1, 0.3}}) {
    const std::vector<double> v = {1, 0, 0, 0, 0};
    const TableSink table = run_well(row_of_balls(masses, v, 1), steps(1e-3, 0.01));
    const Sums before = sums(masses, v), after = after_the_impact(table, masses);
    EXPECT_NEAR(after.momentum, before.momentum, 1e-12 * masses[0]);
    EXPECT_NEAR(after.energy, before.energy, 1e-12 * masses[0]);
  }
}

TEST(RowOfBalls, MassesMayDifferAThousandfold) {
  for (const std::vector<double>& masses :
       {std::vector<double>{1, 1000, 1}, std::vector<double>{1000, 1, 1000},
        std::vector<double>{1, 1000, 1, 1000, 1}, std::vector<double>{1000, 1, 1}}) {
    std::vector<double> v(masses.size(), 0.0);
    v[0] = 1;
    const TableSink table = run_well(row_of_balls(masses, v, 1), steps(1e-3, 0.01));
    const Sums before = sums(masses, v), after = after_the_impact(table, masses);
    EXPECT_NEAR(after.momentum, before.momentum, 1e-10 * before.momentum);
    EXPECT_NEAR(after.energy, before.energy, 1e-10 * before.energy);
  }
}

TEST(RowOfBalls, RestitutionLosesWhatTheLedgerSays) {
  const std::vector<double> masses = {1, 1, 1, 1, 1}, v = {1, 0, 0, 0, 0};
  const TableSink table = run_well(row_of_balls(masses, v, 0.9), steps(1e-3, 0.01));
  const Sums before = sums(masses, v), after = after_the_impact(table, masses);
  double told = 0;
  for (const EventRow& impact : table.events("impact")) told += impact.energy_lost;
  measured("loss", before.energy - after.energy);
  EXPECT_NEAR(after.momentum, before.momentum, 1e-12);
  EXPECT_LT(after.energy, before.energy);
  EXPECT_NEAR(table.last("energy.impact_loss"), before.energy - after.energy, 1e-12);
  EXPECT_NEAR(told, before.energy - after.energy, 1e-12);
  // The wave that runs ahead: each ball hands on (1 + e)/2 of the velocity it gets.
  EXPECT_NEAR(velocity(table, 4), std::pow(0.95, 4), 1e-12);
}

// Newton's law for all contacts at once: the first contact turns its velocity round, the others
// stay closed. Energy is kept here, too; it is another answer, not a wrong one. The contacts act on
// each other: they are solved to a residual of 1e-12, and a row of five magnifies it.
TEST(RowOfBalls, SharesASimultaneousImpact) {
  Dynamics options = steps(1e-3, 0.01);
  options.multiple_impacts = MultipleImpacts::Simultaneous;
  for (const std::size_t n : {3u, 5u}) {
    std::vector<double> v(n, 0.0);
    v[0] = 1;
    const TableSink table = run_well(row_of_balls(std::vector<double>(n, 1.0), v, 1), options);
    const double share = 2 / static_cast<double>(n);
    EXPECT_NEAR(velocity(table, 0), share - 1, 1e-11);
    for (std::size_t i = 1; i < n; ++i) EXPECT_NEAR(velocity(table, i), share, 1e-11);
  }
}

/// A cue ball and a triangle with this many rows behind it, without gravity and friction.
Model triangle(int rows, double restitution) {
  Model model{.gravity = Vector3::Zero()};
  const double r = row_radius, dx = 2 * r * std::cos(std::numbers::pi / 6);
  add_ball(model, ball_name(0), 1, r, {-2 * r, 0, 0}, {.linear = {1, 0, 0}});
  std::size_t number = 1;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j <= i; ++j) {
      add_ball(model, ball_name(number++), 1, r, {dx * i, r * (2 * j - i), 0});
    }
  }
  model.add(Contact{.name = "rack", .between = {"skin_*", "skin_*"}, .restitution = restitution});
  return model;
}

TEST(Triangle, KeepsMomentumAndSymmetryAndLosesWhatTheLedgerSays) {
  for (const int rows : {2, 3, 4, 5}) {
    for (const double e : {1.0, 0.93, 0.5, 0.0}) {
      const Model model = triangle(rows, e);
      const TableSink table = run_well(model, steps(1e-3, 0.01));
      Vector3 momentum = Vector3::Zero();
      double energy = 0, mirrored = 0;
      for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Vector3 v = table.vector(ball_name(i) + ".velocity", table.rows() - 1);
        momentum += v;
        energy += v.squaredNorm() / 2;
        mirrored += v.x() * v.y();
      }
      EXPECT_LE((momentum - Vector3::UnitX()).norm(), 1e-11) << rows << ", e = " << e;
      EXPECT_LE(std::abs(mirrored), 1e-9) << rows << ", e = " << e;
      EXPECT_NEAR(0.5 - energy, table.last("energy.impact_loss"), 1e-11) << rows << ", e = " << e;
      EXPECT_GE(0.5 - energy, -1e-11) << rows << ", e = " << e;
      if (e == 1) {
        EXPECT_NEAR(energy, 0.5, 1e-11) << rows;
      }
    }
  }
}

// ---- rolling that lasts
// --------------------------------------------------------------------------

// Half a radian a step, obliquely to the axes.
TEST(RollingSphere, StaysOnItsLineForTenThousandRevolutions) {
  const double r = 0.1, speed = 5, h = 1e-2;
  const double end = 1e4 * 2 * std::numbers::pi * r / speed;
  const Vector3 direction(0.8, 0.6, 0), v = speed * direction;
  Model model;
  add_ball(model, "ball", 1, r, {0, 0, r}, {.linear = v, .angular = {-v.y() / r, v.x() / r, 0}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "skin_of_ball"}, .friction = 0.5});
  Dynamics options = steps(h, end);
  options.record.every = 1000;
  const TableSink table = run_well(model, options);
  const Vector3 x = table.vector("ball.position", table.rows() - 1);
  const Vector3 turn = table.vector("ball.rotation", table.rows() - 1);
  const double sideways = std::abs(direction.x() * x.y() - direction.y() * x.x());
  measured("sideways", sideways);
  measured("along", direction.dot(x) - speed * end);
  measured("height", x.z() - r);
  measured("turn", turn.norm() - 2 * std::numbers::pi * 1e4);
  // Each step rounds x, up to 5027 m, to the next multiple of 9e-13 m, and always to the same side.
  const double rounding = end / h * 4.5e-13;  // 5.7e-8 m on a way of 6283 m
  EXPECT_LE(sideways, rounding);
  EXPECT_NEAR(direction.dot(x), speed * end, rounding);
  EXPECT_NEAR(x.z(), r, 1e-12);
  EXPECT_NEAR(turn.norm(), 2 * std::numbers::pi * 1e4, rounding / r);
}

}  // namespace sphere_motion_test
}  // namespace saltus::test
