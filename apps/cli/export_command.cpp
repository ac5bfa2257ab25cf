// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/column_export.hpp"
#include "saltus/io/vtk_export.hpp"

namespace saltus::cli {

namespace {

int export_columns(const ExportArguments& arguments) {
  if (arguments.directory.empty()) {
    say(stderr, "saltus: export: of which result? as in saltus export DIR --csv ball.position\n");
    return WrongInput;
  }
  const std::filesystem::path path =
      arguments.output.empty() ? std::filesystem::path(arguments.directory) / "columns.csv"
                               : std::filesystem::path(arguments.output);
  const std::size_t rows =
      write_columns(arguments.directory, arguments.columns, arguments.every, path);
  say("{}: {} rows\n", path.string(), rows);
  return Done;
}

}  // namespace

int export_command(const ExportArguments& arguments) {
  if (!arguments.columns.empty()) return export_columns(arguments);
  if (arguments.vtk.empty()) {
    say(stderr, "saltus: export: as what? --vtk DIR for ParaView, or DIR --csv COLUMNS\n");
    return WrongInput;
  }
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
