// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

struct InitialPlace {
  Vector3 x = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();
};

/// Where the axes in which a frame is given stand at the initial pose.
struct FindPlace {
  const Frame& frame;

  InitialPlace operator()(const RigidBody& b) const { return {b.pose.position, b.pose.rotation()}; }
  InitialPlace operator()(const PointMass& b) const {
    return {b.pose.position, Matrix3::Identity()};
  }
  InitialPlace operator()(const Beam& beam) const {
    const CentreLine line = centre_line(beam);
    const double s = arclength(line.length, beam.elements);
    return {line.point(s), line.axes(s, start_axes(beam))};
  }
  InitialPlace operator()(const Bar& bar) const {
    const CentreLine line = centre_line(bar);
    return {line.point(arclength(line.length, bar.elements)), Matrix3::Identity()};
  }
  InitialPlace operator()(const Solid& solid) const {
    const Mesh mesh = mesh_of(solid);
    Vector3 centre = Vector3::Zero();
    const int count = static_cast<int>(mesh.nodes.size());
    if (frame.node && *frame.node >= 0 && *frame.node < count) {
      centre = mesh.nodes[static_cast<std::size_t>(*frame.node)];
    } else if (const NodeSet* set = frame.nodes ? mesh.find_set(*frame.nodes) : nullptr) {
      const std::vector<double> shares = surface_shares(mesh, *set);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        centre += shares[i] * mesh.nodes[static_cast<std::size_t>(set->nodes[i])];
      }
    }
    return {solid.pose.position + solid.pose.rotation() * centre, solid.pose.rotation()};
  }

  double arclength(double length, int elements) const {
    if (frame.arclength) return *frame.arclength;
    if (frame.node) return length * *frame.node / elements;
    return frame.nodes && *frame.nodes == "end" ? length : 0;
  }
};

InitialPlace initial_place(const Model& model, const Frame& frame) {
  if (frame.body == ground_body) return {};
  return std::visit(FindPlace{frame}, model.bodies[static_cast<std::size_t>(frame.body.index)]);
}

/// Where a frame is on a line of a length with so many elements; nothing for other bodies.
std::optional<double> arclength_of(const Model& model, const Frame& frame) {
  const Body& body = model.bodies[static_cast<std::size_t>(frame.body.index)];
  const auto on_line = [&](const auto& line) {
    return FindPlace{frame}.arclength(centre_line(line).length, line.elements);
  };
  if (const auto* beam = std::get_if<Beam>(&body)) return on_line(*beam);
  if (const auto* bar = std::get_if<Bar>(&body)) return on_line(*bar);
  return {};
}

/// Whether two frames on one flexible body are at different places of it.
bool are_apart(const Subject& subject, const std::vector<Frame>& frames) {
  if (frames[0].body != frames[1].body || flexible_noun(subject, frames[0].body).empty()) {
    return false;
  }
  if (!has_places(subject, frames[0].body)) return true;  // that has its own issue
  const std::optional<double> first = arclength_of(subject.model, frames[0]);
  const std::optional<double> second = arclength_of(subject.model, frames[1]);
  if (first && second) return std::abs(*first - *second) > 1e-9 * std::max(*first, *second);
  return frames[0].arclength != frames[1].arclength || frames[0].node != frames[1].node ||
         frames[0].nodes != frames[1].nodes;
}

void check_different(const Model& model, BodyId first, BodyId second, const Place& place,
                     std::vector<Issue>& issues) {
  if (first != second) return;
  issues.push_back({.place = place.text(),
                    .rule = "must be on two different bodies",
                    .value = first == ground_body
                                 ? "the ground twice"
                                 : fmt::format("\"{}\" twice", body_name(model, first))});
}

}  // namespace

bool is_point_mass(const Subject& subject, BodyId body) {
  if (body == ground_body || !subject.knows(body)) return false;
  return std::holds_alternative<PointMass>(
      subject.model.bodies[static_cast<std::size_t>(body.index)]);
}

std::string flexible_noun(const Subject& subject, BodyId body) {
  if (body == ground_body || !subject.knows(body)) return {};
  const Body& b = subject.model.bodies[static_cast<std::size_t>(body.index)];
  if (std::holds_alternative<Beam>(b)) return "a beam";
  if (std::holds_alternative<Bar>(b)) return "a bar";
  return std::holds_alternative<Solid>(b) ? "a solid" : "";
}

std::string thing_without_axes(const Subject& subject, const Frame& frame, FrameUse use) {
  if (is_point_mass(subject, frame.body)) return "a point mass";
  std::string noun = flexible_noun(subject, frame.body);
  if (noun == "a bar") return noun;
  const bool is_node = (frame.node && !frame.nodes) || use == FrameUse::EachNode;
  if (noun == "a solid" && is_node) return "a solid's node";
  return {};
}

std::string thing_with_axes(const std::string& thing) {
  if (thing == "a bar") return "a beam";
  return thing == "a solid's node" ? "a node set (\"nodes\")" : "a rigid body";
}

Vector3 initial_point(const Model& model, const Frame& frame) {
  const InitialPlace place = initial_place(model, frame);
  return place.x + place.R * frame.position;
}

Matrix3 initial_rotation(const Model& model, const Frame& frame) {
  return initial_place(model, frame).R * frame.rotation();
}

bool coincide(const Subject& subject, const std::vector<Frame>& frames) {
  if (!has_places(subject, frames[0].body) || !has_places(subject, frames[1].body)) return false;
  const Vector3 first = initial_point(subject.model, frames[0]);
  const Vector3 second = initial_point(subject.model, frames[1]);
  constexpr double rounding = 1e-12;
  return (second - first).norm() <= rounding * std::max(first.norm(), second.norm());
}

void check_frame(const Subject& subject, const Frame& frame, const Place& place, FrameUse use,
                 std::vector<Issue>& issues) {
  check_orientation(frame.orientation, frame.rotation_vector, place, issues);
  check_flexible_place(subject, frame, place, use, issues);
  const std::string thing = thing_without_axes(subject, frame, use);
  if (thing.empty()) return;
  // A node set by itself has been named already.
  const std::string instead =
      frame.nodes ? "leave it out" : "leave it out, or use " + thing_with_axes(thing);
  if (!frame.position.isZero(0)) {
    issues.push_back({.place = (place / "position").text(),
                      .rule = thing + " has no other point than its own",
                      .remedy = instead});
  }
  if (!frame.has_orientation()) return;
  const char* const key = frame.orientation ? "orientation" : "rotation_vector";
  issues.push_back(
      {.place = (place / key).text(), .rule = thing + " has no axes", .remedy = instead});
}

void check_two_frames(const Subject& subject, const std::vector<Frame>& frames, const Place& place,
                      std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < frames.size(); ++i)
    check_frame(subject, frames[i], place / i, FrameUse::Site, issues);
  if (frames.size() == 2 && are_apart(subject, frames)) return;
  if (frames.size() == 2 && frames[0].body == frames[1].body &&
      !flexible_noun(subject, frames[0].body).empty()) {
    issues.push_back(
        {.place = place.text(),
         .rule = "must be at two different places",
         .value = fmt::format("one place of \"{}\"", body_name(subject.model, frames[0].body))});
  } else if (frames.size() == 2) {
    check_different(subject.model, frames[0].body, frames[1].body, place, issues);
  } else {
    issues.push_back({.place = place.text(),
                      .rule = "must be two frames",
                      .value = std::to_string(frames.size())});
  }
}

void check_two_bodies(const Model& model, const std::vector<BodyId>& bodies, const Place& place,
                      std::vector<Issue>& issues) {
  if (bodies.size() == 2) {
    check_different(model, bodies[0], bodies[1], place, issues);
  } else {
    issues.push_back({.place = place.text(),
                      .rule = "must be two bodies",
                      .value = std::to_string(bodies.size())});
  }
}

}  // namespace saltus
