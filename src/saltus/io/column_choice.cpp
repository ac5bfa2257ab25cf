// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/column_choice.hpp"

#include <fmt/format.h>

#include "saltus/core/input_error.hpp"

namespace saltus::io {

std::vector<std::size_t> chosen_columns(const std::vector<Channel>& channels,
                                        const std::vector<std::string>& names,
                                        const std::string& option) {
  std::vector<std::size_t> columns;
  std::vector<bool> found(names.size(), false);
  std::vector<std::string> known;
  for (std::size_t j = 0; j < channels.size(); ++j) {
    const std::string& column = channels[j].name;
    known.push_back(column);
    bool is_wanted = false;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (column != names[k] && !column.starts_with(names[k] + ".")) continue;
      found[k] = is_wanted = true;
    }
    if (is_wanted) columns.push_back(j);
  }
  std::vector<Issue> issues;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (found[k]) continue;
    const std::string nearest = nearest_name(names[k], known);
    issues.push_back({.place = option,
                      .rule = "there is no such column",
                      .value = names[k],
                      .remedy = nearest.empty() ? "timeseries.csv of a run names them"
                                                : fmt::format("did you mean \"{}\"?", nearest)});
  }
  if (!issues.empty()) throw InputError(std::move(issues));
  return columns;
}

}  // namespace saltus::io
