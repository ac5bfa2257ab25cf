// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/system.hpp"
#include "saltus/io/report_arrays.hpp"
#include "saltus/io/report_rows.hpp"

namespace saltus::io {

/// The nodes of each body that a modal analysis shows, by their numbers within it, rising: of a
/// solid its first node, those of its surface and those on which something of the scene is; of
/// other bodies all.
using DrawnNodes = std::vector<std::vector<std::uint32_t>>;

/// @param model  with ball bearings expanded
/// @param scene  what make_scene has made of it
DrawnNodes drawn_nodes(const Model& model, const System& system, const Json& scene);

/// Leaves out what nobody sees of solids that rest: elements, nodes inside, and all of the others
/// but their place. In a large model the names alone would be most of the page.
void leave_out_undrawn(const Model& model, const DrawnNodes& drawn,
                       const std::vector<Channel>& columns, ReportRows& rows);

/// The natural modes of a modal analysis, for what is drawn.
///   total: how many the analysis has found
///   bodies: for each body of the scene where its nodes begin in `translation` and, if it turns, in
///   `rotation`; `nodes`: those of it that are there (without it: all)
///   list: frequency (Hz), growth_rate (1/s), translation and rotation (a vector) of every node,
///   inertial components x, y, z; of a rigid body those of its centre of mass
/// @param notes  gets a line for what is rounded or left out
Json make_modes(const Hdf5Reader& file, const System& system, const DrawnNodes& drawn,
                const ReportBudget& budget, ReportArrays& arrays, std::vector<std::string>& notes);

}  // namespace saltus::io
