// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/klu_lu.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "saltus/linalg/nested_dissection.hpp"
#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

// Numbers of the orderings in klu_common.
constexpr int amd_ordering = 0;
constexpr int colamd_ordering = 1;

// KLU does not write to its inputs, but does not say const either.
int* starts_of(const SparsityPattern& pattern) {
  return const_cast<int*>(pattern.column_starts().data());
}
int* rows_of(const SparsityPattern& pattern) {
  return const_cast<int*>(pattern.row_indices().data());
}
double* values_of(std::span<const double> values) { return const_cast<double*>(values.data()); }

}  // namespace

void KluLu::Free::operator()(klu_symbolic* symbolic) const {
  klu_common common;
  klu_defaults(&common);
  klu_free_symbolic(&symbolic, &common);
}

void KluLu::Free::operator()(klu_numeric* numeric) const {
  klu_common common;
  klu_defaults(&common);
  klu_free_numeric(&numeric, &common);
}

KluLu::Estimate KluLu::estimate(const SparsityPattern& pattern) {
  klu_common common;
  klu_defaults(&common);
  common.btf = 0;
  common.ordering = amd_ordering;
  const Symbolic symbolic(
      klu_analyze(pattern.size(), starts_of(pattern), rows_of(pattern), &common));
  if (!symbolic) throw std::bad_alloc();
  return {.flops = symbolic->est_flops, .entries = symbolic->lnz};
}

KluLu::KluLu(const SparsityPattern& pattern) : pattern_(&pattern) {
  klu_defaults(&common_);
  common_.scale = -1;  // the values come equilibrated
  common_.btf = 0;     // a symmetric pattern has no block triangular form worth the time
}

bool KluLu::factorize(const SparseMatrix& B) {
  numeric_.reset();
  is_refactored_ = false;
  if (!symbolic_) analyze(B);
  if (!numeric_) numeric_ = factorize(*symbolic_, B.values());
  if (!numeric_) return false;
  pivot_values_.assign(B.values().begin(), B.values().end());
  return true;
}

// Minimum degree counts on pivots from the diagonal. With many multipliers these are not to be had,
// and the fill gets out of hand; COLAMD's order of the columns bounds it for any choice of pivots.
void KluLu::analyze(const SparseMatrix& B) {
  const std::vector<bool> weak = weak_unknowns(B);
  const auto count = static_cast<double>(std::ranges::count(weak, true));
  const bool constrained = count > MethodTuning::many_multipliers * pattern_->size();
  common_.ordering = constrained ? colamd_ordering : amd_ordering;
  common_.tol = constrained ? MethodTuning::constrained_pivot : MethodTuning::weak_diagonal;
  symbolic_ = ordered();
  if (!constrained && symbolic_->est_flops > MethodTuning::klu_dissection_flops) try_dissection(B);
}

// Factorises once with nested dissection, and stays with it if it needs fewer operations.
void KluLu::try_dissection(const SparseMatrix& B) {
  std::vector<int> order = nested_dissection(B);
  Symbolic dissection = ordered_by(order);
  Numeric numeric = factorize(*dissection, B.values());
  if (!numeric) return;
  klu_flops(dissection.get(), numeric.get(), &common_);
  if (common_.flops < symbolic_->est_flops) {
    numeric_ = std::move(numeric);
    symbolic_ = std::move(dissection);
    dissection_ = std::move(order);
  }
}

// By the ordering of `common_`.
KluLu::Symbolic KluLu::ordered() const {
  Symbolic symbolic(
      klu_analyze(pattern_->size(), starts_of(*pattern_), rows_of(*pattern_), &common_));
  if (!symbolic) throw std::bad_alloc();
  return symbolic;
}

KluLu::Symbolic KluLu::ordered_by(std::vector<int>& order) const {
  Symbolic symbolic(klu_analyze_given(pattern_->size(), starts_of(*pattern_), rows_of(*pattern_),
                                      order.data(), order.data(), &common_));
  if (!symbolic) throw std::bad_alloc();
  return symbolic;
}

bool KluLu::refactorize(const SparseMatrix& B) {
  is_refactored_ = true;
  return klu_refactor(starts_of(*pattern_), rows_of(*pattern_), values_of(B.values()),
                      symbolic_.get(), numeric_.get(), &common_) != 0 &&
         common_.status == KLU_OK;
}

KluLu::Numeric KluLu::factorize(klu_symbolic& symbolic, std::span<const double> values) const {
  Numeric numeric(
      klu_factor(starts_of(*pattern_), rows_of(*pattern_), values_of(values), &symbolic, &common_));
  if (!numeric && common_.status != KLU_SINGULAR) throw std::bad_alloc();
  return numeric;
}

double KluLu::smallest_pivot() const {
  const auto* pivots = static_cast<const double*>(numeric_->Udiag);
  return Eigen::Map<const Eigen::ArrayXd>(pivots, pattern_->size()).abs().minCoeff();
}

void KluLu::solve_in_place(Eigen::VectorXd& b) const {
  klu_solve(symbolic_.get(), numeric_.get(), pattern_->size(), 1, b.data(), &common_);
}

void KluLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  klu_solve(symbolic_.get(), numeric_.get(), pattern_->size(), static_cast<int>(B.cols()), B.data(),
            &common_);
}

void KluLu::archive(Archive& memory) {
  bool is_analyzed = symbolic_ != nullptr, has_numeric = numeric_ != nullptr;
  memory(common_.ordering, common_.tol, is_analyzed, dissection_);
  memory(has_numeric, pivot_values_, is_refactored_);
  if (!memory.loads()) return;
  numeric_.reset();
  symbolic_.reset();
  if (is_analyzed) symbolic_ = dissection_.empty() ? ordered() : ordered_by(dissection_);
  if (has_numeric) numeric_ = factorize(*symbolic_, pivot_values_);
}

void KluLu::solve_transpose_in_place(Eigen::VectorXd& b) const {
  klu_tsolve(symbolic_.get(), numeric_.get(), pattern_->size(), 1, b.data(), &common_);
}

}  // namespace saltus::linalg
