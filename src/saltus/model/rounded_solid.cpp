// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/rounded_solid.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

using std::numbers::pi;

/// Volume, ∫ x and ∫ x xᵀ.
struct SolidMoments {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  /// Of all points y + t u: the parts of y (a point, line or triangle) and of u (directions), and
  /// the integrals of t^k, t^(k+1), t^(k+2) from 0 to r.                                     (2)
  void add(double y0, const Vector3& y1, const Matrix3& y2, double u0, const Vector3& u1,
           const Matrix3& u2, double r, int k) {
    const double t0 = std::pow(r, k + 1) / (k + 1), t1 = std::pow(r, k + 2) / (k + 2),
                 t2 = std::pow(r, k + 3) / (k + 3);
    volume += t0 * y0 * u0;
    first += t0 * u0 * y1 + t1 * y0 * u1;
    second += t0 * u0 * y2 + t1 * (y1 * u1.transpose() + u1 * y1.transpose()) + t2 * y0 * u2;
  }

  MassProperties about_centre(const Vector3& origin) const {
    const Vector3 centre = first / volume;
    const Matrix3 about = second - volume * centre * centre.transpose();
    return {volume, origin + centre, about.trace() * Matrix3::Identity() - about};
  }
};

/// Directions: their measure, ∫ u and ∫ u uᵀ.
struct Directions {
  double measure = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
};

/// Those between the normals of two faces, about their edge along e.                         (3)
Directions arc_between(const Vector3& n, const Vector3& m, const Vector3& e) {
  const double theta = std::atan2(e.dot(n.cross(m)), n.dot(m));
  const Vector3 middle = (n + m).normalized(), across = e.cross(middle);
  return {theta, 2 * std::sin(theta / 2) * middle,
          (theta + std::sin(theta)) / 2 * middle * middle.transpose() +
              (theta - std::sin(theta)) / 2 * across * across.transpose()};
}

Matrix3 symmetric(const Vector3& a, const Vector3& b) {
  return a * b.transpose() + b * a.transpose();
}

/// ∫ y yᵀ over a triangle, and over a line, of area or length 1.
Matrix3 second_of(const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 sum = a + b + c;
  return (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose()) / 12;
}
Matrix3 second_of(const Vector3& a, const Vector3& b) {
  const Vector3 sum = a + b;
  return (sum * sum.transpose() + a * a.transpose() + b * b.transpose()) / 6;
}

double angle_between(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// The inside, what is over the faces, about the edges and round the corners.
class GrownSurface {
 public:
  GrownSurface(const MeshShape& mesh, double r) : mesh_(mesh), r_(r), origin_(mesh.vertices[0]) {
    corners_.resize(mesh.vertices.size());
    for (Directions& corner : corners_) corner.measure = 2 * pi;
    for (const auto& triangle : mesh.triangles) add_face(triangle);
    for (const auto& [edge, n] : normals_) {
      if (edge.first < edge.second) add_edge(edge.first, edge.second);
    }
    for (std::size_t v = 0; v < corners_.size(); ++v) add_corner(static_cast<int>(v));
  }

  MassProperties properties() const { return all_.about_centre(origin_); }

 private:
  Vector3 at(int v) const { return mesh_.vertices[static_cast<std::size_t>(v)] - origin_; }
  Directions& corner(int v) { return corners_[static_cast<std::size_t>(v)]; }

  void add_face(const std::array<int, 3>& t) {
    const Vector3 a = at(t[0]), b = at(t[1]), c = at(t[2]);
    const Vector3 normal = (b - a).cross(c - a);
    const double area = normal.norm() / 2, inside = a.dot(b.cross(c)) / 6;
    const Vector3 n = area > 0 ? Vector3(normal / (2 * area)) : Vector3::Zero();
    const Vector3 sum = a + b + c;
    all_.volume += inside;
    all_.first += inside / 4 * sum;
    all_.second += inside * 12 / 20 * second_of(a, b, c);
    all_.add(area, area / 3 * sum, area * second_of(a, b, c), 1, n, n * n.transpose(), r_, 0);
    for (int k = 0; k < 3; ++k) {
      const int here = t[static_cast<std::size_t>(k)],
                next = t[static_cast<std::size_t>((k + 1) % 3)],
                last = t[static_cast<std::size_t>((k + 2) % 3)];
      normals_[{here, next}] = n;
      corner(here).measure -= angle_between(at(next) - at(here), at(last) - at(here));
    }
  }

  /// The arc of an edge is a side of the directions of both its corners: by Green's theorem on the
  /// sphere, of u, for which Δu = −2u, and of uuᵀ − I/3, for which it is −6 times that.     (4, 5)
  void add_edge(int i, int k) {
    const Vector3 a = at(i), b = at(k), e = (b - a).normalized();
    const double length = (b - a).norm();
    const Directions arc = arc_between(normals_.at({i, k}), normals_.at({k, i}), e);
    all_.add(length, length / 2 * (a + b), length * second_of(a, b), arc.measure, arc.first,
             arc.second, r_, 1);
    for (const auto& [v, inwards] : {std::pair{i, Vector3(-e)}, std::pair{k, e}}) {
      corner(v).first += arc.measure / 2 * inwards;
      corner(v).second += symmetric(inwards, arc.first) / 6;
    }
  }

  void add_corner(int v) {
    const Directions& u = corner(v);
    all_.add(1, at(v), at(v) * at(v).transpose(), u.measure, u.first,
             u.measure / 3 * Matrix3::Identity() + u.second, r_, 2);
  }

  const MeshShape& mesh_;
  double r_;
  Vector3 origin_;
  SolidMoments all_;
  std::map<std::pair<int, int>, Vector3> normals_;  // of the face on the left of an edge
  std::vector<Directions> corners_;                 // the measure is what is missing to 2π
};

}  // namespace

MassProperties rounded_convex(const MeshShape& mesh, double r) {
  SALTUS_ASSERT(!mesh.triangles.empty());
  return GrownSurface(mesh, r).properties();
}

MassProperties rounded_box(const Vector3& size, double r) {
  MeshShape mesh;
  for (int i = 0; i < 8; ++i) {
    const Vector3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    mesh.vertices.emplace_back(sign.cwiseProduct(size) / 2);
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  MassProperties box = rounded_convex(mesh, r);
  box.centre_of_mass.setZero();
  box.tensor = Vector3(box.tensor.diagonal()).asDiagonal();
  return box;
}

/// By discs across the axis: between the ends of the radius R + r, beyond them at the distance s of
/// the radius R + w, w² = r² − s².                                                            (6)
MassProperties rounded_cylinder(const Cylinder& cylinder, double r) {
  const double R = cylinder.radius, h = cylinder.length / 2;
  // ∫ w, w², w³, w⁴ ds from 0 to r, and with s and s².
  const double r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
  const double w1 = pi / 4 * r2, w2 = 2 * r3 / 3, w3 = 3 * pi / 16 * r4, w4 = 8 * r5 / 15;
  const double R_2 = R * R, R_3 = R_2 * R, R_4 = R_3 * R, outer2 = (R + r) * (R + r);
  const double squares = r * R_2 + 2 * R * w1 + w2;  // ∫ (R + w)² ds
  const double s_squares = r2 / 2 * R_2 + 2 * R * r3 / 3 + r4 / 4;
  const double s2_squares = r3 / 3 * R_2 + 2 * R * pi / 16 * r4 + 2 * r5 / 15;
  const double fourths = r * R_4 + 4 * R_3 * w1 + 6 * R_2 * w2 + 4 * R * w3 + w4;
  const double volume = 2 * pi * (h * outer2 + squares);
  const double radial = pi * (h * outer2 * outer2 + fourths);  // ∫ x² + y² dV
  const double along =                                         // ∫ z² dV
      2 * pi * (h * h * h / 3 * outer2 + h * h * squares + 2 * h * s_squares + s2_squares);
  const Vector3 a = cylinder.axis.normalized();
  const double transverse = radial / 2 + along;
  return {volume, Vector3::Zero(),
          transverse * Matrix3::Identity() + (radial - transverse) * a * a.transpose()};
}

}  // namespace saltus
