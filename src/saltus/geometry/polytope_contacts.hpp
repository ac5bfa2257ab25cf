// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/geometry/core_pair.hpp"

namespace saltus {

/// An axis along which two polytopes are apart, or overlap least.
struct SeparatingAxis {
  enum class Kind : std::int8_t { None, FaceA, FaceB, Edges };
  Kind kind = Kind::None;
  int a = -1, b = -1;                 ///< the face, or the edges
  Vector3 normal = Vector3::UnitZ();  ///< from A towards B, in A's axes
  double separation = -1e300;         ///< < 0: they overlap by this
};

/// The best axis of each kind. Faces win over edges unless those are apart by more than a slack.
struct SeparatingAxes {
  SeparatingAxis face = {}, edges = {};
  double slack = 0;

  const SeparatingAxis& best() const {
    return edges.separation > face.separation + slack ? edges : face;
  }
};

/// Vertices of B in A's axes, which all that follows needs.
void place_vertices(const CorePair& pair, const RelativePose& B_in_A, CoreSearchSpace& space);

/// How far apart along n the placed vertices are.
double separation_along(const Vector3& n, const CorePair& pair, const CoreSearchSpace& space);

/// All axes; as soon as one is apart by more than `enough`, that one alone.
SeparatingAxes separating_axes(const CorePair& pair, const RelativePose& B_in_A, double enough,
                               CoreSearchSpace& space);

/// Contacts of two polytopes as if sharp, less the radii. `axes`: those at the same pose.
void find_sharp(const CorePair& pair, const RelativePose& B_in_A, double reach,
                const SeparatingAxes& axes, CoreSearchSpace& space, std::vector<CoreContact>& out);

/// The least distance of two edges that are nearest between their ends; without any a large number.
double least_of_edges(const CorePair& pair, const CoreSearchSpace& space);

/// Contacts of polytopes, at least one of which is rounded, whose cores are apart.
void find_rounded(const CorePair& pair, const RelativePose& B_in_A, double reach,
                  const Vector3& axis, CoreSearchSpace& space, std::vector<CoreContact>& out);

}  // namespace saltus
