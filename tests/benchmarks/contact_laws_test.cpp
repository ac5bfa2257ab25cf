// SPDX-License-Identifier: Apache-2.0
// What holds in every example with contacts: no penetration, joints closed, an energy ledger that
// closes, losses that are losses, and the same bytes twice.
#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_laws_test {

struct Case {
  const char* example;
  double end = 0;  ///< s; 0: as in the file
};

/// A run of an example, shared by the tests of this file.
const TableSink& run_of(const Case& example) {
  static std::map<std::string, TableSink> runs;
  auto found = runs.find(example.example);
  if (found == runs.end()) {
    Settings settings = {set_record(1)};
    if (example.end > 0) settings.push_back(set_end(example.end));
    found = runs.emplace(example.example, run_troubled(example.example, settings)).first;
  }
  return found->second;
}

class ContactLaws : public testing::TestWithParam<Case> {
 protected:
  const TableSink& table() const { return run_of(GetParam()); }
};

TEST_P(ContactLaws, TheRunIsCompletedWithFiniteNumbers) {
  EXPECT_TRUE(table().report().converged()) << table().report().message;
  EXPECT_GE(read_example(GetParam().example).comment.size(), 100u) << "what should one see?";
  EXPECT_TRUE(std::isfinite(largest_of(table().column("energy.residual"))));
}

TEST_P(ContactLaws, NothingPenetratesAndJointsHold) {
  const RunReport& report = table().report();
  measured("penetration", report.max_penetration);
  measured("position_violation", report.max_position_violation);
  EXPECT_LE(report.max_penetration, 1e-9);
  EXPECT_LE(report.max_position_violation, 1e-9);
  EXPECT_LE(report.max_velocity_violation, 1e-9);
}

// Each term is computed by itself; what is left over is Newton's tolerance and round-off. Where
// nothing moves, round-off of the energy that is stored is all there is.
TEST_P(ContactLaws, TheEnergyLedgerCloses) {
  const double turnover = energy_turnover(table());
  const double stored = std::abs(own_energy(table(), 0)) + table().at("energy.kinetic", 0);
  const double residual = largest_of(table().column("energy.residual"));
  measured("residual", residual);
  measured("turnover", turnover);
  EXPECT_LE(residual, 1e-9 * turnover + 1e-12 * stored);
}

// Contact impulses act along the normals and tangents at the end of a step. Where a body turns over
// them, and in its tumbling, the scheme wins or loses h ω of the energy that moves: 4e-4 in the
// worst example.
TEST_P(ContactLaws, NoEnergyIsWon) {
  const double gain = energy_gain(table());
  const double turnover = energy_turnover(table());
  const double stored = std::abs(own_energy(table(), 0));
  measured("gain_over_turnover", gain / turnover);
  EXPECT_LE(gain, 5e-4 * turnover + 1e-12 * stored);
}

/// m (g h)² of all bodies: the energy of a bounce that begins and ends within a step.
double unresolved_bounce(const ModelFile& file) {
  const double h = step_of(std::get<Dynamics>(file.simulation).integrator);
  double mass = 0;
  const System system(file.model);
  for (const RigidInertia& inertia : system.elements().inertias) mass += inertia.mass;
  return mass * file.model.gravity.squaredNorm() * h * h;
}

// Friction takes energy, and so do impacts: their sums never fall, but for what a step does not
// resolve.
TEST_P(ContactLaws, LossesAreLosses) {
  const double small =
      1e-6 * energy_turnover(table()) + unresolved_bounce(read_example(GetParam().example));
  for (const char* kind : {"energy.friction_loss", "energy.impact_loss"}) {
    const std::vector<double>& loss = table().column(kind);
    double highest = 0, fall = 0, when = 0;
    for (std::size_t row = 0; row < loss.size(); ++row) {
      highest = std::max(highest, loss[row]);
      if (highest - loss[row] > fall) when = table().time(row);
      fall = std::max(fall, highest - loss[row]);
    }
    measured(std::string(kind) + "_fall", fall);
    EXPECT_LE(fall, small) << kind << " falls until t = " << when;
  }
}

// Coulomb's and Signorini's laws on what is recorded: impulses press, stay in the cone, and
// friction opposes the slip.
TEST_P(ContactLaws, RecordedImpulsesObeyTheLaws) {
  const Model model = read_example(GetParam().example).model;
  for (const auto& [name, friction] : contact_points(model)) {
    if (!table().has(name + ".gap")) continue;
    for (std::size_t row = 1; row < table().rows(); ++row) {
      const double n = std::abs(table().at(name + ".impulse.n", row));
      const double t_1 = table().at(name + ".impulse.t1", row);
      const double t_2 = table().at(name + ".impulse.t2", row);
      ASSERT_LE(std::hypot(t_1, t_2), friction * n * (1 + 1e-6) + 1e-12) << name;
      ASSERT_TRUE(n == 0 || table().at(name + ".gap", row) <= 1e-9) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Examples, ContactLaws,
    testing::Values(Case{"bouncing_ball"}, Case{"rigid_box_impact"}, Case{"incline_point_mass"},
                    Case{"rocking_rod_1"}, Case{"rocking_rod_2"}, Case{"rocking_rod_3"},
                    Case{"rocking_rod_4"}, Case{"block_on_belt"}, Case{"sliding_masses", 0.6},
                    Case{"pendulum_on_flexible_supports"}, Case{"woodpecker_fixed", 0.3},
                    Case{"woodpecker_free", 0.3}, Case{"box_on_incline", 1}, Case{"box_sliding"},
                    Case{"box_stack", 1}, Case{"box_stack_heavy", 1}, Case{"box_tipping"},
                    Case{"box_dropped_flat"}, Case{"box_dropped_corner"}, Case{"hinged_rod_stick"},
                    Case{"painleve_rod"}, Case{"points_on_face"}, Case{"bounces_within_a_step"},
                    Case{"two_moving_faces"}, Case{"shaken_block"}, Case{"superball"}),
    [](const auto& test) { return std::string(test.param.example); });

TEST(ContactDeterminism, TheSameNumbersTwice) {
  for (const char* example : {"points_on_face", "rocking_rod_3"}) {
    const TableSink first = run_example(example), second = run_example(example);
    ASSERT_EQ(first.rows(), second.rows());
    for (const char* column : {"energy.kinetic", "energy.friction_loss", "energy.residual"}) {
      EXPECT_EQ(first.column(column), second.column(column)) << example;
    }
  }
}

}  // namespace contact_laws_test
}  // namespace saltus::test
