// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/passage_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// Of the thinner one's half width: what was less deep on the way was perhaps turned by an impact.
constexpr double surely_inside = 0.5;
constexpr int most_places = 200;  ///< that are looked at on the way of one pair

/// Half of the least width between two planes that hold the core; of a cylinder, disc or sphere
/// exact, of a polytope between its faces, which is not less than half of the truth.
double half_width(const ConvexCore& core) {
  if (core.plane || core.is_mesh) return std::numeric_limits<double>::infinity();
  if (core.round) {
    return core.radius + std::min(core.round->half_length,
                                  std::max(core.round->radius[0], core.round->radius[1]));
  }
  if (core.polytope.faces.empty()) return core.radius;
  double least = std::numeric_limits<double>::infinity();
  for (const Polytope::Face& face : core.polytope.faces) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector3& x : core.polytope.vertices) {
      low = std::min(low, face.normal.dot(x));
      high = std::max(high, face.normal.dot(x));
    }
    least = std::min(least, high - low);
  }
  return least / 2 + core.radius;
}

}  // namespace

PassageWatch::PassageWatch(const System& system) : system_(system) {
  const ContactPoints& points = system.elements().contacts;
  thinnest_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.solids.size(); ++i) {
    half_widths_.push_back(half_width(points.core(static_cast<int>(i))));
    thinnest_ = std::min(thinnest_, half_widths_.back());
  }
}

RelativePose PassageWatch::pose(const SolidEntry& solid, const std::vector<NodePose>& nodes) const {
  const NodePose& node = nodes[static_cast<std::size_t>(solid.node)];
  return {solid.frame.axes(node), solid.frame.point(node)};
}

void PassageWatch::step(const State& state, const StepReport& /*step*/, RunOutput& output) {
  const ContactPoints& points = system_.elements().contacts;
  if (points.solid_pairs.empty() && points.listed_solids.empty()) return;
  ways_.clear();
  fast_.clear();
  for (std::size_t i = 0; i < points.solids.size(); ++i) {
    const SolidEntry& solid = points.solids[i];
    const Vector3& centre = points.core(static_cast<int>(i)).centre;
    ways_.push_back(
        {pose(solid, before_).point(centre), pose(solid, state.configuration.nodes).point(centre)});
    // Two that move against each other count each for half.
    const double moved = (ways_.back().to - ways_.back().from).norm();
    if (std::isfinite(half_widths_[i]) && 2 * moved > half_widths_[i] + thinnest_) {
      fast_.push_back(static_cast<int>(i));
    }
  }
  if (!fast_.empty()) look_at_all(state, output);
  before_ = state.configuration.nodes;
}

void PassageWatch::look_at_all(const State& state, RunOutput& output) {
  const ContactPoints& points = system_.elements().contacts;
  const auto is_fast = [&](int i) { return std::ranges::binary_search(fast_, i); };
  for (const ContactPoints::ListedSolids& pair : points.listed_solids) {
    if (!is_fast(pair.first) && !is_fast(pair.second)) continue;
    look(pair.contact, pair.first, pair.second, state, output);
  }
  for (const SolidPairs& pairs : points.solid_pairs) {
    const auto try_pair = [&](int first, int second) {
      if (may_pass(first, second) && points.is_pair(pairs, first, second)) {
        look(pairs.contact, first, second, state, output);
      }
    };
    for (const int fast : fast_) {
      const bool is_first = std::ranges::binary_search(pairs.first, fast);
      if (is_first) {
        for (const int other : pairs.second) try_pair(fast, other);
      }
      if (!std::ranges::binary_search(pairs.second, fast)) continue;
      for (const int other : pairs.first) {
        if (!is_fast(other)) try_pair(other, fast);  // else it is seen from there
      }
    }
  }
}

/// Whether they move so far, and so near each other, that one may be on the other side.
bool PassageWatch::may_pass(int a, int b) const {
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  if (!std::isfinite(half_widths_[i]) || !std::isfinite(half_widths_[j])) return false;
  const Vector3 from = ways_[j].from - ways_[i].from, to = ways_[j].to - ways_[i].to;
  const ContactPoints& points = system_.elements().contacts;
  return (to - from).norm() > half_widths_[i] + half_widths_[j] &&
         distance_of_way(from, to) < points.core(a).bound + points.core(b).bound;
}

/// At places along the straight way that are no farther from each other than half of the thinner.
bool PassageWatch::passes(int a, int b, const State& state) {
  const ContactPoints& points = system_.elements().contacts;
  const SolidEntry &A = points.solids[static_cast<std::size_t>(a)],
                   &B = points.solids[static_cast<std::size_t>(b)];
  const auto relative = [&](const std::vector<NodePose>& nodes) {
    const RelativePose X = pose(A, nodes), Y = pose(B, nodes);
    return RelativePose{X.R.transpose() * Y.R, X.R.transpose() * (Y.p - X.p)};
  };
  const RelativePose from = relative(before_), to = relative(state.configuration.nodes);
  const Vector3 turn = lie::so3::log(Matrix3(from.R.transpose() * to.R));
  const double of_A = half_widths_[static_cast<std::size_t>(a)];
  const double of_B = half_widths_[static_cast<std::size_t>(b)];
  // A point is thin, and what it passes through counts.
  const double thin = of_A > 0 && of_B > 0 ? std::min(of_A, of_B) : std::max(of_A, of_B);
  const double way = (to.p - from.p).norm();
  const int places = std::clamp(static_cast<int>(2 * way / thin) + 1, 2, most_places);
  const CorePair pair(points.core(a), points.core(b));
  for (int k = 1; k < places; ++k) {
    const double part = static_cast<double>(k) / places;
    const RelativePose X{from.R * lie::so3::exp(Vector3(part * turn)),
                         from.p + part * (to.p - from.p)};
    if (pair.separation(X, space_) < -surely_inside * thin) return true;
  }
  return false;
}

void PassageWatch::look(int contact, int a, int b, const State& state, RunOutput& output) {
  const ContactPoints& points = system_.elements().contacts;
  if (!may_pass(a, b)) return;
  const auto [first, second] = points.in_order(a, b);
  if (!passes(first, second, state)) return;
  const auto name = [&](int i) {
    const SolidEntry& solid = points.solids[static_cast<std::size_t>(i)];
    return points.collider_names[static_cast<std::size_t>(solid.collider)];
  };
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  const Vector3 moved = ways_[j].to - ways_[j].from - ways_[i].to + ways_[i].from;
  output.warn(
      state.time,
      {{.text =
            fmt::format("contact \"{}\": \"{}\" and \"{}\" went through each other within a "
                        "step: use a smaller one",
                        points.groups[static_cast<std::size_t>(contact)].name, name(a), name(b)),
        .detail = fmt::format("they moved by {:.3g} m against each other, and are {:.3g} m thick",
                              moved.norm(), 2 * (half_widths_[i] + half_widths_[j]))}});
}

}  // namespace saltus
