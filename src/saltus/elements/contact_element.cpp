// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_element.hpp"

#include <cmath>

#include "saltus/lie/so3.hpp"

namespace saltus {

ContactElement::Place ContactElement::place(const NodePair& q) const {
  Place place;
  const Vector3 x_B = q.B.x + q.B.R * point;
  place.d = plane.E.transpose() * (q.A.R.transpose() * (x_B - q.A.x) - plane.d);
  if (radius > 0) place.R_AB = q.A.R.transpose() * q.B.R;
  return place;
}

bool ContactElement::is_above_face(const Place& place) const {
  if (!half_size) return true;
  return std::abs(place.d.x()) <= (*half_size)[0] && std::abs(place.d.y()) <= (*half_size)[1];
}

Vector3 ContactElement::gap_and_slip(const Place& from, const Place& to, double h) const {
  Vector3 g(gap(to), to.d.x() - from.d.x(), to.d.y() - from.d.y());  // (1), (2)
  if (radius > 0) {
    // The sphere's own rotation on the plane: −r Θ × n.                                     (3)
    const Vector3 theta = plane.E.transpose() * lie::so3::log(to.R_AB * from.R_AB.transpose());
    g[1] -= radius * theta.y();
    g[2] += radius * theta.x();
  }
  return g - h * surface_velocity;
}

ContactElement::Rows ContactElement::jacobian(const NodePair& q) const {
  const Matrix3 e = axes(q);
  const Vector3 centre = q.B.R * point;
  const Vector3 arm_B = centre - radius * e.col(0);
  const Vector3 arm_A = q.B.x + arm_B - q.A.x;
  Rows H;
  for (int i = 0; i < 3; ++i) {
    const Vector3 e_i = e.col(i);
    H.block<1, 3>(i, 0) = -e_i.transpose();
    H.block<1, 3>(i, 3) = -(q.A.R.transpose() * arm_A.cross(e_i)).transpose();
    H.block<1, 3>(i, 6) = e_i.transpose();
    H.block<1, 3>(i, 9) = (q.B.R.transpose() * arm_B.cross(e_i)).transpose();
  }
  return H;
}

Matrix3 ContactElement::axes(const NodePair& q) const {
  const Matrix3 E = q.A.R * plane.E;
  Matrix3 e;
  e << E.col(2), E.col(0), E.col(1);
  return e;
}

Vector3 ContactElement::contact_point(const NodePair& q) const {
  return q.B.x + q.B.R * point - radius * (q.A.R * plane.E.col(2));
}

}  // namespace saltus
