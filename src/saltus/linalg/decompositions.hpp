// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

// Decompositions of dense matrices whose size is known at run time. Eigen's templates for them take
// seconds to compile in every file that names one; here they are compiled once.

namespace saltus::linalg {

/// A P = Q R by Householder reflections with column pivoting, which shows the rank of A.
class PivotedQr {
 public:
  /// @param threshold  pivots below this part of the largest count as zero
  PivotedQr(const Eigen::MatrixXd& A, double threshold);
  ~PivotedQr();

  int rank() const;
  /// The whole orthogonal matrix: the first rank() columns span those of A.
  Eigen::MatrixXd Q() const;
  /// The first rank() rows of R Pᵀ, which span those of A.
  Eigen::MatrixXd rows() const;
  /// The column of A that is the k-th of A P.
  int pivot(int k) const;

 private:
  struct Factors;
  std::unique_ptr<const Factors> factors_;
};

/// The x of least norm among those that minimise |A x − b|, by a complete orthogonal decomposition;
/// for matrices of small rank MinimumNorm is quicker.
class LeastNorm {
 public:
  /// @param threshold  as of PivotedQr; Eigen's own, of round-off, if it is 0
  explicit LeastNorm(const Eigen::MatrixXd& A, double threshold = 0);
  ~LeastNorm();
  LeastNorm(LeastNorm&&) noexcept;
  LeastNorm& operator=(LeastNorm&&) noexcept;

  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Factors;
  std::unique_ptr<const Factors> factors_;
};

/// A = U diag(σ) Vᵀ with U as wide as A has singular values, V square.
struct SingularValues {
  Eigen::MatrixXd U;
  Eigen::VectorXd sigma;
  Eigen::MatrixXd V;
};
SingularValues singular_values(const Eigen::MatrixXd& A);

/// Eigenvalues in ascending order and orthonormal eigenvectors of a symmetric matrix.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Of A x = λ B x, A symmetric, B positive definite; vectors are orthonormal in B.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// The eigenvalues of a 4×4 matrix.
Eigen::Vector4cd eigenvalues(const Eigen::Matrix4d& A);

/// An orthogonal matrix whose first column is along c.
Eigen::MatrixXd orthogonal_completion(const Eigen::VectorXd& c);

/// A⁻¹ b by Gaussian elimination with partial pivoting.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

using Matrix6d = Eigen::Matrix<double, 6, 6>;
Matrix6d inverse(const Matrix6d& A);

/// L⁻¹ B of the Cholesky factor L of A.
Eigen::MatrixXd cholesky_forward(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace saltus::linalg
