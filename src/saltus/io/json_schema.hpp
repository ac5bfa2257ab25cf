// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "saltus/io/json_reader.hpp"
#include "saltus/io/json_writer.hpp"

namespace saltus::io {

/// The name of a type without its namespace, for "$defs".
template <class T>
std::string type_name() {
  const std::string_view text = __PRETTY_FUNCTION__;  // "… type_name() [with T = saltus::Frame; …"
  const std::size_t start = text.find("T = ") + 4;
  std::string_view name = text.substr(start, text.find_first_of(";]", start) - start);
  return std::string(name.substr(name.rfind(':') + 1));
}

/// Makes a JSON Schema (draft 2020-12) from `fields`. Every struct becomes an entry of "$defs".
class SchemaBuilder {
 public:
  /// The schema of values of type T that obey the rule.
  template <class T>
  Json schema(const Rule& rule = {});

  const Json& definitions() const { return definitions_; }

 private:
  template <HasFields T>
  Json struct_schema(bool type_optional);
  template <Variant V>
  Json variant_schema(const Rule& rule);
  static Json number_schema(const char* type, const Rule& rule);
  static Json array_schema(Json items, std::size_t count);
  static std::string description(const char* text, const char* unit);

  Json definitions_ = Json::object();
};

/// The schema of whole model files.
Json model_file_schema();

template <class T>
Json SchemaBuilder::schema(const Rule& rule) {
  if constexpr (std::is_same_v<T, double>) {
    return number_schema("number", rule);
  } else if constexpr (std::is_same_v<T, int>) {
    return number_schema("integer", rule);
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_same_v<T, std::string> || TypedId<T>) {
    return {{"type", "string"}, {"minLength", 1}};
  } else if constexpr (std::is_same_v<T, Direction>) {
    return {{"oneOf", {schema<Vector3>(rule), {{"enum", {"x", "y", "z", "-x", "-y", "-z"}}}}}};
  } else if constexpr (std::is_same_v<T, ColliderSelection>) {
    Json list = schema<std::vector<std::string>>();
    list["minItems"] = 1;
    return {{"oneOf", {schema<std::string>(), std::move(list)}}};
  } else if constexpr (std::is_same_v<T, Quaternion>) {
    return array_schema(number_schema("number", rule), 4);
  } else if constexpr (FixedMatrix<T>) {
    constexpr std::size_t rows = T::RowsAtCompileTime;
    constexpr std::size_t columns = T::ColsAtCompileTime;
    Json number = number_schema("number", rule);
    if constexpr (columns == 1) return array_schema(number, rows);
    return array_schema(array_schema(number, columns), rows);
  } else if constexpr (HasEnumNames<T>) {
    Json names = Json::array();
    for (const char* name : EnumNames<T>::names) names.push_back(name);
    return {{"enum", names}};
  } else if constexpr (Switch<T>) {
    return {{"oneOf", {schema<bool>(), schema<typename T::value_type>(rule)}}};
  } else if constexpr (Optional<T>) {
    return schema<typename T::value_type>(rule);
  } else if constexpr (FixedArray<T>) {
    return array_schema(schema<typename T::value_type>(rule), std::tuple_size_v<T>);
  } else if constexpr (List<T>) {
    return {{"type", "array"}, {"items", schema<typename T::value_type>(rule)}};
  } else if constexpr (Variant<T>) {
    return variant_schema<T>(rule);
  } else {
    return struct_schema<T>(false);
  }
}

template <HasFields T>
Json SchemaBuilder::struct_schema(bool type_optional) {
  const std::string name = type_name<T>();
  Json reference = {{"$ref", "#/$defs/" + name}};
  if (definitions_.contains(name)) return reference;
  definitions_[name] = Json::object();  // keeps its place in front of what it contains

  Json properties = Json::object();
  Json needed = Json::array();
  if constexpr (HasTypeName<T>) {
    properties["type"] = {{"const", T::type_name}};
    if (!type_optional) needed.push_back("type");
  }
  const T defaults{};
  for_each_field<T>([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::value_type;
    Json property = schema<Value>(field.rule);
    property["description"] = description(field.text, field.unit);
    const Json standard = JsonWriter().write(defaults.*field.member);
    const bool unnamed = standard.is_string() && standard.get<std::string>().empty();
    if (field.rule.required) {
      needed.push_back(field.name);
    } else if (!standard.is_null() && !unnamed) {
      property["default"] = standard;
    }
    properties[field.name] = std::move(property);
  });
  properties["comment"] = true;
  Json definition = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!needed.empty()) definition["required"] = std::move(needed);
  definition["additionalProperties"] = false;
  definitions_[name] = std::move(definition);
  return reference;
}

template <Variant V>
Json SchemaBuilder::variant_schema(const Rule& rule) {
  Json alternatives = Json::array();
  for_each_alternative<V>([&]<class A>(std::type_identity<A>) {
    if constexpr (HasTypeName<A>) {
      alternatives.push_back(struct_schema<A>(type_is_optional<V> && alternatives.empty()));
    } else {
      alternatives.push_back(schema<A>(rule));
    }
  });
  return {{"oneOf", std::move(alternatives)}};
}

}  // namespace saltus::io
