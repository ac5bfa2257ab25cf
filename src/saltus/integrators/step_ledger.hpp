// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "saltus/integrators/contact_impulses.hpp"
#include "saltus/integrators/step_report.hpp"

namespace saltus {

/// What the contacts of a step did, to be read.
struct StepContacts {
  const ContactSet& set;
  const ContactImpulses& impulses;
  std::span<const PositionReaction> positions;  ///< none: of a scheme without position level
  std::span<const double> speeds;               ///< scales of the islands' velocities
  double h = 0;                                 ///< the step
};

/// Whether nothing but gravity and contacts acts upon the bodies, all of them rigid or points: then
/// the other terms of forces are zero, whatever moves.
bool only_gravity_acts(const System& system);

/// The books of a step: states of contacts, events, and energy by cause. One class for all methods
/// that step over impacts, so that their ledgers mean the same. Equation numbers:
/// docs/theory/energy.md.
class StepLedger {
 public:
  explicit StepLedger(const System& system);

  /// The states of all contacts at the end of the step, the events of the step, the losses of
  /// friction and impacts in next.energy, and what stops and friction of joints do in the mean.
  void close_contacts(const State& start, const StepContacts& contacts, State& next,
                      StepReport& report);

  /// What compliant contacts did in the step; they remember its end.
  ContactBooks close_compliant(const State& start, State& next, StepReport& report);

  /// Works and stored energies of the step (docs/theory/energy.md).
  /// @param mean       forces over the step, in balance with each other.
  /// @param multiplier  mean of the joints' multipliers, impulses over h included.
  /// @param motion     Δq of the step.
  /// @param change     v − v_n as the scheme has it.
  void close(const State& start, const ForceTerms& mean, const VectorX& multiplier,
             const VectorX& motion, const VectorX& change, State& next);

 private:
  void close_others(const State& start, const ForceTerms& mean, const VectorX& multiplier,
                    const VectorX& motion, State& next) const;
  void lose(int contact, double by_impact, double by_friction, State& next);
  void book_impacts(const State& start, const StepContacts& contacts, State& next,
                    StepReport& report);
  ContactStatus status_of(const StepContacts& contacts, std::size_t i) const;
  /// What point i of the set did, and lost, apart from impacts.
  struct Change {
    std::size_t i = 0;
    ContactStatus is = ContactStatus::Open;
    Vector3 impulse = Vector3::Zero();  ///< inertial components
    double lost = 0;
  };
  void add_changes(const State& start, const StepContacts& contacts, const Change& change,
                   const State& next, StepReport& report) const;
  void add_openings(const State& start, const State& next, StepReport& report) const;
  void warn_of_gain(const StepContacts& contacts, const State& start, StepReport& report);
  const SubImpact* find_gain_alone(const StepContacts& contacts, int island) const;
  /// Of the point relative to the surface, inertial components.
  Vector3 velocity_of(ContactIndex contact, const State& state) const;

  const System& system_;
  bool only_gravity_acts_;
  double contact_work_ = 0;          // Σ Λ·F v̄, as it is booked: on the bodies, J
  std::vector<Vector6> velocities_;  // of the set's points at the end, along H
  VectorX Mx_;
  std::vector<char> has_impact_;  // of islands
  std::vector<double> lost_;      // by impacts, of islands
};

}  // namespace saltus
