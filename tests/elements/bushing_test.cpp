// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/bushing.hpp"

#include <gtest/gtest.h>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace bushing_test {

using namespace test;

constexpr int samples = 60;

Vector6 positive(Random& random) { return random.vector_x(6).cwiseAbs() + Vector6::Constant(0.5); }

/// The pose of B that puts its frame at `displacement` and `rotation` from frame A.
NodePose placed(const BushingElement& e, const NodePose& A, const Vector3& displacement,
                const Matrix3& rotation) {
  const Matrix3 R = e.frame_A.axes(A) * rotation * e.frame_B.E.transpose();
  return NodePose::from(e.frame_A.point(A) + e.frame_A.axes(A) * displacement - R * e.frame_B.d, R);
}

/// Calls check(bushing, pair, v, random): small and large relative rotations, up to 2.8 rad.
template <class Check>
void at_random_states(const Check& check) {
  Random random(7);
  for (int sample = 0; sample < samples; ++sample) {
    BushingElement bushing;
    bushing.frame_A = random.frame();
    bushing.frame_B = random.frame();
    bushing.stiffness = positive(random);
    bushing.damping = positive(random);
    bushing.rest = random.vector_x(6, 0.5);
    const NodePose A = random.pose();
    const double size = sample % 2 == 0 ? 0.01 : 2.8;
    const NodePose B = placed(bushing, A, random.vector(), random.rotation(size));
    check(bushing, NodePair{A, B}, random.velocity(), random);
  }
}

TEST(Bushing, ElasticForceIsMinusTheEnergysDerivative) {
  Agreement agreement("force");
  at_random_states([&](const BushingElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto energy = [&](const NodePair& p) { return one(e.energy(p)); };
    agreement.compare(e.forces(pair, v).elastic, -pose_derivative(energy, pair).transpose());
  });
  agreement.expect_within(1e-10);
}

TEST(Bushing, StiffnessIsMinusTheForcesDerivative) {
  Agreement agreement("stiffness");
  at_random_states([&](const BushingElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto force = [&](const NodePair& p) -> VectorX {
      const auto f = e.forces(p, v);
      return f.elastic + f.damping;
    };
    agreement.compare(e.tangents(pair, v).K, -pose_derivative(force, pair));
  });
  agreement.expect_within(1e-9);
}

TEST(Bushing, DampingIsMinusTheForcesDerivative) {
  Agreement agreement("damping");
  at_random_states([&](const BushingElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto force = [&](const VectorX& w) -> VectorX {
      const auto f = e.forces(pair, w);
      return f.elastic + f.damping;
    };
    agreement.compare(e.tangents(pair, v).C, -vector_derivative(force, v));
  });
  agreement.expect_within(1e-11);
}

TEST(Bushing, RigidMotionChangesNothing) {
  Agreement deformation("deformation"), damping("damping");
  at_random_states(
      [&](const BushingElement& e, const NodePair& pair, const Vector12&, Random& random) {
        const Matrix3 R = random.rotation();
        const Vector3 x = random.vector();
        const NodePose A = carried(pair.A, R, x), B = carried(pair.B, R, x);
        deformation.compare(e.deformation({A, B}), e.deformation(pair));
        const Vector12 v = rigid_velocity(pair, random.vector(), random.vector());
        damping.compare(e.forces(pair, v).damping, Vector12::Zero());
      });
  deformation.expect_within(1e-13);
  damping.expect_within(1e-12);
}

TEST(Bushing, ForcesAndMomentsBalance) {
  Agreement agreement("resultant");
  at_random_states([&](const BushingElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto f = e.forces(pair, v);
    agreement.compare(resultant(pair, f.elastic), Vector6::Zero());
    agreement.compare(resultant(pair, f.damping), Vector6::Zero());
  });
  agreement.expect_within(1e-12);
}

TEST(Bushing, PowerIsWhatTheSpringStoresAndTheDamperLoses) {
  Agreement elastic("elastic"), viscous("viscous");
  at_random_states([&](const BushingElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto f = e.forces(pair, v);
    const auto energy = [&](double t) { return e.energy(MovedPair(pair, v, t).pair()); };
    const auto h = [&](double t) -> Vector6 { return e.deformation(MovedPair(pair, v, t).pair()); };
    const Vector6 hdot = derivative(h, 3e-4);
    elastic.compare(f.elastic.dot(v), -derivative(energy, 3e-4));
    viscous.compare(f.damping.dot(v), -hdot.dot(e.damping.cwiseProduct(hdot)));
    EXPECT_LE(f.damping.dot(v), 0);
  });
  elastic.expect_within(1e-8);
  viscous.expect_within(1e-8);
}

TEST(Bushing, HasNoForceAtRest) {
  Random random;
  BushingElement e;
  e.frame_A = random.frame();
  e.frame_B = random.frame();
  e.stiffness = positive(random);
  const NodePose A = random.pose(), B = random.pose();
  e.rest = e.deformation({A, B});
  EXPECT_EQ(e.energy({A, B}), 0);
  EXPECT_TRUE(e.deformation({A, B}).isZero(0));
  EXPECT_LE(e.forces({A, B}, Vector12::Zero()).elastic.norm(), 1e-15);
}

TEST(Bushing, StiffnessesActAlongAndAboutTheFirstFramesAxes) {
  Random random;
  for (int axis = 0; axis < 3; ++axis) {
    BushingElement e;
    e.frame_A = random.frame();
    e.frame_B = random.frame();
    e.stiffness << 10, 20, 30, 40, 50, 60;
    const NodePose A = random.pose();
    const Vector3 n = e.frame_A.axes(A).col(axis);
    // A pure displacement: force −k d on B at its frame's origin.
    const NodePose moved = placed(e, A, 0.2 * Vector3::Unit(axis), Matrix3::Identity());
    Vector12 f = e.forces({A, moved}, Vector12::Zero()).elastic;
    EXPECT_LE((f.segment<3>(6) + 0.2 * e.stiffness[axis] * n).norm(), 1e-13);
    const Vector3 arm = e.frame_B.point(moved) - moved.x;
    EXPECT_LE((moved.R * f.tail<3>() - arm.cross(f.segment<3>(6))).norm(), 1e-13);
    // A pure rotation, also a large one: torque −k θ on B, no force.
    const NodePose turned = placed(e, A, Vector3::Zero(), lie::so3::exp(2.5 * Vector3::Unit(axis)));
    f = e.forces({A, turned}, Vector12::Zero()).elastic;
    EXPECT_LE(f.segment<3>(6).norm(), 1e-13);
    EXPECT_LE((turned.R * f.tail<3>() + 2.5 * e.stiffness[axis + 3] * n).norm(), 1e-12);
  }
}

}  // namespace bushing_test
}  // namespace saltus
