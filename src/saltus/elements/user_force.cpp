// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/user_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/core/input_error.hpp"

namespace saltus {
namespace {

FrameMotion motion(const NodePose& node, const FrameOnNode& frame, const Vector6& v) {
  const Vector3 Omega = v.tail<3>();
  return {.position = frame.point(node),
          .rotation = frame.axes(node),
          .velocity = v.head<3>() + node.R * Omega.cross(frame.d),
          .angular_velocity = node.R * Omega};
}

bool is_finite(const FrameMotion& m) {
  return m.position.allFinite() && m.rotation.allFinite() && m.velocity.allFinite() &&
         m.angular_velocity.allFinite();
}

/// A force at a frame's origin and a torque, as a force on the node: a row of (18a).
Vector6 on_node(const NodePose& node, const FrameOnNode& frame, const Wrench& w) {
  Vector6 f;
  f << w.force, node.R.transpose() * w.torque + frame.d.cross(node.R.transpose() * w.force);
  return f;
}

/// What to change a number of this size by, for a difference quotient.
double increment(double size) {
  constexpr double root = 1.5e-8;      // of the round-off of 1
  return root * std::max(size, 1e-3);  // m, m/s or rad/s; a radian for rotations
}

}  // namespace

Vector12 UserForceElement::force(const NodePair& pair, const Vector12& v, double t) const {
  if (!law) return Vector12::Zero();
  FrameMotion A = motion(pair.A, frame_A, v.head<6>());
  FrameMotion B = motion(pair.B, frame_B, v.tail<6>());
  for (FrameMotion* frame : {&A, &B}) frame->position += origin;
  const Wrench w = law(t, A, B);
  if (!(w.force.allFinite() && w.torque.allFinite()) && is_finite(A) && is_finite(B)) {
    throw InputError(Issue{
        .place = fmt::format("force \"{}\"", name),
        .rule = fmt::format("its law must give finite numbers, at t = {:.6g} s", t),
        .value = fmt::format(
            "force ({:.6g}, {:.6g}, {:.6g}) N, torque ({:.6g}, {:.6g}, {:.6g}) N m", w.force.x(),
            w.force.y(), w.force.z(), w.torque.x(), w.torque.y(), w.torque.z()),
        .remedy = "the law is tried at states near the solution too: it must hold there as well"});
  }
  // (18a)
  const Wrench reaction{-w.force, -w.torque - (B.position - A.position).cross(w.force)};
  Vector12 f;
  f << on_node(pair.A, frame_A, reaction), on_node(pair.B, frame_B, w);
  return f;
}

UserForceElement::Tangents UserForceElement::tangents(const NodePair& pair, const Vector12& v,
                                                      double t) const {
  Tangents tangents;
  if (!law) return tangents;
  const Vector12 f = force(pair, v, t);
  const double size = std::max(pair.A.x.norm(), pair.B.x.norm());
  for (int j = 0; j < 12; ++j) {
    const bool of_A = j < 6, turns = j % 6 >= 3;
    const double d = increment(turns ? 1.0 : size);
    const Vector3 delta = d * Vector3::Unit(j % 3);
    const NodePose& node = of_A ? pair.A : pair.B;
    const NodePose moved = turns ? node.moved(Vector3::Zero(), delta) : node.translated(delta);
    const NodePair changed = of_A ? NodePair{moved, pair.B} : NodePair{pair.A, moved};
    tangents.K.col(j) = (f - force(changed, v, t)) / d;

    const int group = j / 3 * 3;
    const double d_v = increment(v.segment<3>(group).norm());
    Vector12 v_changed = v;
    v_changed[j] += d_v;
    tangents.C.col(j) = (f - force(pair, v_changed, t)) / d_v;
  }
  return tangents;
}

UserForceElement::Forces UserForceElement::forces(const PairView& at) const {
  const Instant& instant = at.input().at;
  return {instant.load_factor * force(at.poses(), at.velocity(), instant.time)};
}

bool UserForceElement::tangent(const PairView& at, const TangentFactors& factors,
                               Matrix12& A) const {
  const Instant& instant = at.input().at;
  Tangents t = tangents(at.poses(), at.velocity(), instant.time);
  t.K *= instant.load_factor;
  t.C *= instant.load_factor;
  set_tangent(t, at, factors, A);
  return true;
}

static_assert(Element<UserForceElement>);

}  // namespace saltus
