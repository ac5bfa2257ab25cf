// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/micro_time.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

EventCurve::EventCurve(const ImpactEvent& event) : event_(event) {}

int EventCurve::segment(double p) const {
  const auto& s = event_.samples;
  const auto after =
      std::upper_bound(s.begin(), s.end(), p, [](double x, const auto& y) { return x < y.p; });
  const int k = static_cast<int>(after - s.begin()) - 1;
  int found = std::clamp(k, 0, static_cast<int>(s.size()) - 2);
  while (found > 0 && !(s[found + 1].p > s[found].p)) --found;
  return found;
}

VectorX EventCurve::normal_velocity(double p) const {
  const int n = static_cast<int>(event_.u.size()) / 3;
  VectorX v(n);
  for (int i = 0; i < n; ++i) v[i] = normal_velocity(p, i);
  return v;
}

double EventCurve::normal_velocity(double p, int point) const {
  const int k = segment(p);
  const EventSample &a = event_.samples[k], &b = event_.samples[k + 1];
  const double part = (p - a.p) / (b.p - a.p);
  return (1 - part) * a.u[3 * point] + part * b.u[3 * point];
}

double EventCurve::segment_share(int k, int point) const {
  const EventSample &a = event_.samples[k], &b = event_.samples[k + 1];
  return (b.impulses[3 * point] - a.impulses[3 * point]) / (b.p - a.p);
}

double EventCurve::share(double p, int point) const { return segment_share(segment(p), point); }

VectorX EventCurve::friction(double p) const {
  const int k = segment(p), n = static_cast<int>(event_.u.size()) / 3;
  const EventSample &a = event_.samples[k], &b = event_.samples[k + 1];
  VectorX ratio = VectorX::Zero(2 * n);
  for (int i = 0; i < n; ++i) {
    const Vector3 d = b.impulses.segment<3>(3 * i) - a.impulses.segment<3>(3 * i);
    if (d[0] > 0) ratio.segment<2>(2 * i) = d.tail<2>() / d[0];
  }
  return ratio;
}

double EventCurve::remaining_work(double p) const {
  const int k = segment(p);
  const EventSample &a = event_.samples[k], &b = event_.samples[k + 1];
  double V = 0, change = 0;
  for (const int i : event_.points) {
    const double c = segment_share(k, i);
    V += c * b.u[3 * i];
    change += c * (b.u[3 * i] - a.u[3 * i]);
  }
  const double left = b.p - p;
  return event_.samples.back().normal_work - b.normal_work + V * left -
         change / (b.p - a.p) * left * left / 2;
}

double EventCurve::rest(int point) const {
  const auto& s = event_.samples;
  for (int k = 0; k + 1 < static_cast<int>(s.size()); ++k) {
    const double v_0 = s[k].u[3 * point], v_1 = s[k + 1].u[3 * point];
    if (v_0 < 0 && v_1 >= 0) return s[k].p + (s[k + 1].p - s[k].p) * v_0 / (v_0 - v_1);
  }
  return end();
}

int EventCurve::independent_point() const {
  int best = -1;
  for (const int i : event_.points) {
    if (!(event_.samples.front().u[3 * i] < 0) || !(event_.impulses[3 * i] > 0)) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    const double gain = rest(i) - rest(best), same = MicroTuning::same_rest * end();
    if (gain > same || (gain > -same && event_.impulses[3 * i] > (1 + MicroTuning::same_rest) *
                                                                     event_.impulses[3 * best]))
      best = i;
  }
  return best;
}

namespace {

/// Marches in time: (20) while the independent point approaches, (21) after.
class Augmentation {
 public:
  Augmentation(const ImpactEvent& event, int number, const std::vector<ElastoplasticLaw>& laws,
               std::vector<MicroSample>& samples)
      : event_(event), curve_(event), laws_(laws), samples_(samples) {
    now_ = samples.back();
    now_.event = number;
    point_ = curve_.independent_point();
  }

  double run() {
    if (point_ < 0) return now_.time;
    const double rest = curve_.rest(point_);
    record(0);
    compress(rest);
    const double time = now_.time;
    if (curve_.end() > rest * (1 + MicroTuning::no_restitution)) restore(rest);
    return time;
  }

 private:
  double force(double p, double delta) const {
    return laws_[point_].force(delta, -curve_.normal_velocity(p, point_));
  }

  struct Rates {
    double p;
    VectorX delta;
  };
  /// d/dt of p and of the deformations of the event's points.
  Rates rates(double p, const VectorX& delta) const {
    const double share = std::max(curve_.share(p, point_), MicroTuning::least_share);
    return {force(p, delta[point_]) / share, deformation_rates(p)};
  }

  VectorX deformation_rates(double p) const {
    VectorX rate = VectorX::Zero(now_.deformation.size());
    for (const int i : event_.points) rate[i] = -curve_.normal_velocity(p, i);
    return rate;
  }

  /// Runge and Kutta's classical step.
  void step(double dt, double& p, VectorX& delta) const {
    const Rates a = rates(p, delta);
    const Rates b = rates(p + dt / 2 * a.p, delta + dt / 2 * a.delta);
    const Rates c = rates(p + dt / 2 * b.p, delta + dt / 2 * b.delta);
    const Rates d = rates(p + dt * c.p, delta + dt * c.delta);
    p += dt / 6 * (a.p + 2 * b.p + 2 * c.p + d.p);
    delta += dt / 6 * (a.delta + 2 * b.delta + 2 * c.delta + d.delta);
  }

  void compress(double p_end) {
    double p = 0;
    const double smallest = MicroTuning::first_deformation * laws_[point_].yield_deformation();
    for (int i = 0; i < MicroTuning::most_micro_steps && p < p_end; ++i) {
      const Rates now = rates(p, now_.deformation);
      // A part of the deformation, and of what is left of the impulse: the rest is a turning point.
      const double depth = std::max(now_.deformation[point_], 0.0) + smallest;
      double dt = MicroTuning::deformation_step * depth / std::max(now.delta[point_], 1e-300);
      if (now.p > 0) dt = std::min(dt, p_end / MicroTuning::impulse_steps / now.p);
      double p_next = p;
      VectorX delta = now_.deformation;
      step(dt, p_next, delta);
      if (p_next >= p_end) dt = last_step(dt, p, p_end);
      step(dt, p, now_.deformation);
      now_.time += dt;
      if (p_next >= p_end) p = p_end;
      record(p);
    }
  }

  /// The step that ends at p_end: bisection, for p grows with it.
  double last_step(double dt, double p, double p_end) const {
    double low = 0, high = dt;
    for (int i = 0; i < MicroTuning::last_step_bisections; ++i) {
      const double middle = (low + high) / 2;
      double p_next = p;
      VectorX delta = now_.deformation;
      step(middle, p_next, delta);
      (p_next < p_end ? low : high) = middle;
    }
    return high;
  }

  /// dt = dp_n/f_n with f_n = f_nc w^{3/5}, w the part of the work that is left. p = p_f − Δ
  /// σ^{5/2} takes the singularity at the end away.
  void restore(double p_0) {
    const double range = curve_.end() - p_0, work = curve_.remaining_work(p_0);
    constexpr int steps = MicroTuning::restitution_steps;
    const double f_c = laws_[point_].static_force(now_.deformation[point_]);
    if (!(work > 0) || !(f_c > 0)) return;
    for (int k = steps; k > 0; --k) {
      const double sigma = (k - 0.5) / steps;  // midpoint
      const double p = curve_.end() - range * std::pow(sigma, 2.5);
      const double w = std::max(curve_.remaining_work(p) / work, 0.0);
      const double f = f_c * std::pow(w, 0.6);
      if (!(f > 0)) continue;
      const double dp = 2.5 * range * std::pow(sigma, 1.5) / steps;
      const double dt = curve_.share(p, point_) * dp / f;
      now_.time += dt;
      now_.deformation += dt * deformation_rates(p);
      record(curve_.end() - range * std::pow((k - 1.0) / steps, 2.5));
    }
  }

  void record(double p) {
    now_.normal_velocity = curve_.normal_velocity(p);
    now_.friction = curve_.friction(p);
    samples_.push_back(now_);
  }

  const ImpactEvent& event_;
  EventCurve curve_;
  const std::vector<ElastoplasticLaw>& laws_;
  std::vector<MicroSample>& samples_;
  MicroSample now_;
  int point_;
};

}  // namespace

double add_event(const ImpactEvent& event, int number, const std::vector<ElastoplasticLaw>& laws,
                 std::vector<MicroSample>& samples) {
  return Augmentation(event, number, laws, samples).run();
}

}  // namespace saltus::impulse
