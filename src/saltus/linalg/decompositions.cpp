// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace saltus::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct PivotedQr::Factors {
  Factors(const MatrixXd& A, double threshold) : rows(A.rows()), columns(A.cols()) {
    if (columns == 0) return;  // Eigen would look for the largest of no columns
    qr.compute(A);
    qr.setThreshold(threshold);
  }
  Eigen::Index rows, columns;
  Eigen::ColPivHouseholderQR<MatrixXd> qr = {};
};

PivotedQr::PivotedQr(const MatrixXd& A, double threshold)
    : factors_(std::make_unique<Factors>(A, threshold)) {}
PivotedQr::~PivotedQr() = default;

int PivotedQr::rank() const {
  return factors_->columns > 0 ? static_cast<int>(factors_->qr.rank()) : 0;
}
MatrixXd PivotedQr::Q() const {
  if (factors_->columns == 0) return MatrixXd::Identity(factors_->rows, factors_->rows);
  return factors_->qr.householderQ();
}
MatrixXd PivotedQr::rows() const {
  if (factors_->columns == 0) return MatrixXd(0, 0);
  const MatrixXd R = factors_->qr.matrixQR().topRows(rank()).triangularView<Eigen::Upper>();
  return R * factors_->qr.colsPermutation().transpose();
}
int PivotedQr::pivot(int k) const { return factors_->qr.colsPermutation().indices()[k]; }

struct LeastNorm::Factors {
  Factors(const MatrixXd& A, double threshold) {
    if (threshold > 0) cod.setThreshold(threshold);
    cod.compute(A);
  }
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
};

LeastNorm::LeastNorm(const MatrixXd& A, double threshold)
    : factors_(std::make_unique<Factors>(A, threshold)) {}
LeastNorm::~LeastNorm() = default;
LeastNorm::LeastNorm(LeastNorm&&) noexcept = default;
LeastNorm& LeastNorm::operator=(LeastNorm&&) noexcept = default;

MatrixXd LeastNorm::solve(const MatrixXd& B) const { return factors_->cod.solve(B); }
VectorXd LeastNorm::solve(const VectorXd& b) const { return factors_->cod.solve(b); }

SingularValues singular_values(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen symmetric_eigen(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::Vector4cd eigenvalues(const Eigen::Matrix4d& A) {
  return Eigen::EigenSolver<Eigen::Matrix4d>(A, false).eigenvalues();
}

MatrixXd orthogonal_completion(const VectorXd& c) {
  return Eigen::HouseholderQR<MatrixXd>(MatrixXd(c)).householderQ();
}

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

Matrix6d inverse(const Matrix6d& A) { return A.partialPivLu().inverse(); }

MatrixXd cholesky_forward(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::LLT<MatrixXd>(A).matrixL().solve(B);
}

}  // namespace saltus::linalg
