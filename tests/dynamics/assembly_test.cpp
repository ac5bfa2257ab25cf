// SPDX-License-Identifier: Apache-2.0
// The Newton matrices of a System against finite differences of the residuals they linearise, for
// models with every kind of joint and force element.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/dynamics/system.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random.hpp"
#include "tests/support/zoo.hpp"

namespace saltus {
namespace assembly_test {

using namespace test;
using Eigen::MatrixXd;

constexpr unsigned models = 8;
constexpr double step = 5e-4;  // of the stencil

/// Joint axes near a right angle to each other make angles steep: no place for a stencil.
bool is_steep(const System& system, const Configuration& q) {
  for (const JointEntry& joint : system.elements().joints) {
    const JointElement& e = joint.element;
    if (!e.angle) continue;
    const NodePair pair{q.nodes[static_cast<std::size_t>(e.node_A)],
                        q.nodes[static_cast<std::size_t>(e.node_B)]};
    const Dot1 sine{e.angle->a2, e.angle->b1}, cosine{e.angle->a1, e.angle->b1};
    if (std::hypot(sine.value(pair), cosine.value(pair)) < 0.4) return true;
  }
  return false;
}

/// One model at a random state: q̃ = q_n ∘ exp(increment), velocities, multipliers.
struct Setting {
  System system;
  Random random;
  Configuration q_n, q;
  VectorX increment, v, vdot, lambda, nu;
  std::vector<Matrix3> T;
  Instant at{.time = 0.35, .load_factor = 0.8};

  explicit Setting(unsigned seed, double turn)
      : system(Zoo(seed).model()),
        random(seed + 100),
        T(system.nodes().size(), Matrix3::Identity()) {
    const int n = system.velocities(), m = system.constraints();
    do {
      q_n = perturbed(system, random, 0.2);
      for (double& angle : q_n.angles) angle = random.uniform(-10, 10);
      increment = random.vector_x(n, turn);
      q = q_n;
      advance(q_n, system.nodes(), increment, q);
    } while (is_steep(system, q));
    v = random.vector_x(n, 2);
    vdot = random.vector_x(n, 2);
    lambda = random.vector_x(m, 3);
    nu = random.vector_x(m, 3);
    tangent_operators(system.nodes(), increment, T);
  }

  VectorX residual(const Configuration& at_q, const VectorX& at_v, const VectorX& at_vdot,
                   const VectorX& at_lambda) const {
    ForceTerms terms;
    VectorX r;
    system.forces(at_q, at_v, at_vdot, at, at_lambda, terms);
    terms.residual(r);
    return r;
  }
  VectorX mass_times(const VectorX& x) const {
    VectorX y;
    system.mass_times(q, x, y);
    return y;
  }
  VectorX constraint_force(const Configuration& at_q, const VectorX& at_lambda) const {
    VectorX f = VectorX::Zero(system.velocities());
    system.add_constraint_forces(at_q, at_lambda, f);
    return f;
  }
  VectorX constraints(const Configuration& at_q) const {
    VectorX g;
    system.constraints(at_q, at.time, g);
    return g;
  }
  VectorX rates(const Configuration& at_q, const VectorX& at_v) const {
    VectorX g;
    system.constraint_rates(at_q, at_v, at.time, g);
    return g;
  }
  MatrixXd matrix(const VectorX& at_lambda, const VectorX& at_vdot, const Linearization& l) const {
    linalg::SparseMatrix S(system.pattern());
    system.assemble(q, v, at_vdot, at, at_lambda, l, S);
    return S.to_dense();
  }
};

/// The blocks of one matrix against those of the finite differences; the block of the multipliers
/// is zero but for the small regularisation, which is larger where a stiffness makes the diagonal
/// small.
class Comparison {
 public:
  void operator()(const Setting& s, const MatrixXd& S, const MatrixXd& D) {
    const int n = s.system.velocities(), m = s.system.constraints();
    forces_.compare(S.topLeftCorner(n, n), D.topLeftCorner(n, n));
    columns_.compare(S.topRightCorner(n, m), D.topRightCorner(n, m));
    rows_.compare(S.bottomLeftCorner(m, n), D.bottomLeftCorner(m, n));
    regularization_.compare(S.bottomRightCorner(m, m), MatrixXd::Zero(m, m));
  }
  void expect_within(double tolerance) const {
    forces_.expect_within(tolerance);
    columns_.expect_within(tolerance);
    rows_.expect_within(tolerance);
    regularization_.expect_within(1e-6);
  }

 private:
  Agreement forces_{"forces"}, columns_{"columns"}, rows_{"rows"},
      regularization_{"regularization"};
};

/// (S): M v̇ − f(q̃, ṽ) − G̃ᵀλ̃ and −(G̃ ṽ + ∂g/∂t) as functions of ṽ and λ̃, q̃ and v̇ following ṽ.
void compare_smooth_motion(const Setting& s, Comparison& comparison) {
  const double to_position = 0.3, to_acceleration = 1.7;
  const int n = s.system.velocities(), m = s.system.constraints();
  const auto residual = [&](const VectorX& x) -> VectorX {
    const VectorX dv = x.head(n) - s.v;
    Configuration q = s.q_n;
    advance(s.q_n, s.system.nodes(), s.increment + to_position * dv, q);
    VectorX r(n + m);
    r << s.residual(q, x.head(n), s.vdot + to_acceleration * dv, x.tail(m)), -s.rates(q, x.head(n));
    return r;
  };
  VectorX x(n + m);
  x << s.v, s.lambda;
  const MatrixXd S = s.matrix(s.lambda, s.vdot,
                              {.mass = to_acceleration,
                               .damping = 1,
                               .stiffness = to_position,
                               .rows = Linearization::Rows::Velocity,
                               .tangent_operators = &s.T});
  comparison(s, S, vector_derivative(residual, x, step));
}

/// (P): M U − h² (f(q, ṽ) + Gᵀλ̃) − Gᵀν and −g(q̃ ∘ exp U) as functions of U and ν.
void compare_position_correction(const Setting& s, Comparison& comparison) {
  const double h = 0.6;
  const int n = s.system.velocities(), m = s.system.constraints();
  const VectorX zero = VectorX::Zero(n);
  const auto residual = [&](const VectorX& x) -> VectorX {
    Configuration q = s.q_n;
    advance(s.q_n, s.system.nodes(), x.head(n), q);
    VectorX r(n + m);
    r << s.mass_times(x.head(n)) + h * h * s.residual(q, s.v, zero, s.lambda) -
             s.constraint_force(q, x.tail(m)),
        -s.constraints(q);
    return r;
  };
  VectorX x(n + m);
  x << s.increment, s.nu;
  const MatrixXd S = s.matrix(s.lambda + s.nu / (h * h), zero,
                              {.mass = 1,
                               .damping = 0,
                               .stiffness = h * h,
                               .rows = Linearization::Rows::Position,
                               .tangent_operators = &s.T});
  comparison(s, S, vector_derivative(residual, x, step));
}

TEST(Assembly, SmoothMotionIsLinearisedExactly) {
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed)
    compare_smooth_motion(Setting(seed, 0.1), comparison);
  comparison.expect_within(1e-9);
}

TEST(Assembly, SmoothMotionWithLargeRotationsIsLinearisedExactly) {
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed)
    compare_smooth_motion(Setting(seed, 1.0), comparison);
  comparison.expect_within(1e-9);
}

TEST(Assembly, PositionCorrectionIsLinearisedExactly) {
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed) {
    compare_position_correction(Setting(seed, 0.1), comparison);
  }
  comparison.expect_within(1e-9);
}

TEST(Assembly, PositionCorrectionWithLargeRotationsIsLinearisedExactly) {
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed) {
    compare_position_correction(Setting(seed, 1.0), comparison);
  }
  comparison.expect_within(1e-9);
}

// (V): M W − h (f(q, ṽ + W) + Gᵀλ̃) − GᵀΛ and −(G (ṽ + W) + ∂g/∂t) as functions of W and Λ.
TEST(Assembly, VelocityCorrectionIsLinearisedExactly) {
  const double h = 0.6;
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed) {
    const Setting s(seed, 0.5);
    const int n = s.system.velocities(), m = s.system.constraints();
    const VectorX zero = VectorX::Zero(n);
    const auto residual = [&](const VectorX& x) -> VectorX {
      const VectorX v = s.v + x.head(n);
      VectorX r(n + m);
      r << s.mass_times(x.head(n)) + h * s.residual(s.q, v, zero, s.lambda) -
               s.constraint_force(s.q, x.tail(m)),
          -s.rates(s.q, v);
      return r;
    };
    const MatrixXd S = s.matrix(s.lambda, zero, {.mass = 1, .damping = h, .stiffness = 0});
    comparison(s, S, vector_derivative(residual, VectorX::Zero(n + m), step));
  }
  comparison.expect_within(1e-9);
}

// Statics: σ M U − f(q ∘ exp U) − Gᵀλ and −g(q ∘ exp U) at U = 0, without tangent operators.
TEST(Assembly, EquilibriumIsLinearisedExactly) {
  const double shift = 0.4;
  Comparison comparison;
  for (unsigned seed = 0; seed < models; ++seed) {
    Setting s(seed, 0.5);
    const int n = s.system.velocities(), m = s.system.constraints();
    const VectorX zero = VectorX::Zero(n);
    s.v = zero;
    const auto residual = [&](const VectorX& x) -> VectorX {
      Configuration q = s.q;
      advance(s.q, s.system.nodes(), x.head(n), q);
      VectorX r(n + m);
      r << shift * s.mass_times(x.head(n)) + s.residual(q, zero, zero, x.tail(m)),
          -s.constraints(q);
      return r;
    };
    VectorX x(n + m);
    x << zero, s.lambda;
    const MatrixXd S = s.matrix(
        s.lambda, zero,
        {.mass = shift, .damping = 0, .stiffness = 1, .rows = Linearization::Rows::Position});
    comparison(s, S, vector_derivative(residual, x, step));
  }
  comparison.expect_within(1e-9);
}

TEST(Assembly, MassMatrixIsThatOfMassTimes) {
  for (unsigned seed = 0; seed < models; ++seed) {
    const Setting s(seed, 0.5);
    const int n = s.system.velocities();
    const MatrixXd M = s.matrix(VectorX::Zero(s.system.constraints()), s.vdot, {.mass = 1});
    const VectorX& x = s.v;
    EXPECT_LE((M.topLeftCorner(n, n) * x - s.mass_times(x)).norm(), 1e-13);
    EXPECT_NEAR(s.system.kinetic_energy(s.q, x), x.dot(s.mass_times(x)) / 2, 1e-13);
    EXPECT_GT(M.topLeftCorner(n, n).diagonal().minCoeff(), 0);
  }
}

TEST(Assembly, OverwritesWhatTheMatrixHeld) {
  const Setting s(1, 0.3);
  const Linearization l{.mass = 1, .damping = 0.5, .stiffness = 0.2, .tangent_operators = &s.T};
  linalg::SparseMatrix S(s.system.pattern());
  s.system.assemble(s.q, s.v, s.vdot, s.at, s.lambda, l, S);
  const MatrixXd first = S.to_dense();
  s.system.assemble(s.q, s.v, s.vdot, s.at, s.lambda, l, S);
  EXPECT_EQ(S.to_dense(), first);
}

// The multipliers' block is −δ: the fraction ε of G D⁻¹ Gᵀ, D_j the largest diagonal entry of S
// among the three translations or rotations that j belongs to; nothing without ε.
TEST(Assembly, RegularisationIsASmallNegativeDiagonal) {
  for (unsigned seed = 0; seed < models; ++seed) {
    const Setting s(seed, 0.5);
    const int n = s.system.velocities(), m = s.system.constraints();
    EXPECT_TRUE(s.matrix(s.lambda, s.vdot, {.mass = 1}).bottomRightCorner(m, m).isZero(0));
    const double epsilon = 1e-6;
    const std::vector<double> everywhere(s.system.components().size(), epsilon);
    const MatrixXd S = s.matrix(s.lambda, s.vdot, {.mass = 1, .regularization = everywhere});
    const MatrixXd block = S.bottomRightCorner(m, m);
    const VectorX delta = -block.diagonal();
    EXPECT_EQ((block + MatrixXd(delta.asDiagonal())).cwiseAbs().maxCoeff(), 0);
    const MatrixXd G = -S.bottomLeftCorner(m, n);
    VectorX largest(n);
    for (const Node& node : s.system.nodes()) {
      for (int k = 0; k < node.unknowns; k += 3) {
        const int first = node.first_unknown + k;
        largest.segment<3>(first).setConstant(S.diagonal().segment<3>(first).maxCoeff());
      }
    }
    const VectorX delassus = (G * largest.cwiseInverse().asDiagonal() * G.transpose()).diagonal();
    for (int row = 0; row < m; ++row) {
      EXPECT_NEAR(delta[row], epsilon * delassus[row], 1e-12 * epsilon * delassus[row])
          << s.system.unknown_name(n + row);
    }
  }
}

}  // namespace assembly_test
}  // namespace saltus
