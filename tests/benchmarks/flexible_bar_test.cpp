// SPDX-License-Identifier: Apache-2.0
// The bar that flies against a wall: a wave of stress runs through it and back, and throws it off.
#include <array>
#include <numeric>

#include "tests/support/flexible_runs.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace flexible_bar_test {

// One-dimensional waves, exactly: speed c, impact when the gap of 5.005 m is crossed with v,
// contact for 2 L/c, force ρ c v A.
constexpr double v_0 = 10, c = 30, length = 10, force = 300, element = length / 200;
constexpr double closes = 5.005 / v_0, opens = closes + 2 * length / c;

const std::string record_nodes = R"(/simulation/record={"every": 1, "flexible": "nodes"})";
const std::string coupled = "/simulation/integrator/coupling=\"coupled\"";
const std::string neglect = "/simulation/integrator/neglect_force_difference=true";
const std::string near = "/model/colliders/1/frame/position=[0.005, 0, 0]";
const std::string beam = "/model/bodies/0/type=\"beam\"";

std::string set_mass(const std::string& mass) {
  return fmt::format("/model/bodies/0/mass=\"{}\"", mass);
}

TableSink bar(double h, Settings more = {}) {
  more.insert(more.begin(), {set_step(h), record_nodes});
  return run_example("elastic_bar_impact", more);
}

/// Times of the first and the last step with an impulse.
std::pair<double, double> contact_phase(const TableSink& table) {
  double first = std::nan(""), last = std::nan("");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.at("impact.impulse.n", row) <= 0) continue;
    if (std::isnan(first)) first = table.time(row);
    last = table.time(row);
  }
  return {first, last};
}

double whole_impulse(const TableSink& table) {
  const std::vector<double>& impulse = table.column("impact.impulse.n");
  return std::accumulate(impulse.begin(), impulse.end(), 0.0);
}

/// Mean contact force between two times.
double mean_force(const TableSink& table, double from, double to) {
  const std::size_t first = table.row_at(from), last = table.row_at(to);
  double sum = 0;
  for (std::size_t row = first + 1; row <= last; ++row) sum += table.at("impact.impulse.n", row);
  return sum / (table.time(last) - table.time(first));
}

/// Waves disperse on the mesh, ω = c k (1 ± (k l)²/24): the time in which the front of a wave
/// passes that has run for the time of contact.
double front() { return std::cbrt(c * element * element * (opens - closes) / 8) / c; }

// The impact is a step late, and the front spreads; the plateau does not know of either.
TEST(ElasticBar, BouncesAsTheWaveSaysWithEveryMass) {
  const double h = 1e-3;
  for (const char* mass : {"consistent", "lumped", "mixed"}) {
    const TableSink table = bar(h, {set_mass(mass)});
    const auto [first, last] = contact_phase(table);
    const double plateau = mean_force(table, 0.55, 1.05), impulse = whole_impulse(table);
    const double rebound = table.last("bar.velocity.x");
    measured(fmt::format("{}_opens", mass), last);
    measured(fmt::format("{}_plateau", mass), plateau);
    measured(fmt::format("{}_impulse", mass), impulse);
    measured(fmt::format("{}_rebound", mass), rebound);
    EXPECT_TRUE(agrees(first, "elastic_bar_impact", "contact closes")) << mass;
    EXPECT_TRUE(agrees(last, "elastic_bar_impact", "contact opens")) << mass;
    EXPECT_TRUE(agrees(plateau, "elastic_bar_impact", "force between")) << mass;
    EXPECT_TRUE(agrees(impulse, "elastic_bar_impact", "impulse")) << mass;
    EXPECT_NEAR(impulse, 10 * (v_0 - rebound), 1e-9) << mass;  // momentum
    EXPECT_EQ(table.report().impacts, 1) << mass;
    EXPECT_EQ(table.events("opens").size(), 1u) << mass;
    expect_closed_books(table);
  }
}

// Numbers of an independent program of the same scheme, with the digits that it gives.
TEST(ElasticBar, HasTheReboundOfTheSchemeAtEachStep) {
  for (const auto& [h, name] : {std::pair(0.03, "the same, h 0.03"),
                                {0.01, "the same, h 0.01"},
                                {1e-3, "the same, this scheme"}}) {
    const TableSink table = bar(h);
    measured(fmt::format("rebound_{}", h), table.last("bar.velocity.x"));
    EXPECT_TRUE(agrees(table.last("bar.velocity.x"), "elastic_bar_impact", name));
    const auto [first, last] = contact_phase(table);
    EXPECT_NEAR(first, closes, h) << h;
    EXPECT_NEAR(last, opens, h + front()) << h;
    EXPECT_EQ(table.report().impacts, 1) << h;
  }
}

// Every force is linear, and the corrections know of it: one iteration each, whatever the step.
TEST(ElasticBar, NeedsOneIterationForEachSubProblemAtAnyStep) {
  for (const double h : {0.03, 0.01, 1e-3, 1e-4, 1e-5}) {
    Settings settings = {set_step(h), set_record(10)};
    if (h < 1e-3) {  // nearer, and not to the end
      settings.push_back(near);
      settings.push_back(set_end(500 * h));
    }
    const TableSink table = run_example("elastic_bar_impact", settings);
    const RunReport& report = table.report();
    EXPECT_EQ(report.smooth.max, 1) << h;
    EXPECT_EQ(report.position.max, 1) << h;
    EXPECT_EQ(report.velocity.max, 1) << h;
    EXPECT_EQ(report.impacts, 1) << h;
    expect_closed_books(table);
  }
}

// What stops at once is the mass that belongs to the tip: ρ A l/2, /(2√3), /√6 for a long bar.
TEST(ElasticBar, FirstImpulseStopsTheMassOfTheTip) {
  const std::vector<std::pair<std::string, double>> tips = {
      {"lumped", 1 / 2.0}, {"consistent", 1 / (2 * std::sqrt(3.0))}, {"mixed", 1 / std::sqrt(6.0)}};
  for (const auto& [mass, share] : tips) {
    const double h = 1e-5;
    const TableSink table =
        bar(h, {set_mass(mass), set_end(6e-4), "/model/colliders/1/frame/position=[0.005, 0, 0]"});
    const std::vector<EventRow> impacts = table.events("impact");
    ASSERT_EQ(impacts.size(), 1u) << mass;
    const double m_tip = share * element;
    measured(mass, impacts[0].impulse[0] / v_0);
    // The wave adds force × time, up to a whole step of it.
    EXPECT_NEAR(impacts[0].impulse[0], m_tip * v_0, force * h) << mass;
    EXPECT_NEAR(impacts[0].energy_lost, m_tip * v_0 * v_0 / 2, force * h * v_0 / 2) << mass;
  }
}

TEST(ElasticBar, IsABeamThatIsHitAlongItsAxis) {
  for (const double h : {1e-2, 2e-3}) {
    const TableSink a = bar(h), b = bar(h, {beam});
    for (const char* column : {"bar.velocity.x", "bar.position.x", "bar.node200.position.x"}) {
      EXPECT_NEAR(a.last(column), b.last(column), 1e-10) << h << ", " << column;
    }
    EXPECT_NEAR(whole_impulse(a), whole_impulse(b), 1e-8);
    expect_closed_books(b);
  }
}

// Without the differences of forces the corrections move the tip alone, by more than an element.
TEST(ElasticBar, DoesNotBounceIfForceDifferencesAreNeglected) {
  Settings settings = {set_step(0.03), record_nodes, neglect};
  const TableSink table = run_troubled("elastic_bar_impact", settings);
  measured("mean_velocity", table.last("bar.velocity.x"));
  EXPECT_GT(table.last("impact.impulse.n"), 0);                          // still at the wall
  EXPECT_GT(largest_of(table.column("bar.node191.position.x")), 5.005);  // and through it
  EXPECT_TRUE(any_mentions(table.report().warnings, "the scheme gained"));
}

// The original scheme repeats its parts: at least ten times the linear solves.
TEST(ElasticBar, TakesTheCoupledSchemeManyIterations) {
  const double h = 1e-2;
  const TableSink table = run_troubled(
      "elastic_bar_impact", {set_step(h), record_nodes, coupled, "/model/bodies/0/elements=100",
                             "/model/colliders/0/frame/node=100"});
  const RunReport& report = table.report();
  measured("mean_iterations", report.smooth.mean());
  measured("max_iterations", report.smooth.max);
  EXPECT_TRUE(!report.converged() || report.smooth.mean() >= 10);
  if (!report.converged()) return;
  EXPECT_NEAR(table.last("bar.velocity.x"), -9.65, 0.1);  // what it finds is the same
  expect_closed_books(table);
}

}  // namespace flexible_bar_test
}  // namespace saltus::test
