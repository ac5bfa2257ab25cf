// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/model/check_fields.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"
#include "saltus/model/validate.hpp"

namespace saltus {

/// A name as messages show it.
inline std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// A model, and which of its things are known well enough to compute with them.
struct Subject {
  const Model& model;
  std::vector<bool> known_bodies = {};
  std::vector<bool> known_joints = {};
  std::vector<bool> known_colliders = {};  ///< their body and the type of their shape
  bool knows_collider_names = true;
  // Whether stiffness and young_modulus could be read, of contacts and of ball bearings.
  std::vector<bool> known_laws = {}, known_bearing_laws = {};

  bool knows(BodyId id) const {
    return id == ground_body || known_bodies[static_cast<std::size_t>(id.index)];
  }
  bool knows(JointId id) const {
    return id.index >= 0 && known_joints[static_cast<std::size_t>(id.index)];
  }
};

// What no single field can say, part by part. @pre ids refer to what exists.
void check_names(const Model& model, std::vector<Issue>& issues);
void check_bodies(const Model& model, std::vector<Issue>& issues);
void check_flexible_bodies(const Subject& subject, std::vector<Issue>& issues);
void check_joints(const Subject& subject, std::vector<Issue>& issues);
void check_forces(const Subject& subject, std::vector<Issue>& issues);
void check_contacts(const Subject& subject, std::vector<Issue>& issues);
void check_local_laws(const Subject& subject, std::vector<Issue>& issues);
/// Contacts that are forces: what they have not, and the methods that do not know them.
void check_compliant(const Subject& subject, std::vector<Issue>& issues);
std::vector<Issue> check_compliant(const Model& model, const Dynamics& dynamics);
void check_bearings(const Subject& subject, std::vector<Issue>& issues);
/// What the event-driven integrator cannot do, of a model and of options.
void check_event_driven(const Model& model, const EventDriven& options, std::vector<Issue>& issues);
void check_event_driven(const EventDriven& options, MultipleImpacts impacts,
                        std::vector<Issue>& issues);

/// A function of time: tables in order, formulas that can be read and are finite at t = 0.
void check_function(const TimeFunction& function, const Place& place, std::vector<Issue>& issues);

/// A formula of time and of what moves.
void check_state_formula(const Subject& subject, const std::string& text, const Place& place,
                         std::vector<Issue>& issues);
/// How many bodies it sees. @pre it can be read, and the joint is known
void check_seen_bodies(const Subject& subject, const Actuator& actuator, const std::string& text,
                       const Place& place, std::vector<Issue>& issues);
/// The condition on which a run ends.
void check_stop(const Model& model, const Dynamics& options, std::vector<Issue>& issues);

/// What a frame is for: one place (joints, springs, torques, shapes with axes), or every node of a
/// set by itself (forces, points and spheres).
enum class FrameUse { Site, EachNode };

/// A frame on a body: orientation given once, by a unit quaternion; none where nothing turns; a
/// place on a flexible body.
void check_frame(const Subject& subject, const Frame& frame, const Place& place, FrameUse use,
                 std::vector<Issue>& issues);

/// The part of it about arclength, node and nodes.
void check_flexible_place(const Subject& subject, const Frame& frame, const Place& place,
                          FrameUse use, std::vector<Issue>& issues);

/// Whether the line has a length, so that places on it can be computed.
bool has_length(const Beam& beam);
bool has_length(const Bar& bar);
/// Whether the body is known, and places on it can be computed.
bool has_places(const Subject& subject, BodyId body);

/// `orientation` and `rotation_vector` of a pose or frame.
void check_orientation(const std::optional<Quaternion>& orientation,
                       const std::optional<Vector3>& rotation_vector, const Place& place,
                       std::vector<Issue>& issues);

/// Two frames, or two bodies, on different bodies.
void check_two_frames(const Subject& subject, const std::vector<Frame>& frames, const Place& place,
                      std::vector<Issue>& issues);
void check_two_bodies(const Model& model, const std::vector<BodyId>& bodies, const Place& place,
                      std::vector<Issue>& issues);

/// A direction of length zero.
/// What is wrong with a shape in itself.
void check_shape(const Shape& shape, const Place& place, std::vector<Issue>& issues);
void check_direction(const Vector3& direction, const Place& place, std::vector<Issue>& issues);

bool is_point_mass(const Subject& subject, BodyId body);

/// What the frame stands on, if that has no axes that turn: "a point mass", "a bar", "a solid's
/// node"; else empty.
std::string thing_without_axes(const Subject& subject, const Frame& frame, FrameUse use);
/// What to use instead of such a thing where axes are needed.
std::string thing_with_axes(const std::string& thing);
/// "a beam", "a bar" or "a solid"; empty for other bodies.
std::string flexible_noun(const Subject& subject, BodyId body);

/// The origin of a frame at the initial pose, and its axes, inertial components.
Vector3 initial_point(const Model& model, const Frame& frame);
Matrix3 initial_rotation(const Model& model, const Frame& frame);

/// Whether the two points are known to be at the same place at the initial pose.
bool coincide(const Subject& subject, const std::vector<Frame>& frames);

}  // namespace saltus
