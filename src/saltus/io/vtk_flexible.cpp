// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_flexible.hpp"

#include <cmath>
#include <numbers>

#include "saltus/io/vtk_bodies.hpp"

namespace saltus::io {
namespace {

using HalfSize = Eigen::Vector2d;

HalfSize half_size(const CircularSection& s, const SectionProperties&) {
  return {s.radius, s.radius};
}
HalfSize half_size(const PipeSection& s, const SectionProperties&) { return {s.radius, s.radius}; }
HalfSize half_size(const RectangularSection& s, const SectionProperties&) {
  return {s.width / 2, s.height / 2};
}
/// Of the rectangle with the same radii of gyration.
HalfSize half_size(const ExplicitSection&, const SectionProperties& p) {
  return {std::sqrt(3 * p.inertia_z / p.area), std::sqrt(3 * p.inertia_y / p.area)};
}

/// Of a tube: the true one of round sections, else that of a circle with the same area.
double tube_radius(const Section& section, const SectionProperties& p) {
  if (const auto* circle = std::get_if<CircularSection>(&section)) return circle->radius;
  if (const auto* pipe = std::get_if<PipeSection>(&section)) return pipe->radius;
  return std::sqrt(p.area / std::numbers::pi);
}

Vector3 displacement(const System& system, const Configuration& q, int node) {
  const auto n = static_cast<std::size_t>(node);
  return q.nodes[n].x - system.given_configuration().nodes[n].x;
}

VtkCell cell_type(int nodes) {
  if (nodes == 4) return VtkCell::Tetrahedron;
  return nodes == 8 ? VtkCell::Hexahedron : VtkCell::QuadraticTetrahedron;
}

}  // namespace

// ---- beams and bars ---------------------------------------------------------------------------

VtkBeams::VtkBeams(const Model& model, const System& system, const ReportColumns& columns)
    : system_(system) {
  grid_.texts.push_back(body_names(system));
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!has_motion(system.elements().bodies[i], columns)) continue;
    const int index = static_cast<int>(i);
    if (const auto* beam = std::get_if<Beam>(&model.bodies[i])) add(*beam, index, columns);
    if (const auto* bar = std::get_if<Bar>(&model.bodies[i])) add(*bar, index, columns);
  }
}

template <class Line>
void VtkBeams::add(const Line& line, int index, const ReportColumns& columns) {
  const BodyEntry& body = system_.elements().bodies[static_cast<std::size_t>(index)];
  const SectionProperties p = properties(line.section, line.material.poisson_ratio);
  const HalfSize half = std::visit([&](const auto& s) { return half_size(s, p); }, line.section);
  const auto first = static_cast<std::int32_t>(nodes_.size());
  for (int i = 0; i < body.nodes; ++i) {
    nodes_.push_back({.node = body.node + i,
                      .radius = tube_radius(line.section, p),
                      .velocity = columns.find_vector(owner_of(body, i), quantities::velocity)});
  }
  for (int k = 0; k < body.elements; ++k) {
    const OwnerView owner{OwnerKind::Elements, body.name, k};
    elements_.push_back({.body = index,
                         .strain = columns.find_vector(owner, quantities::strain),
                         .curvature = columns.find_vector(owner, quantities::curvature),
                         .force = columns.find_vector(owner, quantities::section_force),
                         .moment = columns.find_vector(owner, quantities::section_moment),
                         .axial_strain = columns.find(owner, quantities::axial_strain),
                         .axial_force = columns.find(owner, quantities::axial_force),
                         .young_modulus = line.material.young_modulus,
                         .half_size = half});
    const ElementSource& e = elements_.back();
    has_strains_ = has_strains_ && (e.strain.are_shown() || e.axial_strain != nullptr);
    grid_.add_cell(VtkCell::Line, {first + k, first + k + 1});
  }
}

/// strain, curvature, force, moment, and the largest normal stress in the section at mid-element:
/// E (|ε| + |κ_y| h_z/2 + |κ_z| h_y/2).
void VtkBeams::add_values(const ElementSource& e, std::vector<VtkArray>& arrays) {
  Vector3 strain = Vector3::Zero(), curvature = Vector3::Zero(), force = Vector3::Zero(),
          moment = Vector3::Zero();
  if (e.strain.are_shown()) {
    strain = e.strain.at(0);
    curvature = e.curvature.at(0);
    force = e.force.at(0);
    moment = e.moment.at(0);
  } else {
    strain.x() = value_at(e.axial_strain, 0);
    force.x() = value_at(e.axial_force, 0);
  }
  const Vector3 vectors[] = {strain, curvature, force, moment};
  for (std::size_t k = 0; k < 4; ++k) arrays[k].add(vectors[k]);
  arrays[4].add(e.young_modulus * (std::abs(strain.x()) + std::abs(curvature.y()) * e.half_size[1] +
                                   std::abs(curvature.z()) * e.half_size[0]));
}

const VtkGrid& VtkBeams::at(const Configuration& q) {
  VtkArray velocity{.name = "velocity", .components = 3};
  VtkArray displaced{.name = "displacement", .components = 3};
  VtkArray radius{.name = "radius"};
  grid_.points.clear();
  for (const NodeSource& source : nodes_) {
    grid_.points.push_back(q.nodes[static_cast<std::size_t>(source.node)].x);
    velocity.add(source.velocity.at(0));
    displaced.add(displacement(system_, q, source.node));
    radius.add(source.radius);
  }
  grid_.point_data = {velocity, displaced, radius};
  VtkArray body{.name = "body", .type = VtkArray::Type::Whole};
  std::vector<VtkArray> strains = {{.name = "strain", .components = 3},
                                   {.name = "curvature", .components = 3},
                                   {.name = "force", .components = 3},
                                   {.name = "moment", .components = 3},
                                   {.name = "normal_stress"}};
  for (const ElementSource& element : elements_) {
    body.add(element.body);
    if (has_strains_) add_values(element, strains);
  }
  grid_.cell_data = {body};
  if (has_strains_) grid_.cell_data.insert(grid_.cell_data.end(), strains.begin(), strains.end());
  return grid_;
}

// ---- solids -----------------------------------------------------------------------------------

VtkSolids::VtkSolids(const System& system, const ReportColumns& columns) : system_(system) {
  grid_.texts.push_back(body_names(system));
  const std::vector<BodyEntry>& bodies = system.elements().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].kind != BodyKind::Solid || !has_motion(bodies[i], columns)) continue;
    add(bodies[i], static_cast<int>(i), columns);
  }
}

void VtkSolids::add(const BodyEntry& body, int index, const ReportColumns& columns) {
  const auto shift = static_cast<std::int32_t>(nodes_.size()) - body.node;
  for (int i = 0; i < body.nodes; ++i) {
    const OwnerView owner = owner_of(body, i);
    nodes_.push_back({.node = body.node + i,
                      .velocity = columns.find_vector(owner, quantities::velocity),
                      .von_mises = columns.find(owner, quantities::nodal_stress)});
    has_stresses_ = has_stresses_ && nodes_.back().von_mises != nullptr;
  }
  for (int k = 0; k < body.elements; ++k) {
    const auto& cell = system_.elements().solids[static_cast<std::size_t>(body.first_element + k)];
    std::vector<std::int32_t> nodes;  // numbered within a cell as VTK does
    for (std::size_t a = 0; a < static_cast<std::size_t>(cell.count); ++a) {
      nodes.push_back(cell.nodes[a] + shift);
    }
    grid_.add_cell(cell_type(cell.count), nodes);
    cells_.push_back(
        {.body = index,
         .von_mises = columns.find({OwnerKind::Elements, body.name, k}, quantities::cell_stress)});
  }
}

const VtkGrid& VtkSolids::at(const Configuration& q) {
  VtkArray velocity{.name = "velocity", .components = 3};
  VtkArray displaced{.name = "displacement", .components = 3};
  VtkArray nodal{.name = "von_mises"}, mean{.name = "von_mises"};
  VtkArray body{.name = "body", .type = VtkArray::Type::Whole};
  grid_.points.clear();
  for (const NodeSource& source : nodes_) {
    grid_.points.push_back(q.nodes[static_cast<std::size_t>(source.node)].x);
    velocity.add(source.velocity.at(0));
    displaced.add(displacement(system_, q, source.node));
    if (has_stresses_) nodal.add(value_at(source.von_mises, 0));
  }
  for (const CellSource& cell : cells_) {
    body.add(cell.body);
    if (has_stresses_) mean.add(value_at(cell.von_mises, 0));
  }
  grid_.point_data = {velocity, displaced};
  grid_.cell_data = {body};
  if (has_stresses_) {
    grid_.point_data.push_back(nodal);
    grid_.cell_data.push_back(mean);
  }
  return grid_;
}

}  // namespace saltus::io
