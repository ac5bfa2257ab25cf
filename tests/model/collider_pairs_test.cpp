// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/collider_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace saltus {
namespace collider_pairs_test {

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
  EXPECT_EQ(
      pairs(hall(), "*", "*"),
      (Pairs{{"ball1", "ball2"},  {"ball1", "ball10"}, {"ball1", "crate"},   {"ball1", "corner"},
             {"ball1", "lid"},    {"ball1", "floor"},  {"ball1", "peg"},     {"ball2", "ball10"},
             {"ball2", "crate"},  {"ball2", "corner"}, {"ball2", "lid"},     {"ball2", "floor"},
             {"ball2", "peg"},    {"ball10", "crate"}, {"ball10", "corner"}, {"ball10", "lid"},
             {"ball10", "floor"}, {"ball10", "peg"},   {"crate", "floor"},   {"crate", "peg"},
             {"corner", "floor"}, {"lid", "peg"}}));
}

TEST(ColliderPairs, PairsThatBothEntriesSelectKeepTheFirstOrder) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, Names{"floor", "ball1"}, "*l*"), (Pairs{{"ball1", "ball2"},
                                                                 {"ball1", "ball10"},
                                                                 {"ball1", "lid"},
                                                                 {"ball1", "floor"},
                                                                 {"floor", "ball2"},
                                                                 {"floor", "ball10"}}));
}

TEST(ColliderPairs, LeavesOutOneBodyTheGroundAndWhatCannotTouch) {
  const Model model = hall();
  EXPECT_EQ(pairs(model, "corner", "lid"), Pairs()) << "one body";
  EXPECT_EQ(pairs(model, "peg", "floor"), Pairs()) << "the ground";
  EXPECT_EQ(pairs(model, "corner", "peg"), Pairs()) << "two points";
  EXPECT_EQ(pairs(model, "lid", "floor"), Pairs()) << "two planes";
  EXPECT_EQ(pairs(model, "floor", "floor"), Pairs()) << "itself";
  EXPECT_EQ(pairs(model, "ball1", "ball1"), Pairs()) << "itself";
}

UntouchablePairs untouchable(const Model& model, const ColliderSelection& first,
                             const ColliderSelection& second) {
  return PairSelection(model, Contact{.between = {first, second}}).untouchable();
}

TEST(ColliderPairs, CountsWhatItLeavesOutBecauseOfShapes) {
  const Model model = hall();
  const UntouchablePairs all = untouchable(model, "*", "*");
  EXPECT_EQ(all.count, 24u - 22u) << "of all pairs on two bodies those that cannot touch";
  EXPECT_EQ(describe_pair(model, all.first), "\"corner\" (a point) and \"peg\" (a point)");
  EXPECT_EQ(untouchable(model, "ball*", "crate").count, 0u);
  EXPECT_EQ(untouchable(model, Names{"corner", "peg"}, Names{"corner", "peg"}).count, 1u)
      << "a pair in both orders is one";
  EXPECT_EQ(untouchable(model, "corner", "lid").count, 0u) << "one body";
  EXPECT_EQ(untouchable(model, "ball*", "ball*").count, 0u);
}

TEST(ColliderPairs, NamedPairsHaveNoPatternOnEitherSide) {
  const Model model = hall();
  const auto named = [&](const ColliderSelection& first, const ColliderSelection& second) {
    return named_pairs(model, Contact{.between = {first, second}}).untouchable().count;
  };
  EXPECT_EQ(named(Names{"corner", "ball1"}, Names{"peg", "ball2"}), 1u);
  EXPECT_EQ(named(Names{"corne?", "ball1"}, Names{"peg", "ball2"}), 0u);
  EXPECT_EQ(named("*", "peg"), 0u);
}

/// Whether shapes touch, whichever of them is named first.
bool touch(const Shape& one, const Shape& other) {
  EXPECT_EQ(can_touch(one, other), can_touch(other, one));
  return can_touch(one, other);
}

TEST(ColliderPairs, SurfacesTouchWhatIsNotASurface) {
  const Shape point = PointShape{}, sphere = Sphere{1}, box = Box{{1, 1, 1}};
  const std::vector<Shape> surfaces = {HalfSpace{}, Face{}, HollowSphereShape{2}};
  for (const Shape& surface : surfaces) {
    for (const Shape& other : {point, sphere, box}) EXPECT_TRUE(touch(surface, other));
    for (const Shape& other : surfaces) EXPECT_FALSE(touch(surface, other));
  }
}

TEST(ColliderPairs, SolidsTouchSolidsAndPoints) {
  const Shape point = PointShape{};
  const std::vector<Shape> solids = {Sphere{1}, Box{{1, 1, 1}}, Capsule{1, 1}, Convex{}};
  for (const Shape& solid : solids) {
    EXPECT_TRUE(touch(solid, point));
    for (const Shape& other : solids) EXPECT_TRUE(touch(solid, other));
  }
  EXPECT_FALSE(touch(point, point));
}

/// Two bodies that a joint connects, and a third.
TEST(ColliderPairs, PatternsLeaveOutBodiesThatAJointConnects) {
  Model model = hall();
  model.add(Revolute{.bodies = {{0}, {1}}, .at = {0, 0, 0}, .axis = {0, 0, 1}});
  model.add(Lock{.body = {2}});
  EXPECT_EQ(pairs(model, "ball*", "ball*"), (Pairs{{"ball1", "ball10"}, {"ball2", "ball10"}}));
  EXPECT_EQ(pairs(model, "ball1", "ball2"), (Pairs{{"ball1", "ball2"}})) << "named outright";
  EXPECT_EQ(pairs(model, Names{"ball1", "floor"}, Names{"ball2"}),
            (Pairs{{"ball1", "ball2"}, {"floor", "ball2"}}));
  Contact all{.between = {"ball*", "ball*"}};
  EXPECT_EQ(PairSelection(model, all).joined(9).size(), 1u);
  all.collide_joined = true;
  EXPECT_EQ(collider_pairs(model, all).size(), 3u);
}

// What is not a surface touches surfaces, and two surfaces touch only if they are spheres: one of
// two features is the surface, and which one is no matter of their order but for two of one kind.
TEST(FeatureKinds, OneOfTwoThatTouchIsTheSurface) {
  for (int i = 0; i < feature_kind_count; ++i) {
    for (int j = 0; j < feature_kind_count; ++j) {
      const auto a = static_cast<FeatureKind>(i), b = static_cast<FeatureKind>(j);
      EXPECT_EQ(can_touch(a, b), can_touch(b, a)) << i << ' ' << j;
      EXPECT_EQ(can_touch(a, b), is_touched(a, b) || is_touched(b, a)) << i << ' ' << j;
      if (is_touched(a, b) && is_touched(b, a)) {
        EXPECT_EQ(a, b);
      }
    }
  }
}

TEST(FeatureKinds, EachTouchesSomething) {
  for (int i = 0; i < feature_kind_count; ++i) {
    int partners = 0;
    for (int j = 0; j < feature_kind_count; ++j) {
      partners += can_touch(static_cast<FeatureKind>(i), static_cast<FeatureKind>(j)) ? 1 : 0;
    }
    EXPECT_GT(partners, 0) << i;
  }
}

// The whole table, shape by shape: who changes it changes this too.
TEST(ColliderPairs, TableOfShapesThatTouch) {
  const std::vector<Shape> shapes = {PointShape{},
                                     Sphere{1},
                                     Box{{1, 1, 1}},
                                     HalfSpace{},
                                     Face{},
                                     HollowSphereShape{2},
                                     Cylinder{.radius = 1},
                                     Bore{.radius = 2},
                                     Groove{.radius = 2},
                                     Capsule{.radius = 1},
                                     Convex{},
                                     MeshShape{}};
  ASSERT_EQ(shapes.size(), std::variant_size_v<Shape>);
  const std::vector<std::string> table = {". x x x x x x x . x x x",   // point
                                          "x x x x x x x x x x x x",   // sphere
                                          "x x x x x x x . . x x x",   // box
                                          "x x x . . . x . . x x x",   // half_space
                                          "x x x . . . x . . x x x",   // face
                                          "x x x . . . . . . x x x",   // hollow_sphere
                                          "x x x x x . x x . x x x",   // cylinder
                                          "x x . . . . x . . . . .",   // bore
                                          ". x . . . . . . . . . .",   // groove
                                          "x x x x x x x . . x x x",   // capsule
                                          "x x x x x x x . . x x x",   // convex
                                          "x x x x x x x . . x x x"};  // mesh
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      EXPECT_EQ(touch(shapes[i], shapes[j]), table[i][2 * j] == 'x') << i << ' ' << j;
    }
  }
}

// Every type of shape stands in the sentence that tells what can touch.
TEST(ColliderPairs, TheSentenceNamesEveryShape) {
  const std::string sentence = kinds_that_touch;
  const std::vector<const char*> names = {
      PointShape::type_name, Sphere::type_name, Box::type_name,
      HalfSpace::type_name,  Face::type_name,   HollowSphereShape::type_name,
      Cylinder::type_name,   Bore::type_name,   Groove::type_name,
      Capsule::type_name,    Convex::type_name, MeshShape::type_name};
  ASSERT_EQ(names.size(), std::variant_size_v<Shape>);
  for (const char* name : names) EXPECT_NE(sentence.find(name), std::string::npos) << name;
}

TEST(PairSelection, StopsAtTheLimit) {
  const Model model = hall();
  const Contact all{.between = {"*", "*"}};
  const PairSelection selection(model, all);
  for (const std::size_t limit : {0U, 1U, 7U, 22U}) EXPECT_EQ(selection.pairs(limit).size(), limit);
  EXPECT_EQ(selection.pairs(1000).size(), 22U);
}

TEST(PairSelection, HasWhatItsPairsAre) {
  const Model model = hall();
  const Contact contact{.between = {"*l*", Names{"ball1", "floor", "peg"}}};
  const PairSelection selection(model, contact);
  std::size_t count = 0;
  for (const int a : selection.first()) {
    for (const int b : selection.second()) count += selection.has(a, b) ? 1 : 0;
  }
  EXPECT_EQ(selection.pairs(1000).size(), count);
}

using Unordered = std::set<std::pair<int, int>>;

Unordered unordered(const Model& model, const Contact& contact) {
  Unordered pairs;
  for (const ColliderPair& pair : collider_pairs(model, contact)) {
    EXPECT_TRUE(pairs.insert(std::minmax(pair.first, pair.second)).second) << "twice";
  }
  return pairs;
}

// Selections are compared without listing their pairs; here the lists tell what is right.
TEST(PairSelection, FindsACommonPairIfThereIsOne) {
  const Model model = hall();
  const std::vector<ColliderSelection> choices = {
      "*", "ball*", "ball?", "*l*", "floor", "peg", "crate", "corner", Names{"ball1", "lid"}};
  int with = 0, without = 0;
  for (std::size_t i = 0; i < choices.size() * choices.size(); ++i) {
    const Contact one{.between = {choices[i / choices.size()], choices[i % choices.size()]}};
    const Unordered first = unordered(model, one);
    for (std::size_t j = 0; j < choices.size() * choices.size(); ++j) {
      const Contact other{.between = {choices[j / choices.size()], choices[j % choices.size()]}};
      const Unordered second = unordered(model, other);
      const auto common = PairSelection(model, one).common_pair(PairSelection(model, other));
      const bool overlap = std::any_of(first.begin(), first.end(),
                                       [&](const auto& pair) { return second.contains(pair); });
      ASSERT_EQ(common.has_value(), overlap) << i << ", " << j;
      ++(overlap ? with : without);
      if (!common) continue;
      const std::pair<int, int> pair = std::minmax(common->first, common->second);
      EXPECT_TRUE(first.contains(pair) && second.contains(pair)) << i << ", " << j;
    }
  }
  EXPECT_GT(with, 500);
  EXPECT_GT(without, 500);
}

TEST(Model, NamesCollidersAndContacts) {
  Model model = hall();
  model.add(Collider{});
  model.add(Contact{});
  EXPECT_EQ(model.colliders.back().name, "collider8");
  EXPECT_EQ(model.contacts.back().name, "contact0");
}

}  // namespace collider_pairs_test
}  // namespace saltus
