// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "saltus/dynamics/contact_search.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"

namespace saltus {

/// A contact point that may close in the step at hand. Vectors are (n, t1, t2), and where moments
/// resist rotation (s, r1, r2) besides: rotations times the element's length, moments over it.
struct Candidate {
  ContactIndex contact = 0;
  ContactEntry entry = {};
  ContactElement::Place from = {};       ///< at t_n
  Vector6 velocity_n = Vector6::Zero();  ///< H_n v_n − surface velocity
  Vector6 velocity = Vector6::Zero();    ///< H v − surface velocity at the end
  /// Normal velocity that restitution reverses, ≤ 0: that before the impact along the rows H, along
  /// which the impulse acts, so that without friction exactly ½ (1 − e²) of its energy is lost. Or,
  /// ≥ 0, the one after the impact.
  double approach = 0;
  double mu = 0;                      ///< coefficient of friction at the slip speed at hand
  Vector6 nu = Vector6::Zero();       ///< multiplier of position level, kg m
  Vector6 impulse = Vector6::Zero();  ///< Λ, N s
  Vector3 force = Vector3::Zero();    ///< Λ on the point's body, inertial components
  ContactElement::Rows H = ContactElement::Rows::Zero();    ///< at the end of the step
  ContactElement::Rows H_n = ContactElement::Rows::Zero();  ///< at t_n
  ContactElement::Rows F = ContactElement::Rows::Zero();    ///< directions of the reactions
  bool turned = false;                                      ///< whether F differs from H
  bool held = false;    ///< by friction, under load since the step before
  bool active = false;  ///< closed at position level
  /// Of a sticking contact: slip, and rotation times length, m.
  Eigen::Matrix<double, 5, 1> creep = Eigen::Matrix<double, 5, 1>::Zero();

  const ContactElement& element() const { return entry.element; }
  /// Columns n, t1, t2 of the rows H, inertial components.
  Matrix3 axes() const { return H.block<3, 3>(0, 6).transpose(); }
};

/// The parts of a reaction that have a bound each: friction against sliding, spinning, rolling.
struct Ball {
  int first = 1;  ///< row
  int rows = 2;
};
inline constexpr std::array<Ball, 3> balls = {{{1, 2}, {3, 1}, {4, 2}}};

/// What a contact got in one of the impact problems of a step.
struct SubImpact {
  int candidate = 0;
  int order = 0;           ///< of the problem in the step, from 1
  bool is_impact = false;  ///< the contact was approaching before it
  bool by_forces = false;  ///< after the impacts, against the forces of the step
  Vector6 impulse = Vector6::Zero();
  // In inertial components: the normal, the impulse on the point's body, and the point's velocities
  // relative to the surface.
  Vector3 normal = Vector3::Zero();
  Vector3 force = Vector3::Zero();
  Vector3 before = Vector3::Zero();
  Vector3 after = Vector3::Zero();
  double normal_loss = 0;    ///< J
  double friction_loss = 0;  ///< J, moments included
};

/// Whether a contact was approaching at the beginning of the step: an impact, to which restitution
/// applies. `speed` is the scale of velocities.
bool is_impact(const Candidate& candidate, double speed);
/// The same for any normal velocity.
bool is_approach(double normal_velocity, double speed);

/// The contact points of a system during one step: which may close, their equations at both levels,
/// and the problems that they pose. Equation numbers: docs/theory/frictional_contact.md.
class ContactSet {
 public:
  /// @param behind  a point deeper behind a bounded face than this fraction of the mechanism's size
  ///                came from elsewhere; schemes that let points sink in need more than round-off.
  explicit ContactSet(const System& system, double behind = 1e-6);

  /// Chooses the points that may close: by a forecast of the gap from q̃ and the speeds. (12)
  void select(const State& state, const Configuration& q, const VectorX& v, double h);
  /// Adds points that the position correction pushed into a surface; false if there are none.
  bool add_violated(const State& state, const Configuration& q);
  /// The first pair of spheres that went through each other on the way to q, faster than the step
  /// can see; empty if there is none. Of listed points only.
  std::string passed_through(const State& state, const Configuration& q) const;
  bool empty() const { return candidates_.empty(); }
  bool any_active() const;
  std::vector<Candidate>& candidates() { return candidates_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  const ContactLaw& law(const Candidate& candidate) const {
    return system_.elements().contacts.law(candidate.entry);
  }
  std::string name(const Candidate& candidate) const {
    return system_.elements().contacts.name(candidate.contact);
  }
  /// In steps with an impact: who got what, in order.
  std::vector<SubImpact>& impacts() { return impacts_; }
  const std::vector<SubImpact>& impacts() const { return impacts_; }

  /// The rows H of all candidates at q, which must live as long as they are used.
  void linearize(const Configuration& q);
  /// The rows of impacts that bounce, between spheres, at the place where they touch on the way
  /// from q_n to q̃: the direction of the impulse does not depend on how far the step goes on. (17)
  void find_touching_rows(const State& state, const Configuration& smooth, double speed);
  bool has_touching_rows() const { return !touching_.empty(); }
  /// Exchanges the rows of those contacts: true at the touch, false at the end of the step.
  void use_touching_rows(bool at_touch);
  /// Takes the mean of H_n and H for the reactions of contacts that were closed before and stay so:
  /// of second order where bodies turn. @param speed  scale of the velocities.
  /// Returns whether there are any, and no impact.
  bool turn_lasting(const State& state, double speed);
  /// Takes the rows of the end for all reactions again.
  void turn_back();
  /// (g_N, g_T, rotation) of candidate i at q, from the beginning of the step; creep of earlier
  /// steps is taken back.
  Vector6 gap(const State& state, const Configuration& q, std::size_t i) const;
  /// H v − surface velocity of candidate i.
  Vector6 velocity(const VectorX& v, std::size_t i) const;
  /// f += Fᵀ l of all candidates, l being `nu` or `impulse`.
  void add_forces(Vector6 Candidate::*l, VectorX& f) const;
  /// How much of the bound of a ball a reaction uses: 1 at the bound; infinite if there is no
  /// friction of this kind, or no normal reaction.
  double usage(const Candidate& candidate, const Vector6& l, const Ball& ball) const;

  /// Poses the problem of the candidates for which `take` holds: columns, H, F and K⁻¹Fᵀ; the
  /// caller gives b by put(). Returns which candidates take part.
  template <class Take>
  const std::vector<int>& pose(const KktSolver& kkt, Take take) {
    members_.clear();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (take(candidates_[i])) members_.push_back(static_cast<int>(i));
    }
    fill_problem(kkt);
    return members_;
  }
  const std::vector<int>& members() const { return members_; }
  nonsmooth::ContactProblem& problem() { return problem_; }
  /// b and the bounds of member k, and the start of its reaction.
  void put(std::size_t k, const Vector6& b, bool friction, const Vector6& start, VectorX& l);
  /// The reaction of member k in the solution l.
  Vector6 reaction(std::size_t k, const VectorX& l) const;

 private:
  void fill_problem(const KktSolver& kkt);
  const Matrix6& inverse_block(const KktSolver& kkt, int node);
  Candidate make_candidate(const State& state, ContactIndex contact) const;
  bool may_touch(const ContactElement& e, const State& state, const Configuration& q,
                 double margin) const;
  double spin_scale(const Candidate& candidate) const;

  const System& system_;
  double behind_;
  double h_ = 0;
  ContactSearch search_;
  std::vector<Candidate> candidates_;
  std::vector<ContactIndex> chosen_;  // the candidates' indices, sorted
  std::vector<double> margins_;
  std::vector<int> members_;
  std::vector<SubImpact> impacts_;
  struct TouchingRows {
    std::size_t candidate = 0;
    ContactElement::Rows at_touch, at_end;
  };
  std::vector<TouchingRows> touching_;
  const Configuration* end_ = nullptr;  // of the last linearize()
  nonsmooth::ContactProblem problem_;
  std::vector<Matrix6> inverses_;  // of the nodes' blocks in K, where it is uncoupled
  std::vector<int> inverse_stamp_;
  int stamp_ = 0;
};

}  // namespace saltus
