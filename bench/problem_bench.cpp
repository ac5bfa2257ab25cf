// SPDX-License-Identifier: Apache-2.0
// Contact problems from files (tests/problems/README.md), solved by every method or the named ones:
//   problem_bench FILE … [--method automatic|newton|…] [--accuracy fast|standard|high]
// One line a problem and method: contacts, status, residual, approach, slip, growth of the
// reactions, CPU time, and what was tried.
#include <fmt/core.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "saltus/model/options.hpp"
#include "tests/nonsmooth/stored_problem.hpp"

namespace {

using namespace saltus;
using nonsmooth::Accuracy;
using nonsmooth::SolverKind;

template <class Choice>
int index_of(const std::string& word) {
  int index = 0;
  for (const char* name : EnumNames<Choice>::names) {
    if (word == name) return index;
    ++index;
  }
  fmt::print(stderr, "problem_bench: \"{}\" is none of", word);
  for (const char* name : EnumNames<Choice>::names) fmt::print(stderr, " {}", name);
  fmt::print(stderr, "\n");
  std::exit(2);
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void solve(const nonsmooth::test::StoredProblem& stored, int kind, Accuracy accuracy) {
  static constexpr const char* statuses[] = {"converged", "inaccurate", "not unique",
                                             "incompatible"};
  nonsmooth::SolverOptions options = stored.options(static_cast<SolverKind>(kind));
  options.accuracy = accuracy;
  nonsmooth::ContactSolver solver;
  Eigen::VectorXd l, w;
  const double start = cpu_seconds();
  const nonsmooth::SolveReport report = solver.solve(stored.problem(), options, l, w);
  const double ms = 1e3 * (cpu_seconds() - start);
  fmt::print("{:32} {:4} {:16} {:12} {:8.1e} {:8.1e} {:8.1e} {:8.2e} {:9.2f} ms  {}\n",
             stored.name(), stored.problem().contacts.size(), EnumNames<SolverKind>::names[kind],
             statuses[static_cast<int>(report.status)], report.residual, report.approach,
             report.stick_slip, report.growth, ms, report.tried());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> files;
  std::vector<int> kinds;
  Accuracy accuracy = Accuracy::Standard;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--method" && i + 1 < count) {
      kinds.push_back(index_of<SolverKind>(arguments[++i]));
    } else if (word == "--accuracy" && i + 1 < count) {
      accuracy = static_cast<Accuracy>(index_of<Accuracy>(arguments[++i]));
    } else {
      files.push_back(word);
    }
  }
  if (files.empty()) {
    fmt::print(stderr, "usage: problem_bench FILE … [--method M] [--accuracy A]\n");
    return 2;
  }
  if (kinds.empty()) {
    for (std::size_t k = 0; k < std::size(EnumNames<SolverKind>::names); ++k) {
      kinds.push_back(static_cast<int>(k));
    }
  }
  for (const std::string& file : files) {
    std::ifstream in(file);
    try {
      if (!in) throw std::runtime_error(file + ": cannot be read");
      const std::string name = std::filesystem::path(file).stem();
      const nonsmooth::test::StoredProblem stored(nonsmooth::test::from_text(name, in));
      for (const int kind : kinds) solve(stored, kind, accuracy);
    } catch (const std::exception& error) {
      fmt::print(stderr, "problem_bench: {}\n", error.what());
      return 2;
    }
  }
  return 0;
}
