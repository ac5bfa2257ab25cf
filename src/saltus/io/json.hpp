// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace saltus::io {

template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// A JSON value; objects keep the order of their keys. Parsing and the text of numbers are behind
/// json_text.cpp, the only file that includes a JSON library, for its header costs more to compile
/// than most of our files.
class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  Json();
  Json(std::nullptr_t) : Json() {}
  template <std::same_as<bool> T>  // no pointers
  Json(T value) : value_(value) {}
  template <JsonInteger T>
  Json(T value) : Json(Integer{static_cast<std::uint64_t>(value), std::is_signed_v<T>}) {}
  Json(double value);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  /// An object if every item is a pair of a text and a value, else an array.
  Json(std::initializer_list<Json> items);
  template <class T>
  Json(const std::vector<T>& items) : Json(array(items.begin(), items.end())) {}

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json object();
  static Json array();
  static Json array(std::initializer_list<Json> items);
  template <class Iterator>
  static Json array(Iterator begin, Iterator end) {
    Json list = array();
    for (; begin != end; ++begin) list.push_back(Json(*begin));
    return list;
  }

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_integer() const;  ///< a number written without point and exponent
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;
  bool is_structured() const { return is_array() || is_object(); }

  /// The value as a T: bool, std::string or a type of numbers. It must be of that kind.
  template <class T>
  T get() const {
    if constexpr (std::same_as<T, bool>) {
      return boolean();
    } else if constexpr (std::same_as<T, std::string>) {
      return text();
    } else if constexpr (std::integral<T>) {
      return static_cast<T>(integer());
    } else {
      return static_cast<T>(number());
    }
  }
  bool boolean() const;
  double number() const;
  const std::string& text() const;

  // Arrays and objects. Other values have no elements.
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  Array& items();
  const Array& items() const;
  Object& members();
  const Object& members() const;

  /// Element of an array.
  template <JsonInteger T>
  Json& operator[](T index) {
    return items()[static_cast<std::size_t>(index)];
  }
  template <JsonInteger T>
  const Json& operator[](T index) const {
    return items()[static_cast<std::size_t>(index)];
  }
  Json& push_back(Json item);

  /// Element of an array or value of an object's member, in their order.
  const Json& child(std::size_t index) const;

  /// Member of an object, which is added if it is not there; null becomes an object.
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  /// Member of an object; null if it is not there.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  /// Member of an object, or nullptr.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  void update(const Json& object);
  void erase(std::string_view key);

  /// Numbers are compared by value, objects without regard to order.
  bool operator==(const Json& other) const;

  /// On one line without spaces, or with an indent. Bytes that are not UTF-8 are replaced.
  std::string dump(int indent = -1) const;

  friend std::ostream& operator<<(std::ostream& stream, const Json& json);

 private:
  struct Integer {
    std::uint64_t bits = 0;
    bool is_signed = false;
  };
  explicit Json(Integer value);
  std::int64_t integer() const;
  void dump(int indent, int margin, std::string& text) const;

  // Whole numbers that fit are signed.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

}  // namespace saltus::io
