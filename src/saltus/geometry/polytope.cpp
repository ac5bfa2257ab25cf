// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/polytope.hpp"

#include <map>
#include <utility>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

/// Twice the area of a plane loop, along its normal (Newell): no corner counts more than others.
Vector3 area_vector(const std::vector<Vector3>& vertices, const std::vector<int>& loop) {
  const Vector3& origin = vertices[static_cast<std::size_t>(loop[0])];
  Vector3 area = Vector3::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector3 a = vertices[static_cast<std::size_t>(loop[i])] - origin;
    const Vector3 b = vertices[static_cast<std::size_t>(loop[(i + 1) % loop.size()])] - origin;
    area += a.cross(b);
  }
  return area;
}

/// Each pair of neighbours in a loop is an edge; the face on whose loop it runs from the lower to
/// the higher vertex is on its left.
void add_edges(const std::vector<int>& loop, int face, std::map<std::pair<int, int>, int>& known,
               Polytope& out) {
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const int a = loop[i], b = loop[(i + 1) % loop.size()];
    const std::pair ends = std::minmax(a, b);
    const auto [place, is_new] = known.try_emplace(ends, static_cast<int>(out.edges.size()));
    if (is_new) out.edges.push_back({.vertices = {ends.first, ends.second}});
    int& side = out.edges[static_cast<std::size_t>(place->second)].faces[a < b ? 0 : 1];
    SALTUS_ASSERT(side < 0);
    side = face;
  }
}

}  // namespace

Polytope make_polytope(std::vector<Vector3> vertices, const std::vector<std::vector<int>>& faces) {
  Polytope out;
  out.vertices = std::move(vertices);
  std::map<std::pair<int, int>, int> known;
  for (const std::vector<int>& loop : faces) {
    SALTUS_ASSERT(loop.size() >= 3);
    Polytope::Face face;
    face.normal = area_vector(out.vertices, loop).normalized();
    for (const int v : loop) {
      face.offset += face.normal.dot(out.vertices[static_cast<std::size_t>(v)]);
    }
    face.offset /= static_cast<double>(loop.size());
    face.first = static_cast<int>(out.loops.size());
    face.count = static_cast<int>(loop.size());
    add_edges(loop, static_cast<int>(out.faces.size()), known, out);
    out.faces.push_back(face);
    out.loops.insert(out.loops.end(), loop.begin(), loop.end());
  }
  return out;
}

Polytope box_polytope(const Vector3& size) {
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    corners.push_back(0.5 * size.cwiseProduct(signs));
  }
  Polytope out = make_polytope(
      std::move(corners),
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
  out.box = size / 2;
  return out;
}

}  // namespace saltus
