// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/rim_bend.hpp"

#include <variant>

namespace saltus {
namespace {

/// Below this sine a rim has no lowest point.
constexpr double flat_sine = 1e-10;

RimBend bend_of(const CoreFeature& rim, const Matrix3& R_rim, const Vector3& n) {
  const Vector3 axis = R_rim * rim.axis;
  const Vector3 across = n - n.dot(axis) * axis;
  const double sine = across.norm();
  if (!(sine > flat_sine)) return {};
  const double cosine = n.dot(axis);
  return {-across / sine, rim.extent * cosine * cosine / sine};
}

}  // namespace

RimBend rim_bend(const ContactElement& contact, const NodePair& q) {
  using Kind = CoreFeatureKind;
  const SolidParts* parts = std::get_if<SolidParts>(&contact.surface);
  if (parts == nullptr) return {};
  const CoreFeature &a = parts->form.a, &b = parts->form.b;
  const Matrix3 R_A = contact.frame_A.axes(q.A), R_B = contact.frame_B.axes(q.B);
  if (a.kind == Kind::Face && b.kind == Kind::Circle) return bend_of(b, R_B, R_A * a.axis);
  if (a.kind == Kind::Circle && b.kind == Kind::Face) return bend_of(a, R_A, R_B * b.axis);
  return {};
}

}  // namespace saltus
