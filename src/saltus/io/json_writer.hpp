// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/io/json_text.hpp"
#include "saltus/io/name_table.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus::io {

/// Writes structs as JSON by their `fields`. Fields at their defaults are left out.
class JsonWriter {
 public:
  explicit JsonWriter(NameTable names = {}) : names_(std::move(names)) {}

  template <class T>
  Json write(const T& value) const;

 private:
  template <HasFields T>
  Json write_struct(const T& value) const;
  std::string name_of(int index, const IdWords& words) const;

  NameTable names_;
};

/// JSON with an indent of two spaces in which whatever fits on a line of 100 columns is on one.
std::string pretty(const Json& json);

template <class T>
Json JsonWriter::write(const T& value) const {
  if constexpr (FixedMatrix<T>) {
    Json rows = Json::array();
    for (int i = 0; i < value.rows(); ++i) {
      Json row = Json::array();
      for (int j = 0; j < value.cols(); ++j) row.push_back(json_number(value(i, j)));
      rows.push_back(value.cols() == 1 ? row[0] : row);
    }
    return rows;
  } else if constexpr (std::is_same_v<T, Quaternion>) {
    return Json::array({json_number(value.w()), json_number(value.x()), json_number(value.y()),
                        json_number(value.z())});
  } else if constexpr (std::is_same_v<T, ColliderSelection>) {
    return value.patterns.size() == 1 ? Json(value.patterns[0]) : write(value.patterns);
  } else if constexpr (std::is_same_v<T, double>) {
    return json_number(value);
  } else if constexpr (HasEnumNames<T>) {
    return EnumNames<T>::names[static_cast<std::size_t>(value)];
  } else if constexpr (TypedId<T>) {
    return name_of(value.index, id_words(value));
  } else if constexpr (Switch<T>) {
    if (!value) return Json(nullptr);
    Json object = write(*value);
    return object.empty() ? Json(true) : object;
  } else if constexpr (Optional<T>) {
    return value ? write(*value) : Json(nullptr);
  } else if constexpr (List<T> || FixedArray<T>) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(write(item));
    return list;
  } else if constexpr (Variant<T>) {
    return std::visit([&](const auto& item) { return write(item); }, value);
  } else if constexpr (HasFields<T>) {
    return write_struct(value);
  } else {
    return Json(value);
  }
}

template <HasFields T>
Json JsonWriter::write_struct(const T& value) const {
  Json object = Json::object();
  if constexpr (requires { value.name; }) {
    if (!value.name.empty()) object["name"] = value.name;
  }
  if constexpr (HasTypeName<T>) object["type"] = T::type_name;
  const T defaults{};
  for_each_field<T>([&](const auto& field) {
    if (object.contains(field.name)) return;
    Json member = write(value.*field.member);
    if (field.rule.required || member != write(defaults.*field.member)) {
      object[field.name] = std::move(member);
    }
  });
  return object;
}

}  // namespace saltus::io
