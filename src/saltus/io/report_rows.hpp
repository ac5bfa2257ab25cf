// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "saltus/io/hdf5_reader.hpp"

namespace saltus::io {

/// How much a report may hold.
struct ReportBudget {
  std::size_t bytes = std::size_t{3'700'000};  ///< of numbers, before base64 makes 4/3 of it
  std::size_t most_rows = 20'000;
  std::size_t least_rows = 400;   ///< columns of less interest are left out to keep as many
  std::size_t fewest_rows = 100;  ///< shown in any case, coarsely: the page becomes larger
  std::size_t most_events = 5'000;
  std::size_t fewest_modes = 10;  ///< shown in any case, coarsely
};

/// The part of a time series that a report shows.
struct ReportRows {
  std::size_t recorded = 0;                      ///< rows in the file
  bool is_coarse = false;                        ///< numbers need two bytes only
  std::size_t stride = 1;                        ///< every how many rows one is shown
  std::vector<std::size_t> columns = {};         ///< shown, indices into those of the file
  std::vector<std::vector<double>> values = {};  ///< of each shown column
  std::vector<std::string> notes = {};           ///< what was left out, for the reader

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
};

/// Reads a time series, thinned to the budget. The first column is the time.
ReportRows read_report_rows(const Hdf5Reader& file, const ReportBudget& budget);

/// Shows a time series of any length one row at a time: every `stride`-th, and the last one.
class RowStream {
 public:
  /// @param file  must live longer
  /// @pre stride > 0
  RowStream(const Hdf5Reader& file, std::size_t stride);
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  /// All columns, with the one row that is shown now.
  const ReportRows& rows() const { return rows_; }
  /// Calls `use` when each of the rows is there, with its number in the file.
  void for_each(const std::function<void(std::size_t)>& use);

 private:
  const Hdf5Reader& file_;
  ReportRows rows_;
};

}  // namespace saltus::io
