// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {

/// What ContactSolver does with problems of N = 3 or 6 rows a contact: chooses the methods, keeps
/// the best iterate and judges it.
template <int N>
class ContactEngine {
 public:
  SolveReport solve(const ContactProblem& problem, const SolverOptions& options, Eigen::VectorXd& l,
                    Eigen::VectorXd& w);

  /// All that one problem leaves for the next; the rest of the workspace begins anew.
  void archive(Archive& memory) { memory(trial_pause_, calls_without_trial_, work_.system); }

 private:
  using Vector = ContactVector<N>;

  bool start(const ContactProblem& problem, const Eigen::VectorXd& l);
  void run(SolveReport& report);
  void run_automatic(SolveReport& report);
  void run_small(SolveReport& report);
  void run_many(SolveReport& report);
  void pause_trials();
  void run_large(SolveReport& report);
  void run_implicit(SolveReport& report);
  void finish(SolveReport& report, Eigen::VectorXd& l, Eigen::VectorXd& w);
  void clear_round_off();

  void sweep(SolveReport& report, const Sweeps& sweeps);
  void accelerate(SolveReport& report, int sweeps);
  void alternate(SolveReport& report, int iterations);
  void correct(SolveReport& report, int iterations);
  void follow(SolveReport& report, int factorisations);
  void follow_if_needed(SolveReport& report);
  std::size_t largest_followed() const;
  static void note(SolveReport& report, SolverKind kind, int count);

  bool done() const { return work_.solved(work_.best); }
  std::size_t largest_exact() const;
  void set_tolerances();

  SolverWorkspace<N> work_;
  int trial_pause_ = 0, calls_without_trial_ = 0;
};

extern template class ContactEngine<3>;
extern template class ContactEngine<6>;

}  // namespace saltus::nonsmooth
