// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/elements/solid_kernel.hpp"
#include "saltus/elements/solid_reference.hpp"

namespace saltus {

using solid::with_kernel;

namespace {

/// Kirchhoff's stress F S Fᵀ at the points, times their volumes; and these volumes at present:
/// their quotient is Cauchy's stress (13).
struct KirchhoffStresses {
  SolidShape::Tensors weighted;
  Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, SolidShape::max_points> volumes;
};

template <class Kernel>
KirchhoffStresses kirchhoff_stresses(const Kernel& kernel, const SolidShape::Positions& x) {
  const auto d = kernel.deformation(x);
  const auto S = kernel.weighted_stress(d.E);
  KirchhoffStresses tau;
  tau.weighted.resize(6, S.cols());
  tau.volumes.resize(S.cols());
  for (Eigen::Index p = 0; p < S.cols(); ++p) {
    const Matrix3& F = d.F[static_cast<std::size_t>(p)];
    tau.weighted.col(p) = solid::stress_vector(F * solid::stress_tensor(S.col(p)) * F.transpose());
    tau.volumes[p] = kernel.constants().weights[p] * F.determinant();
  }
  return tau;
}

}  // namespace

SolidShape::Tensors SolidShape::point_strains(const Positions& x) const {
  return with_kernel(kind_, constants_, [&](const auto& kernel) -> Tensors {
    Tensors E = kernel.total_strain(kernel.deformation(x).E);
    E.bottomRows<3>() /= 2;  // shear is doubled inside the kernel
    return E;
  });
}

SolidShape::Tensors SolidShape::point_stresses(const Positions& x) const {
  return with_kernel(kind_, constants_, [&](const auto& kernel) -> Tensors {
    const KirchhoffStresses tau = kirchhoff_stresses(kernel, x);
    return tau.weighted * tau.volumes.cwiseInverse().asDiagonal();
  });
}

double SolidShape::smallest_volume_ratio(const Positions& x) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index p = 0; p < points(); ++p) {
    const Matrix3 F = x.lazyProduct(constants_.gradients.middleCols<3>(3 * p));
    smallest = std::min(smallest, F.determinant());
  }
  return smallest;
}

Vector6 SolidShape::mean_strain(const Positions& x) const {
  return point_strains(x) * constants_.weights / constants_.weights.sum();
}

Vector6 SolidShape::mean_stress(const Positions& x) const {
  return with_kernel(kind_, constants_, [&](const auto& kernel) -> Vector6 {
    const KirchhoffStresses tau = kirchhoff_stresses(kernel, x);
    return tau.weighted.rowwise().sum() / tau.volumes.sum();
  });
}

SolidShape::Tensors SolidShape::nodal_stresses(const Positions& x) const {
  return point_stresses(x) * solid::extrapolation(kind_).transpose();
}

double von_mises(const Vector6& stress) {
  const double mean = stress.head<3>().sum() / 3;
  const Vector3 deviator = stress.head<3>().array() - mean;
  return std::sqrt(1.5 * deviator.squaredNorm() + 3 * stress.tail<3>().squaredNorm());  // (14)
}

}  // namespace saltus
