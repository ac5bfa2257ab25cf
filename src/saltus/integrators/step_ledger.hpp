// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_set.hpp"
#include "saltus/integrators/step_report.hpp"

namespace saltus {

/// What contacts did in a step: their states, the events, and the energy that they took.
class StepLedger {
 public:
  explicit StepLedger(const System& system);

  /// The states of all contacts at the end of the step, the events of the step, and the losses of
  /// friction and impacts in next.energy; `speed` is the scale of velocities.
  void close_contacts(const State& start, ContactSet& contacts, double speed, State& next,
                      StepReport& report);
  /// Σ Λ·F v̄ of the last call, as it is booked: the work of the contacts on the bodies, J.
  double contact_work() const { return contact_work_; }

  /// Works and stored energies of the step (docs/theory/energy.md).
  /// @param mean       forces over the step, in balance with each other.
  /// @param multiplier  mean of the joints' multipliers, impulses over h included.
  /// @param motion     Δq of the step.
  /// @param change     v − v_n as the scheme has it.
  void close(const State& start, const ForceTerms& mean, const VectorX& multiplier,
             const VectorX& motion, const VectorX& change, State& next);

 private:
  void lose(int contact, double by_impact, double by_friction, State& next);
  void book_impacts(const State& start, const ContactSet& contacts, double speed, State& next,
                    StepReport& report);
  void add_changes(const State& start, const Candidate& candidate, ContactStatus is, double lost,
                   const State& next, StepReport& report) const;
  void add_openings(const State& start, const State& next, StepReport& report) const;
  void warn_of_gain(double lost, const State& start, StepReport& report) const;
  /// Of the point relative to the surface, inertial components.
  Vector3 velocity_of(ContactIndex contact, const State& state) const;

  const System& system_;
  double contact_work_ = 0;
  VectorX Mx_;
};

}  // namespace saltus
