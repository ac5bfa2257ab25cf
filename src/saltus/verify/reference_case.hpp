// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"
#include "saltus/verify/recorded_run.hpp"

namespace saltus {

/// Where a number is from: by hand, from an independent calculation with another program, printed
/// (the list at the end of docs/validation.md), or of this program with a finer step: that shows a
/// change, not a mistake.
enum class Source { Exact, Derived, Galvez, Sanchez, Chatterjee, Literature, Own };

/// "exact", "derived", "printed: …" or "own value".
std::string text_of(Source source);

/// A number taken from a run.
using Measure = std::function<double(const RecordedRun&)>;

/// A number that an example must give.
struct Reference {
  std::string quantity;
  std::string unit;  ///< empty: a pure number, or units that cancel
  Source source;
  double value;
  double tolerance;    ///< of |measured − value|
  std::string reason;  ///< for the tolerance, one line
  /// Empty: known, but of another run than that of its case (another step, a longer time); tests
  /// and validation pages look it up.
  Measure measure = {};

  std::string label() const;  ///< "x at 1 s (m)"
};

/// One run of an example and the numbers that are known of it.
struct ReferenceCase {
  std::string example;                ///< file name without ".json"
  std::vector<std::string> settings;  ///< as `--set` takes them
  std::vector<Reference> references;
};

struct CheckResult {
  Reference reference;
  double measured;

  double error() const;
  bool is_ok() const { return error() <= reference.tolerance; }  // false if not a number
};

struct CaseResult {
  std::string failure = {};  ///< why there are no numbers; empty if the run completed
  bool interrupted = false;
  bool refused = false;  ///< the file or the model is wrong: nothing has run
  /// One a reference with a measure; not-a-number without a run.
  std::vector<CheckResult> checks = {};
};

/// What is changed in a model after its settings; false: nothing is, and it need not run.
using ModelChange = std::function<bool(Model&, SimulationOptions&)>;

/// Runs `examples`/<example>.json. A file that cannot be read or is wrong, or a run that gives up,
/// is told in the result.
CaseResult run_case(const ReferenceCase& item, const std::filesystem::path& examples,
                    RecordedRun::Watch watch = {}, const ModelChange& change = {});

}  // namespace saltus
