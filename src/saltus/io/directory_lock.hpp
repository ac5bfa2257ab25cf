// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace saltus::io {

/// While it lives nobody else has a lock on the directory: no other run, in this program or
/// another. The system takes it back from whoever is killed.
class DirectoryLock {
 public:
  /// @throws FileError that names the holder if the directory is in use.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  bool take();

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace saltus::io
