// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_anchors.hpp"

#include <algorithm>

namespace saltus::io {

Json vector_json(const Vector3& v) { return Json::array({v.x(), v.y(), v.z()}); }

ReportAnchors::ReportAnchors(const ElementLists& elements) : elements_(elements) {
  for (const JointEntry& joint : elements.joints) {
    const int patch = joint.element.node_A;
    if (!joint.is_internal() || patch == 0 || body_of(patch) >= 0) continue;
    patches_[patch].push_back(joint.element.node_B);
  }
}

int ReportAnchors::body_of(int node) const {
  const std::vector<BodyEntry>& bodies = elements_.bodies;  // their nodes follow each other
  auto after = std::upper_bound(bodies.begin(), bodies.end(), node,
                                [](int n, const BodyEntry& body) { return n < body.node; });
  if (after == bodies.begin()) return -1;
  --after;
  return node < after->node + after->nodes ? static_cast<int>(after - bodies.begin()) : -1;
}

Json ReportAnchors::anchor(int node, const FrameOnNode& frame) const {
  int body = body_of(node);
  Json json{{"body", body}};
  Vector3 at = frame.d;
  const auto patch = patches_.find(node);
  if (patch != patches_.end()) {
    body = body_of(patch->second.front());
    json["body"] = body;
    Json& nodes = json["nodes"] = Json::array();
    for (const int n : patch->second) {
      nodes.push_back(n - elements_.bodies[static_cast<std::size_t>(body)].node);
    }
  } else if (body >= 0) {
    const BodyEntry& entry = elements_.bodies[static_cast<std::size_t>(body)];
    if (entry.is_flexible()) json["node"] = node - entry.node;
    at -= entry.origin;  // results give the body frame's origin, the node is the centre of mass
  }
  if (!at.isZero()) json["at"] = vector_json(at);
  if (!frame.E.isIdentity(1e-14)) {
    const Quaternion q(frame.E);
    json["turn"] = {q.w(), q.x(), q.y(), q.z()};
  }
  return json;
}

}  // namespace saltus::io
