// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/name_table.hpp"
#include "saltus/io/parameters.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/model/options.hpp"
#include "saltus/model/place.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus::io {

/// Variants whose "type" may be left out: it is then their first alternative.
template <class V>
inline constexpr bool type_is_optional = false;
template <>
inline constexpr bool type_is_optional<SimulationOptions> = true;

/// Reads structs from JSON by their `fields`. Reading goes on after an error: all broken rules
/// are collected. Ranges are not its business, `validate` knows them.
class JsonReader {
 public:
  explicit JsonReader(NameTable names) : names_(std::move(names)) {}

  /// Reads the numbers that formulas may name; comes before all others.
  void read_parameters(const Json& json) { parameters_ = Parameters(json, issues_); }

  /// Reads what it can.
  template <class T>
  void read(const Json& json, const Place& place, T& value);

  const std::vector<Issue>& issues() const { return issues_; }

  /// The places whose values are missing or could not be read.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {});

  /// A value that can be read but leads nowhere.
  void unusable(const Place& place, std::string rule);

  void missing(const Place& place, const char* key, const std::string& text,
               const std::string& unit = {});

  /// Reports keys of the object that are none of `known`; returns the known keys they may stand
  /// for.
  std::vector<std::string> report_unknown_keys(const Json& object, const Place& place,
                                               const std::vector<std::string>& known);

 private:
  template <HasFields T>
  void read_struct(const Json& json, const Place& place, T& value);
  template <Variant V>
  void read_variant(const Json& json, const Place& place, V& value);
  template <class Matrix>
  void read_matrix(const Json& json, const Place& place, Matrix& value);
  template <class E>
  void read_enum(const Json& json, const Place& place, E& value);

  void read_number(const Json& json, const Place& place, double& value);
  void read_integer(const Json& json, const Place& place, int& value);
  void read_boolean(const Json& json, const Place& place, bool& value);
  void read_string(const Json& json, const Place& place, std::string& value);
  void read_quaternion(const Json& json, const Place& place, Quaternion& value);
  void read_direction(const Json& json, const Place& place, Direction& value);
  void read_selection(const Json& json, const Place& place, ColliderSelection& value);
  /// The value of a formula that stands for a number; none after a report.
  std::optional<double> read_formula(const Json& json, const Place& place);
  void insert_parameters(const Place& place, std::string& text);
  int read_reference(const Json& json, const Place& place, const IdWords& words);

  /// Whether the value is an array of this many; reports otherwise.
  bool is_array_of(const Json& json, const Place& place, std::size_t count, const char* what);
  void wrong_type(const Json& json, const Place& place, const std::string& expected);
  void unknown_word(const Place& place, const std::string& what, const std::string& word,
                    const std::vector<std::string>& known);
  /// The type that the object names, or empty after a report.
  std::string type_of(const Json& json, const Place& place, const std::vector<std::string>& types,
                      bool optional);

  NameTable names_;
  Parameters parameters_;
  std::vector<Issue> issues_;
  std::vector<std::string> unreadable_;
};

/// The keys an object for T may have.
template <HasFields T>
std::vector<std::string> keys_of() {
  std::vector<std::string> keys;
  for_each_field<T>([&](const auto& field) { keys.emplace_back(field.name); });
  if constexpr (HasTypeName<T>) keys.emplace_back("type");
  keys.emplace_back("comment");
  return keys;
}

/// The words that "type" may be in an object for V.
template <Variant V>
std::vector<std::string> types_of() {
  std::vector<std::string> types;
  for_each_alternative<V>([&]<class A>(std::type_identity<A>) {
    if constexpr (HasTypeName<A>) types.emplace_back(A::type_name);
  });
  return types;
}

template <class T>
void JsonReader::read(const Json& json, const Place& place, T& value) {
  if constexpr (std::is_same_v<T, double>) {
    read_number(json, place, value);
  } else if constexpr (std::is_same_v<T, int>) {
    read_integer(json, place, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    read_boolean(json, place, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    read_string(json, place, value);
  } else if constexpr (std::is_same_v<T, Quaternion>) {
    read_quaternion(json, place, value);
  } else if constexpr (std::is_same_v<T, Direction>) {
    read_direction(json, place, value);
  } else if constexpr (std::is_same_v<T, ColliderSelection>) {
    read_selection(json, place, value);
  } else if constexpr (FixedMatrix<T>) {
    read_matrix(json, place, value);
  } else if constexpr (HasEnumNames<T>) {
    read_enum(json, place, value);
  } else if constexpr (TypedId<T>) {
    value.index = read_reference(json, place, id_words(value));
  } else if constexpr (Switch<T>) {
    if (json.is_boolean() && !json.template get<bool>()) return value.reset();
    value.emplace();
    if (json.is_object()) return read(json, place, *value);
    if (!json.is_boolean()) wrong_type(json, place, "true, false or an object { … }");
  } else if constexpr (Optional<T>) {
    read(json, place, value.emplace());
  } else if constexpr (FixedArray<T>) {
    if (!is_array_of(json, place, value.size(), "values")) return;
    for (std::size_t i = 0; i < value.size(); ++i) read(json[i], place / i, value[i]);
  } else if constexpr (List<T>) {
    if (!json.is_array()) return wrong_type(json, place, "an array [ … ]");
    value = T(json.size());
    for (std::size_t i = 0; i < value.size(); ++i) read(json[i], place / i, value[i]);
  } else if constexpr (Variant<T>) {
    read_variant(json, place, value);
  } else {
    read_struct(json, place, value);
  }
}

template <HasFields T>
void JsonReader::read_struct(const Json& json, const Place& place, T& value) {
  if (!json.is_object()) return wrong_type(json, place, "an object { … }");
  const std::vector<std::string> meant = report_unknown_keys(json, place, keys_of<T>());
  for_each_field<T>([&](const auto& field) {
    const Json* member = json.find(field.name);
    if (member != nullptr) {
      read(*member, place / field.name, value.*field.member);
    } else if (std::find(meant.begin(), meant.end(), field.name) != meant.end()) {
      unreadable_.push_back((place / field.name).text());
    } else if (field.rule.required) {
      missing(place, field.name, field.text, field.unit);
    }
  });
  if constexpr (std::is_same_v<T, Expression>) insert_parameters(place / "text", value.text);
  if constexpr (std::is_same_v<T, Dynamics>) {
    insert_parameters(place / "stop_when", value.stop_when);
  }
}

/// What a variant may be written as.
template <Variant V>
constexpr const char* wanted_form() {
  if constexpr (std::is_same_v<V, FrictionLaw>) {
    return R"(a number or a law like {"type": "exponential", "base": 0.2, "amplitude": 0.1, "decay": 5})";
  } else if constexpr (std::is_same_v<V, Restitution>) {
    return R"(a number or a law like {"type": "power", "reference": 0.8, "reference_speed": 1, "exponent": -0.25})";
  } else if constexpr (std::is_same_v<V, StepLength>) {
    return R"(a number, or an object like {"max": 1e-2, "tolerance": 1e-4})";
  } else if constexpr (may_be_number<V>()) {
    return R"(a number or a function like {"type": "expression", "text": "2*t"})";
  } else {
    return "an object { … }";
  }
}

template <Variant V>
void JsonReader::read_variant(const Json& json, const Place& place, V& value) {
  if constexpr (may_be_number<V>()) {
    if (json.is_number() || Parameters::is_formula(json)) {
      return read(json, place, value.template emplace<double>());
    }
  }
  if (!json.is_object()) {
    return wrong_type(json, place, wanted_form<V>());
  }
  if constexpr (std::is_same_v<V, StepLength>) {  // one kind of object: it needs no "type"
    read_struct(json, place, value.template emplace<AdaptiveStep>());
  } else {
    const std::string type = type_of(json, place, types_of<V>(), type_is_optional<V>);
    for_each_alternative<V>([&]<class A>(std::type_identity<A>) {
      if constexpr (HasTypeName<A>) {
        if (type == A::type_name) read_struct(json, place, value.template emplace<A>());
      }
    });
  }
}

template <class Matrix>
void JsonReader::read_matrix(const Json& json, const Place& place, Matrix& value) {
  const auto rows = static_cast<std::size_t>(value.rows());
  const auto columns = static_cast<std::size_t>(value.cols());
  if (!is_array_of(json, place, rows, columns == 1 ? "numbers" : "rows")) return;
  for (std::size_t i = 0; i < rows; ++i) {
    const Place row = place / i;
    if (columns == 1) {
      read_number(json[i], row, value(static_cast<int>(i), 0));
    } else if (is_array_of(json[i], row, columns, "numbers")) {
      for (std::size_t j = 0; j < columns; ++j) {
        read_number(json[i][j], row / j, value(static_cast<int>(i), static_cast<int>(j)));
      }
    }
  }
}

template <class E>
void JsonReader::read_enum(const Json& json, const Place& place, E& value) {
  const std::vector<std::string> names(std::begin(EnumNames<E>::names),
                                       std::end(EnumNames<E>::names));
  if (!json.is_string()) return wrong_type(json, place, one_of(names));
  const auto& word = json.text();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return unknown_word(place, "must be " + one_of(names), word, names);
  value = static_cast<E>(found - names.begin());
}

}  // namespace saltus::io
