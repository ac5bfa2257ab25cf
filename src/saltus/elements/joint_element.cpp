// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_element.hpp"

#include <cmath>
#include <numbers>

#include "saltus/elements/scalar_spring.hpp"

namespace saltus {

double ScalarRow::value(const NodePair& pair) const {
  const auto of = [&](const auto& s) {
    if constexpr (requires { s.value(pair); }) {
      return s.value(pair);
    } else {
      return 0.0;
    }
  };
  return std::visit(of, coordinate) - offset;
}

double ScalarRow::term(const NodePair& pair, const std::vector<double>& angles) const {
  const double s = value(pair);
  if (angle < 0) return factor * s;
  return factor * nearest_branch(s, angles[static_cast<std::size_t>(angle)]);
}

bool JointElement::is_slip(int row) const {
  const int first = coincident ? 3 : 0;
  return row >= first && scalar_rows[static_cast<std::size_t>(row - first)].is_slip();
}

bool JointElement::is_angular(int row) const {
  const int first = coincident ? 3 : 0;
  return row >= first && scalar_rows[static_cast<std::size_t>(row - first)].angular;
}

void JointElement::constraint(const NodePair& pair, double t, Rows& g) const {
  g.resize(rows());
  int i = 0;
  if (coincident) {
    g.head<3>() = PointDifference{frame_A.d, frame_B.d}.value(pair);
    i = 3;
  }
  for (const ScalarRow& row : scalar_rows) {
    g[i++] = row.value(pair);
  }
  if (!drive) return;
  double& driven = g[rows() - 1];
  driven -= drive->target(t);
  if (std::holds_alternative<TwistAngle>(scalar_rows.back().coordinate)) {
    driven = std::remainder(driven, 2 * std::numbers::pi);
  }
}

void JointElement::jacobian(const NodePair& pair, RowMatrix& G) const {
  G.resize(rows(), 12);
  int i = 0;
  if (coincident) {
    G.topRows<3>() = PointDifference{frame_A.d, frame_B.d}.gradient(pair);
    i = 3;
  }
  for (const ScalarRow& row : scalar_rows) {
    G.row(i++) =
        row.factor * std::visit([&](const auto& s) { return s.gradient(pair); }, row.coordinate);
  }
}

void JointElement::add_hessian(const NodePair& pair, const Rows& lambda, Matrix12& H) const {
  int i = 0;
  if (coincident) {
    PointDifference{frame_A.d, frame_B.d}.add_hessian(pair, lambda.head<3>(), H);
    i = 3;
  }
  for (const ScalarRow& row : scalar_rows) {
    const double multiplier = row.factor * lambda[i++];
    std::visit([&](const auto& s) { s.add_hessian(pair, multiplier, H); }, row.coordinate);
  }
}

void JointElement::rate_gradient(const NodePair& pair, const Vector12& v, RowMatrix& V) const {
  V.resize(rows(), 12);
  int i = 0;
  if (coincident) {
    V.topRows<3>() = PointDifference{frame_A.d, frame_B.d}.rate_gradient(pair, v);
    i = 3;
  }
  for (const ScalarRow& row : scalar_rows) {
    Matrix12 H = Matrix12::Zero();
    std::visit([&](const auto& s) { s.add_hessian(pair, 1.0, H); }, row.coordinate);
    V.row(i++) = row.factor * v.transpose() * H;
  }
}

double JointElement::displacement_value(const NodePair& pair) const {
  return displacement->value(pair) - displacement_offset;
}

namespace {

Vector3 a(const JointElement& j, int i) { return j.frame_A.E.col(i); }
Vector3 b(const JointElement& j, int i) { return j.frame_B.E.col(i); }

/// Axis i of A stays perpendicular to axis k of B.
void add_dot1(JointElement& j, int i, int k) {
  j.scalar_rows.push_back({Dot1{a(j, i), b(j, k)}, 0, true});
}

/// The point of B does not move along axis i of A.
void add_dot2(JointElement& j, int i) {
  j.scalar_rows.push_back({Dot2{a(j, i), j.frame_A.d, j.frame_B.d}, 0, false});
}

void add_parallel_axes(JointElement& j) {
  add_dot1(j, 0, 2);
  add_dot1(j, 1, 2);
}

void show_angle(JointElement& j) { j.angle = TwistAngle{a(j, 0), a(j, 1), b(j, 0)}; }
void show_displacement(JointElement& j) {
  j.displacement = Dot2{a(j, 2), j.frame_A.d, j.frame_B.d};
}

}  // namespace

void make_fixed(JointElement& j) {
  j.coincident = true;
  add_dot1(j, 0, 1);
  add_dot1(j, 1, 2);
  add_dot1(j, 2, 0);
}

void make_spherical(JointElement& j) { j.coincident = true; }

void make_revolute(JointElement& j) {
  j.coincident = true;
  add_parallel_axes(j);
  show_angle(j);
}

void make_cylindrical(JointElement& j) {
  add_dot2(j, 0);
  add_dot2(j, 1);
  add_parallel_axes(j);
  show_angle(j);
  show_displacement(j);
}

void make_prismatic(JointElement& j) {
  add_dot2(j, 0);
  add_dot2(j, 1);
  add_parallel_axes(j);
  add_dot1(j, 0, 1);
  show_displacement(j);
}

void make_universal(JointElement& j, const Vector3& a_A, const Vector3& b_B, double cosine) {
  j.coincident = true;
  j.scalar_rows.push_back({Dot1{a_A, b_B}, cosine, true});
}

void make_planar(JointElement& j) {
  add_dot2(j, 2);
  add_parallel_axes(j);
}

void make_point_on_line(JointElement& j) {
  add_dot2(j, 0);
  add_dot2(j, 1);
  show_displacement(j);
}

void make_point_on_plane(JointElement& j) { add_dot2(j, 2); }

void make_distance(JointElement& j, double length) {
  j.scalar_rows.push_back({PointDistance{j.frame_A.d, j.frame_B.d}, length, false});
}

namespace {

void add_rolling(JointElement& j, const Rim& rim) {
  j.scalar_rows.push_back({RimHeight{a(j, 2), j.frame_A.d, rim}});
  for (const int i : {0, 1}) j.scalar_rows.push_back({RollingSlip{a(j, 2), a(j, i), rim}});
}

}  // namespace

void make_rolling_wheel(JointElement& j, double radius, double rounding) {
  add_rolling(j, {j.frame_B.d, b(j, 0), radius - rounding, rounding});
}

void make_rolling_sphere(JointElement& j, double radius) {
  add_rolling(j, {.centre = j.frame_B.d, .rounding = radius});
}

void make_knife_edge(JointElement& j) {
  j.scalar_rows.push_back({EdgeSlip{a(j, 2), j.frame_B.d, b(j, 0)}});
}

void make_lock(JointElement& j, const bool (&translation)[3], const bool (&rotation)[3]) {
  for (int i = 0; i < 3; ++i) {
    if (translation[i]) add_dot2(j, i);
  }
  // Held about axis i: axes i+1 of A and i+2 of B stay perpendicular.
  for (int i = 0; i < 3; ++i) {
    if (rotation[i]) add_dot1(j, (i + 1) % 3, (i + 2) % 3);
  }
  // Two held rotations leave exactly the one about the third axis k: axis k of B stays along
  // axis k of A.
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, l = (k + 2) % 3;
    if (rotation[k] || !rotation[i] || !rotation[l]) continue;
    j.scalar_rows.resize(j.scalar_rows.size() - 2);
    add_dot1(j, i, k);
    add_dot1(j, l, k);
  }
}

JointElement make_term(const JointElement& j, double factor) {
  JointElement term;
  term.node_A = j.node_A;
  term.node_B = j.node_B;
  term.frame_A = j.frame_A;
  term.frame_B = j.frame_B;
  if (j.angle) {
    term.scalar_rows.push_back({*j.angle, j.angle_offset, true, factor, j.angle_index});
  } else {
    term.scalar_rows.push_back({*j.displacement, j.displacement_offset, false, factor});
  }
  return term;
}

void add_drive(JointElement& j, DriveFunction drive) {
  if (j.angle) {
    j.scalar_rows.push_back({*j.angle, j.angle_offset, true});
  } else {
    j.scalar_rows.push_back({*j.displacement, j.displacement_offset, false});
  }
  j.drive = std::move(drive);
}

}  // namespace saltus
