// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// A number that is another one for another model, other options or another version of Saltus, as
/// far as fields say it; the same on every machine. The end time does not count, nor do laws of
/// forces of type "user", which are functions.
using Fingerprint = std::uint64_t;
Fingerprint fingerprint(const Model& model, const SimulationOptions& options);

}  // namespace saltus
