// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/compile.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "saltus/dynamics/compile_bodies.hpp"
#include "saltus/dynamics/compile_contacts.hpp"
#include "saltus/dynamics/state_law.hpp"
#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

/// Axes of which the first is along a direction.
Matrix3 frame_along(const Vector3& direction) {
  const Matrix3 axes = frame_with_normal(direction);
  Matrix3 turned;
  turned << axes.col(2), axes.col(0), axes.col(1);
  return turned;
}

/// Turns a model into elements: bodies first, for the rest stands on their nodes. An object, since
/// every part needs the sites of frames and widens the characteristic length.
class Compiler {
 public:
  Compiler(const Model& model, double time_scale, const Vector3& origin)
      : model_(model), time_scale_(time_scale), bodies_(model, out_) {
    out_.origin = origin;
  }

  CompiledModel run() {
    bodies_.add_bodies();
    for (const Joint& joint : model_.joints) {
      joint_entries_.push_back(out_.elements.joints.size());
      std::visit([&](const auto& j) { add_joint(j); }, joint);
    }
    add_couplings();
    for (const ForceElement& force : model_.forces) {
      std::visit([&](const auto& f) { add_force(f); }, force);
    }
    add_contacts(model_, stops_, bodies_, out_);
    add_actuators();  // whose formulas may see contacts
    add_places();
    return std::move(out_);
  }

 private:
  /// Of forces; contacts have added those of colliders. Patches of node sets are there already: no
  /// node is added any more.
  void add_places() {
    FixedPlaces& places = out_.elements.places;
    for (const ForceElement& force : model_.forces) {
      places.forces.push_back(std::visit([&](const auto& f) { return sites_of(f); }, force));
    }
  }
  void add_actuators() {
    for (const ForceElement& force : model_.forces) {
      if (const auto* actuator = std::get_if<Actuator>(&force)) add_actuator(*actuator);
    }
  }
  std::vector<Site> sites_of(const Force& f) { return {bodies_.sites(f.on).front()}; }
  std::vector<Site> sites_of(const Torque& f) { return {bodies_.site(f.on)}; }
  static std::vector<Site> sites_of(const TorsionalSpringDamper&) { return {}; }
  static std::vector<Site> sites_of(const Actuator&) { return {}; }
  template <class Between>
  std::vector<Site> sites_of(const Between& f) {
    return {bodies_.site(f.between[0]), bodies_.site(f.between[1])};
  }

  const NodePose& pose_of(int node) const { return bodies_.pose(node); }
  NodePair pair_of(int node_A, int node_B) const { return bodies_.pair(node_A, node_B); }
  /// The frame of a node that is at `point` with axes `E` in the inertial frame.
  FrameOnNode frame_at(int node, const Vector3& point, const Matrix3& E) const {
    const NodePose& pose = pose_of(node);
    return {pose.R.transpose() * (point - pose.x), pose.R.transpose() * E};
  }
  std::tuple<int, FrameOnNode> site_of(const Frame& frame) {
    const Site site = bodies_.site(frame);
    return {site.node, site.frame};
  }
  void consider_frame(int node, const FrameOnNode& frame) {
    bodies_.consider_length(node, frame.d.norm());
  }
  void consider_distance(int node_A, int node_B, double distance) {
    for (const int node : {node_A, node_B}) bodies_.consider_length(node, distance);
  }

  // ---- joints ---------------------------------------------------------------------------------
  /// Nodes and frames of a joint placed by `between`, or by `bodies`, `at` and an axis.
  JointElement placed(const std::vector<Frame>& between, const std::vector<BodyId>& bodies,
                      const std::optional<Vector3>& at, const Matrix3& axes) {
    JointElement joint;
    if (!between.empty()) {
      std::tie(joint.node_A, joint.frame_A) = site_of(between[0]);
      std::tie(joint.node_B, joint.frame_B) = site_of(between[1]);
      if (!between[1].has_orientation()) {
        joint.frame_B.E =
            pose_of(joint.node_B).R.transpose() * joint.frame_A.axes(pose_of(joint.node_A));
      }
    } else {
      joint.node_A = bodies_.first_node(bodies[0]);
      joint.node_B = bodies_.first_node(bodies[1]);
      joint.frame_A = frame_at(joint.node_A, *at, axes);
      joint.frame_B = frame_at(joint.node_B, *at, axes);
    }
    consider_frame(joint.node_A, joint.frame_A);
    consider_frame(joint.node_B, joint.frame_B);
    return joint;
  }
  template <class J>
  JointElement placed(const J& j) {
    if constexpr (requires { j.axis; }) {
      return placed(j.between, j.bodies, j.at,
                    j.axis ? frame_with_normal(*j.axis) : Matrix3::Identity().eval());
    } else {
      return placed(j.between, j.bodies, j.at, Matrix3::Identity());
    }
  }

  CompiledFunction compiled_function(const TimeFunction& function) const {
    return CompiledFunction(function, time_scale_);
  }

  /// Zero of the joint's coordinates at the initial pose, a drive, and the entry in the list.
  void finish(const std::string& name, JointElement joint, const std::optional<Drive>& drive) {
    const NodePair pair = pair_of(joint.node_A, joint.node_B);
    if (joint.angle) {
      joint.angle_offset = joint.angle->value(pair);
      joint.angle_index = static_cast<int>(out_.configuration.angles.size());
      out_.configuration.angles.push_back(0.0);
    }
    if (joint.displacement) joint.displacement_offset = joint.displacement->value(pair);
    if (drive) {
      const auto compiled = [&](const auto& d) { return compiled_function(d.value); };
      add_drive(joint, {std::visit(compiled, *drive), std::holds_alternative<Speed>(*drive)});
    }
    joint_entries_.back() = out_.elements.joints.size();
    const int index = static_cast<int>(joint_entries_.size()) - 1;
    out_.elements.joints.push_back({.name = name, .element = std::move(joint), .joint = index});
  }

  void add_joint(const Fixed& j) { add_simple(j, make_fixed); }
  void add_joint(const Spherical& j) {
    add_simple(j, make_spherical);
    if (j.friction) add_slide(j.name, *j.friction, {.is_ball = true});
  }
  void add_joint(const Revolute& j) {
    add_simple(j, make_revolute, j.drive);
    if (j.limits) add_angle_stops(j.name, *j.limits);
    if (j.friction) add_slide(j.name, *j.friction, {.angle = last_joint().angle});
  }
  void add_joint(const Prismatic& j) {
    add_simple(j, make_prismatic, j.drive);
    if (j.limits) add_displacement_stops(j.name, *j.limits);
    if (j.friction) add_slide(j.name, *j.friction, {.displacement = last_joint().displacement});
  }
  void add_joint(const Cylindrical& j) {
    add_simple(j, make_cylindrical);
    if (j.limits && j.limits->angle) add_angle_stops(j.name, *j.limits->angle);
    if (j.limits && j.limits->displacement) add_displacement_stops(j.name, *j.limits->displacement);
    if (j.friction) add_collar(j.name, *j.friction);
  }
  void add_joint(const Planar& j) { add_simple(j, make_planar); }
  void add_joint(const PointOnLine& j) { add_simple(j, make_point_on_line); }
  void add_joint(const PointOnPlane& j) { add_simple(j, make_point_on_plane); }

  template <class J>
  void add_simple(const J& j, void (*make)(JointElement&),
                  const std::optional<Drive>& drive = std::nullopt) {
    JointElement joint = placed(j);
    make(joint);
    finish(j.name, std::move(joint), drive);
  }

  void add_joint(const Universal& j) {
    JointElement joint = placed(j);
    const Matrix3& R_A = pose_of(joint.node_A).R;
    const Matrix3& R_B = pose_of(joint.node_B).R;
    const Vector3 a_A = joint.frame_A.E.col(2);
    const Vector3 b_B = j.axis_2 ? Vector3(R_B.transpose() * j.axis_2->normalized())
                                 : Vector3(joint.frame_B.E.col(0));
    make_universal(joint, a_A, b_B, (R_A * a_A).dot(R_B * b_B));
    finish(j.name, std::move(joint), std::nullopt);
    add_arms(j, a_A, b_B);
  }

  // ---- stops and friction of the joint that was added last
  const JointElement& last_joint() const { return out_.elements.joints.back().element; }

  void add_angle_stops(const std::string& name, const Limits& limits) {
    const JointElement& joint = last_joint();
    add_stops(
        name, limits,
        {.coordinate = *joint.angle, .offset = joint.angle_offset, .angle = joint.angle_index});
  }
  void add_displacement_stops(const std::string& name, const Limits& limits) {
    const JointElement& joint = last_joint();
    add_stops(name, limits,
              {.coordinate = *joint.displacement, .offset = joint.displacement_offset});
  }

  /// About the first arm b turns in A; about the second a turns in B, backwards.
  void add_arms(const Universal& j, const Vector3& a_A, const Vector3& b_B) {
    const JointElement joint = last_joint();
    const Matrix3 &R_A = pose_of(joint.node_A).R, &R_B = pose_of(joint.node_B).R;
    const Vector3 across_A = a_A.cross(R_A.transpose() * (R_B * b_B)).normalized();
    const Vector3 across_B = b_B.cross(R_B.transpose() * (R_A * a_A)).normalized();
    const UniversalLimits limits = j.limits.value_or(UniversalLimits());
    add_arm(j.name, limits.angle_1, {across_A.cross(a_A), across_A, b_B}, false);
    std::optional<Limits> backwards = limits.angle_2;
    if (backwards) {
      std::swap(backwards->lower, backwards->upper);
      for (std::optional<double>* end : {&backwards->lower, &backwards->upper})
        if (*end) *end = -**end;
    }
    add_arm(j.name, backwards, {across_B.cross(b_B), across_B, a_A}, true);
  }

  void add_arm(const std::string& name, const std::optional<Limits>& limits, const TwistAngle& turn,
               bool is_reversed) {
    ArmAngle angle{.node_A = last_joint().node_A,
                   .node_B = last_joint().node_B,
                   .joint = *out_.elements.joints.back().joint,
                   .is_reversed = is_reversed,
                   .coordinate = turn};
    if (is_reversed) std::swap(angle.node_A, angle.node_B);
    angle.offset = turn.value(pair_of(angle.node_A, angle.node_B));
    angle.index = static_cast<int>(out_.configuration.angles.size());
    out_.configuration.angles.push_back(0.0);
    out_.elements.arm_angles.push_back(angle);
    if (!limits) return;
    add_stops(name, *limits,
              {.coordinate = turn,
               .offset = angle.offset,
               .angle = angle.index,
               .is_reversed = is_reversed});
  }

  void add_stops(const std::string& name, const Limits& limits, JointStop stop) {
    const JointElement& joint = last_joint();
    CompiledStop entry{.name = name,
                       .joint = *out_.elements.joints.back().joint,
                       .restitution = limits.restitution};
    ContactElement end{.node_A = joint.node_A, .node_B = joint.node_B};
    end.frame_A = joint.frame_A;
    end.frame_B = joint.frame_B;
    if (stop.is_reversed) {
      std::swap(end.node_A, end.node_B);
      std::swap(end.frame_A, end.frame_B);
    }
    const auto add = [&](const std::optional<double>& bound, double side) {
      if (!bound) return;
      stop.bound = *bound;
      stop.side = side;
      end.surface = stop;
      entry.ends.push_back(end);
    };
    add(limits.lower, 1);
    add(limits.upper, -1);
    stops_.push_back(std::move(entry));
  }

  void add_slide(const std::string& name, const JointFriction& friction, JointSlide slide) {
    slide.coefficient = friction.coefficient.value_or(0);
    if (friction.length) slide.arm = 2 / *friction.length;
    if (friction.radius) slide.length = *friction.radius;
    if (slide.displacement) slide.force = friction.force.value_or(0);
    if (slide.angle || slide.is_ball) slide.torque = friction.torque.value_or(0);
    const JointElement& joint = last_joint();
    ContactElement end{.node_A = joint.node_A, .node_B = joint.node_B};
    end.frame_A = joint.frame_A;
    end.frame_B = joint.frame_B;
    end.has_moments = slide.is_ball;
    end.surface = slide;
    stops_.push_back({.name = name, .joint = *out_.elements.joints.back().joint, .ends = {end}});
  }

  /// A collar slides and turns in one: force and moment share a bound that is round, as is what is
  /// given for one way alone.
  void add_collar(const std::string& name, const JointFriction& friction) {
    const JointElement& joint = last_joint();
    if (friction.coefficient) {
      return add_slide(name, friction, {.displacement = joint.displacement, .angle = joint.angle});
    }
    if (friction.force) add_slide(name, friction, {.displacement = joint.displacement});
    if (friction.torque) add_slide(name, friction, {.angle = joint.angle});
  }

  /// The frames are where the bodies touch: the second moves to the centre, its x along the axle.
  void put_at_centre(const Rolling& j, JointElement& joint) const {
    const NodePose& pose = pose_of(joint.node_B);
    const Vector3 n = joint.frame_A.axes(pose_of(joint.node_A)).col(2);
    Rim rim{.ring = 0, .rounding = j.radius};
    if (j.shape == RollingShape::Wheel) {
      rim = {.axle = j.axis_2->normalized(), .ring = j.radius - j.rounding, .rounding = j.rounding};
      joint.frame_B.E = pose.R.transpose() * frame_along(rim.axle);
    }
    joint.frame_B.d -= pose.R.transpose() * rim.lowest(n);
  }

  void add_joint(const Rolling& j) {
    JointElement joint = placed(j);
    if (j.between.empty()) put_at_centre(j, joint);
    if (j.shape == RollingShape::Wheel) {
      make_rolling_wheel(joint, j.radius, j.rounding);
    } else {
      make_rolling_sphere(joint, j.radius);
    }
    consider_frame(joint.node_B, joint.frame_B);
    consider_distance(joint.node_A, joint.node_B, j.radius);
    finish(j.name, std::move(joint), std::nullopt);
  }

  void add_joint(const KnifeEdge& j) {
    JointElement joint = placed(j);
    if (j.axis_2) {
      joint.frame_B.E = pose_of(joint.node_B).R.transpose() * frame_along(*j.axis_2);
    }
    make_knife_edge(joint);
    finish(j.name, std::move(joint), std::nullopt);
  }

  void add_joint(const Distance& j) {
    JointElement joint = placed(j.between, {}, std::nullopt, Matrix3::Identity());
    const PointDistance distance{joint.frame_A.d, joint.frame_B.d};
    const double initial = distance.value(pair_of(joint.node_A, joint.node_B));
    if (!j.limits) make_distance(joint, j.length.value_or(initial));
    consider_distance(joint.node_A, joint.node_B, initial);
    finish(j.name, std::move(joint), std::nullopt);
    if (j.limits) add_stops(j.name, *j.limits, {.coordinate = distance});
  }

  /// Of a flexible body every node is held.
  void add_joint(const Lock& j) {
    bool translation[3] = {}, rotation[3] = {};
    for (const Axis axis : j.translation) translation[static_cast<int>(axis)] = true;
    for (const Axis axis : j.rotation) rotation[static_cast<int>(axis)] = true;
    for (const int node : bodies_.nodes(j.body)) {
      JointElement joint;
      joint.node_B = node;
      joint.frame_B.d = bodies_.origin(j.body);
      joint.frame_B.E = pose_of(node).R.transpose();
      joint.frame_A.d = joint.frame_B.point(pose_of(node));
      make_lock(joint, translation, rotation);
      finish(j.name, std::move(joint), std::nullopt);
    }
  }

  void add_joint(const Screw& j) {
    add_simple(j, make_cylindrical, j.drive);
    JointElement joint = out_.elements.joints.back().element;
    const double way = j.pitch / (2 * std::numbers::pi);
    const JointElement turn = make_term(joint, -way);
    joint.angle.reset();
    const std::size_t entry = joint_entries_.back();
    const int index = static_cast<int>(joint_entries_.size()) - 1;
    add_terms(j.name, {make_term(joint, 1.0), turn}, index);
    joint_entries_.back() = entry;
  }

  // Couplings come when all joints are there; their entries are then put into the model's order.
  static void add_joint(const Gear&) {}
  static void add_joint(const Relation&) {}

  void add_couplings() {
    bool any = false;
    for (std::size_t i = 0; i < model_.joints.size(); ++i) {
      const auto index = static_cast<int>(i);
      if (const auto* gear = std::get_if<Gear>(&model_.joints[i])) {
        add_terms(gear->name, terms_of(gear->joints, {1.0, gear->ratio}), index);
      } else if (const auto* relation = std::get_if<Relation>(&model_.joints[i])) {
        add_terms(relation->name, terms_of(relation->joints, relation->coefficients), index);
      }
      any |= is_coupling(model_.joints[i]);
    }
    if (!any) return;
    std::vector<JointEntry>& entries = out_.elements.joints;
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.joint.value_or(-1) < b.joint.value_or(-1);
    });
    for (std::size_t i = entries.size(); i-- > 0;) {
      if (entries[i].joint) joint_entries_[static_cast<std::size_t>(*entries[i].joint)] = i;
    }
  }

  std::vector<JointElement> terms_of(const std::vector<JointId>& joints,
                                     const std::vector<double>& factors) const {
    std::vector<JointElement> terms;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const std::size_t entry = joint_entries_[static_cast<std::size_t>(joints[i].index)];
      terms.push_back(make_term(out_.elements.joints[entry].element, factors[i]));
    }
    return terms;
  }

  /// One row, an entry for each term.
  void add_terms(const std::string& name, const std::vector<JointElement>& terms, int joint) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      out_.elements.joints.push_back(
          {.name = name, .element = terms[i], .joint = joint, .is_term = true, .continues = i > 0});
    }
  }

  // ---- forces ---------------------------------------------------------------------------------
  void add_force(const Force& f) { add_load(f.on, f.value, AppliedLoad::Kind::Force); }
  void add_force(const Torque& f) { add_load(f.on, f.value, AppliedLoad::Kind::Torque); }

  /// A force on a node set is spread over its nodes.
  void add_load(const Frame& on, const std::array<TimeFunction, 3>& value, AppliedLoad::Kind kind) {
    const bool spread = kind == AppliedLoad::Kind::Force;
    const std::vector<Site> sites = spread ? bodies_.sites(on) : std::vector{bodies_.site(on)};
    const std::vector<double> shares = spread ? bodies_.shares(on) : std::vector{1.0};
    const std::array<CompiledFunction, 3> components = {
        compiled_function(value[0]), compiled_function(value[1]), compiled_function(value[2])};
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (spread) consider_frame(sites[i].node, sites[i].frame);
      out_.elements.loads.push_back({.node = sites[i].node,
                                     .kind = kind,
                                     .d = sites[i].frame.d,
                                     .share = shares[i],
                                     .components = components});
    }
  }

  void add_force(const SpringDamper& f) {
    ScalarSpring spring;
    const Site A = bodies_.site(f.between[0]), B = bodies_.site(f.between[1]);
    spring.node_A = A.node;
    spring.node_B = B.node;
    const PointDistance distance{A.frame.d, B.frame.d};
    const double initial = distance.value(pair_of(spring.node_A, spring.node_B));
    spring.coordinate = distance;
    spring.stiffness = f.stiffness;
    spring.damping = f.damping;
    spring.rest = f.rest_length.value_or(initial);
    consider_distance(spring.node_A, spring.node_B, std::max(initial, spring.rest));
    out_.elements.springs.push_back(spring);
  }

  void add_force(const TorsionalSpringDamper& f) {
    const JointElement& joint =
        out_.elements.joints[joint_entries_[static_cast<std::size_t>(f.joint.index)]].element;
    ScalarSpring spring;
    spring.node_A = joint.node_A;
    spring.node_B = joint.node_B;
    spring.coordinate = *joint.angle;
    spring.stiffness = f.stiffness;
    spring.damping = f.damping;
    spring.rest = joint.angle_offset + f.rest_angle;
    spring.angle = joint.angle_index;
    spring.angle_offset = joint.angle_offset;
    out_.elements.springs.push_back(spring);
  }

  static void add_force(const Actuator& /*f*/) {}  // add_actuators()

  void add_actuator(const Actuator& f) {
    const JointElement& joint =
        out_.elements.joints[joint_entries_[static_cast<std::size_t>(f.joint.index)]].element;
    ActuatorElement actuator{.name = f.name, .nodes = {joint.node_A, joint.node_B}, .law = {}};
    if (joint.angle) {
      actuator.coordinate = *joint.angle;
    } else {
      actuator.coordinate = *joint.displacement;
    }
    const auto* formula = std::get_if<Expression>(&f.value);
    if (formula != nullptr && names_states(formula->text)) {
      actuator.law =
          make_state_law(model_, out_.elements, out_.origin, formula->text, actuator.nodes);
    } else {
      actuator.law = compiled_function(f.value);
    }
    out_.elements.actuators.push_back(std::move(actuator));
  }

  void add_force(const Bushing& f) {
    BushingElement bushing;
    std::tie(bushing.node_A, bushing.frame_A) = site_of(f.between[0]);
    std::tie(bushing.node_B, bushing.frame_B) = site_of(f.between[1]);
    bushing.stiffness << f.stiffness, f.rotational_stiffness;
    bushing.damping << f.damping, f.rotational_damping;
    consider_frame(bushing.node_A, bushing.frame_A);
    consider_frame(bushing.node_B, bushing.frame_B);
    // Axes of B are those that are A's in this pose, so that rotations are small about them.
    const NodePair pair = pair_of(bushing.node_A, bushing.node_B);
    bushing.frame_B.E = pair.B.R.transpose() * bushing.frame_A.axes(pair.A);
    bushing.rest = bushing.deformation(pair);
    out_.elements.bushings.push_back(bushing);
  }

  void add_force(const UserForce& f) {
    UserForceElement user;
    user.name = f.name;
    user.law = f.law;
    user.origin = out_.origin;
    std::tie(user.node_A, user.frame_A) = site_of(f.between[0]);
    std::tie(user.node_B, user.frame_B) = site_of(f.between[1]);
    consider_frame(user.node_A, user.frame_A);
    consider_frame(user.node_B, user.frame_B);
    out_.elements.user_forces.push_back(std::move(user));
  }

  const Model& model_;
  double time_scale_;
  CompiledModel out_;
  BodyCompiler bodies_;
  std::vector<CompiledStop> stops_;
  std::vector<std::size_t> joint_entries_;  // of the model's joints, in the list of elements
};

}  // namespace

CompiledModel compile(const Model& model, double time_scale, const Vector3& origin) {
  return Compiler(model, time_scale, origin).run();
}

Vector3 far_origin(const CompiledModel& compiled) {
  constexpr double far = 64;  // sizes: six bits of 52 are lost up to there
  Eigen::AlignedBox3d scene;
  const auto take = [&](int node, const FrameOnNode& frame) {
    if (node == 0) scene.extend(frame.d);
  };
  for (std::size_t i = 1; i < compiled.configuration.nodes.size(); ++i) {
    const Vector3 size = Vector3::Constant(compiled.node_lengths[i]);
    scene.extend(compiled.configuration.nodes[i].x - size);
    scene.extend(compiled.configuration.nodes[i].x + size);
  }
  for (const JointEntry& joint : compiled.elements.joints) {
    take(joint.element.node_A, joint.element.frame_A);
    take(joint.element.node_B, joint.element.frame_B);
  }
  for (const auto* list : {&compiled.elements.places.colliders, &compiled.elements.places.forces}) {
    for (const std::vector<Site>& sites : *list) {
      for (const Site& site : sites) take(site.node, site.frame);
    }
  }
  const double size = scene.sizes().maxCoeff();
  const Vector3 centre = scene.center();
  if (!(size > 0) || !(centre.cwiseAbs().maxCoeff() > far * size)) return Vector3::Zero();
  const double grid = std::exp2(std::ceil(std::log2(size)));
  return grid * (centre / grid).array().round();
}

}  // namespace saltus
