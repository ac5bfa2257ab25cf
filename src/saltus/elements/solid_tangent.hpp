// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/solid_kernel.hpp"

namespace saltus::solid {

/// The tangent of SolidKernel's forces, summed over the points in blocks A_kl: force along k by
/// displacement along l, a row and a column for each node.
///
/// With φ_a = F ∇N_a and stress S + b Ṡ, both derivatives have one form. Let F′ = (k + cb) F + kb
/// Ḟ, with the factors k of stiffness and c of damping. Then nodes a and b have the block
///   ∫ λ φ_a φ′_bᵀ + μ φ_b φ′_aᵀ + μ (∇N_a · ∇N_b) F F′ᵀ + k (∇N_a · S ∇N_b) 1 dV₀,
/// which is BᵀCB and the geometric part without any B; less L_aᵀ L′_b of the enhanced modes.
/// docs/theory/solids.md, (4) and (11).
template <int Nodes, int Points>
class SolidTangent {
 public:
  using Kernel = SolidKernel<Nodes, Points>;
  using Positions = SolidShape::Positions;

  explicit SolidTangent(const Kernel& kernel) : kernel_(kernel), c_(kernel.constants()) {}

  void sum(const Positions& x, const Positions& v, double k, double c, SolidShape::Tangent& A) {
    auto d = kernel_.deformation(x);
    const Nodal y = Kernel::relative(x);
    const bool damped = c_.b != 0;
    const double direct = k + c * c_.b, by_rate = k * c_.b;
    typename Kernel::Gradients F_varied;
    Nodal y_varied = direct * y;
    if (damped) {
      const Nodal v_relative = Kernel::relative(v);
      F_varied = kernel_.velocity_gradients(v_relative);
      d.E += c_.b * Kernel::strain_rates(d.F, F_varied);
      y_varied += by_rate * v_relative;
      for (int p = 0; p < Points; ++p) F_varied[p] = direct * d.F[p] + by_rate * F_varied[p];
    } else {
      for (int p = 0; p < Points; ++p) F_varied[p] = direct * d.F[p];
    }
    set_points(d.F, F_varied, k * kernel_.weighted_stress(d.E));
    if (kernel_.enhanced()) set_modes(y, y_varied);
    constexpr int unknowns = 3 * Nodes;
    A.resize(unknowns, unknowns);
    for (int row = 0; row < 3; ++row)
      for (int column = damped ? 0 : row; column < 3; ++column)
        put(row, column, block(row, column), !damped, A);
  }

 private:
  using Nodal = typename Kernel::Nodal;
  using Block = Eigen::Matrix<double, Nodes, Nodes>;
  using FlatBlock = Eigen::Matrix<double, Nodes * Nodes, 1>;
  using AtPoints = Eigen::Matrix<double, Nodes, Points>;
  using Modes = Eigen::Matrix<double, Nodes, mode_count>;

  void set_points(const typename Kernel::Gradients& F, const typename Kernel::Gradients& F_varied,
                  const typename Kernel::AtPoints& S) {
    Eigen::Matrix<double, Nodes, 3 * Points> G_S;
    for (int p = 0; p < Points; ++p) {
      const auto G = kernel_.gradients(p);
      const Matrix3 F_weighted = c_.weights[p] * F_varied[p];
      for (int k = 0; k < 3; ++k) {
        phi_[k].col(p) = G.lazyProduct(F[p].row(k).transpose());
        phi_varied_[k].col(p) = G.lazyProduct(F_weighted.row(k).transpose());
      }
      Eigen::Map<Block, Eigen::Aligned16>(gram_.col(p).data()) = G.lazyProduct(G.transpose());
      const Matrix3 B = c_.mu * F[p] * F_weighted.transpose();
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) gram_factor_[k][l][p] = B(k, l);
      G_S.template middleCols<3>(3 * p) = G.lazyProduct(stress_tensor(S.col(p)));
    }
    using AllGradients = Eigen::Matrix<double, Nodes, 3 * Points>;
    const typename Kernel::template View<AllGradients> G(c_.gradients.data());
    geometric_ = G_S.lazyProduct(G.transpose());
  }

  /// L = ∂(∫ Mᵀ C E dV₀)/∂x (11)
  void set_modes(const Nodal& y, const Nodal& y_varied) {
    using Shape = Eigen::Matrix<double, Nodes * mode_count, Nodes>;
    using Column = Eigen::Map<Eigen::Matrix<double, Nodes * mode_count, 1>, Eigen::Aligned16>;
    const typename Kernel::template View<Shape> Q(c_.mode_shape.data());
    for (int k = 0; k < 3; ++k) {
      Column(L_[k].data()) = Q.lazyProduct(y.col(k));
      Column(L_varied_[k].data()) = Q.lazyProduct(y_varied.col(k));
    }
  }

  Block block(int k, int l) const {
    const Block T = phi_[k].lazyProduct(phi_varied_[l].transpose());
    Block K = c_.lambda * T + c_.mu * T.transpose();  // (4)
    Eigen::Map<FlatBlock, Eigen::Aligned16>(K.data()) += gram_.lazyProduct(gram_factor_[k][l]);
    if (k == l) K += geometric_;
    if (kernel_.enhanced()) K -= L_[k].lazyProduct(L_varied_[l].transpose());  // (11)
    return K;
  }

  static void put(int k, int l, const Block& K, bool mirrored, SolidShape::Tangent& A) {
    for (int b = 0; b < Nodes; ++b)
      for (int a = 0; a < Nodes; ++a) A(3 * a + k, 3 * b + l) = K(a, b);
    if (!mirrored || k == l) return;
    for (int b = 0; b < Nodes; ++b)
      for (int a = 0; a < Nodes; ++a) A(3 * b + l, 3 * a + k) = K(a, b);
  }

  const Kernel& kernel_;
  const SolidConstants& c_;
  AtPoints phi_[3], phi_varied_[3];                     // the latter times the points' volumes
  Eigen::Matrix<double, Nodes * Nodes, Points> gram_;   // ∇N_a · ∇N_b
  Eigen::Matrix<double, Points, 1> gram_factor_[3][3];  // μ F F′ᵀ times the points' volumes
  Block geometric_;
  Modes L_[3], L_varied_[3];
};

}  // namespace saltus::solid
