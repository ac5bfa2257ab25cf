// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/model/flexible_places.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

constexpr double rounding = 1e-9;       // relative, for what users write with rounded numbers
constexpr double most_nodes = 2e6;      // of one solid
constexpr std::size_t most_cells = 10;  // named in messages

class CheckFlexible {
 public:
  CheckFlexible(const Place& place, std::vector<Issue>& issues) : place_(place), issues_(issues) {}

  void operator()(const RigidBody&) const {}
  void operator()(const PointMass&) const {}

  void operator()(const Beam& beam) const {
    check_section(beam.section);
    if (!check_length(beam.start, beam.end, Beam::type_name)) return;
    if (beam.through) check_arc(beam);
    if (!beam.orientation || !has_length(beam)) return;
    check_direction(*beam.orientation, place_ / "orientation", issues_);
    const Vector3 z = beam.orientation->normalized();
    if (z.cross(centre_line(beam).tangent).norm() > 1e-6 || z.isZero(0)) return;
    report(place_ / "orientation", "must not be along the beam", {},
           "it is the direction of the section's z, square to the beam");
  }

  void operator()(const Bar& bar) const {
    check_section(bar.section);
    if (bar.mass == BeamMass::Hermite) {
      report(place_ / "mass", "a bar does not bend: it has no hermite mass", {},
             "use consistent, lumped or mixed");
    }
    const Place velocity = place_ / "velocity";
    if (!bar.velocity.angular.isZero(0)) {
      report(velocity / "angular", "a bar's nodes stay on its initial line", {},
             "leave it out, or use a beam");
    }
    if (!check_length(bar.start, bar.end, Bar::type_name)) return;
    const Vector3& v = bar.velocity.linear;
    if (v.cross((bar.end - bar.start).normalized()).norm() <= 1e-6 * v.norm()) return;
    report(velocity / "linear", "must be along the bar: its nodes stay on its initial line",
           fmt::format("[{}, {}, {}]", v[0], v[1], v[2]), "leave it out, or use a beam");
  }

  void operator()(const Solid& solid) const {
    check_orientation(solid.pose.orientation, solid.pose.rotation_vector, place_ / "pose", issues_);
    const auto* modal = solid.damping ? std::get_if<ModalRatio>(&*solid.damping) : nullptr;
    const Place damping = place_ / "damping";
    if (modal && !modal->frequency) {
      report(damping / "frequency", "is missing", {},
             "a solid's modal_ratio needs the frequency at which it holds; the simulation type "
             "\"modes\" finds natural frequencies");
    }
    const Place mesh = place_ / "mesh";
    if (const auto* box = std::get_if<BoxMesh>(&solid.mesh)) {
      if (node_count(*box) <= most_nodes) return;
      return report(mesh / "divisions", fmt::format("make {:.3g} nodes", node_count(*box)), {},
                    fmt::format("at most {:g} are possible", most_nodes));
    }
    check_mesh(std::get<MeshFile>(solid.mesh), mesh);
  }

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  bool check_length(const Vector3& start, const Vector3& end, const char* type) const {
    const double size = std::max(start.norm(), end.norm());
    const bool is_finite = std::isfinite(size);
    if (is_finite && (end - start).norm() > 1e-12 * size) return true;
    const std::string value = fmt::format("[{}, {}, {}]", end[0], end[1], end[2]);
    if (!is_finite) {
      report(place_ / "end", fmt::format("the {} is too long to compute with", type), value,
             "lengths are in m");
    } else {
      report(place_ / "end", fmt::format("the {} has no length: start and end are one point", type),
             value, "move one of them");
    }
    return false;
  }

  void check_arc(const Beam& beam) const {
    const Vector3 chord = beam.end - beam.start, leg = *beam.through - beam.start;
    if (!std::isfinite(centre_line(beam).length) && std::isfinite(1 / leg.cross(chord).norm())) {
      return report(place_ / "through", "is too far away to compute with", {}, "lengths are in m");
    }
    if (leg.cross(chord).norm() > rounding * chord.squaredNorm()) return;
    report(place_ / "through", "lies on the line from start to end: that is no arc", {},
           "leave it out for a straight beam, or give a point beside the line");
  }

  void check_section(const Section& section) const {
    const auto* pipe = std::get_if<PipeSection>(&section);
    if (!pipe || pipe->inner_radius < pipe->radius) return;
    const Place place = place_ / "section";
    report(place / "inner_radius", "must be smaller than the radius",
           fmt::format("{} and radius {}", pipe->inner_radius, pipe->radius));
  }

  void check_mesh(const MeshFile& file, const Place& place) const {
    if (file.contents.cells.empty()) {
      return report(place / "path", "the mesh has no volume elements", quoted(file.path));
    }
    const std::vector<BadCell> bad = bad_cells(file.contents);
    for (std::size_t i = 0; i < bad.size() && i < most_cells; ++i) {
      const Cell& cell = file.contents.cells[static_cast<std::size_t>(bad[i].cell)];
      report(place / "path",
             fmt::format("element {} of {} {}", cell.number, quoted(file.path), bad[i].reason));
    }
    if (bad.size() > most_cells) {
      report(place / "path", fmt::format("and {} more elements of {} are unusable",
                                         bad.size() - most_cells, quoted(file.path)));
    }
  }

  const Place& place_;
  std::vector<Issue>& issues_;
};

/// A frame's place on a flexible body; nothing else.
class CheckPlace {
 public:
  CheckPlace(const Frame& frame, const Place& place, FrameUse use, std::vector<Issue>& issues)
      : frame_(frame), place_(place), use_(use), issues_(issues) {}

  void operator()(const RigidBody&) const { refuse_all("a rigid body"); }
  void operator()(const PointMass&) const { refuse_all("a point mass"); }
  void operator()(const Beam& beam) const { check_line(beam, "beam"); }
  void operator()(const Bar& bar) const { check_line(bar, "bar"); }

  void operator()(const Solid& solid) const {
    if (frame_.arclength) {
      return report("arclength", "a solid has no arclength", {}, "use \"nodes\" or \"node\"");
    }
    if (!check_one("a solid", "\"nodes\": a node set, or \"node\": a number")) return;
    const auto* box = std::get_if<BoxMesh>(&solid.mesh);
    const double nodes =
        box ? node_count(*box)
            : static_cast<double>(std::get<MeshFile>(solid.mesh).contents.nodes.size());
    if (frame_.node) return check_number(*frame_.node, static_cast<int>(std::min(nodes, 2e9)) - 1);
    if (!has_node_set(solid, *frame_.nodes)) {
      const std::vector<std::string> names = node_set_names(solid);
      const std::string near = nearest_name(*frame_.nodes, names);
      return report("nodes", fmt::format("the solid has no node set {}", quoted(*frame_.nodes)), {},
                    near.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                                 : fmt::format("did you mean {}?", quoted(near)));
    }
    if (use_ == FrameUse::Site && !box) check_patch(solid);
  }

  void refuse_all(const char* what) const {
    const auto refuse = [&](bool given, const char* key) {
      if (given) {
        report(key, fmt::format("{} has no \"{}\"", what, key), {},
               "leave it out; \"position\" is a place on it");
      }
    };
    refuse(frame_.arclength.has_value(), "arclength");
    refuse(frame_.node.has_value(), "node");
    refuse(frame_.nodes.has_value(), "nodes");
  }

 private:
  void report(const char* key, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back(
        {(place_ / key).text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  /// Whether exactly one of arclength, node, nodes is given.
  bool check_one(const char* what, const char* remedy) const {
    const int given =
        frame_.arclength.has_value() + frame_.node.has_value() + frame_.nodes.has_value();
    if (given == 1) return true;
    issues_.push_back({.place = place_.text(),
                       .rule = fmt::format("{} needs one place on it", what),
                       .value = given == 0 ? "none" : std::to_string(given),
                       .remedy = std::string("give ") + remedy});
    return false;
  }

  void check_number(int node, int last) const {
    if (node <= last) return;
    report("node", fmt::format("the nodes are numbered from 0 to {}", last), std::to_string(node));
  }

  template <class Line>
  void check_line(const Line& line, const char* what) const {
    if (!check_one(fmt::format("a {}", what).c_str(),
                   "\"arclength\": metres from its start, or \"node\": a number")) {
      return;
    }
    if (frame_.node) check_number(*frame_.node, line.elements);
    if (frame_.nodes) {
      const std::vector<int> nodes = line_node_set(line.elements, *frame_.nodes);
      if (nodes.empty()) {
        report("nodes", fmt::format("a {} has the node sets start, end and all", what),
               quoted(*frame_.nodes));
      } else if (nodes.size() > 1 && use_ == FrameUse::Site) {
        report(
            "nodes", "must be one place", quoted(*frame_.nodes),
            "use \"arclength\" or \"node\"; only forces, points and spheres may be on all nodes");
      }
    }
    if (!frame_.arclength) return;
    const double L = centre_line(line).length;
    if (*frame_.arclength <= L * (1 + rounding)) return;
    report("arclength", fmt::format("must be on the {}, between 0 and its length {:.9g}", what, L),
           fmt::format("{}", *frame_.arclength));
  }

  /// A joint or spring holds a set as a rigid patch, whose rotation needs three nodes.
  void check_patch(const Solid& solid) const {
    const Mesh& mesh = std::get<MeshFile>(solid.mesh).contents;
    const NodeSet& set = *mesh.find_set(*frame_.nodes);
    if (set.nodes.size() == 1) {
      return report("nodes", "is one node, which has no rotation", quoted(*frame_.nodes),
                    fmt::format("write \"node\": {}, or use a set with at least three nodes that "
                                "are not on one line",
                                set.nodes.front()));
    }
    const Vector3& first = mesh.nodes[static_cast<std::size_t>(set.nodes.front())];
    Vector3 far = Vector3::Zero();
    for (const int node : set.nodes) {
      const Vector3 d = mesh.nodes[static_cast<std::size_t>(node)] - first;
      if (d.norm() > far.norm()) far = d;
    }
    for (const int node : set.nodes) {
      const Vector3 d = mesh.nodes[static_cast<std::size_t>(node)] - first;
      if (d.cross(far).norm() > 1e-6 * far.squaredNorm()) return;
    }
    report("nodes", "its nodes lie on a line: nothing holds a rotation about it",
           quoted(*frame_.nodes), "use a set with at least three nodes that are not on one line");
  }

  const Frame& frame_;
  const Place& place_;
  FrameUse use_;
  std::vector<Issue>& issues_;
};

/// Frames inside a beam or bar need nodes of their own.
template <class Line>
void check_interior_places(const Line& line, BodyId body, const std::vector<FramePlace>& frames,
                           std::vector<Issue>& issues) {
  if (!has_length(line)) return;
  const double L = centre_line(line).length;
  const WantedPlaces wanted = wanted_places(frames, body);
  const auto is_outside = [&](double s) { return s > L * (1 + rounding); };
  if (std::any_of(wanted.arclengths.begin(), wanted.arclengths.end(), is_outside)) return;
  if (node_arclengths(L, line.elements, wanted)) return;
  issues.push_back(
      {.place = fmt::format("/model/bodies/{}/elements", body.index),
       .rule = "is too small: each place inside that joints, forces or colliders refer to needs a "
               "node of its own",
       .value = std::to_string(line.elements),
       .remedy = "raise it"});
}

}  // namespace

bool has_length(const Beam& beam) {
  return (beam.end - beam.start).norm() > 0 && std::isfinite(centre_line(beam).length);
}
bool has_length(const Bar& bar) {
  const double length = (bar.end - bar.start).norm();
  return length > 0 && std::isfinite(length);
}

bool has_places(const Subject& subject, BodyId id) {
  if (!subject.knows(id)) return false;
  if (id == ground_body) return true;
  const Body& body = subject.model.bodies[static_cast<std::size_t>(id.index)];
  if (const auto* beam = std::get_if<Beam>(&body)) return has_length(*beam);
  if (const auto* bar = std::get_if<Bar>(&body)) return has_length(*bar);
  const auto* solid = std::get_if<Solid>(&body);
  const auto* box = solid ? std::get_if<BoxMesh>(&solid->mesh) : nullptr;
  return !box || node_count(*box) <= most_nodes;
}

void check_flexible_bodies(const Subject& subject, std::vector<Issue>& issues) {
  const Place list("/model/bodies");
  const std::vector<FramePlace> frames = frames_of(subject.model);
  for (std::size_t i = 0; i < subject.model.bodies.size(); ++i) {
    const Place place = list / i;
    const BodyId body{static_cast<int>(i)};
    if (!subject.knows(body)) continue;
    std::visit(CheckFlexible(place, issues), subject.model.bodies[i]);
    if (const auto* beam = std::get_if<Beam>(&subject.model.bodies[i])) {
      check_interior_places(*beam, body, frames, issues);
    } else if (const auto* bar = std::get_if<Bar>(&subject.model.bodies[i])) {
      check_interior_places(*bar, body, frames, issues);
    }
  }
}

void check_flexible_place(const Subject& subject, const Frame& frame, const Place& place,
                          FrameUse use, std::vector<Issue>& issues) {
  const CheckPlace check(frame, place, use, issues);
  if (frame.body == ground_body) return check.refuse_all("the ground");
  if (!has_places(subject, frame.body)) return;
  std::visit(check, subject.model.bodies[static_cast<std::size_t>(frame.body.index)]);
}

}  // namespace saltus
