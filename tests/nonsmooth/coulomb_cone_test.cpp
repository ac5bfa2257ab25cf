// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/coulomb_cone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace saltus::nonsmooth {
namespace {

constexpr std::array frictions{0.0, 0.1, 0.5, 1.5, 1e3};

// Vectors of many directions, some on the axes and at the apex.
class Samples {
 public:
  Vector3 next() {
    ++count_;
    if (count_ % 50 == 0) return Vector3::Zero();
    const double normal = count_ % 7 == 0 ? 0 : uniform_(generator_);
    if (count_ % 11 == 0) return {normal, 0, 0};
    return {normal, uniform_(generator_), uniform_(generator_)};
  }

 private:
  std::mt19937 generator_{1};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  int count_ = 0;
};

bool in_cone(const Vector3& l, double mu) {
  return l[0] >= 0 && tangential_norm(l) <= mu * l[0] * (1 + 1e-14);
}

bool in_dual_cone(const Vector3& u, double mu) {
  return u[0] >= mu * tangential_norm(u) - 1e-13 * (1 + mu) * u.norm();
}

TEST(CoulombCone, ProjectionIsMoreausDecomposition) {
  for (const double mu : frictions) {
    Samples samples;
    for (int k = 0; k < 2000; ++k) {
      const Vector3 x = samples.next();
      const Vector3 l = project_on_cone(-x, mu), u = project_on_dual_cone(x, mu);
      EXPECT_TRUE(in_cone(l, mu)) << mu << ": " << x.transpose();
      EXPECT_TRUE(in_dual_cone(u, mu)) << mu << ": " << x.transpose();
      EXPECT_NEAR(l.dot(u), 0, 1e-14) << mu << ": " << x.transpose();
      EXPECT_LE((u - l - x).norm(), 1e-15);
    }
  }
}

TEST(CoulombCone, ProjectingTwiceChangesNothing) {
  for (const double mu : frictions) {
    Samples samples;
    for (int k = 0; k < 2000; ++k) {
      const Vector3 x = project_on_cone(samples.next(), mu);
      EXPECT_LE((project_on_cone(x, mu) - x).norm(), 4e-16);
    }
  }
}

TEST(CoulombCone, ProjectionBringsPointsNoFurtherApart) {
  for (const double mu : frictions) {
    Samples samples;
    for (int k = 0; k < 2000; ++k) {
      const Vector3 x = samples.next(), y = samples.next();
      const double distance = (project_on_cone(x, mu) - project_on_cone(y, mu)).norm();
      EXPECT_LE(distance, (x - y).norm() + 1e-15);
    }
  }
}

TEST(CoulombCone, FrictionlessConeIsAHalfLine) {
  EXPECT_EQ(project_on_cone({2, 3, 4}, 0), Vector3(2, 0, 0));
  EXPECT_EQ(project_on_cone({-2, 3, 4}, 0), Vector3::Zero());
  EXPECT_EQ(project_on_cone({-2, 0, 0}, 0), Vector3::Zero());
  EXPECT_EQ(project_on_cone({-2, 0, 0}, 0.5), Vector3::Zero());
}

TEST(NaturalMap, VanishesForStickSlipAndGapOnly) {
  const double mu = 0.5, rho = 3;
  EXPECT_EQ(natural_map({1, 0.2, 0.1}, {0, 0, 0}, mu, rho), Vector3::Zero());
  EXPECT_LE(natural_map({1, -0.3, 0.4}, {0, 6, -8}, mu, rho).norm(), 1e-15);
  EXPECT_EQ(natural_map({0, 0, 0}, {0.1, 5, 0}, mu, rho), Vector3::Zero());
  EXPECT_GT(natural_map({1, 0.3, 0.4}, {0, 6, -8}, mu, rho).norm(), 0.1);   // wrong direction
  EXPECT_GT(natural_map({1, 0.2, 0.1}, {0, 0.1, 0}, mu, rho).norm(), 0.1);  // slips inside
  EXPECT_GT(natural_map({1, 0.2, 0.1}, {0.1, 0, 0}, mu, rho).norm(), 0.1);  // pulls
  EXPECT_GT(natural_map({0, 0, 0}, {-0.1, 0, 0}, mu, rho).norm(), 0.1);     // approaches
}

}  // namespace
}  // namespace saltus::nonsmooth
