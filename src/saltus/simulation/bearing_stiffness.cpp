// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/bearing_stiffness.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

using lie::hat;
using Matrix6x5 = Eigen::Matrix<double, 6, 5>;
using Matrix2 = Eigen::Matrix2d;
using Matrix3x2 = Eigen::Matrix<double, 3, 2>;

/// Of the matrix of a ball in its plane; what it is free to do, along cylinders, takes no part.
Matrix2 inverse_of(const Matrix2& K) {
  constexpr double free = 1e-12;
  const double trace = K.trace(), determinant = K.determinant();
  if (!(trace > 0)) return Matrix2::Zero();
  if (determinant > free * trace * trace) return K.inverse();
  return K / (trace * trace);
}

/// One compliant contact at rest.
struct AtRest {
  Matrix12 K;
  Vector12 f;

  AtRest(const System& system, const State& state, int contact) {
    const CompliantContact& e = system.elements().compliant[static_cast<std::size_t>(contact)];
    const NodePair q = system.pair(state.configuration, e.contact.node_A, e.contact.node_B);
    const ContactMemory& memory = state.configuration.contacts[static_cast<std::size_t>(e.memory)];
    K = e.tangents(q, Vector12::Zero(), memory.time, memory).K;
    f = e.forces(q, Vector12::Zero(), memory.time, memory).elastic;
  }
};

/// How a race moves, and what forces on its node are about its centre.
class RaceMotion {
 public:
  RaceMotion(const NodePose& node, const FrameOnNode& frame, const Matrix3& axes)
      : R_(node.R), arm_(node.x - frame.point(node)), axes_(axes) {}

  /// Of the node: dx, and rotation in its axes.
  Matrix6x5 of_node() const {
    Matrix6x5 T;
    T.topLeftCorner<3, 3>() = axes_;
    T.topRightCorner<3, 2>() = -hat(arm_) * axes_.leftCols<2>();
    T.bottomLeftCorner<3, 3>().setZero();
    T.bottomRightCorner<3, 2>() = R_.transpose() * axes_.leftCols<2>();
    return T;
  }
  /// −∂(force, moment)/∂u, the forces on the node having the slope −K, and turning with it.
  Matrix5 stiffness(const Matrix6x5& K, const Vector6& f) const {
    const Vector3 F = f.head<3>(), moment = R_ * f.tail<3>();
    Eigen::Matrix<double, 3, 5> rows = R_ * K.bottomRows<3>() + hat(arm_) * K.topRows<3>();
    for (int j = 0; j < 2; ++j) {
      const Vector3 phi = axes_.col(j);
      rows.col(3 + j) -= phi.cross(moment) + phi.cross(arm_).cross(F);
    }
    Matrix5 out;
    out.topRows<3>() = axes_.transpose() * K.topRows<3>();
    out.bottomRows<2>() = axes_.leftCols<2>().transpose() * rows;
    return out;
  }

 private:
  Matrix3 R_;
  Vector3 arm_;
  Matrix3 axes_;
};

const NodePose& pose_of(const Configuration& q, const ElasticRace& race) {
  return q.nodes[static_cast<std::size_t>(race.node)];
}

/// Of the inner race, seen from the outer one.
RelativePose seen_from_outer(const Configuration& q, const ElasticRace& inner,
                             const ElasticRace& outer) {
  const NodePose &i = pose_of(q, inner), &o = pose_of(q, outer);
  const Matrix3 axes = outer.frame.axes(o);
  return {axes.transpose() * inner.frame.axes(i),
          axes.transpose() * (inner.frame.point(i) - outer.frame.point(o))};
}

}  // namespace

Vector5 race_displacement(const System& system, const State& state, const ElasticRace& inner,
                          const ElasticRace& outer) {
  const RelativePose was = seen_from_outer(system.given_configuration(), inner, outer);
  const RelativePose is = seen_from_outer(state.configuration, inner, outer);
  Vector5 u;
  u << is.p - was.p, lie::so3::log(is.R * was.R.transpose()).head<2>();
  return u;
}

Matrix5 bearing_stiffness(const System& system, const State& state, const ElasticRace& inner,
                          const ElasticRace& outer) {
  const NodePose& o = pose_of(state.configuration, outer);
  const Matrix3 axes = outer.frame.axes(o);
  const RaceMotion race(pose_of(state.configuration, inner), inner.frame, axes);
  const Matrix6x5 T = race.of_node();
  Matrix5 total = Matrix5::Zero();
  for (std::size_t k = 0; k < inner.contacts.size(); ++k) {
    const AtRest on_inner(system, state, inner.contacts[k]);
    const AtRest on_outer(system, state, outer.contacts[k]);
    const auto contact = static_cast<std::size_t>(inner.contacts[k]);
    const ContactElement& e = system.elements().compliant[contact].contact;
    const Vector3 place = system.pair(state.configuration, e.node_A, e.node_B).B.x;
    const Vector3 z = axes.col(2), r = place - outer.frame.point(o);
    Matrix3x2 plane;
    plane << (r - z.dot(r) * z).normalized(), z;
    const Matrix3 K_ball = on_inner.K.block<3, 3>(6, 6) + on_outer.K.block<3, 3>(6, 6);
    const Eigen::Matrix<double, 3, 5> pull = on_inner.K.block<3, 6>(6, 0) * T;
    const Eigen::Matrix<double, 2, 5> follows =
        -inverse_of(plane.transpose() * K_ball * plane) * (plane.transpose() * pull);
    const Matrix6x5 K =
        on_inner.K.block<6, 6>(0, 0) * T + on_inner.K.block<6, 3>(0, 6) * (plane * follows);
    total += race.stiffness(K, on_inner.f.head<6>());
  }
  return total;
}

}  // namespace saltus
