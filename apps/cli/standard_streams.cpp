// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "saltus/io/model_file.hpp"

namespace saltus::cli {
namespace {

/// Of a character with two bytes in UTF-8 that is a control character, the second.
bool is_upper_control(unsigned char c) { return c >= 0x80 && c < 0xa0; }

bool is_control(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

}  // namespace

void reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free: this one, for those below are open.
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) != descriptor) return;
  }
}

std::string shown(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_pair = c == 0xc2 && i + 1 < text.size();
    if (is_control(c)) {
      result += fmt::format("\\x{:02x}", c);
    } else if (is_pair && is_upper_control(static_cast<unsigned char>(text[i + 1]))) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      result += text[i];
    }
  }
  return result;
}

void finish_output() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed || errno == EPIPE) return;
  throw FileError(fmt::format("standard output: cannot be written{}{}", errno != 0 ? ": " : "",
                              errno != 0 ? std::strerror(errno) : ""));
}

}  // namespace saltus::cli
