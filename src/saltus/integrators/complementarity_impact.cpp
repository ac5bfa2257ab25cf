// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/complementarity_impact.hpp"

#include <algorithm>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

ComplementarityImpact::ComplementarityImpact(const System& system, ConstrainedMotion& motion,
                                             const ContactOptions& options)
    : system_(system), motion_(motion), contacts_(system), impulses_(system, contacts_, options) {}

/// Points that carried a force until now hold what they touch, as those with an impulse in the step
/// before do in time stepping (multiple_impacts.md, eq. 3h).
void ComplementarityImpact::remember(const Moment& moment, const std::vector<ClosedPoint>& points,
                                     const std::vector<char>& loaded) {
  before_.time = moment.time;
  before_.configuration = moment.q;
  before_.contacts.clear();
  indices_.clear();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const ClosedPoint& point = points[k];
    indices_.push_back(point.contact);
    if (loaded[k] == 0) continue;
    before_.contacts.push_back({.contact = point.contact,
                                .status = point.mode,
                                .impulse = point.force,
                                .t1 = point.axes.col(1)});
  }
  std::sort(before_.contacts.begin(), before_.contacts.end(),
            [](const ContactState& a, const ContactState& b) { return a.contact < b.contact; });
}

/// M W = GᵀΛ_g + FᵀΛ and G (v + W) = −∂g/∂t, with Λ by the laws of the contacts: (9). The first
/// solution has it but for the regularisation of joints, which the next ones take out.
bool ComplementarityImpact::solve(const Moment& moment, const std::vector<ClosedPoint>& points,
                                  const std::vector<char>& loaded) {
  remember(moment, points, loaded);
  W_.setZero(system_.velocities());
  joint_.setZero(system_.constraints());
  g_.setZero(system_.constraints());
  for (int i = 0; i < ConstrainedTuning::most_refinements; ++i) {
    free_ = moment.v + W_;
    if (system_.constraints() > 0) {
      system_.constraint_rates(moment.q, free_, moment.time, g_);
      const double met = ConstrainedTuning::velocity_met * largest_motion(system_, free_);
      if (i > 0 && largest_row(system_, g_) <= met) break;
    } else if (i > 0) {
      break;
    }
    if (!solve_once(moment)) return false;
  }
  return W_.allFinite();
}

/// One linear step. The balance without contacts takes back what they gave in the last one, and
/// leaves the velocities before the impact with what joints need yet.
bool ComplementarityImpact::solve_once(const Moment& moment) {
  report_ = {};
  system_.mass_times(moment.q, W_, r_);
  reaction_.setZero(system_.velocities());
  if (system_.constraints() > 0) system_.add_constraint_forces(moment.q, joint_, reaction_);
  x_.resize(system_.unknowns());
  x_.head(system_.velocities()) = reaction_ - r_;
  x_.tail(system_.constraints()) = g_;
  motion_.kkt().solve(x_);
  before_.velocity = moment.v + W_ + x_.head(system_.velocities());
  free_ = before_.velocity + moment.pushed - moment.v;
  contacts_.take(before_, indices_);
  contacts_.linearize(before_.configuration);
  contacts_.divide(ContactSet::Connecting::Closed);
  largest_motions(system_, contacts_.islands(), moment.v, speeds_);
  impulses_.begin_step();
  for (const int island : contacts_.islands_with_points()) {
    const bool solved = impulses_.solve({.island = island,
                                         .kkt = motion_.kkt(),
                                         .start = before_.velocity,
                                         .free = free_,
                                         .speed = speeds_[static_cast<std::size_t>(island)]},
                                        x_, report_);
    if (!solved) return false;
  }
  W_ += x_.head(system_.velocities());
  joint_ += x_.tail(system_.constraints());
  return true;
}

Vector3 ComplementarityImpact::impulse(std::size_t i) const {
  return impulses_.reactions()[i].force;
}

}  // namespace saltus
