// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impact_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace impact_forces_test {

using namespace test;

constexpr double hardness = 290 * 9.8e6;

ElastoplasticLaw steel_on_ground(double radius, double damping, double ground_ratio = 0.4) {
  return {{206e9, 0.3, 350e6}, {102e9, ground_ratio, 120e6}, radius, hardness, damping};
}

TEST(ElastoplasticLaw, YieldFactorIsTheMaximum) {
  EXPECT_NEAR(yield_factor(0.3), 0.38445, 5e-6);
  EXPECT_NEAR(yield_factor(0.4), 0.33087, 5e-6);
}

TEST(ElastoplasticLaw, ConstantsAreThoseOfTheExamples) {
  // The examples have the usual fit C of the yield factor; all materials here yield at ν = 0.4.
  const double C = 1.295 * std::exp(0.736 * 0.4), fit = yield_factor(0.4) * C * C;
  EXPECT_NEAR(fit, 1, 3e-4);
  const auto near = [](double value, double expected, double digit) {
    EXPECT_NEAR(value, expected, digit);
  };
  const ElastoplasticLaw sphere = steel_on_ground(0.5, 0.1);
  near(sphere.modulus(), 79.034e9, 1e6);
  near(fit * sphere.yield_deformation(), 8.594e-6, 1e-9);
  near(std::pow(fit, 1.5) * sphere.yield_force(), 1877, 1);
  near(std::sqrt(fit) * sphere.yield_stiffness(), 3.277e8, 1e5);
  near(fit * sphere.plastic_deformation(), 4.820e-3, 1e-6);
  near(sphere.plastic_force(), 1.602e7, 1e4);
  near(sphere.plastic_stiffness(), 8.928e9, 1e6);
  near(sphere.plastic_radius(), 4.236e-2, 1e-5);
  const ElastoplasticLaw corner = steel_on_ground(0.01, 10);
  near(fit * corner.yield_deformation(), 1.7188e-7, 1e-11);
  near(std::pow(fit, 1.5) * corner.yield_force(), 0.7509, 1e-4);
  near(std::sqrt(fit) * corner.yield_stiffness(), 6.553e6, 1e3);
  near(fit * corner.plastic_deformation(), 9.641e-5, 1e-8);
  near(corner.plastic_force(), 6409.4, 0.1);
  near(corner.plastic_stiffness(), 1.7857e8, 1e4);
  near(corner.plastic_radius(), 8.473e-4, 1e-7);
  const ElastoplasticLaw granite({70e9, 0.3, 2200e6}, {102e9, 0.4, 120e6}, 0.005, hardness, 1e4);
  near(granite.modulus(), 47.091e9, 1e6);
  near(fit * granite.yield_deformation(), 2.4207e-7, 1e-11);
  near(std::pow(fit, 1.5) * granite.yield_force(), 0.5288, 1e-4);
  near(std::sqrt(fit) * granite.yield_stiffness(), 3.277e6, 1e3);
  near(fit * granite.plastic_deformation(), 1.3578e-4, 1e-8);
  near(granite.plastic_force(), 4513.4, 0.1);
  near(granite.plastic_stiffness(), 8.928e7, 1e4);
  near(granite.plastic_radius(), 7.110e-4, 1e-7);
}

TEST(ElastoplasticLaw, ForceAndStiffnessAreContinuous) {
  const ElastoplasticLaw law = steel_on_ground(0.01, 0);
  for (const double delta : {law.yield_deformation(), law.plastic_deformation()}) {
    const double h = 1e-6 * delta;
    const double below = law.static_force(delta - h), at = law.static_force(delta);
    const double above = law.static_force(delta + h);
    EXPECT_NEAR(below / at, 1, 1e-5);
    EXPECT_NEAR((at - below) / (above - at), 1, 1e-4);
  }
  EXPECT_EQ(law.static_force(-1), 0);
  EXPECT_GT(steel_on_ground(0.01, 5).force(1e-6, 1), law.force(1e-6, 1));
}

TEST(ElastoplasticLaw, RefusesWhatIsNoMaterial) {
  EXPECT_THROW(steel_on_ground(0, 1), std::invalid_argument);
  EXPECT_THROW(steel_on_ground(0.1, -1), std::invalid_argument);
  EXPECT_THROW(ElastoplasticLaw({1e9, 0.3, 1e8}, {1e9, 0.3, 1e8}, 0.1, 1e7, 0),
               std::invalid_argument);
}

/// An edge of n points that falls; a block of 2.5 kg as in block_impact_test.cpp.
ImpactProblem edge(double mass, double inertia, double y, double z, double v_y, double v_z,
                   double mu, double mu_s, int n) {
  Bodies bodies;
  bodies.add(mass, Vector3(inertia, mass, mass).asDiagonal(), {0, 0, -z}, {0, v_y, v_z},
             Vector3::Zero());
  std::vector<Touch> touches;
  for (int i = 0; i < n; ++i)
    touches.push_back({ground, 0, {double(i) / (n - 1) - 0.5, y, 0}, {0, 0, 1}, 0, 0.5, mu, mu_s});
  return problem_of(bodies, touches);
}

TEST(ImpactForces, SurfaceImpactHasTheDerivedForces) {
  struct Case {
    int n;
    double peak, depth, permanent, duration, impulse;
  };
  for (const Case& c : {Case{2, 4.579e4, 2.746e-4, 1.984e-4, 1.563e-4, 4.0727},
                        Case{3, 3.572e4, 2.289e-4, 1.638e-4, 1.319e-4, 2.7151},
                        Case{4, 3.011e4, 2.007e-4, 1.428e-4, 1.166e-4, 2.0363},
                        Case{5, 2.645e4, 1.810e-4, 1.282e-4, 1.057e-4, 1.6291}}) {
    const ImpactProblem problem =
        edge(2.5, 2.5 * 0.270833333333333, 0.63572, -0.63904, 0, -4.110003, 0.4, 0.5, c.n);
    ImpactOptions options;
    options.histories = true;
    const ImpactResult result = resolve_impact(problem, options);
    EXPECT_NEAR(result.events[0].compression_work[0], -11.1591, 5e-4);
    EXPECT_NEAR(result.impulses[0], c.impulse, 1e-4);
    const std::vector<ElastoplasticLaw> laws(c.n, steel_on_ground(0.1875, 10));
    const ImpactForces forces = impact_forces(problem, result, laws);
    for (const PointForces& point : forces.points) {
      EXPECT_NEAR(point.peak / c.peak, 1, 1e-3) << c.n;
      EXPECT_NEAR(point.largest_deformation / c.depth, 1, 1e-3) << c.n;
      EXPECT_NEAR(point.permanent_deformation / c.permanent, 1, 1e-3) << c.n;
    }
    EXPECT_NEAR(forces.duration / c.duration, 1, 1e-3) << c.n;
  }
}

TEST(ImpactForces, HeavyBlockHasTheDerivedForces) {
  const double m = 1502.4;
  const ImpactProblem problem =
      edge(m, m / 15, -0.246410161514, -0.373205080757, 1, -3.506810, 0.35, 0.6, 2);
  ImpactOptions options;
  options.histories = true;
  const ImpactResult result = resolve_impact(problem, options);
  const std::vector<ElastoplasticLaw> laws(2, steel_on_ground(0.001, 0.1, 0.3));
  const ImpactForces forces = impact_forces(problem, result, laws);
  const PointForces& point = forces.points[0];
  EXPECT_NEAR(point.peak / 3.154e5, 1, 1e-3);
  EXPECT_NEAR(point.largest_deformation / 1.7666e-2, 1, 1e-3);
  EXPECT_NEAR(point.permanent_deformation / 1.2147e-2, 1, 1e-3);
  EXPECT_NEAR(forces.compression_time / 8.660e-3, 1, 1e-3);
  EXPECT_NEAR(forces.duration / 1.390e-2, 1, 1e-3);
  const ImpactEvent& event = result.events[0];
  EXPECT_NEAR(point.largest_deformation - point.permanent_deformation,
              2.5 * (event.normal_work[0] - event.compression_work[0]) / (2 * point.peak), 1e-6);
  // The force integrates to the impulse.
  double impulse = 0;
  for (std::size_t k = 1; k < forces.time.size(); ++k)
    impulse += (forces.time[k] - forces.time[k - 1]) * (point.normal[k] + point.normal[k - 1]) / 2;
  EXPECT_NEAR(impulse / result.impulses[0], 1, 1e-4);
}

TEST(ImpactForces, DeformationsGoOnInTheNextEvent) {
  // Ends in compression first: the second event starts from the deformation of the first.
  const ImpactProblem problem =
      edge(2.5, 2.5 * 0.270833333333333, 0.63572, -0.63904, 0, -4.110003, 0, 0, 2);
  ImpactOptions options;
  options.histories = true;
  const ImpactResult whole = resolve_impact(problem, options);
  options.restitution.by_order = {-0.5, 0.5};
  ImpactResult parts = resolve_impact(problem, options);
  ASSERT_EQ(parts.events.size(), 2u);
  const std::vector<ElastoplasticLaw> laws(2, steel_on_ground(0.1875, 0));
  const ImpactForces one = impact_forces(problem, whole, laws);
  const ImpactForces two = impact_forces(problem, parts, laws);
  EXPECT_NEAR(two.points[0].peak / one.points[0].peak, 1, 1e-6);
  EXPECT_NEAR(two.points[0].largest_deformation / one.points[0].largest_deformation, 1, 1e-6);
  for (std::size_t k = 1; k < two.time.size(); ++k) {
    EXPECT_GE(two.time[k], two.time[k - 1]);
    EXPECT_LT(std::abs(two.points[0].deformation[k] - two.points[0].deformation[k - 1]),
              0.05 * two.points[0].largest_deformation);
  }
}

}  // namespace impact_forces_test
}  // namespace saltus::impulse
