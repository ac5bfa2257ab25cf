// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/dynamics/contact_search.hpp"
#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/contact_reaction.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"

namespace saltus {

/// A contact point that may close in the step at hand: where it is and along which rows it reacts.
/// Written by ContactSet alone, and constant between two linearisations; what the point does is in
/// the reactions of the two levels (contact_reaction.hpp). Vectors are (n, t1, t2), and where
/// moments resist rotation (s, r1, r2) besides: rotations times the element's length.
struct ContactGeometry {
  ContactIndex contact = 0;
  ContactEntry entry = {};
  ContactElement::Place from = {};       ///< at t_n
  Vector6 velocity_n = Vector6::Zero();  ///< H_n v_n − surface velocity
  double left_out = 0;                   ///< of its normal part, by rest_at(), ≤ 0
  double mu = 0;                         ///< coefficient of friction at the slip speed of t_n
  double load = 0;                       ///< of a joint's friction: the normal reaction, given
  ContactElement::Rows H_n = ContactElement::Rows::Zero();  ///< at t_n
  ContactElement::Rows H = ContactElement::Rows::Zero();    ///< at the end of the step
  ContactElement::Rows F = ContactElement::Rows::Zero();    ///< directions of the reactions
  bool turned = false;                                      ///< whether F differs from H
  /// How much friction holds it, 0 to 1, under load since the step before
  /// (multiple_impacts.md, eq. 3h).
  double hold = 0;
  bool slipped = false;  ///< at t_n
  bool closed = false;   ///< at position level: it reacts at velocity level

  const ContactElement& element() const { return entry.element; }
  /// Columns n, t1, t2 of the rows H, inertial components. A stop of a joint has none.
  Matrix3 axes() const { return axes_of(H); }
  Matrix3 axes_at_start() const { return axes_of(H_n); }
  /// A reaction in inertial components; of a stop along its own coordinate.
  Vector3 inertial(const Vector6& reaction) const { return axes_of(F) * reaction.head<3>(); }

 private:
  Matrix3 axes_of(const ContactElement::Rows& rows) const {
    if (element().is_of_joint()) return Matrix3::Identity();
    return rows.block<3, 3>(0, 6).transpose();
  }
};

/// Whether a contact was approaching at the beginning of the step: an impact, to which restitution
/// applies. `speed` is the scale of velocities.
bool is_impact(const ContactGeometry& point, double speed);
/// The same for any normal velocity.
bool is_approach(double normal_velocity, double speed);
/// How much an impact is treated as one without restitution, 0 to 1: nothing jumps as restitution
/// vanishes (multiple_impacts.md, eq. 10).
double inelastic_share(double restitution);

/// Whether joints have stops, ropes or friction.
bool has_joint_points(const System& system);

/// The contact points of a system during one step: which may close, their rows at both levels, and
/// the problems that they pose. It knows geometry and the numbering of unknowns, so that whoever
/// solves for reactions sees vectors only. Equation numbers: docs/theory/frictional_contact.md.
class ContactSet {
 public:
  /// @param behind  a point deeper behind a bounded face than this fraction of the bodies' size
  ///                came from elsewhere; schemes that let points sink in need more than round-off.
  explicit ContactSet(const System& system, double behind = ContactTuning::behind_face);

  /// Components of which no point may close in the steps to come; null: none.
  void freeze(const std::vector<char>* components) { frozen_ = components; }
  /// Chooses the points that may close: by a forecast of the gap from q̃ and the speeds. (12)
  void select(const State& state, const Configuration& q, const VectorX& v, double h);
  /// Chooses these points, all closed: an impact at the places of the state.
  void take(const State& state, const std::vector<ContactIndex>& contacts);
  /// Adds points that the position correction pushed into a surface; false if there are none.
  bool add_violated(const State& state, const Configuration& q);
  /// The first pair of spheres that went through each other on the way to q, faster than the step
  /// can see; empty if there is none. Of listed points only.
  std::string passed_through(const State& state, const Configuration& q) const;
  bool empty() const { return points_.empty(); }
  /// The points that may close, those that were added later at the end.
  const std::vector<ContactGeometry>& points() const { return points_; }
  const ContactLaw& law(const ContactGeometry& point) const {
    return system_.elements().contacts.law(point.entry);
  }
  /// The normal coefficient of restitution with the approach of the beginning of the step; of a
  /// point that does not approach but may be pushed by those that do, with that of the fastest.
  double restitution(const ContactGeometry& point, double speed, double fastest) const;
  /// Of the closed points of an island at the beginning of the step, ≥ 0.
  double largest_approach(int island) const;
  std::string name(const ContactGeometry& point) const {
    return system_.elements().contacts.name(point.contact);
  }
  /// Says whether point i is closed: it then takes part at velocity level.
  void set_closed(std::size_t i, bool closed) { points_[i].closed = closed; }
  /// Says that point i lasts: the step before has made what it approaches by, and it is no impact.
  void rest_at(std::size_t i);

  enum class Connecting { All, Closed };
  /// Divides the system into islands, by all points or by those that are closed.
  void divide(Connecting points);
  const Islands& islands() const { return islands_; }
  /// Those that have points, increasing.
  const std::vector<int>& islands_with_points() const { return with_points_; }
  /// The points that connect an island, in their order.
  std::span<const int> points_of(int island) const {
    const auto i = static_cast<std::size_t>(island);
    return std::span(by_island_).subspan(first_of_[i], first_of_[i + 1] - first_of_[i]);
  }
  int island_of(const ContactGeometry& point) const {
    return islands_.of_pair(point.element().node_A, point.element().node_B);
  }
  /// Of a listed point.
  int island_of(ContactIndex listed) const {
    const auto i = static_cast<std::size_t>(listed);
    const ContactElement& e = system_.elements().contacts.listed[i].element;
    return islands_.of_pair(e.node_A, e.node_B);
  }
  /// With what a contact of an island may be in contradiction, for messages: joints or, where it
  /// has none, elements (of flexible bodies, or springs), and other contacts.
  std::string_view others(int island) const;
  /// Whether a point of the island carried a load at the end of the last step.
  bool is_loaded(int island, const State& state) const;

  /// Gives a joint's friction its bound, in the unit of the reactions.
  void set_load(std::size_t i, double load) { points_[i].load = load; }
  /// The bound that goes with the impulses of all joints in a time h (0: in an impact), at the
  /// places of the last linearize().
  double load_of(std::size_t i, const VectorX& joint_impulses, double h) const;

  /// The rows H of all points at q, which must live as long as they are used.
  void linearize(const Configuration& q);
  /// The rows of impacts that bounce, between spheres, at the place where they touch on the way
  /// from q_n to q̃: the direction of the impulse does not depend on how far the step goes on. (17)
  /// @param speed  scale of the island's velocities, here and below.
  void find_touching_rows(int island, const State& state, const Configuration& smooth,
                          double speed);
  bool has_touching_rows(int island) const;
  /// Exchanges the rows of those contacts: true at the touch, false at the end of the step.
  void use_touching_rows(int island, bool at_touch);
  /// Takes the mean of H_n and H for the reactions of contacts that were closed before and stay so:
  /// of second order where bodies turn. Returns whether there are any, and no impact.
  bool turn_lasting(int island, const State& state, double speed);
  /// Takes the rows of the end for all reactions of an island again.
  void turn_back(int island);
  /// Whether a point of the island was approaching at the beginning of the step.
  bool has_impact(int island, double speed) const;
  /// (g_N, g_T, rotation) of point i at q, from the beginning of the step; creep of earlier
  /// steps is taken back.
  Vector6 gap(const State& state, const Configuration& q, std::size_t i) const;
  /// H v − surface velocity of point i.
  Vector6 velocity(const VectorX& v, std::size_t i) const;
  /// The multiplier of position level that goes with the impulse of the last step: where the search
  /// for the new one begins. (14)
  Vector6 last_multiplier(const State& state, std::size_t i) const;
  /// How much of the bound of a part a reaction l uses, with the coefficient of friction mu: 1 at
  /// the bound; infinite if there is no friction of this kind, or no normal reaction.
  double usage(const ContactGeometry& point, double mu, const Vector6& l,
               const FrictionPart& part) const;

  /// What the stop or the friction of a joint does with a force along the rows F.
  JointLoad joint_load(std::size_t i, const Vector6& force) const;

  /// Poses the problem of the points i of an island for which take(i) holds, with the coefficients
  /// of friction friction(i): columns, H, F and K⁻¹Fᵀ; the caller gives b by put(). Returns which
  /// points take part.
  template <class Take, class Friction>
  const std::vector<int>& pose(const KktSolver& kkt, int island, Take take, Friction friction) {
    members_.clear();
    bounds_.clear();
    problem_.local = islands_.is_free(island);
    for (const int point : points_of(island)) {
      const auto i = static_cast<std::size_t>(point);
      if (!take(i)) continue;
      const double mu = friction(i);
      members_.push_back(static_cast<int>(i));
      bounds_.push_back({mu, spin_scale(points_[i], mu)});
    }
    fill_problem(kkt);
    return members_;
  }
  const std::vector<int>& members() const { return members_; }
  const nonsmooth::ContactProblem& problem() const { return problem_; }
  /// b and the bounds of member k, and the start of its reaction.
  void put(std::size_t k, const Vector6& b, bool friction, const Vector6& start, VectorX& l);
  /// The reaction of member k in the solution l.
  Vector6 reaction(std::size_t k, const VectorX& l) const;
  /// Gives take(unknown, change) what the solution w of the problem changes, and leaves zeros: of a
  /// local problem only the unknowns of its members are looked at.
  template <class Take>
  void take_response(VectorX& w, Take take) const {
    const auto take_one = [&](int unknown) {
      take(unknown, w[unknown]);
      w[unknown] = 0;
    };
    if (!problem_.local) {
      for (int i = 0; i < static_cast<int>(w.size()); ++i) take_one(i);
      return;
    }
    for (const nonsmooth::ContactRows& rows : problem_.contacts) {
      for (const int column : rows.columns) {
        if (column >= 0) take_one(column);
      }
    }
  }

 private:
  void fill_problem(const KktSolver& kkt);
  /// Whether the rows of all points are those of these places already.
  bool is_linearized_at(const Configuration& q) const;
  const Matrix6& inverse_block(const KktSolver& kkt, int node);
  bool has_pressed(const ContactElement& e, const ContactState* last) const;
  ContactGeometry make_point(const State& state, ContactIndex contact) const;
  bool may_touch(const ContactElement& e, const State& state, const Configuration& q,
                 double margin) const;
  bool is_frozen(const ContactElement& e) const;
  double spin_scale(const ContactGeometry& point, double mu) const;

  const System& system_;
  double behind_;
  std::vector<double> node_lengths_;  // sizes of the nodes' components, m; of the ground 0
  Islands islands_;
  std::vector<int> with_points_;       // islands
  std::vector<int> by_island_;         // points, island by island
  std::vector<std::size_t> first_of_;  // where an island's points begin
  bool has_divided_points_ = true;     // else islands are components
  double h_ = 0;
  const std::vector<char>* frozen_ = nullptr;
  ContactSearch search_;
  std::vector<ContactGeometry> points_;
  std::vector<ContactIndex> chosen_;  // the points' indices, sorted
  std::vector<double> margins_;
  std::vector<int> members_;
  /// Of a member of the problem.
  struct Bound {
    double mu = 0;
    double spin_scale = 1;
  };
  std::vector<Bound> bounds_;
  struct TouchingRows {
    std::size_t point = 0;
    int island = 0;
    bool turned = false;  ///< whether F differs from H
    struct {
      ContactElement::Rows H, F;
    } at_touch, at_end;
  };
  std::vector<TouchingRows> touching_;
  const Configuration* end_ = nullptr;  // of the last linearize()
  static constexpr std::size_t none_linearized = static_cast<std::size_t>(-1);
  std::size_t linearized_ = none_linearized;  // points whose rows H and F are those of these places
  std::vector<NodePose> linearized_at_;
  nonsmooth::ContactProblem problem_;
  std::vector<Matrix6> inverses_;  // of the nodes' blocks in K, where it is uncoupled
  std::vector<int> inverse_stamp_;
  int stamp_ = 0;
};

}  // namespace saltus
