// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/linalg/factorization.hpp"

namespace saltus {

/// Something to be added to the block of a node in a Newton matrix.
struct NodeBlock {
  int node = 0;
  Matrix6 block = Matrix6::Zero();
};

/// The Newton matrix of a system with its factorisation: analysed once, refilled at each iteration.
/// It is here, not in an integrator, because all methods and the start of a run solve with the same
/// pattern and treat redundant joints the same way.
class KktSolver {
 public:
  explicit KktSolver(const System& system);

  /// Tells whether joint equations are redundant at q: then their component's block −δ is made
  /// larger from now on (docs/theory/generalized_alpha.md, section 4).
  bool detect_redundancy(const Configuration& q, double time);

  /// Treats the joints as another solver of the same system does.
  void take_redundancy(const KktSolver& other) { regularization_ = other.regularization_; }

  bool has_redundancy() const;
  /// What is known of the joints of a system that has these, too.
  /// @param rows  of this system's constraints, the other's
  void take_over_redundancy(const KktSolver& other, const std::vector<int>& rows);
  /// Of all multipliers of redundant joints with the same forces Gᵀλ at q the least in the metric
  /// of δ of the masses, which knows neither step nor forces (section 4). Leaves another matrix.
  void make_least(const Configuration& q, double time, VectorX& lambda);

  /// Of slips, rows without a position, g becomes what the least motion (in the metric of the mass)
  /// that closes all other rows slips, −G x: so all rows of a position can be met, slips that
  /// depend on other rows too, and a position that closes already may not slip. Leaves factors of
  /// another matrix (docs/theory/constrained_dynamics.md, eq. 21).
  void add_closing_slips(const Configuration& q, double time, VectorX& g);

  /// Components whose matrix the next linearize() leaves as it is.
  void keep(const std::vector<char>& components);

  /// Assembles, adds `more` and factorises; false if the matrix is singular.
  bool linearize(const Configuration& q, const VectorX& v, const VectorX& vdot, const Instant& at,
                 const VectorX& lambda, const Linearization& linearization,
                 const std::vector<NodeBlock>& more = {});
  /// x ← S⁻¹ x
  void solve(VectorX& x) const { factorization_.solve_in_place(x); }
  /// x ← S⁻¹ x without the regularisation −δ, as far as the equations are compatible: rounds of
  /// refinement take it out, of each component as many as it needs.
  void solve_unregularized(VectorX& x) const;
  /// y = S x
  void multiply(const VectorX& x, VectorX& y) const { S_.multiply(x, y); }
  const linalg::SparseMatrix& matrix() const { return S_; }
  const linalg::Factorization& factorization() const { return factorization_; }
  const linalg::FactorizationCounts& counts() const { return factorization_.counts(); }
  /// "body "rod" and joint "pin"": who takes part in the singularity of the last matrix.
  std::string singular_parts() const;

  /// The last matrix and its factors, kept pivots included, and whether joints are redundant.
  void archive(Archive& memory) { memory(regularization_, S_, factorization_); }

 private:
  /// How far the refinement of a component is.
  struct Refinement {
    double before = std::numeric_limits<double>::infinity();
    double change = 0, size = 0;  // of the motion
    bool is_done = false;
  };

  void put_back();
  void refine(VectorX& x) const;

  const System& system_;
  linalg::SparseMatrix S_;
  linalg::Factorization factorization_;
  std::vector<double> regularization_;    // of components
  std::vector<int> multiplier_diagonal_;  // slots
  // Workspace of make_least and add_closing_slips.
  VectorX x_, zero_, force_, least_, missing_, image_;
  mutable VectorX b_, residual_;                 // of solve_unregularized
  mutable std::vector<Refinement> refinements_;  // likewise, of components
  std::vector<char> kept_;                       // components; empty: none
  std::vector<double> before_;                   // values of S_
};

}  // namespace saltus
