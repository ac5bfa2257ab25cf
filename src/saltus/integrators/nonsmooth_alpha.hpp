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

  /// What joints and dampers remember, before a step that may be taken again with more bodies.
  void remember();
  void go_back();
  /// What another stepper remembers whose system has the same joints and elements and other free
  /// bodies.
  void take_over(const NonsmoothAlphaStepper& other);
  void archive(Archive& memory) override {
    memory(kkt_, position_, velocity_, after_impact_, reactions_, damping_, difference_, last_h_);
  }

 private:
  void begin(const State& state, double end);
  void solve_decoupled(const StepData& step, bool accept);
  void solve_coupled(const StepData& step);
  void finish(State& state, const StepData& step);
  double ahead() const;
  void find_first_reactions(State& state, double h);
  void find_struck(const StepData& step);
  void go_on_after_impacts(const StepData& step);
  void begin_anew(const StepData& step);
  void find_reactions(const StepData& step);
  void book_damping();
  DifferenceShares shares(double h) const;
  void keep_difference(double h);

  const System& system_;
  NonsmoothGeneralizedAlpha options_;
  ContactOptions contact_options_;
  bool is_trial_ = false;
  bool only_gravity_acts_;
  KktSolver kkt_;
  ContactSet contacts_;
  SmoothMotion smooth_;
  PositionCorrection position_;
  VelocityCorrection velocity_;
  StepLedger ledger_;
  TimeBreaks breaks_;
  AfterImpact after_impact_;
  JointReactions reactions_, reactions_before_;
  VectorX damping_;  // forces of dampers at the end of the last step, at q and v
  VectorX damping_before_;
  // f* of the last step, of islands that go on from its smooth motion, and its length; 0: none.
  VectorX difference_, difference_before_;
  double last_h_ = 0, last_h_before_ = 0;
  State next_;
  VectorX zero_, motion_, change_, multiplier_;
  // Of islands.
  std::vector<AfterImpact::Struck> struck_;
  std::vector<char> left_out_;
  std::vector<char> broken_;  // of components
  double behind_ = 0;         // breaks at the end of the step, s
  VectorX loads_;             // of joints
  Configuration ahead_;
  ForceTerms mean_;
};

/// The options of the method without contacts.
NonsmoothGeneralizedAlpha nonsmooth_options(const GeneralizedAlpha& options);

}  // namespace saltus
