// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saltus::io {

struct BundledFile {
  std::string name;
  std::uintmax_t bytes = 0;
  bool is_whole = true;  ///< false: of a long table its head and its end
};

/// Makes one file, a tar archive, of what is needed to look into a run: model, summary, tables,
/// capsules of steps that failed, and results.h5 and the checkpoint unless they are large.
/// @param everything  large files too, and tables as they are
/// @throws FileError
std::vector<BundledFile> write_bundle(const std::filesystem::path& directory,
                                      const std::filesystem::path& path, bool everything);

}  // namespace saltus::io
