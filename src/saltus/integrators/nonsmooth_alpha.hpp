// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/after_impact.hpp"
#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/joint_reactions.hpp"
#include "saltus/integrators/step_ledger.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/integrators/time_breaks.hpp"

namespace saltus {

/// The nonsmooth generalized-α method on ℝ³×SO(3): the smooth motion, then the corrections of
/// positions and velocities, which hold joints and contacts at both levels. Without contacts it is
/// the generalized-α method with projections. Equation numbers:
/// docs/theory/nonsmooth_generalized_alpha.md.
class NonsmoothAlphaStepper : public Stepper {
 public:
  NonsmoothAlphaStepper(const System& system, const NonsmoothGeneralizedAlpha& options,
                        const ContactOptions& contacts = {});

  /// The scheme's a_n is the acceleration at t_n + (α_m − α_f) h, so a₀ is moved there
  /// (generalized_alpha.md, eq. 18); multipliers are then of second order from the first step on.
  void start(State& state, double h) override;
  StepReport step(State& state, double h, double end, bool accept = false) override;
  void detect_redundancy(const State& state) override {
    kkt_.detect_redundancy(state.configuration, state.time);
  }
  KktSolver& kkt() { return kkt_; }

  /// Components that stay where they are in the steps to come, with all that they have; null: none.
  void freeze(const std::vector<char>* components);

  /// What joints, dampers and force differences remember of the last step.
  struct Memory {
    explicit Memory(const System& system);

    JointReactions reactions;
    VectorX damping;  // forces of dampers at its end, at q and v
    // f* of islands that go on from its smooth motion, and its length; 0: none.
    VectorX difference;
    double last_h = 0;
    double pseudo_h = 0;  ///< the length of step for which the pseudo-accelerations are; 0: of any

    void archive(Archive& memory) { memory(reactions, damping, difference, last_h, pseudo_h); }
  };
  const Memory& memory() const { return memory_; }
  /// Before a step that may be taken again with more bodies.
  void remember() { before_ = memory_; }
  void go_back() { memory_ = before_; }
  /// What the stepper of another system remembered that has these joints and elements, too.
  /// @param rows  of this system's constraints, the other's
  void take_over(const NonsmoothAlphaStepper& other, const Memory& memory,
                 const std::vector<int>& rows);
  /// Their last step was of another length than that of all.
  void set_last_length(double h) { memory_.last_h = memory_.pseudo_h = h; }
  /// Goes on after a step of length h that some of the components, those of another stepper's
  /// system, took by themselves, in parts or at once.
  /// @param rows  of that system's constraints, this one's
  void take_back(const NonsmoothAlphaStepper& part, const std::vector<int>& rows, double h);
  void archive(Archive& memory) override {
    memory(kkt_, position_, velocity_, after_impact_, memory_);
  }

 private:
  StepReport take_step(State& state, double h, double end, bool accept, double stretch);
  double stretch(double h) const;
  void begin(const State& state, double end);
  void hold_frozen();
  void solve_decoupled(const StepData& step, bool accept);
  void solve_coupled(const StepData& step);
  void finish(State& state, const StepData& step);
  double ahead() const;
  void find_first_reactions(State& state, double h);
  void find_struck(const StepData& step);
  void go_on_after_impacts(const StepData& step);
  void begin_anew(const StepData& step);
  void find_reactions(const StepData& step);
  void forget_caught();
  void book_damping();
  DifferenceShares shares(double h) const;
  void keep_difference(double h);

  const System& system_;
  NonsmoothGeneralizedAlpha options_;
  ContactOptions contact_options_;
  bool is_trial_ = false;
  bool only_gravity_acts_, has_joint_points_;
  KktSolver kkt_;
  ContactSet contacts_;
  SmoothMotion smooth_;
  PositionCorrection position_;
  VelocityCorrection velocity_;
  StepLedger ledger_;
  TimeBreaks breaks_;
  AfterImpact after_impact_;
  Memory memory_, before_;
  const std::vector<char>* frozen_ = nullptr;
  State next_;
  VectorX zero_, motion_, change_, multiplier_, pseudo_;
  // Of islands.
  std::vector<AfterImpact::Struck> struck_;
  std::vector<char> left_out_;
  std::vector<char> broken_;  // of components
  double behind_ = 0;         // breaks at the end of the step, s
  VectorX loads_, given_;     // of joints, N and N s
  Configuration ahead_;
  ForceTerms mean_;
};

/// The options of the method without contacts.
NonsmoothGeneralizedAlpha nonsmooth_options(const GeneralizedAlpha& options);

}  // namespace saltus
