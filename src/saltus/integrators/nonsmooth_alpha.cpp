// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/nonsmooth_alpha.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

CorrectionOptions correction_options(const NonsmoothGeneralizedAlpha& options,
                                     const ContactOptions& contacts) {
  return {.tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .force_difference =
              options.coupling == Coupling::Decoupled && !options.neglect_force_difference,
          .position_friction = options.position_friction,
          .contacts = contacts};
}

/// Pointers change hands. All members have a name: a new one is not forgotten.
void exchange(ForceTerms& a, ForceTerms& b) {
  auto& [inertia, gravity, elastic, damping, applied, constraint] = a;
  inertia.swap(b.inertia);
  gravity.swap(b.gravity);
  elastic.swap(b.elastic);
  damping.swap(b.damping);
  applied.swap(b.applied);
  constraint.swap(b.constraint);
}

void exchange(Configuration& a, Configuration& b) {
  auto& [nodes, angles, contacts] = a;
  nodes.swap(b.nodes);
  angles.swap(b.angles);
  contacts.swap(b.contacts);
}

void exchange(State& a, State& b) {
  auto& [time, configuration, velocity, acceleration, pseudo_acceleration, multiplier, impulse,
         reaction, rotation, forces, contacts, contact_losses, energy] = a;
  std::swap(time, b.time);
  exchange(configuration, b.configuration);
  velocity.swap(b.velocity);
  acceleration.swap(b.acceleration);
  pseudo_acceleration.swap(b.pseudo_acceleration);
  multiplier.swap(b.multiplier);
  impulse.swap(b.impulse);
  reaction.swap(b.reaction);
  rotation.swap(b.rotation);
  exchange(forces, b.forces);
  contacts.swap(b.contacts);
  contact_losses.swap(b.contact_losses);
  std::swap(energy, b.energy);
}

/// Calls `see(ours, theirs, size)` with the first unknowns of nodes that two systems both have.
template <class See>
void for_common_nodes(const System& our_system, const System& their_system, const See& see) {
  for (std::size_t n = 0; n < our_system.nodes().size(); ++n) {
    const Node &ours = our_system.nodes()[n], &theirs = their_system.nodes()[n];
    if (ours.unknowns == 0 || theirs.unknowns == 0) continue;
    see(ours.first_unknown, theirs.first_unknown, ours.unknowns);
  }
}

}  // namespace

NonsmoothGeneralizedAlpha nonsmooth_options(const GeneralizedAlpha& options) {
  return {.step = options.step,
          .rho_inf = options.rho_inf,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations};
}

NonsmoothAlphaStepper::Memory::Memory(const System& system)
    : reactions(system),
      damping(VectorX::Zero(system.velocities())),
      difference(VectorX::Zero(system.velocities())) {}

NonsmoothAlphaStepper::NonsmoothAlphaStepper(const System& system,
                                             const NonsmoothGeneralizedAlpha& options,
                                             const ContactOptions& contacts)
    : system_(system),
      options_(options),
      contact_options_(contacts),
      only_gravity_acts_(only_gravity_acts(system)),
      has_joint_points_(has_joint_points(system)),
      kkt_(system),
      contacts_(system),
      smooth_(system, kkt_, options.rho_inf, options.tolerance, options.max_iterations),
      position_(system, kkt_, contacts_, correction_options(options, contacts)),
      velocity_(system, kkt_, contacts_, correction_options(options, contacts)),
      ledger_(system),
      breaks_(system),
      after_impact_(system, kkt_),
      memory_(system),
      before_(system) {
  for (VectorX* v : {&zero_, &motion_, &change_}) v->setZero(system.velocities());
  multiplier_.setZero(system.constraints());
  mean_.resize(system.velocities());
}

void NonsmoothAlphaStepper::start(State& state, double h) {
  memory_.reactions.begin(state.multiplier);
  memory_.damping = state.forces.damping;
  memory_.difference.setZero();
  memory_.last_h = 0;
  memory_.pseudo_h = h;
  // v̈₀ from a trial step with ρ∞ = 1, whose a_n is not shifted.
  SmoothMotion trial(system_, kkt_, 1.0, options_.tolerance, options_.max_iterations);
  StepReport report;
  next_ = state;
  if (!trial.solve(state, h, {.time = state.time + h}, next_, report)) return;
  state.pseudo_acceleration += ahead() * (next_.acceleration - state.acceleration);
  memory_.reactions.begin(state.multiplier + ahead() * (next_.multiplier - state.multiplier));
  find_first_reactions(state, h);
}

/// Where a_n is, from t_n, in parts of h (generalized_alpha.md, eq. 18).
double NonsmoothAlphaStepper::ahead() const {
  const AlphaCoefficients& alpha = smooth_.coefficients();
  return alpha.alpha_m - alpha.alpha_f;
}

/// What joints carry at the start where contacts touch: that of the first steps, by a stepper that
/// forgets them, of all components that nothing strikes in them.
void NonsmoothAlphaStepper::find_first_reactions(State& state, double h) {
  const bool is_asked = system_.constraints() > 0 || has_joint_points_;
  if (is_trial_ || !is_asked || system_.elements().contacts.empty()) return;
  NonsmoothAlphaStepper trial(system_, options_, contact_options_);
  trial.is_trial_ = true;
  trial.kkt_.detect_redundancy(state.configuration, state.time);
  trial.memory_.reactions.begin(memory_.reactions.smooth());
  State ahead = state;
  const std::size_t components = system_.components().size();
  JointReactions::Trial seen{.undisturbed = std::vector<int>(components, 0), .h = h};
  for (int i = 0; i < JointReactions::Trial::steps; ++i) {
    if (!trial.step(ahead, h, ahead.time + h).converged) break;
    for (std::size_t k = 0; i == 0 && k < ahead.contacts.size(); ++k) {
      const ContactState& contact = ahead.contacts[k];
      if (!system_.elements().contacts.is_of_joint(contact.contact)) continue;
      if (trial.velocity_.has_impact(trial.contacts_.island_of(contact.contact))) continue;
      state.contacts.push_back({.contact = contact.contact, .load = contact.load});
    }
    if (system_.constraints() == 0) return;
    seen.means[static_cast<std::size_t>(i)] = trial.memory_.reactions.mean();
    for (int row = 0; i == 0 && row < system_.constraints(); ++row) {
      seen.is_loaded.push_back(memory_.reactions.is_loaded(trial.contacts_, row) ? 1 : 0);
    }
    for (std::size_t c = 0; c < components; ++c) {
      const int island = trial.contacts_.islands().of_component(static_cast<int>(c));
      int& steps = seen.undisturbed[c];
      if (steps == i && !trial.velocity_.has_impact(island)) ++steps;
    }
  }
  memory_.reactions.learn(seen, state.reaction);
}

void NonsmoothAlphaStepper::freeze(const std::vector<char>* components) {
  frozen_ = components;
  smooth_.freeze(components);
  contacts_.freeze(components);
}

void NonsmoothAlphaStepper::take_over(const NonsmoothAlphaStepper& other, const Memory& memory,
                                      const std::vector<int>& rows) {
  kkt_.take_over_redundancy(other.kkt_, rows);
  memory_.reactions.take_over(memory.reactions, rows);
  memory_.last_h = memory.last_h;
  memory_.pseudo_h = memory.pseudo_h;
  for (VectorX* v : {&memory_.damping, &memory_.difference}) v->setZero(system_.velocities());
  for_common_nodes(system_, other.system_, [&](int first, int theirs, int size) {
    memory_.damping.segment(first, size) = memory.damping.segment(theirs, size);
    memory_.difference.segment(first, size) = memory.difference.segment(theirs, size);
  });
}

/// After parts the means of joint forces, which are over steps of one length, begin anew.
void NonsmoothAlphaStepper::take_back(const NonsmoothAlphaStepper& part,
                                      const std::vector<int>& rows, double h) {
  const Memory& memory = part.memory_;
  for_common_nodes(system_, part.system_, [&](int first, int theirs, int size) {
    memory_.damping.segment(first, size) = memory.damping.segment(theirs, size);
    memory_.difference.segment(first, size) = memory.difference.segment(theirs, size);
  });
  memory_.reactions.take_back(memory.reactions, rows);
  memory_.last_h = memory_.pseudo_h = h;
  if (memory.last_h == h) return;
  for (const int row : rows) memory_.reactions.begin_anew(row);
}

/// Where steps are chosen by their error, a_n, which is ahead of t_n by a part of the last step, is
/// brought to where it would be in steps of this length.                     (adaptive_step.md, 1)
double NonsmoothAlphaStepper::stretch(double h) const {
  const double last = memory_.pseudo_h;
  if (options_.step.adaptive() == nullptr || last == 0) return 1;
  if (std::abs(h - last) <= SmoothTuning::alike_steps * h) return 1;
  const double ratio = h / last;
  return ratio > SmoothTuning::most_stretched ? 0 : ratio;
}

StepReport NonsmoothAlphaStepper::step(State& state, double h, double end, bool accept) {
  const double ratio = stretch(h);
  if (ratio == 1) return take_step(state, h, end, accept, 1);
  pseudo_ = state.pseudo_acceleration;
  state.pseudo_acceleration = state.acceleration + ratio * (pseudo_ - state.acceleration);
  const double start = state.time;
  StepReport report = take_step(state, h, end, accept, ratio);
  if (state.time == start) state.pseudo_acceleration = pseudo_;  // it failed
  return report;
}

StepReport NonsmoothAlphaStepper::take_step(State& state, double h, double end, bool accept,
                                            double stretch) {
  StepReport report;
  const AlphaCoefficients& alpha = smooth_.coefficients();
  report.weights = {alpha.alpha_m, alpha.alpha_f, alpha.gamma, stretch};
  begin(state, end);
  const StepData data{state, h, {.time = end}, next_, report, shares(h), frozen_};
  if (options_.coupling == Coupling::Decoupled) {
    solve_decoupled(data, accept);
  } else {
    solve_coupled(data);
  }
  report.usable = next_.velocity.allFinite() && smooth_.increment().allFinite() &&
                  position_.increment().allFinite();
  if (report.converged || (accept && report.usable)) finish(state, data);
  return report;
}

/// What a step adds to; the sub-problems put all else anew, but for those of the coupled scheme, of
/// which not all are solved in a step that fails.
void NonsmoothAlphaStepper::begin(const State& state, double end) {
  const bool is_known = next_.velocity.size() == state.velocity.size();
  if (options_.coupling == Coupling::Coupled || !is_known) {
    next_ = state;
  } else {
    next_.rotation = state.rotation;
    next_.contact_losses = state.contact_losses;
    next_.energy = state.energy;
  }
  next_.time = end;
}

/// Steps of one length have differences that change slowly, and h f* of the end is what is missing;
/// behind a step of another length both ends count, with the method's weights of forces.  (33)
DifferenceShares NonsmoothAlphaStepper::shares(double h) const {
  const double last = memory_.last_h;
  const bool is_alike = last == 0 || std::abs(h - last) <= SmoothTuning::alike_steps * h;
  if (is_alike || options_.coupling == Coupling::Coupled || options_.neglect_force_difference) {
    return {};
  }
  const AlphaCoefficients& alpha = smooth_.coefficients();
  const double end = (1 - alpha.alpha_f) / (1 - alpha.alpha_m);
  return {
      .velocity = alpha.gamma * end, .position = alpha.beta * end, .before = &memory_.difference};
}

/// Islands that begin anew have their forces at the state.
void NonsmoothAlphaStepper::keep_difference(double h) {
  memory_.last_h = memory_.pseudo_h = h;
  memory_.difference = velocity_.difference();
  if (std::ranges::none_of(struck_, &AfterImpact::Struck::begins_anew)) return;
  const Islands& islands = contacts_.islands();
  for (int i = 0; i < system_.velocities(); ++i) {
    if (struck_[static_cast<std::size_t>(islands.of_unknown(i))].begins_anew)
      memory_.difference[i] = 0;
  }
}

/// The three sub-problems one after the other.                                            (8–11)
void NonsmoothAlphaStepper::solve_decoupled(const StepData& step, bool accept) {
  StepReport& report = step.report;
  report.converged = smooth_.solve(step.start, step.h, step.at, step.next, report);
  if (report.converged || accept) report.converged &= position_.solve(smooth_, step);
  if (report.converged || accept) {
    report.converged &= velocity_.solve(smooth_, position_, step);
  }
}

/// The original scheme: the smooth motion is taken at the corrected positions and velocities, so
/// that the three parts are repeated until they agree.                                     (17)
void NonsmoothAlphaStepper::solve_coupled(const StepData& step) {
  StepReport& report = step.report;
  smooth_.begin(step.start, step.h, step.at, step.next);
  for (int i = 0; i < SmoothTuning::most_coupled_iterations; ++i) {
    const bool first = i == 0;
    if (smooth_.evaluate(step.start, step.next, first ? zero_ : position_.increment(),
                         first ? zero_ : velocity_.jump())) {
      return;
    }
    report.converged = smooth_.correct(step.start, step.next, report);
    if (!report.converged) return;
    report.converged = position_.solve(smooth_, step);
    if (!report.converged) return velocity_.skip(smooth_, step);
    report.converged = velocity_.solve(smooth_, position_, step);
    if (!report.converged) return;
  }
  report.converged = false;
  smooth_.describe_failure(report);
  report.message =
      "coupled scheme: " + report.message +
      "; stiff forces hardly converge in it, \"coupling\": \"decoupled\" has no such limit";
}

/// Accumulated rotations, joint angles, contacts and energies of the accepted step.
void NonsmoothAlphaStepper::finish(State& state, const StepData& step) {
  motion_ = smooth_.increment() + position_.increment();  // Δq
  next_.accumulate_rotations(system_.nodes(), state.configuration, motion_);
  system_.update_angles(next_.configuration);
  kkt_.make_least(next_.configuration, next_.time, next_.multiplier);
  ledger_.close_contacts(
      state, {contacts_, velocity_.impulses(), position_.reactions(), velocity_.speeds(), step.h},
      next_, step.report);
  const ContactBooks books = ledger_.close_compliant(state, next_, step.report);
  if (system_.constraints() > 0) {
    memory_.reactions.find({smooth_.coefficients(), contacts_, velocity_.impulses().joint_impacts(),
                            state, step.h, step.report.weights.stretch},
                           next_);
  }
  step.report.joints_along_mean = velocity_.turned_joints();
  const double gamma = smooth_.coefficients().gamma;
  change_ = step.h * ((1 - gamma) * state.pseudo_acceleration + gamma * next_.pseudo_acceleration) +
            velocity_.jump();
  if (only_gravity_acts_) {
    mean_.inertia = 0.5 * state.forces.inertia + 0.5 * next_.forces.inertia;
  } else {
    mean_.set_mean(state.forces, next_.forces, 0.5);
  }
  multiplier_ = (state.multiplier + next_.multiplier) / 2 + next_.impulse / step.h;
  if (frozen_ != nullptr) hold_frozen();
  ledger_.close(state, mean_, multiplier_, motion_, change_, next_);
  next_.energy.numerical_loss += books.belt_work - books.friction_loss;  // energy.md (15)
  velocity_.renew_accelerations(smooth_, next_);
  if (!only_gravity_acts_) {
    book_damping();
    go_on_after_impacts(step);
  } else if (has_joint_points_) {
    struck_.assign(static_cast<std::size_t>(contacts_.islands().count()), {});
    find_reactions(step);
  }
  keep_difference(step.h);
  exchange(state, next_);
}

/// Who stays where it is does no work.
void NonsmoothAlphaStepper::hold_frozen() {
  const auto is_frozen = [&](int unknown) {
    return (*frozen_)[static_cast<std::size_t>(system_.component_of(unknown))] != 0;
  };
  for (int i = 0; i < system_.velocities(); ++i) {
    if (is_frozen(i)) motion_[i] = change_[i] = 0;
  }
  for (int row = 0; row < system_.constraints(); ++row) {
    if (is_frozen(system_.velocities() + row)) multiplier_[row] = 0;
  }
}

/// In the balance of the smooth motion dampers have the forces of q̃ and ṽ, in which bodies fall
/// into the contacts that hold them. What they dissipate is that of the corrected motion.
/// (energy.md, eq. 14)
void NonsmoothAlphaStepper::book_damping() {
  const VectorX& end = velocity_.has_forces() ? velocity_.forces().damping : next_.forces.damping;
  const double work = 0.5 * (memory_.damping.dot(motion_) + end.dot(motion_));
  const double difference = mean_.damping.dot(motion_) - work;
  next_.energy.damping_loss += difference;
  next_.energy.numerical_loss -= difference;
  memory_.damping = end;
}

/// Islands in which something struck, if they have joints or dampers, or a drive or load broke.
void NonsmoothAlphaStepper::find_struck(const StepData& step) {
  const Islands& islands = contacts_.islands();
  struck_.assign(static_cast<std::size_t>(islands.count()), {});
  broken_.assign(system_.components().size(), 0);
  behind_ = step.next.time;
  if (!breaks_.none()) behind_ = breaks_.find(step.start.time, step.next.time, broken_);
  for (std::size_t c = 0; frozen_ != nullptr && c < broken_.size(); ++c) {
    if ((*frozen_)[c] != 0) broken_[c] = 0;
  }
  const bool is_decoupled = options_.coupling == Coupling::Decoupled;
  for (std::size_t c = 0; c < broken_.size(); ++c) {
    const int island = islands.of_component(static_cast<int>(c));
    AfterImpact::Struck& s = struck_[static_cast<std::size_t>(island)];
    const bool has_impact = velocity_.has_impact(island);
    const bool forces_jump = has_impact && is_decoupled && velocity_.forces_change(island);
    s.forces_jump |= forces_jump;
    s.is_broken |= broken_[c] != 0;
    s.is_struck |=
        forces_jump || s.is_broken || (has_impact && system_.components()[c].constraints > 0);
  }
  for (AfterImpact::Struck& s : struck_) s.begins_anew = s.is_struck;
  for (std::size_t c = 0; c < broken_.size(); ++c) {
    const int island = islands.of_component(static_cast<int>(c));
    if (!after_impact_.is_flexible(static_cast<int>(c)) || !velocity_.has_impact(island)) continue;
    struck_[static_cast<std::size_t>(island)].begins_anew = false;
  }
}

/// Mechanisms that were struck begin anew. The joint forces of all that were are found by
/// themselves, as long as the method has those of the time before in its means.
void NonsmoothAlphaStepper::go_on_after_impacts(const StepData& step) {
  find_struck(step);
  after_impact_.watch(contacts_.islands(), struck_, next_);
  begin_anew(step);
  if (system_.constraints() == 0 && !has_joint_points_) return;
  find_reactions(step);
  forget_caught();
}

/// What was leaving at the beginning of the step and is closed at its end was caught: the impulse
/// that did it is no mean of a force that lasts, and the next ones begin anew.
void NonsmoothAlphaStepper::forget_caught() {
  const Sizes& speeds = velocity_.speeds();
  for (const int island : contacts_.islands_with_points()) {
    const double speed = speeds[static_cast<std::size_t>(island)];
    const bool is_caught = std::ranges::any_of(contacts_.points_of(island), [&](int i) {
      const ContactGeometry& point = contacts_.points()[static_cast<std::size_t>(i)];
      return point.closed && is_approach(-point.velocity_n[0], speed);
    });
    for (int row = 0; is_caught && row < system_.constraints(); ++row) {
      if (contacts_.islands().of_unknown(system_.velocities() + row) == island)
        memory_.reactions.begin_anew(row);
    }
  }
}

/// The motion of those that are meant.                                                     (29)
void NonsmoothAlphaStepper::begin_anew(const StepData& step) {
  if (std::ranges::none_of(struck_, &AfterImpact::Struck::begins_anew)) return;
  const Islands& islands = contacts_.islands();
  multiplier_ = next_.multiplier;
  if (!after_impact_.renew({islands, struck_, step.start.velocity, behind_, step.h, ahead()},
                           next_))
    return;
  const auto rows = static_cast<std::size_t>(multiplier_.size());
  step.report.smooth_multiplier = {multiplier_.data(), rows};
  step.report.multiplier_ahead = {after_impact_.multiplier_change().data(), rows};
  for (int row = 0; row < system_.constraints(); ++row) {
    const auto island = static_cast<std::size_t>(islands.of_unknown(system_.velocities() + row));
    if (!struck_[island].begins_anew) continue;
    memory_.reactions.set_smooth(row,
                                 next_.multiplier[row] + after_impact_.multiplier_change()[row]);
  }
}

/// What joints carry at the state after an impact, with contacts that stay closed.     (31, 32)
void NonsmoothAlphaStepper::find_reactions(const StepData& step) {
  const Islands& islands = contacts_.islands();
  left_out_.resize(struck_.size());
  for (std::size_t i = 0; i < left_out_.size(); ++i) left_out_[i] = struck_[i].is_struck ? 0 : 1;
  for (int c = 0; c < static_cast<int>(system_.components().size()); ++c) {
    const int island = islands.of_component(c);
    const bool is_open = contacts_.points_of(island).empty();  // else means tell what it carries
    if (after_impact_.settles(c) || (after_impact_.rings(c) && is_open)) {
      left_out_[static_cast<std::size_t>(island)] = 0;
    }
  }
  for (std::size_t k = 0; has_joint_points_ && k < next_.contacts.size(); ++k) {
    const ContactIndex contact = next_.contacts[k].contact;
    if (!system_.elements().contacts.is_of_joint(contact)) continue;
    const int island = contacts_.island_of(contact);
    if (velocity_.has_impact(island)) left_out_[static_cast<std::size_t>(island)] = 0;
  }
  if (std::ranges::find(left_out_, 0) == left_out_.end()) return;
  if (!after_impact_.find_reactions(islands, left_out_, next_)) return;
  loads_.resize(system_.constraints());
  for (int row = 0; row < system_.constraints(); ++row) {
    loads_[row] = velocity_.impulses().joint_load(row) / step.h;
  }
  ahead_ = next_.configuration;
  motion_ = step.h * next_.velocity;
  advance(next_.configuration, system_.nodes(), motion_, ahead_);
  change_ = next_.velocity + step.h * after_impact_.acceleration();
  given_ = step.h * after_impact_.multiplier();
  velocity_.find_joint_loads(left_out_, step, {after_impact_.masses(), ahead_, change_, given_},
                             loads_);
  loads_ += after_impact_.multiplier();
  after_impact_.masses().make_least(next_.configuration, next_.time, loads_);
  for (int row = 0; row < system_.constraints(); ++row) {
    const auto island = static_cast<std::size_t>(islands.of_unknown(system_.velocities() + row));
    if (left_out_[island] != 0) continue;
    next_.reaction[row] = loads_[row];
    if (struck_[island].is_struck) memory_.reactions.begin_anew(row);
  }
}

}  // namespace saltus
