// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/model/checked_model.hpp"

namespace saltus {

/// What is known before the start. One model may be run by several integrators: what one of them
/// leaves out is no error.
std::vector<std::string> first_warnings(const CheckedModel& checked,
                                        const SimulationOptions& options);

}  // namespace saltus
