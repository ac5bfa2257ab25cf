// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/equilibration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace saltus::linalg {

namespace {

// The power of two that brings `largest` into [1, 2); 1 for zero.
double scale_factor(double largest) {
  if (!(largest > 0)) return 1;
  constexpr int digits = 52, bias = 1023, most = 1000;
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> digits) - bias;
  if (exponent <= -most || exponent >= most) {  // those that are not normal among them
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -most, most));
  }
  return std::bit_cast<double>(static_cast<std::uint64_t>(bias - exponent) << digits);
}

}  // namespace

Equilibration::Equilibration(const SparsityPattern& pattern)
    : matrix_(pattern), row_factors_(pattern.size()), column_factors_(pattern.size()) {}

void Equilibration::set_units(UnitsOfUnknowns units) {
  units_ = std::move(units);
  weights_.resize(matrix_.size());
  for (int j = 0; j < matrix_.size(); ++j) diagonal_.push_back(matrix_.pattern().slot(j, j));
}

/// A motion x_j is the length s_j x_j, on which a_jj / s_j² acts; the equation of a multiplier is
/// s_j g_j = 0, and the multiplier is compared as the length that the largest of those makes of it.
void Equilibration::weigh(const SparseMatrix& A) {
  double largest = 0;
  for (std::size_t j = 0; j < diagonal_.size(); ++j) {
    if (units_.is_multiplier[j] != 0 || diagonal_[j] < 0) continue;
    const double size = units_.sizes[j];
    const double entry = std::abs(A.values()[static_cast<std::size_t>(diagonal_[j])]);
    largest = std::max(largest, entry / (size * size));
  }
  if (!(largest > 0)) largest = 1;
  for (std::size_t j = 0; j < diagonal_.size(); ++j) {
    weights_[static_cast<Eigen::Index>(j)] =
        units_.is_multiplier[j] != 0 ? largest * units_.sizes[j] : 1 / units_.sizes[j];
  }
}

bool Equilibration::compute(const SparseMatrix& A) {
  const bool is_weighed = weights_.size() > 0;
  if (is_weighed) weigh(A);
  const int* starts = A.pattern().column_starts().data();
  const int* rows = A.pattern().row_indices().data();
  const double* values = A.values().data();
  row_factors_.setZero();
  double* factors = row_factors_.data();
  for (int j = 0; j < A.size(); ++j) {
    const double weight = is_weighed ? weights_[j] : 1;
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      const double size = std::abs(values[k]) * weight, largest = factors[rows[k]];
      factors[rows[k]] = size > largest ? size : largest;
    }
  }
  for (double& factor : row_factors_) factor = scale_factor(factor);
  return compute_columns(A);
}

bool Equilibration::compute_columns(const SparseMatrix& A) {
  const int* starts = A.pattern().column_starts().data();
  const int* rows = A.pattern().row_indices().data();
  const double* values = A.values().data();
  double* scaled = matrix_.values().data();
  const double* row_factors = row_factors_.data();
  double zero = 0;  // 0 × what is not finite is not a number
  for (int j = 0; j < A.size(); ++j) {
    double largest = 0;
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      const double value = values[k] * row_factors[rows[k]];
      scaled[k] = value;
      zero += 0 * value;
      const double size = std::abs(value);
      largest = size > largest ? size : largest;
    }
    const double factor = scale_factor(largest);
    column_factors_[j] = factor;
    for (int k = starts[j]; k < starts[j + 1]; ++k) scaled[k] *= factor;
  }
  return zero == 0;
}

}  // namespace saltus::linalg
