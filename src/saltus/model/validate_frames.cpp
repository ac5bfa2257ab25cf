// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

Pose initial_pose(const Model& model, BodyId body) {
  if (body == ground_body) return {};
  return std::visit([](const auto& b) { return b.pose; },
                    model.bodies[static_cast<std::size_t>(body.index)]);
}

Vector3 initial_point(const Model& model, const Frame& frame) {
  const Pose pose = initial_pose(model, frame.body);
  return pose.position + pose.rotation() * frame.position;
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

Matrix3 initial_rotation(const Model& model, const Frame& frame) {
  return initial_pose(model, frame.body).rotation() * frame.rotation();
}

bool coincide(const Subject& subject, const std::vector<Frame>& frames) {
  if (!subject.knows(frames[0].body) || !subject.knows(frames[1].body)) return false;
  const Vector3 first = initial_point(subject.model, frames[0]);
  const Vector3 second = initial_point(subject.model, frames[1]);
  constexpr double rounding = 1e-12;
  return (second - first).norm() <= rounding * std::max(first.norm(), second.norm());
}

void check_frame(const Subject& subject, const Frame& frame, const Place& place,
                 std::vector<Issue>& issues) {
  check_orientation(frame.orientation, frame.rotation_vector, place, issues);
  if (is_point_mass(subject, frame.body) && !frame.position.isZero(0)) {
    issues.push_back({.place = (place / "position").text(),
                      .rule = "a point mass has no other point than its own",
                      .remedy = "leave it out, or use a rigid body"});
  }
  if (!frame.has_orientation() || !is_point_mass(subject, frame.body)) return;
  const char* const key = frame.orientation ? "orientation" : "rotation_vector";
  issues.push_back({.place = (place / key).text(),
                    .rule = "a point mass has no axes",
                    .remedy = "leave it out, or use a rigid body"});
}

void check_two_frames(const Subject& subject, const std::vector<Frame>& frames, const Place& place,
                      std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < frames.size(); ++i)
    check_frame(subject, frames[i], place / i, issues);
  if (frames.size() == 2) {
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
