// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "saltus/model/model.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {

/// Models with every kind of body, joint and force element at random places. They are not meant to
/// move: the joints contradict each other. They are for derivatives.
class Zoo {
 public:
  explicit Zoo(unsigned seed) : random_(seed) {
    model_.gravity = random_.vector(10);
    for (int i = 0; i < 4; ++i) rigid_.push_back(model_.add(rigid_body(i)));
    for (int i = 0; i < 2; ++i) {
      points_.push_back(model_.add(PointMass{.mass = random_.uniform(0.5, 2),
                                             .pose = {.position = random_.vector(2)},
                                             .velocity = {.linear = random_.vector()}}));
    }
    add_joints();
    add_forces();
  }

  const Model& model() const { return model_; }

 private:
  RigidBody rigid_body(int i) {
    const Matrix3 R = random_.rotation();
    const Vector3 moments = random_.vector(0.4).cwiseAbs() + Vector3::Ones();
    const Inertia inertias[] = {
        ExplicitInertia{.mass = random_.uniform(0.5, 2),
                        .tensor = R * moments.asDiagonal() * R.transpose(),
                        .centre_of_mass = random_.vector(0.5)},
        solid_box(2, {0.7, 1.1, 1.6}), solid_cylinder(1.5, 0.8, 2, random_.direction()),
        ExplicitInertia{.mass = 1.2, .moments = moments, .centre_of_mass = random_.vector(0.5)}};
    return {.inertia = inertias[i],
            .pose = {.position = random_.vector(2), .rotation_vector = random_.vector(1.5)},
            .velocity = {.linear = random_.vector(), .angular = random_.vector()}};
  }

  /// One of the rigid bodies, or the ground.
  BodyId any_rigid() {
    const int i = static_cast<int>(random_.uniform(0, 4.99));
    return i == 4 ? ground_body : rigid_[static_cast<std::size_t>(i)];
  }
  std::vector<BodyId> two_rigid() {
    const BodyId first = any_rigid();
    BodyId second = any_rigid();
    while (second == first) second = any_rigid();
    return {first, second};
  }
  Frame frame_on(BodyId body) {
    return {.body = body, .position = random_.vector(), .rotation_vector = random_.vector(0.8)};
  }
  std::vector<Frame> two_frames() {
    const std::vector<BodyId> bodies = two_rigid();
    return {frame_on(bodies[0]), frame_on(bodies[1])};
  }
  /// Any point of a rigid body, the only one of a point mass.
  Vector3 point_on(BodyId body) {
    const bool is_point = std::find(points_.begin(), points_.end(), body) != points_.end();
    return is_point ? Vector3::Zero().eval() : random_.vector();
  }
  std::vector<Frame> two_points(BodyId first, BodyId second) {
    return {at(first, point_on(first)), at(second, point_on(second))};
  }

  template <class J>
  J placed() {
    J joint;
    joint.bodies = two_rigid();
    joint.at = random_.vector();
    if constexpr (requires { joint.axis; }) joint.axis = random_.vector();
    return joint;
  }
  template <class J>
  J framed() {
    J joint;
    joint.between = two_frames();
    return joint;
  }

  void add_joints() {
    model_.add(placed<Fixed>());
    model_.add(framed<Fixed>());
    model_.add(placed<Spherical>());
    Spherical to_point;
    to_point.between = two_points(rigid_[1], points_[0]);
    model_.add(to_point);
    turning_.push_back(model_.add(placed<Revolute>()));
    Revolute driven = placed<Revolute>();
    driven.drive = Position{Sine{.amplitude = 0.3, .frequency = 0.4, .phase = 0.5}};
    turning_.push_back(model_.add(driven));
    driven.drive = Speed{Expression{"1 + t^2"}};
    model_.add(driven);
    Prismatic sliding = placed<Prismatic>();
    model_.add(sliding);
    sliding.drive = Position{Expression{"0.3*t - t^2"}};
    model_.add(sliding);
    turning_.push_back(model_.add(placed<Cylindrical>()));
    Universal universal = placed<Universal>();
    universal.axis_2 = random_.vector();
    model_.add(universal);
    model_.add(framed<Universal>());
    model_.add(placed<Planar>());
    model_.add(placed<PointOnLine>());
    PointOnLine slot = framed<PointOnLine>();
    slot.between[1] = at(points_[1]);
    model_.add(slot);
    model_.add(placed<PointOnPlane>());
    model_.add(Distance{.between = two_points(rigid_[0], rigid_[2])});
    model_.add(Distance{.between = two_points(points_[0], rigid_[3]), .length = 1.3});
    model_.add(Lock{.body = rigid_[0], .translation = {Axis::X, Axis::Z}, .rotation = {Axis::Y}});
    model_.add(Lock{.body = rigid_[3], .rotation = {Axis::X, Axis::Z}});
    model_.add(Lock{.body = points_[1], .translation = {Axis::Y}});
  }

  std::array<TimeFunction, 3> components() {
    return {random_.uniform(-3, 3), Sine{.amplitude = 2, .frequency = 0.7}, Expression{"1 - 3*t"}};
  }

  void add_forces() {
    const auto spring = [&](BodyId first, BodyId second) {
      model_.add(SpringDamper{.between = two_points(first, second),
                              .stiffness = random_.uniform(2, 5),
                              .damping = random_.uniform(1, 2),
                              .rest_length = random_.uniform(0, 2)});
    };
    spring(ground_body, rigid_[0]);
    spring(rigid_[1], rigid_[2]);
    spring(rigid_[3], points_[0]);
    spring(points_[0], points_[1]);
    spring(points_[1], ground_body);
    for (const JointId joint : turning_) {
      model_.add(TorsionalSpringDamper{.joint = joint,
                                       .stiffness = random_.uniform(1, 3),
                                       .damping = random_.uniform(1, 3),
                                       .rest_angle = random_.uniform()});
    }
    const auto bushing = [&](BodyId first, BodyId second, bool rotational) {
      const auto positive = [&]() -> Vector3 {
        return random_.vector().cwiseAbs() + Vector3::Constant(0.5);
      };
      Bushing b{.between = {frame_on(first), frame_on(second)},
                .stiffness = positive(),
                .damping = positive()};
      if (rotational) {
        b.rotational_stiffness = positive();
        b.rotational_damping = positive();
      } else {
        b.between[1] = at(second);
      }
      model_.add(b);
    };
    bushing(ground_body, rigid_[1], true);
    bushing(rigid_[2], rigid_[3], true);
    bushing(rigid_[0], points_[1], false);
    model_.add(Force{.on = at(rigid_[0], random_.vector()), .value = components()});
    model_.add(Force{.on = at(points_[0]), .value = components()});
    model_.add(Torque{.on = at(rigid_[3]), .value = components()});
  }

  Random random_;
  Model model_;
  std::vector<BodyId> rigid_, points_;
  std::vector<JointId> turning_;
};

}  // namespace saltus::test
