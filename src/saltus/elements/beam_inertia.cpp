// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/beam_inertia.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;

namespace {

// Hermite: the points of the piece are x(s) = N₁ x_A + H₁ τ_A + N₂ x_B + H₂ τ_B with the cubics N,
// H and the tangents τ = L R e₁, so that the kinetic energy is that of y = (x_A, τ_A, x_B, τ_B)
// with a constant mass matrix m₄ ⊗ I. (18)
using Matrix4 = Eigen::Matrix4d;
using Matrix3x4 = Eigen::Matrix<double, 3, 4>;

Matrix4 hermite_masses(double mass) {
  Matrix4 m;              // (19)
  m << 156, 22, 54, -13,  //
      22, 4, 13, -3,      //
      54, 13, 156, -22,   //
      -13, -3, -22, 4;
  return mass / 420 * m;
}

/// Linear kinds (17): the same mass of each node, and the mass that couples them.
struct LinearMasses {
  double own, coupling;
};

LinearMasses linear_masses(const BeamInertia& e) {
  switch (e.kind) {
    case BeamMass::Lumped:
      return {e.mass / 2, 0};
    case BeamMass::Mixed:
      return {e.mass * 5 / 12, e.mass / 12};
    default:
      return {e.mass / 3, e.mass / 6};
  }
}

/// τ̇ = tangent_map Ω: −L R ê₁. (19)
Matrix3 tangent_map(const Matrix3& R, double L) {
  Matrix3 A;
  A << Vector3::Zero(), -L * R.col(2), L * R.col(1);
  return A;
}

/// Its transpose times w: L e₁ × Rᵀw.
Vector3 tangent_moment(const Matrix3& R, double L, const Vector3& w) {
  return {0, -L * R.col(2).dot(w), L * R.col(1).dot(w)};
}

/// ẏ, a column for each of x_A, τ_A, x_B, τ_B.
Matrix3x4 tangent_motion(const NodePair& pair, double L, const Vector12& v) {
  Matrix3x4 y;
  y << v.head<3>(), L * (pair.A.R * v.segment<3>(3).cross(Vector3::UnitX())), v.segment<3>(6),
      L * (pair.B.R * v.tail<3>().cross(Vector3::UnitX()));
  return y;
}

/// Forces on y as forces on the nodes. (20)
Vector12 node_force(const NodePair& pair, double L, const Matrix3x4& g) {
  Vector12 f;
  f << g.col(0), tangent_moment(pair.A.R, L, g.col(1)), g.col(2),
      tangent_moment(pair.B.R, L, g.col(3));
  return f;
}

/// s with τ̈ = L R s; a in (20).
Vector3 tangent_acceleration(const Vector3& Omega, const Vector3& Omega_dot) {
  const Vector3 c = Vector3::UnitX();
  return Omega_dot.cross(c) + Omega.cross(Omega.cross(c));
}

/// ÿ
Matrix3x4 acceleration(const NodePair& pair, double L, const Vector12& v, const Vector12& vdot) {
  const Vector3 s_A = tangent_acceleration(v.segment<3>(3), vdot.segment<3>(3));
  const Vector3 s_B = tangent_acceleration(v.tail<3>(), vdot.tail<3>());
  Matrix3x4 y;
  y << vdot.head<3>(), L * (pair.A.R * s_A), vdot.segment<3>(6), L * (pair.B.R * s_B);
  return y;
}

/// Aᵀ m₄ X for a matrix X = ∂ÿ/∂… that is zero but for ∂τ̈_A/∂Θ_A = X_A and ∂τ̈_B/∂Θ_B = X_B.
Matrix12 tangent_columns(const NodePair& pair, double L, const Matrix4& m, const Matrix3& X_A,
                         const Matrix3& X_B) {
  const Matrix3 A_A = tangent_map(pair.A.R, L), A_B = tangent_map(pair.B.R, L);
  Matrix12 K = Matrix12::Zero();
  K.block<3, 3>(0, 3) = m(0, 1) * X_A;
  K.block<3, 3>(3, 3) = m(1, 1) * (A_A.transpose() * X_A);
  K.block<3, 3>(6, 3) = m(2, 1) * X_A;
  K.block<3, 3>(9, 3) = m(3, 1) * (A_B.transpose() * X_A);
  K.block<3, 3>(0, 9) = m(0, 3) * X_B;
  K.block<3, 3>(3, 9) = m(1, 3) * (A_A.transpose() * X_B);
  K.block<3, 3>(6, 9) = m(2, 3) * X_B;
  K.block<3, 3>(9, 9) = m(3, 3) * (A_B.transpose() * X_B);
  return K;
}

/// ∂(L R s)/∂Ω (21)
Matrix3 convective_map(const Matrix3& R, double L, const Vector3& Omega) {
  const Vector3 c = Vector3::UnitX();
  return -L * (R * (hat(Omega.cross(c)) + hat(Omega) * hat(c)));
}

Matrix3 rotary_gyroscopic(const Vector3& J, const Vector3& Omega) {
  return hat(Omega) * J.asDiagonal() - hat(J.cwiseProduct(Omega));
}

}  // namespace

Vector12 BeamInertia::mass_times(const NodePair& pair, const Vector12& x) const {
  Vector12 p;
  if (kind == BeamMass::Hermite) {
    p = node_force(pair, length, tangent_motion(pair, length, x) * hermite_masses(mass));
  } else {
    const auto [own, coupling] = linear_masses(*this);
    p << own * x.head<3>() + coupling * x.segment<3>(6), Vector3::Zero(),
        coupling * x.head<3>() + own * x.segment<3>(6), Vector3::Zero();
  }
  p.segment<3>(3) += rotary.cwiseProduct(x.segment<3>(3));
  p.tail<3>() += rotary.cwiseProduct(x.tail<3>());
  return p;
}

Vector3 BeamInertia::centre(const NodePair& pair) const {
  Vector3 c = (pair.A.x + pair.B.x) / 2;
  // (22)
  if (kind == BeamMass::Hermite) c += length / 12 * (pair.A.R.col(0) - pair.B.R.col(0));
  return c;
}

Vector3 BeamInertia::centre_velocity(const NodePair& pair, const Vector12& v) const {
  if (kind != BeamMass::Hermite) return (v.head<3>() + v.segment<3>(6)) / 2;
  return tangent_motion(pair, length, v) * Eigen::Vector4d(0.5, 1.0 / 12, 0.5, -1.0 / 12);
}

Vector12 BeamInertia::force(const NodePair& pair, const Vector12& v, const Vector12& vdot) const {
  const Vector3 Omega_A = v.segment<3>(3), Omega_B = v.tail<3>();
  Vector12 F;
  if (kind == BeamMass::Hermite) {
    F = node_force(pair, length, acceleration(pair, length, v, vdot) * hermite_masses(mass));
    F.segment<3>(3) += rotary.cwiseProduct(vdot.segment<3>(3));
    F.tail<3>() += rotary.cwiseProduct(vdot.tail<3>());
  } else {
    F = mass_times(pair, vdot);
  }
  F.segment<3>(3) += Omega_A.cross(rotary.cwiseProduct(Omega_A));  // (16)
  F.tail<3>() += Omega_B.cross(rotary.cwiseProduct(Omega_B));
  return F;
}

Vector12 BeamInertia::weight(const NodePair& pair, const Vector3& g) const {
  Vector12 f;
  f << mass / 2 * g, Vector3::Zero(), mass / 2 * g, Vector3::Zero();
  if (kind == BeamMass::Hermite) {
    f.segment<3>(3) = tangent_moment(pair.A.R, length, mass / 12 * g);
    f.tail<3>() = tangent_moment(pair.B.R, length, -mass / 12 * g);
  }
  return f;
}

Matrix12 BeamInertia::mass_matrix(const NodePair& pair) const {
  Matrix12 M = Matrix12::Zero();
  Matrix4 m = Matrix4::Zero();
  if (kind == BeamMass::Hermite) {
    m = hermite_masses(mass);
    M = tangent_columns(pair, length, m, tangent_map(pair.A.R, length),
                        tangent_map(pair.B.R, length));
    M.block<3, 3>(3, 0) = M.block<3, 3>(0, 3).transpose();
    M.block<3, 3>(9, 0) = M.block<3, 3>(0, 9).transpose();
    M.block<3, 3>(3, 6) = M.block<3, 3>(6, 3).transpose();
    M.block<3, 3>(9, 6) = M.block<3, 3>(6, 9).transpose();
  } else {
    const auto [own, coupling] = linear_masses(*this);
    m(0, 0) = m(2, 2) = own;
    m(0, 2) = coupling;
  }
  M.block<3, 3>(0, 0).diagonal().setConstant(m(0, 0));
  M.block<3, 3>(6, 6).diagonal().setConstant(m(2, 2));
  M.block<3, 3>(0, 6).diagonal().setConstant(m(0, 2));
  M.block<3, 3>(6, 0).diagonal().setConstant(m(0, 2));
  M.block<3, 3>(3, 3).diagonal() += rotary;
  M.block<3, 3>(9, 9).diagonal() += rotary;
  return M;
}

Matrix12 BeamInertia::gyroscopic_matrix(const NodePair& pair, const Vector12& v) const {
  const Vector3 Omega_A = v.segment<3>(3), Omega_B = v.tail<3>();
  Matrix12 C = Matrix12::Zero();
  if (kind == BeamMass::Hermite) {
    C = tangent_columns(pair, length, hermite_masses(mass),
                        convective_map(pair.A.R, length, Omega_A),
                        convective_map(pair.B.R, length, Omega_B));
  }
  C.block<3, 3>(3, 3) += rotary_gyroscopic(rotary, Omega_A);
  C.block<3, 3>(9, 9) += rotary_gyroscopic(rotary, Omega_B);
  return C;
}

Matrix12 BeamInertia::stiffness_matrix(const NodePair& pair, const Vector12& v,
                                       const Vector12& vdot, const Vector3& g) const {
  if (is_constant()) return Matrix12::Zero();
  const double L = length;
  const Matrix4 m = hermite_masses(mass);
  // Gravity is an acceleration of the whole piece.
  Vector12 a = vdot;
  a.head<3>() -= g;
  a.segment<3>(6) -= g;
  const Matrix3x4 y = acceleration(pair, L, v, a);
  const Vector3 s_A = pair.A.R.transpose() * y.col(1), s_B = pair.B.R.transpose() * y.col(3);
  Matrix12 K = tangent_columns(pair, L, m, -pair.A.R * hat(s_A), -pair.B.R * hat(s_B));
  // The moments L e₁ × Rᵀg turn with the node. (21)
  const Matrix3x4 f = y * m;
  const Matrix3 c = L * hat(Vector3::UnitX());
  K.block<3, 3>(3, 3) += c * hat(pair.A.R.transpose() * f.col(1));
  K.block<3, 3>(9, 9) += c * hat(pair.B.R.transpose() * f.col(3));
  return K;
}

double BeamInertia::kinetic_energy(const NodePair& pair, const Vector12& v) const {
  return v.dot(mass_times(pair, v)) / 2;
}

double BeamInertia::gravity_energy(const NodePair& pair, const Vector3& g) const {
  return -mass * g.dot(centre(pair));
}

BeamInertia::Forces BeamInertia::forces(const PairView& at) const {
  const NodePair nodes = at.poses();
  return {force(nodes, at.velocity(), at.acceleration()),
          weight(nodes, at.input().loading_gravity())};
}

bool BeamInertia::tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const {
  const NodePair nodes = at.poses();
  const Vector12 v = at.velocity();
  A.setZero();
  if (!is_constant() && factors.stiffness != 0) {
    A = factors.stiffness *
        stiffness_matrix(nodes, v, at.acceleration(), at.input().loading_gravity());
    at.turn(A);
  }
  if (factors.mass != 0) A += factors.mass * mass_matrix(nodes);
  if (factors.damping != 0) A += factors.damping * gyroscopic_matrix(nodes, v);
  return true;
}

static_assert(MassElement<BeamInertia> && ParallelElement<BeamInertia>);

}  // namespace saltus
