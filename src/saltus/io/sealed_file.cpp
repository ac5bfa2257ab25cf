// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/sealed_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <iterator>

#include "saltus/core/version.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::io {
namespace {

std::string checksum(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Takes a line off the beginning.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

void write_sealed(const std::filesystem::path& path, std::string_view kind,
                  const Archive::Bytes& bytes, Durability durability) {
  const std::string_view body(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string head = fmt::format("{}\n{}\n{}\n", kind, version(), checksum(body));
  write_file_atomically(path, head + std::string(body), durability);
}

Archive::Bytes read_sealed(const std::filesystem::path& path, std::string_view kind,
                           const std::function<void(const std::string& why)>& refuse) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) refuse("cannot be read: it is no file");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("cannot be read");
  const std::string content(std::istreambuf_iterator<char>(file), {});
  std::string_view rest = content;
  if (take_line(rest) != kind)
    refuse(fmt::format("is no {} of Saltus", kind.substr(7, kind.rfind(' ') - 7)));
  const std::string_view written_by = take_line(rest), sum = take_line(rest);
  if (written_by != version()) {
    refuse(fmt::format("was written by Saltus {}, this is {}", written_by, version()));
  }
  if (sum != checksum(rest)) refuse("is damaged: its checksum does not fit");
  const auto* first = reinterpret_cast<const std::byte*>(rest.data());
  return {first, first + rest.size()};
}

}  // namespace saltus::io
