// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "saltus/io/result_directory.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {

/// Writes what a simulation has computed to a directory, as `saltus run` does: `saltus report`,
/// `info`, `export` and `compare` read it. Results of a model of the same name are replaced: the
/// name is the directory's, without "-out".
/// @throws FileError if it cannot be written, or holds results of another model.
void save(const Result& result, const std::filesystem::path& directory,
          ForeignFiles policy = ForeignFiles::Refuse);

/// The text of the model file of a simulation, with the time that it has reached as its end.
std::string model_text(const Simulation& simulation);

}  // namespace saltus
