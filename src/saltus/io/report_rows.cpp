// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace saltus::io {
namespace {

constexpr int ranks = 4;
constexpr const char* rank_texts[ranks] = {
    "", "gaps, states and impulses of contacts", "velocities and forces",
    "accumulated rotations, velocities of nodes and resultants of elements"};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// 0: without it nothing can be drawn; 3: what is missed last.
int rank_of(const std::string& name) {
  if (name == "time" || name.starts_with("energy.") || name.starts_with("iterations.")) return 0;
  const bool is_node = contains(name, ".node"), is_element = contains(name, ".element");
  if (contains(name, ".position.") || contains(name, ".orientation.")) return 0;
  if (is_node) return name.ends_with(".von_mises") ? 0 : 3;
  if (is_element) return contains(name, ".strain") || contains(name, ".curvature") ? 0 : 3;
  if (contains(name, ".rotation.") || contains(name, ".eccentricity.")) return 3;
  for (const char* contact : {".gap", ".status", ".impulse", ".closed"}) {
    if (contains(name, contact)) return 1;
  }
  return 2;
}

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
  int last_rank = ranks - 1;
  bool is_coarse = false;
  std::size_t rows = 0;
};

/// Drops ranks of columns until enough rows fit; then makes numbers coarse.
Choice choose(const std::vector<std::size_t>& columns_by_rank, std::size_t recorded,
              const ReportBudget& budget) {
  const std::size_t most = std::min(recorded, budget.most_rows);
  const std::size_t enough = std::min(most, budget.least_rows);
  const auto fitting = [&](int last_rank, std::size_t bytes_each) {
    std::size_t bytes = sizeof(double);  // the time
    for (int r = 0; r <= last_rank; ++r) {
      bytes += bytes_each * columns_by_rank[static_cast<std::size_t>(r)];
    }
    return std::min(most, budget.bytes / bytes);
  };
  for (int rank = ranks - 1; rank >= 0; --rank) {
    const std::size_t rows = fitting(rank, sizeof(float));
    if (rows >= enough) return {rank, false, rows};
  }
  return {0, true, std::max(fitting(0, sizeof(std::uint16_t)), std::min(most, budget.fewest_rows))};
}

bool is_shown(std::size_t row, const ReportRows& rows) {
  return row % rows.stride == 0 || row + 1 == rows.recorded;
}

void take(Thinning thinning, bool is_first, double value, double& kept) {
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
  }
}

std::vector<Thinning> thinnings_of(const Hdf5Reader& file, const ReportRows& rows) {
  std::vector<Thinning> thinnings;
  for (const std::size_t j : rows.columns) thinnings.push_back(thinning_of(file.columns()[j]));
  return thinnings;
}

void read_values(const Hdf5Reader& file, ReportRows& rows) {
  const std::vector<Thinning> thinnings = thinnings_of(file, rows);
  rows.values.assign(rows.columns.size(), {});
  bool is_first = true;
  for_each_row(file, [&](std::size_t i, const double* row) {
    for (std::size_t k = 0; k < rows.columns.size(); ++k) {
      std::vector<double>& column = rows.values[k];
      if (is_first) column.push_back(0);
      take(thinnings[k], is_first, row[rows.columns[k]], column.back());
    }
    is_first = is_shown(i, rows);
  });
}

}  // namespace

Thinning thinning_of(const Column& column) {
  if (column.unit == "N s" || column.unit == "N m s") return Thinning::Sum;
  if (column.name.ends_with(".gap")) return Thinning::Smallest;
  if (column.name.ends_with(".status") || column.name.ends_with(".closed") ||
      column.name.starts_with("iterations.")) {
    return Thinning::Largest;
  }
  return Thinning::Sample;
}

ReportRows read_report_rows(const Hdf5Reader& file, const ReportBudget& budget) {
  ReportRows rows{.recorded = file.rows()};
  const std::vector<bool> changes = changing(file);
  std::vector<std::size_t> columns(ranks, 0);  // that change, by rank
  for (std::size_t j = 1; j < changes.size(); ++j) {
    const auto rank = static_cast<std::size_t>(rank_of(file.columns()[j].name));
    if (changes[j]) ++columns[rank];
  }
  const Choice choice = choose(columns, file.rows(), budget);
  rows.is_coarse = choice.is_coarse;
  rows.stride = choice.rows == 0 ? 1 : (file.rows() + choice.rows - 1) / choice.rows;
  for (std::size_t j = 0; j < changes.size(); ++j) {
    if (rank_of(file.columns()[j].name) <= choice.last_rank) rows.columns.push_back(j);
  }
  read_values(file, rows);
  if (rows.stride > 1) {
    rows.notes.push_back(fmt::format(
        "Shown: {} of {} recorded rows, one of {}. Impulses are sums over the rows between, gaps "
        "the smallest, states and iterations the largest of them; everything else is the value at "
        "the shown row. results.h5 has all of them.",
        rows.rows(), rows.recorded, rows.stride));
  }
  if (choice.last_rank + 1 < ranks) {
    const std::span left_out(rank_texts + choice.last_rank + 1, rank_texts + ranks);
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
  const std::vector<Thinning> thinnings = thinnings_of(file_, rows_);
  bool is_first = true;
  for_each_row(file_, [&](std::size_t i, const double* row) {
    for (std::size_t k = 0; k < thinnings.size(); ++k) {
      take(thinnings[k], is_first, row[k], rows_.values[k].front());
    }
    is_first = is_shown(i, rows_);
    if (is_first) use(i);
  });
}

}  // namespace saltus::io
