// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace saltus {

/// A typed index into one list: a `BodyId` where a `JointId` belongs does not compile.
template <class Tag>
struct Id {
  int index = -1;

  auto operator<=>(const Id&) const = default;
};

struct BodyTag {};
struct JointTag {};
struct ColliderTag {};

/// A body of a model; the default is the ground, which every model has.
using BodyId = Id<BodyTag>;
/// A joint of a model; the default names none.
using JointId = Id<JointTag>;
/// A collider of a model; the default names none.
using ColliderId = Id<ColliderTag>;

/// The body that never moves.
inline constexpr BodyId ground_body{};

}  // namespace saltus
