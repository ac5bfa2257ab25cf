// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/volume_properties.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

using std::numbers::pi;

/// ∫dV, ∫x dV and ∫x xᵀ dV about a point, which add up over the parts of a body.
struct Moments {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  void add(double part, const Vector3& x) {
    volume += part;
    first += part * x;
    second += part * x * x.transpose();
  }
  /// A tetrahedron of the origin and three points; its volume has a sign.
  void add_tetrahedron(const Vector3& a, const Vector3& b, const Vector3& c) {
    const double V = a.dot(b.cross(c)) / 6;
    const Vector3 sum = a + b + c;
    volume += V;
    first += V / 4 * sum;
    second += V / 20 *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  VolumeProperties properties(const Vector3& origin) const {
    VolumeProperties out;
    out.volume = volume;
    if (volume == 0) return out;
    const Vector3 d = first / volume;
    out.centre = origin + d;
    const Matrix3 central = second - volume * d * d.transpose();
    out.inertia = central.trace() * Matrix3::Identity() - central;
    return out;
  }
};

/// Gauss–Legendre on [0, 1].
struct Gauss {
  static constexpr int count = 24;
  std::array<double, count> x = {}, w = {};

  Gauss() {
    for (int i = 0; i < count; ++i) {
      double t = std::cos(pi * (i + 0.75) / (count + 0.5)), slope = 1;
      for (int k = 0; k < 50; ++k) {
        double p = 1, before = 0;
        for (int n = 0; n < count; ++n) {
          const double next = ((2 * n + 1) * t * p - n * before) / (n + 1);
          before = p;
          p = next;
        }
        slope = count * (t * p - before) / (t * t - 1);
        const double step = p / slope;
        t -= step;
        if (std::abs(step) < 1e-16) break;
      }
      const auto at = static_cast<std::size_t>(i);
      x[at] = (1 - t) / 2;
      w[at] = 1 / ((1 - t * t) * slope * slope);
    }
  }
};

const Gauss& gauss() {
  static const Gauss rule;
  return rule;
}

template <class F>
void integrate(const F& f) {
  for (std::size_t i = 0; i < Gauss::count; ++i) f(gauss().x[i], gauss().w[i]);
}

const Vector3& corner_of(const Polytope& p, const Polytope::Face& face, int k) {
  const auto at = static_cast<std::size_t>(face.first + k % face.count);
  return p.vertices[static_cast<std::size_t>(p.loops[at])];
}

void add_core(const Polytope& p, const Vector3& origin, Moments& sum) {
  for (const Polytope::Face& face : p.faces) {
    const Vector3 a = corner_of(p, face, 0) - origin;
    for (int k = 1; k + 1 < face.count; ++k) {
      sum.add_tetrahedron(a, corner_of(p, face, k) - origin, corner_of(p, face, k + 1) - origin);
    }
  }
}

/// The slab of thickness r on a face.
void add_slab(const Polytope& p, const Polytope::Face& face, double r, const Vector3& origin,
              Moments& sum) {
  const Vector3& a = corner_of(p, face, 0);
  for (int k = 1; k + 1 < face.count; ++k) {
    const Vector3 b = corner_of(p, face, k), c = corner_of(p, face, k + 1);
    const double area = face.normal.dot((b - a).cross(c - a)) / 2;
    // The middles of the sides integrate squares over a triangle exactly; two points across do.
    for (const double part : {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)}) {
      const Vector3 up = part * r * face.normal - origin;
      for (const Vector3& x : {Vector3((a + b) / 2), Vector3((b + c) / 2), Vector3((c + a) / 2)}) {
        sum.add(area * r / 6, x + up);
      }
    }
  }
}

/// The sector of a cylinder of radius r along an edge, from the normal n over the angle to the
/// other.
void add_sector(const Vector3& a, const Vector3& b, const Vector3& n, const Vector3& t,
                double angle, double r, const Vector3& origin, Moments& sum) {
  const double length = (b - a).norm();
  integrate([&](double x, double w_angle) {
    const Vector3 out = std::cos(x * angle) * n + std::sin(x * angle) * t;
    for (const double part : {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)}) {
      const Vector3 on = a + part * (b - a) - origin;
      const double patch = angle * w_angle * length / 2;
      // ∫ρ dρ, ∫ρ² dρ, ∫ρ³ dρ over 0 … r.
      sum.volume += patch * r * r / 2;
      sum.first += patch * (r * r / 2 * on + r * r * r / 3 * out);
      sum.second += patch * (r * r / 2 * on * on.transpose() +
                             r * r * r / 3 * (on * out.transpose() + out * on.transpose()) +
                             r * r * r * r / 4 * out * out.transpose());
    }
  });
}

/// The part of a ball about x whose directions are in the triangle of three normals.
void add_ball_part(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c, double r,
                   Moments& sum) {
  const double det = a.dot(b.cross(c));
  integrate([&](double u, double wu) {
    integrate([&](double v, double wv) {
      const Vector3 y = (1 - u) * a + u * ((1 - v) * b + v * c);
      const double length = y.norm();
      const Vector3 n = y / length;
      const double solid = wu * wv * u * det / (length * length * length);
      sum.volume += solid * r * r * r / 3;
      sum.first += solid * (r * r * r / 3 * x + r * r * r * r / 4 * n);
      sum.second += solid * (r * r * r / 3 * x * x.transpose() +
                             r * r * r * r / 4 * (x * n.transpose() + n * x.transpose()) +
                             r * r * r * r * r / 5 * n * n.transpose());
    });
  });
}

/// The normals of the faces round a vertex, anticlockwise from outside.
std::vector<Vector3> normals_round(const Polytope& p, int vertex) {
  std::vector<Vector3> out;
  int face = -1;
  for (int f = 0; f < static_cast<int>(p.faces.size()) && face < 0; ++f) {
    const Polytope::Face& at = p.faces[static_cast<std::size_t>(f)];
    for (int k = 0; k < at.count; ++k) {
      if (p.loops[static_cast<std::size_t>(at.first + k)] == vertex) face = f;
    }
  }
  for (const int first = face; out.empty() || face != first;) {
    const Polytope::Face& at = p.faces[static_cast<std::size_t>(face)];
    out.push_back(at.normal);
    int before = -1;
    for (int k = 0; k < at.count; ++k) {
      if (p.loops[static_cast<std::size_t>(at.first + (k + 1) % at.count)] == vertex) {
        before = p.loops[static_cast<std::size_t>(at.first + k)];
      }
    }
    // Over the edge by which the loop comes to the vertex, from outside anticlockwise.
    int next = face;
    for (const Polytope::Edge& e : p.edges) {
      const auto [low, high] = std::minmax(before, vertex);
      if (e.vertices[0] == low && e.vertices[1] == high) {
        next = e.faces[0] == face ? e.faces[1] : e.faces[0];
      }
    }
    face = next;
  }
  return out;
}

void add_rounding(const Polytope& p, double r, const Vector3& origin, Moments& sum) {
  for (const Polytope::Face& face : p.faces) add_slab(p, face, r, origin, sum);
  for (const Polytope::Edge& e : p.edges) {
    const Vector3& n = p.faces[static_cast<std::size_t>(e.faces[0])].normal;
    const Vector3& m = p.faces[static_cast<std::size_t>(e.faces[1])].normal;
    const Vector3 t = (m - m.dot(n) * n).normalized();
    const double angle = std::atan2(n.cross(m).norm(), n.dot(m));
    add_sector(p.vertices[static_cast<std::size_t>(e.vertices[0])],
               p.vertices[static_cast<std::size_t>(e.vertices[1])], n, t, angle, r, origin, sum);
  }
  for (int v = 0; v < static_cast<int>(p.vertices.size()); ++v) {
    const std::vector<Vector3> normals = normals_round(p, v);
    for (std::size_t k = 1; k + 1 < normals.size(); ++k) {
      add_ball_part(p.vertices[static_cast<std::size_t>(v)] - origin, normals[0], normals[k],
                    normals[k + 1], r, sum);
    }
  }
}

/// A body of revolution: its profile (ρ, z) from bottom to top, in pieces.
class Revolution {
 public:
  void add(double rho, double z, double dz) {
    const double area = pi * rho * rho * dz;
    volume_ += area;
    first_ += area * z;
    along_ += area * z * z;
    across_ += area * rho * rho / 4;
  }
  void line(double rho_0, double z_0, double rho_1, double z_1) {
    integrate([&](double t, double w) {
      add(rho_0 + t * (rho_1 - rho_0), z_0 + t * (z_1 - z_0), w * (z_1 - z_0));
    });
  }
  /// A circle of radius r about (rho, z) between two angles from the ρ-axis.
  void arc(double rho, double z, double r, double from, double to) {
    integrate([&](double t, double w) {
      const double angle = from + t * (to - from);
      add(rho + r * std::cos(angle), z + r * std::sin(angle),
          w * (to - from) * r * std::cos(angle));
    });
  }
  VolumeProperties properties(const Vector3& axis) const {
    VolumeProperties out;
    out.volume = volume_;
    if (volume_ == 0) return out;
    const double centre = first_ / volume_;
    out.centre = centre * axis;
    const double along = along_ - volume_ * centre * centre;
    const Matrix3 zz = axis * axis.transpose();
    out.inertia = 2 * across_ * zz + (across_ + along) * (Matrix3::Identity() - zz);
    return out;
  }

 private:
  double volume_ = 0, first_ = 0, along_ = 0, across_ = 0;
};

VolumeProperties round_properties(const RoundCore& core, double r) {
  const auto [r0, r1] = core.radius;
  const double L = core.half_length, tilt = std::atan2(r0 - r1, 2 * L);
  Revolution body;
  body.arc(r0, -L, r, -pi / 2, tilt);
  body.line(r0 + r * std::cos(tilt), -L + r * std::sin(tilt), r1 + r * std::cos(tilt),
            L + r * std::sin(tilt));
  body.arc(r1, L, r, tilt, pi / 2);
  return body.properties(core.axis);
}

}  // namespace

VolumeProperties volume_properties(std::span<const Vector3> vertices,
                                   std::span<const std::array<int, 3>> triangles) {
  if (vertices.empty()) return {};
  Vector3 origin = Vector3::Zero();
  for (const Vector3& x : vertices) origin += x / static_cast<double>(vertices.size());
  Moments sum;
  const auto at = [&](int i) { return Vector3(vertices[static_cast<std::size_t>(i)] - origin); };
  for (const auto& t : triangles) sum.add_tetrahedron(at(t[0]), at(t[1]), at(t[2]));
  return sum.properties(origin);
}

VolumeProperties volume_properties(const ConvexCore& core) {
  if (core.round) return round_properties(*core.round, core.radius);
  const Polytope& p = core.polytope;
  if (p.faces.empty()) {  // a ball or capsule
    const Vector3 d = p.vertices.back() - p.vertices.front();
    const double length = d.norm();
    const RoundCore line = {.axis = length > 0 ? Vector3(d / length) : Vector3(Vector3::UnitZ()),
                            .half_length = length / 2};
    VolumeProperties out = round_properties(line, core.radius);
    out.centre += (p.vertices.front() + p.vertices.back()) / 2;
    return out;
  }
  Moments sum;
  add_core(p, core.centre, sum);
  if (core.radius > 0) add_rounding(p, core.radius, core.centre, sum);
  return sum.properties(core.centre);
}

}  // namespace saltus
