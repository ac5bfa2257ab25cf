// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace saltus::io {

struct PlotCurve {
  std::string label = {};
  std::vector<double> x = {}, y = {};
};

/// Curves with one unit.
struct PlotPanel {
  std::string label = {};  ///< of the y axis
  std::vector<PlotCurve> curves = {};
};

/// Panels below each other with one x axis.
struct Plot {
  std::string x_label = {};
  std::vector<PlotPanel> panels = {};
  bool is_equal = false;  ///< one unit is as long along x as along y: orbits
};

/// A picture that stands alone, 760 wide.
std::string plot_svg(const Plot& plot);

/// Places of ticks between two numbers: steps of 1, 2 or 5 times a power of ten.
std::vector<double> tick_places(double low, double high, int most);

}  // namespace saltus::io
