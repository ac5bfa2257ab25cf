// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/step_ledger.hpp"
#include "saltus/integrators/stepper.hpp"

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
  void archive(Archive& memory) override { memory(kkt_, position_, velocity_, carried_, damping_); }

 private:
  void solve_decoupled(const StepData& step, bool accept);
  void solve_coupled(const StepData& step);
  void finish(State& state, const StepData& step);
  void find_first_reactions(State& state, double h);
  void go_back(const NonsmoothAlphaStepper& trial, VectorX& reaction);
  bool is_loaded(int row) const;
  void find_reactions(const State& state, double h);
  void book_damping();

  /// What joints have carried, N or N m, lasting contacts included: known as means over steps.
  struct Carried {
    VectorX smooth = {};  ///< of the smooth forces, in the sense of ForceWeights
    VectorX mean = {};    ///< over the last step
    VectorX rate = {};    ///< between the middles of the last two steps, per s
    VectorX rate_before = {};
    double step = 0;  ///< the last one, s

    void archive(Archive& memory) { memory(smooth, mean, rate, rate_before, step); }
  };

  const System& system_;
  NonsmoothGeneralizedAlpha options_;
  ContactOptions contact_options_;
  bool is_trial_ = false;
  KktSolver kkt_;
  ContactSet contacts_;
  SmoothMotion smooth_;
  PositionCorrection position_;
  VelocityCorrection velocity_;
  StepLedger ledger_;
  Carried carried_;
  VectorX damping_;  // forces of dampers at the end of the last step, at q and v
  State next_;
  VectorX zero_, motion_, change_, multiplier_, earlier_;
  std::vector<int> rows_;
  ForceTerms mean_;
};

/// The options of the method without contacts.
NonsmoothGeneralizedAlpha nonsmooth_options(const GeneralizedAlpha& options);

}  // namespace saltus
