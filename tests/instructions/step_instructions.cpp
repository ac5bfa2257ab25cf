// SPDX-License-Identifier: Apache-2.0
// Runs models for some steps and marks those in which callgrind is to count instructions, so that
// neither the start nor the first steps count. tools/instructions.py calls it.
//   step_instructions                        one line: what the counts depend on
//   step_instructions NAME MODEL FIRST LAST …   counts the steps FIRST + 1 … LAST, for each model
#include <fmt/core.h>

#include <Eigen/Core>
#include <cstdlib>
#include <string>

#include "saltus/io/model_file.hpp"
#include "saltus/nonsmooth/lane_kernel.hpp"
#include "saltus/simulation/simulation.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // the program is built, but counts nothing
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

namespace {

using namespace saltus;

/// Another compiler makes other instructions of the same source, and so does another Eigen; a
/// processor with wider registers needs fewer.
void print_tools() {
#if defined(__clang__)
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "g++ " __VERSION__;
#endif
#if defined(__SANITIZE_ADDRESS__)
  const char* build = "sanitized";
#elif defined(NDEBUG)
  const char* build = "release";
#else
  const char* build = "debug";
#endif
#if __has_include(<valgrind/callgrind.h>)
  const bool counts = true;
#else
  const bool counts = false;
#endif
  const bool wide = nonsmooth::best_instruction_set() == nonsmooth::InstructionSet::Avx2;
  const char* lanes = wide ? "AVX2" : "portable";
  fmt::print(
      "{{\"compiler\": \"{}\", \"build\": \"{}\", \"eigen\": \"{}.{}.{}\", \"lanes\": \"{}\", "
      "\"counts\": {}}}\n",
      compiler, build, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, lanes,
      counts);
}

/// @return whether the run got to the last step.
bool count(const char* name, const char* model, long first, long last) {
  const ModelFile file = read_model_file(model);
  Simulation simulation(file.model, file.simulation);
  bool done = false;
  simulation.on_step([&](const Progress& progress) {
    if (progress.steps == first) {
      CALLGRIND_START_INSTRUMENTATION;
      CALLGRIND_ZERO_STATS;
    }
    if (progress.steps < last) return true;
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
    done = true;
    return false;
  });
  const RunReport report = simulation.run();
  if (!done) fmt::print(stderr, "{}: {}\n", name, report.message);
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) print_tools();
  for (int i = 1; i + 3 < argc; i += 4) {
    if (!count(argv[i], argv[i + 1], std::atol(argv[i + 2]), std::atol(argv[i + 3]))) return 1;
  }
}
