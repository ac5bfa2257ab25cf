// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/vtk_export.hpp"

namespace saltus::cli {

int export_command(const ExportArguments& arguments) {
  const VtkInfo info = write_vtk(arguments.vtk, arguments.every);
  if (info.series.empty()) {
    say("{}: nothing is written, for {}\n", info.path.string(),
        info.notes.empty() ? "the model has no bodies" : "nothing can be drawn");
    for (const std::string& note : info.notes) say("  {}\n", note);
    return Done;
  }
  say("{}: {} of {} rows ({:.1f} MB): {}\n", info.path.string(), info.rows, info.recorded,
      static_cast<double>(info.bytes) / 1e6, fmt::join(info.series, ", "));
  for (const std::string& note : info.notes) say("  {}\n", note);
  return Done;
}

}  // namespace saltus::cli
