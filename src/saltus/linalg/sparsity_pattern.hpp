// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace saltus::linalg {

/// Collects the positions of the nonzeros of a square matrix, in any order and with repetitions.
class PatternBuilder {
 public:
  /// @pre size ≥ 0.
  explicit PatternBuilder(int size);

  int size() const { return size_; }

  /// Marks (row, col). A negative index means "no unknown here" and is ignored.
  /// @pre row, col < size.
  void add(int row, int col);

  /// Marks all pairs of rows × cols; negative indices are ignored.
  void add_block(std::span<const int> rows, std::span<const int> cols);

 private:
  friend class SparsityPattern;

  void compact();

  int size_;
  std::vector<std::uint64_t> keys_;  // column in the upper half, row in the lower
  std::size_t limit_;                // number of keys at which repetitions are removed
};

/// Where a square matrix may be nonzero: compressed columns with sorted rows. Never changes.
class SparsityPattern {
 public:
  explicit SparsityPattern(PatternBuilder builder);

  /// Number of rows and of columns.
  int size() const { return static_cast<int>(column_starts_.size()) - 1; }

  int nonzeros() const { return static_cast<int>(row_indices_.size()); }

  /// Column j holds the positions column_starts()[j] … column_starts()[j + 1] − 1; size() + 1
  /// numbers.
  std::span<const int> column_starts() const { return column_starts_; }

  /// The row of each position, ascending within a column; nonzeros() numbers.
  std::span<const int> row_indices() const { return row_indices_; }

  /// Position of (row, col) in the array of values, −1 if it is not in the pattern.
  int slot(int row, int col) const;

  /// Positions of a dense local block, column by column: entry (i, j) of the block is at
  /// i + j · rows.size(). Where an index is negative, or the pair is not in the pattern: −1.
  std::vector<int> scatter_map(std::span<const int> rows, std::span<const int> cols) const;

 private:
  std::vector<int> column_starts_;
  std::vector<int> row_indices_;
};

}  // namespace saltus::linalg
