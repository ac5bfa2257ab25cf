// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/model/types.hpp"

namespace saltus {

/// The shapes of finite elements that fill a solid. Nodes are numbered as by Gmsh's linear cells:
/// Hex8 round the bottom face and then the top face, Tet4 with positive volume, Tet10 its four
/// corners and then the middles of the edges 12, 23, 13, 14, 24, 34.
enum class CellKind { Tet4, Tet10, Hex8 };

constexpr int node_count(CellKind kind) {
  return kind == CellKind::Tet4 ? 4 : kind == CellKind::Tet10 ? 10 : 8;
}

/// One finite element; the first `node_count(kind)` entries of `nodes` count.
struct Cell {
  CellKind kind = CellKind::Hex8;
  std::array<int, 10> nodes = {};  ///< indices into Mesh::nodes
  long number = 0;                 ///< what messages call it: its number in the mesh file, or index
};

/// Nodes that the rest of the model may refer to by one name.
struct NodeSet {
  std::string name = {};
  std::vector<int> nodes = {};  ///< increasing, each once
};

/// A solid in finite elements, coordinates in m in the solid's own axes.
struct Mesh {
  std::vector<Vector3> nodes = {};
  std::vector<Cell> cells = {};
  std::vector<NodeSet> sets = {};       ///< distinct names
  std::vector<long> node_numbers = {};  ///< what messages call the nodes; empty: their indices

  long node_number(int node) const { return node_numbers.empty() ? node : node_numbers[node]; }

  /// The set of this name, or null.
  const NodeSet* find_set(std::string_view name) const;
};

/// A box centred on the origin, cut into nx × ny × nz cells (hexahedra, or six tetrahedra each).
/// Its sets are x_min, x_max, y_min, y_max, z_min, z_max (the nodes of its faces) and all.
/// @pre size and divisions are positive.
Mesh box_mesh(const Vector3& size, const std::array<int, 3>& divisions, CellKind kind);

/// A face of a cell that belongs to no other cell, nodes seen from outside counter-clockwise
/// (corners first, then for Tet10 the middles of the edges 12, 23, 31).
struct BoundaryFace {
  int cell = 0;
  int count = 0;                  ///< 3 (Tet4), 6 (Tet10) or 4 (Hex8)
  std::array<int, 6> nodes = {};  ///< the first `count` entries
};
/// In the order of the cells.
std::vector<BoundaryFace> boundary_faces(const Mesh& mesh);

/// How a total force spread evenly over the part of the surface that a set covers acts on its
/// nodes: ∫N dA / A over the boundary faces all of whose nodes are in the set; if there is none,
/// the same share for each node. The shares sum to 1, one for each node of the set. On flat faces
/// they are exact; corners of Tet10 faces have none of the force, their middle nodes a third each.
std::vector<double> surface_shares(const Mesh& mesh, const NodeSet& set);

/// A cell that cannot be used, by index, with the reason.
struct BadCell {
  int cell = 0;
  std::string reason = {};
};
/// Cells that are inverted, flat or folded (Jacobian determinant not positive at an integration
/// point, a node or the centre), or that use a node twice. Relative to the cell's size: units do
/// not matter.
std::vector<BadCell> bad_cells(const Mesh& mesh);

}  // namespace saltus
