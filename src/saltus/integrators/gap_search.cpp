// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/gap_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/integrators/tuning.hpp"

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
/// the more the farther from it, so that there the scene counts.
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
  return search_.find(q, margins_);
}

/// With w from A's origin to the point, d = R_Aᵀ w − const:
///   |d̈| ≤ |ẅ| + 2 |Ω_A| |ẇ| + (|Ω̇_A| + |Ω_A|²) |w|.                                         (8)
double GapSearch::bend(const Configuration& q) const {
  const MotionBounds& A = bounds_[static_cast<std::size_t>(element_.node_A)];
  const MotionBounds& B = bounds_[static_cast<std::size_t>(element_.node_B)];
  const double arm = element_.frame_B.d.norm();
  const double rate = A.speed + B.speed + B.turn * arm;
  const double second = A.acceleration + B.acceleration + (B.turning + B.turn * B.turn) * arm;
  if (A.turn == 0 && A.turning == 0) return second;
  const NodePair pair = system_.pair(q, element_.node_A, element_.node_B);
  const double w = (element_.frame_B.point(pair.B) - pair.A.x).norm() + rate;
  return second + 2 * A.turn * rate + (A.turning + A.turn * A.turn) * w;
}

GapSearch::Look GapSearch::look(double theta) const {
  Look result{theta, motion_.pose_at(element_.node_A, theta),
              motion_.pose_at(element_.node_B, theta)};
  result.gap = element_.gap(result.pair());
  return result;
}

/// Points may pass beside a face, and beyond the ends of others.
bool GapSearch::closes_at(const Look& look) const {
  return look.gap < -crossed_ && element_.is_there(element_.place(look.pair()));
}

std::optional<GapSearch::Crossing> GapSearch::search(ContactIndex contact, const Configuration& q,
                                                     double limit) {
  contact_ = contact;
  element_ = system_.elements().contacts.point(contact, q).element;
  bend_ = bend(q);
  const Look from = look(0);
  if (from.gap < -crossed_) return sample(0, limit);
  return divide(from, look(limit), 0);
}

/// Between two looks the gap is at least that of the straight way, less |d̈| Δθ²/8.            (7)
std::optional<GapSearch::Crossing> GapSearch::divide(const Look& from, const Look& to, int level) {
  const double width = to.theta - from.theta;
  const double least = element_.least_gap(from.pair(), to.pair()) - bend_ * width * width / 8;
  if (least >= -2 * crossed_) {
    overlooked_ = std::max(overlooked_, -least);
    return std::nullopt;
  }
  if (level == EventTuning::most_divisions || width <= EventTuning::located) {
    if (closes_at(to)) return Crossing{contact_, from.theta, to.theta};
    if (to.gap >= -crossed_) overlooked_ = std::max(overlooked_, -least);
    return std::nullopt;
  }
  const Look middle = look(from.theta + width / 2);
  if (const auto found = divide(from, middle, level + 1)) return found;
  if (middle.gap >= -crossed_) return divide(middle, to, level + 1);
  return sample(middle.theta, to.theta);
}

/// Of what is behind a surface without having passed through it, beside a face or beyond the ends
/// of a cylinder: when it is there, or in front again. Looked at in a few places only.
std::optional<GapSearch::Crossing> GapSearch::sample(double from, double limit) {
  double open = from;
  for (int i = 1; i <= EventTuning::looks_from_behind; ++i) {
    const double theta = from + (limit - from) * i / EventTuning::looks_from_behind;
    const Look at = look(theta);
    if (at.gap >= -crossed_) return theta < limit ? divide(at, look(limit), 0) : std::nullopt;
    if (element_.has_edges() || !closes_at(at)) {
      open = theta;
      continue;
    }
    double closed = theta;
    while (closed - open > EventTuning::located) {
      const double middle = open + (closed - open) / 2;
      if (middle <= open || middle >= closed) break;
      (closes_at(look(middle)) ? closed : open) = middle;
    }
    return Crossing{contact_, open, closed};
  }
  return std::nullopt;
}

double GapSearch::take_overlooked() { return std::exchange(overlooked_, 0.0); }

}  // namespace saltus
