// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_feature.hpp"

#include <algorithm>
#include <limits>

namespace saltus {

ContactFeature ContactFeature::on(int node, const FrameOnNode& site, const Feature& feature) {
  const Matrix3 E = site.E * feature.axes;
  return {feature.form, node, {site.d + E * feature.position, E}};
}

double ContactFeature::extent() const {
  if (form.kind == FeatureKind::Plane) return 0;
  return node == 0 ? form.radius : std::max(form.radius, frame.d.norm());
}

DistanceBound::DistanceBound(const ContactFeature& surface, const NodePose& node)
    : kind_(surface.form.kind),
      radius_(surface.form.radius),
      origin_(surface.frame.point(node)),
      normal_(node.R * surface.frame.E.col(2)) {}

double DistanceBound::at(const Vector3& x) const {
  const Vector3 d = x - origin_;
  if (kind_ == FeatureKind::Plane) return normal_.dot(d);
  if (kind_ == FeatureKind::HollowSphere) return radius_ - d.norm();
  return std::numeric_limits<double>::lowest();
}

}  // namespace saltus
