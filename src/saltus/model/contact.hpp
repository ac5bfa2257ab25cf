// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/core/choices.hpp"
#include "saltus/core/id.hpp"
#include "saltus/model/friction_law.hpp"
#include "saltus/model/restitution.hpp"

namespace saltus {

/// One side of a contact: names of colliders, or patterns of names in which `*` stands for any
/// letters and `?` for one. In files a text, or a list of texts.
struct ColliderSelection {
  std::vector<std::string> patterns = {};
  ColliderId collider = {};  ///< instead of patterns, until `Model::add` writes its name there

  ColliderSelection() = default;
  ColliderSelection(const char* name) : patterns{name} {}             // NOLINT: a name selects
  ColliderSelection(std::string name) : patterns{std::move(name)} {}  // NOLINT: a name selects
  ColliderSelection(ColliderId id) : collider(id) {}                  // NOLINT: an id selects
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

template <>
struct EnumNames<hertz::DampingModel> {
  static constexpr const char* names[] = {"none", "hunt_crossley", "lankarani_nikravesh",
                                          "hu",   "flores",        "zhang"};
};

/// How the force within an impact is found from its impulse.
enum class ForceMethod { Reconstruction, Integration };

template <>
struct EnumNames<ForceMethod> {
  static constexpr const char* names[] = {"reconstruction", "integration"};
};

/// What a contact is to the motion: no overlap and impacts, or a force that grows with it.
enum class ContactModel { Rigid, Compliant };

template <>
struct EnumNames<ContactModel> {
  static constexpr const char* names[] = {"rigid", "compliant"};
};

/// What a local law has where nothing is given.
struct LocalLawDefaults {
  static constexpr double exponent = 1.5;  ///< Hertz's
  static constexpr double poisson_ratio = 0.3;
  static constexpr hertz::DampingModel damping_model = hertz::DampingModel::Flores;
  static constexpr ForceMethod force_method = ForceMethod::Reconstruction;
};

/// One of the two bodies of Hertz's law.
struct ContactMaterial {
  double young_modulus = 0;
  double poisson_ratio = LocalLawDefaults::poisson_ratio;

  static constexpr void fields(auto&& field) {
    field("young_modulus", &ContactMaterial::young_modulus, "stiffness of the material", "Pa",
          required & positive);
    field("poisson_ratio", &ContactMaterial::poisson_ratio, "of the material", "", within(0, 0.5));
  }
};

/// One of the two bodies of an elastoplastic law.
struct PlasticMaterial {
  double young_modulus = 0;
  double poisson_ratio = LocalLawDefaults::poisson_ratio;
  double yield_strength = 0;

  static constexpr void fields(auto&& field) {
    field("young_modulus", &PlasticMaterial::young_modulus, "stiffness of the material", "Pa",
          required & positive);
    field("poisson_ratio", &PlasticMaterial::poisson_ratio, "of the material", "",
          Rule{.minimum = 0, .maximum = 0.5, .maximum_excluded = true});
    field("yield_strength", &PlasticMaterial::yield_strength, "where it begins to yield", "Pa",
          required & positive);
  }
};

/// Forces, indentations and durations inside of impacts that are resolved in the domain of
/// impulses; they do not change the motion (docs/theory/impact_events.md, section 6).
struct ElastoplasticContact {
  std::vector<PlasticMaterial> materials = {};
  std::vector<double> radii = {};
  double hardness = 0;
  double damping = 0;

  static constexpr void fields(auto&& field) {
    field("materials", &ElastoplasticContact::materials,
          "of the two sides, in the order of `between`; one entry if they are the same", "",
          required);
    field("radii", &ElastoplasticContact::radii,
          "[R1, R2] of the two surfaces, concave ones negative, 0 for flat; those of the "
          "colliders if not given",
          "m");
    field("hardness", &ElastoplasticContact::hardness,
          "mean pressure at which the weaker side yields fully; above its yield_strength", "Pa",
          required & positive);
    field("damping", &ElastoplasticContact::damping,
          "b of a damping force b v^1.5 while the two approach", "kg m^-1/2 s^-1/2", non_negative);
  }
};

/// What happens where two colliders, or the colliders of two selections, touch.
struct Contact {
  std::string name = {};
  std::vector<ColliderSelection> between = {};
  Restitution restitution = 0.0;
  double tangential_restitution = 0;
  FrictionLaw friction = 0.0;
  std::optional<double> static_friction = {};
  double rolling_friction = 0;
  double spinning_friction = 0;
  SlidingAndSpinning sliding_and_spinning = SlidingAndSpinning::Independent;
  bool collide_joined = false;
  ContactModel model = ContactModel::Rigid;
  // The local law. A compliant contact is this force; of a rigid one it does not change the motion,
  // and forces are recovered from it.
  std::optional<double> stiffness = {};
  std::optional<double> exponent = {};
  std::optional<double> young_modulus = {};
  std::optional<double> poisson_ratio = {};
  std::vector<ContactMaterial> materials = {};
  std::vector<double> radii = {};
  std::optional<hertz::DampingModel> damping_model = {};
  std::optional<double> damping = {};
  bool divide_steps = true;
  std::optional<ForceMethod> force_method = {};
  std::optional<ElastoplasticContact> elastoplastic = {};

  bool is_compliant() const { return model == ContactModel::Compliant; }
  /// Whether the stiffness is that of Hertz's theory.
  bool is_hertzian() const { return young_modulus.has_value() || !materials.empty(); }
  /// Whether there is a law of the force; of a rigid contact forces are recovered from impulses.
  bool has_local_law() const {
    return stiffness.has_value() || is_hertzian() || elastoplastic.has_value();
  }

  static constexpr void fields(auto&& field) {
    field("name", &Contact::name, "what the results call it; `contact<index>` if not given");
    field("between", &Contact::between,
          "two entries, each a collider's name, a pattern (`*` any letters, `?` one) or a list "
          "of these; a pattern against itself means all distinct pairs; left out are pairs on "
          "one body, pairs from patterns on moving bodies that a joint connects (see "
          "`collide_joined`), and shapes that cannot touch: a point, sphere, capsule, box, "
          "cylinder, convex or mesh touches a half_space or face, and any two of them but two "
          "points touch each other; all but a cylinder may be inside of a hollow_sphere; a sphere, "
          "point or cylinder touches a bore from inside, a sphere a groove",
          "", required);
    field("collide_joined", &Contact::collide_joined,
          "whether pairs that a pattern selects touch although a joint connects their moving "
          "bodies; pairs that are named always do");
    field("restitution", &Contact::restitution,
          "normal velocity after an impact over that before it, reversed: a number, or a law of "
          "the speed of approach",
          "", within(0, 1));
    field("tangential_restitution", &Contact::tangential_restitution,
          "the same for the slip of an impact that sticks", "", within(-1, 1));
    field("friction", &Contact::friction,
          "Coulomb's coefficient of friction: a number, or a law of the slip speed (that before "
          "an impact, or at the beginning of the step)",
          "", non_negative);
    field("static_friction", &Contact::static_friction,
          "coefficient of a contact that sticks, for the event_driven integrator; `friction` "
          "at rest if not given, or if that is larger",
          "", non_negative);
    field("rolling_friction", &Contact::rolling_friction,
          "of what is round: largest moment against rolling over the normal force", "m",
          non_negative);
    field(
        "spinning_friction", &Contact::spinning_friction,
        "of what is round: largest moment against spinning about the normal over the normal force",
        "m", non_negative);
    field("sliding_and_spinning", &Contact::sliding_and_spinning,
          "independent: each has its own bound; coupled (Coulomb-Contensou): force F and moment "
          "M share one, (F/(friction N))² + (M/(spinning_friction N))² ≤ 1, so that what spins "
          "slides more easily");
    field("model", &Contact::model,
          "rigid: nothing overlaps, an impact is a jump of velocities, and forces are recovered "
          "from impulses by the local law; compliant: the local law is a force in the motion, in "
          "steps that resolve it, and it says what an impact does");
    field("stiffness", &Contact::stiffness,
          "K of the local law F = K δⁿ: the force of a compliant contact; of a rigid one forces "
          "are recovered from it, and it does not change the motion",
          "N/mⁿ", positive);
    field("exponent", &Contact::exponent, "n of the local law; 1.5, Hertz's, if not given", "",
          positive);
    field("young_modulus", &Contact::young_modulus,
          "instead of `stiffness`: of both bodies, for Hertz's law; gives stresses as well", "Pa",
          positive);
    field("poisson_ratio", &Contact::poisson_ratio, "of both bodies; 0.3 if not given", "",
          strictly_within(-1, 0.5));
    field("materials", &Contact::materials,
          "instead of `young_modulus` and `poisson_ratio`: of the two sides, in the order of "
          "`between`; stresses are those in the first");
    field("radii", &Contact::radii,
          "for Hertz's law: [R1, R2] or [R1, R1', R2, R2'], the principal radii of the two "
          "surfaces in the order of `between`, concave ones negative, 0 for flat; those of the "
          "colliders if not given",
          "m");
    field("damping_model", &Contact::damping_model,
          "damping of the local law, from the restitution and the speed of approach; flores if "
          "not given");
    field("damping", &Contact::damping,
          "of a compliant contact, instead of `damping_model`: c of F = K δⁿ + c δ̇ "
          "(Kelvin-Voigt), never pulling",
          "N s/m", non_negative);
    field("divide_steps", &Contact::divide_steps,
          "of a compliant contact: whether steps are divided where it touches or comes near, so "
          "that each meeting has some 64; false: steps are those that were asked for, and what is "
          "shorter is not resolved");
    field("force_method", &Contact::force_method,
          "within an impact: reconstruction from the impulse (if not given), or integration of "
          "the local law of the two bodies as a check");
    field("elastoplastic", &Contact::elastoplastic,
          "instead of `stiffness`, for the event_driven integrator: forces inside of impacts by "
          "an elastic, plastic and damped law");
  }
};

}  // namespace saltus
