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
std::string comparison_page(const ComparedNames& names, const ComparedResult& first,
                            const ComparedResult& second, const ResultComparison& comparison);

/// What is in one result only, and what is not compared: sentences that hold for the page and for
/// the terminal.
std::vector<std::string> comparison_notes(const ComparedNames& names, const ComparedResult& first,
                                          const ComparedResult& second,
                                          const ResultComparison& comparison);

}  // namespace saltus
