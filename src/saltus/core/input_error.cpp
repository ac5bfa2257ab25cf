// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/input_error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace saltus {
namespace {

std::string join(const std::string& file, const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    if (!text.empty()) text += '\n';
    if (!file.empty()) text += file + ": ";
    text += issue.message();
  }
  return text;
}

/// Capital and small letters are taken as equal.
bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// The number of letters to insert, remove, replace or swap with their neighbour to get from a to
/// b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const auto same = [&](std::size_t i, std::size_t j) { return same_letter(a[i], b[j]); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> above = row;
  std::vector<std::size_t> two_above = row;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Issue::message() const {
  std::string text = place.empty() ? std::string() : place + ": ";
  text += rule;
  if (!value.empty()) text += ", got " + value;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

InputError::InputError(std::vector<Issue> issues, std::string file)
    : std::runtime_error(join(file, issues)), issues_(std::move(issues)), file_(std::move(file)) {}

namespace {

/// The only candidate that has its beginning in common with the name, more than half of both:
/// "sequence" for "sequential".
std::string same_beginning(const std::string& name, std::span<const std::string> candidates) {
  constexpr std::size_t shortest = 6;
  std::string found;
  for (const std::string& candidate : candidates) {
    const auto end =
        std::mismatch(name.begin(), name.end(), candidate.begin(), candidate.end(), same_letter);
    const auto common = static_cast<std::size_t>(end.first - name.begin());
    if (common < shortest || 5 * common < 3 * std::max(name.size(), candidate.size())) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::string nearest_name(const std::string& name, std::span<const std::string> candidates) {
  std::string best;
  if (name.empty()) return best;
  // at most a third of the letters, and never all of them
  std::size_t best_distance =
      std::min(std::max<std::size_t>(1, name.size() / 3), name.size() - 1) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? same_beginning(name, candidates) : best;
}

}  // namespace saltus
