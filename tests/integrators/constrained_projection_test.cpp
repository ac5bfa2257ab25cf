// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "saltus/linalg/decompositions.hpp"
#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace constrained_projection_test {

using namespace test;

/// Two hinged bars, the second with a round tip on the floor.
Model bars_on_floor(double friction) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId a = model.add(RigidBody{
      .name = "a", .inertia = solid_box(1, {1, 0.1, 0.2}), .pose = {.position = {0.5, 0, 0.2}}});
  const BodyId b = model.add(RigidBody{
      .name = "b", .inertia = solid_box(3, {1, 0.2, 0.1}), .pose = {.position = {1.5, 0, 0.2}}});
  model.add(Spherical{.bodies = {model.ground(), a}, .at = Vector3(0, 0, 0.2)});
  model.add(Revolute{.bodies = {a, b}, .at = Vector3(1, 0, 0.2), .axis = Vector3(0, 1, 0.1)});
  model.add(Collider{.name = "tip", .frame = at(b, {0.5, 0, 0}), .shape = Sphere{0.2}});
  model.add(Contact{.between = {"floor", "tip"}, .friction = friction});
  return model;
}

/// A basis of the velocities that the joints and the rows of the closed points allow.
MatrixX allowed_motions(const ClosedScene& scene, const Configuration& q) {
  const int n = scene.system.velocities(), n_c = scene.system.constraints();
  MatrixX rows(n_c + 3 * static_cast<int>(scene.motion.points().size()), n);
  rows.setZero();
  for (int i = 0; i < n; ++i) rows.col(i).head(n_c) = scene.rates(q, VectorX::Unit(n, i));
  int row = n_c;
  for (const ClosedPoint& p : scene.motion.points()) {
    const ContactElement& e = p.element();
    const NodePair pair = scene.system.pair(q, e.node_A, e.node_B);
    const ContactElement::Rows H = e.jacobian(pair, e.axes(pair, p.from));
    for (int k = 0; k < (p.mode == ContactStatus::Stick ? 3 : 1); ++k, ++row) {
      VectorX whole = VectorX::Zero(n);
      scene.system.scatter(Vector12(H.row(k).transpose()), e.node_A, e.node_B, whole);
      rows.row(row) = whole.transpose();
    }
  }
  const linalg::PivotedQr qr(rows.topRows(row).transpose(), 1e-9);
  return qr.Q().rightCols(n - qr.rank());
}

Configuration perturbed_by(const ClosedScene& scene, Random& random, double size) {
  return moved(scene.system, scene.state.configuration,
               random.vector_x(scene.system.velocities(), size));
}

TEST(ConstrainedProjection, OfPositionsMeetsJointsAndGaps) {
  ClosedScene scene(bars_on_floor(0.3));
  Random random;
  for (int i = 0; i < 10; ++i) {
    Configuration q = perturbed_by(scene, random, 0.02);
    ASSERT_GT(scene.violation(q).norm() + std::abs(scene.gap(q)), 1e-3);
    scene.motion.project_position(0, q);
    // Round-off of a mechanism of the size of 2 m.
    EXPECT_LE(scene.violation(q).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LE(std::abs(scene.gap(q)), 1e-13);
    const Configuration once = q;
    scene.motion.project_position(0, q);
    EXPECT_LE((q.nodes[2].x - once.nodes[2].x).norm(), 1e-13);  // nothing is left to do
  }
}

// (5): the way is normal, in the metric of the mass, to all that the constraints allow.
TEST(ConstrainedProjection, OfPositionsIsTheLeastMotionInTheMetricOfTheMass) {
  ClosedScene scene(bars_on_floor(0));
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    const double size = 1e-4;
    const VectorX away = random.vector_x(scene.system.velocities(), size);
    Configuration q = moved(scene.system, scene.state.configuration, away);
    const Configuration from = q;
    scene.motion.project_position(0, q);
    VectorX way(scene.system.velocities());
    for (std::size_t n = 1; n <= 2; ++n) {
      const int k = scene.first_unknown(static_cast<int>(n));
      way.segment<3>(k) = q.nodes[n].x - from.nodes[n].x;
      way.segment<3>(k + 3) = lie::so3::log(Matrix3(from.nodes[n].R.transpose() * q.nodes[n].R));
    }
    const VectorX M_way = scene.momentum(q, way);
    const VectorX along = allowed_motions(scene, q).transpose() * M_way;
    EXPECT_GT(M_way.norm(), 0.1 * size);
    EXPECT_LE(along.norm(), 10 * size * M_way.norm());  // rows turn by the perturbation
  }
}

// A ball is lifted along the normal: neither its place on the floor nor its rotation changes.
TEST(ConstrainedProjection, OfPositionsMovesAFreeBodyAlongTheNormal) {
  ClosedScene scene(ball_on_floor({.mass = 2, .position = {0.3, -0.2, 0.5}}, {.friction = 1.0}),
                    ContactStatus::Stick);
  const VectorX away = (VectorX(6) << 0.01, 0.02, -0.03, 0.1, 0.2, 0.3).finished();
  Configuration q = moved(scene.system, scene.state.configuration, away);
  const Configuration from = q;
  scene.motion.project_position(0, q);
  EXPECT_LE((q.nodes[1].x - Vector3(0.31, -0.18, 0.5)).norm(), 1e-15);
  EXPECT_LE((q.nodes[1].R - from.nodes[1].R).norm(), 1e-15);
  EXPECT_EQ(scene.point().mode, ContactStatus::Stick);
}

// Of two free balls each moves by its share: the centre of mass stays.
TEST(ConstrainedProjection, OfPositionsKeepsTheCentreOfMass) {
  ClosedScene scene(two_balls({.mass = 1}, {.mass = 3, .position = {1, 0, 0}}, {}));
  VectorX away = VectorX::Zero(12);
  away.segment<3>(0) = Vector3(0.1, 0.05, 0);
  Configuration q = moved(scene.system, scene.state.configuration, away);
  const Vector3 centre = (q.nodes[1].x + 3 * q.nodes[2].x) / 4;
  scene.motion.project_position(0, q);
  EXPECT_NEAR((q.nodes[1].x - q.nodes[2].x).norm(), 1, 1e-14);
  EXPECT_LE(((q.nodes[1].x + 3 * q.nodes[2].x) / 4 - centre).norm(), 1e-14);
}

// Gauss: the velocity that is nearest in the kinetic metric. Pythagoras between the energies.
TEST(ConstrainedProjection, OfVelocitiesIsTheNearestInTheMetricOfTheMass) {
  Random random(4);
  for (const ContactStatus mode : {ContactStatus::Slip, ContactStatus::Stick}) {
    ClosedScene scene(bars_on_floor(0.3), mode);
    const Configuration& q = scene.state.configuration;
    const VectorX before = random.vector_x(scene.system.velocities());
    VectorX v = before;
    scene.motion.project_velocity(q, 0, v);
    EXPECT_LE(scene.rates(q, v).norm(), 1e-13);
    EXPECT_NEAR(scene.point().velocity[0], 0, 1e-13);
    const VectorX taken = before - v;
    const MatrixX Z = allowed_motions(scene, q);
    ASSERT_EQ(Z.cols(), 12 - scene.system.constraints() - (mode == ContactStatus::Stick ? 3 : 1));
    EXPECT_LE((Z.transpose() * scene.momentum(q, taken)).norm(), 1e-12);
    const auto T = [&](const VectorX& w) { return scene.system.kinetic_energy(q, w); };
    EXPECT_NEAR(T(before), T(v) + T(taken), 1e-12);
    EXPECT_EQ(scene.point().mode, mode);
  }
}

TEST(ConstrainedProjection, OfVelocitiesTakesTheSlipOfStickingPointsOnly) {
  const Twist twist{.linear = {2, 1, -0.3}};
  const Model model =
      ball_on_floor({.mass = 2, .position = {0, 0, 0.5}, .velocity = twist}, {.friction = 0.5});
  ClosedScene slips(model), sticks(model, ContactStatus::Stick);
  VectorX v = slips.state.velocity;
  slips.motion.project_velocity(slips.state.configuration, 0, v);
  EXPECT_LE((slips.linear(v, 1) - Vector3(2, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(slips.angular(v, 1).norm(), 0);
  v = sticks.state.velocity;
  sticks.motion.project_velocity(sticks.state.configuration, 0, v);
  // Angular momentum about the point of contact is kept: a solid ball rolls with 5/7 of the speed.
  EXPECT_LE((sticks.linear(v, 1) - 5.0 / 7 * Vector3(2, 1, 0)).norm(), 1e-14);
  EXPECT_LE(sticks.point().velocity.norm(), 1e-14);
}

TEST(ConstrainedProjection, LeavesFreeBodiesAlone) {
  ClosedScene scene(ball_on_floor({.position = {0, 0, 2}, .velocity = {.linear = {1, 2, -3}}}, {}));
  ASSERT_TRUE(scene.motion.points().empty());
  VectorX v = scene.state.velocity;
  Configuration q = scene.state.configuration;
  scene.motion.project_position(0, q);
  scene.motion.project_velocity(q, 0, v);
  EXPECT_EQ(v, scene.state.velocity);
  EXPECT_EQ(q.nodes[1].x, scene.node(1).x);
}

}  // namespace constrained_projection_test
}  // namespace saltus
