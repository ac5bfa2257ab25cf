// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/examples_directory.hpp"

#include "saltus/io/model_file.hpp"

namespace saltus::cli {

std::filesystem::path examples_directory(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    if (std::filesystem::is_directory(given, error)) return given;
    throw FileError(given + ": is no directory");
  }
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::filesystem::path& path :
       {program.parent_path().parent_path() / "share/saltus/examples",
        std::filesystem::path(SALTUS_EXAMPLES_DIRECTORY)}) {
    if (std::filesystem::is_directory(path, error)) return path;
  }
  throw FileError("the examples are not where they were installed; say where with --examples DIR");
}

}  // namespace saltus::cli
