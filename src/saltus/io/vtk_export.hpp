// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saltus {

struct VtkInfo {
  std::filesystem::path path = {};       ///< of the directory with the series
  std::vector<std::string> series = {};  ///< "bodies.pvd" and others, those that there are
  std::size_t rows = 0;                  ///< written
  std::size_t recorded = 0;
  std::uintmax_t bytes = 0;
  std::vector<std::string> notes = {};  ///< what the series do not show
};

/// Writes time series for ParaView into DIR/vtk from what a run has left in DIR: bodies, frames,
/// beams, solids and contacts (docs/guide/paraview.md).
/// @param every  one row of so many is written, and the last one. @pre > 0
/// @throws FileError if there is no result that Saltus wrote, or a file cannot be written.
VtkInfo write_vtk(const std::filesystem::path& directory, std::size_t every = 1);

/// Removes what `write_vtk` has written into DIR/vtk, and nothing else.
void remove_vtk(const std::filesystem::path& directory);

}  // namespace saltus
