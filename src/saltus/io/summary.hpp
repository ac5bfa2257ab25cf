// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/io/json_text.hpp"
#include "saltus/io/run_origin.hpp"
#include "saltus/simulation/run_report.hpp"

namespace saltus::io {

/// The content of summary.json.
Json make_summary(const RunOrigin& origin, const RunReport& report);

/// The words for RunStatus in files: "completed", "failed", "interrupted".
const char* status_word(RunStatus status);

}  // namespace saltus::io
