// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/mesh_core.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "saltus/geometry/nearest.hpp"

namespace saltus {
namespace {

using Corners = std::array<int, 3>;
using Border = MeshCore::Border;

/// Of the size: triangles next to each other whose corners are nearer to one plane are one face.
constexpr double one_plane = 1e-7;
/// The sine by which a border between two faces bends before it is two edges.
constexpr double bent_border = 1e-4;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Bounds box_about(const Vector3& a, const Vector3& b) { return {a.cwiseMin(b), a.cwiseMax(b)}; }

Bounds box_about(const std::array<Vector3, 3>& x) {
  return {x[0].cwiseMin(x[1]).cwiseMin(x[2]), x[0].cwiseMax(x[1]).cwiseMax(x[2])};
}

/// An edge of a triangle as it runs through it: from corner `side` to the next.
struct HalfEdge {
  int from = 0, to = 0, triangle = 0, side = 0;
  bool operator<(const HalfEdge& other) const {
    return std::pair(from, to) < std::pair(other.from, other.to);
  }
};

class MeshBuilder {
 public:
  MeshBuilder(std::span<const Vector3> vertices, std::span<const Corners> triangles)
      : x_(vertices), triangles_(triangles) {}

  /// Faces, then corners, then the edges between them.
  void build(Polytope& polytope, MeshCore& surface) {
    measure();
    list_edges();
    find_faces(polytope);
    find_borders(polytope);
    find_corners();
    number_corners(polytope);
    find_edges(polytope, surface);
    find_tips(surface);
    list_triangles(surface);
  }

 private:
  const Vector3& corner(int t, std::size_t k) const { return x_[index(triangles_[index(t)][k])]; }

  void measure() {
    Vector3 low = x_[0], high = low;
    for (const Vector3& x : x_) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    size_ = (high - low).norm();
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      areas_.emplace_back((corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)));
    }
  }

  void list_edges() {
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      const Corners& c = triangles_[index(t)];
      for (int k = 0; k < 3; ++k) {
        edges_.push_back({c[index(k)], c[index((k + 1) % 3)], t, k});
      }
    }
    std::sort(edges_.begin(), edges_.end());
  }

  /// The triangle on the other side of an edge, −1 if there is none.
  int across(int from, int to) const {
    const HalfEdge wanted{to, from, 0, 0};
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), wanted);
    return found != edges_.end() && found->from == to && found->to == from ? found->triangle : -1;
  }

  /// Large triangles first, for they say best where a plane is.
  void find_faces(Polytope& polytope) {
    face_of_.assign(triangles_.size(), -1);
    std::vector<int> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return areas_[index(a)].squaredNorm() > areas_[index(b)].squaredNorm();
    });
    for (const int t : order) {
      if (face_of_[index(t)] < 0) add_face(t, polytope);
    }
  }

  void add_face(int first, Polytope& polytope) {
    const auto face = static_cast<int>(polytope.faces.size());
    const Vector3 n = areas_[index(first)].normalized();
    std::vector<int> found = {first};
    face_of_[index(first)] = face;
    Vector3 area = Vector3::Zero();
    for (std::size_t i = 0; i < found.size(); ++i) {
      area += areas_[index(found[i])];
      const Corners& c = triangles_[index(found[i])];
      for (std::size_t k = 0; k < 3; ++k) {
        const int next = across(c[k], c[(k + 1) % 3]);
        if (next < 0 || face_of_[index(next)] >= 0 || !is_in_plane(next, n, corner(first, 0))) {
          continue;
        }
        face_of_[index(next)] = face;
        found.push_back(next);
      }
    }
    polytope.faces.push_back({.normal = area.normalized()});
    Polytope::Face& plane = polytope.faces.back();
    for (const int t : found) {
      for (std::size_t k = 0; k < 3; ++k) plane.offset += plane.normal.dot(corner(t, k));
    }
    plane.offset /= 3 * static_cast<double>(found.size());
  }

  bool is_in_plane(int t, const Vector3& n, const Vector3& origin) const {
    if (n.dot(areas_[index(t)]) < 0) return false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(n.dot(corner(t, k) - origin)) > one_plane * size_) return false;
    }
    return true;
  }

  /// Edges between two faces, and on which side the solid is.
  void find_borders(const Polytope& polytope) {
    borders_.assign(triangles_.size(), {Border::Inner, Border::Inner, Border::Inner});
    ways_out_.resize(x_.size());
    for (const HalfEdge& edge : edges_) {
      const int other = across(edge.from, edge.to);
      if (other < 0 || face_of_[index(other)] == face_of_[index(edge.triangle)]) continue;
      const Vector3& n = polytope.faces[index(face_of_[index(edge.triangle)])].normal;
      const Vector3& m = polytope.faces[index(face_of_[index(other)])].normal;
      const Vector3 e = x_[index(edge.to)] - x_[index(edge.from)];
      const bool is_concave = n.cross(m).dot(e) < 0;
      borders_[index(edge.triangle)][index(edge.side)] =
          is_concave ? Border::Concave : Border::Convex;
      if (!is_concave) {
        for (const int v : {edge.from, edge.to})
          convex_ends_.emplace(face_of_[index(edge.triangle)], v);
      }
      ways_out_[index(edge.from)].push_back(edge);
    }
  }

  /// A vertex where exactly two borders meet in a line is none.
  void find_corners() {
    is_corner_.assign(x_.size(), 0);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      const std::vector<HalfEdge>& out = ways_out_[v];
      if (out.empty()) continue;
      is_corner_[v] = 1;
      if (out.size() != 2) continue;
      const Vector3 a = (x_[index(out[0].to)] - x_[v]).normalized();
      const Vector3 b = (x_[index(out[1].to)] - x_[v]).normalized();
      if (a.dot(b) < 0 && a.cross(b).norm() < bent_border) is_corner_[v] = 0;
    }
  }

  void number_corners(Polytope& polytope) {
    number_.assign(x_.size(), -1);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (is_corner_[v] == 0) continue;
      number_[v] = static_cast<int>(polytope.vertices.size());
      polytope.vertices.push_back(x_[v]);
    }
  }

  int face_right_of(const HalfEdge& edge) const {
    return face_of_[index(across(edge.from, edge.to))];
  }

  /// Along the borders from corner to corner; each is met from both ends and taken once.
  void find_edges(Polytope& polytope, MeshCore& surface) {
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (is_corner_[v] == 0) continue;
      for (const HalfEdge& first : ways_out_[v]) add_edge(first, polytope, surface);
    }
  }

  void add_edge(const HalfEdge& first, Polytope& polytope, MeshCore& surface) {
    HalfEdge last = first;
    while (is_corner_[index(last.to)] == 0) {
      const std::vector<HalfEdge>& out = ways_out_[index(last.to)];
      last = out[0].to == last.from ? out[1] : out[0];
    }
    if (std::pair(first.from, first.to) > std::pair(last.to, last.from)) return;
    const int a = number_[index(first.from)], b = number_[index(last.to)];
    if (a == b) return;  // a loop, which plane faces do not have
    polytope.edges.push_back(
        {.vertices = {a, b}, .faces = {face_of_[index(first.triangle)], face_right_of(first)}});
    const Border border = borders_[index(first.triangle)][index(first.side)];
    surface.is_convex_edge.push_back(border == Border::Convex ? 1 : 0);
  }

  /// A vertex can be the lowest if no face goes round it by half a turn or more, and some edge is
  /// convex.
  void find_tips(MeshCore& surface) {
    struct Sector {
      int vertex = 0, face = 0;
      double angle = 0;
    };
    std::vector<Sector> sectors;
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int v = number_[index(triangles_[index(t)][k])];
        if (v < 0) continue;
        const Vector3 a = corner(t, (k + 1) % 3) - corner(t, k);
        const Vector3 b = corner(t, (k + 2) % 3) - corner(t, k);
        sectors.push_back({v, face_of_[index(t)], std::atan2(a.cross(b).norm(), a.dot(b))});
      }
    }
    std::stable_sort(sectors.begin(), sectors.end(), [](const Sector& a, const Sector& b) {
      return std::pair(a.vertex, a.face) < std::pair(b.vertex, b.face);
    });
    const auto count = static_cast<std::size_t>(
        std::count(is_corner_.begin(), is_corner_.end(), static_cast<char>(1)));
    surface.is_tip.assign(count, 0);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      const bool has_convex = std::ranges::any_of(ways_out_[v], [&](const HalfEdge& e) {
        return borders_[index(e.triangle)][index(e.side)] == Border::Convex;
      });
      if (number_[v] >= 0 && has_convex) surface.is_tip[index(number_[v])] = 1;
    }
    constexpr double half_turn = std::numbers::pi - 1e-6;
    for (std::size_t i = 0; i < sectors.size();) {
      double angle = 0;
      const Sector& first = sectors[i];
      std::size_t end = i;
      while (end < sectors.size() && sectors[end].vertex == first.vertex &&
             sectors[end].face == first.face) {
        angle += sectors[end++].angle;
      }
      if (angle >= half_turn) surface.is_tip[index(first.vertex)] = 0;
      i = end;
    }
  }

  void list_triangles(MeshCore& surface) const {
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      if (!(areas_[index(t)].norm() > 0)) continue;
      const int face = face_of_[index(t)];
      MeshCore::Triangle& out = surface.triangles.emplace_back();
      out.corners = {corner(t, 0), corner(t, 1), corner(t, 2)};
      out.borders = borders_[index(t)];
      out.face = face;
      for (std::size_t k = 0; k < 3; ++k) {
        out.in_pit[k] = !convex_ends_.contains({face, triangles_[index(t)][k]});
      }
    }
  }

  std::span<const Vector3> x_;
  std::span<const Corners> triangles_;
  double size_ = 0;
  std::vector<Vector3> areas_;   // of the triangles, twice, along their normals
  std::vector<HalfEdge> edges_;  // sorted
  std::vector<int> face_of_;     // of the triangles
  std::vector<std::array<Border, 3>> borders_;
  std::set<std::pair<int, int>> convex_ends_;    // a face, and a vertex where a convex border ends
  std::vector<std::vector<HalfEdge>> ways_out_;  // borders that begin at a vertex
  std::vector<char> is_corner_;
  std::vector<int> number_;  // of the corners; −1: of a vertex that is none
};

/// What follows from the polytope and the list of triangles.
void complete(const Polytope& p, MeshCore& surface) {
  std::vector<std::vector<Vector3>> ways(p.vertices.size());
  std::vector<Bounds> edge_boxes, vertex_boxes, triangle_boxes;
  for (std::size_t i = 0; i < p.edges.size(); ++i) {
    const Polytope::Edge& edge = p.edges[i];
    const Vector3 &a = p.vertices[index(edge.vertices[0])],
                  &b = p.vertices[index(edge.vertices[1])];
    const Vector3 e = (b - a).normalized();
    ways[index(edge.vertices[0])].push_back(e);
    ways[index(edge.vertices[1])].emplace_back(-e);
    std::array<Vector3, 2> into = {Vector3::Zero(), Vector3::Zero()};
    if (edge.faces[0] >= 0 && edge.faces[1] >= 0) {
      into = {p.faces[index(edge.faces[0])].normal.cross(e),
              e.cross(p.faces[index(edge.faces[1])].normal)};
    }
    surface.into_faces.push_back(into);
    if (surface.is_convex_edge[i] == 0) continue;
    surface.edge_items.push_back(static_cast<int>(i));
    edge_boxes.push_back(box_about(a, b));
  }
  surface.first_way.push_back(0);
  for (std::size_t v = 0; v < p.vertices.size(); ++v) {
    surface.ways.insert(surface.ways.end(), ways[v].begin(), ways[v].end());
    surface.first_way.push_back(static_cast<int>(surface.ways.size()));
    if (surface.is_tip[v] == 0) continue;
    surface.vertex_items.push_back(static_cast<int>(v));
    vertex_boxes.push_back(box_about(p.vertices[v], p.vertices[v]));
  }
  for (const MeshCore::Triangle& t : surface.triangles) {
    triangle_boxes.push_back(box_about(t.corners));
  }
  surface.triangle_tree = BoxTree(triangle_boxes);
  surface.edge_tree = BoxTree(edge_boxes);
  surface.vertex_tree = BoxTree(vertex_boxes);
}

/// The faces of a convex polytope as fans.
void list_fans(const Polytope& p, MeshCore& surface) {
  for (std::size_t f = 0; f < p.faces.size(); ++f) {
    const Polytope::Face& face = p.faces[f];
    const auto at = [&](int k) { return p.vertices[index(p.loops[index(face.first + k)])]; };
    for (int k = 2; k < face.count; ++k) {
      surface.triangles.push_back(
          {.corners = {at(0), at(k - 1), at(k)},
           .borders = {k == 2 ? Border::Convex : Border::Inner, Border::Convex,
                       k + 1 == face.count ? Border::Convex : Border::Inner},
           .face = static_cast<int>(f)});
    }
  }
}

}  // namespace

ConvexCore mesh_core(std::span<const Vector3> vertices, std::span<const Corners> triangles,
                     double rounding) {
  Polytope polytope;
  const auto surface = std::make_shared<MeshCore>();
  MeshBuilder(vertices, triangles).build(polytope, *surface);
  complete(polytope, *surface);
  ConvexCore out = polytope_core(std::move(polytope), rounding);
  out.surface = surface;
  out.is_mesh = true;
  return out;
}

namespace {

/// The nearest point of a triangle.
Vector3 nearest_on(const std::array<Vector3, 3>& t, const Vector3& x) {
  const Vector3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  bool is_above = n.squaredNorm() > 0;
  Vector3 best = t[0];
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3& a = t[k];
    const Vector3 e = t[(k + 1) % 3] - a;
    if (n.cross(e).dot(x - a) < 0) is_above = false;
    const double square = e.squaredNorm();
    const double part = square > 0 ? std::clamp(e.dot(x - a) / square, 0.0, 1.0) : 0;
    const Vector3 y = a + part * e;
    if ((y - x).squaredNorm() < (best - x).squaredNorm()) best = y;
  }
  return is_above ? Vector3(x - n.dot(x - t[0]) / n.squaredNorm() * n) : best;
}

/// The solid angle of a triangle seen from x, with the sign of its side (Van Oosterom, Strackee).
double solid_angle(const std::array<Vector3, 3>& t, const Vector3& x) {
  const Vector3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double A = a.norm(), B = b.norm(), C = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), A * B * C + a.dot(b) * C + b.dot(c) * A + c.dot(a) * B);
}

}  // namespace

double depth_inside(const ConvexCore& core, const Vector3& x) {
  if (!core.is_mesh) return std::max(-nearest(core, x).distance, 0.0);
  double angle = 0, least = HUGE_VAL;
  for (const MeshCore::Triangle& t : core.surface->triangles) {
    angle += solid_angle(t.corners, x);
    least = std::min(least, (nearest_on(t.corners, x) - x).norm());
  }
  return angle > 2 * std::numbers::pi ? least : 0;
}

void add_surface(ConvexCore& core) {
  if (core.surface || core.round || core.plane) return;
  const auto surface = std::make_shared<MeshCore>();
  surface->is_convex_edge.assign(core.polytope.edges.size(), 1);
  surface->is_tip.assign(core.polytope.vertices.size(), 1);
  list_fans(core.polytope, *surface);
  complete(core.polytope, *surface);
  core.surface = surface;
}

}  // namespace saltus
