// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_bodies.hpp"

#include <cmath>
#include <map>
#include <set>

#include "saltus/geometry/features.hpp"
#include "saltus/io/report_anchors.hpp"

namespace saltus::io {
namespace {

// ---- rigid bodies -----------------------------------------------------------------------------

Json shape_json(const SolidSphere& s) { return {{"type", "sphere"}, {"radius", s.radius}}; }
Json shape_json(const HollowSphere& s) { return {{"type", "sphere"}, {"radius", s.radius}}; }
Json shape_json(const SolidBox& s) { return {{"type", "box"}, {"size", vector_json(s.size)}}; }
Json along(Json json, const Vector3& axis) {
  const Quaternion q(frame_with_normal(axis));
  json["turn"] = {q.w(), q.x(), q.y(), q.z()};
  return json;
}
Json shape_json(const SolidCylinder& s) {
  return along({{"type", "cylinder"}, {"radius", s.radius}, {"length", s.length}},
               s.axis.normalized());
}
Json shape_json(const SlenderRod& s) {
  return along({{"type", "rod"}, {"length", s.length}}, s.axis.normalized());
}
Json shape_json(const FromShape& s) {
  return {{"type", "links"}, {"at", vector_json(mass_properties(s).centre_of_mass)}};
}
Json shape_json(const ExplicitInertia& s) {
  return {{"type", "links"}, {"at", vector_json(s.centre_of_mass)}};
}

// ---- beams and bars ---------------------------------------------------------------------------

Json section_json(const CircularSection& s, const SectionProperties&) {
  return {{"type", "round"}, {"radius", s.radius}};
}
Json section_json(const PipeSection& s, const SectionProperties&) {
  return {{"type", "round"}, {"radius", s.radius}, {"inner_radius", s.inner_radius}};
}
Json section_json(const RectangularSection& s, const SectionProperties&) {
  return {{"type", "rectangle"}, {"width", s.width}, {"height", s.height}};
}
/// The rectangle with the same radii of gyration.
Json section_json(const ExplicitSection&, const SectionProperties& p) {
  return {{"type", "rectangle"},
          {"width", std::sqrt(12 * p.inertia_z / p.area)},
          {"height", std::sqrt(12 * p.inertia_y / p.area)},
          {"equivalent", true}};
}

template <class Line>
Json line_json(const Line& body) {
  const SectionProperties p = properties(body.section, body.material.poisson_ratio);
  return {{"name", body.name},
          {"kind", body.type_name},
          {"young_modulus", body.material.young_modulus},
          {"section", std::visit([&](const auto& s) { return section_json(s, p); }, body.section)}};
}

// ---- solids -----------------------------------------------------------------------------------

/// The surface of a mesh as triangles and as the edges of its faces, over the nodes on it.
struct Surface {
  std::vector<std::uint32_t> nodes, triangles, edges;
};

/// Corners and middles of a face in the order of its outline.
std::vector<int> outline(const BoundaryFace& face) {
  const auto& n = face.nodes;
  if (face.count == 6) return {n[0], n[3], n[1], n[4], n[2], n[5]};
  return {n.begin(), n.begin() + face.count};
}

/// Triangles as places in the outline; those of a quadratic face cut its corners off first.
std::vector<int> triangulation(int count) {
  if (count == 3) return {0, 1, 2};
  if (count == 4) return {0, 1, 2, 0, 2, 3};
  return {0, 1, 5, 1, 2, 3, 3, 4, 5, 1, 3, 5};
}

Surface surface_of(const Mesh& mesh) {
  Surface surface;
  std::map<int, std::uint32_t> places;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    std::vector<std::uint32_t> around;
    for (const int node : outline(face)) {
      const auto [place, is_new] =
          places.try_emplace(node, static_cast<std::uint32_t>(places.size()));
      if (is_new) surface.nodes.push_back(static_cast<std::uint32_t>(node));
      around.push_back(place->second);
    }
    for (const int k : triangulation(face.count)) {
      surface.triangles.push_back(around[static_cast<std::size_t>(k)]);
    }
    for (std::size_t k = 0; k < around.size(); ++k) {
      edges.insert(std::minmax(around[k], around[(k + 1) % around.size()]));
    }
  }
  for (const auto& [a, b] : edges) surface.edges.insert(surface.edges.end(), {a, b});
  return surface;
}

}  // namespace

Json body_json(const RigidBody& body, ReportArrays&) {
  return {{"name", body.name},
          {"kind", body.type_name},
          {"mass", mass_properties(body.inertia).mass},
          {"shape", std::visit([](const auto& i) { return shape_json(i); }, body.inertia)}};
}

Json body_json(const PointMass& body, ReportArrays&) {
  return {{"name", body.name}, {"kind", body.type_name}, {"mass", body.mass}};
}

Json body_json(const Beam& body, ReportArrays&) { return line_json(body); }

Json body_json(const Bar& body, ReportArrays&) {
  Json json = line_json(body);
  const CentreLine line = centre_line(body);
  const Quaternion q(frame_with_normal(line.tangent));
  json["turn"] = {q.w(), q.x(), q.y(), q.z()};  // it never turns
  return json;
}

Json body_json(const Solid& body, ReportArrays& arrays) {
  const Surface surface = surface_of(mesh_of(body));
  return {{"name", body.name},
          {"kind", body.type_name},
          {"surface", arrays.add(surface.nodes)},
          {"triangles", arrays.add(surface.triangles)},
          {"edges", arrays.add(surface.edges)}};
}

std::vector<std::uint32_t> surface_nodes(const Solid& body) {
  return surface_of(mesh_of(body)).nodes;
}

}  // namespace saltus::io
