// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/bar_element.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "saltus/elements/beam_inertia.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace bar_element_test {

using namespace test;

/// Calls check(element, pair, v, random).
template <class Check>
void at_random_states(const Check& check) {
  Random random(3);
  for (int sample = 0; sample < 40; ++sample) {
    const BarElement e{.direction = random.direction(),
                       .length = random.uniform(0.5, 2),
                       .stiffness = random.uniform(1, 5),
                       .damping_time = random.uniform(0.1, 1)};
    const NodePose A = random.pose(), B = random.pose();
    check(e, NodePair{A, B}, random.velocity(), random);
  }
}

TEST(BarElement, ElasticForceIsMinusTheEnergysDerivative) {
  Agreement agreement("force");
  at_random_states([&](const BarElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto energy = [&](const NodePair& p) { return one(e.energy(p)); };
    agreement.compare(e.forces(pair, v).elastic, -pose_derivative(energy, pair).transpose());
  });
  agreement.expect_within(1e-11);
}

TEST(BarElement, TangentsAreMinusTheForcesDerivatives) {
  Agreement stiffness("stiffness"), damping("damping");
  at_random_states([&](const BarElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto force = [&](const NodePair& p, const Vector12& w) -> VectorX {
      const auto f = e.forces(p, w);
      return f.elastic + f.damping;
    };
    const auto t = e.tangents();
    stiffness.compare(t.K, -pose_derivative([&](const NodePair& p) { return force(p, v); }, pair));
    damping.compare(t.C, -vector_derivative([&](const VectorX& w) { return force(pair, w); }, v));
  });
  stiffness.expect_within(1e-11);
  damping.expect_within(1e-11);
}

TEST(BarElement, DampingLosesWhatTheStrainRateSays) {
  Agreement agreement("power");
  at_random_states([&](const BarElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const double rate = e.direction.dot(v.segment<3>(6) - v.head<3>()) / e.length;
    agreement.compare(e.forces(pair, v).damping.dot(v),
                      -e.damping_time * e.stiffness * e.length * rate * rate);
  });
  agreement.expect_within(1e-14);
}

TEST(BarElement, PullsBackByTheEngineeringStrain) {
  const BarElement e{.direction = Vector3::UnitZ(), .length = 2, .stiffness = 900};
  const NodePose A = NodePose::from({1, 2, 3}, Matrix3::Identity());
  EXPECT_EQ(e.strain({A, A.translated({0, 0, 2})}), 0);
  for (const double elongation : {-1.0, 0.5, 2.0}) {
    const NodePose B = A.translated({0, 0, 2 + elongation});
    EXPECT_DOUBLE_EQ(e.resultant({A, B}), 900 * elongation / 2);
    const auto f = e.forces({A, B}, Vector12::Zero());
    EXPECT_DOUBLE_EQ(f.elastic[2], 900 * elongation / 2);
    EXPECT_DOUBLE_EQ(f.elastic[8], -900 * elongation / 2);
    EXPECT_TRUE(f.damping.isZero(0));
  }
}

TEST(BarElement, MotionAcrossTheLineDoesNothing) {
  at_random_states([&](const BarElement& e, const NodePair& pair, const Vector12&, Random& random) {
    const Vector3 across = e.direction.cross(random.vector());
    const NodePose B = pair.B.moved(across, random.vector());
    EXPECT_NEAR(e.strain({pair.A, B}), e.strain(pair), 1e-14);
  });
}

/// First axial frequency of a bar held at one end, over the exact (π/2) √(E/ρ)/L.
double first_frequency_ratio(int n, BeamMass kind) {
  const BarElement e{.length = 1.0 / n, .stiffness = 900};
  const BeamInertia inertia{.mass = 1.0 / n, .length = 1.0 / n, .kind = kind};
  const NodePose any;
  const Matrix12 K_e = e.tangents().K, M_e = inertia.mass_matrix({any, any});
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 1, n + 1), M = K;
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        K(i + a, i + b) += K_e(6 * a, 6 * b);
        M(i + a, i + b) += M_e(6 * a, 6 * b);
      }
    }
  }
  const VectorX values =
      linalg::symmetric_eigen(K.bottomRightCorner(n, n), M.bottomRightCorner(n, n)).values;
  return std::sqrt(values[0]) / (std::numbers::pi / 2 * 30);
}

TEST(BarElement, FrequenciesAreThoseOfTheDiscreteBar) {
  // A wave of phase x per element; the masses of a node and of its neighbours add up to 1.
  const int n = 8;
  const double x = std::numbers::pi / (2 * n), c = std::cos(x);
  const auto ratio = [&](double own) { return std::sqrt(2 * (1 - c) / (own + (1 - own) * c)) / x; };
  EXPECT_NEAR(first_frequency_ratio(n, BeamMass::Consistent), ratio(2.0 / 3), 1e-12);
  EXPECT_NEAR(first_frequency_ratio(n, BeamMass::Lumped), ratio(1), 1e-12);
  EXPECT_NEAR(first_frequency_ratio(n, BeamMass::Mixed), ratio(5.0 / 6), 1e-12);
  EXPECT_NEAR(ratio(5.0 / 6), 1, 4e-6);
}

}  // namespace bar_element_test
}  // namespace saltus
