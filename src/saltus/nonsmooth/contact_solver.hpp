// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>

#include "saltus/core/choices.hpp"
#include "saltus/nonsmooth/contact_problem.hpp"

namespace saltus {
class Archive;
}

namespace saltus::nonsmooth {

/// From more contacts on, `acceptable` is what is aimed for instead of `tolerance`.
inline constexpr std::size_t many_contacts = 50;

/// How a contact problem is solved, and how accurately.
struct SolverOptions {
  SolverKind kind = SolverKind::Automatic;
  Accuracy accuracy = Accuracy::Standard;
  /// Aim for the relative residual (natural map). A solution that cannot be improved is accepted
  /// up to `acceptable`.
  double tolerance = 1e-12;
  double acceptable = 1e-8;
  /// Largest approach, and slip of a sticking contact, in the unit of u. Position level: meeting
  /// this is enough (`gap_suffices`); velocity level: required besides the residual.
  double motion_tolerance = 1e-10;
  /// The same where hundreds of contacts depend on each other, and only a few digits are found.
  double pile_tolerance = 1e-5;
  bool gap_suffices = false;
  /// Whether the problem is a linearisation that is renewed after this: a pile is solved roughly.
  bool rough = false;
  /// Round-off of b, in the unit of u: errors that it explains are none.
  double noise = 0;
  double penalty = 4;      ///< augmented Lagrangian, in units of 1/D_cc; the result is independent
  double proximal = 1e-2;  ///< first proximal term, in units of D_cc; the result is independent
  int max_iterations = 150;  ///< of Newton's method; sweeps have their own budgets
};

/// What became of a contact problem.
enum class SolveStatus {
  Converged,
  Inaccurate,   ///< the best that was found; `residual` says how good
  NotUnique,    ///< motions are met, by other reactions too
  Incompatible  ///< reactions grow without bound: the contacts and joints contradict each other
};

/// A method that was used, and how many iterations or sweeps it made.
struct Attempt {
  SolverKind kind = SolverKind::Automatic;
  int count = 0;
};

/// How a contact problem was solved, and how good the solution is.
struct SolveReport {
  SolveStatus status = SolveStatus::Converged;
  int iterations = 0;     ///< Newton iterations (linear solves); 0 if the start was the solution
  int sweeps = 0;         ///< of Gauss–Seidel or ADMM
  double residual = 0;    ///< ‖natural map‖ / ‖l‖
  double approach = 0;    ///< max(−u_N), ≥ 0
  double stick_slip = 0;  ///< max ‖u_k‖ over strictly sticking balls
  double growth = 0;      ///< ‖l‖ / (largest inertia of a side of a contact · ‖b‖)
  bool is_pile = false;   ///< many contacts depend on each other: a few digits only are asked for
  int worst = -1;         ///< index of the contact with the largest residual
  std::array<Attempt, 8> attempts = {};
  int attempt_count = 0;

  /// "Gauss-Seidel 30, proximal Newton 12"
  std::string tried() const;
};

/// Solves contact problems; keeps its workspace and symbolic factorisations from call to call.
class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  /// @param l  problem.rows_per_contact() entries a contact (normal first); in: a start, e.g. of
  /// the last step (any
  ///           values; projected on the cones), out: the solution.
  /// @param w  out: the motion (and joint multipliers) caused by l, K w = Fᵀ l; of a local problem
  ///           only the unknowns of its contacts are written.
  SolveReport solve(const ContactProblem& problem, const SolverOptions& options, Eigen::VectorXd& l,
                    Eigen::VectorXd& w);

  /// What was learnt: patterns, pivots, which trials are left out for a while. A solver that loads
  /// it gives the same bits as this one would.
  void archive(Archive& memory);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus::nonsmooth
