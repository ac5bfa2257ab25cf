// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/factorization.hpp"

#include <algorithm>
#include <cassert>
#include <random>
#include <utility>
#include <variant>

#include "saltus/linalg/block_lu.hpp"
#include "saltus/linalg/dense_lu.hpp"
#include "saltus/linalg/equilibration.hpp"
#include "saltus/linalg/klu_lu.hpp"
#include "saltus/linalg/mumps_lu.hpp"
#include "saltus/linalg/null_space.hpp"
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

struct Factorization::Implementation {
  Implementation(const SparsityPattern& given_pattern, const FactorizationOptions& given_options);

  // Each gives the report of the new factors, Singular if there are none.
  FactorizationReport renew(const SparseMatrix& A);  // with the old pivots if they are good
  FactorizationReport refactorize(const SparseMatrix& A);
  FactorizationReport factorize(const SparseMatrix& A);

  void archive(Archive& memory);
  void set_method(std::size_t index);  // index: in `lu`

  // New factors in `lu`. False if a pivot is zero.
  bool factorize_scaled();

  // Whether the matrix may be singular in spite of its pivots. MUMPS compares a pivot with its row
  // only, so that a tiny one can hide as the product of several. @pre report() has set `work`.
  bool doubtful() const {
    return std::holds_alternative<MumpsLu>(lu) &&
           !(work.lpNorm<Eigen::Infinity>() * options.singular_pivot <
             TrustTuning::doubtful_growth);
  }

  double smallest_pivot() const;
  double backward_error() const;
  FactorizationReport report() const;

  // b ← B⁻¹ b with the equilibrated matrix B.
  void solve(Eigen::VectorXd& b) const;

  // Factors of blocks, which need neither scaling nor probe.
  FactorizationReport factorize(const SparseMatrix& A, BlockLu& blocks);

  // Calls `function` with the method in use. @pre there is one.
  template <class Function>
  auto visit_lu(Function function) const {
    if (const auto* dense = std::get_if<DenseLu>(&lu)) return function(*dense);
    if (const auto* blocks = std::get_if<BlockLu>(&lu)) return function(*blocks);
    if (const auto* mumps = std::get_if<MumpsLu>(&lu)) return function(*mumps);
    return function(std::get<KluLu>(lu));
  }

  const SparsityPattern* pattern;
  FactorizationOptions options;
  FactorizationCounts counts;
  Equilibration equilibration;
  std::variant<std::monostate, DenseLu, KluLu, MumpsLu, BlockLu> lu;
  double error_with_new_pivots = 0;
  bool has_factors = false;  // whether the last report was Ok
  Eigen::VectorXd probe;
  mutable Eigen::VectorXd work;
  mutable Eigen::VectorXd residual;
};

Factorization::Implementation::Implementation(const SparsityPattern& given_pattern,
                                              const FactorizationOptions& given_options)
    : pattern(&given_pattern),
      options(given_options),
      equilibration(given_pattern),
      probe(random_signs(given_pattern.size())),
      work(given_pattern.size()),
      residual(given_pattern.size()) {
  if (options.method == FactorizationMethod::Automatic && BlockLu::fits(*pattern)) {
    lu.emplace<BlockLu>(*pattern);
  } else if (use_dense(*pattern, options.method)) {
    lu.emplace<DenseLu>(*pattern);
  }
}

FactorizationReport Factorization::Implementation::renew(const SparseMatrix& A) {
  if (auto* blocks = std::get_if<BlockLu>(&lu)) return factorize(A, *blocks);
  if (const auto* klu = std::get_if<KluLu>(&lu); klu && klu->has_pivots()) {
    const FactorizationReport result = refactorize(A);
    const double limit =
        std::max(options.backward_error, TrustTuning::error_growth * error_with_new_pivots);
    if (result.ok() && result.backward_error <= limit) return result;
  }
  return factorize(A);
}

FactorizationReport Factorization::Implementation::refactorize(const SparseMatrix& A) {
  ++counts.refactored;
  if (!equilibration.compute_columns(A) ||
      !std::get<KluLu>(lu).refactorize(equilibration.matrix())) {
    return {.status = FactorizationStatus::Singular};
  }
  return report();
}

FactorizationReport Factorization::Implementation::factorize(const SparseMatrix& A) {
  if (!equilibration.compute(A)) return {.status = FactorizationStatus::Singular};
  counts.symbolic = 1;
  ++counts.numeric;
  if (!factorize_scaled()) return {.status = FactorizationStatus::Singular};
  FactorizationReport result = report();
  if (result.ok() && doubtful()) {
    KluLu judge(*pattern);
    const double pivot = judge.factorize(equilibration.matrix()) ? judge.smallest_pivot() : 0;
    if (!(pivot >= options.singular_pivot)) {
      return {.status = FactorizationStatus::Singular, .smallest_pivot = pivot};
    }
    lu = std::move(judge);
    result = report();
  }
  error_with_new_pivots = result.backward_error;
  return result;
}

FactorizationReport Factorization::Implementation::factorize(const SparseMatrix& A,
                                                             BlockLu& blocks) {
  counts.symbolic = 1;
  ++counts.numeric;
  const bool finite = blocks.factorize(A);
  FactorizationReport result{.smallest_pivot = blocks.smallest_pivot()};
  if (!finite || !(result.smallest_pivot > 0) || result.smallest_pivot < options.singular_pivot) {
    result.status = FactorizationStatus::Singular;
  }
  return result;
}

bool Factorization::Implementation::factorize_scaled() {
  const SparseMatrix& B = equilibration.matrix();
  if (auto* dense = std::get_if<DenseLu>(&lu)) {
    dense->factorize(B);
    return true;
  }
  if (std::holds_alternative<std::monostate>(lu)) {
    if (use_multifrontal(*pattern, options.method)) {
      lu.emplace<MumpsLu>(*pattern);
    } else {
      lu.emplace<KluLu>(*pattern);
    }
  }
  if (auto* mumps = std::get_if<MumpsLu>(&lu)) {
    const MumpsLu::Outcome outcome = mumps->factorize(B);
    if (outcome != MumpsLu::Outcome::Failed) return outcome == MumpsLu::Outcome::Ok;
    lu.emplace<KluLu>(*pattern);
  }
  return std::get<KluLu>(lu).factorize(B);
}

FactorizationReport Factorization::Implementation::report() const {
  FactorizationReport result{.smallest_pivot = smallest_pivot()};
  if (!(result.smallest_pivot > 0) || result.smallest_pivot < options.singular_pivot) {
    result.status = FactorizationStatus::Singular;
  } else {
    result.backward_error = backward_error();
  }
  return result;
}

double Factorization::Implementation::smallest_pivot() const {
  return visit_lu([](const auto& method) { return method.smallest_pivot(); });
}

double Factorization::Implementation::backward_error() const {
  if (probe.size() == 0) return 0;
  work = probe;
  solve(work);
  equilibration.matrix().multiply(work, residual);
  residual -= probe;
  return residual.lpNorm<Eigen::Infinity>() / (work.lpNorm<Eigen::Infinity>() + 1);
}

// Factors are made again from the last scaled matrix, by the way on which they were made.
void Factorization::Implementation::archive(Archive& memory) {
  std::size_t method = lu.index();
  memory(counts.symbolic, counts.numeric, counts.refactored);
  memory(equilibration, error_with_new_pivots, has_factors, method);
  if (memory.loads()) set_method(method);
  auto* klu = std::get_if<KluLu>(&lu);
  auto* mumps = std::get_if<MumpsLu>(&lu);
  if (auto* blocks = std::get_if<BlockLu>(&lu)) memory(*blocks);
  if (klu) memory(*klu);
  if (mumps) memory(*mumps);
  if (!memory.loads() || !has_factors) return;
  const SparseMatrix& B = equilibration.matrix();
  if (klu && klu->is_refactored()) klu->refactorize(B);
  if (mumps) mumps->factorize(B);
  if (auto* dense = std::get_if<DenseLu>(&lu)) dense->factorize(B);
}

void Factorization::Implementation::set_method(std::size_t index) {
  lu.emplace<std::monostate>();
  if (index == 1) lu.emplace<DenseLu>(*pattern);
  if (index == 2) lu.emplace<KluLu>(*pattern);
  if (index == 3) lu.emplace<MumpsLu>(*pattern);
  if (index == 4) lu.emplace<BlockLu>(*pattern);
}

void Factorization::Implementation::solve(Eigen::VectorXd& b) const {
  visit_lu([&](const auto& method) { method.solve_in_place(b); });
}

Factorization::Factorization(const SparsityPattern& pattern, const FactorizationOptions& options)
    : implementation_(std::make_unique<Implementation>(pattern, options)) {}

Factorization::~Factorization() = default;
Factorization::Factorization(Factorization&&) noexcept = default;
Factorization& Factorization::operator=(Factorization&&) noexcept = default;

FactorizationReport Factorization::factorize(const SparseMatrix& A) {
  Implementation& self = *implementation_;
  assert(&A.pattern() == self.pattern);
  const FactorizationReport report = self.renew(A);
  self.has_factors = report.ok();
  return report;
}

// With B = R A C: A⁻¹ b = C B⁻¹ R b.
void Factorization::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  const Implementation& self = *implementation_;
  assert(b.size() == self.pattern->size());
  if (const auto* blocks = std::get_if<BlockLu>(&self.lu)) return blocks->solve_in_place(b);
  self.work = b.array() * self.equilibration.row_factors();
  self.solve(self.work);
  b = self.work.array() * self.equilibration.column_factors();
}

void Factorization::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  const Implementation& self = *implementation_;
  assert(B.rows() == self.pattern->size());
  if (B.size() == 0) return;
  if (const auto* blocks = std::get_if<BlockLu>(&self.lu)) return blocks->solve_columns_in_place(B);
  B.array().colwise() *= self.equilibration.row_factors();
  self.visit_lu([&](const auto& method) { method.solve_columns_in_place(B); });
  B.array().colwise() *= self.equilibration.column_factors();
}

std::vector<int> Factorization::null_unknowns(const SparseMatrix& A, double threshold) const {
  const FactorizationMethod method = implementation_->options.method;
  const int dense_size = method == FactorizationMethod::Dense       ? A.size()
                         : method == FactorizationMethod::Automatic ? NullTuning::largest_dense_null
                                                                    : 0;
  return linalg::null_unknowns(A, threshold, dense_size);
}

const FactorizationCounts& Factorization::counts() const { return implementation_->counts; }

void Factorization::archive(Archive& memory) { implementation_->archive(memory); }

}  // namespace saltus::linalg
