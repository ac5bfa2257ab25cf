// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>

#include "saltus/study/case_runner.hpp"

namespace saltus::study {

/// How many cases there are of each kind.
struct CaseCounts {
  int completed = 0, failed = 0, invalid = 0, crashed = 0, missing = 0;
};

/// Writes cases.csv, a row a case that was run: its number, parameters, metrics and status; and
/// failures.csv, what did not complete and why. Both follow from the directories of the cases, and
/// are put in place whole; several processes may do it at a time.
/// @param crashed  cases whose process died: they have no directory
/// @throws FileError
CaseCounts write_tables(const Study& study, const Cases& cases, const CaseRunner& runner,
                        const std::set<int>& crashed, const std::filesystem::path& directory);

}  // namespace saltus::study
