// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace saltus {

/// What a field's value must satisfy. For lists and vectors it holds for each component.
struct Rule {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
  bool maximum_excluded = false;
  bool required = false;  ///< must be given; without it the member's initialiser is the default

  constexpr Rule operator&(const Rule& other) const {
    return {minimum > other.minimum ? minimum : other.minimum,
            maximum < other.maximum ? maximum : other.maximum,
            minimum_excluded || other.minimum_excluded, maximum_excluded || other.maximum_excluded,
            required || other.required};
  }
};

inline constexpr Rule any{};
inline constexpr Rule required{.required = true};
inline constexpr Rule positive{.minimum = 0, .minimum_excluded = true};
inline constexpr Rule non_negative{.minimum = 0};
constexpr Rule within(double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum};
}

/// Between the two, neither of them included.
constexpr Rule strictly_within(double minimum, double maximum) {
  return {
      .minimum = minimum, .maximum = maximum, .minimum_excluded = true, .maximum_excluded = true};
}

/// One entry of a struct's `fields`: the single place that says what a member is called, what it
/// means, its unit and its rule. Reader, writer, schema, `--set`, Python keywords and the tables of
/// the manual are all made from these lists.
template <class Owner, class Value>
struct Field {
  using value_type = Value;

  const char* name;
  Value Owner::*member;
  const char* text;
  const char* unit;
  Rule rule;
};

/// Structs with a list `static constexpr void fields(auto&& field)` that calls
/// `field(name, &Struct::member, text, unit, rule)` for one member after the other, the last two if
/// they are needed. A template, so that files that only use the struct do not pay for the list.
template <class T>
concept HasFields = requires {
  T::fields([](auto&&...) {});
};

/// Structs that are one alternative of a variant, told apart by the key "type".
template <class T>
concept HasTypeName = requires {
  T::type_name;
};

/// Calls `visit(field)` for every field of T.
template <HasFields T, class Visitor>
constexpr void for_each_field(Visitor&& visit) {
  T::fields([&]<class Owner, class Value>(const char* name, Value Owner::*member, const char* text,
                                          const char* unit = "", const Rule& rule = {}) {
    visit(Field<Owner, Value>{name, member, text, unit, rule});
  });
}

/// Specialise for every enum that appears in a file: `static constexpr std::array names = {…}` in
/// the order of the enumerators.
template <class Enum>
struct EnumNames;

template <class T>
concept HasEnumNames = requires {
  EnumNames<T>::names;
};

}  // namespace saltus
