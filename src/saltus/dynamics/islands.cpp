// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/islands.hpp"

#include <algorithm>
#include <numeric>

namespace saltus {

Islands::Islands(const System& system) : system_(system) {
  separate();
  number();
}

void Islands::separate() {
  parents_.resize(system_.components().size());
  std::iota(parents_.begin(), parents_.end(), 0);
}

int Islands::root(int component) {
  while (parents_[static_cast<std::size_t>(component)] != component) {
    int& parent = parents_[static_cast<std::size_t>(component)];
    parent = parents_[static_cast<std::size_t>(parent)];
    component = parent;
  }
  return component;
}

/// The root is the first component of an island, so that its number does not depend on the order of
/// contacts.
void Islands::connect(int node_A, int node_B) {
  const Node& A = system_.nodes()[static_cast<std::size_t>(node_A)];
  const Node& B = system_.nodes()[static_cast<std::size_t>(node_B)];
  if (A.unknowns == 0 || B.unknowns == 0) return;
  const int a = root(system_.component_of(A.first_unknown));
  const int b = root(system_.component_of(B.first_unknown));
  parents_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

void Islands::number() {
  const std::vector<Component>& components = system_.components();
  island_.resize(components.size());
  lengths_.clear();
  heights_.clear();
  is_free_.clear();
  for (std::size_t c = 0; c < components.size(); ++c) {
    const int first = root(static_cast<int>(c));
    const bool is_new = first == static_cast<int>(c);
    island_[c] = is_new ? count() : island_[static_cast<std::size_t>(first)];
    if (is_new) {
      lengths_.push_back(0);
      heights_.push_back(0);
      is_free_.push_back(1);
    }
    const auto i = static_cast<std::size_t>(island_[c]);
    lengths_[i] = std::max(lengths_[i], components[c].length);
    heights_[i] = std::max(heights_[i], components[c].height);
    if (!components[c].is_free()) is_free_[i] = 0;
  }
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    lengths_[i] = length_of(lengths_[i], heights_[i]);
  }
}

}  // namespace saltus
