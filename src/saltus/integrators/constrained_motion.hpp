// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "saltus/dynamics/constrained_mass.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/linalg/minimum_norm.hpp"
#include "saltus/model/options.hpp"
#include "saltus/nonsmooth/least_forces.hpp"

namespace saltus {

/// A contact point with zero gap and no normal velocity: between events it is an equation, not an
/// inequality. Vectors are along (n, t1, t2).
struct ClosedPoint {
  using Rows = Eigen::Matrix<double, 3, 12>;

  ContactIndex contact = 0;
  ContactEntry entry = {};
  ContactElement::Place from = {};  ///< where it closed: carries the tangents
  double static_friction = 0;
  /// What it does until the next event; Open: it is about to leave, without a force.
  ContactStatus mode = ContactStatus::Slip;
  /// Of the slip at the beginning of a step, or of one that begins; unit.
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
  double speed = 0;  ///< of the slip at the beginning of a step
  /// Slips from rest and is slow still: it keeps its direction.
  bool begins = false;
  /// Slips below this speed may be stopped, where friction then holds the point: less where it did
  /// not, m/s.
  double fades_below = std::numeric_limits<double>::infinity();
  /// The force by which the laws found the mode, and whether the motion is to keep near to it where
  /// forces are not unique.
  Vector3 law_force = Vector3::Zero();
  bool keeps_law_force = false;
  /// Forces are unique, and that of this point has left its cone: its mode has ended.
  bool leaves_cone = false;

  // At the last state that was looked at:
  Rows H = Rows::Zero();
  Matrix3 axes = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero();
  Vector3 bias = Vector3::Zero();   ///< acceleration = H v̇ + bias
  double friction = 0;              ///< coefficient at the slip speed
  Vector3 force = Vector3::Zero();  ///< on the point's body, N

  const ContactElement& element() const { return entry.element; }
  bool is_stop() const { return element().stop() != nullptr; }
  /// A force along (n, t1, t2) in inertial components. That of a stop of a joint has none: it is
  /// along a coordinate.
  Vector3 inertial(const Vector3& f) const {
    return is_stop() ? Vector3(Vector3::Zero()) : Vector3(axes * f);
  }
  /// Whether static friction holds it, but for round-off.
  bool is_held() const {
    return force.tail<2>().norm() <=
           (1 + ConstrainedTuning::cone_margin) * static_friction * force[0];
  }
  /// All but the entry, which the system has.
  void archive(Archive& memory) {
    memory(contact, from, static_friction, mode, direction, speed, begins, fades_below, law_force,
           keeps_law_force, leaves_cone, H, axes, velocity, bias, friction, force);
  }
};

/// What a projection of velocities gives to bodies, N s.
struct ProjectionImpulse {
  VectorX joints;
  std::vector<Vector3> points;  ///< of the closed points, along (n, t1, t2)
};

/// The motion of rigid bodies with joints and closed contacts whose modes are known: accelerations
/// and forces, and projections onto what must hold. Equation numbers: docs/theory/event_driven.md.
class ConstrainedMotion {
 public:
  explicit ConstrainedMotion(const System& system,
                             HyperstaticForces forces = HyperstaticForces::MinimumNorm);

  /// A place in time.
  struct At {
    const Configuration& q;
    const VectorX& v;
    double time = 0;
  };

  std::vector<ClosedPoint>& points() { return points_; }
  const std::vector<ClosedPoint>& points() const { return points_; }
  KktSolver& kkt() { return kkt_; }

  /// Slips up to this speed keep the direction their points have, m/s: that of less is round-off.
  void set_slowest_slip(double speed) { slowest_slip_ = speed; }
  /// Whether a slip is so slow that it keeps its direction.
  bool keeps_direction(const ClosedPoint& point) const;
  /// Slip and its direction at the end of a step, from which the next one begins.
  void renew_direction(ClosedPoint& point) const;

  /// Forces of redundant points are sought from those found last, up to here: so what is found does
  /// not depend on what came before a step, but for round-off.
  void forget_forces();

  /// H, axes, velocities and biases of all points.
  void look(const At& at);
  /// v̇ and λ without contacts, and the factorisation; forces at hand in terms().
  bool accelerate_free(const At& at);
  /// v̇, λ and the forces of the points by their modes. False if the modes contradict each other:
  /// no forces in the cones of all points do what they ask for.
  bool accelerate(const At& at);
  const VectorX& acceleration() const { return vdot_; }
  const VectorX& multiplier() const { return lambda_; }
  /// Without inertia and constraint forces.
  const ForceTerms& terms() const { return terms_; }
  /// How far the forces of the last accelerate() are inside of their cones, as accelerations, or
  /// below zero outside, m/s². Not a number where there is a choice of forces: none is the measure.
  double margin() const { return margin_; }
  /// H v̇ + bias of a point with the acceleration at hand.
  Vector3 acceleration_of(const ClosedPoint& point) const {
    const ContactElement& e = point.element();
    return point.H * system_.local(vdot_, e.node_A, e.node_B) + point.bias;
  }
  /// Scale of the accelerations of contact points, m/s².
  double acceleration_scale() const { return acceleration_scale_; }

  /// Moves q onto joints and closed points. Returns what it leaves of their violations, m.
  double project_position(double time, Configuration& q);
  /// What was violated most in the last projection: "joint pin" or "contact bounce".
  std::string worst_name() const { return worst_name_; }
  /// Takes from v what violates joints, closes or opens points, or makes sticking ones slip. (5)
  ProjectionImpulse project_velocity(const Configuration& q, double time, VectorX& v);
  /// Takes from v the slips of the points that stick, by impulses under which the others do what
  /// their modes say, friction included. Along (n, t1, t2) of all points; adds those of joints.
  std::vector<Vector3> stop_slips(const Configuration& q, double time, VectorX& v,
                                  VectorX& joint_impulse);
  /// Takes from v what violates joints, contacts apart; adds their impulses.
  void project_on_joints(const Configuration& q, double time, VectorX& v, VectorX& impulse);

  /// A row of H of a point times motions, one a column of Y.
  using Row1 = Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>>;
  void feel(const ClosedPoint& point, int axis, const MatrixX& Y, Row1 felt) const;
  /// K⁻¹Hᵀ of one point, 3 columns.
  void respond(const ClosedPoint& point, MatrixX& Y);
  /// The point at a place, its coefficient of friction included.
  void look(const At& at, ClosedPoint& point) const;
  /// Assembles and factorises the mass matrix with the joints at q, that of kkt() too: impacts and
  /// the laws of accelerations want it.
  bool factorize(const Configuration& q, double time);

  /// Asks for the elements of the closed points at q: they are not memory.
  void find_elements(const Configuration& q);
  void archive(Archive& memory);

 private:
  struct Row {
    int point = 0;
    int axis = 0;
  };
  /// Points whose forces know of each other, for bodies and joints connect them: (3) is solved for
  /// each group by itself. Rows and cones are a stretch of those of all.
  struct Group {
    std::size_t first_row = 0, rows = 0;
    std::size_t first_cone = 0, cones = 0;
    int unknowns = 0;  // of its bodies: S has no larger rank
    bool all_stick = true;
    MatrixX S = {};
    VectorX y = {};  // multipliers of the forces in the cones, from which the next are sought
  };

  bool prepare(const Configuration& q, double time);
  void solve(VectorX& x) const;
  void find_biases(const At& at);
  void list_rows(bool tangents);
  void group_points();
  int root_of(int component);
  int root_of(const ClosedPoint& point);
  void list_point(int point, bool tangents, Group& group);
  std::span<Group> groups() { return {groups_.data(), group_count_}; }
  Eigen::Matrix<double, 1, 12> direction_of(const Row& row) const;
  Eigen::Vector2d way_of_slip(const ClosedPoint& point) const;
  Eigen::Vector2d way_of_begun_slip(const ClosedPoint& point) const;
  double begun_slip() const;
  void fill_system();
  void respond_to_rows();
  void fill_group(Group& group);
  void add_motion(const VectorX& force, VectorX& x) const;
  void solve_least(const VectorX& wanted, VectorX& force);
  bool find_forces(Group& group, const VectorX& wanted);
  std::span<const nonsmooth::ForceCone> cones_of(const Group& group) const {
    return {cones_.data() + group.first_cone, group.cones};
  }
  bool is_in_cone(const Group& group, const nonsmooth::ForceCone& cone, const VectorX& force) const;
  bool are_in_cones(const Group& group, const VectorX& force) const;
  void mark_leaving(const Group& group, const VectorX& force);
  double margin_of(const Group& group, const VectorX& force) const;
  void set_forces();
  Vector3 force_of(const Row& row, double size) const;
  VectorX by_rigid_body_rule(const Group& group, const VectorX& start) const;
  bool keeps_law_forces(const Group& group) const;
  VectorX near_law_forces(const Group& group, const VectorX& start) const;
  MatrixX differences_along_lines(const Group& group) const;
  VectorX values(const VectorX& v) const;
  double restore(double time, Configuration& q);
  void restore_rates(const Configuration& q, double time, VectorX& v, VectorX& impulse);
  void name_worst(const VectorX& gaps);

  const System& system_;
  HyperstaticForces hyperstatic_;
  KktSolver kkt_;
  ConstrainedMass mass_;
  std::vector<ClosedPoint> points_;
  std::vector<Row> rows_;                    // group by group
  std::vector<nonsmooth::ForceCone> cones_;  // of rows_, their first counted in their group
  std::vector<Group> groups_;
  std::size_t group_count_ = 0;
  std::vector<int> parents_, order_;  // workspace of the grouping
  std::vector<int> touched_;          // nodes of closed points
  std::vector<Vector12> local_;       // velocities of the two nodes of the points
  std::vector<Vector12> near_;        // K⁻¹Dᵀ of rows_ at their own two nodes
  std::vector<int> column_;           // in Y_; −1: nothing else moves
  MatrixX Y_;                         // K⁻¹Dᵀ of rows at bodies that joints hold
  linalg::MinimumNorm least_;
  nonsmooth::LeastForces in_cones_;
  VectorX force_, plain_force_;  // in the cones; without them
  VectorX group_force_, group_plain_, group_wanted_, r_group_;
  std::vector<nonsmooth::ForceCone> group_cones_;
  VectorX vdot_, lambda_, x_, r_, g_, zero_, no_multiplier_, motion_;
  ForceTerms terms_;
  Configuration moved_;
  const Configuration* at_ = nullptr;  // of the acceleration at hand
  std::string worst_name_;
  double margin_ = 0;
  double acceleration_scale_ = 1;
  double slowest_slip_ = 0;
  bool constant_ = false;  // whether the factorisation holds for all configurations
  bool factorized_ = false;
  bool by_mass_ = false;  // whether mass_ has the factors at hand
};

}  // namespace saltus
