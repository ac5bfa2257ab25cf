// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace saltus::cli {

/// The directory of the shipped examples: the given one, or the one that is installed with the
/// program, or the one of the sources that it was built from.
/// @throws FileError if there is none.
std::filesystem::path examples_directory(const std::string& given);

}  // namespace saltus::cli
