// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/geometry/sphere_grid.hpp"

namespace saltus {

/// Says which contact points are near at a configuration: the one place that does. Listed points
/// are looked at one by one, pairs of features are found by a grid, and so are pairs of solids,
/// each of which says what of it is near (geometry/README.md). The work is proportional to the
/// listed points, and elsewhere to the features and to the pairs that are near.
class ContactSearch {
 public:
  explicit ContactSearch(const System& system);

  /// All points with a gap below the sum of the margins of their two nodes, in ascending order; not
  /// listed points may include some that are farther.
  /// @param margins  one for each node.
  const std::vector<ContactIndex>& find(const Configuration& q, const std::vector<double>& margins);
  /// The same of a step: meshes are touched on the side that bodies come from.
  /// @param before  where the step began
  /// @param behind  what was deeper inside of a mesh, as part of the solids' size, is not felt
  const std::vector<ContactIndex>& find(const Configuration& q, const std::vector<double>& margins,
                                        const Configuration& before, double behind);

 private:
  /// The features of a group of pairs, and their places in its two lists; −1: not in it.
  struct PairSearch {
    int contact = 0;
    std::vector<int> rounds, surfaces;
    std::vector<int> first, second;
  };

  void choose_listed();
  void find_listed(const Configuration& q, const std::vector<double>& margins);
  void find_pairs(const PairSearch& group, const Configuration& q,
                  const std::vector<double>& margins);
  void add(const PairSearch& group, int a, int b);

  /// The solids of a contact, and their places in its two lists; −1: not in it.
  struct SolidSearch {
    const SolidPairs* pairs = nullptr;
    std::vector<int> solids, first, second;
    std::vector<int> planes;  // not among the solids
  };
  void choose_solids();
  void find_solids(const SolidSearch& group, const Configuration& q,
                   const std::vector<double>& margins);
  void find_on_planes(const SolidSearch& group, const Configuration& q,
                      const std::vector<double>& margins);
  void find_in_pair(const SolidSearch& group, int a, int b, const Configuration& q, double reach);

  const System& system_;
  const Configuration* before_ = nullptr;  // of the search at hand
  double behind_ = 0;
  std::vector<int> listed_;  // points of which both nodes are present
  std::vector<PairSearch> pair_searches_;
  SphereGrid grid_;
  std::vector<Vector3> centres_;
  std::vector<double> radii_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<ContactIndex> found_;
  std::vector<SolidSearch> solid_searches_;
  CoreSearchSpace space_;
  std::vector<CoreContact> near_;
};

}  // namespace saltus
