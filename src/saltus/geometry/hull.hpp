// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "saltus/geometry/polytope.hpp"

namespace saltus {

/// A hull, or the reason why there is none.
struct Hull {
  Polytope polytope = {};
  std::string reason = {};  ///< empty: there is a hull

  bool is_there() const { return reason.empty(); }
};

/// The least convex body around the points. Its vertices are those of the points that are corners,
/// in their order; faces that are in one plane to 1e-12 of the size are one, and points between the
/// ends of an edge are no corners. The same points give the same hull.
Hull convex_hull(std::span<const Vector3> points);

}  // namespace saltus
