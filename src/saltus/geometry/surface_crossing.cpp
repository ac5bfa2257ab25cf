// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/surface_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/geometry/box_tree.hpp"

namespace saltus {
namespace {

/// Of the size: what a corner must be beyond a plane, and inside of a border, to be through it.
constexpr double through_by = 1e-7;

using Corners = std::array<Vector3, 3>;

Bounds bounds_about(std::span<const Vector3> points) {
  Bounds box{points.front(), points.front()};
  for (const Vector3& x : points) {
    box.low = box.low.cwiseMin(x);
    box.high = box.high.cwiseMax(x);
  }
  return box;
}

/// Where the line from a to b goes through a triangle, if it does so well inside of both.
std::optional<Vector3> through(const Corners& t, const Vector3& a, const Vector3& b, double slack) {
  const Vector3 area = (t[1] - t[0]).cross(t[2] - t[0]);
  if (!(area.norm() > 0)) return std::nullopt;
  const Vector3 n = area.normalized();
  const double above = n.dot(a - t[0]), below = n.dot(b - t[0]);
  if (above * below >= 0 || std::min(std::abs(above), std::abs(below)) < slack) {
    return std::nullopt;
  }
  const Vector3 x = a + above / (above - below) * (b - a);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 e = t[(k + 1) % 3] - t[k];
    if (n.cross(e).dot(x - t[k]) < slack * e.norm()) return std::nullopt;
  }
  return x;
}

}  // namespace

std::optional<SurfaceCrossing> crossing_of(std::span<const Vector3> vertices,
                                           std::span<const std::array<int, 3>> triangles) {
  if (triangles.empty()) return std::nullopt;
  const auto corners = [&](std::size_t i) {
    Corners out;
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = vertices[static_cast<std::size_t>(triangles[i][k])];
    }
    return out;
  };
  std::vector<Bounds> boxes;
  for (std::size_t i = 0; i < triangles.size(); ++i) boxes.push_back(bounds_about(corners(i)));
  const BoxTree tree(boxes);
  const double slack = through_by * (tree.bounds().high - tree.bounds().low).norm();
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = triangles[i][k], to = triangles[i][(k + 1) % 3];
      if (from > to) continue;  // the other triangle of the edge has it
      const std::array<Vector3, 2> edge = {vertices[static_cast<std::size_t>(from)],
                                           vertices[static_cast<std::size_t>(to)]};
      std::optional<SurfaceCrossing> found;
      tree.visit(bounds_about(edge), [&](int other) {
        const std::array<int, 3>& u = triangles[static_cast<std::size_t>(other)];
        if (found || std::ranges::find(u, from) != u.end() || std::ranges::find(u, to) != u.end()) {
          return;
        }
        const auto x = through(corners(static_cast<std::size_t>(other)), edge[0], edge[1], slack);
        if (x) found = {static_cast<int>(i), other, *x};
      });
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace saltus
