// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace saltus::io {

/// "DIR/x.csv: cannot be written: No space left on device"
/// @param error  a value of errno
std::string write_failure(const std::filesystem::path& path, int error);

/// A file that is written from the beginning. What was there before is unlinked, so that whoever
/// has it open keeps it.
/// @throws FileError in every function but the destructor.
class OutputFile {
 public:
  /// @param told_as  the name in messages, if not `path`
  explicit OutputFile(std::filesystem::path path, std::filesystem::path told_as = {});
  /// One that is there: it is cut to so many bytes, and goes on.
  OutputFile(std::filesystem::path path, std::uint64_t bytes);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void close();
  /// Waits until the disk has it.
  void sync();
  std::uint64_t bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_, told_as_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
};

/// Makes a directory, if there is none yet, and those around it.
/// @throws FileError
void make_directory(const std::filesystem::path& path);

/// Whether to wait until the disk has a file.
enum class Durability { Cached, Synced };

/// Puts a whole file in place: at any moment it is the old one or the new one.
/// @throws FileError
void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           Durability durability = Durability::Cached);

}  // namespace saltus::io
