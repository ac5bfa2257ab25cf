// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/configuration.hpp"
#include "saltus/dynamics/contact_points.hpp"

namespace saltus {

/// The generalised forces by cause, n_v entries each; the balance of a smooth motion is
/// inertia = gravity + elastic + damping + applied + constraint.
struct ForceTerms {
  VectorX inertia;  ///< M v̇ and gyroscopic terms
  VectorX gravity;
  VectorX elastic;
  VectorX damping;
  VectorX applied;
  VectorX constraint;  ///< Gᵀλ

  void resize(int n);
  /// inertia − all others
  void residual(VectorX& r) const;
  /// (1 − weight) first + weight last, term by term.
  void set_mean(const ForceTerms& first, const ForceTerms& last, double weight);

  void archive(Archive& memory) { memory(inertia, gravity, elastic, damping, applied, constraint); }
};

/// Energies in J: what is stored, and what has come in and gone out since the start. The residual
/// is E − E₀ − external work + losses (docs/theory/energy.md).
struct EnergyLedger {
  double kinetic = 0;
  double gravity = 0;
  double elastic = 0;
  double external_work = 0;
  double friction_loss = 0;
  double impact_loss = 0;
  double damping_loss = 0;
  double numerical_loss = 0;
  double initial = 0;

  double total() const { return kinetic + gravity + elastic; }
  double residual() const {
    return total() - initial - external_work + friction_loss + impact_loss + damping_loss +
           numerical_loss;
  }
  void archive(Archive& memory) {
    memory(kinetic, gravity, elastic, external_work, friction_loss, impact_loss, damping_loss,
           numerical_loss, initial);
  }
};

/// What a contact point does.
enum class ContactStatus { Open, Slip, Stick };

/// What a stop, a rope or the friction of a joint does on the joint's second body at the end of a
/// step, impacts not: N, and N m about its node along its axes.
struct JointLoad {
  Vector3 force = Vector3::Zero();
  Vector3 moment = Vector3::Zero();
  bool slips = false;  ///< of friction

  void archive(Archive& memory) { memory(force, moment, slips); }
};

/// A contact point at the end of a step; vectors are along its axes (n, t1, t2).
struct ContactState {
  ContactIndex contact = 0;
  ContactStatus status = ContactStatus::Open;
  Vector3 impulse = Vector3::Zero();  ///< of the last step on the point's body, N s
  Vector3 force = Vector3::Zero();    ///< the same in the inertial frame, as it acted, N s
  Vector3 t1 = Vector3::UnitX();      ///< the axis, inertial components
  Vector3 moment = Vector3::Zero();   ///< against spinning (n) and rolling (t1, t2), N m s
  // Of a stop of a joint `force` and `moment` are what it did on the joint's second body, the
  // moment about its node along its axes; by events StepReport::joint_impulses has it.
  /// What a sticking contact has slipped, or turned times its length, within the tolerance, m:
  /// taken back in the next step, so that it never adds up.
  Eigen::Matrix<double, 5, 1> creep = Eigen::Matrix<double, 5, 1>::Zero();
  JointLoad load = {};  ///< known at the start of a run, too, when the point counts as open

  void archive(Archive& memory) {
    memory(contact, status, impulse, force, t1, moment, creep, load);
  }
};

/// What the points of a contact of the model have dissipated since the start, J.
struct ContactLoss {
  double friction = 0;
  double impact = 0;
  /// What was negative in steps without an impact, ≤ 0: the next losses make up for it first, so
  /// that the books never fall and are right in the mean.
  double friction_debt = 0, impact_debt = 0;

  void archive(Archive& memory) { memory(friction, impact, friction_debt, impact_debt); }
};

/// Where a run is: what results are made of, and all that a method starts from. What methods have
/// learnt besides, pivots and step lengths, is the memory of the Stepper: with both, a run goes on
/// bit by bit as it would have.
struct State {
  double time = 0;
  Configuration configuration = {};
  VectorX velocity = {};             ///< (ẋ inertial, Ω body axes) node by node
  VectorX acceleration = {};         ///< of the smooth motion
  VectorX pseudo_acceleration = {};  ///< generalized-α's own
  VectorX multiplier = {};           ///< of the smooth motion, N or N m
  VectorX impulse = {};              ///< Λ: what the last velocity correction added
  /// What joints carry, N or N m: the multiplier, and their share of contacts that last. Impacts
  /// are impulses, and no part of it.
  VectorX reaction = {};
  std::vector<Vector3> rotation = {};       ///< accumulated, inertial components, rad, per node
  ForceTerms forces = {};                   ///< at the end of the last smooth motion
  std::vector<ContactState> contacts = {};  ///< points that did something in the last step, sorted
  std::vector<ContactLoss> contact_losses = {};  ///< of the model's contacts
  EnergyLedger energy = {};

  /// The state of a contact point; null if it is open and did nothing.
  const ContactState* contact(ContactIndex index) const;
  /// Adds the rotations of an increment from q_n to the accumulated ones: R_n ψ of each node.
  /// (rotations.md, eq. 34)
  void accumulate_rotations(const std::vector<Node>& nodes, const Configuration& q_n,
                            const VectorX& increment);

  void archive(Archive& memory) {
    memory(time, configuration, velocity, acceleration, pseudo_acceleration, multiplier, impulse,
           reaction, rotation, forces, contacts, contact_losses, energy);
  }
};

}  // namespace saltus
