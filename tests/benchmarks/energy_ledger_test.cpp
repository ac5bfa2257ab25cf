// SPDX-License-Identifier: Apache-2.0
// The energy ledger of the examples: it closes, its numerical loss is of second order, and its
// damping loss is what dampers take.
#include <cmath>

#include "tests/support/example_run.hpp"

namespace saltus::test {
namespace energy_ledger_test {

double total(const TableSink& table, std::size_t row) {
  return table.at("energy.kinetic", row) + table.at("energy.gravity", row) +
         table.at("energy.elastic", row);
}

/// All energy that changed its kind or came in, up to the end: Σ |ΔT| + |ΔV| + |ΔU| + |ΔW|.
double turnover(const TableSink& table) {
  double sum = 0;
  for (const char* kind : {"kinetic", "gravity", "elastic", "external_work"}) {
    const std::vector<double>& column = table.column(std::string("energy.") + kind);
    for (std::size_t row = 1; row < column.size(); ++row) {
      sum += std::abs(column[row] - column[row - 1]);
    }
  }
  return sum;
}

double largest(const std::vector<double>& column) {
  double worst = 0;
  for (const double value : column) worst = std::max(worst, std::abs(value));
  return worst;
}

struct Case {
  const char* example;
  double end, step;
};
constexpr Case cases[] = {
    {"spinning_top", 0.5, 1e-3},  {"physical_pendulum", 3, 4e-3},   {"slider_crank", 0.25, 4e-4},
    {"four_bar", 2, 1e-2},        {"universal_shaft", 0.5, 2e-3},   {"bennett_linkage", 4, 4e-3},
    {"spring_pendulum", 5, 8e-3}, {"gyroscope_bushing", 0.2, 4e-4}, {"driven_joint", 2, 4e-3},
    {"joints_gallery", 1, 4e-3},  {"linear_oscillator", 3, 4e-3},   {"rolling_disc", 3, 8e-3},
    {"knife_edge", 4, 1e-2}};

// The ledger's terms are computed each by itself; what is left over is Newton's tolerance (1e-10 of
// the forces) and round-off: at most 1e-9 of the energy that was turned over.
TEST(EnergyLedger, ClosesForEveryExample) {
  for (const auto& [example, end, step] : cases) {
    const TableSink table = run_example(example, {set_end(end), set_step(step)});
    const double residual = largest(table.column("energy.residual")) / turnover(table);
    measured(std::string(example) + "_residual", residual);
    EXPECT_LE(residual, 1e-9) << example;
  }
}

TEST(EnergyLedger, NumericalLossIsOfSecondOrder) {
  for (const auto& [example, end, step] : cases) {
    // A table's kinks are shocks, and ρ∞ = 1 loses nothing.
    if (std::string(example) == "driven_joint" || std::string(example) == "linear_oscillator")
      continue;
    const auto loss = [&](double h) {
      const TableSink table = run_example(example, {set_end(end), set_step(h)});
      return largest(table.column("energy.numerical_loss"));
    };
    const double coarse = loss(step / 2), fine = loss(step / 4);
    measured(std::string(example) + "_loss", fine);
    measured(std::string(example) + "_order", observed_order(coarse, fine));
    EXPECT_GE(observed_order(coarse, fine), 1.8) << example;
  }
}

// With ρ∞ = 1 the scheme is the trapezoidal rule on a linear oscillator: it keeps ½v² + ½ω²x².
TEST(EnergyLedger, TheTrapezoidalRuleLosesNothingOnALinearOscillator) {
  Model model = read_example("linear_oscillator").model;
  model.bodies.resize(1);
  model.joints.resize(1);
  model.forces.resize(1);
  const TableSink table = run_model(
      model, Dynamics{.end_time = 100, .integrator = GeneralizedAlpha{.step = 0.02, .rho_inf = 1}});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  double change = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    change = std::max(change, std::abs(total(table, row) - 0.5));
  }
  measured("energy_change", change);
  measured("numerical_loss", largest(table.column("energy.numerical_loss")));
  EXPECT_LE(change, 1e-9);  // 5000 steps of Newton's tolerance 1e-10, which is met much better
  EXPECT_LE(largest(table.column("energy.numerical_loss")), 1e-9);
}

TEST(EnergyLedger, DampingLossIsTheDecreaseOfEnergyUpToSecondOrder) {
  const double w = std::sqrt(99.0);
  const auto errors = [&](double h) {
    const TableSink table = run_example("linear_oscillator", {set_step(h)});
    double position = 0, loss = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double t = table.time(row), c = std::cos(w * t), s = std::sin(w * t);
      const double x = 0.1 * std::exp(-t) * (c + s / w), v = -10 * std::exp(-t) * s / w;
      position =
          std::max({position, std::abs(table.at("damped.position.x", row) - 1 - x),
                    std::abs(table.at("free.position.x", row) - 1 - 0.1 * std::cos(10 * t))});
      const double exact_loss = 0.5 - 0.5 * (v * v + 100 * x * x);
      loss = std::max(loss, std::abs(table.at("energy.damping_loss", row) - exact_loss));
    }
    return std::pair(position, loss);
  };
  const auto [coarse_position, coarse_loss] = errors(4e-3);
  const auto [fine_position, fine_loss] = errors(2e-3);
  measured("position_error", fine_position);
  measured("loss_error", fine_loss);
  measured("position_order", observed_order(coarse_position, fine_position));
  measured("loss_order", observed_order(coarse_loss, fine_loss));
  EXPECT_NEAR(observed_order(coarse_position, fine_position), 2, 0.1);
  EXPECT_NEAR(observed_order(coarse_loss, fine_loss), 2, 0.1);
  EXPECT_LE(fine_position, 0.1 * 30 * std::pow(10 * 2e-3, 2) / 12);  // phase (ωh)²/12·ωt
  EXPECT_LE(fine_loss, 0.5 * std::pow(10 * 2e-3, 2));
}

}  // namespace energy_ledger_test
}  // namespace saltus::test
