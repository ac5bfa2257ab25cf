// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saltus {

/// Writes the time and some columns of a result to a table of their own: their numbers as they are.
/// @param columns  names, or beginnings such as "ball.position"
/// @param every    one of so many rows, and the last one
/// @return the number of rows
/// @throws FileError, InputError if there is no such column
std::size_t write_columns(const std::filesystem::path& directory,
                          const std::vector<std::string>& columns, std::size_t every,
                          const std::filesystem::path& path);

/// Draws columns of results over the time, or over another column, one panel for each unit.
struct PlotRequest {
  std::vector<std::filesystem::path> directories = {};
  std::vector<std::string> columns = {};
  std::string x = {};                ///< empty: the time
  double from = -1e300, to = 1e300;  ///< s
  bool is_equal = false;
};

/// An SVG. @throws FileError, InputError
std::string plot_columns(const PlotRequest& request);

}  // namespace saltus
