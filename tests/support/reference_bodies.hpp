// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/linalg/decompositions.hpp"
#include "tests/support/reference_ode.hpp"

// Equations of motion in minimal coordinates for the examples.
namespace saltus::test {

/// A rigid body that turns about a fixed point O (or is free, with no arm): Euler's equations about
/// O and a quaternion. State (p, Ω), Ω in body axes.
struct BodyAboutPoint {
  double mass = 1;
  Vector3 moments = Vector3::Ones();  ///< about the centre of mass, body axes
  Vector3 arm = Vector3::Zero();      ///< from O to the centre of mass, body axes
  Vector3 gravity = Vector3::Zero();

  Matrix3 tensor() const {  // Steiner
    Matrix3 J = moments.asDiagonal();
    return J + mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  }
  Vector3 angular_acceleration(const Vector& y) const {
    const Vector3 Omega = y.tail<3>();
    const Vector3 moment = mass * arm.cross(rotation_of(y.head<4>()).transpose() * gravity);
    return tensor().inverse() * (moment - Omega.cross(tensor() * Omega));
  }
  Vector operator()(double /*t*/, const Vector& y) const {
    Vector rate(7);
    rate << quaternion_rate(y.head<4>(), y.tail<3>()), angular_acceleration(y);
    return rate;
  }
  Vector3 centre(const Vector& y) const { return rotation_of(y.head<4>()) * arm; }
  Vector3 centre_velocity(const Vector& y) const {
    const Vector3 Omega = y.tail<3>();
    return rotation_of(y.head<4>()) * Omega.cross(arm);
  }
  /// What the fixed point has to give: m (ẍ − g).
  Vector3 reaction(const Vector& y) const {
    const Vector3 Omega = y.tail<3>();
    const Vector3 acceleration = angular_acceleration(y).cross(arm) + Omega.cross(Omega.cross(arm));
    return mass * (rotation_of(y.head<4>()) * acceleration - gravity);
  }
};

/// The state of a body with R = I and the given angular velocity.
inline Vector start_aligned(const Vector3& Omega) {
  Vector y(7);
  y << 1, 0, 0, 0, Omega;
  return y;
}

/// The spinning top of examples/spinning_top.json.
inline BodyAboutPoint heavy_top() {
  return {.mass = 15,
          .moments = {0.234375, 0.46875, 0.234375},
          .arm = {0, 1, 0},
          .gravity = {0, 0, -9.81}};
}

/// A planar four-bar linkage by its closed form: links are uniform unless moments are given; link i
/// has its centre in the middle. Angles of the links (crank, coupler, rocker) are taken from +x,
/// the rocker's from its ground pivot; the coupler's end is left of the line from crank pin to
/// pivot.
struct FourBar {
  double crank = 0.3, coupler = 1, rocker = 0.8, ground = 1;
  Vector3 mass = Vector3::Ones();
  Vector3 moments = {0.0075, 1.0 / 12, 0.64 / 12};
  double gravity = 9.81;  ///< in −y

  Vector3 lengths() const { return {crank, coupler, rocker}; }

  /// Angles at the crank angle θ.
  Vector3 angles(double theta) const {
    const double x = ground - crank * std::cos(theta), y = -crank * std::sin(theta);
    const double L = std::hypot(x, y), direction = std::atan2(y, x);
    const double turn =
        std::acos((coupler * coupler + L * L - rocker * rocker) / (2 * coupler * L));
    const double b = direction + turn;
    const double c_x = crank * std::cos(theta) + coupler * std::cos(b) - ground;
    const double c_y = crank * std::sin(theta) + coupler * std::sin(b);
    return {theta, b, std::atan2(c_y, c_x)};
  }
  /// Solves b e(β)' x − c e(γ)' y = rhs for the rates (x, y) of coupler and rocker.
  Eigen::Vector2d solve_loop(const Vector3& a, const Eigen::Vector2d& rhs) const {
    Eigen::Matrix2d A;
    A << -coupler * std::sin(a[1]), rocker * std::sin(a[2]), coupler * std::cos(a[1]),
        -rocker * std::cos(a[2]);
    return A.inverse() * rhs;
  }
  /// Angular velocities for θ̇.
  Vector3 rates(const Vector3& a, double theta_rate) const {
    const Eigen::Vector2d x =
        solve_loop(a, -crank * theta_rate * Eigen::Vector2d(-std::sin(a[0]), std::cos(a[0])));
    return {theta_rate, x[0], x[1]};
  }
  /// Angular accelerations for θ̈.
  Vector3 accelerations(const Vector3& a, const Vector3& w, double theta_acceleration) const {
    const auto e = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
    const auto n = [](double angle) { return Eigen::Vector2d(-std::sin(angle), std::cos(angle)); };
    const Eigen::Vector2d rhs = -crank * theta_acceleration * n(a[0]) +
                                crank * w[0] * w[0] * e(a[0]) + coupler * w[1] * w[1] * e(a[1]) -
                                rocker * w[2] * w[2] * e(a[2]);
    const Eigen::Vector2d x = solve_loop(a, rhs);
    return {theta_acceleration, x[0], x[1]};
  }
  using Points = Eigen::Matrix<double, 2, 3>;
  /// Centres of mass, and with rates their velocities or accelerations.
  Points centres(const Vector3& a) const {
    Points p;
    const Eigen::Vector2d pin = crank * Eigen::Vector2d(std::cos(a[0]), std::sin(a[0]));
    p.col(0) = pin / 2;
    p.col(1) = pin + coupler / 2 * Eigen::Vector2d(std::cos(a[1]), std::sin(a[1]));
    p.col(2) =
        Eigen::Vector2d(ground, 0) + rocker / 2 * Eigen::Vector2d(std::cos(a[2]), std::sin(a[2]));
    return p;
  }
  Points centre_velocities(const Vector3& a, const Vector3& w) const {
    Points v;
    const auto n = [](double angle) { return Eigen::Vector2d(-std::sin(angle), std::cos(angle)); };
    v.col(0) = crank / 2 * w[0] * n(a[0]);
    v.col(1) = crank * w[0] * n(a[0]) + coupler / 2 * w[1] * n(a[1]);
    v.col(2) = rocker / 2 * w[2] * n(a[2]);
    return v;
  }
  Points centre_accelerations(const Vector3& a, const Vector3& w, const Vector3& dw) const {
    const auto e = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
    const auto at = [&](int i, double length) -> Eigen::Vector2d {
      return length *
             (dw[i] * Eigen::Vector2d(-std::sin(a[i]), std::cos(a[i])) - w[i] * w[i] * e(a[i]));
    };
    Points acceleration;
    acceleration.col(0) = at(0, crank / 2);
    acceleration.col(1) = at(0, crank) + at(1, coupler / 2);
    acceleration.col(2) = at(2, rocker / 2);
    return acceleration;
  }
  /// θ̈ of the mechanism without drive, by virtual power along the velocities of θ̇ = 1.
  double free_acceleration(double theta, double theta_rate) const {
    const Vector3 a = angles(theta), unit = rates(a, 1);
    const Vector3 w = theta_rate * unit;
    const Points u = centre_velocities(a, unit);
    const auto power = [&](double acceleration) {  // of inertia and weight
      const Vector3 dw = accelerations(a, w, acceleration);
      const Points x = centre_accelerations(a, w, dw);
      double sum = 0;
      for (int i = 0; i < 3; ++i) {
        sum += mass[i] * u.col(i).dot(x.col(i) + Eigen::Vector2d(0, gravity)) +
               moments[i] * unit[i] * dw[i];
      }
      return sum;
    };
    const double at_zero = power(0);
    return -at_zero / (power(1) - at_zero);
  }
  /// Forces at bearing (on the crank), crank pin (on the coupler), rocker pin (on the rocker),
  /// pivot (on the rocker), and the drive torque on the crank: Newton and Euler for each link.
  Eigen::Matrix<double, 9, 1> reactions(double theta, double theta_rate,
                                        double theta_acceleration) const {
    const Vector3 a = angles(theta), w = rates(a, theta_rate);
    const Vector3 dw = accelerations(a, w, theta_acceleration);
    const Points x = centre_accelerations(a, w, dw);
    Eigen::Matrix<double, 9, 9> A = Eigen::Matrix<double, 9, 9>::Zero();
    Eigen::Matrix<double, 9, 1> b;
    // body i: force `k` acts with `sign` at arm (from the centre)
    const auto add = [&](int i, int k, double sign, const Eigen::Vector2d& arm) {
      A(3 * i, 2 * k) += sign;
      A(3 * i + 1, 2 * k + 1) += sign;
      A(3 * i + 2, 2 * k) -= sign * arm.y();
      A(3 * i + 2, 2 * k + 1) += sign * arm.x();
    };
    const auto half = [&](int i) -> Eigen::Vector2d {
      return lengths()[i] / 2 * Eigen::Vector2d(std::cos(a[i]), std::sin(a[i]));
    };
    add(0, 0, 1, -half(0));
    add(0, 1, -1, half(0));
    add(1, 1, 1, -half(1));
    add(1, 2, -1, half(1));
    add(2, 2, 1, half(2));
    add(2, 3, 1, -half(2));
    A(2, 8) = 1;
    for (int i = 0; i < 3; ++i) {
      b[3 * i] = mass[i] * x(0, i);
      b[3 * i + 1] = mass[i] * (x(1, i) + gravity);
      b[3 * i + 2] = moments[i] * dw[i];
    }
    return linalg::solve(A, b);
  }
};

}  // namespace saltus::test
