// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace saltus {

/// Where a run comes from: what its results say about it besides the numbers.
struct RunOrigin {
  std::string model = {};       ///< name of the model file, without directories
  std::string model_hash = {};  ///< ModelFile::hash
  std::string model_text = {};  ///< the model as run, after settings: JSON
  int threads = 1;
};

}  // namespace saltus
