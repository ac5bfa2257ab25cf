// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
// The start is put on the cones; what is not a number becomes zero.
template <int N>
bool ContactEngine<N>::start(const ContactProblem& problem, const Eigen::VectorXd& l) {
  const std::size_t count = problem.contacts.size();
  work_.diverged = false;
  large_ = false;
  work_.slip_slack = 1;
  work_.l.assign(count, Vector::Zero());
  work_.best_l = work_.l;
  work_.best = {};
  if (!work_.D.attach(problem)) return false;
  set_tolerances();
  const bool given = l.size() == problem.rows();
  for (std::size_t c = 0; c < count; ++c) {
    const Vector first =
        given ? Vector(l.segment<N>(static_cast<Eigen::Index>(N * c))) : Vector(Vector::Zero());
    if (work_.D.movable(c) && first.allFinite()) {
      work_.l[c] = project_on_cone(first, work_.D.cone(c));
    }
  }
  ContactMeasure m = work_.record();
  if (large_ && work_.options.rough) {
    double& tolerance = work_.options.motion_tolerance;
    tolerance = std::clamp(Acceptance::rough_part * m.violation(), tolerance,
                           Acceptance::most_rough * tolerance);
  }
  if (work_.best.error > m.error) {  // far too large reactions: no start at all
    work_.l.assign(count, Vector::Zero());
    m = work_.record();
  }
  work_.diverged = false;
  return std::isfinite(m.error);
}

// Round-off of a chain of contacts adds up along it. Of jammed piles no method finds more than a
// few digits.
template <int N>
void ContactEngine<N>::set_tolerances() {
  const auto count = static_cast<double>(work_.l.size());
  SolverOptions& options = work_.options;
  work_.length = std::max(1.0, count / Acceptance::few_contacts);
  const double given = options.tolerance;
  options.tolerance *= Acceptance::chain_factor * work_.length - (Acceptance::chain_factor - 1);
  options.motion_tolerance *= std::sqrt(count * std::max(1.0, given / Acceptance::usual_tolerance));
  work_.gap_residual = Acceptance::strict_gap_residual * work_.length;
  if (options.kind != SolverKind::Automatic || work_.l.size() <= many_contacts) return;
  options.tolerance = std::max(options.tolerance, Acceptance::margin * options.acceptable);
  work_.gap_residual =
      std::max(work_.gap_residual, Acceptance::margin * Acceptance::loose_gap_residual);
  large_ = work_.l.size() > Acceptance::large_island && largest_island() > Acceptance::large_island;
  if (!large_ && options.gap_suffices) options.motion_tolerance *= Acceptance::many_gap;
  if (!large_) return;
  options.tolerance =
      std::max(options.tolerance, Acceptance::pile_margin * Acceptance::pile_residual);
  work_.gap_residual = Acceptance::pile_gap_residual;
  options.motion_tolerance = options.pile_tolerance;
  work_.slip_slack = Acceptance::pile_slip;
}

template <int N>
SolveReport ContactEngine<N>::solve(const ContactProblem& problem, const SolverOptions& options,
                                    Eigen::VectorXd& l, Eigen::VectorXd& w) {
  SolveReport report;
  if (problem.contacts.empty()) {
    l.resize(0);
    if (!problem.local || w.size() != problem.size()) w.setZero(problem.size());
    return report;
  }
  work_.options = options;
  if (start(problem, l)) {
    if (!done()) run(report);
    finish(report, l, w);
    return report;
  }
  report.status = SolveStatus::Inaccurate;
  report.residual = std::numeric_limits<double>::infinity();
  l = Eigen::VectorXd::Zero(problem.rows());
  w = Eigen::VectorXd::Zero(problem.size());
  return report;
}

template <int N>
void ContactEngine<N>::run(SolveReport& report) {
  switch (work_.options.kind) {
    case SolverKind::Automatic:
      return run_automatic(report);
    case SolverKind::Newton:
      report.iterations = newton<N>(work_, work_.options.max_iterations);
      return note(report, SolverKind::Newton, report.iterations);
    case SolverKind::ProximalNewton:
      return correct(report, work_.options.max_iterations);
    case SolverKind::GaussSeidel:
      return sweep(report, {.most = Budget::all_sweeps});
    case SolverKind::Admm:
      return alternate(report, Budget::all_sweeps);
  }
}

template <int N>
void ContactEngine<N>::run_automatic(SolveReport& report) {
  large_ ? run_large(report) : run_small(report);
}

template <int N>
void ContactEngine<N>::run_small(SolveReport& report) {
  const bool single = work_.l.size() == 1;
  // Where elements or joints connect the contacts, sweeps take as many as the square of the
  // stiffest chain of them, and Newton's method a few iterations, as with few contacts.
  const bool many = work_.l.size() > many_contacts && work_.D.local();
  if (many) {
    // A sweep costs a hundredth of a Newton iteration. In a jam the positions' reactions have no
    // limit, but gaps are soon closed.
    sweep(report, {.most = Budget::many_sweeps,
                   .hand_over = true,
                   .relaxation = SweepTuning::over_relaxation});
    if (work_.options.gap_suffices && !done() && !work_.diverged) {
      if (!is_enough(work_.best)) sweep(report, {.most = Budget::many_sweeps});
      if (!done() && !is_enough(work_.best)) correct(report, Budget::polishing_iterations);
      return;
    }
  } else if (single || work_.best.residual > Acceptance::near_residual) {
    const bool exact = single && N == 3;  // by one sweep
    sweep(report, {.most = exact ? 1 : Budget::first_sweeps,
                   .interval = single ? 1 : Budget::usual_interval,
                   .hand_over = true});
  }
  if (done()) return;
  if (many) return run_many(report);
  const bool near = work_.acceptable(work_.best);
  correct(report, near ? Budget::polishing_iterations : work_.options.max_iterations);
  if (done() || work_.diverged || work_.closes_gaps(work_.best) || is_enough(work_.best)) return;
  if (work_.acceptable(work_.best)) return sweep(report, {.most = Budget::first_sweeps});
  if (work_.D.spread() > Acceptance::large_spread) {
    alternate(report, Budget::admm_iterations);
  } else {
    sweep(report, {.most = Budget::all_sweeps});
  }
  if (!done() && !work_.diverged) correct(report, work_.options.max_iterations);
}

// Accelerated sweeps, Newton's method, ADMM or plain sweeps in turn, until the solution is
// acceptable.
template <int N>
void ContactEngine<N>::run_many(SolveReport& report) {
  const int iterations = std::min(Budget::newton_trial, work_.options.max_iterations);
  const bool spread = work_.D.spread() > Acceptance::large_spread;
  const bool pauses = calls_without_trial_ > 0;  // if the residual is small as it is
  if (pauses) --calls_without_trial_;
  for (int round = 0; round < Budget::rounds_of_many; ++round) {
    if (work_.D.local() && !spread) accelerate(report, Budget::accelerated_sweeps);
    if (done() || work_.diverged) return;
    correct(report, work_.acceptable(work_.best) ? Budget::polishing_iterations : iterations);
    if (done() || work_.diverged || work_.acceptable(work_.best)) {
      if (!pauses) trial_pause_ = 0;
      return;
    }
    if (pauses && work_.best.residual <= Acceptance::pile_residual) return;
    if (round == 0) {
      alternate(report, Budget::admm_iterations);
    } else {
      sweep(report, {.most = Budget::many_sweeps});
    }
  }
  pause_trials();
}

// What failed is left out for a while, longer each time.
template <int N>
void ContactEngine<N>::pause_trials() {
  trial_pause_ = std::min(2 * trial_pause_ + 1,
                          large_ ? Budget::longest_pause : Budget::longest_pause_of_many);
  calls_without_trial_ = trial_pause_;
}

// Sweeps with a budget of work. Newton's method where it gets somewhere; in jammed piles it does
// not, and is left out for a while.
template <int N>
void ContactEngine<N>::run_large(SolveReport& report) {
  const int most = work_.options.gap_suffices ? Budget::pile_position_sweeps : Budget::pile_sweeps;
  sweep(report, {.most = most,
                 .interval = Budget::pile_interval,
                 .relaxation = SweepTuning::over_relaxation});
  if (!done() && !is_enough(work_.best))
    sweep(report, {.most = most, .interval = Budget::pile_interval});
  if (done() || is_enough(work_.best)) return;
  if (calls_without_trial_ > 0) {
    --calls_without_trial_;
  } else if (work_.l.size() <= Budget::largest_newton_pile) {
    correct(report, Budget::newton_trial);
    if (done() || is_enough(work_.best)) {
      trial_pause_ = 0;
      return;
    }
    pause_trials();
  }
  if (!done() && work_.best.residual > Acceptance::coarse_pile * Acceptance::pile_residual)
    alternate(report, Budget::pile_admm_iterations);
}

template <int N>
void ContactEngine<N>::note(SolveReport& report, SolverKind kind, int count) {
  const auto next = static_cast<std::size_t>(report.attempt_count);
  if (next == report.attempts.size()) return;
  report.attempts[next] = {kind, count};
  ++report.attempt_count;
}

template <int N>
void ContactEngine<N>::sweep(SolveReport& report, const Sweeps& sweeps) {
  work_.restore_best();
  const int count = gauss_seidel<N>(work_, sweeps);
  report.sweeps += count;
  note(report, SolverKind::GaussSeidel, count);
}

template <int N>
void ContactEngine<N>::accelerate(SolveReport& report, int sweeps) {
  work_.restore_best();
  const int count = accelerated_gauss_seidel<N>(work_, sweeps);
  report.sweeps += count;
  note(report, SolverKind::GaussSeidel, count);
}

template <int N>
void ContactEngine<N>::alternate(SolveReport& report, int iterations) {
  work_.restore_best();
  const int count = admm<N>(work_, iterations);
  report.sweeps += count;
  note(report, SolverKind::Admm, count);
}

template <int N>
void ContactEngine<N>::correct(SolveReport& report, int iterations) {
  work_.restore_best();
  const int count = proximal_newton<N>(work_, iterations);
  report.iterations += count;
  note(report, SolverKind::ProximalNewton, count);
}

// Contacts of the largest set of bodies that contacts connect. Joints connect all.
template <int N>
std::size_t ContactEngine<N>::largest_island() {
  const std::size_t count = work_.l.size();
  if (!work_.D.local()) return count;
  parents_.resize(static_cast<std::size_t>(work_.D.problem().size()));
  std::iota(parents_.begin(), parents_.end(), 0);
  const auto root = [&](int i) {
    while (parents_[static_cast<std::size_t>(i)] != i) {
      int& parent = parents_[static_cast<std::size_t>(i)];
      parent = parents_[static_cast<std::size_t>(parent)];
      i = parent;
    }
    return i;
  };
  const auto first_column = [&](std::size_t c) {
    const auto& columns = work_.D.problem().contacts[c].columns;
    const auto found = std::ranges::find_if(columns, [](int column) { return column >= 0; });
    return found == columns.end() ? -1 : *found;
  };
  for (std::size_t c = 0; c < count; ++c) {
    for (const int column : work_.D.problem().contacts[c].columns) {
      if (column >= 0) parents_[static_cast<std::size_t>(root(column))] = root(first_column(c));
    }
  }
  sizes_.assign(parents_.size(), 0);
  std::size_t largest = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (first_column(c) < 0) continue;
    largest = std::max(largest, ++sizes_[static_cast<std::size_t>(root(first_column(c)))]);
  }
  return largest;
}

// What is accepted of a pile, and of the positions of many contacts, which may be jammed.
template <int N>
bool ContactEngine<N>::is_enough(const ContactMeasure& m) const {
  const double tolerance = work_.options.motion_tolerance;
  if (!large_) {
    return work_.options.gap_suffices && work_.l.size() > many_contacts &&
           m.residual <= Acceptance::pile_residual &&
           m.approach <= Acceptance::jammed_gap * tolerance &&
           m.stick_slip <= Acceptance::pile_slip * Acceptance::jammed_gap * tolerance;
  }
  const double residual = work_.options.gap_suffices
                              ? Acceptance::coarse_pile * Acceptance::pile_residual
                              : Acceptance::pile_residual;
  return m.residual <= residual && m.violation() <= Acceptance::pile_violation * tolerance;
}

template <int N>
void ContactEngine<N>::finish(SolveReport& report, Eigen::VectorXd& l, Eigen::VectorXd& w) {
  const ContactMeasure& m = work_.best;
  report.residual = m.residual;
  report.approach = m.approach;
  report.stick_slip = m.stick_slip;
  report.growth = m.growth;
  report.worst = m.worst;
  report.is_pile = large_ || (!done() && is_enough(m));
  if (done() || work_.acceptable(m) || is_enough(m)) {
    report.status = SolveStatus::Converged;
  } else {
    report.status = work_.diverged ? SolveStatus::Incompatible : SolveStatus::Inaccurate;
  }
  clear_round_off();
  l = flat<N>(work_.best_l);
  work_.D.response(work_.best_l, w);
}

// What is left of the reactions of contacts that open.
template <int N>
void ContactEngine<N>::clear_round_off() {
  work_.D.motion(work_.best_l, work_.u);
  for (std::size_t c = 0; c < work_.best_l.size(); ++c) {
    Vector& l = work_.best_l[c];
    if (l[0] < Acceptance::open_reaction * work_.D.rho(c) * work_.u[c][0]) l.setZero();
  }
}

template class ContactEngine<3>;
template class ContactEngine<6>;

}  // namespace saltus::nonsmooth
