// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/face_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace face_weights_test {

using namespace test;

std::vector<ImpactPoint> at(const std::vector<Vector3>& places) {
  std::vector<ImpactPoint> points;
  for (const Vector3& x : places) points.push_back({0, x, axes_of({0, 0, 1}), 0.5, 0.2, 0.2});
  return points;
}

/// n by n points over a rectangle, its corners and edges included.
std::vector<Vector3> grid(int n, double a, double b) {
  std::vector<Vector3> places;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      places.emplace_back(a * (double(i) / (n - 1) - 0.5), b * (double(j) / (n - 1) - 0.5), 0);
  return places;
}

std::vector<Vector3> rim(double a, double b) {
  std::vector<Vector3> places;
  for (const Vector3& x : grid(3, a, b))
    if (!x.isZero(1e-12)) places.push_back(x);
  return places;
}

// The most even weights of a regular grid are Newton's and Cotes', along each of its sides.
TEST(FaceWeights, OfRegularGridsAreSimpsonsRules) {
  const double one[] = {1.0 / 2, 2, 1.0 / 2}, three[] = {1.0 / 2, 3.0 / 2, 3.0 / 2, 1.0 / 2};
  for (const int n : {3, 4}) {
    const FaceWeights face = face_weights(at(grid(n, 1.5, 0.4)));
    const double* rule = n == 3 ? one : three;
    ASSERT_TRUE(face.stands);
    EXPECT_TRUE(face.centred);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(face.weights[n * i + j], rule[i] * rule[j], 1e-11) << n << " " << i << " " << j;
  }
  const FaceWeights edge = face_weights(at({{-1, 2, 0}, {0, 2, 0}, {1, 2, 0}}));
  ASSERT_TRUE(edge.stands);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(edge.weights[i], one[i], 1e-11);
}

TEST(FaceWeights, EndsCornersAndRimsCannotStandForWhatTheySpan) {
  for (const auto& places : {std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}}, grid(2, 1, 2), rim(1, 1),
                             std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}) {
    const FaceWeights face = face_weights(at(places));
    EXPECT_FALSE(face.stands) << places.size();
    EXPECT_TRUE(face.weights.isOnes(0));
    EXPECT_TRUE(face.centred);
  }
  const FaceWeights one_more =
      face_weights(at({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0.5, 0}}));
  EXPECT_FALSE(one_more.stands);
  EXPECT_FALSE(one_more.centred);
}

// Points anywhere in a triangle: means of 1, x, y, x², xy, y² are those over the triangle.
TEST(FaceWeights, SumsOfQuadraticsAreIntegrals) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> part(0, 1);
  const Vector3 a(0.3, -0.2, 0), b(1.4, 0.1, 0), c(0.2, 0.9, 0);
  std::vector<Vector3> places = {a, b, c};
  for (int i = 0; i < 40; ++i) {
    double s = part(generator), t = part(generator);
    if (s + t > 1) s = 1 - s, t = 1 - t;
    places.push_back(a + s * (b - a) + t * (c - a));
  }
  const FaceWeights face = face_weights(at(places));
  ASSERT_TRUE(face.stands);
  EXPECT_GT(face.weights.minCoeff(), 0);
  const auto mean = [&](const auto& f) {
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) sum += face.weights[i] * f(places[i]);
    return sum / double(places.size());
  };
  // The means of the midpoints of the sides are exact for the second degree.
  const auto exact = [&](const auto& f) {
    return (f((a + b) / 2) + f((b + c) / 2) + f((c + a) / 2)) / 3;
  };
  const auto check = [&](const auto& f) { EXPECT_NEAR(mean(f), exact(f), 1e-12); };
  check([](const Vector3&) { return 1.0; });
  check([](const Vector3& x) { return x[0]; });
  check([](const Vector3& x) { return x[1]; });
  check([](const Vector3& x) { return Vector3(x)[0] * x[0]; });
  check([](const Vector3& x) { return Vector3(x)[0] * x[1]; });
  check([](const Vector3& x) { return Vector3(x)[1] * x[1]; });
}

/// A block of 1.5 m × 1.5 m × 1 m and 2.5 kg lands flat on the points of its lower face.
struct Landing {
  Bodies bodies;
  std::vector<Touch> touches;
  ImpactResult result;
  VectorX v;  ///< of the block after it: linear, angular
};

Landing land(const std::vector<Vector3>& places, const Vector3& velocity, double spin,
             ShareRule rule) {
  Landing landing;
  landing.bodies.add(2.5, box_inertia(2.5, {1.5, 1.5, 1}), {0, 0, 0.5}, velocity, {0, 0, spin});
  for (const Vector3& x : places)
    landing.touches.push_back({ground, 0, x, {0, 0, 1}, 0, 0.5, 0.2, 0.2});
  ImpactOptions options;
  options.shares = rule;
  landing.result = resolve_impact(problem_of(landing.bodies, landing.touches), options);
  landing.v = velocities_after(landing.bodies, landing.touches, landing.result.impulses);
  return landing;
}

int turning(const Landing& landing) {
  int count = 0;
  for (const ImpactEvent& event : landing.result.events) count += event.turning_groups;
  return count;
}

int faceless(const Landing& landing) {
  int count = 0;
  for (const ImpactEvent& event : landing.result.events) count += event.faceless_groups;
  return count;
}

const std::vector<std::vector<Vector3>> meshes = {grid(2, 1.5, 1.5), rim(1.5, 1.5),
                                                  grid(4, 1.5, 1.5), grid(5, 1.5, 1.5)};

// All points slip alike: friction is −μ d P_n and acts, with P_n, at the centre of the points,
// however many they are and whatever they stand for.
TEST(FlatLanding, WithoutSpinDoesNotDependOnTheNumberOfPoints) {
  for (const ShareRule rule : {ShareRule::Points, ShareRule::Face}) {
    const Landing four = land(meshes[0], {1, 0.3, -2}, 0, ShareRule::Points);
    const ImpactEvent& expected = four.result.events[0];
    for (const auto& mesh : meshes) {
      const Landing other = land(mesh, {1, 0.3, -2}, 0, rule);
      const ImpactEvent& event = other.result.events[0];
      EXPECT_NEAR(event.compression_work[0], expected.compression_work[0], 1e-12);
      EXPECT_NEAR(event.normal_work[0], expected.normal_work[0], 1e-12);
      EXPECT_NEAR(event.compression_impulse[0], expected.compression_impulse[0], 1e-12);
      EXPECT_EQ(turning(other), 0);
      EXPECT_EQ(faceless(other), 0);
    }
  }
}

// Friction of slip with spin, for points that count the same: Σ dp_t = −κ m u_t(centre), and the
// ratio of its moment is that of the second moments of the points, (8a).
TEST(FlatLanding, FrictionIsAgainstTheSlipOfTheCentre) {
  for (const auto& mesh : meshes) {
    Bodies bodies;
    bodies.add(2.5, box_inertia(2.5, {1.5, 1.5, 1}), {0, 0, 0.5}, {1, 0.3, -2}, {0, 0, 3});
    std::vector<Touch> touches;
    double second = 0;
    for (const Vector3& x : mesh) {
      touches.push_back({ground, 0, x, {0, 0, 1}, 0, 0.5, 0.2, 0.2});
      second += x.squaredNorm() / double(mesh.size());
    }
    const ImpactProblem problem = problem_of(bodies, touches);
    ImpactOptions options;
    options.histories = true;
    const ImpactResult result = resolve_impact(problem, options);
    const auto& samples = result.events[0].samples;
    // Over a first, very short piece.
    const VectorX dp = samples[1].impulses;
    const VectorX twist = jacobian(bodies, touches).transpose() * dp;
    const double scale = std::hypot(twist[0], twist[1]);
    EXPECT_NEAR(twist[0] / scale, -1 / std::hypot(1, 0.3), 0.02);
    EXPECT_NEAR(twist[5] / scale, -3 * second / std::hypot(1, 0.3), 0.05 * 3 * second);
  }
}

// What 4, 8, 16 and 25 equal points make of the landing differs: their second moments do. Points
// that stand for the face agree with each other and with 144 of them.
TEST(FlatLanding, WithSpinDependsOnThePointsUnlessTheyStandForTheFace) {
  const Vector3 v(1, 0.3, -2);
  const Landing fine = land(grid(12, 1.5, 1.5), v, 3, ShareRule::Face);
  std::vector<double> errors;
  for (const auto& mesh : meshes) {
    const Landing points = land(mesh, v, 3, ShareRule::Points);
    EXPECT_GT(turning(points), 0);
    errors.push_back((points.v - fine.v).norm());
  }
  EXPECT_GT(errors[0], errors[1]);
  EXPECT_GT(errors[1], errors[2]);
  EXPECT_GT(errors[2], errors[3]);
  EXPECT_GT(errors[3], 0.2);
  const double work = fine.result.events[0].compression_work[0];
  for (const int n : {4, 5, 7}) {
    const Landing face = land(grid(n, 1.5, 1.5), v, 3, ShareRule::Face);
    EXPECT_EQ(turning(face), 0);
    EXPECT_EQ(face.result.events[0].faceless_groups, 0);
    EXPECT_NEAR(face.result.events[0].compression_work[0], work, 3e-3 * std::abs(work)) << n;
    // Later events are of those parts of the face that still approach: which points lie there
    // depends on the mesh.
    EXPECT_LT(std::abs(face.v[0] - fine.v[0]), 0.005) << n;
    EXPECT_LT(std::abs(face.v[5] - fine.v[5]), 0.035) << n;
  }
  EXPECT_GT(faceless(land(meshes[0], v, 3, ShareRule::Face)), 0);
  EXPECT_GT(faceless(land(meshes[1], v, 3, ShareRule::Face)), 0);
}

}  // namespace face_weights_test
}  // namespace saltus::impulse
