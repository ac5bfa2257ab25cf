// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "saltus/dynamics/element_colours.hpp"
#include "saltus/elements/element.hpp"

namespace saltus {

/// All elements of one type, in the order of the model, with what the system needs to add them up:
/// where their matrices stand in the sparse one and, of types that threads share, the groups
/// without common nodes. The loops over it are in element_loops.hpp.
template <Element E>
class ElementList {
 public:
  using value_type = E;

  void push_back(E element) { elements_.push_back(std::move(element)); }

  bool empty() const { return elements_.empty(); }
  std::size_t size() const { return elements_.size(); }
  const E& operator[](std::size_t i) const { return elements_[i]; }
  auto begin() const { return elements_.begin(); }
  auto end() const { return elements_.end(); }

  /// The positions of an element's matrix in the values of the sparse one
  /// (SparsityPattern::scatter_map).
  const std::vector<int>& map(std::size_t i) const { return maps_[i]; }
  const ElementColours& colours() const { return colours_; }
  /// Once the unknowns are numbered. @param colours  empty if threads do not share the elements.
  void set_maps(std::vector<std::vector<int>> maps, ElementColours colours) {
    maps_ = std::move(maps);
    colours_ = std::move(colours);
  }

 private:
  std::vector<E> elements_;
  std::vector<std::vector<int>> maps_;
  ElementColours colours_;
};

}  // namespace saltus
