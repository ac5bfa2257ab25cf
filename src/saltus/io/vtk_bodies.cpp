// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/geometry/features.hpp"

namespace saltus::io {
namespace {

constexpr std::size_t many_bodies = 300;  // are drawn coarsely

bool is_solid(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<Cylinder>(shape);
}

/// From the first point to each of the others.
VtkSurface star(const Vector3& centre, const std::vector<Vector3>& ends) {
  VtkSurface surface{.points = {centre}, .dots = {0}};
  for (const Vector3& end : ends) {
    if ((end - centre).isZero(1e-12)) continue;
    surface.lines.push_back({0, static_cast<std::int32_t>(surface.points.size())});
    surface.points.push_back(end);
  }
  return surface;
}

std::vector<VtkArray> rates_arrays(VtkArray::Type type) {
  return {{.name = "body", .type = VtkArray::Type::Whole},
          {.name = "velocity", .components = 3, .type = type},
          {.name = "angular_velocity", .components = 3, .type = type},
          {.name = "kinetic_energy", .type = type}};
}

void add_rates(int body, const VtkMotion::Rates& rates, std::vector<VtkArray>& arrays) {
  arrays[0].add(body);
  arrays[1].add(rates.velocity);
  arrays[2].add(rates.angular_velocity);
  arrays[3].add(rates.kinetic_energy);
}

}  // namespace

// ---- rates ------------------------------------------------------------------------------------

VtkMotion::VtkMotion(const System& system, const ReportColumns& columns)
    : sources_(system.nodes().size()) {
  for (const BodyEntry& body : system.elements().bodies) {
    for (int i = 0; i < body.nodes; ++i) {
      const OwnerView owner = owner_of(body, i);
      Source& source = sources_[static_cast<std::size_t>(body.node + i)];
      source.velocity = columns.find_vector(owner, quantities::velocity);
      source.angular_velocity = columns.find_vector(owner, quantities::angular_velocity);
      source.origin = body.origin;
    }
  }
  for (const RigidInertia& inertia : system.elements().inertias) {
    sources_[static_cast<std::size_t>(inertia.node)].inertia = &inertia;
  }
}

VtkMotion::Rates VtkMotion::at(int node, const Configuration& q) const {
  const Source& source = sources_[static_cast<std::size_t>(node)];
  Rates rates;
  if (source.velocity.are_shown()) rates.velocity = source.velocity.at(0);
  if (source.angular_velocity.are_shown()) rates.angular_velocity = source.angular_velocity.at(0);
  if (node == 0) return rates;  // the ground
  if (source.inertia == nullptr) {
    rates.kinetic_energy = std::nan("");
    return rates;
  }
  const Matrix3& R = q.nodes[static_cast<std::size_t>(node)].R;
  Vector6 v;  // of the centre of mass
  v << rates.velocity - rates.angular_velocity.cross(R * source.origin),
      R.transpose() * rates.angular_velocity;
  rates.kinetic_energy = source.inertia->kinetic_energy(v);
  return rates;
}

// ---- bodies -----------------------------------------------------------------------------------

VtkBodies::VtkBodies(const Model& model, const System& system, const ReportColumns& columns,
                     const VtkMotion& motion, const Eigen::AlignedBox3d& extent)
    : system_(system),
      motion_(motion),
      anchors_(system.elements()),
      extent_(extent),
      roundness_(model.bodies.size() > many_bodies ? VtkRoundness::Coarse : VtkRoundness::Fine),
      is_drawn_(model.bodies.size(), false) {
  grid_.texts.push_back(body_names(system));
  const std::vector<ShapeSite> sites = shape_sites(model, system);
  add_colliders(sites, columns);
  add_inertias(model, sites);
}

void VtkBodies::add_colliders(const std::vector<ShapeSite>& sites, const ReportColumns& columns) {
  for (const auto& [collider, site] : sites) {
    const int body = anchors_.body_of(site.node);
    const auto* entry =
        body < 0 ? nullptr : &system_.elements().bodies[static_cast<std::size_t>(body)];
    // Nodes of flexible bodies are seen without.
    const bool is_rigid = entry != nullptr && !entry->is_flexible();
    if (std::holds_alternative<PointShape>(collider->shape) && !is_rigid) continue;
    if (entry != nullptr && !has_motion(*entry, columns)) continue;
    if (entry != nullptr && is_solid(collider->shape)) {
      is_drawn_[static_cast<std::size_t>(body)] = true;
    }
    const bool is_plane = plane_feature(collider->shape).has_value();
    add(site.node, site.frame,
        is_plane ? plane(*collider, site.node, site.frame)
                 : surface_of(collider->shape, roundness_));
  }
}

void VtkBodies::add_inertias(const Model& model, const std::vector<ShapeSite>& sites) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyEntry& body = system_.elements().bodies[i];
    if (body.is_flexible() || is_drawn_[i]) continue;
    const auto* rigid = std::get_if<RigidBody>(&model.bodies[i]);
    const VtkSurface surface =
        rigid == nullptr ? VtkSurface{} : surface_of(rigid->inertia, roundness_);
    if (surface.points.empty()) {
      add_links(body, sites);
    } else {
      add(body.node, {}, surface);
    }
  }
}

void VtkBodies::add_links(const BodyEntry& body, const std::vector<ShapeSite>& sites) {
  std::vector<Vector3> ends;
  const auto take = [&](int node, const Vector3& d) {
    if (node == body.node) ends.push_back(d);
  };
  for (const JointEntry& joint : system_.elements().joints) {
    take(joint.element.node_A, joint.element.frame_A.d);
    take(joint.element.node_B, joint.element.frame_B.d);
  }
  for (const ScalarSpring& spring : system_.elements().springs) {
    const auto* distance = std::get_if<PointDistance>(&spring.coordinate);
    if (distance == nullptr) continue;
    take(spring.node_A, distance->d_A);
    take(spring.node_B, distance->d_B);
  }
  for (const auto& [collider, site] : sites) take(site.node, site.frame.d);
  add(body.node, {}, star(Vector3::Zero(), ends));
}

/// As large as it says, or so that it covers the extent; on a body half as large to each side.
VtkSurface VtkBodies::plane(const Collider& collider, int node, const FrameOnNode& frame) const {
  const PlaneFeature feature = *plane_feature(collider.shape);
  if (feature.half_size) {
    const auto& [a, b] = *feature.half_size;
    return rectangle(-a, a, -b, b);
  }
  if (node != 0) {
    const double a = extent_.diagonal().norm() / 2;
    return rectangle(-a, a, -a, a);
  }
  Eigen::AlignedBox3d range;  // in the axes of the plane
  for (int i = 0; i < 8; ++i) {
    const auto corner = static_cast<Eigen::AlignedBox3d::CornerType>(i);
    range.extend(frame.E.transpose() * (extent_.corner(corner) - frame.d));
  }
  return rectangle(range.min().x(), range.max().x(), range.min().y(), range.max().y());
}

void VtkBodies::add(int node, const FrameOnNode& frame, const VtkSurface& surface) {
  const auto first = static_cast<std::int32_t>(grid_.points.size());
  Piece piece{.body = anchors_.body_of(node), .node = node, .cells = surface.cells()};
  for (const Vector3& x : surface.points) piece.points.emplace_back(frame.d + frame.E * x);
  for (const auto& [a, b, c] : surface.triangles) {
    grid_.add_cell(VtkCell::Triangle, {first + a, first + b, first + c});
  }
  for (const auto& [a, b] : surface.lines) {
    grid_.add_cell(VtkCell::Line, {first + a, first + b});
  }
  for (const std::int32_t a : surface.dots) grid_.add_cell(VtkCell::Vertex, {first + a});
  grid_.points.resize(grid_.points.size() + piece.points.size());
  pieces_.push_back(std::move(piece));
}

const VtkGrid& VtkBodies::at(const Configuration& q) {
  grid_.points.clear();
  grid_.cell_data = rates_arrays(VtkArray::Type::Single);
  for (const Piece& piece : pieces_) {
    const NodePose& pose = q.nodes[static_cast<std::size_t>(piece.node)];
    for (const Vector3& x : piece.points) grid_.points.emplace_back(pose.x + pose.R * x);
    const VtkMotion::Rates rates = motion_.at(piece.node, q);
    for (std::size_t k = 0; k < piece.cells; ++k) add_rates(piece.body, rates, grid_.cell_data);
  }
  return grid_;
}

// ---- frames -----------------------------------------------------------------------------------

VtkFrames::VtkFrames(const System& system, const VtkMotion& motion)
    : system_(system), motion_(motion) {
  grid_.texts.push_back(body_names(system));
  const std::vector<BodyEntry>& bodies = system.elements().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].is_flexible()) continue;
    grid_.add_cell(VtkCell::Vertex, {static_cast<std::int32_t>(bodies_.size())});
    bodies_.push_back(static_cast<int>(i));
  }
}

const VtkGrid& VtkFrames::at(const Configuration& q) {
  grid_.points.clear();
  grid_.point_data = rates_arrays(VtkArray::Type::Double);
  grid_.point_data.push_back({.name = "orientation", .components = 4});
  for (const int i : bodies_) {
    const BodyEntry& body = system_.elements().bodies[static_cast<std::size_t>(i)];
    const NodePose& pose = q.nodes[static_cast<std::size_t>(body.node)];
    grid_.points.emplace_back(pose.x + pose.R * body.origin);
    add_rates(i, motion_.at(body.node, q), grid_.point_data);
    const Quaternion& o = pose.orientation;
    for (const double c : {o.w(), o.x(), o.y(), o.z()}) grid_.point_data.back().add(c);
  }
  return grid_;
}

VtkTexts body_names(const System& system) {
  VtkTexts texts{.name = "body_names"};
  for (const BodyEntry& body : system.elements().bodies) texts.values.push_back(body.name);
  return texts;
}

bool has_infinite_planes(const Model& model) {
  return std::ranges::any_of(model.colliders, [](const Collider& collider) {
    const auto plane = plane_feature(collider.shape);
    return plane && !plane->half_size;
  });
}

}  // namespace saltus::io
