// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/io/result_comparison.hpp"

namespace saltus {

/// What the page calls the two results.
struct ComparedNames {
  std::string first = {}, second = {};
};

/// A page of HTML that needs nothing else: the table of differences, and both results over each
/// other for the columns that differ most, positions and energies, with the impacts of both.
std::string comparison_page(const ComparedNames& names, const ResultTable& first,
                            const ResultTable& second, const std::vector<EventLine>& first_events,
                            const std::vector<EventLine>& second_events,
                            const ResultComparison& comparison);

}  // namespace saltus
