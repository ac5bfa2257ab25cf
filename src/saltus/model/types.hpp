// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>

namespace saltus {

using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Quaternion = Eigen::Quaterniond;

/// A direction in space; any length but zero. In files a vector, or "x", "y", "z".
struct Direction : Vector3 {
  using Vector3::Vector3;
  Direction() : Vector3(0, 0, 1) {}
  Direction(const Vector3& v) : Vector3(v) {}  // NOLINT: a vector is a direction
};

/// A vector or direction that may be absent; `{x, y, z}` writes it like one that never is.
template <class V>
struct Maybe : std::optional<V> {
  Maybe() = default;
  Maybe(const V& v) : std::optional<V>(v) {}                             // NOLINT: as optional
  Maybe(double x, double y, double z) : std::optional<V>(V(x, y, z)) {}  // NOLINT: as V
  Maybe(std::nullopt_t /*absent*/) {}                                    // NOLINT: as optional
  template <class Expression>
  Maybe(const Eigen::MatrixBase<Expression>& v) : std::optional<V>(V(v)) {}  // NOLINT: as V
};

}  // namespace saltus
