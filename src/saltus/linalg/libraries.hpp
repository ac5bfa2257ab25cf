// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace saltus::linalg {

/// Name and version of the libraries that decide the numbers.
std::vector<std::pair<std::string, std::string>> libraries();

}  // namespace saltus::linalg
