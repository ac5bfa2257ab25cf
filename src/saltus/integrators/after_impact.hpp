// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/residual_scale.hpp"

namespace saltus {

/// Mechanisms after an impact. Velocities have jumped, and dampers and what is quadratic in them
/// with them: accelerations and joint forces of the motion before belong to it no longer, and a
/// method that goes on from them oscillates about the new ones. Rigid mechanisms begin anew. What
/// joints carry is found from the equations of motion until the oscillation has died, which does
/// nothing to the motion.
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

  /// Multipliers and accelerations there, with all forces but those of contacts, of the islands
  /// that are not left out. The state stays as it is.                                    (31)
  /// @return whether it was done
  bool find_reactions(const Islands& islands, const std::vector<char>& left_out, const State& next);
  const VectorX& multiplier() const { return lambda_; }
  const VectorX& acceleration() const { return a_; }
  /// Its matrix. @pre find_reactions() was called
  KktSolver& masses() { return *masses_; }

  /// What an impact did to an island.
  struct Struck {
    bool is_struck = false;
    bool begins_anew = false;  ///< renew() is meant for it
    bool forces_jump = false;  ///< those of dampers and loads
  };
  /// After each step: how far the accelerations of the method are off the joints, and who has been
  /// struck.
  void watch(const Islands& islands, const std::vector<Struck>& struck, const State& next);
  /// Of a component: whether the multipliers of the method oscillate about those of the motion.
  bool rings(int component) const { return rings_[static_cast<std::size_t>(component)] > 0; }
  /// And whether their means over steps have forces of the time before an impact.
  bool settles(int component) const { return settling_[static_cast<std::size_t>(component)] > 0; }

  void archive(Archive& memory);

 private:
  struct At {
    const Configuration& q;
    const VectorX& v;
    double time = 0;
  };
  /// Springs, dampers and loads: of the smooth motion, or those at the state.
  enum class Loads { Smooth, Actual };

  void find_joint_accelerations(const At& at, const VectorX& a);
  void evaluate(const At& at, Loads loads);
  void refine(KktSolver& kkt, const Islands& islands, const At& at, Loads loads,
              std::vector<char>& left_out);
  void look_ahead(const Islands& islands, const std::vector<char>& left_out, double h,
                  const State& next);
  void write(const Islands& islands, const std::vector<char>& left_out, double ahead, State& next);

  const System& system_;
  std::vector<int> flexible_;  // components
  KktSolver& kkt_;
  /// For what is recorded only: kept pivots of kkt_ stay those of the motion, and so do its bits.
  std::unique_ptr<KktSolver> masses_;
  VectorX a_, lambda_, x_, r_, g_, rates_, drives_, zero_, v_ahead_, motion_, multiplier_change_;
  VectorX loads_;  // elastic, damping and applied forces of the smooth motion
  Configuration ahead_;
  ForceTerms terms_;
  Sizes sizes_, previous_;
  std::vector<char> is_done_;
  /// Of components: how far accelerations were off the joints by the last impact, m/s²; 0: they are
  /// as good as those of a motion without one.
  std::vector<double> rings_;
  std::vector<int> settling_;  // of components: rows until means are those of the time after
};

}  // namespace saltus
