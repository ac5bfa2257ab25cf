// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "saltus/dynamics/system.hpp"
#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::io {

/// The results of a run with the model that they belong to: what is needed to draw them.
struct StoredRun {
  /// @throws FileError if there is no result that Saltus wrote, or it has no rows.
  explicit StoredRun(const std::filesystem::path& directory);

  Hdf5Reader file;
  CheckedModel model;
  System system;
};

}  // namespace saltus::io
