// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/face_weights.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

using Matrix2 = Eigen::Matrix2d;

double cross(const Vector2& a, const Vector2& b) { return a[0] * b[1] - a[1] * b[0]; }

/// The corners of the convex hull in the order of a positive turn.
std::vector<Vector2> convex_hull(std::vector<Vector2> points) {
  std::sort(points.begin(), points.end(), [](const Vector2& a, const Vector2& b) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
  });
  std::vector<Vector2> hull;
  for (const bool upper : {false, true}) {
    const std::size_t first = hull.size();
    for (const Vector2& p : points) {
      while (hull.size() >= first + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // begins the other chain
    if (!upper) std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// Means over a face: of the place, and of its products about it.
struct Moments {
  Vector2 centre = Vector2::Zero();
  Matrix2 second = Matrix2::Zero();
};

/// Of the triangles between a corner of the polygon and its sides.
Moments moments_of_polygon(const std::vector<Vector2>& corners) {
  const Vector2& origin = corners.front();
  double area = 0;
  Vector2 first = Vector2::Zero();
  Matrix2 second = Matrix2::Zero();
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    const Vector2 a = corners[k] - origin, b = corners[k + 1] - origin;
    const double part = cross(a, b) / 2;
    area += part;
    first += part / 3 * (a + b);
    second += part / 12 * (a * a.transpose() + b * b.transpose() + (a + b) * (a + b).transpose());
  }
  Moments moments{origin + first / area, second / area};
  const Vector2 offset = first / area;
  moments.second -= offset * offset.transpose();
  return moments;
}

/// Weights e^{θ·f}, the most even ones whose means of f vanish: θ is least where Σ e^{θ·f} is.
/// Empty if there are none.
VectorX most_even_weights(const MatrixX& f) {
  const auto m = f.cols();
  VectorX theta = VectorX::Zero(f.rows());
  const auto sum = [&](const VectorX& t) { return (f.transpose() * t).array().exp().mean(); };
  for (int i = 0; i < FaceTuning::iterations; ++i) {
    const VectorX w = (f.transpose() * theta).array().exp();
    if (!w.allFinite()) return {};
    const VectorX mean = f * w / w.sum();
    if (mean.lpNorm<Eigen::Infinity>() <= FaceTuning::moment)
      return w.minCoeff() > FaceTuning::least_weight * w.mean() ? VectorX(w / w.mean()) : VectorX();
    const MatrixX H = f * w.asDiagonal() * f.transpose() / static_cast<double>(m);
    const VectorX step =
        linalg::LeastNorm(H, FaceTuning::rank).solve(VectorX(-(f * w) / static_cast<double>(m)));
    // Near the end the sum changes by round-off only.
    const double bound = sum(theta) * (1 + FaceTuning::round_off);
    double part = 1;
    while (part > FaceTuning::shortest_part && !(sum(theta + part * step) < bound)) part /= 2;
    theta += part * step;
  }
  return {};
}

/// Places in the plane of the points, over their size.
std::vector<Vector2> places(const std::vector<ImpactPoint>& points) {
  Vector3 mean = Vector3::Zero();
  for (const ImpactPoint& point : points) mean += point.position / double(points.size());
  std::vector<Vector2> list;
  double size = 0;
  for (const ImpactPoint& point : points) {
    list.emplace_back(points.front().axes.rightCols<2>().transpose() * (point.position - mean));
    size = std::max(size, list.back().norm());
  }
  for (Vector2& place : list) place /= size > 0 ? size : 1;
  return list;
}

}  // namespace

bool have_one_normal(const std::vector<ImpactPoint>& points) {
  return std::all_of(points.begin(), points.end(), [&](const ImpactPoint& point) {
    return point.axes.col(0).dot(points.front().axes.col(0)) > 1 - StickTuning::same_normal;
  });
}

FaceWeights face_weights(const std::vector<ImpactPoint>& points) {
  const int m = static_cast<int>(points.size());
  FaceWeights result{VectorX::Ones(m)};
  if (m < 2 || !have_one_normal(points)) return result;
  std::vector<Vector2> x = places(points);
  Matrix2 scatter = Matrix2::Zero();
  for (const Vector2& place : x) scatter += place * place.transpose() / m;
  const auto [values, axes] = linalg::symmetric_eigen(scatter);
  if (!(values.maxCoeff() > 0)) return result;  // all in one place
  const bool line = values.minCoeff() <= FaceTuning::line * values.maxCoeff();
  for (Vector2& place : x) place = axes.transpose() * place;  // the longer way second
  Moments moments;
  if (line) {
    const auto along = [](const Vector2& a, const Vector2& b) { return a[1] < b[1]; };
    const double low = std::min_element(x.begin(), x.end(), along)->y();
    const double high = std::max_element(x.begin(), x.end(), along)->y();
    moments.centre[1] = (low + high) / 2;
    moments.second(1, 1) = (high - low) * (high - low) / 12;
  } else {
    moments = moments_of_polygon(convex_hull(x));
  }
  MatrixX f(line ? 2 : 5, m);
  for (int i = 0; i < m; ++i) {
    const Vector2 d = x[i] - moments.centre;
    const Matrix2 D = d * d.transpose() - moments.second;
    if (line)
      f.col(i) << d[1], D(1, 1);
    else
      f.col(i) << d, D(0, 0), D(0, 1), D(1, 1);
  }
  result.centred = moments.centre.norm() <= FaceTuning::centre;  // places are from their mean
  const VectorX weights = most_even_weights(f);
  result.stands = weights.size() > 0;
  if (result.stands) result.weights = weights;
  return result;
}

}  // namespace saltus::impulse
