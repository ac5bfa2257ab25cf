// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/features.hpp"

#include <cmath>

#include "saltus/geometry/hull.hpp"

namespace saltus {
namespace {

template <class Plane>
PlaneFeature plane(const Plane& shape) {
  PlaneFeature feature;
  feature.axes = frame_with_normal(shape.normal);
  feature.surface_velocity = feature.axes.transpose() * shape.surface_velocity;
  feature.surface_velocity.z() = 0;
  if constexpr (requires { shape.size; }) {
    if (shape.size) feature.half_size = {shape.size->x() / 2, shape.size->y() / 2};
  }
  return feature;
}

std::vector<Feature> features(const PointShape&) { return {Feature{}}; }

std::vector<Feature> features(const Sphere& shape) {
  return {{.form = {.kind = FeatureKind::Sphere, .radius = shape.outer_radius()}}};
}

std::vector<Feature> features(const HollowSphereShape& shape) {
  return {{.form = {.kind = FeatureKind::HollowSphere, .radius = shape.radius}}};
}

/// The corners: bit 0 of their number is the sign of x, bit 1 of y, bit 2 of z.
std::vector<Feature> features(const Box& shape) {
  std::vector<Feature> corners;
  for (int k = 0; k < 8; ++k) {
    const Vector3 signs(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    corners.push_back({.form = {.kind = FeatureKind::Corner, .radius = shape.rounding},
                       .position = signs.cwiseProduct(shape.size) / 2});
  }
  return corners;
}

std::vector<Feature> features(const Capsule& shape) {
  Feature end{.form = {.kind = FeatureKind::Corner, .radius = shape.outer_radius()},
              .axes = frame_with_normal(shape.axis)};
  std::vector<Feature> ends;
  for (const double sign : {-1.0, 1.0}) {
    end.position = {0, 0, sign * shape.length / 2};
    ends.push_back(end);
  }
  return ends;
}

std::vector<Feature> corners_at(const std::vector<Vector3>& points, double rounding) {
  std::vector<Feature> corners;
  for (const Vector3& x : points) {
    corners.push_back({.form = {.kind = FeatureKind::Corner, .radius = rounding}, .position = x});
  }
  return corners;
}

std::vector<Feature> features(const Convex& shape) {
  return corners_at(convex_hull(shape.points).polytope.vertices, shape.rounding);
}
std::vector<Feature> features(const MeshShape& shape) {
  return corners_at(shape.vertices, shape.rounding);
}

std::vector<Feature> plane_features(const PlaneFeature& plane) {
  const Vector3& v = plane.surface_velocity;
  return {{.form = {.kind = FeatureKind::Plane,
                    .surface_velocity = {0, v.x(), v.y()},
                    .half_size = plane.half_size},
           .axes = plane.axes}};
}

std::vector<Feature> features(const HalfSpace& shape) { return plane_features(plane(shape)); }
std::vector<Feature> features(const Face& shape) { return plane_features(plane(shape)); }

/// The curved surface and the rims at its two ends; a disc is one rim.
template <class Round>
std::vector<Feature> round_features(const Round& shape, FeatureKind surface, FeatureKind rim) {
  Feature feature{
      .form = {.kind = surface, .radius = shape.radius, .half_length = shape.length / 2},
      .axes = frame_with_normal(shape.axis)};
  std::vector<Feature> features;
  const double half_length = feature.form.half_length;
  if (half_length > 0) features.push_back(feature);
  feature.form.kind = rim;
  for (const double sign : {-1.0, 1.0}) {
    feature.position = {0, 0, sign * half_length};
    features.push_back(feature);
    if (half_length == 0) break;
  }
  return features;
}

std::vector<Feature> features(const Cylinder& shape) {
  return round_features(shape, FeatureKind::Rod, FeatureKind::PinEnd);
}
std::vector<Feature> features(const Bore& shape) {
  return round_features(shape, FeatureKind::Tube, FeatureKind::TubeRim);
}

std::vector<Feature> features(const Groove& shape) {
  return {{.form = {.kind = FeatureKind::Groove,
                    .radius = shape.radius,
                    .ring_radius = shape.ring_radius,
                    .opening = shape.opening},
           .axes = frame_with_normal(shape.axis)}};
}

}  // namespace

Matrix3 frame_with_normal(const Vector3& axis) {
  const Vector3 n = axis.normalized();
  const Vector3 first = std::abs(n.x()) > 0.9 ? Vector3::UnitY() : Vector3::UnitX();
  const Vector3 t1 = (first - first.dot(n) * n).normalized();
  Matrix3 axes;
  axes << t1, n.cross(t1), n;
  return axes;
}

std::vector<Feature> features_of(const Shape& shape) {
  return std::visit([](const auto& s) { return features(s); }, shape);
}

std::optional<PlaneFeature> plane_feature(const Shape& shape) {
  if (const HalfSpace* half_space = std::get_if<HalfSpace>(&shape)) return plane(*half_space);
  if (const Face* face = std::get_if<Face>(&shape)) return plane(*face);
  return std::nullopt;
}

Matrix3 axes_of(const Shape& shape) {
  return std::visit(
      [](const auto& s) -> Matrix3 {
        if constexpr (requires { s.normal; }) {
          return frame_with_normal(s.normal);
        } else if constexpr (requires { s.axis; }) {
          return frame_with_normal(s.axis);
        } else {
          return Matrix3::Identity();
        }
      },
      shape);
}

}  // namespace saltus
