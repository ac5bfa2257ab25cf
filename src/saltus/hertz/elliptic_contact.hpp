// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/hertz/contact_geometry.hpp"
#include "saltus/hertz/subsurface.hpp"

namespace saltus::hertz {

/// What Hertz's theory needs of a body.
struct ElasticMaterial {
  double young_modulus = 2.1e11;  ///< Pa, > 0; infinite: rigid
  double poisson_ratio = 0.3;     ///< 0 to 0.5
};

/// s₁ + s₂ = Σ (1 − ν²)/E of the two bodies, 1/Pa. Throws if both are rigid.
double contact_compliance(const ElasticMaterial& body_1, const ElasticMaterial& body_2);

/// What follows from the geometry alone, (5) and (6) of docs/theory/contact_forces.md.
struct ContactEllipse {
  double kappa = 1;    ///< b/a, semi-axes b ≤ a
  double c_b = 0;      ///< b = c_b (F Δ)^⅓, Δ = (s₁ + s₂)/(A + B)
  double c_sigma = 0;  ///< p₀ = c_σ b/Δ
  double c_delta = 0;  ///< δ = c_δ F (A + B) Δ/(π b)
};

ContactEllipse contact_ellipse(const ContactGeometry& geometry);

/// K of F = K δ^{3/2}, N/m^{3/2}.
double contact_stiffness(const ContactGeometry& geometry, double compliance);
/// The same for two spheres in closed form, the case that programs ask most often.
double sphere_stiffness(double radius_1, double radius_2, double compliance);

/// State of a contact under a force. Lengths m, stresses Pa, all positive.
struct ContactStress {
  double major_semi_axis = 0, minor_semi_axis = 0;  ///< a ≥ b
  double indentation = 0;                           ///< δ
  double peak_pressure = 0;                         ///< p₀; the stress there is −p₀
  double shear = 0, shear_depth = 0;
  double octahedral_shear = 0, octahedral_depth = 0;
};

/// An elastic point contact. Everything that does not depend on the force is computed once.
class PointContact {
 public:
  /// `poisson_ratio` of the body whose shear stresses are asked for.
  PointContact(const ContactGeometry& geometry, double compliance, double poisson_ratio);

  const ContactEllipse& ellipse() const { return ellipse_; }
  const SubsurfacePeaks& peaks() const { return peaks_; }
  double stiffness() const { return stiffness_; }
  double force(double indentation) const;  ///< 0 where they are apart
  ContactStress stress(double force) const;

 private:
  ContactEllipse ellipse_;
  SubsurfacePeaks peaks_;
  double relative_compliance_ = 0;  ///< Δ
  double stiffness_ = 0;
};

}  // namespace saltus::hertz
