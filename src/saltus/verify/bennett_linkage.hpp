// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "saltus/lie/so3.hpp"

namespace saltus {

/// Bennett's linkage: links of 0.3 m and 40 degrees and of l sin 70/sin 40 and 70 degrees in turn,
/// by the closed form: a is the angle at the first hinge, tan(a/2) tan(b/2) = K.
struct BennettLinkage {
  double twist_1 = 40 * std::numbers::pi / 180, twist_2 = 70 * std::numbers::pi / 180;
  double length_1 = 0.3, length_2 = 0.3 * std::sin(twist_2) / std::sin(twist_1);
  double K = std::sin((twist_2 + twist_1) / 2) / std::sin((twist_2 - twist_1) / 2);

  double second_angle(double a) const {
    return 2 * std::atan2(K * std::cos(a / 2), std::sin(a / 2));
  }
  double second_rate(double a) const {  // db/da
    const double s = std::sin(a / 2), c = std::cos(a / 2);
    return -K / (s * s + K * K * c * c);
  }
  /// Energy of the three moving links (spheres of 1 kg and 0.08 m in their middles) at ȧ = w.
  double energy(double a, double w) const {
    const auto link = [](double angle, double length, double twist) {
      return Eigen::Isometry3d(Eigen::AngleAxisd(angle, Vector3::UnitZ()) *
                               Eigen::Translation3d(length, 0, 0) *
                               Eigen::AngleAxisd(twist, Vector3::UnitX()));
    };
    const double b = second_angle(a), b_rate = second_rate(a) * w;
    const Eigen::Isometry3d T_1 = link(a, length_1, twist_1);
    const Eigen::Isometry3d T_2 = T_1 * link(b, length_2, twist_2);
    const Eigen::Isometry3d T_3 = T_2 * link(-a, length_1, twist_1);
    const Vector3 p_1 = T_1.translation(), p_2 = T_2.translation(), p_3 = T_3.translation();
    const Vector3 w_1(0, 0, w), w_2 = w_1 + b_rate * T_1.linear().col(2);
    const Vector3 w_3 =
        b_rate * T_3.linear().col(2);  // link 3 turns about the ground's other hinge
    const Vector3 v_1 = w_1.cross(p_1 / 2), v_2 = w_1.cross(p_1) + w_2.cross((p_2 - p_1) / 2);
    const Vector3 v_3 = w_3.cross((p_2 - p_3) / 2);
    const double J = 0.4 * 0.08 * 0.08;
    return 0.5 * (v_1.squaredNorm() + v_2.squaredNorm() + v_3.squaredNorm()) +
           0.5 * J * (w_1.squaredNorm() + w_2.squaredNorm() + w_3.squaredNorm()) +
           9.81 * (p_1.z() + (p_1 + p_2).z() + (p_2 + p_3).z()) / 2;
  }
  /// The drive's torque at constant speed: dE/da, by central differences of sixth order.
  double torque(double a, double w) const {
    const double d = 1e-2;
    const auto difference = [&](int k) { return energy(a + k * d, w) - energy(a - k * d, w); };
    return (45 * difference(1) - 9 * difference(2) + difference(3)) / (60 * d);
  }
};

}  // namespace saltus
