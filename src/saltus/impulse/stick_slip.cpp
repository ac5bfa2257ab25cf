// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/stick_slip.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "saltus/impulse/slip_directions.hpp"
#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

using Points = std::vector<int>;

bool contains(const Points& points, int i) {
  return std::find(points.begin(), points.end(), i) != points.end();
}

/// The search for directions in which points leave rest, all of `slipping` at once.
class Departure {
 public:
  Departure(const ImpactSystem& system, const VectorX& u, const Points& slipping, ImpactModes modes)
      : system_(system), u_(u), slipping_(slipping), modes_(std::move(modes)) {}

  /// Modes with the admissible directions of the least friction loss; false if there are none.
  bool find(ImpactModes& result) {
    double least = -1;
    for (const VectorX& pattern : patterns()) {
      const Flow flow = flow_along(pattern);
      const double loss = friction_loss(flow);
      if (!admissible(flow) || (least >= 0 && loss >= least)) continue;
      least = loss;
      result = modes_;
    }
    return least >= 0;
  }

 private:
  Vector2 acceleration(const Flow& flow, int k) const {
    return flow.du.segment<2>(3 * slipping_[k] + 1);
  }

  Flow flow_along(const VectorX& pattern) {
    for (int k = 0; k < count(); ++k) {
      const Vector2 a = pattern.segment<2>(2 * k);
      const double size = a.norm();
      const bool moves = size > StickTuning::still_point * pattern.norm();
      modes_.points[slipping_[k]] = {false, moves ? Vector2(a / size) : Vector2(0, 0)};
    }
    return system_.flow(u_, modes_);
  }

  /// (9): every point leaves in the direction that its friction opposes.
  bool admissible(const Flow& flow) const {
    const double scale = flow.du.lpNorm<Eigen::Infinity>();
    for (int k = 0; k < count(); ++k) {
      const Vector2 a = acceleration(flow, k), d = modes_.points[slipping_[k]].direction;
      const double along = a.dot(d), across = (a - along * d).norm();
      if (!(along > StickTuning::leaving * scale) || across > StickTuning::oblique * scale)
        return false;
    }
    return true;
  }

  double friction_loss(const Flow& flow) const {
    double loss = 0;
    for (int k = 0; k < count(); ++k)
      loss -= flow.dp.segment<2>(3 * slipping_[k] + 1).dot(acceleration(flow, k));
    return loss;
  }

  std::vector<VectorX> patterns() {
    MatrixX L_s(2 * count(), system_.L().cols());
    for (int k = 0; k < count(); ++k)
      L_s.middleRows<2>(2 * k) = system_.L().middleRows<2>(3 * slipping_[k] + 1);
    const linalg::PivotedQr qr(L_s, StickTuning::pattern_rank);
    const int rank = qr.rank();
    if (rank == 2 && system_.point_count() == 1) return isocline_patterns();
    if (rank == 0) return {};
    const MatrixX basis = qr.Q().leftCols(rank);
    const DirectionMap G = [&](const VectorX& c) {
      const Flow flow = flow_along(basis * c);
      VectorX a(2 * count());
      for (int k = 0; k < count(); ++k) a.segment<2>(2 * k) = acceleration(flow, k);
      return VectorX(basis.transpose() * a);
    };
    std::vector<VectorX> result;
    const VectorX guess = basis.transpose() * against_stick();
    for (const VectorX& c : outgoing_directions(G, rank, guess)) result.emplace_back(basis * c);
    return result;
  }

  /// Where the points would go if they gave way to the friction that keeps them at rest: in
  /// symmetric problems the direction itself, free of the errors of a search.
  VectorX against_stick() const {
    ImpactModes modes = modes_;
    for (const int i : slipping_) modes.points[i].sticks = true;
    const Flow flow = system_.flow(u_, modes);
    VectorX pattern(2 * count());
    for (int k = 0; k < count(); ++k) {
      pattern.segment<2>(2 * k) = -flow.dp.segment<2>(3 * slipping_[k] + 1);
    }
    return pattern;
  }

  /// A point alone has linear shares: the quartic gives all directions.
  std::vector<VectorX> isocline_patterns() const {
    const MatrixX& W = system_.W();
    IsoclineMatrix Q;
    Q << W(2, 1), W(2, 2), W(2, 0), -W(1, 1), -W(1, 2), -W(1, 0);
    std::vector<VectorX> result;
    for (const double phi : isoclines(Q, system_.point(0).friction))
      result.emplace_back(Vector2(std::cos(phi), std::sin(phi)));
    return result;
  }

  int count() const { return static_cast<int>(slipping_.size()); }

  const ImpactSystem& system_;
  const VectorX& u_;
  const Points& slipping_;
  ImpactModes modes_;
};

/// The given points and those that stick in their groups.
Points with_neighbours(const ImpactSystem& system, const Points& points, const ImpactModes& modes) {
  Points result = points;
  for (const int j : points)
    for (const int i : system.members(system.group_of(j)))
      if (modes.points[i].sticks && !contains(result, i)) result.push_back(i);
  std::sort(result.begin(), result.end());
  return result;
}

/// Whether two of the points that go on sticking hold their whole group: they have one normal.
bool held(const ImpactSystem& system, const Points& slipping, const Points& all) {
  for (const int i : all)
    for (const int j : all) {
      if (i >= j || contains(slipping, i) || contains(slipping, j)) continue;
      if (system.group_of(i) == system.group_of(j) &&
          system.point(i).axes.col(0).dot(system.point(j).axes.col(0)) >
              1 - StickTuning::same_normal)
        return true;
    }
  return false;
}

Points merged(Points points, const Points& others) {
  points.insert(points.end(), others.begin(), others.end());
  std::sort(points.begin(), points.end());
  return points;
}

/// Those that exceed their cones most, by the same ratio: symmetric problems stay symmetric.
Points worst(const ImpactSystem& system, const Flow& flow, const Points& broken) {
  const auto ratio = [&](int i) {
    const double limit = system.point(i).static_friction * flow.dp[3 * i];
    const double friction = flow.dp.segment<2>(3 * i + 1).norm();
    return friction / std::max(limit, StickTuning::widest_ratio * friction);
  };
  double largest = 0;
  for (const int i : broken) largest = std::max(largest, ratio(i));
  Points result;
  std::copy_if(broken.begin(), broken.end(), std::back_inserter(result),
               [&](int i) { return ratio(i) >= (1 - StickTuning::equally_broken) * largest; });
  return result;
}

bool leave(const ImpactSystem& system, const VectorX& u, const Points& slipping,
           ImpactModes& modes) {
  return Departure(system, u, slipping, modes).find(modes);
}

}  // namespace

double cone_margin(const ImpactSystem& system, const Flow& flow, int point) {
  const double normal = flow.dp[3 * point], friction = flow.dp.segment<2>(3 * point + 1).norm();
  const double limit = system.point(point).static_friction * normal;
  return limit * (1 + StickTuning::cone_slack) +
         StickTuning::no_friction * flow.dp.lpNorm<Eigen::Infinity>() - friction;
}

void settle(const ImpactSystem& system, const VectorX& u, const Points& rest, ImpactModes& modes) {
  for (const int i : rest) {
    modes.points[i].sticks = true;
    modes.forced[i] = 0;
  }
  Points slipping;
  for (int round = 0; round <= 2 * static_cast<int>(rest.size()); ++round) {
    const Flow flow = system.flow(u, modes);
    Points broken, idle;
    for (const int i : rest) {
      if (!modes.points[i].sticks || modes.forced[i] || cone_margin(system, flow, i) >= 0) continue;
      (flow.rates[system.group_of(i)] > 0 ? broken : idle).push_back(i);
    }
    // Groups without impulse have no friction.
    for (const int i : idle) modes.points[i] = {};
    if (!idle.empty()) continue;
    if (broken.empty()) return;
    // The worst first: points that leave take the load off others. Where two that go on sticking
    // hold their group, nothing can leave alone.
    bool found = false;
    for (const Points& leaving : {worst(system, flow, broken), broken}) {
      Points wider = merged(slipping, leaving);
      found = !held(system, wider, with_neighbours(system, wider, modes)) &&
              leave(system, u, wider, modes);
      if (!found) continue;
      slipping = std::move(wider);
      break;
    }
    if (!found) {
      const Points wider = merged(slipping, broken);
      const Points all = with_neighbours(system, wider, modes);
      const bool tried = all.size() == wider.size();
      found = !tried && leave(system, u, all, modes);
      if (found) slipping = all;
    }
    if (!found)
      for (const int i : broken) modes.forced[i] = 1;
  }
}

}  // namespace saltus::impulse
