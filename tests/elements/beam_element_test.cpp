// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/beam_element.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "saltus/linalg/decompositions.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace beam_element_test {

using namespace test;

constexpr int samples = 60;
constexpr double pi = std::numbers::pi;

Vector6 stiffnesses(double EA, double GA, double GJ, double EI) {
  Vector6 k;
  k << EA, GA, GA, GJ, EI, EI;
  return k;
}

/// Calls check(element, pair, v, random): small and large relative rotations, up to 2.8 rad.
template <class Check>
void at_random_states(const Check& check) {
  Random random(11);
  for (int sample = 0; sample < samples; ++sample) {
    BeamElement e;
    e.length = random.uniform(0.5, 2);
    e.stiffness = random.vector_x(6).cwiseAbs() + Vector6::Constant(0.5);
    e.damping_time = random.uniform(0.1, 1);
    e.rest = random.vector_x(6, 0.5);
    const NodePose A = random.pose();
    const double angle = sample % 2 == 0 ? 0.01 : 2.8;
    const NodePose B = NodePose::from(A.x + random.vector(), A.R * random.rotation(angle));
    check(e, NodePair{A, B}, random.velocity(), random);
  }
}

// One element.

/// The numbers of an independent implementation.
TEST(BeamElement, GivesTheReferenceNumbersOfOneElement) {
  const NodePose A = NodePose::from({1, 2, 3}, lie::so3::exp(Vector3(0.1, 0.2, 0.3)));
  const NodePose B = NodePose::from(A.x + A.R * Vector3(1.1, 0.2, -0.1),
                                    A.R * lie::so3::exp(Vector3(-0.3, 0.4, 0.5)));
  BeamElement e;
  e.length = 1;
  e.stiffness << 5, 3, 2, 1, 4, 6;
  e.rest << 1, 0, 0, 0, 0, 0;

  Vector6 h;
  h << 1.131343371168, -0.07848795292, 0.141596385036, -0.3, 0.4, 0.5;
  EXPECT_LE((e.strain({A, B}) - (h - e.rest)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(e.energy({A, B}), 1.1874177772601, 1e-13);
  Vector12 internal;
  internal << -0.742616181239, -0.192460657344, -0.026643627283, 0.139134465973, -1.885040177127,
      -2.726586307352, 0.742616181239, 0.192460657344, 0.026643627283, -0.550248076376,
      1.362439707533, 3.301432421446;
  const auto f = e.forces({A, B}, Vector12::Ones());
  EXPECT_LE((f.elastic + internal).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(f.damping.isZero(0));
  const auto t = e.tangents({A, B}, Vector12::Ones());
  EXPECT_NEAR(t.K.trace(), 44.4946828034, 1e-10);
  EXPECT_NEAR(t.K.norm(), 20.5326692474, 1e-10);
  EXPECT_TRUE(t.C.isZero(0));
}

TEST(BeamElement, ElasticForceIsMinusTheEnergysDerivative) {
  Agreement agreement("force");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto energy = [&](const NodePair& p) { return one(e.energy(p)); };
    agreement.compare(e.forces(pair, v).elastic, -pose_derivative(energy, pair).transpose());
  });
  agreement.expect_within(1e-10);
}

TEST(BeamElement, StiffnessIsMinusTheForcesDerivative) {
  Agreement elastic("elastic"), damped("damped");
  at_random_states([&](BeamElement e, const NodePair& pair, const Vector12& v, Random&) {
    const auto force = [&](const NodePair& p) -> VectorX {
      const auto f = e.forces(p, v);
      return f.elastic + f.damping;
    };
    damped.compare(e.tangents(pair, v).K, -pose_derivative(force, pair));
    e.damping_time = 0;
    elastic.compare(e.tangents(pair, v).K, -pose_derivative(force, pair));
  });
  elastic.expect_within(1e-10);
  damped.expect_within(1e-10);
}

TEST(BeamElement, DampingIsMinusTheForcesDerivative) {
  Agreement agreement("damping");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto force = [&](const VectorX& w) -> VectorX {
      const auto f = e.forces(pair, w);
      return f.elastic + f.damping;
    };
    agreement.compare(e.tangents(pair, v).C, -vector_derivative(force, v));
  });
  agreement.expect_within(1e-11);
}

TEST(BeamElement, StiffnessIsSymmetricUpToTheEndMoments) {
  Agreement agreement("structure");
  at_random_states([&](BeamElement e, const NodePair& pair, const Vector12& v, Random&) {
    e.damping_time = 0;
    const Matrix12 K = e.tangents(pair, v).K;
    const Vector12 f = -e.forces(pair, v).elastic;
    Matrix12 expected = Matrix12::Zero();
    expected.block<3, 3>(3, 3) = lie::hat(f.segment<3>(3));
    expected.block<3, 3>(9, 9) = lie::hat(f.tail<3>());
    agreement.compare(K - K.transpose(), expected);
  });
  agreement.expect_within(1e-12);
}

TEST(BeamElement, RigidMotionChangesNothing) {
  Agreement strain("strain"), damping("damping");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12&, Random& r) {
    const Matrix3 R = r.rotation();
    const Vector3 x = r.vector();
    const NodePose A = carried(pair.A, R, x), B = carried(pair.B, R, x);
    strain.compare(e.strain({A, B}), e.strain(pair));
    const Vector12 v = rigid_velocity(pair, r.vector(), r.vector());
    damping.compare(e.forces(pair, v).damping, Vector12::Zero());
  });
  strain.expect_within(1e-13);
  damping.expect_within(1e-12);
}

TEST(BeamElement, IsWithoutStrainInItsReferenceAndAfterItsRotation) {
  Agreement strain("strain"), force("force");
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    const NodePose A = random.pose();
    const NodePose B = NodePose::from(A.x + A.R * Vector3(1, 0.2, 0.1), A.R * random.rotation(1));
    const BeamElement e = make_beam_element(0, 1, {A, B}, stiffnesses(1, 1, 1, 1));
    strain.compare(e.strain({A, B}), Vector6::Zero());
    const Matrix3 R = random.rotation();
    const NodePose A_1 = carried(A, R, random.vector(9)), B_1 = carried(B, R, A_1.x - R * A.x);
    strain.compare(e.strain({A_1, B_1}), Vector6::Zero());
    force.compare(e.forces({A_1, B_1}, Vector12::Zero()).elastic, Vector12::Zero());
  }
  strain.expect_within(1e-12);
  force.expect_within(1e-12);
}

TEST(BeamElement, ForcesAndMomentsBalance) {
  Agreement agreement("resultant");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto f = e.forces(pair, v);
    agreement.compare(resultant(pair, f.elastic), Vector6::Zero());
    agreement.compare(resultant(pair, f.damping), Vector6::Zero());
    EXPECT_TRUE((f.elastic.head<3>() + f.elastic.segment<3>(6)).isZero(0));
  });
  agreement.expect_within(2e-12);
}

TEST(BeamElement, PowerIsWhatItStoresAndLoses) {
  Agreement elastic("elastic"), viscous("viscous");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const auto f = e.forces(pair, v);
    const auto energy = [&](double t) { return e.energy(MovedPair(pair, v, t).pair()); };
    const auto strain = [&](double t) -> Vector6 { return e.strain(MovedPair(pair, v, t).pair()); };
    const Vector6 rate = derivative(strain, 3e-4);
    const double lost = e.damping_time * e.length * rate.dot(e.stiffness.cwiseProduct(rate));
    elastic.compare(f.elastic.dot(v), -derivative(energy, 3e-4));
    viscous.compare(f.damping.dot(v), -lost);
    EXPECT_LE(f.damping.dot(v), 0);
  });
  elastic.expect_within(1e-10);
  viscous.expect_within(1e-10);
}

TEST(BeamElement, EndResultantsAreTheForcesOnTheNodes) {
  Agreement agreement("ends");
  at_random_states([&](const BeamElement& e, const NodePair& pair, const Vector12& v, Random&) {
    const Vector12 f = e.forces(pair, v).elastic, ends = e.end_resultants(pair);
    agreement.compare(pair.A.R * ends.head<3>(), f.head<3>());
    agreement.compare(ends.segment<3>(3), f.segment<3>(3));
    agreement.compare(pair.B.R * ends.segment<3>(6), -f.segment<3>(6));
    agreement.compare(ends.tail<3>(), -f.tail<3>());
  });
  agreement.expect_within(1e-12);
}

TEST(BeamElement, ResultantsOfAShearedCantileverAreThoseOfStatics) {
  const double P = 1e-6, L = 2;
  const NodePose A, tip = NodePose::from({L, 0, 0}, Matrix3::Identity());
  const BeamElement e = make_beam_element(0, 1, {A, tip}, stiffnesses(100, 100, 1, 1));
  Vector6 load = Vector6::Zero();
  load[1] = P;
  const Matrix12 K = e.tangents({A, tip}, Vector12::Zero()).K;
  const Vector6 u = linalg::solve(K.bottomRightCorner<6, 6>(), load);
  const NodePose B = tip.moved(u.head<3>(), u.tail<3>());
  EXPECT_NEAR(e.resultants({A, B})[1], P, 1e-11);
  EXPECT_NEAR(e.resultants({A, B})[5], P * L / 2, 1e-11);
  EXPECT_NEAR(e.end_resultants({A, B})[5], P * L, 1e-11);
  EXPECT_NEAR(e.end_resultants({A, B})[11], 0, 1e-11);
}

TEST(BeamElement, LengthOfACurvedPieceIsThatOfItsArc) {
  const double radius = 3, angle = 0.8;
  const NodePose B = NodePose::from(radius * Vector3(std::sin(angle), 1 - std::cos(angle), 0),
                                    lie::so3::exp(Vector3(0, 0, angle)));
  const BeamElement e = make_beam_element(0, 1, {NodePose{}, B}, stiffnesses(1, 1, 1, 1));
  Vector6 h;
  h << radius * angle, 0, 0, 0, 0, angle;
  EXPECT_NEAR(e.length, radius * angle, 1e-15);
  EXPECT_LE((e.rest - h).norm(), 1e-15);
}

// Cantilevers: a chain of elements whose first node is held.

struct Cantilever {
  std::vector<NodePose> nodes;
  std::vector<BeamElement> elements;
  double largest_turn = 0.5;  ///< of a node in a Newton iteration, rad

  /// Nodes on an arc in the plane xy, tangent to x at the clamp; straight if the angle is zero.
  Cantilever(int n, double length, double angle, const Vector6& stiffness, bool correction = true) {
    for (int i = 0; i <= n; ++i) {
      Vector6 h = Vector6::Zero();
      h[0] = length * i / n;
      h[5] = angle * i / n;
      const Matrix3 T = lie::so3::tangent(h.tail<3>());
      nodes.push_back(NodePose::from(T.transpose() * h.head<3>(), lie::so3::exp(h.tail<3>())));
    }
    for (int i = 0; i < n; ++i) {
      elements.push_back(make_beam_element(i, i + 1, pair(i), stiffness,
                                           {.residual_bending_flexibility = correction}));
    }
  }

  NodePair pair(int i) const { return {nodes[i], nodes[i + 1]}; }
  Vector3 tip() const { return nodes.back().x; }

  Eigen::MatrixXd stiffness() const {
    const auto n = static_cast<Eigen::Index>(nodes.size()) * 6;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    for (const BeamElement& e : elements) {
      K.block<12, 12>(6 * e.node_A, 6 * e.node_A) += e.tangents(pair(e.node_A), Vector12::Zero()).K;
    }
    return K.bottomRightCorner(n - 6, n - 6);
  }

  VectorX forces() const {
    const auto n = static_cast<Eigen::Index>(nodes.size()) * 6;
    VectorX f = VectorX::Zero(n);
    for (const BeamElement& e : elements) {
      f.segment<12>(6 * e.node_A) += e.forces(pair(e.node_A), Vector12::Zero()).elastic;
    }
    return f.tail(n - 6);
  }

  /// Newton's method for a dead force, and a moment in the axes of the last node, at the tip.
  /// Returns the number of iterations, or 0 if it does not converge.
  int solve(const Vector6& load) {
    for (int iteration = 1; iteration <= 100; ++iteration) {
      VectorX r = forces();
      r.tail<6>() += load;
      VectorX step = linalg::solve(stiffness(), r);
      double turn = 0;
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        turn = std::max(turn, step.segment<3>(6 * static_cast<int>(i) - 3).norm());
      }
      if (turn > largest_turn) step *= largest_turn / turn;
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        const Vector6 s = step.segment<6>(6 * static_cast<int>(i) - 6);
        nodes[i] = nodes[i].moved(s.head<3>(), s.tail<3>());
      }
      if (step.cwiseAbs().maxCoeff() < 1e-12 * elements[0].length * double(elements.size())) {
        return iteration;
      }
    }
    return 0;
  }
};

Vector6 tip_force(double x, double y, double z) {
  Vector6 load;
  load << x, y, z, 0, 0, 0;
  return load;
}

Vector6 tip_moment(double M) {
  Vector6 load = Vector6::Zero();
  load[5] = M;
  return load;
}

/// Linear deflection under a force along y, over that of Timoshenko's beam.
double deflection_ratio(int n, double slenderness, bool correction) {
  const double h = 1 / slenderness, E = 2.1e11, nu = 0.3;
  const double A = h * h, I = h * h * h * h / 12, GA = 5.0 / 6 * E / (2 * (1 + nu)) * A;
  const Cantilever beam(n, 1, 0, stiffnesses(E * A, GA, 1, E * I), correction);
  VectorX load = VectorX::Zero(6 * n);
  load[6 * n - 5] = 1;
  const VectorX u = linalg::solve(beam.stiffness(), load);
  return u[6 * n - 5] / (1 / (3 * E * I) + 1 / GA);
}

TEST(BeamElement, OneElementBendsExactlyWithTheCorrection) {
  for (const double slenderness : {5.0, 10.0, 100.0, 1e3, 1e4}) {
    EXPECT_NEAR(deflection_ratio(1, slenderness, true), 1, 1e-9) << slenderness;
    EXPECT_NEAR(deflection_ratio(4, slenderness, true), 1, 1e-8) << slenderness;
  }
}

TEST(BeamElement, DoesNotLockWithoutTheCorrection) {
  for (const double slenderness : {1e2, 1e3, 1e4}) {
    EXPECT_NEAR(deflection_ratio(1, slenderness, false), 0.75, 3e-5) << slenderness;
    EXPECT_NEAR(deflection_ratio(4, slenderness, false), 0.984375, 3e-5) << slenderness;
    EXPECT_NEAR(deflection_ratio(16, slenderness, false), 0.99902, 3e-5) << slenderness;
  }
}

TEST(BeamElement, RollsUpToAFullCircle) {
  for (const int n : {3, 5, 8, 10, 20}) {
    for (const bool correction : {false, true}) {
      Cantilever beam(n, 1, 0, stiffnesses(1e3, 1e3, 1, 1), correction);
      EXPECT_GT(beam.solve(tip_moment(2 * pi)), 0) << n;
      EXPECT_LE(beam.tip().norm(), 1e-12) << n;
      EXPECT_LE((beam.nodes.back().R - Matrix3::Identity()).norm(), 1e-12) << n;
    }
  }
}

TEST(BeamElement, BendsToAHalfCircle) {
  for (const int n : {2, 4, 8, 10, 20}) {
    Cantilever beam(n, 1, 0, stiffnesses(1e3, 1e3, 1, 1));
    EXPECT_GT(beam.solve(tip_moment(pi)), 0) << n;
    EXPECT_LE((beam.tip() - Vector3(0, 2 / pi, 0)).norm(), 1e-12) << n;
  }
}

/// |error| of the tip of the elastica with a dead force P across its start.
double elastica_error(int n, double P, bool correction) {
  Cantilever beam(n, 1, 0, stiffnesses(1e7, 1e7, 1, 1), correction);
  EXPECT_GT(beam.solve(tip_force(0, P, 0)), 0) << n << " elements, P = " << P;
  const Vector3 exact =
      P > 5 ? Vector3(0.445004402, 0.810609025, 0) : Vector3(0.943566764, 0.301720774, 0);
  return (beam.tip() - exact).norm();
}

void expect_errors(double P, bool correction, const std::vector<std::pair<int, double>>& errors) {
  for (const auto& [n, error] : errors) {
    // The table has two digits.
    EXPECT_NEAR(elastica_error(n, P, correction), error, 0.05 * error)
        << n << " elements, P = " << P << (correction ? ", corrected" : "");
  }
}

TEST(BeamElement, ElasticaConvergesWithOrder4WithTheCorrection) {
  expect_errors(1, true, {{1, 4.0e-3}, {2, 2.4e-4}, {4, 1.5e-5}, {8, 9.7e-7}, {16, 1.4e-7}});
  expect_errors(10, true, {{1, 2.3e-1}, {2, 7.8e-3}, {4, 3.3e-4}, {8, 1.9e-5}, {16, 1.9e-6}});
}

TEST(BeamElement, ElasticaConvergesWithOrder2WithoutTheCorrection) {
  expect_errors(1, false, {{1, 7.3e-2}, {2, 1.8e-2}, {4, 4.4e-3}, {8, 1.1e-3}, {16, 2.7e-4}});
  expect_errors(10, false, {{2, 5.2e-2}, {4, 1.2e-2}, {8, 3.0e-3}, {16, 7.6e-4}});
}

/// An eighth of a circle of radius 100, its end pulled out of its plane.
TEST(BeamElement, CurvedCantileverGivesTheReferenceNumbers) {
  const double E = 1e7, G = E / 2;
  const auto tips = [&](bool correction) {
    Cantilever beam(8, 100 * pi / 4, pi / 4, stiffnesses(E, G, G / 6, E / 12), correction);
    beam.largest_turn = 0.1;
    EXPECT_GT(beam.solve(tip_force(0, 0, 300)), 0);
    const Vector3 first = beam.tip();
    EXPECT_GT(beam.solve(tip_force(0, 0, 600)), 0);
    return std::pair{first, beam.tip()};
  };
  const auto [at_300, at_600] = tips(false);
  EXPECT_LE((at_300 - Vector3(58.8343, 22.2697, 40.0757)).cwiseAbs().maxCoeff(), 6e-5);
  EXPECT_LE((at_600 - Vector3(47.2318, 15.7111, 53.3332)).cwiseAbs().maxCoeff(), 6e-5);
  const auto [corrected_300, corrected_600] = tips(true);
  EXPECT_LE((corrected_300 - Vector3(58.7801, 22.2452, 40.1967)).cwiseAbs().maxCoeff(), 6e-5);
  EXPECT_LE((corrected_600 - Vector3(47.1494, 15.6841, 53.4830)).cwiseAbs().maxCoeff(), 6e-5);
}

}  // namespace beam_element_test
}  // namespace saltus
