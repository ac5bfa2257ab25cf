// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/connected_lu.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

bool use_dense(const SparsityPattern& pattern, FactorizationMethod method) {
  return pattern.size() == 0 || method == FactorizationMethod::Dense ||
         (method == FactorizationMethod::Automatic &&
          pattern.size() <= MethodTuning::largest_dense);
}

bool use_multifrontal(const SparsityPattern& pattern, FactorizationMethod method) {
  if (method != FactorizationMethod::Automatic) return method == FactorizationMethod::Multifrontal;
  if (pattern.size() < MethodTuning::smallest_multifrontal) return false;
  const KluLu::Estimate estimate = KluLu::estimate(pattern);
  return estimate.flops > MethodTuning::multifrontal_flops &&
         estimate.flops > MethodTuning::multifrontal_intensity * estimate.entries;
}

Eigen::VectorXd random_signs(Eigen::Index size) {
  std::minstd_rand random(1);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
}

}  // namespace

ConnectedLu::ConnectedLu(const SparsityPattern& pattern, const FactorizationOptions& options)
    : pattern_(&pattern),
      options_(options),
      equilibration_(pattern),
      probe_(random_signs(pattern.size())),
      work_(pattern.size()),
      residual_(pattern.size()) {
  if (use_dense(*pattern_, options_.method)) lu_.emplace<DenseLu>(*pattern_);
}

FactorizationReport ConnectedLu::factorize(const SparseMatrix& A) {
  const FactorizationReport report = renew(A);
  has_factors_ = report.ok();
  return report;
}

FactorizationReport ConnectedLu::renew(const SparseMatrix& A) {
  if (const auto* klu = std::get_if<KluLu>(&lu_); klu && klu->has_pivots()) {
    const FactorizationReport result = with_old_pivots(A);
    const double limit =
        std::max(options_.backward_error, TrustTuning::error_growth * error_with_new_pivots_);
    if (result.ok() && result.backward_error <= limit) return result;
  }
  return with_new_pivots(A);
}

FactorizationReport ConnectedLu::with_old_pivots(const SparseMatrix& A) {
  ++counts_.refactored;
  if (!equilibration_.compute_columns(A) ||
      !std::get<KluLu>(lu_).refactorize(equilibration_.matrix())) {
    return {.status = FactorizationStatus::Singular};
  }
  return report();
}

FactorizationReport ConnectedLu::with_new_pivots(const SparseMatrix& A) {
  if (!equilibration_.compute(A)) return {.status = FactorizationStatus::Singular};
  counts_.symbolic = 1;
  ++counts_.numeric;
  if (!factorize_scaled()) return {.status = FactorizationStatus::Singular};
  FactorizationReport result = report();
  if (result.ok() && is_doubtful()) {
    KluLu judge(*pattern_);
    const double pivot = judge.factorize(equilibration_.matrix()) ? judge.smallest_pivot() : 0;
    if (!(pivot >= options_.singular_pivot)) {
      return {.status = FactorizationStatus::Singular, .smallest_pivot = pivot};
    }
    lu_ = std::move(judge);
    result = report();
  }
  error_with_new_pivots_ = result.backward_error;
  return result;
}

bool ConnectedLu::factorize_scaled() {
  const SparseMatrix& B = equilibration_.matrix();
  if (auto* dense = std::get_if<DenseLu>(&lu_)) {
    dense->factorize(B);
    return true;
  }
  if (std::holds_alternative<std::monostate>(lu_)) {
    if (use_multifrontal(*pattern_, options_.method)) {
      lu_.emplace<MumpsLu>(*pattern_);
    } else {
      lu_.emplace<KluLu>(*pattern_);
    }
  }
  if (auto* mumps = std::get_if<MumpsLu>(&lu_)) {
    const MumpsLu::Outcome outcome = mumps->factorize(B);
    if (outcome != MumpsLu::Outcome::Failed) return outcome == MumpsLu::Outcome::Ok;
    lu_.emplace<KluLu>(*pattern_);
  }
  return std::get<KluLu>(lu_).factorize(B);
}

FactorizationReport ConnectedLu::report() const {
  FactorizationReport result{.smallest_pivot = smallest_pivot()};
  if (!(result.smallest_pivot > 0) || result.smallest_pivot < options_.singular_pivot) {
    result.status = FactorizationStatus::Singular;
  } else if (!std::holds_alternative<DenseLu>(lu_)) {  // its pivots are new
    result.backward_error = backward_error();
  }
  return result;
}

bool ConnectedLu::is_doubtful() const {
  return std::holds_alternative<MumpsLu>(lu_) &&
         !(work_.lpNorm<Eigen::Infinity>() * options_.singular_pivot <
           TrustTuning::doubtful_growth);
}

double ConnectedLu::smallest_pivot() const {
  return visit_lu([](const auto& method) { return method.smallest_pivot(); });
}

double ConnectedLu::backward_error() const {
  if (probe_.size() == 0) return 0;
  work_ = probe_;
  solve(work_);
  equilibration_.matrix().multiply(work_, residual_);
  residual_ -= probe_;
  return residual_.lpNorm<Eigen::Infinity>() / (work_.lpNorm<Eigen::Infinity>() + 1);
}

// Factors are made again from the last scaled matrix, by the way on which they were made.
void ConnectedLu::archive(Archive& memory) {
  std::size_t method = lu_.index();
  memory(counts_.symbolic, counts_.numeric, counts_.refactored);
  memory(equilibration_, error_with_new_pivots_, has_factors_, method);
  if (memory.loads()) set_method(method);
  auto* dense = std::get_if<DenseLu>(&lu_);
  auto* klu = std::get_if<KluLu>(&lu_);
  auto* mumps = std::get_if<MumpsLu>(&lu_);
  if (dense) memory(*dense);
  if (klu) memory(*klu);
  if (mumps) memory(*mumps);
  if (!memory.loads() || !has_factors_) return;
  const SparseMatrix& B = equilibration_.matrix();
  if (klu && klu->is_refactored()) klu->refactorize(B);
  if (mumps) mumps->factorize(B);
  if (dense) dense->factorize(B);
}

void ConnectedLu::set_method(std::size_t index) {
  lu_.emplace<std::monostate>();
  if (index == 1) lu_.emplace<DenseLu>(*pattern_);
  if (index == 2) lu_.emplace<KluLu>(*pattern_);
  if (index == 3) lu_.emplace<MumpsLu>(*pattern_);
}

void ConnectedLu::solve(Eigen::VectorXd& b) const {
  visit_lu([&](const auto& method) { method.solve_in_place(b); });
}

// With B = R A C: A⁻¹ b = C B⁻¹ R b.
void ConnectedLu::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  work_ = b.array() * equilibration_.row_factors();
  solve(work_);
  b = work_.array() * equilibration_.column_factors();
}

void ConnectedLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  B.array().colwise() *= equilibration_.row_factors();
  visit_lu([&](const auto& method) { method.solve_columns_in_place(B); });
  B.array().colwise() *= equilibration_.column_factors();
}

}  // namespace saltus::linalg
