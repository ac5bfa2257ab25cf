// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/condensed_system.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace saltus::nonsmooth {

template <int N>
bool CondensedSystem<N>::factorize(const ContactOperator<N>& D,
                                   const std::vector<ContactMatrix<N>>& C) {
  fit_pattern(D);
  matrix_->set_zero();
  const std::span<double> values = matrix_->values();
  const std::span<const double> K = D.problem().K->values();
  for (std::size_t k = 0; k < K.size(); ++k) {
    values[static_cast<std::size_t>(K_slots_[k])] += K[k];
  }
  for (std::size_t c = 0; c < D.contacts(); ++c) {
    if (C[c].isZero(0)) continue;
    const Eigen::Matrix<double, N, 12> product = C[c].lazyProduct(D.rows(c).transpose());
    const Eigen::Matrix<double, 12, 12> block = D.directions(c).lazyProduct(product);
    matrix_->add(maps_[c], block);
  }
  return factorization_->factorize(*matrix_).ok();
}

template <int N>
void CondensedSystem<N>::solve_in_place(const Eigen::Ref<Eigen::VectorXd>& b) const {
  factorization_->solve_in_place(b);
}

template <int N>
void CondensedSystem<N>::fit_pattern(const ContactOperator<N>& D) {
  if (!has_pattern_of(D.problem().K->pattern()) || !find_slots(D)) rebuild(D);
}

template <int N>
bool CondensedSystem<N>::has_pattern_of(const linalg::SparsityPattern& K) const {
  return pattern_ && std::ranges::equal(starts_, K.column_starts()) &&
         std::ranges::equal(rows_, K.row_indices());
}

// False if a coupling is not in the pattern. Contacts in the same order as last time keep theirs.
template <int N>
bool CondensedSystem<N>::find_slots(const ContactOperator<N>& D) {
  const std::size_t known = map_columns_.size();
  if (known < D.contacts()) {
    map_columns_.resize(D.contacts());
    maps_.resize(D.contacts());
  }
  for (std::size_t c = 0; c < D.contacts(); ++c) {
    const Columns& columns = D.problem().contacts[c].columns;
    if (c < known && map_columns_[c] == columns) continue;
    map_columns_[c].fill(-2);
    for (std::size_t j = 0; j < 12; ++j) {
      for (std::size_t i = 0; i < 12; ++i) {
        const bool present = columns[i] >= 0 && columns[j] >= 0;
        const int slot = present ? pattern_->slot(columns[i], columns[j]) : -1;
        if (present && slot < 0) return false;
        maps_[c][i + 12 * j] = slot;
      }
    }
    map_columns_[c] = columns;
  }
  return true;
}

// Old couplings stay, for contacts come and go; but not more of them than are needed now.
template <int N>
void CondensedSystem<N>::rebuild(const ContactOperator<N>& D) {
  const linalg::SparsityPattern& K = D.problem().K->pattern();
  std::vector<Columns> needed;
  for (const ContactRows& contact : D.problem().contacts) needed.push_back(contact.columns);
  const auto keep_each_once = [](std::vector<Columns>& list) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  keep_each_once(needed);
  const std::size_t limit = 2 * needed.size() + 16;
  if (!has_pattern_of(K)) couplings_.clear();
  couplings_.insert(couplings_.end(), needed.begin(), needed.end());
  keep_each_once(couplings_);
  if (couplings_.size() > limit) couplings_ = std::move(needed);

  starts_.assign(K.column_starts().begin(), K.column_starts().end());
  rows_.assign(K.row_indices().begin(), K.row_indices().end());
  build();
  find_slots(D);
}

// The pattern of K (`starts_`, `rows_`) and of the couplings, and what stands on it.
template <int N>
void CondensedSystem<N>::build() {
  const int size = static_cast<int>(starts_.size()) - 1;
  linalg::PatternBuilder builder(size);
  for (int j = 0; j < size; ++j) {
    for (int k = starts_[static_cast<std::size_t>(j)]; k < starts_[static_cast<std::size_t>(j) + 1];
         ++k) {
      builder.add(rows_[static_cast<std::size_t>(k)], j);
    }
  }
  for (const Columns& columns : couplings_) builder.add_block(columns, columns);

  factorization_.reset();
  matrix_.reset();
  pattern_ = std::make_unique<linalg::SparsityPattern>(std::move(builder));
  matrix_ = std::make_unique<linalg::SparseMatrix>(*pattern_);
  factorization_ = std::make_unique<linalg::Factorization>(*pattern_);
  K_slots_.clear();
  for (int j = 0; j < size; ++j) {
    for (int k = starts_[static_cast<std::size_t>(j)]; k < starts_[static_cast<std::size_t>(j) + 1];
         ++k) {
      K_slots_.push_back(pattern_->slot(rows_[static_cast<std::size_t>(k)], j));
    }
  }
  map_columns_.clear();
  maps_.clear();
}

template <int N>
void CondensedSystem<N>::archive(Archive& memory) {
  memory(starts_, rows_, couplings_);
  if (starts_.empty()) return;
  if (memory.loads()) build();
  memory(*factorization_);
}

template class CondensedSystem<3>;
template class CondensedSystem<6>;

}  // namespace saltus::nonsmooth
