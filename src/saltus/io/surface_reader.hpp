// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "saltus/io/gmsh_reader.hpp"
#include "saltus/model/types.hpp"

namespace saltus::io {

/// A surface of triangles in the unit of its file. Corners with the same coordinates are one
/// vertex, in the order of their first use; triangles that then have a corner twice are left out.
struct SurfaceMesh {
  std::vector<Vector3> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};
};

enum class SurfaceFormat { Stl, Obj, Ply };

/// STL (text or binary), Wavefront OBJ (polygons become fans; only v and f count) or PLY (text or
/// binary of either order of bytes). Whether it is closed is not checked: `flaw_of` does.
/// @throws MeshError with the line, or the triangle of a binary file, if the text is no such file.
SurfaceMesh read_surface(std::string_view text, SurfaceFormat format);

/// The same for a file, its format by the end of its name; the messages begin with `name`.
/// @throws MeshError also if the file cannot be read or is larger than 256 MB.
SurfaceMesh read_surface_file(const std::filesystem::path& path, std::string_view name);

}  // namespace saltus::io
