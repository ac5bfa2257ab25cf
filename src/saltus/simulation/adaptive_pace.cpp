// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/adaptive_pace.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

constexpr double round_off = 1e-9;  // of lengths of steps
/// The first step, of the longest.
constexpr double first_part = 1.0 / 16;
/// So many steps to where one has to end are of equal length.
constexpr double most_even = 8;
/// A step in which nothing moves far may have this part of the error of one in which it moves by
/// its own size, however short it is.
constexpr double least_share = 0.01;
/// Of the length that the error allows, and how much longer or shorter the next may be.
constexpr double safety = 0.9, most_growth = 3, least_growth = 1.3, most_cut = 0.2;
/// A step that is accepted with a larger error than this is followed by a shorter one.
constexpr double near_limit = 0.9;
/// Where an impact is ahead a step goes so near, of the way; and where it is as near as this, of
/// the length that may have it, it is met.
constexpr double short_of = 0.02, meets = 0.75;

/// ‖R − S‖ of two rotations that differ by a small angle is √2 times the angle.
double angle(const Matrix3& R, const Matrix3& S) { return (R - S).norm() / std::sqrt(2.0); }

}  // namespace

AdaptivePace::AdaptivePace(const System& system, const AdaptiveStep& options)
    : system_(system),
      options_(options),
      breaks_(system),
      wanted_(options.max),
      speeds_(system.components().size(), 0.0) {}

double AdaptivePace::first(double duration) const {
  return std::max(first_part * std::min(options_.max, duration), shortest());
}

void AdaptivePace::start(const State& state, double first) {
  wanted_ = first;
  aimed_ = 0;
  missed_ = false;
  std::ranges::fill(speeds_, 0.0);
  look(state, speeds_);
}

double AdaptivePace::resolution() const {
  return std::max(options_.tolerance * options_.max, shortest());
}

bool AdaptivePace::is_near(double rest) const {
  return std::ceil(rest / wanted_ - round_off) <= most_even;
}

double AdaptivePace::propose(double rest) const {
  const double count = std::max(1.0, std::ceil(rest / wanted_ - round_off));
  return count <= most_even ? rest / count : wanted_;
}

double AdaptivePace::length(std::size_t component) const {
  const Component& c = system_.components()[component];
  return length_of(c.length, c.height);
}

/// Of the smaller of the two mechanisms that touch.
double AdaptivePace::length_at(const ContactElement& e) const {
  double least = 0;
  for (const int id : {e.node_A, e.node_B}) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(id)];
    if (node.unknowns == 0) continue;
    const double size = length(static_cast<std::size_t>(system_.component_of(node.first_unknown)));
    if (least == 0 || size < least) least = size;
  }
  return least;
}

/// The larger of what they are and the largest velocity of each component.                   (5)
void AdaptivePace::look(const State& state, std::vector<double>& speeds) const {
  for (const Node& node : system_.nodes()) {
    if (node.unknowns == 0) continue;
    const auto c = static_cast<std::size_t>(system_.component_of(node.first_unknown));
    const Vector6 v = node.local(state.velocity);
    speeds[c] = std::max({speeds[c], v.head<3>().norm(), v.tail<3>().norm() * length(c)});
  }
}

void AdaptivePace::begin() { struck_.assign(speeds_.size(), 0); }

double AdaptivePace::error(const State& start, const State& whole, const State& halves, double h) {
  errors_.assign(speeds_.size(), 0.0);
  for (std::size_t n = 0; n < system_.nodes().size(); ++n) {
    const Node& node = system_.nodes()[n];
    if (node.unknowns == 0) continue;
    const auto c = static_cast<std::size_t>(system_.component_of(node.first_unknown));
    const NodePose &p = whole.configuration.nodes[n], &q = halves.configuration.nodes[n];
    const Vector6 v = node.local(whole.velocity) - node.local(halves.velocity);
    const double place = (p.x - q.x).norm() + h * v.head<3>().norm();
    const double turn = angle(p.R, q.R) + h * v.tail<3>().norm();
    errors_[c] = std::max({errors_[c], place, turn * length(c)});
  }
  now_ = speeds_;
  look(start, now_);
  look(halves, now_);
  double most = 0;
  for (std::size_t c = 0; c < errors_.size(); ++c) {
    if (errors_[c] == 0) continue;
    const double size = length(c);
    const double share =
        struck_[c] != 0 ? 1 : std::clamp(h * now_[c] / size, least_share, 1.0);    // (6)
    const double relative = errors_[c] / (3 * size * share * options_.tolerance);  // (4)
    if (!(relative <= most)) most = relative;  // what is not a number, too
  }
  return std::isfinite(most) ? most : 1e9;
}

double AdaptivePace::time_to_close(const ContactElement& e, const State& state) const {
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const Eigen::Matrix<double, 1, 12> H = e.jacobian(q).row(0);
  const double gap = e.gap(q);
  const double rate = H.dot(system_.local(state.velocity, e.node_A, e.node_B));
  const double towards = -H.dot(system_.local(state.acceleration, e.node_A, e.node_B));
  const double square = rate * rate + 2 * towards * gap;
  if (!(gap > 0) || !(square >= 0)) return -1;
  const double sum = std::sqrt(square) - rate;
  return sum > 0 ? 2 * gap / sum : -1;  // (9)
}

bool AdaptivePace::misses(const State& start, std::span<const ContactEvent> events, double h,
                          double& length) {
  bool misses = false;
  double next = 0, least = 0;  // when the first one comes, and the length that may have it
  for (const ContactEvent& event : events) {
    if (event.kind != ContactEventKind::Impact) continue;
    const ContactElement e =
        system_.elements().contacts.point(event.contact, start.configuration).element;
    for (const int id : {e.node_A, e.node_B}) {
      const Node& node = system_.nodes()[static_cast<std::size_t>(id)];
      if (node.unknowns == 0) continue;
      struck_[static_cast<std::size_t>(system_.component_of(node.first_unknown))] = 1;
    }
    const double jump = (event.after - event.before).norm();
    const double allowed = 2 * options_.tolerance * length_at(e) / jump;  // (8)
    if (!(allowed < h)) continue;
    const double time = time_to_close(e, start);
    if (!misses || (time >= 0 && (next < 0 || time < next))) next = time;
    least = misses ? std::min(least, allowed) : allowed;
    misses = true;
  }
  if (!misses) return false;
  least = std::max(least, shortest());
  aimed_ = 0;
  const bool is_known = next >= 0 && next < h && !missed_;
  if (is_known && next <= meets * least) {
    aimed_ = length = least;
  } else if (is_known) {
    length = next - std::max(least / 2, short_of * next);
  } else {
    length = std::max(h / 2, least);
  }
  length = std::min(length, std::max(h / 2, (1 - short_of) * h));
  return true;
}

void AdaptivePace::accept(const State& state, double h, double error) {
  look(state, speeds_);
  const bool struck = std::ranges::find(struck_, 1) != struck_.end();
  if (struck) {
    missed_ = false;
  } else if (aimed_ > 0) {
    missed_ = true;  // it was predicted where it is not
  }
  aimed_ = 0;
  if (struck || h < (1 - round_off) * wanted_ / most_even) return;  // it was cut, and tells nothing
  if (error > near_limit) {
    wanted_ = std::min(wanted_, safety * h);
    return;
  }
  const double factor = std::min(most_growth, safety * std::cbrt(1 / std::max(error, 1e-6)));
  if (factor < least_growth) return;
  wanted_ = std::min(options_.max, std::max(wanted_, factor * h));
}

double AdaptivePace::reject(double h, double error) {
  wanted_ = std::max(shortest(), h * std::max(most_cut, safety / std::sqrt(error)));
  aimed_ = 0;
  return wanted_;
}

double AdaptivePace::give_way(double h) {
  wanted_ = std::max(shortest(), h / 2);
  aimed_ = 0;
  return wanted_;
}

}  // namespace saltus
