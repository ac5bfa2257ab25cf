// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::impulse {

/// What the elastoplastic law needs of a body.
struct ContactMaterial {
  double young_modulus = 1;   ///< Pa
  double poisson_ratio = 0;   ///< 0 to 0.5
  double yield_strength = 1;  ///< Pa
};

/// Two round bodies that are pressed together: elastic, then partly, then fully plastic; a damper
/// beside it. (16)–(19)
class ElastoplasticLaw {
 public:
  /// `radius`: of the two together, 1/R = 1/R₁ + 1/R₂, m; `hardness`: mean pressure of full
  /// plasticity p₀, Pa; `damping`: b of b |δ̇|^{3/2}, kg m^{−1/2} s^{−1/2}. Throws
  /// std::invalid_argument unless all are positive (damping may be zero) and p₀ > S_y.
  ElastoplasticLaw(const ContactMaterial& first, const ContactMaterial& second, double radius,
                   double hardness, double damping);

  /// While the bodies approach, N; zero for δ ≤ 0 at rest.
  double force(double delta, double delta_rate) const;
  double static_force(double delta) const;

  double modulus() const { return E_; }
  double yield_deformation() const { return delta_y_; }
  double yield_force() const { return f_y_; }
  double yield_stiffness() const { return k_y_; }
  double plastic_deformation() const { return delta_p_; }
  double plastic_force() const { return f_p_; }
  double plastic_stiffness() const { return k_p_; }
  double plastic_radius() const { return a_p_; }

 private:
  double E_, R_, p_0_, b_;
  double delta_y_, f_y_, k_y_, delta_p_, f_p_, k_p_, a_p_;
};

/// (17): the square of the largest shear stress under a round contact, over that of its mean; where
/// yield begins. Found by maximisation over the depth.
double yield_factor(double poisson_ratio);

}  // namespace saltus::impulse
