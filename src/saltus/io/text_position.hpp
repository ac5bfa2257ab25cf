// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "saltus/core/input_error.hpp"

namespace saltus::io {

/// "line 3, column 7" of the byte at `offset`; both count from 1, columns in characters.
std::string text_position(std::string_view text, std::size_t offset);

/// What makes bytes no UTF-8 text: nothing at all, control characters, invalid sequences.
std::optional<Issue> find_text_error(std::string_view text);

/// A syntax error in words, with a hint for the usual habits from other languages.
struct SyntaxError {
  bool at_end = false;  ///< the text ends where more should come
  std::string rule = {};
  std::string remedy = {};
};

/// @param consumed  how many bytes the parser had read
/// @param message   the parser's own words
SyntaxError describe_syntax_error(std::string_view text, std::size_t consumed,
                                  std::string_view message);

}  // namespace saltus::io
