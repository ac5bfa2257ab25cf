// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "saltus/dynamics/kkt.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"

namespace saltus {

/// A contact point that may close in the step at hand. Vectors are (n, t1, t2).
struct Candidate {
  int contact = 0;                       ///< index into the system's contacts
  ContactElement::Place from = {};       ///< at t_n
  Vector3 velocity_n = Vector3::Zero();  ///< H_n v_n − surface velocity
  double approach = 0;                   ///< normal velocity that restitution reverses, ≤ 0
  Vector3 velocity = Vector3::Zero();    ///< H v − surface velocity at the end
  Vector3 nu = Vector3::Zero();          ///< multiplier of position level, kg m
  Vector3 impulse = Vector3::Zero();     ///< Λ, N s
  ContactElement::Rows H = ContactElement::Rows::Zero();    ///< at the end of the step
  ContactElement::Rows H_n = ContactElement::Rows::Zero();  ///< at t_n
  ContactElement::Rows F = ContactElement::Rows::Zero();    ///< directions of the reactions
  bool turned = false;                                      ///< whether F differs from H
  bool active = false;                                      ///< closed at position level
  Eigen::Vector2d creep = Eigen::Vector2d::Zero();          ///< slip of a sticking contact, m
};

/// Whether a contact was approaching at the beginning of the step: an impact, to which restitution
/// applies. `speed` is the scale of velocities.
bool is_impact(const Candidate& candidate, double speed);

/// A scale of velocities beyond which nothing is an impact.
inline constexpr double no_restitution = std::numeric_limits<double>::infinity();

/// The contact points of a system during one step: which may close, their equations at both levels,
/// and the problems that they pose. Equation numbers: docs/theory/frictional_contact.md.
class ContactSet {
 public:
  /// @param behind  a point deeper behind a bounded face than this fraction of the mechanism's size
  ///                came from elsewhere; schemes that let points sink in need more than round-off.
  explicit ContactSet(const System& system, double behind = 1e-6);

  /// Chooses the points that may close: by a forecast of the gap from q̃ and the speeds. (12)
  void select(const State& state, const Configuration& q, const VectorX& v, double h);
  /// Adds points that the position correction pushed into a plane; false if there are none.
  bool add_violated(const State& state, const Configuration& q);
  bool empty() const { return candidates_.empty(); }
  std::vector<Candidate>& candidates() { return candidates_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  const ContactEntry& entry(const Candidate& candidate) const {
    return system_.elements().contacts[static_cast<std::size_t>(candidate.contact)];
  }

  /// The rows H of all candidates at q.
  void linearize(const Configuration& q);
  /// Takes the mean of H_n and H for the reactions of contacts that were closed before and stay so:
  /// of second order where bodies turn. @param speed  scale of the velocities.
  /// Returns whether there are any, and no impact.
  bool turn_lasting(const State& state, double speed);
  /// (g_N, g_T) of candidate i at q, from the beginning of the step; creep of earlier steps is
  /// taken back.
  Vector3 gap(const State& state, const Configuration& q, std::size_t i) const;
  /// H v − surface velocity of candidate i.
  Vector3 velocity(const VectorX& v, std::size_t i) const;
  /// f += Fᵀ l of all candidates, l being `nu` or `impulse`.
  void add_forces(Vector3 Candidate::*l, VectorX& f) const;

  /// Poses the problem of the candidates for which `take` holds: columns, H, F and K⁻¹Fᵀ; the
  /// caller fills in b and μ. Returns which candidates take part.
  template <class Take>
  const std::vector<int>& pose(const KktSolver& kkt, Take take) {
    members_.clear();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (take(candidates_[i])) members_.push_back(static_cast<int>(i));
    }
    fill_problem(kkt);
    return members_;
  }
  nonsmooth::ContactProblem& problem() { return problem_; }

  /// The approach that restitution reverses: that of v_n along the rows H, along which the impulse
  /// acts. So a frictionless impact loses exactly ½ (1 − e²) of the energy of the approach.
  void set_approach(const VectorX& v_n);
  /// b, μ and the start l of the problem posed last, at velocity level:
  /// u = H v − s + (e_N u_N⁻, e_T u_T⁻), restitution where the contact approached (16).
  /// @param speed  scale of the velocities, or no_restitution.
  /// @param factor  l = factor × impulse.
  void fill_velocities(const VectorX& v, double speed, double factor, VectorX& l);

 private:
  void fill_problem(const KktSolver& kkt);
  const Matrix6& inverse_block(const KktSolver& kkt, int node);
  Candidate make_candidate(const State& state, int contact) const;
  bool may_touch(const ContactElement& e, const State& state, const Configuration& q,
                 double margin) const;

  const System& system_;
  double behind_;
  double h_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<bool> is_candidate_;
  std::vector<int> members_;
  nonsmooth::ContactProblem problem_;
  std::vector<Matrix6> inverses_;  // of the nodes' blocks in K, where it is uncoupled
  std::vector<int> inverse_stamp_;
  int stamp_ = 0;
};

}  // namespace saltus
