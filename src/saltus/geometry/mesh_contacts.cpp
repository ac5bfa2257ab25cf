// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/mesh_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/geometry/mesh_core.hpp"
#include "saltus/geometry/nearest.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

using Kind = CoreFeatureKind;

/// Of the sizes: lengths below do not count.
constexpr double mesh_slack = 1e-10;
/// How far, as a sine, a normal may be outside of those that an edge or vertex has. What is so far
/// off is never nearest: it costs time, and closes nothing that others do not close before.
constexpr double off_normals = 0.05;
/// Edges whose sine is less are parallel: vertices carry such contacts.
constexpr double parallel_lines = 1e-6;
/// And rims that run along an edge.
constexpr double along_rim = 1e-5;
/// The sine between a rim and a face up to which fixed points of the rim count.
constexpr double flat_on_face = 0.3;
/// Of the smaller of the two: how far a point that is in two walls of a corner at once may be
/// beyond the border of one of them, besides what it has moved.
constexpr double beyond_border = 1e-4;
/// The cosine from which two normals are one.
constexpr double same_normal = 0.99;

std::size_t place(int i) { return static_cast<std::size_t>(i); }

Bounds wider(Bounds box, double margin) {
  box.low.array() -= margin;
  box.high.array() += margin;
  return box;
}

Bounds about(const Bounds& a, const Bounds& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

Bounds moved(const Bounds& box, const RelativePose& X) {
  const Vector3 middle = X.point((box.low + box.high) / 2);
  const Vector3 half = X.R.cwiseAbs() * ((box.high - box.low) / 2);
  return {middle - half, middle + half};
}

/// Of a core without its rounding.
Bounds bounds_of_core(const ConvexCore& core) {
  if (core.round) return bounds_of(core, {}, -core.radius);
  const MeshCore& surface = *core.surface;
  if (!surface.triangle_tree.empty()) return surface.triangle_tree.bounds();
  return surface.edge_tree.empty() ? surface.vertex_tree.bounds() : surface.edge_tree.bounds();
}

/// Whether a feature is touched within its borders.
enum class Within : std::int8_t {
  Off,
  Beyond,  ///< beyond a border where the solid goes on: in a corner between two walls
  Border,  ///< on a border that others can come round
  On,
};

/// Whether a point beyond border k of a triangle is beyond a wall there, not past its end, where
/// the face has an open side.
bool is_behind_wall(const MeshCore::Triangle& t, std::size_t k, const Vector3& x, double slack) {
  const Vector3 e = t.corners[(k + 1) % 3] - t.corners[k];
  const double length = e.norm(), along = e.dot(x - t.corners[k]) / length;
  return (along >= -slack || t.in_pit[k]) && (along <= length + slack || t.in_pit[(k + 1) % 3]);
}

/// A point in the plane of a triangle.
Within within(const MeshCore::Triangle& t, const Vector3& n, const Vector3& x, double slack,
              double beyond) {
  Within out = Within::On;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3& a = t.corners[k];
    const Vector3 e = t.corners[(k + 1) % 3] - a;
    const double inside = n.cross(e).dot(x - a) / e.norm();
    const MeshCore::Border border = t.borders[k];
    if (inside < -slack) {
      const bool is_wall = border == MeshCore::Border::Concave && is_behind_wall(t, k, x, slack);
      if (!is_wall || inside < -beyond) return Within::Off;
      out = Within::Beyond;
    } else if (inside < slack && border == MeshCore::Border::Convex && out == Within::On) {
      out = Within::Border;
    }
  }
  return out;
}

class MeshSearch {
 public:
  MeshSearch(const CorePair& pair, const PairWay& way, CoreSearchSpace& space)
      : pair_(pair), A_(pair.A()), B_(pair.B()), way_(way), space_(space) {
    const double smaller = std::min(A_.size, B_.size);
    slack_ = mesh_slack * (A_.size + B_.size);
    radii_ = A_.radius + B_.radius;
    felt_ = std::max(way.behind, PairWay::felt_depth * smaller);
    limit_ = std::max(way.reach, felt_);
    margin_ = limit_ + radii_ + slack_;
    beyond_ =
        std::max(std::min(way.behind, PairWay::felt_depth * smaller), beyond_border * smaller);
    is_still_ = way.before.R == way.now.R && way.before.p == way.now.p;
    if (!is_still_) turn_ = lie::so3::log(Matrix3(way.before.R.transpose() * way.now.R));
    back_now_ = way.now.inverse();
    back_before_ = way.before.inverse();
    space_.mesh_candidates.clear();
  }

  void run(std::vector<CoreContact>& out) {
    if (A_.round || B_.round) {
      find_round();
    } else {
      find_vertices(true);
      find_vertices(false);
      find_edges();
    }
    report(out);
  }

 private:
  /// The box about what `core` sweeps, in the axes of the other.
  Bounds swept(bool is_A) const {
    const Bounds own = bounds_of_core(is_A ? A_ : B_);
    const RelativePose& before = is_A ? back_before_ : way_.before;
    const RelativePose& now = is_A ? back_now_ : way_.now;
    return wider(about(moved(own, before), moved(own, now)), margin_);
  }

  /// Vertices of one that may come near the surface of the other.
  void find_vertices(bool is_A) {
    const ConvexCore& P = is_A ? A_ : B_;
    const ConvexCore& Q = is_A ? B_ : A_;
    P.surface->vertex_tree.visit(swept(!is_A), [&](int item) {
      const int v = P.surface->vertex_items[place(item)];
      const Vector3& x = P.polytope.vertices[place(v)];
      const Vector3 from = (is_A ? back_before_ : way_.before).point(x);
      const Vector3 to = (is_A ? back_now_ : way_.now).point(x);
      step_ = (to - from).norm();
      const Bounds box = wider({from.cwiseMin(to), from.cwiseMax(to)}, margin_);
      add_faces(is_A, v, *Q.surface, box);
      if (!(radii_ > 0)) return;
      Q.surface->edge_tree.visit(box, [&](int i) {
        const int e = Q.surface->edge_items[place(i)];
        consider(is_A ? FeatureIds{TouchKind::VertexEdge, v, e}
                      : FeatureIds{TouchKind::EdgeVertex, e, v});
      });
      if (!is_A) return;
      Q.surface->vertex_tree.visit(box, [&](int i) {
        consider({TouchKind::VertexVertex, v, Q.surface->vertex_items[place(i)]});
      });
    });
  }

  /// The triangles in a box, sorted by their faces.
  void list_faces(const MeshCore& surface, const Bounds& box) {
    space_.faces.clear();
    surface.triangle_tree.visit(
        box, [&](int t) { space_.faces.emplace_back(surface.triangles[place(t)].face, t); });
    std::sort(space_.faces.begin(), space_.faces.end());
  }

  /// Calls take(face) for each of them.
  template <class Take>
  void for_faces(Take&& take) {
    for (std::size_t i = 0; i < space_.faces.size();) {
      first_triangle_ = i;
      const int face = space_.faces[i].first;
      while (i < space_.faces.size() && space_.faces[i].first == face) ++i;
      end_triangle_ = i;
      take(face);
    }
  }

  void add_faces(bool is_A, int v, const MeshCore& surface, const Bounds& box) {
    list_faces(surface, box);
    for_faces([&](int f) {
      consider(is_A ? FeatureIds{TouchKind::VertexFace, v, f}
                    : FeatureIds{TouchKind::FaceVertex, f, v});
    });
  }

  void find_edges() {
    const Polytope& P = A_.polytope;
    A_.surface->edge_tree.visit(swept(false), [&](int item) {
      const int i = A_.surface->edge_items[place(item)];
      const std::array<int, 2>& ends = P.edges[place(i)].vertices;
      const auto box = [&](const RelativePose& X) {
        const Vector3 a = X.point(P.vertices[place(ends[0])]);
        const Vector3 b = X.point(P.vertices[place(ends[1])]);
        return Bounds{a.cwiseMin(b), a.cwiseMax(b)};
      };
      const Bounds way = wider(about(box(back_before_), box(back_now_)), margin_);
      B_.surface->edge_tree.visit(way, [&](int other) {
        consider({TouchKind::EdgeEdge, i, B_.surface->edge_items[place(other)]});
      });
    });
  }

  /// A cylinder or cone and a mesh.
  void find_round() {
    const bool is_A = A_.round.has_value();
    const ConvexCore& R = is_A ? A_ : B_;
    const ConvexCore& M = is_A ? B_ : A_;
    const Bounds box = swept(is_A);
    const auto ids = [&](TouchKind of_A, TouchKind of_B, int round, int mesh) {
      return is_A ? FeatureIds{of_A, round, mesh} : FeatureIds{of_B, mesh, round};
    };
    const RelativePose& from = is_A ? way_.before : back_before_;
    const RelativePose& to = is_A ? way_.now : back_now_;
    step_ = (to.p - from.p).norm() + (to.R - from.R).norm() * R.bound;
    list_faces(*M.surface, box);
    for_faces([&](int f) {
      for (int r = 0; r < R.rim_count(); ++r) {
        consider(ids(TouchKind::RimFace, TouchKind::FaceRim, r, f));
      }
      const Vector3& n = M.polytope.faces[place(f)].normal;
      const Vector3 axis = (is_A ? way_.now.R.transpose() : way_.now.R) * R.round->axis;
      if (axis.cross(n).norm() >= flat_on_face) return;
      for (int v = 0; v < R.vertex_count(); ++v) {
        consider(ids(TouchKind::VertexFace, TouchKind::FaceVertex, v, f));
      }
    });
    M.surface->vertex_tree.visit(box, [&](int item) {
      const int v = M.surface->vertex_items[place(item)];
      if (radii_ > 0) return consider(ids(TouchKind::CoreVertex, TouchKind::VertexCore, 0, v));
      for (int f = 0; f < R.face_count(); ++f) {
        consider(ids(TouchKind::FaceVertex, TouchKind::VertexFace, f, v));
      }
      for (int s = 0; s < R.edge_count(); ++s) {
        consider(ids(TouchKind::SideVertex, TouchKind::VertexSide, s, v));
      }
    });
    M.surface->edge_tree.visit(box, [&](int item) {
      const int e = M.surface->edge_items[place(item)];
      for (int s = 0; s < R.edge_count(); ++s) {
        consider(ids(TouchKind::EdgeEdge, TouchKind::EdgeEdge, s, e));
      }
      for (int r = 0; r < R.rim_count(); ++r) {
        for (const int crossing : {0, 1}) {
          consider(ids(TouchKind::RimEdge, TouchKind::EdgeRim, r, 2 * e + crossing));
        }
      }
    });
  }

  /// Where B is after a part of the way.
  RelativePose part_of_way(double part) const {
    if (part == 0) return way_.before;
    return {way_.before.R * lie::so3::exp(Vector3(part * turn_)),
            way_.before.p + part * (way_.now.p - way_.before.p)};
  }

  /// Where two features touch that were apart and overlap now: the root of the gap, by regula falsi
  /// (Illinois), for which a few steps are enough.
  RelativePose pose_of_touch(const FeaturePairForm& form, double before, double now) const {
    constexpr int most = 12;  // of a smooth function
    double low = 0, high = 1, part = 0;
    int last_side = 0;
    for (int i = 0; i < most; ++i) {
      part = low + before / (before - now) * (high - low);
      RelativePose X = part_of_way(part);
      const double gap = form.touch(X).gap;
      if (std::abs(gap) <= slack_ / 10) return X;
      const int side = gap > 0 ? 1 : -1;
      if (side == last_side) (side > 0 ? now : before) /= 2;
      last_side = side;
      (side > 0 ? low : high) = part;
      (side > 0 ? before : now) = gap;
    }
    return part_of_way(part);
  }

  /// A pair of features that come near. What was deep inside before is not felt: it is touched from
  /// another side. What comes to touch counts if it does so within the features' borders, at that
  /// part of the way; what does not touch now, where it is now.
  void consider(const FeatureIds& ids) {
    const FeaturePairForm form = pair_.form(ids);
    const Touch now = form.touch(way_.now);
    if (!(now.gap <= limit_)) return;
    const Touch before = is_still_ ? now : form.touch(way_.before);
    if (!(before.gap >= -felt_) || before.normal.dot(now.normal) <= 0) return;
    const Within at_now = where(ids, form, way_.now, now);
    Within at_touch = at_now;
    if (now.gap < 0 && !is_still_) {
      const bool comes = before.gap > 0;
      const RelativePose X = comes ? pose_of_touch(form, before.gap, now.gap) : way_.before;
      at_touch = where(ids, form, X, comes ? form.touch(X) : before);
      // What has touched the plane all along may have come over its border.
      if (at_touch == Within::Off && before.gap <= 10 * slack_) at_touch = at_now;
    }
    if (at_touch == Within::Off) return;
    space_.mesh_candidates.push_back({.ids = ids,
                                      .before = before.gap,
                                      .now = now.gap,
                                      .point = now.point_A,
                                      .normal = now.normal,
                                      .was_on = at_touch >= Within::Border,
                                      .is_on = at_now >= Within::Border,
                                      .is_at_border = at_touch == Within::Border});
  }

  /// The lesser of both features.
  Within where(const FeatureIds& ids, const FeaturePairForm& form, const RelativePose& X,
               const Touch& t) const {
    const bool is_edge_edge = ids.kind == TouchKind::EdgeEdge;
    if (is_edge_edge && !A_.round && !B_.round &&
        form.a.axis.cross(X.R * form.b.axis).squaredNorm() < parallel_lines * parallel_lines) {
      return Within::Off;
    }
    if (is_along(form, X, t)) return Within::Off;
    const RelativePose back = X.inverse();
    const Vector3 on_A = t.point_A - A_.radius * t.normal;
    const Vector3 on_B = back.point(t.point_B + B_.radius * t.normal);
    const Within first = where_on(A_, form.a, a_of(ids), on_A, t.normal, is_edge_edge);
    if (first == Within::Off) return first;
    const Vector3 n_B = back.R * -t.normal;
    return std::min(first, where_on(B_, form.b, b_of(ids), on_B, n_B, is_edge_edge));
  }

  /// Of rims the edges are counted twice.
  static int a_of(const FeatureIds& ids) {
    return ids.kind == TouchKind::EdgeRim ? ids.a / 2 : ids.a;
  }
  static int b_of(const FeatureIds& ids) {
    return ids.kind == TouchKind::RimEdge ? ids.b / 2 : ids.b;
  }

  /// Whether a sharp rim runs along the edge: they have no normal in common.
  bool is_along(const FeaturePairForm& form, const RelativePose& X, const Touch& t) const {
    const bool rim_A = form.a.kind == Kind::Circle && form.b.kind == Kind::Edge;
    const bool rim_B = form.b.kind == Kind::Circle && form.a.kind == Kind::Edge;
    if ((!rim_A && !rim_B) || radii_ > 0) return false;
    const Vector3 at_a = t.point_A - form.a.position;
    const Vector3 at_b = t.point_B - X.point(form.b.position);
    const Vector3 along_a = rim_A ? Vector3(form.a.axis.cross(at_a) / form.a.extent) : form.a.axis;
    const Vector3 along_b =
        rim_B ? Vector3((X.R * form.b.axis).cross(at_b) / form.b.extent) : X.R * form.b.axis;
    return along_a.cross(along_b).squaredNorm() < along_rim * along_rim;
  }

  /// @param x  on the core, in its axes;  @param n  outwards
  Within where_on(const ConvexCore& core, const CoreFeature& feature, int number, const Vector3& x,
                  const Vector3& n, bool is_strict) const {
    if (core.round) return where_on_round(core, feature, x, n);
    switch (feature.kind) {
      case Kind::Vertex:
        for (const Vector3& way : core.surface->ways_at(number)) {
          if (way.dot(n) > off_normals) return Within::Off;
        }
        return Within::On;
      case Kind::Edge: {
        const double along = std::abs(feature.axis.dot(x - feature.position));
        // Ends are with the vertices.
        if (along > feature.extent + (is_strict ? -slack_ : slack_)) return Within::Off;
        for (const Vector3& into : core.surface->into_faces[place(number)]) {
          if (into.dot(n) > off_normals) return Within::Off;
        }
        // The sign of the normal is taken from this direction at all poses.
        const bool has_side = feature.outward.isZero(0) || n.dot(feature.outward) > off_normals;
        return has_side ? Within::On : Within::Off;
      }
      case Kind::Face:
        return where_on_face(*core.surface, feature.axis, x);
      case Kind::Circle:
      case Kind::Core:
        break;
    }
    return Within::Off;
  }

  Within where_on_round(const ConvexCore& core, const CoreFeature& feature, const Vector3& x,
                        const Vector3& n) const {
    if (nearest(core, x).distance > slack_) return Within::Off;
    if (feature.kind != Kind::Circle) return Within::On;
    const Vector3 arm = x - feature.position;
    const Vector3 radial = (arm - feature.axis.dot(arm) * feature.axis).normalized();
    const bool leans = n.dot(feature.axis) < -off_normals || n.dot(radial) < -off_normals;
    return leans ? Within::Off : Within::On;
  }

  /// In the triangles of the face that are listed.
  Within where_on_face(const MeshCore& surface, const Vector3& n, const Vector3& x) const {
    Within best = Within::Off;
    for (std::size_t i = first_triangle_; i < end_triangle_; ++i) {
      const MeshCore::Triangle& t = surface.triangles[place(space_.faces[i].second)];
      best = std::max(best, within(t, n, x, slack_, step_ + beyond_));
      if (best == Within::On) break;
    }
    return best;
  }

  bool is_near(const MeshCandidate& c, const MeshCandidate& other, double depth) const {
    return c.normal.dot(other.normal) <= same_normal &&
           (c.point - other.point).norm() <= 2 * std::abs(depth) + slack_;
  }

  /// What seemed to be behind a surface before, next to a place where it was less so or not at all:
  /// the surface of another side of the body.
  bool was_behind(const MeshCandidate& c, const MeshCandidate& other) const {
    return c.before < -slack_ && c.was_on && other.was_on && other.before > c.before + slack_ &&
           is_near(c, other, std::min(c.before, c.now));
  }

  /// What has gone in through one surface is behind those next to it, too: the nearest to the
  /// outside is touched.
  bool is_behind(const MeshCandidate& c, const MeshCandidate& other) const {
    const double highest = c.is_at_border ? slack_ : -slack_;
    return c.now < -slack_ && c.is_on && other.is_on && other.now > c.now + slack_ &&
           other.now <= highest && is_near(c, other, c.now);
  }

  void report(std::vector<CoreContact>& out) {
    std::vector<MeshCandidate>& list = space_.mesh_candidates;
    for (MeshCandidate& c : list) {
      if (!(c.before < -slack_)) continue;
      // Such a one takes nobody's place.
      if (std::ranges::any_of(list, [&](const auto& other) { return was_behind(c, other); })) {
        c.now = HUGE_VAL;
      }
    }
    for (const MeshCandidate& c : list) {
      if (!(c.now <= way_.reach)) continue;
      const bool drops = c.now < -slack_ && std::ranges::any_of(list, [&](const auto& other) {
                           return is_behind(c, other);
                         });
      if (!drops) out.push_back({pair_.index(c.ids), c.now});
    }
  }

  const CorePair& pair_;
  const ConvexCore& A_;
  const ConvexCore& B_;
  const PairWay& way_;
  CoreSearchSpace& space_;
  RelativePose back_now_, back_before_;  // of A, seen from B
  Vector3 turn_ = Vector3::Zero();       // of the way, in B's axes before
  double slack_ = 0, radii_ = 0, felt_ = 0, limit_ = 0, margin_ = 0, beyond_ = 0;
  double step_ = 0;  // how far the vertex at hand has moved
  bool is_still_ = false;
  std::size_t first_triangle_ = 0, end_triangle_ = 0;  // of the face at hand, in the list
};

}  // namespace

void find_on_mesh(const CorePair& pair, const PairWay& way, CoreSearchSpace& space,
                  std::vector<CoreContact>& out) {
  MeshSearch(pair, way, space).run(out);
}

}  // namespace saltus
