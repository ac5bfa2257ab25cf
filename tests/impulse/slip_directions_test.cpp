// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/slip_directions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "saltus/impulse/impact_flow.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace slip_directions_test {

constexpr double degree = std::numbers::pi / 180;

/// The point of section 5, in (x, y, z) with z the normal.
Matrix3 example() { return Matrix3{{3, 0.5, 0.8}, {0.5, 2.5, -0.6}, {0.8, -0.6, 1.5}}; }

IsoclineMatrix matrix_of(const Matrix3& M) {
  IsoclineMatrix Q;
  Q << M.row(1), -M.row(0);
  return Q;
}

double growth(const Matrix3& M, double mu, double phi) {
  const Vector3 dp(-mu * std::cos(phi), -mu * std::sin(phi), 1);
  return (M * dp).head<2>().dot(Eigen::Vector2d(std::cos(phi), std::sin(phi)));
}

TEST(SlipDirections, QuarticHasThePrintedCoefficients) {
  const auto c = isocline_quartic(matrix_of(example()), 0.3);
  const double expected[] = {-0.6175, -0.9150, -1.0225, -1.0050, -0.3375};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(c[i], expected[i], 1e-12);
}

TEST(SlipDirections, IsoclinesAreThoseOfTheExample) {
  struct Case {
    double mu, in, in_growth, out, out_growth;
  };
  for (const Case& k : {Case{0.3, 151.432, -1.729226, -42.038, 0.312393},
                        Case{0.1, 145.494, -1.236421, -38.878, 0.767946}}) {
    const std::vector<double> phi = isoclines(matrix_of(example()), k.mu);
    ASSERT_EQ(phi.size(), 2u);
    EXPECT_NEAR(phi[0] / degree, k.out, 5e-4);
    EXPECT_NEAR(phi[1] / degree, k.in, 5e-4);
    EXPECT_NEAR(growth(example(), k.mu, phi[0]), k.out_growth, 5e-7);
    EXPECT_NEAR(growth(example(), k.mu, phi[1]), k.in_growth, 5e-7);
  }
}

ImpactProblem one_point(const Matrix3& M, double mu) {
  // (x, y, z) to (n, t1, t2)
  const int order[] = {2, 0, 1};
  ImpactProblem problem;
  problem.W = M(order, order);
  problem.u = Vector3(-1, 0, 0);
  problem.points.push_back({0, Vector3::Zero(), Matrix3::Identity(), 0.5, mu, mu});
  return problem;
}

TEST(SlipDirections, PointAtRestLeavesBelowTheCriticalFrictionOnly) {
  const double critical = 0.439002;
  for (const double mu : {0.1, 0.3, critical - 1e-5}) {
    const ImpactResult result = resolve_impact(one_point(example(), mu), {});
    EXPECT_EQ(result.events[0].states[0], PointState::Slips) << mu;
    EXPECT_GT(result.u.tail<2>().norm(), 1e-8);
  }
  for (const double mu : {critical + 1e-5, 1.0}) {
    const ImpactResult result = resolve_impact(one_point(example(), mu), {});
    EXPECT_EQ(result.events[0].states[0], PointState::Sticks) << mu;
    EXPECT_LT(result.u.tail<2>().norm(), 1e-12);
  }
  const ImpactResult slow = resolve_impact(one_point(example(), 0.3), {});
  EXPECT_NEAR(std::atan2(slow.u[2], slow.u[1]) / degree, -42.038, 5e-4);
}

TEST(SlipDirections, ScanOfTheCircleFindsTheOutgoingIsoclines) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int several = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Matrix3 A;
    for (double& entry : A.reshaped()) entry = uniform(generator);
    const Matrix3 M = A * A.transpose();
    const double mu = 0.75 + 0.7 * uniform(generator);
    std::vector<double> outgoing;
    for (const double phi : isoclines(matrix_of(M), mu))
      if (growth(M, mu, phi) > 0) outgoing.push_back(phi);
    several += outgoing.size() > 1;
    const DirectionMap G = [&](const VectorX& c) {
      const Vector3 dp(-mu * c[0], -mu * c[1], 1);
      return VectorX((M * dp).head<2>());
    };
    const std::vector<VectorX> found = outgoing_directions(G, 2);
    ASSERT_EQ(found.size(), outgoing.size()) << trial;
    for (const VectorX& c : found) {
      double nearest = 1;
      for (const double phi : outgoing)
        nearest =
            std::min(nearest, (c - VectorX(Eigen::Vector2d(std::cos(phi), std::sin(phi)))).norm());
      EXPECT_LT(nearest, 1e-8);
    }
  }
  RecordProperty("problems_with_several_outgoing_isoclines", several);
}

/// Accelerations of four corners on a plane that leave rest with the pattern c of (a_x, a_y, α).
class FlatDeparture {
 public:
  explicit FlatDeparture(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    test::Bodies bodies;
    const Vector3 spread(uniform(generator), uniform(generator), uniform(generator));
    const Matrix3 inertia = 0.1 * (Matrix3::Identity() + 0.8 * spread * spread.transpose());
    bodies.add(1, inertia, {0.6 * uniform(generator), 0.6 * uniform(generator), 0.7}, {0, 0, -1},
               {0, 0, 0});
    std::vector<test::Touch> touches;
    const double mu = 0.15 + 0.1 * uniform(generator);
    for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
      touches.push_back({test::ground, 0, {0.4 * x, 0.3 * y, 0}, {0, 0, 1}, 0, 0, mu, mu});
    problem_ = test::problem_of(bodies, touches);
    system_ = std::make_unique<ImpactSystem>(problem_, std::vector<int>{0, 1, 2, 3});
    S_.resize(8, 3);
    for (int i = 0; i < 4; ++i) {
      const Vector3& r = problem_.points[i].position;
      S_.middleRows<2>(2 * i) << 1, 0, -r.y(), 0, 1, r.x();
    }
    S_ = linalg::PivotedQr(S_, 1e-12).Q().leftCols(3);
    modes_.points.resize(4);
    modes_.open = {1};
    modes_.equal = {0};
    modes_.forced.resize(4);
    modes_.reference = VectorX::Constant(1, -1);
  }

  VectorX operator()(const VectorX& c) {
    const VectorX pattern = S_ * c;
    for (int i = 0; i < 4; ++i) modes_.points[i].direction = pattern.segment<2>(2 * i).normalized();
    const VectorX u = VectorX::Zero(12);
    const Flow flow = system_->flow(u, modes_);
    VectorX a(8);
    for (int i = 0; i < 4; ++i) a.segment<2>(2 * i) = flow.du.segment<2>(3 * i + 1);
    return S_.transpose() * a;
  }

 private:
  ImpactProblem problem_;
  std::unique_ptr<ImpactSystem> system_;
  MatrixX S_;
  ImpactModes modes_;
};

TEST(SlipDirections, NewtonFindsAllDeparturesOfAFlatGroup) {
  // Beside a search of the whole sphere: where a direction nearly maps to itself, a root is near.
  int roots = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    FlatDeparture departure(seed);
    const DirectionMap G = [&](const VectorX& c) { return departure(c); };
    const std::vector<VectorX> found = outgoing_directions(G, 3);
    roots += static_cast<int>(found.size());
    for (const VectorX& c : found) EXPECT_LT((G(c).normalized() - c).norm(), 1e-8);
    constexpr int samples = 4000;
    for (int k = 0; k < samples; ++k) {
      const double z = (2 * k + 1.0) / samples - 1, phi = k * std::numbers::pi * (3 - std::sqrt(5));
      const double r = std::sqrt(1 - z * z);
      const VectorX c = Vector3(r * std::cos(phi), r * std::sin(phi), z);
      if ((G(c).normalized() - c).norm() > 0.02) continue;
      double nearest = 2;
      for (const VectorX& root : found) nearest = std::min(nearest, (root - c).norm());
      EXPECT_LT(nearest, 0.2) << seed;
    }
  }
  EXPECT_GE(roots, 40);
}

TEST(SlipDirections, PointThatMovesAlongALineLeavesAlongIt) {
  // W of a point that moves along (cos 30°, sin 30°) and z only: double roots of the quartic.
  const Vector3 line(std::cos(30 * degree), std::sin(30 * degree), 0);
  const Vector3 mixed = 0.8 * line + 1.3 * Vector3::UnitZ();
  const Matrix3 M = 0.5 * line * line.transpose() + mixed * mixed.transpose();
  const std::vector<double> phi = isoclines(matrix_of(M), 0.2);
  int along = 0;
  for (const double angle : phi)
    if (growth(M, 0.2, angle) > 0) {
      EXPECT_NEAR(angle / degree, 30, 1e-9);
      ++along;
    }
  EXPECT_EQ(along, 1);
}

}  // namespace slip_directions_test
}  // namespace saltus::impulse
