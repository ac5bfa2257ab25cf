// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/report.hpp"

namespace saltus::cli {

int report_command(const std::string& directory) {
  const ReportInfo info = write_report(directory);
  say("{} ({:.1f} MB)\n", info.path.string(), static_cast<double>(info.bytes) / 1e6);
  for (const std::string& note : info.notes) say("  {}\n", note);
  return Done;
}

}  // namespace saltus::cli
