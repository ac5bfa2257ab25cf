// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/line_contact.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

using std::numbers::pi;

namespace {

// The maximum of ζ − ζ²/√(1 + ζ²), (10) of docs/theory/contact_forces.md.
constexpr double shear_depth = 0.786151377757423286;
constexpr double shear_ratio = 0.300283106000778117;

}  // namespace

LineContact line_contact(double radius_1, double radius_2, double compliance, double load) {
  require_positive(radius_1, "the first radius must be positive and finite");
  require_positive(compliance, "the compliance must be positive and finite");
  if (radius_2 == 0 || std::isnan(radius_2))
    throw std::invalid_argument("the second radius must be a number other than 0");
  if (!(load >= 0)) throw std::invalid_argument("the load of a contact must not be negative");
  const double curvature =
      std::isinf(radius_2) ? 1 / radius_1 : (radius_1 + radius_2) / (radius_1 * radius_2);
  if (!(curvature > 0))
    throw std::invalid_argument("the bore must be larger than the cylinder in it");
  LineContact c;
  c.half_width = std::sqrt(4 * load * compliance / (pi * curvature));  // (9)
  c.peak_pressure = std::sqrt(load * curvature / (pi * compliance));
  c.shear = shear_ratio * c.peak_pressure;
  c.shear_depth = shear_depth * c.half_width;
  return c;
}

double johnson_compression(double radius, double body_compliance, double load, double half_width) {
  require_positive(radius, "the radius must be positive and finite");
  require_positive(half_width, "the half width must be positive and finite");
  return load * body_compliance / pi * (2 * std::log(4 * radius / half_width) - 1);
}

}  // namespace saltus::hertz
