// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "saltus/dynamics/contact_search.hpp"
#include "saltus/integrators/runge_kutta_motion.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

/// To what a gap is known, m: a part of the size, or round-off of places far away.
double gap_accuracy(const System& system, const Configuration& q);

/// Finds the first gap that closes in a step of the smooth motion, and misses none: between two
/// looks a gap is at least that on the straight way from one place to the other, less what the way
/// can be bent, and where that may be below zero a further look is taken in the middle.
/// Equation numbers: docs/theory/event_driven.md.
class GapSearch {
 public:
  GapSearch(const System& system, const RungeKuttaMotion& motion);

  /// A gap that closes: the last fraction of the step at which it was open, and the first at which
  /// it is closed.
  struct Crossing {
    ContactIndex contact = -1;
    double open = 0, closed = 0;
  };

  /// The first of the step that was just done from q, of points for which `is_open` is true.
  template <class IsOpen>
  std::optional<Crossing> first(const Configuration& q, IsOpen&& is_open) {
    std::optional<Crossing> found;
    for (const ContactIndex i : near(q)) {
      if (!is_open(i)) continue;
      if (const auto crossing = search(i, q, found ? found->closed : 1.0)) found = crossing;
    }
    return found;
  }

  /// Whether bodies may have turned so far in the step that stops of angles do not know by how
  /// much.
  bool turns_too_far() const;

  /// The deepest that a gap may have been below zero between looks, m, since it was asked last.
  double take_overlooked();

 private:
  /// A place in the step.
  struct Look {
    double theta = 0;
    NodePose A = {}, B = {};
    double gap = 0;

    NodePair pair() const { return {A, B}; }
  };

  const std::vector<ContactIndex>& near(const Configuration& q);
  std::optional<Crossing> search(ContactIndex contact, const Configuration& q, double limit);
  Look look(double theta) const;
  bool is_behind(const Look& look) const { return look.gap < -crossed_; }
  bool closes_at(const Look& look) const;
  double beside(const Look& from, const Look& to) const;
  bool is_divided(const Look& from, const Look& to, int level) const;
  std::optional<Crossing> divide(const Look& from, const Look& to, int level);
  std::optional<Crossing> pass(const Look& from, const Look& to);
  std::optional<Crossing> from_behind(const Look& from, const Look& to, int level);
  std::optional<Crossing> sample(const Look& start, const Look& end);

  /// Moves `to` next to the place between both at which `is_so` begins; returns the fraction there
  /// at which it is not so yet.
  template <class IsSo>
  double narrow(double from, Look& to, IsSo&& is_so) const {
    while (to.theta - from > EventTuning::located) {
      const Look middle = look(from + (to.theta - from) / 2);
      if (middle.theta <= from || middle.theta >= to.theta) break;
      if (is_so(middle)) {
        to = middle;
      } else {
        from = middle.theta;
      }
    }
    return from;
  }

  void bound_way(const Configuration& q);
  double bend_of_angle(const JointStop& stop) const;
  void find_reaches();
  void list_stops();

  const System& system_;
  const RungeKuttaMotion& motion_;
  ContactSearch search_;
  std::vector<double> reach_;      // of what is fixed on a node, from its origin, m
  std::vector<bool> has_surface_;  // which may reach as far as the scene
  std::vector<double> margins_;
  std::vector<MotionBounds> bounds_;
  std::vector<ContactIndex> stops_, near_;

  // Of the point at hand:
  ContactIndex contact_ = -1;
  ContactElement element_ = {};
  double rate_ = 0;     // |ḋ| at the most, over θ, m
  double bend_ = 0;     // |d̈| at the most, over θ², m
  double crossed_ = 0;  // a gap below minus this has closed, m
  double overlooked_ = 0;
};

}  // namespace saltus
