// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

constexpr int first_sweeps = 30;
constexpr int check_interval = 10;
constexpr int all_sweeps = 5000;
constexpr int admm_iterations = 2000;
constexpr int polishing_iterations = 12;
constexpr double large_spread = 100;       // of masses: sweeps hardly converge
constexpr std::size_t large_island = 300;  // contacts
constexpr double large_residual = 1e-4;    // what is asked of a large island
constexpr double near_residual = 1e-4;  // of a start from which Newton's method takes over at once
constexpr double usual = 1e-12;         // tolerance that motion_tolerance goes with
constexpr double few_contacts = 8;      // up to which the tolerances are taken as they are
constexpr int newton_trial = 60;        // iterations in a large island
constexpr int longest_pause = 63;       // calls without a trial after failures

}  // namespace

struct ContactSolver::Implementation {
  SolverWorkspace work;
  std::vector<int> parents;  // of unknowns, for islands

  SolveReport solve(const ContactProblem& problem, const SolverOptions& options, Eigen::VectorXd& l,
                    Eigen::VectorXd& w);

 private:
  bool start(const ContactProblem& problem, const Eigen::VectorXd& l);
  void run(SolveReport& report);
  void run_automatic(SolveReport& report);
  void run_small(SolveReport& report);
  void run_large(SolveReport& report);
  void finish(SolveReport& report, Eigen::VectorXd& l, Eigen::VectorXd& w);
  void clear_round_off();

  void sweep(SolveReport& report, int sweeps, int interval, bool hand_over);
  void alternate(SolveReport& report, int iterations);
  void correct(SolveReport& report, int iterations);
  static void note(SolveReport& report, SolverKind kind, int count);

  bool done() const { return work.solved(work.best); }
  std::size_t largest_island();

  bool large_ = false;
  int newton_pause_ = 0, calls_without_newton_ = 0;
};

// The start is put on the cones; what is not a number becomes zero.
bool ContactSolver::Implementation::start(const ContactProblem& problem, const Eigen::VectorXd& l) {
  const std::size_t count = problem.contacts.size();
  work.diverged = false;
  large_ = false;
  work.l.assign(count, Vector3::Zero());
  work.best_l = work.l;
  work.best = {};
  if (!work.D.attach(problem)) return false;
  const bool given = l.size() == problem.rows();
  for (std::size_t c = 0; c < count; ++c) {
    const Vector3 first =
        given ? Vector3(l.segment<3>(static_cast<Eigen::Index>(3 * c))) : Vector3(Vector3::Zero());
    if (work.D.movable(c) && first.allFinite()) {
      work.l[c] = project_on_cone(first, problem.contacts[c].mu);
    }
  }
  ContactMeasure m = work.record();
  if (work.best.error > m.error) {  // far too large reactions: no start at all
    work.l.assign(count, Vector3::Zero());
    m = work.record();
  }
  work.diverged = false;
  return std::isfinite(m.error);
}

SolveReport ContactSolver::Implementation::solve(const ContactProblem& problem,
                                                 const SolverOptions& options, Eigen::VectorXd& l,
                                                 Eigen::VectorXd& w) {
  SolveReport report;
  if (problem.contacts.empty()) {
    l.resize(0);
    w = Eigen::VectorXd::Zero(problem.size());
    return report;
  }
  work.options = options;
  // Round-off of a chain of contacts adds up along it.
  const auto count = static_cast<double>(problem.contacts.size());
  work.length = std::max(1.0, count / few_contacts);
  work.options.tolerance *= 20 * work.length - 19;
  work.options.motion_tolerance *= std::sqrt(count * std::max(1.0, options.tolerance / usual));
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

void ContactSolver::Implementation::run(SolveReport& report) {
  switch (work.options.kind) {
    case SolverKind::Automatic:
      return run_automatic(report);
    case SolverKind::Newton:
      report.iterations = newton(work, work.options.max_iterations);
      return note(report, SolverKind::Newton, report.iterations);
    case SolverKind::ProximalNewton:
      return correct(report, work.options.max_iterations);
    case SolverKind::GaussSeidel:
      return sweep(report, all_sweeps, check_interval, false);
    case SolverKind::Admm:
      return alternate(report, all_sweeps);
  }
}

void ContactSolver::Implementation::run_automatic(SolveReport& report) {
  const std::size_t count = work.l.size();
  large_ = count > large_island && largest_island() > large_island;
  if (large_) return run_large(report);
  run_small(report);
}

void ContactSolver::Implementation::run_small(SolveReport& report) {
  const bool single = work.l.size() == 1;
  if (single || work.best.residual > near_residual) {
    sweep(report, single ? 1 : first_sweeps, single ? 1 : check_interval, true);
    if (done()) return;
  }
  const bool near = work.acceptable(work.best);
  correct(report, near ? polishing_iterations : work.options.max_iterations);
  if (done() || work.diverged) return;
  if (work.acceptable(work.best)) return sweep(report, first_sweeps, check_interval, false);
  if (work.D.spread() > large_spread) {
    alternate(report, admm_iterations);
  } else {
    sweep(report, all_sweeps, check_interval, false);
  }
  if (!done() && !work.diverged) correct(report, work.options.max_iterations);
}

// Newton's method where it gets somewhere; in jammed piles it does not, and is left out for a
// while.
void ContactSolver::Implementation::run_large(SolveReport& report) {
  if (work.best.residual > near_residual) sweep(report, first_sweeps, check_interval, true);
  if (done()) return;
  if (calls_without_newton_ > 0) {
    --calls_without_newton_;
  } else if (work.l.size() <= 2000) {
    correct(report, newton_trial);
    if (done() || work.acceptable(work.best)) {
      newton_pause_ = 0;
      return;
    }
    newton_pause_ = std::min(2 * newton_pause_ + 1, longest_pause);
    calls_without_newton_ = newton_pause_;
  }
  sweep(report, work.options.gap_suffices ? 1000 : 500, check_interval, false);
  if (!done() && work.best.residual > 10 * large_residual) alternate(report, 500);
}

void ContactSolver::Implementation::note(SolveReport& report, SolverKind kind, int count) {
  const auto next = static_cast<std::size_t>(report.attempt_count);
  if (next == report.attempts.size()) return;
  report.attempts[next] = {kind, count};
  ++report.attempt_count;
}

void ContactSolver::Implementation::sweep(SolveReport& report, int sweeps, int interval,
                                          bool hand_over) {
  work.restore_best();
  const int count = gauss_seidel(work, sweeps, interval, hand_over);
  report.sweeps += count;
  note(report, SolverKind::GaussSeidel, count);
}

void ContactSolver::Implementation::alternate(SolveReport& report, int iterations) {
  work.restore_best();
  const int count = admm(work, iterations);
  report.sweeps += count;
  note(report, SolverKind::Admm, count);
}

void ContactSolver::Implementation::correct(SolveReport& report, int iterations) {
  work.restore_best();
  const int count = proximal_newton(work, iterations);
  report.iterations += count;
  note(report, SolverKind::ProximalNewton, count);
}

// Contacts of the largest set of bodies that contacts connect. Joints connect all.
std::size_t ContactSolver::Implementation::largest_island() {
  const std::size_t count = work.l.size();
  if (!work.D.local()) return count;
  parents.resize(static_cast<std::size_t>(work.D.size()));
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](int i) {
    while (parents[static_cast<std::size_t>(i)] != i) {
      int& parent = parents[static_cast<std::size_t>(i)];
      parent = parents[static_cast<std::size_t>(parent)];
      i = parent;
    }
    return i;
  };
  const auto first_column = [&](std::size_t c) {
    const auto& columns = work.D.contact(c).columns;
    const auto found = std::ranges::find_if(columns, [](int column) { return column >= 0; });
    return found == columns.end() ? -1 : *found;
  };
  for (std::size_t c = 0; c < count; ++c) {
    for (const int column : work.D.contact(c).columns) {
      if (column >= 0) parents[static_cast<std::size_t>(root(column))] = root(first_column(c));
    }
  }
  std::vector<std::size_t> sizes(parents.size(), 0);
  std::size_t largest = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (first_column(c) < 0) continue;
    largest = std::max(largest, ++sizes[static_cast<std::size_t>(root(first_column(c)))]);
  }
  return largest;
}

void ContactSolver::Implementation::finish(SolveReport& report, Eigen::VectorXd& l,
                                           Eigen::VectorXd& w) {
  const ContactMeasure& m = work.best;
  report.residual = m.residual;
  report.approach = m.approach;
  report.stick_slip = m.stick_slip;
  report.growth = m.growth;
  report.worst = m.worst;
  const bool enough = large_ && m.residual <= large_residual &&
                      m.violation() <= 1e3 * work.options.motion_tolerance;
  if (done() || work.acceptable(m) || enough) {
    report.status = SolveStatus::Converged;
  } else {
    report.status = work.diverged ? SolveStatus::Incompatible : SolveStatus::Inaccurate;
  }
  clear_round_off();
  l = flat(work.best_l);
  work.D.response(work.best_l, w);
}

std::string SolveReport::tried() const {
  static constexpr const char* names[] = {"automatic", "Newton", "proximal Newton", "Gauss-Seidel",
                                          "ADMM"};
  std::string text;
  for (int i = 0; i < attempt_count; ++i) {
    const Attempt& attempt = attempts[static_cast<std::size_t>(i)];
    if (i > 0) text += ", ";
    text += names[static_cast<int>(attempt.kind)];
    text += ' ' + std::to_string(attempt.count);
  }
  return text;
}

// What is left of the reactions of contacts that open.
void ContactSolver::Implementation::clear_round_off() {
  work.D.motion(work.best_l, work.u);
  for (std::size_t c = 0; c < work.best_l.size(); ++c) {
    Vector3& l = work.best_l[c];
    if (l[0] < 1e-6 * work.D.rho(c) * work.u[c][0]) l.setZero();
  }
}

ContactSolver::ContactSolver() : implementation_(std::make_unique<Implementation>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

SolveReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                 Eigen::VectorXd& l, Eigen::VectorXd& w) {
  return implementation_->solve(problem, options, l, w);
}

}  // namespace saltus::nonsmooth
