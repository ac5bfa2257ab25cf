// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {
namespace {

/// Who is connected with whom, by rows or columns; changes as unknowns are eliminated.
class Neighbours {
 public:
  explicit Neighbours(const SparsityPattern& pattern)
      : size_(pattern.size()), are_(static_cast<std::size_t>(size_ * size_), 0) {
    for (int j = 0; j < size_; ++j) {
      const auto column = static_cast<std::size_t>(j);
      for (int k = pattern.column_starts()[column]; k < pattern.column_starts()[column + 1]; ++k) {
        connect(pattern.row_indices()[static_cast<std::size_t>(k)], j);
      }
    }
  }

  bool are(int i, int j) const { return are_[static_cast<std::size_t>(i * size_ + j)] != 0; }
  int degree(int i) const {
    const auto first = are_.begin() + i * size_;
    return static_cast<int>(std::count(first, first + size_, 1));
  }
  /// All that it is connected with are connected with each other.
  void eliminate(int i) {
    for (int a = 0; a < size_; ++a) {
      if (a == i || !are(i, a)) continue;
      for (int b = 0; b < size_; ++b) {
        if (b != i && are(i, b)) connect(a, b);
      }
      are_[static_cast<std::size_t>(a * size_ + i)] = 0;
    }
  }

 private:
  void connect(int i, int j) {
    are_[static_cast<std::size_t>(i * size_ + j)] = 1;
    are_[static_cast<std::size_t>(j * size_ + i)] = 1;
  }

  int size_;
  std::vector<char> are_;
};

}  // namespace

DenseLu::DenseLu(const SparsityPattern& pattern)
    : pattern_(&pattern),
      size_(pattern.size()),
      rows_(static_cast<std::size_t>(pattern.size())),
      lu_(pattern.size(), pattern.size()),
      inverse_pivots_(pattern.size()),
      work_(pattern.size()) {}

/// Minimum degree. Unknowns with a weak diagonal (multipliers) wait until one of their neighbours
/// is eliminated and has given them a pivot.
void DenseLu::choose_order(const SparseMatrix& B) {
  Neighbours neighbours(*pattern_);
  std::vector<char> is_ready(rows_.size(), 0), is_left(rows_.size(), 1);
  for (int i = 0; i < size_; ++i) {
    const int slot = pattern_->slot(i, i);
    const auto unknown = static_cast<std::size_t>(i);
    is_ready[unknown] = slot >= 0 && std::abs(B.values()[static_cast<std::size_t>(slot)]) >=
                                         MethodTuning::weak_diagonal;
  }
  order_.clear();
  while (order_.size() < rows_.size()) {
    int best = -1, least = 0;
    for (const bool may_wait : {false, true}) {
      for (int i = 0; i < size_; ++i) {
        const auto unknown = static_cast<std::size_t>(i);
        if (is_left[unknown] == 0 || (is_ready[unknown] == 0 && !may_wait)) continue;
        const int degree = neighbours.degree(i);
        if (best < 0 || degree < least) best = i, least = degree;
      }
      if (best >= 0) break;
    }
    for (int i = 0; i < size_; ++i) {
      if (neighbours.are(best, i)) is_ready[static_cast<std::size_t>(i)] = 1;
    }
    neighbours.eliminate(best);
    is_left[static_cast<std::size_t>(best)] = 0;
    order_.push_back(best);
  }
}

void DenseLu::copy(const SparseMatrix& B) {
  if (places_.size() != order_.size()) {
    places_.resize(order_.size());
    for (int k = 0; k < size_; ++k) {
      places_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])] = k;
    }
  }
  const int* starts = pattern_->column_starts().data();
  const int* rows = pattern_->row_indices().data();
  const double* values = B.values().data();
  for (int j = 0; j < size_; ++j) {
    double* column = lu_.col(places_[static_cast<std::size_t>(j)]).data();
    std::fill_n(column, size_, 0.0);
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      column[places_[static_cast<std::size_t>(rows[k])]] = values[k];
    }
  }
}

/// With the largest entry of the column; of equal ones the first.
int DenseLu::pivot_row(int k) const {
  const double* column = lu_.col(k).data();
  double largest = 0;
  for (int i = k; i < size_; ++i) {
    const double size = std::abs(column[i]);
    largest = size > largest ? size : largest;
  }
  if (!(std::abs(column[k]) < largest)) return k;
  int i = k + 1;
  while (std::abs(column[i]) != largest) ++i;
  return i;
}

void DenseLu::swap_rows(int a, int b) {
  std::swap(rows_[static_cast<std::size_t>(a)], rows_[static_cast<std::size_t>(b)]);
  for (int j = 0; j < size_; ++j) std::swap(lu_(a, j), lu_(b, j));
}

/// Column by column of L; a column of U that has a zero in the pivot's row stays as it is.
void DenseLu::factorize(const SparseMatrix& B) {
  if (order_.size() != rows_.size()) choose_order(B);
  copy(B);
  rows_ = order_;
  for (int k = 0; k < size_; ++k) {
    if (const int i = pivot_row(k); i != k) swap_rows(i, k);
    double* factor = lu_.col(k).data();
    inverse_pivots_[k] = 1 / factor[k];
    int last = k;  // that is not zero
    for (int i = k + 1; i < size_; ++i) {
      if (factor[i] == 0) continue;
      factor[i] *= inverse_pivots_[k];
      last = i;
    }
    if (last == k) continue;
    for (int j = k + 1; j < size_; ++j) {
      double* column = lu_.col(j).data();
      const double pivot = column[k];
      if (pivot == 0) continue;
      for (int i = k + 1; i <= last; ++i) column[i] -= pivot * factor[i];
    }
  }
}

double DenseLu::smallest_pivot() const {
  if (size_ == 0) return 1;
  return lu_.diagonal().cwiseAbs().minCoeff();
}

void DenseLu::solve_in_place(Eigen::VectorXd& b) const {
  double* x = work_.data();
  for (int k = 0; k < size_; ++k) x[k] = b[rows_[static_cast<std::size_t>(k)]];
  for (int k = 0; k < size_; ++k) {
    const double known = x[k];
    if (known == 0) continue;
    const double* factor = lu_.col(k).data();
    for (int i = k + 1; i < size_; ++i) x[i] -= known * factor[i];
  }
  for (int k = size_ - 1; k >= 0; --k) {
    x[k] *= inverse_pivots_[k];
    const double known = x[k];
    if (known == 0) continue;
    const double* factor = lu_.col(k).data();
    for (int i = 0; i < k; ++i) x[i] -= known * factor[i];
  }
  for (int k = 0; k < size_; ++k) b[order_[static_cast<std::size_t>(k)]] = x[k];
}

void DenseLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    column_ = B.col(j);
    solve_in_place(column_);
    B.col(j) = column_;
  }
}

}  // namespace saltus::linalg
