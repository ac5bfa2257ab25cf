// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/io/result_table.hpp"

namespace saltus {

/// How far two results are apart in one column.
struct ColumnDifference {
  std::string name = {};
  std::string unit = {};
  bool is_sum = false;  ///< what is counted from row to row: compared are sums since `from`
  double largest = 0;   ///< absolute
  double at = 0;        ///< when, s
  /// What the difference is measured by: the range of the values in both results, of the whole
  /// quantity (x, y, z together), but no less than a small part of the largest value that owners of
  /// its kind have, so that round-off about zero or about a constant counts for nothing.
  double range = 0;
  double round_off = 0;  ///< what is below is none
  /// The first time from which they differ by more than the tolerance times the range.
  std::optional<double> from = {};

  double relative() const { return range > 0 ? largest / range : 0; }
  bool differs() const { return largest > round_off; }
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

/// Natural modes of two results, by their numbers: how they move has no sign and is not compared.
struct ModeDifference {
  std::size_t first_count = 0, second_count = 0;
  int mode = 0;                      ///< the number of the most different one; 0: none differs
  ModeLine first = {}, second = {};  ///< that one
  double relative = 0;               ///< its difference over the larger value of the two

  bool agrees(double tolerance) const {
    return first_count == second_count && relative <= tolerance;
  }
};

/// Columns of both results that are not compared, and why.
struct NotCompared {
  std::string what = {};  ///< "status"
  std::string reason = {};
  std::size_t columns = 0;
};

/// What of a result is compared.
struct ComparedResult {
  ResultTable table = {};
  EventDetail recorded = EventDetail::All;  ///< which events there can be
  std::vector<EventLine> events = {};
  std::vector<ModeLine> modes = {};
  bool has_forces = false;  ///< a contact_forces.csv
};

/// The first row in which two results are not the same bytes.
struct FirstDifference {
  std::size_t row = 0;      ///< from 0
  double time = 0;          ///< s
  std::string column = {};  ///< the one that differs most, relative to its values
  double first = 0, second = 0;
};

struct ResultComparison {
  std::optional<FirstDifference> first_row = {};  ///< none: all rows of both are the same bytes
  std::vector<ColumnDifference> columns = {};     ///< of both results, most different first
  std::vector<std::string> only_first = {}, only_second = {};  ///< columns of one result
  std::vector<NotCompared> not_compared = {};
  double from = 0, to = 0;                      ///< times of both
  bool ends_together = true;                    ///< else one of them goes on
  std::size_t instants = 0;                     ///< at which they were compared
  bool interpolated = false;                    ///< whether the second result was, between its rows
  std::optional<double> agree_until = {};       ///< the first time a column leaves the tolerance
  std::optional<EventDifference> impacts = {};  ///< none: one of the runs recorded none
  std::optional<EventDifference> changes = {};  ///< contacts that stick or slip; the same
  ModeDifference modes = {};

  bool has_same_columns() const { return only_first.empty() && only_second.empty(); }
};

/// Compares what two runs have in common: at times of both, or else at the times of the first with
/// the second interpolated.
/// @throws FileError if they have no column or no time in common.
ResultComparison compare_results(const ComparedResult& first, const ComparedResult& second,
                                 double tolerance);

/// A column as it is compared: as recorded, or as a sum since a time.
std::vector<double> compared_values(const ResultTable& table, const std::string& name, bool is_sum,
                                    double since);

/// Values of a column at a time, linear between rows.
double value_at(const ResultTable& table, const std::vector<double>& column, double time);

/// What `saltus run` has written into a directory.
/// @throws FileError as read_timeseries does.
ComparedResult read_compared(const std::filesystem::path& directory);

}  // namespace saltus
