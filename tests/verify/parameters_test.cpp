// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "saltus/verify/reference_suite.hpp"
#include "saltus/verify/sensitivity.hpp"

namespace saltus {
namespace parameters_test {

const std::filesystem::path examples = std::filesystem::path(SALTUS_SOURCE_DIR) / "examples";

Model two_balls() {
  Model model;
  const BodyId a = model.add(PointMass{.name = "a", .mass = 2, .velocity = {.linear = {1, 0, 0}}});
  const BodyId b = model.add(PointMass{.name = "b", .mass = 2});
  model.add(SpringDamper{.name = "spring", .between = {at(a), at(b)}, .stiffness = 5});
  model.add(Collider{.name = "skin", .frame = at(a), .shape = Sphere{.radius = 1}});
  model.add(Collider{.name = "other", .frame = at(b), .shape = Sphere{.radius = 1}});
  model.add(Contact{.name = "hit", .between = {"skin", "other"}, .restitution = 0.5});
  return model;
}

std::set<std::string> names(const Model& model, const SimulationOptions& options) {
  std::set<std::string> all;
  for (const Parameter& parameter : parameters(model, options)) all.insert(parameter.name);
  return all;
}

TEST(Parameters, AreThePhysicalNumbers) {
  const std::set<std::string> expected = {"/gravity",
                                          "/bodies/a/mass",
                                          "/bodies/a/velocity/linear",
                                          "/forces/spring/stiffness",
                                          "/contacts/hit/restitution",
                                          "/contacts/hit/friction"};
  EXPECT_EQ(names(two_balls(), Dynamics{}), expected) << "no places, radii, steps";
}

TEST(Parameters, ThatAreEqualAreOne) {
  for (const Parameter& parameter : parameters(two_balls(), Dynamics{})) {
    EXPECT_EQ(parameter.count, parameter.name == "/bodies/a/mass" ? 2U : 1U) << parameter.name;
  }
}

TEST(Parameters, AreScaledTogether) {
  Model model = two_balls();
  SimulationOptions options = Dynamics{};
  EXPECT_TRUE(scale(model, options, "/bodies/a/mass", 1.5));
  for (const Body& body : model.bodies) EXPECT_EQ(std::get<PointMass>(body).mass, 3);
  EXPECT_TRUE(scale(model, options, "/contacts/hit/friction", 1.25));
  EXPECT_EQ(std::get<double>(model.contacts[0].friction), 0.25) << "from 0";
  EXPECT_FALSE(scale(model, options, "/bodies/b/colour", 1.5));
}

TEST(Parameters, OfEventsAreTheirRestitution) {
  const SimulationOptions options =
      Dynamics{.integrator = EventDriven{.energetic_restitution = 0.5}};
  const std::set<std::string> found = names(two_balls(), options);
  EXPECT_TRUE(found.count("/simulation/integrator/energetic_restitution"));
  EXPECT_FALSE(found.count("/contacts/hit/restitution")) << "is not used";
}

std::vector<ReferenceCase> cases_of(const std::string& example) {
  std::vector<ReferenceCase> cases = reference_suite();
  std::erase_if(cases, [&](const ReferenceCase& item) { return item.example != example; });
  return cases;
}

TEST(Sensitivity, SeesRestitutionButNotFrictionOfABallThatFallsStraight) {
  const std::vector<ReferenceCase> cases = cases_of("bouncing_ball");
  const Sensitivity seen = sensitivity(cases, {"/contacts/bounce/restitution", 1, {}}, examples);
  EXPECT_TRUE(seen.is_noticed());
  EXPECT_TRUE(seen.is_ok());
  const Sensitivity unseen = sensitivity(cases, {"/contacts/bounce/friction", 1, {}}, examples);
  EXPECT_FALSE(unseen.is_noticed());
  EXPECT_TRUE(unseen.is_ok()) << "it is excused";
}

TEST(Sensitivity, NeedsARowOrAnExcuse) {
  Sensitivity item{.example = "a", .parameter = {"/b", 1, {}}, .rows = 2};
  EXPECT_FALSE(item.is_ok());
  item.excuse = "of no effect";
  EXPECT_TRUE(item.is_ok());
  item.noticed = 1;
  EXPECT_FALSE(item.is_ok()) << "the excuse is wrong";
}

TEST(Excuses, AreOfExamplesThatAreThere) {
  for (const Excuse& excuse : excuses()) {
    const std::vector<ReferenceCase>& suite = reference_suite();
    EXPECT_TRUE(std::any_of(suite.begin(), suite.end(), [&](const ReferenceCase& item) {
      return fits(item.example, excuse.example);
    })) << excuse.example;
    EXPECT_FALSE(excuse.reason.empty());
  }
}

}  // namespace parameters_test
}  // namespace saltus
