// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
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

}  // namespace inertia_test
}  // namespace saltus
