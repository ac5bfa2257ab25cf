// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/core/archive.hpp"
#include "saltus/model/types.hpp"

namespace saltus {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Row12 = Eigen::Matrix<double, 1, 12>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The place of a node on ℝ³×SO(3). The quaternion is the truth, R its matrix kept beside it.
struct NodePose {
  Vector3 x = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
  Matrix3 R = Matrix3::Identity();

  static NodePose from(const Vector3& position, const Matrix3& rotation);
  /// The pose moved by dx and turned by the material rotation vector psi: (x + dx, R exp ψ̂).
  NodePose moved(const Vector3& dx, const Vector3& psi) const;
  NodePose translated(const Vector3& dx) const { return {x + dx, orientation, R}; }

  void archive(Archive& memory) { memory(x, orientation.coeffs(), R); }
};

/// What coordinates a node has.
enum class NodeKind {
  Fixed,  ///< none: the ground
  Point,  ///< a place, ℝ³
  Frame   ///< a place and axes that turn, ℝ³×SO(3)
};

/// The coordinates of one node: a block of unknowns that knows how to advance. What depends on the
/// kind of coordinates is said here and nowhere else, so that a new kind is a new case of these
/// functions; the compiler names those that miss it. Rates are ẋ, or (ẋ, Ω) with ẋ in inertial and
/// Ω in body axes.
struct Node {
  NodeKind kind = NodeKind::Fixed;
  int first_unknown = -1;  ///< −1 if there is none
  int unknowns = 0;        ///< 0, 3 or 6

  /// The block of this kind that begins at `first`.
  static Node make(NodeKind kind, int first);

  bool turns() const { return kind == NodeKind::Frame; }
  /// Whether the i-th of its unknowns is a rotation.
  bool is_rotation(int i) const { return i >= 3; }
  bool contains(int unknown) const {
    return unknown >= first_unknown && unknown < first_unknown + unknowns;
  }
  /// What messages call the i-th of its unknowns: "translation x", "rotation z".
  std::string unknown_name(int i) const;

  /// end = start ∘ exp(increment): x + Δx, R exp ψ̂ (docs/theory/rotations.md). Without unknowns
  /// `end` stays what it is.
  void advance(const NodePose& start, const VectorX& increment, NodePose& end) const;
  /// T(ψ) between the rates of the increment and those of the node, Ω = T(ψ) ψ̇; without rotations
  /// `T` stays what it is.
  void set_tangent_operator(const VectorX& increment, Matrix3& T) const;

  /// Its entries of a global vector, zeros for what it has not.
  Vector6 local(const VectorX& v) const {
    Vector6 out = Vector6::Zero();
    switch (kind) {
      case NodeKind::Fixed:
        break;
      case NodeKind::Point:
        out.head<3>() = v.segment<3>(first_unknown);
        break;
      case NodeKind::Frame:
        out = v.segment<6>(first_unknown);
        break;
    }
    return out;
  }
  /// Adds to its entries of a global vector; the rest of `f` acts on nothing.
  void add(const Vector6& f, VectorX& out) const {
    switch (kind) {
      case NodeKind::Fixed:
        break;
      case NodeKind::Point:
        out.segment<3>(first_unknown) += f.head<3>();
        break;
      case NodeKind::Frame:
        out.segment<6>(first_unknown) += f;
        break;
    }
  }
};

/// A frame fixed on a node: origin d and axes E (columns), both in the node's axes.
struct FrameOnNode {
  Vector3 d = Vector3::Zero();
  Matrix3 E = Matrix3::Identity();

  Vector3 point(const NodePose& node) const { return node.x + node.R * d; }
  Matrix3 axes(const NodePose& node) const { return node.R * E; }
};

/// Two nodes seen by one element, unknowns in the order (x_A, Θ_A, x_B, Θ_B); velocities are
/// (ẋ, Ω) with ẋ in inertial and Ω in body axes.
struct NodePair {
  const NodePose& A;
  const NodePose& B;
};

}  // namespace saltus
