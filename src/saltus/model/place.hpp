// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace saltus {

/// A place in a model as a JSON pointer (RFC 6901), built only when somebody asks for its text. A
/// place refers to its parent, which must live longer: places live on the stack of a walk.
class Place {
 public:
  /// @param text  the pointer of the root, e.g. "" or "/model"; must live as long as the place.
  explicit Place(std::string_view text = {}) : key_(text) {}

  Place operator/(std::string_view key) const { return Place(this, key, no_index); }
  Place operator/(std::size_t index) const { return Place(this, {}, index); }
  Place operator/(int index) const { return *this / static_cast<std::size_t>(index); }

  std::string text() const {
    if (parent_ == nullptr) return std::string(key_);
    std::string result = parent_->text() + '/';
    return index_ == no_index ? result + escaped(key_) : result + std::to_string(index_);
  }

  /// A key as a part of a pointer: "~" and "/" as ~0 and ~1; shortened if it is very long.
  static std::string escaped(std::string_view key);

 private:
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

  Place(const Place* parent, std::string_view key, std::size_t index)
      : parent_(parent), key_(key), index_(index) {}

  const Place* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = no_index;
};

}  // namespace saltus
