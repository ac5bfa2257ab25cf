// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/model/place.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus {

/// A number in messages: as short as it can be and still be the same number.
std::string shown(double value);

/// Adds an issue if the number is not finite or outside of the rule's range.
void check_number(double value, const Rule& rule, const Place& place, std::vector<Issue>& issues);

/// Checks a value and everything in it against the rules of the fields. Lists, vectors and matrices
/// obey their field's rule in each component.
template <class T>
void check_fields(const T& value, const Rule& rule, const Place& place,
                  std::vector<Issue>& issues) {
  if constexpr (HasFields<T>) {
    for_each_field<T>([&](const auto& field) {
      check_fields(value.*field.member, field.rule, place / field.name, issues);
    });
  } else if constexpr (Variant<T>) {
    std::visit([&](const auto& item) { check_fields(item, rule, place, issues); }, value);
  } else if constexpr (Optional<T>) {
    if (value) check_fields(*value, rule, place, issues);
  } else if constexpr (List<T> || FixedArray<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_fields(value[i], rule, place / i, issues);
    }
  } else if constexpr (FixedMatrix<T>) {
    for (int i = 0; i < value.rows(); ++i) {
      const Place row = place / i;
      for (int j = 0; j < value.cols(); ++j) {
        check_number(value(i, j), rule, value.cols() == 1 ? row : row / j, issues);
      }
    }
  } else if constexpr (std::is_same_v<T, Quaternion>) {
    check_number(value.w(), rule, place / 0, issues);
    for (int i = 0; i < 3; ++i) check_number(value.vec()[i], rule, place / (i + 1), issues);
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
    check_number(value, rule, place, issues);
  }
}

}  // namespace saltus
