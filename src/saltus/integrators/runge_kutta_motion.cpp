// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/runge_kutta_motion.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// The coefficients of Dormand and Prince (1980); those of the continuous extension are Shampine's.
struct DormandPrince {
  static constexpr double c[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  static constexpr double a[7][6] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double b[] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784,
                                 11.0 / 84,  0};
  static constexpr double e[] = {71.0 / 57600,      0,           -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525., -1.0 / 40};
  static constexpr double d[] = {-12715105075.0 / 11282082432.0,  0,
                                 87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                 701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                 69997945.0 / 29380423.0};
};

}  // namespace

RungeKuttaMotion::RungeKuttaMotion(const System& system, ConstrainedMotion& motion)
    : system_(system), motion_(motion) {
  for (VectorX* v : {&v_start_, &v_, &increment_, &end_motion_, &end_v_}) {
    v->setZero(system.velocities());
  }
}

void RungeKuttaMotion::rate_of_motion(const VectorX& increment, const VectorX& v,
                                      VectorX& rate) const {
  rate = v;
  for (const Node& node : system_.nodes()) {
    if (!node.turns()) continue;
    const int k = node.first_unknown + 3;
    rate.segment<3>(k) = lie::so3::tangent_inverse(increment.segment<3>(k)) * v.segment<3>(k);
  }
}

double RungeKuttaMotion::stage_time(int i) const {
  return std::min(time_ + DormandPrince::c[i] * h_, latest_);
}

/// The i-th stage: rates of motion and velocity, and what is added up. Modes whose forces have the
/// wrong sign go on all the same: an event will cut the step off before.
bool RungeKuttaMotion::evaluate(int i) {
  const auto n = static_cast<std::size_t>(i);
  rate_of_motion(increment_, v_, kq_[n]);
  held_[n] = motion_.accelerate({q_, v_, stage_time(i)});
  kv_[n] = motion_.acceleration();
  if (!kv_[n].allFinite()) return false;
  const ForceTerms& terms = motion_.terms();
  external_[n] = terms.applied.dot(v_);
  damping_[n] = -terms.damping.dot(v_);
  external_[n] += system_.drive_power(stage_time(i), motion_.multiplier());
  reaction_[n].assign(system_.elements().joints.size(), {});
  add_joint_reactions(system_, q_, motion_.multiplier(), 1, reaction_[n]);
  force_[n].clear();
  inertial_[n].clear();
  friction_[n].clear();
  for (const ClosedPoint& point : motion_.points()) {
    force_[n].push_back(point.force);
    inertial_[n].push_back(point.inertial(point.force));
    if (point.is_stop()) {
      add_stop_reaction(system_, point.entry, q_, point.force[0], reaction_[n]);
    }
    friction_[n].push_back(-point.force.tail<2>().dot(point.velocity.tail<2>()));
    external_[n] += point.force.dot(point.element().surface_velocity);
  }
  return true;
}

bool RungeKuttaMotion::begin(const Configuration& q, const VectorX& v, double time) {
  start_ = q;
  q_ = q;
  v_ = v_start_ = v;
  time_ = time;
  increment_.setZero();
  motion_.forget_forces();
  return evaluate(0);
}

bool RungeKuttaMotion::try_step(double h) {
  h_ = h;
  for (int i = 1; i < stages; ++i) {
    increment_.setZero();
    v_ = v_start_;
    for (int j = 0; j < i; ++j) {
      if (DormandPrince::a[i][j] == 0) continue;
      increment_ += h * DormandPrince::a[i][j] * kq_[static_cast<std::size_t>(j)];
      v_ += h * DormandPrince::a[i][j] * kv_[static_cast<std::size_t>(j)];
    }
    advance(start_, system_.nodes(), increment_, q_);
    if (!evaluate(i)) return false;
  }
  end_motion_ = increment_;  // the last stage is the end
  end_v_ = v_;
  extend(end_motion_, kq_, of_motion_);
  extend(end_v_ - v_start_, kv_, of_v_);
  add_totals();
  return true;
}

/// The continuous extension goes on: it has the rates of the last stage at the end. What adds up
/// has the slope between the last two stages.
void RungeKuttaMotion::stretch(double time) {
  const double part = time / h_;
  const auto move = [&](const Polynomial& p, const VectorX& rate, VectorX& end) {
    end += time * rate + part * part * (p[1] + 3 * p[2] + 6 * p[3]) +
           part * part * part * (p[2] + 4 * p[3] + part * p[3]);
  };
  move(of_motion_, kq_.back(), end_motion_);
  move(of_v_, kv_.back(), end_v_);
  const double slope = time * part / (2 * (1 - DormandPrince::c[4]));
  add_stage(stages - 1, time + slope);
  add_stage(4, -slope);
  h_ += time;
}

/// Impulses and works by the weights of the method itself, so that they belong to the motion.
void RungeKuttaMotion::add_totals() {
  const std::size_t points = motion_.points().size();
  totals_.joints.assign(system_.elements().joints.size(), {});
  totals_.impulse.assign(points, Vector3::Zero());
  totals_.force.assign(points, Vector3::Zero());
  totals_.friction.assign(points, 0.0);
  totals_.external = totals_.damping = 0;
  for (std::size_t i = 0; i < stages; ++i) {
    if (DormandPrince::b[i] != 0) add_stage(i, h_ * DormandPrince::b[i]);
  }
}

/// What a stage adds if it lasts for `weight`, s.
void RungeKuttaMotion::add_stage(std::size_t i, double weight) {
  for (std::size_t k = 0; k < totals_.joints.size(); ++k) {
    totals_.joints[k].force += weight * reaction_[i][k].force;
    totals_.joints[k].torque += weight * reaction_[i][k].torque;
  }
  totals_.external += weight * external_[i];
  totals_.damping += weight * damping_[i];
  for (std::size_t k = 0; k < totals_.impulse.size(); ++k) {
    totals_.impulse[k] += weight * force_[i][k];
    totals_.force[k] += weight * inertial_[i][k];
    totals_.friction[k] += weight * friction_[i][k];
  }
}

double RungeKuttaMotion::error(double relative, double speed) const {
  VectorX of_motion = VectorX::Zero(system_.velocities()), of_v = of_motion;
  for (std::size_t i = 0; i < stages; ++i) {
    of_motion += h_ * DormandPrince::e[i] * kq_[i];
    of_v += h_ * DormandPrince::e[i] * kv_[i];
  }
  const double L = system_.characteristic_length();
  return std::max(largest_motion(system_, of_motion) / L, largest_motion(system_, of_v) / speed) /
         relative;
}

/// Shampine's polynomial of fourth order through both ends, so that the state at θ = 1 is the
/// step's: θ (Δ + (1 − θ)(f + θ (Δ − h k₇ − f + (1 − θ) l))) with f = h k₁ − Δ, l = h Σ dᵢ kᵢ.
void RungeKuttaMotion::extend(const VectorX& change, const std::array<VectorX, stages>& k,
                              Polynomial& p) const {
  VectorX& last = p[3];
  last = h_ * DormandPrince::d[0] * k[0];
  for (std::size_t i = 2; i < stages; ++i) last += h_ * DormandPrince::d[i] * k[i];
  p[0] = h_ * k[0];
  p[2] = -(2 * change - h_ * k[6] - h_ * k[0] + 2 * last);
  p[1] = 3 * change - h_ * k[6] - 2 * h_ * k[0] + last;
}

void RungeKuttaMotion::value_of(const Polynomial& p, double theta, VectorX& value) {
  value = theta * (p[0] + theta * (p[1] + theta * (p[2] + theta * p[3])));
}

void RungeKuttaMotion::state_at(double theta, Configuration& q, VectorX& v) const {
  q = start_;
  if (theta == 1) {
    v = end_v_;
    advance(start_, system_.nodes(), end_motion_, q);
    return;
  }
  value_of(of_v_, theta, value_);
  v = v_start_ + value_;
  value_of(of_motion_, theta, value_);
  advance(start_, system_.nodes(), value_, q);
}

NodePose RungeKuttaMotion::pose_at(int node, double theta) const {
  const Node& block = system_.nodes()[static_cast<std::size_t>(node)];
  const NodePose& start = start_.nodes[static_cast<std::size_t>(node)];
  if (block.unknowns == 0) return start;
  const auto at = [&](int first) -> Vector3 {
    if (theta == 1) return end_motion_.segment<3>(first);
    const Polynomial& p = of_motion_;
    return theta * (p[0].segment<3>(first) +
                    theta * (p[1].segment<3>(first) +
                             theta * (p[2].segment<3>(first) + theta * p[3].segment<3>(first))));
  };
  const Vector3 way = at(block.first_unknown);
  if (!block.turns()) return start.translated(way);
  return start.moved(way, at(block.first_unknown + 3));
}

/// A polynomial is not larger than the largest of its coefficients in Bernstein's basis. |Ω| is at
/// most |ψ̇|, and |Ω̇| at most |ψ̈| + |ψ̇|², for T and its derivatives are not larger than 1.
MotionBounds RungeKuttaMotion::bounds(int node) const {
  MotionBounds result;
  const Node& block = system_.nodes()[static_cast<std::size_t>(node)];
  if (block.unknowns == 0) return result;
  const auto find = [&](int first, double& rate, double& second) {
    const Polynomial& p = of_motion_;
    const Vector3 p1 = p[0].segment<3>(first), p2 = p[1].segment<3>(first);
    const Vector3 p3 = p[2].segment<3>(first), p4 = p[3].segment<3>(first);
    rate = std::max({p1.norm(), (p1 + p2 * (2.0 / 3)).norm(), (p1 + p2 * (4.0 / 3) + p3).norm(),
                     (p1 + 2 * p2 + 3 * p3 + 4 * p4).norm()});
    second =
        std::max({(2 * p2).norm(), (2 * p2 + 3 * p3).norm(), (2 * p2 + 6 * p3 + 12 * p4).norm()});
  };
  find(block.first_unknown, result.speed, result.acceleration);
  if (!block.turns()) return result;
  find(block.first_unknown + 3, result.turn, result.turning);
  result.turning += result.turn * result.turn;
  return result;
}

double RungeKuttaMotion::first_doubt() const {
  for (std::size_t i = 1; i + 2 < stages; ++i) {
    if (!held_[i]) return DormandPrince::c[i];
  }
  return 1;
}

}  // namespace saltus
