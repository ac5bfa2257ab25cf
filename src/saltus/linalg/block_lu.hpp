// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// LU of a matrix whose unknowns come in full blocks of three or six that do not know of each
/// other: free bodies. Pivots are compared by rows scaled with their largest entries, so that no
/// scaled copy is needed; with so few unknowns they need no probe. Internal to linalg; for the
/// meaning of the functions see Factorization.
class BlockLu {
 public:
  static bool fits(const SparsityPattern& pattern);

  /// @pre fits(pattern)
  explicit BlockLu(const SparsityPattern& pattern);

  /// False if an entry is infinite or not a number.
  bool factorize(const SparseMatrix& A);

  double smallest_pivot() const { return smallest_pivot_; }

  void solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  void archive(Archive& memory);

 private:
  struct Block {
    std::array<double, 36> lu = {};  ///< rows in the order of the pivots; or two of 3 × 3
    std::array<int, 6> order = {};   ///< of the rows
    int first = 0;                   ///< unknown
    int slot = 0;                    ///< of the first value in the matrix
    int size = 0;                    ///< 3 or 6
    bool is_split = false;           ///< translations and rotations do not know of each other
  };
  std::vector<Block> blocks_;
  double smallest_pivot_ = 1;
};

}  // namespace saltus::linalg
