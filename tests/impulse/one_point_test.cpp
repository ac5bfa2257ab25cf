// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace one_point_test {

using namespace test;

/// A rod of mass and length 1 that hits the floor with its lower end, at an angle to the floor.
ImpactProblem rod(double angle, const Vector3& velocity, double spin, double mu, double e) {
  Bodies bodies;
  const Vector3 end(-std::cos(angle) / 2, -std::sin(angle) / 2, 0);
  bodies.add_planar(1, 1.0 / 12, -end, velocity, spin);
  return problem_of(bodies, {{ground, 0, {0, 0, 0}, {0, 1, 0}, 0, e, mu, mu}});
}

ImpactResult solve(const ImpactProblem& problem, RestitutionLaw law) {
  ImpactOptions options;
  options.law = law;
  return resolve_impact(problem, options);
}

TEST(OnePoint, LawsAgreeWhereSlipGoesOn) {
  const ImpactProblem problem = rod(1.0, {-5, -1, 0}, 0, 0.2, 0.7);
  const ImpactResult energetic = solve(problem, RestitutionLaw::Energetic);
  ASSERT_EQ(energetic.events[0].transitions, 0);
  for (const RestitutionLaw law : {RestitutionLaw::Poisson, RestitutionLaw::Newton})
    EXPECT_TRUE(solve(problem, law).u.isApprox(energetic.u, 1e-12));
  EXPECT_NEAR(energetic.u[0], -0.7 * problem.u[0], 1e-12);
}

TEST(OnePoint, LawsDifferWhereSlipReversesAndOnlyNewtonsWinsEnergy) {
  // Kane's paradox: slip that stops early and reverses.
  bool newton_wins = false, differ = false;
  for (const double angle : {0.6, 0.8, 1.0, 1.2})
    for (const double mu : {0.3, 0.5, 0.7})
      for (const double slip : {-1.0, -0.6, -0.3, 0.3, 0.6, 1.0}) {
        const ImpactProblem problem = rod(angle, {-slip, -1, 0}, 0, mu, 0.9);
        const ImpactResult energetic = solve(problem, RestitutionLaw::Energetic);
        const ImpactResult newton = solve(problem, RestitutionLaw::Newton);
        const ImpactResult poisson = solve(problem, RestitutionLaw::Poisson);
        EXPECT_LE(kinetic_gain(problem, energetic), 0);
        newton_wins |= kinetic_gain(problem, newton) > 1e-3;
        differ |= (poisson.u - energetic.u).norm() > 1e-3 && (newton.u - energetic.u).norm() > 1e-3;
      }
  EXPECT_TRUE(newton_wins);
  EXPECT_TRUE(differ);
}

TEST(OnePoint, NegativeCoefficientEndsInCompression) {
  const ImpactProblem problem = rod(1.0, {-5, -1, 0}, 0, 0.2, -0.6);
  for (const RestitutionLaw law :
       {RestitutionLaw::Energetic, RestitutionLaw::Poisson, RestitutionLaw::Newton}) {
    const ImpactResult result = solve(problem, law);
    ASSERT_EQ(result.events.size(), 2u);
    EXPECT_NEAR(result.events[0].u[0], 0.6 * problem.u[0], 1e-12);
    EXPECT_NEAR(result.u[0], 0, 1e-12);  // the same point again: e = 0
  }
}

TEST(OnePoint, JammedRodComesToRestAndLeaves) {
  // Painlevé: friction presses the sliding rod into the floor, W_nn < μ W_nt.
  const double angle = 0.9;
  for (const double e : {0.0, 0.5, 1.0}) {
    const ImpactProblem problem = rod(angle, {-2, -0.1, 0}, 0, 2.5, e);
    const double jam = problem.W(0, 0) + 2.5 * problem.W(0, 1);
    ASSERT_LT(std::min(jam, problem.W(0, 0) - 2.5 * problem.W(0, 1)), 0);
    const ImpactResult result = resolve_impact(problem, {});
    EXPECT_TRUE(result.converged);
    EXPECT_GE(result.u[0], -1e-12);
    EXPECT_LE(kinetic_gain(problem, result), 0);
    EXPECT_GE(result.events[0].transitions, 1);
  }
}

TEST(OnePoint, BodiesThatDoNotYieldAreReported) {
  ImpactProblem problem = rod(1.0, {-5, -1, 0}, 0, 0.2, 0.5);
  problem.W.setZero();
  const ImpactResult result = resolve_impact(problem, {});
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.message.empty());
  EXPECT_EQ(result.u, problem.u);
}

TEST(OnePoint, SphereSlidesInAStraightLine) {
  Bodies bodies;
  bodies.add(2, Matrix3::Identity() * 2 * 0.4 * 0.01, {0, 0, 0.1}, {3, -1, -2}, {0, 0, 5});
  const ImpactProblem problem =
      problem_of(bodies, {{ground, 0, {0, 0, 0}, {0, 0, 1}, 0, 0.5, 0.1, 0.1}});
  const ImpactResult result = resolve_impact(problem, {});
  const double impulse = 2 * 2 * 1.5;
  EXPECT_NEAR(result.impulses[0], impulse, 1e-12);
  EXPECT_NEAR(result.impulses.tail<2>().norm(), 0.1 * impulse, 1e-12);
  EXPECT_LT(result.impulses.tail<2>().dot(problem.u.tail<2>()), 0);
  // A quarter of 7/2 m⁻¹ μ p is not enough to stop it; twelve times the friction is.
  ImpactProblem rough = problem;
  rough.points[0].friction = rough.points[0].static_friction = 1.2;
  const ImpactResult rolling = resolve_impact(rough, {});
  EXPECT_LT(rolling.u.tail<2>().norm(), 1e-12);
  EXPECT_EQ(rolling.events[0].states[0], PointState::Sticks);
  EXPECT_NEAR(rolling.impulses.tail<2>().norm(), problem.u.tail<2>().norm() * 2 / 3.5, 1e-12);
}

}  // namespace one_point_test
}  // namespace saltus::impulse
