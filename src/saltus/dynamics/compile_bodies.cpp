// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/compile_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/model/collider_pairs.hpp"

namespace saltus {
namespace {

/// The velocity (ẋ, Ω) of a node in a rigid velocity field about `origin`.
Vector6 field_velocity(const Twist& field, const Vector3& origin, const NodePose& pose) {
  Vector6 v;
  v << field.linear + field.angular.cross(pose.x - origin), pose.R.transpose() * field.angular;
  return v;
}

/// Cells are congruent if their corners agree to this fraction of their coordinates: round-off of
/// a mesh's places, far below what a strain could mean.
constexpr double congruent = 1e-12;

/// So many shapes of a solid are looked at for a congruent one: boxes have six at most.
constexpr int most_shapes = 8;

/// An equation that a flexible body needs and results do not show.
void add_internal(CompiledModel& out, std::string name, JointElement joint) {
  out.elements.joints.push_back({std::move(name), std::move(joint)});
}

}  // namespace

BodyCompiler::BodyCompiler(const Model& model, CompiledModel& out)
    : model_(model), out_(out), used_(used_colliders(model)), frames_(frames_of(model)) {
  std::vector<const Frame*> unused;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!used_[i]) unused.push_back(&model.colliders[i].frame);
  }
  std::ranges::sort(unused);
  std::erase_if(frames_,
                [&](const FramePlace& f) { return std::ranges::binary_search(unused, f.frame); });
  add_node(NodePose{}, Vector6::Zero(), NodeKind::Fixed);
}

void BodyCompiler::add_bodies() {
  for (const Body& body : model_.bodies) std::visit([&](const auto& b) { add(b); }, body);
}

int BodyCompiler::add_node(const NodePose& pose, const Vector6& velocity, NodeKind kind,
                           double mass) {
  out_.configuration.nodes.push_back(pose);
  out_.node_velocities.push_back(velocity);
  out_.node_kinds.push_back(kind);
  out_.node_masses.push_back(mass);
  out_.node_lengths.push_back(0);
  out_.node_heights.push_back(0);
  return static_cast<int>(out_.node_kinds.size()) - 1;
}

void BodyCompiler::consider_length(int node, double length) {
  double& size = out_.node_lengths[static_cast<std::size_t>(node)];
  if (node != 0) size = std::max(size, length);
}

// ---- bodies -----------------------------------------------------------------------------------

void BodyCompiler::add(const RigidBody& body) {
  const MassProperties mass = mass_properties(body.inertia);
  const Matrix3 R = body.pose.rotation();
  const Vector3 arm = R * mass.centre_of_mass;
  Vector6 v;
  v << body.velocity.linear + body.velocity.angular.cross(arm),
      R.transpose() * body.velocity.angular;
  const int node =
      add_node(NodePose::from(body.pose.position + arm, R), v, NodeKind::Frame, mass.mass);
  out_.elements.bodies.push_back({.name = body.name, .node = node, .origin = -mass.centre_of_mass});
  out_.elements.inertias.push_back({node, mass.mass, mass.tensor});
  consider_length(node, std::sqrt(mass.tensor.trace() / 2 / mass.mass));
  consider_length(node, mass.centre_of_mass.norm());
}

void BodyCompiler::add(const PointMass& body) {
  Vector6 v;
  v << body.velocity.linear, Vector3::Zero();
  const NodePose pose = NodePose::from(body.pose.position, Matrix3::Identity());
  const int node = add_node(pose, v, NodeKind::Point, body.mass);
  out_.elements.bodies.push_back({.name = body.name, .node = node, .kind = BodyKind::Point});
  out_.elements.inertias.push_back({node, body.mass, Matrix3::Zero()});
}

std::vector<double> BodyCompiler::arclengths(double length, int elements) const {
  const BodyId body{static_cast<int>(out_.elements.bodies.size())};
  return *node_arclengths(length, elements, wanted_places(frames_, body));
}

BeamInertia BodyCompiler::piece_of_mass(int node_A, double length, double density, double area,
                                        const Vector3& rotary, BeamMass kind) {
  const double mass = density * area * length;
  for (const int node : {node_A, node_A + 1}) {
    out_.node_masses[static_cast<std::size_t>(node)] += mass / 2;
  }
  return {.node_A = node_A,
          .node_B = node_A + 1,
          .mass = mass,
          .length = length,
          .rotary = rotary * length / 2,
          .kind = kind};
}

void BodyCompiler::add(const Beam& body) {
  const CentreLine line = centre_line(body);
  const std::vector<double> s = arclengths(line.length, body.elements);
  const SectionProperties section = properties(body.section, body.material.poisson_ratio);
  const Vector6 stiffness = section_stiffness(section, body.material);
  const Vector3 rotary = rotary_inertia(section, body.material);
  const Matrix3 first_axes = start_axes(body);
  BodyEntry entry{.name = body.name,
                  .kind = BodyKind::Beam,
                  .nodes = body.elements + 1,
                  .first_element = static_cast<int>(out_.elements.beams.size()),
                  .elements = body.elements};
  for (std::size_t i = 0; i < s.size(); ++i) {
    const NodePose pose = NodePose::from(line.point(s[i]), line.axes(s[i], first_axes));
    const int node =
        add_node(pose, field_velocity(body.velocity, body.start, pose), NodeKind::Frame);
    if (i == 0) {
      entry.node = node;
      continue;
    }
    const int A = node - 1;
    out_.elements.beams.push_back(
        make_beam_element(A, node, pair(A, node), stiffness, {.damping_time = damping_time(body)}));
    out_.elements.beam_inertias.push_back(
        piece_of_mass(A, s[i] - s[i - 1], body.material.density, section.area, rotary, body.mass));
  }
  arclengths_[static_cast<int>(out_.elements.bodies.size())] = s;
  consider_length(entry.node, line.length);
  out_.elements.bodies.push_back(std::move(entry));
}

void BodyCompiler::add(const Bar& body) {
  const CentreLine line = centre_line(body);
  const std::vector<double> s = arclengths(line.length, body.elements);
  const double area = properties(body.section, body.material.poisson_ratio).area;
  BodyEntry entry{.name = body.name,
                  .kind = BodyKind::Bar,
                  .nodes = body.elements + 1,
                  .first_element = static_cast<int>(out_.elements.bars.size()),
                  .elements = body.elements};
  JointElement held;
  held.frame_A = {
      body.start,
      Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), line.tangent).toRotationMatrix()};
  make_point_on_line(held);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const NodePose pose = NodePose::from(line.point(s[i]), Matrix3::Identity());
    const int node =
        add_node(pose, field_velocity(body.velocity, body.start, pose), NodeKind::Point);
    held.node_B = node;
    add_internal(out_, fmt::format("the line of bar \"{}\"", body.name), held);
    if (i == 0) {
      entry.node = node;
      continue;
    }
    const double L = s[i] - s[i - 1];
    out_.elements.bars.push_back({.node_A = node - 1,
                                  .node_B = node,
                                  .direction = line.tangent,
                                  .length = L,
                                  .stiffness = body.material.young_modulus * area,
                                  .damping_time = damping_time(body)});
    out_.elements.beam_inertias.push_back(
        piece_of_mass(node - 1, L, body.material.density, area, Vector3::Zero(), body.mass));
  }
  arclengths_[static_cast<int>(out_.elements.bodies.size())] = s;
  consider_length(entry.node, line.length);
  out_.elements.bodies.push_back(std::move(entry));
}

void BodyCompiler::add(const Solid& body) {
  Mesh mesh = mesh_of(body);
  const Matrix3 R = body.pose.rotation();
  BodyEntry entry{.name = body.name,
                  .node = static_cast<int>(out_.node_kinds.size()),
                  .kind = BodyKind::Solid,
                  .nodes = static_cast<int>(mesh.nodes.size()),
                  .first_element = static_cast<int>(out_.elements.solids.size()),
                  .elements = static_cast<int>(mesh.cells.size())};
  Vector3 lowest = mesh.nodes.front(), highest = lowest;
  for (const Vector3& X : mesh.nodes) {
    lowest = lowest.cwiseMin(X);
    highest = highest.cwiseMax(X);
    const NodePose pose = NodePose::from(body.pose.position + R * X, Matrix3::Identity());
    add_node(pose, field_velocity(body.velocity, body.pose.position, pose), NodeKind::Point);
  }
  const int first = entry.node;
  out_.elements.bodies.push_back(std::move(entry));
  const int first_shape = static_cast<int>(out_.elements.solid_shapes.size());
  for (const Cell& cell : mesh.cells) add_cell(cell, mesh, body, first_shape);
  meshes_[static_cast<int>(out_.elements.bodies.size()) - 1] = std::move(mesh);
  consider_length(first, (highest - lowest).norm());
}

void BodyCompiler::add_cell(const Cell& cell, const Mesh& mesh, const Solid& body,
                            int first_shape) {
  const int count = node_count(cell.kind);
  const int first_node = out_.elements.bodies.back().node;
  const Matrix3 R = body.pose.rotation();
  SolidShape::Positions X(3, count);
  SolidElement element{.nodes = {}, .count = count, .density = body.material.density};
  element.lumped = body.mass == SolidMass::Lumped;
  for (int a = 0; a < count; ++a) {
    const int node = cell.nodes[static_cast<std::size_t>(a)];
    X.col(a) = R * mesh.nodes[static_cast<std::size_t>(node)];
    element.nodes[static_cast<std::size_t>(a)] = first_node + node;
  }
  element.shape = shape_of(X, cell.kind, body, first_shape);
  const SolidShape& shape = out_.elements.solid_shapes[static_cast<std::size_t>(element.shape)];
  for (int a = 0; a < count; ++a) {
    const auto node = static_cast<std::size_t>(element.nodes[static_cast<std::size_t>(a)]);
    out_.node_masses[node] += element.density * shape.lumped_shares()[a];
  }
  out_.elements.solids.push_back(element);
}

/// Congruent cells share what depends on their shape alone.
int BodyCompiler::shape_of(const SolidShape::Positions& X, CellKind kind, const Solid& body,
                           int first_shape) {
  std::vector<SolidShape>& shapes = out_.elements.solid_shapes;
  std::vector<SolidShape::Positions>& places = out_.elements.shape_places;
  const SolidShape::Positions relative = X.colwise() - X.col(0).eval();
  const double tolerance = congruent * X.cwiseAbs().maxCoeff();
  const int last = std::min(first_shape + most_shapes, static_cast<int>(shapes.size()));
  for (int i = first_shape; i < last; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (shapes[k].kind() != kind) continue;
    if ((places[k] - relative).cwiseAbs().maxCoeff() <= tolerance) return i;
  }
  shapes.emplace_back(kind, body.formulation, X, body.material.young_modulus,
                      body.material.poisson_ratio, damping_time(body));
  places.push_back(relative);
  return static_cast<int>(shapes.size()) - 1;
}

// ---- sites ------------------------------------------------------------------------------------

const BodyEntry& BodyCompiler::entry(BodyId body) const {
  return out_.elements.bodies[static_cast<std::size_t>(body.index)];
}

int BodyCompiler::first_node(BodyId body) const {
  return body == ground_body ? 0 : entry(body).node;
}

Vector3 BodyCompiler::origin(BodyId body) const {
  return body == ground_body ? Vector3::Zero().eval() : entry(body).origin;
}

std::vector<int> BodyCompiler::nodes(BodyId body) const {
  std::vector<int> all;
  const int count = body == ground_body ? 1 : entry(body).nodes;
  for (int i = 0; i < count; ++i) all.push_back(first_node(body) + i);
  return all;
}

const NodeSet& BodyCompiler::node_set(BodyId body, const std::string& name) const {
  return *meshes_.at(body.index).find_set(name);
}

int BodyCompiler::node_along(BodyId body, double arclength) const {
  const std::vector<double>& s = arclengths_.at(body.index);
  const int node = node_at(s, arclength);
  if (node >= 0) return node;
  const auto distance = [&](double place) { return std::abs(place - arclength); };
  return static_cast<int>(std::ranges::min_element(s, {}, distance) - s.begin());
}

std::vector<int> BodyCompiler::named_nodes(const Frame& frame) const {
  const BodyEntry& body = entry(frame.body);
  if (frame.node) return {body.node + *frame.node};
  std::vector<int> nodes;
  if (frame.arclength) {
    nodes = {node_along(frame.body, *frame.arclength)};
  } else if (body.kind == BodyKind::Solid) {
    nodes = node_set(frame.body, *frame.nodes).nodes;
  } else {
    nodes = line_node_set(body.elements, *frame.nodes);
  }
  for (int& node : nodes) node += body.node;
  return nodes;
}

Site BodyCompiler::site(const Frame& frame) {
  if (frame.body == ground_body || !entry(frame.body).is_flexible()) {
    return {first_node(frame.body), {origin(frame.body) + frame.position, frame.rotation()}};
  }
  const bool is_patch = entry(frame.body).kind == BodyKind::Solid && frame.nodes;
  const int node = is_patch ? patch(frame.body, *frame.nodes) : named_nodes(frame).front();
  return {node, {frame.position, frame.rotation()}};
}

std::vector<Site> BodyCompiler::sites(const Frame& frame) {
  if (frame.body == ground_body || !frame.nodes) return {site(frame)};
  std::vector<Site> all;
  for (const int node : named_nodes(frame)) {
    all.push_back({node, {frame.position, frame.rotation()}});
  }
  return all;
}

std::vector<double> BodyCompiler::shares(const Frame& frame) const {
  if (frame.body == ground_body || !frame.nodes) return {1.0};
  const BodyEntry& body = entry(frame.body);
  if (body.kind == BodyKind::Solid) {
    return surface_shares(meshes_.at(frame.body.index), node_set(frame.body, *frame.nodes));
  }
  if (named_nodes(frame).size() == 1) return {1.0};
  const std::vector<double>& s = arclengths_.at(frame.body.index);
  std::vector<double> shares(s.size(), 0.0);
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    const double half = (s[i + 1] - s[i]) / s.back() / 2;
    shares[i] += half;
    shares[i + 1] += half;
  }
  return shares;
}

int BodyCompiler::patch(BodyId body, const std::string& set) {
  const auto [place, is_new] = patches_.try_emplace({body.index, set}, 0);
  if (!is_new) return place->second;
  const auto& solid = std::get<Solid>(model_.bodies[static_cast<std::size_t>(body.index)]);
  const std::vector<int> nodes = named_nodes({.body = body, .nodes = set});
  const std::vector<double> part = shares({.body = body, .nodes = set});
  Vector3 centre = Vector3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) centre += part[i] * pose(nodes[i]).x;
  const NodePose master = NodePose::from(centre, solid.pose.rotation());
  const int node = add_node(master, field_velocity(solid.velocity, solid.pose.position, master),
                            NodeKind::Frame);
  JointElement tie;
  tie.node_A = node;
  make_spherical(tie);
  for (const int tied : nodes) {
    tie.node_B = tied;
    tie.frame_A.d = master.R.transpose() * (pose(tied).x - centre);
    add_internal(out_, fmt::format("the rigid node set \"{}\" of solid \"{}\"", set, solid.name),
                 tie);
  }
  place->second = node;
  return node;
}

}  // namespace saltus
