// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/gap_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus {

double gap_accuracy(const System& system, const Configuration& q) {
  constexpr double round_off = EventTuning::units_of_gap * std::numeric_limits<double>::epsilon();
  double gap = EventTuning::crossed_gap * system.characteristic_length();
  for (std::size_t i = 0; i < q.nodes.size(); ++i) {
    if (system.is_present(static_cast<int>(i)))
      gap = std::max(gap, round_off * q.nodes[i].x.norm());
  }
  return gap;
}

GapSearch::GapSearch(const System& system, const RungeKuttaMotion& motion)
    : system_(system),
      motion_(motion),
      search_(system),
      reach_(system.nodes().size(), 0.0),
      has_surface_(system.nodes().size(), false),
      margins_(system.nodes().size(), 0.0),
      bounds_(system.nodes().size()) {
  find_reaches();
  list_stops();
}

void GapSearch::list_stops() {
  const std::vector<ContactEntry>& listed = system_.elements().contacts.listed;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const ContactElement& e = listed[i].element;
    if (e.stop() != nullptr && system_.is_present(e.node_A) && system_.is_present(e.node_B))
      stops_.push_back(static_cast<ContactIndex>(i));
  }
}

void GapSearch::find_reaches() {
  for (const FeatureEntry& entry : system_.elements().contacts.features) {
    const ContactFeature& feature = entry.feature;
    const auto node = static_cast<std::size_t>(feature.node);
    has_surface_[node] = has_surface_[node] || !is_round(feature.form.kind);
    reach_[node] = std::max(reach_[node], feature.frame.d.norm() + feature.extent());
  }
}

/// Points whose gap is smaller than what both nodes can move. A surface on a body that turns moves
/// the more the farther from it, so that there the scene counts. Stops of joints are few, and all
/// asked.
const std::vector<ContactIndex>& GapSearch::near(const Configuration& q) {
  const double L = system_.characteristic_length();
  crossed_ = gap_accuracy(system_, q);
  for (std::size_t i = 0; i < margins_.size(); ++i) {
    bounds_[i] = motion_.bounds(static_cast<int>(i));
    double reach = reach_[i];
    for (std::size_t j = 0; has_surface_[i] && bounds_[i].turn > 0 && j < margins_.size(); ++j) {
      if (!system_.is_present(static_cast<int>(j))) continue;
      reach = std::max(reach, (q.nodes[j].x - q.nodes[i].x).norm() + reach_[j]);
    }
    margins_[i] = PositionTuning::closed_gap * L + bounds_[i].speed + bounds_[i].turn * reach;
  }
  near_ = search_.find(q, margins_);
  std::erase_if(near_, [&](ContactIndex i) { return system_.elements().contacts.is_stop(i); });
  near_.insert(near_.end(), stops_.begin(), stops_.end());
  return near_;
}

/// The angle is that of the unit vector b = R_AᵀR_B b₁ in the plane that the joint keeps it in, but
/// for the error of a step: with its part r in that plane
///   |b'| ≤ ρ = |Ω_A| + |Ω_B|,  |b''| ≤ |Ω̇_A| + |Ω̇_B| + |Ω_A| |Ω_B| + ρ²,
///   |φ''| ≤ |b''|/r + 2 ρ²/r².                                                             (8a)
double GapSearch::bend_of_angle(const JointStop& stop) const {
  const MotionBounds& A = bounds_[static_cast<std::size_t>(element_.node_A)];
  const MotionBounds& B = bounds_[static_cast<std::size_t>(element_.node_B)];
  const double turn = A.turn + B.turn, r = EventTuning::in_plane;
  const double bend = A.turning + B.turning + A.turn * B.turn + turn * turn;
  return stop.length * (bend / r + 2 * turn * turn / (r * r));
}

/// An angle is known from its sine and cosine as long as it has not turned by π.
bool GapSearch::turns_too_far() const {
  return std::ranges::any_of(stops_, [&](ContactIndex i) {
    const ContactElement& e =
        system_.elements().contacts.listed[static_cast<std::size_t>(i)].element;
    if (!e.stop()->is_angular()) return false;
    const double turn = motion_.bounds(e.node_A).turn + motion_.bounds(e.node_B).turn;
    return turn > EventTuning::farthest_turn;
  });
}

/// With w from A's origin to the point, d = R_Aᵀ w − const:
///   |d̈| ≤ |ẅ| + 2 |Ω_A| |ẇ| + (|Ω̇_A| + |Ω_A|²) |w|.                                         (8)
void GapSearch::bound_way(const Configuration& q) {
  if (const JointStop* stop = element_.stop(); stop != nullptr && stop->is_angular()) {
    bend_ = bend_of_angle(*stop);
    return;
  }
  const MotionBounds& A = bounds_[static_cast<std::size_t>(element_.node_A)];
  const MotionBounds& B = bounds_[static_cast<std::size_t>(element_.node_B)];
  const double arm = element_.frame_B.d.norm();
  rate_ = A.speed + B.speed + B.turn * arm;
  bend_ = A.acceleration + B.acceleration + (B.turning + B.turn * B.turn) * arm;
  if (A.turn == 0 && A.turning == 0) return;
  const NodePair pair = system_.pair(q, element_.node_A, element_.node_B);
  const double w = (element_.frame_B.point(pair.B) - pair.A.x).norm() + rate_;
  bend_ += 2 * A.turn * rate_ + (A.turning + A.turn * A.turn) * w;
  rate_ += A.turn * w;
}

GapSearch::Look GapSearch::look(double theta) const {
  Look result{theta, motion_.pose_at(element_.node_A, theta),
              motion_.pose_at(element_.node_B, theta)};
  result.gap = element_.gap(result.pair());
  return result;
}

/// Points may pass beside a face, and beyond the ends of others.
bool GapSearch::closes_at(const Look& look) const {
  return is_behind(look) && element_.is_there(element_.place(look.pair()));
}

std::optional<GapSearch::Crossing> GapSearch::search(ContactIndex contact, const Configuration& q,
                                                     double limit) {
  contact_ = contact;
  element_ = system_.elements().contacts.point(contact, q).element;
  bound_way(q);
  const Look from = look(0), to = look(limit);
  return is_behind(from) ? from_behind(from, to, 0) : divide(from, to, 0);
}

/// What the way between two looks can be beside the straight one: |d̈| Δθ²/8.                   (7)
double GapSearch::beside(const Look& from, const Look& to) const {
  const double width = to.theta - from.theta;
  return bend_ * width * width / 8;
}

bool GapSearch::is_divided(const Look& from, const Look& to, int level) const {
  return level == EventTuning::most_divisions || to.theta - from.theta <= EventTuning::located;
}

/// From in front of the surface: the gap is at least that of the straight way, less what the way
/// can be beside it.
std::optional<GapSearch::Crossing> GapSearch::divide(const Look& from, const Look& to, int level) {
  const double least = element_.least_gap(from.pair(), to.pair()) - beside(from, to);
  if (least >= -2 * crossed_ || is_divided(from, to, level)) {
    if (is_behind(to)) return pass(from, to);
    overlooked_ = std::max(overlooked_, -least);
    return std::nullopt;
  }
  const Look middle = look(from.theta + (to.theta - from.theta) / 2);
  if (const auto found = divide(from, middle, level + 1)) return found;
  return is_behind(middle) ? from_behind(middle, to, level + 1) : divide(middle, to, level + 1);
}

/// The moment at which the gap closes between two looks: there the point meets the surface, or
/// passes beside it and is behind it from then on.
std::optional<GapSearch::Crossing> GapSearch::pass(const Look& from, const Look& to) {
  Look closed = to;
  const double open = narrow(from.theta, closed, [&](const Look& look) { return is_behind(look); });
  if (closes_at(closed)) return Crossing{contact_, open, closed.theta};
  return from_behind(closed, to, 0);
}

/// Of what is behind a surface without having passed through it, beside a face or beyond the ends
/// of a cylinder: when it is in front again, from where it may close, or when it is there. On the
/// straight way the gap to a face is nowhere greater than at both ends.
std::optional<GapSearch::Crossing> GapSearch::from_behind(const Look& from, const Look& to,
                                                          int level) {
  if (!element_.has_edges()) return sample(from, to);
  const double greatest = std::max(from.gap, to.gap) + beside(from, to);
  if (greatest < -crossed_ || is_divided(from, to, level)) return std::nullopt;
  const Look middle = look(from.theta + (to.theta - from.theta) / 2);
  if (const auto found = from_behind(from, middle, level + 1)) return found;
  return is_behind(middle) ? from_behind(middle, to, level + 1) : divide(middle, to, level + 1);
}

/// The end of a cylinder or the edge of a groove is looked at in a few places only: how deep the
/// point is behind the surface between them is not known to be nothing.
std::optional<GapSearch::Crossing> GapSearch::sample(const Look& start, const Look& end) {
  Look from = start;
  const double width = (end.theta - start.theta) / EventTuning::looks_from_behind;
  for (int i = 1; i <= EventTuning::looks_from_behind; ++i) {
    Look at = i < EventTuning::looks_from_behind ? look(start.theta + i * width) : end;
    if (closes_at(at)) {
      const double open = narrow(from.theta, at, [&](const Look& look) { return closes_at(look); });
      return Crossing{contact_, open, at.theta};
    }
    // A distance changes by no more than the way: from both ends the point may come to the surface
    // or not.
    const double far = element_.distance(from.pair()) + element_.distance(at.pair());
    if (!element_.is_hollow() && far <= rate_ * (at.theta - from.theta)) {
      const double least = element_.least_gap(from.pair(), at.pair()) - beside(from, at);
      overlooked_ = std::max(overlooked_, -least);
    }
    if (!is_behind(at)) return at.theta < end.theta ? divide(at, end, 0) : std::nullopt;
    from = at;
  }
  return std::nullopt;
}

double GapSearch::take_overlooked() { return std::exchange(overlooked_, 0.0); }

}  // namespace saltus
