// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "saltus/core/field.hpp"
#include "saltus/core/id.hpp"
#include "saltus/model/types.hpp"

// The kinds of types that members of structs with `fields` have. Every walk over such structs
// (validation, reader, writer, schema) tells them apart with these concepts.
namespace saltus {
namespace kinds {

template <class T>
inline constexpr bool optional = false;
template <class T>
inline constexpr bool optional<std::optional<T>> = true;
template <class T>
inline constexpr bool optional<Maybe<T>> = true;
template <class T>
inline constexpr bool list = false;
template <class T>
inline constexpr bool list<std::vector<T>> = true;
template <class T>
inline constexpr bool array = false;
template <class T, std::size_t n>
inline constexpr bool array<std::array<T, n>> = true;
/// The variant that a type is, or derives from. Only declared.
template <class... A>
std::type_identity<std::variant<A...>> variant_of(const std::variant<A...>* value);
template <class T>
inline constexpr bool id = false;
template <class Tag>
inline constexpr bool id<Id<Tag>> = true;
template <class T>
inline constexpr bool matrix = false;
template <int rows, int columns>
inline constexpr bool matrix<Eigen::Matrix<double, rows, columns>> = true;

}  // namespace kinds

template <class T>
concept Optional = kinds::optional<T>;
template <class T>
concept List = kinds::list<T>;
template <class T>
concept FixedArray = kinds::array<T>;
template <class T>
concept Variant = requires(const T* value) {
  kinds::variant_of(value);
};
template <class T>
concept TypedId = kinds::id<T>;
template <class T>
concept FixedMatrix = kinds::matrix<T> || std::is_same_v<T, Direction>;

/// Optional structs that files may also give as true (with all defaults) or false (none).
template <class T>
concept Switch = kinds::optional<T> && requires {
  T::value_type::is_switch;
};

/// Calls `visit(std::type_identity<Alternative>)` for each alternative of a variant.
template <Variant V, class Visitor>
constexpr void for_each_alternative(Visitor&& visit) {
  [&]<class... A>(std::type_identity<std::variant<A...>>) {
    (visit(std::type_identity<A>{}), ...);
  }(decltype(kinds::variant_of(static_cast<const V*>(nullptr))){});
}

/// Whether a variant has a plain number among its alternatives (a function of time, a law).
template <Variant V>
constexpr bool may_be_number() {
  bool found = false;
  for_each_alternative<V>([&]<class A>(std::type_identity<A>) {
    if (std::is_same_v<A, double>) found = true;
  });
  return found;
}

}  // namespace saltus
