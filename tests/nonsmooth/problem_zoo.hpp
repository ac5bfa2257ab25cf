// SPDX-License-Identifier: Apache-2.0
// Makes the contact problems of tests/problems from masses and corners.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "tests/nonsmooth/stored_problem.hpp"

namespace saltus::nonsmooth::test {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Free bodies, axes parallel to those of the world, with contacts at points and rigid joints.
/// Six unknowns a body, translation first.
class Scene {
 public:
  /// @param inertia  principal moments, kg m². @return the body's number.
  int add_body(double mass, const Vector3d& inertia, const Vector3d& position) {
    masses_.push_back(mass);
    inertias_.push_back(inertia);
    positions_.push_back(position);
    return static_cast<int>(masses_.size()) - 1;
  }

  /// Normal from `first` to `second`; −1 is the ground.
  void add_contact(int first, int second, const Vector3d& point, const Vector3d& normal,
                   double mu) {
    ContactRows contact;
    contact.mu = mu;
    const Vector3d other = std::abs(normal[0]) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
    const Vector3d t1 = (other - other.dot(normal) * normal).normalized();
    const std::array<Vector3d, 3> axes{normal, t1, normal.cross(t1)};
    contact.columns.fill(-1);
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? first : second;
      if (body < 0) continue;
      const double sign = side == 0 ? -1 : 1;
      for (int k = 0; k < 6; ++k)
        contact.columns[static_cast<std::size_t>(6 * side + k)] = 6 * body + k;
      for (int i = 0; i < 3; ++i) {
        const Vector3d& axis = axes[static_cast<std::size_t>(i)];
        contact.H.block<1, 3>(i, 6 * side) = sign * axis.transpose();
        contact.H.block<1, 3>(i, 6 * side + 3) =
            sign * (point - position(body)).cross(axis).transpose();
      }
    }
    contacts.push_back(contact);
  }

  /// Resistance to spinning and rolling in the last contact, rows times `length`.
  void add_moments(double length, double spin, double roll, bool coupled = false) {
    ContactRows& contact = contacts.back();
    contact.spin = spin;
    contact.roll = roll;
    contact.coupled = coupled;
    for (const int side : {0, 6}) {
      contact.H.block<3, 3>(3, side + 3) = length * contact.H.block<3, 3>(0, side);
    }
  }

  /// A row g of a joint: g · (velocities of all bodies) = 0.
  void add_joint_row(const VectorXd& row) { joint_rows_.push_back(row); }

  /// A pin that holds the point of `first` to that of `second` (−1: the ground).
  void add_pin(int first, int second, const Vector3d& point) {
    for (int i = 0; i < 3; ++i) {
      VectorXd row = VectorXd::Zero(motions());
      const Vector3d axis = Vector3d::Unit(i);
      for (const auto& [body, sign] : {std::pair{first, -1.0}, std::pair{second, 1.0}}) {
        if (body < 0) continue;
        row.segment<3>(6 * body) = sign * axis;
        row.segment<3>(6 * body + 3) = sign * (point - position(body)).cross(axis);
      }
      add_joint_row(row);
    }
  }

  /// A pin on the ground that leaves the rotation about y.
  void add_hinge_about_y(int body, const Vector3d& point) {
    add_pin(-1, body, point);
    for (const int i : {0, 2}) {
      VectorXd row = VectorXd::Zero(motions());
      row[6 * body + 3 + i] = 1;
      add_joint_row(row);
    }
  }

  int motions() const { return 6 * static_cast<int>(masses_.size()); }

  /// The same motion of all bodies.
  VectorXd translation(const Vector3d& v) const {
    VectorXd all = VectorXd::Zero(motions());
    for (int i = 0; i < motions() / 6; ++i) all.segment<3>(6 * i) = v;
    return all;
  }

  /// b = H v + e H_N v_before, K = [M, −Gᵀ; −G, 0].
  ProblemData problem(const std::string& name, const VectorXd& v, double restitution = 0,
                      const VectorXd& v_before = {}) const {
    ProblemData data;
    data.name = name;
    data.local = joint_rows_.empty();
    const auto rows = static_cast<Eigen::Index>(joint_rows_.size());
    data.K = Eigen::MatrixXd::Zero(motions() + rows, motions() + rows);
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(6 * i);
      data.K.diagonal().segment<3>(k).setConstant(masses_[i]);
      data.K.diagonal().segment<3>(k + 3) = inertias_[i];
    }
    for (Eigen::Index r = 0; r < rows; ++r) {
      data.K.block(motions() + r, 0, 1, motions()) =
          -joint_rows_[static_cast<std::size_t>(r)].transpose();
      data.K.block(0, motions() + r, motions(), 1) = -joint_rows_[static_cast<std::size_t>(r)];
    }
    data.contacts = contacts;
    for (ContactRows& contact : data.contacts) {
      for (std::size_t k = 0; k < 12; ++k) {
        const int column = contact.columns[k];
        if (column < 0) continue;
        const auto H = contact.H.col(static_cast<Eigen::Index>(k));
        contact.b += H * v[column];
        if (restitution > 0) contact.b[0] += restitution * H[0] * v_before[column];
      }
    }
    return data;
  }

  /// The same with six rows a contact.
  ProblemData problem_with_moments(const std::string& name, const VectorXd& v) const {
    ProblemData data = problem(name, v);
    data.moments = true;
    return data;
  }

  std::vector<ContactRows> contacts;

 private:
  const Vector3d& position(int body) const { return positions_[static_cast<std::size_t>(body)]; }

  std::vector<double> masses_;
  std::vector<Vector3d> inertias_, positions_;
  std::vector<VectorXd> joint_rows_;
};

inline constexpr double step = 1e-3;      // s
inline constexpr double gravity = 9.81;   // m/s²
inline constexpr double half_size = 0.1;  // m, of the boxes

inline Vector3d box_inertia(double mass) {
  return Vector3d::Constant(mass * 2 * 4 * half_size * half_size / 12);
}

inline void add_corners(Scene& scene, int below, int above, const Vector3d& center, double mu) {
  for (const double x : {-half_size, half_size}) {
    for (const double y : {-half_size, half_size}) {
      scene.add_contact(below, above, center + Vector3d(x, y, -half_size), Vector3d::UnitZ(), mu);
    }
  }
}

/// Three feet: the normal reactions follow from the balance.
inline void add_feet(Scene& scene, int below, int above, const Vector3d& center, double mu) {
  for (const auto& [x, y] : {std::pair{-1.0, -1.0}, std::pair{-1.0, 1.0}, std::pair{1.0, 0.0}}) {
    const Vector3d foot = half_size * Vector3d(x, y, -1);
    scene.add_contact(below, above, center + foot, Vector3d::UnitZ(), mu);
  }
}

inline Scene stack(const std::vector<double>& masses, double mu) {
  Scene scene;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Vector3d center(0, 0, half_size * (2 * static_cast<double>(i) + 1));
    const int body = scene.add_body(masses[i], box_inertia(masses[i]), center);
    add_corners(scene, body - 1, body, center, mu);
  }
  return scene;
}

inline std::vector<double> geometric_masses(int count, double ratio) {
  std::vector<double> masses;
  for (int i = 0; i < count; ++i) masses.push_back(std::pow(ratio, double(i) / (count - 1)));
  return masses;
}

/// Numbers in (−1, 1), the same on every machine.
class Uniform {
 public:
  double operator()() { return 2 * (static_cast<double>(generator_()) + 0.5) / 4294967296.0 - 1; }

 private:
  std::mt19937 generator_{20};
};

inline VectorXd perturbed(const VectorXd& v, double amplitude) {
  Uniform uniform;
  VectorXd result = v;
  for (double& x : result) x += amplitude * uniform();
  return result;
}

inline ProblemData box_on_slope(const std::string& name, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const Scene scene = stack({1}, 0.5);
  return scene.problem(
      name, scene.translation(Vector3d(std::sin(angle), 0, -std::cos(angle)) * gravity * step));
}

inline ProblemData stack_velocities(const std::string& name, const std::vector<double>& masses,
                                    double mu, double amplitude = 0) {
  const Scene scene = stack(masses, mu);
  return scene.problem(name, perturbed(scene.translation({0, 0, -gravity * step}), amplitude));
}

inline ProblemData stack_positions(const std::string& name, const std::vector<double>& masses) {
  const Scene scene = stack(masses, 0.5);
  ProblemData data = scene.problem(name, scene.translation({0, 0, -0.5 * gravity * step * step}));
  data.position_level = true;
  return data;
}

/// A sphere of radius 0.05 m on an arm of 0.5 m, hinged at the origin, that swings against a wall.
inline ProblemData hinge_and_wall(const std::string& name, double wall, double mu, double e) {
  Scene scene;
  const double x = wall + 0.05;
  const Vector3d center(x, 0, -std::sqrt(0.25 - x * x));
  const int body = scene.add_body(1, Vector3d::Constant(1e-3), center);
  scene.add_hinge_about_y(body, Vector3d::Zero());
  scene.add_contact(-1, body, center - Vector3d(0.05, 0, 0), Vector3d::UnitX(), mu);
  VectorXd before(6), free(6);
  const double omega = 3;
  const Vector3d axis(0, omega, 0);
  before << axis.cross(center), axis;
  // What gravity adds in a step; the motion is about the hinge.
  const Vector3d more(0, -gravity * step * center[0] / 0.251, 0);
  free << (axis + more).cross(center), axis + more;
  return scene.problem(name, free, e, before);
}

/// A rod at 57° whose lower end slides: Painlevé's example.
inline ProblemData painleve(const std::string& name, double speed, double vertical) {
  Scene scene;
  const double half = 0.5, angle = 57 * std::numbers::pi / 180;
  const Vector3d center(0, 0, half * std::sin(angle));
  const double inertia = 4 * half * half / 12;
  const int rod = scene.add_body(1, {inertia, inertia, inertia}, center);
  scene.add_contact(-1, rod, {half * std::cos(angle), 0, 0}, Vector3d::UnitZ(), 1.5);
  return scene.problem(name, scene.translation({speed, 0, vertical}));
}

/// Different coefficients of friction, one body that leaves the ground, one contact that is there
/// twice, one between fixed bodies.
inline ProblemData mixed(const std::string& name) {
  Scene scene;
  const std::vector<double> masses{1, 3, 2};
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Vector3d center(0, 0, half_size * (2 * static_cast<double>(i) + 1));
    const int body = scene.add_body(masses[i], box_inertia(masses[i]), center);
    add_feet(scene, body - 1, body, center, i == 0 ? 0 : 0.25 * static_cast<double>(i));
  }
  scene.contacts[1].mu = 0.1;
  const int free = scene.add_body(1, box_inertia(1), {1, 0, half_size});
  add_feet(scene, -1, free, {1, 0, half_size}, 0.5);
  scene.contacts.push_back(scene.contacts[4]);
  VectorXd v = perturbed(scene.translation({0.02, 0.01, -gravity * step}), 0.01);
  v.tail<6>() << 0, 0, 0.5, 0, 0, 0;
  ProblemData data = scene.problem(name, v);
  ContactRows fixed;
  fixed.columns.fill(-1);
  fixed.mu = 0.3;
  fixed.b.head<3>() = Vector3d(-0.1, 0.2, 0);
  data.contacts.push_back(fixed);
  return data;
}

/// Boxes in a row on the ground, pinned to each other: joints and redundant contacts.
inline ProblemData train(const std::string& name, int count) {
  Scene scene;
  for (int i = 0; i < count; ++i) {
    scene.add_body(1 + 0.5 * i, box_inertia(1 + 0.5 * i), {0.3 * i, 0, half_size});
  }
  for (int i = 0; i < count; ++i) {
    const Vector3d center(0.3 * i, 0, half_size);
    add_corners(scene, -1, i, center, 0.3 + 0.05 * i);
    if (i > 0) scene.add_pin(i - 1, i, center - Vector3d(0.15, 0, 0));
  }
  return scene.problem(name, scene.translation({0.02, 0.005, -gravity * step}));
}

/// Everything in tests/problems.
inline std::vector<ProblemData> zoo() {
  const std::vector<double> equal(10, 1.0);
  return {
      box_on_slope("box_flat", 0),
      box_on_slope("box_20_degrees", 20),
      box_on_slope("box_35_degrees", 35),
      stack_velocities("stack_velocity", equal, 0.5),
      stack_positions("stack_position", equal),
      stack_velocities("stack_heavy_top", geometric_masses(10, 1000), 0.5),
      stack_velocities("stack_perturbed", equal, 0.5, 0.05),
      stack_velocities("stack_frictionless", {1, 1, 1}, 0, 0.01),
      hinge_and_wall("hinge_and_wall", -0.2, 0.5, 0),
      hinge_and_wall("hinge_and_wall_incompatible", -0.4, 1, 0.5),
      painleve("painleve_jamming", 2, -gravity * step),
      painleve("painleve_trailing", -2, -gravity * step),
      mixed("mixed"),
      train("train", 5),
  };
}

}  // namespace saltus::nonsmooth::test
