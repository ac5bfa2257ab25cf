// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/text_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace saltus::io {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("+-._", c) != nullptr;
}

/// How many bytes from `p` on are printable ASCII, in steps of 8.
std::size_t plain_run(const char* p, std::size_t size) {
  std::size_t n = 0;
  for (; n + 8 <= size; n += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p + n, 8);
    const std::uint64_t high = word & 0x8080808080808080U;
    const std::uint64_t below_space = (word - 0x2020202020202020U) & ~word & 0x8080808080808080U;
    if ((high | below_space) != 0) break;
  }
  return n;
}

/// The length of the UTF-8 sequence at `offset`, 0 if it is none.
std::size_t sequence_length(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
  };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first < 0xE0  ? 2
                             : first >= 0xE0 && first < 0xF0  ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool too_large = first == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// The place of the first byte of the string or number that ends before `end`.
std::size_t literal_start(std::string_view text, std::size_t end, bool string) {
  std::size_t i = end - 1;
  if (string) {
    while (i > 0 && !(text[i - 1] == '"' && (i < 2 || text[i - 2] != '\\'))) --i;
    return i > 0 ? i - 1 : 0;
  }
  while (i > 0 && is_word(text[i - 1])) --i;
  return i;
}

/// The character before `offset` that is no white space.
char previous(std::string_view text, std::size_t offset) {
  while (offset > 0 && std::strchr(" \t\r\n", text[offset - 1]) != nullptr) --offset;
  return offset > 0 ? text[offset - 1] : '\0';
}

/// The word, or the single character, that stands around `offset`.
std::string word_at(std::string_view text, std::size_t& offset) {
  std::size_t end = offset + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  if (is_word(text[offset])) {
    while (offset > 0 && is_word(text[offset - 1])) --offset;
    while (end < text.size() && is_word(text[end]) && end - offset < 40) ++end;
  }
  return std::string(text.substr(offset, end - offset));
}

std::string remedy_for_word(const std::string& word, bool key) {
  std::string lower = word;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (contains(lower, "nan") || contains(lower, "inf")) {
    return "JSON has no NaN and no infinity; give a finite number";
  }
  if (word == "/" || word == "#") return "JSON has no comments; use a \"comment\" key";
  if (word == "'") return "use double quotes";
  if (key) return "put the key in double quotes";
  if (lower == "true" || lower == "false" || lower == "none" || lower == "null") {
    return "write true, false or null";
  }
  if (word[0] == '.') return "write 0" + word;
  if (word[0] == '+') return "write the number without \"+\"";
  return {};
}

/// The parser's words between two marks.
std::string between(std::string_view message, std::string_view start, std::string_view end) {
  const std::size_t first = message.find(start) + start.size();
  const std::size_t last = message.find(end, first);
  return std::string(message.substr(first, last == std::string_view::npos ? last : last - first));
}

SyntaxError unexpected(std::string_view text, std::size_t offset, std::string_view message) {
  const std::string where = text_position(text, offset);
  const std::string word = word_at(text, offset);
  const char before = previous(text, offset);
  if ((word == "}" || word == "]") && before == ',') {
    return {.rule = fmt::format("{}: a comma before \"{}\"", where, word),
            .remedy = "remove the comma"};
  }
  if (contains(message, "expected ':'")) {
    return {.rule = where + ": a \":\" is missing after the key"};
  }
  if (contains(message, "expected end of input")) {
    return {.rule = where + ": text after the end of the outermost value"};
  }
  if (contains(message, "number literal") && word[0] == '0') {
    return {.rule = where + ": a number must not begin with 0"};
  }
  if (contains(message, "literal; expected '}'") || contains(message, "literal; expected ']'") ||
      ((word == "{" || word == "[") && !contains(message, "object key"))) {
    return {.rule = where + ": a comma is missing"};
  }
  return {.rule = fmt::format("{}: unexpected \"{}\"", where, word)};
}

}  // namespace

std::string text_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::string_view start =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column = std::count_if(start.begin(), start.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return fmt::format("line {}, column {}", line, column + 1);
}

std::optional<Issue> find_text_error(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Issue{.rule = "the file is empty"};
  }
  for (std::size_t i = 0; i < text.size();) {
    i += plain_run(text.data() + i, text.size() - i);
    if (i >= text.size()) break;
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      return Issue{.rule = fmt::format("{}: the byte 0x{:02x} is no text", text_position(text, i),
                                       unsigned{byte}),
                   .remedy = "this seems to be a binary file; a model is a JSON text"};
    }
    const std::size_t length = sequence_length(text, i);
    if (length == 0) {
      return Issue{.rule = fmt::format("{}: the byte 0x{:02x} is not valid UTF-8",
                                       text_position(text, i), unsigned{byte}),
                   .remedy = "save the file with the encoding UTF-8"};
    }
    i += length;
  }
  return std::nullopt;
}

SyntaxError describe_syntax_error(std::string_view text, std::size_t consumed,
                                  std::string_view message) {
  if (consumed > text.size() || consumed == 0) return {.at_end = true};
  std::size_t offset = consumed - 1;
  if (contains(message, "number overflow")) {
    offset = literal_start(text, offset, false);
    return {.rule = fmt::format("{}: the number {} is too large", text_position(text, offset),
                                between(message, "parsing '", "'"))};
  }
  if (contains(message, "invalid string: ") || contains(message, "invalid number; ")) {
    std::size_t start = offset;
    const std::string word = word_at(text, start);
    const bool number = contains(message, "invalid number; ");
    return {.rule = fmt::format(
                "{}: {}", text_position(text, offset),
                number ? "a number is incomplete: " + between(message, "invalid number; ", ";")
                       : "in a string: " + between(message, "invalid string: ", ";")),
            .remedy = number ? remedy_for_word(word, false) : std::string()};
  }
  if (contains(message, "invalid literal")) {
    const std::string word = word_at(text, offset);
    return {.rule = fmt::format("{}: unexpected \"{}\"", text_position(text, offset), word),
            .remedy = remedy_for_word(word, contains(message, "object key"))};
  }
  if (contains(message, "unexpected string literal"))
    offset = literal_start(text, consumed - 1, true);
  if (contains(message, "unexpected number literal")) offset = literal_start(text, consumed, false);
  return unexpected(text, offset, message);
}

}  // namespace saltus::io
