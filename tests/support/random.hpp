// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "saltus/elements/node.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus::test {

/// Random things from a fixed seed: a test is the same on every run.
class Random {
 public:
  explicit Random(unsigned seed = 1) : generator_(seed) {}

  double uniform(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Vector3 vector(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vector3 direction() { return vector().normalized(); }
  VectorX vector_x(int n, double size = 1) {
    VectorX v(n);
    for (double& entry : v) entry = uniform(-size, size);
    return v;
  }
  /// Any rotation with an angle up to `angle`.
  Matrix3 rotation(double angle = 3.1) {
    return lie::so3::exp(uniform(-angle, angle) * direction());
  }
  NodePose pose(double size = 1) { return NodePose::from(vector(size), rotation()); }
  FrameOnNode frame() { return {vector(), rotation()}; }
  Vector12 velocity() { return vector_x(12, 2); }

 private:
  std::mt19937 generator_;
};

}  // namespace saltus::test
