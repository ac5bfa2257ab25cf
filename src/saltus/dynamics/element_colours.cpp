// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/element_colours.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace saltus {

ElementColours colour_elements(const std::vector<std::vector<int>>& nodes) {
  int last_node = 0;
  for (const std::vector<int>& element : nodes) {
    for (const int node : element) last_node = std::max(last_node, node);
  }
  // The colours that elements on a node have: a bit each. What finds none of 64 goes into a group
  // of its own.
  std::vector<std::uint64_t> used(static_cast<std::size_t>(last_node) + 1, 0);
  ElementColours colours;
  std::vector<int> single;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::uint64_t taken = 0;
    for (const int node : nodes[i]) {
      if (node != 0) taken |= used[static_cast<std::size_t>(node)];
    }
    const auto colour = static_cast<std::size_t>(std::countr_one(taken));
    if (colour == 64) {
      single.push_back(static_cast<int>(i));
      continue;
    }
    for (const int node : nodes[i])
      used[static_cast<std::size_t>(node)] |= std::uint64_t{1} << colour;
    if (colour >= colours.size()) colours.resize(colour + 1);
    colours[colour].push_back(static_cast<int>(i));
  }
  for (const int element : single) colours.push_back({element});
  return colours;
}

}  // namespace saltus
