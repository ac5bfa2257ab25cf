// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/broad_phase.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "saltus/geometry/convex_core.hpp"
#include "tests/geometry/brute_force.hpp"

namespace saltus::broad_phase_test {
namespace {

std::vector<std::pair<int, int>> all_pairs(const std::vector<Bounds>& boxes) {
  std::vector<std::pair<int, int>> out;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      const Bounds &a = boxes[static_cast<std::size_t>(i)], &b = boxes[static_cast<std::size_t>(j)];
      if (a.meets(b)) out.emplace_back(i, j);
    }
  }
  return out;
}

TEST(BroadPhase, FindsThePairsThatComparingAllFinds) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-3, 3), exponent(-2, 0.5);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 400; ++i) {
    const Vector3 at(5 * place(random), place(random), place(random));
    const Vector3 half = std::pow(10, exponent(random)) * Vector3(1, 0.5, 2);
    boxes.push_back({at - half, at + half});
  }
  BroadPhase search;
  std::vector<std::pair<int, int>> found;
  for (int step = 0; step < 20; ++step) {
    for (Bounds& box : boxes) {
      const Vector3 d = 0.1 * brute_force::random_vector(random);
      box.low += d;
      box.high += d;
    }
    search.find_pairs(boxes, found);
    EXPECT_EQ(found, all_pairs(boxes));
    EXPECT_GT(found.size(), 100U);
  }
}

TEST(BroadPhase, WhatIsNotFiniteMeetsNothing) {
  std::vector<Bounds> boxes(5, Bounds{-Vector3::Ones(), Vector3::Ones()});
  boxes[2].low.x() = std::numeric_limits<double>::quiet_NaN();
  BroadPhase search;
  std::vector<std::pair<int, int>> found;
  search.find_pairs(boxes, found);
  EXPECT_EQ(found.size(), 6U);
  for (const auto& [i, j] : found) EXPECT_TRUE(i != 2 && j != 2);
}

TEST(BroadPhase, BoundsTouchTheShapeOnAllSides) {
  std::mt19937_64 random(6);
  const ConvexCore round =
      round_core({.axis = {0, 1, 0}, .half_length = 1, .radius = {0.5, 0.5}}, 0.1);
  for (int i = 0; i < 100; ++i) {
    const RelativePose X = {brute_force::random_rotation(random),
                            brute_force::random_vector(random)};
    const Bounds box = bounds_of(round, X, 0.25);
    for (int k = 0; k < 3; ++k) {
      const double along = std::abs(X.R(k, 1));
      const double half = along + 0.5 * std::sqrt(1 - along * along) + 0.35;
      EXPECT_NEAR(box.high[k], X.p[k] + half, 1e-14 * 10);
      EXPECT_NEAR(box.low[k], X.p[k] - half, 1e-14 * 10);
    }
  }
}

}  // namespace
}  // namespace saltus::broad_phase_test
