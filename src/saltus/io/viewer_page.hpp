// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace saltus::io {

/// The page of viewer/dist, built into the program.
std::string_view viewer_page();

}  // namespace saltus::io
