// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "saltus/dynamics/contact_search.hpp"
#include "saltus/model/collider_pairs.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {
namespace contact_points_test {

using Names = std::vector<std::string>;

RigidBody body(const std::string& name, Random& random, double room) {
  RigidBody result{.name = name, .inertia = solid_sphere(1, 0.1)};
  result.pose.position = random.vector(room);
  result.pose.rotation_vector = random.vector(2);
  return result;
}

/// A body with one collider of the same name, somewhere on it.
void add_thing(Model& model, const std::string& name, const Shape& shape, Random& random,
               double room) {
  const BodyId id = model.add(body(name, random, room));
  Frame frame = at(id);
  frame.position = random.vector(0.1);
  model.add(Collider{.name = name, .frame = frame, .shape = shape});
}

void add_balls(Model& model, const std::string& name, int count, Random& random, double room = 1) {
  for (int i = 0; i < count; ++i) {
    add_thing(model, name + std::to_string(i), Sphere{random.uniform(0.05, 0.3)}, random, room);
  }
}

void add_to_ground(Model& model, const std::string& name, const Shape& shape) {
  model.add(Collider{.name = name, .frame = at(model.ground()), .shape = shape});
}

/// Random margins of the nodes, up to 0.2 m.
std::vector<double> random_margins(const System& system, Random& random) {
  std::vector<double> margins(system.nodes().size());
  for (double& margin : margins) margin = random.uniform(0, 0.2);
  return margins;
}

double gap(const System& system, const ContactEntry& entry) {
  const ContactElement& e = entry.element;
  return e.gap(system.pair(system.given_configuration(), e.node_A, e.node_B));
}

bool is_near(const System& system, const ContactEntry& entry, const std::vector<double>& margins) {
  return gap(system, entry) < margins[static_cast<std::size_t>(entry.element.node_A)] +
                                  margins[static_cast<std::size_t>(entry.element.node_B)];
}

std::vector<int> features_of(const ContactPoints& points, int collider) {
  std::vector<int> list;
  for (std::size_t i = 0; i < points.features.size(); ++i) {
    if (points.features[i].collider == collider) list.push_back(static_cast<int>(i));
  }
  return list;
}

/// All points of a model by their names, as the list of its pairs gives them.
std::map<std::string, ContactEntry> all_points(const Model& model, const System& system) {
  const ContactPoints& points = system.elements().contacts;
  std::map<std::string, ContactEntry> all;
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const auto contact = static_cast<int>(c);
    for (const ColliderPair& pair : collider_pairs(model, model.contacts[c])) {
      for (const int f : features_of(points, pair.first)) {
        for (const int g : features_of(points, pair.second)) {
          const std::string name = points.pair_name(model.contacts[c].name, f, g);
          EXPECT_TRUE(all.emplace(name, points.make(contact, f, g)).second) << name << " twice";
        }
      }
    }
  }
  return all;
}

/// Compares the search with a look at all pairs: what is near is found, once, and all that is found
/// is a pair of the model.
void expect_same(const Model& model, Random& random, std::size_t at_least) {
  const System system(model);
  const ContactPoints& points = system.elements().contacts;
  const std::map<std::string, ContactEntry> all = all_points(model, system);
  const std::vector<double> margins = random_margins(system, random);
  std::set<std::string> expected, found;
  for (const auto& [name, entry] : all) {
    if (is_near(system, entry, margins)) expected.insert(name);
  }
  EXPECT_GE(expected.size(), at_least) << "a poor example";
  ContactSearch search(system);
  const std::vector<ContactIndex> indices = search.find(system.given_configuration(), margins);
  EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
  for (const ContactIndex index : indices) {
    const std::string name = points.name(index);
    EXPECT_TRUE(found.insert(name).second) << name << " twice";
    ASSERT_TRUE(all.contains(name)) << name << " is no pair";
  }
  for (const std::string& name : expected) EXPECT_TRUE(found.contains(name)) << name << " is lost";
  for (const std::string& name : found) {
    EXPECT_TRUE(expected.contains(name) || !is_near(system, all.at(name), margins)) << name;
  }
  EXPECT_LE(found.size(), expected.size() + expected.size() / 10) << "many that are far";
}

/// The groups of a compiled model that are not listed.
std::size_t unlisted(const Model& model) {
  return System(model).elements().contacts.unlisted.size();
}

TEST(ContactPoints, AreListedUpToAThousand) {
  Random random;
  Model model;
  add_balls(model, "a", 40, random);
  add_balls(model, "b", 25, random);
  model.add(Contact{.name = "c", .between = {"a*", "b*"}});
  const System listed(model);
  EXPECT_EQ(listed.elements().contacts.size(), 1000);
  EXPECT_EQ(listed.elements().contacts.listed.size(), 1000U);
  EXPECT_TRUE(listed.elements().contacts.unlisted.empty());
  add_balls(model, "extra_b", 1, random);
  model.contacts[0].between[1] = "*b*";
  const System other(model);
  EXPECT_EQ(other.elements().contacts.unlisted, std::vector<int>{0});
  EXPECT_EQ(other.elements().contacts.size(), 40 * 26);
}

// A box has eight points: 126 of them are 1008.
TEST(ContactPoints, AreCountedByPointsNotByPairs) {
  Random random;
  Model model;
  for (int i = 0; i < 126; ++i) {
    add_thing(model, "box" + std::to_string(i), Box{{0.1, 0.1, 0.1}}, random, 1);
  }
  add_to_ground(model, "floor", HalfSpace{});
  model.add(Contact{.name = "c", .between = {"box*", "floor"}});
  EXPECT_EQ(unlisted(model), 1U);
  model.bodies.pop_back();
  model.colliders.erase(model.colliders.end() - 2);
  EXPECT_EQ(unlisted(model), 0U);
}

TEST(ContactSearch, FindsBallsOfAPatternAgainstItself) {
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    Model model;
    add_balls(model, "ball", 60, random);
    model.add(Contact{.name = "c", .between = {"*", "*"}});
    EXPECT_EQ(unlisted(model), 1U);
    expect_same(model, random, 50);
  }
}

TEST(ContactSearch, FindsBallsOfOverlappingPatterns) {
  Random random(3);
  for (int i = 0; i < 5; ++i) {
    Model model;
    add_balls(model, "a", 30, random);
    add_balls(model, "ab", 30, random);
    add_balls(model, "b", 30, random);
    model.add(Contact{.name = "c", .between = {"*b*", "a*"}});
    EXPECT_EQ(unlisted(model), 1U);
    expect_same(model, random, 50);
  }
}

TEST(ContactSearch, FindsPointsAndSpheresInEitherOrder) {
  Random random(4);
  for (const bool reversed : {false, true}) {
    Model model;
    for (int i = 0; i < 40; ++i) {
      add_thing(model, "point" + std::to_string(i), PointShape{}, random, 1);
    }
    add_balls(model, "ball", 40, random);
    model.add(Contact{.name = "c", .between = {"point*", "ball*"}});
    if (reversed) std::swap(model.contacts[0].between[0], model.contacts[0].between[1]);
    EXPECT_EQ(unlisted(model), 1U);
    expect_same(model, random, 20);
  }
}

TEST(ContactSearch, FindsBoxesAndBallsOnPlanesThatMove) {
  Random random(5);
  Model model;
  add_balls(model, "ball", 40, random);
  for (int i = 0; i < 40; ++i) {
    add_thing(model, "box" + std::to_string(i), Box{{0.3, 0.2, 0.1}}, random, 1);
  }
  for (int i = 0; i < 3; ++i) {
    add_thing(model, "plate" + std::to_string(i), Face{.size = Eigen::Vector2d(1, 2)}, random, 1);
  }
  add_to_ground(model, "floor", HalfSpace{.normal = Vector3(0, 0.6, 0.8)});
  model.add(Contact{.name = "c", .between = {Names{"ball*", "box*"}, Names{"plate*", "floor"}}});
  EXPECT_EQ(unlisted(model), 1U);
  expect_same(model, random, 100);
  std::swap(model.contacts[0].between[0], model.contacts[0].between[1]);
  expect_same(model, random, 100);
}

TEST(ContactSearch, FindsWhatIsInHollowSpheres) {
  Random random(6);
  Model model;
  add_balls(model, "ball", 200, random);
  for (int i = 0; i < 10; ++i) {
    add_thing(model, "box" + std::to_string(i), Box{{0.3, 0.2, 0.1}}, random, 1);
    add_thing(model, "point" + std::to_string(i), PointShape{}, random, 1);
  }
  for (int i = 0; i < 5; ++i) {
    add_thing(model, "bowl" + std::to_string(i), HollowSphereShape{1.2}, random, 0.3);
  }
  model.add(Contact{.name = "c", .between = {"bowl*", Names{"ball*", "box*", "point*"}}});
  EXPECT_EQ(unlisted(model), 1U);
  expect_same(model, random, 100);
}

/// A ball against a box is one point, found as far as their distance says.
TEST(ContactSearch, FindsBoxesAtSpheres) {
  for (const double height : {0.45, 0.55, 2.0}) {
    Model model;
    add_to_ground(model, "crate", Box{.size = {1, 1, 0.4}});
    const BodyId ball = model.add(RigidBody{.name = "ball",
                                            .inertia = SolidSphere{.mass = 1, .radius = 0.2},
                                            .pose = {.position = {0.1, 0.2, height}}});
    model.add(Collider{.name = "skin", .frame = at(ball), .shape = Sphere{.radius = 0.2}});
    model.add(Contact{.name = "c", .between = {"*", "*"}});
    const System system(model);
    ContactSearch search(system);
    const std::vector<double> margins(system.nodes().size(), 0.1);
    const bool is_near = height - 0.4 < 0.2;  // gap below the sum of both margins
    EXPECT_EQ(search.find(system.given_configuration(), margins).size(), is_near ? 1U : 0U)
        << height;
  }
}

TEST(ContactSearch, FindsListedPointsBesideOthers) {
  Random random(8);
  Model model;
  add_to_ground(model, "floor", HalfSpace{});
  add_balls(model, "ball", 50, random);
  add_balls(model, "cue", 30, random);
  model.add(Contact{.name = "cues", .between = {"cue*", "ball*"}});
  model.add(Contact{.name = "base", .between = {"*", "floor"}});
  model.add(Contact{.name = "balls", .between = {"ball*", "ball*"}});
  EXPECT_EQ(unlisted(model), 2U);
  expect_same(model, random, 100);
}

TEST(ContactSearch, FindsBallsOfVeryDifferentSizes) {
  Random random(9);
  Model model;
  for (int i = 0; i < 80; ++i) {
    const double radius = std::pow(10, random.uniform(-4, 0));
    add_thing(model, "ball" + std::to_string(i), Sphere{radius}, random, 1);
  }
  model.add(Contact{.name = "c", .between = {"*", "*"}});
  expect_same(model, random, 50);
}

// One body with several colliders does not touch itself.
TEST(ContactSearch, FindsNoPairsOnOneBody) {
  Random random(10);
  Model model;
  for (int i = 0; i < 20; ++i) {
    const BodyId id = model.add(body("cluster" + std::to_string(i), random, 0.5));
    for (int k = 0; k < 3; ++k) {
      Frame frame = at(id);
      frame.position = random.vector(0.2);
      model.add(Collider{
          .name = "ball" + std::to_string(3 * i + k), .frame = frame, .shape = Sphere{0.1}});
    }
  }
  model.add(Contact{.name = "c", .between = {"*", "*"}});
  EXPECT_EQ(unlisted(model), 1U);
  expect_same(model, random, 50);
}

/// Three contacts, of which the second is listed.
Model three_contacts() {
  Random random(11);
  Model model;
  add_balls(model, "ball", 40, random);
  add_balls(model, "cue", 60, random);
  add_to_ground(model, "floor", HalfSpace{});
  model.add(Contact{.name = "mixed", .between = {"ball*", "cue*"}, .friction = 0.1});
  model.add(Contact{.name = "base", .between = {"*", "floor"}, .friction = 0.2});
  model.add(Contact{.name = "cues", .between = {"cue*", "cue*"}, .rolling_friction = 1e-3});
  return model;
}

TEST(ContactPoints, AreNumberedListedOnesFirstThenGroupByGroup) {
  const System system(three_contacts());
  const ContactPoints& points = system.elements().contacts;
  EXPECT_EQ(points.unlisted, (std::vector<int>{0, 2}));
  EXPECT_EQ(points.listed.size(), 100U);
  EXPECT_EQ(points.groups[1].first, 0);
  EXPECT_EQ(points.groups[0].first, 100);
  EXPECT_EQ(points.groups[2].first, 100 + 40 * 60);
  EXPECT_EQ(points.size(), 100 + 40 * 60 + 60 * 60);
}

TEST(ContactPoints, GiveEachPairItsIndexElementContactAndName) {
  const Model model = three_contacts();
  const System system(model);
  const ContactPoints& points = system.elements().contacts;
  std::set<std::string> names;
  ContactIndex pairs = 0;
  std::size_t longest = 0;
  for (ContactIndex i = 0; i < points.size(); ++i) {
    const int contact = points.contact_of(i);
    const ContactEntry entry = points.point(i, system.given_configuration());
    EXPECT_EQ(entry.contact, contact);
    EXPECT_EQ(&points.law(entry), &points.groups[static_cast<std::size_t>(contact)].law);
    EXPECT_EQ(entry.element.has_moments, contact == 2);
    const std::string name = points.name(i);
    EXPECT_EQ(name.substr(0, name.find('.')),
              model.contacts[static_cast<std::size_t>(contact)].name);
    longest = std::max(longest, name.size());
    pairs += names.insert(name).second ? 1 : 0;
  }
  EXPECT_EQ(pairs, points.size()) << "names are different";
  EXPECT_LE(longest, points.longest_name());
}

TEST(ContactPoints, AreNamedAfterContactCollidersAndNumber) {
  Random random(14);
  Model model;
  add_thing(model, "box", Box{{1, 1, 1}}, random, 1);
  add_to_ground(model, "floor", HalfSpace{});
  add_balls(model, "ball", 1, random);
  model.add(Contact{.name = "corners", .between = {"box", "floor"}});
  model.add(Contact{.name = "bounce", .between = {"ball0", "floor"}});
  const System system(model);
  const ContactPoints& points = system.elements().contacts;
  ASSERT_EQ(points.size(), 9);
  EXPECT_EQ(points.name(0), "corners.box.floor.0");
  EXPECT_EQ(points.name(7), "corners.box.floor.7");
  EXPECT_EQ(points.name(8), "bounce") << "a single point";
  EXPECT_FALSE(points.surface_is_first(8));
}

// Points touch a cylinder as solids, each in one point.
TEST(ContactSearch, FindsPointsInCylinders) {
  Random random(16);
  Model model;
  for (int i = 0; i < 300; ++i) {
    add_thing(model, "point" + std::to_string(i), PointShape{}, random, 1);
  }
  for (int i = 0; i < 4; ++i) {
    add_thing(model, "rod" + std::to_string(i), Cylinder{.radius = 0.3, .length = 1}, random, 0.3);
  }
  model.add(Contact{.name = "c", .between = {"point*", "rod*"}});
  const System system(model);
  const ContactPoints& points = system.elements().contacts;
  ASSERT_EQ(points.unlisted.size(), 1U);
  ContactSearch search(system);
  const std::vector<double> margins(system.nodes().size(), 0.0);
  const std::vector<ContactIndex> found = search.find(system.given_configuration(), margins);
  std::size_t inside = 0;
  ASSERT_EQ(points.solid_pairs.size(), 1U);
  const SolidPairs& pairs = points.solid_pairs[0];
  for (std::size_t a = 0; a < pairs.first.size(); ++a) {
    for (std::size_t b = 0; b < pairs.second.size(); ++b) {
      const auto k = points.only_point(pairs.first[a], pairs.second[b]);
      ASSERT_TRUE(k);
      const auto pair = static_cast<ContactIndex>(a * pairs.second.size() + b);
      const ContactIndex i = pairs.first_index + pair * pairs.stride + *k;
      const ContactEntry entry = points.point(i, system.given_configuration());
      EXPECT_FALSE(entry.surface_is_first) << "the surface is the rod's";
      EXPECT_EQ(points.surface_is_first(i), entry.surface_is_first);
      if (gap(system, entry) >= 0) continue;
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), i)) << points.name(i);
      ++inside;
    }
  }
  EXPECT_GE(inside, 20U) << "a poor example";
}

// The index of a point is found again from its features.
TEST(ContactPoints, AreFoundByTheirFeatures) {
  const System system(three_contacts());
  const ContactPoints& points = system.elements().contacts;
  const ContactGroup& mixed = points.groups[0];
  const auto& pairs = std::get<FeaturePairs>(mixed.source);
  for (ContactIndex k = 0; k < mixed.count; ++k) {
    const auto [first, second] = pairs.features(k);
    EXPECT_EQ(points.find(mixed, first, second), mixed.first + k);
    EXPECT_EQ(points.find(mixed, second, first), std::nullopt)
        << "in the other order there is none";
  }
}

// Unlisted points are named like listed ones, and have the same elements.
TEST(ContactPoints, AreTheSameWhetherListedOrNot) {
  Random random(15);
  Model model;
  for (int i = 0; i < 12; ++i) {
    add_thing(model, "box" + std::to_string(i), Box{{0.3, 0.2, 0.1}}, random, 1);
  }
  add_balls(model, "ball", 3, random);
  add_to_ground(model, "floor", HalfSpace{});
  add_to_ground(model, "bowl", HollowSphereShape{2});
  Model larger = model;
  for (int i = 0; i < 500; ++i) {
    larger.add(Collider{
        .name = "peg" + std::to_string(i), .frame = at(larger.ground()), .shape = Sphere{0.1}});
  }
  model.add(Contact{.name = "c", .between = {Names{"box*", "ball*"}, Names{"floor", "bowl"}}});
  larger.add(
      Contact{.name = "c", .between = {Names{"box*", "ball*"}, Names{"floor", "bowl", "peg*"}}});
  const System few(model), many(larger);
  const ContactPoints& listed = few.elements().contacts;
  const ContactPoints& unlisted = many.elements().contacts;
  ASSERT_EQ(unlisted.unlisted.size(), 1U);
  std::map<std::string, ContactIndex> index;
  for (ContactIndex i = 0; i < unlisted.size(); ++i) index[unlisted.name(i)] = i;
  for (ContactIndex i = 0; i < listed.size(); ++i) {
    ASSERT_TRUE(index.contains(listed.name(i))) << listed.name(i);
    const ContactIndex j = index[listed.name(i)];
    const ContactEntry one = listed.point(i, few.given_configuration());
    const ContactEntry other = unlisted.point(j, many.given_configuration());
    EXPECT_EQ(one.surface_is_first, other.surface_is_first);
    EXPECT_EQ(one.surface_is_first, unlisted.surface_is_first(j));
    EXPECT_EQ(one.element.frame_B.d, other.element.frame_B.d);
    EXPECT_EQ(one.element.surface.index(), other.element.surface.index());
    EXPECT_EQ(gap(few, one), gap(many, other));
  }
}

}  // namespace contact_points_test
}  // namespace saltus::test
