// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/circle_touch.hpp"

#include <cmath>
#include <numbers>

#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

/// Below this sine a circle and a plane count as parallel.
constexpr double flat_circle = 1e-10;

/// A point of a circle, where its tangent and the way from its centre are of length 1.
struct OnCircle {
  Vector3 x, radial, tangent;
};

class Circle {
 public:
  explicit Circle(const CoreFeature& f)
      : axes_(frame_with_normal(f.axis)), centre_(f.position), radius_(f.extent) {}
  OnCircle at(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    OnCircle out;
    out.radial = c * axes_.col(0) + s * axes_.col(1);
    out.tangent = c * axes_.col(1) - s * axes_.col(0);
    out.x = centre_ + radius_ * out.radial;
    return out;
  }
  /// Where the circle is nearest to x.
  OnCircle nearest(const Vector3& x) const { return at(angle(x - centre_)); }
  double angle(const Vector3& d) const {
    return std::atan2(axes_.col(1).dot(d), axes_.col(0).dot(d));
  }

 private:
  Matrix3 axes_;
  Vector3 centre_;
  double radius_;
};

/// A zero of f between low and high, where it rises: Newton's method within the bracket.
template <class F>
double rising_zero(const F& f, double low, double high) {
  double x = (low + high) / 2;
  for (int i = 0; i < 60; ++i) {
    const auto [value, slope] = f(x);
    (value < 0 ? low : high) = x;
    const double next = slope > 0 ? x - value / slope : (low + high) / 2;
    const double to = next > low && next < high ? next : (low + high) / 2;
    if (std::abs(to - x) < 1e-15) return to;
    x = to;
  }
  return x;
}

/// Where the slope of f, which has different signs at both ends, is zero.
template <class F>
double flat_place(const F& f, double low, double high) {
  const bool rises = f(low).second > 0;
  for (int i = 0; i < 50; ++i) {
    const double x = (low + high) / 2;
    ((f(x).second > 0) == rises ? low : high) = x;
  }
  return (low + high) / 2;
}

/// Whether f rises through zero between low and high; if so they are moved next to it.
template <class F>
bool rises_between(const F& f, double& low, double& high) {
  const auto [left, left_slope] = f(low);
  const auto [right, right_slope] = f(high);
  if (left <= 0 && right > 0) return true;
  if (left > 0 && right > 0 && left_slope < 0 && right_slope > 0) {
    low = flat_place(f, low, high);
    return f(low).first <= 0;
  }
  if (left <= 0 && right <= 0 && left_slope > 0 && right_slope < 0) {
    high = flat_place(f, low, high);
    return f(high).first > 0;
  }
  return false;
}

/// Of the angles where f rises through zero the one that `preference` likes best; of none the one
/// where |f| is least among the samples. `first` is a sample, and so is its opposite: where a
/// circle nearly touches a line from inside, it crosses it before and after, however near.
template <class F, class P>
double best_rising_zero(const F& f, const P& preference, double first) {
  constexpr int samples = 24;
  constexpr double step = 2 * std::numbers::pi / samples;
  double best = first, best_liking = -1e300, smallest = 1e300;
  bool is_found = false;
  for (int i = 0; i < samples; ++i) {
    double low = first + i * step, high = first + (i + 1) * step;
    const double size = std::abs(f(low).first);
    if (!is_found && size < smallest) {
      smallest = size;
      best = low;
    }
    if (!rises_between(f, low, high)) continue;
    const double angle = rising_zero(f, low, high);
    const double liking = preference(angle);
    if (is_found && liking <= best_liking) continue;
    is_found = true;
    best_liking = liking;
    best = angle;
  }
  return best;
}

/// n or −n: out of the end that the circle is the rim of.
Vector3 out_of_rim(const Vector3& n, const CoreFeature& circle, const Vector3& radial) {
  return n.dot(circle.axis + radial) < 0 ? Vector3(-n) : n;
}

/// Then the two are apart where they touch, and the way between them is the normal.
bool is_rounded(const CoreFeature& a, const CoreFeature& b) { return a.radius + b.radius > 0; }

}  // namespace

Vector3 lowest_on_circle(const CoreFeature& circle, const Vector3& n) {
  const Vector3 flat = n - n.dot(circle.axis) * circle.axis;
  const double length = flat.norm();
  // A rim that lies flat has no lowest point: the gap is the same to 1e-10 of the radius.
  if (!(length > flat_circle)) {
    return circle.position + circle.extent * frame_with_normal(circle.axis).col(0);
  }
  // Of a circle that is nearly parallel to the plane what is left is mostly round-off along the
  // axis: taken off once more.
  Vector3 radial = -flat / length;
  radial -= radial.dot(circle.axis) * circle.axis;
  return circle.position + circle.extent * radial.normalized();
}

CirclePair circle_edge(const CoreFeature& circle, const CoreFeature& edge) {
  const Circle round(circle);
  const double rho = circle.extent;
  const auto across = [&](const Vector3& x) {
    const Vector3 d = x - edge.position;
    return Vector3(d - d.dot(edge.axis) * edge.axis);
  };
  // Half the rate of the squared distance from the line, by the radius, and its own rate.
  const auto rate = [&](double angle) {
    const OnCircle at = round.at(angle);
    const Vector3 w = across(at.x);
    const double along = at.tangent.dot(edge.axis);
    return std::pair(w.dot(at.tangent), rho * (1 - along * along) - w.dot(at.radial));
  };
  const double angle = best_rising_zero(
      rate, [&](double x) { return circle.way * round.at(x).radial.dot(edge.axis); },
      round.angle(circle.axis.cross(edge.axis)));
  const OnCircle at = round.at(angle);
  const Vector3 w = across(at.x);
  CirclePair out;
  out.a = at.x;
  out.b = at.x - w;
  const double slope = rate(angle).second;
  const Vector3 flat = at.tangent - at.tangent.dot(edge.axis) * edge.axis;
  const double length = w.norm();
  if (is_rounded(circle, edge) && length > 1e-9 * rho) {
    out.normal = out_of_rim(-w / length, circle, at.radial);
    const Matrix3 across_n = Matrix3::Identity() - out.normal * out.normal.transpose() -
                             edge.axis * edge.axis.transpose();
    const double sign = out.normal.dot(w) < 0 ? 1 : -1;
    out.curvature = sign / length * (across_n - rho / slope * across_n * flat * flat.transpose());
    return out;
  }
  const Vector3 c = at.tangent.cross(edge.axis);
  const double sine = c.norm();
  // Along the edge itself every direction across is normal to both.
  out.normal = circle.axis;
  if (sine < 1e-12) return out;
  out.normal = out_of_rim(c / sine, circle, at.radial);
  // (dn/dθ) (dθ/dp)ᵀ; the tangent turns towards −radial.
  const Vector3 turn = std::copysign(1 / sine, out.normal.dot(c)) * edge.axis.cross(at.radial);
  const Vector3 dn = turn - out.normal.dot(turn) * out.normal;
  out.curvature = dn * flat.transpose() / slope;
  return out;
}

CirclePair circle_circle(const CoreFeature& a, const CoreFeature& b) {
  const Circle first(a), second(b);
  // The slope by the implicit function: the nearest point of the second runs along.
  const auto rate = [&](double angle) {
    const OnCircle p = first.at(angle);
    const OnCircle q = second.nearest(p.x);
    const Vector3 w = p.x - q.x;
    const double c = p.tangent.dot(q.tangent);
    const double own = b.extent + w.dot(q.radial);
    return std::pair(w.dot(p.tangent),
                     a.extent - w.dot(p.radial) - a.extent * b.extent * c * c / own);
  };
  const Vector3 left = a.axis.cross(b.position - a.position);
  const double angle = best_rising_zero(
      rate, [&](double x) { return a.way * first.at(x).radial.dot(left); },
      first.angle(b.position - a.position));
  const OnCircle p = first.at(angle);
  const OnCircle q = second.nearest(p.x);
  CirclePair out;
  out.a = p.x;
  out.b = q.x;
  const Vector3 way = q.x - p.x;
  const double length = way.norm();
  out.normal = a.axis;
  if (is_rounded(a, b) && length > 1e-9 * a.extent) {
    out.normal = out_of_rim(way / length, a, p.radial);
    return out;
  }
  const Vector3 c = p.tangent.cross(q.tangent);
  const double sine = c.norm();
  if (sine < 1e-12) return out;
  out.normal = out_of_rim(c / sine, a, p.radial);
  return out;
}

}  // namespace saltus
