// SPDX-License-Identifier: Apache-2.0
// Colliders on flexible bodies: those that touch nothing change nothing, those that stiffen say so.
#include <gtest/gtest.h>

#include <algorithm>

#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace unused_colliders_test {

const ElasticMaterial rubber{.young_modulus = 1e6, .poisson_ratio = 0.3, .density = 1000};
const Dynamics options{.end_time = 0.02, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}};

/// A soft block that is clamped at x_min and bends under its weight.
Model block() {
  Model model{.gravity = {0, 0, -10}};
  const BodyId body =
      model.add(Solid{.name = "block",
                      .mesh = BoxMesh{.size = {0.4, 0.1, 0.1}, .divisions = {4, 2, 2}},
                      .material = rubber});
  model.add(Fixed{.between = {{.body = ground_body, .position = {-0.2, 0, 0}},
                              {.body = body, .nodes = "x_min"}}});
  return model;
}

/// A beam clamped at its start.
Model beam() {
  Model model{.gravity = {0, 0, -10}};
  const BodyId body = model.add(Beam{.name = "rod",
                                     .start = {0, 0, 0},
                                     .end = {1, 0, 0},
                                     .elements = 4,
                                     .section = RectangularSection{0.05, 0.03},
                                     .material = rubber});
  model.add(Fixed{.between = {at(model.ground()), {.body = body, .node = 0}}});
  return model;
}

std::vector<double> frequencies(const Model& model) {
  std::vector<double> all;
  for (const Mode& mode : Simulation(model, Modes{.count = 4}).run().modes) {
    all.push_back(mode.frequency());
  }
  return all;
}

std::vector<double> rows(const Model& model) {
  Simulation simulation(model, options);
  EXPECT_TRUE(simulation.run_until(options.end_time).converged());
  const Result& result = simulation.result();
  const double* values = result.values().get();
  return {values, values + result.rows() * result.columns().size()};
}

Collider on_set(const char* set, const Shape& shape) {
  return {"pad", {.body = BodyId{0}, .nodes = set}, shape};
}

void expect_no_change(const Model& bare, const Collider& collider) {
  Model dressed = bare;
  dressed.add(collider);
  EXPECT_EQ(frequencies(bare), frequencies(dressed));
  EXPECT_EQ(rows(bare), rows(dressed));
}

TEST(UnusedColliders, LeaveASolidAsItIs) {
  expect_no_change(block(), on_set("x_max", Face{.normal = {1, 0, 0}}));
  expect_no_change(block(), on_set("z_max", Box{.size = {3, 2, 1}}));
  expect_no_change(block(), on_set("all", HalfSpace{}));
}

TEST(UnusedColliders, LeaveABeamAsItIs) {
  expect_no_change(beam(), on_set("end", Box{.size = {3, 2, 1}}));
  expect_no_change(beam(), {"pad", {.body = BodyId{0}, .arclength = 0.31}, Sphere{.radius = 7}});
}

/// A ball beside the body, with a contact that selects everything.
Model with_ball(Model model) {
  const BodyId ball =
      model.add(PointMass{.name = "ball", .mass = 0.1, .pose = {.position = {0.2, 0, 5}}});
  model.add(Collider{"skin", at(ball), PointShape{}});
  model.add(Contact{.name = "hit", .between = {{"skin"}, {"*"}}});
  return model;
}

std::vector<std::string> warnings(const Model& model) {
  Simulation simulation(model, options);
  return simulation.run_until(options.end_time).warnings;
}

bool speaks_of_rigid(const std::vector<std::string>& list) {
  return std::ranges::any_of(list, [](const std::string& text) {
    return text.find(
               "collider \"pad\": its face makes the node set \"z_max\" of solid \"block\" "
               "rigid") != std::string::npos;
  });
}

// A point and a groove cannot touch: selected is not used, which is told, and makes nothing rigid.
TEST(UnusedColliders, AreThoseWithoutAPartner) {
  Model model = with_ball(block());
  model.add(Collider{"floor", {.body = ground_body, .position = {0, 0, -3}}, HalfSpace{}});
  const Model bare = model;
  model.add(on_set("z_max", Groove{.radius = 0.1, .ring_radius = 1}));
  EXPECT_EQ(rows(bare), rows(model));
  const std::vector<std::string> told = warnings(model);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("cannot touch"), std::string::npos) << told[0];
  EXPECT_FALSE(speaks_of_rigid(told));
}

TEST(RigidNodeSets, OfCollidersThatMayTouchAreToldByName) {
  Model model = with_ball(block());
  model.add(on_set("z_max", Face{}));
  EXPECT_TRUE(speaks_of_rigid(warnings(model)));
}

TEST(RigidNodeSets, OfPointsUnusedFacesAndJointsAreNot) {
  Model points = with_ball(block());
  points.add(on_set("z_max", Sphere{.radius = 0.01}));
  EXPECT_TRUE(warnings(points).empty());

  Model unused = block();
  unused.add(on_set("z_max", Face{}));
  EXPECT_TRUE(warnings(unused).empty());

  Model tied = with_ball(block());
  tied.add(on_set("z_max", Face{}));
  tied.add(SpringDamper{.between = {{.body = ground_body, .position = {0, 0, 3}},
                                    {.body = BodyId{0}, .nodes = "z_max"}},
                        .stiffness = 1});
  EXPECT_FALSE(speaks_of_rigid(warnings(tied)));
}

}  // namespace unused_colliders_test
}  // namespace saltus
