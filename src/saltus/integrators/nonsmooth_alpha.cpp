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

/// How the forces, or the moments, of a joint go on over the half step after their last mean: one
/// answer for all of its rows, so that it does not depend on their directions.             (28)
class Trend {
 public:
  void add(double last, double before, double earlier) {
    last_ += last * last;
    before_ += before * before;
    earlier_ += earlier * earlier;
    bend_ += std::pow(last - 2 * before + earlier, 2);
    along_ += last * before;
  }
  /// How far the rates are those of a smooth function: 1, or down to 0 where there is a jump among
  /// the means or an oscillation from step to step.
  double smoothness() const {
    const double size =
        CarriedTuning::smooth_bend * std::sqrt(std::max({last_, before_, earlier_}));
    const double bend = std::sqrt(bend_);
    return bend > size ? std::max(0.0, 2 - bend / size) : 1.0;
  }
  /// The rate of the parabola with these means; where they are not smooth the last rate, as far as
  /// the one before bears it out.
  double rate(double last, double before) const {
    const double part = smoothness(), most = CarriedTuning::growth * std::sqrt(before_);
    double plain = along_ > 0 ? last : 0;
    if (last_ > most * most) plain *= most / std::sqrt(last_);
    return part * (last + 2.0 / 3 * (last - before)) + (1 - part) * plain;
  }

 private:
  double last_ = 0, before_ = 0, earlier_ = 0, bend_ = 0, along_ = 0;  // squares, and a product
};

/// Calls `see(rows)` for the rows of forces and for those of moments of each joint.
template <class See>
void for_each_part(const System& system, std::vector<int>& rows, const See& see) {
  for (const JointEntry& joint : system.elements().joints) {
    for (const bool angular : {false, true}) {
      rows.clear();
      for (int row = joint.first_row; row < joint.first_row + joint.element.rows(); ++row) {
        if (system.is_angular(row) == angular) rows.push_back(row);
      }
      if (!rows.empty()) see(rows);
    }
  }
}

}  // namespace

NonsmoothGeneralizedAlpha nonsmooth_options(const GeneralizedAlpha& options) {
  return {.step = options.step,
          .rho_inf = options.rho_inf,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations};
}

NonsmoothAlphaStepper::NonsmoothAlphaStepper(const System& system,
                                             const NonsmoothGeneralizedAlpha& options,
                                             const ContactOptions& contacts)
    : system_(system),
      options_(options),
      contact_options_(contacts),
      kkt_(system),
      contacts_(system),
      smooth_(system, kkt_, options.rho_inf, options.tolerance, options.max_iterations),
      position_(system, kkt_, contacts_, correction_options(options, contacts)),
      velocity_(system, kkt_, contacts_, correction_options(options, contacts)),
      ledger_(system) {
  for (VectorX* v : {&zero_, &motion_, &change_, &damping_}) v->setZero(system.velocities());
  multiplier_.setZero(system.constraints());
  mean_.resize(system.velocities());
  carried_ = {multiplier_, multiplier_, multiplier_, multiplier_};
}

void NonsmoothAlphaStepper::start(State& state, double h) {
  const VectorX none = VectorX::Zero(system_.constraints());
  carried_ = {state.multiplier, state.multiplier, none, none};
  damping_ = state.forces.damping;
  // v̈₀ from a trial step with ρ∞ = 1, whose a_n is not shifted.
  SmoothMotion trial(system_, kkt_, 1.0, options_.tolerance, options_.max_iterations);
  StepReport report;
  next_ = state;
  if (!trial.solve(state, h, {.time = state.time + h}, next_, report)) return;
  const AlphaCoefficients& alpha = smooth_.coefficients();
  state.pseudo_acceleration +=
      (alpha.alpha_m - alpha.alpha_f) * (next_.acceleration - state.acceleration);
  carried_.smooth += (alpha.alpha_m - alpha.alpha_f) * (next_.multiplier - state.multiplier);
  find_first_reactions(state, h);
}

/// What joints carry at the start where contacts touch: that of the first steps, by a stepper that
/// forgets them, if nothing impacts in them.
void NonsmoothAlphaStepper::find_first_reactions(State& state, double h) {
  if (is_trial_ || system_.constraints() == 0 || system_.elements().contacts.empty()) return;
  NonsmoothAlphaStepper trial(system_, options_, contact_options_);
  trial.is_trial_ = true;
  trial.kkt_.detect_redundancy(state.configuration, state.time);
  trial.carried_ = carried_;
  State ahead = state;
  for (int i = 0; i < 4; ++i) {
    const StepReport report = trial.step(ahead, h, ahead.time + h);
    const bool impact = std::ranges::any_of(report.events, [](const ContactEvent& event) {
      return event.kind == ContactEventKind::Impact;
    });
    if (!report.converged || impact) return;
    if (i == 0) {
      carried_.mean = trial.carried_.mean;
      carried_.step = h;
      for (int row = 0; row < system_.constraints(); ++row) {
        if (trial.is_loaded(row)) state.reaction[row] = carried_.mean[row];
      }
    } else if (i == 1) {
      carried_.rate = trial.carried_.rate;
    }
  }
  go_back(trial, state.reaction);
}

/// From the mean of the first step to those before it, if there had been any: along the parabola
/// through the first three.
/// @param trial     has done four steps
/// @param reaction  of the first step, taken to its start
void NonsmoothAlphaStepper::go_back(const NonsmoothAlphaStepper& trial, VectorX& reaction) {
  VectorX &mean = carried_.mean, &rate = carried_.rate;
  const VectorX &second = trial.carried_.rate_before, &third = trial.carried_.rate;
  for_each_part(system_, rows_, [&](const std::vector<int>& rows) {
    Trend trend;
    for (const int i : rows) trend.add(rate[i], second[i], third[i]);
    for (const int i : rows) {
      const double first = rate[i], change = second[i] - first, part = trend.smoothness();
      if (trial.is_loaded(i)) reaction[i] -= carried_.step / 2 * trend.rate(first, second[i]);
      mean[i] -= carried_.step * part * (first - change);
      rate[i] = part * (first - 2 * change);
      carried_.rate_before[i] = part * (first - 3 * change);
    }
  });
}

/// Joints of islands with contacts carry their share of them; of others the correction is a
/// projection, and the smooth motion knows all forces.
bool NonsmoothAlphaStepper::is_loaded(int row) const {
  const int island = contacts_.islands().of_unknown(system_.velocities() + row);
  return !contacts_.points_of(island).empty();
}

/// The means over the step as the method weighs them, and what follows at its end.          (28)
void NonsmoothAlphaStepper::find_reactions(const State& state, double h) {
  const auto& [alpha_m, alpha_f, gamma, beta] = smooth_.coefficients();
  const VectorX& impacts = velocity_.impulses().joint_impacts();
  earlier_ = carried_.rate_before;
  carried_.rate_before = carried_.rate;
  for (int row = 0; row < system_.constraints(); ++row) {
    const double smooth = (alpha_f * state.multiplier[row] + (1 - alpha_f) * next_.multiplier[row] -
                           alpha_m * carried_.smooth[row]) /
                          (1 - alpha_m);
    const double mean = (1 - gamma) * carried_.smooth[row] + gamma * smooth +
                        (next_.impulse[row] - impacts[row]) / h;
    carried_.rate[row] = (mean - carried_.mean[row]) / ((carried_.step + h) / 2);
    carried_.smooth[row] = smooth;
    carried_.mean[row] = mean;
  }
  carried_.step = h;
  next_.reaction = next_.multiplier;
  for_each_part(system_, rows_, [&](const std::vector<int>& rows) {
    if (!is_loaded(rows.front())) return;
    const VectorX &last = carried_.rate, &before = carried_.rate_before;
    Trend trend;
    for (const int i : rows) trend.add(last[i], before[i], earlier_[i]);
    for (const int i : rows) {
      next_.reaction[i] = carried_.mean[i] + h / 2 * trend.rate(last[i], before[i]);
    }
  });
}

StepReport NonsmoothAlphaStepper::step(State& state, double h, double end, bool accept) {
  StepReport report;
  const AlphaCoefficients& alpha = smooth_.coefficients();
  report.weights = {alpha.alpha_m, alpha.alpha_f, alpha.gamma};
  next_ = state;
  next_.time = end;
  const StepData data{state, h, {.time = end}, next_, report};
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
  report.message = "coupled scheme: " + report.message;
}

/// Accumulated rotations, joint angles, contacts and energies of the accepted step.
void NonsmoothAlphaStepper::finish(State& state, const StepData& step) {
  motion_ = smooth_.increment() + position_.increment();  // Δq
  next_.accumulate_rotations(system_.nodes(), state.configuration, motion_);
  system_.update_angles(next_.configuration);
  kkt_.make_least(next_.configuration, next_.time, next_.multiplier);
  ledger_.close_contacts(
      state, {contacts_, velocity_.impulses(), position_.reactions(), velocity_.speeds()}, next_,
      step.report);
  find_reactions(state, step.h);
  step.report.joints_along_mean = velocity_.turned_joints();
  const double gamma = smooth_.coefficients().gamma;
  change_ = step.h * ((1 - gamma) * state.pseudo_acceleration + gamma * next_.pseudo_acceleration) +
            velocity_.jump();
  mean_.set_mean(state.forces, next_.forces, 0.5);
  multiplier_ = (state.multiplier + next_.multiplier) / 2 + next_.impulse / step.h;
  ledger_.close(state, mean_, multiplier_, motion_, change_, next_);
  book_damping();
  velocity_.renew_accelerations(smooth_, next_);
  std::swap(state, next_);
}

/// In the balance of the smooth motion dampers have the forces of q̃ and ṽ, in which bodies fall
/// into the contacts that hold them. What they dissipate is that of the corrected motion.
/// (energy.md, eq. 14)
void NonsmoothAlphaStepper::book_damping() {
  const VectorX& end = velocity_.has_forces() ? velocity_.forces().damping : next_.forces.damping;
  const double work = 0.5 * (damping_.dot(motion_) + end.dot(motion_));
  const double difference = mean_.damping.dot(motion_) - work;
  next_.energy.damping_loss += difference;
  next_.energy.numerical_loss -= difference;
  damping_ = end;
}

}  // namespace saltus
