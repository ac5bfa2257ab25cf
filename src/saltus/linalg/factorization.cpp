// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/factorization.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "saltus/linalg/block_lu.hpp"
#include "saltus/linalg/connected_lu.hpp"
#include "saltus/linalg/null_space.hpp"
#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

// The unknowns that no entry connects with the others, part by part, each in ascending order.
std::vector<std::vector<int>> connected_parts(const SparsityPattern& pattern) {
  std::vector<int> parents(static_cast<std::size_t>(pattern.size()));
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](int i) {
    while (parents[static_cast<std::size_t>(i)] != i) {
      int& parent = parents[static_cast<std::size_t>(i)];
      parent = parents[static_cast<std::size_t>(parent)];
      i = parent;
    }
    return i;
  };
  const int* starts = pattern.column_starts().data();
  const int* rows = pattern.row_indices().data();
  for (int j = 0; j < pattern.size(); ++j) {
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      const int a = root(rows[k]), b = root(j);
      parents[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> parts;
  std::vector<std::size_t> part_of(parents.size());
  for (int i = 0; i < pattern.size(); ++i) {
    const int first = root(i);
    if (first == i) parts.emplace_back();
    const std::size_t part =
        first == i ? parts.size() - 1 : part_of[static_cast<std::size_t>(first)];
    part_of[static_cast<std::size_t>(i)] = part;
    parts[part].push_back(i);
  }
  return parts;
}

// The pattern of some of the unknowns by themselves. places: of all unknowns among their part's.
SparsityPattern restricted(const SparsityPattern& pattern, const std::vector<int>& unknowns,
                           const std::vector<int>& places) {
  PatternBuilder builder(static_cast<int>(unknowns.size()));
  for (const int j : unknowns) {
    const auto column = static_cast<std::size_t>(j);
    for (int k = pattern.column_starts()[column]; k < pattern.column_starts()[column + 1]; ++k) {
      const int i = pattern.row_indices()[static_cast<std::size_t>(k)];
      builder.add(places[static_cast<std::size_t>(i)], places[column]);
    }
  }
  return SparsityPattern(std::move(builder));
}

}  // namespace

// One of several parts, with copies of its entries.
struct FactorizedPart {
  FactorizedPart(const SparsityPattern& whole, std::vector<int> given_unknowns,
                 const std::vector<int>& places, const FactorizationOptions& options)
      : unknowns(std::move(given_unknowns)),
        pattern(restricted(whole, unknowns, places)),
        matrix(pattern),
        lu(pattern, options),
        b(pattern.size()) {}

  FactorizationReport factorize(const SparseMatrix& A) {
    double* value = matrix.values().data();
    for (const int j : unknowns) {  // columns and their rows are in the order of the whole
      const auto column = static_cast<std::size_t>(j);
      const int start = A.pattern().column_starts()[column];
      const int end = A.pattern().column_starts()[column + 1];
      value = std::copy(A.values().begin() + start, A.values().begin() + end, value);
    }
    return lu.factorize(matrix);
  }

  void solve_in_place(Eigen::Ref<Eigen::VectorXd> x) const {
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      b[static_cast<Eigen::Index>(i)] = x[unknowns[i]];
    }
    if (b.isZero(0)) return;
    lu.solve_in_place(b);
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      x[unknowns[i]] = b[static_cast<Eigen::Index>(i)];
    }
  }

  // Columns that are zero here stay as they are: most are, of contacts that touch other parts.
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> X) const {
    columns.clear();
    if (B.cols() < X.cols()) B.resize(pattern.size(), X.cols());  // it only grows
    for (Eigen::Index j = 0; j < X.cols(); ++j) {
      const auto place = static_cast<Eigen::Index>(columns.size());
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        B(static_cast<Eigen::Index>(i), place) = X(unknowns[i], j);
      }
      if (!B.col(place).isZero(0)) columns.push_back(j);
    }
    if (columns.empty()) return;
    lu.solve_columns_in_place(B.leftCols(static_cast<Eigen::Index>(columns.size())));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        X(unknowns[i], columns[k]) = B(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
      }
    }
  }

  std::vector<int> unknowns;
  SparsityPattern pattern;
  SparseMatrix matrix;
  ConnectedLu lu;
  mutable Eigen::VectorXd b;
  mutable Eigen::MatrixXd B;
  mutable std::vector<Eigen::Index> columns;
};

namespace {

FactorizationReport worse(const FactorizationReport& a, const FactorizationReport& b) {
  return {.status = a.ok() ? b.status : a.status,
          .smallest_pivot = std::min(a.smallest_pivot, b.smallest_pivot),
          .backward_error = std::max(a.backward_error, b.backward_error)};
}

}  // namespace

struct Factorization::Implementation {
  Implementation(const SparsityPattern& given_pattern, const FactorizationOptions& given_options);

  FactorizationReport factorize_blocks(const SparseMatrix& A);

  const SparsityPattern* pattern;
  FactorizationOptions options;
  BlockLu blocks;
  std::unique_ptr<ConnectedLu> whole;  // if it is one part: its entries need not be copied
  std::vector<std::unique_ptr<FactorizedPart>> parts;
  int block_factorizations = 0;
  mutable FactorizationCounts most;  // of the parts
};

Factorization::Implementation::Implementation(const SparsityPattern& given_pattern,
                                              const FactorizationOptions& given_options)
    : pattern(&given_pattern), options(given_options), blocks(given_pattern) {
  std::vector<std::vector<int>> connected = connected_parts(*pattern);
  if (options.method == FactorizationMethod::Automatic) {
    std::erase_if(connected, [&](const std::vector<int>& unknowns) {
      if (!BlockLu::is_block(*pattern, unknowns)) return false;
      blocks.add(unknowns.front());
      return true;
    });
  }
  if (blocks.empty() && connected.size() <= 1) {
    whole = std::make_unique<ConnectedLu>(*pattern, options);
    return;
  }
  std::vector<int> places(static_cast<std::size_t>(pattern->size()));
  for (std::vector<int>& unknowns : connected) {
    int place = 0;
    for (const int i : unknowns) places[static_cast<std::size_t>(i)] = place++;
    parts.push_back(
        std::make_unique<FactorizedPart>(*pattern, std::move(unknowns), places, options));
  }
}

FactorizationReport Factorization::Implementation::factorize_blocks(const SparseMatrix& A) {
  if (blocks.empty()) return {.smallest_pivot = std::numeric_limits<double>::infinity()};
  most.symbolic = 1;
  ++block_factorizations;
  const bool finite = blocks.factorize(A);
  FactorizationReport result{.smallest_pivot = blocks.smallest_pivot()};
  if (!finite || !(result.smallest_pivot > 0) || result.smallest_pivot < options.singular_pivot) {
    result.status = FactorizationStatus::Singular;
  }
  return result;
}

Factorization::Factorization(const SparsityPattern& pattern, const FactorizationOptions& options)
    : implementation_(std::make_unique<Implementation>(pattern, options)) {}

Factorization::~Factorization() = default;
Factorization::Factorization(Factorization&&) noexcept = default;
Factorization& Factorization::operator=(Factorization&&) noexcept = default;

void Factorization::set_units(const UnitsOfUnknowns& units) {
  Implementation& self = *implementation_;
  if (self.whole) self.whole->set_units(units);
  for (const auto& part : self.parts) {
    UnitsOfUnknowns of_part;
    for (const int i : part->unknowns) {
      of_part.sizes.push_back(units.sizes[static_cast<std::size_t>(i)]);
      of_part.is_multiplier.push_back(units.is_multiplier[static_cast<std::size_t>(i)]);
    }
    part->lu.set_units(std::move(of_part));
  }
}

FactorizationReport Factorization::factorize(const SparseMatrix& A) {
  Implementation& self = *implementation_;
  assert(&A.pattern() == self.pattern);
  if (self.whole) return self.whole->factorize(A);
  FactorizationReport report = self.factorize_blocks(A);
  for (const auto& part : self.parts) report = worse(report, part->factorize(A));
  return report;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): a view that is written to
void Factorization::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  const Implementation& self = *implementation_;
  assert(b.size() == self.pattern->size());
  if (self.whole) return self.whole->solve_in_place(b);
  self.blocks.solve_in_place(b);
  for (const auto& part : self.parts) part->solve_in_place(b);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): a view that is written to
void Factorization::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  const Implementation& self = *implementation_;
  assert(B.rows() == self.pattern->size());
  if (B.size() == 0) return;
  if (self.whole) return self.whole->solve_columns_in_place(B);
  self.blocks.solve_columns_in_place(B);
  for (const auto& part : self.parts) part->solve_columns_in_place(B);
}

std::vector<int> Factorization::null_unknowns(const SparseMatrix& A, double threshold) const {
  const FactorizationMethod method = implementation_->options.method;
  const int dense_size = method == FactorizationMethod::Dense       ? A.size()
                         : method == FactorizationMethod::Automatic ? NullTuning::largest_dense_null
                                                                    : 0;
  return linalg::null_unknowns(A, threshold, dense_size);
}

const FactorizationCounts& Factorization::counts() const {
  const Implementation& self = *implementation_;
  if (self.whole) return self.whole->counts();
  FactorizationCounts& most = self.most;
  most.numeric = std::max(most.numeric, self.block_factorizations);
  for (const auto& part : self.parts) {
    const FactorizationCounts& counts = part->lu.counts();
    most.symbolic = std::max(most.symbolic, counts.symbolic);
    most.numeric = std::max(most.numeric, counts.numeric);
    most.refactored = std::max(most.refactored, counts.refactored);
  }
  return most;
}

void Factorization::archive(Archive& memory) {
  Implementation& self = *implementation_;
  if (self.whole) memory(*self.whole);
  memory(self.blocks, self.block_factorizations, self.most.symbolic);
  for (const auto& part : self.parts) memory(part->lu);
}

}  // namespace saltus::linalg
