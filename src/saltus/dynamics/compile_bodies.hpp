// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "saltus/dynamics/compile.hpp"
#include "saltus/model/flexible_places.hpp"

namespace saltus {

/// Turns the bodies of a model into nodes and elements, and the frames on them into sites.
class BodyCompiler {
 public:
  BodyCompiler(const Model& model, CompiledModel& out);

  /// All bodies, in the order of the model.
  void add_bodies();

  /// The node of a rigid body or point mass, the first node of a flexible body; 0 for the ground.
  int first_node(BodyId body) const;
  /// The body frame's origin seen from its node.
  Vector3 origin(BodyId body) const;
  /// All nodes of a body.
  std::vector<int> nodes(BodyId body) const;

  /// A node set of a solid becomes a rigid patch: a node without inertia at its centre, to which
  /// its nodes are tied.
  Site site(const Frame& frame);
  /// The same, but a node set gives one site for each of its nodes.
  std::vector<Site> sites(const Frame& frame);
  /// Which part of a force that is spread over the frame's node set acts on each site.
  std::vector<double> shares(const Frame& frame) const;

  /// Whether the collider may touch another. Those that may not change nothing.
  bool is_used(int collider) const { return used_[static_cast<std::size_t>(collider)]; }

  const NodePose& pose(int node) const {
    return out_.configuration.nodes[static_cast<std::size_t>(node)];
  }
  NodePair pair(int node_A, int node_B) const { return {pose(node_A), pose(node_B)}; }

  /// The size of what is at a node grows to at least this, m. The ground has none.
  void consider_length(int node, double length);

 private:
  int add_node(const NodePose& pose, const Vector6& velocity, NodeKind kind, double mass = 0);
  void add(const RigidBody& body);
  void add(const PointMass& body);
  void add(const Beam& body);
  void add(const Bar& body);
  void add(const Solid& body);
  /// Arclengths of the nodes of the beam or bar that is added now.
  std::vector<double> arclengths(double length, int elements) const;
  BeamInertia piece_of_mass(int node_A, double length, double density, double area,
                            const Vector3& rotary, BeamMass kind);
  void add_cell(const Cell& cell, const Mesh& mesh, const Solid& body, int first_shape);
  int shape_of(const SolidShape::Positions& X, CellKind kind, const Solid& body, int first_shape);
  int patch(BodyId body, const std::string& set);
  const BodyEntry& entry(BodyId body) const;
  /// The node at an arclength; for colliders that are only drawn the nearest.
  int node_along(BodyId body, double arclength) const;
  /// The nodes that a frame names on a flexible body.
  std::vector<int> named_nodes(const Frame& frame) const;
  const NodeSet& node_set(BodyId body, const std::string& name) const;

  const Model& model_;
  CompiledModel& out_;
  std::vector<bool> used_;                                   // of the colliders
  std::vector<FramePlace> frames_;                           // but those of unused colliders
  std::map<int, std::vector<double>> arclengths_;            // of beams and bars, by body
  std::map<int, Mesh> meshes_;                               // of solids, by body
  std::map<std::pair<int, std::string>, int> patches_ = {};  // by body and set: the node
};

}  // namespace saltus
