// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace saltus::io {
namespace {

constexpr const char* interest_texts[interests] = {
    "", "gaps, states and impulses of contacts", "velocities and forces",
    "accumulated rotations, velocities of nodes and resultants of elements"};

/// Calls `use` with each row of the file, read in blocks.
void for_each_row(const Hdf5Reader& file,
                  const std::function<void(std::size_t, const double*)>& use) {
  const std::size_t width = file.columns().size();
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 21U) / width);
  std::vector<double> values;
  for (std::size_t first = 0; first < file.rows(); first += block) {
    const std::size_t count = std::min(block, file.rows() - first);
    file.read_rows(first, count, values);
    for (std::size_t i = 0; i < count; ++i) use(first + i, values.data() + i * width);
  }
}

/// Which columns change: the others cost nothing.
std::vector<bool> changing(const Hdf5Reader& file) {
  std::vector<double> first;
  std::vector<bool> changes(file.columns().size(), false);
  for_each_row(file, [&](std::size_t, const double* row) {
    if (first.empty()) first.assign(row, row + changes.size());
    for (std::size_t j = 0; j < changes.size(); ++j) {
      if (row[j] != first[j]) changes[j] = true;
    }
  });
  return changes;
}

/// How much of a time series fits.
struct Choice {
  int last_interest = interests - 1;
  bool is_coarse = false;
  std::size_t rows = 0;
};

/// Drops columns of the least interest until enough rows fit; then makes numbers coarse.
Choice choose(const std::vector<std::size_t>& columns_by_interest, std::size_t recorded,
              const ReportBudget& budget) {
  const std::size_t most = std::min(recorded, budget.most_rows);
  const std::size_t enough = std::min(most, budget.least_rows);
  const auto fitting = [&](int last, std::size_t bytes_each) {
    std::size_t bytes = sizeof(double);  // the time
    for (int i = 0; i <= last; ++i) {
      bytes += bytes_each * columns_by_interest[static_cast<std::size_t>(i)];
    }
    return std::min(most, budget.bytes / bytes);
  };
  for (int last = interests - 1; last >= 0; --last) {
    const std::size_t rows = fitting(last, sizeof(float));
    if (rows >= enough) return {last, false, rows};
  }
  return {0, true, std::max(fitting(0, sizeof(std::uint16_t)), std::min(most, budget.fewest_rows))};
}

bool is_shown(std::size_t row, const ReportRows& rows) {
  return row % rows.stride == 0 || row + 1 == rows.recorded;
}

/// The part that a row has in the time since the last shown one, for means.
class MeanWeight {
 public:
  double of(double time) const { return time > shown_ ? (time - last_) / (time - shown_) : 1; }
  void pass(double time, bool is_shown) {
    last_ = time;
    if (is_shown) shown_ = time;
  }

 private:
  double shown_ = 0, last_ = 0;
};

/// @param weight  of a mean: the part of this row in the time since the last shown one
void take(Thinning thinning, bool is_first, double value, double weight, double& kept) {
  if (is_first) {
    kept = value;
    return;
  }
  switch (thinning) {
    case Thinning::Sample:
      kept = value;
      break;
    case Thinning::Sum:
      kept += value;
      break;
    case Thinning::Smallest:
      kept = std::min(kept, value);
      break;
    case Thinning::Largest:
      kept = std::max(kept, value);
      break;
    case Thinning::Mean:
      kept += weight * (value - kept);
      break;
  }
}

void read_values(const Hdf5Reader& file, ReportRows& rows) {
  rows.values.assign(rows.columns.size(), {});
  bool is_first = true;
  MeanWeight mean;
  for_each_row(file, [&](std::size_t i, const double* row) {
    const double weight = mean.of(row[0]);
    for (std::size_t k = 0; k < rows.columns.size(); ++k) {
      std::vector<double>& column = rows.values[k];
      if (is_first) column.push_back(0);
      const std::size_t j = rows.columns[k];
      take(file.columns()[j].thinning, is_first, row[j], weight, column.back());
    }
    is_first = is_shown(i, rows);
    mean.pass(row[0], is_first);
  });
}

}  // namespace

ReportRows read_report_rows(const Hdf5Reader& file, const ReportBudget& budget) {
  ReportRows rows{.recorded = file.rows()};
  const std::vector<bool> changes = changing(file);
  std::vector<std::size_t> columns(interests, 0);  // that change, by interest
  for (std::size_t j = 1; j < changes.size(); ++j) {
    if (changes[j]) ++columns[static_cast<std::size_t>(file.columns()[j].interest)];
  }
  const Choice choice = choose(columns, file.rows(), budget);
  rows.is_coarse = choice.is_coarse;
  rows.stride = choice.rows == 0 ? 1 : (file.rows() + choice.rows - 1) / choice.rows;
  for (std::size_t j = 0; j < changes.size(); ++j) {
    if (static_cast<int>(file.columns()[j].interest) <= choice.last_interest) {
      rows.columns.push_back(j);
    }
  }
  read_values(file, rows);
  if (rows.stride > 1) {
    rows.notes.push_back(fmt::format(
        "Shown: {} of {} recorded rows, one of {}. Impulses are sums over the rows between, gaps "
        "the smallest, states and iterations the largest, loads of balls the mean of them; "
        "everything else is the value at "
        "the shown row. results.h5 has all of them.",
        rows.rows(), rows.recorded, rows.stride));
  }
  if (choice.last_interest + 1 < interests) {
    const std::span left_out(interest_texts + choice.last_interest + 1, interest_texts + interests);
    rows.notes.push_back(fmt::format("Left out to keep this page small: {}. results.h5 has them.",
                                     fmt::join(left_out, "; ")));
  }
  if (rows.is_coarse) {
    rows.notes.emplace_back(
        "Numbers are rounded to a 65 535th of their range: good to look at, not to compute with.");
  }
  return rows;
}

RowStream::RowStream(const Hdf5Reader& file, std::size_t stride)
    : file_(file), rows_{.recorded = file.rows(), .stride = stride} {
  rows_.columns.resize(file.columns().size());
  std::iota(rows_.columns.begin(), rows_.columns.end(), std::size_t{0});
  rows_.values.assign(rows_.columns.size(), {0.0});
}

void RowStream::for_each(const std::function<void(std::size_t)>& use) {
  const std::vector<Channel>& columns = file_.columns();
  bool is_first = true;
  MeanWeight mean;
  for_each_row(file_, [&](std::size_t i, const double* row) {
    const double weight = mean.of(row[0]);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      take(columns[k].thinning, is_first, row[k], weight, rows_.values[k].front());
    }
    is_first = is_shown(i, rows_);
    mean.pass(row[0], is_first);
    if (is_first) use(i);
  });
}

}  // namespace saltus::io
