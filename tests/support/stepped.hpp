// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "saltus/core/archive.hpp"
#include "saltus/integrators/stepper.hpp"
#include "tests/support/scene.hpp"

namespace saltus::test {

/// A scene that a method takes step by step.
struct Stepped : Scene {
  double h;
  std::unique_ptr<Stepper> stepper;
  StepReport report;  ///< of the last step

  Stepped(const Model& model, const Integrator& method, const ContactOptions& contacts = {})
      : Scene(model), h(step_of(method)), stepper(make_stepper(system, method, contacts)) {
    stepper->start(state, h);
  }
  /// Whether n steps converge.
  bool steps(int n = 1) {
    for (int i = 0; i < n; ++i) {
      report = stepper->step(state, h, state.time + h);
      if (!report.converged) return false;
    }
    return true;
  }
  Vector3 velocity(int node) const { return linear(state.velocity, node); }
  Vector3 spin(int node) const { return angular(state.velocity, node); }
  /// Momentum and angular momentum about the origin.
  Vector6 momenta() const {
    return resultant(system, state.configuration, momentum(state.configuration, state.velocity));
  }
  int count(ContactEventKind kind) const {
    int n = 0;
    for (const ContactEvent& event : report.events) n += event.kind == kind;
    return n;
  }
};

/// Whether two states are the same to the last bit.
inline bool is_same(State a, State b) {
  Archive of_a, of_b;
  of_a(a);
  of_b(b);
  return of_a.bytes() == of_b.bytes();
}

}  // namespace saltus::test
