// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/compliant_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/local_impact.hpp"

namespace saltus {
namespace compliant_law_test {

using hertz::CompliantLaw;
using hertz::NormalForce;

TEST(CompliantLaw, DurationOfALinearSpringIsHalfAPeriod) {
  const CompliantLaw law{.stiffness = 1e4, .exponent = 1};
  for (const double v : {1e-3, 1.0, 50.0}) {
    EXPECT_NEAR(law.duration(0.25, v), std::numbers::pi * std::sqrt(0.25 / 1e4), 1e-15);
  }
}

TEST(CompliantLaw, DurationIsThatOfTheIntegratedImpact) {
  for (const double n : {1.0, 1.5, 2.5}) {
    const CompliantLaw law{.stiffness = 3e7, .exponent = n};
    const hertz::LocalImpact impact =
        hertz::integrate_local_law({.mass = 0.7, .stiffness = 3e7, .exponent = n}, 1.3);
    EXPECT_NEAR(law.duration(0.7, 1.3), impact.duration, 1e-8 * impact.duration);
    // Anywhere on the way the speed at the meeting is the same.
    const hertz::LocalSample& middle = impact.history[impact.history.size() / 3];
    EXPECT_NEAR(law.meeting_speed(0.7, middle.delta, middle.deltadot), 1.3, 1e-8);
  }
}

TEST(CompliantLaw, SlopesAreDerivatives) {
  const CompliantLaw hunt{.stiffness = 2e3, .exponent = 1.5, .damping_ratio = 0.7};
  const CompliantLaw voigt{.stiffness = 2e3, .exponent = 1, .damping = 3};
  for (const CompliantLaw& law : {hunt, voigt}) {
    for (const double rate : {-0.5, 0.2, 0.9, 2.0}) {
      const double delta = 0.01, s = 1e-6, v = 1;
      const NormalForce f = law.force(delta, rate, v);
      const auto at = [&](double d, double r) { return law.force(d, r, v).total(); };
      EXPECT_NEAR(f.stiffness + f.damping_slope,
                  (at(delta + s, rate) - at(delta - s, rate)) / 2 / s, 1e-5 * f.stiffness);
      EXPECT_NEAR(f.damping_rate, (at(delta, rate + s) - at(delta, rate - s)) / 2 / s, 1e-6);
    }
  }
}

TEST(CompliantLaw, ForceOverTheStiffness) {
  const CompliantLaw hunt{.stiffness = 2e3, .exponent = 1.5, .damping_ratio = 0.7};
  const CompliantLaw voigt{.stiffness = 2e3, .exponent = 1.5, .damping = 3};
  for (const CompliantLaw& law : {hunt, voigt}) {
    for (const double rate : {-40.0, -0.2, 0.0, 0.3}) {
      CompliantLaw stiffer = law, softer = law;
      constexpr double part = 1e-5;
      stiffer.stiffness *= 1 + part;
      softer.stiffness *= 1 - part;
      const double slope =
          (stiffer.force(0.01, rate, 0.5).total() - softer.force(0.01, rate, 0.5).total()) /
          (2 * part);
      EXPECT_NEAR(law.force(0.01, rate, 0.5).by_stiffness, slope, 1e-8);
    }
  }
}

TEST(StiffnessInGroove, IsThatOfTheExactEllipses) {
  const double ball = 0.00396875, groove = 0.0041;
  for (const double bottom : {-1.0, 1.0}) {
    const double ring = bottom < 0 ? 0.015531 + groove : 0.023469 - groove;
    const auto exact = [&](double cosine) {
      const double along = -cosine / (ring + groove * cosine);
      return hertz::contact_stiffness(
          hertz::contact_geometry({ball, ball}, {along == 0 ? INFINITY : 1 / along, -groove}),
          1e-11);
    };
    const hertz::StiffnessInGroove k = hertz::stiffness_in_groove(bottom, exact);
    EXPECT_NEAR(k.at(bottom).value, 1, 1e-14);
    for (double c = 0; c <= 1; c += 0.02) {
      const double x = bottom * c;
      EXPECT_NEAR(k.at(x).value, exact(x) / exact(bottom), 2e-6) << x;
      constexpr double d = 1e-4;
      EXPECT_NEAR(k.at(x).slope, (k.at(x + d).value - k.at(x - d).value) / (2 * d), 1e-8);
      EXPECT_NEAR(k.at(x).curvature, (k.at(x + d).slope - k.at(x - d).slope) / (2 * d), 1e-8);
    }
  }
}

TEST(CompliantLaw, NeverPulls) {
  for (const double ratio : {0.5, 3.0, 30.0}) {
    const CompliantLaw law{.stiffness = 1e5, .damping_ratio = ratio};
    for (const double rate : {-3.0, -1.0, -0.1}) {
      EXPECT_GE(law.force(1e-3, rate, 1).total(), 0);
    }
    EXPECT_NEAR(law.force(1e-3, 5, 1).total(), law.force(1e-3, 1, 1).total(), 1e-12);
  }
  const CompliantLaw voigt{.stiffness = 1e5, .exponent = 1, .damping = 100};
  EXPECT_EQ(voigt.force(1e-4, -1, 1).total(), 0);
}

TEST(CompliantLaw, ForceIsTheEnergysDerivative) {
  const CompliantLaw law{.stiffness = 1e5};
  const double d = 1e-3, s = 1e-8;
  EXPECT_NEAR((law.energy(d + s) - law.energy(d - s)) / 2 / s, law.force(d, 0, 0).elastic, 1e-6);
  EXPECT_NEAR((law.shear_stiffness(d + s) - law.shear_stiffness(d - s)) / 2 / s,
              law.shear_stiffness_slope(d), 1e-5 * law.shear_stiffness_slope(d));
}

}  // namespace compliant_law_test
}  // namespace saltus
