// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/moved.hpp"

#include "saltus/model/type_traits.hpp"

namespace saltus {
namespace {

/// Walks down to everything that has a place in the inertial frame.
template <class T>
void move(T& value, const Vector3& by) {
  if constexpr (std::is_same_v<T, Frame>) {
    if (value.body == ground_body) value.position += by;
  } else if constexpr (std::is_same_v<T, Pose>) {
    value.position += by;
  } else if constexpr (HasFields<T>) {
    for_each_field<T>([&](const auto& field) { move(value.*field.member, by); });
    if constexpr (std::is_same_v<T, Beam> || std::is_same_v<T, Bar>) {
      value.start += by;
      value.end += by;
    }
    if constexpr (std::is_same_v<T, Beam>) {
      if (value.through) *value.through += by;
    }
    if constexpr (requires { *value.at += by; }) {
      if (value.at) *value.at += by;
    }
  } else if constexpr (Variant<T>) {
    std::visit([&](auto& item) { move(item, by); }, value);
  } else if constexpr (Optional<T>) {
    if (value) move(*value, by);
  } else if constexpr (List<T> || FixedArray<T>) {
    for (auto& item : value) move(item, by);
  }
}

}  // namespace

Model moved(Model model, const Vector3& by) {
  move(model, by);
  return model;
}

}  // namespace saltus
