// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/contact_checks.hpp"
#include "tests/support/scene.hpp"

// Balls made in a test, and how they are run.
namespace saltus::test {

inline Dynamics steps(double h, double end) {
  return {.end_time = end, .integrator = NonsmoothGeneralizedAlpha{.step = h}};
}

inline TableSink run_well(const Model& model, const Dynamics& options) {
  TableSink table = run_model(model, options);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_LE(table.report().max_penetration, 1e-9);
  return table;
}

}  // namespace saltus::test
