// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/contact_impulses.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How often a step that does not converge is halved: the smallest tried is h/1024.
constexpr int most_halvings = 10;

/// A time-stepping method at work on one system.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Prepares the first step, of length h.
  virtual void start(State& state, double h) = 0;

  /// One step of length h to the time `end`. If it does not converge, `state` is left as it was,
  /// unless `accept` says that the last iterate will do and it is finite.
  virtual StepReport step(State& state, double h, double end, bool accept = false) = 0;

  /// Looks for redundant joints: once, before start().
  virtual void detect_redundancy(const State& state) = 0;

  /// All that influences later steps besides the State: a new stepper of the same system and
  /// options that loads it, after or instead of start(), goes on bit by bit as this one.
  virtual void archive(Archive& memory) = 0;

  /// Whether mechanisms that do not converge may go through a step in halves of it. A method that
  /// knows nothing of this leaves it to its caller.
  void let_halve(bool may) { halves_ = may; }
  bool halves() const { return halves_; }

  /// Who is told of the time while a long step is under way; false asks it to stop.
  void set_listener(std::function<bool(double time)> hear) { hear_ = std::move(hear); }

 protected:
  bool go_on(double time) const { return !hear_ || hear_(time); }

 private:
  bool halves_ = false;
  std::function<bool(double time)> hear_;
};

std::unique_ptr<Stepper> make_stepper(const System& system, const Integrator& integrator,
                                      const ContactOptions& contacts);

}  // namespace saltus
