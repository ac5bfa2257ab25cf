// SPDX-License-Identifier: Apache-2.0
/// Numbers of the search for breaks of formulas that were chosen, not derived. All are without
/// unit. Internal to model.
#pragma once

#include <limits>

namespace saltus {

/// formula_breaks.cpp (docs/theory/event_driven.md, section 2).
struct BreakTuning {
  /// Of the time or of the span of the run, whichever is larger: intervals are not divided further,
  /// and breaks that are nearer to each other are one. Some units of the last place of times.
  static constexpr double resolution = 4 * std::numeric_limits<double>::epsilon();
  /// An interval whose bound is no more than this many times wider than that of its middle alone is
  /// not divided: what remains is round-off.
  static constexpr double round_off = 4;
  /// Of the interval that is searched: the resolution where nothing is known of a function.
  static constexpr double blind_resolution = 1.0 / 1024;
  /// After so many bounds of one search the rest is searched with the blind resolution. That is a
  /// tenth of a second, and more than a thousand breaks or radians without one need.
  static constexpr int bounds = 1 << 16;
  /// Of the span: a break that is nearer is seen by so many difference quotients, whose shortest
  /// step is 2e-9, that they would take it for the kink at which derivatives are from the right.
  static constexpr double derivative_reach = 1e-7;
};

}  // namespace saltus
