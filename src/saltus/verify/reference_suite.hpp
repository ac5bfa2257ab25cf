// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/verify/reference_case.hpp"

namespace saltus {

/// What `saltus verify` runs: the examples that have exact or published numbers.
std::vector<ReferenceCase> reference_suite();

// Its parts, one a file. To add a check, add a row to a case; to add a run, add a case.
std::vector<ReferenceCase> smooth_references();
std::vector<ReferenceCase> equilibrium_references();
std::vector<ReferenceCase> contact_references();
std::vector<ReferenceCase> sphere_references();
std::vector<ReferenceCase> flexible_references();
std::vector<ReferenceCase> force_references();
std::vector<ReferenceCase> clearance_references();
std::vector<ReferenceCase> event_references();

}  // namespace saltus
