// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "saltus/model/mesh.hpp"

namespace saltus {

/// Where a run comes from: what its results say about it besides the numbers.
struct RunOrigin {
  std::string model = {};       ///< name of the model file, without directories
  std::string model_hash = {};  ///< ModelFile::hash
  /// Tells apart files of the same name without telling where they are (source_of); empty: no file.
  std::string source = {};
  std::string model_text = {};  ///< the model as run, after settings: JSON
  /// What the model file said, after settings; of it the hash was made. Empty: the run cannot be
  /// resumed.
  std::string given_text = {};
  int threads = 1;
  /// Of solids whose mesh came from a file, by their names: the results need no other file.
  std::map<std::string, Mesh> meshes = {};
};

}  // namespace saltus
