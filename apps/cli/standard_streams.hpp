// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace saltus::cli {

/// Opens those of the descriptors 0 to 2 that are closed, on nothing: else the next files to be
/// opened would get these numbers, and messages would be written into them.
void reserve_standard_descriptors();

/// Control characters, which may tell a terminal to do things, as text: "\x1b". Names come from
/// files, and files from anywhere.
std::string shown(std::string_view text);

/// What the program says goes through here.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = shown(fmt::format(format, std::forward<Values>(values)...));
  std::fwrite(text.data(), 1, text.size(), stream);
}

template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say(stdout, format, std::forward<Values>(values)...);
}

/// Brings what was printed to where it goes. That nobody reads a pipe to its end is no failure.
/// @throws FileError
void finish_output();

}  // namespace saltus::cli
