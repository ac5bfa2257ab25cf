// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/column_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/core/input_error.hpp"
#include "saltus/io/column_choice.hpp"
#include "saltus/io/csv_writer.hpp"
#include "saltus/io/plot_svg.hpp"
#include "saltus/io/result_table.hpp"

namespace saltus {
namespace {

std::string with_unit(const Channel& channel) {
  return channel.unit.empty() ? channel.name : fmt::format("{} ({})", channel.name, channel.unit);
}

/// What stands at the y axis of a panel.
std::string panel_label(const Channel& channel) {
  if (channel.unit.empty()) return channel.kind.empty() ? "–" : channel.kind;
  return channel.kind.empty() ? channel.unit : fmt::format("{} ({})", channel.kind, channel.unit);
}

/// Columns of one unit share a panel, whatever they are.
io::PlotPanel& panel_for(io::Plot& plot, std::vector<std::string>& units, const Channel& channel) {
  const auto known = std::ranges::find(units, channel.unit);
  if (known == units.end()) {
    units.push_back(channel.unit);
    return plot.panels.emplace_back(io::PlotPanel{.label = panel_label(channel)});
  }
  io::PlotPanel& panel = plot.panels[static_cast<std::size_t>(known - units.begin())];
  if (panel.label != panel_label(channel)) panel.label = channel.unit.empty() ? "–" : channel.unit;
  return panel;
}

io::PlotCurve curve_of(const ResultTable& table, const std::vector<double>& x,
                       const std::vector<double>& y, const PlotRequest& request) {
  io::PlotCurve curve;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = table.time()[i];
    if (t < request.from || t > request.to) continue;
    curve.x.push_back(x[i]);
    curve.y.push_back(y[i]);
  }
  return curve;
}

}  // namespace

std::size_t write_columns(const std::filesystem::path& directory,
                          const std::vector<std::string>& columns, std::size_t every,
                          const std::filesystem::path& path) {
  const ResultTable table = read_timeseries(directory);
  std::vector<std::size_t> chosen = io::chosen_columns(table.channels, columns, "--csv");
  if (chosen.empty() || chosen.front() != 0) chosen.insert(chosen.begin(), 0);
  std::vector<std::string> names;
  for (const std::size_t j : chosen) names.push_back(table.channels[j].name);
  io::CsvWriter csv(path, names);
  std::vector<double> row(chosen.size());
  std::size_t written = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (i % every != 0 && i + 1 != table.rows()) continue;
    std::ranges::transform(chosen, row.begin(), [&](std::size_t j) { return table.columns[j][i]; });
    csv.write(row);
    ++written;
  }
  csv.close();
  return written;
}

std::string plot_columns(const PlotRequest& request) {
  io::Plot plot{.is_equal = request.is_equal};
  std::vector<std::string> units;
  for (const std::filesystem::path& directory : request.directories) {
    const ResultTable table = read_timeseries(directory);
    std::size_t x = 0;
    if (!request.x.empty()) {
      const auto found = io::chosen_columns(table.channels, {request.x}, "--x");
      if (found.size() > 1) {
        throw InputError(Issue{.place = "--x",
                               .rule = "several columns begin so",
                               .value = request.x,
                               .remedy = "name one, such as " + table.channels[found[0]].name});
      }
      x = found[0];
    }
    plot.x_label = with_unit(table.channels[x]);
    for (const std::size_t j : io::chosen_columns(table.channels, request.columns, "columns")) {
      io::PlotCurve curve = curve_of(table, table.columns[x], table.columns[j], request);
      curve.label = table.channels[j].name;
      if (request.directories.size() > 1) {
        curve.label =
            fmt::format("{}: {}", (directory / "").parent_path().filename().string(), curve.label);
      }
      panel_for(plot, units, table.channels[j]).curves.push_back(std::move(curve));
    }
  }
  if (request.is_equal && plot.panels.size() > 1) {
    throw InputError(Issue{.place = "--equal", .rule = "the columns must have one unit"});
  }
  return io::plot_svg(plot);
}

}  // namespace saltus
