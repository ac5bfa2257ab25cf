// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "saltus/model/types.hpp"

namespace saltus {

/// Pairs of spheres that overlap, found by hashed uniform grids, one for each class of sizes. The
/// largest radius of a class is about twice its smallest. Every sphere is entered in one cell of
/// its own class, and looks into the cells near it of its own and of coarser classes: the work
/// grows with the number of spheres, of pairs and of classes, not with the ratio of sizes.
class SphereGrid {
 public:
  /// All pairs i < j with |c_i − c_j| ≤ r_i + r_j, in ascending order: first i, then j. A sphere
  /// whose centre is not finite, or has a coordinate beyond 1e100, overlaps nothing. A call with
  /// no more spheres and pairs than an earlier one allocates nothing.
  /// @pre as many centres as radii; 0 ≤ r ≤ 1e100
  void find_pairs(std::span<const Vector3> centres, std::span<const double> radii,
                  std::vector<std::pair<int, int>>& pairs);

 private:
  /// Spheres of nearly one size; eight bins an octave.
  struct Bin {
    int count = 0;
    int size_class = 0;
    double largest = 0;  ///< radius
  };
  /// A grid, with its part of the hash table.
  struct SizeClass {
    double largest = 0;  ///< radius
    double cells_per_metre = 0;
    int spheres = 0;
    int first_slot = 0;
    int slot_mask = 0;
    int shift = 0;  ///< the highest bits of a key are the slot where its search begins
  };
  /// A cell in the hash table: its key and its range of `entries_`. An empty slot has end = 0.
  struct Slot {
    std::uint64_t key = 0;
    int begin = 0, end = 0;
  };
  /// A cell with spheres in it.
  struct Cell {
    int slot = 0;
    int size_class = 0;
  };
  /// A sphere in its cell.
  struct Entry {
    Vector3 c;
    double r = 0;
    int sphere = 0;
  };

  void reserve(std::size_t spheres);
  void sort_by_size(std::span<const Vector3> centres, std::span<const double> radii);
  void make_classes();
  void enter(std::span<const Vector3> centres, std::span<const double> radii);
  /// Where the cell is, or the empty slot where its search ends.
  int slot_for(const SizeClass& grid, std::uint64_t key) const;
  std::span<const Entry> entries_in(int slot) const;

  void pairs_in_class(const Cell& cell);
  void pairs_with_coarser(const Entry& a, const SizeClass& grid);
  void compare(const Entry& a, std::span<const Entry> others);
  void write_ascending(std::size_t spheres, std::vector<std::pair<int, int>>& pairs);

  std::vector<Bin> bins_;
  int lowest_bin_ = 0, highest_bin_ = -1;  ///< of those in use
  std::vector<int> bin_of_;                ///< of each sphere; −1: it overlaps nothing
  std::vector<int> slot_of_;               ///< of each sphere
  std::vector<SizeClass> classes_;         ///< the coarsest first
  std::vector<Slot> slots_;
  std::vector<Cell> cells_;                 ///< in the order of their first spheres
  std::vector<Entry> entries_;              ///< sorted by cell
  std::vector<Entry> nearby_;               ///< copies, of the neighbours of one cell
  std::vector<std::pair<int, int>> found_;  ///< in the order of cells, and room for more
  std::size_t found_count_ = 0;
  std::vector<std::size_t> row_;  ///< where the pairs of each i end
};

}  // namespace saltus
