// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

#include "saltus/model/types.hpp"

namespace saltus {

/// Where an edge of one triangle goes through the inside of another.
struct SurfaceCrossing {
  int edge_of = 0, through = 0;  ///< triangles
  Vector3 place = Vector3::Zero();
};

/// The first place at which a surface of triangles goes through itself, by more than round-off;
/// none if it does not. Triangles that lie in each other's planes are not found.
std::optional<SurfaceCrossing> crossing_of(std::span<const Vector3> vertices,
                                           std::span<const std::array<int, 3>> triangles);

}  // namespace saltus
