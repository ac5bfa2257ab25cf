// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/solid_reference.hpp"

#include <array>
#include <cmath>

namespace saltus::solid {

namespace {

using Corner = Eigen::Vector4d;

constexpr std::array<std::array<double, 3>, 8> hex_corners = {{{-1, -1, -1},
                                                               {1, -1, -1},
                                                               {1, 1, -1},
                                                               {-1, 1, -1},
                                                               {-1, -1, 1},
                                                               {1, -1, 1},
                                                               {1, 1, 1},
                                                               {-1, 1, 1}}};
/// The corners between which the nodes 5 to 10 of a Tet10 lie.
constexpr std::array<std::array<int, 2>, 6> tet_edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

Vector3 hex_corner(int a) { return Vector3(hex_corners[a].data()); }

// The shape functions (6).
ShapeFunctions hex_functions(const Vector3& xi) {
  ShapeFunctions s{VectorX(8), Eigen::MatrixXd(8, 3)};
  for (int a = 0; a < 8; ++a) {
    const Vector3 corner = hex_corner(a);
    const Vector3 f = Vector3::Ones() + corner.cwiseProduct(xi);
    s.N[a] = f.prod() / 8;
    s.D.row(a) << corner[0] * f[1] * f[2] / 8, corner[1] * f[0] * f[2] / 8,
        corner[2] * f[0] * f[1] / 8;
  }
  return s;
}

Corner volume_coordinates(const Vector3& xi) { return {1 - xi.sum(), xi[0], xi[1], xi[2]}; }

/// ∂l/∂ξ
Eigen::Matrix<double, 4, 3> volume_gradients() {
  Eigen::Matrix<double, 4, 3> d;
  d << Eigen::RowVector3d::Constant(-1), Matrix3::Identity();
  return d;
}

ShapeFunctions tet4_functions(const Vector3& xi) {
  return {volume_coordinates(xi), volume_gradients()};
}

ShapeFunctions tet10_functions(const Vector3& xi) {
  const Corner l = volume_coordinates(xi);
  const auto dl = volume_gradients();
  ShapeFunctions s{VectorX(10), Eigen::MatrixXd(10, 3)};
  for (int a = 0; a < 4; ++a) {
    s.N[a] = l[a] * (2 * l[a] - 1);
    s.D.row(a) = (4 * l[a] - 1) * dl.row(a);
  }
  for (int e = 0; e < 6; ++e) {
    const auto [i, j] = tet_edges[e];
    s.N[4 + e] = 4 * l[i] * l[j];
    s.D.row(4 + e) = 4 * (l[i] * dl.row(j) + l[j] * dl.row(i));
  }
  return s;
}

struct LinePoint {
  double x, weight;
};

/// Gauss–Legendre on [−1, 1]: exact to degree 5 with three points, to degree 9 with five.
std::vector<LinePoint> line_points(int count) {
  if (count == 3) {
    const double x = std::sqrt(0.6);
    return {{-x, 5.0 / 9}, {0, 8.0 / 9}, {x, 5.0 / 9}};
  }
  const double root = 2 * std::sqrt(10.0 / 7);
  const double near = std::sqrt(5 - root) / 3, far = std::sqrt(5 + root) / 3;
  const double w_near = (322 + 13 * std::sqrt(70.0)) / 900;
  const double w_far = (322 - 13 * std::sqrt(70.0)) / 900;
  return {{-far, w_far}, {-near, w_near}, {0, 128.0 / 225}, {near, w_near}, {far, w_far}};
}

std::vector<QuadraturePoint> cube_points(int count) {
  const std::vector<LinePoint> line = line_points(count);
  std::vector<QuadraturePoint> points;
  for (const LinePoint& a : line)
    for (const LinePoint& b : line)
      for (const LinePoint& c : line)
        points.push_back({{a.x, b.x, c.x}, a.weight * b.weight * c.weight});
  return points;
}

/// A cube collapsed onto the tetrahedron: exact to two degrees less than the rule on the line.
std::vector<QuadraturePoint> collapsed_points(int count) {
  std::vector<QuadraturePoint> points = cube_points(count);
  for (QuadraturePoint& point : points) {
    const Vector3 r = (point.xi + Vector3::Ones()) / 2;
    const double s = 1 - r[0], t = s * (1 - r[1]);
    point.xi = {r[0], s * r[1], t * r[2]};
    point.weight *= s * t / 8;
  }
  return points;
}

// The four points of a Tet10: one volume coordinate is `near`, the others `far`.
const double tet_far = (5 - std::sqrt(5.0)) / 20, tet_near = (5 + 3 * std::sqrt(5.0)) / 20;

std::vector<QuadraturePoint> four_points() {
  std::vector<QuadraturePoint> points;
  for (int p = 0; p < 4; ++p) {
    Corner l = Corner::Constant(tet_far);
    l[p] = tet_near;
    points.push_back({l.tail<3>(), 1.0 / 24});
  }
  return points;
}

Corner tet10_node(int a) {
  if (a < 4) return Corner::Unit(a);
  return (Corner::Unit(tet_edges[a - 4][0]) + Corner::Unit(tet_edges[a - 4][1])) / 2;
}

}  // namespace

ShapeFunctions shape_functions(CellKind kind, const Vector3& xi) {
  if (kind == CellKind::Hex8) return hex_functions(xi);
  return kind == CellKind::Tet4 ? tet4_functions(xi) : tet10_functions(xi);
}

std::vector<QuadraturePoint> strain_points(CellKind kind) {
  if (kind == CellKind::Tet4) return {{Vector3::Constant(0.25), 1.0 / 6}};
  if (kind == CellKind::Tet10) return four_points();
  std::vector<QuadraturePoint> points(8);
  for (int p = 0; p < 8; ++p) points[p] = {hex_corner(p) / std::sqrt(3.0), 1};
  return points;
}

std::vector<QuadraturePoint> mass_points(CellKind kind) {
  // The degree of N_a N_b det J: four in each direction (Hex8), two (Tet4), seven (Tet10, curved).
  if (kind == CellKind::Hex8) return cube_points(3);
  return collapsed_points(kind == CellKind::Tet4 ? 3 : 5);
}

Eigen::MatrixXd extrapolation(CellKind kind) {
  if (kind == CellKind::Tet4) return Eigen::MatrixXd::Ones(4, 1);
  if (kind == CellKind::Hex8) {
    Eigen::MatrixXd P(8, 8);
    for (int a = 0; a < 8; ++a) P.row(a) = hex_functions(std::sqrt(3.0) * hex_corner(a)).N;
    return P;
  }
  Eigen::MatrixXd P(10, 4);
  for (int a = 0; a < 10; ++a)
    P.row(a) = (tet10_node(a).array() - tet_far).matrix() / (tet_near - tet_far);
  return P;
}

}  // namespace saltus::solid
