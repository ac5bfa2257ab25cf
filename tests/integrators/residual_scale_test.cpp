// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/residual_scale.hpp"

#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/scene.hpp"

namespace saltus {
namespace residual_scale_test {

using namespace test;

/// The skew pendulum with all lengths times `unit`.
Model pendulum_in(double unit) {
  Model model;
  model.gravity *= unit;
  const BodyId rod = model.add(RigidBody{.name = "rod",
                                         .inertia = solid_box(2.0, unit * Vector3(1, 0.1, 0.2)),
                                         .pose = {.position = unit * Vector3(0.5, 0, 0)}});
  const BodyId bob = model.add(RigidBody{.name = "bob",
                                         .inertia = solid_sphere(0.5, 0.1 * unit),
                                         .pose = {.position = unit * Vector3(1.2, 0, 0)}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), rod},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0)});
  model.add(Revolute{.name = "elbow",
                     .bodies = {rod, bob},
                     .at = unit * Vector3(1, 0, 0),
                     .axis = Vector3(0, 1, 0)});
  return model;
}

ForceTerms random_terms(int n, Random& random) {
  ForceTerms terms;
  terms.resize(n);
  for (VectorX* term : {&terms.inertia, &terms.gravity, &terms.elastic, &terms.damping,
                        &terms.applied, &terms.constraint}) {
    *term = random.vector_x(n);
  }
  return terms;
}

/// Forces of the same motion in another unit of length: forces times it, moments times its square.
VectorX forces_in(const System& system, VectorX f, double unit) {
  for (int i = 0; i < system.velocities(); ++i) f[i] *= system.is_rotation(i) ? unit * unit : unit;
  return f;
}

VectorX motion_in(const System& system, VectorX v, double unit) {
  for (int i = 0; i < system.velocities(); ++i) v[i] *= system.is_rotation(i) ? 1 : unit;
  return v;
}

TEST(SplitNorm, KeepsTranslationsAndRotationsApart) {
  const System system(pendulum_in(1));
  Random random;
  const VectorX v = random.vector_x(system.velocities());
  const SplitNorm norm = split_norm(system, v);
  EXPECT_DOUBLE_EQ(norm.translation, std::hypot(v.segment<3>(0).norm(), v.segment<3>(6).norm()));
  EXPECT_DOUBLE_EQ(norm.rotation, std::hypot(v.segment<3>(3).norm(), v.segment<3>(9).norm()));
  const SplitNorm other = split_norm(system, motion_in(system, v, 7));
  EXPECT_DOUBLE_EQ(other.translation, 7 * norm.translation);
  EXPECT_DOUBLE_EQ(other.rotation, norm.rotation);
}

// Two forces that cancel are no balance of nothing: both count.
TEST(ForceScale, AddsWhatBalancesEachOther) {
  const System system(pendulum_in(1));
  const int n = system.velocities();
  ForceTerms terms;
  terms.resize(n);
  for (VectorX* term : {&terms.inertia, &terms.gravity, &terms.elastic, &terms.damping,
                        &terms.applied, &terms.constraint}) {
    term->setZero(n);
  }
  terms.elastic[0] = 3;
  terms.applied[0] = -3;
  const SplitNorm scale = force_scale(system, terms, VectorX::Zero(n));
  EXPECT_DOUBLE_EQ(scale.translation, 6);
  // A moment of round-off of that force is allowed for, and no more.
  EXPECT_GT(scale.rotation, 0);
  EXPECT_LE(scale.rotation, 1e-3 * 6 * system.characteristic_length());
  VectorX M_vdot = VectorX::Zero(n);
  M_vdot[1] = 4;
  EXPECT_DOUBLE_EQ(force_scale(system, terms, M_vdot).translation, 10);
}

TEST(ForceScale, EveryTermCounts) {
  const System system(pendulum_in(1));
  Random random(3);
  ForceTerms terms = random_terms(system.velocities(), random);
  const VectorX M_vdot = random.vector_x(system.velocities());
  const SplitNorm whole = force_scale(system, terms, M_vdot);
  for (VectorX ForceTerms::*term :
       {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::elastic, &ForceTerms::damping,
        &ForceTerms::applied, &ForceTerms::constraint}) {
    ForceTerms less = terms;
    const SplitNorm part = split_norm(system, terms.*term);
    (less.*term).setZero();
    const SplitNorm rest = force_scale(system, less, M_vdot);
    // But for the share of 1e-4 of the moments.
    EXPECT_NEAR(whole.translation - rest.translation, part.translation, 1e-3);
    EXPECT_NEAR(whole.rotation - rest.rotation, part.rotation, 1e-3);
  }
}

/// Of a system that is one island.
double speed_scale(const System& system, const VectorX& v, const VectorX& vdot, double h) {
  Sizes work, out;
  speed_scales(system, Islands(system), v, vdot, h, work, out);
  EXPECT_EQ(out.size(), 1u);
  return out.front();
}

// What counts as small must not depend on whether a model is written in metres or millimetres.
TEST(ResidualScale, DoesNotDependOnTheUnitOfLength) {
  const double unit = 1000;
  const System metres(pendulum_in(1)), other(pendulum_in(unit));
  ASSERT_NEAR(other.characteristic_length(), unit * metres.characteristic_length(), 1e-9);
  const int n = metres.velocities();
  Random random(5);
  ForceTerms terms = random_terms(n, random), terms_in = terms;
  for (VectorX ForceTerms::*term :
       {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::elastic, &ForceTerms::damping,
        &ForceTerms::applied, &ForceTerms::constraint}) {
    terms_in.*term = forces_in(metres, terms.*term, unit);
  }
  const VectorX M_vdot = random.vector_x(n), v = random.vector_x(n), vdot = random.vector_x(n);
  const SplitNorm a = force_scale(metres, terms, M_vdot);
  const SplitNorm b = force_scale(other, terms_in, forces_in(metres, M_vdot, unit));
  const double close = 1e-13;  // round-off of a sum of some ten terms
  EXPECT_NEAR(b.translation / (unit * a.translation), 1, close);
  EXPECT_NEAR(b.rotation / (unit * unit * a.rotation), 1, close);
  const VectorX v_in = motion_in(metres, v, unit), vdot_in = motion_in(metres, vdot, unit);
  EXPECT_NEAR(largest_motion(other, v_in) / (unit * largest_motion(metres, v)), 1, close);
  EXPECT_NEAR(speed_scale(other, v_in, vdot_in, 0.01) / (unit * speed_scale(metres, v, vdot, 0.01)),
              1, close);
  VectorX rows = random.vector_x(metres.constraints()), rows_in = rows;
  for (int i = 0; i < metres.constraints(); ++i) rows_in[i] *= metres.is_angular(i) ? 1 : unit;
  EXPECT_NEAR(largest_row(other, rows_in) / (unit * largest_row(metres, rows)), 1, close);
}

TEST(LargestRow, TakesAnglesTimesTheLengthOfTheMechanism) {
  const System system(pendulum_in(3));
  for (int i = 0; i < system.constraints(); ++i) {
    const VectorX rows = -0.5 * VectorX::Unit(system.constraints(), i);
    const double unit = system.is_angular(i) ? system.characteristic_length() : 1;
    EXPECT_DOUBLE_EQ(largest_row(system, rows), 0.5 * unit) << i;
  }
}

TEST(LargestRow, NamesTheJointThatIsOpenMost) {
  const System system(pendulum_in(1));
  VectorX rows = VectorX::Constant(system.constraints(), 1e-3);
  rows[6] = -0.2;  // the second joint has rows 5 to 9
  EXPECT_NE(worst_row_name(system, rows).find("elbow"), std::string::npos);
  rows[1] = 0.9;
  EXPECT_NE(worst_row_name(system, rows).find("pin"), std::string::npos);
}

TEST(LargestMotion, IsThatOfTheFastestPointInMetres) {
  const System system(pendulum_in(2));
  const double L = system.characteristic_length();
  VectorX v = VectorX::Zero(system.velocities());
  v[2] = -0.7;
  EXPECT_DOUBLE_EQ(largest_motion(system, v), 0.7);
  EXPECT_EQ(largest_rotation(system, v), 0);
  v[9] = -2;
  EXPECT_DOUBLE_EQ(largest_motion(system, v), 2 * L);
  EXPECT_DOUBLE_EQ(largest_rotation(system, v), 2);
}

// Of a body at rest positions are known to round-off, so speeds to that over the step.
TEST(SpeedScale, OfRestIsRoundOffOverTheStep) {
  const System system(pendulum_in(1));
  const VectorX zero = VectorX::Zero(system.velocities());
  const double rest = speed_scale(system, zero, zero, 1e-3);
  EXPECT_GT(rest, 0);
  EXPECT_LT(rest, 1e-11 * system.characteristic_length());
  EXPECT_NEAR(speed_scale(system, zero, zero, 1e-4) / rest, 10, 1e-12);
  VectorX vdot = zero;
  vdot[0] = -5;  // a body that starts has the speed of the end of the step
  EXPECT_NEAR(speed_scale(system, zero, vdot, 1e-3), 5e-3, 1e-11);
}

}  // namespace residual_scale_test
}  // namespace saltus
