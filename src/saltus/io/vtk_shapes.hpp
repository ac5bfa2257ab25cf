// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "saltus/model/collider.hpp"
#include "saltus/model/inertia.hpp"

namespace saltus::io {

/// A surface in triangles, what is thin in lines, what is small as a dot.
struct VtkSurface {
  std::vector<Vector3> points = {};
  std::vector<std::array<std::int32_t, 3>> triangles = {};  ///< counter-clockwise from outside
  std::vector<std::array<std::int32_t, 2>> lines = {};
  std::vector<std::int32_t> dots = {};

  std::size_t cells() const { return triangles.size() + lines.size() + dots.size(); }
};

/// How many sides a circle is drawn with.
enum class VtkRoundness { Fine = 24, Coarse = 12 };

/// A collider other than a plane in the axes of its shape, z being the axis of what is round.
/// @pre it is no half-space or face
VtkSurface surface_of(const Shape& shape, VtkRoundness roundness);
/// What the inertia of a body stands for, in body axes about its centre of mass; empty for an
/// explicit one.
VtkSurface surface_of(const Inertia& inertia, VtkRoundness roundness);
/// A rectangle in the plane xy.
VtkSurface rectangle(double x_min, double x_max, double y_min, double y_max);

}  // namespace saltus::io
