// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"
#include "tests/support/table_sink.hpp"

namespace saltus::test {

using Settings = std::vector<std::string>;

inline ModelFile read_example(const std::string& name, const Settings& settings = {}) {
  return read_model_file(std::filesystem::path(SALTUS_SOURCE_DIR) / "examples" / (name + ".json"),
                         settings);
}

inline TableSink run_model(const Model& model, const SimulationOptions& options) {
  TableSink table;
  Simulation simulation(model, options);
  simulation.run(&table);
  return table;
}

/// Runs a model file that is given as text; failures are for the caller.
inline TableSink run_text(const std::string& text) {
  const ModelFile file = parse_model(text, "model.json");
  return run_model(file.model, file.simulation);
}

/// Runs examples/<name>.json with settings as `--set` takes them; expects it to be completed
/// without a warning.
inline TableSink run_example(const std::string& name, const Settings& settings = {}) {
  const ModelFile file = read_example(name, settings);
  EXPECT_GT(file.comment.size(), 40u) << "the opening comment says what one should see";
  TableSink table = run_model(file.model, file.simulation);
  EXPECT_TRUE(table.report().converged()) << name << ": " << table.report().message;
  for (const std::string& warning : table.report().warnings) {
    // A table that bends is meant; DrivenJoint checks what is said about it.
    if (warning.find("the drive of joint") == std::string::npos)
      ADD_FAILURE() << name << ": " << warning;
  }
  return table;
}

inline std::string set_step(double h) { return fmt::format("/simulation/integrator/step={}", h); }
inline std::string set_rho(double rho) {
  return fmt::format("/simulation/integrator/rho_inf={}", rho);
}
inline std::string set_end(double t) { return fmt::format("/simulation/end_time={}", t); }

/// Puts a measured number into the test's record (--gtest_output=json:…).
inline void measured(const std::string& what, double value) {
  testing::Test::RecordProperty(what, fmt::format("{:.9g}", value));
}

/// The exponent p with which an error ~ hᵖ falls when h is halved.
inline double observed_order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace saltus::test
