// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/impulse/bracketed_root.hpp"
#include "saltus/impulse/impact_path.hpp"
#include "saltus/impulse/stick_slip.hpp"
#include "saltus/impulse/tuning.hpp"

// Steps of a path: straight ones are closed formulas, turning ones Runge and Kutta's.

namespace saltus::impulse {

bool ImpactPath::turning_step(PathStep& step) {
  const double whole = speed_scale_ / flow_.du.lpNorm<Eigen::Infinity>();
  const double shortest = PathTuning::shortest_step * whole;
  double h = next_length_ > 0 ? next_length_ : PathTuning::first_step * whole;
  for (int attempts = 0; attempts < PathTuning::most_attempts; ++attempts) {
    h = std::min(h, PathTuning::part_to_rest * length_to_turn());
    if (longest_ > 0) h = std::min(h, longest_ * whole);
    StepError error;
    PathState end = runge_kutta(step, h, &error);
    const double growth = PathTuning::safety * std::pow(tolerance_ * speed_scale_ / error.size,
                                                        PathTuning::order_exponent);
    if (!end.x.allFinite()) return false;
    if (h <= PathTuning::jump_step * whole && meets_fallback(error))
      return true;  // another flow from here
    if (error.size <= tolerance_ * speed_scale_ || h <= shortest) {
      next_length_ = h * std::min(PathTuning::most_growth, growth);
      step.length = h;
      step.length = first_change(step, end, error.end_flow);
      end_known_ = step.length == h;
      if (end_known_) {
        state_ = std::move(end);
        flow_ = std::move(error.end_flow);
      }
      return true;
    }
    h *= std::max(PathTuning::least_growth, growth);
  }
  return false;
}

/// Where shares are about to pull, or rates to have no solution, the flow jumps, and steps across
/// the jump get shorter and shorter. True if the flow beyond it is taken from here on.
bool ImpactPath::meets_fallback(const StepError& error) {
  bool met = error.proportional && !modes_.proportional;
  for (int g = 0; g < system_.group_count(); ++g) met |= error.equal[g] && !modes_.equal[g];
  if (!met) return false;
  for (int g = 0; g < system_.group_count(); ++g) modes_.equal[g] |= error.equal[g];
  modes_.proportional |= error.proportional;
  settle_points();
  next_length_ = 0;
  return true;
}

/// The largest entry; those of slow slip count more, for its direction is to be right, too.
double ImpactPath::weighted_error(const VectorX& error, const PathStep& step) const {
  double size = error.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < system_.point_count(); ++i) {
    const double speed = step.start.u().segment<2>(3 * i + 1).norm();
    if (!slips_with_friction(i) || !(speed > rest_speed())) continue;
    const double weight = tolerance_ * speed_scale_ / (PathTuning::slow_slip_error * speed);
    if (weight > 1) size = std::max(size, weight * error.segment<2>(3 * i + 1).norm());
  }
  return size;
}

/// The length after which a normal work has an extremum or a sticking point breaks its cone.
double ImpactPath::first_change(const PathStep& step, const PathState& end,
                                const Flow& flow) const {
  double length = step.length;
  const auto flow_at = [&](double part) {
    PathState state = runge_kutta(step, part, nullptr);
    return std::pair{state, system_.flow(state.u(), step.modes)};
  };
  for (int g = 0; g < system_.group_count(); ++g) {
    const double s_0 = measure_.rate(step.start.u(), step.flow, g);
    const double s_1 = measure_.rate(end.u(), flow, g);
    if (std::min(std::abs(s_0), std::abs(s_1)) <= negligible_rate(g) || (s_0 < 0) == (s_1 < 0))
      continue;
    const auto rate_at = [&](double part) {
      const auto [state, there] = flow_at(part);
      return measure_.rate(state.u(), there, g);
    };
    length = std::min(length, bracketed_root(rate_at, 0, s_0, step.length, s_1));
  }
  for (int i = 0; i < system_.point_count(); ++i) {
    const double margin = cone_margin(system_, flow, i);
    if (!sticks(i) || modes_.forced[i] || margin >= 0) continue;
    const auto margin_at = [&](double part) {
      return cone_margin(system_, flow_at(part).second, i);
    };
    const double before = cone_margin(system_, step.flow, i);
    length = std::min(length, bracketed_root(margin_at, 0, before, step.length, margin));
  }
  return length;
}

PathState ImpactPath::after(const PathStep& step, double part) const {
  if (!step.straight) return runge_kutta(step, part, nullptr);
  PathState state = step.start;
  state.x += part * rate(step.start, step.flow);
  for (int g = 0; g < system_.group_count(); ++g)
    state.add_work(g, part * part / 2 * integral_rate(step.flow.du, step.flow, g));
  for (int i = 0; i < system_.point_count(); ++i) {
    const Vector2 rates = work_rates(step.flow.du, step.flow, i);
    state.add_point_works(i, part * part / 2 * rates[0], part * part / 2 * rates[1]);
  }
  return state;
}

double ImpactPath::integral_rate(const Eigen::Ref<const VectorX>& u, const Flow& flow,
                                 int group) const {
  double sum = 0;
  for (const int i : system_.members(group)) sum += u[3 * i] * flow.dp[3 * i];
  return sum;
}

/// Of the normal work and the friction work of a point.
Vector2 ImpactPath::work_rates(const Eigen::Ref<const VectorX>& u, const Flow& flow,
                               int point) const {
  const int i = 3 * point;
  return {u[i] * flow.dp[i], u.segment<2>(i + 1).dot(flow.dp.segment<2>(i + 1))};
}

VectorX ImpactPath::rate(const PathState& state, const Flow& flow) const {
  const int n = static_cast<int>(flow.du.size()), groups = system_.group_count();
  VectorX rate(state.x.size());
  rate.head(n) = flow.du;
  rate.segment(n, n) = flow.dp;
  for (int i = 0; i < system_.point_count(); ++i)
    rate.segment<2>(2 * n + 2 * i) = work_rates(state.u(), flow, i);
  for (int g = 0; g < groups; ++g)
    rate[rate.size() - 2 * groups + g] = integral_rate(state.u(), flow, g);
  rate.tail(groups) = flow.rates;
  return rate;
}

/// One step of Dormand and Prince's pair of orders 5 and 4; on demand with its error, for which the
/// flow at the end is needed.
PathState ImpactPath::runge_kutta(const PathStep& step, double h, StepError* error) const {
  static const Eigen::Matrix<double, 7, 6> weights = [] {
    Eigen::Matrix<double, 7, 6> a = Eigen::Matrix<double, 7, 6>::Zero();
    a.row(1).head<1>() << 1.0 / 5;
    a.row(2).head<2>() << 3.0 / 40, 9.0 / 40;
    a.row(3).head<3>() << 44.0 / 45, -56.0 / 15, 32.0 / 9;
    a.row(4).head<4>() << 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729;
    a.row(5).head<5>() << 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656;
    a.row(6) << 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84;
    return a;
  }();
  static const Eigen::Matrix<double, 7, 1> difference =
      (Eigen::Matrix<double, 7, 1>() << 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920,
       -17253.0 / 339200, 22.0 / 525, -1.0 / 40)
          .finished();
  PathState y = step.start;
  slopes_.resize(y.x.size(), 7);
  slopes_.col(0) = rate(step.start, step.flow);
  for (int stage = 1; stage < 7; ++stage) {
    y.x = step.start.x;
    y.x.noalias() += slopes_.leftCols(stage) * (h * weights.row(stage).head(stage).transpose());
    if (stage == 6 && error == nullptr) break;
    Flow flow = system_.flow(y.u(), step.modes);
    slopes_.col(stage) = rate(y, flow);
    if (error != nullptr) {
      error->equal.resize(flow.equal.size());
      for (std::size_t g = 0; g < flow.equal.size(); ++g) error->equal[g] |= flow.equal[g];
      error->proportional |= flow.proportional;
    }
    if (stage == 6) error->end_flow = std::move(flow);
  }
  const int n = static_cast<int>(step.flow.du.size());
  if (error != nullptr) error->size = h * weighted_error(slopes_.topRows(n) * difference, step);
  return y;
}

}  // namespace saltus::impulse
