// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/slip_directions.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/impulse/bracketed_root.hpp"
#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

using std::numbers::pi;

/// f(φ) = pᵀ Q_o p + Q_rᵀ p and its derivative.
struct Turning {
  const IsoclineMatrix& Q;
  double mu;
  Eigen::Vector2d impulse(double phi) const { return {-mu * std::cos(phi), -mu * std::sin(phi)}; }
  double value(double phi) const {
    const Eigen::Vector2d p = impulse(phi);
    return p.dot(Q.leftCols<2>() * p) + Q.col(2).dot(p);
  }
  double slope(double phi) const {
    const Eigen::Vector2d p = impulse(phi), q = impulse(phi + pi / 2);
    return q.dot(Q.leftCols<2>() * p) + p.dot(Q.leftCols<2>() * q) + Q.col(2).dot(q);
  }
  /// Largest that the terms can be.
  double size() const { return mu * mu * Q.leftCols<2>().norm() + mu * Q.col(2).norm(); }
};

IsoclineMatrix rotated(const IsoclineMatrix& Q, double angle) {
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(angle).toRotationMatrix();
  IsoclineMatrix result;
  result.leftCols<2>() = R.transpose() * Q.leftCols<2>() * R;
  result.col(2) = R.transpose() * Q.col(2);
  return result;
}

/// The axes in which the quartic has the largest leading coefficient: u = ∞ is no root then.
double best_axes(const IsoclineMatrix& Q, double mu) {
  double best = 0, largest = -1;
  for (int i = 0; i < DirectionTuning::turned_axes; ++i) {
    const double angle = i * pi / DirectionTuning::turned_axes,
                 c = std::abs(isocline_quartic(rotated(Q, angle), mu)[0]);
    if (c > DirectionTuning::better_axes * largest) {
      best = angle;
      largest = c;
    }
  }
  return best;
}

void add_distinct(std::vector<double>& angles, double phi) {
  phi = std::remainder(phi, 2 * pi);
  if (phi <= -pi) phi = pi;
  for (const double other : angles)
    if (std::abs(std::remainder(phi - other, 2 * pi)) < DirectionTuning::same_angle) return;
  angles.push_back(phi);
}

/// Newton's method from a root of the quartic, which belongs to φ or to φ + π.
void polish(const Turning& f, double phi, std::vector<double>& angles) {
  const double start = phi;
  for (int i = 0; i < DirectionTuning::polishing_steps; ++i) {
    const double slope = f.slope(phi);
    if (slope == 0) break;
    const double step = f.value(phi) / slope;
    phi -= step;
    if (!(std::abs(phi - start) < DirectionTuning::farthest_polish)) return;
    if (std::abs(step) < DirectionTuning::polished_step) break;
  }
  if (std::abs(f.value(phi)) <= DirectionTuning::isocline_fit * f.size()) add_distinct(angles, phi);
}

std::vector<VectorX> circle_directions(const DirectionMap& G) {
  const auto direction = [](double phi) {
    return VectorX(Eigen::Vector2d(std::cos(phi), std::sin(phi)));
  };
  const auto cross = [&](double phi) {
    const VectorX g = G(direction(phi));
    return g[1] * std::cos(phi) - g[0] * std::sin(phi);
  };
  std::vector<VectorX> found;
  // Not from 0: roots of symmetric problems lie on the axes.
  double a = DirectionTuning::first_angle, f_a = cross(a);
  for (int i = 0; i < DirectionTuning::arcs; ++i) {
    const double b = a + 2 * pi / DirectionTuning::arcs, f_b = cross(b);
    if ((f_a > 0) != (f_b > 0)) {
      const double root = bracketed_root(cross, a, f_a, b, f_b);
      const VectorX c = direction(root), g = G(c);
      // Where the shares jump, the cross product changes its sign without a root.
      if (g.dot(c) > 0 && std::abs(cross(root)) <= DirectionTuning::root_fit * g.norm())
        found.push_back(c);
    }
    a = b;
    f_a = f_b;
  }
  return found;
}

/// Columns: an orthonormal basis of the plane tangential to the sphere at c.
MatrixX tangent_basis(const VectorX& c) {
  return linalg::orthogonal_completion(c).rightCols(c.size() - 1);
}

/// G(c)/|G(c)| − c.
VectorX miss(const DirectionMap& G, const VectorX& c) {
  const VectorX g = G(c);
  const double size = g.norm();
  return size > 0 ? VectorX(g / size - c) : VectorX(-2 * c);
}

/// Newton's method on the sphere, with differences for derivatives and shorter steps where needed.
bool newton(const DirectionMap& G, VectorX& c) {
  const int k = static_cast<int>(c.size());
  VectorX F = miss(G, c);
  for (int iteration = 0; iteration < DirectionTuning::newton_iterations; ++iteration) {
    if (F.norm() <= DirectionTuning::found) return true;
    const MatrixX B = tangent_basis(c);
    MatrixX J(k - 1, k - 1);
    for (int i = 0; i < k - 1; ++i)
      J.col(i) = B.transpose() *
                 (miss(G, (c + DirectionTuning::difference * B.col(i)).normalized()) - F) /
                 DirectionTuning::difference;
    const VectorX step = B * linalg::solve(J, -B.transpose() * F);
    if (!step.allFinite()) return false;
    double part = std::min(1.0, DirectionTuning::longest_newton_step / step.norm());
    for (;; part /= 2) {
      if (part < DirectionTuning::shortest_part) return F.norm() <= DirectionTuning::nearly_found;
      const VectorX trial = (c + part * step).normalized(), F_trial = miss(G, trial);
      if (F_trial.norm() < (1 - DirectionTuning::newton_decrease * part) * F.norm()) {
        c = trial;
        F = F_trial;
        break;
      }
    }
  }
  return F.norm() <= DirectionTuning::nearly_found;
}

/// Directions that lie evenly: ± the axes and all corners of the cube, for more than four axes
/// those of neighbouring pairs.
std::vector<VectorX> sphere_starts(int k) {
  std::vector<VectorX> starts;
  for (int i = 0; i < k; ++i)
    for (const double sign : {1.0, -1.0}) {
      starts.emplace_back(sign * VectorX::Unit(k, i));
      for (int j = 0; k > 4 && j < i; ++j) {
        starts.emplace_back((sign * VectorX::Unit(k, i) + VectorX::Unit(k, j)).normalized());
        starts.emplace_back((sign * VectorX::Unit(k, i) - VectorX::Unit(k, j)).normalized());
      }
    }
  for (int corner = 0; k <= 4 && corner < (1 << k); ++corner) {
    VectorX c(k);
    for (int i = 0; i < k; ++i) c[i] = (corner >> i & 1) ? 1 : -1;
    starts.emplace_back(c.normalized());
  }
  return starts;
}

std::vector<VectorX> sphere_directions(const DirectionMap& G, int k, const VectorX& guess) {
  std::vector<VectorX> found, starts = sphere_starts(k);
  if (guess.size() == k && guess.norm() > 0) starts.insert(starts.begin(), guess.normalized());
  for (VectorX& c : starts) {
    const auto known = [&](const VectorX& other) {
      return (other - c).norm() < DirectionTuning::same_direction;
    };
    if (newton(G, c) && std::none_of(found.begin(), found.end(), known)) found.push_back(c);
  }
  return found;
}

}  // namespace

std::array<double, 5> isocline_quartic(const IsoclineMatrix& Q, double mu) {
  const double a = Q(1, 1), b = Q(0, 1) + Q(1, 0), c = Q(0, 0), d = Q(1, 2), e = Q(0, 2);
  const double m = mu * mu;
  return {m * a * a - d * d, 2 * m * a * b - 2 * d * e, m * (b * b + 2 * a * c) - e * e - d * d,
          2 * m * b * c - 2 * d * e, m * c * c - e * e};
}

std::vector<double> isoclines(const IsoclineMatrix& Q, double mu) {
  const double angle = best_axes(Q, mu);
  const std::array<double, 5> c = isocline_quartic(rotated(Q, angle), mu);
  const Turning f{Q, mu};
  std::vector<double> angles;
  if (!(std::abs(c[0]) > DirectionTuning::no_quartic * f.size() * f.size())) return angles;
  Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
  companion.bottomLeftCorner<3, 3>().setIdentity();
  for (int i = 0; i < 4; ++i) companion(i, 3) = -c[4 - i] / c[0];
  for (const std::complex<double>& u : linalg::eigenvalues(companion)) {
    // Double roots (a point that can move along one line only) come out as pairs 1e-8 apart.
    if (std::abs(u.imag()) > DirectionTuning::real_root * (1 + std::norm(u))) continue;
    polish(f, angle + std::atan(u.real()), angles);
    polish(f, angle + std::atan(u.real()) + pi, angles);
  }
  std::sort(angles.begin(), angles.end());
  return angles;
}

std::vector<VectorX> outgoing_directions(const DirectionMap& G, int k, const VectorX& guess) {
  if (k == 2) return circle_directions(G);
  if (k > 2) return sphere_directions(G, k, guess);
  std::vector<VectorX> found;
  for (const double c : {1.0, -1.0})
    if (k == 1 && G(VectorX::Constant(1, c))[0] * c > 0) found.push_back(VectorX::Constant(1, c));
  return found;
}

}  // namespace saltus::impulse
