// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/io/page_text.hpp"
#include "saltus/study/convergence.hpp"

namespace saltus::study {
namespace {

constexpr double width = 380, height = 220, left = 60, right = 10, top = 10, bottom = 32;
constexpr std::size_t most_plots = 24, most_points = 600;

constexpr const char* style = R"(<style>
:root{color-scheme:light dark;--a:#0b62c4;--line:#8886;--text:#222;--back:#fff}
@media (prefers-color-scheme:dark){:root{--a:#6db3ff;--text:#ddd;--back:#161616}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:860px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{text-align:left}svg{margin:.2em}text{fill:var(--text);font-size:11px}
polyline{fill:none;stroke:var(--a);stroke-width:1.5}circle{fill:var(--a)}rect{fill:none;stroke:var(--line)}
</style></head><body>
)";

/// Positive pairs, in decades.
struct LogPlot {
  std::vector<double> x = {}, y = {};
  bool x_is_log = true;

  void add(double at, double value) {
    if (value <= 0 || (x_is_log && at <= 0) || !std::isfinite(value)) return;
    x.push_back(x_is_log ? std::log10(at) : at);
    y.push_back(std::log10(value));
  }

  std::string svg(const std::string& label) const {
    if (x.empty()) return "";
    const auto [x0, x1] = std::minmax_element(x.begin(), x.end());
    const double low = std::floor(*std::min_element(y.begin(), y.end())),
                 high = std::max(low + 1, std::ceil(*std::max_element(y.begin(), y.end())));
    const double span = std::max(*x1 - *x0, 1e-300);
    const auto px = [&, a = *x0](double v) {
      return left + (v - a) / span * (width - left - right);
    };
    const auto py = [&](double v) {
      return height - bottom - (v - low) / (high - low) * (height - top - bottom);
    };
    std::string points, marks;
    const std::size_t stride = std::max<std::size_t>(1, x.size() / most_points);
    for (std::size_t i = 0; i < x.size(); i += stride) {
      points += fmt::format("{:.1f},{:.1f} ", px(x[i]), py(y[i]));
      if (x_is_log) {
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", px(x[i]), py(y[i]));
      }
    }
    const auto tick = [&](double v) {
      return x_is_log ? fmt::format("{:.3g}", std::pow(10, v)) : fmt::format("{:.4g}", v);
    };
    return fmt::format(
        "<svg width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\"><rect x=\"{3}\" "
        "y=\"{4}\" width=\"{5}\" height=\"{6}\"/><polyline points=\"{7}\"/>{8}<text x=\"4\" "
        "y=\"{9}\">1e{10:.0f}</text><text x=\"4\" y=\"{11}\">1e{12:.0f}</text><text x=\"{3}\" "
        "y=\"{13}\">{14}</text><text x=\"{15}\" y=\"{13}\" text-anchor=\"end\">{16}</text><text "
        "x=\"{17}\" y=\"{13}\" text-anchor=\"middle\">{2}</text></svg>",
        width, height, io::page_text(label), left, top, width - left - right, height - top - bottom,
        points, marks, top + 10, high, height - bottom, low, height - 12, tick(*x0), width - right,
        tick(*x1), (width + left) / 2);
  }
};

std::string row_of(const ColumnConvergence& column) {
  std::string cells;
  for (const double value : column.values) cells += fmt::format("<td>{:.10g}</td>", value);
  return fmt::format(
      "<tr><td>{} [{}]</td>{}<td>{}</td><td>{:.12g}</td><td>{:.2g}</td><td>{}</td></tr>\n",
      io::page_text(column.name), io::page_text(column.unit), cells,
      column.order ? fmt::format("{:.2f}", *column.order) : "–", column.estimate, column.error,
      column.departs ? fmt::format("{:.6g} s", *column.departs) : "end");
}

std::string plots_of(const ColumnConvergence& column, const std::vector<double>& times) {
  LogPlot errors, differences{.x_is_log = false};
  for (std::size_t k = 0; k < column.values.size(); ++k) {
    errors.add(column.steps[k], std::abs(column.values[k] - column.estimate));
  }
  for (std::size_t n = 0; n < times.size(); ++n) differences.add(times[n], column.differences[n]);
  const std::string drawn = errors.svg("distance from the estimate over the step, s") +
                            differences.svg("difference of the finest two over the time, s");
  if (drawn.empty()) return "";
  return fmt::format("<h3>{}</h3>{}\n", io::page_text(column.name), drawn);
}

}  // namespace

std::string convergence_page(const Convergence& convergence, const std::string& model) {
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  page += io::page_policy;
  page += fmt::format("<title>saltus converge</title>{}<h1>{}</h1>\n", style, io::page_text(model));
  page +=
      convergence.comparable_until
          ? fmt::format(
                "<p>The finest two runs can be compared until t = {:.6g} s: then a column "
                "differs by more than {:g} of its range.</p>\n",
                *convergence.comparable_until, departure)
          : fmt::format("<p>The finest two runs can be compared to the end, t = {:.6g} s.</p>\n",
                        convergence.end_time);
  page += "<table><tr><th>column</th>";
  if (!convergence.columns.empty()) {
    for (const double step : convergence.columns.front().steps) {
      page += fmt::format("<th>h = {:.4g} s</th>", step);
    }
  }
  page += "<th>order</th><th>estimate</th><th>error</th><th>comparable until</th></tr>\n";
  for (const ColumnConvergence& column : convergence.columns) page += row_of(column);
  page += "</table>\n";
  for (std::size_t i = 0; i < std::min(most_plots, convergence.columns.size()); ++i) {
    page += plots_of(convergence.columns[i], convergence.times);
  }
  return page + "</body></html>\n";
}

}  // namespace saltus::study
