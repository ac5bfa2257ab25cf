// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/info_text.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::cli {
namespace {

/// The result directory that a path means: itself, or the one around a file of a result.
std::filesystem::path result_directory(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return path;
  const std::string name = path.filename().string();
  for (const char* result : result_file_names) {
    if (name != result) continue;
    const std::filesystem::path parent = path.parent_path();
    return parent.empty() ? "." : parent;
  }
  return {};
}

}  // namespace

int info_command(const std::string& path) {
  const std::filesystem::path directory = result_directory(path);
  if (!directory.empty()) {
    print_result(read_result_info(directory));
  } else {
    print_model(path, read_checked_model_file(path));
  }
  return Done;
}

}  // namespace saltus::cli
