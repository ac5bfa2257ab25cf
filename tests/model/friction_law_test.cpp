// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/friction_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace saltus {
namespace friction_law_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_off = 1e-15;

/// static 0.4, kinetic 0.25, v_s 0.02 m/s, δ 2, no viscous part.
StribeckFriction dry() {
  return {.static_friction = 0.4, .kinetic = 0.25, .stribeck_velocity = 0.02};
}

TEST(FrictionLaw, ANumberIsTheCoefficientAtAllSpeeds) {
  for (const double s : {0.0, 1e-9, 1.0, 1e9, infinity}) EXPECT_EQ(coefficient(0.3, s), 0.3);
}

TEST(FrictionLaw, ExponentialGoesFromBasePlusAmplitudeToBase) {
  const FrictionLaw law = ExponentialFriction{0.2, 0.15, 4};
  EXPECT_NEAR(coefficient(law, 0), 0.35, round_off);
  EXPECT_NEAR(coefficient(law, 0.25), 0.2 + 0.15 / std::exp(1), round_off);
  EXPECT_NEAR(coefficient(law, 100), 0.2, round_off);
  EXPECT_EQ(coefficient(law, infinity), 0.2);
}

TEST(FrictionLaw, ExponentialMayRiseWithTheSpeed) {
  const FrictionLaw law = ExponentialFriction{0.2, -0.2, 4};
  EXPECT_EQ(coefficient(law, 0), 0);
  EXPECT_NEAR(coefficient(law, 0.25), 0.2 * (1 - std::exp(-1)), round_off);
  EXPECT_NEAR(coefficient(law, 100), 0.2, round_off);
}

TEST(FrictionLaw, ExponentialWithoutDecayIsANumber) {
  const FrictionLaw law = ExponentialFriction{0.2, 0.1, 0};
  for (const double s : {0.0, 1.0, 1e9}) EXPECT_NEAR(coefficient(law, s), 0.3, round_off);
}

TEST(FrictionLaw, StribeckGoesFromStaticToKinetic) {
  EXPECT_NEAR(coefficient(dry(), 0), 0.4, round_off);
  EXPECT_NEAR(coefficient(dry(), 0.02), 0.25 + 0.15 / std::exp(1), round_off);
  EXPECT_NEAR(coefficient(dry(), 0.04), 0.25 + 0.15 * std::exp(-4), round_off);
  EXPECT_NEAR(coefficient(dry(), 10), 0.25, round_off);
  EXPECT_NEAR(coefficient(dry(), 1e300), 0.25, round_off);
}

TEST(FrictionLaw, StribeckFallsToOneOverEAtItsVelocityWhateverTheExponent) {
  StribeckFriction law = dry();
  for (const double exponent : {0.5, 1.0, 2.0, 100.0}) {
    law.exponent = exponent;
    EXPECT_NEAR(coefficient(law, 0), 0.4, round_off);
    EXPECT_NEAR(coefficient(law, 0.02), 0.25 + 0.15 / std::exp(1), round_off) << exponent;
  }
}

TEST(FrictionLaw, StribeckWithALargeExponentIsAStep) {
  StribeckFriction law = dry();
  law.exponent = 100;
  EXPECT_NEAR(coefficient(law, 0.9 * 0.02), 0.4, 1e-5);  // (s/v)^δ = 0.9^100 = 2.7e-5
  EXPECT_NEAR(coefficient(law, 1.1 * 0.02), 0.25, round_off);
}

TEST(FrictionLaw, StribeckGrowsWithItsViscousPart) {
  StribeckFriction law = dry();
  law.viscous = 0.05;
  EXPECT_NEAR(coefficient(law, 0), 0.4, round_off);
  EXPECT_NEAR(coefficient(law, 2), 0.25 + 0.1, round_off);
}

TEST(FrictionLaw, StribeckNeverFallsBelowZero) {
  const FrictionLaw law =
      StribeckFriction{.static_friction = 0.3, .kinetic = 0, .stribeck_velocity = 0.01};
  for (double s = 0; s < 1; s += 0.01) EXPECT_GE(coefficient(law, s), 0);
}

// Rules refuse such laws; the coefficient is not negative even so.
TEST(FrictionLaw, CoefficientsAreNeverNegative) {
  EXPECT_EQ(coefficient(ExponentialFriction{0.1, -0.3, 1}, 0), 0);
  EXPECT_EQ(coefficient(-0.1, 0), 0);
}

TEST(FrictionLaw, IsFrictionlessIfTheCoefficientIsZeroAtAllSpeeds) {
  EXPECT_TRUE(is_frictionless(0.0));
  EXPECT_FALSE(is_frictionless(1e-9));
  EXPECT_TRUE(is_frictionless(ExponentialFriction{0, 0, 3}));
  EXPECT_FALSE(is_frictionless(ExponentialFriction{0.2, -0.2, 3})) << "it is zero at rest only";
  EXPECT_FALSE(is_frictionless(ExponentialFriction{0, 0.2, 3}));
  EXPECT_TRUE(is_frictionless(StribeckFriction{.stribeck_velocity = 0.01}));
  EXPECT_FALSE(
      is_frictionless(StribeckFriction{.static_friction = 0.1, .stribeck_velocity = 0.01}));
  EXPECT_FALSE(is_frictionless(StribeckFriction{.kinetic = 0.1, .stribeck_velocity = 0.01}));
  EXPECT_FALSE(is_frictionless(StribeckFriction{.stribeck_velocity = 0.01, .viscous = 0.1}));
}

TEST(FrictionLaw, StaysFiniteForAnySpeed) {
  StribeckFriction law = dry();
  law.exponent = 100;
  for (const double s : {0.0, 1e-300, 1e-3, 1e3, 1e300}) {
    EXPECT_TRUE(std::isfinite(coefficient(law, s))) << s;
    EXPECT_TRUE(std::isfinite(coefficient(ExponentialFriction{0.2, 0.1, 1e9}, s))) << s;
  }
}

}  // namespace friction_law_test
}  // namespace saltus
