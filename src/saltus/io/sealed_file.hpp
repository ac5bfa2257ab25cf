// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "saltus/core/archive.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus::io {

/// Memory in a file: a line that says what it is, one with the version of Saltus, one with a
/// checksum, and the bytes. At any moment the file is the old one or the new one.
/// @param kind  the first line, e.g. "saltus checkpoint 1"
/// @throws FileError
void write_sealed(const std::filesystem::path& path, std::string_view kind,
                  const Archive::Bytes& bytes, Durability durability);

/// What was written: by this version, and undamaged.
/// @param refuse  told why not; throws
Archive::Bytes read_sealed(const std::filesystem::path& path, std::string_view kind,
                           const std::function<void(const std::string& why)>& refuse);

/// What the bytes hold.
template <class T>
T unsealed(Archive::Bytes bytes, const std::function<void(const std::string& why)>& refuse) {
  Archive memory(std::move(bytes));
  T content;
  try {
    memory(content);
  } catch (const std::out_of_range&) {
    refuse("is damaged: it ends too early");
  } catch (const std::length_error&) {
    refuse("is damaged: it says that it is longer than anything");
  } catch (const std::bad_alloc&) {
    refuse("is damaged, or too large for this machine");
  }
  if (!memory.is_at_end()) refuse("is damaged: it goes on after its end");
  return content;
}

}  // namespace saltus::io
