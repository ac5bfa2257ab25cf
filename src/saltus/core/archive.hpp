// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace saltus {

/// The memory of objects as bytes, in their order. An object that has memory lists it once, in
///   void archive(Archive& memory) { memory(time_, impulses_, filter_); }
/// and that one list serves both ways: a saving archive appends what the members hold, a loading
/// one puts it back, so that the two cannot come apart. Bytes are those of this machine: what is
/// loaded is what was saved, bit for bit.
///
/// Members may be numbers, enumerations, texts, matrices, standard containers of these, and objects
/// with an `archive` of their own. Pointers and references are not memory: whoever loads has built
/// the same objects first.
class Archive {
 public:
  using Bytes = std::vector<std::byte>;

  /// One that saves.
  Archive() = default;
  /// One that loads.
  explicit Archive(Bytes saved) : bytes_(std::move(saved)), loads_(true) {}

  bool loads() const { return loads_; }
  const Bytes& bytes() const { return bytes_; }
  /// Whether all that was saved has been loaded.
  bool is_at_end() const { return place_ == bytes_.size(); }

  template <class... Members>
  void operator()(Members&... members) {
    (one(members), ...);
  }

 private:
  template <class T>
  static constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if (!loads_) {
      const auto* first = static_cast<const std::byte*>(data);
      bytes_.insert(bytes_.end(), first, first + size);
      return;
    }
    if (size > bytes_.size() - place_) throw std::out_of_range("archive: shorter than its reader");
    std::memcpy(data, bytes_.data() + place_, size);
    place_ += size;
  }

  template <class Size>
  Size count(Size size) {
    raw(&size, sizeof size);
    return size;
  }

  template <class T>
  void one(T& value) {
    if constexpr (is_plain<T>) {
      raw(&value, sizeof value);
    } else {
      value.archive(*this);
    }
  }

  // Matrices and arrays.
  template <class T>
  requires std::is_base_of_v<Eigen::PlainObjectBase<T>, T>
  void one(T& m) {
    const auto height = count(m.rows());
    const auto width = count(m.cols());
    m.resize(height, width);
    raw(m.data(), static_cast<std::size_t>(m.size()) * sizeof(typename T::Scalar));
  }

  void one(std::string& text) {
    text.resize(count(text.size()));
    raw(text.data(), text.size());
  }

  template <class T, class Allocator>
  void one(std::vector<T, Allocator>& list) {
    list.resize(count(list.size()));
    if constexpr (is_plain<T>) {
      raw(list.data(), list.size() * sizeof(T));
    } else {
      for (T& item : list) one(item);
    }
  }

  template <class Allocator>
  void one(std::vector<bool, Allocator>& list) {
    list.resize(count(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = count(static_cast<bool>(list[i]));
  }

  template <class T, std::size_t n>
  void one(std::array<T, n>& list) {
    for (T& item : list) one(item);
  }

  template <class First, class Second>
  void one(std::pair<First, Second>& both) {
    one(both.first);
    one(both.second);
  }

  template <class T>
  void one(std::optional<T>& value) {
    if (!count(value.has_value())) {
      value.reset();
      return;
    }
    if (!value) value.emplace();
    one(*value);
  }

  template <class Key, class T>
  void one(std::map<Key, T>& entries) {
    const std::size_t size = count(entries.size());
    if (!loads_) {
      for (auto& [key, value] : entries) {
        Key copy = key;
        one(copy);
        one(value);
      }
      return;
    }
    entries.clear();
    for (std::size_t i = 0; i < size; ++i) {
      Key key = {};
      one(key);
      one(entries[key]);
    }
  }

  Bytes bytes_ = {};
  std::size_t place_ = 0;
  bool loads_ = false;
};

}  // namespace saltus
