// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/hertz/damping_model.hpp"

namespace saltus::hertz {

/// How an impact runs, with time in units of its duration and speed in units of the approach
/// speed: (13)–(16) of docs/theory/contact_forces.md. Depends on the coefficient of restitution e
/// and the exponent n of the local law only: make it once, use it for all impacts of a contact.
class ImpactShape {
 public:
  /// The shape has no limit of finite duration for e → 0; below this value it stays as it is.
  static constexpr double smallest_restitution = 0.05;

  /// 0 ≤ restitution ≤ 1, exponent > 0 (1 linear, 1.5 Hertz).
  ImpactShape(double restitution, double exponent);

  double restitution() const { return restitution_; }  ///< as given
  double exponent() const { return n_; }
  double knot() const { return k_; }        ///< k: where the two pieces meet
  double slope() const { return a_; }       ///< a: of the first piece
  double integral() const { return I_d_; }  ///< I_d = ∫ d̄ⁿ dτ

  // 0 ≤ τ ≤ 1.
  double rate(double tau) const;               ///< δ̇/δ̇⁻, from 1 to −e
  double rate_slope(double tau) const;         ///< its derivative; jumps at the knot
  double depth(double tau) const;              ///< d̄ = δ/(T δ̇⁻), 0 at both ends
  double deepest() const { return deepest_; }  ///< τ of the largest depth

 private:
  double depth_before_end(double sigma) const;

  double restitution_, n_;
  double e_ = 1;                  ///< of the shape
  double k_ = 0, a_ = 1, s_ = 1;  ///< s: slope of the second piece
  double I_d_ = 0, deepest_ = 0;
};

/// The force of one impact, t from 0 to its duration: what stands for an impulse on the small
/// scale of time. Positive is compression.
class ImpactForce {
 public:
  /// impulse > 0 in N s, approach speed > 0 in m/s, stiffness K > 0 in N/mⁿ.
  ImpactForce(const ImpactShape& shape, double impulse, double approach_speed, double stiffness,
              DampingModel model);

  double duration() const { return T_; }
  double deltadot(double t) const;  ///< m/s
  double delta(double t) const;     ///< m; 0 outside of [0, T]
  double force(double t) const;     ///< N; 0 outside of [0, T]
  double damping() const { return D_; }

  double peak_force() const { return peak_force_; }
  double peak_force_time() const { return peak_time_; }
  double peak_indentation() const { return delta(shape_.deepest() * T_); }
  /// The smallest force, ≤ 0: strong damping pulls at the end of the impact, where it should not.
  double smallest_force() const { return smallest_force_; }

 private:
  void find_extremes();

  ImpactShape shape_;
  double v_, K_, D_, T_;
  double peak_force_ = 0, peak_time_ = 0, smallest_force_ = 0;
};

}  // namespace saltus::hertz
