// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/io/page_text.hpp"

namespace saltus::io {
namespace {

constexpr double plot_width = 760, left_margin = 84, right_margin = 18, top_margin = 14;
constexpr double panel_height = 250, panel_gap = 22, foot = 44, legend_line = 18;
constexpr double letter = 6.6;  // of the legend, about

/// Colours that people who see few of them tell apart (Okabe and Ito), then dashed again.
constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                "#e69f00", "#56b4e9", "#000000"};

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// With a margin, and not empty; round-off of a constant is not drawn as noise.
  Range padded(double part) const {
    if (!(low <= high)) return {0, 1};
    const double size = std::max(std::abs(low), std::abs(high));
    const double span = high - low;
    if (span <= 1e-12 * size || span == 0) {
      const double half = size > 0 ? 0.1 * size : 1;
      return {(low + high) / 2 - half, (low + high) / 2 + half};
    }
    return {low - part * span, high + part * span};
  }
};

/// Where numbers are in the picture.
struct PanelFrame {
  Range x, y;
  double top = 0, height = 0;

  double width() const { return plot_width - left_margin - right_margin; }
  double px(double v) const { return left_margin + (v - x.low) / (x.high - x.low) * width(); }
  double py(double v) const { return top + height - (v - y.low) / (y.high - y.low) * height; }
  /// The shorter side gets more room, until units are as long along both.
  void equalize() {
    const double unit_x = (x.high - x.low) / width(), unit_y = (y.high - y.low) / height;
    Range& wider = unit_x < unit_y ? x : y;
    const double more = (std::max(unit_x, unit_y) / std::min(unit_x, unit_y) - 1) / 2;
    const double span = wider.high - wider.low;
    wider = {wider.low - more * span, wider.high + more * span};
  }
};

std::string tick_text(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-4) return fmt::format("{:.6g}", value);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

std::string style_of(std::size_t number) {
  const std::size_t round = number / colours.size();
  return fmt::format(
      "stroke=\"{}\"{}", colours[number % colours.size()],
      round == 0 ? "" : fmt::format(" stroke-dasharray=\"{} 3\"", round == 1 ? 6 : 2));
}

/// Points that are closer than a third of a pixel to the last one are left out.
std::string path_of(const PlotCurve& curve, const PanelFrame& frame) {
  std::string d;
  bool is_down = false;
  double last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x = frame.px(curve.x[i]), y = frame.py(curve.y[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      is_down = false;
      continue;
    }
    const bool is_last = i + 1 == curve.x.size();
    if (is_down && !is_last && std::hypot(x - last_x, y - last_y) < 0.33) continue;
    d += fmt::format("{}{:.1f} {:.1f}", is_down ? "L" : "M", x, y);
    is_down = true, last_x = x, last_y = y;
  }
  return d;
}

std::string axes_of(const PanelFrame& frame, const PlotPanel& panel, bool is_lowest) {
  std::string text;
  const double bottom = frame.top + frame.height, right = plot_width - right_margin;
  const auto y_ticks = tick_places(frame.y.low, frame.y.high, 6);
  const auto x_ticks = tick_places(frame.x.low, frame.x.high, 8);
  const auto step = [](const std::vector<double>& ticks) {
    return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  };
  for (const double v : y_ticks) {
    text += fmt::format(
        "<path class=\"g\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        left_margin, frame.py(v), right, left_margin - 7, frame.py(v) + 4,
        tick_text(v, step(y_ticks)));
  }
  for (const double v : x_ticks) {
    text += fmt::format("<path class=\"g\" d=\"M{:.1f} {}V{}\"/>", frame.px(v), frame.top, bottom);
    if (!is_lowest) continue;
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                        frame.px(v), bottom + 17, tick_text(v, step(x_ticks)));
  }
  const double middle = frame.top + frame.height / 2;
  return text + fmt::format(
                    "<rect class=\"f\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n<text "
                    "transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                    left_margin, frame.top, frame.width(), frame.height, middle,
                    page_text(panel.label));
}

/// Lines of labels; gets the height that they need.
std::string legend_of(const Plot& plot, double top, double& height) {
  std::string text;
  double x = left_margin, y = top;
  std::size_t number = 0;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotCurve& curve : panel.curves) {
      const double needed = 40 + letter * static_cast<double>(curve.label.size());
      if (x > left_margin && x + needed > plot_width) x = left_margin, y += legend_line;
      text += fmt::format(
          "<path class=\"c\" {} d=\"M{:.1f} {:.1f}h22\"/><text x=\"{:.1f}\" "
          "y=\"{:.1f}\">{}</text>\n",
          style_of(number++), x, y - 4, x + 28, y, page_text(curve.label));
      x += needed;
    }
  }
  height = y - top + legend_line;
  return text;
}

PanelFrame frame_of(const Plot& plot, std::size_t number) {
  Range x, y;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotCurve& curve : panel.curves) {
      for (const double v : curve.x) x.take(v);
    }
  }
  for (const PlotCurve& curve : plot.panels[number].curves) {
    for (const double v : curve.y) y.take(v);
  }
  PanelFrame frame{.x = x.padded(plot.is_equal ? 0.04 : 0),
                   .y = y.padded(0.06),
                   .top = top_margin + static_cast<double>(number) * (panel_height + panel_gap),
                   .height = plot.is_equal ? 2 * panel_height : panel_height};
  if (plot.is_equal) frame.equalize();
  return frame;
}

}  // namespace

std::vector<double> tick_places(double low, double high, int most) {
  const double rough = (high - low) / most;
  if (!(rough > 0) || !std::isfinite(rough)) return {};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> places;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) {
    places.push_back(n * step);
  }
  return places;
}

std::string plot_svg(const Plot& plot) {
  std::string drawn;
  double bottom = top_margin;
  std::size_t number = 0;
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const PanelFrame frame = frame_of(plot, i);
    drawn += axes_of(frame, plot.panels[i], i + 1 == plot.panels.size());
    for (const PlotCurve& curve : plot.panels[i].curves) {
      drawn += fmt::format("<path class=\"c\" {} d=\"{}\"/>\n", style_of(number++),
                           path_of(curve, frame));
    }
    bottom = frame.top + frame.height;
  }
  drawn += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       (left_margin + plot_width - right_margin) / 2, bottom + 36,
                       page_text(plot.x_label));
  double height = 0;
  drawn += legend_of(plot, bottom + foot + legend_line, height);
  const double all = bottom + foot + legend_line + height;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 "
             "{0} {1}\" role=\"img\">\n",
             plot_width, all) +
         "<style>text{font:12px system-ui,sans-serif;fill:#222}.g{stroke:#ddd}.f{fill:none;"
         "stroke:#888}.c{fill:none;stroke-width:1.6;stroke-linejoin:round}</style>\n" +
         fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", plot_width, all) +
         drawn + "</svg>\n";
}

}  // namespace saltus::io
