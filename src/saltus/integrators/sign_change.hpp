// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace saltus {

/// What is known at a place: whether a condition holds there no longer, and by how much it holds,
/// below zero where it does not; not a number where there is no measure.
struct Holding {
  bool ended = false;
  double margin = 0;
};

/// The places between which a condition ceases to hold.
struct Bracket {
  double lo = 0, hi = 1;
  double margin_lo = 0, margin_hi = 0;

  double width() const { return hi - lo; }
  /// Whether the margins say the same as the condition: then they tell where to look.
  bool has_margins() const {
    return margin_lo > 0 && margin_hi < 0 && std::isfinite(margin_lo - margin_hi);
  }
};

/// Narrows a bracket to `width` by the method of Oliveira and Takahashi (2020): the place where the
/// secant of the margins vanishes, moved towards the middle so that both ends come nearer, and
/// never so far from it that more looks would be needed than by halving, but for one. Margins only
/// guess; ask(place), a Holding, decides. Where they say nothing the interval is halved.
template <class Ask>
Bracket narrow(Bracket bracket, double width, const Ask& ask) {
  const double first = bracket.width();
  double allowed = width * std::exp2(std::ceil(std::log2(std::max(first / width, 1.0))) + 1);
  while (bracket.width() > width) {
    const double middle = bracket.lo + bracket.width() / 2;
    if (middle <= bracket.lo || middle >= bracket.hi) break;
    double place = middle;
    if (bracket.has_margins()) {
      const double secant = bracket.lo + bracket.width() * bracket.margin_lo /
                                             (bracket.margin_lo - bracket.margin_hi);
      const double shift = std::max(0.2 * bracket.width() * bracket.width() / first, width / 2);
      const double away = middle - secant;
      place = std::abs(away) > shift ? secant + std::copysign(shift, away) : middle;
      const double reach = std::max((allowed - bracket.width()) / 2, 0.0);
      place = std::clamp(place, middle - reach, middle + reach);
      if (!(place > bracket.lo && place < bracket.hi)) place = middle;
    }
    allowed /= 2;
    const Holding found = ask(place);
    (found.ended ? bracket.hi : bracket.lo) = place;
    (found.ended ? bracket.margin_hi : bracket.margin_lo) = found.margin;
  }
  return bracket;
}

}  // namespace saltus
