// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/gmsh_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "saltus/io/gmsh_reader.hpp"

namespace saltus::io {
namespace {

constexpr const char* blanks = " \t\r\f\v";
constexpr const char* white_space = " \t\r\f\v\n";

/// For messages: the beginning of what stands there, in characters that can be printed.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 30;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > longest ? "…\"" : "\"");
}

/// The number that the word is, or false.
template <class T>
bool parse(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

void GmshInput::fail_at(std::size_t offset, const std::string& message) const {
  if (binary_) throw MeshError(fmt::format("byte {}: {}", offset + 1, message));
  const std::string_view before = text_.substr(0, offset);
  throw MeshError(fmt::format("line {}: {}", 1 + std::ranges::count(before, '\n'), message));
}

void GmshInput::fail_incomplete() const {
  fail_at(text_.size(),
          section_.empty() ? std::string("the file is not complete")
                           : fmt::format("the file ends within ${}: it is not complete", section_));
}

bool GmshInput::at_end() {
  in_record_ = false;
  offset_ = std::min(text_.find_first_not_of(white_space, offset_), text_.size());
  return offset_ == text_.size();
}

bool GmshInput::next_is(std::string_view text) {
  at_end();
  return text_.substr(offset_).starts_with(text);
}

std::string_view GmshInput::line() {
  if (at_end()) fail_incomplete();
  return rest_of_line();
}

std::string_view GmshInput::rest_of_line() {
  in_record_ = false;
  const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
  std::string_view line = text_.substr(offset_, end - offset_);
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  line = line.substr(0, line.find_last_not_of(blanks) + 1);
  offset_ = std::min(end + 1, text_.size());
  return line;
}

std::string_view GmshInput::begin_section() {
  at_end();
  section_offset_ = offset_;
  const std::string_view name = line();
  if (!name.starts_with('$'))
    fail_section(fmt::format("expected a section such as $Nodes, got {}", quoted(name)));
  section_ = name.substr(1);
  return name.substr(1);
}

void GmshInput::end_section() {
  if (at_end()) fail_incomplete();
  const std::size_t start = offset_;
  const std::string_view end = line();
  const std::string expected = "$End" + section_;
  if (end != expected) {
    if (expected.starts_with(end) && at_end()) fail_incomplete();
    fail_at(start, fmt::format("expected {}, got {}", expected, quoted(end)));
  }
  section_.clear();
}

void GmshInput::skip_section() {
  const std::size_t end = text_.find("$End" + section_, offset_);
  if (end == std::string_view::npos) fail_incomplete();
  offset_ = end;
  end_section();
}

std::string_view GmshInput::word(const char* what) {
  if (!in_record_) at_end();
  in_record_ = true;
  offset_ = std::min(text_.find_first_not_of(blanks, offset_), text_.size());
  if (offset_ == text_.size()) fail_incomplete();
  if (text_[offset_] == '\n') fail(fmt::format("expected {}, but the line ends", what));
  const std::size_t end = std::min(text_.find_first_of(white_space, offset_), text_.size());
  return text_.substr(offset_, end - offset_);
}

template <class T>
T GmshInput::bytes() {
  if (text_.size() - offset_ < sizeof(T)) fail_incomplete();
  T value;
  std::memcpy(&value, text_.data() + offset_, sizeof(T));
  offset_ += sizeof(T);
  return value;
}

template <class T>
T GmshInput::parsed(const char* what) {
  const std::string_view digits = word(what);
  T value = 0;
  if (!parse(digits, value)) fail(fmt::format("expected {}, got {}", what, quoted(digits)));
  offset_ += digits.size();
  return value;
}

long GmshInput::integer(const char* what) {
  return binary_ ? bytes<std::int32_t>() : parsed<std::int32_t>(what);
}

long GmshInput::size(const char* what) {
  const std::int64_t value = binary_ ? bytes<std::int64_t>() : parsed<std::int64_t>(what);
  if (value < 0) fail(fmt::format("{} is too large or negative", what));
  return value;
}

double GmshInput::real(const char* what) {
  return binary_ ? bytes<double>() : parsed<double>(what);
}

long GmshInput::count(const char* what) {
  const long number = size(what);
  return checked_count(number, what, offset_);
}

long GmshInput::checked_count(long number, const char* what, std::size_t offset) const {
  if (number < 0) fail_at(offset, fmt::format("{} is negative", what));
  if (static_cast<std::size_t>(number) > text_.size() - offset_)
    fail_at(
        offset,
        fmt::format("{} is {}, but the rest of the file is too short for them: it is not complete",
                    what, number));
  return number;
}

std::size_t GmshInput::begin_record() {
  if (!binary_) at_end();
  return offset_;
}

void GmshInput::end_record() {
  if (binary_) return;
  const std::size_t next = text_.find_first_not_of(blanks, offset_);
  if (next != std::string_view::npos && text_[next] != '\n') {
    const std::size_t end = std::min(text_.find('\n', next), text_.size());
    fail(fmt::format("expected the end of the line, got {}",
                     quoted(text_.substr(next, end - next))));
  }
  in_record_ = false;
}

long GmshInput::count_line(const char* what) {
  at_end();
  const std::size_t start = offset_;
  const std::string_view digits = line();
  long value = 0;
  if (!parse(digits, value))
    fail_at(start, fmt::format("expected {}, got {}", what, quoted(digits)));
  return checked_count(value, what, start);
}

}  // namespace saltus::io
