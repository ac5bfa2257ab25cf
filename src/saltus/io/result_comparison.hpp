// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/io/result_table.hpp"

namespace saltus {

/// How far two results are apart in one column.
struct ColumnDifference {
  std::string name = {};
  std::string range_of = {};  ///< columns with the same word here are judged by one range
  double largest = 0;         ///< absolute
  double at = 0;              ///< when, s
  double range = 0;  ///< of the values in both results, of the whole quantity (x, y, z together)
  /// The first time from which they differ by more than the tolerance times the range.
  std::optional<double> from = {};

  double relative() const { return range > 0 ? largest / range : 0; }
};

/// Two results event by event.
struct EventDifference {
  std::size_t first_count = 0, second_count = 0;
  std::size_t alike = 0;  ///< how many are the same things in the same order, from the start
  double latest = 0;      ///< largest difference of their times, s
  double latest_at = 0;   ///< the time of that one in the first result
  double impulse = 0;     ///< largest difference of normal impulses over the larger one
  std::optional<EventLine> first_other = {}, second_other = {};  ///< where they part

  bool same() const { return alike == first_count && alike == second_count; }
};

struct ResultComparison {
  std::vector<ColumnDifference> columns = {};   ///< of both results, most different first
  std::size_t only_first = 0, only_second = 0;  ///< columns of one result
  double from = 0, to = 0;                      ///< times of both
  std::size_t instants = 0;                     ///< at which they were compared
  bool interpolated = false;                    ///< whether the second result was, between its rows
  std::optional<double> agree_until = {};       ///< the first time a column leaves the tolerance
  EventDifference impacts = {};
  EventDifference changes = {};  ///< contacts that stick or slip
};

/// Compares what two runs have in common: at times of both, or else at the times of the first with
/// the second interpolated.
/// @throws FileError if they have no column or no time in common.
ResultComparison compare_results(const ResultTable& first, const ResultTable& second,
                                 const std::vector<EventLine>& first_events,
                                 const std::vector<EventLine>& second_events, double tolerance);

/// Values of a column at a time, linear between rows.
double value_at(const ResultTable& table, const std::vector<double>& column, double time);

}  // namespace saltus
