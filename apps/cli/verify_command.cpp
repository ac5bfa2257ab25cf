// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "apps/cli/commands.hpp"
#include "apps/cli/examples_directory.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_counts.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/verify/reference_suite.hpp"
#include "saltus/verify/sensitivity.hpp"

namespace saltus::cli {
namespace {

using Suite = std::vector<ReferenceCase>;

/// Without the cases of which numbers are known, but nothing is measured.
Suite checked_cases() {
  Suite suite = reference_suite();
  std::erase_if(suite, [](const ReferenceCase& item) {
    return std::none_of(item.references.begin(), item.references.end(),
                        [](const Reference& row) { return row.measure != nullptr; });
  });
  return suite;
}

/// Whether every name is a model of the suite; says which one may be meant.
bool are_known(const std::vector<std::string>& names, const Suite& suite) {
  std::vector<std::string> models;
  for (const ReferenceCase& item : suite) models.push_back(item.example);
  bool known = true;
  for (const std::string& name : names) {
    if (std::find(models.begin(), models.end(), name) != models.end()) continue;
    known = false;
    const std::string nearest = nearest_name(name, models);
    say(stderr, "saltus: no check is of a model \"{}\"; {}\n", name,
        nearest.empty() ? "saltus verify --list names them"
                        : fmt::format("did you mean \"{}\"?", nearest));
  }
  return known;
}

/// The cases of these models; all without names.
Suite selected(const std::vector<std::string>& names, Suite suite) {
  if (names.empty()) return suite;
  std::erase_if(suite, [&](const ReferenceCase& item) {
    return std::find(names.begin(), names.end(), item.example) == names.end();
  });
  return suite;
}

/// Rows of text, wide enough for the longest model and quantity.
class Table {
 public:
  explicit Table(const Suite& suite) {
    for (const ReferenceCase& item : suite) {
      model_ = std::max(model_, item.example.size());
      for (const Reference& row : item.references) {
        if (row.measure) quantity_ = std::max(quantity_, row.label().size());
      }
    }
  }
  void print_header() const {
    say("{:<{}}  {:<{}}  {:>14}  {:>14}  {:>9}  {:>9}  verdict\n", "model", model_, "quantity",
        quantity_, "measured", "reference", "error", "tolerance");
  }
  void print(const std::string& model, const CheckResult& result) const {
    const Reference& row = result.reference;
    say("{:<{}}  {:<{}}  {:>14.8g}  {:>14.8g}  {:>9.1e}  {:>9.1e}  {}\n", model, model_,
        row.label(), quantity_, result.measured, row.value, result.error(), row.tolerance,
        result.is_ok() ? "ok" : "MISS");
  }
  void print_listed(const std::string& model, const Reference& row) const {
    say("{:<{}}  {:<{}}  {:>13.8g}  {:>9.1e}  {}\n", model, model_, row.label(), quantity_,
        row.value, row.tolerance, row.reason);
  }
  void print_list_header() const {
    say("{:<{}}  {:<{}}  {:>13}  {:>9}  reason for the tolerance\n", "model", model_, "quantity",
        quantity_, "reference", "tolerance");
  }

 private:
  std::size_t model_ = 5, quantity_ = 8;
};

int list(const Suite& suite) {
  const Table table(suite);
  table.print_list_header();
  for (const ReferenceCase& item : suite) {
    for (const Reference& row : item.references) {
      if (row.measure) table.print_listed(item.example, row);
    }
  }
  return Done;
}

/// Runs something with a progress line on a terminal.
template <class Function>
auto run_watched(const std::string& title, Function run) {
  Progress progress(::isatty(STDOUT_FILENO) == 0, true, title + "  ");
  const RecordedRun::Watch watch = [&](double time, double fraction) {
    progress.show(time, fraction);
    return !is_interrupted();
  };
  auto result = run(watch);
  progress.erase();
  return result;
}

/// Runs everything, prints as it goes, and tells the number of misses in the last line.
int run_all(const Suite& suite, const std::filesystem::path& examples) {
  const auto start = std::chrono::steady_clock::now();
  const Table table(suite);
  std::size_t checks = 0, misses = 0;
  table.print_header();
  std::fflush(stdout);
  for (const ReferenceCase& item : suite) {
    const CaseResult result = run_watched(item.example, [&](const RecordedRun::Watch& watch) {
      return run_case(item, examples, watch);
    });
    if (result.interrupted || is_interrupted()) return Interrupted;
    for (const CheckResult& check : result.checks) {
      table.print(item.example, check);
      ++checks;
      if (!check.is_ok()) ++misses;
    }
    std::fflush(stdout);
    if (!result.failure.empty()) say(stderr, "{}\n", result.failure);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  say("{} in {}: {}\n", counted(checks, "check", "checks"), duration_text(elapsed.count()),
      misses == 0 ? "all ok" : counted(misses, "MISS", "MISSES"));
  return misses == 0 ? Done : Missed;
}

/// The cases of a suite, those of an example together.
std::vector<Suite> by_example(const Suite& suite) {
  std::vector<Suite> groups;
  for (const ReferenceCase& item : suite) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Suite& cases) {
      return cases[0].example == item.example;
    });
    if (group != groups.end()) {
      group->push_back(item);
    } else {
      groups.push_back({item});
    }
  }
  return groups;
}

std::string verdict_of(const Sensitivity& item) {
  if (item.is_noticed()) return item.excuse.empty() ? "ok" : "NOTICED, though " + item.excuse;
  if (!item.excuse.empty()) return "cannot: " + item.excuse;
  return item.refused ? "REFUSED" : "UNNOTICED";
}

void print(const Sensitivity& item, std::size_t width) {
  const Parameter& parameter = item.parameter;
  const std::string name = parameter.count == 1
                               ? parameter.name
                               : fmt::format("{} ({} equal)", parameter.name, parameter.count);
  say("{:<{}}  {:<56}  {:>3} of {:<3}  {}\n", item.example, width, name, item.noticed, item.rows,
      verdict_of(item));
}

/// The examples of which nothing is measured.
std::vector<std::string> unchecked(const Suite& suite, const std::filesystem::path& examples) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    const std::string name = entry.path().stem().string();
    const bool is_checked = std::any_of(suite.begin(), suite.end(), [&](const ReferenceCase& item) {
      return item.example == name;
    });
    if (entry.path().extension() == ".json" && !is_checked) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Changes every parameter of every example by a tenth; a row of the table for each. Examples of
/// which nothing is measured notice nothing.
int run_sensitivity(const Suite& suite, const std::vector<std::string>& blind,
                    const std::filesystem::path& examples) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t width = 5, count = 0;
  for (const ReferenceCase& item : suite) width = std::max(width, item.example.size());
  std::vector<Sensitivity> left;
  say("{:<{}}  {:<56}  {:<10}  verdict\n", "model", width, "parameter", "notice it");
  for (const Suite& cases : by_example(suite)) {
    for (const Parameter& parameter : parameters(cases, examples)) {
      const Sensitivity item = run_watched(cases[0].example, [&](const RecordedRun::Watch& watch) {
        return sensitivity(cases, parameter, examples, watch);
      });
      if (item.interrupted || is_interrupted()) return Interrupted;
      print(item, width);
      std::fflush(stdout);
      ++count;
      if (!item.is_ok()) left.push_back(item);
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const std::size_t misses = left.size() + blind.size();
  say("\n{} in {}: {}\n", counted(count, "parameter", "parameters"), duration_text(elapsed.count()),
      misses == 0 ? "none left" : fmt::format("{} left", misses));
  for (const Sensitivity& item : left) print(item, width);
  for (const std::string& name : blind) say("{:<{}}  no check measures anything\n", name, width);
  return misses == 0 ? Done : Missed;
}

}  // namespace

int verify_command(const VerifyArguments& arguments) {
  Suite suite = arguments.json ? reference_suite() : checked_cases();
  if (!are_known(arguments.names, suite)) return WrongInput;
  suite = selected(arguments.names, std::move(suite));
  if (arguments.json) {
    say("{}", json_of(suite));
    return Done;
  }
  if (arguments.list) return list(suite);
  const std::filesystem::path examples = examples_directory(arguments.examples);
  catch_interrupts();
  if (!arguments.sensitivity) return run_all(suite, examples);
  const bool all = arguments.names.empty();
  return run_sensitivity(suite, all ? unchecked(suite, examples) : std::vector<std::string>{},
                         examples);
}

}  // namespace saltus::cli
