// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/bushing.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;
using Matrix6x12 = Eigen::Matrix<double, 6, 12>;

namespace {

/// A frame's motion as a function of its node's: v_J = A v, A = [I, −R d̂; 0, Eᵀ].
Matrix6 frame_map(const NodePose& node, const FrameOnNode& frame) {
  Matrix6 A = Matrix6::Zero();
  A.topLeftCorner<3, 3>().setIdentity();
  A.topRightCorner<3, 3>() = -node.R * hat(frame.d);
  A.bottomRightCorner<3, 3>() = frame.E.transpose();
  return A;
}

bool turns(const BushingElement& e) {
  return !e.stiffness.tail<3>().isZero(0) || !e.damping.tail<3>().isZero(0);
}

/// What the element needs of its two frames: d and ψ, and their rates in frame motion.
struct BushingKinematics {
  Matrix12 map = Matrix12::Zero();  ///< v_J = map v
  Matrix3 R_A;
  Vector3 d, psi = Vector3::Zero();
  Matrix6x12 B = Matrix6x12::Zero();  ///< (ḋ, ψ̇) = B v_J

  BushingKinematics(const BushingElement& e, const NodePair& pair) : R_A(e.frame_A.axes(pair.A)) {
    map.topLeftCorner<6, 6>() = frame_map(pair.A, e.frame_A);
    map.bottomRightCorner<6, 6>() = frame_map(pair.B, e.frame_B);
    d = R_A.transpose() * (e.frame_B.point(pair.B) - e.frame_A.point(pair.A));
    B.block<3, 3>(0, 0) = -R_A.transpose();
    B.block<3, 3>(0, 3) = hat(d);
    B.block<3, 3>(0, 6) = R_A.transpose();
    if (!turns(e)) return;  // no rotation vector, no limit to the rotation
    psi = lie::so3::log(Matrix3(R_A.transpose() * e.frame_B.axes(pair.B)));
    const Matrix3 T_inverse = lie::so3::tangent_inverse(psi);
    B.block<3, 3>(3, 3) = -T_inverse.transpose();
    B.block<3, 3>(3, 9) = T_inverse;
  }

  Vector6 strain() const {
    Vector6 e;
    e << d, psi;
    return e;
  }
};

/// ∂(B v_J)/∂q_J at constant v_J: how the rates change with the frames' places.
Matrix6x12 rate_gradient(const BushingKinematics& k, const Vector12& v_J) {
  const Vector3 rdot = k.R_A.transpose() * (v_J.segment<3>(6) - v_J.head<3>());
  const Vector3 Omega_A = v_J.segment<3>(3), Omega_B = v_J.tail<3>();
  Matrix6x12 Y;
  Y.topRows<3>() = -hat(Omega_A) * k.B.topRows<3>();
  Y.block<3, 3>(0, 3) += hat(rdot);
  Y.bottomRows<3>() = (lie::so3::tangent_inverse_derivative(k.psi, Omega_B) -
                       lie::so3::tangent_inverse_transpose_derivative(k.psi, Omega_A)) *
                      k.B.bottomRows<3>();
  return Y;
}

/// ∂(Bᵀσ)/∂q_J at constant σ = (n, m).
Matrix12 geometric_stiffness(const BushingKinematics& k, const Vector3& n, const Vector3& m) {
  Matrix12 K = Matrix12::Zero();
  const Matrix3 R_n = k.R_A * hat(n);
  K.block<3, 3>(0, 3) = R_n;
  K.block<3, 3>(6, 3) = -R_n;
  K.middleRows<3>(3) = hat(n) * k.B.topRows<3>() -
                       lie::so3::tangent_inverse_derivative(k.psi, m) * k.B.bottomRows<3>();
  K.bottomRows<3>() =
      lie::so3::tangent_inverse_transpose_derivative(k.psi, m) * k.B.bottomRows<3>();
  return K;
}

}  // namespace

Vector6 BushingElement::deformation(const NodePair& pair) const {
  return BushingKinematics(*this, pair).strain() - rest;
}

double BushingElement::energy(const NodePair& pair) const {
  const Vector6 e = deformation(pair);
  return e.dot(stiffness.cwiseProduct(e)) / 2;
}

BushingElement::Forces BushingElement::forces(const NodePair& pair, const Vector12& v) const {
  const BushingKinematics k(*this, pair);
  const Matrix6x12 B = k.B * k.map;
  const Vector6 rate = B * v;
  return {-B.transpose() * stiffness.cwiseProduct(k.strain() - rest),
          -B.transpose() * damping.cwiseProduct(rate)};
}

BushingElement::Tangents BushingElement::tangents(const NodePair& pair, const Vector12& v) const {
  const BushingKinematics k(*this, pair);
  const Vector12 v_J = k.map * v;
  const Vector6 sigma =
      stiffness.cwiseProduct(k.strain() - rest) + damping.cwiseProduct(Vector6(k.B * v_J));

  // In frame motion: material and geometric part, and the change of the rates.
  Matrix12 K_J = k.B.transpose() * (stiffness.asDiagonal() * k.B);
  K_J += geometric_stiffness(k, sigma.head<3>(), sigma.tail<3>());
  K_J += k.B.transpose() * (damping.asDiagonal() * rate_gradient(k, v_J));
  const Matrix12 C_J = k.B.transpose() * (damping.asDiagonal() * k.B);

  // In node motion: the lever arms move too.
  const Vector12 f_J = k.B.transpose() * sigma;
  Matrix12 Z = Matrix12::Zero();  // ∂(map v)/∂q
  Z.block<3, 3>(0, 3) = pair.A.R * hat(frame_A.d.cross(v.segment<3>(3)));
  Z.block<3, 3>(6, 9) = pair.B.R * hat(frame_B.d.cross(v.tail<3>()));
  Tangents t;
  t.K = k.map.transpose() * (K_J * k.map + C_J * Z);
  t.K.block<3, 3>(3, 3) += hat(frame_A.d) * hat(pair.A.R.transpose() * f_J.head<3>());
  t.K.block<3, 3>(9, 9) += hat(frame_B.d) * hat(pair.B.R.transpose() * f_J.segment<3>(6));
  t.C = k.map.transpose() * C_J * k.map;
  return t;
}

bool BushingElement::tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const {
  set_tangent(tangents(at.poses(), at.velocity()), at, factors, A);
  return true;
}

static_assert(ElasticElement<BushingElement>);

}  // namespace saltus
