// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
// The start is put on the cones; what is not a number becomes zero.
template <int N>
bool ContactEngine<N>::start(const ContactProblem& problem, const Eigen::VectorXd& l) {
  const std::size_t count = problem.contacts.size();
  work_.diverged = false;
  work_.is_pile = work_.is_ambiguous = false;
  work_.witness_l.clear();
  work_.slip_slack = 1;
  work_.l.assign(count, Vector::Zero());
  work_.best_l = work_.l;
  work_.best = {};
  const SolverKind kind = work_.options.kind;
  const bool takes_full = kind == SolverKind::Newton || kind == SolverKind::GaussSeidel;
  if (!work_.D.attach(problem, !takes_full)) return false;
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
  if (work_.is_pile && work_.options.rough) {
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
  work_.is_pile = work_.l.size() > largest_exact();
  if (!work_.is_pile && options.gap_suffices) options.motion_tolerance *= Acceptance::many_gap;
  if (!work_.is_pile) return;
  const bool fast = options.accuracy == Accuracy::Fast;
  const double residual =
      (fast ? Acceptance::fast_residual : Acceptance::pile_margin) * Acceptance::pile_residual;
  options.tolerance = std::max(options.tolerance, residual);
  work_.gap_residual = Acceptance::pile_gap_residual;  // also says how far what presses may part
  options.motion_tolerance = options.pile_tolerance;
  work_.slip_slack = Acceptance::pile_slip;
}

// Contacts up to which round-off is aimed for; more are judged by their motions.
template <int N>
std::size_t ContactEngine<N>::largest_exact() const {
  switch (work_.options.accuracy) {
    case Accuracy::Fast:
      return many_contacts;
    case Accuracy::Standard:
      return Acceptance::large_island;
    case Accuracy::High:
      break;
  }
  return std::numeric_limits<std::size_t>::max();
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
    case SolverKind::PathFollowing:
      return follow(report, Budget::path_factorisations);
  }
}

template <int N>
void ContactEngine<N>::run_automatic(SolveReport& report) {
  if (work_.D.implicit()) return run_implicit(report);
  work_.is_pile ? run_large(report) : run_small(report);
}

// Joints or elements with so many contacts that D is not formed: what works in the unknowns of the
// bodies, ADMM for a start from far away, then Newton's method, which may get to what few are asked
// for.
template <int N>
void ContactEngine<N>::run_implicit(SolveReport& report) {
  if (work_.best.residual > Acceptance::near_residual) alternate(report, Budget::first_iterations);
  const double tolerance = work_.options.tolerance;
  work_.options.tolerance = Acceptance::margin * work_.options.acceptable;
  correct(report, Budget::implicit_newton);
  work_.options.tolerance = tolerance;
  if (done() || work_.diverged || work_.acceptable(work_.best) || work_.is_enough(work_.best))
    return;
  alternate(report, Budget::pile_admm_iterations);
  if (!done() && !work_.diverged) correct(report, Budget::implicit_newton);
}

template <int N>
void ContactEngine<N>::run_small(SolveReport& report) {
  const bool single = work_.l.size() == 1;
  // Where elements or joints connect the contacts, sweeps take as many as the square of the
  // stiffest chain of them, and Newton's method a few iterations, as with few contacts.
  const bool many = work_.l.size() > many_contacts && work_.D.has_bodies();
  if (many) {
    // A sweep costs a thousandth of a Newton iteration. In a jam the positions' reactions have no
    // limit, but gaps are soon closed.
    accelerate(report, Budget::many_sweeps);
    if (work_.options.gap_suffices && !done() && !work_.diverged) {
      if (!work_.is_enough(work_.best)) correct(report, Budget::polishing_iterations);
      if (!done() && !work_.acceptable(work_.best) && !work_.is_enough(work_.best)) {
        accelerate(report, Budget::many_sweeps);
      }
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
  if (done() || work_.diverged || work_.closes_gaps(work_.best) || work_.is_enough(work_.best))
    return;
  if (work_.acceptable(work_.best)) return sweep(report, {.most = Budget::first_sweeps});
  if (work_.D.spread() > Acceptance::large_spread) {
    alternate(report, Budget::admm_iterations);
  } else {
    sweep(report, {.most = Budget::all_sweeps});
  }
  if (!done() && !work_.diverged) correct(report, work_.options.max_iterations);
  follow_if_needed(report);
}

// Contacts up to which interior points are tried where all else has left a problem inaccurate.
template <int N>
std::size_t ContactEngine<N>::largest_followed() const {
  return work_.options.accuracy == Accuracy::High ? Budget::largest_path : Acceptance::large_island;
}

template <int N>
void ContactEngine<N>::follow_if_needed(SolveReport& report) {
  const bool good = work_.acceptable(work_.best) || work_.is_enough(work_.best) ||
                    work_.best.residual <= work_.options.acceptable;
  const bool follows = N == 3 && !work_.D.has_springs() && work_.l.size() <= largest_followed();
  if (!follows || done() || work_.diverged || good) return;
  const bool high = work_.options.accuracy == Accuracy::High;
  follow(report, high ? Budget::path_factorisations : Budget::path_trial);
}

// Newton's method and accelerated sweeps, ADMM where masses differ much; then interior points, or
// where these are out the same in turn, until the solution is acceptable.
template <int N>
void ContactEngine<N>::run_many(SolveReport& report) {
  const int iterations = std::min(Budget::newton_trial, work_.options.max_iterations);
  const bool spread = work_.D.spread() > Acceptance::large_spread;
  const bool follows = N == 3 && !work_.D.has_springs() && work_.l.size() <= largest_followed();
  const bool pauses = !follows && calls_without_trial_ > 0;  // if the residual is small as it is
  if (pauses) --calls_without_trial_;
  for (int round = 0; round < (follows ? 1 : Budget::rounds_of_many); ++round) {
    if (work_.l.size() <= Budget::largest_newton_pile) {
      correct(report, work_.acceptable(work_.best) ? Budget::polishing_iterations : iterations);
    }
    if (done() || work_.diverged || work_.acceptable(work_.best)) {
      if (!pauses) trial_pause_ = 0;
      return;
    }
    if (pauses && work_.best.residual <= Acceptance::pile_residual) return;
    if (spread) {
      alternate(report, Budget::admm_iterations);
    } else {
      accelerate(report, Budget::accelerated_sweeps);
    }
    if (done() || work_.diverged) return;
  }
  follows ? follow_if_needed(report) : pause_trials();
}

// What failed is left out for a while, longer each time.
template <int N>
void ContactEngine<N>::pause_trials() {
  trial_pause_ = std::min(2 * trial_pause_ + 1,
                          work_.is_pile ? Budget::longest_pause : Budget::longest_pause_of_many);
  calls_without_trial_ = trial_pause_;
}

// Sweeps with a budget of work; among free bodies nothing else gets further.
template <int N>
void ContactEngine<N>::run_large(SolveReport& report) {
  const int most = work_.options.gap_suffices ? Budget::pile_position_sweeps : Budget::pile_sweeps;
  if (work_.D.has_bodies()) return accelerate(report, most);
  sweep(report, {.most = most, .interval = Budget::pile_interval});
  if (calls_without_trial_ > 0) {
    --calls_without_trial_;
  } else if (work_.l.size() <= Budget::largest_newton_pile && !work_.acceptable(work_.best)) {
    // Joints and elements are what Newton's method is good at: it may get to what few are asked
    // for.
    const double tolerance =
        std::exchange(work_.options.tolerance, Acceptance::margin * work_.options.acceptable);
    correct(report, Budget::newton_trial);
    work_.options.tolerance = tolerance;
    if (work_.acceptable(work_.best)) {
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
  const int count = free_body_sweeps<N>(work_, {.most = sweeps});
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

// With six rows, or given loads, proximal Newton stands in.
template <int N>
void ContactEngine<N>::follow(SolveReport& report, int factorisations) {
  if constexpr (N == 3) {
    if (!work_.D.has_springs()) {
      const int count = path_following(work_, factorisations);
      report.iterations += count;
      note(report, SolverKind::PathFollowing, count);
      return;
    }
  }
  correct(report, work_.options.max_iterations);
}

template <int N>
void ContactEngine<N>::finish(SolveReport& report, Eigen::VectorXd& l, Eigen::VectorXd& w) {
  const ContactMeasure& m = work_.best;
  report.residual = m.residual;
  report.approach = m.approach;
  report.stick_slip = m.stick_slip;
  report.growth = m.growth;
  report.worst = m.worst;
  report.is_pile = work_.is_pile || (!done() && work_.is_enough(m));
  if (done() || work_.acceptable(m) || work_.is_enough(m)) {
    report.status = SolveStatus::Converged;
  } else if (work_.diverged) {
    report.status = SolveStatus::Incompatible;
  } else {
    report.status = work_.is_ambiguous && work_.moves_well(m) ? SolveStatus::NotUnique
                                                              : SolveStatus::Inaccurate;
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
