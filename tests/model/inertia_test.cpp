// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace saltus {
namespace inertia_test {

/// Tensor about the origin of points of equal mass, sampled from a shape.
template <class Inside>
Matrix3 sampled_tensor(const Vector3& box, double mass, const Inside& inside) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Matrix3 sum = Matrix3::Zero();
  int count = 0;
  for (int sample = 0; sample < 400000; ++sample) {
    const Vector3 unit(uniform(generator), uniform(generator), uniform(generator));
    const Vector3 p = unit.cwiseProduct(box);
    if (!inside(p)) continue;
    sum += p.squaredNorm() * Matrix3::Identity() - p * p.transpose();
    ++count;
  }
  return mass / count * sum;
}

TEST(Inertia, OfASolidSphereIsThatOfItsPoints) {
  const Matrix3 expected =
      sampled_tensor({0.6, 0.6, 0.6}, 2.0, [](const Vector3& p) { return p.norm() <= 0.3; });
  EXPECT_LT((mass_properties(solid_sphere(2.0, 0.3)).tensor - expected).norm(),
            0.01 * expected.norm());
}

TEST(Inertia, OfASolidBoxIsThatOfItsPoints) {
  const Vector3 size(0.1, 0.2, 0.3);
  const Matrix3 expected = sampled_tensor(size, 2.0, [](const Vector3&) { return true; });
  EXPECT_LT((mass_properties(solid_box(2.0, size)).tensor - expected).norm(),
            0.01 * expected.norm());
}

TEST(Inertia, OfASolidCylinderIsThatOfItsPoints) {
  const Matrix3 expected = sampled_tensor(
      {0.4, 0.4, 0.5}, 3.0, [](const Vector3& p) { return p.head<2>().norm() <= 0.2; });
  const Inertia cylinder = solid_cylinder(3.0, 0.2, 0.5, Vector3(0, 0, 7));
  EXPECT_LT((mass_properties(cylinder).tensor - expected).norm(), 0.01 * expected.norm());
}

TEST(Inertia, OfAHollowSphereIsTwoThirdsOfMassTimesRadiusSquared) {
  const Matrix3 expected = 2.0 / 3.0 * 2.0 * 0.09 * Matrix3::Identity();
  EXPECT_LT((mass_properties(hollow_sphere(2.0, 0.3)).tensor - expected).norm(), 1e-15);
}

TEST(Inertia, OfARodIsTheLimitOfThinCylinders) {
  const Direction axis = Vector3(1, 2, -2);
  const Matrix3 rod = mass_properties(slender_rod(1.5, 0.8, axis)).tensor;
  const Matrix3 cylinder = mass_properties(solid_cylinder(1.5, 1e-6, 0.8, axis)).tensor;
  EXPECT_LT((rod - cylinder).norm(), 1e-10);
  EXPECT_LT((rod * Vector3(axis)).norm(), 1e-15);
}

TEST(Inertia, OfACylinderTurnsWithItsAxis) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(1, 2, 3, 4).normalized();
  const Matrix3 R = q.toRotationMatrix();
  const Vector3 axis(1, 0, 0);
  const Matrix3 along_x = mass_properties(solid_cylinder(1, 0.1, 0.5, axis)).tensor;
  const Matrix3 turned = mass_properties(solid_cylinder(1, 0.1, 0.5, Vector3(R * axis))).tensor;
  EXPECT_LT((turned - R * along_x * R.transpose()).norm(), 1e-15);
}

TEST(Inertia, ExplicitTakesMomentsOrTensorAndCentreOfMass) {
  const Vector3 moments(1, 2, 2.5);
  const MassProperties by_moments =
      mass_properties(ExplicitInertia{.mass = 3, .moments = moments, .centre_of_mass = {1, 0, 0}});
  EXPECT_EQ(by_moments.mass, 3);
  EXPECT_EQ(by_moments.centre_of_mass, Vector3(1, 0, 0));
  const Matrix3 tensor = moments.asDiagonal();
  EXPECT_EQ(by_moments.tensor, tensor);
  EXPECT_EQ(mass_properties(ExplicitInertia{.mass = 3, .tensor = tensor}).tensor, tensor);
}

// ---- from rounded shapes

using std::numbers::pi;

MassProperties of_shape(const Shape& shape) {
  return mass_properties(FromShape{.shape = shape, .density = 1.0});
}

void expect_same(const MassProperties& actual, const MassProperties& expected, double tolerance) {
  const double size = std::sqrt(expected.tensor.norm() / expected.mass);
  EXPECT_NEAR(actual.mass, expected.mass, tolerance * expected.mass);
  EXPECT_LT((actual.centre_of_mass - expected.centre_of_mass).norm(), tolerance * size);
  EXPECT_LT((actual.tensor - expected.tensor).norm(), tolerance * expected.tensor.norm());
}

/// Of what has the signed distance d, by a skew grid of points, of which those near the surface
/// count in part: good to some cell²/24 of the surface's curvatures.
template <class Distance>
MassProperties by_grid(const Vector3& centre, double half, const Distance& d) {
  constexpr int points = 120;
  const Matrix3 skew = Eigen::AngleAxisd(0.9, Vector3(0.3, 0.5, 0.7).normalized()).matrix();
  const double cell = 2 * half / points, volume_of_cell = cell * cell * cell;
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (int i = 0; i < points * points * points; ++i) {
    const Vector3 place(i % points + 0.5, i / points % points + 0.5, i / (points * points) + 0.5);
    const Vector3 x = skew * (place * cell - Vector3::Constant(half));
    const double part = std::clamp(0.5 - d(Vector3(centre + x)) / cell, 0.0, 1.0);
    volume += part;
    first += part * x;
    second += part * x * x.transpose();
  }
  const Vector3 mean = first / volume;
  const Matrix3 about = volume_of_cell * (second - volume * mean * mean.transpose());
  return {volume_of_cell * volume, centre + mean, about.trace() * Matrix3::Identity() - about};
}
constexpr double of_grid = 1.5e-3;

TEST(RoundedInertia, OfABoxHasSteinersVolume) {
  const Vector3 a(0.3, 0.2, 0.1);
  const double r = 0.04;
  const double faces = 2 * (a[0] * a[1] + a[1] * a[2] + a[2] * a[0]);
  const double volume = a.prod() + faces * r + pi * a.sum() * r * r + 4 * pi / 3 * r * r * r;
  const MassProperties box = of_shape(Box{.size = a, .rounding = r});
  EXPECT_NEAR(box.mass, volume, 1e-14 * volume);
  EXPECT_EQ(box.centre_of_mass, Vector3::Zero());
}

/// A block, three pairs of plates, edges as quarter cylinders and corners as eighths of balls.
TEST(RoundedInertia, OfABoxIsThatOfItsParts) {
  const Vector3 a(0.3, 0.2, 0.1);
  const double r = 0.04;
  Vector3 squares = Vector3::Zero();  // ∫ x²
  for (int i = 0; i < 3; ++i) {
    const double h = a[i] / 2, b = a[(i + 1) % 3], c = a[(i + 2) % 3];
    const double inner = 2 * h * h * h / 3;  // ∫ x² dx between the faces
    // The section at x between the faces is a rounded rectangle, beyond them at the distance s one
    // with the rounding w = √(r² − s²).
    const auto section = [&](double w) { return b * c + 2 * w * (b + c) + pi * w * w; };
    squares[i] = inner * section(r);
    constexpr int parts = 20000;
    for (int k = 0; k < parts; ++k) {
      const double angle = pi / 2 * (k + 0.5) / parts;
      const double s = r * std::sin(angle), w = r * std::cos(angle);
      squares[i] += 2 * (h + s) * (h + s) * section(w) * w * (pi / 2 / parts);
    }
  }
  const Matrix3 expected = Vector3(Vector3::Constant(squares.sum()) - squares).asDiagonal();
  EXPECT_LT((of_shape(Box{.size = a, .rounding = r}).tensor - expected).norm(),
            1e-8 * expected.norm());
}

TEST(RoundedInertia, OfAThinCylinderIsACapsule) {
  const Direction axis = Vector3(1, 2, -2);
  const MassProperties capsule = of_shape(Capsule{.radius = 0.05, .length = 0.3, .axis = axis});
  expect_same(of_shape(Cylinder{.radius = 1e-12, .length = 0.3, .axis = axis, .rounding = 0.05}),
              capsule, 1e-9);
}

TEST(RoundedInertia, OfACylinderIsThatOfItsPoints) {
  const double radius = 0.2, half = 0.15, r = 0.08;
  const MassProperties expected = by_grid(Vector3::Zero(), 0.36, [&](const Vector3& p) {
    const double out = std::max(p.head<2>().norm() - radius, 0.0);
    const double up = std::max(std::abs(p.z()) - half, 0.0);
    return std::hypot(out, up) - r;
  });
  expect_same(of_shape(Cylinder{.radius = radius, .length = 2 * half, .rounding = r}), expected,
              of_grid);
}

/// The corner of a cube that three equal legs cut off, away from the origin.
MeshShape corner(double leg, double rounding) {
  MeshShape mesh;
  const Vector3 o(0.3, -0.2, 0.5);
  mesh.vertices = {o, o + Vector3(leg, 0, 0), o + Vector3(0, leg, 0), o + Vector3(0, 0, leg)};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  mesh.rounding = rounding;
  return mesh;
}

/// From a point to the nearest of a triangle.
double distance_to(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 n = (b - a).cross(c - a).normalized();
  const auto to_edge = [&](const Vector3& x, const Vector3& y) {
    const double s = std::clamp((p - x).dot(y - x) / (y - x).squaredNorm(), 0.0, 1.0);
    return (p - x - s * (y - x)).norm();
  };
  const auto inside = [&](const Vector3& x, const Vector3& y) {
    return n.dot((y - x).cross(p - x)) >= 0;
  };
  if (inside(a, b) && inside(b, c) && inside(c, a)) return std::abs(n.dot(p - a));
  return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

TEST(RoundedInertia, OfATetrahedronIsThatOfItsPoints) {
  const MeshShape mesh = corner(0.3, 0.07);
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  const MassProperties expected =
      by_grid(at(0) + Vector3::Constant(0.11), 0.34, [&](const Vector3& p) {
        double away = 1e9;
        bool is_inside = true;
        for (const auto& t : mesh.triangles) {
          const Vector3 a = at(t[0]), b = at(t[1]), c = at(t[2]);
          is_inside &= (b - a).cross(c - a).dot(p - a) <= 0;
          away = std::min(away, distance_to(p, a, b, c));
        }
        return (is_inside ? -away : away) - mesh.rounding;
      });
  expect_same(of_shape(mesh), expected, of_grid);
}

TEST(RoundedInertia, OfASmallBodyIsABall) {
  MassProperties ball = of_shape(Sphere{.radius = 0.1});
  ball.centre_of_mass = corner(1e-9, 0).vertices[0];
  expect_same(of_shape(corner(1e-9, 0.1)), ball, 1e-7);
  expect_same(of_shape(Sphere{.radius = 0.06, .rounding = 0.04}), of_shape(Sphere{.radius = 0.1}),
              1e-15);
}

// Whatever way the surface is cut into triangles.
TEST(RoundedInertia, OfABoxIsThatOfItsMesh) {
  MeshShape mesh;
  const Vector3 a(0.3, 0.2, 0.1), shift(1, 2, 3);
  for (int i = 0; i < 8; ++i) {
    const Vector3 corner(i % 2, i / 2 % 2, i / 4);
    mesh.vertices.push_back(shift + (corner - Vector3::Constant(0.5)).cwiseProduct(a));
  }
  mesh.vertices.push_back(shift + Vector3(0, 0, a.z() / 2));  // in the middle of the top
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 8}, {5, 7, 8}, {7, 6, 8}, {6, 4, 8}, {0, 1, 5},
                    {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  mesh.rounding = 0.03;
  MassProperties expected = of_shape(Box{.size = a, .rounding = 0.03});
  expected.centre_of_mass = shift;
  expect_same(of_shape(mesh), expected, 1e-12);
}

}  // namespace inertia_test
}  // namespace saltus
