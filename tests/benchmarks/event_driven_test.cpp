// SPDX-License-Identifier: Apache-2.0
// The event-driven integrator against exact motions: events to the last digits, contacts that
// neither sink nor creep, friction at rest and in motion, joints without drift.
#include <numbers>

#include "tests/benchmarks/force_runs.hpp"
#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace event_driven_test {

constexpr double g = 9.81;

/// An example with the event-driven integrator.
TableSink run_by_events(const std::string& name, double end, double step = 1e-2,
                        Settings settings = {}) {
  settings.push_back(
      fmt::format(R"(/simulation/integrator={{"type":"event_driven","step":{}}})", step));
  settings.push_back(set_end(end));
  const ModelFile file = read_example(name, settings);
  TableSink table = run_model(file.model, file.simulation);
  EXPECT_TRUE(table.report().converged()) << name << ": " << table.report().message;
  EXPECT_LE(largest_of(table.column("energy.residual")), 1e-8 * (1 + energy_turnover(table)));
  EXPECT_LE(table.report().max_penetration, 1e-12);
  return table;
}

TableSink run_completed(const std::string& text) {
  TableSink table = run_text(text);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  return table;
}

/// A box of 2 kg on the floor.
std::string box_model(const std::string& velocity, const std::string& contact,
                      const std::string& forces, double end) {
  return fmt::format(
      R"({{"saltus":1,"model":{{"bodies":[{{"name":"box","type":"rigid","inertia":{{"type":"solid_box",
      "mass":2,"size":[0.2,0.2,0.1]}},"pose":{{"position":[0,0,0.05]}},"velocity":{{{}}}}}],
      "forces":[{}],
      "colliders":[{{"name":"skin","frame":{{"body":"box"}},"shape":{{"type":"box","size":[0.2,0.2,0.1]}}}},
      {{"name":"floor","frame":{{"body":"ground"}},"shape":{{"type":"half_space","normal":[0,0,1]}}}}],
      "contacts":[{{"name":"k","between":["floor","skin"],{}}}]}},
      "simulation":{{"end_time":{},"integrator":{{"type":"event_driven"}}}}}})",
      velocity, forces, contact, end);
}

TEST(EventDriven, BouncesAreExactAndComeToAnEnd) {
  const double e = 0.8, radius = 0.1, height = 1;
  const TableSink table = run_completed(fmt::format(
      R"({{"saltus":1,"model":{{"bodies":[{{"name":"ball","type":"rigid","inertia":{{"type":"solid_sphere",
      "mass":1,"radius":{}}},"pose":{{"position":[0,0,{}]}}}}],
      "colliders":[{{"name":"skin","frame":{{"body":"ball"}},"shape":{{"type":"sphere","radius":{}}}}},
      {{"name":"floor","frame":{{"body":"ground"}},"shape":{{"type":"half_space","normal":[0,0,1]}}}}],
      "contacts":[{{"name":"k","between":["floor","skin"],"restitution":{}}}]}},
      "simulation":{{"end_time":6,"integrator":{{"type":"event_driven"}}}}}})",
      radius, height + radius, radius, e));
  const std::vector<EventRow> impacts = table.events("impact");
  const double fall = std::sqrt(2 * height / g);
  double time = fall, flight = 2 * e * fall, worst = 0;
  ASSERT_GT(impacts.size(), 40u);
  for (std::size_t k = 0; k < 40; ++k, time += flight, flight *= e) {
    worst = std::max(worst, std::abs(impacts[k].time - time));
  }
  measured("worst_time", worst);
  EXPECT_LE(worst, 1e-12);
  ASSERT_EQ(table.events("closes").size(), 1u);
  EXPECT_NEAR(table.events("closes")[0].time, fall * (1 + e) / (1 - e), 1e-4);
  EXPECT_NEAR(table.last("ball.position.z"), radius, 1e-15);
}

TEST(EventDriven, ASlidingBoxStopsWhereItShould) {
  const TableSink table =
      run_completed(box_model(R"("linear":[1,0,0])", R"("friction":0.3)", "", 1));
  const std::vector<EventRow> sticks = table.events("sticks");
  ASSERT_EQ(sticks.size(), 4u);
  for (const EventRow& event : sticks) EXPECT_NEAR(event.time, 1 / (0.3 * g), 1e-11);
  EXPECT_NEAR(table.last("box.position.x"), 1 / (2 * 0.3 * g), 1e-11);
  EXPECT_NEAR(table.last("energy.friction_loss"), 1, 1e-10);
  EXPECT_NEAR(table.last("box.position.z"), 0.05, 1e-14);
}

/// A force that grows with time: the box holds until μ_s N and then slides with μ N.
TEST(EventDriven, StaticFrictionHoldsLongerThanKinetic) {
  const TableSink table = run_completed(box_model(
      R"("linear":[0,0,0])", R"("friction":0.2,"static_friction":0.5)",
      R"({"type":"force","on":{"body":"box","position":[0,0,-0.05]},"value":[{"type":"expression","text":"20*t"},0,0]})",
      1));
  const double onset = 0.5 * 2 * g / 20;
  const std::vector<EventRow> slips = table.events("slips");
  ASSERT_EQ(slips.size(), 4u);
  for (const EventRow& event : slips) EXPECT_NEAR(event.time, onset, 1e-10);
  const auto speed = [&](double t) {
    return (20 * (t * t - onset * onset) / 2) / 2 - 0.2 * g * (t - onset);
  };
  EXPECT_NEAR(table.last("box.velocity.x"), speed(1), 1e-9);
  EXPECT_NEAR(table.at("box.velocity.x", table.row_at(0.4)), 0, 1e-20);
}

/// A spring holds a box back on a running belt: it sticks while the force of the spring goes from
/// 2μ − μ_s to μ_s times the weight.
TEST(EventDriven, StickAndSlipOnABeltTakeTurns) {
  const double mu = 0.2, mu_s = 0.4, k = 50, v = 0.2;
  std::string text = box_model(
      R"("linear":[0.2,0,0])", R"("friction":0.2,"static_friction":0.4)",
      R"({"type":"spring_damper","between":[{"body":"ground","position":[-1,0,0.05]},{"body":"box"}],"stiffness":50,"rest_length":1})",
      5);
  const std::string floor = R"("normal":[0,0,1])";
  text.replace(text.find(floor), floor.size(), R"("normal":[0,0,1],"surface_velocity":[0.2,0,0])");
  const TableSink table = run_completed(text);
  std::vector<EventRow> sticks = table.events("sticks", "k.floor.skin.0");
  const std::vector<EventRow> slips = table.events("slips", "k.floor.skin.0");
  ASSERT_GE(slips.size(), 3u);
  const double first = mu_s * 2 * g / (k * v), later = 2 * (mu_s - mu) * 2 * g / (k * v);
  EXPECT_NEAR(slips[0].time, first, 1e-8);
  double worst = 0;
  for (std::size_t i = 1; i < slips.size(); ++i) {
    const auto before = std::find_if(sticks.rbegin(), sticks.rend(), [&](const EventRow& stick) {
      return stick.time < slips[i].time;
    });
    worst = std::max(worst, std::abs(slips[i].time - before->time - later));
  }
  measured("stick_time", worst);
  EXPECT_LE(worst, 1e-8);
}

TEST(EventDriven, AMassOnAnInclineStopsAndDoesNotCreep) {
  const TableSink table = run_by_events("incline_point_mass", 10);
  const double stop = known("incline_point_mass", "time of the stop");  // and the way, in metres
  EXPECT_NEAR(table.last("mass.position.x"), stop, 1e-10);
  ASSERT_EQ(table.events("sticks").size(), 1u);
  EXPECT_NEAR(table.events("sticks")[0].time, stop, 1e-10);
}

TEST(EventDriven, JointsDoNotDrift) {
  const TableSink table = run_by_events("four_bar", 2);
  EXPECT_LE(table.report().max_position_violation, 1e-12);
  EXPECT_LE(table.report().max_velocity_violation, 1e-11);
}

TEST(EventDriven, ASphereBeginsToRollWhereItShould) {
  const TableSink events = run_by_events("sphere_sliding", 1.5);
  const TableSink steps = run_example("sphere_sliding", {set_end(1.5), set_step(1e-4)});
  EXPECT_NEAR(events.last("ball.position.x"), steps.last("ball.position.x"), 1e-4);
}

TEST(EventDriven, ADroppedBoxComesToRestWithoutWinningEnergy) {
  const TableSink table = run_by_events("box_dropped_corner", 2);
  EXPECT_LE(energy_gain(table), 1e-10);
}

std::string by_rigid_body_rule(std::string model) {
  return model.replace(model.find(R"("event_driven")"), 14,
                       R"("event_driven","hyperstatic_forces":"rigid_body")");
}

/// Normal impulses of the corners of a box in the last interval.
std::vector<double> normal_impulses(const TableSink& table) {
  std::vector<double> impulses;
  for (int i = 0; i < 8; ++i)
    impulses.push_back(table.last(fmt::format("k.floor.skin.{}.impulse.n", i)));
  return impulses;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

TEST(EventDriven, HyperstaticForcesAtRestAreTheSameByEitherRule) {
  const std::string model = box_model(
      R"("linear":[0,0,0])", R"("friction":0.3)",
      R"({"type":"force","on":{"body":"box","position":[0.02,0.01,0]},"value":[2,1,-5]})", 0.1);
  const TableSink least = run_completed(model), rigid = run_completed(by_rigid_body_rule(model));
  const std::vector<double> a = normal_impulses(least), b = normal_impulses(rigid);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
  EXPECT_NEAR(sum_of(a), (2 * g + 5) * 0.01, 1e-10);
}

/// Sliding and spinning: the rule shares the load by slip speeds as far as equilibrium allows.
TEST(EventDriven, HyperstaticForcesOfSlidingPointsDependOnTheRule) {
  const std::string model =
      box_model(R"("linear":[1,0,0],"angular":[0,0,4])", R"("friction":0.3)", "", 0.1);
  const TableSink least = run_completed(model), rigid = run_completed(by_rigid_body_rule(model));
  const std::vector<double> a = normal_impulses(least), b = normal_impulses(rigid);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_GE(a[i], 0);
    EXPECT_GE(b[i], 0);
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  EXPECT_NEAR(sum_of(a), 2 * g * 0.01, 1e-9);
  EXPECT_NEAR(sum_of(b), 2 * g * 0.01, 1e-9);
  EXPECT_GT(largest, 1e-4 * sum_of(a));
}

/// A ball that rolls into a wall leaves the floor alone; one coefficient for the whole impact does
/// not change that.
TEST(EventDriven, AWallDoesNotMakeTheFloorKick) {
  for (const char* whole : {"", R"(,"energetic_restitution":1)"}) {
    const TableSink table = run_completed(fmt::format(
        R"({{"saltus":1,"model":{{"bodies":[{{"name":"ball","type":"rigid","inertia":{{"type":"solid_sphere",
        "mass":1,"radius":0.1}},"pose":{{"position":[0,0,0.1]}},"velocity":{{"linear":[3,0,0]}}}}],
        "colliders":[{{"name":"skin","frame":{{"body":"ball"}},"shape":{{"type":"sphere","radius":0.1}}}},
        {{"name":"floor","frame":{{"body":"ground"}},"shape":{{"type":"half_space","normal":[0,0,1]}}}},
        {{"name":"wall","frame":{{"body":"ground","position":[0.5,0,0]}},"shape":{{"type":"half_space","normal":[-1,0,0]}}}}],
        "contacts":[{{"name":"k","between":[["floor","wall"],"skin"],"restitution":1}}]}},
        "simulation":{{"end_time":0.3,"integrator":{{"type":"event_driven"{}}}}}}})",
        whole));
    EXPECT_NEAR(table.last("ball.velocity.x"), -3, 1e-12) << whole;
    EXPECT_NEAR(table.last("ball.velocity.z"), 0, 1e-12) << whole;
  }
}

/// Without a coefficient of the whole impact each plane has its own.
TEST(EventDriven, ACornerTurnsBackEachVelocityByItsOwnRestitution) {
  const TableSink table = run_completed(
      R"({"saltus":1,"model":{"gravity":[0,0,0],"bodies":[{"name":"mass","type":"point_mass","mass":1,
      "pose":{"position":[-1.5,0,0.5]},"velocity":{"linear":[3,0,-1]}}],
      "colliders":[{"name":"skin","frame":{"body":"mass"},"shape":{"type":"point"}},
      {"name":"floor","frame":{"body":"ground"},"shape":{"type":"half_space","normal":[0,0,1]}},
      {"name":"wall","frame":{"body":"ground"},"shape":{"type":"half_space","normal":[-1,0,0]}}],
      "contacts":[{"name":"a","between":["floor","skin"],"restitution":0.5},
      {"name":"b","between":["wall","skin"],"restitution":0.8}]},
      "simulation":{"end_time":1,"integrator":{"type":"event_driven"}}})");
  EXPECT_NEAR(table.last("mass.velocity.x"), -2.4, 1e-12);
  EXPECT_NEAR(table.last("mass.velocity.z"), 0.5, 1e-12);
}

/// A very light link between a heavy bob and its hinge: joints hold whatever the masses.
TEST(EventDriven, JointsAreNotSoft) {
  const TableSink table = run_completed(
      R"({"saltus":1,"model":{"gravity":[0,0,0],"bodies":[
      {"name":"plate","type":"rigid","inertia":{"type":"solid_box","mass":1,"size":[0.1,1,1]},"pose":{"position":[0.05,0,0]}},
      {"name":"ball","type":"rigid","inertia":{"type":"solid_sphere","mass":1e6,"radius":0.1},"pose":{"position":[-1,0,0]},"velocity":{"linear":[3,0,0]}}],
      "joints":[{"name":"hold","type":"fixed","bodies":["ground","plate"],"at":[0.05,0,0]}],
      "colliders":[{"name":"skin","frame":{"body":"ball"},"shape":{"type":"sphere","radius":0.1}},
      {"name":"front","frame":{"body":"plate","position":[-0.05,0,0]},"shape":{"type":"face","normal":[-1,0,0]}}],
      "contacts":[{"name":"k","between":["front","skin"],"restitution":1}]},
      "simulation":{"end_time":0.5,"integrator":{"type":"event_driven"}}})");
  EXPECT_NEAR(table.last("ball.velocity.x"), -3, 1e-9);
  EXPECT_NEAR(table.last("energy.external_work"), 0, 1e-3);
}

TEST(EventDriven, LocalLawsSeeExactSpeedsAndForces) {
  const ForceSink table = run_forces(
      "bouncing_ball_force", {R"(/simulation/integrator={"type":"event_driven","step":1e-2})",
                              "/model/contacts/bounce/restitution=0.7", set_end(0.6)});
  ASSERT_FALSE(table.impacts().empty());
  const ForceRow impact = table.impacts().front();
  constexpr double gravity = 9.8;  // of the example
  EXPECT_NEAR(impact.approach_speed, std::sqrt(2 * gravity), 1e-10);
  EXPECT_NEAR(impact.time, std::sqrt(2 / gravity), 1e-12);
  EXPECT_GT(impact.peak_force, 0);

  const std::string resting =
      box_model(R"("linear":[0,0,0])", R"("friction":0.3,"stiffness":1e8)", "", 0.1);
  const ModelFile rest = parse_model(resting, "model.json");
  const ForceSink still = run_forces(rest.model, rest.simulation);
  ASSERT_FALSE(still.forces().empty());
  for (const ForceRow& row : still.forces()) {
    EXPECT_EQ(row.kind, ForceRow::Kind::Step);
    EXPECT_NEAR(row.continuous_force, 2 * g / 4, 1e-9);
  }
}

}  // namespace event_driven_test
}  // namespace saltus::test
