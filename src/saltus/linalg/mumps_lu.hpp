// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// Multifrontal LU of an equilibrated matrix by sequential MUMPS: dense kernels (BLAS) on the
/// fronts, pivots chosen anew each time. Internal to linalg; for the meaning of the functions see
/// Factorization. Every call allocates. Calls of several threads wait for each other, for MUMPS
/// shares data between its instances.
class MumpsLu {
 public:
  enum class Outcome {
    Ok,
    Singular,  ///< a pivot is zero
    Failed,    ///< MUMPS gave up, e.g. for lack of memory
  };

  /// Sets the threads of OpenBLAS to one, for the whole process: results stay the same from run to
  /// run.
  explicit MumpsLu(const SparsityPattern& pattern);
  ~MumpsLu();
  MumpsLu(MumpsLu&&) noexcept;
  MumpsLu& operator=(MumpsLu&&) noexcept;

  /// Chooses pivots, the first time also the ordering.
  Outcome factorize(const SparseMatrix& B);

  double smallest_pivot() const;

  void solve_in_place(Eigen::VectorXd& b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  /// The ordering; factors are left to whoever has the matrix.
  void archive(Archive& memory);

 private:
  struct Instance;
  std::unique_ptr<Instance> instance_;
};

}  // namespace saltus::linalg
