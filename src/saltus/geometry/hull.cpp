// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>
#include <vector>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace saltus {
namespace {

using Triangle = std::array<int, 3>;

/// Of the size: what is nearer to a plane or line is in it.
constexpr double in_plane = 1e-12;
/// Of the size: thinner than this there is no inside to speak of.
constexpr double thinnest = 1e-9;

double size_of(std::span<const Vector3> points) {
  Vector3 low = points[0], high = points[0];
  for (const Vector3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// The largest of f over the points, and where.
template <class F>
std::pair<double, Vector3> farthest(std::span<const Vector3> points, const F& f) {
  std::pair<double, Vector3> best = {-1, points[0]};
  for (const Vector3& x : points) {
    const double value = f(x);
    if (value > best.first) best = {value, x};
  }
  return best;
}

/// Why the points have no hull with an inside; empty if they have.
std::string fault_of(std::span<const Vector3> points) {
  if (points.size() < 4) return "a convex body needs at least 4 points";
  for (const Vector3& x : points) {
    if (!x.allFinite()) return "a coordinate of a point is not a finite number";
  }
  const double size = size_of(points);
  if (!(size > 0)) return "all points are one";
  const Vector3& a = points[0];
  const auto [length, b] = farthest(points, [&](const Vector3& x) { return (x - a).norm(); });
  const Vector3 e = (b - a) / length;
  const auto [width, c] =
      farthest(points, [&](const Vector3& x) { return (x - a - e.dot(x - a) * e).norm(); });
  if (width < thinnest * size) return "all points are on a line";
  const Vector3 n = e.cross(c - a).normalized();
  const double height =
      farthest(points, [&](const Vector3& x) { return std::abs(n.dot(x - a)); }).first;
  if (height < thinnest * size) return "all points are in a plane";
  return {};
}

/// Triangles of the hull, anticlockwise from outside; none if Qhull gives up.
std::vector<Triangle> triangles_of(std::span<const Vector3> points) {
  std::vector<coordT> coordinates;
  Vector3 centre = Vector3::Zero();
  for (const Vector3& x : points) centre += x / static_cast<double>(points.size());
  for (const Vector3& x : points) {
    for (int i = 0; i < 3; ++i) coordinates.push_back(x[i] - centre[i]);
  }
  qhT memory;
  qhT* qh = &memory;
  // What Qhull has to say goes nowhere: the reason is found here.
  std::FILE* silence = std::tmpfile();
  qh_zero(qh, silence);
  char command[] = "qhull Qt Pp";
  std::vector<Triangle> out;
  const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                  command, silence, silence);
  if (failed == 0) {
    for (const facetT* f = qh->facet_list; f != nullptr && f->next != nullptr; f = f->next) {
      Triangle t = {};
      const setT* corners = f->vertices;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto* v = static_cast<const vertexT*>(corners->e[k].p);
        t[k] = qh_pointid(qh, v->point);
      }
      // Qhull's order of corners is clockwise where `toporient` is set.
      if (f->toporient != 0) std::swap(t[1], t[2]);
      out.push_back(t);
    }
  }
  qh_freeqhull(qh, qh_ALL);
  int unused = 0, left = 0;
  qh_memfreeshort(qh, &unused, &left);
  if (silence != nullptr) std::fclose(silence);
  std::sort(out.begin(), out.end());
  return out;
}

/// The triangles next to each, by their directed edges.
using Neighbours = std::map<std::pair<int, int>, int>;

Neighbours neighbours_of(const std::vector<Triangle>& triangles) {
  Neighbours out;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      out[{triangles[t][k], triangles[t][(k + 1) % 3]}] = static_cast<int>(t);
    }
  }
  return out;
}

/// Collects triangles in the plane of a first one, over their edges.
std::vector<int> plane_of(int first, std::span<const Vector3> points,
                          const std::vector<Triangle>& triangles, const Neighbours& neighbours,
                          std::vector<int>& face_of, int face) {
  const auto corner = [&](int t, std::size_t k) -> const Vector3& {
    return points[static_cast<std::size_t>(triangles[static_cast<std::size_t>(t)][k])];
  };
  const double tolerance = in_plane * size_of(points);
  const Vector3 n =
      (corner(first, 1) - corner(first, 0)).cross(corner(first, 2) - corner(first, 0)).normalized();
  std::vector<int> found = {first};
  face_of[static_cast<std::size_t>(first)] = face;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Triangle& t = triangles[static_cast<std::size_t>(found[i])];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto next = neighbours.find({t[(k + 1) % 3], t[k]});
      if (next == neighbours.end()) continue;
      int& owner = face_of[static_cast<std::size_t>(next->second)];
      if (owner >= 0) continue;
      bool is_flat = true;
      for (std::size_t m = 0; m < 3; ++m) {
        is_flat =
            is_flat && std::abs(n.dot(corner(next->second, m) - corner(first, 0))) <= tolerance;
      }
      if (!is_flat) continue;
      owner = face;
      found.push_back(next->second);
    }
  }
  return found;
}

/// The border of the triangles of a face, anticlockwise. Empty if it is not one loop.
std::vector<int> border_of(const std::vector<int>& members, const std::vector<Triangle>& triangles,
                           const Neighbours& neighbours, const std::vector<int>& face_of) {
  std::map<int, int> next;
  for (const int t : members) {
    const Triangle& c = triangles[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = c[k], b = c[(k + 1) % 3];
      const auto other = neighbours.find({b, a});
      if (other == neighbours.end()) return {};
      const auto own = face_of[static_cast<std::size_t>(t)];
      if (face_of[static_cast<std::size_t>(other->second)] == own) continue;
      if (!next.try_emplace(a, b).second) return {};
    }
  }
  std::vector<int> loop;
  const int start = next.begin()->first;
  for (int v = start; loop.empty() || v != start; v = next.at(v)) loop.push_back(v);
  return loop.size() == next.size() ? loop : std::vector<int>();
}

/// Only points in three faces or more are corners; the others are on an edge.
void drop_points_on_edges(std::vector<std::vector<int>>& loops) {
  std::map<int, int> faces_at;
  for (const std::vector<int>& loop : loops) {
    for (const int v : loop) ++faces_at[v];
  }
  for (std::vector<int>& loop : loops) {
    std::erase_if(loop, [&](int v) { return faces_at[v] < 3; });
  }
}

/// The polytope of the loops, with only the points that they name.
Polytope with_corners_only(std::span<const Vector3> points, std::vector<std::vector<int>> loops) {
  std::set<int> used;
  for (const std::vector<int>& loop : loops) used.insert(loop.begin(), loop.end());
  std::map<int, int> number;
  std::vector<Vector3> vertices;
  for (const int v : used) {
    number[v] = static_cast<int>(vertices.size());
    vertices.push_back(points[static_cast<std::size_t>(v)]);
  }
  for (std::vector<int>& loop : loops) {
    for (int& v : loop) v = number[v];
  }
  return make_polytope(std::move(vertices), loops);
}

}  // namespace

Hull convex_hull(std::span<const Vector3> points) {
  if (std::string fault = fault_of(points); !fault.empty()) return {.reason = std::move(fault)};
  const std::vector<Triangle> triangles = triangles_of(points);
  Hull none = {.reason = "Qhull finds no hull of these points"};
  if (triangles.size() < 4) return none;
  const Neighbours neighbours = neighbours_of(triangles);
  std::vector<int> face_of(triangles.size(), -1);
  std::vector<std::vector<int>> members;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    if (face_of[static_cast<std::size_t>(t)] >= 0) continue;
    const int face = static_cast<int>(members.size());
    members.push_back(plane_of(t, points, triangles, neighbours, face_of, face));
  }
  std::vector<std::vector<int>> loops;
  for (const std::vector<int>& face : members) {
    loops.push_back(border_of(face, triangles, neighbours, face_of));
    if (loops.back().size() < 3) return none;
  }
  drop_points_on_edges(loops);
  std::erase_if(loops, [](const std::vector<int>& loop) { return loop.size() < 3; });
  if (loops.size() < 4) return none;
  Hull out;
  out.polytope = with_corners_only(points, std::move(loops));
  for (const Polytope::Edge& e : out.polytope.edges) {
    if (e.faces[0] < 0 || e.faces[1] < 0) return none;
  }
  return out;
}

}  // namespace saltus
