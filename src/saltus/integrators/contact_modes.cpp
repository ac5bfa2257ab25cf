// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_modes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
ContactModes::ContactModes(const System& system, ConstrainedMotion& motion,
                           const ContactSolverOptions& options)
    : system_(system), motion_(motion), options_(options) {}

/// What is known of a point: one that slips has a force along its normal with its friction; of one
/// that does not, the force is in the cone of static friction and the acceleration is asked for.
/// Where it begins to slip, the force is opposite to the acceleration, in the cone of kinetic
/// friction: so the slip keeps the direction in which it begins.
void ContactModes::pose(std::size_t i) {
  const ClosedPoint& point = motion_.points()[i];
  const ContactElement& e = point.element();
  nonsmooth::ContactRows& rows = problem_.contacts[i];
  rows = {};
  rows.columns = system_.unknowns_of(e.node_A, e.node_B);
  rows.H.topRows<3>() = point.H;
  rows.F.topRows<3>() = point.H;
  const bool slips = point.mode == ContactStatus::Slip;
  rows.mu = slips ? 0 : begins_[i] ? point.friction : point.static_friction;
  rows.turned = slips && point.friction > 0;
  if (rows.turned) {
    rows.F.row(0) -= point.friction * (point.direction.transpose() * point.H.bottomRows<2>());
  }
  for (std::size_t j = 0; j < rows.columns.size(); ++j) {
    if (rows.columns[j] >= 0) continue;
    rows.H.col(static_cast<Eigen::Index>(j)).setZero();
    rows.F.col(static_cast<Eigen::Index>(j)).setZero();
  }
  rows.b.head<3>() =
      point.H * system_.local(motion_.acceleration(), e.node_A, e.node_B) + point.bias;
}

/// Signorini and Coulomb between accelerations and forces, by the solver of steps: the same laws
/// with other units.
bool ContactModes::solve() {
  problem_.K = &motion_.kkt().matrix();
  problem_.factorization = &motion_.kkt().factorization();
  problem_.contacts.resize(motion_.points().size());
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) pose(i);
  yields_.assign(problem_.contacts.size(), Vector3::Zero());
  l_.setZero(problem_.rows());
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round <= ContactModeTuning::most_refinements; ++round) {
    if (!solve_once()) return false;
    const double change = take_out_yielding();
    if (change <= ContactModeTuning::no_yielding * motion_.acceleration_scale() ||
        !(change < before))
      break;
    before = change;
  }
  return true;
}

bool ContactModes::solve_once() {
  const nonsmooth::SolveReport report = solver_.solve(
      problem_, velocity_solver_options(options_, motion_.acceleration_scale()), l_, w_);
  still_ = std::clamp(ContactModeTuning::still_over_residual * report.residual,
                      ContactModeTuning::smallest_still, ContactModeTuning::largest_still) *
           motion_.acceleration_scale();
  const bool readable_result = w_.allFinite() &&
                               report.residual <= ContactModeTuning::readable_residual &&
                               report.status != nonsmooth::SolveStatus::Incompatible;
  if (!std::isfinite(report.residual)) {
    message_ =
        "no forces hold the contacts: friction presses a point against what it slides on "
        "(Painlevé's paradox), and impulses do not free it; less friction, or a time-stepping "
        "integrator, passes through";
  } else if (!readable_result) {
    message_ = fmt::format("contact laws of accelerations met to {:.1e} (tried: {})",
                           report.residual, report.tried());
  }
  return readable_result;
}

/// The matrix lets joints yield by ε of their forces (KktSolver), and a point that they hold would
/// slip by as much. The difference to what the forces at hand do without that goes into the
/// accelerations without forces, for the next round; returns its change.
double ContactModes::take_out_yielding() {
  if (system_.constraints() == 0) return 0;
  exact_.setZero(system_.unknowns());
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const ContactElement& e = motion_.points()[i].element();
    const Vector3 l = l_.segment<3>(3 * static_cast<Eigen::Index>(i));
    const Vector12 force = problem_.contacts[i].directions().topRows<3>().transpose() * l;
    system_.scatter(force, e.node_A, e.node_B, exact_);
  }
  motion_.kkt().solve_unregularized(exact_);
  exact_ -= w_;
  double change = 0;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const ClosedPoint& point = motion_.points()[i];
    const ContactElement& e = point.element();
    const Vector3 yields = point.H * system_.local(exact_, e.node_A, e.node_B);
    change = std::max(change, (yields - yields_[i]).norm());
    problem_.contacts[i].b.head<3>() += yields - yields_[i];
    yields_[i] = yields;
  }
  return change;
}

Vector3 ContactModes::acceleration_of(std::size_t i) const {
  const ClosedPoint& point = motion_.points()[i];
  const ContactElement& e = point.element();
  return problem_.contacts[i].b.head<3>() + point.H * system_.local(w_, e.node_A, e.node_B);
}

/// Accelerations along the surface below this are none. Where one point of two bodies moves, those
/// beside it that move nearly as fast do so too: a box does not slip on two corners because the
/// others are at the edge of what can be told, nor the links of a chain that lies on the floor.
double ContactModes::still_beside(std::size_t i) const {
  const auto parts = [&](std::size_t k) {
    const auto part = [&](int node) {
      const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
      return n.unknowns > 0 ? system_.component_of(n.first_unknown) : -1;
    };
    const ContactElement& e = motion_.points()[k].element();
    const int A = part(e.node_A), B = part(e.node_B);
    return std::pair{std::min(A, B), std::max(A, B)};
  };
  double fastest = 0;
  for (std::size_t k = 0; k < motion_.points().size(); ++k) {
    if (parts(k) != parts(i) || motion_.points()[k].mode != ContactStatus::Stick) continue;
    fastest = std::max(fastest, acceleration_of(k).tail<2>().norm());
  }
  return fastest > still_ ? std::min(still_, ContactModeTuning::nearly_as_fast * fastest) : still_;
}

/// Away from the surface; or the force that would hold it there pulls, and there is none that
/// presses: so it leaves at the moment at which its force vanishes, not when it is seen to move.
bool ContactModes::leaves(std::size_t i) const {
  const double a_n = acceleration_of(i)[0];
  const ClosedPoint& point = motion_.points()[i];
  if (a_n > still_ || !point.leaves_cone || a_n < -still_) return a_n > still_;
  MatrixX Y;
  motion_.respond(point, Y);
  Eigen::RowVectorXd felt(3);
  motion_.feel(point, 0, Y, felt);
  return l_[3 * static_cast<Eigen::Index>(i)] * felt[0] <= still_;
}

/// Points at rest that static friction does not hold begin to slip; returns whether there are new
/// ones.
bool ContactModes::begin_slips() {
  bool begins = false;
  for (std::size_t i = 0; i < motion_.points().size(); ++i) {
    if (motion_.points()[i].mode != ContactStatus::Stick || begins_[i]) continue;
    const Vector3 a = acceleration_of(i);
    const bool moves = a.tail<2>().norm() > still_beside(i) || motion_.points()[i].leaves_cone;
    if (leaves(i) || !moves) continue;
    begins_[i] = true;
    begins = true;
  }
  return begins;
}

/// Accelerations of the solution say it: away from the surface leaves, along it slips, and a slip
/// that begins has their direction (event_driven.md, section 4).
void ContactModes::set_modes() {
  std::vector<double> still;
  for (std::size_t i = 0; i < motion_.points().size(); ++i) still.push_back(still_beside(i));
  for (std::size_t i = 0; i < motion_.points().size(); ++i) {
    ClosedPoint& point = motion_.points()[i];
    const Vector3 a = acceleration_of(i);
    point.law_force = l_.segment<3>(3 * static_cast<Eigen::Index>(i));
    if (begins_[i] && (a.tail<2>().norm() > still[i] || point.leaves_cone)) {
      point.mode = ContactStatus::Slip;
      point.begins = true;
      // At the limit accelerations are round-off; friction, opposite to them, is not.
      const Eigen::Vector2d friction = l_.segment<2>(3 * static_cast<Eigen::Index>(i) + 1);
      const bool is_limit = a.tail<2>().norm() < ContactModeTuning::clear_motion * still_;
      point.direction = a.tail<2>().normalized();
      if (is_limit && !friction.isZero(0)) point.direction = -friction.normalized();
    }
    if (leaves(i)) point.mode = ContactStatus::Open;
  }
}

/// Slips so slow that they may be taken to have ended.
void ContactModes::list_fading(double slow, double fading) {
  fades_.clear();
  for (ClosedPoint& point : motion_.points()) {
    const double speed = point.velocity.tail<2>().norm();
    if (speed > fading) point.fades_below = std::numeric_limits<double>::infinity();
    const bool is_slow = speed > slow && speed <= std::min(fading, point.fades_below);
    fades_.push_back(is_slow && point.friction > 0);
  }
}

void ContactModes::begin_by_speeds(double slow) {
  for (std::size_t i = 0; i < motion_.points().size(); ++i) {
    ClosedPoint& point = motion_.points()[i];
    const double speed = point.velocity.tail<2>().norm();
    const bool slips = speed > slow || (point.friction == 0 && point.static_friction == 0);
    point.mode = slips && !fades_[i] ? ContactStatus::Slip : ContactStatus::Stick;
    point.begins = point.begins && slips;
    if (slips) point.direction = speed > 0 ? point.velocity.tail<2>() / speed : point.direction;
  }
}

/// Points at rest are held by static friction first, for it is larger than kinetic, and those that
/// it does not hold get the kinetic one, which may let others go in turn.
bool ContactModes::find_begun(double slow) {
  begin_by_speeds(slow);
  begins_.assign(motion_.points().size(), false);
  do {
    if (!solve()) return false;
  } while (begin_slips());
  return true;
}

/// Whether the kinetic friction that holding the point leaves ends its slip v within a way v²/b of
/// what a slip of the speed `fading` would have at the scale a of accelerations: b is what it
/// slows down by at the least.
bool ContactModes::is_stopped(std::size_t i, double fading) {
  const ClosedPoint& point = motion_.points()[i];
  const Vector3 l = l_.segment<3>(3 * static_cast<Eigen::Index>(i));
  const double room = point.friction * l[0] - l.tail<2>().norm();
  if (begins_[i] || !(room > 0)) return false;
  MatrixX Y;
  motion_.respond(point, Y);
  Eigen::RowVectorXd felt(3);
  motion_.feel(point, 1, Y, felt);
  const double b = room * felt[1];
  return point.velocity.tail<2>().squaredNorm() * motion_.acceleration_scale() <=
         fading * fading * b;
}

/// Fading slips that friction does not end go on, and are looked at again when they are slower by a
/// factor. Returns whether there are any.
bool ContactModes::let_slide(double fading) {
  bool goes_on = false;
  for (std::size_t i = 0; i < fades_.size(); ++i) {
    if (!fades_[i] || leaves(i) || is_stopped(i, fading)) continue;
    ClosedPoint& point = motion_.points()[i];
    point.fades_below = ContactModeTuning::fades_again * point.velocity.tail<2>().norm();
    fades_[i] = false;
    goes_on = true;
  }
  return goes_on;
}

/// Who slips is known from the velocities but for slips that fade; who begins to is not.
bool ContactModes::find(const ConstrainedMotion::At& at, double slow, double fading) {
  motion_.look(at);
  list_fading(slow, fading);
  message_ = "no accelerations: forces or masses without a finite value";
  if (!motion_.accelerate_free(at) || !motion_.factorize(at.q, at.time)) return false;
  do {
    if (find_begun(slow)) continue;
    if (std::ranges::find(fades_, true) == fades_.end()) return false;
    fades_.assign(fades_.size(), false);
    if (!find_begun(slow)) return false;
  } while (let_slide(fading));
  set_modes();
  return true;
}

/// Points that slip from rest, and which the motion's own forces push back.
std::vector<std::size_t> ContactModes::pushed_back() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < motion_.points().size(); ++i) {
    const ClosedPoint& point = motion_.points()[i];
    if (point.mode != ContactStatus::Slip || !(point.begins || motion_.keeps_direction(point)))
      continue;
    if (motion_.acceleration_of(point).tail<2>().dot(point.direction) < 0) result.push_back(i);
  }
  return result;
}

/// A slip that its own forces would stop at once has not begun where friction can hold the point:
/// the laws said so by the round-off of a force at its limit. Else forces are not unique, and those
/// of the motion are others than those of the laws: it would stop, and begin again.
bool ContactModes::agree(const ConstrainedMotion::At& at) {
  motion_.accelerate(at);
  const std::vector<std::size_t> back = pushed_back();
  if (back.empty()) return true;
  std::vector<ClosedPoint>& points = motion_.points();
  const std::vector<ClosedPoint> before = points;
  for (const std::size_t i : back) {
    if (!motion_.keeps_direction(points[i]) || points[i].static_friction == 0) {
      points = before;
      return false;
    }
    points[i].mode = ContactStatus::Stick;
    points[i].begins = false;
  }
  if (motion_.accelerate(at) && pushed_back().empty()) return true;
  points = before;
  return false;
}

/// Where the forces at hand are not in their cones, the laws themselves are asked: at their limits
/// round-off may say either.
bool ContactModes::hold(const ConstrainedMotion::At& at, double slow, bool found) {
  std::vector<ClosedPoint>& points = motion_.points();
  if (found) return true;
  if (std::ranges::any_of(points, &ClosedPoint::leaves_cone)) return false;
  const std::vector<ClosedPoint> before = points;
  const VectorX vdot = motion_.acceleration();
  const bool solved = find(at, slow);
  bool same = solved;
  for (std::size_t i = 0; i < points.size(); ++i) same &= points[i].mode == before[i].mode;
  points = before;
  if (same) motion_.accelerate(at);
  return same;
}

}  // namespace saltus
