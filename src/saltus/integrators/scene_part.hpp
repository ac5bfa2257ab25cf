// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/state.hpp"

namespace saltus {

/// Some components of a scene as a system of its own, and how its state is that of the scene.
class ScenePart {
 public:
  ScenePart(const System& whole, const std::vector<int>& components);

  const System& system() const { return system_; }
  const std::vector<int>& nodes() const { return nodes_; }  ///< that move
  /// Its part of the scene's state, with empty books.
  void take(const State& whole, State& part) const;
  /// What the part stores, from which its books go on.
  void take_energies(State& part) const;
  /// The other way: motion, forces and contacts are put, books are added.
  void give(const State& part, State& whole) const;
  /// Of the part's joints, the scene's.
  const std::vector<int>& joints() const { return joints_; }
  /// Of the part's constraints, the scene's.
  const std::vector<int>& rows() const { return rows_; }

 private:
  System system_;
  std::vector<int> nodes_, angles_, joints_;
  std::vector<int> velocities_, rows_;  // by the part's, the scene's
};

/// Which moving nodes may ever touch each other, and how far from a node its shapes reach.
class TouchTable {
 public:
  explicit TouchTable(const System& system);

  bool may_touch(int node_A, int node_B) const;
  /// Distance from the node's origin to the farthest point of its shapes, m: infinite for planes
  /// and other surfaces; negative if it has none.
  double reach(int node) const { return reaches_[static_cast<std::size_t>(node)]; }

 private:
  /// Of a contact whose points are not listed: whether a node has features in its two selections.
  struct Selections {
    std::vector<char> first, second;
  };

  std::vector<double> reaches_;
  std::vector<std::pair<int, int>> listed_;  // sorted, the smaller node first
  std::vector<Selections> unlisted_;
};

/// A box and the node whose shapes it holds.
struct NodeBox {
  Eigen::AlignedBox3d box = {};
  int node = 0;

  /// Along x, by the node where two begin together.
  std::pair<double, int> order() const { return {box.min().x(), node}; }
};

Eigen::AlignedBox3d grown(const Eigen::AlignedBox3d& box, double margin);

/// Connects islands of nodes whose boxes overlap if their shapes may touch. Sorts the boxes along
/// x, so that only those near each other are compared.
void connect_overlapping(std::vector<NodeBox>& boxes, const TouchTable& touch, Islands& islands);

}  // namespace saltus
