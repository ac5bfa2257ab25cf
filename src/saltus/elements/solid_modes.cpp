// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/solid_modes.hpp"

#include "saltus/elements/solid_reference.hpp"
#include "saltus/elements/solid_voigt.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::solid {

namespace {

using Modes = Eigen::Matrix<double, 6, mode_count>;

/// The modes' strains in the axes of the reference shape, shear doubled: linear in ξ, so that they
/// have no mean and a state of constant strain does not wake them. (8)
Modes reference_modes(const Vector3& xi) {
  Modes M = Modes::Zero();
  for (int i = 0; i < 3; ++i) M(i, i) = xi[i];
  const auto shear = [&](int row, int column, int i, int j) {
    M(row, column) = xi[i];
    M(row, column + 1) = xi[j];
  };
  shear(3, 3, 0, 1);
  shear(4, 5, 1, 2);
  shear(5, 7, 0, 2);
  return M;
}

/// The same in the solid's axes, turned and stretched as the cell's centre is. (9)
Modes modes_at(const Vector3& xi, const Matrix3& J_0_inverse) {
  Modes M = reference_modes(xi);
  for (int m = 0; m < mode_count; ++m) {
    const Matrix3 E = J_0_inverse.transpose() * strain_tensor(M.col(m)) * J_0_inverse;
    M.col(m) = strain_vector(E);
  }
  return M;
}

}  // namespace

void set_enhanced_modes(const SolidShape::Positions& X, SolidConstants& constants) {
  const auto points = strain_points(CellKind::Hex8);
  const auto count = static_cast<Eigen::Index>(points.size());
  const Matrix3 J_0 = X * shape_functions(CellKind::Hex8, Vector3::Zero()).D;
  const Matrix3 J_0_inverse = J_0.inverse();
  const Matrix6 C = elasticity(constants.lambda, constants.mu);

  Eigen::MatrixXd M(6 * count, mode_count), Y(6 * count, mode_count);
  for (Eigen::Index p = 0; p < count; ++p) {
    const double w = constants.weights[p];
    // The factor det J₀ / det J makes the integral of a mode over the distorted cell zero. (9)
    const double scale = J_0.determinant() * points[p].weight / w;
    M.middleRows<6>(6 * p) = scale * modes_at(points[p].xi, J_0_inverse);
    Y.middleRows<6>(6 * p) = w * C * M.middleRows<6>(6 * p);
  }
  constants.mode_stress =
      linalg::cholesky_forward(M.transpose() * Y, Y.transpose()).transpose();  // (10)

  constexpr int rows = 8 * mode_count;
  constants.mode_shape.setZero(rows, 8);
  for (Eigen::Index m = 0; m < mode_count; ++m)
    for (Eigen::Index p = 0; p < count; ++p) {
      const auto G = constants.gradients.middleCols<3>(3 * p);
      const Matrix3 stress = stress_tensor(Vector6(constants.mode_stress.col(m).segment<6>(6 * p)));
      constants.mode_shape.middleRows<8>(8 * m) += G * stress * G.transpose();  // (11)
    }
}

}  // namespace saltus::solid
