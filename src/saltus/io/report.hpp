// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saltus {

struct ReportInfo {
  std::filesystem::path path = {};
  std::uintmax_t bytes = 0;
  std::vector<std::string> notes = {};  ///< what the page does not show
};

/// Writes DIR/report.html from what a run has left in DIR: one page that needs nothing else, with
/// playback in 3-D and curves (docs/guide/report.md).
/// @throws FileError if there is no result that Saltus wrote, or the page cannot be written.
ReportInfo write_report(const std::filesystem::path& directory);

}  // namespace saltus
