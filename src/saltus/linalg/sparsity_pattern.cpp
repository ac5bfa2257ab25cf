// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/sparsity_pattern.hpp"

#include <algorithm>
#include <cassert>

namespace saltus::linalg {

namespace {

constexpr std::size_t initial_limit = 4096;

std::uint64_t key(int row, int col) {
  return (static_cast<std::uint64_t>(col) << 32) | static_cast<std::uint64_t>(row);
}

int row_of(std::uint64_t key) { return static_cast<int>(key & 0xffffffffU); }

int column_of(std::uint64_t key) { return static_cast<int>(key >> 32); }

}  // namespace

PatternBuilder::PatternBuilder(int size) : size_(size), limit_(initial_limit) { assert(size >= 0); }

void PatternBuilder::add(int row, int col) {
  if (row < 0 || col < 0) return;
  assert(row < size_ && col < size_);
  if (keys_.size() == limit_) compact();
  keys_.push_back(key(row, col));
}

void PatternBuilder::add_block(std::span<const int> rows, std::span<const int> cols) {
  for (const int col : cols) {
    for (const int row : rows) add(row, col);
  }
}

// Sorts and removes repetitions. The limit grows with the distinct keys only, so that many
// elements adding the same pairs do not cost memory, and each key is sorted O(log) times.
void PatternBuilder::compact() {
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  limit_ = std::max(initial_limit, 2 * keys_.size());
}

SparsityPattern::SparsityPattern(PatternBuilder builder) {
  builder.compact();
  column_starts_.assign(static_cast<std::size_t>(builder.size()) + 1, 0);
  row_indices_.reserve(builder.keys_.size());
  for (const std::uint64_t key : builder.keys_) {
    ++column_starts_[static_cast<std::size_t>(column_of(key)) + 1];
    row_indices_.push_back(row_of(key));
  }
  for (std::size_t j = 1; j < column_starts_.size(); ++j)
    column_starts_[j] += column_starts_[j - 1];
}

int SparsityPattern::slot(int row, int col) const {
  if (row < 0 || col < 0) return -1;
  assert(row < size() && col < size());
  const auto begin = row_indices_.begin() + column_starts_[static_cast<std::size_t>(col)];
  const auto end = row_indices_.begin() + column_starts_[static_cast<std::size_t>(col) + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - row_indices_.begin()) : -1;
}

std::vector<int> SparsityPattern::scatter_map(std::span<const int> rows,
                                              std::span<const int> cols) const {
  std::vector<int> map;
  map.reserve(rows.size() * cols.size());
  for (const int col : cols) {
    for (const int row : rows) map.push_back(slot(row, col));
  }
  return map;
}

}  // namespace saltus::linalg
