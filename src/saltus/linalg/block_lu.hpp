// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// LU of those unknowns of a matrix that come in full blocks of three or six and know of no others:
/// free bodies. Pivots are compared by rows scaled with their largest entries, so that no
/// scaled copy is needed; with so few unknowns they need no probe. Internal to linalg; for the
/// meaning of the functions see Factorization.
class BlockLu {
 public:
  /// Whether unknowns, ascending, that no entry connects with others are such a block.
  static bool is_block(const SparsityPattern& pattern, const std::vector<int>& unknowns);

  explicit BlockLu(const SparsityPattern& pattern) : pattern_(&pattern) {}
  /// @param first  unknown of a block
  void add(int first);

  bool empty() const { return blocks_.empty(); }

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
  const SparsityPattern* pattern_;
  std::vector<Block> blocks_;
  double smallest_pivot_ = 1;
};

}  // namespace saltus::linalg
