// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "saltus/model/options.hpp"
#include "saltus/simulation/channel.hpp"

namespace saltus {

/// The columns of a timeseries.csv.
struct ResultTable {
  std::vector<Channel> channels = {};
  std::vector<std::vector<double>> columns = {};  ///< of each channel, as long as the run has rows

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  const std::vector<double>& time() const { return columns.front(); }
  /// Null if there is none of this name.
  const std::vector<double>* find(const std::string& name) const;
};

/// A row of an events.csv, as far as it tells what happened.
struct EventLine {
  double time = 0;
  std::string contact = {};
  std::string kind = {};
  int order = 0;
  double impulse = 0;  ///< along the normal, N s
};

/// A row of a modes.csv without how bodies move.
struct ModeLine {
  double frequency = 0;    ///< Hz, 0 if unstable
  double growth_rate = 0;  ///< 1/s, 0 if stable
};

/// What columns mean is taken from results.h5 beside it.
/// @throws FileError if the file is missing or is not what Saltus writes. A last line that a
/// killed run left unfinished is not read.
ResultTable read_timeseries(const std::filesystem::path& directory);
/// Empty if the run wrote none.
std::vector<EventLine> read_events(const std::filesystem::path& directory);
/// Which events the run was to record, as the model in results.h5 says.
EventDetail recorded_events(const std::filesystem::path& directory);
/// In the order of their numbers; empty if the run was no modal analysis.
std::vector<ModeLine> read_modes(const std::filesystem::path& directory);

}  // namespace saltus
