// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/model/friction_law.hpp"

namespace saltus {

/// One side of a contact: names of colliders, or patterns of names in which `*` stands for any
/// letters and `?` for one. In files a text, or a list of texts.
struct ColliderSelection {
  std::vector<std::string> patterns = {};

  ColliderSelection() = default;
  ColliderSelection(const char* name) : patterns{name} {}             // NOLINT: a name selects
  ColliderSelection(std::string name) : patterns{std::move(name)} {}  // NOLINT: a name selects
  ColliderSelection(std::vector<std::string> names) : patterns(std::move(names)) {}  // NOLINT

  /// Whether it names one collider, without a pattern.
  bool is_name() const { return patterns.size() == 1 && !is_pattern(patterns[0]); }
  /// Whether a collider of this name is selected.
  bool matches(std::string_view name) const;

  static bool is_pattern(std::string_view text) {
    return text.find_first_of("*?") != std::string_view::npos;
  }
};

/// Whether a name fits a pattern.
bool fits(std::string_view name, std::string_view pattern);

/// How friction against sliding and friction against spinning about the normal act together.
enum class SlidingAndSpinning { Independent, Coupled };

template <>
struct EnumNames<SlidingAndSpinning> {
  static constexpr const char* names[] = {"independent", "coupled"};
};

/// What happens where two colliders, or the colliders of two selections, touch.
struct Contact {
  std::string name = {};
  std::vector<ColliderSelection> between = {};
  double restitution = 0;
  double tangential_restitution = 0;
  FrictionLaw friction = 0.0;
  double rolling_friction = 0;
  double spinning_friction = 0;
  SlidingAndSpinning sliding_and_spinning = SlidingAndSpinning::Independent;

  static constexpr auto fields() {
    return std::tuple{
        Field{"name", &Contact::name, "what the results call it; `contact<index>` if not given"},
        Field{"between", &Contact::between,
              "two entries, each a collider's name, a pattern (`*` any letters, `?` one) or a list "
              "of these; a pattern against itself means all distinct pairs; left out are pairs on "
              "one body and shapes that cannot touch (a point, sphere or box touches a half_space "
              "or face, a sphere another sphere or a point; inside of a hollow_sphere may be a "
              "sphere, point or box)",
              "", required},
        Field{"restitution", &Contact::restitution,
              "normal velocity after an impact over that before it, reversed", "", within(0, 1)},
        Field{"tangential_restitution", &Contact::tangential_restitution,
              "the same for the slip of an impact that sticks", "", within(-1, 1)},
        Field{
            "friction", &Contact::friction,
            "Coulomb's coefficient of friction: a number, or a law of the slip speed (that before "
            "an impact, or at the beginning of the step)",
            "", non_negative},
        Field{"rolling_friction", &Contact::rolling_friction,
              "of spheres: largest moment against rolling over the normal force", "m",
              non_negative},
        Field{"spinning_friction", &Contact::spinning_friction,
              "of spheres: largest moment against spinning about the normal over the normal force",
              "m", non_negative},
        Field{
            "sliding_and_spinning", &Contact::sliding_and_spinning,
            "independent: each has its own bound; coupled (Coulomb-Contensou): force F and moment "
            "M share one, (F/(friction N))² + (M/(spinning_friction N))² ≤ 1, so that what spins "
            "slides more easily"}};
  }
};

}  // namespace saltus
