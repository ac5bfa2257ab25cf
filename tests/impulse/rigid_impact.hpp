// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse::test {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Matrix3 axes_of(const Vector3& normal) {
  const Vector3 n = normal.normalized();
  const Vector3 helper = std::abs(n.x()) > 0.9 ? Vector3::UnitY() : Vector3::UnitX();
  Matrix3 axes;
  axes.col(0) = n;
  axes.col(1) = (helper - n * n.dot(helper)).normalized();
  axes.col(2) = n.cross(axes.col(1));
  return axes;
}

/// Rigid bodies by mass matrices and velocities (linear, angular), inertial components.
struct Bodies {
  std::vector<Vector3> positions;
  std::vector<Matrix6> inverse_masses;
  std::vector<Vector6> velocities;

  int add(double mass, const Matrix3& inertia, const Vector3& position, const Vector3& velocity,
          const Vector3& spin) {
    Matrix6 inverse = Matrix6::Zero();
    inverse.topLeftCorner<3, 3>() = Matrix3::Identity() / mass;
    inverse.bottomRightCorner<3, 3>() = inertia.inverse();
    positions.push_back(position);
    inverse_masses.push_back(inverse);
    velocities.emplace_back();
    velocities.back() << velocity, spin;
    return static_cast<int>(positions.size()) - 1;
  }
  /// Moves in the plane of x and y, turns about z.
  int add_planar(double mass, double inertia, const Vector3& position, const Vector3& velocity,
                 double spin) {
    const int body =
        add(mass, Matrix3::Identity() * inertia, position, velocity, Vector3::UnitZ() * spin);
    for (const int k : {2, 3, 4}) inverse_masses[body](k, k) = 0;
    return body;
  }
};

constexpr int ground = -1;

struct Touch {
  int first, second;
  Vector3 position, normal;  ///< towards the second body
  int group;
  double restitution = 0, friction = 0, static_friction = 0;
};

/// J of u = J v.
inline MatrixX jacobian(const Bodies& bodies, const std::vector<Touch>& touches) {
  MatrixX J = MatrixX::Zero(3 * touches.size(), 6 * bodies.positions.size());
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    const Matrix3 axes = axes_of(touch.normal);
    for (const auto& [body, sign] : {std::pair{touch.second, 1.0}, std::pair{touch.first, -1.0}}) {
      if (body == ground) continue;
      const Vector3 r = touch.position - bodies.positions[body];
      for (int k = 0; k < 3; ++k) {
        J.block<1, 3>(3 * i + k, 6 * body) += sign * axes.col(k).transpose();
        J.block<1, 3>(3 * i + k, 6 * body + 3) += sign * r.cross(axes.col(k)).transpose();
      }
    }
  }
  return J;
}

inline MatrixX inverse_mass(const Bodies& bodies) {
  const int n = static_cast<int>(bodies.positions.size());
  MatrixX inverse = MatrixX::Zero(6 * n, 6 * n);
  for (int i = 0; i < n; ++i) inverse.block<6, 6>(6 * i, 6 * i) = bodies.inverse_masses[i];
  return inverse;
}

inline VectorX velocities(const Bodies& bodies) {
  VectorX v(6 * bodies.positions.size());
  for (int i = 0; i < static_cast<int>(bodies.positions.size()); ++i)
    v.segment<6>(6 * i) = bodies.velocities[i];
  return v;
}

inline ImpactProblem problem_of(const Bodies& bodies, const std::vector<Touch>& touches) {
  const MatrixX J = jacobian(bodies, touches);
  ImpactProblem problem{J * inverse_mass(bodies) * J.transpose(), J * velocities(bodies), {}};
  for (const Touch& t : touches)
    problem.points.push_back(
        {t.group, t.position, axes_of(t.normal), t.restitution, t.friction, t.static_friction});
  return problem;
}

/// Velocities of the bodies after impulses at the points.
inline VectorX velocities_after(const Bodies& bodies, const std::vector<Touch>& touches,
                                const VectorX& impulses) {
  return velocities(bodies) +
         inverse_mass(bodies) * jacobian(bodies, touches).transpose() * impulses;
}

inline Matrix3 box_inertia(double mass, const Vector3& size) {
  const Vector3 s = size.cwiseAbs2();
  return Vector3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal().toDenseMatrix() * mass /
         12;
}

inline double kinetic_gain(const ImpactProblem& problem, const ImpactResult& result) {
  return (problem.u + result.u).dot(result.impulses) / 2;
}

}  // namespace saltus::impulse::test
