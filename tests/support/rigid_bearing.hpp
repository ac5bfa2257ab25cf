// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/linalg/decompositions.hpp"

namespace saltus::test {

/// Equilibrium of the inner ring of a ball bearing, rings and balls rigid, without friction: of all
/// poses at which every ball has room, the one at which the loads have done most work. A ball has
/// room if the centres of the two grooves' sections are no farther apart than
/// L = inner + outer groove radius − 2 ball radii; the multiplier of this is its load.
class RigidBearing {
 public:
  using Vector5 = Eigen::Matrix<double, 5, 1>;
  using Matrix5 = Eigen::Matrix<double, 5, 5>;

  double inner_ring = 0;  ///< radius of the circle of the sections' centres, m
  double outer_ring = 0;
  double room = 0;  ///< L, m
  std::vector<double> angles = {};
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< about the centre; z does not count

  struct Equilibrium {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero(), tilt = Eigen::Vector3d::Zero();
    std::vector<double> loads = {};
    double residual = 0;  ///< of force and moment over the length, N
  };

  /// Augmented Lagrangian: Newton steps of limited length, then new multipliers.
  Equilibrium solve() const {
    Vector5 q = Vector5::Zero();
    std::vector<double> loads(angles.size(), 0.0);
    for (int outer = 0; outer < 15; ++outer) {
      minimise(loads, q);
      for (std::size_t k = 0; k < loads.size(); ++k) loads[k] = augmented(k, loads[k], q);
    }
    Equilibrium result{q.head<3>(), {q[3] / outer_ring, q[4] / outer_ring, 0}, loads};
    result.residual = gradient(loads, q).norm();
    return result;
  }

 private:
  static constexpr double penalty = 1e9;  // N/m

  Vector5 load() const {
    Vector5 f;
    f << force, moment.x() / outer_ring, moment.y() / outer_ring;
    return f;
  }

  Eigen::Vector3d point(double radius, std::size_t k) const {
    return {radius * std::cos(angles[k]), radius * std::sin(angles[k]), 0};
  }

  /// Distance of the outer section's centre from the inner ring's circle, and its derivative.
  double distance(std::size_t k, const Vector5& q, Vector5& slope) const {
    const Eigen::Vector3d c = q.head<3>(), tilt(q[3] / outer_ring, q[4] / outer_ring, 0);
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    if (tilt.norm() > 0) R = Eigen::AngleAxisd(tilt.norm(), tilt.normalized());
    const Eigen::Vector3d O = point(outer_ring, k), p = R.transpose() * (O - c);
    const Eigen::Vector3d r = R * (inner_ring * Eigen::Vector3d(p.x(), p.y(), 0).normalized());
    const Eigen::Vector3d way = c + r - O, u = way.normalized(), turn = r.cross(u);
    slope << u, turn.x() / outer_ring, turn.y() / outer_ring;
    return way.norm();
  }

  double augmented(std::size_t k, double load, const Vector5& q) const {
    Vector5 slope;
    return std::max(0.0, load + penalty * (distance(k, q, slope) - room));
  }

  double value(const std::vector<double>& loads, const Vector5& q) const {
    double f = -load().dot(q);
    for (std::size_t k = 0; k < loads.size(); ++k) {
      f += std::pow(augmented(k, loads[k], q), 2) / (2 * penalty);
    }
    return f;
  }

  Vector5 gradient(const std::vector<double>& loads, const Vector5& q) const {
    Vector5 g = -load(), slope;
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const double a = augmented(k, loads[k], q);
      distance(k, q, slope);
      g += a * slope;
    }
    return g;
  }

  void minimise(const std::vector<double>& loads, Vector5& q) const {
    for (int i = 0; i < 200; ++i) {
      const Vector5 g = gradient(loads, q);
      if (g.norm() < 1e-7 * load().norm()) return;
      Matrix5 H;
      constexpr double dq = 1e-9;
      for (int j = 0; j < 5; ++j) {
        H.col(j) = (gradient(loads, q + dq * Vector5::Unit(j)) -
                    gradient(loads, q - dq * Vector5::Unit(j))) /
                   (2 * dq);
      }
      // Directions in which nothing holds it yet get a little stiffness.
      const auto [stiffnesses, V] = linalg::symmetric_eigen((H + H.transpose()) / 2);
      const Vector5 stiff = stiffnesses.cwiseAbs().cwiseMax(1e3);
      Vector5 step = -V * Vector5((V.transpose() * g).cwiseQuotient(stiff));
      constexpr double longest = 5e-6;
      step *= std::min(1.0, longest / step.norm());
      const double before = value(loads, q);
      for (int halving = 0; halving < 40 && value(loads, q + step) > before; ++halving) step /= 2;
      q += step;
    }
  }
};

}  // namespace saltus::test
