// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/sphere_grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

using Key = std::uint64_t;

constexpr double farthest = 1e100;        // squares of distances must not overflow,
constexpr double smallest_size = 1e-100;  // nor those that matter underflow
// No sphere is entered as smaller than this part of its coordinates. So a cell's coordinates are
// below 2^40, and round-off moves a centre by less than 2^-13 of a cell.
constexpr double smallest_part = 0x1p-40;
// Cells are larger than two radii by more than round-off: spheres that overlap are in the same
// cell or in neighbours.
constexpr double cell_margin = 1 + 0x1p-10;

constexpr int bins_per_octave = 8;
constexpr int dropped_bits = 52 - 3;

/// The exponent of a double and the first three bits of its mantissa.
constexpr int leading_bits(double x) {
  return static_cast<int>(std::bit_cast<Key>(x) >> dropped_bits);
}
constexpr int first_bin = leading_bits(smallest_size);
constexpr int bin_count = leading_bits(farthest) - first_bin + 1;

/// The key of a cell is a linear function of its three coordinates, modulo 2^64: a neighbour's key
/// is the sum of two. Cells that are far apart may have the same key and count as one cell then:
/// distances tell their spheres apart.
constexpr Key key_of(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<Key>(i) * 0x9e3779b97f4a7c15u + static_cast<Key>(j) * 0xc2b2ae3d27d4eb4fu +
         static_cast<Key>(k) * 0xd6e8feb86659fd93u;
}

/// Cells that one sphere looks into must be different, or pairs would be found twice.
constexpr bool near_cells_differ() {
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k)
        if (key_of(i, j, k) == 0 && (i != 0 || j != 0 || k != 0)) return false;
  return true;
}
static_assert(near_cells_differ());

/// Half of the 26 neighbours: the other half finds the cell itself.
constexpr std::array<Key, 13> neighbours() {
  std::array<Key, 13> keys = {};
  for (int n = 0; n < 13; ++n) keys[n] = key_of(n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1);
  return keys;
}

std::int64_t round_down(double x) {
  const auto truncated = static_cast<std::int64_t>(x);
  return truncated - (x < static_cast<double>(truncated) ? 1 : 0);
}

}  // namespace

void SphereGrid::find_pairs(std::span<const Vector3> centres, std::span<const double> radii,
                            std::vector<std::pair<int, int>>& pairs) {
  SALTUS_ASSERT(centres.size() == radii.size());
  SALTUS_ASSERT(centres.size() <= std::numeric_limits<int>::max() / 8);
  reserve(centres.size());
  sort_by_size(centres, radii);
  make_classes();
  enter(centres, radii);
  found_count_ = 0;
  for (const Cell& cell : cells_) {
    pairs_in_class(cell);
    for (int coarser = 0; coarser < cell.size_class; ++coarser)
      for (const Entry& a : entries_in(cell.slot)) pairs_with_coarser(a, classes_[coarser]);
  }
  write_ascending(centres.size(), pairs);
  // Room for as many pairs in any order of cells, see compare().
  found_.resize(std::max(found_.size(), found_count_ + centres.size()));
}

/// All that the spheres can need however they lie, so that only more spheres allocate.
void SphereGrid::reserve(std::size_t spheres) {
  bins_.resize(bin_count);
  bin_of_.resize(spheres);
  slot_of_.resize(spheres);
  classes_.reserve(std::min<std::size_t>(spheres, bin_count / bins_per_octave + 1));
  slots_.reserve(4 * spheres);
  cells_.reserve(spheres);
  entries_.reserve(spheres);
  nearby_.reserve(spheres);
}

void SphereGrid::sort_by_size(std::span<const Vector3> centres, std::span<const double> radii) {
  lowest_bin_ = bin_count;
  highest_bin_ = -1;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    SALTUS_ASSERT(radii[i] >= 0 && radii[i] <= farthest);
    const Vector3 distance = centres[i].cwiseAbs();
    bin_of_[i] = -1;
    // Comparisons with NaN are false.
    if (!(distance.x() <= farthest && distance.y() <= farthest && distance.z() <= farthest))
      continue;
    const double size = std::max({radii[i], smallest_part * distance.maxCoeff(), smallest_size});
    const int b = leading_bits(size) - first_bin;
    bin_of_[i] = b;
    ++bins_[b].count;
    bins_[b].largest = std::max(bins_[b].largest, size);
    lowest_bin_ = std::min(lowest_bin_, b);
    highest_bin_ = std::max(highest_bin_, b);
  }
}

/// Classes begin at the largest sphere, not at powers of two: sizes that scatter by less than a
/// factor of two are one class wherever they lie. Leaves the bins empty for the next call.
void SphereGrid::make_classes() {
  classes_.clear();
  int last_bin = bin_count;  // of the class that is being filled
  for (int b = highest_bin_; b >= lowest_bin_; --b) {
    Bin& bin = bins_[b];
    if (bin.count == 0) continue;
    if (b < last_bin) {
      last_bin = b - bins_per_octave + 1;
      classes_.push_back(
          {.largest = bin.largest, .cells_per_metre = 1 / (2 * cell_margin * bin.largest)});
    }
    classes_.back().spheres += bin.count;
    bin = {.size_class = static_cast<int>(classes_.size()) - 1};
  }
  int slots = 0;
  for (SizeClass& grid : classes_) {
    const unsigned size = std::bit_ceil(2 * static_cast<unsigned>(grid.spheres));
    grid.first_slot = slots;
    grid.slot_mask = static_cast<int>(size) - 1;
    grid.shift = 64 - std::countr_zero(size);
    slots += static_cast<int>(size);
  }
  slots_.assign(slots, Slot{});
}

void SphereGrid::enter(std::span<const Vector3> centres, std::span<const double> radii) {
  cells_.clear();
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (bin_of_[i] < 0) continue;
    const int size_class = bins_[bin_of_[i]].size_class;
    const Vector3 u = centres[i] * classes_[size_class].cells_per_metre;
    const Key key = key_of(round_down(u.x()), round_down(u.y()), round_down(u.z()));
    slot_of_[i] = slot_for(classes_[size_class], key);
    Slot& slot = slots_[slot_of_[i]];
    if (slot.end++ == 0) {
      slot.key = key;
      cells_.push_back({slot_of_[i], size_class});
    }
  }
  int total = 0;
  for (const Cell& cell : cells_) {
    Slot& slot = slots_[cell.slot];
    slot.begin = total;
    total += slot.end;  // a count up to here
    slot.end = slot.begin;
  }
  entries_.resize(total);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (bin_of_[i] < 0) continue;
    entries_[slots_[slot_of_[i]].end++] = {centres[i], radii[i], static_cast<int>(i)};
  }
}

int SphereGrid::slot_for(const SizeClass& grid, Key key) const {
  int s = static_cast<int>(key >> grid.shift);
  for (;; s = (s + 1) & grid.slot_mask) {
    const Slot& slot = slots_[grid.first_slot + s];
    if (slot.key == key || slot.end == 0) return grid.first_slot + s;
  }
}

std::span<const SphereGrid::Entry> SphereGrid::entries_in(int slot) const {
  const auto [key, begin, end] = slots_[slot];
  return {entries_.data() + begin, static_cast<std::size_t>(end - begin)};
}

/// Writes every pair and keeps those that overlap: a branch would be guessed wrong too often.
void SphereGrid::compare(const Entry& a, std::span<const Entry> others) {
  if (found_.size() < found_count_ + others.size())
    found_.resize(std::max(2 * found_.size(), found_count_ + others.size()));
  std::pair<int, int>* next = found_.data() + found_count_;
  for (const Entry& b : others) {
    const double reach = a.r + b.r;
    *next = {std::min(a.sphere, b.sphere), std::max(a.sphere, b.sphere)};
    next += (a.c - b.c).squaredNorm() <= reach * reach ? 1 : 0;
  }
  found_count_ = static_cast<std::size_t>(next - found_.data());
}

void SphereGrid::pairs_in_class(const Cell& cell) {
  static constexpr std::array<Key, 13> offsets = neighbours();
  const SizeClass& grid = classes_[cell.size_class];
  const Key key = slots_[cell.slot].key;
  nearby_.clear();
  for (const Key offset : offsets)
    for (const Entry& b : entries_in(slot_for(grid, key + offset))) nearby_.push_back(b);
  const std::span<const Entry> entries = entries_in(cell.slot);
  for (std::size_t m = 0; m < entries.size(); ++m) {
    compare(entries[m], entries.subspan(m + 1));
    compare(entries[m], nearby_);
  }
}

void SphereGrid::pairs_with_coarser(const Entry& a, const SizeClass& grid) {
  const double reach = (a.r + grid.largest) * (1 + 0x1p-40);  // more than round-off of distances
  std::array<std::int64_t, 3> low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = round_down((a.c[axis] - reach) * grid.cells_per_metre);
    high[axis] = round_down((a.c[axis] + reach) * grid.cells_per_metre);
  }
  for (std::int64_t i = low[0]; i <= high[0]; ++i)
    for (std::int64_t j = low[1]; j <= high[1]; ++j)
      for (std::int64_t k = low[2]; k <= high[2]; ++k) {
        const std::span<const Entry> others = entries_in(slot_for(grid, key_of(i, j, k)));
        if (!others.empty()) compare(a, others);
      }
}

/// Sorts by i in one pass over the pairs, then the few of each i by j.
void SphereGrid::write_ascending(std::size_t spheres, std::vector<std::pair<int, int>>& pairs) {
  const std::span<const std::pair<int, int>> found(found_.data(), found_count_);
  row_.assign(spheres + 1, 0);
  for (const auto& [i, j] : found) ++row_[i + 1];
  for (std::size_t i = 0; i < spheres; ++i) row_[i + 1] += row_[i];
  pairs.resize(found.size());
  for (const auto& pair : found) pairs[row_[pair.first]++] = pair;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < spheres; ++i) {  // row_[i] has moved to the end of row i
    std::sort(pairs.data() + begin, pairs.data() + row_[i]);
    begin = row_[i];
  }
}

}  // namespace saltus
