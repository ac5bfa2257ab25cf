// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/elliptic_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace saltus::hertz {
namespace elliptic_contact_test {

using std::numbers::pi;

const double steel = contact_compliance({2e11, 0.3}, {2e11, 0.3});

/// ∫₀^∞ dw/((a² + w)^p (b² + w)^q √w), p and q multiples of ½: midpoints in ln w, which converge
/// beyond all powers because the integrand decays at both ends.
double potential(double a, double b, double p, double q) {
  const double step = 1.0 / 32, low = std::log(b * b) - 80, high = std::log(a * a) + 80;
  double sum = 0;
  for (double x = low + step / 2; x < high; x += step) {
    const double w = std::exp(x);
    sum += std::pow(a * a + w, -p) * std::pow(b * b + w, -q) * std::sqrt(w) * step;
  }
  return sum;
}

TEST(EllipticContact, SurfacesFitTogetherUnderThePressureOfHertz) {
  // The displacement under p₀ √(1 − x²/a² − y²/b²) is L − M x² − N y²; it must close the gap
  // A x² + B y² − δ (Johnson, Contact Mechanics, 3.5): three integrals, computed by quadrature.
  for (const double ratio : {1.0, 1.3, 2.0, 5.0, 17.0, 100.0, 521.5, 1e4, 1e6}) {
    const ContactGeometry g{3.0, 3.0 * ratio};
    const ContactStress s = PointContact(g, steel, 0.3).stress(250);
    const double a = s.major_semi_axis, b = s.minor_semi_axis;
    const double c = s.peak_pressure * a * b * steel / 2;
    EXPECT_NEAR(c * potential(a, b, 0.5, 0.5) / s.indentation, 1, 1e-12) << ratio;
    EXPECT_NEAR(c * potential(a, b, 1.5, 0.5) / g.A, 1, 1e-12) << ratio;
    EXPECT_NEAR(c * potential(a, b, 0.5, 1.5) / g.B, 1, 1e-12) << ratio;
    EXPECT_NEAR(2.0 / 3 * pi * a * b * s.peak_pressure / 250, 1, 1e-14);
  }
}

TEST(EllipticContact, CoefficientsAreThoseOfTheTable) {
  struct Row {
    double ratio, kappa, c_b, c_sigma, c_delta, c_tau, c_G;
  };
  for (const Row& r : std::vector<Row>{{1, 1.0, 0.9085, 0.6366, 2.3562, 0.2048, 0.1931},
                                       {2, 0.6306, 0.7310, 0.7709, 1.8465, 0.2554, 0.2321},
                                       {5, 0.3460, 0.5699, 0.8924, 1.2942, 0.2971, 0.2620},
                                       {10, 0.2222, 0.4827, 0.9435, 0.9715, 0.3101, 0.2711},
                                       {100, 0.0550, 0.2978, 0.9943, 0.3538, 0.3097, 0.2744},
                                       {521.5, 0.0213, 0.2166, 0.9989, 0.1670, 0.3048, 0.2737}}) {
    const PointContact contact({1, r.ratio}, steel, 0.25);
    const ContactEllipse& e = contact.ellipse();
    EXPECT_NEAR(e.kappa, r.kappa, 6e-5);
    EXPECT_NEAR(e.c_b, r.c_b, 7e-5);  // the first, (3/4)^⅓ = 0.90856, was cut off
    EXPECT_NEAR(e.c_sigma, r.c_sigma, 6e-5);
    EXPECT_NEAR(e.c_delta, r.c_delta, 6e-5);
    EXPECT_NEAR(e.c_sigma * contact.peaks().shear, r.c_tau, 6e-5);
    EXPECT_NEAR(e.c_sigma * contact.peaks().octahedral, r.c_G, 6e-5);
  }
}

TEST(EllipticContact, SpheresHaveTheirClosedForms) {
  const double F = 40, R = 0.02;
  for (const ContactGeometry& g :
       {sphere_on_plane(R), sphere_on_sphere(2 * R, 2 * R), sphere_in_sphere(R / 2, R)}) {
    const PointContact contact(g, steel, 0.3);
    const ContactStress s = contact.stress(F);
    const double a = std::cbrt(0.75 * F * R * steel);
    EXPECT_NEAR(s.major_semi_axis / a, 1, 1e-14);
    EXPECT_NEAR(s.minor_semi_axis / a, 1, 1e-14);
    EXPECT_NEAR(s.peak_pressure / (1.5 * F / (pi * a * a)), 1, 1e-14);
    EXPECT_NEAR(s.indentation / (a * a / R), 1, 1e-14);
    EXPECT_NEAR(contact.stiffness() / (4 * std::sqrt(R) / (3 * steel)), 1, 1e-14);
  }
}

TEST(EllipticContact, StiffnessesOfTheImpactExamples) {
  // Bouncing ball, two spheres, slider and block: printed with two digits.
  const double soft = contact_compliance({6.043e8, 0.3}, {6.043e8, 0.3});
  EXPECT_NEAR(contact_stiffness(sphere_on_plane(0.1), soft), 1.4e8, 0.005e8);
  const double glass = contact_compliance({7.5e10, 0.3}, {7.5e10, 0.3});
  EXPECT_NEAR(sphere_stiffness(0.02, 0.02, glass), 5.5e9, 0.05e9);
  const double iron = contact_compliance({1.98e11, 0.3}, {1.98e11, 0.3});
  EXPECT_NEAR(sphere_stiffness(0.0085, 0.0085, iron), 9.5e9, 0.05e9);
  EXPECT_NEAR(
      sphere_stiffness(0.01, 0.03, iron) / contact_stiffness(sphere_on_sphere(0.01, 0.03), iron), 1,
      1e-14);
}

TEST(EllipticContact, ReferenceBearingHasItsStresses) {
  const PointContact contact(ball_on_inner_race(0.00396875, 0.00397875, 0.01277125), steel, 0.25);
  const ContactStress s = contact.stress(100);
  EXPECT_NEAR(contact.stiffness(), 7.025e10, 0.001e10);
  EXPECT_NEAR(s.peak_pressure, 6.944e8, 0.001e8);
  EXPECT_NEAR(s.shear, 2.119e8, 0.001e8);
  EXPECT_NEAR(s.octahedral_shear, 1.903e8, 0.001e8);
}

TEST(EllipticContact, BearingOfTheSliderCrankHasItsStresses) {
  const PointContact contact(ball_on_inner_race(0.0055, 0.0059, 0.033745), steel, 0.25);
  const ContactStress s = contact.stress(9100);
  EXPECT_NEAR(contact.ellipse().c_b, 0.428, 5e-4);
  EXPECT_NEAR(contact.ellipse().c_sigma, 0.967, 5e-4);
  EXPECT_NEAR(contact.stiffness(), 2.39e10, 0.005e10);
  EXPECT_NEAR(s.peak_pressure, 4.60e9, 0.005e9);
  EXPECT_NEAR(s.shear, 1.491e9, 0.001e9);
  EXPECT_NEAR(s.octahedral_shear, 1.303e9, 0.001e9);
}

TEST(EllipticContact, ForceAndIndentationAreInverse) {
  const PointContact contact({10, 90}, steel, 0.3);
  for (const double F : {1e-6, 1.0, 1e5})
    EXPECT_NEAR(contact.force(contact.stress(F).indentation) / F, 1, 1e-14);
  EXPECT_EQ(contact.force(-1e-5), 0);
  const ContactStress s = contact.stress(0);
  EXPECT_EQ(s.indentation, 0);
  EXPECT_EQ(s.peak_pressure, 0);
}

TEST(EllipticContact, IndentationIsTheDerivativeOfTheWork) {
  // F = dW/dδ with W = ⅖ K δ^{5/2}, and stiffness dF/dδ = 3F/(2δ).
  const PointContact contact({10, 90}, steel, 0.3);
  const double d = 2e-6, h = 1e-10;
  const double slope = (contact.force(d + h) - contact.force(d - h)) / (2 * h);
  EXPECT_NEAR(slope / (1.5 * contact.force(d) / d), 1, 1e-8);
}

TEST(EllipticContact, RigidBodyAgainstAnElasticOne) {
  const double rigid = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(contact_compliance({rigid, 0.3}, {2e11, 0.3}), 0.91 / 2e11);
  EXPECT_THROW(contact_compliance({rigid, 0.3}, {rigid, 0.3}), std::invalid_argument);
}

TEST(EllipticContact, RefusesWhatIsNoPointContact) {
  EXPECT_THROW(contact_ellipse({0, 1}), std::invalid_argument);
  EXPECT_THROW(contact_ellipse({-1, 1}), std::invalid_argument);
  EXPECT_THROW(contact_ellipse({2, 1}), std::invalid_argument);
  EXPECT_THROW(contact_stiffness({1, 1}, 0), std::invalid_argument);
  EXPECT_THROW(contact_compliance({-1, 0.3}, {1, 0.3}), std::invalid_argument);
  EXPECT_THROW(contact_compliance({1, 0.7}, {1, 0.3}), std::invalid_argument);
  EXPECT_THROW(PointContact({1, 1}, steel, 0.3).stress(-1), std::invalid_argument);
}

}  // namespace elliptic_contact_test
}  // namespace saltus::hertz
