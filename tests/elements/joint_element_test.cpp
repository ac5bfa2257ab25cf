// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_element.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "saltus/linalg/decompositions.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace joint_element_test {

using namespace test;
using Rows = JointElement::Rows;
using RowMatrix = JointElement::RowMatrix;

constexpr double pi = std::numbers::pi;
constexpr int samples = 20;

/// Where frame B is seen from frame A.
struct Placement {
  Vector3 displacement = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
};

/// A kind of joint: how it is made, how many equations it has, and a random motion it allows.
struct Kind {
  const char* name;
  int rows;
  std::function<void(JointElement&)> make;
  std::function<Placement(Random&)> allowed;
};

Matrix3 turn(double angle, int axis = 2) { return lie::so3::exp(angle * Vector3::Unit(axis)); }
Vector3 slide(Random& random) { return {0, 0, random.uniform()}; }
Vector3 in_plane(Random& random) { return {random.uniform(), random.uniform(), 0}; }
double angle(Random& random) { return random.uniform(-3, 3); }

/// Any orientation in which x is not near the first frame's z, where derivatives grow without
/// bound.
Matrix3 leaning(Random& random) {
  for (;;) {
    const Matrix3 R = random.rotation();
    if (std::abs(R(2, 0)) < 0.7) return R;
  }
}

/// A wheel in such an orientation whose lowest point is in the plane; its axle is the second
/// frame's x.
Placement on_the_plane(Random& random, double radius, double rounding) {
  const Matrix3 R = leaning(random);
  const double height = (radius - rounding) * R.block<2, 1>(0, 0).norm() + rounding;
  return {in_plane(random) + Vector3(0, 0, height), R};
}

DriveFunction sine_drive() {
  return {CompiledFunction(Sine{.amplitude = 0.4, .frequency = 0.7}), false};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list = {
      {"fixed", 6, make_fixed, [](Random&) { return Placement{}; }},
      {"spherical", 3, make_spherical,
       [](Random& r) {
         return Placement{Vector3::Zero(), r.rotation()};
       }},
      {"revolute", 5, make_revolute,
       [](Random& r) {
         return Placement{Vector3::Zero(), turn(angle(r))};
       }},
      {"cylindrical", 4, make_cylindrical,
       [](Random& r) {
         return Placement{slide(r), turn(angle(r))};
       }},
      {"prismatic", 5, make_prismatic,
       [](Random& r) {
         return Placement{slide(r), Matrix3::Identity()};
       }},
      // Arms: z of A and x of B, perpendicular if B turns about z of A, then about its own x.
      {"universal", 4,
       [](JointElement& j) { make_universal(j, j.frame_A.E.col(2), j.frame_B.E.col(0), 0); },
       [](Random& r) {
         return Placement{Vector3::Zero(), turn(angle(r)) * turn(angle(r), 0)};
       }},
      {"oblique universal", 4,
       [](JointElement& j) {
         make_universal(j, j.frame_A.E.col(2), j.frame_B.E * Vector3(0.8, 0, 0.6), 0.6);
       },
       [](Random& r) {
         return Placement{Vector3::Zero(),
                          turn(angle(r)) * lie::so3::exp(angle(r) * Vector3(0.8, 0, 0.6))};
       }},
      {"planar", 3, make_planar,
       [](Random& r) {
         return Placement{in_plane(r), turn(angle(r))};
       }},
      {"point on line", 2, make_point_on_line,
       [](Random& r) {
         return Placement{slide(r), r.rotation()};
       }},
      {"point on plane", 1, make_point_on_plane,
       [](Random& r) {
         return Placement{in_plane(r), r.rotation()};
       }},
      {"distance", 1, [](JointElement& j) { make_distance(j, 1.5); },
       [](Random& r) {
         return Placement{1.5 * r.direction(), r.rotation()};
       }},
      {"rolling sphere", 3, [](JointElement& j) { make_rolling_sphere(j, 0.4); },
       [](Random& r) {
         return Placement{in_plane(r) + Vector3(0, 0, 0.4), r.rotation()};
       }},
      {"rolling disc", 3, [](JointElement& j) { make_rolling_wheel(j, 0.5, 0); },
       [](Random& r) { return on_the_plane(r, 0.5, 0); }},
      {"rolling wheel", 3, [](JointElement& j) { make_rolling_wheel(j, 0.5, 0.2); },
       [](Random& r) { return on_the_plane(r, 0.5, 0.2); }},
      {"knife edge", 1, make_knife_edge,
       [](Random& r) {
         return Placement{r.vector(), leaning(r)};
       }},
      {"driven revolute", 6,
       [](JointElement& j) {
         make_revolute(j);
         j.angle_offset = 0.25;
         add_drive(j, sine_drive());
       },
       [](Random&) {
         return Placement{Vector3::Zero(), turn(0.25)};
       }},
      {"driven prismatic", 6,
       [](JointElement& j) {
         make_prismatic(j);
         j.displacement_offset = 0.25;
         add_drive(j, sine_drive());
       },
       [](Random&) {
         return Placement{{0, 0, 0.25}, Matrix3::Identity()};
       }}};
  return list;
}

JointElement random_joint(const Kind& kind, Random& random) {
  JointElement joint;
  joint.frame_A = random.frame();
  joint.frame_B = random.frame();
  kind.make(joint);
  return joint;
}

/// The pose of B that puts its frame where `placement` says.
NodePose placed(const JointElement& j, const NodePose& A, const Placement& placement) {
  const Matrix3 axes = j.frame_A.axes(A);
  const Matrix3 R = axes * placement.rotation * j.frame_B.E.transpose();
  return NodePose::from(j.frame_A.point(A) + axes * placement.displacement - R * j.frame_B.d, R);
}

VectorX constraint(const JointElement& j, const NodePair& pair, double t = 0) {
  Rows g;
  j.constraint(pair, t, g);
  return g;
}
RowMatrix jacobian(const JointElement& j, const NodePair& pair) {
  RowMatrix G;
  j.jacobian(pair, G);
  return G;
}

/// Of rows that hold positions; 0 where a row holds a velocity alone.
template <class Matrix>
Matrix of_positions(const JointElement& j, Matrix rows) {
  for (int row = 0; row < j.rows(); ++row) {
    if (j.is_slip(row)) rows.row(row).setZero();
  }
  return rows;
}

/// Calls check(joint, pair, random) for joints of one kind that hold (off = 0), or whose second
/// node is displaced and turned by about `off`.
template <class Check>
void at_random_states(const Kind& kind, double off, const Check& check) {
  Random random(3);
  for (int sample = 0; sample < samples; ++sample) {
    const JointElement joint = random_joint(kind, random);
    const NodePose A = random.pose();
    NodePose B = placed(joint, A, kind.allowed(random));
    if (off > 0) B = B.moved(random.vector(off), random.vector(off));
    check(joint, NodePair{A, B}, random);
  }
}

TEST(JointElement, HasTheRightNumberOfIndependentEquations) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    at_random_states(kind, 0, [&](const JointElement& joint, const NodePair& pair, Random&) {
      EXPECT_EQ(joint.rows(), kind.rows);
      const RowMatrix G = jacobian(joint, pair);
      ASSERT_EQ(G.rows(), kind.rows);
      EXPECT_EQ(linalg::PivotedQr(G, 1e-6).rank(), kind.rows);
      // So do the columns of either body alone: a joint to the ground loses no equation.
      EXPECT_EQ(linalg::PivotedQr(G.leftCols<6>(), 1e-6).rank(), kind.rows);
      EXPECT_EQ(linalg::PivotedQr(G.rightCols<6>(), 1e-6).rank(), kind.rows);
    });
  }
}

TEST(JointElement, HoldsForTheMotionsItAllows) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    at_random_states(kind, 0, [&](const JointElement& joint, const NodePair& pair, Random&) {
      EXPECT_LE(constraint(joint, pair).cwiseAbs().maxCoeff(), 3e-15);
    });
  }
}

TEST(JointElement, IsViolatedByOtherMotions) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    at_random_states(kind, 0.3, [&](const JointElement& joint, const NodePair& pair, Random&) {
      if (joint.is_slip(0)) return;  // holds at every position
      EXPECT_GE(constraint(joint, pair).cwiseAbs().maxCoeff(), 1e-4);
    });
  }
}

TEST(JointElement, JacobianIsDerivativeOfConstraint) {
  Agreement agreement("jacobian");
  for (const double off : {0.0, 0.2}) {
    for (const Kind& kind : kinds()) {
      at_random_states(kind, off, [&](const JointElement& joint, const NodePair& pair, Random&) {
        const auto g = [&](const NodePair& p) { return constraint(joint, p, 0.4); };
        agreement.compare(of_positions(joint, jacobian(joint, pair)), pose_derivative(g, pair));
      });
    }
  }
  agreement.expect_within(1e-10);
}

TEST(JointElement, HessianIsDerivativeOfTheConstraintForce) {
  Agreement agreement("hessian");
  for (const double off : {0.0, 0.2}) {
    for (const Kind& kind : kinds()) {
      at_random_states(kind, off,
                       [&](const JointElement& joint, const NodePair& pair, Random& random) {
                         const Rows lambda = random.vector_x(joint.rows());
                         const auto force = [&](const NodePair& p) -> VectorX {
                           return jacobian(joint, p).transpose() * lambda;
                         };
                         Matrix12 H = Matrix12::Zero();
                         joint.add_hessian(pair, lambda, H);
                         agreement.compare(H, pose_derivative(force, pair));
                         if (!joint.couples_nodes()) {
                           EXPECT_TRUE((H.topRightCorner<6, 6>().isZero(0)));
                           EXPECT_TRUE((H.bottomLeftCorner<6, 6>().isZero(0)));
                         }
                       });
    }
  }
  agreement.expect_within(1e-10);
}

TEST(JointElement, RateGradientIsDerivativeOfTheRate) {
  Agreement agreement("rate gradient");
  for (const double off : {0.0, 0.2}) {
    for (const Kind& kind : kinds()) {
      at_random_states(
          kind, off, [&](const JointElement& joint, const NodePair& pair, Random& random) {
            const Vector12 v = random.velocity();
            const auto rate = [&](const NodePair& p) -> VectorX { return jacobian(joint, p) * v; };
            RowMatrix V;
            joint.rate_gradient(pair, v, V);
            agreement.compare(V, pose_derivative(rate, pair));
          });
    }
  }
  agreement.expect_within(1e-10);
}

TEST(JointElement, RateIsDerivativeOfTheConstraintInTime) {
  Agreement agreement("rate");
  for (const Kind& kind : kinds()) {
    at_random_states(kind, 0.2,
                     [&](const JointElement& joint, const NodePair& pair, Random& random) {
                       const Vector12 v = random.velocity();
                       const double t_0 = 0.3;
                       VectorX rate = of_positions(joint, jacobian(joint, pair)) * v;
                       rate[joint.rows() - 1] += joint.time_rate(t_0);
                       const auto g = [&](double t) -> VectorX {
                         return constraint(joint, MovedPair(pair, v, t).pair(), t_0 + t);
                       };
                       agreement.compare(rate, derivative(g));
                     });
  }
  agreement.expect_within(1e-9);
}

// Newton's third law: the joint's forces on the two bodies balance, on and off the manifold.
TEST(JointElement, ForcesAndMomentsBalance) {
  Agreement agreement("resultant"), rigid("rigid velocity");
  for (const double off : {0.0, 0.2}) {
    for (const Kind& kind : kinds()) {
      at_random_states(
          kind, off, [&](const JointElement& joint, const NodePair& pair, Random& random) {
            const RowMatrix G = jacobian(joint, pair);
            Vector12 v = rigid_velocity(pair, random.vector(), Vector3::Zero());
            rigid.compare(G * v, VectorX::Zero(joint.rows()));
            if (joint.coincident && off > 0) return;  // forces apart from each other have a moment
            const Rows lambda = random.vector_x(joint.rows());
            agreement.compare(resultant(pair, G.transpose() * lambda), Vector6::Zero());
            v = rigid_velocity(pair, random.vector(), random.vector());
            rigid.compare(G * v, VectorX::Zero(joint.rows()));
          });
    }
  }
  agreement.expect_within(1e-13);
  rigid.expect_within(1e-13);
}

TEST(JointElement, RowsInMetresAreNotAngular) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    at_random_states(kind, 0.2, [&](const JointElement& joint, const NodePair& pair, Random&) {
      const RowMatrix G = jacobian(joint, pair);
      for (int row = 0; row < joint.rows(); ++row) {
        EXPECT_EQ(joint.is_angular(row), (G.block<1, 3>(row, 6).isZero(0)));
      }
    });
  }
}

// ---- slips
// --------------------------------------------------------------------------------------

Vector3 velocity_at(const NodePose& pose, const Vector6& v, const Vector3& point) {
  return v.head<3>() + (pose.R * v.tail<3>()).cross(point - pose.x);
}

TEST(Rim, LowestPointIsTheLowestOfAllItsPoints) {
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    const Rim rim{random.vector(), random.direction(), 0.5, sample % 2 == 0 ? 0 : 0.2};
    const Vector3 n = random.direction();
    const Vector3 lowest = rim.lowest(n);
    double least = std::numeric_limits<double>::infinity();
    const Vector3 e_1 = rim.axle.unitOrthogonal(), e_2 = rim.axle.cross(e_1);
    for (int i = 0; i < 1000; ++i) {
      const double phi = 2 * pi * i / 1000;
      const Vector3 circle = rim.centre + rim.ring * (std::cos(phi) * e_1 + std::sin(phi) * e_2);
      least = std::min(least, n.dot(circle) - rim.rounding);
      EXPECT_GE(n.dot(circle) - rim.rounding, n.dot(lowest) - 1e-14);
    }
    EXPECT_NEAR(n.dot(lowest), least, 0.5 * 0.5 * std::pow(pi / 1000, 2));
    // It lies on the rim: at the distance of the rounding from the circle.
    const Vector3 profile = lowest + rim.rounding * n - rim.centre;
    EXPECT_NEAR(profile.norm(), rim.ring, 1e-14);
    EXPECT_NEAR(profile.dot(rim.axle), 0, 1e-14);
  }
}

TEST(JointElement, RollingRowsAreTheSlipWhereTheBodiesTouch) {
  for (const double ring : {0.0, 0.3}) {
    const Kind kind{"wheel", 3, [=](JointElement& j) { make_rolling_wheel(j, ring + 0.2, 0.2); },
                    [=](Random& r) { return on_the_plane(r, ring + 0.2, 0.2); }};
    at_random_states(kind, 0, [&](const JointElement& j, const NodePair& pair, Random& random) {
      const Vector12 v = random.velocity();
      const Matrix3 plane = j.frame_A.axes(pair.A);
      const Vector3 n = plane.col(2);
      const Rim rim{j.frame_B.d, j.frame_B.E.col(0), ring, 0.2};
      const Vector3 touch = pair.B.x + pair.B.R * rim.lowest(pair.B.R.transpose() * n);
      const Vector3 slip =
          velocity_at(pair.B, v.tail<6>(), touch) - velocity_at(pair.A, v.head<6>(), touch);
      EXPECT_LE((jacobian(j, pair) * v -
                 VectorX(Vector3(n.dot(slip), plane.col(0).dot(slip), plane.col(1).dot(slip))))
                    .norm(),
                1e-14);
    });
  }
}

TEST(JointElement, KnifeEdgeHoldsTheVelocityAcrossItInThePlane) {
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    JointElement j;
    j.frame_A = random.frame();
    j.frame_B = random.frame();
    make_knife_edge(j);
    const NodePair pair{random.pose(), random.pose()};
    const Vector12 v = random.velocity();
    const Vector3 n = j.frame_A.axes(pair.A).col(2), edge = j.frame_B.axes(pair.B).col(0);
    const Vector3 point = j.frame_B.point(pair.B);
    const Vector3 slip =
        velocity_at(pair.B, v.tail<6>(), point) - velocity_at(pair.A, v.head<6>(), point);
    EXPECT_NEAR((jacobian(j, pair) * v)[0], n.cross(edge).normalized().dot(slip), 1e-14);
  }
}

// ---- drives
// --------------------------------------------------------------------------------------

TEST(DriveFunction, RatesAreDerivativesOfTheTarget) {
  const TimeFunction functions[] = {2.5,
                                    Sine{.amplitude = 2, .frequency = 0.3, .phase = 1, .offset = 4},
                                    Expression{"3*t^3 - 2*t + sin(t)"}};
  for (const TimeFunction& function : functions) {
    for (const bool is_speed : {false, true}) {
      const DriveFunction drive{CompiledFunction(function), is_speed};
      for (const double t : {0.1, 0.45, 0.9}) {
        const auto target = [&](double s) { return drive.target(t + s); };
        const auto rate = [&](double s) { return drive.rate(t + s); };
        EXPECT_NEAR(drive.rate(t), derivative(target), 1e-9);
        EXPECT_NEAR(drive.second_rate(t), derivative(rate), 1e-6);
      }
      if (is_speed) {
        EXPECT_EQ(drive.target(0), 0);
      }
    }
  }
}

TEST(DriveFunction, SpeedIsTheRate) {
  const DriveFunction drive{CompiledFunction(Expression{"6*t"}), true};
  EXPECT_NEAR(drive.target(0.5), 0.75, 1e-14);
  EXPECT_NEAR(drive.rate(0.5), 3, 1e-14);
  EXPECT_NEAR(drive.second_rate(0.5), 6, 1e-9);
}

TEST(JointElement, TimeRatesAreThoseOfTheDrivenRow) {
  Random random;
  for (const char* name : {"driven revolute", "driven prismatic"}) {
    for (const Kind& kind : kinds()) {
      if (kind.name != std::string(name)) continue;
      const JointElement joint = random_joint(kind, random);
      const NodePose A = random.pose(), B = placed(joint, A, kind.allowed(random));
      const double t_0 = 0.2;
      const auto g = [&](double t) -> VectorX { return constraint(joint, {A, B}, t_0 + t); };
      const auto rate = [&](double t) { return joint.time_rate(t_0 + t); };
      VectorX expected = VectorX::Zero(6);
      expected[5] = joint.time_rate(t_0);
      EXPECT_LE((derivative(g) - expected).norm(), 1e-10);
      EXPECT_NEAR(derivative(rate), joint.time_second_rate(t_0), 1e-8);
      EXPECT_GT(std::abs(joint.time_rate(t_0)), 0.1);
    }
  }
  const JointElement passive = random_joint(kinds()[2], random);
  EXPECT_EQ(passive.time_rate(1), 0);
  EXPECT_EQ(passive.time_second_rate(1), 0);
}

TEST(JointElement, AngleDriveGoesOnOverManyTurns) {
  Random random;
  JointElement joint;
  joint.frame_A = random.frame();
  joint.frame_B = random.frame();
  make_revolute(joint);
  joint.angle_offset = 0.7;
  add_drive(joint, {CompiledFunction(5.0), true});
  const NodePose A = random.pose();
  for (double t = 0; t < 20; t += 0.1) {
    const NodePose B = placed(joint, A, {Vector3::Zero(), turn(0.7 + 5 * t)});
    EXPECT_LE(constraint(joint, {A, B}, t).cwiseAbs().maxCoeff(), 1e-13) << t;
    const NodePose ahead = placed(joint, A, {Vector3::Zero(), turn(0.7 + 5 * t + 0.2)});
    EXPECT_NEAR(constraint(joint, {A, ahead}, t)[5], 0.2, 1e-13) << t;
  }
}

TEST(JointElement, DisplacementDriveIsNotWrapped) {
  JointElement joint;
  make_prismatic(joint);
  add_drive(joint, {CompiledFunction(100.0), false});
  const NodePose A, B = NodePose::from({0, 0, 7}, Matrix3::Identity());
  EXPECT_NEAR(constraint(joint, {A, B})[5], -93, 1e-13);
}

// ---- coordinates
// ---------------------------------------------------------------------------------

TEST(JointElement, CoordinatesAreThoseOfTheSecondFrame) {
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    JointElement joint;
    joint.frame_A = random.frame();
    joint.frame_B = random.frame();
    make_cylindrical(joint);
    joint.displacement_offset = 0.3;
    const double theta = angle(random), s = random.uniform();
    const NodePose A = random.pose(), B = placed(joint, A, {{0, 0, s}, turn(theta)});
    EXPECT_NEAR(joint.angle->value({A, B}), theta, 1e-13);
    EXPECT_NEAR(joint.displacement_value({A, B}), s - 0.3, 1e-14);
  }
}

// ---- locks
// ---------------------------------------------------------------------------------------

struct LockedAxes {
  bool translation[3], rotation[3];

  explicit LockedAxes(int subset) {
    for (int i = 0; i < 3; ++i) {
      translation[i] = (subset >> i & 1) != 0;
      rotation[i] = (subset >> (i + 3) & 1) != 0;
    }
  }
  int count() const {
    int n = 0;
    for (int i = 0; i < 3; ++i) n += translation[i] + rotation[i];
    return n;
  }
};

/// The velocities of the two nodes when A rests and frame B moves along or turns about an axis of
/// A.
Vector12 motion_along(const JointElement& j, const NodePair& pair, int axis) {
  const Vector3 e = j.frame_A.axes(pair.A).col(axis % 3);
  Vector12 v = Vector12::Zero();
  if (axis < 3) {
    v.segment<3>(6) = e;
  } else {
    v.segment<3>(6) = e.cross(pair.B.x - j.frame_B.point(pair.B));
    v.segment<3>(9) = pair.B.R.transpose() * e;
  }
  return v;
}

TEST(Lock, HoldsExactlyTheAxesNamed) {
  Random random;
  for (int subset = 0; subset < 64; ++subset) {
    SCOPED_TRACE(subset);
    const LockedAxes axes(subset);
    JointElement joint;
    joint.frame_A = random.frame();
    joint.frame_B = random.frame();
    make_lock(joint, axes.translation, axes.rotation);
    const NodePose A = random.pose(), B = placed(joint, A, {});
    const NodePair pair{A, B};
    ASSERT_EQ(joint.rows(), axes.count());
    if (joint.rows() == 0) continue;
    EXPECT_LE(constraint(joint, pair).cwiseAbs().maxCoeff(), 1e-15);
    const RowMatrix G = jacobian(joint, pair);
    EXPECT_EQ(linalg::PivotedQr(G.rightCols<6>(), 1e-12).rank(), axes.count());
    for (int axis = 0; axis < 6; ++axis) {
      const bool held = axis < 3 ? axes.translation[axis] : axes.rotation[axis - 3];
      const double rate = (G * motion_along(joint, pair, axis)).norm();
      EXPECT_NEAR(rate, held ? 1 : 0, 1e-14) << "axis " << axis;
    }
  }
}

TEST(Lock, LeavesTheFreeMotionsFreeAtAnyDistance) {
  Random random;
  for (int subset = 0; subset < 64; ++subset) {
    SCOPED_TRACE(subset);
    const LockedAxes axes(subset);
    JointElement joint;
    joint.frame_A = random.frame();
    joint.frame_B = random.frame();
    make_lock(joint, axes.translation, axes.rotation);
    const NodePose A = random.pose();
    Placement free;
    for (int i = 0; i < 3; ++i) {
      if (!axes.translation[i]) free.displacement[i] = random.uniform(-2, 2);
    }
    int turning = 0;
    for (int i = 0; i < 3; ++i) turning += !axes.rotation[i];
    for (int i = 0; i < 3; ++i) {
      if (turning == 1 && !axes.rotation[i]) free.rotation = turn(random.uniform(-3, 3), i);
    }
    if (turning == 3) free.rotation = random.rotation();
    const NodePose B = placed(joint, A, free);
    const VectorX g = constraint(joint, {A, B});
    if (g.size() > 0) {
      EXPECT_LE(g.cwiseAbs().maxCoeff(), 3e-15);
    }
  }
}

TEST(Lock, DerivativesAgreeWithFiniteDifferences) {
  Random random;
  Agreement first("jacobian"), second("hessian");
  for (int subset = 1; subset < 64; ++subset) {
    const LockedAxes axes(subset);
    JointElement joint;
    joint.frame_A = random.frame();
    joint.frame_B = random.frame();
    make_lock(joint, axes.translation, axes.rotation);
    const NodePose A = random.pose(),
                   B = placed(joint, A, {random.vector(0.2), random.rotation(0.3)});
    const Rows lambda = random.vector_x(joint.rows());
    const auto g = [&](const NodePair& p) { return constraint(joint, p); };
    const auto force = [&](const NodePair& p) -> VectorX {
      return jacobian(joint, p).transpose() * lambda;
    };
    Matrix12 H = Matrix12::Zero();
    joint.add_hessian({A, B}, lambda, H);
    first.compare(jacobian(joint, {A, B}), pose_derivative(g, {A, B}));
    second.compare(H, pose_derivative(force, {A, B}));
  }
  first.expect_within(1e-11);
  second.expect_within(1e-11);
}

}  // namespace joint_element_test
}  // namespace saltus
