// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <map>

#include "saltus/dynamics/contact_search.hpp"
#include "saltus/integrators/actuator_jumps.hpp"
#include "saltus/integrators/contact_modes.hpp"
#include "saltus/integrators/gap_search.hpp"
#include "saltus/integrators/impact_step.hpp"
#include "saltus/integrators/load_looks.hpp"
#include "saltus/integrators/runge_kutta_motion.hpp"
#include "saltus/integrators/sign_change.hpp"
#include "saltus/integrators/stepper.hpp"

namespace saltus {

/// What a stepper has learnt of its part of a scene besides the state: it goes on with it when
/// parts come together or fall apart (event_scene.hpp).
struct EventMemory {
  double step = 0;          ///< of the next trial, s
  double fastest = 0;       ///< speed so far, m/s
  bool is_settled = false;  ///< modes are known
  std::vector<ClosedPoint> points = {};
  std::map<ContactIndex, ContactStatus> status = {};
  std::map<ContactIndex, Vector3> ways = {};  ///< of slips
};

/// Smooth motion of adaptive steps between events, which are found to the last digits: gaps that
/// close, contacts that open, stick and slip. For few rigid bodies and impacts that must be exact:
/// the work grows with the number of events. A step of the Stepper is an interval of the results.
/// Equation numbers: docs/theory/event_driven.md.
class EventDrivenStepper : public Stepper {
 public:
  EventDrivenStepper(const System& system, const EventDriven& options,
                     const ContactOptions& contacts = {});

  void start(State& state, double h) override;
  /// Instead of start(): from where other steppers have left off.
  void resume(const State& state, double h, EventMemory memory);
  EventMemory memory() const;
  /// Boxes in which the origins of moving nodes have stayed during the last interval.
  const std::vector<Eigen::AlignedBox3d>& swept() const { return swept_; }

  StepReport step(State& state, double h, double end, bool accept = false) override;
  void detect_redundancy(const State& state) override {
    motion_.kkt().detect_redundancy(state.configuration, state.time);
  }
  void archive(Archive& memory) override;

 private:
  /// What keeps a motion from going on with its modes. A gap that closes is told apart, for its
  /// moment is then found by Newton's method on the gap.
  enum class Violation { None, Gap, Other };

  void push_at_start(State& state);
  bool advance(double end, StepReport& report);
  double least_progress() const;
  void count_stuck(bool is_late);
  void warn_of_late_event(StepReport& report) const;
  bool cross_break(double end, StepReport& report);
  double choose_length(double end);
  double longest_before_rest(double speed) const;
  void adapt(double h, double rest, double error, bool rejected);
  Violation first_violation(double& lo, double& hi);
  Holding modes_at(double theta, bool with_forces);
  bool is_violated(double theta, bool with_forces) { return modes_at(theta, with_forces).ended; }
  bool slip_dies();
  double locate(double lo, double hi);
  bool repeat_to(double part, Violation violation);
  bool is_accurate();
  bool slides_on_a_switch(StepReport& report);
  void warn_of_singular_joints(StepReport& report);
  bool accept(StepReport& report);
  void sweep(const Configuration& from);

  bool settle(StepReport& report);
  void gather();
  bool collide(StepReport& report, bool shock = false);
  void warn_of_shares(const ImpactOutcome& outcome, StepReport& report) const;
  bool shock(StepReport& report);
  double work_of_supports(const ImpactOutcome& outcome);
  void capture();
  void add_joint_impulse(const VectorX& impulse);
  void add_impulse(const ClosedPoint& point, const Vector3& impulse);
  std::vector<JointReaction> stop_forces() const;
  void project_velocity();
  bool find_modes(StepReport& report);
  void stop_fading_slips(double slow);
  void tell_changes(StepReport& report);
  bool turned_round(const ClosedPoint& point) const;
  void keep_ways();

  ClosedPoint closed_point(ContactIndex contact, const ContactEntry& entry) const;
  ClosedPoint* closed(ContactIndex contact);
  bool is_there(const ContactElement& element, const NodePair& pair) const;
  double energy() const;
  void book(StepReport& report);
  double speed_scale();
  double slowest_slip();
  double fading_slip() const;
  double least_contact_speed() const;

  const System& system_;
  EventDriven options_;
  ConstrainedMotion motion_;
  ContactModes modes_;
  RungeKuttaMotion smooth_;
  GapSearch gaps_;
  LoadLooks loads_;
  ActuatorJumps jumps_;
  ImpactStep impacts_;
  ContactSearch search_;

  State next_;
  double h_ = 0;             // of the next trial
  double error_before_ = 1;  // of the last step, over the tolerance
  double longest_before_ = std::numeric_limits<double>::infinity();  // a slip's rest allowed
  double length_ = 0;                                                // of the step at hand
  double latest_ = 0;                                                // it ends there at the latest
  double interval_ = 0;                                              // of results
  double fastest_ = 0;                                               // speed so far, m/s
  std::optional<Break> break_;                                       // the next of the interval
  bool is_settled_ = false;
  int stuck_ = 0;                 // events without progress
  int collisions_ = 0;            // in the interval
  double contact_speed_ = 0;      // of the option, or of round-off
  int shocks_ = 0;                // at the moment at hand
  int jams_ = 0;                  // shocks in the interval
  int steps_ = 0, rejected_ = 0;  // in the interval
  ContactIndex violated_ = -1;
  std::map<ContactIndex, ContactState> totals_;
  std::map<ContactIndex, ContactStatus> status_;
  std::map<ContactIndex, Vector3> ways_;       // of slips, inertial, after the last step
  std::vector<JointReaction> joint_impulses_;  // of the interval, as they acted
  VectorX trial_v_, mean_velocity_, rates_;
  Configuration trial_q_;
  std::vector<double> margins_;
  std::vector<Eigen::AlignedBox3d> swept_;
};

}  // namespace saltus
