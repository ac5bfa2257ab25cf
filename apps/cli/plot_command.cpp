// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/io/column_export.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus::cli {
namespace {

/// The first words that are directories are runs, the rest are columns.
PlotRequest request_of(const PlotArguments& arguments) {
  PlotRequest request{.x = arguments.x, .is_equal = arguments.is_equal};
  if (arguments.from) request.from = *arguments.from;
  if (arguments.to) request.to = *arguments.to;
  for (const std::string& word : arguments.words) {
    const bool is_run = request.columns.empty() &&
                        (request.directories.empty() || std::filesystem::is_directory(word));
    if (is_run) {
      request.directories.emplace_back(word);
    } else {
      request.columns.push_back(word);
    }
  }
  if (request.columns.empty()) {
    throw InputError(Issue{.place = "columns",
                           .rule = "name at least one column",
                           .remedy = "as in saltus plot DIR ball.position; saltus info DIR lists "
                                     "them"});
  }
  return request;
}

}  // namespace

int plot_command(const PlotArguments& arguments) {
  const std::filesystem::path path = arguments.output;
  if (path.extension() != ".svg") {
    throw InputError(Issue{.place = "-o",
                           .rule = "the picture is an SVG",
                           .value = path.string(),
                           .remedy = "call it " + path.stem().string() +
                                     ".svg; rsvg-convert makes PNG and PDF of it, and saltus.plot "
                                     "in Python draws them itself"});
  }
  io::write_file_atomically(path, plot_columns(request_of(arguments)));
  say("{}\n", path.string());
  return Done;
}

}  // namespace saltus::cli
