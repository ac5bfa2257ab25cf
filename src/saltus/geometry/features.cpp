// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/features.hpp"

#include <cmath>

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

std::vector<PointFeature> corners(const Vector3& size) {
  std::vector<PointFeature> points;
  for (int k = 0; k < 8; ++k) {
    const Vector3 signs(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    points.push_back({signs.cwiseProduct(size) / 2, 0});
  }
  return points;
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

std::vector<PointFeature> point_features(const Shape& shape) {
  if (std::holds_alternative<PointShape>(shape)) return {PointFeature{}};
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
    return {PointFeature{.radius = sphere->radius}};
  }
  if (const Box* box = std::get_if<Box>(&shape)) return corners(box->size);
  return {};
}

std::optional<double> hollow_radius(const Shape& shape) {
  if (const HollowSphereShape* hollow = std::get_if<HollowSphereShape>(&shape))
    return hollow->radius;
  return std::nullopt;
}

std::optional<AxialFeature> axial_feature(const Shape& shape) {
  AxialFeature feature;
  const auto put = [&](const auto& round) {
    feature.axes = frame_with_normal(round.axis);
    feature.radius = round.radius;
  };
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
    put(*cylinder);
    feature.half_length = cylinder->length / 2;
  } else if (const Bore* bore = std::get_if<Bore>(&shape)) {
    put(*bore);
    feature.half_length = bore->length / 2;
  } else if (const Groove* groove = std::get_if<Groove>(&shape)) {
    put(*groove);
    feature.ring_radius = groove->ring_radius;
  } else {
    return std::nullopt;
  }
  return feature;
}

std::optional<PlaneFeature> plane_feature(const Shape& shape) {
  if (const HalfSpace* half_space = std::get_if<HalfSpace>(&shape)) return plane(*half_space);
  if (const Face* face = std::get_if<Face>(&shape)) return plane(*face);
  return std::nullopt;
}

}  // namespace saltus
