// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/contact_geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

namespace saltus::hertz {
namespace contact_geometry_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_same(const ContactGeometry& g, const ContactGeometry& expected, double tolerance) {
  EXPECT_NEAR(g.A / expected.A, 1, tolerance);
  EXPECT_NEAR(g.B / expected.B, 1, tolerance);
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ContactGeometry, NamedShapesAreSpecialCases) {
  expect_same(sphere_on_sphere(0.1, 0.3), contact_geometry({0.1, 0.1}, {0.3, 0.3}), 1e-15);
  expect_same(sphere_on_plane(0.1), contact_geometry({0.1, 0.1}, {}), 1e-15);
  expect_same(sphere_in_sphere(0.1, 0.11), contact_geometry({0.1, 0.1}, {-0.11, -0.11}), 1e-14);
  expect_same(ball_on_inner_race(0.004, 0.00416, 0.013),
              contact_geometry({0.004, 0.004}, {-0.00416, 0.013}), 1e-13);
  expect_same(ball_in_outer_race(0.004, 0.00416, 0.021),
              contact_geometry({0.004, 0.004}, {-0.00416, -0.021}), 1e-13);
}

TEST(ContactGeometry, BallOfTheReferenceBearing) {
  const ContactGeometry g = ball_on_inner_race(0.00396875, 0.00397875, 0.01277125);
  EXPECT_NEAR(g.A, 0.316643, 5e-7);
  EXPECT_NEAR(g.B, 165.1347, 5e-5);
}

TEST(ContactGeometry, AngleTurnsTheCurvatures) {
  // Crossed equal cylinders are as good as a sphere on a plane; in between, Hertz' formula.
  const double R = 0.05, right = std::numbers::pi / 2;
  expect_same(contact_geometry({R, infinity}, {R, infinity}, right), sphere_on_plane(R), 1e-15);
  for (const double angle : {0.2, 0.7, 1.3}) {
    const ContactGeometry g = contact_geometry({R, infinity}, {2 * R, infinity}, angle);
    const double d_1 = 1 / R, d_2 = 1 / (2 * R);
    EXPECT_NEAR(g.A + g.B, (d_1 + d_2) / 2, 1e-13);
    EXPECT_NEAR(g.B - g.A,
                std::sqrt(d_1 * d_1 + d_2 * d_2 + 2 * d_1 * d_2 * std::cos(2 * angle)) / 2, 1e-13);
  }
}

TEST(ContactGeometry, OrderOfBodiesAndOfRadiiDoesNotMatter) {
  const PrincipalRadii p{0.02, 0.05}, q{-0.3, 0.04};
  const ContactGeometry g = contact_geometry(p, q, 0.4);
  expect_same(contact_geometry(q, p, -0.4), g, 1e-14);
  expect_same(contact_geometry({p.second, p.first}, {q.second, q.first}, 0.4), g, 1e-14);
  EXPECT_LE(g.A, g.B);
}

TEST(ContactGeometry, RefusesWhatIsNoPointContactAndSaysWhy) {
  const auto parallel = [] { contact_geometry({0.1, infinity}, {0.2, infinity}); };
  EXPECT_NE(message_of(parallel).find("line contact"), std::string::npos);
  const auto ball_as_groove = [] { ball_on_inner_race(0.004, 0.004, 0.013); };
  EXPECT_NE(message_of(ball_as_groove).find("line contact"), std::string::npos);
  const auto narrow = [] { ball_on_inner_race(0.004, 0.0039, 0.013); };
  EXPECT_NE(message_of(narrow).find("conform or intersect"), std::string::npos);
  const auto crossed = [] { contact_geometry({0.1, infinity}, {0.2, -0.05}, 0.3); };
  EXPECT_NE(message_of(crossed).find("conform"), std::string::npos);
  EXPECT_NE(message_of([] { contact_geometry({}, {}); }).find("conform"), std::string::npos);
  EXPECT_NE(message_of([] { sphere_in_sphere(0.1, 0.1); }).find("larger"), std::string::npos);
}

TEST(ContactGeometry, RefusesRadiiThatAreNone) {
  EXPECT_THROW(sphere_on_plane(0), std::invalid_argument);
  EXPECT_THROW(sphere_on_sphere(0.1, -0.2), std::invalid_argument);
  EXPECT_THROW(sphere_on_sphere(0.1, infinity), std::invalid_argument);
  EXPECT_THROW(ball_in_outer_race(0.004, 0.005, std::nan("")), std::invalid_argument);
  EXPECT_THROW(contact_geometry({0, 0.1}, {}), std::invalid_argument);
  EXPECT_THROW(contact_geometry({0.1, 0.1}, {}, std::nan("")), std::invalid_argument);
}

}  // namespace contact_geometry_test
}  // namespace saltus::hertz
