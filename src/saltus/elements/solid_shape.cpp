// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/solid_shape.hpp"

#include <Eigen/LU>

#include "saltus/core/assert.hpp"
#include "saltus/elements/solid_reference.hpp"
#include "saltus/elements/solid_tangent.hpp"

namespace saltus {

using solid::SolidKernel, solid::with_kernel;

namespace {

SolidConstants constants_of(CellKind kind, const SolidShape::Positions& X, double young_modulus,
                            double poisson_ratio, double damping_time) {
  SolidConstants c;
  c.lambda = young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  c.mu = young_modulus / (2 * (1 + poisson_ratio));
  c.b = damping_time;
  c.X = (X.colwise() - X.col(0)).transpose();
  const auto points = solid::strain_points(kind);
  const auto count = static_cast<Eigen::Index>(points.size());
  c.weights.resize(count);
  c.gradients.resize(X.cols(), 3 * count);
  for (Eigen::Index p = 0; p < count; ++p) {
    const auto D = solid::shape_functions(kind, points[p].xi).D;
    const Matrix3 J = c.X.transpose() * D;
    SALTUS_ASSERT(J.determinant() > 0);
    c.weights[p] = points[p].weight * J.determinant();
    c.gradients.middleCols<3>(3 * p) = D * J.inverse();  // (7)
  }
  return c;
}

Eigen::MatrixXd shared_volume(CellKind kind, const SolidShape::Positions& X) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(X.cols(), X.cols());
  for (const auto& point : solid::mass_points(kind)) {
    const auto s = solid::shape_functions(kind, point.xi);
    const double volume = point.weight * Matrix3(X * s.D).determinant();
    M += volume * s.N * s.N.transpose();  // (12)
  }
  return M;
}

/// Row sums; but those of a Tet10 are negative at its corners, so its diagonal is scaled instead.
VectorX lumped(CellKind kind, const Eigen::MatrixXd& M) {
  if (kind == CellKind::Tet10) return M.diagonal() * (M.sum() / M.trace());
  return M.rowwise().sum();
}

}  // namespace

SolidShape::SolidShape(CellKind kind, HexFormulation formulation, const Positions& X,
                       double young_modulus, double poisson_ratio, double damping_time)
    : kind_(kind),
      constants_(constants_of(kind, X, young_modulus, poisson_ratio, damping_time)),
      mass_shares_(shared_volume(kind, X)),
      node_shares_(mass_shares_.rowwise().sum()),
      lumped_shares_(lumped(kind, mass_shares_)) {
  SALTUS_ASSERT(X.cols() == node_count(kind));
  volume_ = mass_shares_.sum();
  if (kind == CellKind::Hex8 && formulation == HexFormulation::EnhancedStrain)
    solid::set_enhanced_modes(X, constants_);
}

double SolidShape::energy(const Positions& x) const {
  return with_kernel(kind_, constants_, [&](const auto& kernel) { return kernel.energy(x); });
}

void SolidShape::forces(const Positions& x, const Positions& v, Positions& elastic,
                        Positions& damping) const {
  with_kernel(kind_, constants_,
              [&](const auto& kernel) { kernel.forces(x, v, elastic, damping); });
}

void SolidShape::tangents(const Positions& x, const Positions& v, double stiffness_factor,
                          double damping_factor, Tangent& A) const {
  with_kernel(kind_, constants_, [&]<int Nodes, int Points>(const SolidKernel<Nodes, Points>& k) {
    solid::SolidTangent<Nodes, Points>(k).sum(x, v, stiffness_factor, damping_factor, A);
  });
}

}  // namespace saltus
