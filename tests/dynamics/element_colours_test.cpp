// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/element_colours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "saltus/model/mesh.hpp"

namespace saltus {
namespace element_colours_test {

using Elements = std::vector<std::vector<int>>;

void expect_each_once(const ElementColours& colours, std::size_t count) {
  std::vector<int> all;
  for (const std::vector<int>& group : colours) all.insert(all.end(), group.begin(), group.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(all[i], static_cast<int>(i));
}

void expect_no_common_nodes(const ElementColours& colours, const Elements& elements) {
  for (const std::vector<int>& group : colours) {
    EXPECT_FALSE(group.empty());
    std::set<int> used;
    for (const int element : group) {
      for (const int node : elements[static_cast<std::size_t>(element)]) {
        EXPECT_TRUE(node == 0 || used.insert(node).second) << "node " << node << " twice";
      }
    }
  }
}

/// The nodes of a box's cells, numbered from 1.
Elements cells_of_box(int n, CellKind kind) {
  Elements elements;
  for (const Cell& cell : box_mesh({1, 1, 1}, {n, n, n}, kind).cells) {
    std::vector<int>& nodes = elements.emplace_back();
    for (int a = 0; a < node_count(kind); ++a) {
      nodes.push_back(cell.nodes[static_cast<std::size_t>(a)] + 1);
    }
  }
  return elements;
}

TEST(ElementColours, NothingHasNoColours) { EXPECT_TRUE(colour_elements({}).empty()); }

TEST(ElementColours, ChainHasTwo) {
  Elements chain;
  for (int i = 1; i <= 101; ++i) chain.push_back({i, i + 1});
  const ElementColours colours = colour_elements(chain);
  EXPECT_EQ(colours.size(), 2U);
  expect_each_once(colours, chain.size());
  expect_no_common_nodes(colours, chain);
}

TEST(ElementColours, BoxOfHexahedraHasEight) {
  const Elements cells = cells_of_box(6, CellKind::Hex8);
  const ElementColours colours = colour_elements(cells);
  EXPECT_EQ(colours.size(), 8U);
  expect_each_once(colours, cells.size());
  expect_no_common_nodes(colours, cells);
}

TEST(ElementColours, TetrahedraOfOneGroupShareNoNode) {
  for (const CellKind kind : {CellKind::Tet4, CellKind::Tet10}) {
    const Elements cells = cells_of_box(4, kind);
    const ElementColours colours = colour_elements(cells);
    expect_each_once(colours, cells.size());
    expect_no_common_nodes(colours, cells);
  }
}

TEST(ElementColours, GroundMayBeShared) {
  Elements springs;
  for (int i = 1; i <= 50; ++i) springs.push_back({0, i});
  const ElementColours colours = colour_elements(springs);
  EXPECT_EQ(colours.size(), 1U);
  expect_each_once(colours, springs.size());
}

TEST(ElementColours, ElementOnTheGroundAlone) {
  EXPECT_EQ(colour_elements({{0}, {0, 0}, {}}), (ElementColours{{0, 1, 2}}));
}

// A hub with more spokes than there are bits in a mask of colours.
TEST(ElementColours, ManyElementsOnOneNode) {
  for (const int spokes : {63, 64, 65, 200}) {
    Elements hub;
    for (int i = 0; i < spokes; ++i) hub.push_back({1, i + 2});
    hub.push_back({spokes + 2, spokes + 3});  // beside it
    const ElementColours colours = colour_elements(hub);
    EXPECT_EQ(colours.size(), static_cast<std::size_t>(spokes));
    expect_each_once(colours, hub.size());
    expect_no_common_nodes(colours, hub);
  }
}

}  // namespace element_colours_test
}  // namespace saltus
