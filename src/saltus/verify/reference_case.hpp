// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "saltus/verify/recorded_run.hpp"

namespace saltus {

/// A number that a run must give.
struct ReferenceCheck {
  std::string quantity;  ///< with its unit: "x at 1 s (m)"
  double reference;
  double tolerance;    ///< of |measured − reference|
  std::string reason;  ///< for the tolerance, one line
  std::function<double(const RecordedRun&)> measure;
};

/// One run of an example and what is checked in it.
struct ReferenceCase {
  std::string example;                ///< file name without ".json"
  std::vector<std::string> settings;  ///< as `--set` takes them
  std::vector<ReferenceCheck> checks;
};

struct CheckResult {
  ReferenceCheck check;
  double measured;

  double error() const;
  bool is_ok() const { return error() <= check.tolerance; }  // false if not a number
};

struct CaseResult {
  std::string failure = {};  ///< why there are no numbers; empty if the run completed
  bool interrupted = false;
  std::vector<CheckResult> checks = {};  ///< one a check of the case; not-a-number without a run
};

/// Runs `examples`/<example>.json. A file that cannot be read or is wrong, or a run that gives up,
/// is told in the result.
CaseResult run_case(const ReferenceCase& item, const std::filesystem::path& examples,
                    RecordedRun::Watch watch = {});

}  // namespace saltus
