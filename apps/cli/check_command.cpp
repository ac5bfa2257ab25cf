// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "apps/cli/commands.hpp"
#include "apps/cli/model_counts.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::cli {

int check_command(const std::string& model, const std::vector<std::string>& settings) {
  const CheckedModelFile file = read_checked_model_file(model, settings);
  const auto warn = [](LogLevel level, std::string_view text) {
    if (level == LogLevel::Warning) say(stderr, "warning: {}\n", text);
  };
  try {
    const Simulation simulation(file.run, warn);
    const System& system = simulation.system();
    say("{}: OK\n{}, {}{}: {}\n", model,
        counted(simulation.model().bodies.size(), "body", "bodies"),
        counted(simulation.model().joints.size(), "joint", "joints"), contact_counts(system),
        describe(count(system)));
  } catch (const InputError& error) {
    throw InputError(error.issues(), model);
  }
  return Done;
}

}  // namespace saltus::cli
