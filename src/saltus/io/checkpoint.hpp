// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "saltus/core/archive.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/model/mesh.hpp"

namespace saltus::io {

constexpr const char* checkpoint_file_name = "checkpoint";

/// What a run goes on with after it was stopped: its memory, and how much of the result files was
/// written when that was taken.
struct Checkpoint {
  std::string model = {};       ///< RunOrigin::model
  std::string model_hash = {};  ///< RunOrigin::model_hash
  std::string source = {};      ///< RunOrigin::source
  std::string given_text = {};  ///< RunOrigin::given_text
  int threads = 1;
  double interval = 0;      ///< wall time between checkpoints, s
  double wall_seconds = 0;  ///< that the run has used so far
  double time = 0;          ///< of the run, s
  long steps = 0;
  /// Bytes of timeseries.csv, events.csv, contact_forces.csv, impacts.csv, impact_paths.csv.
  std::array<std::uint64_t, 5> bytes = {};
  std::array<std::uint64_t, 6> rows = {};  ///< Hdf5Writer::rows
  Archive::Bytes memory = {};              ///< Simulation::save; empty: nothing was computed yet

  void archive(Archive& all) {
    all(model, model_hash, source, given_text, threads, interval, wall_seconds, time, steps, bytes,
        rows, memory);
  }
};

/// At any moment the file is the old one or the new one.
/// @throws FileError
void write_checkpoint(const std::filesystem::path& directory, Checkpoint checkpoint,
                      Durability durability);

/// @throws FileError that says why if there is none, it is damaged, or of another version.
Checkpoint read_checkpoint(const std::filesystem::path& directory);

/// Of solids whose mesh came from a file, which the results have: the file may be elsewhere by now.
/// Empty if there are no results yet.
/// @throws FileError
std::map<std::string, Mesh> stored_meshes(const std::filesystem::path& directory);

}  // namespace saltus::io
