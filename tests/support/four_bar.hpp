// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "saltus/model/model.hpp"

namespace saltus::test {

/// The planar four-bar linkage of elements.md 4.6 with four spatial revolutes: 21 equations with
/// the crank's drive, of rank 18. The rods have mass 1 kg; gravity is along −y.
struct FourBar {
  double crank = 0.3, coupler = 1, rocker = 0.8, ground = 1;  // m
  double speed = 3;                                           // of the crank, rad/s
  bool thin = false;  ///< rods without inertia about their axes

  struct Points {
    Vector3 A, B, C, D;
  };

  /// The joints when the crank is at the angle theta, the coupler above.
  Points points(double theta) const {
    const Vector3 A = Vector3::Zero(), D(ground, 0, 0);
    const Vector3 B(crank * std::cos(theta), crank * std::sin(theta), 0);
    const Vector3 r = D - B;
    const double d = r.norm();
    const double along = (coupler * coupler - rocker * rocker + d * d) / (2 * d);
    const double across = std::sqrt(coupler * coupler - along * along);
    const Vector3 C = B + along * r / d + across * Vector3::UnitZ().cross(r / d);
    return {A, B, C, D};
  }

  Model model(double theta) const {
    Model model{.gravity = {0, -9.81, 0}};
    const Points p = points(theta);
    const BodyId first = model.add(rod("crank", p.A, p.B));
    const BodyId second = model.add(rod("coupler", p.B, p.C));
    const BodyId third = model.add(rod("rocker", p.D, p.C));
    const auto pin = [&](BodyId body, BodyId other, const Vector3& at) {
      return Revolute{.bodies = {body, other}, .at = at, .axis = Vector3::UnitZ()};
    };
    Revolute motor = pin(ground_body, first, p.A);
    motor.drive = Speed{speed};
    model.add(motor);
    model.add(pin(first, second, p.B));
    model.add(pin(second, third, p.C));
    model.add(pin(ground_body, third, p.D));
    return model;
  }

  /// Kinetic and potential energy in J of the exact motion with the crank at theta.
  double energy(double theta) const {
    const double e = 1e-4;  // s: the velocities are differences of the exact positions
    const auto rods = [&](double t) {
      const Points p = points(theta + speed * t);
      Eigen::Matrix<double, 9, 1> place;
      place << (p.A + p.B).head<2>() / 2, std::atan2(p.B.y() - p.A.y(), p.B.x() - p.A.x()),
          (p.B + p.C).head<2>() / 2, std::atan2(p.C.y() - p.B.y(), p.C.x() - p.B.x()),
          (p.C + p.D).head<2>() / 2, std::atan2(p.C.y() - p.D.y(), p.C.x() - p.D.x());
      return place;
    };
    const Eigen::Matrix<double, 9, 1> x = rods(0);
    const Eigen::Matrix<double, 9, 1> v =
        (8 * (rods(e) - rods(-e)) - (rods(2 * e) - rods(-2 * e))) / (12 * e);
    const double lengths[] = {crank, coupler, rocker};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double J = lengths[i] * lengths[i] / 12;
      sum +=
          (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + J * v[3 * i + 2] * v[3 * i + 2]) / 2;
      sum += 9.81 * x[3 * i + 1];
    }
    return sum;
  }

 private:
  RigidBody rod(const char* name, const Vector3& start, const Vector3& end) const {
    const Vector3 r = end - start;
    const double J = r.squaredNorm() / 12;
    RigidBody body{.name = name,
                   .inertia = ExplicitInertia{.mass = 1, .moments = Vector3(1e-4, J, J)},
                   .pose = {.position = (start + end) / 2,
                            .rotation_vector = Vector3(0, 0, std::atan2(r.y(), r.x()))}};
    if (thin) body.inertia = slender_rod(1, r.norm());
    return body;
  }
};

}  // namespace saltus::test
