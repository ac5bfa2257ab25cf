// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/polytope_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/geometry/nearest.hpp"

namespace saltus {
namespace {

/// Lengths below this part of the sizes do not count.
constexpr double relative_slack = 1e-10;
/// Edges whose sine is less are parallel: vertices carry such contacts.
constexpr double parallel_edges_sine = 1e-6;

const Vector3& at(const std::vector<Vector3>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}
const Polytope::Face& face_of(const Polytope& p, int i) {
  return p.faces[static_cast<std::size_t>(i)];
}
const Polytope::Edge& edge_of(const Polytope& p, int i) {
  return p.edges[static_cast<std::size_t>(i)];
}
int count(const auto& list) { return static_cast<int>(list.size()); }

double slack_of(const CorePair& pair) { return relative_slack * (pair.A().size + pair.B().size); }
double radii_of(const CorePair& pair) { return pair.A().radius + pair.B().radius; }

double least_along(const Vector3& n, const std::vector<Vector3>& vertices) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3& x : vertices) least = std::min(least, n.dot(x));
  return least;
}

/// The best face of P against Q, whose vertices are in P's axes; its normal is in P's axes, too.
SeparatingAxis best_face(const Polytope& P, const std::vector<Vector3>& Q, double enough) {
  SeparatingAxis best;
  for (int f = 0; f < count(P.faces); ++f) {
    const Polytope::Face& face = face_of(P, f);
    const double separation = least_along(face.normal, Q) - face.offset;
    if (separation <= best.separation) continue;
    best = {.a = f, .b = f, .normal = face.normal, .separation = separation};
    if (separation > enough) break;
  }
  return best;
}

/// What lines a + t e and b + u f are apart along their common normal n. Taken where they are
/// nearest, for there an n that is off by round-off, as that of nearly parallel lines is, does not
/// matter.
double lines_apart(const Vector3& n, const Vector3& e, const Vector3& f, const Vector3& d) {
  const Vector3 c = e.cross(f);
  const double s2 = c.squaredNorm();
  const double t = d.cross(f).dot(c) / s2, u = d.cross(e).dot(c) / s2;
  return n.dot(d + u * f - t * e);
}

/// An edge, and the normals of the faces on its left and right, all in A's axes.
struct EdgeNormals {
  Vector3 e, left, right;
  bool has_faces = false;  ///< or it is a segment: all directions across it are its normals
};

EdgeNormals normals_of(const Polytope& p, int edge, const Matrix3& R) {
  const Polytope::Edge& e = edge_of(p, edge);
  EdgeNormals out;
  out.e = R * (at(p.vertices, e.vertices[1]) - at(p.vertices, e.vertices[0]));
  out.has_faces = e.faces[0] >= 0 && e.faces[1] >= 0;
  if (!out.has_faces) return out;
  out.left = R * face_of(p, e.faces[0]).normal;
  out.right = R * face_of(p, e.faces[1]).normal;
  return out;
}

/// 1 if e_A × e_B is one of A's normals there and its opposite one of B's, −1 if e_B × e_A is, 0 if
/// neither. For (e_A × e_B) · (n × e_A) = −|e_A|² e_B · n, n being a normal of A's faces.
int common_normal(const EdgeNormals& A, const EdgeNormals& B, double along) {
  int sign = 0;
  for (const bool first : {true, false}) {
    const EdgeNormals& own = first ? A : B;
    const Vector3& other = first ? B.e : A.e;
    if (!own.has_faces) continue;
    const double left = other.dot(own.left), right = other.dot(own.right);
    if (!(left * right < 0)) return 0;
    const int side = left > 0 ? 1 : -1;
    if (sign == -side) return 0;
    sign = side;
  }
  if (sign == 0) sign = along < 0 ? -1 : 1;
  return sign;
}

SeparatingAxis best_edges(const CorePair& pair, const RelativePose& X,
                          const CoreSearchSpace& space) {
  const Polytope &P = pair.A().polytope, &Q = pair.B().polytope;
  SeparatingAxis best;
  for (int j = 0; j < count(Q.edges); ++j) {
    const EdgeNormals B = normals_of(Q, j, X.R);
    const Vector3& b = at(space.vertices_B, edge_of(Q, j).vertices[0]);
    for (int i = 0; i < count(P.edges); ++i) {
      const EdgeNormals A = normals_of(P, i, Matrix3::Identity());
      const Vector3 d = b - at(P.vertices, edge_of(P, i).vertices[0]);
      Vector3 n = A.e.cross(B.e);
      const int sign = common_normal(A, B, n.dot(d));
      if (sign == 0) continue;
      const double length = n.norm();
      const double sine = parallel_edges_sine * std::sqrt(A.e.squaredNorm() * B.e.squaredNorm());
      if (!(length > sine)) continue;
      n *= sign / length;
      const double separation = lines_apart(n, A.e, B.e, d);
      if (separation <= best.separation) continue;
      best = {.kind = SeparatingAxis::Kind::Edges,
              .a = i,
              .b = j,
              .normal = n,
              .separation = separation};
    }
  }
  return best;
}

/// The sign of the outward direction of an edge must agree with the way from one to the other, for
/// later the sign is taken from it alone.
bool is_outside(const CoreFeature& edge, const Matrix3& R, const Vector3& n) {
  return edge.outward.isZero(0) || n.dot(R * edge.outward) > 0.05;
}

/// One side of a search at a face: P has the face, Q is seen from it.
struct FaceView {
  const CorePair& pair;
  const Polytope& P;
  const Polytope& Q;
  RelativePose Q_in_P;
  bool is_A = true;  ///< whether P is A
  int face = 0;
  double reach = 0, slack = 0, radii = 0;
  double least = 0;  ///< gaps below this are not meant

  const ConvexCore& core_P() const { return is_A ? pair.A() : pair.B(); }
  const ConvexCore& core_Q() const { return is_A ? pair.B() : pair.A(); }
  const Polytope::Face& plane() const { return face_of(P, face); }
  std::int64_t index(TouchKind for_A, TouchKind for_B, int p, int q) const {
    if (is_A) return pair.index({.kind = for_A, .a = p, .b = q});
    return pair.index({.kind = for_B, .a = q, .b = p});
  }
  bool is_meant(double gap) const { return gap <= reach && gap >= least; }
};

/// How far x is inside of edge k of a face, along the face.
double inside_of(const Polytope& p, const Polytope::Face& face, int k, const Vector3& x) {
  const auto first = static_cast<std::size_t>(face.first);
  const Vector3& a = at(p.vertices, p.loops[first + static_cast<std::size_t>(k)]);
  const Vector3& b =
      at(p.vertices, p.loops[first + static_cast<std::size_t>((k + 1) % face.count)]);
  return face.normal.cross(b - a).normalized().dot(x - a);
}

/// Vertices of Q above the face. Their heights and places in P's axes are in `space`.
void vertices_above(const FaceView& view, const std::vector<Vector3>& placed,
                    const std::vector<int>& near, const std::vector<double>& heights,
                    std::vector<CoreContact>& out) {
  const Polytope::Face& face = view.plane();
  for (const int v : near) {
    const double gap = heights[static_cast<std::size_t>(v)] - view.radii;
    bool is_above = view.is_meant(gap);
    for (int k = 0; is_above && k < face.count; ++k) {
      is_above = inside_of(view.P, face, k, at(placed, v)) >= -view.slack;
    }
    if (!is_above) continue;
    out.push_back({view.index(TouchKind::FaceVertex, TouchKind::VertexFace, view.face, v), gap});
  }
}

/// The corner v of P's face above a face of Q; corners that are one with a corner of Q touch there.
void corner_above(const FaceView& view, const std::vector<Vector3>& placed,
                  const std::vector<int>& near, int v, std::vector<CoreContact>& out) {
  const Vector3& x = at(view.P.vertices, v);
  for (const int w : near) {
    const Vector3 d = at(placed, w) - x;
    if ((d - d.dot(view.plane().normal) * view.plane().normal).norm() <= 2 * view.slack) return;
  }
  const Vector3 x_Q = view.Q_in_P.inverse().point(x);
  const Vector3 n_Q = view.Q_in_P.R.transpose() * view.plane().normal;
  for (int f = 0; f < count(view.Q.faces); ++f) {
    const Polytope::Face& face = face_of(view.Q, f);
    if (face.normal.dot(n_Q) > -0.7) continue;
    const double gap = face.normal.dot(x_Q) - face.offset - view.radii;
    bool is_above = view.is_meant(gap);
    for (int k = 0; is_above && k < face.count; ++k) {
      is_above = inside_of(view.Q, face, k, x_Q) >= -view.slack;
    }
    if (!is_above) continue;
    out.push_back({view.index(TouchKind::VertexFace, TouchKind::FaceVertex, v, f), gap});
  }
}

/// Where the segments are nearest, if it is between the ends of both.
bool nearest_between_ends(const Vector3& a0, const Vector3& a1, const Vector3& b0,
                          const Vector3& b1, double slack, Vector3& way) {
  const Vector3 e = a1 - a0, f = b1 - b0, d = b0 - a0, c = e.cross(f);
  const double s2 = c.squaredNorm(), e2 = e.squaredNorm(), f2 = f.squaredNorm();
  if (s2 < parallel_edges_sine * parallel_edges_sine * e2 * f2) return false;
  const double t = d.cross(f).dot(c) / s2, u = d.cross(e).dot(c) / s2;
  const double t_slack = slack / std::sqrt(e2), u_slack = slack / std::sqrt(f2);
  if (!(t > t_slack && t < 1 - t_slack && u > u_slack && u < 1 - u_slack)) return false;
  const Vector3 n = c / std::sqrt(s2);
  way = lines_apart(n, e, f, d) * n;
  return true;
}

/// Edges of Q that cross over the edge i of P's face, seen along its normal, away from all ends:
/// those are with the vertices.
void edges_across(const FaceView& view, const std::vector<Vector3>& placed,
                  const std::vector<int>& near_edges, int i, std::vector<CoreContact>& out) {
  const Vector3& n = view.plane().normal;
  const Vector3& a = at(view.P.vertices, edge_of(view.P, i).vertices[0]);
  const Vector3 e = at(view.P.vertices, edge_of(view.P, i).vertices[1]) - a;
  const double length = e.norm();
  const Vector3 inwards = n.cross(e) / length;
  for (const int j : near_edges) {
    const Vector3& b = at(placed, edge_of(view.Q, j).vertices[0]);
    const Vector3 c = at(placed, edge_of(view.Q, j).vertices[1]);
    const double from = inwards.dot(b - a), to = inwards.dot(c - a);
    if (!(from * to < 0) || std::min(std::abs(from), std::abs(to)) <= view.slack) continue;
    const Vector3 x = b + from / (from - to) * (c - b);
    const double along = e.dot(x - a) / length;
    if (!(along > view.slack && along < length - view.slack)) continue;
    const Vector3 cross = e.cross(c - b);
    const double sine = cross.norm() / (length * (c - b).norm());
    if (sine < parallel_edges_sine) continue;
    const Vector3 m = std::copysign(1 / cross.norm(), cross.dot(n)) * cross;
    const double gap = lines_apart(m, e, c - b, b - a) - view.radii;
    const double height = n.dot(x - a) - view.radii;
    if (m.dot(n) < 0.7 || height > view.reach || !view.is_meant(gap)) continue;
    // Lines that are apart must be nearest where the edges are, or they are nearer than the two.
    Vector3 way;
    const bool is_apart = gap + view.radii > view.slack;
    if (is_apart && !nearest_between_ends(a, a + e, b, c, -view.slack, way)) continue;
    if (!is_outside(view.core_P().edge(i), Matrix3::Identity(), m)) continue;
    if (!is_outside(view.core_Q().edge(j), view.Q_in_P.R, -m)) continue;
    out.push_back({view.index(TouchKind::EdgeEdge, TouchKind::EdgeEdge, i, j), gap});
  }
}

/// All that Q has near a face of P.
void find_at_face(const FaceView& view, CoreSearchSpace& space, std::vector<CoreContact>& out) {
  const std::vector<Vector3>* placed = &space.vertices_B;
  if (!view.is_A) {
    space.vertices_A.clear();
    for (const Vector3& x : view.Q.vertices) space.vertices_A.push_back(view.Q_in_P.point(x));
    placed = &space.vertices_A;
  }
  space.heights.clear();
  space.near_B.clear();
  space.edges_B.clear();
  const Polytope::Face& face = view.plane();
  for (int v = 0; v < count(*placed); ++v) {
    space.heights.push_back(face.normal.dot(at(*placed, v)) - face.offset);
    if (space.heights.back() - view.radii <= view.reach) space.near_B.push_back(v);
  }
  const auto is_near = [&](int v) {
    return space.heights[static_cast<std::size_t>(v)] - view.radii <= view.reach;
  };
  for (int j = 0; j < count(view.Q.edges); ++j) {
    const std::array<int, 2>& ends = edge_of(view.Q, j).vertices;
    if (is_near(ends[0]) || is_near(ends[1])) space.edges_B.push_back(j);
  }
  vertices_above(view, *placed, space.near_B, space.heights, out);
  for (int k = 0; k < face.count; ++k) {
    const int v = view.P.loops[static_cast<std::size_t>(face.first + k)];
    corner_above(view, *placed, space.near_B, v, out);
  }
  for (int i = 0; i < count(view.P.edges); ++i) {
    const std::array<int, 2>& faces = edge_of(view.P, i).faces;
    if (faces[0] != view.face && faces[1] != view.face) continue;
    edges_across(view, *placed, space.edges_B, i, out);
  }
}

/// Whether edges with a common normal are nearest between their ends; always if the two overlap.
bool edges_face(const CorePair& pair, const SeparatingAxis& axis, const CoreSearchSpace& space) {
  const Polytope &P = pair.A().polytope, &Q = pair.B().polytope;
  const std::array<int, 2>& a = edge_of(P, axis.a).vertices;
  const std::array<int, 2>& b = edge_of(Q, axis.b).vertices;
  Vector3 way;
  return axis.separation <= 0 ||
         nearest_between_ends(at(P.vertices, a[0]), at(P.vertices, a[1]),
                              at(space.vertices_B, b[0]), at(space.vertices_B, b[1]),
                              -slack_of(pair), way);
}

/// Which vertices, and edges with an end there, are on the near side of a height along n.
void near_side(const Polytope& p, const std::vector<Vector3>& placed, const Vector3& n,
               double least, std::vector<int>& vertices, std::vector<int>& edges) {
  vertices.clear();
  edges.clear();
  for (int v = 0; v < count(placed); ++v) {
    if (n.dot(at(placed, v)) >= least) vertices.push_back(v);
  }
  for (int j = 0; j < count(p.edges); ++j) {
    const std::array<int, 2>& ends = edge_of(p, j).vertices;
    const double height = std::max(n.dot(at(placed, ends[0])), n.dot(at(placed, ends[1])));
    if (height >= least) edges.push_back(j);
  }
}

void rounded_edges(const CorePair& pair, const RelativePose& X, double reach,
                   const CoreSearchSpace& space, std::vector<CoreContact>& out) {
  const Polytope &P = pair.A().polytope, &Q = pair.B().polytope;
  for (const int i : space.edges_A) {
    const std::array<int, 2>& a = edge_of(P, i).vertices;
    for (const int j : space.edges_B) {
      const std::array<int, 2>& b = edge_of(Q, j).vertices;
      Vector3 way = Vector3::Zero();
      if (!nearest_between_ends(at(P.vertices, a[0]), at(P.vertices, a[1]),
                                at(space.vertices_B, b[0]), at(space.vertices_B, b[1]),
                                slack_of(pair), way)) {
        continue;
      }
      const double distance = way.norm(), gap = distance - radii_of(pair);
      if (!(gap <= reach)) continue;
      // Lines that cross have both sides; of edges of solids then all axes are asked.
      const Vector3 n = distance > 0 ? Vector3(way / distance) : Vector3(Vector3::Zero());
      const Matrix3 none = Matrix3::Identity();
      if (!is_outside(pair.A().edge(i), none, n) || !is_outside(pair.B().edge(j), X.R, -n)) {
        continue;
      }
      out.push_back({pair.index({.kind = TouchKind::EdgeEdge, .a = i, .b = j}), gap});
    }
  }
}

}  // namespace

void place_vertices(const CorePair& pair, const RelativePose& B_in_A, CoreSearchSpace& space) {
  space.vertices_B.clear();
  for (const Vector3& x : pair.B().polytope.vertices) space.vertices_B.push_back(B_in_A.point(x));
}

double separation_along(const Vector3& n, const CorePair& pair, const CoreSearchSpace& space) {
  return least_along(n, space.vertices_B) + least_along(-n, pair.A().polytope.vertices);
}

SeparatingAxes separating_axes(const CorePair& pair, const RelativePose& B_in_A, double enough,
                               CoreSearchSpace& space) {
  SeparatingAxes out;
  out.slack = slack_of(pair) / 10;  // of ties, which make gaps wrong by as much
  out.face = best_face(pair.A().polytope, space.vertices_B, enough);
  if (out.face.a >= 0) out.face.kind = SeparatingAxis::Kind::FaceA;
  if (out.face.separation > enough) return out;
  space.vertices_A.clear();
  const RelativePose A_in_B = B_in_A.inverse();
  for (const Vector3& x : pair.A().polytope.vertices) space.vertices_A.push_back(A_in_B.point(x));
  SeparatingAxis of_B = best_face(pair.B().polytope, space.vertices_A, enough);
  // A's faces win ties, so that the reference does not change with round-off.
  if (of_B.separation > out.face.separation + out.slack || out.face.a < 0) {
    of_B.kind = of_B.a >= 0 ? SeparatingAxis::Kind::FaceB : SeparatingAxis::Kind::None;
    of_B.normal = -(B_in_A.R * of_B.normal);
    out.face = of_B;
  }
  if (out.face.separation > enough) return out;
  out.edges = best_edges(pair, B_in_A, space);
  return out;
}

void find_sharp(const CorePair& pair, const RelativePose& B_in_A, double reach,
                const SeparatingAxes& axes, CoreSearchSpace& space, std::vector<CoreContact>& out) {
  const double radii = radii_of(pair);
  const bool edges_win = axes.best().kind == SeparatingAxis::Kind::Edges;
  if (edges_win) {
    const FeatureIds ids = {.kind = TouchKind::EdgeEdge, .a = axes.edges.a, .b = axes.edges.b};
    if (axes.edges.separation - radii <= reach && edges_face(pair, axes.edges, space)) {
      out.push_back({pair.index(ids), axes.edges.separation - radii});
    }
  }
  if (axes.face.kind == SeparatingAxis::Kind::None) return;
  const bool is_A = axes.face.kind == SeparatingAxis::Kind::FaceA;
  const FaceView view = {.pair = pair,
                         .P = is_A ? pair.A().polytope : pair.B().polytope,
                         .Q = is_A ? pair.B().polytope : pair.A().polytope,
                         .Q_in_P = is_A ? B_in_A : B_in_A.inverse(),
                         .is_A = is_A,
                         .face = axes.face.a,
                         .reach = reach,
                         .slack = slack_of(pair),
                         .radii = radii,
                         .least = axes.best().separation - radii - axes.slack};
  find_at_face(view, space, out);
}

double least_of_edges(const CorePair& pair, const CoreSearchSpace& space) {
  const Polytope &P = pair.A().polytope, &Q = pair.B().polytope;
  double least = 1e300;
  for (const Polytope::Edge& a : P.edges) {
    for (const Polytope::Edge& b : Q.edges) {
      Vector3 way = Vector3::Zero();
      if (nearest_between_ends(at(P.vertices, a.vertices[0]), at(P.vertices, a.vertices[1]),
                               at(space.vertices_B, b.vertices[0]),
                               at(space.vertices_B, b.vertices[1]), 0, way)) {
        least = std::min(least, way.norm());
      }
    }
  }
  return least;
}

void find_rounded(const CorePair& pair, const RelativePose& B_in_A, double reach,
                  const Vector3& axis, CoreSearchSpace& space, std::vector<CoreContact>& out) {
  const Polytope &P = pair.A().polytope, &Q = pair.B().polytope;
  const double radii = radii_of(pair), apart = reach + radii;
  const double top_A = -least_along(-axis, P.vertices);
  const double bottom_B = least_along(axis, space.vertices_B);
  near_side(P, P.vertices, axis, bottom_B - apart, space.near_A, space.edges_A);
  near_side(Q, space.vertices_B, -axis, -top_A - apart, space.near_B, space.edges_B);
  const RelativePose A_in_B = B_in_A.inverse();
  for (const int v : space.near_A) {
    const double gap = nearest(pair.B(), A_in_B.point(at(P.vertices, v))).distance - radii;
    if (gap <= reach) out.push_back({pair.index({TouchKind::VertexCore, v, 0}), gap});
  }
  for (const int v : space.near_B) {
    const double gap = nearest(pair.A(), at(space.vertices_B, v)).distance - radii;
    if (gap <= reach) out.push_back({pair.index({TouchKind::CoreVertex, 0, v}), gap});
  }
  rounded_edges(pair, B_in_A, reach, space, out);
}

}  // namespace saltus
