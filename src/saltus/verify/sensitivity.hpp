// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "saltus/verify/parameters.hpp"
#include "saltus/verify/reference_case.hpp"

namespace saltus {

/// Whether the numbers that are known of an example notice that a parameter is another: all cases
/// of the example run with 1.1 times its value, or with 0.9 times where the model refuses that.
struct Sensitivity {
  std::string example;
  Parameter parameter;
  std::size_t rows = 0;     ///< that are checked
  std::size_t noticed = 0;  ///< of them, those out of tolerance now
  bool refused = false;     ///< the model may have neither value, or gives no numbers with both
  bool interrupted = false;
  std::string excuse = {};  ///< why nothing can notice it; empty if something must

  bool is_noticed() const { return noticed > 0; }
  /// Noticed, or excused; not both, for then the excuse is wrong.
  bool is_ok() const { return is_noticed() == excuse.empty(); }
};

/// The parameters of an example, from all of its cases.
/// @throws InputError or FileError if a model cannot be read.
std::vector<Parameter> parameters(const std::vector<ReferenceCase>& cases,
                                  const std::filesystem::path& examples);

/// @param cases  all of one example
Sensitivity sensitivity(const std::vector<ReferenceCase>& cases, const Parameter& parameter,
                        const std::filesystem::path& examples,
                        const RecordedRun::Watch& watch = {});

/// A parameter that no number of an example can notice, and why.
struct Excuse {
  std::string example;    ///< a name, or a pattern with `*`
  std::string parameter;  ///< the same
  std::string reason;
};
const std::vector<Excuse>& excuses();

}  // namespace saltus
