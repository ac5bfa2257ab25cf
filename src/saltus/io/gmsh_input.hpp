// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace saltus::io {

/// Reads the text of a Gmsh file from its beginning to its end: lines, and numbers that are either
/// words of a line or binary. A record is a line of numbers, and nothing at all in binary data.
/// Whatever does not fit is thrown as a MeshError that says where it stands.
class GmshInput {
 public:
  explicit GmshInput(std::string_view text) : text_(text) {}

  /// Are the numbers from here on binary? Until this is called they are text.
  void set_binary(bool binary) { binary_ = binary; }

  /// True if only white space follows.
  bool at_end();
  /// True if `text` follows after white space.
  bool next_is(std::string_view text);
  /// The next line that is not empty, without white space round it.
  std::string_view line();
  /// What is left of this line.
  std::string_view rest_of_line();
  /// Begins a section if the next line is "$Name": returns the name.
  std::string_view begin_section();
  /// The next line must be the end of the section.
  void end_section();
  /// Goes to the end of the section, whatever is in it.
  void skip_section();

  /// The next number; `what` says in words what it is. In binary data an `int` of C.
  long integer(const char* what);
  /// The same, but a `size_t` of C in binary data; not negative.
  long size(const char* what);
  /// A size that counts things which follow: no more of them than bytes.
  long count(const char* what);
  double real(const char* what);
  /// Where the next record stands.
  std::size_t begin_record();
  void end_record();

  /// A number, and the end of the line, as text also in binary files.
  long count_line(const char* what);

  [[noreturn]] void fail(const std::string& message) const { fail_at(offset_, message); }
  /// Where the section begins.
  [[noreturn]] void fail_section(const std::string& message) const {
    fail_at(section_offset_, message);
  }
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const;

 private:
  std::string_view word(const char* what);
  template <class T>
  T bytes();
  template <class T>
  T parsed(const char* what);
  [[noreturn]] void fail_incomplete() const;
  long checked_count(long number, const char* what, std::size_t offset) const;

  std::string_view text_;
  std::size_t offset_ = 0;
  std::string section_ = {};  ///< the one that is being read
  std::size_t section_offset_ = 0;
  bool binary_ = false;
  bool in_record_ = false;
};

}  // namespace saltus::io
