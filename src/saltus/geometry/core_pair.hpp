// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "saltus/geometry/convex_core.hpp"

namespace saltus {

/// What touches what, and by which numbers the features are called in their cores.
enum class TouchKind : std::int8_t {
  VertexFace,    ///< vertex of A, face of B
  FaceVertex,    ///< face of A, vertex of B
  EdgeEdge,      ///< edges of both
  VertexCore,    ///< vertex of A, all of B: rounded shapes
  CoreVertex,    ///< all of A, vertex of B: rounded shapes
  RimFace,       ///< rim of A, face of B
  FaceRim,       ///< face of A, rim of B
  RimEdge,       ///< rim of A, edge of B
  EdgeRim,       ///< edge of A, rim of B
  RimRim,        ///< rims of both
  VertexSide,    ///< vertex of A, side of the cylinder B
  SideVertex,    ///< side of the cylinder A, vertex of B
  VertexEdge,    ///< vertex of A, edge of B: rounded shapes and meshes
  EdgeVertex,    ///< edge of A, vertex of B: the same
  VertexVertex,  ///< vertices of both: the same
  Count,         ///< of the kinds above
};

struct FeatureIds {
  TouchKind kind = TouchKind::VertexFace;
  /// Of what touches; rim points and ends of a round core count as its vertices and faces, the
  /// side of a cylinder as its edge. Of EdgeRim and RimEdge the edge is number / 2, of RimRim the
  /// second rim: the remainder is which of the two places where they cross.
  int a = 0, b = 0;
  bool operator==(const FeatureIds&) const = default;
};

/// Two features that may touch, as plain bytes.
struct FeaturePairForm {
  CoreFeature a = {}, b = {};
  Touch touch(const RelativePose& B_in_A) const { return saltus::touch(a, b, B_in_A); }
};

/// A pair of features that is near.
struct CoreContact {
  std::int64_t index = 0;
  double gap = 0;
};

/// What a pair remembers from one search to the next; it saves work and changes no result.
struct CorePairMemory {
  Vector3 axis = Vector3::Zero();  ///< along which the two were apart, in A's axes
};

/// From where to where a step takes a pair: what a mesh, which has more than one side, is touched
/// on depends on where the other was.
struct PairWay {
  RelativePose before = {}, now = {};  ///< of B, in A's axes
  double reach = 0;
  /// What was deeper inside before is not felt; of a mesh never less than `felt_depth` of the
  /// smaller of the two.
  double behind = 0;
  static constexpr double felt_depth = 0.01;
};

/// Two features of a pair with a mesh that may touch.
struct MeshCandidate {
  FeatureIds ids = {};
  double before = 0, now = 0;         ///< gaps
  Vector3 point = Vector3::Zero();    ///< on A, now
  Vector3 normal = Vector3::UnitZ();  ///< now
  bool was_on = false;                ///< whether it touches within the features' borders
  bool is_on = false;                 ///< the same now
  bool is_at_border = false;          ///< whether it touches where another face begins
};

/// A pair of features of a round core and another core, before it is known whether they face.
struct CoreCandidate {
  FeatureIds ids = {};
  Touch touch = {};
};

/// Lists that a search needs; one for each thread, kept from search to search, so that nothing is
/// allocated after the first ones.
struct CoreSearchSpace {
  std::vector<Vector3> vertices_A, vertices_B;  ///< in A's axes
  std::vector<double> heights;
  std::vector<double> sides;
  std::vector<int> near_A, near_B, edges_A, edges_B;
  std::vector<CoreCandidate> candidates;
  std::vector<MeshCandidate> mesh_candidates;
  std::vector<std::pair<int, int>> faces;  ///< of triangles: the face, and the triangle
};

/// Two convex shapes, of a cylinder and a plane the plane first: the pairs of their features that
/// may ever touch, each with an index for the whole run, and which of them are near. The cores must
/// outlive it.
class CorePair {
 public:
  CorePair(const ConvexCore& A, const ConvexCore& B);

  const ConvexCore& A() const { return *A_; }
  const ConvexCore& B() const { return *B_; }
  /// How many indices there are: 0 … size − 1.
  std::int64_t size() const { return size_; }
  FeatureIds ids(std::int64_t index) const;
  std::int64_t index(const FeatureIds& ids) const;
  FeaturePairForm form(std::int64_t index) const { return form(ids(index)); }
  FeaturePairForm form(const FeatureIds& ids) const;

  /// Of a sphere and another solid, or a point and a cylinder: their one point of contact, the same
  /// wherever they are.
  std::optional<FeatureIds> only_point() const;

  /// Appends the pairs of features with gaps ≤ reach, in ascending order of their indices, each
  /// once. Sharp shapes: those of the axis of largest separation, faces before edges: vertices
  /// above the face and edges that cross over it. Rounded shapes whose cores are apart: every
  /// vertex near the other core, and edges that are nearest between their ends.
  void find(const RelativePose& B_in_A, double reach, CorePairMemory& memory,
            CoreSearchSpace& space, std::vector<CoreContact>& out) const;
  /// The same of any pair, with meshes or without. Of a pair with a mesh that has been found at one
  /// pose alone everything is felt that is not deeper than half of the smaller.
  void find(const PairWay& way, CorePairMemory& memory, CoreSearchSpace& space,
            std::vector<CoreContact>& out) const;
  bool has_mesh() const { return A_->is_mesh || B_->is_mesh; }

  /// The true signed distance where the two overlap: minus the depth, the shortest way apart; where
  /// they are apart a number > 0, not more than the distance.
  double separation(const RelativePose& B_in_A, CoreSearchSpace& space) const;

 private:
  struct Range {
    std::int64_t first = 0;
    int count_a = 0, count_b = 0;
  };

  const ConvexCore* A_;
  const ConvexCore* B_;
  std::array<Range, static_cast<std::size_t>(TouchKind::Count)> ranges_ = {};
  std::int64_t size_ = 0;
};

}  // namespace saltus
