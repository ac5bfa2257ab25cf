// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/scalar_spring.hpp"

#include <cmath>
#include <numbers>

namespace saltus {

double nearest_branch(double angle, double reference) {
  return reference + std::remainder(angle - reference, 2 * std::numbers::pi);
}

double ScalarSpring::elongation(const NodePair& pair, double reference) const {
  const double s = std::visit([&](const auto& p) { return p.value(pair); }, coordinate);
  return (angle < 0 ? s : nearest_branch(s, reference)) - rest;
}

double ScalarSpring::energy(const NodePair& pair, double reference) const {
  const double e = elongation(pair, reference);
  return stiffness * e * e / 2;
}

ScalarSpring::Forces ScalarSpring::forces(const NodePair& pair, const Vector12& v,
                                          double reference) const {
  const Row12 G = std::visit([&](const auto& p) { return p.gradient(pair); }, coordinate);
  return {-stiffness * elongation(pair, reference) * G.transpose(),
          -damping * G.dot(v) * G.transpose()};
}

ScalarSpring::Tangents ScalarSpring::tangents(const NodePair& pair, const Vector12& v,
                                              double reference) const {
  const Row12 G = std::visit([&](const auto& p) { return p.gradient(pair); }, coordinate);
  Matrix12 H = Matrix12::Zero();
  std::visit([&](const auto& p) { p.add_hessian(pair, 1.0, H); }, coordinate);
  const double tau = stiffness * elongation(pair, reference) + damping * G.dot(v);
  Tangents t;
  t.K.noalias() = G.transpose() * (stiffness * G + damping * (v.transpose() * H)) + tau * H;
  t.C.noalias() = damping * G.transpose() * G;
  return t;
}

double ScalarSpring::branch(const PairView& at) const {
  if (angle < 0) return 0;
  return at.input().angles[static_cast<std::size_t>(angle)] + angle_offset;
}

bool ScalarSpring::tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const {
  set_tangent(tangents(at.poses(), at.velocity(), branch(at)), at, factors, A);
  return true;
}

static_assert(ElasticElement<ScalarSpring>);

}  // namespace saltus
