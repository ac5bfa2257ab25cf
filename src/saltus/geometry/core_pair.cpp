// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/core_pair.hpp"

#include <algorithm>

#include "saltus/core/assert.hpp"
#include "saltus/geometry/mesh_contacts.hpp"
#include "saltus/geometry/nearest.hpp"
#include "saltus/geometry/polytope_contacts.hpp"
#include "saltus/geometry/round_contacts.hpp"

namespace saltus {
namespace {

std::array<int, 2> counts_with_mesh(const ConvexCore& A, const ConvexCore& B, int a, int b) {
  if (!A.is_mesh && !B.is_mesh) return {0, 0};
  return {a, b};
}

/// How many features each side has for a kind of touch. With one rounded shape at least, vertices
/// meet whole cores.
std::array<int, 2> counts_of(TouchKind kind, const ConvexCore& A, const ConvexCore& B) {
  switch (kind) {
    case TouchKind::VertexFace:
      return {A.vertex_count(), B.face_count()};
    case TouchKind::FaceVertex:
      return {A.face_count(), B.vertex_count()};
    case TouchKind::EdgeEdge:
      return {A.edge_count(), B.edge_count()};
    case TouchKind::VertexCore:
      return {A.vertex_count(), 1};
    case TouchKind::CoreVertex:
      return {1, B.vertex_count()};
    case TouchKind::RimFace:
      return {A.rim_count(), B.face_count()};
    case TouchKind::FaceRim:
      return {A.face_count(), B.rim_count()};
    case TouchKind::RimEdge:
      return {A.rim_count(), 2 * B.edge_count()};
    case TouchKind::EdgeRim:
      return {2 * A.edge_count(), B.rim_count()};
    case TouchKind::RimRim:
      return {A.rim_count(), 2 * B.rim_count()};
    case TouchKind::VertexSide:
      return {A.vertex_count(), B.round ? B.edge_count() : 0};
    case TouchKind::SideVertex:
      return {A.round ? A.edge_count() : 0, B.vertex_count()};
    case TouchKind::VertexEdge:
      return counts_with_mesh(A, B, A.vertex_count(), B.edge_count());
    case TouchKind::EdgeVertex:
      return counts_with_mesh(A, B, A.edge_count(), B.vertex_count());
    case TouchKind::VertexVertex:
      return counts_with_mesh(A, B, A.vertex_count(), B.vertex_count());
    case TouchKind::Count:
      break;
  }
  return {0, 0};
}

constexpr auto kinds = static_cast<std::size_t>(TouchKind::Count);

Vector3 centre_of_B(const CorePair& pair, const RelativePose& X) {
  return X.point(pair.B().centre);
}

/// Whether the spheres about the two are farther apart than the reach.
bool is_far(const CorePair& pair, const RelativePose& X, double reach) {
  const double apart = pair.A().bound + pair.B().bound + reach;
  return (centre_of_B(pair, X) - pair.A().centre).squaredNorm() > apart * apart;
}

void sort_contacts(std::vector<CoreContact>& out, std::size_t from) {
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(from);
  std::sort(begin, out.end(),
            [](const CoreContact& a, const CoreContact& b) { return a.index < b.index; });
  out.erase(
      std::unique(begin, out.end(),
                  [](const CoreContact& a, const CoreContact& b) { return a.index == b.index; }),
      out.end());
}

/// The axis to begin with: the remembered one, or from centre to centre.
Vector3 first_axis(const CorePair& pair, const RelativePose& X, const CorePairMemory& memory) {
  if (!memory.axis.isZero(0)) return memory.axis;
  const Vector3 d = centre_of_B(pair, X) - pair.A().centre;
  return d.isZero(0) ? Vector3(Vector3::UnitZ()) : Vector3(d.normalized());
}

/// The normal of the nearest contact from `from` on; of none the axis.
Vector3 normal_of_nearest(const CorePair& pair, const RelativePose& X,
                          const std::vector<CoreContact>& list, std::size_t from,
                          const Vector3& axis) {
  const auto least =
      std::min_element(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(),
                       [](const CoreContact& a, const CoreContact& b) { return a.gap < b.gap; });
  return least == list.end() ? axis : pair.form(least->index).touch(X).normal;
}

}  // namespace

CorePair::CorePair(const ConvexCore& A, const ConvexCore& B) : A_(&A), B_(&B) {
  for (std::size_t k = 0; k < kinds; ++k) {
    const std::array<int, 2> counts = counts_of(static_cast<TouchKind>(k), A, B);
    ranges_[k] = {.first = size_, .count_a = counts[0], .count_b = counts[1]};
    size_ += static_cast<std::int64_t>(counts[0]) * counts[1];
  }
}

FeatureIds CorePair::ids(std::int64_t index) const {
  std::size_t k = kinds - 1;
  while (index < ranges_[k].first || ranges_[k].count_a == 0 || ranges_[k].count_b == 0) --k;
  const std::int64_t place = index - ranges_[k].first;
  return {.kind = static_cast<TouchKind>(k),
          .a = static_cast<int>(place / ranges_[k].count_b),
          .b = static_cast<int>(place % ranges_[k].count_b)};
}

std::int64_t CorePair::index(const FeatureIds& ids) const {
  const Range& range = ranges_[static_cast<std::size_t>(ids.kind)];
  SALTUS_ASSERT(ids.a < range.count_a && ids.b < range.count_b);
  return range.first + static_cast<std::int64_t>(ids.a) * range.count_b + ids.b;
}

FeaturePairForm CorePair::form(const FeatureIds& ids) const {
  const auto crossing = [](CoreFeature rim, int number) {
    rim.way = number % 2 == 0 ? 1 : -1;
    return rim;
  };
  switch (ids.kind) {
    case TouchKind::VertexFace:
      return {A_->vertex(ids.a), B_->face(ids.b)};
    case TouchKind::FaceVertex:
      return {A_->face(ids.a), B_->vertex(ids.b)};
    case TouchKind::EdgeEdge:
      return {A_->edge(ids.a), B_->edge(ids.b)};
    case TouchKind::VertexCore:
      return {A_->vertex(ids.a), B_->whole()};
    case TouchKind::CoreVertex:
      return {A_->whole(), B_->vertex(ids.b)};
    case TouchKind::RimFace:
      return {A_->rim(ids.a), B_->face(ids.b)};
    case TouchKind::FaceRim:
      return {A_->face(ids.a), B_->rim(ids.b)};
    case TouchKind::RimEdge:
      return {crossing(A_->rim(ids.a), ids.b), B_->edge(ids.b / 2)};
    case TouchKind::EdgeRim:
      return {A_->edge(ids.a / 2), crossing(B_->rim(ids.b), ids.a)};
    case TouchKind::RimRim:
      return {crossing(A_->rim(ids.a), ids.b), B_->rim(ids.b / 2)};
    case TouchKind::VertexSide:
      return {A_->vertex(ids.a), B_->edge(ids.b)};
    case TouchKind::SideVertex:
      return {A_->edge(ids.a), B_->vertex(ids.b)};
    case TouchKind::VertexEdge:
      return {A_->vertex(ids.a), B_->edge(ids.b)};
    case TouchKind::EdgeVertex:
      return {A_->edge(ids.a), B_->vertex(ids.b)};
    case TouchKind::VertexVertex:
      return {A_->vertex(ids.a), B_->vertex(ids.b)};
    case TouchKind::Count:
      break;
  }
  return {};
}

std::optional<FeatureIds> CorePair::only_point() const {
  const auto touches_once = [](const ConvexCore& dot, const ConvexCore& other) {
    return dot.is_dot() && !other.plane && !other.is_mesh && (dot.radius > 0 || other.round);
  };
  if (touches_once(*A_, *B_)) return FeatureIds{TouchKind::VertexCore, 0, 0};
  if (touches_once(*B_, *A_)) return FeatureIds{TouchKind::CoreVertex, 0, 0};
  return std::nullopt;
}

void CorePair::find(const RelativePose& B_in_A, double reach, CorePairMemory& memory,
                    CoreSearchSpace& space, std::vector<CoreContact>& out) const {
  const std::size_t from = out.size();
  if (has_mesh()) {
    const double behind = std::min(A_->size, B_->size) / 2;
    return find({B_in_A, B_in_A, reach, behind}, memory, space, out);
  }
  if (A_->plane) {
    find_on_plane(*this, B_in_A, reach, out);
    return sort_contacts(out, from);
  }
  if (is_far(*this, B_in_A, reach)) return;
  if (A_->round || B_->round) {
    find_round(*this, B_in_A, reach, memory, space, out);
    return sort_contacts(out, from);
  }
  const double enough = reach + A_->radius + B_->radius;
  place_vertices(*this, B_in_A, space);
  Vector3 axis = first_axis(*this, B_in_A, memory);
  double apart = separation_along(axis, *this, space);
  if (apart > enough) {
    memory.axis = axis;
    return;
  }
  if (A_->radius + B_->radius > 0) {
    find_rounded(*this, B_in_A, reach, axis, space, out);
    axis = normal_of_nearest(*this, B_in_A, out, from, axis);
    apart = std::max(apart, separation_along(axis, *this, space));
    memory.axis = axis;
    const bool has_faces = A_->face_count() + B_->face_count() > 0;
    if (apart > 0 || !has_faces) return sort_contacts(out, from);
    // Whether the cores overlap, only all axes together say.
  }
  const SeparatingAxes axes = separating_axes(*this, B_in_A, enough, space);
  if (axes.best().separation > 0 || A_->radius + B_->radius == 0) memory.axis = axes.best().normal;
  if (axes.best().separation > enough) return;
  if (A_->radius + B_->radius > 0) {
    if (axes.best().separation > 0) return sort_contacts(out, from);
    out.resize(from);
  }
  find_sharp(*this, B_in_A, reach, axes, space, out);
  sort_contacts(out, from);
}

void CorePair::find(const PairWay& way, CorePairMemory& memory, CoreSearchSpace& space,
                    std::vector<CoreContact>& out) const {
  if (!has_mesh()) return find(way.now, way.reach, memory, space, out);
  if (is_far(*this, way.now, way.reach)) return;
  const std::size_t from = out.size();
  find_on_mesh(*this, way, space, out);
  sort_contacts(out, from);
}

double CorePair::separation(const RelativePose& B_in_A, CoreSearchSpace& space) const {
  if (A_->round || B_->round) return round_separation(*this, B_in_A, space);
  place_vertices(*this, B_in_A, space);
  constexpr double all = 1e300;
  const SeparatingAxes axes = separating_axes(*this, B_in_A, all, space);
  const double radii = A_->radius + B_->radius;
  const double apart = std::max(axes.face.separation, axes.edges.separation);
  const bool has_faces = A_->face_count() + B_->face_count() > 0;
  if (radii == 0 || (has_faces && apart <= 0)) return apart - radii;
  const RelativePose A_in_B = B_in_A.inverse();
  double least = all;
  for (const Vector3& x : space.vertices_B) least = std::min(least, nearest(*A_, x).distance);
  for (const Vector3& x : A_->polytope.vertices) {
    least = std::min(least, nearest(*B_, A_in_B.point(x)).distance);
  }
  return std::max(apart, std::min(least, least_of_edges(*this, space))) - radii;
}

}  // namespace saltus
