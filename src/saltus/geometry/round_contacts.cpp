// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/round_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/geometry/nearest.hpp"

namespace saltus {
namespace {

/// Of the sizes: lengths below do not count.
constexpr double round_slack = 1e-10;
/// Rims whose sine with an edge is less run along it: others carry such contacts.
constexpr double parallel_rim = 1e-5;
/// The least cosine between the normals of contacts of one place, where the two overlap.
constexpr double same_side = 0.7;

/// Only where the sine between a rim and a face is less do fixed points of the rim count: they say
/// how it lies, while its lowest point says where it rolls.
constexpr double flat_rim = 0.3;

/// Where the sine is less than this, the fixed points alone count: the rim's lowest point is where
/// round-off puts it, and jumps, while its gap is that of the fixed points to 2e-12 of the radius.
constexpr double fully_flat_rim = 1e-10;

/// Whether a rim of the round core lies flat, or nearly so, on a plane.
/// @param n  the plane's normal in the axes of the core
bool is_flat(const RoundCore& round, const Vector3& n, double sine = flat_rim) {
  return round.axis.cross(n).squaredNorm() < sine * sine;
}

/// How far apart the cores are along n, rounding included.
double apart_along(const CorePair& pair, const RelativePose& X, const Vector3& n) {
  const ConvexCore &A = pair.A(), &B = pair.B();
  return n.dot(X.p) - support(B, -(X.R.transpose() * n)) - support(A, n) - A.radius - B.radius;
}

class RoundSearch {
 public:
  RoundSearch(const CorePair& pair, const RelativePose& X, double reach, CoreSearchSpace& space)
      : pair_(pair), X_(X), reach_(reach), list_(space.candidates) {
    list_.clear();
  }

  /// Every pair of features that may face each other. Those of one normal with a face are tried as
  /// axes by the deepest of them; `best` is the axis of largest separation.
  void collect() {
    const ConvexCore &A = pair_.A(), &B = pair_.B();
    add(TouchKind::RimFace, A.rim_count(), B.face_count(), true);
    add(TouchKind::FaceRim, A.face_count(), B.rim_count(), true);
    add(TouchKind::FaceVertex, A.face_count(), B.vertex_count(), !B.round);
    add(TouchKind::VertexFace, A.vertex_count(), B.face_count(), !A.round);
    add(TouchKind::EdgeEdge, A.edge_count(), B.edge_count(), true);
    if (A.round && !B.round) add(TouchKind::SideVertex, A.edge_count(), B.vertex_count(), true);
    if (B.round && !A.round) add(TouchKind::VertexSide, A.vertex_count(), B.edge_count(), true);
    add(TouchKind::RimEdge, A.rim_count(), 2 * B.edge_count(), true);
    add(TouchKind::EdgeRim, 2 * A.edge_count(), B.rim_count(), true);
    add(TouchKind::RimRim, A.rim_count(), 2 * B.rim_count(), true);
    if (!A.round && A.radius + B.radius > 0) {
      add(TouchKind::VertexCore, A.vertex_count(), 1, true);
    }
    if (!B.round && A.radius + B.radius > 0) {
      add(TouchKind::CoreVertex, 1, B.vertex_count(), true);
    }
  }

  double best() const { return best_; }
  const Vector3& axis() const { return axis_; }

  /// Those that are near, in front of each other, and on both bodies.
  void report(std::vector<CoreContact>& out) const {
    const double slack = slack_of_pair();
    for (const CoreCandidate& c : list_) {
      const Touch& t = c.touch;
      if (!(t.gap <= reach_ && t.gap >= best_ - slack)) continue;
      if (best_ <= 0 && t.normal.dot(axis_) < same_side) continue;
      if (!is_on_both(t)) continue;
      out.push_back({pair_.index(c.ids), t.gap});
    }
  }

 private:
  double slack_of_pair() const { return round_slack * (pair_.A().size + pair_.B().size); }

  bool is_on_both(const Touch& t) const {
    const double slack = slack_of_pair();
    const Vector3 a = t.point_A - pair_.A().radius * t.normal;
    const Vector3 b = t.point_B + pair_.B().radius * t.normal;
    return nearest(pair_.A(), a).distance <= slack &&
           nearest(pair_.B(), X_.inverse().point(b)).distance <= slack;
  }

  /// Whether an edge and a rim could be near: the rim is within a sphere, the edge in another.
  bool is_within_reach(const FeaturePairForm& form) const {
    const auto bound = [](const CoreFeature& f) { return f.extent + f.radius; };
    const double apart = bound(form.a) + bound(form.b) + std::max(reach_, 0.0);
    return (X_.point(form.b.position) - form.a.position).squaredNorm() <= apart * apart;
  }

  /// Whether the rim runs along the edge or rim that it meets: they have no normal in common.
  bool is_along(const FeaturePairForm& form, const Touch& t) const {
    const CoreFeature& a = form.a;
    const Vector3 e = X_.R * form.b.axis;
    const Vector3 at_a = t.point_A - form.a.radius * t.normal - a.position;
    const Vector3 at_b = t.point_B + form.b.radius * t.normal - X_.point(form.b.position);
    const bool round_a = a.kind == CoreFeatureKind::Circle;
    const bool round_b = form.b.kind == CoreFeatureKind::Circle;
    const Vector3 along_a = round_a ? Vector3(a.axis.cross(at_a) / a.extent) : a.axis;
    const Vector3 along_b = round_b ? Vector3(e.cross(at_b) / form.b.extent) : e;
    return along_a.cross(along_b).squaredNorm() < parallel_rim * parallel_rim;
  }

  /// Whether a rim lies fully flat on a face: its lowest point says nothing more.
  bool is_flat_rim(TouchKind kind, const FeaturePairForm& form) const {
    if (kind != TouchKind::RimFace && kind != TouchKind::FaceRim) return false;
    return may_lie(form, fully_flat_rim);
  }

  /// Of a face and a point of a rim: whether the rim may lie on the face.
  bool may_lie(const FeaturePairForm& form, double sine = flat_rim) const {
    const bool is_of_A = form.a.kind == CoreFeatureKind::Face;
    const std::optional<RoundCore>& round = is_of_A ? pair_.B().round : pair_.A().round;
    if (!round) return true;
    const Vector3 n = is_of_A ? Vector3(X_.R.transpose() * form.a.axis) : X_.R * form.b.axis;
    return is_flat(*round, n, sine);
  }

  /// Whether both ways across are one place, which is listed already.
  bool is_second(const FeatureIds& ids, const Touch& t) const {
    FeatureIds other = ids;
    int& number = ids.kind == TouchKind::EdgeRim ? other.a : other.b;
    if (number % 2 == 0) return false;
    --number;
    const auto first = std::find_if(list_.rbegin(), list_.rend(), [&](const CoreCandidate& c) {
      return c.ids == other || c.ids.kind != ids.kind;
    });
    return first != list_.rend() && first->ids == other &&
           (first->touch.point_A - t.point_A).norm() <= slack_of_pair();
  }

  void add(TouchKind kind, int count_a, int count_b, bool is_axis) {
    for (int a = 0; a < count_a; ++a) {
      for (int b = 0; b < count_b; ++b) {
        const FeatureIds ids = {.kind = kind, .a = a, .b = b};
        const FeaturePairForm form = pair_.form(ids);
        if (kind <= TouchKind::FaceVertex && !may_lie(form)) continue;
        const bool has_rim = kind >= TouchKind::RimEdge && kind <= TouchKind::RimRim;
        if (has_rim && !is_within_reach(form)) continue;
        const Touch t = form.touch(X_);
        const bool is_sharp = form.a.radius + form.b.radius == 0;
        if (has_rim && is_sharp && is_along(form, t)) continue;
        const bool is_idle = (has_rim && is_second(ids, t)) || is_flat_rim(kind, form);
        if (t.gap <= reach_ && !is_idle) list_.push_back({ids, t});
        if (!is_axis) continue;
        const double apart = apart_along(pair_, X_, t.normal);
        if (apart <= best_) continue;
        best_ = apart;
        axis_ = t.normal;
      }
    }
  }

  const CorePair& pair_;
  const RelativePose& X_;
  double reach_;
  std::vector<CoreCandidate>& list_;
  double best_ = -1e300;
  Vector3 axis_ = Vector3::UnitZ();
};

}  // namespace

double support(const ConvexCore& core, const Vector3& n) {
  if (!core.round) {
    double most = -1e300;
    for (const Vector3& x : core.polytope.vertices) most = std::max(most, n.dot(x));
    return most;
  }
  const RoundCore& round = *core.round;
  const double along = n.dot(round.axis);
  const double across = (n - along * round.axis).norm();
  return std::max(round.radius[0] * across - along * round.half_length,
                  round.radius[1] * across + along * round.half_length);
}

void find_on_plane(const CorePair& pair, const RelativePose& B_in_A, double reach,
                   std::vector<CoreContact>& out) {
  const auto add = [&](TouchKind kind, int b) {
    const std::int64_t index = pair.index({kind, 0, b});
    const double gap = pair.form(index).touch(B_in_A).gap;
    if (gap <= reach) out.push_back({index, gap});
  };
  const ConvexCore& B = pair.B();
  const Vector3 n = B_in_A.R.transpose() * pair.A().plane->axes.col(2);
  for (int b = 0; b < B.rim_count() && !is_flat(*B.round, n, fully_flat_rim); ++b) {
    add(TouchKind::FaceRim, b);
  }
  if (!is_flat(*B.round, n)) return;
  for (int b = 0; b < B.vertex_count(); ++b) add(TouchKind::FaceVertex, b);
}

void find_round(const CorePair& pair, const RelativePose& B_in_A, double reach,
                CorePairMemory& memory, CoreSearchSpace& space, std::vector<CoreContact>& out) {
  if (const std::optional<FeatureIds> only = pair.only_point()) {
    const double gap = pair.form(*only).touch(B_in_A).gap;
    if (gap <= reach) out.push_back({pair.index(*only), gap});
    return;
  }
  if (!memory.axis.isZero(0) && apart_along(pair, B_in_A, memory.axis) > reach) return;
  RoundSearch search(pair, B_in_A, reach, space);
  search.collect();
  memory.axis = search.axis();
  if (search.best() > reach) return;
  search.report(out);
}

double round_separation(const CorePair& pair, const RelativePose& B_in_A, CoreSearchSpace& space) {
  RoundSearch search(pair, B_in_A, 1e300, space);
  search.collect();
  return search.best();
}

}  // namespace saltus
