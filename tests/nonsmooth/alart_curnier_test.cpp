// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/alart_curnier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace saltus::nonsmooth {
namespace alart_curnier_test {

struct State {
  Vector3 l, u, l_ref;
  double delta;

  Vector3 motion() const { return u + delta * (l - l_ref); }
};

// The map in the scaled rows of the tangent: F. Gap rows are reactions, others motions.
Vector3 rows_of(const State& s, double mu, const Penalty& p, ContactStatus status) {
  const Vector3 map = alart_curnier_map<3>(s.l, s.motion(), mu, p);
  if (status == ContactStatus::Gap) return map;
  return {map[0] / p.normal, map[1] / p.slide, map[2] / p.slide};
}

// The distance of ξ from the places where the map has a kink.
double distance_from_kinks(const State& s, double mu, const Penalty& p) {
  const Vector3 u = s.motion();
  const Vector3 xi(s.l[0] - p.normal * u[0], s.l[1] - p.slide * u[1], s.l[2] - p.slide * u[2]);
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
        const ContactTangent<3> tangent = linearize<3>(s.l, s.motion(), mu, p, delta);
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

// The same with moments. What ξ does is told ball by ball.
struct MomentState {
  Vector6 l, u, l_ref;
  double delta;

  Vector6 motion() const { return u + delta * (l - l_ref); }
};

Vector6 rows_of(const MomentState& s, const MomentCone& cone, const Penalty& p, bool gap) {
  Vector6 map = alart_curnier_map<6>(s.l, s.motion(), cone, p);
  if (gap) return map;
  map[0] /= p.normal;
  for_each_ball(cone, [&](auto ball) { ball.of(map) /= p.of(ball); });
  return map;
}

// And how many balls stick.
double distance_from_kinks(const MomentState& s, const MomentCone& cone, const Penalty& p,
                           int& sticking) {
  const Vector6 u = s.motion();
  const double normal = s.l[0] - p.normal * u[0];
  double distance = std::abs(normal);
  sticking = 0;
  for_each_ball(cone, [&](auto ball) {
    const double size = (ball.of(s.l) - p.of(ball) * ball.of(u)).norm();
    distance = std::min({distance, size, std::abs(size - ball.bound * normal)});
    if (size < ball.bound * normal) ++sticking;
  });
  return distance;
}

TEST(AlartCurnier, TangentWithMomentsIsTheDerivativeOfTheMap) {
  std::mt19937 generator(6);
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    return Vector6(Vector6::NullaryExpr([&] { return normal(generator); }));
  };
  const Penalty p{1.7, 2.9, 0.6, 1.3};
  std::array<int, 4> seen{};
  for (const MomentCone& cone :
       {MomentCone{0.3, 0.2, 0.4, false}, MomentCone{1.5, 0.8, 1.1, false},
        MomentCone{0.9, 0, 0.5, true}, MomentCone{0.5, 0, 0, false}, MomentCone{}}) {
    for (const double delta : {0.0, 0.05, 0.5}) {
      for (int k = 0; k < 200; ++k) {
        MomentState s{vector(), vector(), vector(), delta};
        s.l[0] += 2;
        int sticking = 0;
        if (distance_from_kinks(s, cone, p, sticking) < 1e-2) continue;
        const ContactTangent<6> tangent = linearize<6>(s.l, s.motion(), cone, p, delta);
        const bool gap = tangent.status == ContactStatus::Gap;
        if (!gap) ++seen[static_cast<std::size_t>(sticking)];
        EXPECT_LE((tangent.F - rows_of(s, cone, p, gap)).norm(), 1e-14);
        const double h = 1e-5;
        for (int j = 0; j < 6; ++j) {
          MomentState plus = s, minus = s;
          plus.u[j] += h;
          minus.u[j] -= h;
          const Vector6 by_u =
              (rows_of(plus, cone, p, gap) - rows_of(minus, cone, p, gap)) / (2 * h);
          EXPECT_LE((tangent.A.col(j) - by_u).norm(), 1e-6);
          plus = minus = s;
          plus.l[j] += h;
          minus.l[j] -= h;
          const Vector6 by_l =
              (rows_of(plus, cone, p, gap) - rows_of(minus, cone, p, gap)) / (2 * h);
          EXPECT_LE((tangent.B.col(j) - by_l).norm(), 1e-6);
        }
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(AlartCurnier, ApexWithMomentsSticks) {
  for (const bool coupled : {false, true}) {
    const ContactTangent<6> tangent =
        linearize<6>(Vector6::Zero(), Vector6::Zero(), MomentCone{0.5, 0, 0.1, coupled}, {}, 0.01);
    EXPECT_EQ(tangent.status, ContactStatus::Stick);
    EXPECT_TRUE(tangent.A.allFinite() && tangent.B.allFinite() && tangent.F.isZero(0));
  }
}

TEST(AlartCurnier, ApexSticks) {
  const ContactTangent<3> tangent = linearize<3>(Vector3::Zero(), Vector3::Zero(), 0.5, {}, 0.01);
  EXPECT_EQ(tangent.status, ContactStatus::Stick);
  EXPECT_TRUE(tangent.A.allFinite() && tangent.B.allFinite() && tangent.F.isZero(0));
}

TEST(AlartCurnier, FrictionlessContactsHaveNoTangentialReaction) {
  const ContactTangent<3> tangent = linearize<3>({1, 0, 0}, {0, 0, 0}, 0, {}, 0.01);
  EXPECT_EQ(tangent.status, ContactStatus::Slip);
  EXPECT_TRUE((tangent.A.bottomRows<2>().isZero(0)));
  EXPECT_TRUE((tangent.B.bottomRightCorner<2, 2>().isIdentity(0)));
}

}  // namespace alart_curnier_test
}  // namespace saltus::nonsmooth
