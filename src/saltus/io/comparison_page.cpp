// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "saltus/io/page_text.hpp"

namespace saltus {
namespace {

constexpr double width = 760, height = 240, left = 70, right = 15, top = 14, bottom = 30;
constexpr std::size_t most_plots = 24, most_points = 1500, most_rows = 200;

const char* const head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>saltus compare</title><style>
:root{color-scheme:light dark;--a:#0b62c4;--b:#d95f02;--line:#8886;--text:#222;--back:#fff}
@media (prefers-color-scheme:dark){:root{--a:#6db3ff;--b:#ff9e4f;--text:#ddd;--back:#161616}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:820px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{text-align:left}svg{display:block;margin:.2em 0 1.4em}text{fill:var(--text);font:12px system-ui,sans-serif}
.a{stroke:var(--a)}.b{stroke:var(--b);stroke-dasharray:6 4}.a,.b{fill:none;stroke-width:1.6}.grid{stroke:var(--line)}
.ta{stroke:var(--a)}.tb{stroke:var(--b)}.key-a{color:var(--a)}.key-b{color:var(--b)}
</style></head><body>
)";

std::string escaped(const std::string& text) { return io::page_text(text); }

struct PlotFrame {
  double t_0, t_1, y_0, y_1;

  double x(double t) const { return left + (t - t_0) / (t_1 - t_0) * (width - left - right); }
  double y(double v) const {
    return height - bottom - (v - y_0) / (y_1 - y_0) * (height - top - bottom);
  }
};

/// Of long runs the lowest and highest value of each stretch, so that peaks are seen.
std::string path(const ResultTable& table, const std::vector<double>& column,
                 const PlotFrame& frame, const char* kind) {
  std::string d;
  const std::size_t stride = std::max<std::size_t>(1, column.size() / most_points);
  for (std::size_t i = 0; i < column.size(); i += stride) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end =
        column.begin() + static_cast<std::ptrdiff_t>(std::min(column.size(), i + stride));
    const auto [least, most] = std::minmax_element(begin, end);
    for (const auto place : {std::min(least, most), std::max(least, most)}) {
      if (!std::isfinite(*place)) continue;
      const double t = table.time()[static_cast<std::size_t>(place - column.begin())];
      if (t < frame.t_0 || t > frame.t_1) continue;
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", frame.x(t), frame.y(*place));
      if (least == most) break;
    }
  }
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, d);
}

std::string ticks(const std::vector<EventLine>& events, const PlotFrame& frame, const char* kind,
                  double from, double to) {
  std::string text;
  std::size_t count = 0;
  for (const EventLine& event : events) {
    if (event.kind != "impact" || event.time < frame.t_0 || event.time > frame.t_1) continue;
    if (++count > most_points) break;
    text += fmt::format("<path class=\"{}\" d=\"M{:.1f} {}v{}\"/>", kind, frame.x(event.time), from,
                        to - from);
  }
  return text;
}

std::string plot(const ColumnDifference& difference, const ComparedResult& first,
                 const ComparedResult& second, const ResultComparison& comparison) {
  const auto values = [&](const ResultTable& table) {
    return compared_values(table, difference.name, difference.is_sum, comparison.from);
  };
  const std::vector<double> a = values(first.table), b = values(second.table);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const std::vector<double>* column : {&a, &b}) {
    for (const double value : *column) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  if (!(least <= most)) return {};
  const double margin = std::max(0.05 * (most - least), 1e-12 * std::max(std::abs(most), 1e-3));
  const double t_1 = comparison.to > comparison.from ? comparison.to : comparison.from + 1;
  const PlotFrame frame{comparison.from, t_1, least - margin, most + margin};
  std::string text =
      fmt::format("<h3>{}{}</h3><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                  escaped(difference.name), difference.is_sum ? ", sum" : "", width, height,
                  escaped(difference.name));
  for (int k = 0; k <= 4; ++k) {
    const double v = frame.y_0 + k * (frame.y_1 - frame.y_0) / 4;
    const double t = frame.t_0 + k * (frame.t_1 - frame.t_0) / 4;
    text += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{:.4g}</text>",
        left, frame.y(v), width - right, left - 6, frame.y(v) + 4, v);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.4g}{}</text>",
                        frame.x(t), height - 6, t, k == 4 ? " s" : "");
  }
  text += ticks(first.events, frame, "ta", height - bottom - 6, height - bottom);
  text += ticks(second.events, frame, "tb", height - bottom, height - bottom + 6);
  text += path(first.table, a, frame, "a") + path(second.table, b, frame, "b");
  return text + "</svg>\n";
}

/// Those that differ most, then positions and energies.
std::vector<const ColumnDifference*> plotted(const ResultComparison& comparison) {
  std::vector<const ColumnDifference*> result;
  const auto add = [&](const ColumnDifference& column) {
    if (result.size() < most_plots && column.range > 0 &&
        std::find(result.begin(), result.end(), &column) == result.end()) {
      result.push_back(&column);
    }
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(8, comparison.columns.size()); ++i) {
    add(comparison.columns[i]);
  }
  for (const ColumnDifference& column : comparison.columns) {
    if (column.name.find(".position.") != std::string::npos) add(column);
  }
  for (const ColumnDifference& column : comparison.columns) {
    if (column.name.starts_with("energy.")) add(column);
  }
  return result;
}

std::string told(const char* what, const std::optional<EventDifference>& events) {
  if (!events || events->first_count + events->second_count == 0) return {};
  return fmt::format(
      "<p>{}: {} and {}; the first {} are the same, their times within {:.3g} s.</p>\n", what,
      events->first_count, events->second_count, events->alike, events->latest);
}

std::string told(const ModeDifference& modes) {
  if (modes.first_count + modes.second_count == 0) return {};
  std::string text =
      fmt::format("<p>Natural modes: {} and {}", modes.first_count, modes.second_count);
  if (modes.mode > 0) {
    text += fmt::format(
        "; mode {} differs most: {:.9g} and {:.9g} Hz, growth rates {:.9g} and "
        "{:.9g} 1/s",
        modes.mode, modes.first.frequency, modes.second.frequency, modes.first.growth_rate,
        modes.second.growth_rate);
  }
  return text + ".</p>\n";
}

constexpr std::size_t most_names = 6;

std::string only_in(const std::string& result, const std::vector<std::string>& columns) {
  std::string text = fmt::format("only in {}: ", result);
  for (std::size_t i = 0; i < std::min(most_names, columns.size()); ++i) {
    text += (i > 0 ? ", " : "") + columns[i];
  }
  if (columns.size() > most_names) {
    text += fmt::format(" and {} more", columns.size() - most_names);
  }
  return text;
}

/// Of a kind of events that is recorded with this detail or a better one.
std::string without_events(const ComparedNames& names, EventDetail first, EventDetail second) {
  const auto told = [](EventDetail detail) {
    return detail == EventDetail::None ? "recorded no events" : "recorded no events but impacts";
  };
  if (first == second) return fmt::format("both runs {}: they are not compared", told(first));
  const bool is_first = first > second;
  return fmt::format("{} {}: they are not compared", is_first ? names.first : names.second,
                     told(std::max(first, second)));
}

}  // namespace

std::vector<std::string> comparison_notes(const ComparedNames& names, const ComparedResult& first,
                                          const ComparedResult& second,
                                          const ResultComparison& comparison) {
  std::vector<std::string> notes;
  if (!comparison.only_first.empty()) notes.push_back(only_in(names.first, comparison.only_first));
  if (!comparison.only_second.empty()) {
    notes.push_back(only_in(names.second, comparison.only_second));
  }
  if (!comparison.ends_together) {
    const double first_end = first.table.time().back(), second_end = second.table.time().back();
    notes.push_back(fmt::format("{} goes on to {:.9g} s: what is after {:.9g} s is not compared",
                                first_end > second_end ? names.first : names.second,
                                std::max(first_end, second_end), std::min(first_end, second_end)));
  }
  if (first.recorded != EventDetail::All || second.recorded != EventDetail::All) {
    notes.push_back(without_events(names, first.recorded, second.recorded));
  }
  std::map<std::string, std::string> left_out;  // by reason
  for (const NotCompared& kind : comparison.not_compared) {
    std::string& list = left_out[kind.reason];
    if (!list.empty()) list += ", ";
    list +=
        kind.columns == 1 ? kind.what : fmt::format("{} columns of {}", kind.columns, kind.what);
  }
  for (const auto& [reason, list] : left_out) {
    notes.push_back(fmt::format("not compared: {} ({})", list, reason));
  }
  if (!first.modes.empty() || !second.modes.empty()) {
    notes.emplace_back("not compared: how bodies move in modes (a mode has no sign)");
  }
  if (first.has_forces || second.has_forces) {
    notes.emplace_back(
        "not compared: contact_forces.csv (one row for each collision; compare its events)");
  }
  return notes;
}

std::string comparison_page(const ComparedNames& names, const ComparedResult& first,
                            const ComparedResult& second, const ResultComparison& comparison) {
  std::string page = head;
  page += fmt::format(
      "<h1><span class=\"key-a\">{}</span> and <span class=\"key-b\">{}</span></h1>\n"
      "<p>Full line and ticks above the axis: {}. Dashed line and ticks below it: {}. Ticks are "
      "impacts.</p>\n",
      escaped(names.first), escaped(names.second), escaped(names.first), escaped(names.second));
  page += told("Impacts", comparison.impacts);
  page += told("Contacts that stick or slip", comparison.changes);
  page += told(comparison.modes);
  page += "<ul>\n";
  for (const std::string& note : comparison_notes(names, first, second, comparison)) {
    page += fmt::format("<li>{}</li>\n", escaped(note));
  }
  page += "</ul>\n";
  for (const ColumnDifference* column : plotted(comparison)) {
    page += plot(*column, first, second, comparison);
  }
  page +=
      "<h2>All columns</h2><table><tr><th>column</th><th>largest difference</th><th>at</th>"
      "<th>over the range</th></tr>\n";
  for (std::size_t i = 0; i < std::min(most_rows, comparison.columns.size()); ++i) {
    const ColumnDifference& column = comparison.columns[i];
    page += fmt::format("<tr><td>{}{}</td><td>{:.3g}</td><td>{:.6g} s</td><td>{:.2e}</td></tr>\n",
                        escaped(column.name), column.is_sum ? ", sum" : "", column.largest,
                        column.at, column.relative());
  }
  return page + "</table></body></html>\n";
}

}  // namespace saltus
