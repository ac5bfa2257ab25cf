// SPDX-License-Identifier: Apache-2.0
// Contact problems that methods stumble over: towers, arches, packings, joints, moments, masses
// that differ by a thousand.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/nonsmooth/sphere_zoo.hpp"

namespace saltus::nonsmooth::test {

inline std::vector<double> alternating_masses(int count, double ratio) {
  std::vector<double> masses;
  for (int i = 0; i < count; ++i) masses.push_back(i % 2 == 0 ? 1 : ratio);
  return masses;
}

/// Boxes on two others each, a triangle in the plane; four points where two boxes meet.
inline Scene wall_of_boxes(int base, double mu) {
  Scene scene;
  std::vector<int> below, row;
  for (int level = 0; level < base; ++level) {
    row.clear();
    for (int i = 0; i < base - level; ++i) {
      const double x = half_size * (2.0 * i + level), z = half_size * (2.0 * level + 1);
      row.push_back(scene.add_body(1, box_inertia(1), {x, 0, z}));
      for (const double end : {-half_size, -0.1 * half_size, 0.1 * half_size, half_size}) {
        const int support = level == 0 ? -1 : below[static_cast<std::size_t>(end < 0 ? i : i + 1)];
        for (const double y : {-half_size, half_size}) {
          scene.add_contact(support, row.back(), {x + end, y, z - half_size}, Vector3d::UnitZ(),
                            mu);
        }
      }
    }
    below = row;
  }
  return scene;
}

/// Wedges in a half circle between two abutments, four points where two meet.
inline Scene arch(int count, double mu) {
  Scene scene;
  const double radius = 1, part = std::numbers::pi / count;
  const auto direction = [](double angle) { return Vector3d(std::cos(angle), 0, std::sin(angle)); };
  for (int i = 0; i < count; ++i) {
    scene.add_body(5, Vector3d::Constant(0.05), radius * direction(part * (i + 0.5)));
  }
  for (int i = 0; i <= count; ++i) {
    const double angle = part * i;
    const Vector3d normal(-std::sin(angle), 0, std::cos(angle));
    for (const double r : {0.9, 1.1}) {
      for (const double y : {-0.1, 0.1}) {
        scene.add_contact(i - 1, i < count ? i : -1, r * direction(angle) + Vector3d(0, y, 0),
                          normal, mu);
      }
    }
  }
  return scene;
}

/// Spheres in layers on the hollows of each other, between four walls: a jam.
inline Scene packing(int base, double mu, double top_mass, bool moments) {
  Scene scene;
  const double r = sphere_radius;
  std::vector<std::pair<int, Vector3d>> spheres;
  const auto touch = [&](int first, int second, const Vector3d& point, const Vector3d& normal) {
    scene.add_contact(first, second, point, normal, mu);
    if (moments) scene.add_moments(r, 0.02, 0.05);
  };
  for (int level = 0; level < base; ++level) {
    for (int i = 0; i < base - level; ++i) {
      for (int j = 0; j < base - level; ++j) {
        const Vector3d place(r * (2 * i + level), r * (2 * j + level),
                             r * (1 + std::sqrt(2.0) * level));
        const double mass = level == base - 1 ? top_mass : sphere_mass;
        const int body = scene.add_body(mass, Vector3d::Constant(0.4 * mass * r * r), place);
        if (level == 0) {
          touch(-1, body, place - Vector3d(0, 0, r), Vector3d::UnitZ());
          if (i == 0) touch(-1, body, place - Vector3d(r, 0, 0), Vector3d::UnitX());
          if (j == 0) touch(-1, body, place - Vector3d(0, r, 0), Vector3d::UnitY());
          if (i == base - 1) touch(-1, body, place + Vector3d(r, 0, 0), -Vector3d::UnitX());
          if (j == base - 1) touch(-1, body, place + Vector3d(0, r, 0), -Vector3d::UnitY());
        }
        for (const auto& [other, center] : spheres) {
          const Vector3d way = place - center;
          if (way.norm() < 2.001 * r) touch(other, body, center + way / 2, way.normalized());
        }
        spheres.emplace_back(body, place);
      }
    }
  }
  return scene;
}

/// A sphere of a thousand times their mass on three others.
inline ProblemData heavy_on_light(const std::string& name) {
  Scene scene;
  const double r = sphere_radius;
  const Vector3d top(0, 0, r + r * std::sqrt(8.0 / 3));
  std::vector<Vector3d> places;
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * std::numbers::pi * i / 3;
    places.push_back(
        {2 * r / std::sqrt(3.0) * std::cos(angle), 2 * r / std::sqrt(3.0) * std::sin(angle), r});
    const int light = scene.add_body(1, Vector3d::Constant(0.4 * r * r), places.back());
    scene.add_contact(-1, light, places.back() - Vector3d(0, 0, r), Vector3d::UnitZ(), 0.6);
    for (int k = 0; k < i; ++k) {
      const Vector3d way = places.back() - places[static_cast<std::size_t>(k)];
      scene.add_contact(k, light, places[static_cast<std::size_t>(k)] + way / 2, way.normalized(),
                        0.6);
    }
  }
  const int heavy = scene.add_body(1000, Vector3d::Constant(400 * r * r), top);
  for (int i = 0; i < 3; ++i) {
    const Vector3d way = top - places[static_cast<std::size_t>(i)];
    scene.add_contact(i, heavy, top - way / 2, way.normalized(), 0.6);
  }
  return scene.problem(name, scene.translation({0, 0, -gravity * step}));
}

/// A sphere pressed into a wedge that would hold it whatever pushes: reactions are not bounded.
inline ProblemData wedged_sphere(const std::string& name) {
  Scene scene;
  const int sphere = add_sphere(scene, Vector3d::Zero());
  for (const double side : {-1.0, 1.0}) {
    const Vector3d n(side * std::cos(0.1), 0, std::sin(0.1));
    scene.add_contact(-1, sphere, -sphere_radius * n, n, 0.8);
  }
  return scene.problem(name, falling({0, 0.02, 0}, {0.3, 0, 0}));
}

/// A table on four legs that slides and turns.
inline ProblemData table(const std::string& name) {
  const Scene scene = stack({20}, 0.4);
  VectorXd v = scene.translation({0.3, 0.1, -gravity * step});
  v.tail<3>() << 0, 0, 4;
  return scene.problem(name, v);
}

/// Boxes on a rough floor, pinned in a line that turns at every second one.
inline ProblemData folded_chain(const std::string& name, int count) {
  Scene scene;
  Vector3d center(0, 0, half_size);
  for (int i = 0; i < count; ++i) {
    const Vector3d step_to = i % 2 == 0 ? Vector3d(0.25, 0, 0) : Vector3d(0, 0.25, 0);
    if (i > 0) center += step_to;
    scene.add_body(i % 3 == 0 ? 50 : 1, box_inertia(i % 3 == 0 ? 50 : 1), center);
  }
  center = Vector3d(0, 0, half_size);
  for (int i = 0; i < count; ++i) {
    const Vector3d step_to = i % 2 == 0 ? Vector3d(0.25, 0, 0) : Vector3d(0, 0.25, 0);
    if (i > 0) {
      scene.add_pin(i - 1, i, center + step_to / 2);
      center += step_to;
    }
    add_corners(scene, -1, i, center, 0.4);
  }
  return scene.problem(name, perturbed(scene.translation({0.05, 0, -gravity * step}), 0.03));
}

inline ProblemData with_moments(ProblemData data, const std::string& name) {
  data.name = name;
  return data;
}

/// What tests/problems has besides zoo() and the problems of runs.
inline std::vector<ProblemData> hard_zoo() {
  const Vector3d fall(0, 0, -gravity * step);
  const Scene triangle = wall_of_boxes(4, 0.4), round = arch(9, 0.6), slippery = arch(7, 0.25);
  const Scene heap = packing(3, 0.4, sphere_mass, false),
              smooth = packing(3, 0, sphere_mass, false),
              loaded = packing(3, 0.5, 1000 * sphere_mass, false),
              rolling = packing(3, 0.4, sphere_mass, true);
  std::vector<double> twenty(20, 1.0);
  return {
      stack_velocities("tower_of_20", twenty, 0.5, 0.02),
      stack_velocities("tower_alternating_1000", alternating_masses(8, 1000), 0.5),
      stack_positions("tower_alternating_position", alternating_masses(8, 1000)),
      stack_velocities("tower_rough", std::vector<double>(8, 1.0), 3, 0.05),
      triangle.problem("wall_of_boxes", triangle.translation(fall)),
      triangle.problem("wall_of_boxes_shaken", perturbed(triangle.translation(fall), 0.02)),
      round.problem("arch", round.translation(fall)),
      slippery.problem("arch_that_slips", slippery.translation(fall)),
      heap.problem("packing", shaken(heap, fall, 3)),
      smooth.problem("packing_frictionless", shaken(smooth, fall, 3)),
      loaded.problem("packing_heavy_top", loaded.translation(fall)),
      rolling.problem_with_moments("packing_with_moments", shaken(rolling, fall, 3)),
      with_moments(row_of_spheres(10, 5, false), "row_with_moments"),
      with_moments(row_of_spheres(8, 7, true), "row_coupled"),
      heavy_on_light("heavy_on_light"),
      wedged_sphere("wedged_sphere"),
      table("table_turns"),
      folded_chain("folded_chain", 10),
  };
}

}  // namespace saltus::nonsmooth::test
