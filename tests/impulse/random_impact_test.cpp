// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace random_impact_test {

using namespace test;

class RandomScene {
 public:
  explicit RandomScene(unsigned seed) : generator_(seed) {}

  double uniform(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  int integer(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator_);
  }
  Vector3 vector(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Matrix3 inertia(double mass) {
    const Matrix3 A = Matrix3{{uniform(), uniform(), uniform()},
                              {uniform(), uniform(), uniform()},
                              {uniform(), uniform(), uniform()}};
    return mass * (0.05 * Matrix3::Identity() + 0.2 * A * A.transpose());
  }

  /// Bodies above the ground and beside each other; points on a plane or anywhere.
  ImpactProblem make(bool planar) {
    Bodies bodies;
    const int count = integer(1, 4);
    for (int i = 0; i < count; ++i) {
      const double mass = std::pow(10, uniform());
      if (planar)
        bodies.add_planar(mass, mass * uniform(0.02, 0.3), {1.0 * i, 0.3, 0},
                          {uniform(), -1 + 0.5 * uniform(), 0}, uniform(-3, 3));
      else
        bodies.add(mass, inertia(mass), {1.0 * i, 0, 0.3},
                   vector() - (uniform() > -0.5 ? Vector3(0, 0, 1) : Vector3::Zero()), vector(3));
    }
    std::vector<Touch> touches;
    int group = 0;
    for (int i = 0; i < count; ++i) {
      if (uniform() > -0.5) add_points(touches, group++, ground, i, bodies.positions[i], planar);
      if (i > 0 && uniform() > -0.3)
        add_points(touches, group++, i - 1, i, bodies.positions[i] - Vector3(0.5, 0, 0), planar);
    }
    if (touches.empty()) add_points(touches, 0, ground, 0, bodies.positions[0], planar);
    return problem_of(bodies, touches);
  }

 private:
  void add_points(std::vector<Touch>& touches, int group, int first, int second,
                  const Vector3& centre, bool planar) {
    const int points = planar ? integer(1, 3) : integer(0, 3) == 0 ? integer(5, 12) : integer(1, 4);
    const bool corner = uniform() > 0.6;
    const double mu = uniform(-0.3, 1.5), e = uniform();
    const Vector3 up = planar ? Vector3::UnitY() : Vector3::UnitZ();
    Vector3 normal = first == ground ? up : Vector3::UnitX();
    for (int k = 0; k < points; ++k) {
      if (corner) normal = (first == ground ? up : Vector3::UnitX()) + vector(0.8);
      Vector3 r = vector(0.4);
      if (!corner) r -= normal * normal.dot(r) + 0.3 * normal;
      if (planar) r.z() = normal.z() = 0;
      touches.push_back({first, second, centre + r, normal, group, e, std::max(mu, 0.0),
                         std::max(mu, 0.0) * uniform(1, 1.3)});
    }
  }

  std::mt19937 generator_;
};

void check(const ImpactProblem& problem, const ImpactResult& result, unsigned seed) {
  EXPECT_TRUE(result.converged) << "seed " << seed << ": " << result.message;
  ASSERT_TRUE(result.u.allFinite() && result.impulses.allFinite()) << seed;
  double approach = 0, pull = 0;
  for (int i = 0; i < static_cast<int>(problem.points.size()); ++i) {
    approach = std::max(approach, -result.u[3 * i]);
    pull = std::max(pull, -result.impulses[3 * i]);
  }
  EXPECT_LE(approach, 1e-9) << seed;
  EXPECT_LE(pull, 1e-12) << seed;
  const VectorX change = problem.W * result.impulses;
  EXPECT_LT((result.u - problem.u - change).norm(), 1e-10 * (1 + problem.u.norm())) << seed;
  // ½ (u(0) + u)ᵀ p against what the impulses had at hand.
  const double scale = problem.u.cwiseAbs().dot(result.impulses.cwiseAbs()) + 1e-300;
  EXPECT_LE(kinetic_gain(problem, result), 1e-12 * scale) << seed;
}

// Under the sanitizers these take ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr unsigned share = 10;
#else
constexpr unsigned share = 1;
#endif

TEST(RandomImpacts, InThePlaneEndWithoutGainOrApproach) {
  for (unsigned seed = 1; seed <= 400 / share; ++seed) {
    const ImpactProblem problem = RandomScene(seed).make(true);
    check(problem, resolve_impact(problem, {}), seed);
  }
}

TEST(RandomImpacts, InSpaceEndWithoutGainOrApproach) {
  for (unsigned seed = 1; seed <= 150 / share; ++seed) {
    const ImpactProblem problem = RandomScene(seed).make(false);
    check(problem, resolve_impact(problem, {}), seed);
  }
}

TEST(RandomImpacts, OtherLawsEndAsWell) {
  for (const RestitutionLaw law : {RestitutionLaw::Poisson, RestitutionLaw::Newton})
    for (const NormalWork work : {NormalWork::Integral, NormalWork::Pseudoinverse})
      for (const Composition composition : {Composition::Consistent, Composition::Frozen})
        for (unsigned seed = 1; seed <= 100 / share; ++seed) {
          const ImpactProblem problem = RandomScene(seed).make(true);
          ImpactOptions options;
          options.law = law;
          options.normal_work = work;
          options.composition = composition;
          const ImpactResult result = resolve_impact(problem, options);
          // These laws may win energy, and a sequence of events that does need not end.
          EXPECT_TRUE(result.converged || kinetic_gain(problem, result) > 0) << seed;
          EXPECT_TRUE(result.u.allFinite() && result.impulses.allFinite()) << seed;
          EXPECT_LT((result.u - problem.u - problem.W * result.impulses).norm(), 1e-8) << seed;
        }
}

TEST(RandomImpacts, AreTheSameTwice) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ImpactProblem problem = RandomScene(seed).make(false);
    EXPECT_EQ(resolve_impact(problem, {}).impulses, resolve_impact(problem, {}).impulses);
  }
}

}  // namespace random_impact_test
}  // namespace saltus::impulse
