// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/single_contact.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/contact_measure.hpp"
#include "saltus/nonsmooth/one_contact.hpp"
#include "saltus/nonsmooth/solver_workspace.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

/// A reaction, its motion, and how good they are.
struct SingleTrial {
  Vector3 l = Vector3::Zero(), u = Vector3::Zero();
  ContactMeasure measured = {};
  bool solved = false;
};

SingleTrial try_reaction(const SingleOperator& D, const SolverOptions& options, const Vector3& l) {
  SingleTrial trial{.l = l, .u = D.block() * l + D.b(0)};
  trial.measured = measure_single(D, trial.l, trial.u, options.motion_tolerance, options.noise);
  trial.solved = is_solved(trial.measured, options, Acceptance::strict_gap_residual);
  return trial;
}

/// w = Y l on the unknowns of the contact.
void move_single(const ContactRows& contact, const Vector3& l, int size, Eigen::VectorXd& w) {
  if (w.size() != size) w.setZero(size);
  const Eigen::Matrix<double, 12, 1> moved = contact.Y.leftCols<3>() * l;
  for (std::size_t k = 0; k < contact.columns.size(); ++k) {
    if (contact.columns[k] >= 0) w[contact.columns[k]] = moved[static_cast<Eigen::Index>(k)];
  }
}

}  // namespace

bool SingleOperator::attach(const ContactProblem& problem) {
  const ContactRows& contact = problem.contacts.front();
  D_ = contact.H.topRows<3>().lazyProduct(contact.Y.leftCols<3>());
  b_ = contact.b.head<3>();
  mu_ = contact.mu;
  if (!(D_.allFinite() && b_.allFinite() && mu_ >= 0 && D_(0, 0) > 0)) return false;
  rho_ = 3 / D_.trace();
  double heaviest = 0;
  for (const int first : {0, 6}) {
    const double mobility =
        contact.H.row(0).segment<6>(first).dot(contact.Y.col(0).segment<6>(first));
    if (mobility > 0) heaviest = std::max(heaviest, 1 / mobility);
  }
  reference_ = heaviest * b_.norm();
  return std::isfinite(reference_);
}

bool is_single(const ContactProblem& problem) {
  return problem.contacts.size() == 1 && problem.local && !problem.moments;
}

bool solve_single(const ContactProblem& problem, const SolverOptions& options, Eigen::VectorXd& l,
                  Eigen::VectorXd& w, SolveReport& report) {
  SingleOperator D;
  if (!D.attach(problem)) return false;
  SolverOptions own = options;  // those of one contact: ContactEngine::set_tolerances
  own.motion_tolerance *= std::sqrt(std::max(1.0, options.tolerance / Acceptance::usual_tolerance));
  const bool is_given = l.size() == 3 && l.allFinite();
  const Vector3 start = is_given ? Vector3(l) : Vector3(Vector3::Zero());
  SingleTrial trial = try_reaction(D, own, project_on_cone(start, D.cone(0)));
  if (!trial.solved) {
    trial = try_reaction(D, own, solve_one_contact(D.block(), D.b(0), D.cone(0), trial.l));
    if (!trial.solved) return false;
    report.sweeps = 1;
    report.attempts[0] = {SolverKind::GaussSeidel, 1};
    report.attempt_count = 1;
  }
  report.residual = trial.measured.residual;
  report.approach = trial.measured.approach;
  report.stick_slip = trial.measured.stick_slip;
  report.growth = trial.measured.growth;
  report.worst = trial.measured.worst;
  if (trial.l[0] < Acceptance::open_reaction * D.rho(0) * trial.u[0]) trial.l.setZero();
  l = trial.l;
  move_single(problem.contacts.front(), trial.l, problem.size(), w);
  return true;
}

}  // namespace saltus::nonsmooth
