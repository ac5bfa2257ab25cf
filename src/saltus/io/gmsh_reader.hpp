// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "saltus/model/mesh.hpp"

namespace saltus {

/// A mesh file is not what Saltus can use; the message says what to do, with the line if there is
/// one (binary files have none).
class MeshError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a mesh that Gmsh wrote, format MSH 2.2 or 4.1, text or binary. Tetrahedra with 4 or 10
/// nodes and hexahedra with 8 become cells, only those in physical volumes if the file has physical
/// volumes. Nodes that no cell uses are left out; the order is the file's.
/// Each physical group, of points, curves, surfaces or volumes, becomes a set of nodes: by its
/// name, or by its number ("7") if it has none. Where groups of several dimensions have one name,
/// the names of the sets say the dimension too: "surface_7", "volume_7". Groups without a node of
/// the mesh are left out. The set "all" is added unless there is a group of this name. Shapes are
/// not checked: `bad_cells` does.
/// @throws MeshError if the text is no such mesh.
Mesh read_gmsh(std::string_view text);

/// The same for a file; the messages begin with `name`, or with its path.
/// @throws MeshError also if the file cannot be read.
Mesh read_gmsh_file(const std::filesystem::path& path, std::string_view name = {});

}  // namespace saltus
