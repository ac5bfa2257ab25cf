// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/node.hpp"

#include <gtest/gtest.h>

#include "saltus/lie/so3.hpp"

namespace saltus::node_test {
namespace {

const std::vector<NodeKind> kinds = {NodeKind::Fixed, NodeKind::Point, NodeKind::Frame};

VectorX increment() { return VectorX::LinSpaced(9, 0.1, 0.9); }

TEST(Node, HasTheUnknownsOfItsKind) {
  EXPECT_EQ(Node::make(NodeKind::Fixed, 7).unknowns, 0);
  EXPECT_EQ(Node::make(NodeKind::Fixed, 7).first_unknown, -1);
  EXPECT_EQ(Node::make(NodeKind::Point, 7).unknowns, 3);
  EXPECT_EQ(Node::make(NodeKind::Frame, 7).unknowns, 6);
  EXPECT_EQ(Node::make(NodeKind::Frame, 7).first_unknown, 7);
  EXPECT_FALSE(Node::make(NodeKind::Fixed, 0).contains(-1));
  EXPECT_TRUE(Node::make(NodeKind::Point, 3).contains(5));
  EXPECT_FALSE(Node::make(NodeKind::Point, 3).contains(6));
}

TEST(Node, NamesItsUnknowns) {
  const Node node = Node::make(NodeKind::Frame, 0);
  EXPECT_EQ(node.unknown_name(1), "translation y");
  EXPECT_EQ(node.unknown_name(5), "rotation z");
}

TEST(Node, AdvancesWhatItHas) {
  const NodePose start =
      NodePose::from(Vector3(1, 2, 3), lie::so3::exp_quaternion(Vector3(0.3, -0.2, 0.1)).matrix());
  for (const NodeKind kind : kinds) {
    const Node node = Node::make(kind, 3);
    NodePose end = start;
    node.advance(start, increment(), end);
    const Vector3 dx = kind == NodeKind::Fixed ? Vector3::Zero().eval() : Vector3(0.4, 0.5, 0.6);
    const Vector3 psi = node.turns() ? Vector3(0.7, 0.8, 0.9) : Vector3::Zero().eval();
    EXPECT_LT((end.x - start.x - dx).norm(), 1e-14);
    EXPECT_LT((end.R - start.R * lie::so3::exp_quaternion(psi).matrix()).norm(), 1e-14);
  }
}

// Whoever is moved by nothing because others are still moved keeps every digit.
TEST(Node, AdvancingByNothingChangesNoDigit) {
  const Node node = Node::make(NodeKind::Frame, 0);
  for (int i = 0; i < 100; ++i) {
    const Vector3 turn(0.01 * i, 0.3 - 0.02 * i, 0.7);
    const NodePose start = NodePose().moved(Vector3(1, 2, 3), turn);
    NodePose end;
    node.advance(start, VectorX::Zero(6), end);
    EXPECT_EQ(end.orientation.coeffs(), start.orientation.coeffs()) << i;
    EXPECT_EQ(end.R, start.R) << i;
  }
}

TEST(Node, OperatorIsThatOfItsRotation) {
  Matrix3 T = Matrix3::Identity();
  Node::make(NodeKind::Point, 3).set_tangent_operator(increment(), T);
  EXPECT_EQ(T, Matrix3::Identity());
  Node::make(NodeKind::Frame, 3).set_tangent_operator(increment(), T);
  EXPECT_EQ(T, lie::so3::tangent(increment().segment<3>(6)));
}

TEST(Node, AddingIsTheTransposeOfReading) {
  const Vector6 f = Vector6::LinSpaced(1, 2);
  for (const NodeKind kind : kinds) {
    const Node node = Node::make(kind, 3);
    VectorX out = VectorX::Zero(9);
    node.add(f, out);
    EXPECT_EQ(out.head(3), VectorX::Zero(3));
    EXPECT_NEAR(out.dot(increment()), f.dot(node.local(increment())), 1e-14);
  }
}

}  // namespace
}  // namespace saltus::node_test
