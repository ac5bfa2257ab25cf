// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/coulomb_cone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace saltus::nonsmooth {
namespace coulomb_cone_test {

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

const std::array moment_cones{MomentCone{0.5, 0.1, 0.2, false},  MomentCone{0.5, 0, 0.2, false},
                              MomentCone{0, 0, 0, false},        MomentCone{0, 0.3, 0, false},
                              MomentCone{0.5, 0, 0.2, true},     MomentCone{1.5, 0, 0, true},
                              MomentCone{1e3, 1e-3, 1.5, false}, MomentCone{0, 0, 0.4, true}};

// Vectors of all directions; in some a ball is at its centre.
class MomentSamples {
 public:
  Vector6 next() {
    ++count_;
    if (count_ % 50 == 0) return Vector6::Zero();
    Vector6 x;
    for (double& entry : x) entry = uniform_(generator_);
    if (count_ % 7 == 0) x[0] = 0;
    if (count_ % 5 == 0) x.segment<2>(1).setZero();
    if (count_ % 3 == 0) x[3] = 0;
    if (count_ % 11 == 0) x.tail<2>().setZero();
    return x;
  }

 private:
  std::mt19937 generator_{2};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  int count_ = 0;
};

bool in_cone(const Vector6& l, const MomentCone& cone) {
  bool inside = l[0] >= 0;
  for_each_ball(cone, [&](auto ball) {
    inside = inside && ball.of(l).norm() <= ball.bound * l[0] * (1 + 1e-14);
  });
  return inside;
}

TEST(MomentCone, ProjectionIsMoreausDecomposition) {
  for (const MomentCone& cone : moment_cones) {
    MomentSamples samples;
    for (int k = 0; k < 2000; ++k) {
      const Vector6 x = samples.next();
      const Vector6 l = project_on_cone(Vector6(-x), cone), u = project_on_dual_cone(x, cone);
      EXPECT_TRUE(in_cone(l, cone)) << x.transpose();
      EXPECT_GE(u[0], dilation(u, cone) - 1e-13 * (1 + sum_of_bounds(cone)) * x.norm());
      EXPECT_NEAR(l.dot(u), 0, 1e-14) << x.transpose();
      EXPECT_LE((u - l - x).norm(), 1e-15);
    }
  }
}

TEST(MomentCone, ProjectingTwiceChangesNothing) {
  for (const MomentCone& cone : moment_cones) {
    MomentSamples samples;
    for (int k = 0; k < 2000; ++k) {
      const Vector6 x = project_on_cone(samples.next(), cone);
      EXPECT_LE((project_on_cone(x, cone) - x).norm(), 1e-15);
    }
  }
}

// The best normal component of a fine grid, the balls cut to it.
double distance_by_search(const Vector6& x, const MomentCone& cone) {
  double best = x.norm();
  for (int k = 0; k <= 20000; ++k) {
    const double normal = 2e-4 * k;
    double sum = (x[0] - normal) * (x[0] - normal);
    for_each_ball(cone, [&](auto ball) {
      const double beyond = std::max(0.0, ball.of(x).norm() - ball.bound * normal);
      sum += beyond * beyond;
    });
    best = std::min(best, std::sqrt(sum));
  }
  return best;
}

TEST(MomentCone, NoOtherPointIsNearer) {
  for (const MomentCone& cone : moment_cones) {
    MomentSamples samples;
    for (int k = 0; k < 100; ++k) {
      const Vector6 x = samples.next();
      const double distance = (project_on_cone(x, cone) - x).norm();
      const double found = distance_by_search(x, cone);
      EXPECT_LE(distance, found + 1e-14);
      EXPECT_GE(distance, found - 2e-4 * (1 + cone.slide));
    }
  }
}

TEST(MomentCone, OneBallIsTheFrictionCone) {
  MomentSamples samples;
  for (const double mu : frictions) {
    for (int k = 0; k < 200; ++k) {
      const Vector6 x = samples.next();
      const Vector6 l = project_on_cone(x, MomentCone{.slide = mu});
      EXPECT_LE((l.head<3>() - project_on_cone(x.head<3>(), mu)).norm(), 1e-15);
      EXPECT_TRUE(l.tail<3>().isZero(0));
    }
  }
}

TEST(MomentCone, NaturalMapVanishesIfEveryBallObeysItsLaw) {
  const MomentCone cone{0.5, 0.1, 0.2, false};
  Vector6 l, u;
  l << 1, 0.2, 0.1, -0.1, 0.05, 0;  // sticks, spins, does not roll
  u << 0, 0, 0, 3, 0, 0;
  EXPECT_LE(natural_map(l, u, cone, 2).norm(), 1e-15);
  l << 1, -0.3, 0.4, 0.05, 0.12, -0.16;  // slides and rolls
  u << 0, 6, -8, 0, -3, 4;
  EXPECT_LE(natural_map(l, u, cone, 2).norm(), 1e-15);
  u[3] = 0.1;  // spins inside
  EXPECT_GT(natural_map(l, u, cone, 2).norm(), 0.01);
  const MomentCone coupled{0.5, 0, 0.2, true};
  l << 1, -0.3, 0, 0.4, 0, 0;
  u << 0, 3, 0, -4, 0, 0;
  EXPECT_LE(natural_map(l, u, coupled, 2).norm(), 1e-15);
  u << 0, 3, 0, 0, 0, 0;
  EXPECT_GT(natural_map(l, u, coupled, 2).norm(), 0.1);
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

}  // namespace coulomb_cone_test
}  // namespace saltus::nonsmooth
