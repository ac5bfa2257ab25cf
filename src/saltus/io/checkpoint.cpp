// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/checkpoint.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <iterator>

#include "saltus/core/version.hpp"
#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::io {
namespace {

constexpr std::string_view magic = "saltus checkpoint 1\n";

std::string checksum(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw FileError(
      fmt::format("{}: {}; the results up to here can be read, saltus run --overwrite starts over",
                  path.string(), why));
}

/// Takes a line off the beginning.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

Checkpoint parsed(std::string_view body, const std::filesystem::path& path) {
  const auto* first = reinterpret_cast<const std::byte*>(body.data());
  Archive memory(Archive::Bytes(first, first + body.size()));
  Checkpoint checkpoint;
  try {
    memory(checkpoint);
  } catch (const std::out_of_range&) {
    refuse(path, "is damaged: it ends too early");
  }
  if (!memory.is_at_end()) refuse(path, "is damaged: it goes on after its end");
  return checkpoint;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& directory, Checkpoint checkpoint,
                      Durability durability) {
  Archive memory;
  memory(checkpoint);
  const std::string_view body(reinterpret_cast<const char*>(memory.bytes().data()),
                              memory.bytes().size());
  std::string text(magic);
  text += version();
  text += '\n';
  text += checksum(body);
  text += '\n';
  text += body;
  write_file_atomically(directory / checkpoint_file_name, text, durability);
}

std::map<std::string, Mesh> stored_meshes(const std::filesystem::path& directory) {
  const std::filesystem::path results = directory / "results.h5";
  if (!std::filesystem::exists(results)) return {};
  return Hdf5Reader(results).meshes();
}

Checkpoint read_checkpoint(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / checkpoint_file_name;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw FileError(fmt::format("{}: cannot be read; is {} a directory that `saltus run` wrote?",
                                path.string(), directory.string()));
  }
  const std::string content(std::istreambuf_iterator<char>(file), {});
  std::string_view rest = content;
  if (!rest.starts_with(magic)) refuse(path, "is no checkpoint of Saltus");
  rest.remove_prefix(magic.size());
  const std::string_view written_by = take_line(rest), sum = take_line(rest);
  if (written_by != version()) {
    refuse(path, fmt::format("was written by Saltus {}, this is {}", written_by, version()));
  }
  if (sum != checksum(rest)) refuse(path, "is damaged: its checksum does not fit");
  return parsed(rest, path);
}

}  // namespace saltus::io
