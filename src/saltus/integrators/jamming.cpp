// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/jamming.hpp"

#include <fmt/core.h>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// Y = K⁻¹(Hᵀ l) projected on the normal: what a reaction l does to the approach.
double normal_response(const nonsmooth::ContactProblem& problem, const nonsmooth::ContactRows& rows,
                       const Vector3& l) {
  if (problem.local) return rows.H.row(0) * (rows.Y.leftCols<3>() * l);
  VectorX y = VectorX::Zero(problem.size());
  const Vector12 f = rows.directions().topRows<3>().transpose() * l;
  for (std::size_t j = 0; j < rows.columns.size(); ++j) {
    if (rows.columns[j] >= 0) y[rows.columns[j]] += f[static_cast<Eigen::Index>(j)];
  }
  problem.factorization->solve_in_place(y);
  double response = 0;
  for (std::size_t j = 0; j < rows.columns.size(); ++j) {
    if (rows.columns[j] < 0) continue;
    response += rows.H(0, static_cast<Eigen::Index>(j)) * y[rows.columns[j]];
  }
  return response;
}

}  // namespace

void warn_of_jamming(const ContactSet& contacts, const State& start, double speed,
                     StepReport& report) {
  const nonsmooth::ContactProblem& problem = contacts.problem();
  for (std::size_t k = 0; k < contacts.members().size(); ++k) {
    const ContactGeometry& c = contacts.points()[static_cast<std::size_t>(contacts.members()[k])];
    const nonsmooth::ContactRows& rows = problem.contacts[k];
    if (c.element().is_ball() || c.element().is_of_joint()) continue;  // which do not jam
    const ContactState* before = start.contact(c.contact);
    const double slip = c.velocity_n.segment<2>(1).norm();
    if (rows.mu == 0 || slip <= ContactTuning::approach_threshold * speed) continue;
    const bool slipped = before != nullptr && before->status == ContactStatus::Slip;
    if (!problem.local && slipped) continue;  // looked at before
    Vector3 l(1, 0, 0);
    l.tail<2>() = -rows.mu / slip * c.velocity_n.segment<2>(1);
    if (normal_response(problem, rows, l) > 0) continue;
    report.warn(fmt::format(
        "contact \"{}\": it slides with friction {} where pressing it makes it jam (Painlevé's "
        "paradox): no motion without a jump exists, and the step takes the impulse that stops it",
        contacts.name(c), rows.mu));
  }
}

}  // namespace saltus
