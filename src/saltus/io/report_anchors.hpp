// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/io/json_text.hpp"

namespace saltus::io {

Json vector_json(const Vector3& v);

/// Says where things are fixed, in terms of what the time series records: a body (−1: the ground)
/// and a place on it, on flexible bodies a node or the mean of several.
///
///   {"body": 2, "at": [x, y, z], "turn": [w, x, y, z]}     in the body's axes
///   {"body": 2, "node": 3, …}                              in those of the node
///   {"body": 2, "nodes": [1, 5, 8], …}                     a rigid node set, inertial axes
class ReportAnchors {
 public:
  /// @param elements  must live longer
  explicit ReportAnchors(const ElementLists& elements);

  Json anchor(int node, const FrameOnNode& frame) const;
  /// The body that has a node; −1: the ground.
  int body_of(int node) const;

 private:
  const ElementLists& elements_;
  std::map<int, std::vector<int>> patches_;  // nodes that stand for a rigid set: its nodes
};

}  // namespace saltus::io
