// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/node.hpp"
#include "saltus/geometry/features.hpp"

namespace saltus {

/// What a collider touches with, on a node.
struct ContactFeature {
  FeatureForm form = {};
  int node = 0;
  FrameOnNode frame = {};  ///< centre; axes: of a plane (t1, t2, n), of what is round about one, z

  /// A feature of a shape whose frame is at `site` of a node.
  static ContactFeature on(int node, const FrameOnNode& site, const Feature& feature);

  /// Its size, or how far it is from its node if that is more, m. A plane has no size: 0; and where
  /// something is on the ground says nothing.
  double extent() const;
};

/// For the search: how far points are from a surface at least, at one pose of its node.
class DistanceBound {
 public:
  DistanceBound(const ContactFeature& surface, const NodePose& node);
  /// Exact for planes and hollow spheres; of cylinders, bores and grooves there are few: nothing is
  /// said of them, and all points are looked at.
  double at(const Vector3& x) const;

 private:
  FeatureKind kind_;
  double radius_;
  Vector3 origin_, normal_;
};

}  // namespace saltus
