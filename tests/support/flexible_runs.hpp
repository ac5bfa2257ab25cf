// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/contact_checks.hpp"

// Runs that several tests of flexible bodies look at.
namespace saltus::test {

inline const std::string only_bodies = R"(/simulation/record={"every": 1, "flexible": "bodies"})";

inline std::string only_bodies_every(int n) {
  return fmt::format(R"(/simulation/record={{"every": {}, "flexible": "bodies"}})", n);
}

inline void expect_closed_books(const TableSink& table) {
  EXPECT_LE(largest_of(table.column("energy.residual")), 1e-8 * energy_turnover(table));
  EXPECT_LE(table.report().max_penetration, 1e-9);
  EXPECT_LE(table.report().max_position_violation, 1e-9);
}

/// No step was halved, none was accepted short of its tolerances.
inline void expect_every_step_converged(const TableSink& table, double h) {
  EXPECT_TRUE(table.report().converged()) << "h = " << h << ": " << table.report().message;
  EXPECT_EQ(table.report().inaccurate_steps, 0) << "h = " << h;
  EXPECT_FALSE(any_mentions(table.report().warnings, "halved")) << "h = " << h;
}

/// The normal impulses of all points of the contact "bounce" of flexible_cube.
inline std::vector<double> normal_impulses(const TableSink& table, std::size_t row) {
  std::vector<double> impulses;
  for (int i = 0; table.has(fmt::format("bounce.floor.bottom.{}.impulse.n", i)); ++i) {
    impulses.push_back(table.at(fmt::format("bounce.floor.bottom.{}.impulse.n", i), row));
  }
  return impulses;
}

inline constexpr double cube_energy = 1e-3 * 9.81 * 0.3;  ///< J, of the fall

/// flexible_cube from 0.24 s on, with times as in a run from 0.
struct CubeBounce {
  TableSink table;
  double closes = std::nan(""), opens = std::nan("");
  double lowest = 1;   ///< place of the centre, m
  double rebound = 0;  ///< velocity of the centre after the contact, m/s
};

inline constexpr double cube_start = 0.24;  ///< s, of the fall

inline CubeBounce bounce_of_cube(double h, Settings more = {}) {
  const double g = 9.81, start = cube_start;
  more.insert(more.begin(), {set_step(h), set_end(0.06), only_bodies,
                             fmt::format("/model/bodies/0/pose={{\"position\": [0, 0, {:.17g}]}}",
                                         0.35 - g * start * start / 2),
                             fmt::format("/model/bodies/0/velocity={{\"linear\": [0, 0, {:.17g}]}}",
                                         -g * start)});
  CubeBounce bounce{.table = run_troubled("flexible_cube", more)};
  const TableSink& table = bounce.table;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bounce.lowest = std::min(bounce.lowest, table.at("cube.position.z", row));
    double force = 0;
    for (const double n : normal_impulses(table, row)) force += n;
    if (force <= 0) continue;
    if (std::isnan(bounce.closes)) bounce.closes = start + table.time(row);
    bounce.opens = start + table.time(row);
    bounce.rebound = table.at("cube.velocity.z", row);
  }
  return bounce;
}

}  // namespace saltus::test
