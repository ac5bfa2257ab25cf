// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// The parts of a system that do not know of each other in a step: components that no contact
/// connects. The ground connects nothing. Scales, tolerances, decisions and failures belong to one
/// island, so that a mechanism does the same whatever else is in the model.
class Islands {
 public:
  /// Each component an island.
  explicit Islands(const System& system);

  /// Each component an island again; then connect() for each contact; then number().
  void separate();
  void connect(int node_A, int node_B);
  void number();

  int count() const { return static_cast<int>(lengths_.size()); }
  int of_component(int component) const { return island_[static_cast<std::size_t>(component)]; }
  int of_unknown(int unknown) const { return of_component(system_.component_of(unknown)); }
  /// −1: the ground.
  int of_node(int node) const {
    const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
    return n.unknowns > 0 ? of_unknown(n.first_unknown) : -1;
  }
  /// Of two nodes that are connected, or of the one that is not the ground.
  int of_pair(int node_A, int node_B) const {
    const int island = of_node(node_A);
    return island >= 0 ? island : of_node(node_B);
  }
  /// The size in m: it makes tolerances independent of the unit of length.
  double length(int island) const { return lengths_[static_cast<std::size_t>(island)]; }
  /// Whether it consists of free bodies: then Newton matrices are blocks of its nodes.
  bool is_free(int island) const { return is_free_[static_cast<std::size_t>(island)] != 0; }

 private:
  int root(int component);

  const System& system_;
  std::vector<int> parents_;  // of components
  std::vector<int> island_;   // of components
  std::vector<double> lengths_, heights_;
  std::vector<char> is_free_;
};

}  // namespace saltus
