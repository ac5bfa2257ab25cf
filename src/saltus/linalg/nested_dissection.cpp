// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/nested_dissection.hpp"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

std::span<const int> column(const SparsityPattern& pattern, int j) {
  const auto start = static_cast<std::size_t>(pattern.column_starts()[static_cast<std::size_t>(j)]);
  const auto end =
      static_cast<std::size_t>(pattern.column_starts()[static_cast<std::size_t>(j) + 1]);
  return pattern.row_indices().subspan(start, end - start);
}

// Strong unknowns with equal columns get the same vertex; weak ones −1. Returns the number of
// vertices. Equal columns are found by sorting a hash of the rows.
int compress_strong(const SparsityPattern& pattern, const std::vector<bool>& weak,
                    std::vector<int>& vertex) {
  using Hashed = std::pair<std::uint64_t, int>;  // hash of the rows, unknown
  std::vector<Hashed> hashed;
  for (int j = 0; j < pattern.size(); ++j) {
    if (weak[static_cast<std::size_t>(j)]) continue;
    std::uint64_t hash = 1469598103934665603U;
    for (const int row : column(pattern, j))
      hash = (hash ^ static_cast<std::uint64_t>(row)) * 1099511628211U;
    hashed.emplace_back(hash, j);
  }
  std::sort(hashed.begin(), hashed.end());

  int count = 0;
  vertex.assign(weak.size(), -1);
  for (std::size_t k = 0; k < hashed.size(); ++k) {
    const int j = hashed[k].second;
    const bool same = k > 0 && hashed[k - 1].first == hashed[k].first &&
                      std::ranges::equal(column(pattern, hashed[k - 1].second), column(pattern, j));
    vertex[static_cast<std::size_t>(j)] = same ? count - 1 : count++;
  }
  return count;
}

// Gives each weak unknown to the neighbouring vertex with most strong unknowns left to support it,
// or to a vertex of its own. Returns the number of vertices.
int attach_weak(const SparsityPattern& pattern, const std::vector<bool>& weak,
                std::vector<int>& vertex, int count) {
  std::vector<int> support(static_cast<std::size_t>(count), 0);
  for (const int v : vertex) {
    if (v >= 0) ++support[static_cast<std::size_t>(v)];
  }
  for (int j = 0; j < pattern.size(); ++j) {
    if (!weak[static_cast<std::size_t>(j)]) continue;
    int best = -1;
    for (const int i : column(pattern, j)) {
      if (weak[static_cast<std::size_t>(i)]) continue;
      const int v = vertex[static_cast<std::size_t>(i)];
      if (best < 0 ||
          support[static_cast<std::size_t>(v)] > support[static_cast<std::size_t>(best)])
        best = v;
    }
    if (best >= 0) --support[static_cast<std::size_t>(best)];
    vertex[static_cast<std::size_t>(j)] = best >= 0 ? best : count++;
  }
  return count;
}

SparsityPattern compressed_graph(const SparsityPattern& pattern, const std::vector<int>& vertex,
                                 int count) {
  PatternBuilder graph(count);
  for (int j = 0; j < pattern.size(); ++j) {
    const int v = vertex[static_cast<std::size_t>(j)];
    int previous = -1;
    for (const int i : column(pattern, j)) {
      const int w = vertex[static_cast<std::size_t>(i)];
      if (w != v && w != previous) {
        graph.add(v, w);
        graph.add(w, v);
      }
      previous = w;
    }
  }
  return SparsityPattern(std::move(graph));
}

// rank[v]: when vertex v is eliminated.
std::vector<idx_t> metis_ranks(const SparsityPattern& graph, const std::vector<int>& vertex) {
  const auto count = static_cast<std::size_t>(graph.size());
  std::vector<idx_t> starts(graph.column_starts().begin(), graph.column_starts().end());
  std::vector<idx_t> neighbours(graph.row_indices().begin(), graph.row_indices().end());
  std::vector<idx_t> weights(count, 0);
  for (const int v : vertex) ++weights[static_cast<std::size_t>(v)];

  std::vector<idx_t> order(count);
  std::vector<idx_t> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (neighbours.empty()) return ranks;
  auto size = static_cast<idx_t>(count);
  METIS_NodeND(&size, starts.data(), neighbours.data(), weights.data(), nullptr, order.data(),
               ranks.data());
  return ranks;
}

}  // namespace

std::vector<bool> weak_unknowns(const SparseMatrix& B) {
  const SparsityPattern& pattern = B.pattern();
  std::vector<bool> weak(static_cast<std::size_t>(pattern.size()), true);
  for (int j = 0; j < pattern.size(); ++j) {
    const int slot = pattern.slot(j, j);
    if (slot >= 0) {
      weak[static_cast<std::size_t>(j)] =
          std::abs(B.values()[static_cast<std::size_t>(slot)]) < MethodTuning::weak_diagonal;
    }
  }
  return weak;
}

std::vector<int> nested_dissection(const SparseMatrix& B) {
  const SparsityPattern& pattern = B.pattern();
  const std::vector<bool> weak = weak_unknowns(B);
  std::vector<int> vertex;
  const int strong = compress_strong(pattern, weak, vertex);
  const int count = attach_weak(pattern, weak, vertex, strong);
  const std::vector<idx_t> ranks = metis_ranks(compressed_graph(pattern, vertex, count), vertex);

  std::vector<int> order(static_cast<std::size_t>(pattern.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int j) {
    const auto unknown = static_cast<std::size_t>(j);
    return std::tuple<idx_t, bool, int>(ranks[static_cast<std::size_t>(vertex[unknown])],
                                        weak[unknown], j);
  };
  std::ranges::sort(order, {}, place);
  return order;
}

}  // namespace saltus::linalg
