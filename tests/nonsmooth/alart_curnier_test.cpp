// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/alart_curnier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace saltus::nonsmooth {
namespace {

struct State {
  Vector3 l, u, l_ref;
  double delta;

  Vector3 motion() const { return u + delta * (l - l_ref); }
};

// The map in the scaled rows of the tangent: F. Gap rows are reactions, others motions.
Vector3 rows_of(const State& s, double mu, const Penalty& p, ContactStatus status) {
  const Vector3 map = alart_curnier_map(s.l, s.motion(), mu, p);
  if (status == ContactStatus::Gap) return map;
  return {map[0] / p.normal, map[1] / p.tangential, map[2] / p.tangential};
}

// The distance of ξ from the places where the map has a kink.
double distance_from_kinks(const State& s, double mu, const Penalty& p) {
  const Vector3 u = s.motion();
  const Vector3 xi(s.l[0] - p.normal * u[0], s.l[1] - p.tangential * u[1],
                   s.l[2] - p.tangential * u[2]);
  const double t = tangential_norm(xi);
  return std::min({std::abs(xi[0]), std::abs(t - mu * xi[0]), t});
}

TEST(AlartCurnier, TangentIsTheDerivativeOfTheMap) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    return Vector3(normal(generator), normal(generator), normal(generator));
  };
  std::array<int, 3> seen{};
  for (const double mu : {0.0, 0.3, 1.5}) {
    for (const double delta : {0.0, 0.05, 0.5}) {
      for (int k = 0; k < 200; ++k) {
        const State s{vector(), vector(), vector(), delta};
        const Penalty p{1.7, 2.9};
        if (distance_from_kinks(s, mu, p) < 1e-2) continue;
        const ContactTangent tangent = linearize(s.l, s.motion(), mu, p, delta);
        ++seen[static_cast<std::size_t>(tangent.status)];
        EXPECT_LE((tangent.F - rows_of(s, mu, p, tangent.status)).norm(), 1e-14);
        const double h = 1e-5;
        for (int j = 0; j < 3; ++j) {
          State plus = s, minus = s;
          plus.u[j] += h;
          minus.u[j] -= h;
          const Vector3 by_u =
              (rows_of(plus, mu, p, tangent.status) - rows_of(minus, mu, p, tangent.status)) /
              (2 * h);
          EXPECT_LE((tangent.A.col(j) - by_u).norm(), 1e-6);
          plus = minus = s;
          plus.l[j] += h;
          minus.l[j] -= h;
          const Vector3 by_l =
              (rows_of(plus, mu, p, tangent.status) - rows_of(minus, mu, p, tangent.status)) /
              (2 * h);
          EXPECT_LE((tangent.B.col(j) - by_l).norm(), 1e-6);
        }
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

TEST(AlartCurnier, ApexSticks) {
  const ContactTangent tangent = linearize(Vector3::Zero(), Vector3::Zero(), 0.5, {}, 0.01);
  EXPECT_EQ(tangent.status, ContactStatus::Stick);
  EXPECT_TRUE(tangent.A.allFinite() && tangent.B.allFinite() && tangent.F.isZero(0));
}

TEST(AlartCurnier, FrictionlessContactsHaveNoTangentialReaction) {
  const ContactTangent tangent = linearize({1, 0, 0}, {0, 0, 0}, 0, {}, 0.01);
  EXPECT_EQ(tangent.status, ContactStatus::Slip);
  EXPECT_TRUE((tangent.A.bottomRows<2>().isZero(0)));
  EXPECT_TRUE((tangent.B.bottomRightCorner<2, 2>().isIdentity(0)));
}

}  // namespace
}  // namespace saltus::nonsmooth
