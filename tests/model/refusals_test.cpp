// SPDX-License-Identifier: Apache-2.0
// Messages that say more than that something is wrong.
#include <gtest/gtest.h>

#include "saltus/model/validate.hpp"

namespace saltus {
namespace refusals_test {

/// Two balls with skins and a joint between them.
struct Pair {
  Model model;
  BodyId first = model.add(RigidBody{.name = "A", .inertia = solid_sphere(1, 0.1)});
  BodyId second = model.add(
      RigidBody{.name = "B", .inertia = solid_sphere(1, 0.1), .pose = {.position = {0.25, 0, 0}}});

  Pair() {
    model.add(Collider{"a", at(first), Sphere{.radius = 0.1}});
    model.add(Collider{"b", at(second), Sphere{.radius = 0.1}});
  }
  Contact& contact(const char* one, const char* other) {
    model.add(Contact{.name = "k", .between = {one, other}});
    return model.contacts.back();
  }
  void join() {
    model.add(Spherical{.name = "hinge", .bodies = {first, second}, .at = Vector3(0.125, 0, 0)});
  }
  std::string messages() const {
    std::string text;
    for (const Issue& issue : validate(model)) text += issue.message() + "\n";
    return text;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Refusals, APatternOfJointedBodiesNamesTheJointAndTheWayOut) {
  Pair pair;
  pair.contact("*", "*");
  EXPECT_EQ(pair.messages(), "");
  pair.join();
  EXPECT_TRUE(has(pair.messages(), "that joint \"hinge\" connects")) << pair.messages();
  EXPECT_TRUE(has(pair.messages(), "\"collide_joined\": true")) << pair.messages();
  pair.model.contacts[0].collide_joined = true;
  EXPECT_EQ(pair.messages(), "");
}

TEST(Refusals, MaterialsAreTwo) {
  Pair pair;
  Contact& contact = pair.contact("a", "b");
  contact.model = ContactModel::Compliant;
  contact.materials = {{.young_modulus = 1e9}};
  EXPECT_TRUE(has(pair.messages(), "/model/contacts/0/materials: must be two materials"))
      << pair.messages();
  contact.materials.push_back({.young_modulus = 1e9});
  EXPECT_EQ(pair.messages(), "");
}

std::string of_stop(const char* text) {
  std::string found;
  const Pair pair;
  for (const Issue& issue : validate(pair.model, Dynamics{.end_time = 1, .stop_when = text})) {
    found += issue.message() + "\n";
  }
  return found;
}

TEST(Refusals, AConditionIsNoNumber) {
  EXPECT_EQ(of_stop("A.position.z < 0.1"), "");
  EXPECT_EQ(of_stop("t > 0.5 && A.velocity.z < 0"), "");
  EXPECT_TRUE(has(of_stop("A.position.z"), "/simulation/stop_when: must be a condition"));
}

std::string of_inertia(const Shape& shape) {
  Pair pair;
  std::get<RigidBody>(pair.model.bodies[0]).inertia = FromShape{.shape = shape, .density = 1000.0};
  return pair.messages();
}

/// An L of height 1.
MeshShape profile(double rounding) {
  const double x[] = {0, 2, 2, 1, 1, 0}, y[] = {0, 0, 1, 1, 2, 2};
  MeshShape mesh;
  for (const double z : {0.0, 1.0}) {
    for (int i = 0; i < 6; ++i) mesh.vertices.emplace_back(x[i], y[i], z);
  }
  for (int k = 1; k < 5; ++k) {
    mesh.triangles.push_back({0, k + 1, k});
    mesh.triangles.push_back({6, k + 6, k + 7});
  }
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, next + 6});
    mesh.triangles.push_back({i, next + 6, i + 6});
  }
  mesh.rounding = rounding;
  return mesh;
}

TEST(Refusals, RoundedShapesHaveAMassIfTheyAreConvex) {
  EXPECT_EQ(of_inertia(Box{.size = {0.3, 0.2, 0.1}, .rounding = 0.02}), "");
  EXPECT_EQ(of_inertia(Cylinder{.radius = 0.2, .length = 0.1, .rounding = 0.02}), "");
  EXPECT_EQ(of_inertia(profile(0)), "");
  EXPECT_TRUE(
      has(of_inertia(profile(0.1)), "/inertia/shape/rounding: of a mesh that is not convex"))
      << of_inertia(profile(0.1));
}

TEST(Refusals, FlatPointsAreToldAsSuch) {
  const std::string told =
      of_inertia(Convex{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.3, 0}}});
  EXPECT_TRUE(has(told, "must not lie in one plane")) << told;
  EXPECT_FALSE(has(told, "no mass")) << told;
}

}  // namespace refusals_test
}  // namespace saltus
