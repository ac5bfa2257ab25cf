// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/simulation/channel.hpp"

namespace saltus::io {

/// The columns that are named, or that begin with a name and a dot ("ball.position"), in the order
/// of the table, each once.
/// @param option  where the names were given: what messages call them
/// @throws InputError with every name that is no column
std::vector<std::size_t> chosen_columns(const std::vector<Channel>& channels,
                                        const std::vector<std::string>& names,
                                        const std::string& option);

}  // namespace saltus::io
