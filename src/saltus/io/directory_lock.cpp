// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "saltus/io/model_file.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus::io {
namespace {

constexpr const char* lock_name = ".lock";

/// Who holds the lock, in its own words.
std::string holder_in(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  return count > 0 ? std::string(text.data(), static_cast<std::size_t>(count)) : "another run";
}

std::string who_we_are() {
  std::array<char, 128> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {}{}{}, since {:%Y-%m-%d %H:%M:%S}", ::getpid(),
                     host[0] != '\0' ? " on " : "", host.data(),
                     fmt::localtime(std::time(nullptr)));
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : path_(directory / lock_name) {
  while (!take()) {
  }
  const std::string who = who_we_are();
  // Its holder's name is a courtesy: without room for it the lock holds all the same.
  if (::ftruncate(descriptor_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, who.data(), who.size(), 0);
  }
}

/// False if its holder has removed the file in between: there is another by now, or none.
bool DirectoryLock::take() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) throw FileError(write_failure(path_, errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    const std::string holder = holder_in(descriptor_);
    ::close(descriptor_);
    if (error != EWOULDBLOCK) throw FileError(write_failure(path_, error));
    throw FileError(
        fmt::format("{}: is in use by another run ({}); wait for it, or choose another directory "
                    "with -o",
                    path_.parent_path().string(), holder));
  }
  struct stat ours {
  }, there{};
  const bool is_ours = ::fstat(descriptor_, &ours) == 0 && ::stat(path_.c_str(), &there) == 0 &&
                       ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (!is_ours) ::close(descriptor_);
  return is_ours;
}

DirectoryLock::~DirectoryLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace saltus::io
