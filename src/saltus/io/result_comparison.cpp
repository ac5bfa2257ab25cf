// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "saltus/core/input_error.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

/// Times that differ by less, relative to the end, are the same.
constexpr double same_time = 1e-9;

/// Events with the same time in a run, which may come in any order, are sorted by name.
constexpr double same_moment = 1e-9;

/// Whose range a difference is judged by: components share one, and so do all energies.
std::string range_of(const Channel& channel) {
  if (channel.owner.kind == OwnerKind::Ledger) return "energy";
  const std::size_t end = channel.component.empty() ? 0 : channel.component.size() + 1;
  return channel.name.substr(0, channel.name.size() - end);
}

/// Impulses since the last record depend on how often there is one, and a status is no number.
bool is_comparable(const Channel& channel) {
  return channel.owner.kind != OwnerKind::Run && channel.owner.kind != OwnerKind::Solver &&
         channel.thinning != Thinning::Sum && channel.kind != quantities::status.word;
}

std::vector<double> common_times(const ResultTable& first, const ResultTable& second,
                                 double tolerance, bool& interpolated) {
  std::vector<double> both, inside;
  const std::vector<double>& other = second.time();
  std::size_t j = 0;
  for (const double t : first.time()) {
    while (j + 1 < other.size() && other[j + 1] <= t + tolerance) ++j;
    const bool near = std::abs(other[j] - t) <= tolerance ||
                      (j + 1 < other.size() && std::abs(other[j + 1] - t) <= tolerance);
    if (near) both.push_back(t);
    if (t >= other.front() - tolerance && t <= other.back() + tolerance) inside.push_back(t);
  }
  interpolated = both.size() < std::min<std::size_t>(10, inside.size());
  return interpolated ? inside : both;
}

/// Impacts, or contacts that stick and slip, in an order that does not depend on who came first at
/// one moment. (Whether a contact closes and opens around an impact depends on the integrator.)
std::vector<EventLine> chosen(const std::vector<EventLine>& events, bool impacts) {
  std::vector<EventLine> result;
  for (const EventLine& event : events) {
    const bool changes = event.kind == "sticks" || event.kind == "slips";
    if (impacts ? event.kind == "impact" : changes) result.push_back(event);
  }
  std::stable_sort(result.begin(), result.end(), [](const EventLine& a, const EventLine& b) {
    if (std::abs(a.time - b.time) > same_moment) return a.time < b.time;
    return a.order != b.order ? a.order < b.order : a.contact < b.contact;
  });
  return result;
}

EventDifference compare_events(const std::vector<EventLine>& first,
                               const std::vector<EventLine>& second) {
  EventDifference result{.first_count = first.size(), .second_count = second.size()};
  std::size_t i = 0;
  for (; i < std::min(first.size(), second.size()); ++i) {
    if (first[i].contact != second[i].contact || first[i].kind != second[i].kind) break;
    const double late = std::abs(first[i].time - second[i].time);
    if (late > result.latest) {
      result.latest = late;
      result.latest_at = first[i].time;
    }
    const double larger = std::max(std::abs(first[i].impulse), std::abs(second[i].impulse));
    if (larger > 0) {
      result.impulse =
          std::max(result.impulse, std::abs(first[i].impulse - second[i].impulse) / larger);
    }
  }
  result.alike = i;
  if (i < first.size()) result.first_other = first[i];
  if (i < second.size()) result.second_other = second[i];
  return result;
}

}  // namespace

double value_at(const ResultTable& table, const std::vector<double>& column, double time) {
  const std::vector<double>& t = table.time();
  const auto after = std::lower_bound(t.begin(), t.end(), time);
  const auto i = static_cast<std::size_t>(after - t.begin());
  if (i == t.size()) return column.back();
  if (i == 0) return column.front();
  const double length = t[i] - t[i - 1];
  const double part = length > 0 ? (time - t[i - 1]) / length : 1;
  return (1 - part) * column[i - 1] + part * column[i];
}

ResultComparison compare_results(const ResultTable& first, const ResultTable& second,
                                 const std::vector<EventLine>& first_events,
                                 const std::vector<EventLine>& second_events, double tolerance) {
  ResultComparison result;
  const double close = same_time * std::max(std::abs(first.time().back()), 1e-300);
  const std::vector<double> times = common_times(first, second, close, result.interpolated);
  if (times.empty()) throw FileError("the two results have no time in common");
  result.instants = times.size();
  result.from = times.front();
  result.to = times.back();
  std::map<std::string, double> ranges;
  for (std::size_t c = 1; c < first.channels.size(); ++c) {
    const std::string& name = first.channels[c].name;
    const std::vector<double>* other = second.find(name);
    if (other == nullptr) {
      ++result.only_first;
      continue;
    }
    if (!is_comparable(first.channels[c])) continue;
    ColumnDifference difference{.name = name, .range_of = range_of(first.channels[c])};
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const double t : times) {
      const double a = value_at(first, first.columns[c], t), b = value_at(second, *other, t);
      least = std::min({least, a, b});
      most = std::max({most, a, b});
      if (!(std::abs(a - b) > difference.largest)) continue;
      difference.largest = std::abs(a - b);
      difference.at = t;
    }
    double& range = ranges[difference.range_of];
    range = std::max(range, most - least);
    result.columns.push_back(std::move(difference));
  }
  for (const Channel& channel : second.channels) {
    if (first.find(channel.name) == nullptr) ++result.only_second;
  }
  if (result.columns.empty()) throw FileError("the two results have no columns in common");
  for (ColumnDifference& difference : result.columns) {
    difference.range = ranges[difference.range_of];
    const std::vector<double>& a = *first.find(difference.name);
    const std::vector<double>& b = *second.find(difference.name);
    for (const double t : times) {
      if (!(std::abs(value_at(first, a, t) - value_at(second, b, t)) >
            tolerance * difference.range)) {
        continue;
      }
      difference.from = t;
      if (!result.agree_until || t < *result.agree_until) result.agree_until = t;
      break;
    }
  }
  std::stable_sort(result.columns.begin(), result.columns.end(),
                   [](const ColumnDifference& a, const ColumnDifference& b) {
                     return a.relative() > b.relative();
                   });
  result.impacts = compare_events(chosen(first_events, true), chosen(second_events, true));
  result.changes = compare_events(chosen(first_events, false), chosen(second_events, false));
  return result;
}

}  // namespace saltus
