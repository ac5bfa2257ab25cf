// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

namespace saltus::hertz {

/// The normal force of a compliant contact and its derivatives.
struct NormalForce {
  double elastic = 0;        ///< K δⁿ, N
  double damping = 0;        ///< N; with the elastic part never negative
  double stiffness = 0;      ///< ∂(elastic)/∂δ, N/m
  double damping_slope = 0;  ///< ∂(damping)/∂δ, N/m
  double damping_rate = 0;   ///< ∂(damping)/∂δ̇, N s/m
  double by_stiffness = 0;   ///< ∂(total)/∂(ln K), N

  double total() const { return elastic + damping; }
};

/// A local law as a force in the motion: F = K δⁿ (1 + χ δ̇/δ̇⁻), or K δⁿ + c δ̇, never pulling;
/// (1)–(4) of docs/theory/compliant_contacts.md.
struct CompliantLaw {
  double stiffness = 1;      ///< K, N/mⁿ, > 0
  double exponent = 1.5;     ///< n ≥ 1
  double damping_ratio = 0;  ///< χ of a damping model (damping_model.hpp)
  double damping = 0;        ///< c, N s/m
  double shear_ratio = 0.8;  ///< κ: tangential over normal stiffness, Mindlin

  /// @param indentation  δ > 0
  /// @param rate         δ̇
  /// @param approach     δ̇⁻: the largest δ̇ of the contact before
  NormalForce force(double indentation, double rate, double approach) const;
  double energy(double indentation) const;  ///< J; 0 where they are apart
  /// κ n K δⁿ⁻¹, N/m, and its derivative.
  double shear_stiffness(double indentation) const;
  double shear_stiffness_slope(double indentation) const;
  /// How long two bodies touch that meet with this speed, without damping; infinite at rest unless
  /// n = 1. @param mass  effective, kg
  double duration(double mass, double speed) const;
  /// The speed at which they would meet to have this indentation and rate in between.
  double meeting_speed(double mass, double indentation, double rate) const;
};

/// K over that at the bottom of a groove, as a polynomial of the cosine of the angle at which a
/// ball touches: the curvature along the ring depends on it.
struct StiffnessInGroove {
  static constexpr int degree = 4;
  std::array<double, degree + 1> coefficients = {};

  struct Value {
    double value = 1, slope = 0, curvature = 0;
  };
  Value at(double cosine) const;
};

/// Through the stiffness at five cosines of up to 90 degrees from the bottom.
/// @param bottom     the cosine there, 1 or −1
/// @param stiffness  K of the cosine
StiffnessInGroove stiffness_in_groove(double bottom,
                                      const std::function<double(double)>& stiffness);

}  // namespace saltus::hertz
