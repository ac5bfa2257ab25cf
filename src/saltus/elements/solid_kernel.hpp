// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/core/assert.hpp"
#include "saltus/elements/solid_modes.hpp"
#include "saltus/elements/solid_shape.hpp"
#include "saltus/elements/solid_voigt.hpp"

namespace saltus::solid {

/// Strains, stresses and forces of cells with `Nodes` nodes and `Points` points of integration. All
/// sizes are known to the compiler; nothing is allocated. Equation numbers: docs/theory/solids.md.
template <int Nodes, int Points>
class SolidKernel {
 public:
  using Positions = SolidShape::Positions;
  using Nodal = Eigen::Matrix<double, Nodes, 3>;      ///< a row for each node
  using Gradients = std::array<Matrix3, Points>;      ///< ∂x/∂X or ∂v/∂X
  using AtPoints = Eigen::Matrix<double, 6, Points>;  ///< strains (shear doubled), stresses
  using Flat = Eigen::Matrix<double, 6 * Points, 1>;  ///< the same below each other
  template <class Matrix>
  using View = Eigen::Map<const Matrix, Eigen::Aligned16>;

  explicit SolidKernel(const SolidConstants& constants) : c_(constants) {}

  const SolidConstants& constants() const { return c_; }
  bool enhanced() const { return c_.mode_stress.size() > 0; }
  View<Nodal> gradients(Eigen::Index p) const {
    return View<Nodal>(c_.gradients.data() + p * 3 * Nodes);
  }

  /// Translations do not matter: the first node is the origin.
  static Nodal relative(const Positions& x) {
    SALTUS_ASSERT(x.cols() == Nodes);
    Nodal y;
    for (int a = 0; a < Nodes; ++a)
      for (int k = 0; k < 3; ++k) y(a, k) = x(k, a) - x(k, 0);
    return y;
  }

  /// Deformation at the points: F and E, without the enhanced modes.
  struct Deformation {
    Gradients F;
    AtPoints E;
  };
  Deformation deformation(const Positions& x) const {
    Deformation d;
    const Nodal u = relative(x) - View<Nodal>(c_.X.data());
    for (int p = 0; p < Points; ++p) {
      // From displacements, not from FᵀF − 1: small strains keep their digits.
      const Matrix3 H = u.transpose() * gradients(p);
      d.F[p] = H + Matrix3::Identity();
      d.E.col(p) = strain_vector(H + H.transpose() * H / 2);  // (1)
    }
    return d;
  }

  Gradients velocity_gradients(const Nodal& v) const {
    Gradients F_dot;
    for (int p = 0; p < Points; ++p) F_dot[p] = v.transpose() * gradients(p);
    return F_dot;
  }
  static AtPoints strain_rates(const Gradients& F, const Gradients& F_dot) {
    AtPoints E_dot;
    for (int p = 0; p < Points; ++p) E_dot.col(p) = strain_vector(F[p].transpose() * F_dot[p]);
    return E_dot;
  }

  /// Stress at the points times their volumes, of strains or of their rates; it includes what the
  /// enhanced modes α = −∫ Mᵀ C E dV₀ do. (2), (10)
  AtPoints weighted_stress(const AtPoints& E) const {
    AtPoints S;
    for (int p = 0; p < Points; ++p)
      S.col(p) = elastic_stress(c_.weights[p] * c_.lambda, c_.weights[p] * c_.mu, E.col(p));
    if (enhanced()) {
      const View<Eigen::Matrix<double, 6 * Points, mode_count>> Y(c_.mode_stress.data());
      const Eigen::Matrix<double, mode_count, 1> alpha = -Y.transpose() * View<Flat>(E.data());
      Eigen::Map<Flat, Eigen::Aligned16>(S.data()).noalias() += Y * alpha;
    }
    return S;
  }

  double energy(const Positions& x) const {
    const AtPoints E = deformation(x).E;
    return E.cwiseProduct(weighted_stress(E)).sum() / 2;  // (3), (10)
  }

  void forces(const Positions& x, const Positions& v, Positions& elastic,
              Positions& damping) const {
    const Deformation d = deformation(x);
    elastic = -inner_force(d.F, weighted_stress(d.E)).transpose();
    if (c_.b == 0) {
      damping.setZero(3, Nodes);
      return;
    }
    const AtPoints E_dot = strain_rates(d.F, velocity_gradients(relative(v)));
    damping = -c_.b * inner_force(d.F, weighted_stress(E_dot)).transpose();
  }

  /// E with the enhanced modes: C⁻¹ S.
  AtPoints total_strain(const AtPoints& E) const {
    const AtPoints S = weighted_stress(E);
    const double trace_factor = c_.lambda / (3 * c_.lambda + 2 * c_.mu);
    AtPoints total;
    for (int p = 0; p < Points; ++p) {
      const Vector6 s = S.col(p) / (c_.weights[p] * c_.mu);
      total.col(p) << (s.head<3>().array() - trace_factor * s.head<3>().sum()) / 2, s.tail<3>();
    }
    return total;
  }

 private:
  /// ∑ F S ∇N (3)
  Nodal inner_force(const Gradients& F, const AtPoints& S) const {
    Nodal f = Nodal::Zero();
    for (int p = 0; p < Points; ++p) {
      const Matrix3 P_transposed = stress_tensor(S.col(p)) * F[p].transpose();
      f.noalias() += gradients(p).lazyProduct(P_transposed);
    }
    return f;
  }

  const SolidConstants& c_;
};

/// Calls task(kernel) with the kernel of this kind of cell.
template <class Task>
decltype(auto) with_kernel(CellKind kind, const SolidConstants& constants, const Task& task) {
  if (kind == CellKind::Hex8) return task(SolidKernel<8, 8>(constants));
  if (kind == CellKind::Tet10) return task(SolidKernel<10, 4>(constants));
  return task(SolidKernel<4, 1>(constants));
}

}  // namespace saltus::solid
