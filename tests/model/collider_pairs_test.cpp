// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/collider_pairs.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

/// Three balls with a sphere each, a crate with a box and a point, a floor and a wall.
Model hall() {
  Model model;
  for (const char* name : {"ball1", "ball2", "ball10"}) {
    const BodyId body = model.add(RigidBody{.name = name, .inertia = solid_sphere(1, 0.1)});
    model.add(Collider{.name = name, .frame = at(body), .shape = Sphere{0.1}});
  }
  const BodyId crate = model.add(RigidBody{.name = "crate", .inertia = solid_sphere(1, 0.1)});
  model.add(Collider{.name = "crate", .frame = at(crate), .shape = Box{{1, 1, 1}}});
  model.add(Collider{.name = "corner", .frame = at(crate), .shape = PointShape{}});
  model.add(Collider{.name = "lid", .frame = at(crate), .shape = Face{}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Collider{.name = "peg", .frame = at(model.ground()), .shape = PointShape{}});
  return model;
}

Pairs pairs(const Model& model, const ColliderSelection& first, const ColliderSelection& second) {
  Pairs names;
  for (const ColliderPair& pair : collider_pairs(model, Contact{.between = {first, second}})) {
    names.emplace_back(model.colliders[static_cast<std::size_t>(pair.first)].name,
                       model.colliders[static_cast<std::size_t>(pair.second)].name);
  }
  return names;
}

TEST(Fits, NamesFitThemselvesOnly) {
  EXPECT_TRUE(fits("ball", "ball"));
  EXPECT_FALSE(fits("ball", "bal"));
  EXPECT_FALSE(fits("ball", "ball1"));
  EXPECT_FALSE(fits("Ball", "ball"));
}

TEST(Fits, StarsStandForAnyLetters) {
  for (const char* pattern : {"*", "ball*", "*ball", "b*l", "b**l", "*a*l*", "ball**"}) {
    EXPECT_TRUE(fits("ball", pattern)) << pattern;
  }
  for (const char* pattern : {"c*", "*b", "b*a", "ball*1", "*al", ""}) {
    EXPECT_FALSE(fits("ball", pattern)) << pattern;
  }
  EXPECT_TRUE(fits("abcabcd", "*abcd")) << "the first abc is not the one";
  EXPECT_FALSE(fits(std::string(50, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*b")) << "and soon";
}

TEST(Fits, QuestionMarksStandForOneLetter) {
  EXPECT_TRUE(fits("ball1", "ball?"));
  EXPECT_FALSE(fits("ball", "ball?"));
  EXPECT_FALSE(fits("ball10", "ball?"));
  EXPECT_TRUE(fits("ball10", "ball?*"));
}

TEST(ColliderSelection, KnowsAPlainName) {
  EXPECT_TRUE(ColliderSelection("ball").is_name());
  EXPECT_FALSE(ColliderSelection("ball*").is_name());
  EXPECT_FALSE(ColliderSelection(Names{"a", "b"}).is_name());
  EXPECT_FALSE(ColliderSelection().is_name());
}

TEST(ColliderPairs, TwoNamesAreOnePairInTheirOrder) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, "ball1", "floor"), (Pairs{{"ball1", "floor"}}));
  EXPECT_EQ(pairs(model, "floor", "ball1"), (Pairs{{"floor", "ball1"}}));
}

TEST(ColliderPairs, PatternsAndListsComeInTheOrderOfTheModel) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, "ball?", "floor"), (Pairs{{"ball1", "floor"}, {"ball2", "floor"}}));
  EXPECT_EQ(pairs(model, Names{"crate", "ball10", "ball1*"}, "floor"),
            (Pairs{{"ball1", "floor"}, {"ball10", "floor"}, {"crate", "floor"}}));
  EXPECT_EQ(pairs(model, "floor", "ball*"),
            (Pairs{{"floor", "ball1"}, {"floor", "ball2"}, {"floor", "ball10"}}));
}

TEST(ColliderPairs, AGlobAgainstItselfGivesEveryPairOnce) {
  EXPECT_EQ(pairs(hall(), "*", "*"), (Pairs{{"ball1", "lid"},
                                            {"ball1", "floor"},
                                            {"ball2", "lid"},
                                            {"ball2", "floor"},
                                            {"ball10", "lid"},
                                            {"ball10", "floor"},
                                            {"crate", "floor"},
                                            {"corner", "floor"},
                                            {"lid", "peg"}}));
}

TEST(ColliderPairs, PairsThatBothEntriesSelectKeepTheFirstOrder) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, Names{"floor", "ball1"}, "*l*"),
            (Pairs{{"ball1", "lid"}, {"ball1", "floor"}, {"floor", "ball2"}, {"floor", "ball10"}}));
}

TEST(ColliderPairs, LeavesOutOneBodyTheGroundAndWhatCannotTouch) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, "corner", "lid"), Pairs()) << "one body";
  EXPECT_EQ(pairs(model, "peg", "floor"), Pairs()) << "the ground";
  EXPECT_EQ(pairs(model, "ball1", "ball2"), Pairs()) << "two spheres";
  EXPECT_EQ(pairs(model, "lid", "floor"), Pairs()) << "two planes";
  EXPECT_EQ(pairs(model, "floor", "floor"), Pairs()) << "itself";
}

TEST(ColliderPairs, PlanesTouchWhatIsNotAPlane) {
  for (const Shape& round : {Shape(PointShape{}), Shape(Sphere{1}), Shape(Box{{1, 1, 1}})}) {
    for (const Shape& plane : {Shape(HalfSpace{}), Shape(Face{})}) {
      EXPECT_TRUE(can_touch(round, plane));
      EXPECT_TRUE(can_touch(plane, round));
      EXPECT_FALSE(can_touch(plane, plane));
    }
    EXPECT_FALSE(can_touch(round, round));
  }
}

TEST(Model, NamesCollidersAndContacts) {
  Model model = hall();
  model.add(Collider{});
  model.add(Contact{});
  EXPECT_EQ(model.colliders.back().name, "collider8");
  EXPECT_EQ(model.contacts.back().name, "contact0");
}

}  // namespace
}  // namespace saltus
