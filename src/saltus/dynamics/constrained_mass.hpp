// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Solves M v̇ − Gᵀλ = f, −G v̇ = g of rigid bodies, whose mass matrix is constant and consists of
/// the blocks of nodes: of free bodies node by node, of joints by A = G M⁻¹Gᵀ, which couples joints
/// of a common body and is factorised joint by joint, A = L Lᵀ. KktSolver does the same for all
/// systems, with several times the work.
class ConstrainedMass {
 public:
  explicit ConstrainedMass(const System& system);

  /// Whether the system is of this kind: rigid bodies and point masses, all with a regular inertia,
  /// and joints that do not all meet at one body.
  bool is_suited() const { return is_suited_; }
  /// Whether joints hold the node.
  bool has_joints(int node) const { return has_joints_[static_cast<std::size_t>(node)] != 0; }
  /// M⁻¹ of a node; zeros where it has no unknowns.
  const Matrix6& inverse(int node) const { return inverses_[static_cast<std::size_t>(node)]; }

  /// G and the factors of A at q. False if joint equations depend on each other, or nearly so.
  /// @pre is_suited()
  bool factorize(const Configuration& q);
  /// (f, g) ← (v̇, λ), one a column. @pre the last factorize() said true
  void solve_in_place(Eigen::Ref<MatrixX> X) const;

 private:
  static_assert(JointElement::max_rows == 6, "blocks of joints are of 6 rows");

  /// A joint in the order of elimination. Blocks have 6 rows whatever the joint has, for products
  /// of a known size take a third of the time: rows beyond those of the joint are zero, with a one
  /// on the diagonal.
  struct Pivot {
    int joint = 0;
    int rows = 0;
    Eigen::Matrix<double, 6, 12> G = Eigen::Matrix<double, 6, 12>::Zero();
    Matrix6 response_A = Matrix6::Zero(), response_B = Matrix6::Zero();  // M⁻¹Gᵀ of the nodes
    Matrix6 diagonal = Matrix6::Zero();                                  // of A
    Matrix6 inverse = Matrix6::Zero();  // of the diagonal block of L
    std::vector<int> later = {};        // pivots that it is coupled with, ascending
    std::vector<Matrix6> below = {};    // of A, then of L, parallel
  };
  /// The block (row, column) of A that a node makes.
  struct Coupling {
    int row = 0, column = 0;  // pivots
    std::size_t place = 0;    // in `below` of the column
    bool row_by_B = false, column_by_B = false;
  };

  void find_inverses();
  void order_joints();
  void list_couplings();
  std::size_t place_of(int row, int column) const;
  const JointEntry& entry(const Pivot& pivot) const {
    return system_.elements().joints[static_cast<std::size_t>(pivot.joint)];
  }
  void fill(const Configuration& q);
  bool eliminate(Pivot& pivot);
  void solve_joints(double* x) const;
  void apply_inverses(double* x) const;

  const System& system_;
  bool is_suited_ = true;
  std::vector<Matrix6> inverses_;  // of nodes
  std::vector<char> has_joints_;   // nodes
  std::vector<Pivot> pivots_;
  std::vector<Coupling> couplings_;
  mutable std::vector<Vector6> lambda_;  // of pivots, workspace of solve_joints
};

}  // namespace saltus
