// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/integrators/constrained_motion.hpp"
#include "saltus/model/options.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"

namespace saltus {

/// Which closed points stick, slip or leave: Signorini's and Coulomb's laws between accelerations
/// and forces. Equation numbers: docs/theory/event_driven.md.
class ContactModes {
 public:
  ContactModes(const System& system, ConstrainedMotion& motion,
               const ContactSolverOptions& options);

  /// Sets the modes of the motion's points at a place where their gaps and normal velocities are
  /// zero. `slow`: slips below this speed are none. Faster ones, up to `fading`, are taken to have
  /// ended where friction stops them within a way of fading²/a, a the scale of accelerations. False
  /// if no forces satisfy the laws.
  bool find(const ConstrainedMotion::At& at, double slow, double fading = 0);
  /// Whether the modes at hand hold at a place, where the motion has just been accelerated there:
  /// `found` is what that said.
  bool hold(const ConstrainedMotion::At& at, double slow, bool found);
  /// Whether the motion's own forces let slips go on that have just begun. Where they stop one and
  /// friction can hold its point, the point sticks after all.
  bool agree(const ConstrainedMotion::At& at);
  const std::string& message() const { return message_; }

  void archive(Archive& memory) { memory(solver_); }

 private:
  bool solve();
  bool solve_once();
  double take_out_yielding();
  void pose(std::size_t i);
  Vector3 acceleration_of(std::size_t i) const;
  double still_beside(std::size_t i) const;
  bool leaves(std::size_t i) const;
  bool begin_slips();
  void list_fading(double slow, double fading);
  void begin_by_speeds(double slow);
  bool find_begun(double slow);
  bool is_stopped(std::size_t i, double fading);
  bool let_slide(double fading);
  void set_modes();
  std::vector<std::size_t> pushed_back() const;

  const System& system_;
  ConstrainedMotion& motion_;
  ContactSolverOptions options_;
  nonsmooth::ContactSolver solver_;
  nonsmooth::ContactProblem problem_;
  VectorX l_, w_, exact_;
  std::vector<Vector3> yields_;  // accelerations that yielding joints lack, m/s²
  std::vector<bool> begins_;     // to slip, from rest
  std::vector<bool> fades_;      // slips that may have ended
  double still_ = 0;             // accelerations below it are none, m/s²
  std::string message_;
};

}  // namespace saltus
