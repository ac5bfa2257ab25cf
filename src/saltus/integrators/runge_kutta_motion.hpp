// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/integrators/constrained_motion.hpp"

namespace saltus {

/// What adds up along a motion.
struct MotionTotals {
  std::vector<JointReaction> joints;  ///< impulses, N s and N m s
  std::vector<Vector3> impulse;       ///< of the closed points, along (n, t1, t2), N s
  std::vector<Vector3> force;         ///< the same in inertial components
  std::vector<double> friction;       ///< lost by them, J
  double external = 0;                ///< work of loads, drives and belts, J
  double damping = 0;                 ///< lost in dampers, J
};

/// How far and how fast a node moves in a step at the most, over the step's fraction θ: bounds of
/// the polynomials of the continuous extension and of their derivatives.
struct MotionBounds {
  double speed = 0, acceleration = 0;  ///< of the origin, m
  double turn = 0, turning = 0;        ///< |Ω| and |Ω̇|, rad
};

/// Steps of Dormand and Prince's method of order 5(4) along a motion whose contact modes do not
/// change, with its continuous extension of order 4. Rotations are increments ψ from the beginning
/// of the step, ψ̇ = T⁻¹(ψ) Ω. Equation numbers: docs/theory/event_driven.md.
class RungeKuttaMotion {
 public:
  RungeKuttaMotion(const System& system, ConstrainedMotion& motion);

  /// A place from which steps are tried: its accelerations are found once. False if there are none.
  bool begin(const Configuration& q, const VectorX& v, double time);
  /// Tries a step of length h from there. False if accelerations cannot be found.
  bool try_step(double h);
  bool step(const Configuration& q, const VectorX& v, double time, double h) {
    return begin(q, v, time) && try_step(h);
  }
  /// Moves the end of the step by a time so short that its square does not count against the
  /// error: what the motion does at the end goes on. Later only the end may be asked for.
  void stretch(double time);
  /// Forces are not asked for later than this: there they break.
  void set_latest(double time) { latest_ = time; }
  /// The estimated error of the step over the tolerance `relative` of the mechanism's size and of
  /// the scale of speeds.
  double error(double relative, double speed) const;
  /// The state at the fraction θ of the step.
  void state_at(double theta, Configuration& q, VectorX& v) const;
  /// The same of one node alone.
  NodePose pose_at(int node, double theta) const;
  MotionBounds bounds(int node) const;
  /// The first fraction before the end at which a stage found no forces of the right signs; 1 if
  /// all did.
  double first_doubt() const;
  /// Whether the forces at the end of the step have the right signs.
  bool holds_at_end() const { return held_.back(); }
  /// Increment over the whole step, (Δx, ψ).
  const VectorX& motion() const { return end_motion_; }
  /// Over the whole step.
  const MotionTotals& totals() const { return totals_; }

 private:
  static constexpr int stages = 7;

  /// p₁θ + p₂θ² + p₃θ³ + p₄θ⁴.
  using Polynomial = std::array<VectorX, 4>;

  bool evaluate(int i);
  void add_totals();
  void add_stage(std::size_t i, double weight);
  void extend(const VectorX& change, const std::array<VectorX, stages>& k, Polynomial& p) const;
  static void value_of(const Polynomial& p, double theta, VectorX& value);
  void rate_of_motion(const VectorX& increment, const VectorX& v, VectorX& rate) const;

  const System& system_;
  ConstrainedMotion& motion_;
  Configuration start_, q_;
  VectorX v_start_, v_, increment_, end_motion_, end_v_;
  std::array<VectorX, stages> kq_, kv_;
  std::array<std::vector<JointReaction>, stages> reaction_;  // of joints
  std::array<std::vector<Vector3>, stages> force_, inertial_;
  std::array<std::vector<double>, stages> friction_;
  std::array<double, stages> external_ = {}, damping_ = {};
  std::array<bool, stages> held_ = {};
  Polynomial of_motion_, of_v_;
  mutable VectorX value_;
  MotionTotals totals_;
  double stage_time(int i) const;

  double time_ = 0, h_ = 0;
  double latest_ = std::numeric_limits<double>::infinity();
};

}  // namespace saltus
