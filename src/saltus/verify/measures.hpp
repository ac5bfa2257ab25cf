// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "saltus/verify/reference_case.hpp"

// Numbers taken from a run, for the rows of the reference suite.
namespace saltus::measures {

inline constexpr const char* contacts_hold = "contacts hold at position level";

inline double max_penetration(const RecordedRun& run) { return run.report().max_penetration; }

/// The value at a recorded time.
inline Measure at(const std::string& column, double time) {
  return [=](const RecordedRun& run) { return run.at(column, time); };
}

inline Measure last(const std::string& column) {
  return [=](const RecordedRun& run) { return run.last(column); };
}

/// The largest magnitude of f(run, row) over all rows.
template <typename Function>
Measure largest(Function f) {
  return [=](const RecordedRun& run) {
    double worst = run.rows() > 0 ? 0 : std::nan("");
    for (std::size_t row = 0; row < run.rows() && !std::isnan(worst); ++row) {
      const double value = std::abs(f(run, row));
      if (!(value <= worst)) worst = value;  // not-a-number stays
    }
    return worst;
  };
}

/// The largest |value − exact(time)| over all rows.
template <typename Function>
Measure largest_error(const std::string& column, Function exact) {
  return largest([=](const RecordedRun& run, std::size_t row) {
    return run.value(column, row) - exact(run.times()[row]);
  });
}

inline Measure impact_time(std::size_t number) {
  return [=](const RecordedRun& run) { return run.impact_time(number); };
}

/// Something of the strongest impact of the first contact.
inline Measure strongest(double StrongestImpact::*what) {
  return [=](const RecordedRun& run) {
    const std::vector<ContactTotal>& contacts = run.report().contacts;
    const bool known = !contacts.empty() && contacts[0].peaks && contacts[0].peaks->impact;
    return known ? *contacts[0].peaks->impact.*what : std::nan("");
  };
}

inline Measure angular_frequency(std::size_t mode) {
  return [=](const RecordedRun& run) {
    const std::vector<Mode>& modes = run.report().modes;
    return mode < modes.size() ? modes[mode].angular_frequency() : std::nan("");
  };
}

/// Time from one sign change of f(run, row) to the `count`-th after it, linear between rows.
template <typename Function>
Measure time_of_sign_changes(std::size_t count, Function f) {
  return [=](const RecordedRun& run) {
    std::vector<double> changes;
    for (std::size_t row = 1; row < run.rows() && changes.size() <= count; ++row) {
      const double before = f(run, row - 1), after = f(run, row);
      if (before * after >= 0) continue;
      const double t = run.times()[row - 1];
      changes.push_back(t + before / (before - after) * (run.times()[row] - t));
    }
    return changes.size() > count ? changes[count] - changes[0] : std::nan("");
  };
}

}  // namespace saltus::measures
