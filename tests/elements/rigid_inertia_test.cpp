// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/rigid_inertia.hpp"

#include <gtest/gtest.h>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace rigid_inertia_test {

using namespace test;

constexpr int samples = 50;

RigidInertia random_inertia(Random& random) {
  const Matrix3 R = random.rotation();
  const Vector3 moments = random.vector().cwiseAbs() + Vector3::Ones();
  return {0, random.uniform(0.5, 3), R * moments.asDiagonal() * R.transpose()};
}

TEST(RigidInertia, MassMatrixIsDerivativeInAccelerationAndSecondOfEnergy) {
  Random random;
  Agreement force("acceleration"), momentum("momentum"), energy("energy");
  for (int sample = 0; sample < samples; ++sample) {
    const RigidInertia inertia = random_inertia(random);
    const Vector6 v = random.vector_x(6), vdot = random.vector_x(6);
    const Matrix6 M = inertia.mass_matrix();
    const auto f = [&](const VectorX& a) -> VectorX { return inertia.force(v, a); };
    const auto T = [&](const VectorX& w) { return one(inertia.kinetic_energy(w)); };
    force.compare(M, vector_derivative(f, vdot));
    momentum.compare(inertia.mass_times(v), M * v);
    energy.compare((M * v).transpose(), vector_derivative(T, v));
  }
  force.expect_within(1e-11);
  momentum.expect_within(1e-14);
  energy.expect_within(1e-11);
}

TEST(RigidInertia, GyroscopicMatrixIsDerivativeInVelocity) {
  Random random;
  Agreement agreement("gyroscopic");
  for (int sample = 0; sample < samples; ++sample) {
    const RigidInertia inertia = random_inertia(random);
    const Vector6 v = random.vector_x(6, 3), vdot = random.vector_x(6);
    const auto f = [&](const VectorX& w) -> VectorX { return inertia.force(w, vdot); };
    agreement.compare(inertia.gyroscopic_matrix(v), vector_derivative(f, v));
  }
  agreement.expect_within(1e-11);
}

// The force is the rate of momentum: in inertial axes d(m ẋ)/dt and d(R J Ω)/dt.
TEST(RigidInertia, ForceIsTheRateOfMomentum) {
  Random random;
  Agreement linear("linear"), angular("angular"), power("power");
  for (int sample = 0; sample < samples; ++sample) {
    const RigidInertia inertia = random_inertia(random);
    const Matrix3 R_0 = random.rotation();
    const Vector3 psi_0 = random.vector(), psi_1 = random.vector(), psi_2 = random.vector();
    const Vector3 a = random.vector();
    const auto psi = [&](double t) -> Vector3 { return psi_0 + t * psi_1 + t * t * psi_2; };
    const auto v = [&](double t) -> Vector6 {
      Vector6 w;
      w << t * a, lie::so3::tangent(psi(t)) * (psi_1 + 2 * t * psi_2);
      return w;
    };
    const auto R = [&](double t) -> Matrix3 { return R_0 * lie::so3::exp(psi(t)); };
    const auto spin = [&](double t) -> Vector3 {
      return R(t) * inertia.mass_times(v(t)).tail<3>();
    };
    const auto T = [&](double t) { return inertia.kinetic_energy(v(t)); };
    const Vector6 f = inertia.force(v(0), derivative(v));
    linear.compare(f.head<3>(), inertia.mass * a);
    angular.compare(R(0) * f.tail<3>(), derivative(spin));
    power.compare(f.dot(v(0)), derivative(T));
  }
  linear.expect_within(1e-12);
  angular.expect_within(1e-10);
  power.expect_within(1e-10);
}

TEST(RigidInertia, PointMassHasNoMomentum) {
  const RigidInertia inertia{0, 2, Matrix3::Zero()};
  Vector6 v;
  v << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(inertia.kinetic_energy(v), 14);
  EXPECT_TRUE(inertia.force(v, v).tail<3>().isZero(0));
  EXPECT_TRUE(inertia.gyroscopic_matrix(v).isZero(0));
}

}  // namespace rigid_inertia_test
}  // namespace saltus
