// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// How far a step may go where compliant contacts touch or come near: a contact wants this many
/// steps from closing to opening, and no step may jump into one
/// (docs/theory/compliant_contacts.md, section 4).
class CompliantPace {
 public:
  static constexpr int steps_per_contact = 64;

  explicit CompliantPace(const System& system);  ///< must live longer

  struct Step {
    double length = 0;      ///< s
    bool is_risky = false;  ///< whether a contact might close in it, and is then not resolved
  };
  /// From this state, `rest` at most. Remembers which contacts are closed.
  Step look(const State& state, double rest);
  /// Whether the step since look() has run into a contact that wants shorter ones.
  bool has_overrun(const State& state, double h) const;

 private:
  /// A point, and 1/m of the two nodes along the normal.
  double inverse_mass(const CompliantContact& e, const ContactElement::Rows& H) const;
  /// When an open contact may close, s.
  double time_to_close(const CompliantContact& e, const State& state, double rest) const;
  double resolved(const CompliantContact& e, const State& state) const;
  double fallback_mass(int node) const;

  const System& system_;
  std::vector<Matrix6> inverse_;  // of nodes: of the inertia of what is there
  std::vector<char> was_closed_;
};

}  // namespace saltus
