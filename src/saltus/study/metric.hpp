// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "saltus/simulation/result.hpp"

namespace saltus::study {

/// A number taken from a column over time.
struct ColumnMetric {
  enum class Take { Max, Min, First, Last, Mean, Rms, MaxAbs, Range, TimeOfMax, TimeOfMin, At };
  static constexpr const char* names[] = {"max",         "min",         "first",   "last",
                                          "mean",        "rms",         "max_abs", "range",
                                          "time_of_max", "time_of_min", "at"};

  std::string column = {};
  Take take = Take::Last;
  double time = 0;  ///< of `at`: between rows linear, s
};

/// A number taken from the events of a kind.
struct EventMetric {
  enum class Take {
    Time,
    Impulse,
    EnergyLost,
    ApproachSpeed,
    Count,
    TotalImpulse,
    TotalEnergyLost
  };
  static constexpr const char* names[] = {
      "time",  "impulse",       "energy_lost",      "approach_speed",
      "count", "total_impulse", "total_energy_lost"};

  std::string event = "impact";
  std::string contact = {};  ///< the contact or one of its points; empty: any
  Take take = Take::Time;
  int number = 1;  ///< which of them, from 1; from the last one back: −1, …
};

struct Metric {
  std::string name = {};
  std::variant<ColumnMetric, EventMetric> source = {};

  /// The number; none if there is no such event, or no row at that time.
  /// @throws InputError if there is no such column, with the nearest name.
  std::optional<double> measure(const Result& result) const;
};

}  // namespace saltus::study
