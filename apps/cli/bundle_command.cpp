// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/bundle.hpp"

namespace saltus::cli {

int bundle_command(const BundleArguments& arguments) {
  const std::filesystem::path directory =
      (std::filesystem::path(arguments.directory) / "").parent_path();
  const std::filesystem::path path =
      arguments.output.empty() ? std::filesystem::path(directory.filename().string() + ".tar")
                               : std::filesystem::path(arguments.output);
  std::uintmax_t bytes = 0;
  const auto files = io::write_bundle(directory, path, arguments.everything);
  for (const io::BundledFile& file : files) {
    bytes += file.bytes;
    if (file.is_whole) continue;
    say("{}: {}; --all takes it as it is\n", file.name,
        file.bytes == 0 ? "is left out, for it is large"
                        : "its middle is left out, for it is long");
  }
  say("{}: {} files ({:.1f} MB); it holds the model, look at it before you send it away\n",
      path.string(), files.size(), static_cast<double>(bytes) / 1e6);
  return Done;
}

}  // namespace saltus::cli
