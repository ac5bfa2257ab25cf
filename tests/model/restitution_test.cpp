// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/restitution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/model/contact.hpp"

namespace saltus {
namespace restitution_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_off = 1e-15;

double e(const Restitution& law, double v) { return coefficient_of_restitution(law, v); }

PowerRestitution yielding() { return {.reference = 0.6, .reference_speed = 2, .exponent = -0.25}; }

TEST(Restitution, ANumberIsTheCoefficientAtAllSpeeds) {
  for (const double v : {0.0, 1e-9, 1.0, 1e9, infinity}) EXPECT_EQ(e(0.3, v), 0.3);
}

TEST(Restitution, TakesEveryKindOfNumber) {
  Contact contact{.restitution = 1};
  EXPECT_EQ(contact.restitution, 1);
  contact.restitution = 0.5;
  EXPECT_EQ(contact.restitution, 0.5);
  contact.restitution = 0.5F;
  EXPECT_EQ(contact.restitution, 0.5);
  contact.restitution = yielding();
  EXPECT_NE(contact.restitution, 0.6);
  const Contact copy = contact;
  EXPECT_EQ(std::get<PowerRestitution>(copy.restitution).exponent, -0.25);
  EXPECT_EQ(Contact{}.restitution, 0.0);
}

TEST(Restitution, PowerHasItsReferenceAtTheReferenceSpeed) {
  EXPECT_EQ(e(yielding(), 2), 0.6);
  EXPECT_NEAR(e(yielding(), 2 * 16), 0.3, round_off);
  EXPECT_NEAR(e(PowerRestitution{0.2, 1, 0.5}, 4), 0.4, round_off);
  for (const double v : {0.0, 1e-300, 3.0, infinity}) {
    EXPECT_EQ(e(PowerRestitution{0.7, 2, 0}, v), 0.7) << v;
  }
}

// The slope in a logarithmic plot is the exponent.
TEST(Restitution, PowerIsAStraightLineOfLogarithms) {
  for (const double v : {2.0, 5.0, 80.0}) {
    const double slope =
        (std::log(e(yielding(), v * 1.01)) - std::log(e(yielding(), v))) / std::log(1.01);
    EXPECT_NEAR(slope, -0.25, 1e-12);
  }
}

TEST(Restitution, PowerStaysBetweenZeroAndOne) {
  const double whole = 2 * std::pow(0.6, 4);  // where it reaches 1
  EXPECT_EQ(e(yielding(), whole * 0.999), 1);
  EXPECT_LT(e(yielding(), whole * 1.001), 1);
  EXPECT_EQ(e(yielding(), 0), 1);
  EXPECT_EQ(e(yielding(), infinity), 0);
  EXPECT_EQ(e(PowerRestitution{0.2, 1, 0.5}, 0), 0);
  EXPECT_EQ(e(PowerRestitution{0.2, 1, 0.5}, 1e9), 1);
  EXPECT_EQ(e(PowerRestitution{0, 1, -1}, 0), 0) << "0 · ∞";
  EXPECT_EQ(e(PowerRestitution{1e-300, 1e300, -300}, 1e-300), 1);
}

TEST(Restitution, TableIsLinearBetweenItsSpeedsAndConstantOutside) {
  const TableRestitution law{{0.5, 1, 3}, {0.9, 0.8, 0.2}};
  EXPECT_EQ(e(law, 0), 0.9);
  EXPECT_EQ(e(law, 0.5), 0.9);
  EXPECT_NEAR(e(law, 0.75), 0.85, round_off);
  EXPECT_EQ(e(law, 1), 0.8);
  EXPECT_NEAR(e(law, 2.5), 0.35, round_off);
  EXPECT_EQ(e(law, 3), 0.2);
  EXPECT_EQ(e(law, infinity), 0.2);
  for (const double v : {0.0, 1.0, 2.0}) EXPECT_EQ(e(TableRestitution{{1}, {0.4}}, v), 0.4);
}

// So that such a table gives the same bytes as its number.
TEST(Restitution, ATableOfOneValueHasNoRoundOff) {
  const TableRestitution law{{0.1, 0.3, 7}, {0.37, 0.37, 0.37}};
  for (double v = 0; v < 8; v += 0.0137) ASSERT_EQ(e(law, v), 0.37) << v;
}

TEST(Restitution, IsInelasticIfTheCoefficientIsZeroAtAllSpeeds) {
  EXPECT_TRUE(is_inelastic(0.0));
  EXPECT_TRUE(is_inelastic(PowerRestitution{0, 1, -0.25}));
  EXPECT_TRUE(is_inelastic(TableRestitution{{0, 1}, {0, 0}}));
  EXPECT_FALSE(is_inelastic(1e-9));
  EXPECT_FALSE(is_inelastic(yielding()));
  EXPECT_FALSE(is_inelastic(TableRestitution{{0, 1}, {0, 0.1}}));
}

}  // namespace restitution_test
}  // namespace saltus
