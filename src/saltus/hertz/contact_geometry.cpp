// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/contact_geometry.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace saltus::hertz {

namespace {

/// Below this A/B an ellipse is a line for all practical purposes, and A is round-off.
constexpr double line_limit = 1e-12;

double curvature(double radius, const char* name) {
  if (std::isnan(radius) || radius == 0)
    throw std::invalid_argument(std::string(name) + " must be a number other than 0");
  return 1 / radius;
}

void require_length(double value, const char* name) {
  if (!(value > 0) || std::isinf(value))
    throw std::invalid_argument(std::string(name) + " must be positive and finite");
}

ContactGeometry checked(double A, double B) {
  if (!(B > 0))
    throw std::invalid_argument(
        "the surfaces conform: no relative curvature is positive, so they do not touch at a point");
  if (A < -line_limit * B)
    throw std::invalid_argument(
        "the surfaces conform or intersect: a concave radius is smaller than the convex one in "
        "its plane");
  if (A < line_limit * B)
    throw std::invalid_argument(
        "line contact: the surfaces have no relative curvature along one direction (parallel "
        "cylinders, or a radius equal to that of its groove)");
  return {A, B};
}

/// (1/r − 1/R)/2 without the loss of digits of nearly equal radii.
double hollow(double r, double R) { return (R - r) / (2 * r * R); }

ContactGeometry sorted(double A, double B) { return A <= B ? checked(A, B) : checked(B, A); }

}  // namespace

ContactGeometry contact_geometry(const PrincipalRadii& surface_1, const PrincipalRadii& surface_2,
                                 double angle) {
  const double r_1 = curvature(surface_1.first, "the first radius of surface 1");
  const double s_1 = curvature(surface_1.second, "the second radius of surface 1");
  const double r_2 = curvature(surface_2.first, "the first radius of surface 2");
  const double s_2 = curvature(surface_2.second, "the second radius of surface 2");
  if (!std::isfinite(angle)) throw std::invalid_argument("the angle must be a number");
  // (2): the sum of the two curvature tensors, and its eigenvalues. The larger one first, the
  // other from the determinant: their difference would cost digits.
  const double c = std::cos(angle), s = std::sin(angle);
  const double xx = (r_1 + r_2 * c * c + s_2 * s * s) / 2;
  const double yy = (s_1 + r_2 * s * s + s_2 * c * c) / 2;
  const double xy = (r_2 - s_2) * s * c / 2;
  if (xy == 0) return sorted(xx, yy);
  const double B = (xx + yy) / 2 + std::hypot((xx - yy) / 2, xy);
  if (!(B > 0)) return checked(B, B);
  return sorted((xx * yy - xy * xy) / B, B);
}

ContactGeometry sphere_on_sphere(double radius_1, double radius_2) {
  require_length(radius_1, "the first radius");
  require_length(radius_2, "the second radius");
  const double A = (1 / radius_1 + 1 / radius_2) / 2;
  return checked(A, A);
}

ContactGeometry sphere_on_plane(double radius) {
  require_length(radius, "the radius");
  return checked(1 / (2 * radius), 1 / (2 * radius));
}

ContactGeometry sphere_in_sphere(double radius, double hollow_radius) {
  require_length(radius, "the radius");
  require_length(hollow_radius, "the radius of the hollow sphere");
  if (hollow_radius <= radius)
    throw std::invalid_argument("the hollow sphere must be larger than the sphere in it");
  const double A = hollow(radius, hollow_radius);
  return checked(A, A);
}

ContactGeometry ball_on_inner_race(double ball_radius, double groove_radius, double race_radius) {
  require_length(ball_radius, "the radius of the ball");
  require_length(groove_radius, "the radius of the groove");
  require_length(race_radius, "the radius of the race");
  return sorted(hollow(ball_radius, groove_radius), (1 / ball_radius + 1 / race_radius) / 2);
}

ContactGeometry ball_in_outer_race(double ball_radius, double groove_radius, double race_radius) {
  require_length(ball_radius, "the radius of the ball");
  require_length(groove_radius, "the radius of the groove");
  require_length(race_radius, "the radius of the race");
  return sorted(hollow(ball_radius, groove_radius), hollow(ball_radius, race_radius));
}

}  // namespace saltus::hertz
