// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/model/mesh.hpp"

namespace saltus::solid {

/// Shape functions of a cell at a place ξ of its reference shape, and their derivatives D = ∂N/∂ξ.
/// Hexahedra have ξ in [−1, 1]³; tetrahedra have the volume coordinates of nodes 2, 3, 4 as ξ.
/// docs/theory/solids.md, (6).
struct ShapeFunctions {
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 10, 1> N;
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::ColMajor, 10, 3> D;
};
ShapeFunctions shape_functions(CellKind kind, const Vector3& xi);

struct QuadraturePoint {
  Vector3 xi;
  double weight;  ///< in the volume of the reference shape
};

/// Points for strains and stresses: 2 × 2 × 2 (Hex8, in the order of the nodes that they are next
/// to), 4 (Tet10, the same) or 1 (Tet4).
std::vector<QuadraturePoint> strain_points(CellKind kind);
/// Points that integrate N_a N_b exactly, also over distorted hexahedra and curved tetrahedra.
std::vector<QuadraturePoint> mass_points(CellKind kind);

/// Takes values at the strain points to the nodes by the polynomial through them; a row for each
/// node, a column for each point.
Eigen::MatrixXd extrapolation(CellKind kind);

}  // namespace saltus::solid
