// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/core_pair.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "saltus/geometry/nearest.hpp"
#include "saltus/lie/so3.hpp"
#include "tests/geometry/brute_force.hpp"

namespace saltus::core_pair_test {
namespace {

Polytope tetrahedron() {
  return make_polytope({{0, 0, 0}, {1, 0, 0}, {0, 1.2, 0}, {0.1, 0.2, 0.9}},
                       {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}});
}

Polytope octahedron() {
  return make_polytope(
      {{1, 0, 0}, {-1, 0, 0}, {0, 0.8, 0}, {0, -0.8, 0}, {0, 0, 0.6}, {0, 0, -0.6}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}

struct Tally {
  int overlaps = 0, nears = 0, missed = 0, wrong = 0, deeper = 0, backwards = 0;
  double worst = 0;
};

/// Signed: minus the depth, or the distance.
double true_gap(const ConvexCore& A, const ConvexCore& B, const RelativePose& X, double& along) {
  const double radii = A.radius + B.radius;
  along = -1e300;
  if (!A.polytope.faces.empty() || !B.polytope.faces.empty()) {
    along = brute_force::separation(A.polytope, B.polytope, X);
    if (along <= 0) return along - radii;
  }
  return brute_force::distance(A.polytope, B.polytope, X) - radii;
}

void compare(const CorePair& pair, const RelativePose& X, CoreSearchSpace& space,
             CorePairMemory& memory, Tally& tally) {
  const ConvexCore &A = pair.A(), &B = pair.B();
  const double size = A.size + B.size, reach = 0.05 * size;
  double along = 0;
  const double truth = true_gap(A, B, X, along);
  std::vector<CoreContact> found;
  pair.find(X, reach, memory, space, found);
  const bool is_rounded = A.radius + B.radius > 0;
  // Sharp corners that pass each other have no contact: no face or edges between them.
  const bool must = truth <= 0 || is_rounded || std::abs(along - truth) < 1e-13 * size;
  if (truth <= 0) ++tally.overlaps;
  if (truth > 0 && truth <= reach) ++tally.nears;
  if (truth > reach * (1 + 1e-9)) {
    tally.wrong += found.empty() ? 0 : 1;
    return;
  }
  const double tolerance = 1e-10 * size;
  if (must && found.empty() && truth < reach * (1 - 1e-9)) ++tally.missed;
  double least = 1e300;
  Touch deepest;
  for (const CoreContact& c : found) {
    const Touch t = pair.form(c.index).touch(X);
    if (std::abs(t.gap - c.gap) > tolerance) ++tally.wrong;
    if (t.gap < least) {
      least = t.gap;
      deepest = t;
    }
  }
  if (found.empty()) return;
  if (least < truth - tolerance) ++tally.deeper;
  if (must && truth < reach * (1 - 1e-9)) {
    tally.worst = std::max(tally.worst, std::abs(least - truth) / size);
    RelativePose apart = X;
    apart.p += (1e-9 * size - least) * deepest.normal;
    double unused = 0;
    // Cores that only just touch have no normal.
    const bool has_normal = !is_rounded || std::abs(truth + A.radius + B.radius) > 1e-6 * size;
    if (least <= 0 && has_normal && true_gap(A, B, apart, unused) < 0) ++tally.backwards;
  }
}

void fuzz(const ConvexCore& A, const ConvexCore& B, unsigned seed) {
  const CorePair pair(A, B);
  brute_force::Poses poses(A, B, seed);
  CoreSearchSpace space;
  CorePairMemory memory;
  Tally tally;
  const int count = brute_force::poses(20000);
  for (int i = 0; i < count; ++i) compare(pair, poses.next(), space, memory, tally);
  EXPECT_GT(tally.overlaps, count / 20);
  EXPECT_GT(tally.nears, count / 100);
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.deeper, 0);
  EXPECT_EQ(tally.backwards, 0);
  EXPECT_LE(tally.worst, 1e-10);
  ::testing::Test::RecordProperty("worst", fmt::format("{:.2e}", tally.worst));
}

TEST(CorePair, IndicesNameOnePairOfFeaturesEach) {
  const ConvexCore A = box_core({1, 2, 3}, 0),
                   B = round_core({.half_length = 1, .radius = {1, 1}}, 0.1);
  const CorePair pair(A, B);
  for (std::int64_t i = 0; i < pair.size(); ++i) EXPECT_EQ(pair.index(pair.ids(i)), i);
}

TEST(CorePair, BoxesTouchWhereBruteForceSaysTheyDo) {
  fuzz(box_core({1, 0.8, 0.6}, 0), box_core({0.4, 1, 0.6}, 0), 1);
}
TEST(CorePair, BoxAndTetrahedron) {
  fuzz(box_core({1, 0.8, 0.6}, 0), polytope_core(tetrahedron(), 0), 2);
}
TEST(CorePair, OctahedronAndTetrahedron) {
  fuzz(polytope_core(octahedron(), 0), polytope_core(tetrahedron(), 0), 3);
}
TEST(CorePair, SphereAndBox) { fuzz(sphere_core(0.3), box_core({1, 0.8, 0.6}, 0), 4); }
TEST(CorePair, CapsuleAndBox) {
  fuzz(capsule_core(0.2, 1, {0, 0, 1}), box_core({1, 0.8, 0.6}, 0), 5);
}
TEST(CorePair, Capsules) {
  fuzz(capsule_core(0.2, 1, {0, 0, 1}), capsule_core(0.1, 2, {1, 0, 0}), 6);
}
TEST(CorePair, CapsuleAndOctahedron) {
  fuzz(polytope_core(octahedron(), 0), capsule_core(0.15, 1, {0, 1, 1}), 7);
}
TEST(CorePair, RoundedBoxes) {
  fuzz(box_core({1, 0.8, 0.6}, 0.1), box_core({0.4, 1, 0.6}, 0.02), 8);
}

TEST(CorePair, RateOfTheGapIsThatOfThePointsAlongTheNormal) {
  std::mt19937_64 random(11);
  const ConvexCore A = box_core({1, 0.8, 0.6}, 0.05), B = polytope_core(octahedron(), 0.1);
  const CorePair pair(A, B);
  CoreSearchSpace space;
  CorePairMemory memory;
  brute_force::Poses poses(A, B, 12);
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const RelativePose X = poses.next();
    std::vector<CoreContact> found;
    pair.find(X, 0.2, memory, space, found);
    const Vector3 v = brute_force::random_vector(random), w = brute_force::random_vector(random);
    const auto moved = [&](double h) {
      return RelativePose{lie::so3::exp(h * w) * X.R, X.p + h * v};
    };
    for (const CoreContact& c : found) {
      const FeaturePairForm form = pair.form(c.index);
      const Touch t = form.touch(X);
      if (form.a.kind == CoreFeatureKind::Edge &&
          form.a.axis.cross(X.R * form.b.axis).norm() < 0.05)
        continue;
      constexpr double h = 1e-6;
      const double rate = (form.touch(moved(h)).gap - form.touch(moved(-h)).gap) / (2 * h);
      EXPECT_NEAR(rate, t.normal.dot(v + w.cross(t.point_B - X.p)),
                  2e-6 * (1 + w.norm() + v.norm()));
      EXPECT_LT((t.point_B - t.point_A - t.gap * t.normal).norm(), 1e-10);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(CorePair, BoxOnABoxRestsOnFourCornersHoweverFlush) {
  const ConvexCore box = box_core({1, 1, 1}, 0);
  const CorePair pair(box, box);
  CoreSearchSpace space;
  for (const double off : {0.0, 1e-16, -1e-15, 1e-13, -1e-12}) {
    CorePairMemory memory;
    std::vector<CoreContact> found;
    RelativePose X;
    X.p = Vector3(off, -2 * off, 1 + off);
    X.R = lie::so3::exp(Vector3(off, -off, 2 * off));
    pair.find(X, 1e-3, memory, space, found);
    EXPECT_EQ(found.size(), 4U) << off;
    for (const CoreContact& c : found) {
      EXPECT_EQ(pair.ids(c.index).kind, TouchKind::FaceVertex);
      EXPECT_NEAR(pair.form(c.index).touch(X).normal.z(), 1, 1e-12);
    }
  }
}

TEST(CorePair, CrossedBeamsTouchAtFourEdges) {
  const ConvexCore beam = box_core({4, 1, 1}, 0);
  const CorePair pair(beam, beam);
  CoreSearchSpace space;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  RelativePose X;
  X.R = lie::so3::exp(Vector3(0, 0, 1.5));
  X.p = Vector3(0, 0, 1);
  pair.find(X, 1e-3, memory, space, found);
  ASSERT_EQ(found.size(), 4U);
  for (const CoreContact& c : found) EXPECT_EQ(pair.ids(c.index).kind, TouchKind::EdgeEdge);
}

TEST(CorePair, SearchAfterTheFirstAllocatesNothingMore) {
  const ConvexCore A = box_core({1, 1, 1}, 0);
  const CorePair pair(A, A);
  CoreSearchSpace space;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  RelativePose X;
  X.p = Vector3(0.1, 0.2, 1);
  pair.find(X, 0.01, memory, space, found);
  const auto* place = space.vertices_B.data();
  const auto* list = found.data();
  found.clear();
  X.p.x() = 0.3;
  pair.find(X, 0.01, memory, space, found);
  EXPECT_EQ(place, space.vertices_B.data());
  EXPECT_EQ(list, found.data());
}

}  // namespace
}  // namespace saltus::core_pair_test
