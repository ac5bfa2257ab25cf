// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/bar_element.hpp"

namespace saltus {
namespace {

/// The force N along n that pulls the nodes towards each other.
Vector12 pull(const Vector3& n, double N) {
  Vector12 f;
  f << N * n, Vector3::Zero(), -N * n, Vector3::Zero();
  return f;
}

}  // namespace

double BarElement::strain(const NodePair& pair) const {
  return (direction.dot(pair.B.x - pair.A.x) - length) / length;
}

double BarElement::resultant(const NodePair& pair) const { return stiffness * strain(pair); }

double BarElement::energy(const NodePair& pair) const {
  const double epsilon = strain(pair);
  return stiffness * length * epsilon * epsilon / 2;
}

BarElement::Forces BarElement::forces(const NodePair& pair, const Vector12& v) const {
  const double rate = direction.dot(v.segment<3>(6) - v.head<3>()) / length;
  return {pull(direction, resultant(pair)), pull(direction, damping_time * stiffness * rate)};
}

BarElement::Tangents BarElement::tangents() const {
  const Matrix3 k = stiffness / length * direction * direction.transpose();
  Tangents t;
  t.K.setZero();
  t.K.block<3, 3>(0, 0) = t.K.block<3, 3>(6, 6) = k;
  t.K.block<3, 3>(0, 6) = t.K.block<3, 3>(6, 0) = -k;
  t.C = damping_time * t.K;
  return t;
}

bool BarElement::tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const {
  if (!contributes(factors, is_damped(at))) return false;
  set_tangent(tangents(), at, factors, A, is_damped(at));
  return true;
}

static_assert(ElasticElement<BarElement> && ParallelElement<BarElement>);

}  // namespace saltus
