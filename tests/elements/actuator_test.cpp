// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/actuator.hpp"

#include <gtest/gtest.h>

#include "saltus/lie/so3.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace actuator_test {

using namespace test;

constexpr double unwrapped = 20;  // rad, an angle that has been turned three times

/// Three bodies: a joint between the first two, a formula that sees all of them.
struct Scene {
  std::vector<Node> nodes = {Node::make(NodeKind::Fixed, 0), Node::make(NodeKind::Frame, 0),
                             Node::make(NodeKind::Frame, 6), Node::make(NodeKind::Frame, 12)};
  std::vector<NodePose> poses = std::vector<NodePose>(4);
  VectorX v = VectorX::Zero(18);
  std::vector<double> angles = {unwrapped};
  ActuatorElement actuator;

  explicit Scene(Random& random, bool turns) {
    for (std::size_t i = 1; i < 4; ++i) poses[i] = random.pose();
    for (int i = 0; i < 18; ++i) v[i] = random.uniform(-2, 2);
    const Matrix3 E = random.rotation();
    const TwistAngle twist{E.col(0), E.col(1), E.col(0)};
    poses[2].R = poses[1].R * E * lie::so3::exp({0.1, 0.2, unwrapped + 0.3}) * E.transpose();
    poses[2] = NodePose::from(poses[2].x, poses[2].R);
    const Dot2 way{E.col(2), random.vector(), random.vector()};
    if (turns) {
      actuator.coordinate = twist;
    } else {
      actuator.coordinate = way;
    }
    actuator.nodes = {1, 2, 0, 3};
    StateLaw law{StateFormula(
        "3*sin(j.angle)*j.rate - b.velocity.y^2 + b.position.x*b.spin.z + t*j.displacement")};
    const Vector3 d = random.vector();
    law.terms = {
        {{.node_A = 1, .node_B = 2, .coordinate = twist, .angle = 0}, 0, 1, 0},
        {{.node_A = 1, .node_B = 2, .coordinate = twist, .is_rate = true}, 0, 1, 1},
        {{.node_B = 3, .coordinate = Dot2{Vector3::UnitY(), {0, 0, 0}, d}, .is_rate = true},
         2,
         3,
         2},
        {{.node_B = 3, .coordinate = Dot2{Vector3::UnitX(), {0, 0, 0}, d}}, 2, 3, 3},
        {{.node_B = 3, .coordinate = SpinComponent{2}}, 2, 3, 4},
        {{.node_A = 1, .node_B = 2, .coordinate = way}, 0, 1, 5}};
    actuator.law = law;
  }

  ElementInput input() const {
    return {.nodes = nodes, .poses = poses, .angles = angles, .at = {.time = 0.7}, .velocity = &v};
  }
  VectorX force() const {
    const ElementInput in = input();
    VectorX f = VectorX::Zero(18);
    const StateView at(in, actuator.node_ids());
    at.add(actuator.forces(at).applied, f);
    return f;
  }
  /// The element's matrix with the rows and columns of the whole.
  Eigen::MatrixXd tangent(const TangentFactors& factors) const {
    const ElementInput in = input();
    const StateView at(in, actuator.node_ids());
    StateView::Matrix A;
    EXPECT_TRUE(actuator.tangent(at, factors, A));
    const std::vector<int> unknowns = at.unknowns();
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(18, 18);
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      for (std::size_t k = 0; k < unknowns.size(); ++k) {
        if (unknowns[i] < 0 || unknowns[k] < 0) continue;
        whole(unknowns[i], unknowns[k]) += A(static_cast<int>(i), static_cast<int>(k));
      }
    }
    return whole;
  }
};

template <class Check>
void at_random_scenes(const Check& check) {
  Random random(11);
  for (int i = 0; i < 40; ++i) check(Scene(random, i % 2 == 0));
}

TEST(Actuator, StiffnessIsTheDerivativeByPlaces) {
  at_random_scenes([](const Scene& scene) {
    Eigen::MatrixXd D(18, 18);
    for (int k = 0; k < 18; ++k) {
      D.col(k) = derivative([&](double s) -> VectorX {
        Scene moved = scene;
        NodePose& node = moved.poses[static_cast<std::size_t>(1 + k / 6)];
        const Vector3 step = s * Vector3::Unit(k % 3);
        node = k % 6 < 3 ? node.translated(step) : node.moved(Vector3::Zero(), step);
        return moved.force();
      });
    }
    EXPECT_LT((scene.tangent({.stiffness = 1}) + D).norm(), 1e-7 * (1 + D.norm()));
  });
}

TEST(Actuator, DampingIsTheDerivativeByVelocities) {
  at_random_scenes([](const Scene& scene) {
    const auto force = [&](const VectorX& v) {
      Scene moved = scene;
      moved.v = v;
      return moved.force();
    };
    const Eigen::MatrixXd D = vector_derivative(force, scene.v);
    EXPECT_LT((scene.tangent({.damping = 1}) + D).norm(), 1e-8 * (1 + D.norm()));
  });
}

TEST(Actuator, PowerIsEffortTimesRate) {
  at_random_scenes([](const Scene& scene) {
    const ElementInput in = scene.input();
    const StateView at(in, scene.actuator.node_ids());
    const double power = scene.actuator.effort(at) * scene.actuator.rate(at);
    EXPECT_NEAR(scene.force().dot(scene.v), power, 1e-11 * (1 + std::abs(power)));
  });
}

// As the points of a contact do.
TEST(Actuator, TermsOfOneStateAreAdded) {
  at_random_scenes([](Scene scene) {
    StateLaw law{StateFormula("2*a.force")};
    const std::vector<StateLaw::Term> given = std::get<StateLaw>(scene.actuator.law).terms;
    law.terms = {given[2], given[3]};
    for (StateLaw::Term& term : law.terms) term.state = 0;
    scene.actuator.law = law;
    const ElementInput in = scene.input();
    const StateView at(in, scene.actuator.node_ids());
    const double sum =
        given[2].coordinate.value(at.pair(2, 3)) + given[3].coordinate.value(at.pair(2, 3));
    EXPECT_DOUBLE_EQ(scene.actuator.effort(at), 2 * sum);
    const auto force = [&](const VectorX& v) {
      Scene moved = scene;
      moved.v = v;
      return moved.force();
    };
    const Eigen::MatrixXd D = vector_derivative(force, scene.v);
    EXPECT_LT((scene.tangent({.damping = 1}) + D).norm(), 1e-8 * (1 + D.norm()));
  });
}

TEST(Actuator, AnAngleIsThatOfItsTurns) {
  at_random_scenes([](const Scene& scene) {
    const ElementInput in = scene.input();
    const StateView at(in, scene.actuator.node_ids());
    const auto& law = std::get<StateLaw>(scene.actuator.law);
    EXPECT_NEAR(law.terms[0].coordinate.value(at.pair(0, 1)), unwrapped + 0.3, 0.5);
  });
}

}  // namespace actuator_test
}  // namespace saltus
