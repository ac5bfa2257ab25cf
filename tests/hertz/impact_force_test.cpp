// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/impact_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "saltus/hertz/local_impact.hpp"

namespace saltus::hertz {
namespace impact_force_test {

/// ∫ f from x_0 to x_1 by Simpson's rule; at the end `singular` the points crowd, since forces
/// begin and end like powers of time.
template <class Function>
double simpson(const Function& f, double singular, double smooth) {
  constexpr int cells = 4000;
  double sum = 0;
  for (int i = 0; i <= cells; ++i) {
    const double u = static_cast<double>(i) / cells, weight = i % 2 == 1 ? 4 : 2;
    sum += (i == 0 || i == cells ? 1 : weight) *
           f(singular + (smooth - singular) * std::pow(u, 6)) * 6 * std::pow(u, 5);
  }
  return std::abs(smooth - singular) * sum / (3 * cells);
}

double integrated(const ImpactForce& impact, const ImpactShape& shape) {
  const double T = impact.duration(), middle = shape.knot() * T;
  const auto force = [&](double t) { return impact.force(t); };
  return simpson(force, 0, middle) + simpson(force, T, middle);
}

TEST(ImpactShape, ConstantsAreThoseOfTheTable) {
  struct Row {
    double e, k, a, I_d;
  };
  for (const Row& row : std::vector<Row>{{1.00, 0.62963, 1.00000, 0.097856},
                                         {0.95, 0.61759, 1.03373, 0.094820},
                                         {0.90, 0.60474, 1.07086, 0.091623},
                                         {0.80, 0.57627, 1.15778, 0.084697},
                                         {0.70, 0.54338, 1.26743, 0.076974},
                                         {0.60, 0.50495, 1.41091, 0.068338},
                                         {0.50, 0.45946, 1.60816, 0.058666},
                                         {0.40, 0.40476, 1.89895, 0.047846},
                                         {0.30, 0.33775, 2.37620, 0.035833},
                                         {0.20, 0.25373, 3.31921, 0.022791},
                                         {0.10, 0.14530, 6.13297, 0.009550},
                                         {0.05, 0.07834, 11.78441, 0.003689}}) {
    const ImpactShape shape(row.e, 1.5);
    EXPECT_NEAR(shape.knot(), row.k, 6e-6);
    EXPECT_NEAR(shape.slope(), row.a, 6e-6);
    EXPECT_NEAR(shape.integral(), row.I_d, 6e-7);
  }
}

TEST(ImpactShape, StartsAndEndsWhereItShould) {
  for (const double e : {0.05, 0.3, 0.8, 1.0}) {
    const ImpactShape shape(e, 1.5);
    EXPECT_EQ(shape.rate(0), 1);
    EXPECT_NEAR(shape.rate(1), -e, 1e-15);
    EXPECT_EQ(shape.depth(0), 0);
    EXPECT_EQ(shape.depth(1), 0);
    EXPECT_NEAR(shape.rate(shape.deepest()), 0, 1e-14);
    const double k = shape.knot();
    EXPECT_NEAR(shape.depth(k * (1 - 1e-15)), shape.depth(k * (1 + 1e-15)), 1e-14);
    EXPECT_NEAR(shape.rate(k * (1 - 1e-15)), shape.rate(k * (1 + 1e-15)), 1e-13);
  }
}

TEST(ImpactShape, RateIsTheDerivativeOfDepthAndHasItsOwnSlope) {
  for (const double e : {0.1, 0.5, 1.0}) {
    const ImpactShape shape(e, 1.5);
    const double h = 1e-5;
    for (double tau = 0.0137; tau < 1 - 2 * h; tau += 0.0317) {
      const double rate = (shape.depth(tau + h) - shape.depth(tau - h)) / (2 * h);
      EXPECT_NEAR(rate, shape.rate(tau), 2e-8 / e);
      const double slope = (shape.rate(tau + h) - shape.rate(tau - h)) / (2 * h);
      EXPECT_NEAR(slope, shape.rate_slope(tau), 1e-7 / (e * e));
    }
  }
}

TEST(ImpactForce, IntegralIsTheImpulseForAllLaws) {
  for (const double n : {0.5, 1.0, 1.5, 2.2})
    for (const double e : {0.0, 0.1, 0.5, 0.9, 1.0})
      for (const DampingModel model :
           {DampingModel::None, DampingModel::LankaraniNikravesh, DampingModel::Flores}) {
        const ImpactShape shape(e, n);
        const ImpactForce impact(shape, 0.7, 0.4, 3e8, model);
        EXPECT_NEAR(integrated(impact, shape) / 0.7, 1, 1e-10) << n << ' ' << e;
      }
}

TEST(ImpactForce, PeaksAreTheTrueMaxima) {
  for (const double e : {0.0, 0.2, 0.45, 0.7, 1.0})
    for (const DampingModel model : {DampingModel::None, DampingModel::Hu, DampingModel::Zhang}) {
      const ImpactForce impact(ImpactShape(e, 1.5), 2, 0.4, 3e8, model);
      const double T = impact.duration();
      double force = 0, delta = 0, least = 0;
      for (int i = 0; i <= 100000; ++i) {
        const double t = T * i / 100000;
        force = std::max(force, impact.force(t));
        least = std::min(least, impact.force(t));
        delta = std::max(delta, impact.delta(t));
      }
      EXPECT_LE(force, impact.peak_force() * (1 + 1e-14));
      EXPECT_NEAR(force / impact.peak_force(), 1, 1e-7);
      EXPECT_LE(delta, impact.peak_indentation() * (1 + 1e-14));
      EXPECT_NEAR(delta / impact.peak_indentation(), 1, 1e-8);
      EXPECT_NEAR(least, impact.smallest_force(), 1e-7 * force);
      EXPECT_NEAR(impact.force(impact.peak_force_time()), impact.peak_force(), 1e-12 * force);
    }
}

TEST(ImpactForce, RateIsTheDerivativeOfIndentation) {
  const ImpactForce impact(ImpactShape(0.6, 1.5), 2, 0.4, 3e8, DampingModel::Hu);
  const double T = impact.duration(), h = 1e-5 * T;
  for (double t = 0.03 * T; t < 0.98 * T; t += 0.05 * T)
    EXPECT_NEAR((impact.delta(t + h) - impact.delta(t - h)) / (2 * h), impact.deltadot(t), 1e-7);
  EXPECT_DOUBLE_EQ(impact.deltadot(-1), 0.4);
  EXPECT_NEAR(impact.deltadot(2 * T), -0.24, 1e-15);
  EXPECT_EQ(impact.force(-1e-9), 0);
  EXPECT_EQ(impact.force(1.1 * T), 0);
}

TEST(ImpactForce, BouncingBall) {
  // Ball of 1 kg from 1 m height, g = 9.8 m/s², Flores' damping.
  const double v = std::sqrt(2 * 9.8), K = 1.4e8;
  struct Row {
    double e, T, F, d;
  };
  for (const Row& row : std::vector<Row>{{1.0, 1.369e-3, 11544, 1.894e-3},
                                         {0.8, 1.391e-3, 10902, 1.772e-3},
                                         {0.6, 1.446e-3, 11297, 1.626e-3},
                                         {0.4, 1.581e-3, 13070, 1.439e-3},
                                         {0.2, 1.999e-3, 17857, 1.157e-3}}) {
    const ImpactForce impact(ImpactShape(row.e, 1.5), (1 + row.e) * v, v, K, DampingModel::Flores);
    EXPECT_NEAR(impact.duration(), row.T, 1e-6);
    EXPECT_NEAR(impact.peak_force(), row.F, 1);
    EXPECT_NEAR(impact.peak_indentation(), row.d, 1e-6);
  }
}

TEST(ImpactForce, TwoSpheres) {
  struct Row {
    double e, T, F_Hu, F_Zhang, d;
  };
  for (const Row& row : std::vector<Row>{{0.8, 0.1601e-3, 295.7, 293.7, 13.82e-6},
                                         {0.6, 0.1665e-3, 301.8, 298.4, 12.68e-6},
                                         {0.4, 0.1820e-3, 328.4, 328.2, 11.23e-6},
                                         {0.2, 0.2302e-3, 388.2, 395.9, 9.02e-6}}) {
    const ImpactShape shape(row.e, 1.5);
    const double impulse = 0.0138 * (1 + row.e);
    const ImpactForce hu(shape, impulse, 0.3, 5.5e9, DampingModel::Hu);
    const ImpactForce zhang(shape, impulse, 0.3, 5.5e9, DampingModel::Zhang);
    EXPECT_NEAR(hu.duration(), row.T, 1e-7);
    EXPECT_NEAR(hu.peak_force(), row.F_Hu, 0.15);
    EXPECT_NEAR(zhang.peak_force(), row.F_Zhang, 0.15);
    EXPECT_NEAR(hu.peak_indentation(), row.d, 1e-8);
  }
}

TEST(ImpactForce, IsNearTheDirectIntegration) {
  // The accuracy that the theory page promises: Zhang's damping, e from 0.2 to 1.
  for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    const ImpactForce impact(ImpactShape(e, 1.5), 0.046 * 0.3 * (1 + e), 0.3, 5.5e9,
                             DampingModel::Zhang);
    const LocalImpact direct = integrate_local_law({0.046, 5.5e9, 1.5, impact.damping()}, 0.3);
    EXPECT_NEAR(impact.duration() / direct.duration, 1, 0.04);
    EXPECT_NEAR(impact.peak_force() / direct.peak_force, 1, 0.07);
    EXPECT_NEAR(impact.peak_indentation() / direct.peak_indentation, 1, 0.05);
  }
}

TEST(ImpactForce, PlasticImpactsHaveTheShapeOfTheSmallestRestitution) {
  const ImpactForce zero(ImpactShape(0, 1.5), 1, 1, 1e8, DampingModel::HuntCrossley);
  EXPECT_TRUE(std::isfinite(zero.duration()));
  EXPECT_GT(zero.peak_force(), 0);
  EXPECT_EQ(ImpactShape(0, 1.5).integral(), ImpactShape(0.05, 1.5).integral());
  EXPECT_EQ(ImpactShape(0, 1.5).restitution(), 0);
}

TEST(ImpactForce, RefusesBadNumbers) {
  EXPECT_THROW(ImpactShape(-0.1, 1.5), std::invalid_argument);
  EXPECT_THROW(ImpactShape(1.1, 1.5), std::invalid_argument);
  EXPECT_THROW(ImpactShape(0.5, 0), std::invalid_argument);
  const ImpactShape shape(0.5, 1.5);
  EXPECT_THROW(ImpactForce(shape, 0, 1, 1, DampingModel::None), std::invalid_argument);
  EXPECT_THROW(ImpactForce(shape, 1, 0, 1, DampingModel::None), std::invalid_argument);
  EXPECT_THROW(ImpactForce(shape, 1, 1, -1, DampingModel::None), std::invalid_argument);
}

}  // namespace impact_force_test
}  // namespace saltus::hertz
