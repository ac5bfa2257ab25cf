// SPDX-License-Identifier: Apache-2.0
// What happens inside of impacts: curves against closed forms and against the rows of events.
#include "saltus/simulation/impact_record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "saltus/core/input_error.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/io/save.hpp"
#include "saltus/simulation/simulation.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::test {
namespace impact_record_test {

Dynamics by_events(double end, const EventDriven& method = {}) {
  return {.end_time = end, .integrator = method, .record = {.impacts = RecordedImpacts{}}};
}

/// A ball of 2 kg that strikes the floor obliquely at 0.1 s and bounces; `floor` and `ball` in the
/// order of the contact.
Model oblique_ball(bool floor_first) {
  Model model;
  model.gravity = Vector3(0, 0, -10);
  const BodyId ball = model.add(RigidBody{.name = "body",
                                          .inertia = solid_sphere(2, 0.1),
                                          .pose = {.position = Vector3(0, 0, 0.1 + 0.15)},
                                          .velocity = {.linear = Vector3(0.6, 0.8, -1)}});
  model.add(Collider{.name = "ball", .frame = at(ball), .shape = Sphere{0.1}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  Contact contact{.name = "touch", .restitution = 0.5, .friction = 0.1};
  contact.between = {floor_first ? "floor" : "ball", floor_first ? "ball" : "floor"};
  model.add(contact);
  return model;
}

/// A block on points of its lower face, which is level.
Model block(const std::vector<Vector3>& places, const Twist& velocity, double height,
            const Contact& law) {
  Model model;
  const BodyId body = model.add(RigidBody{.name = "block",
                                          .inertia = solid_box(2.5, Vector3(1.5, 1.5, 1)),
                                          .pose = {.position = Vector3(0, 0, 0.5 + height)},
                                          .velocity = velocity});
  for (std::size_t i = 0; i < places.size(); ++i)
    model.add(Collider{.name = fmt::format("p{}", i + 1),
                       .frame = at(body, places[i] - Vector3(0, 0, 0.5)),
                       .shape = PointShape{}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  Contact contact = law;
  contact.name = "k";
  contact.between = {"p*", "floor"};
  model.add(contact);
  return model;
}

const std::vector<Vector3> corners = {
    {-0.75, -0.75, 0}, {-0.75, 0.75, 0}, {0.75, -0.75, 0}, {0.75, 0.75, 0}};

std::vector<std::string> warnings_about(const RunReport& report, const std::string& word) {
  std::vector<std::string> found;
  std::ranges::copy_if(report.warnings, std::back_inserter(found), [&](const std::string& text) {
    return text.find(word) != std::string::npos;
  });
  return found;
}

// Of a ball v_n = v + p/m, W_n = v p + p²/(2m). Friction −μ p slows the slip, −(7/2) μ p/m, until
// it stops; then the ball rolls and needs none.
TEST(ImpactRecord, ObliqueBallFollowsItsClosedForm) {
  for (const bool floor_first : {true, false}) {
    Simulation simulation(oblique_ball(floor_first), by_events(0.3));
    simulation.run();
    const Result& result = simulation.result();
    ASSERT_EQ(result.impacts().size(), 1u);
    const ImpactRow& row = result.impacts()[0];
    const double m = 2, mu = 0.1, v = -2, e = 0.5;
    EXPECT_NEAR(row.time, 0.1, 1e-12);
    EXPECT_EQ(row.contact, "touch");
    EXPECT_EQ(row.points, 1);
    EXPECT_NEAR(row.compression_impulse, -m * v, 1e-10);
    EXPECT_NEAR(row.compression_work, -m * v * v / 2, 1e-10);
    EXPECT_NEAR(row.normal_work, -(1 - e * e) * m * v * v / 2, 1e-10);
    ASSERT_GE(row.path.size(), 65u);
    // Along the slip, whatever tangents the results have.
    const Vector3 first = row.path.front().velocity;
    const Eigen::Vector2d d = first.tail<2>().normalized();
    const double slip = first.tail<2>().norm();
    EXPECT_NEAR(slip, 1, 1e-12);
    ASSERT_LT(m * slip / (3.5 * mu), row.impulse);
    for (const ImpactMoment& at : row.path) {
      EXPECT_NEAR(at.velocity[0], v + at.p / m, 1e-11);
      EXPECT_NEAR(at.normal_work, v * at.p + at.p * at.p / (2 * m), 1e-11);
      EXPECT_NEAR(at.group_work, at.normal_work, 1e-13);
      const double s = std::min(at.p, m * slip / (3.5 * mu));  // in which it slips
      EXPECT_NEAR(at.velocity.tail<2>().dot(d), slip - 3.5 * mu * s / m, 1e-11);
      EXPECT_NEAR(at.impulse[0], at.p, 1e-13);
      EXPECT_NEAR(at.impulse.tail<2>().dot(d), -mu * s, 1e-12);
      EXPECT_NEAR(at.friction_work, -mu * (slip * s - 3.5 * mu * s * s / (2 * m)), 1e-11);
    }
    // The ends are those of the row of the event, in the same frame.
    const auto impact = std::ranges::find(result.events(), "impact", &EventRow::kind);
    ASSERT_NE(impact, result.events().end());
    EXPECT_LT((impact->before - row.path.front().velocity).norm(), 1e-12);
    EXPECT_LT((impact->after - row.path.back().velocity).norm(), 1e-12);
    EXPECT_LT((impact->impulse - row.path.back().impulse).norm(), 1e-12);
    EXPECT_NEAR(impact->energy_lost, -row.normal_work - row.friction_work, 1e-11);
  }
}

// A block that rests on one edge falls on the other: two events, and a row for the edge that takes
// no part in the second. Works are what the rows of the events lose.
TEST(ImpactRecord, WorksOfEveryEventAreWhatItsRowsLose) {
  Contact law{.friction = 0.35};
  law.static_friction = 0.6;
  Model model =
      block(corners, {.linear = Vector3(0, 0.4, -1), .angular = Vector3(0.7, 0.3, 2)}, 1e-3, law);
  Dynamics options = by_events(0.2, {.energetic_restitution = 0.5});
  options.record.impacts->most = 100000;
  Simulation simulation(model, options);
  simulation.run();
  const Result& result = simulation.result();
  ASSERT_FALSE(result.impacts().empty());
  std::map<std::pair<double, int>, double> lost, works;
  for (const EventRow& event : result.events())
    if (event.kind == "impact") lost[{event.time, event.order}] += event.energy_lost;
  for (const ImpactRow& row : result.impacts()) {
    if (row.group == 0) {
      EXPECT_EQ(row.impulse, 0);
      continue;
    }
    works[{row.time, row.order}] -= row.normal_work + row.friction_work;
    double sum = 0;
    std::map<std::string, const ImpactMoment*> ends;
    for (const ImpactMoment& at : row.path) ends[at.contact] = &at;
    for (const auto& [name, end] : ends) sum += end->normal_work + end->friction_work;
    EXPECT_NEAR(sum, row.normal_work + row.friction_work, 1e-11);
    EXPECT_EQ(static_cast<int>(ends.size()), row.points);
  }
  for (const auto& [key, work] : works) EXPECT_NEAR(work, lost.at(key), 1e-11);
  EXPECT_EQ(works.size(), lost.size());
}

TEST(ImpactRecord, RecordsTheImpactsThatAreAskedFor) {
  Model model = oblique_ball(true);
  Dynamics all = by_events(3);
  Simulation whole(model, all);
  whole.run();
  const int impacts = whole.result().impacts().back().impact;
  ASSERT_GT(impacts, 5);
  EXPECT_TRUE(warnings_about(whole.result().report(), "record/impacts").empty());
  const double third = whole.result().impacts()[2].time;

  Dynamics some = all;
  some.record.impacts = RecordedImpacts{.contacts = {"touch"}, .after = third - 1e-6, .most = 2};
  Simulation part(model, some);
  part.run();
  ASSERT_EQ(part.result().impacts().size(), 2u);
  EXPECT_EQ(part.result().impacts()[0].time, third);
  EXPECT_EQ(part.result().impacts()[0].impact, 1);
  EXPECT_EQ(warnings_about(part.result().report(), "record/impacts").size(), 1u);

  Dynamics none = all;
  none.record.impacts.reset();
  Simulation without(model, none);
  without.run();
  EXPECT_TRUE(without.result().impacts().empty());
  EXPECT_FALSE(without.layout().has_impacts);
}

TEST(ImpactRecord, NamesThatDoNotExistAreRefused) {
  Dynamics options = by_events(1);
  options.record.impacts->contacts = {"tuch"};
  try {
    Simulation simulation(oblique_ball(true), options);
    FAIL() << "a contact that does not exist";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"touch\"?"), std::string::npos);
  }
}

TEST(ImpactRecord, TimeStepsHaveNoInsides) {
  Dynamics options{.end_time = 0.2, .record = {.impacts = RecordedImpacts{}}};
  Simulation simulation(oblique_ball(true), options);
  simulation.run();
  EXPECT_TRUE(simulation.result().impacts().empty());
  EXPECT_EQ(warnings_about(simulation.result().report(), "record/impacts").size(), 1u);
}

TEST(ImpactRecord, FilesHaveTheRows) {
  const TemporaryDirectory directory;
  Simulation simulation(oblique_ball(true), by_events(0.3));
  simulation.run();
  save(simulation.result(), directory / "ball-out");
  const auto lines = [&](const char* name) {
    std::ifstream file((directory / "ball-out") / name);
    std::vector<std::string> list;
    for (std::string line; std::getline(file, line);) list.push_back(line);
    return list;
  };
  const ImpactRow& row = simulation.result().impacts()[0];
  const auto impacts = lines("impacts.csv"), paths = lines("impact_paths.csv");
  ASSERT_EQ(impacts.size(), 2u);
  EXPECT_EQ(impacts[0],
            "time,impact,order,group,contact,points,restitution,compression_impulse,impulse,"
            "compression_work,normal_work,friction_work,transitions");
  ASSERT_EQ(paths.size(), row.path.size() + 1);
  EXPECT_EQ(paths[0],
            "impact,order,group,contact,p,impulse_n,impulse_t1,impulse_t2,velocity_n,velocity_t1,"
            "velocity_t2,normal_work,friction_work,group_work");
  EXPECT_EQ(paths[1].substr(0, 12), "1,1,1,touch,");
}

TEST(ImpactRecord, FilesMaySayTrueOrWhich) {
  const auto impacts = [](const std::string& text) {
    const std::string model =
        R"({"saltus": 1, "model": {"bodies": [{"type": "point_mass", "mass": 1}]}, "simulation": )"
        R"({"end_time": 1, "integrator": {"type": "event_driven"}, "record": {"impacts": )" +
        text + "}}}";
    return std::get<Dynamics>(parse_model(model, "model").simulation).record.impacts;
  };
  ASSERT_TRUE(impacts("true"));
  EXPECT_EQ(impacts("true")->most, 100);
  EXPECT_FALSE(impacts("false"));
  ASSERT_TRUE(impacts(R"({"after": 2, "most": 3})"));
  EXPECT_EQ(impacts(R"({"after": 2, "most": 3})")->most, 3);
  EXPECT_EQ(impacts(R"({"after": 2, "most": 3})")->after, 2);
  EXPECT_THROW(impacts("3"), InputError);
  EXPECT_THROW(impacts(R"({"most": 0})"), InputError);
}

// Friction within impacts integrates to the tangential impulse of the event, in the same frame, in
// both orders of the colliders.
TEST(ImpactRecord, FrictionOfElastoplasticLawsHasTheFrameOfTheEvents) {
  for (const bool floor_first : {true, false}) {
    Model model = oblique_ball(floor_first);
    const PlasticMaterial steel{.young_modulus = 2e11, .poisson_ratio = 0.3, .yield_strength = 3e8};
    model.contacts[0].elastoplastic =
        ElastoplasticContact{.materials = {steel, steel}, .hardness = 2.8e9};
    Simulation simulation(model, by_events(0.15));
    simulation.run();
    const Result& result = simulation.result();
    const auto row = std::ranges::find(result.forces(), ForceRow::Kind::Impact, &ForceRow::kind);
    const auto impact = std::ranges::find(result.events(), "impact", &EventRow::kind);
    ASSERT_NE(row, result.forces().end());
    Vector3 sum = Vector3::Zero();
    for (std::size_t k = 1; k < row->history.size(); ++k) {
      const ImpactSample &a = row->history[k - 1], &b = row->history[k];
      sum +=
          (b.time - a.time) / 2 *
          Vector3(a.force + b.force, a.friction_t1 + b.friction_t1, a.friction_t2 + b.friction_t2);
    }
    EXPECT_LT((sum - impact->impulse).norm(), 2e-3 * impact->impulse.norm()) << floor_first;
  }
}

// ---- laws point by point, of events of several points

double integral(const std::vector<ImpactSample>& history) {
  double sum = 0;
  for (std::size_t k = 1; k < history.size(); ++k)
    sum += (history[k].time - history[k - 1].time) * (history[k].force + history[k - 1].force) / 2;
  return sum;
}

std::vector<const ForceRow*> impacts_of(const Result& result, double time) {
  std::vector<const ForceRow*> rows;
  for (const ForceRow& row : result.forces())
    if (row.kind == ForceRow::Kind::Impact && std::abs(row.time - time) < 1e-9)
      rows.push_back(&row);
  return rows;
}

// Four corners strike flat: each has a quarter of the impulse, the force of its own law, and all
// the same history. With F = K δ^n one of them is a mass of a quarter of the block on one spring.
TEST(LawsOfPoints, CornersThatStrikeAlikeHaveTheSameForce) {
  for (const bool young : {false, true}) {
    Contact law{.restitution = 0.8};
    if (young) {
      law.young_modulus = 2e11;
      law.radii = {0.01, 0};
    } else {
      law.stiffness = 1e8;
    }
    const double v = 1;
    Model model = block(corners, {.linear = Vector3(0, 0, -v)}, 1e-3, law);
    model.gravity.setZero();
    Simulation simulation(model, by_events(0.01));
    simulation.run();
    const std::vector<const ForceRow*> rows = impacts_of(simulation.result(), 1e-3);
    ASSERT_EQ(rows.size(), 4u);
    for (const ForceRow* row : rows) {
      EXPECT_NEAR(row->impulse, 1.8 * v * 2.5 / 4, 1e-10);
      EXPECT_NEAR(row->approach_speed, v, 1e-12);
      EXPECT_NEAR(row->peak_force, rows[0]->peak_force, 1e-9 * rows[0]->peak_force);
      EXPECT_NEAR(row->duration, rows[0]->duration, 1e-12);
      EXPECT_NEAR(integral(row->history), row->impulse, 3e-3 * row->impulse);
    }
    // A quarter of the block alone.
    Model quarter;
    quarter.gravity.setZero();
    const BodyId alone = quarter.add(RigidBody{.name = "block",
                                               .inertia = solid_sphere(2.5 / 4, 0.1),
                                               .pose = {.position = Vector3(0, 0, 1e-3)},
                                               .velocity = {.linear = Vector3(0, 0, -v)}});
    quarter.add(Collider{.name = "p1", .frame = at(alone), .shape = PointShape{}});
    quarter.add(Collider{.name = "floor", .frame = at(quarter.ground()), .shape = HalfSpace{}});
    Contact one = law;
    one.name = "k";
    one.between = {"p1", "floor"};
    quarter.add(one);
    Simulation single(quarter, by_events(0.01));
    single.run();
    const std::vector<const ForceRow*> expected = impacts_of(single.result(), 1e-3);
    ASSERT_EQ(expected.size(), 1u);
    EXPECT_NEAR(rows[0]->peak_force, expected[0]->peak_force, 1e-9 * rows[0]->peak_force);
    EXPECT_NEAR(rows[0]->duration, expected[0]->duration, 1e-12);
  }
}

// Corners that strike at different speeds: each history integrates to its own impulse, and each has
// its own duration.
TEST(LawsOfPoints, EveryHistoryIntegratesToItsOwnImpulse) {
  const Contact law{.restitution = 0.6, .friction = 0.3, .stiffness = 1e8};
  Model model =
      block(corners, {.linear = Vector3(0.3, 0, -1), .angular = Vector3(0.2, -0.4, 1)}, 0, law);
  model.gravity.setZero();
  Simulation simulation(model, by_events(0.01));
  simulation.run();
  const Result& result = simulation.result();
  std::map<std::pair<std::string, int>, double> impulses;
  for (const EventRow& event : result.events())
    if (event.kind == "impact") impulses[{event.contact, event.order}] = event.impulse[0];
  std::vector<double> durations;
  for (const ForceRow& row : result.forces()) {
    if (row.kind != ForceRow::Kind::Impact) continue;
    EXPECT_NEAR(integral(row.history), row.impulse, 3e-3 * row.impulse);
    const double impulse = impulses.at({row.contact, row.order});
    EXPECT_NEAR(row.impulse, impulse, 1e-12);
    durations.push_back(row.duration);
  }
  ASSERT_GE(durations.size(), 4u);
  EXPECT_GT(std::ranges::max(durations), 1.01 * std::ranges::min(durations));
}

// ---- flat landings with turning slip

TEST(SharesOfPoints, TurningSlipIsToldByName) {
  const Contact law{.friction = 0.2};
  const Twist turning{.linear = Vector3(1, 0.3, -2), .angular = Vector3(0, 0, 3)};
  const Twist straight{.linear = Vector3(1, 0.3, -2)};
  std::vector<Vector3> grid;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) grid.emplace_back(0.5 * i - 0.75, 0.5 * j - 0.75, 0);
  const auto warnings = [&](const std::vector<Vector3>& places, const Twist& velocity,
                            impulse::ShareRule rule, const char* word) {
    Dynamics options = by_events(0.01, {.energetic_restitution = 0.5, .shares = rule});
    Simulation simulation(block(places, velocity, 1e-3, law), options);
    simulation.run();
    return warnings_about(simulation.result().report(), word).size();
  };
  using impulse::ShareRule;
  EXPECT_EQ(warnings(corners, turning, ShareRule::Points, "contact \"k\": in a flat landing"), 1u);
  EXPECT_EQ(warnings(corners, straight, ShareRule::Points, "flat landing"), 0u);
  EXPECT_EQ(warnings(corners, turning, ShareRule::Face, "contact \"k\": its points cannot"), 1u);
  EXPECT_EQ(warnings(corners, straight, ShareRule::Face, "its points cannot"), 0u);
  EXPECT_EQ(warnings(grid, turning, ShareRule::Face, "contact \"k\""), 0u);
}

}  // namespace impact_record_test
}  // namespace saltus::test
