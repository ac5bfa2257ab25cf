// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace saltus {

inline constexpr const char* summary_file_name = "summary.json";

/// Every file that Saltus may put into a result directory.
inline constexpr std::array result_file_names = {
    summary_file_name,  "timeseries.csv", "events.csv", "contact_forces.csv", "impacts.csv",
    "impact_paths.csv", "modes.csv",      "results.h5", "report.html"};

struct ResultFile {
  std::string name;
  std::uintmax_t bytes = 0;
};

/// What is in a result directory, without its numbers in time.
struct ResultInfo {
  std::filesystem::path directory = {};
  std::string status = {};  ///< "completed", "failed", "interrupted"
  std::string message = {};
  std::string stopped_by = {};  ///< the condition on which the run ended before its end time
  std::string model = {};
  std::string model_hash = {};
  std::string source = {};  ///< RunOrigin::source
  std::string version = {};
  long steps = 0;
  double end_time = 0;  ///< s
  double wall_seconds = 0;
  int threads = 1;
  long events = 0;                                          ///< rows of events.csv
  long impacts = 0;                                         ///< of them
  double max_penetration = 0;                               ///< m
  std::vector<std::pair<std::string, double>> energy = {};  ///< the terms of the ledger, J
  std::vector<std::string> warnings = {};
  std::vector<double> frequencies = {};  ///< of a modal analysis, Hz
  std::vector<std::string> columns = {};
  std::vector<ResultFile> files = {};
};

/// @throws FileError if the directory has no summary that Saltus wrote.
ResultInfo read_result_info(const std::filesystem::path& directory);

}  // namespace saltus
