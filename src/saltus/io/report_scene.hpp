// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/system.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/report_arrays.hpp"

namespace saltus::io {

/// What a report draws: bodies, shapes on them, joints and springs, each with its anchors.
/// @param model   with ball bearings expanded
/// @param system  made from it
Json make_scene(const Model& model, const System& system, ReportArrays& arrays);

}  // namespace saltus::io
