// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_solver.hpp"

#include "saltus/nonsmooth/contact_engine.hpp"
#include "saltus/nonsmooth/single_contact.hpp"

namespace saltus::nonsmooth {

struct ContactSolver::Implementation {
  ContactEngine<3> forces;
  std::unique_ptr<ContactEngine<6>> moments;  // made when first needed
};

std::string SolveReport::tried() const {
  static constexpr const char* names[] = {"automatic",    "Newton", "proximal Newton",
                                          "Gauss-Seidel", "ADMM",   "path following"};
  std::string text;
  for (int i = 0; i < attempt_count; ++i) {
    const Attempt& attempt = attempts[static_cast<std::size_t>(i)];
    if (i > 0) text += ", ";
    text += names[static_cast<int>(attempt.kind)];
    text += ' ' + std::to_string(attempt.count);
  }
  return text;
}

ContactSolver::ContactSolver() : implementation_(std::make_unique<Implementation>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

SolveReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                 Eigen::VectorXd& l, Eigen::VectorXd& w) {
  if (options.kind == SolverKind::Automatic && is_single(problem)) {
    SolveReport report;
    if (solve_single(problem, options, l, w, report)) return report;
  }
  if (!problem.moments) return implementation_->forces.solve(problem, options, l, w);
  if (!implementation_->moments) implementation_->moments = std::make_unique<ContactEngine<6>>();
  return implementation_->moments->solve(problem, options, l, w);
}

void ContactSolver::archive(Archive& memory) {
  Implementation& self = *implementation_;
  bool has_moments = self.moments != nullptr;
  memory(self.forces, has_moments);
  if (memory.loads()) self.moments = has_moments ? std::make_unique<ContactEngine<6>>() : nullptr;
  if (self.moments) memory(*self.moments);
}

}  // namespace saltus::nonsmooth
