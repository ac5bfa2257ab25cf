// SPDX-License-Identifier: Apache-2.0
// Contact problems with resistance to spinning and rolling.
#pragma once

#include <cmath>
#include <random>

#include "tests/nonsmooth/problem_zoo.hpp"

namespace saltus::nonsmooth::test {

inline constexpr double sphere_mass = 2, sphere_radius = 0.1,
                        sphere_inertia = 0.4 * sphere_mass * sphere_radius * sphere_radius;
inline constexpr double sphere_weight = sphere_mass * gravity * step;  // impulse of a step, N s

inline int add_sphere(Scene& scene, const Vector3d& position) {
  return scene.add_body(sphere_mass, Vector3d::Constant(sphere_inertia), position);
}

/// A sphere on the plane z = 0.
inline Scene sphere_on_plane(double mu, double spin, double roll) {
  Scene scene;
  const int sphere = add_sphere(scene, {0, 0, sphere_radius});
  scene.add_contact(-1, sphere, Vector3d::Zero(), Vector3d::UnitZ(), mu);
  scene.add_moments(sphere_radius, spin, roll);
  return scene;
}

inline VectorXd falling(const Vector3d& v, const Vector3d& omega) {
  VectorXd all(6);
  all << v - Vector3d(0, 0, gravity * step), omega;
  return all;
}

/// A flat disc: its centre is as good as in the plane, so sliding does not tilt it.
inline ProblemData disc(const Vector3d& v, double spin_rate, double mu) {
  Scene scene;
  const int body = scene.add_body(sphere_mass, {1, 1, 0.02}, {0, 0, 0});
  scene.add_contact(-1, body, Vector3d::Zero(), Vector3d::UnitZ(), mu);
  scene.add_moments(0.15, 0, 0, true);
  return scene.problem_with_moments("disc", falling(v, {0, 0, spin_rate}));
}

/// A sphere in a groove.
inline ProblemData groove(double slide, double spin, double roll, bool coupled) {
  Scene scene;
  const int sphere = add_sphere(scene, Vector3d::Zero());
  for (const double side : {-1.0, 1.0}) {
    const Vector3d n(side * std::sin(0.8), 0, std::cos(0.8));
    scene.add_contact(-1, sphere, -sphere_radius * n, n, slide);
    scene.add_moments(sphere_radius, spin, roll, coupled);
  }
  return scene.problem_with_moments("groove", falling({0.01, 0.02, 0}, {0.5, 0.1, -0.3}));
}

/// The same motion of all bodies and a random one, 5 mm/s and 0.05 rad/s at most.
inline VectorXd shaken(const Scene& scene, const Vector3d& mean, unsigned seed) {
  std::mt19937 generator(seed);
  VectorXd v = scene.translation(mean);
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const double number = static_cast<double>(generator()) / 4294967296.0 - 0.5;
    v[i] += (i % 6 < 3 ? 0.01 : 0.1) * number;
  }
  return v;
}

/// Spheres on a plane, each touching the next, with random motions. Twice as many contacts as
/// spheres: friction has more than one solution, with moments and without.
inline ProblemData row_of_spheres(int count, unsigned seed, bool coupled,
                                  double length = sphere_radius) {
  Scene scene;
  for (int i = 0; i < count; ++i) {
    const int sphere = add_sphere(scene, {2 * sphere_radius * i, 0, sphere_radius});
    scene.add_contact(-1, sphere, {2 * sphere_radius * i, 0, 0}, Vector3d::UnitZ(), 0.3);
    scene.add_moments(length, 0.02 * sphere_radius / length, 0.05 * sphere_radius / length,
                      coupled);
    if (i == 0) continue;
    scene.add_contact(sphere - 1, sphere, {sphere_radius * (2 * i - 1), 0, sphere_radius},
                      Vector3d::UnitX(), 0.2);
    scene.add_moments(length, 0.01 * sphere_radius / length, 0.03 * sphere_radius / length,
                      coupled);
  }
  return scene.problem_with_moments("row", shaken(scene, {0, 0, -gravity * step}, seed));
}

/// Spheres one behind the other and before a wall, with random motions: as many contacts as
/// spheres, so reactions and motions are unique.
inline ProblemData train_of_spheres(int count, unsigned seed, bool coupled,
                                    double length = sphere_radius) {
  Scene scene;
  for (int i = 0; i < count; ++i) {
    const Vector3d place(2 * sphere_radius * i, 0, 0);
    const int sphere = add_sphere(scene, place);
    scene.add_contact(sphere - 1, sphere, place - Vector3d(sphere_radius, 0, 0), Vector3d::UnitX(),
                      0.4);
    scene.add_moments(length, 0.05 * sphere_radius / length, 0.2 * sphere_radius / length, coupled);
  }
  VectorXd v = shaken(scene, Vector3d::Zero(), seed);
  for (int i = 0; i < count; ++i) v[6 * i] += 1e-3 * i;  // groups that do not touch each other
  return scene.problem_with_moments("train", v);
}

}  // namespace saltus::nonsmooth::test
