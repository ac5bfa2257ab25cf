// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_set.hpp"
#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/step_ledger.hpp"
#include "saltus/integrators/stepper.hpp"

namespace saltus {

/// The θ-method of Moreau and Jean: joints, contacts and impacts at velocity level only. The
/// classical baseline: robust, of first order, with drift. Equation numbers:
/// docs/theory/nonsmooth_generalized_alpha.md, section 6.
class MoreauJeanStepper : public Stepper {
 public:
  MoreauJeanStepper(const System& system, const MoreauJean& options,
                    const ContactOptions& contacts = {});

  void start(State& state, double h) override;
  StepReport step(State& state, double h, double end, bool accept = false) override;
  void detect_redundancy(const State& state) override {
    kkt_.detect_redundancy(state.configuration, state.time);
  }
  KktSolver& kkt() { return kkt_; }
  void archive(Archive& memory) override { memory(kkt_, impulses_); }

 private:
  void find_first_reactions(State& state, double h) const;
  void select_contacts(const State& state, double h);
  void evaluate(const State& state, double h, double end);
  bool has_converged(int iteration);
  bool has_converged(int island, int iteration) const;
  std::string describe_failure(int iterations) const;
  void find_lasting(const State& state);
  bool solve_contacts(const State& state, bool first, StepReport& report);
  void finish(State& state, double h, StepReport& report);

  const System& system_;
  MoreauJean options_;
  ContactOptions contact_options_;
  KktSolver kkt_;
  ContactSet contacts_;
  ContactImpulses impulses_;
  StepLedger ledger_;
  State next_;
  Configuration mid_;
  ForceTerms mean_;
  VectorX motion_, change_, r_, g_, x_, work_, reaction_, zero_, no_multiplier_, joints_;
  double h_ = 0;      // time step
  double scale_ = 1;  // s: multipliers are impulses over it

  // Of islands, which are done one by one.
  std::vector<char> is_done_;
  Sizes speeds_, violations_, previous_;
  Sizes last_step_;    // of Newton's method, m/s
  Sizes free_speeds_;  // without contacts, m/s
  Sizes sizes_;
  SplitNorms residual_, contact_, momentum_, joint_;
};

}  // namespace saltus
