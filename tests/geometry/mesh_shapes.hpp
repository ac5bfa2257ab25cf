// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "saltus/model/types.hpp"

/// Surfaces of bodies that are not convex, made of cubes or turned about an axis.
namespace saltus::mesh_shapes {

struct Mesh {
  std::vector<Vector3> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};
};

using Cell = std::array<int, 3>;

/// The surface of cubes of the grid, two triangles a square.
inline Mesh of_cells(const std::set<Cell>& cells, double side) {
  Mesh out;
  std::map<Cell, int> number;
  const auto vertex = [&](const Cell& at) {
    const auto [found, is_new] = number.try_emplace(at, static_cast<int>(out.vertices.size()));
    if (is_new) out.vertices.push_back(side * Vector3(at[0], at[1], at[2]));
    return found->second;
  };
  for (const Cell& cell : cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const int sign : {-1, 1}) {
        Cell next = cell;
        next[axis] += sign;
        if (cells.contains(next)) continue;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<int, 4> corners = {};
        for (int k = 0; k < 4; ++k) {
          Cell at = cell;
          at[axis] += sign > 0 ? 1 : 0;
          const int turn = sign > 0 ? k : 3 - k;  // anticlockwise from outside
          at[u] += turn == 1 || turn == 2 ? 1 : 0;
          at[v] += turn >= 2 ? 1 : 0;
          corners[static_cast<std::size_t>(k)] = vertex(at);
        }
        out.triangles.push_back({corners[0], corners[1], corners[2]});
        out.triangles.push_back({corners[0], corners[2], corners[3]});
      }
    }
  }
  return out;
}

inline Mesh l_profile() { return of_cells({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 0.5); }
inline Mesh stair() {
  return of_cells({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 1}, {2, 0, 1}, {2, 0, 2}}, 0.3);
}
inline Mesh u_profile() {
  return of_cells({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {2, 0, 1}}, 0.4);
}
/// Three by three cubes, the one in the middle missing.
inline Mesh frame() {
  std::set<Cell> cells;
  for (int i = 0; i < 9; ++i) {
    if (i != 4) cells.insert({i % 3, i / 3, 0});
  }
  return of_cells(cells, 0.3);
}

inline Mesh torus(double ring, double radius, int around, int across) {
  Mesh out;
  for (int i = 0; i < around; ++i) {
    const double a = 2 * std::numbers::pi * i / around;
    for (int j = 0; j < across; ++j) {
      const double b = 2 * std::numbers::pi * j / across;
      const double r = ring + radius * std::cos(b);
      out.vertices.emplace_back(r * std::cos(a), r * std::sin(a), radius * std::sin(b));
    }
  }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      out.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      out.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return out;
}

}  // namespace saltus::mesh_shapes
