// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/verify/reference_case.hpp"

namespace saltus {

/// Every number that an example must give, once: `saltus verify` runs those that have a measure,
/// tests and tools/validate*.py look numbers up here.
const std::vector<ReferenceCase>& reference_suite();

/// The row of an example, by its quantity without the unit. Throws std::out_of_range where there
/// is none.
const Reference& reference(const std::string& example, const std::string& quantity);

/// All rows as a list of objects, one a line: what `saltus verify --list --json` prints.
std::string json_of(const std::vector<ReferenceCase>& suite);

// Its parts, one a file. To add a number, add a row to a case; to add a run, add a case.
std::vector<ReferenceCase> smooth_references();
std::vector<ReferenceCase> machine_references();
std::vector<ReferenceCase> equilibrium_references();
std::vector<ReferenceCase> contact_references();
std::vector<ReferenceCase> rest_references();
std::vector<ReferenceCase> sphere_references();
std::vector<ReferenceCase> flexible_references();
std::vector<ReferenceCase> force_references();
std::vector<ReferenceCase> clearance_references();
std::vector<ReferenceCase> event_references();
/// Adds rows of our own values to the cases of their examples.
void add_own_references(std::vector<ReferenceCase>& suite);

}  // namespace saltus
