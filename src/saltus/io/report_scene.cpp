// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_scene.hpp"

#include "saltus/geometry/features.hpp"
#include "saltus/io/report_anchors.hpp"
#include "saltus/io/report_bodies.hpp"

namespace saltus::io {
namespace {

Json size_json(const PointShape&) { return Json::object(); }
Json size_json(const Sphere& s) { return {{"radius", s.radius}}; }
Json size_json(const HollowSphereShape& s) { return {{"radius", s.radius}}; }
Json size_json(const Box& s) { return {{"size", vector_json(s.size)}}; }
Json size_json(const Cylinder& s) { return {{"radius", s.radius}, {"length", s.length}}; }
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

class SceneMaker {
 public:
  SceneMaker(const Model& model, const System& system)
      : model_(model), system_(system), compiler_(model, scratch_) {
    compiler_.add_bodies();
  }

  Json shapes() {
    Json list = Json::array();
    for (const auto& [collider, site] : shape_sites(model_)) {
      Json json{{"name", collider->name}, {"type", type_of(collider->shape)}};
      json.update(std::visit([](const auto& s) { return size_json(s); }, collider->shape));
      json["on"] = anchor(site);
      list.push_back(std::move(json));
    }
    return list;
  }

  Json joints() const {
    const ElementLists& elements = system_.elements();
    const ReportAnchors anchors(elements);
    Json list = Json::array();
    std::size_t i = 0;
    for (const JointEntry& entry : elements.joints) {
      if (entry.internal) continue;
      const Joint& joint = model_.joints[i++];
      const JointElement& e = entry.element;
      list.push_back({{"name", entry.name},
                      {"type", type_of(joint)},
                      {"driven", e.drive.has_value()},
                      {"first", anchors.anchor(e.node_A, e.frame_A)},
                      {"second", anchors.anchor(e.node_B, e.frame_B)}});
    }
    return list;
  }

  Json forces() {
    Json list = Json::array();
    for (const ForceElement& force : model_.forces) {
      Json json = std::visit([&](const auto& f) { return force_json(f); }, force);
      json["name"] = name_of(force);
      json["type"] = type_of(force);
      list.push_back(std::move(json));
    }
    return list;
  }

 private:
  // Sites of node sets may add nodes: anchors are made when all is there.
  Json anchor(const Site& site) const {
    return ReportAnchors(scratch_.elements).anchor(site.node, site.frame);
  }
  Json pair_json(const std::vector<Frame>& between) {
    const Site first = compiler_.site(between[0]), second = compiler_.site(between[1]);
    return {{"first", anchor(first)}, {"second", anchor(second)}};
  }
  Json force_json(const SpringDamper& f) { return pair_json(f.between); }
  Json force_json(const Bushing& f) { return pair_json(f.between); }
  Json force_json(const UserForce& f) { return pair_json(f.between); }
  Json force_json(const Force& f) { return {{"on", anchor(compiler_.sites(f.on).front())}}; }
  Json force_json(const Torque& f) { return {{"on", anchor(compiler_.site(f.on))}}; }
  Json force_json(const TorsionalSpringDamper& f) {
    return {{"joint", name_of(model_.joints[static_cast<std::size_t>(f.joint.index)])}};
  }

  const Model& model_;
  const System& system_;
  CompiledModel scratch_ = {};
  BodyCompiler compiler_;
};

}  // namespace

std::vector<ShapeSite> shape_sites(const Model& model) {
  CompiledModel scratch;
  BodyCompiler compiler(model, scratch);
  compiler.add_bodies();
  std::vector<ShapeSite> list;
  for (const Collider& collider : model.colliders) {
    const Matrix3 axes = axes_of(collider.shape);
    for (Site site : compiler.sites(collider.frame)) {
      site.frame.E = site.frame.E * axes;
      list.push_back({&collider, site});
    }
  }
  return list;
}

Json make_scene(const Model& model, const System& system, ReportArrays& arrays) {
  SceneMaker maker(model, system);
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
