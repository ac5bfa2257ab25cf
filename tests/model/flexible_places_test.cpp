// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/flexible_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace saltus {
namespace flexible_places_test {

std::vector<double> placed(double length, int elements, const std::vector<double>& wanted) {
  const auto s = node_arclengths(length, elements, {wanted, {}});
  EXPECT_TRUE(s.has_value());
  return s.value_or(std::vector<double>{});
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-15) << i;
}

TEST(NodeArclengths, AreEqualSpacesIfNothingIsWanted) {
  expect_near(placed(2, 4, {}), {0, 0.5, 1, 1.5, 2});
  expect_near(placed(3, 1, {}), {0, 3});
}

TEST(NodeArclengths, NearestNodeMovesToAWantedPlace) {
  expect_near(placed(1, 4, {0.55}), {0, 0.25, 0.55, 0.75, 1});
  expect_near(placed(1, 4, {0.45, 0.7}), {0, 0.25, 0.45, 0.7, 1});
}

TEST(NodeArclengths, EndsAndPlacesAtNodesMoveNothing) {
  expect_near(placed(1, 4, {0, 1, 0.5, 1e-10, 1 - 1e-10}), {0, 0.25, 0.5, 0.75, 1});
}

TEST(NodeArclengths, PlacesThatDifferByRoundingAreOne) {
  expect_near(placed(1, 2, {0.4, 0.4 + 1e-10, 0.4}), {0, 0.4, 1});
}

TEST(NodeArclengths, OrderOfPlacesDoesNotMatter) {
  EXPECT_EQ(placed(1, 8, {0.8, 0.1, 0.35}), placed(1, 8, {0.1, 0.35, 0.8}));
}

TEST(NodeArclengths, PlaceNearAnEndTakesTheNextNode) {
  // 0.01 is nearest to the end, which must stay: the first interior node goes there.
  expect_near(placed(1, 4, {0.01}), {0, 0.01, 0.5, 0.75, 1});
  expect_near(placed(1, 4, {0.99}), {0, 0.25, 0.5, 0.99, 1});
}

TEST(NodeArclengths, CrowdedPlacesTakeNeighbouringNodes) {
  expect_near(placed(1, 4, {0.3, 0.26}), {0, 0.26, 0.3, 0.75, 1});
  expect_near(placed(1, 10, {0.31, 0.32, 0.33}),
              {0, 0.1, 0.2, 0.31, 0.32, 0.33, 0.6, 0.7, 0.8, 0.9, 1});
  // At the end there is no next node: the ones before go there.
  expect_near(placed(1, 10, {0.97, 0.98, 0.99}),
              {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.97, 0.98, 0.99, 1});
}

TEST(NodeArclengths, AsManyPlacesAsInteriorNodesFitButNotMore) {
  expect_near(placed(1, 4, {0.1, 0.15, 0.2}), {0, 0.1, 0.15, 0.2, 1});
  EXPECT_FALSE(node_arclengths(1, 4, {{0.1, 0.15, 0.2, 0.3}, {}}).has_value());
  EXPECT_FALSE(node_arclengths(1, 1, {{0.5}, {}}).has_value());
  EXPECT_TRUE(node_arclengths(1, 1, {{0, 1}, {}}).has_value());
}

TEST(NodeArclengths, NodesReferredToByNumberStay) {
  expect_near(*node_arclengths(1, 4, {{0.45}, {2}}), {0, 0.45, 0.5, 0.75, 1});
  expect_near(*node_arclengths(1, 4, {{0.5, 0.55}, {2}}), {0, 0.25, 0.5, 0.55, 1});
  EXPECT_FALSE(node_arclengths(1, 4, {{0.1, 0.2}, {2}}).has_value());
}

TEST(NodeArclengths, IncreaseAndHaveEveryWantedPlace) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> anywhere(0, 1);
  for (int sample = 0; sample < 2000; ++sample) {
    const int elements = 2 + sample % 20;
    const double length = std::pow(10.0, 6 * anywhere(generator) - 3);
    // Half of the samples crowd near one place.
    const double width = sample % 2 == 0 ? 1 : 0.1;
    const double from = (1 - width) * anywhere(generator);
    std::vector<double> wanted;
    for (int i = 0; i < 1 + sample % (elements - 1); ++i) {
      wanted.push_back(length * (from + width * anywhere(generator)));
    }
    const std::vector<double> s = placed(length, elements, wanted);
    ASSERT_EQ(s.size(), static_cast<std::size_t>(elements) + 1);
    EXPECT_EQ(s.front(), 0);
    EXPECT_DOUBLE_EQ(s.back(), length);
    std::vector<bool> is_wanted(s.size(), false);
    for (const double w : wanted) {
      const int node = node_at(s, w);
      ASSERT_GE(node, 0) << "sample " << sample;
      is_wanted[static_cast<std::size_t>(node)] = true;
    }
    for (std::size_t i = 1; i < s.size(); ++i) {
      EXPECT_LT(s[i - 1], s[i]) << "sample " << sample;
      // Only places that are wanted so may be near each other or near an end.
      const bool fixed = (is_wanted[i - 1] || i == 1) && (is_wanted[i] || i + 1 == s.size());
      EXPECT_TRUE(fixed || s[i] - s[i - 1] > 0.25 * length / elements) << "sample " << sample;
    }
  }
}

TEST(NodeAt, FindsNodesUpToRounding) {
  const std::vector<double> s = {0, 0.3, 1, 10};
  EXPECT_EQ(node_at(s, 0), 0);
  EXPECT_EQ(node_at(s, 0.3), 1);
  EXPECT_EQ(node_at(s, 1 + 1e-9), 2);
  EXPECT_EQ(node_at(s, 10 * (1 + 1e-9)), 3);
  EXPECT_EQ(node_at(s, 0.5), -1);
  EXPECT_EQ(node_at(s, 11), -1);
  EXPECT_EQ(node_at(s, -1), -1);
}

TEST(LineNodeSet, HasStartEndAndAll) {
  EXPECT_EQ(line_node_set(3, "start"), (std::vector<int>{0}));
  EXPECT_EQ(line_node_set(3, "end"), (std::vector<int>{3}));
  EXPECT_EQ(line_node_set(3, "all"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(line_node_set(3, "middle").empty());
  EXPECT_TRUE(line_node_set(3, "").empty());
}

/// A model with a frame in every place that can have one.
Model with_frames() {
  Model model;
  const BodyId rod = model.add(Beam{.name = "rod"});
  const BodyId bob = model.add(PointMass{.name = "bob"});
  model.add(Revolute{.between = {{.body = ground_body}, {.body = rod, .arclength = 0.25}}});
  model.add(Lock{.body = bob});
  model.add(Force{.on = {.body = rod, .arclength = 0.5}});
  model.add(SpringDamper{.between = {{.body = rod, .node = 2}, {.body = bob}}});
  model.add(Collider{.name = "tip", .frame = {.body = rod, .arclength = 1.0}});
  return model;
}

TEST(FramesOf, HasEveryFrameWithItsPlace) {
  const Model model = with_frames();
  const std::vector<FramePlace> frames = frames_of(model);
  std::vector<std::string> places;
  for (const FramePlace& f : frames) places.push_back(f.place);
  EXPECT_EQ(places,
            (std::vector<std::string>{"/model/joints/0/between/0", "/model/joints/0/between/1",
                                      "/model/forces/0/on", "/model/forces/1/between/0",
                                      "/model/forces/1/between/1", "/model/colliders/0/frame"}));
  EXPECT_EQ(frames.back().frame, &model.colliders[0].frame);
}

TEST(WantedArclengths, AreThoseOfOneBody) {
  const Model model = with_frames();
  const std::vector<FramePlace> frames = frames_of(model);
  EXPECT_EQ(wanted_places(frames, {0}).arclengths, (std::vector<double>{0.25, 0.5, 1.0}));
  EXPECT_TRUE(wanted_places(frames, {1}).arclengths.empty());
  EXPECT_TRUE(wanted_places(frames, ground_body).arclengths.empty());
}

}  // namespace flexible_places_test
}  // namespace saltus
