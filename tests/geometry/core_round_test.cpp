// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "saltus/geometry/core_pair.hpp"
#include "saltus/geometry/hull.hpp"
#include "saltus/geometry/nearest.hpp"
#include "saltus/geometry/round_contacts.hpp"
#include "saltus/lie/so3.hpp"
#include "tests/geometry/brute_force.hpp"

namespace saltus::core_round_test {
namespace {

/// The separation along n, from the support functions of both.
double along(const ConvexCore& A, const ConvexCore& B, const RelativePose& X, const Vector3& n) {
  return n.dot(X.p) - support(B, -(X.R.transpose() * n)) - support(A, n) - A.radius - B.radius;
}

/// Climbs from n by ever smaller steps in eight directions.
double climbed(const ConvexCore& A, const ConvexCore& B, const RelativePose& X, Vector3 n,
               double first_step = 0.2, double last_step = 1e-4) {
  double best = along(A, B, X, n);
  for (double step = first_step; step > last_step;) {
    const Vector3 u = n.cross(Vector3::Unit(std::abs(n.x()) < 0.6 ? 0 : 1)).normalized();
    const Vector3 v = n.cross(u);
    Vector3 better = n;
    double most = best;
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.7853981633974483 * k;
      const Vector3 m = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const double value = along(A, B, X, m);
      if (value > most) {
        most = value;
        better = m;
      }
    }
    if (most > best) {
      best = most;
      n = better;
    } else {
      step /= 2;
    }
  }
  return best;
}

/// The largest separation of a dense sweep of directions, each of the best ones climbed from.
double swept(const ConvexCore& A, const ConvexCore& B, const RelativePose& X) {
  constexpr int directions = 200;
  std::vector<std::pair<double, int>> order;
  const auto direction = [](int i) {
    const double z = 1 - (2.0 * i + 1) / directions, angle = 2.399963229728653 * i;
    return Vector3(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle),
                   z);
  };
  for (int i = 0; i < directions; ++i) order.emplace_back(-along(A, B, X, direction(i)), i);
  std::partial_sort(order.begin(), order.begin() + 3, order.end());
  double best = -1e300;
  for (int k = 0; k < 3; ++k) {
    best = std::max(best, climbed(A, B, X, direction(order[static_cast<std::size_t>(k)].second)));
  }
  return best;
}

struct Tally {
  int overlaps = 0, nears = 0, missed = 0, far = 0, wrong = 0, deeper = 0;
  int shallower = 0, deep_and_shallower = 0;
};

/// The truth is between what the sweep finds, which is no more than it, and the separation along
/// the normal of the deepest contact, which is no more than it either: gaps must be both.
void compare(const CorePair& pair, const RelativePose& X, CorePairMemory& memory,
             CoreSearchSpace& space, Tally& tally) {
  const ConvexCore &A = pair.A(), &B = pair.B();
  const double size = A.size + B.size, reach = 0.02 * size, tolerance = 1e-10 * size;
  std::vector<CoreContact> found;
  pair.find(X, reach, memory, space, found);
  const double sweep = swept(A, B, X);
  if (sweep > reach) {
    tally.far += found.empty() ? 0 : 1;
    return;
  }
  Touch deepest;
  deepest.gap = 1e300;
  for (const CoreContact& c : found) {
    const Touch t = pair.form(c.index).touch(X);
    if (std::abs(t.gap - c.gap) > tolerance) ++tally.wrong;
    if (t.gap < deepest.gap) deepest = t;
  }
  if (deepest.gap < sweep - tolerance) ++tally.deeper;
  // Sharp rims and corners that pass each other have no contact.
  // Bodies one inside the other have several ways out that are equal.
  const bool is_inside = sweep < -0.5 * std::min(A.bound, B.bound);
  const bool must = !is_inside && (A.radius + B.radius > 0 ? sweep < 0.9 * reach : sweep <= 0);
  if (must && sweep <= 0) ++tally.overlaps;
  if (must && found.empty() && pair.separation(X, space) < 0.9 * reach) ++tally.missed;
  if (!must || found.empty()) return;
  ++tally.nears;
  double most = -1e300;
  Vector3 axis = deepest.normal;
  for (const CoreContact& c : found) {
    const Vector3 n = pair.form(c.index).touch(X).normal;
    const double value = along(A, B, X, n);
    if (value > most) axis = n;
    most = std::max(most, value);
  }
  // Of faces that are nearly parallel no contact's normal need be the best axis.
  if (most < deepest.gap - tolerance) most = climbed(A, B, X, axis, 1e-5, 1e-15);
  // A rim that has gone far into an edge along which it nearly runs is past the point where the two
  // are nearest: then the depth is that of its neighbours.
  const bool is_deep = sweep < -1e-5 * size;
  if (most < deepest.gap - tolerance) ++(is_deep ? tally.deep_and_shallower : tally.shallower);
}

void fuzz(const ConvexCore& A, const ConvexCore& B, unsigned seed) {
  const CorePair pair(A, B);
  brute_force::Poses poses(A, B, seed);
  CoreSearchSpace space;
  CorePairMemory memory;
  Tally tally;
  const int count = brute_force::poses(5000);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(-12, -1);
  std::vector<CoreContact> unused;
  for (int i = 0; i < count; ++i) {
    RelativePose X = poses.next();
    if (i % 2 == 0) {  // nearly touching, as contacts of a run are
      unused.clear();
      pair.find(X, 1, memory, space, unused);
      const double depth = std::pow(10, exponent(random)) * A.size;
      X.p -= (pair.separation(X, space) + depth) * memory.axis;
    }
    compare(pair, X, memory, space, tally);
  }
  EXPECT_GT(tally.overlaps, count / 20);
  EXPECT_GE(tally.nears, tally.overlaps);
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.far, 0);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.deeper, 0);
  EXPECT_EQ(tally.shallower, 0);
  EXPECT_LE(tally.deep_and_shallower, count / 1000);
}

ConvexCore cylinder(double r, double l) {
  return round_core({.axis = {0, 0, 1}, .half_length = l / 2, .radius = {r, r}}, 0);
}

TEST(CoreRound, CylinderAndBox) { fuzz(cylinder(0.4, 1), box_core({1, 0.8, 0.6}, 0), 1); }
TEST(CoreRound, BoxAndCylinder) { fuzz(box_core({1, 0.8, 0.6}, 0), cylinder(0.5, 0.3), 2); }
TEST(CoreRound, Cylinders) { fuzz(cylinder(0.4, 1), cylinder(0.3, 1.4), 3); }
TEST(CoreRound, CylinderAndSphere) { fuzz(cylinder(0.4, 1), sphere_core(0.3), 4); }
TEST(CoreRound, CylinderAndCapsule) {
  fuzz(cylinder(0.4, 1), capsule_core(0.2, 0.9, {1, 0, 0}), 5);
}
TEST(CoreRound, CylinderAndHull) {
  const Polytope hull =
      convex_hull(std::vector<Vector3>{
                      {-0.3, -0.2, -0.2}, {0.5, -0.1, -0.2}, {0, 0.6, -0.1}, {0.1, 0.1, 0.5}})
          .polytope;
  fuzz(cylinder(0.4, 1), polytope_core(hull, 0), 8);
}

TEST(CoreRound, ASphereOrPointTouchesACylinderInOnePoint) {
  for (const double radius : {0.0, 0.3}) {
    const ConvexCore A = cylinder(0.4, 1), B = sphere_core(radius);
    const CorePair pair(A, B);
    brute_force::Poses poses(A, B, 9);
    CoreSearchSpace space;
    CorePairMemory memory;
    std::vector<CoreContact> found;
    for (int i = 0; i < 1000; ++i) {
      found.clear();
      const RelativePose X = poses.next();
      pair.find(X, 1, memory, space, found);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].index, pair.index(*pair.only_point()));
      EXPECT_LT(std::abs(found[0].gap - nearest(A, X.p).distance + radius), 1e-14);
    }
  }
}

// The least gap over a plane is known from the support function.
void compare_with_plane(double rounding, unsigned seed) {
  const ConvexCore B = round_core({.half_length = 0.3, .radius = {0.4, 0.4}}, rounding);
  const ConvexCore A = plane_core({.axes = lie::so3::exp(Vector3(0.3, -0.7, 0.4))});
  const CorePair pair(A, B);
  brute_force::Poses poses(B, B, seed);
  CoreSearchSpace space;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  const Vector3 n = A.plane->axes.col(2);
  for (int i = 0; i < brute_force::poses(5000); ++i) {
    RelativePose X = poses.next();
    if (i % 2 == 0) X.R = A.plane->axes * X.R;  // flat, lying, or nearly so
    const double truth = n.dot(X.p) - support(B, -(X.R.transpose() * n)) - rounding;
    found.clear();
    pair.find(X, 0.1, memory, space, found);
    ASSERT_EQ(found.empty(), truth > 0.1);
    double least = 1e300;
    Vector3 lowest = Vector3::Zero();
    for (const CoreContact& c : found) {
      const Touch t = pair.form(c.index).touch(X);
      EXPECT_EQ(t.gap, c.gap);
      EXPECT_LT((t.normal - n).norm(), 1e-15);
      EXPECT_LT((t.point_B - t.point_A - t.gap * n).norm(), 1e-14);
      if (t.gap >= least) continue;
      least = t.gap;
      lowest = t.point_B;
    }
    if (!found.empty()) {
      EXPECT_LT(std::abs(least - truth), 1e-12);
      EXPECT_LT(std::abs(nearest(B, X.inverse().point(lowest)).distance - rounding), 1e-11);
    }
    const double tilt = n.cross(X.R.col(2)).norm();
    if (std::abs(truth) < 0.09 && tilt < 1e-9) {
      EXPECT_GE(found.size(), 16U);
    }
  }
}

TEST(CoreRound, CylinderOverAPlane) { compare_with_plane(0, 10); }
TEST(CoreRound, RoundedCylinderOverAPlane) { compare_with_plane(0.05, 11); }

TEST(CoreRound, RoundedCylinderAndBox) {
  fuzz(round_core({.half_length = 0.5, .radius = {0.4, 0.4}}, 0.1), box_core({1, 0.8, 0.6}, 0), 6);
}

}  // namespace
}  // namespace saltus::core_round_test
