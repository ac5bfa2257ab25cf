// SPDX-License-Identifier: Apache-2.0
//
// Joints with clearance: pins in bores and a block in a slot (Sanchez C-4 and beyond).
#include <array>

#include "tests/support/contact_checks.hpp"
#include "tests/support/random.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace clearance_test {

constexpr double turn = 0.012;  // s, at 5000 rpm

std::size_t row_at(const TableSink& table, double time) {
  std::size_t best = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (std::abs(table.time(row) - time) < std::abs(table.time(best) - time)) best = row;
  }
  return best;
}

TEST(ClearanceSliderCrank, WithoutClearanceThePinCarriesTheSlidersInertia) {
  const TableSink table = run_example("clearance_slider_crank_ideal");
  const auto force = [&](double time) {
    return std::abs(table.at("slider_pin.force.x", row_at(table, time)));
  };
  measured("at_0", force(turn));
  measured("at_180", force(1.5 * turn));
  const std::string name = "clearance_slider_crank_ideal";
  EXPECT_TRUE(agrees(force(turn), name, "pin force at 0°"));
  EXPECT_TRUE(agrees(force(1.5 * turn), name, "pin force at 180°"));
  EXPECT_TRUE(agrees(largest_of(table.column("slider.velocity.x")), name, "speed of the slider"));
}

/// Share of the second turn in which the pin touches the eye.
double contact_share(const TableSink& table) {
  double closed = 0, all = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.time(row) <= turn) continue;
    ++all;
    if (table.at("joint.impulse.n", row) != 0) ++closed;
  }
  return closed / all;
}

TEST(ClearanceSliderCrank, WithLittleClearanceThePinHardlyLeavesTheEyeAndWithMoreItDoes) {
  const Settings settings = {"/simulation/integrator/step=2e-6", set_record(1)};
  const TableSink little = run_troubled("clearance_slider_crank_005", settings);
  const TableSink more = run_troubled("clearance_slider_crank_010", settings);
  for (const TableSink* table : {&little, &more}) {
    EXPECT_TRUE(table->report().converged()) << table->report().message;
    EXPECT_LE(table->report().max_penetration, 1e-12);
    EXPECT_LE(largest_of(table->column("energy.residual")), 1e-9 * energy_turnover(*table));
  }
  measured("share_005", contact_share(little));
  measured("share_010", contact_share(more));
  EXPECT_GE(contact_share(little), 0.97);
  EXPECT_LE(contact_share(more), 0.95);
  EXPECT_GE(contact_share(more), 0.5);
}

TEST(ClearanceSliderCrank, TheSliderMovesAlmostAsWithoutClearance) {
  const TableSink table =
      run_troubled("clearance_slider_crank_010", {"/simulation/integrator/step=1e-5"});
  const double fastest = largest_of(table.column("slider.velocity.x"));
  measured("fastest", fastest);
  EXPECT_TRUE(agrees(fastest, "clearance_slider_crank_010", "speed of the slider"));
}

// The pin's two ends touch on opposite sides; without friction lever and weight decide.
TEST(PinInBore, ACantileverIsCarriedByBothEnds) {
  const TableSink table =
      run_troubled("pin_in_bore", {"/model/contacts/0/friction=0", "/simulation/end_time=0.2"});
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_LE(table.report().max_penetration, 1e-9);
  const std::size_t last = table.rows() - 1;
  const double h = 1e-4, weight = 2 * 9.81;
  double up = 0, down = 0;
  for (const char* point :
       {"fit.bore.pin.1", "fit.bore.pin.2", "fit.bore.pin.3", "fit.bore.pin.6"}) {
    const double force = table.at(std::string(point) + ".impulse.z", last) / h;
    (force > 0 ? up : down) += force;
  }
  measured("near_end_over_weight", up / weight);
  // Nothing holds the pin along the bore: it has slipped out a little, so that the bore's rim and
  // the pin's inner end touch.
  const double out = table.at("bracket.position.x", last) - 0.15, base = 0.1 - out;
  EXPECT_NEAR(out, 0, 2e-3);
  EXPECT_NEAR(up, 0.2 / base * weight, 1e-3 * weight);
  EXPECT_NEAR(down, -(0.2 / base - 1) * weight, 1e-3 * weight);
  EXPECT_NEAR(up + down, weight, 1e-4 * weight);
  // The tilt closes the clearance of 0.1 mm at both points.
  EXPECT_TRUE(
      agrees(table.at("bracket.rotation.y", last) * base, "pin_in_bore", "tilt times lever"));
}

/// A pendulum about x, from 60 degrees, on a disc in a bore, or on a revolute joint if there is no
/// clearance: where it is after a second.
Vector3 pendulum(double clearance) {
  Model model;
  const Vector3 along(0, std::sin(M_PI / 3), -std::cos(M_PI / 3)), arm = 0.3 * along;
  const BodyId body = model.add(RigidBody{.name = "pendulum",
                                          .inertia = solid_sphere(1, 0.05),
                                          .pose = {.position = arm + clearance * along}});
  if (clearance > 0) {
    const Direction axis(1, 0, 0);
    model.add(Collider{.name = "bore",
                       .frame = at(model.ground()),
                       .shape = Bore{.radius = 0.01 + clearance, .length = 0.02, .axis = axis}});
    model.add(Collider{.name = "pin",
                       .frame = at(body, -arm),
                       .shape = Cylinder{.radius = 0.01, .length = 0, .axis = axis}});
    model.add(Contact{.name = "joint", .between = {"bore", "pin"}});
  } else {
    model.add(Revolute{.name = "hinge",
                       .bodies = {model.ground(), body},
                       .at = Vector3(Vector3::Zero()),
                       .axis = Direction(1, 0, 0)});
  }
  const Dynamics options{.end_time = 1, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}};
  const TableSink table = run_model(model, options);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  const std::size_t last = table.rows() - 1;
  return {table.at("pendulum.position.x", last), table.at("pendulum.position.y", last),
          table.at("pendulum.position.z", last)};
}

TEST(PinInBore, TheIdealJointIsTheLimit) {
  const Vector3 ideal = pendulum(0);
  const double coarse = (pendulum(1e-4) - ideal).norm(), fine = (pendulum(1e-5) - ideal).norm();
  measured("over_clearance", coarse / 1e-4);
  EXPECT_LE(coarse, 20 * 1e-4);
  EXPECT_NEAR(coarse / fine, 10, 5);
}

/// A body that flies to and fro in a hollow one, across the clearance within a step or several
/// times: the kinetic energy after 20 steps, before it 0.125 J.
double energy_after_crossings(const Shape& inside, const Shape& hollow, const Vector3& start,
                              double e) {
  Model model;
  model.gravity.setZero();
  const BodyId body = model.add(RigidBody{.name = "pin",
                                          .inertia = solid_sphere(1, 0.01),
                                          .pose = {.position = start},
                                          .velocity = {{0.5, 0, 0}, Vector3::Zero()}});
  model.add(Collider{.name = "hollow", .frame = at(model.ground()), .shape = hollow});
  model.add(Collider{.name = "inside", .frame = at(body), .shape = inside});
  model.add(Contact{.name = "fit", .between = {"hollow", "inside"}, .restitution = e});
  const Dynamics options{.end_time = 0.02, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}};
  const TableSink table = run_model(model, options);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_GE(table.report().impacts, 1);
  for (const double energy : table.column("energy.kinetic")) EXPECT_LE(energy, 0.125 + 1e-9);
  return table.at("energy.kinetic", table.rows() - 1);
}

TEST(PinInBore, CrossingsWithinAStepWinNoEnergyAndBounce) {
  Random random(7);
  for (const double clearance : {5e-4, 2e-4, 1e-4, 5e-5}) {
    const double r = 0.01, R = r + clearance;
    const std::array<std::pair<Shape, Shape>, 3> pairs = {
        {{Cylinder{.radius = r}, Bore{.radius = R, .length = 0.04}},
         {Sphere{.radius = r}, Bore{.radius = R, .length = 0.04}},
         {Sphere{.radius = r}, HollowSphereShape{.radius = R}}}};
    for (const auto& [inside, hollow] : pairs) {
      for (int i = 0; i < 5; ++i) {
        Vector3 start = 0.5 * clearance * random.vector();
        start.z() = 0;
        if (i == 0) start.setZero();
        energy_after_crossings(inside, hollow, start, 0.8);
      }
      EXPECT_NEAR(energy_after_crossings(inside, hollow, Vector3::Zero(), 1), 0.125, 1e-9);
    }
  }
}

TEST(BlockInSlot, StaysInTheSlotAndChangesSides) {
  const TableSink table = run_troubled("block_in_slot");
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_LE(table.report().max_penetration, 1e-9);
  double lowest = 1, highest = -1;
  for (const double y : table.column("block.position.y")) {
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  }
  EXPECT_GE(lowest, -2.0001e-4);
  EXPECT_LE(highest, 2.0001e-4);
  EXPECT_LE(lowest, -1.9e-4);
  EXPECT_GE(highest, 1.9e-4);
}

}  // namespace clearance_test
}  // namespace saltus::test
