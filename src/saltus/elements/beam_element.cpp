// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/beam_element.hpp"

#include "saltus/core/assert.hpp"
#include "saltus/lie/se3.hpp"

namespace saltus {

using lie::hat;

namespace {

// Only the difference r = x_B − x_A of the positions matters, so everything is computed for the
// nine unknowns (r, Θ_A, Θ_B) and spread over the twelve of the nodes at the end.
using Vector9 = Eigen::Matrix<double, 9, 1>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Matrix6x9 = Eigen::Matrix<double, 6, 9>;

/// h = (u, ψ) (1) and its derivative B = [W −Qᵀ Q; 0 −Pᵀ P], ḣ = B (ṙ, Ω_A, Ω_B) (5).
struct BeamKinematics {
  const Matrix3& R_A;
  Vector6 h;
  Matrix3 P;  ///< T⁻¹(ψ)
  Matrix3 Q;  ///< derivative of T⁻¹(ψ) in the direction u
  Matrix3 W;  ///< T⁻ᵀ(ψ) R_Aᵀ = T⁻¹(ψ) R_Bᵀ

  explicit BeamKinematics(const NodePair& pair) : R_A(pair.A.R) {
    const Vector3 psi = lie::so3::log(pair.A.orientation.conjugate() * pair.B.orientation);
    P = lie::so3::tangent_inverse(psi);
    W.noalias() = P.transpose() * R_A.transpose();
    const Vector3 u = W * (pair.B.x - pair.A.x);
    Q = lie::so3::tangent_inverse_directional(psi, u);
    h << u, psi;
  }

  Vector6 rate(const Vector9& v) const {
    const Vector3 rdot = v.head<3>(), Omega_A = v.segment<3>(3), Omega_B = v.tail<3>();
    Vector6 hdot;
    hdot << W * rdot - Q.transpose() * Omega_A + Q * Omega_B, P * Omega_B - P.transpose() * Omega_A;
    return hdot;
  }

  Matrix6x9 gradient() const {
    Matrix6x9 result;
    result << W, -Q.transpose(), Q, Matrix3::Zero(), -P.transpose(), P;
    return result;
  }

  /// Moments at the ends, in the axes of the node there, that go with the resultants σ. (6)
  Vector3 moment_at_start(const Vector6& sigma) const {
    return Q * sigma.head<3>() + P * sigma.tail<3>();
  }
  Vector3 moment_at_end(const Vector6& sigma) const {
    return Q.transpose() * sigma.head<3>() + P.transpose() * sigma.tail<3>();
  }

  /// −Bᵀσ on the nodes (6): the two forces are the same vector n, so that they balance to the last
  /// bit.
  Vector12 force(const Vector6& sigma) const {
    const Vector3 n = W.transpose() * sigma.head<3>();
    Vector12 f;
    f << n, moment_at_start(sigma), -n, -moment_at_end(sigma);
    return f;
  }
};

Vector9 reduced(const Vector12& v) {
  Vector9 result;
  result << v.segment<3>(6) - v.head<3>(), v.segment<3>(3), v.tail<3>();
  return result;
}

/// A matrix of (r, Θ_A, Θ_B) as one of (x_A, Θ_A, x_B, Θ_B).
Matrix12 spread(const Matrix9& K) {
  Matrix12 result;
  result.middleRows<3>(0) << K.block<3, 3>(0, 0), -K.block<3, 3>(0, 3), -K.block<3, 3>(0, 0),
      -K.block<3, 3>(0, 6);
  result.middleRows<3>(3) << -K.block<3, 3>(3, 0), K.block<3, 3>(3, 3), K.block<3, 3>(3, 0),
      K.block<3, 3>(3, 6);
  result.middleRows<3>(6) = -result.middleRows<3>(0);
  result.middleRows<3>(9) << -K.block<3, 3>(6, 0), K.block<3, 3>(6, 3), K.block<3, 3>(6, 0),
      K.block<3, 3>(6, 6);
  return result;
}

/// ∂(Bᵀσ)/∂q with ∂σ/∂h = diag(k): material and geometric part together. It would be the Hessian of
/// the energy, were it not for the rotations, which do not commute: only the blocks (Θ_A, Θ_A) and
/// (Θ_B, Θ_B) are not symmetric (9), and the others below the diagonal are copied.
Matrix9 stiffness_of(const BeamKinematics& kin, const Vector6& k, const Vector6& sigma) {
  const Matrix3 &P = kin.P, &Q = kin.Q;
  const auto k_u = k.head<3>().asDiagonal(), k_psi = k.tail<3>().asDiagonal();
  const Vector3 n = sigma.head<3>(), m = sigma.tail<3>();

  // ∂m_B/∂u and ∂m_B/∂ψ at constant σ; those of m_A are the same up to n̂ and m̂. (7)
  const Matrix6 D = lie::se3::tangent_inverse_transpose_derivative(kin.h, sigma);
  const Matrix3 D_u = D.bottomLeftCorner<3, 3>(), D_psi = D.bottomRightCorner<3, 3>();
  const Matrix3 E_u = D_u - hat(n), E_psi = D_psi - hat(m);

  const Matrix3 A_u = Q * k_u + E_u, A_psi = P * k_psi + E_psi;
  const Matrix3 B_u = Q.transpose() * k_u + D_u, B_psi = P.transpose() * k_psi + D_psi;
  const Matrix3 r_u = kin.W.transpose() * k_u, r_psi = kin.R_A * E_u;

  Matrix9 K;  // (8)
  K.block<3, 3>(0, 0).noalias() = r_u * kin.W;
  K.block<3, 3>(0, 3) = -(r_u * Q.transpose() + r_psi * P.transpose() + kin.R_A * hat(P * n));
  K.block<3, 3>(0, 6) = r_u * Q + r_psi * P;
  K.block<3, 3>(3, 3) = A_u * Q.transpose() + A_psi * P.transpose();
  K.block<3, 3>(3, 6) = -(A_u * Q + A_psi * P);
  K.block<3, 3>(6, 6) = B_u * Q + B_psi * P;
  K.block<3, 3>(3, 0) = K.block<3, 3>(0, 3).transpose();
  K.block<3, 3>(6, 0) = K.block<3, 3>(0, 6).transpose();
  K.block<3, 3>(6, 3) = K.block<3, 3>(3, 6).transpose();
  return K;
}

/// Y = ∂(B v)/∂q (11): how the strain rate changes with the configuration.
Matrix6x9 rate_gradient(const BeamKinematics& kin, const Matrix6x9& B, const Vector9& v) {
  const Vector3 s = kin.R_A.transpose() * v.head<3>();
  const Vector3 Omega_A = v.segment<3>(3);
  Vector6 w;
  w << s, v.tail<3>() - Omega_A;
  Matrix6 D = lie::se3::tangent_inverse_derivative(kin.h, w);  // ∂ḣ/∂h
  D.topLeftCorner<3, 3>() -= hat(Omega_A);
  D.topRightCorner<3, 3>() += hat(s);
  D.bottomRightCorner<3, 3>() -= hat(Omega_A);
  Matrix6x9 Y = D * B;
  Y.block<3, 3>(0, 3) += kin.P.transpose() * hat(s);
  return Y;
}

}  // namespace

Vector6 BeamElement::strain(const NodePair& pair) const {
  return (BeamKinematics(pair).h - rest) / length;  // (3)
}

Vector6 BeamElement::resultants(const NodePair& pair) const {
  return stiffness.cwiseProduct(strain(pair));  // (4)
}

Vector12 BeamElement::end_resultants(const NodePair& pair) const {
  const BeamKinematics kin(pair);
  const Vector6 sigma = stiffness.cwiseProduct(kin.h - rest) / length;
  Vector12 ends;
  ends << kin.P * sigma.head<3>(), kin.moment_at_start(sigma), kin.P.transpose() * sigma.head<3>(),
      kin.moment_at_end(sigma);
  return ends;
}

double BeamElement::energy(const NodePair& pair) const {
  const Vector6 epsilon = strain(pair);
  return length * epsilon.dot(stiffness.cwiseProduct(epsilon)) / 2;  // (4)
}

BeamElement::Forces BeamElement::forces(const NodePair& pair, const Vector12& v) const {
  const BeamKinematics kin(pair);
  const Vector6 k = stiffness / length;
  Forces f{kin.force(k.cwiseProduct(kin.h - rest)), Vector12::Zero()};
  if (damping_time > 0) {
    f.damping = kin.force(damping_time * k.cwiseProduct(kin.rate(reduced(v))));
  }
  return f;
}

BeamElement::Tangents BeamElement::tangents(const NodePair& pair, const Vector12& v) const {
  const BeamKinematics kin(pair);
  const Vector6 k = stiffness / length;
  Vector6 sigma = k.cwiseProduct(kin.h - rest);
  if (damping_time <= 0) return {spread(stiffness_of(kin, k, sigma)), Matrix12::Zero()};

  const Vector9 v_9 = reduced(v);
  const Matrix6x9 B = kin.gradient();
  sigma += damping_time * k.cwiseProduct(kin.rate(v_9));  // (10)
  const Matrix6x9 b_k_B = (damping_time * k).asDiagonal() * B;
  const Matrix9 K = stiffness_of(kin, k, sigma) + b_k_B.transpose() * rate_gradient(kin, B, v_9);
  return {spread(K), spread(b_k_B.transpose() * B)};
}

bool BeamElement::tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const {
  if (!contributes(factors, is_damped(at))) return false;
  set_tangent(tangents(at.poses(), at.velocity()), at, factors, A, is_damped(at));
  return true;
}

static_assert(ElasticElement<BeamElement> && ParallelElement<BeamElement>);

BeamElement make_beam_element(int node_A, int node_B, const NodePair& reference,
                              const Vector6& section_stiffness, const BeamElementOptions& options) {
  BeamElement e{.node_A = node_A,
                .node_B = node_B,
                .stiffness = section_stiffness,
                .damping_time = options.damping_time,
                .rest = BeamKinematics(reference).h};
  e.length = e.rest.head<3>().norm();
  SALTUS_ASSERT(e.length > 0);
  if (options.residual_bending_flexibility) {
    // A linear moment stores more than its mean: L²/(12 EI) per shear force and length. (12)
    const double c = e.length * e.length / 12;
    e.stiffness[1] = 1 / (1 / section_stiffness[1] + c / section_stiffness[5]);
    e.stiffness[2] = 1 / (1 / section_stiffness[2] + c / section_stiffness[4]);
  }
  return e;
}

}  // namespace saltus
