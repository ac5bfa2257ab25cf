// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "saltus/io/model_file.hpp"

namespace saltus::io {

std::string write_failure(const std::filesystem::path& path, int error) {
  return fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error));
}

OutputFile::OutputFile(std::filesystem::path path, std::filesystem::path told_as)
    : path_(std::move(path)), told_as_(told_as.empty() ? path_ : std::move(told_as)) {
  ::unlink(path_.c_str());
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(write_failure(told_as_, errno));
}

OutputFile::OutputFile(std::filesystem::path path, std::uint64_t bytes)
    : path_(std::move(path)), told_as_(path_), bytes_(bytes) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError(write_failure(told_as_, errno));
  const ::off_t end = ::lseek(descriptor_, 0, SEEK_END), wanted = static_cast<::off_t>(bytes);
  std::string failure;
  if (end < wanted) {
    failure = fmt::format("{}: has {} bytes, less than the {} that the checkpoint counts",
                          told_as_.string(), end, bytes);
  } else if (::ftruncate(descriptor_, wanted) != 0 ||
             ::lseek(descriptor_, wanted, SEEK_SET) != wanted) {
    failure = write_failure(told_as_, errno);
  }
  if (failure.empty()) return;
  ::close(descriptor_);
  throw FileError(failure);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      bytes_ += static_cast<std::uint64_t>(count);
    } else if (errno != EINTR) {
      throw FileError(write_failure(told_as_, errno));
    }
  }
}

void OutputFile::sync() {
  // What is no file on a disk cannot be synchronised, and need not be.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
    throw FileError(write_failure(told_as_, errno));
  }
}

void OutputFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (descriptor >= 0 && ::close(descriptor) != 0) throw FileError(write_failure(told_as_, errno));
}

void make_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path)) error.assign(EEXIST, std::generic_category());
  if (error) {
    throw FileError(
        fmt::format("{}: cannot be made a directory: {}", path.string(), error.message()));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           Durability durability) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  try {
    OutputFile file(temporary, path);
    file.write(text);
    if (durability == Durability::Synced) file.sync();
    file.close();
    std::filesystem::rename(temporary, path);
  } catch (const std::filesystem::filesystem_error& error) {
    ::unlink(temporary.c_str());
    throw FileError(write_failure(path, error.code().value()));
  } catch (const FileError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace saltus::io
