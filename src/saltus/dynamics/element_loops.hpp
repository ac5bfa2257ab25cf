// SPDX-License-Identifier: Apache-2.0
// Sums over the elements of a list, whatever their type. The order of every sum is fixed, for any
// number of threads (ARCHITECTURE.md, "Determinism").
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/core/parallel.hpp"
#include "saltus/dynamics/element_lists.hpp"
#include "saltus/dynamics/state.hpp"
#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus {

/// The type of the elements of a list.
template <class List>
using ElementOf = typename std::remove_cvref_t<List>::value_type;

/// Calls work(i) for every element: one after the other or, where threads share them, group by
/// group.
template <Element E, class Work>
void for_each_element(const ElementList<E>& list, const Work& work) {
  if constexpr (ParallelElement<E>) {
    for (const std::vector<int>& group : list.colours()) {
      parallel_for(static_cast<int>(group.size()), [&](int k) {
        work(static_cast<std::size_t>(group[static_cast<std::size_t>(k)]));
      });
    }
  } else {
    for (std::size_t i = 0; i < list.size(); ++i) work(i);
  }
}

/// Adds the forces of an element to the terms of their causes.
template <Element E>
void book_forces(const E& e, const typename E::View& at, ForceTerms& terms) {
  const auto f = e.forces(at);
  if constexpr (requires { f.inertia; }) at.add(f.inertia, terms.inertia);
  if constexpr (requires { f.gravity; }) at.add(f.gravity, terms.gravity);
  if constexpr (requires { f.elastic; }) at.add(f.elastic, terms.elastic);
  if constexpr (requires { f.applied; }) at.add(f.applied, terms.applied);
  if constexpr (requires { e.is_damped(at); }) {
    if (e.is_damped(at)) at.add(f.damping, terms.damping);
  } else if constexpr (requires { f.damping; }) {
    at.add(f.damping, terms.damping);
  }
}

template <Element E>
void add_forces(const ElementList<E>& list, const ElementInput& input, ForceTerms& terms) {
  for_each_element(list, [&](std::size_t i) {
    book_forces(list[i], typename E::View(input, list[i].node_ids()), terms);
  });
}

/// y += M v, v the velocity of `input`.
template <Element E>
void add_momentum(const ElementList<E>& list, const ElementInput& input, VectorX& y) {
  if constexpr (MassElement<E>) {
    for_each_element(list, [&](std::size_t i) {
      const typename E::View at(input, list[i].node_ids());
      at.add(list[i].momentum(at), y);
    });
  }
}

/// S += m M + c C + k K D
template <Element E>
void add_tangents(const ElementList<E>& list, const ElementInput& input,
                  const TangentFactors& factors, linalg::SparseMatrix& S) {
  for_each_element(list, [&](std::size_t i) {
    const typename E::View at(input, list[i].node_ids());
    typename E::View::Matrix A;
    if (list[i].tangent(at, factors, A)) S.add(list.map(i), A);
  });
}

/// Σ energy(element, view) over all elements that have this energy, by one thread. Lists that
/// threads share come first, each with a sum of its own; the others are added one by one.
template <class Energy>
double sum_energies(const ElementLists& lists, const ElementInput& input, const Energy& energy) {
  double total = 0;
  const auto add_list = [&]<Element E>(const ElementList<E>& list, double& sum) {
    for (const E& e : list) sum += energy(e, typename E::View(input, e.node_ids()));
  };
  ElementLists::for_each(lists, [&](const auto& list) {
    using E = ElementOf<decltype(list)>;
    if constexpr (ParallelElement<E> && std::invocable<Energy, const E&, typename E::View>) {
      double of_list = 0;
      add_list(list, of_list);
      total += of_list;
    }
  });
  ElementLists::for_each(lists, [&](const auto& list) {
    using E = ElementOf<decltype(list)>;
    if constexpr (!ParallelElement<E> && std::invocable<Energy, const E&, typename E::View>) {
      add_list(list, total);
    }
  });
  return total;
}

/// Marks the unknowns that elements couple. What is on one node is not marked: every node has its
/// block anyway.
template <Element E>
void mark_blocks(const ElementList<E>& list, const ElementInput& input,
                 linalg::PatternBuilder& builder) {
  for (const E& e : list) {
    if (std::size(e.node_ids()) < 2) continue;
    const std::vector<int> unknowns = typename E::View(input, e.node_ids()).unknowns();
    builder.add_block(unknowns, unknowns);
  }
}

/// Whether an element has two nodes with unknowns; node 0 is the ground.
template <Element E>
bool couples_nodes(const ElementList<E>& list) {
  return std::any_of(list.begin(), list.end(), [](const E& e) {
    const auto nodes = e.node_ids();
    return std::count_if(nodes.begin(), nodes.end(), [](int node) { return node != 0; }) > 1;
  });
}

template <Element E>
void make_maps(const ElementInput& input, const linalg::SparsityPattern& pattern,
               ElementList<E>& list) {
  std::vector<std::vector<int>> maps, nodes;
  for (const E& e : list) {
    const std::vector<int> unknowns = typename E::View(input, e.node_ids()).unknowns();
    maps.push_back(pattern.scatter_map(unknowns, unknowns));
    if constexpr (ParallelElement<E>) {
      const auto ids = e.node_ids();
      nodes.emplace_back(ids.begin(), ids.end());
    }
  }
  list.set_maps(std::move(maps), colour_elements(nodes));
}

}  // namespace saltus
