// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_scene.hpp"

#include "saltus/geometry/features.hpp"
#include "saltus/geometry/solid_core.hpp"
#include "saltus/io/report_anchors.hpp"
#include "saltus/io/report_bodies.hpp"

namespace saltus::io {
namespace {

Json size_json(const PointShape&) { return Json::object(); }
Json size_json(const Sphere& s) { return {{"radius", s.outer_radius()}}; }
Json size_json(const HollowSphereShape& s) { return {{"radius", s.radius}}; }
Json size_json(const Box& s) { return {{"size", vector_json(s.size)}, {"rounding", s.rounding}}; }
Json size_json(const Capsule& s) { return {{"radius", s.outer_radius()}, {"length", s.length}}; }
Json surface_json(const std::vector<Vector3>& vertices,
                  const std::vector<std::array<int, 3>>& triangles) {
  Json points = Json::array(), corners = Json::array();
  for (const Vector3& x : vertices) points.push_back(vector_json(x));
  for (const auto& t : triangles) corners.push_back({t[0], t[1], t[2]});
  return {{"vertices", std::move(points)}, {"triangles", std::move(corners)}};
}
Json size_json(const Convex& s) {
  const Triangles surface = triangles_of(s);
  return surface_json(surface.vertices, surface.triangles);
}
Json size_json(const MeshShape& s) { return surface_json(s.vertices, s.triangles); }
Json size_json(const Cylinder& s) {
  return {{"radius", s.radius + s.rounding}, {"length", s.length + 2 * s.rounding}};
}
Json size_json(const Bore& s) { return {{"radius", s.radius}, {"length", s.length}}; }
Json size_json(const Groove& s) {
  return {{"radius", s.radius},
          {"ring_radius", s.ring_radius},
          {"opening", EnumNames<GrooveOpening>::names[static_cast<int>(s.opening)]}};
}
Json plane_json(const PlaneFeature& plane) {
  Json json = Json::object();
  if (plane.half_size) {
    json["size"] = {2 * (*plane.half_size)[0], 2 * (*plane.half_size)[1]};
  }
  if (!plane.surface_velocity.isZero()) json["belt"] = vector_json(plane.surface_velocity);
  return json;
}
Json size_json(const HalfSpace& s) { return plane_json(*plane_feature(s)); }
Json size_json(const Face& s) { return plane_json(*plane_feature(s)); }

/// Shapes, joints and forces with their anchors.
class SceneMaker {
 public:
  SceneMaker(const Model& model, const System& system)
      : model_(model), system_(system), anchors_(system.elements()) {}

  Json shapes() const {
    Json list = Json::array();
    for (const auto& [collider, site] : shape_sites(model_, system_)) {
      Json json{{"name", collider->name}, {"type", type_of(collider->shape)}};
      json.update(std::visit([](const auto& s) { return size_json(s); }, collider->shape));
      json["on"] = anchor(site);
      list.push_back(std::move(json));
    }
    return list;
  }

  Json joints() const {
    Json list = Json::array();
    int next = 0;
    for (const JointEntry& entry : system_.elements().joints) {
      if (entry.joint != next) continue;  // of a flexible body that is locked the first node
      const Joint& joint = model_.joints[static_cast<std::size_t>(next++)];
      const JointElement& e = entry.element;
      list.push_back({{"name", entry.name},
                      {"type", type_of(joint)},
                      {"driven", e.drive.has_value()},
                      {"first", anchors_.anchor(e.node_A, e.frame_A)},
                      {"second", anchors_.anchor(e.node_B, e.frame_B)}});
    }
    return list;
  }

  Json forces() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < model_.forces.size(); ++i) {
      const ForceElement& force = model_.forces[i];
      Json json = places_json(force, system_.elements().places.forces[i]);
      json["name"] = name_of(force);
      json["type"] = type_of(force);
      list.push_back(std::move(json));
    }
    return list;
  }

 private:
  Json anchor(const Site& site) const { return anchors_.anchor(site.node, site.frame); }

  Json places_json(const ForceElement& force, const std::vector<Site>& sites) const {
    if (const auto* spring = std::get_if<TorsionalSpringDamper>(&force)) {
      return {{"joint", name_of(model_.joints[static_cast<std::size_t>(spring->joint.index)])}};
    }
    if (const auto* actuator = std::get_if<Actuator>(&force)) {
      return {{"joint", name_of(model_.joints[static_cast<std::size_t>(actuator->joint.index)])}};
    }
    if (sites.size() == 1) return {{"on", anchor(sites[0])}};
    return {{"first", anchor(sites[0])}, {"second", anchor(sites[1])}};
  }

  const Model& model_;
  const System& system_;
  ReportAnchors anchors_;
};

}  // namespace

std::vector<ShapeSite> shape_sites(const Model& model, const System& system) {
  std::vector<ShapeSite> list;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    const Matrix3 axes = axes_of(collider.shape);
    for (Site site : system.elements().places.colliders[i]) {
      site.frame.E = site.frame.E * axes;
      list.push_back({&collider, site});
    }
  }
  return list;
}

Json make_scene(const Model& model, const System& system, ReportArrays& arrays) {
  const SceneMaker maker(model, system);
  Json bodies = Json::array();
  for (const Body& body : model.bodies) {
    bodies.push_back(std::visit([&](const auto& b) { return body_json(b, arrays); }, body));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i]["nodes"] = system.elements().bodies[i].nodes;
  }
  return {{"gravity", vector_json(model.gravity)},
          {"bodies", std::move(bodies)},
          {"shapes", maker.shapes()},
          {"joints", maker.joints()},
          {"forces", maker.forces()}};
}

}  // namespace saltus::io
