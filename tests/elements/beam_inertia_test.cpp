// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/beam_inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "saltus/elements/beam_element.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace beam_inertia_test {

using namespace test;

constexpr int samples = 40;
constexpr BeamMass all_kinds[] = {BeamMass::Consistent, BeamMass::Lumped, BeamMass::Mixed,
                                  BeamMass::Hermite};

BeamInertia piece(BeamMass kind, Random& random) {
  return {.node_A = 0,
          .node_B = 1,
          .mass = random.uniform(0.5, 2),
          .length = random.uniform(0.5, 2),
          .rotary = random.vector().cwiseAbs(),
          .kind = kind};
}

/// Calls check(inertia, pair, v, vdot, random) for every kind of mass.
template <class Check>
void at_random_states(const Check& check) {
  Random random(5);
  for (const BeamMass kind : all_kinds) {
    for (int sample = 0; sample < samples; ++sample) {
      const NodePose A = random.pose(), B = random.pose();
      check(piece(kind, random), NodePair{A, B}, random.velocity(), random.velocity(), random);
    }
  }
}

TEST(BeamInertia, MomentumIsThatOfTheCentreOfMass) {
  Agreement momentum("momentum"), velocity("velocity");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12& v,
                       const Vector12&, Random&) {
    const Vector12 p = e.mass_times(pair, v);
    momentum.compare(p.head<3>() + p.segment<3>(6), e.mass * e.centre_velocity(pair, v));
    const auto centre = [&](double t) -> Vector3 { return e.centre(MovedPair(pair, v, t).pair()); };
    velocity.compare(e.centre_velocity(pair, v), derivative(centre));
  });
  momentum.expect_within(1e-14);
  velocity.expect_within(1e-10);
}

TEST(BeamInertia, MassMatrixIsSymmetricPositiveAndTheDerivativeOfTheForce) {
  Agreement product("product"), derivative_of_force("force"), symmetry("symmetry");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12& v,
                       const Vector12& vdot, Random&) {
    const Matrix12 M = e.mass_matrix(pair);
    product.compare(e.mass_times(pair, v), M * v);
    symmetry.compare(M, M.transpose());
    const auto force = [&](const VectorX& a) -> VectorX { return e.force(pair, v, a); };
    derivative_of_force.compare(M, vector_derivative(force, vdot));
    EXPECT_GT(linalg::symmetric_eigen(M).values[0], 0);
  });
  product.expect_within(1e-14);
  symmetry.expect_within(1e-15);
  derivative_of_force.expect_within(1e-11);
}

TEST(BeamInertia, GyroscopicMatrixIsTheForcesDerivative) {
  Agreement agreement("gyroscopic");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12& v,
                       const Vector12& vdot, Random&) {
    const auto force = [&](const VectorX& w) -> VectorX { return e.force(pair, w, vdot); };
    agreement.compare(e.gyroscopic_matrix(pair, v), vector_derivative(force, v));
  });
  agreement.expect_within(1e-11);
}

TEST(BeamInertia, StiffnessMatrixIsTheForcesDerivative) {
  Agreement agreement("stiffness");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12& v,
                       const Vector12& vdot, Random& random) {
    const Vector3 g = random.vector(9);
    const auto force = [&](const NodePair& p) -> VectorX {
      return e.force(p, v, vdot) - e.weight(p, g);
    };
    agreement.compare(e.stiffness_matrix(pair, v, vdot, g), pose_derivative(force, pair));
  });
  agreement.expect_within(1e-11);
}

TEST(BeamInertia, OnlyTheHermiteMassDependsOnTheConfiguration) {
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12&, const Vector12&,
                       Random& random) {
    const NodePose A = random.pose(), B = random.pose();
    EXPECT_EQ(e.is_constant(), e.mass_matrix(pair) == e.mass_matrix({A, B}));
  });
}

TEST(BeamInertia, WeightIsMinusTheGravityEnergysDerivative) {
  Agreement agreement("weight");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12&, const Vector12&,
                       Random& random) {
    const Vector3 g = random.vector(9);
    const auto energy = [&](const NodePair& p) { return one(e.gravity_energy(p, g)); };
    agreement.compare(e.weight(pair, g), -pose_derivative(energy, pair).transpose());
  });
  agreement.expect_within(1e-11);
}

TEST(BeamInertia, WeightIsTheForceOfAnAccelerationOfTheWholePiece) {
  Agreement agreement("weight");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12&, const Vector12&,
                       Random& random) {
    const Vector3 g = random.vector(9);
    Vector12 vdot;
    vdot << g, Vector3::Zero(), g, Vector3::Zero();
    agreement.compare(e.weight(pair, g), e.force(pair, Vector12::Zero(), vdot));
  });
  agreement.expect_within(1e-14);
}

TEST(BeamInertia, PowerIsTheRateOfTheKineticEnergy) {
  Agreement agreement("power");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12& v,
                       const Vector12& vdot, Random&) {
    const auto energy = [&](double t) {
      // The poses need not have the acceleration: it does not change the first derivative.
      return e.kinetic_energy(MovedPair(pair, v, t).pair(), v + t * vdot);
    };
    agreement.compare(e.force(pair, v, vdot).dot(v), derivative(energy, 1e-3));
  });
  agreement.expect_within(1e-9);
}

TEST(BeamInertia, StraightHermitePieceMovesAsARigidRod) {
  Agreement energy("energy"), momentum("momentum"), centre("centre"), convective("convective");
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    BeamInertia e = piece(BeamMass::Hermite, random);
    e.rotary.setZero();
    const double m = e.mass, L = e.length;
    const NodePose A = random.pose();
    const Vector3 n = A.R.col(0);
    const NodePose B = A.translated(L * n);
    const Vector3 w = random.vector(3), u = random.vector();
    const Vector12 v = rigid_velocity({A, B}, u, w);
    const Vector3 v_C = u + w.cross(A.x + L / 2 * n);
    const double turning = m * L * L / 12 * n.cross(w).squaredNorm();
    energy.compare(e.kinetic_energy({A, B}, v), (m * v_C.squaredNorm() + turning) / 2);
    const Vector12 p = e.mass_times({A, B}, v);
    momentum.compare(p.head<3>() + p.segment<3>(6), m * v_C);
    centre.compare(e.gravity_energy({A, B}, Vector3::UnitZ()), -m * (A.x + L / 2 * n).z());

    // Steady rotation: the resultant force and moment of the centripetal acceleration.
    Vector12 vdot = Vector12::Zero();
    vdot.head<3>() = w.cross(w.cross(A.x));
    vdot.segment<3>(6) = w.cross(w.cross(B.x));
    const Vector3 a_C = w.cross(w.cross(A.x + L / 2 * n));
    Vector6 expected;
    expected << m * a_C,
        m * (A.x + L / 2 * n).cross(a_C) + m * L * L / 12 * n.cross(w.cross(w.cross(n)));
    convective.compare(resultant({A, B}, e.force({A, B}, v, vdot)), expected);
  }
  energy.expect_within(1e-14);
  momentum.expect_within(1e-14);
  centre.expect_within(1e-14);
  convective.expect_within(1e-13);
}

TEST(BeamInertia, TranslationOfEveryKindHasTheWholeMass) {
  Agreement agreement("momentum");
  at_random_states([&](const BeamInertia& e, const NodePair& pair, const Vector12&, const Vector12&,
                       Random& random) {
    const Vector3 u = random.vector();
    Vector12 v;
    v << u, Vector3::Zero(), u, Vector3::Zero();
    const Vector12 p = e.mass_times(pair, v);
    agreement.compare(p.head<3>() + p.segment<3>(6), e.mass * u);
    agreement.compare(e.kinetic_energy(pair, v), e.mass * u.squaredNorm() / 2);
  });
  agreement.expect_within(1e-14);
}

TEST(BeamInertia, MixedIsTheMeanOfConsistentAndLumped) {
  const NodePose A, B;
  const auto M = [&](BeamMass kind) {
    return BeamInertia{.mass = 12, .length = 1, .rotary = {1, 2, 3}, .kind = kind}.mass_matrix(
        {A, B});
  };
  const Matrix12 mean = (M(BeamMass::Consistent) + M(BeamMass::Lumped)) / 2;
  EXPECT_LE((M(BeamMass::Mixed) - mean).norm(), 1e-14);
  EXPECT_EQ(M(BeamMass::Consistent)(0, 0), 4);
  EXPECT_EQ(M(BeamMass::Consistent)(0, 6), 2);
  EXPECT_EQ(M(BeamMass::Lumped)(0, 0), 6);
  EXPECT_EQ(M(BeamMass::Lumped)(3, 3), 1);
  EXPECT_EQ(M(BeamMass::Lumped)(11, 11), 3);
}

// Angular frequencies of a steel cantilever of length 1.

/// All of them, increasing, rad/s.
VectorX frequencies(int n, const RectangularSection& shape, bool correction, BeamMass kind) {
  const ElasticMaterial steel{.young_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7800};
  const SectionProperties section = properties(shape, steel.poisson_ratio);
  const double L = 1.0 / n;
  const NodePose A, B = NodePose::from({L, 0, 0}, Matrix3::Identity());
  const BeamElement e = make_beam_element(0, 1, {A, B}, section_stiffness(section, steel),
                                          {.residual_bending_flexibility = correction});
  const BeamInertia inertia{.mass = steel.density * section.area * L,
                            .length = L,
                            .rotary = rotary_inertia(section, steel) * L / 2,
                            .kind = kind};
  const Matrix12 K_e = e.tangents({A, B}, Vector12::Zero()).K, M_e = inertia.mass_matrix({A, B});
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 * n + 6, 6 * n + 6), M = K;
  for (int i = 0; i < n; ++i) {
    K.block<12, 12>(6 * i, 6 * i) += K_e;
    M.block<12, 12>(6 * i, 6 * i) += M_e;
  }
  return linalg::symmetric_eigen(K.bottomRightCorner(6 * n, 6 * n),
                                 M.bottomRightCorner(6 * n, 6 * n))
      .values.cwiseSqrt();
}

const RectangularSection flat{.width = 0.01, .height = 0.02};

void expect_lowest(const VectorX& omega, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(omega[static_cast<int>(i)], expected[i], 1e-6);  // the digits of the table
  }
}

TEST(BeamInertia, CantileverHasTheTabulatedFrequencies) {
  const VectorX corrected = frequencies(8, flat, true, BeamMass::Consistent);
  expect_lowest(corrected, {52.600418, 105.175757, 335.389142, 669.643382, 975.814988});
  EXPECT_NEAR(corrected[47], 1.41963e5, 0.6);
  const VectorX plain = frequencies(8, flat, false, BeamMass::Consistent);
  expect_lowest(plain, {52.759532, 105.493735, 342.778502, 684.342991, 1031.831393});
  EXPECT_NEAR(plain[47], 1.01298e6, 6);
  expect_lowest(frequencies(8, flat, false, BeamMass::Lumped), {52.442580, 104.860244, 328.730410});
}

TEST(BeamInertia, CantileverWithTheHermiteMassHasTheTabulatedFrequencies) {
  expect_lowest(frequencies(4, flat, true, BeamMass::Hermite),
                {52.662594, 105.300146, 330.252452, 659.438514, 930.151695});
  const VectorX omega = frequencies(8, flat, true, BeamMass::Hermite);
  expect_lowest(omega, {52.660962, 105.296769, 329.890635, 658.693267, 923.508929});
  EXPECT_NEAR(omega[47], 1.179e5, 60);
}

/// Relative error of the frequency nearest to the exact one.
double error(const VectorX& omega, double exact) {
  Eigen::Index nearest = 0;
  (omega.array() - exact).abs().minCoeff(&nearest);
  return omega[nearest] / exact - 1;
}

TEST(BeamInertia, FrequenciesConvergeToThoseOfTimoshenkosBeam) {
  const double bending[] = {52.660846, 329.862708, 922.915464}, axial = 8150.461927;
  // With the Hermite mass with order 4 in bending: the errors of the table, two digits.
  const double errors[3][3] = {
      {3.3e-5, 1.2e-3, 7.8e-3}, {2.2e-6, 8.5e-5, 6.4e-4}, {1.6e-7, 6.3e-6, 4.9e-5}};
  for (int i = 0; i < 3; ++i) {
    const VectorX omega = frequencies(4 << i, flat, true, BeamMass::Hermite);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(error(omega, bending[k]), errors[i][k], 0.05 * errors[i][k] + 1e-8);
    }
  }
  // Axial: consistent too high, mixed with order 4.
  EXPECT_NEAR(error(frequencies(8, flat, true, BeamMass::Consistent), axial), 1.6e-3, 5e-5);
  EXPECT_NEAR(error(frequencies(8, flat, true, BeamMass::Lumped), axial), -1.6e-3, 5e-5);
  EXPECT_NEAR(error(frequencies(8, flat, true, BeamMass::Mixed), axial), -3.1e-6, 5e-8);
}

TEST(BeamInertia, ThickBeamsHaveTheFrequenciesOfTimoshenkosBeam) {
  const VectorX slender = frequencies(8, {0.1, 0.1}, true, BeamMass::Hermite);
  EXPECT_NEAR(error(slender, 522.507336), 1.4e-5, 1e-6);
  EXPECT_NEAR(error(slender, 3131.566840), 4.9e-4, 1e-5);
  EXPECT_NEAR(error(slender, 8236.498924), 3.1e-3, 1e-4);
  const VectorX thick = frequencies(8, {0.2, 0.2}, true, BeamMass::Hermite);
  EXPECT_NEAR(error(thick, 1021.476734), 4.8e-5, 1e-6);
  EXPECT_NEAR(error(thick, 5501.257593), 1.2e-3, 1e-4);
  EXPECT_NEAR(error(thick, 13094.032210), 6.1e-3, 1e-4);
}

}  // namespace beam_inertia_test
}  // namespace saltus
