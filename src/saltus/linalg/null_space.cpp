// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/null_space.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "saltus/linalg/equilibration.hpp"
#include "saltus/linalg/klu_lu.hpp"
#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

// The columns of Y that B shrinks most, after a rotation of Y that separates them: with
// B Y = U Σ Vᵀ these are columns of Y V.
Eigen::MatrixXd null_directions(const Eigen::MatrixXd& Y, const Eigen::MatrixXd& B_Y) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(B_Y.householderQr()
                                                  .matrixQR()
                                                  .topRows(B_Y.cols())
                                                  .triangularView<Eigen::Upper>()
                                                  .toDenseMatrix(),
                                              Eigen::ComputeFullV);
  const Eigen::VectorXd& sigma = svd.singularValues();  // descending
  const double limit =
      std::max(NullTuning::null_value, NullTuning::same_value * sigma[sigma.size() - 1]);
  const Eigen::Index count = (sigma.array() <= limit).count();
  return Y * svd.matrixV().rightCols(count);
}

Eigen::MatrixXd dense_null_space(const SparseMatrix& B) {
  const Eigen::Index n = B.size();
  return null_directions(Eigen::MatrixXd::Identity(n, n), B.to_dense());
}

SparsityPattern with_diagonal(const SparsityPattern& pattern) {
  PatternBuilder builder(pattern.size());
  const int* starts = pattern.column_starts().data();
  for (int j = 0; j < pattern.size(); ++j) {
    builder.add(j, j);
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      builder.add(pattern.row_indices()[static_cast<std::size_t>(k)], j);
    }
  }
  return SparsityPattern(std::move(builder));
}

// B + shift · D with random diagonal D of the signs of B's diagonal.
SparseMatrix shifted(const SparsityPattern& pattern, const SparseMatrix& B, std::mt19937& random) {
  SparseMatrix shifted(pattern);
  const int* starts = B.pattern().column_starts().data();
  const int* rows = B.pattern().row_indices().data();
  std::uniform_real_distribution<double> uniform(0.5, 1.0);
  for (int j = 0; j < B.size(); ++j) {
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      const auto slot = static_cast<std::size_t>(pattern.slot(rows[k], j));
      shifted.values()[slot] = B.values()[static_cast<std::size_t>(k)];
    }
    double& diagonal = shifted.values()[static_cast<std::size_t>(pattern.slot(j, j))];
    diagonal += std::copysign(NullTuning::null_shift * uniform(random), diagonal);
  }
  return shifted;
}

// Inverse iteration on BᵀB, a block of random vectors at once.
Eigen::MatrixXd sparse_null_space(const SparseMatrix& B) {
  constexpr int block_size = NullTuning::null_block;
  const Eigen::Index n = B.size();
  std::mt19937 random(1);
  const SparsityPattern pattern = with_diagonal(B.pattern());
  const SparseMatrix B_shifted = shifted(pattern, B, random);
  KluLu lu(pattern);
  if (!lu.factorize(B_shifted)) return Eigen::MatrixXd(n, 0);

  std::normal_distribution<double> normal;
  Eigen::MatrixXd Y = Eigen::MatrixXd::NullaryExpr(n, block_size, [&] { return normal(random); });
  Eigen::VectorXd y(n);
  for (int iteration = 0; iteration < NullTuning::null_iterations; ++iteration) {
    for (int k = 0; k < block_size; ++k) {
      y = Y.col(k);
      lu.solve_transpose_in_place(y);
      y.normalize();
      lu.solve_in_place(y);
      Y.col(k) = y.normalized();
    }
    Y = Y.householderQr().householderQ() * Eigen::MatrixXd::Identity(n, block_size);
  }
  Eigen::MatrixXd B_Y(n, block_size);
  for (int k = 0; k < block_size; ++k) B.multiply(Y.col(k), B_Y.col(k));
  return null_directions(Y, B_Y);
}

}  // namespace

std::vector<int> null_unknowns(const SparseMatrix& A, double threshold, int dense_size) {
  Equilibration equilibration(A.pattern());
  if (A.size() == 0 || !equilibration.compute(A)) return {};
  const SparseMatrix& B = equilibration.matrix();
  const Eigen::MatrixXd Y = A.size() <= std::max(dense_size, NullTuning::null_block)
                                ? dense_null_space(B)
                                : sparse_null_space(B);
  if (Y.cols() == 0) return {};

  const Eigen::VectorXd size = Y.rowwise().norm();
  const double limit = threshold * size.maxCoeff();
  std::vector<int> unknowns;
  for (int j = 0; j < A.size(); ++j) {
    if (size[j] >= limit) unknowns.push_back(j);
  }
  std::ranges::stable_sort(unknowns, std::ranges::greater{}, [&](int j) { return size[j]; });
  return unknowns;
}

}  // namespace saltus::linalg
