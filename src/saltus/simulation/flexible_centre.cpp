// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/flexible_centre.hpp"

namespace saltus {

VectorX nodal_pull(const System& system) {
  VectorX along_x = VectorX::Zero(system.velocities()), pull;
  for (const Node& node : system.nodes()) {
    if (node.unknowns > 0) along_x[node.first_unknown] = 1;
  }
  system.mass_times(system.given_configuration(), along_x, pull);
  return pull;
}

FlexibleCentre::FlexibleCentre(const System& system, const BodyEntry& body, const VectorX& pull)
    : system_(system), first_node_(body.node) {
  double mass = 0;
  for (int i = 0; i < body.nodes; ++i) {
    const Node& node = system.nodes()[static_cast<std::size_t>(body.node + i)];
    weights_.push_back(pull[node.first_unknown]);
    mass += weights_.back();
  }
  for (double& weight : weights_) weight /= mass;
  for (const BeamInertia& piece : system.elements().beam_inertias) {
    const bool is_of_body = piece.node_A >= body.node && piece.node_A < body.node + body.nodes;
    if (is_of_body && !piece.is_constant()) curved_.push_back({&piece, piece.mass / mass});
  }
}

Vector3 FlexibleCentre::position(const Configuration& q) const {
  Vector3 x = Vector3::Zero();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    x += weights_[i] * q.nodes[static_cast<std::size_t>(first_node_) + i].x;
  }
  for (const CurvedPiece& curved : curved_) {
    const NodePair pair = system_.pair(q, curved.inertia->node_A, curved.inertia->node_B);
    x += curved.weight * (curved.inertia->centre(pair) - (pair.A.x + pair.B.x) / 2);
  }
  return x;
}

Vector3 FlexibleCentre::velocity(const Configuration& q, const VectorX& v) const {
  Vector3 mean = Vector3::Zero();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(first_node_) + i];
    mean += weights_[i] * v.segment<3>(node.first_unknown);
  }
  for (const CurvedPiece& curved : curved_) {
    const BeamInertia& piece = *curved.inertia;
    const NodePair pair = system_.pair(q, piece.node_A, piece.node_B);
    const Vector12 ends = system_.local(v, piece.node_A, piece.node_B);
    mean += curved.weight *
            (piece.centre_velocity(pair, ends) - (ends.head<3>() + ends.segment<3>(6)) / 2);
  }
  return mean;
}

}  // namespace saltus
