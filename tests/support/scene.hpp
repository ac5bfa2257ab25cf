// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "saltus/dynamics/initial_state.hpp"
#include "saltus/lie/so3.hpp"

// Systems of a body or two in a few lines, and what momentum and energy say of them.
// Sizes, masses and speeds are of the order of 1: tolerances of 1e-15 to 1e-12 are round-off, those
// of 1e-11 to 1e-9 what Newton's method and the contact solver are asked for, 1e-10 and 1e-12.
namespace saltus::test {

inline constexpr double g_0 = 9.81;

/// A model compiled, at the start of a run. Node 0 is the ground, node i the i-th body.
struct Scene {
  System system;
  KktSolver kkt;
  State state;

  explicit Scene(const Model& model)
      : system(model), kkt(system), state(initial_state(system, kkt)) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const NodePose& node(int i) const {
    return state.configuration.nodes[static_cast<std::size_t>(i)];
  }
  int first_unknown(int node) const {
    return system.nodes()[static_cast<std::size_t>(node)].first_unknown;
  }
  Vector3 linear(const VectorX& v, int node) const { return v.segment<3>(first_unknown(node)); }
  Vector3 angular(const VectorX& v, int node) const {
    return v.segment<3>(first_unknown(node) + 3);
  }
  VectorX momentum(const Configuration& q, const VectorX& v) const {
    VectorX p(system.velocities());
    system.mass_times(q, v, p);
    return p;
  }
  VectorX violation(const Configuration& q, double time = 0) const {
    VectorX g(system.constraints());
    system.constraints(q, time, g);
    return g;
  }
  VectorX rates(const Configuration& q, const VectorX& v, double time = 0) const {
    VectorX gdot(system.constraints());
    system.constraint_rates(q, v, time, gdot);
    return gdot;
  }
  /// f + Gᵀλ without inertia.
  VectorX forces(const Configuration& q, const VectorX& v, const VectorX& lambda,
                 double time = 0) const {
    ForceTerms terms;
    terms.resize(system.velocities());
    VectorX r(system.velocities());
    const VectorX zero = VectorX::Zero(system.velocities());
    system.forces(q, v, zero, {.time = time}, lambda, terms);
    terms.residual(r);
    return -r;
  }
  double gap(const Configuration& q, ContactIndex i = 0) const {
    const ContactElement e = system.elements().contacts.point(i, q).element;
    return e.gap(system.pair(q, e.node_A, e.node_B));
  }
  double energy(const Configuration& q, const VectorX& v) const {
    return system.kinetic_energy(q, v) + system.gravity_energy(q) + system.elastic_energy(q);
  }
};

/// Sum of forces (or momenta) and of moments about the origin, inertial components.
inline Vector6 resultant(const System& system, const Configuration& q, const VectorX& f) {
  Vector6 sum = Vector6::Zero();
  for (std::size_t i = 0; i < system.nodes().size(); ++i) {
    const Node& node = system.nodes()[i];
    if (node.unknowns == 0) continue;
    const Vector3 force = f.segment<3>(node.first_unknown);
    sum.head<3>() += force;
    sum.tail<3>() += q.nodes[i].x.cross(force);
    if (node.turns()) {
      sum.tail<3>() += q.nodes[i].R * f.segment<3>(node.first_unknown + 3);
    }
  }
  return sum;
}

inline Configuration moved(const System& system, const Configuration& q, const VectorX& increment) {
  Configuration result = q;
  advance(q, system.nodes(), increment, result);
  return result;
}

inline BodyId add_ball(Model& model, const std::string& name, double mass, double radius,
                       const Vector3& position, const Twist& velocity = {}) {
  const BodyId body = model.add(RigidBody{.name = name,
                                          .inertia = solid_sphere(mass, radius),
                                          .pose = {.position = position},
                                          .velocity = velocity});
  model.add(Collider{.name = "skin_of_" + name, .frame = at(body), .shape = Sphere{radius}});
  return body;
}

struct BallBody {
  double mass = 1;
  double radius = 0.5;
  Vector3 position = Vector3::Zero();
  Twist velocity = {};
};

/// Two balls that may touch, without gravity.
inline Model two_balls(const BallBody& first, const BallBody& second, Contact contact) {
  Model model;
  model.gravity.setZero();
  add_ball(model, "first", first.mass, first.radius, first.position, first.velocity);
  add_ball(model, "second", second.mass, second.radius, second.position, second.velocity);
  contact.between = {"skin_of_first", "skin_of_second"};
  model.add(contact);
  return model;
}

/// A ball over the floor z = 0.
inline Model ball_on_floor(const BallBody& ball, Contact contact) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  add_ball(model, "ball", ball.mass, ball.radius, ball.position, ball.velocity);
  contact.between = {"floor", "skin_of_ball"};
  model.add(contact);
  return model;
}

/// A box with its four lower corners on the floor z = 0.
inline Model box_on_floor(double mass, const Vector3& size, const Twist& velocity,
                          Contact contact) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId box = model.add(RigidBody{.name = "box",
                                         .inertia = solid_box(mass, size),
                                         .pose = {.position = {0, 0, size.z() / 2}},
                                         .velocity = velocity});
  model.add(Collider{.name = "corners", .frame = at(box), .shape = Box{size}});
  contact.between = {"floor", "corners"};
  model.add(contact);
  return model;
}

/// Two boxes hinged to the ground and to each other, about axes that are not parallel.
inline Model skew_pendulum(const Vector3& spin = {0, 0, 0}) {
  Model model;
  const BodyId upper = model.add(RigidBody{.name = "upper",
                                           .inertia = solid_box(1.0, {1, 0.1, 0.2}),
                                           .pose = {.position = {0.5, 0, 0}},
                                           .velocity = {.angular = spin}});
  const BodyId lower = model.add(RigidBody{.name = "lower",
                                           .inertia = solid_box(2.0, {0.8, 0.2, 0.1}),
                                           .pose = {.position = {1.4, 0, 0}},
                                           .velocity = {.angular = -spin}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), upper},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0.2)});
  model.add(Revolute{.name = "elbow",
                     .bodies = {upper, lower},
                     .at = Vector3(1, 0, 0),
                     .axis = Vector3(0.3, 1, 0)});
  return model;
}

/// Two point masses on the x axis and a spring between them, without gravity.
inline Model spring_pair(double first, double second, double stiffness, double stretch,
                         double damping = 0) {
  Model model;
  model.gravity.setZero();
  const BodyId a = model.add(PointMass{.name = "first", .mass = first});
  const BodyId b = model.add(
      PointMass{.name = "second", .mass = second, .pose = {.position = {1 + stretch, 0, 0}}});
  model.add(SpringDamper{
      .between = {at(a), at(b)}, .stiffness = stiffness, .damping = damping, .rest_length = 1});
  return model;
}

/// The whole model after the motion p ↦ R p + x of space, gravity and ground included.
inline Model carried(Model model, const Matrix3& R, const Vector3& x) {
  const auto carry_frame = [&](Frame& frame) {
    if (frame.body != model.ground()) return;
    frame.position = R * frame.position + x;
    frame.rotation_vector = lie::so3::log(Matrix3(R * frame.rotation()));
    frame.orientation.reset();
  };
  model.gravity = R * model.gravity;
  for (Body& body : model.bodies) {
    std::visit(
        [&](auto& b) {
          if constexpr (requires { b.velocity.linear; }) {
            b.velocity.linear = R * b.velocity.linear;
            b.velocity.angular = R * b.velocity.angular;
            if constexpr (std::is_same_v<std::decay_t<decltype(b)>, RigidBody>) {
              b.pose.rotation_vector = lie::so3::log(Matrix3(R * b.pose.rotation()));
              b.pose.orientation.reset();
            }
            if constexpr (requires { b.pose; }) b.pose.position = R * b.pose.position + x;
          }
        },
        body);
  }
  for (Joint& joint : model.joints) {
    std::visit(
        [&](auto& j) {
          if constexpr (requires { j.between; }) {
            for (Frame& frame : j.between) carry_frame(frame);
          }
          if constexpr (requires { j.at; }) {
            if (j.at) j.at = Vector3(R * *j.at + x);
          }
          if constexpr (requires { j.axis; }) {
            if (j.axis) j.axis = Direction(R * *j.axis);
          }
        },
        joint);
  }
  for (ForceElement& force : model.forces) {
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.between; }) {
            for (Frame& frame : f.between) carry_frame(frame);
          }
        },
        force);
  }
  for (Collider& collider : model.colliders) carry_frame(collider.frame);
  return model;
}

}  // namespace saltus::test
