// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/load.hpp"

#include <gtest/gtest.h>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace load_test {

using namespace test;

AppliedLoad random_load(Random& random, AppliedLoad::Kind kind) {
  AppliedLoad load;
  load.kind = kind;
  load.d = random.vector();
  load.components = {CompiledFunction(random.uniform()),
                     CompiledFunction(Sine{.amplitude = random.uniform(), .offset = 0.4}),
                     CompiledFunction(Expression{"2*t - 1"})};
  return load;
}

TEST(AppliedLoad, ComponentsAreFunctionsOfTime) {
  AppliedLoad load;
  load.components = {CompiledFunction(3.0),
                     CompiledFunction(Sine{.amplitude = 2, .frequency = 0.25}),
                     CompiledFunction(Expression{"t^2"})};
  EXPECT_LE((load.vector(1) - Vector3(3, 2, 1)).norm(), 1e-14);
  EXPECT_LE((load.vector(2) - Vector3(3, 0, 4)).norm(), 1e-14);
}

// The power of a force is its product with the velocity of its point, that of a torque its product
// with the angular velocity.
TEST(AppliedLoad, PowerIsThatOfTheInertialVector) {
  Random random;
  Agreement force("force"), torque("torque");
  for (int sample = 0; sample < 50; ++sample) {
    const NodePose pose = random.pose();
    const Vector6 v = random.vector_x(6);
    AppliedLoad load = random_load(random, AppliedLoad::Kind::Force);
    const auto point = [&](double t) -> Vector3 {
      const NodePose moved = pose.moved(t * v.head<3>(), t * v.tail<3>());
      return moved.x + moved.R * load.d;
    };
    force.compare(load.force(pose, 0.3).dot(v), load.vector(0.3).dot(derivative(point)));
    load.kind = AppliedLoad::Kind::Torque;
    torque.compare(load.force(pose, 0.3).dot(v), load.vector(0.3).dot(pose.R * v.tail<3>()));
  }
  force.expect_within(1e-11);
  torque.expect_within(1e-14);
}

TEST(AppliedLoad, TangentIsMinusTheForcesDerivative) {
  Random random;
  Agreement agreement("tangent");
  for (int sample = 0; sample < 50; ++sample) {
    for (const auto kind : {AppliedLoad::Kind::Force, AppliedLoad::Kind::Torque}) {
      const AppliedLoad load = random_load(random, kind);
      const NodePose A = random.pose(), B;
      const auto force = [&](const NodePair& p) -> VectorX { return load.force(p.A, 0.8); };
      Eigen::Matrix<double, 6, 12> K = Eigen::Matrix<double, 6, 12>::Zero();
      K.block<3, 3>(3, 3) = load.rotation_tangent(A, 0.8);
      agreement.compare(K, -pose_derivative(force, {A, B}));
    }
  }
  agreement.expect_within(1e-11);
}

}  // namespace load_test
}  // namespace saltus
