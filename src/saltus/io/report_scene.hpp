// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/system.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/report_arrays.hpp"

namespace saltus::io {

/// A collider where it is fixed; the frame's axes are those of its shape: z is the axis or normal.
struct ShapeSite {
  const Collider* collider = nullptr;
  Site site = {};
};
/// All colliders of a model with ball bearings expanded, one that is on a node set once for each
/// node.
/// @param model   must live longer
/// @param system  made from it
std::vector<ShapeSite> shape_sites(const Model& model, const System& system);

/// What a report draws: bodies, shapes on them, joints and springs, each with its anchors.
/// @param model   with ball bearings expanded
/// @param system  made from it
Json make_scene(const Model& model, const System& system, ReportArrays& arrays);

}  // namespace saltus::io
