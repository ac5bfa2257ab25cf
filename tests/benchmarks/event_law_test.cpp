// SPDX-License-Identifier: Apache-2.0
// One law in both integrators: by events with the restitution_law "complementarity" and by time
// stepping, impacts come at the same times with the same velocities, but for O(h). Every example
// that both can run and that has an impact, up to the moment from which two runs with different
// steps differ as much: nearly simultaneous impacts whose order decides, bounces that accumulate.
// (pile_100 and the stacks of boxes are left out: they have too many events.)
#include <map>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace event_law_test {

struct Case {
  const char* name;
  double end;
  double step = 1e-3;
  double steps_off = 3;  ///< bound on the difference of times, in steps
  /// Bound on that of velocities, over the largest one, with `step`; a quarter of it with a
  /// quarter.
  double speed_off = 1e-2;
};

const std::vector<Case> cases = {
    {"bernoulli_balls", 0.6},
    {"billiard_break", 0.5},
    {"block_edge_impacts", 0.6},
    {"block_four_point", 0.12},
    {"block_in_slot", 0.4, 2e-4},
    {"block_on_belt", 1.5, 1e-3, 6},
    {"block_surface_4", 1.5},
    {"block_surface_8", 1.5},
    {"block_surface_16", 1.5},
    {"block_surface_25", 0.45},
    {"block_surface_force", 1.5},
    {"bounces_within_a_step", 0.2, 1e-3, 12, 4e-2},
    {"bouncing_ball", 1.5},
    {"bouncing_ball_force", 1.5},
    {"box_dropped_corner", 0.9},
    {"box_dropped_flat", 1.5, 1e-3, 10},
    {"box_tipping", 1.5},
    {"crank_block_impact", 0.1, 1e-4},
    {"cue_ball_collision", 0.2, 1e-4},
    {"hinged_rod_stick", 1},
    {"newtons_cradle", 1.5},
    {"newtons_cradle_unequal", 0.8},
    {"painleve_rod", 1},
    {"pendulum_on_flexible_supports", 1.5},
    {"planar_ball_corner", 0.1},
    {"planar_block", 0.02},
    {"planar_block_friction", 0.02},
    {"rigid_box_impact", 0.69, 1e-3, 3, 6e-2},
    {"rocking_rod_1", 0.44, 1e-3, 4, 2.5e-2},
    {"rocking_rod_2", 0.44, 1e-3, 4, 2.5e-2},
    {"rocking_rod_3", 0.42, 1e-3, 4, 2.5e-2},
    {"rocking_rod_4", 0.4, 1e-3, 10, 2.5e-2},
    // Unstable pendulums between two rocks.
    {"rocking_specimen_1", 1.5, 1e-3, 20, 2.5e-2},
    {"rocking_specimen_2", 1.5, 1e-3, 20, 2.5e-2},
    {"rocking_specimen_4", 1.5, 1e-3, 30, 4e-2},
    {"sphere_corner", 1.5},
    {"superball", 0.3},
    {"three_balls_frictional", 1, 1e-3, 3, 2e-2},
    {"three_balls_frictionless", 1},
    {"three_spheres_plane", 0.7},
    {"three_spheres_plane_frictional", 0.195, 1e-3, 3, 4e-2},
    {"throw_angle", 0.2, 1e-4},
    {"thrown_ball", 1.5},
    {"two_moving_faces", 1.5},
    {"two_sphere_impact", 0.5},
    {"woodpecker_fixed", 0.4, 1e-4, 8, 4e-2},
    {"woodpecker_free", 0.12, 1e-4, 3, 6e-2},
};

const char* const by_events =
    R"({"type":"event_driven","step":1e-3,"restitution_law":"complementarity"})";

TableSink run_by(const Case& c, const std::string& integrator) {
  ModelFile file =
      read_example(c.name, {"/simulation/integrator={\"type\":\"moreau_jean\"}", set_end(c.end)});
  for (Contact& contact : file.model.contacts) contact.elastoplastic.reset();
  const ModelFile options =
      read_example("bouncing_ball", {"/simulation/integrator=" + integrator, set_end(c.end)});
  TableSink table = run_model(file.model, options.simulation);
  EXPECT_TRUE(table.report().converged()) << c.name << ": " << table.report().message;
  return table;
}

double fastest(const std::vector<EventRow>& impacts) {
  double speed = 0;
  for (const EventRow& row : impacts) {
    speed = std::max({speed, row.before.norm(), row.after.norm()});
  }
  return speed;
}

using ByContact = std::map<std::string, std::vector<EventRow>>;

/// Those that are more than the end of bounces and noise.
ByContact of_note(const std::vector<EventRow>& impacts, double speed) {
  ByContact result;
  for (const EventRow& row : impacts) {
    if (row.before[0] < -0.02 * speed) result[row.contact].push_back(row);
  }
  return result;
}

class LawOfImpacts : public testing::TestWithParam<Case> {};

TEST_P(LawOfImpacts, IsTheSameInBothIntegrators) {
  const Case& c = GetParam();
  const TableSink exact = run_by(c, by_events);
  const double speed = fastest(exact.events("impact"));
  const ByContact expected = of_note(exact.events("impact"), speed);
  ASSERT_FALSE(expected.empty());
  for (const double h : {c.step, c.step / 4}) {
    const TableSink table =
        run_by(c, fmt::format(R"({{"type":"nonsmooth_generalized_alpha","step":{}}})", h));
    const ByContact found = of_note(table.events("impact"), speed);
    double late = 0, off = 0;
    for (const auto& [contact, impacts] : expected) {
      ASSERT_TRUE(found.contains(contact)) << contact;
      ASSERT_GE(found.at(contact).size(), impacts.size()) << contact;
      for (std::size_t i = 0; i < impacts.size(); ++i) {
        const EventRow &a = impacts[i], &b = found.at(contact)[i];
        late = std::max(late, std::abs(a.time - b.time) / h);
        off = std::max({off, (a.before - b.before).norm(), (a.after - b.after).norm()});
      }
    }
    measured(fmt::format("steps_off_{:g}", h), late);
    measured(fmt::format("speed_off_{:g}", h), off / speed);
    EXPECT_LE(late, c.steps_off) << "h = " << h;
    EXPECT_LE(off / speed, c.speed_off * h / c.step) << "h = " << h;
  }
}

// Frequency and descent of ten cycles: published with two or three digits, and those of time
// stepping with h = 2.5e-5 s, which differ by O(h).
TEST(LawOfTheWoodpecker, MakesItsLimitCycle) {
  struct {
    const char* name;
    double published[2], steps[2], close;
  } const birds[] = {{"woodpecker_fixed", {7.66, 14.3}, {7.6492, 14.4885}, 1e-3},
                     {"woodpecker_free", {7.96, 7.6}, {7.9501, 7.5687}, 5e-3}};
  for (const auto& bird : birds) {
    const TableSink table = run_by({bird.name, 2}, by_events);
    std::vector<double> beats;
    for (const EventRow& row : table.events("impact", "contact_1")) beats.push_back(row.time);
    ASSERT_GT(beats.size(), 10u);
    const double first = beats[beats.size() - 11], last = beats.back();
    const auto height = [&](double t) {
      return table.at("sleeve.position.y", table.row_at(t)) +
             table.at("sleeve.velocity.y", table.row_at(t)) * (t - table.time(table.row_at(t)));
    };
    const double found[] = {10 / (last - first), 100 * (height(first) - height(last))};
    for (int i = 0; i < 2; ++i) {
      measured(fmt::format("{}_{}", bird.name, i), found[i]);
      EXPECT_NEAR(found[i], bird.published[i], 0.015 * bird.published[i]) << bird.name;
      EXPECT_NEAR(found[i], bird.steps[i], bird.close * bird.steps[i]) << bird.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, LawOfImpacts, testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace event_law_test
}  // namespace saltus::test
