// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/checkpoint.hpp"

#include <fmt/format.h>

#include <fstream>

#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/sealed_file.hpp"

namespace saltus::io {
namespace {

constexpr std::string_view kind = "saltus checkpoint 1";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw FileError(
      fmt::format("{}: {}; the results up to here can be read, saltus run --overwrite starts over",
                  path.string(), why));
}

}  // namespace

void write_checkpoint(const std::filesystem::path& directory, Checkpoint checkpoint,
                      Durability durability) {
  Archive memory;
  memory(checkpoint);
  write_sealed(directory / checkpoint_file_name, kind, memory.bytes(), durability);
}

std::map<std::string, Mesh> stored_meshes(const std::filesystem::path& directory) {
  const std::filesystem::path results = directory / "results.h5";
  if (!std::filesystem::exists(results)) return {};
  return Hdf5Reader(results).meshes();
}

Checkpoint read_checkpoint(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / checkpoint_file_name;
  if (!std::ifstream(path)) {
    throw FileError(fmt::format("{}: cannot be read; is {} a directory that `saltus run` wrote?",
                                path.string(), directory.string()));
  }
  const auto refused = [&](const std::string& why) { refuse(path, why); };
  return unsealed<Checkpoint>(read_sealed(path, kind, refused), refused);
}

}  // namespace saltus::io
