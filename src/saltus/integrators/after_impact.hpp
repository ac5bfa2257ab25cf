// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/residual_scale.hpp"

namespace saltus {

/// Mechanisms after an impact, or a break of a drive or load. Velocities have jumped, and dampers
/// and what is quadratic in them with them, or a drive asks for another acceleration: accelerations
/// and joint forces of the motion before belong to it no longer, and a method that goes on from
/// them oscillates about the new ones. Rigid mechanisms begin anew, elastic ones after breaks only.
/// What joints carry is found from the equations of motion until the oscillation has died, which
/// does nothing to the motion. (docs/theory/nonsmooth_generalized_alpha.md, section 7)
class AfterImpact {
 public:
  AfterImpact(const System& system, KktSolver& kkt);

  /// What an impact or a break did to an island.
  struct Struck {
    bool is_struck = false;
    bool begins_anew = false;  ///< renew() is meant for it
    bool forces_jump = false;  ///< those of dampers and loads, with the velocities
    bool is_broken = false;    ///< a drive or a load jumps or kinks
  };

  /// Elastic bodies go on as they were: what an impact does to their nodes are waves, most of them
  /// too short for the step, and no accelerations.
  bool is_flexible(int component) const;

  struct Renewal {
    const Islands& islands;
    const std::vector<Struck>& struck;  ///< of islands
    const VectorX& before;              ///< velocities at the beginning of the step
    double time = 0;                    ///< behind breaks at the end of the step
    double h = 0;
    double ahead = 0;  ///< where a_n of generalized-α is, from the end of the step, in parts of h
  };
  /// Accelerations, multipliers and forces at the state `next`, without contacts, of the islands
  /// that begin anew. Nothing changes where the equations are singular.                (29)
  /// @return whether it was done
  bool renew(const Renewal& renewal, State& next);
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
  void choose_loads(const Renewal& renewal, const State& next);
  void find_resolved(const Renewal& renewal, const State& next);
  void look_ahead(const Renewal& renewal, const State& next);
  bool look_ahead_with_forces(const Renewal& renewal, const State& next);
  void write(const Renewal& renewal, State& next);

  const System& system_;
  std::vector<char> flexible_;  // of components
  KktSolver& kkt_;
  /// For what is recorded only: kept pivots of kkt_ stay those of the motion, and so do its bits.
  std::unique_ptr<KktSolver> masses_;
  VectorX a_, lambda_, x_, r_, g_, rates_, drives_, zero_, v_ahead_, motion_, multiplier_change_;
  VectorX loads_;  // elastic, damping and applied forces with which a motion begins anew
  VectorX actual_, damping_, applied_, changes_;
  std::vector<char> jumps_;  // of islands: begin anew with the dampers behind the impact
  Configuration ahead_;
  ForceTerms terms_;
  std::vector<char> left_out_;
  Sizes sizes_, previous_;
  std::vector<char> is_done_;
  /// Of components: how far accelerations were off the joints by the last impact, m/s²; 0: they are
  /// as good as those of a motion without one.
  std::vector<double> rings_;
  std::vector<int> settling_;  // of components: rows until means are those of the time after
};

}  // namespace saltus
