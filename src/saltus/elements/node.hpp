// SPDX-License-Identifier: Apache-2.0
#pragma once

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
