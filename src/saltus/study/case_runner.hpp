// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "saltus/io/model_file.hpp"
#include "saltus/study/design.hpp"

namespace saltus::study {

/// What came of a case.
struct CaseOutcome {
  std::string status = {};                          ///< "completed", "failed", "invalid", "crashed"
  std::string reason = {};                          ///< of what did not complete
  std::vector<std::optional<double>> metrics = {};  ///< in their order; none: it has no value
};

/// Runs cases of a study and keeps what came of them, a directory each.
class CaseRunner {
 public:
  /// @param study, cases  must live as long
  /// @param directory     of the study
  CaseRunner(const Study& study, const Cases& cases, std::filesystem::path directory);

  /// Reads a few cases before any is run: what is wrong in all of them is wrong in the study.
  /// @throws InputError if none can be read, or a metric asks for a column that there is not.
  void check() const;

  /// Runs a case unless it was before, and puts its directory in place; false if it was
  /// interrupted. A case whose model is wrong is left to `outcome`.
  /// @throws FileError
  bool run(int number, const std::function<bool()>& is_interrupted) const;

  /// What is known of a case; none if it was not run yet.
  std::optional<CaseOutcome> outcome(int number) const;

 private:
  std::filesystem::path place_of(const CheckedModelFile& file) const;
  CheckedModelFile read(int number) const;

  const Study& study_;
  const Cases& cases_;
  std::filesystem::path directory_;
  std::string fingerprint_;
};

}  // namespace saltus::study
