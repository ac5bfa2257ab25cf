// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/mesh_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus {
namespace {

using Triangle = std::array<int, 3>;

std::string shown_triangle(const Triangle& t) {
  return fmt::format("[{}, {}, {}]", t[0], t[1], t[2]);
}

std::optional<SurfaceFlaw> flaw_of_indices(const MeshShape& mesh) {
  const auto count = static_cast<int>(mesh.vertices.size());
  std::vector<bool> is_used(mesh.vertices.size(), false);
  for (const Triangle& t : mesh.triangles) {
    const bool known = std::ranges::all_of(t, [&](int v) { return v >= 0 && v < count; });
    if (!known || t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      return SurfaceFlaw{.rule = "a triangle needs three different vertices that there are",
                         .value = shown_triangle(t),
                         .remedy = fmt::format("there are {} vertices, counted from 0", count)};
    }
    for (const int v : t) is_used[static_cast<std::size_t>(v)] = true;
  }
  const auto unused = std::ranges::find(is_used, false);
  if (unused == is_used.end()) return std::nullopt;
  return SurfaceFlaw{.key = "vertices",
                     .rule = "every vertex of a mesh must be a corner of a triangle",
                     .value = fmt::format("vertex {} is of none", unused - is_used.begin()),
                     .remedy = "leave it out"};
}

/// An edge as its triangle runs through it.
struct HalfEdge {
  int low = 0, high = 0;
  bool rises = false;  ///< from low to high
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of <=> for a pointer.
  auto operator<=>(const HalfEdge&) const = default;
};

std::optional<SurfaceFlaw> flaw_of_edges(const MeshShape& mesh) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  }
  std::ranges::sort(edges);
  std::size_t open = 0;
  const HalfEdge* first_open = nullptr;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high)
      ++end;
    const std::string where =
        fmt::format("between the vertices {} and {}", edges[i].low, edges[i].high);
    if (end - i > 2) {
      return SurfaceFlaw{.rule = "an edge of a mesh must have two triangles",
                         .value = fmt::format("the edge {} has {}", where, end - i),
                         .remedy = "parts that touch in an edge are colliders of their own"};
    }
    if (end - i == 2 && edges[i].rises == edges[i + 1].rises) {
      return SurfaceFlaw{.rule =
                             "triangles that share an edge must run through it in opposite "
                             "directions: all are anticlockwise seen from outside",
                         .value = fmt::format("the edge {}", where),
                         .remedy = "turn one of its two triangles round: swap two of its vertices"};
    }
    if (end - i == 1 && ++open == 1) first_open = &edges[i];
    i = end;
  }
  if (open == 0) return std::nullopt;
  return SurfaceFlaw{
      .rule = "a mesh must be closed: every edge has two triangles",
      .value = fmt::format("{} of its edges have one, first that between the vertices {} and {}",
                           open, first_open->low, first_open->high),
      .remedy = "close its holes; corners that should be one must have the same coordinates"};
}

double volume_of(const MeshShape& mesh) {
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  const Vector3 origin = mesh.vertices[0];
  double volume = 0;
  for (const Triangle& t : mesh.triangles) {
    volume += (at(t[0]) - origin).dot((at(t[1]) - origin).cross(at(t[2]) - origin)) / 6;
  }
  return volume;
}

double size_of(const MeshShape& mesh) {
  Vector3 low = mesh.vertices[0], high = low;
  for (const Vector3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

std::optional<SurfaceFlaw> flaw_of_volume(const MeshShape& mesh) {
  constexpr double flat = 1e-12;  // of the cube about it
  const double volume = volume_of(mesh), size = size_of(mesh);
  if (volume > flat * size * size * size) return std::nullopt;
  const bool is_flat = std::abs(volume) <= flat * size * size * size;
  return SurfaceFlaw{.rule = is_flat ? "a mesh must have a volume" : "the mesh is inside out",
                     .value = fmt::format("its volume is {:.6g} m³", volume),
                     .remedy = is_flat
                                   ? "a thin plate is a box"
                                   : "turn every triangle round: anticlockwise seen from outside"};
}

}  // namespace

std::optional<SurfaceFlaw> flaw_of(const MeshShape& mesh) {
  if (mesh.triangles.empty()) {
    return SurfaceFlaw{.rule = "the mesh is empty",
                       .remedy = "give \"path\", or \"vertices\" and \"triangles\""};
  }
  if (mesh.triangles.size() > most_triangles) {
    return SurfaceFlaw{.rule = fmt::format("a mesh has {} triangles at most", most_triangles),
                       .value = std::to_string(mesh.triangles.size()),
                       .remedy = "make it coarser where it was made"};
  }
  if (auto flaw = flaw_of_indices(mesh)) return flaw;
  if (auto flaw = flaw_of_edges(mesh)) return flaw;
  return flaw_of_volume(mesh);
}

bool is_convex(const MeshShape& mesh) {
  constexpr double slack = 1e-9;
  const double size = size_of(mesh);
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  return std::ranges::all_of(mesh.triangles, [&](const Triangle& t) {
    const Vector3 n = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
    const double most = slack * size * n.norm();
    // Of a triangle without area the plane is not known.
    if (n.norm() < slack * size * slack * size) return true;
    return std::ranges::all_of(mesh.vertices,
                               [&](const Vector3& x) { return n.dot(x - at(t[0])) <= most; });
  });
}

}  // namespace saltus
