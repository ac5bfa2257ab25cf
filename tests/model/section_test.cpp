// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace section_test {

constexpr double pi = std::numbers::pi;

void expect_near_relative(double actual, double expected, double tolerance) {
  EXPECT_NEAR(actual, expected, tolerance * std::abs(expected));
}

TEST(Section, CircleHasItsTextbookValues) {
  const SectionProperties p = properties(CircularSection{0.01}, 0.3);
  expect_near_relative(p.area, 3.141592654e-4, 1e-9);
  expect_near_relative(p.inertia_y, 7.853981634e-9, 1e-9);
  EXPECT_EQ(p.inertia_z, p.inertia_y);
  expect_near_relative(p.torsion, 2 * p.inertia_y, 1e-15);
  EXPECT_NEAR(p.shear_y, 0.8863636, 5e-8);
  EXPECT_EQ(p.shear_z, p.shear_y);
}

TEST(Section, PipeHasItsTextbookValues) {
  const SectionProperties p = properties(PipeSection{0.01, 0.008}, 0.3);
  expect_near_relative(p.area, 1.130973355e-4, 1e-9);
  expect_near_relative(p.inertia_y, 4.636990757e-9, 1e-9);
  expect_near_relative(p.torsion, 2 * p.inertia_y, 1e-15);
  EXPECT_NEAR(p.shear_y, 0.5410766, 5e-8);
}

TEST(Section, PipeWithoutAHoleIsACircle) {
  const SectionProperties pipe = properties(PipeSection{0.02, 0}, 0.25);
  const SectionProperties circle = properties(CircularSection{0.02}, 0.25);
  EXPECT_EQ(pipe.area, circle.area);
  EXPECT_EQ(pipe.torsion, circle.torsion);
  EXPECT_EQ(pipe.shear_z, circle.shear_z);
}

TEST(Section, RectangleBendsAboutYOverItsHeight) {
  const SectionProperties p = properties(RectangularSection{0.01, 0.02}, 0.3);
  expect_near_relative(p.area, 2e-4, 1e-15);
  expect_near_relative(p.inertia_y, 0.01 * 8e-6 / 12, 1e-15);
  expect_near_relative(p.inertia_z, 0.02 * 1e-6 / 12, 1e-15);
  expect_near_relative(p.torsion, 0.4573633543 * 1e-8, 3e-10);
  EXPECT_EQ(p.shear_y, 5.0 / 6);
  EXPECT_EQ(p.shear_z, 5.0 / 6);
}

TEST(Section, RectangleTorsionIsSaintVenantsSeries) {
  EXPECT_NEAR(rectangle_torsion(1, 1), 0.1405770150, 6e-11);
  EXPECT_NEAR(rectangle_torsion(1, 2), 0.4573633543, 1e-10);
  EXPECT_NEAR(rectangle_torsion(10, 1), 3.123250375, 6e-10);
  for (const double p : {1.0, 1.3, 4.0, 100.0}) {
    double sum = 0;  // backwards, to n = 2·10⁴: the rest is below 1e-18
    for (int n = 19999; n > 0; n -= 2) sum += std::tanh(n * pi * p / 2) / std::pow(n, 5);
    const double series = p * (1.0 / 3 - 64 / (std::pow(pi, 5) * p) * sum);
    expect_near_relative(rectangle_torsion(p, 1), series, 1e-14);
    expect_near_relative(rectangle_torsion(0.1, 0.1 * p), 1e-4 * series, 1e-14);
  }
}

TEST(Section, AreaAloneMeansASquare) {
  const SectionProperties given = properties(ExplicitSection{.area = 1e-4}, 0.3);
  const SectionProperties square = properties(RectangularSection{0.01, 0.01}, 0.3);
  expect_near_relative(given.area, square.area, 1e-14);
  expect_near_relative(given.inertia_y, square.inertia_y, 1e-14);
  expect_near_relative(given.inertia_z, square.inertia_z, 1e-14);
  expect_near_relative(given.torsion, square.torsion, 1e-14);
  EXPECT_EQ(given.shear_y, square.shear_y);
  EXPECT_EQ(given.shear_z, square.shear_z);
}

TEST(Section, OneInertiaStandsForBoth) {
  const SectionProperties y = properties(ExplicitSection{.area = 1, .inertia_y = 0.2}, 0.3);
  EXPECT_EQ(y.inertia_z, 0.2);
  const SectionProperties z = properties(ExplicitSection{.area = 1, .inertia_z = 0.3}, 0.3);
  EXPECT_EQ(z.inertia_y, 0.3);
}

TEST(Section, GivenNumbersAreKept) {
  const ExplicitSection all{1, 2, 3, 4, 0.5, 0.6};
  const SectionProperties p = properties(all, 0.3);
  EXPECT_EQ(p.area, 1);
  EXPECT_EQ(p.inertia_y, 2);
  EXPECT_EQ(p.inertia_z, 3);
  EXPECT_EQ(p.torsion, 4);
  EXPECT_EQ(p.shear_y, 0.5);
  EXPECT_EQ(p.shear_z, 0.6);
}

TEST(Section, TorsionIsEstimatedWellForSolidSections) {
  for (const Section& solid : {Section{CircularSection{0.01}}, Section{RectangularSection{1, 2}},
                               Section{RectangularSection{10, 1}}}) {
    const SectionProperties p = properties(solid, 0.3);
    const SectionProperties estimate = properties(
        ExplicitSection{.area = p.area, .inertia_y = p.inertia_y, .inertia_z = p.inertia_z}, 0.3);
    expect_near_relative(estimate.torsion, p.torsion, 0.12);
  }
}

TEST(Section, StiffnessAndRotaryInertiaAreInSectionAxes) {
  const ElasticMaterial steel{.young_modulus = 2.6, .poisson_ratio = 0.3, .density = 10};
  EXPECT_DOUBLE_EQ(steel.shear_modulus(), 1);
  const SectionProperties p = properties(ExplicitSection{1, 2, 3, 4, 0.5, 0.6}, 0.3);
  Vector6 expected;
  expected << 2.6, 0.5, 0.6, 4, 5.2, 7.8;
  EXPECT_LE((section_stiffness(p, steel) - expected).norm(), 1e-14);
  EXPECT_LE((rotary_inertia(p, steel) - Vector3(50, 20, 30)).norm(), 1e-14);
}

}  // namespace section_test
}  // namespace saltus
