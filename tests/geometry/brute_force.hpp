// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "saltus/geometry/core_pair.hpp"
#include "saltus/lie/so3.hpp"

/// The truth about two convex cores, by looking at everything: slow, and of no use but to compare.
namespace saltus::brute_force {

using Points = std::vector<Vector3>;

inline double least_along(const Vector3& n, const Points& points) {
  double least = 1e300;
  for (const Vector3& x : points) least = std::min(least, n.dot(x));
  return least;
}

inline Points placed(const Polytope& p, const RelativePose& X) {
  Points out;
  for (const Vector3& x : p.vertices) out.push_back(X.point(x));
  return out;
}

inline std::vector<Vector3> edges_of(const Polytope& p, const Matrix3& R) {
  std::vector<Vector3> out;
  for (const Polytope::Edge& e : p.edges) {
    out.push_back(R * (p.vertices[static_cast<std::size_t>(e.vertices[1])] -
                       p.vertices[static_cast<std::size_t>(e.vertices[0])]));
  }
  return out;
}

/// The largest separation along any normal of a face or of two edges: minus the depth where the two
/// overlap, not more than the distance where they do not.
inline double separation(const Polytope& P, const Polytope& Q, const RelativePose& X) {
  const Points q = placed(Q, X);
  double best = -1e300;
  const auto try_axis = [&](const Vector3& n) {
    best = std::max(best, least_along(n, q) + least_along(-n, P.vertices));
  };
  for (const Polytope::Face& f : P.faces) try_axis(f.normal);
  for (const Polytope::Face& f : Q.faces) try_axis(-(X.R * f.normal));
  const auto f = edges_of(Q, X.R);
  for (const Vector3& a : edges_of(P, Matrix3::Identity())) {
    for (const Vector3& b : f) {
      const Vector3 n = a.cross(b);
      if (n.norm() < 1e-7 * a.norm() * b.norm()) continue;
      try_axis(n.normalized());
      try_axis(-n.normalized());
    }
  }
  return best;
}

/// The nearest point of a triangle, or segment, or point: by trying all its parts.
inline double distance_to_simplex(const Vector3& x, const Vector3& a, const Vector3& b) {
  const Vector3 e = b - a;
  const double l2 = e.squaredNorm();
  const double t = l2 > 0 ? std::clamp(e.dot(x - a) / l2, 0.0, 1.0) : 0;
  return (x - a - t * e).norm();
}

inline double distance_to_face(const Polytope& p, const Polytope::Face& f, const Points& points,
                               const Vector3& x) {
  const auto corner = [&](int k) {
    return points[static_cast<std::size_t>(
        p.loops[static_cast<std::size_t>(f.first + k % f.count)])];
  };
  double least = 1e300;
  bool is_above = true;
  const Vector3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
  for (int k = 0; k < f.count; ++k) {
    const Vector3 a = corner(k), b = corner(k + 1);
    least = std::min(least, distance_to_simplex(x, a, b));
    if (n.cross(b - a).dot(x - a) < 0) is_above = false;
  }
  return is_above ? std::min(least, std::abs(n.dot(x - corner(0)))) : least;
}

inline double point_distance(const Polytope& p, const Points& points, const Vector3& x) {
  double least = 1e300;
  for (const Vector3& v : points) least = std::min(least, (x - v).norm());
  for (const Polytope::Edge& e : p.edges) {
    least = std::min(least, distance_to_simplex(x, points[static_cast<std::size_t>(e.vertices[0])],
                                                points[static_cast<std::size_t>(e.vertices[1])]));
  }
  for (const Polytope::Face& f : p.faces) {
    least = std::min(least, distance_to_face(p, f, points, x));
  }
  return least;
}

/// Of two edges, between their ends; the ends are with the points.
inline double edge_distance(const Vector3& a, const Vector3& e, const Vector3& b,
                            const Vector3& f) {
  const Vector3 c = e.cross(f), d = b - a;
  const double s2 = c.squaredNorm();
  if (s2 < 1e-20 * e.squaredNorm() * f.squaredNorm()) return 1e300;
  const double t = d.cross(f).dot(c) / s2, u = d.cross(e).dot(c) / s2;
  return t < 0 || t > 1 || u < 0 || u > 1 ? 1e300 : std::abs(c.dot(d)) / std::sqrt(s2);
}

/// The distance of two cores that are apart.
inline double distance(const Polytope& P, const Polytope& Q, const RelativePose& X) {
  const Points q = placed(Q, X);
  double least = 1e300;
  for (const Vector3& x : q) least = std::min(least, point_distance(P, P.vertices, x));
  for (const Vector3& x : P.vertices) least = std::min(least, point_distance(Q, q, x));
  const auto e = edges_of(P, Matrix3::Identity()), f = edges_of(Q, X.R);
  for (std::size_t i = 0; i < e.size(); ++i) {
    for (std::size_t j = 0; j < f.size(); ++j) {
      least = std::min(
          least, edge_distance(P.vertices[static_cast<std::size_t>(P.edges[i].vertices[0])], e[i],
                               q[static_cast<std::size_t>(Q.edges[j].vertices[0])], f[j]));
    }
  }
  return least;
}

inline Vector3 random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

inline Matrix3 random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Quaternion q(normal(random), normal(random), normal(random), normal(random));
  return q.normalized().toRotationMatrix();
}

/// Of a pose: how it is chosen from what a pair may meet. Generic ones, and those where faces and
/// edges are parallel, exactly or nearly so.
class Poses {
 public:
  Poses(const ConvexCore& A, const ConvexCore& B, unsigned seed) : A_(A), B_(B), random_(seed) {}

  RelativePose next() {
    RelativePose X;
    const int kind = static_cast<int>(random_() % 4);
    X.R = kind < 2 ? random_rotation(random_) : nearly_square();
    const Vector3 way = kind == 3 ? Vector3(X.R.col(static_cast<int>(random_() % 3)))
                                  : random_vector(random_).normalized();
    std::uniform_real_distribution<double> part(0.0, 1.1);
    X.p = A_.centre - X.R * B_.centre + part(random_) * (A_.bound + B_.bound) * way;
    if (kind == 3) flush(X);
    return X;
  }

 private:
  /// Turned by right angles, and a little more or not at all.
  Matrix3 nearly_square() {
    constexpr double tilts[] = {0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3};
    const Vector3 psi = tilts[random_() % 8] * random_vector(random_);
    Matrix3 R = Matrix3::Identity();
    const auto turns = random_() % 4;
    for (unsigned i = 0; i < turns; ++i) {
      Matrix3 quarter;
      quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
      R = quarter * R;
    }
    if (random_() % 2 == 0) R = Vector3(1, -1, -1).asDiagonal() * R;
    return R * lie::so3::exp(psi);
  }
  /// Put so that faces along the axes are flush, or off by a little.
  void flush(RelativePose& X) {
    constexpr double grid = 0.1;
    constexpr double offs[] = {0, 1e-15, -1e-14, 1e-12, -1e-10, 1e-8, -1e-6};
    X.p = (X.p / grid).array().round().matrix() * grid;
    X.p += offs[random_() % 7] * random_vector(random_);
  }

  const ConvexCore& A_;
  const ConvexCore& B_;
  std::mt19937_64 random_;
};

/// How many poses of each pair: more in the long tests.
inline int poses(int usual) {
  const char* wanted = std::getenv("SALTUS_FUZZ_POSES");
  return wanted != nullptr ? std::atoi(wanted) : usual;
}

}  // namespace saltus::brute_force
