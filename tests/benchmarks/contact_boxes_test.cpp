// SPDX-License-Identifier: Apache-2.0
// Boxes on their corners: more contacts than degrees of freedom. And a plate on 200 points.
#include <numbers>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_boxes_test {

constexpr double g = 9.81;
constexpr double degree = std::numbers::pi / 180;

/// The largest distance of a body from its first place, over all rows.
double wandering(const TableSink& table, const std::string& body) {
  double farthest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    farthest = std::max(
        farthest,
        (table.vector(body + ".position", row) - table.vector(body + ".position", 0)).norm());
  }
  return farthest;
}

/// Whether all points of a contact that touch stick, in the last row.
int points_with_status(const TableSink& table, const Model& model, int status) {
  int count = 0;
  for (const ContactPoint& point : contact_points(model)) {
    count += table.last(point.name + ".status") == status;
  }
  return count;
}

// Sticking is exact but for round-off, which is taken back in the next step.
TEST(BoxOnIncline, RestsForTenSecondsWithoutCreep) {
  const TableSink table = run_example("box_on_incline");
  measured("creep", wandering(table, "box"));
  EXPECT_LE(wandering(table, "box"), 1e-11);
  EXPECT_LE(largest_of(table.column("box.rotation.y")), 1e-11);
  EXPECT_EQ(points_with_status(table, read_example("box_on_incline").model, 2), 4);
}

TEST(BoxOnIncline, CornersCarryTheWeight) {
  const TableSink table = run_example("box_on_incline", {set_end(0.5)});
  const Eigen::Vector3d impulse = table.vector("base.impulse", table.rows() - 1);
  EXPECT_LE((impulse - Eigen::Vector3d(0, 0, 2 * g * 1e-3)).norm(), 1e-12);
}

// At 20° and friction 0.5 it sticks; the limit is atan 0.5 = 26.57°.
TEST(BoxOnIncline, LosesItsHoldAtTheAngleOfFriction) {
  const auto way = [](double mu) {
    return wandering(run_example("box_on_incline",
                                 {set_end(0.2), fmt::format("/model/contacts/0/friction={}", mu)}),
                     "box");
  };
  EXPECT_LE(way(std::tan(20 * degree) + 1e-6), 1e-11);
  EXPECT_GT(way(std::tan(20 * degree) - 1e-3), 1e-5);
}

// A constant acceleration, for which the scheme is exact; it starts from rest, where the first step
// must find the direction of slip.
TEST(BoxSliding, HasTheExactAcceleration) {
  const double a = g * (std::sin(35 * degree) - 0.5 * std::cos(35 * degree));
  const Eigen::Vector3d down(std::cos(35 * degree), 0, -std::sin(35 * degree));
  const TableSink table = run_example("box_sliding");
  double velocity = 0, position = 0, acceleration = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double t = table.time(row);
    const Eigen::Vector3d v = table.vector("box.velocity", row);
    velocity = std::max(velocity, (v - a * t * down).norm());
    position = std::max(position, (table.vector("box.position", row) -
                                   table.vector("box.position", 0) - a * t * t / 2 * down)
                                      .norm());
    acceleration = std::max(acceleration,
                            ((v - table.vector("box.velocity", row - 1)) / 1e-3 - a * down).norm());
  }
  measured("velocity_error", velocity);
  measured("position_error", position);
  measured("acceleration_error", acceleration);
  EXPECT_LE(velocity, 1e-10);
  EXPECT_LE(position, 1e-10);
  EXPECT_LE(acceleration, 1e-10);
}

// What a box of the stack carries is known exactly; how its corners share it is not.
class BoxStack : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(BoxStack, StandsForTenSeconds) {
  const auto [example, top] = GetParam();
  const TableSink table = run_example(example);
  double drift = 0;
  for (int i = 1; i <= 10; ++i) drift = std::max(drift, wandering(table, fmt::format("box_{}", i)));
  measured("drift", drift);
  EXPECT_LE(drift, 1e-8);
  EXPECT_TRUE(table.events("impact").empty());
  EXPECT_TRUE(table.events("opens").empty());
}

TEST_P(BoxStack, EachBoxCarriesTheWeightsAboveIt) {
  const auto [example, top] = GetParam();
  const double h = 5e-3;
  const TableSink table = run_example(example, {set_end(0.5), set_record(1)});
  for (int i = 1; i <= 10; ++i) {
    const double carried = (top + (10 - i)) * g;
    const Eigen::Vector3d impulse =
        table.vector(fmt::format("joint_{}.impulse", i), table.rows() - 1);
    // The contact laws are met to 1e-12 of the largest impulses.
    EXPECT_NEAR(impulse.z() / h, carried, 1e-9 * (top + 9) * g) << "below box " << i;
    EXPECT_LE(std::hypot(impulse.x(), impulse.y()) / h, 1e-9 * (top + 9) * g);
  }
}

INSTANTIATE_TEST_SUITE_P(Stacks, BoxStack,
                         testing::Values(std::pair("box_stack", 1.0),
                                         std::pair("box_stack_heavy", 1000.0)),
                         [](const auto& test) { return std::string(test.param.first); });

TEST(BoxTipping, LandsOnItsSide) {
  const TableSink table = run_example("box_tipping");
  const std::vector<EventRow> impacts = table.events("impact");
  ASSERT_GE(impacts.size(), 2u);  // both corners of the other edge
  measured("landing", impacts[0].time);
  EXPECT_NEAR(table.last("box.position.z"), 0.1, 1e-11);
  EXPECT_NEAR(table.last("box.rotation.y"), std::numbers::pi / 2 - std::atan2(0.1, 0.2) - 0.05,
              1e-9);
  EXPECT_LE(table.last("energy.kinetic"), 1e-24);
  EXPECT_EQ(points_with_status(table, read_example("box_tipping").model, 2), 4);
}

// Until it slips, it is a pendulum about its edge; its energy is that of the reference to first
// order in h.
TEST(BoxTipping, KeepsItsEnergyUntilItLandsToFirstOrder) {
  const auto change = [](double h) {
    const TableSink table = run_example("box_tipping", {set_step(h), set_end(0.6)});
    return std::abs(own_energy(table, table.rows() - 1) - own_energy(table, 0));
  };
  const double coarse = change(2e-3), fine = change(1e-3);
  measured("energy_change", fine);
  measured("order", observed_order(coarse, fine));
  EXPECT_GE(observed_order(coarse, fine), 0.95);
  EXPECT_LE(fine, 4.5 * 1e-3 * 6);  // ω h of the energy that moved, 6 J
}

// Four corners strike in the same step and it stays level.
TEST(BoxDroppedFlat, BouncesWithoutTurning) {
  const TableSink table = run_example("box_dropped_flat");
  const std::vector<EventRow> impacts = table.events("impact");
  ASSERT_GE(impacts.size(), 8u);
  const double first = std::sqrt(2 * 0.5 / g);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(impacts[k].time, first, 1e-3);
  for (std::size_t k = 4; k < 8; ++k) EXPECT_NEAR(impacts[k].time, 2 * first, 2e-3);  // e = 0.5
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += impacts[k].impulse[0];
  EXPECT_NEAR(sum, 1.5 * 2 * g * first, 2 * 2 * g * 1e-3);
  double turning = 0, sliding = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    turning = std::max(turning, table.vector("box.angular_velocity", row).norm());
    sliding = std::max(sliding, table.vector("box.velocity", row).head<2>().norm());
  }
  measured("turning", turning);
  measured("sliding", sliding);
  EXPECT_LE(turning, 1e-9);  // the contact laws are met to 1e-12 of the impulses
  EXPECT_LE(sliding, 1e-10);
  EXPECT_NEAR(table.last("box.position.z"), 0.1, 1e-12);
  EXPECT_LE(table.last("energy.kinetic"), 1e-24);
}

TEST(BoxDroppedCorner, ComesToLieOnAFace) {
  const TableSink table = run_example("box_dropped_corner");
  const double z = table.last("box.position.z");
  measured("height", z);
  const double nearest = std::min({std::abs(z - 0.1), std::abs(z - 0.15), std::abs(z - 0.2)});
  EXPECT_LE(nearest, 1e-11);
  EXPECT_LE(table.last("energy.kinetic"), 1e-24);
  EXPECT_EQ(points_with_status(table, read_example("box_dropped_corner").model, 0), 4);
}

// Contacts that rest do not bounce, whatever their restitution.
TEST(RestingContact, WithRestitutionDoesNotJitter) {
  for (const char* example : {"box_on_incline", "box_stack"}) {
    Settings settings = {set_end(2), set_record(1)};
    const std::size_t contacts = read_example(example).model.contacts.size();
    for (std::size_t i = 0; i < contacts; ++i) {
      settings.push_back(fmt::format("/model/contacts/{}/restitution=0.8", i));
    }
    const TableSink table = run_example(example, settings);
    EXPECT_TRUE(table.events("impact").empty()) << example;
    EXPECT_TRUE(table.events("opens").empty()) << example;
    const std::string body = std::string(example) == "box_stack" ? "box_10" : "box";
    double fastest = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      fastest = std::max(fastest, table.vector(body + ".velocity", row).norm());
    }
    measured(std::string(example) + "_speed", fastest);
    // The contact laws are met to 1e-8 of the impulses at least: of g h = 0.05 m/s in the stack.
    EXPECT_LE(fastest, 1e-8 * 0.05 * 10) << example;
  }
}

TEST(PointsOnFace, APlateSettlesOnTwoHundredPoints) {
  const TableSink table = run_example("points_on_face", {set_record(1)});
  EXPECT_NEAR(table.last("plate.position.z"), 0.05, 1e-10);
  EXPECT_LE(table.last("energy.kinetic"), 1e-20);
  const double weight = 10 * g * 1e-3;
  const Eigen::Vector3d impulse = table.vector("bed.impulse", table.rows() - 1);
  measured("weight_error", (impulse - Eigen::Vector3d(0, 0, weight)).norm() / weight);
  EXPECT_LE((impulse - Eigen::Vector3d(0, 0, weight)).norm(), 1e-8 * weight);
  EXPECT_EQ(contact_points(read_example("points_on_face").model).size(), 200u);
}

}  // namespace contact_boxes_test
}  // namespace saltus::test
