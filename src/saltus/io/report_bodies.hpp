// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/io/json_text.hpp"
#include "saltus/io/report_arrays.hpp"
#include "saltus/model/body.hpp"

namespace saltus::io {

// What a report draws of a body itself: the shape its inertia stands for, the section of a beam,
// the surface of a solid.
Json body_json(const RigidBody& body, ReportArrays& arrays);
Json body_json(const PointMass& body, ReportArrays& arrays);
Json body_json(const Beam& body, ReportArrays& arrays);
Json body_json(const Bar& body, ReportArrays& arrays);
Json body_json(const Solid& body, ReportArrays& arrays);

/// The nodes on the surface of a solid, in the order in which body_json has them.
std::vector<std::uint32_t> surface_nodes(const Solid& body);

}  // namespace saltus::io
