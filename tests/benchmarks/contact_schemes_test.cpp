// SPDX-License-Identifier: Apache-2.0
// The decoupled scheme, the coupled one, and that of Moreau and Jean.
#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace contact_schemes_test {

const std::string coupled = "/simulation/integrator/coupling=\"coupled\"";

std::string moreau_jean(double h) {
  return fmt::format("/simulation/integrator={{\"type\": \"moreau_jean\", \"step\": {}}}", h);
}

double mean_difference(const TableSink& a, const TableSink& b, const std::string& column) {
  if (a.rows() != b.rows()) return std::nan("");
  double sum = 0;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    sum += std::abs(a.at(column, row) - b.at(column, row));
  }
  return sum / static_cast<double>(a.rows());
}

// No force depends on the place: the coupled scheme has nothing to repeat, and is the same.
TEST(CoupledScheme, IsTheDecoupledOneForABallUnderGravity) {
  const TableSink a = run_example("bouncing_ball"), b = run_example("bouncing_ball", {coupled});
  EXPECT_LE(mean_difference(a, b, "ball.position.z"), 1e-12);
  EXPECT_EQ(a.report().impacts, b.report().impacts);
  EXPECT_LE(b.report().max_penetration, 1e-9);
}

TEST(CoupledScheme, AgreesWithTheDecoupledOneToFirstOrder) {
  for (const double h : {1e-3, 2.5e-4}) {
    const TableSink a = run_example("rigid_box_impact", {set_step(h)});
    const TableSink b = run_example("rigid_box_impact", {set_step(h), coupled});
    const EventRow first = a.events("impact").at(0), second = b.events("impact").at(0);
    const double spin = 85;  // rad/s: in a step the box turns by spin h
    measured(fmt::format("impulse_{}", h), second.impulse[0]);
    EXPECT_NEAR(first.time, second.time, 1e-12);
    EXPECT_NEAR(first.impulse[0], second.impulse[0],
                known("rigid_box_impact", "impulse") * spin * h);
    EXPECT_LE(mean_difference(a, b, "box.position.z"), 10 * h);
    EXPECT_LE(b.report().max_penetration, 1e-9);
    EXPECT_NEAR(b.last("box.velocity.x"), 3, 1e-12);
  }
}

// Its iterations are what the decoupled scheme saves.
TEST(CoupledScheme, NeedsMoreIterations) {
  const TableSink a = run_example("rigid_box_impact");
  const TableSink b = run_example("rigid_box_impact", {coupled});
  const auto all = [](const RunReport& report) {
    return report.smooth.mean() + report.position.mean() + report.velocity.mean();
  };
  measured("decoupled", all(a.report()));
  measured("coupled", all(b.report()));
  EXPECT_GE(all(b.report()), all(a.report()));
}

TEST(MoreauJeanScheme, AgreesWithTheDecoupledOneToFirstOrder) {
  for (const double h : {2e-3, 5e-4}) {
    const TableSink a = run_example("bouncing_ball", {set_step(h), set_end(3)});
    const TableSink b = run_example("bouncing_ball", {moreau_jean(h), set_end(3)});
    const double d = mean_difference(a, b, "ball.position.z");
    measured(fmt::format("ball_{}", h), d);
    // Six impacts, each a step early or late, at 4 m/s and less.
    EXPECT_LE(d, 6 * h * 4);
    const auto first = a.events("impact"), second = b.events("impact");
    ASSERT_GE(second.size(), 5u);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(first[k].time, second[k].time, 2 * static_cast<double>(k + 2) * h);
    }
  }
}

TEST(MoreauJeanScheme, HasTheImpactOfTheBox) {
  const double h = 1e-4, spin = 85;
  const TableSink table = run_example("rigid_box_impact", {moreau_jean(h)});
  ASSERT_FALSE(table.events("impact").empty());
  const EventRow impact = table.events("impact")[0];
  measured("impulse", impact.impulse[0]);
  const double impulse = known("rigid_box_impact", "impulse");
  EXPECT_NEAR(impact.time, known("rigid_box_impact", "time of impact"), 2 * h);
  EXPECT_NEAR(impact.impulse[0], impulse, 2 * impulse * spin * h);
  EXPECT_NEAR(table.last("box.velocity.x"), 3, 1e-12);
}

// Contacts at velocity level only stay where the impact found them; corrected positions do not.
TEST(MoreauJeanScheme, PenetratesAndTheDecoupledOneDoesNot) {
  for (const char* example : {"bouncing_ball", "box_dropped_corner", "rocking_rod_1"}) {
    const TableSink a = run_example(example), b = run_example(example, {moreau_jean(1e-3)});
    measured(std::string(example) + "_decoupled", a.report().max_penetration);
    measured(std::string(example) + "_moreau_jean", b.report().max_penetration);
    EXPECT_LE(a.report().max_penetration, 1e-9) << example;
    EXPECT_GT(b.report().max_penetration, 1e-6) << example;
    EXPECT_LE(b.report().max_penetration, 4 * 1e-3) << example;  // v h
  }
}

TEST(MoreauJeanScheme, LedgerClosesAndNoEnergyIsWon) {
  for (const char* example : {"bouncing_ball", "rocking_rod_1", "block_on_belt"}) {
    const TableSink table = run_example(example, {moreau_jean(1e-3)});
    EXPECT_LE(largest_of(table.column("energy.residual")), 1e-9 * energy_turnover(table))
        << example;
    EXPECT_LE(energy_gain(table), 2e-3 * energy_turnover(table)) << example;
  }
}

}  // namespace contact_schemes_test
}  // namespace saltus::test
