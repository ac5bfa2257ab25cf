// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/support/example_run.hpp"

// Runs whose contact forces are looked at.
namespace saltus::test {

/// A table that keeps the contact forces as well.
class ForceSink : public TableSink {
 public:
  void force(const ForceRow& row) override { forces_.push_back(row); }

  const std::vector<ForceRow>& forces() const { return forces_; }
  std::vector<ForceRow> impacts(const std::string& contact = {}) const {
    return rows(ForceRow::Kind::Impact, contact);
  }
  std::vector<ForceRow> steps(const std::string& contact = {}) const {
    return rows(ForceRow::Kind::Step, contact);
  }

 private:
  std::vector<ForceRow> rows(ForceRow::Kind kind, const std::string& contact) const {
    std::vector<ForceRow> chosen;
    for (const ForceRow& row : forces_) {
      if (row.kind == kind && (contact.empty() || row.contact == contact)) chosen.push_back(row);
    }
    return chosen;
  }

  std::vector<ForceRow> forces_;
};

inline ForceSink run_forces(const Model& model, const SimulationOptions& options) {
  ForceSink sink;
  Simulation simulation(model, options);
  simulation.run(&sink);
  EXPECT_TRUE(sink.report().converged()) << sink.report().message;
  return sink;
}

/// examples/<name>.json with settings as `--set` takes them.
inline ForceSink run_forces(const std::string& name, const Settings& settings = {}) {
  const ModelFile file = read_example(name, settings);
  ForceSink sink = run_forces(file.model, file.simulation);
  for (const std::string& warning : sink.report().warnings) {
    // What some examples are for.
    if (warning.find("It repeats a published table") == std::string::npos)
      ADD_FAILURE() << name << ": " << warning;
  }
  return sink;
}

}  // namespace saltus::test
