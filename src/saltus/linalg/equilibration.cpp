// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/equilibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::linalg {

namespace {

// The power of two that brings `largest` into [1, 2); 1 for zero.
double scale_factor(double largest) {
  if (!(largest > 0)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

}  // namespace

Equilibration::Equilibration(const SparsityPattern& pattern)
    : matrix_(pattern), row_factors_(pattern.size()), column_factors_(pattern.size()) {}

bool Equilibration::compute(const SparseMatrix& A) {
  const int* rows = A.pattern().row_indices().data();
  row_factors_.setZero();
  for (std::size_t k = 0; k < A.values().size(); ++k) {
    const double size = std::abs(A.values()[k]);
    if (size > row_factors_[rows[k]]) row_factors_[rows[k]] = size;
  }
  for (double& factor : row_factors_) factor = scale_factor(factor);
  return compute_columns(A);
}

bool Equilibration::compute_columns(const SparseMatrix& A) {
  const int* starts = A.pattern().column_starts().data();
  const int* rows = A.pattern().row_indices().data();
  const double* values = A.values().data();
  double* scaled = matrix_.values().data();
  bool finite = true;
  for (int j = 0; j < A.size(); ++j) {
    double largest = 0;
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      scaled[k] = values[k] * row_factors_[rows[k]];
      finite &= std::abs(scaled[k]) < std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(scaled[k]));
    }
    column_factors_[j] = scale_factor(largest);
    for (int k = starts[j]; k < starts[j + 1]; ++k) scaled[k] *= column_factors_[j];
  }
  return finite;
}

}  // namespace saltus::linalg
