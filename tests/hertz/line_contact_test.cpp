// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/line_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "saltus/hertz/elliptic_contact.hpp"

namespace saltus::hertz {
namespace line_contact_test {

using std::numbers::pi;

constexpr double compliance = 9.1e-12, load = 5e4;

TEST(LineContact, PressureCarriesTheLoad) {
  for (const double radius : {0.03, -0.03, std::numeric_limits<double>::infinity()}) {
    const LineContact c = line_contact(0.02, radius, compliance, load);
    EXPECT_NEAR(pi / 2 * c.half_width * c.peak_pressure / load, 1, 1e-14);
    EXPECT_NEAR(c.half_width, 2 * c.peak_pressure * compliance / (1 / 0.02 + 1 / radius), 1e-17);
  }
}

TEST(LineContact, IsTheLimitOfSlenderEllipses) {
  // In the middle of a long ellipse the load per length is 3F/(4a).
  const PointContact contact({1e-7, 25}, compliance, 0.3);
  const ContactStress s = contact.stress(1e4);
  const LineContact line = line_contact(0.02, std::numeric_limits<double>::infinity(), compliance,
                                        0.75 * 1e4 / s.major_semi_axis);
  EXPECT_NEAR(line.half_width / s.minor_semi_axis, 1, 1e-6);
  EXPECT_NEAR(line.peak_pressure / s.peak_pressure, 1, 1e-6);
  EXPECT_NEAR(line.shear / s.shear, 1, 3e-5);
  EXPECT_NEAR(line.shear_depth / s.shear_depth, 1, 3e-5);
}

TEST(LineContact, ShearIsTheMaximumAlongTheAxis) {
  const LineContact c = line_contact(0.02, 0.05, compliance, load);
  const auto shear = [&](double z) { return c.peak_pressure * (z - z * z / std::hypot(1, z)); };
  const double z = c.shear_depth / c.half_width;
  EXPECT_NEAR(shear(z) / c.shear, 1, 1e-14);
  EXPECT_LT(shear(z + 1e-4), c.shear);
  EXPECT_LT(shear(z - 1e-4), c.shear);
}

TEST(LineContact, CompressionOfACylinderGrowsNearlyLikeTheLoad) {
  const LineContact c = line_contact(0.02, 0.02, compliance, load);
  const double d = johnson_compression(0.02, compliance / 2, load, c.half_width);
  EXPECT_NEAR(d, load * compliance / 2 / pi * (2 * std::log(4 * 0.02 / c.half_width) - 1), 1e-18);
  const LineContact twice = line_contact(0.02, 0.02, compliance, 2 * load);
  const double ratio = johnson_compression(0.02, compliance / 2, 2 * load, twice.half_width) / d;
  EXPECT_GT(ratio, 1.8);
  EXPECT_LT(ratio, 2);
}

TEST(LineContact, RefusesABoreThatIsTooSmall) {
  EXPECT_THROW(line_contact(0.02, -0.02, compliance, load), std::invalid_argument);
  EXPECT_THROW(line_contact(0.02, -0.01, compliance, load), std::invalid_argument);
  EXPECT_THROW(line_contact(0.02, 0, compliance, load), std::invalid_argument);
  EXPECT_THROW(line_contact(-0.02, 0.05, compliance, load), std::invalid_argument);
  EXPECT_THROW(line_contact(0.02, 0.05, 0, load), std::invalid_argument);
  EXPECT_THROW(line_contact(0.02, 0.05, compliance, -1), std::invalid_argument);
  EXPECT_THROW(johnson_compression(0.02, compliance, load, 0), std::invalid_argument);
}

}  // namespace line_contact_test
}  // namespace saltus::hertz
