// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "saltus/elements/solid_shape.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {

using Positions = SolidShape::Positions;
using Tangent = SolidShape::Tangent;

constexpr std::array<std::array<int, 2>, 6> tet10_edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

/// A cell and how its strain is made.
struct CellType {
  std::string name;
  CellKind kind;
  HexFormulation formulation;
};

inline std::vector<CellType> cell_types() {
  return {{"tet4", CellKind::Tet4, HexFormulation::Standard},
          {"tet10", CellKind::Tet10, HexFormulation::Standard},
          {"hex8", CellKind::Hex8, HexFormulation::Standard},
          {"hex8 enhanced", CellKind::Hex8, HexFormulation::EnhancedStrain}};
}

inline void set_middles(Positions& X) {
  for (int e = 0; e < 6; ++e)
    X.col(4 + e) = (X.col(tet10_edges[e][0]) + X.col(tet10_edges[e][1])) / 2;
}

/// The unit cube, or its corner at the origin as a tetrahedron.
inline Positions unit_cell(CellKind kind) {
  Positions X(3, node_count(kind));
  if (kind == CellKind::Hex8) {
    X << 0, 1, 1, 0, 0, 1, 1, 0,  //
        0, 0, 1, 1, 0, 0, 1, 1,   //
        0, 0, 0, 0, 1, 1, 1, 1;
    return X;
  }
  X.leftCols<4>() << Vector3::Zero(), Matrix3::Identity();
  if (kind == CellKind::Tet10) set_middles(X);
  return X;
}

inline Positions random_positions(Random& random, int nodes, double size) {
  Positions x(3, nodes);
  for (int a = 0; a < nodes; ++a) x.col(a) = random.vector(size);
  return x;
}

/// A unit cell turned, and every node moved by up to `size` along each axis.
inline Positions distorted_cell(CellKind kind, Random& random, double size = 0.1) {
  const Positions X = unit_cell(kind);
  return random.rotation() * X + random_positions(random, static_cast<int>(X.cols()), size);
}

inline VectorX flat(const Positions& x) { return Eigen::Map<const VectorX>(x.data(), x.size()); }
inline Positions unflat(const VectorX& x) {
  return Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, x.size() / 3);
}

/// Elastic and damping forces together.
inline Positions total_force(const SolidShape& shape, const Positions& x, const Positions& v) {
  Positions elastic, damping;
  shape.forces(x, v, elastic, damping);
  return elastic + damping;
}

inline Positions elastic_force(const SolidShape& shape, const Positions& x) {
  Positions elastic, damping;
  shape.forces(x, Positions::Zero(3, x.cols()), elastic, damping);
  return elastic;
}

inline Tangent stiffness(const SolidShape& shape, const Positions& x) {
  Tangent K;
  shape.tangents(x, Positions::Zero(3, x.cols()), 1, 0, K);
  return K;
}

}  // namespace saltus::test
