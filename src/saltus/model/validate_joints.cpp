// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "saltus/model/state_reference.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

constexpr double parallel = 1e-6;  // rad, the smallest angle between the two axes of a joint

/// What messages call the second axis of a joint that has two, and why it must not be along the
/// first.
struct SecondAxis {
  const char* direction;
  const char* rule;
};
template <class J>
constexpr SecondAxis second_axis = {};
template <>
constexpr SecondAxis second_axis<Universal> = {
    "the second arm", "the two arms of a universal joint must not be parallel"};
template <>
constexpr SecondAxis second_axis<KnifeEdge> = {
    "the edge", "the edge must not be along the normal of the plane"};
template <>
constexpr SecondAxis second_axis<Rolling> = {
    "the wheel's axle", "the axle of a wheel must not be along the normal of the plane"};

template <class J>
constexpr bool has_axis = requires(J joint) {
  joint.axis;
};
template <class J>
constexpr bool has_drive = requires(J joint) {
  joint.drive;
};
template <class J>
constexpr bool has_limits = requires(J joint) {
  joint.limits;
};
template <class J>
constexpr bool has_friction = requires(J joint) {
  joint.friction;
};
/// Joints that hold rotations, which a point mass does not have.
template <class J>
constexpr bool holds_rotation = !(std::is_same_v<J, Spherical> || std::is_same_v<J, PointOnLine> ||
                                  std::is_same_v<J, PointOnPlane>);

class CheckJoint {
 public:
  CheckJoint(const Subject& subject, const Place& place, std::vector<Issue>& issues)
      : subject_(subject), place_(place), issues_(issues) {}

  template <class J>
  void operator()(const J& joint) const {
    check_placement(joint);
    if constexpr (std::is_same_v<J, Screw>) check_pitch(joint);
    if constexpr (has_axis<J>) check_axis(joint);
    if constexpr (std::is_same_v<J, Rolling>) check_rolling(joint);
    if constexpr (std::is_same_v<J, Universal> || std::is_same_v<J, KnifeEdge>) check_arms(joint);
    if constexpr (has_limits<J>) check_limits(joint);
    if constexpr (has_friction<J>) check_friction(joint);
  }
  void operator()(const Distance& joint) const;
  void operator()(const Lock& lock) const;
  void operator()(const Gear& gear) const;
  void operator()(const Relation& relation) const;

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  template <class J>
  void check_placement(const J& joint) const;
  template <class J>
  void check_axis(const J& joint) const;
  template <class J>
  void check_arms(const J& joint) const;
  template <class J>
  void check_limits(const J& joint) const;
  void check_limits(const Limits& limits, const Place& place, double initial,
                    const char* unit) const;
  template <class J>
  void check_friction(const J& joint) const;
  void check_length_limits(const Distance& joint) const;
  void check_rolling(const Rolling& joint) const;
  void check_pitch(const Screw& screw) const {
    if (screw.pitch != 0) return;
    report(place_ / "pitch", "must not be 0", {}, "a screw that does not move is a revolute joint");
  }
  void check_at_point_mass(const Spherical& joint) const;
  void check_rotates(const Frame& frame, const Place& place, const char* type) const;
  void check_not_flexible(const std::vector<BodyId>& bodies) const;
  void check_lock_directions(const std::vector<Axis>& directions, const Place& place) const;
  void check_coupled(const std::vector<JointId>& joints) const;

  const Subject& subject_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

template <class J>
void CheckJoint::check_placement(const J& joint) const {
  const bool frames = !joint.between.empty();
  const bool bodies = !joint.bodies.empty();
  if (frames && (bodies || joint.at)) {
    return report(place_, "a joint has one place: \"between\", or \"bodies\" and \"at\"", "both",
                  "remove one of them");
  }
  if (!frames && !bodies && !joint.at) {
    return report(place_, "the joint has no place", {},
                  "give \"bodies\" and \"at\", or \"between\"");
  }
  if (frames) {
    check_two_frames(subject_, joint.between, place_ / "between", issues_);
  } else if (!bodies || !joint.at) {
    report(place_ / (bodies ? "at" : "bodies"), "is missing", {},
           "\"bodies\" and \"at\" belong together");
  } else {
    check_two_bodies(subject_.model, joint.bodies, place_ / "bodies", issues_);
    check_not_flexible(joint.bodies);
  }
  if constexpr (std::is_same_v<J, Spherical>) check_at_point_mass(joint);
  if constexpr (holds_rotation<J>) {
    const Place list = place_ / (frames ? "between" : "bodies");
    for (std::size_t i = 0; i < joint.bodies.size(); ++i) {
      check_rotates({.body = joint.bodies[i]}, list / i, J::type_name);
    }
    for (std::size_t i = 0; i < joint.between.size(); ++i) {
      check_rotates(joint.between[i], list / i, J::type_name);
    }
  }
}

/// A spherical joint beside a point mass would hold it by an arm that cannot turn.
void CheckJoint::check_at_point_mass(const Spherical& joint) const {
  if (!joint.at) return;
  for (const BodyId body : joint.bodies) {
    if (!is_point_mass(subject_, body)) continue;
    const auto& mass =
        std::get<PointMass>(subject_.model.bodies[static_cast<std::size_t>(body.index)]);
    const double near = 1e-9 * std::max(joint.at->norm(), mass.pose.position.norm());
    if ((*joint.at - mass.pose.position).norm() <= near) continue;
    report(place_ / "at", fmt::format("must be the place of the point mass \"{}\"", mass.name), {},
           "move the joint there, or use a rigid body");
  }
}

/// "bodies" and "at" do not say where on a flexible body the joint is.
void CheckJoint::check_not_flexible(const std::vector<BodyId>& bodies) const {
  const Place list = place_ / "bodies";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string noun = flexible_noun(subject_, bodies[i]);
    if (noun.empty()) continue;
    report(list / i, fmt::format("a joint on {} needs \"between\", not \"bodies\"", noun),
           '"' + body_name(subject_.model, bodies[i]) + '"',
           noun == "a solid" ? R"(write it as {"body": …, "nodes": …})"
                             : R"(write it as {"body": …, "arclength": …})");
  }
}

void CheckJoint::check_rotates(const Frame& frame, const Place& place, const char* type) const {
  const std::string thing = thing_without_axes(subject_, frame, FrameUse::Site);
  if (thing.empty()) return;
  report(place, fmt::format("a {} joint holds rotations, which {} does not have", type, thing),
         '"' + body_name(subject_.model, frame.body) + '"',
         "use spherical, distance, point_on_line or point_on_plane, or " + thing_with_axes(thing));
}

template <class J>
void CheckJoint::check_axis(const J& joint) const {
  const Place axis = place_ / "axis";
  if (!joint.between.empty()) {
    if (joint.axis) {
      report(axis, "\"axis\" does not go with \"between\"", {},
             "the axis is the first frame's z: turn it with the frame's \"orientation\"");
    }
  } else if (joint.axis) {
    check_direction(*joint.axis, axis, issues_);
  } else if (!joint.bodies.empty()) {
    report(axis, "is missing", {}, "give its direction, as in [0, 0, 1]");
  }
}

template <class J>
void CheckJoint::check_arms(const J& joint) const {
  const Place axis_2 = place_ / "axis_2";
  if (!joint.between.empty() && joint.axis_2) {
    return report(axis_2, "\"axis_2\" does not go with \"between\"", {},
                  "it is the second frame's x: turn it with the frame's \"orientation\"");
  }
  Vector3 first = Vector3::Zero();
  Vector3 second = Vector3::Zero();
  if (joint.between.size() == 2) {
    if (!joint.between[1].has_orientation()) return;  // then it is that of the first frame
    for (const Frame& frame : joint.between) {
      if (!has_places(subject_, frame.body)) return;
    }
    first = initial_rotation(subject_.model, joint.between[0]).col(2);
    second = initial_rotation(subject_.model, joint.between[1]).col(0);
  } else if (joint.between.empty() && joint.axis_2) {
    check_direction(*joint.axis_2, axis_2, issues_);
    if (joint.axis) first = joint.axis->normalized();
    second = joint.axis_2->normalized();
  } else if (joint.between.empty() && !joint.bodies.empty()) {
    return report(axis_2, "is missing", {},
                  fmt::format("give the direction of {}", second_axis<J>.direction));
  }
  const bool zero = first.isZero(0) || second.isZero(0);
  if (zero || first.cross(second).norm() > parallel) return;
  report(joint.between.empty() ? axis_2 : place_ / "between", second_axis<J>.rule, {},
         "usually they are perpendicular");
}

void CheckJoint::check_rolling(const Rolling& joint) const {
  if (joint.shape == RollingShape::Wheel) {
    check_arms(joint);
    if (joint.rounding > joint.radius) {
      report(place_ / "rounding", "must not be larger than the radius",
             fmt::format("{}", joint.rounding), "a wheel rounded by its radius is a sphere");
    }
    return;
  }
  if (joint.axis_2) {
    report(place_ / "axis_2", "a sphere has no axle", {},
           "leave it out, or set \"shape\" to \"wheel\"");
  }
  if (joint.rounding != 0) {
    report(place_ / "rounding", "is for wheels", {}, "leave it out, or set \"shape\" to \"wheel\"");
  }
}

template <class J>
void CheckJoint::check_limits(const J& joint) const {
  if (!joint.limits) return;
  const Place limits = place_ / "limits";
  if constexpr (std::is_same_v<J, Cylindrical>) {
    const auto& [angle, displacement] = *joint.limits;
    if (!angle && !displacement)
      report(limits, "hold nothing", {}, "give \"angle\" or \"displacement\"");
    if (angle) check_limits(*angle, limits / "angle", 0, "rad");
    if (displacement) check_limits(*displacement, limits / "displacement", 0, "m");
  } else if constexpr (std::is_same_v<J, Universal>) {
    const auto& [angle_1, angle_2] = *joint.limits;
    if (!angle_1 && !angle_2) report(limits, "hold nothing", {}, "give \"angle_1\" or \"angle_2\"");
    if (angle_1) check_limits(*angle_1, limits / "angle_1", 0, "rad");
    if (angle_2) check_limits(*angle_2, limits / "angle_2", 0, "rad");
  } else {
    check_limits(*joint.limits, limits, 0, std::is_same_v<J, Revolute> ? "rad" : "m");
  }
  if constexpr (has_drive<J>) {
    if (!joint.drive) return;
    report(limits, "a driven joint has no limits: its drive says where it is", {},
           "remove \"limits\" or \"drive\"; an actuator moves a joint up to its stops");
  }
}

/// Either a coefficient, with what it needs, or bounds that are given.
template <class J>
void CheckJoint::check_friction(const J& joint) const {
  if (!joint.friction) return;
  constexpr bool slides = std::is_same_v<J, Prismatic> || std::is_same_v<J, Cylindrical>;
  constexpr bool turns = !std::is_same_v<J, Prismatic>;
  const Place place = place_ / "friction";
  const auto& [coefficient, radius, length, torque, force] = *joint.friction;
  if (!coefficient && !torque && !force) {
    report(place, "holds nothing", {},
           turns ? "give \"coefficient\" and \"radius\", or \"torque\""
                 : "give \"coefficient\" or \"force\"");
  }
  if (coefficient && (torque || force)) {
    report(place, "its bound follows the reaction or is given, not both", {},
           "remove \"coefficient\", or \"torque\" and \"force\"");
  }
  if (coefficient && turns && !radius) {
    report(place / "radius", "is missing", {},
           "the moment is bounded by coefficient · radius · |F|");
  }
  const auto refuse = [&](bool is_given, const char* key, const char* why, const char* remedy) {
    if (is_given) report(place / key, why, {}, remedy);
  };
  refuse(radius && !turns, "radius", "a prismatic joint does not turn", "remove it");
  refuse(torque && !turns, "torque", "a prismatic joint does not turn", "give \"force\"");
  refuse(force && !slides, "force", "this joint does not slide", "give \"torque\"");
  refuse(length && turns, "length", "only a prismatic joint has a guide that moments press on",
         "remove it");
  refuse(radius && !coefficient && turns, "radius", "belongs to \"coefficient\"", "remove it");
  refuse(length && !coefficient && !turns, "length", "belongs to \"coefficient\"", "remove it");
}

/// @param initial  the coordinate at the initial pose
void CheckJoint::check_limits(const Limits& limits, const Place& place, double initial,
                              const char* unit) const {
  const auto& [lower, upper, restitution] = limits;
  if (!lower && !upper) {
    return report(place, "hold nothing", {}, "give \"lower\", \"upper\" or both");
  }
  if (lower && upper && !(*lower < *upper)) {
    return report(place, "\"lower\" must be less than \"upper\"",
                  fmt::format("{} and {}", *lower, *upper), "a joint that cannot move is fixed");
  }
  const auto outside = [&](const char* key, const char* side, double bound) {
    report(place / key, fmt::format("the joint starts {} its limit", side),
           fmt::format("{}", bound),
           fmt::format("the coordinate is {} {} at the initial pose: move the limit or the bodies",
                       initial, unit));
  };
  if (lower && *lower > initial) outside("lower", "below", *lower);
  if (upper && *upper < initial) outside("upper", "above", *upper);
}

void CheckJoint::operator()(const Distance& joint) const {
  const Place between = place_ / "between";
  const std::size_t before = issues_.size();
  check_two_frames(subject_, joint.between, between, issues_);
  if (joint.limits && joint.length) {
    report(place_ / "length", "a rope or telescope has no length of its own", {},
           "remove \"length\" or \"limits\"");
  }
  if (joint.between.size() != 2 || issues_.size() > before) return;
  if (joint.limits) check_length_limits(joint);
  if (!coincide(subject_, joint.between)) return;
  report(between, "the two points coincide at the initial pose", {},
         "move one of them, or use a spherical joint");
}

void CheckJoint::check_length_limits(const Distance& joint) const {
  const Place place = place_ / "limits";
  if (joint.limits->lower && !(*joint.limits->lower > 0)) {
    report(place / "lower", "must be above 0", fmt::format("{}", *joint.limits->lower),
           "leave it out: a distance is never negative");
  }
  for (const Frame& frame : joint.between) {
    if (!has_places(subject_, frame.body)) return;
  }
  const Vector3 way = initial_point(subject_.model, joint.between[1]) -
                      initial_point(subject_.model, joint.between[0]);
  check_limits(*joint.limits, place, way.norm(), "m");
}

void CheckJoint::operator()(const Lock& lock) const {
  if (lock.body == ground_body) {
    report(place_ / "body", "the ground needs no lock", {}, "name the body that is held");
  }
  if (lock.translation.empty() && lock.rotation.empty()) {
    report(place_, "the lock holds nothing", {}, "give \"translation\" or \"rotation\" directions");
  }
  check_lock_directions(lock.translation, place_ / "translation");
  check_lock_directions(lock.rotation, place_ / "rotation");
  const Frame anywhere{.body = lock.body, .node = 0};
  const std::string thing = thing_without_axes(subject_, anywhere, FrameUse::Site);
  if (!lock.rotation.empty() && !thing.empty()) {
    const bool is_solid = thing == "a solid's node";
    report(place_ / "rotation",
           is_solid ? "a solid's nodes do not rotate" : thing + " does not rotate", {},
           is_solid ? "lock its translations only"
                    : "lock its translations only, or use " + thing_with_axes(thing));
  }
}

void CheckJoint::operator()(const Gear& gear) const {
  if (gear.joints.size() != 2) {
    report(place_ / "joints", "a gear couples two joints", fmt::format("{}", gear.joints.size()));
  }
  if (gear.ratio == 0) {
    report(place_ / "ratio", "must not be 0", {}, "a gear with the ratio 0 would hold joint a");
  }
  check_coupled(gear.joints);
}

void CheckJoint::operator()(const Relation& relation) const {
  const std::size_t count = relation.coefficients.size();
  if (relation.joints.size() != count) {
    report(place_ / "coefficients", "must be one for each joint",
           fmt::format("{} for {} joints", count, relation.joints.size()));
  }
  if (relation.joints.empty()) report(place_ / "joints", "must name a joint");
  for (std::size_t i = 0; i < count; ++i) {
    if (relation.coefficients[i] != 0) continue;
    const Place list = place_ / "coefficients";
    report(list / i, "must not be 0", {}, "leave the joint out");
  }
  check_coupled(relation.joints);
}

void CheckJoint::check_coupled(const std::vector<JointId>& joints) const {
  const Place list = place_ / "joints";
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!subject_.knows(joints[i])) continue;
    const Joint& joint = subject_.model.joints[static_cast<std::size_t>(joints[i].index)];
    const std::string what = fmt::format("the {} joint \"{}\"", type_of(joint), name_of(joint));
    if (!has_one_coordinate(joint)) {
      report(list / i, "must be a revolute, prismatic or screw joint", what);
    }
    if (std::find(joints.begin(), joints.begin() + static_cast<std::ptrdiff_t>(i), joints[i]) !=
        joints.begin() + static_cast<std::ptrdiff_t>(i)) {
      report(list / i, "a joint stands here twice", what, "remove one of them");
    }
  }
}

void CheckJoint::check_lock_directions(const std::vector<Axis>& directions,
                                       const Place& place) const {
  std::set<Axis> seen;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (seen.insert(directions[i]).second) continue;
    report(place / i, "a direction stands here twice",
           fmt::format("\"{}\"", EnumNames<Axis>::names[static_cast<int>(directions[i])]),
           "remove one of them");
  }
}

}  // namespace

void check_joints(const Subject& subject, std::vector<Issue>& issues) {
  const Place list("/model/joints");
  for (std::size_t i = 0; i < subject.model.joints.size(); ++i) {
    const Place place = list / i;
    std::visit(CheckJoint(subject, place, issues), subject.model.joints[i]);
  }
}

}  // namespace saltus
