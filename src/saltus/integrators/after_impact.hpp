// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/residual_scale.hpp"

namespace saltus {

/// The smooth motion of mechanisms after an impact. Velocities have jumped, and what is quadratic
/// in them with them: accelerations and joint forces of the motion before belong to it no longer,
/// and a method that goes on from them oscillates about the new ones.
/// (docs/theory/nonsmooth_generalized_alpha.md, section 7)
class AfterImpact {
 public:
  AfterImpact(const System& system, KktSolver& kkt);

  /// Elastic bodies go on as they were: what an impact does to their nodes are waves, most of them
  /// too short for the step, and no accelerations.
  void leave_out_flexible(const Islands& islands, std::vector<char>& left_out) const;

  /// Accelerations, multipliers and forces at the state `next`, without contacts, of the islands
  /// that are not left out. Nothing changes where the equations are singular.          (29)
  /// @param ahead  where a_n of generalized-α is, from the end of the step, in parts of h
  /// @return whether it was done
  bool renew(const Islands& islands, const std::vector<char>& left_out, double h, double ahead,
             State& next);
  /// What the multipliers change until the time at which a_n is.
  const VectorX& multiplier_change() const { return multiplier_change_; }

 private:
  struct At {
    const Configuration& q;
    const VectorX& v;
    double time = 0;
  };

  void evaluate(const At& at);
  void refine(const Islands& islands, const At& at, std::vector<char>& left_out);
  void look_ahead(const Islands& islands, const std::vector<char>& left_out, double h,
                  const State& next);
  void write(const Islands& islands, const std::vector<char>& left_out, double ahead, State& next);

  const System& system_;
  std::vector<int> flexible_;  // components
  KktSolver& kkt_;
  VectorX a_, lambda_, x_, r_, g_, rates_, drives_, zero_, v_ahead_, motion_, multiplier_change_;
  VectorX loads_;  // elastic, damping and applied forces of the smooth motion
  Configuration ahead_;
  ForceTerms terms_;
  Sizes sizes_, previous_;
  std::vector<char> is_done_;
};

}  // namespace saltus
