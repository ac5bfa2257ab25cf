// SPDX-License-Identifier: Apache-2.0
// Contacts that are forces in the motion.
#include <fmt/format.h>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

class CheckCompliant {
 public:
  CheckCompliant(const Subject& subject, const Contact& contact, bool knows_law, const Place& place,
                 std::vector<Issue>& issues)
      : subject_(subject),
        contact_(contact),
        knows_law_(knows_law),
        place_(place),
        issues_(issues) {}

  void check() const {
    if (!contact_.is_compliant()) {
      if (!contact_.divide_steps) {
        report("divide_steps", "is for compliant contacts: rigid ones divide no steps",
               "leave it out, or choose the model \"compliant\"");
      }
      if (!contact_.damping) return;
      return report("damping", "is that of a compliant contact",
                    "a rigid one has a damping_model; or choose the model \"compliant\"");
    }
    if (knows_law_) check_law();
    check_damping();
    check_needless();
    if (subject_.knows_collider_names && contact_.between.size() == 2) check_shapes();
  }

 private:
  void report(const char* key, std::string rule, std::string remedy) const {
    issues_.push_back({(place_ / key).text(), std::move(rule), {}, std::move(remedy)});
  }

  void check_law() const {
    if (contact_.elastoplastic) {
      report("elastoplastic", "a compliant contact has no elastoplastic law",
             "give stiffness, young_modulus or materials instead, or use a rigid contact with "
             "event_driven");
    } else if (!contact_.has_local_law()) {
      report("model", "a compliant contact needs a local law",
             "give stiffness, young_modulus or materials, or leave model out for a rigid contact");
    }
    if (contact_.exponent && *contact_.exponent < 1) {
      report("exponent",
             "of a compliant contact must be at least 1: below, it is infinitely stiff where it "
             "begins",
             "use 1 (linear), 1.5 (Hertz) or more");
    }
  }

  void check_damping() const {
    if (!contact_.damping) return;
    if (contact_.damping_model) {
      report("damping", "damping_model is given already", "leave one of them out");
    }
    if (!is_inelastic(contact_.restitution)) {
      report("restitution", "means nothing beside damping: the law says what comes back",
             "leave it out, or give a damping_model instead of damping");
    }
  }

  void check_needless() const {
    const auto refuse = [&](const char* key, const char* what) {
      report(key, fmt::format("a compliant contact has no {}", what),
             "leave it out, or use a rigid contact");
    };
    if (contact_.tangential_restitution != 0) {
      refuse("tangential_restitution",
             "tangential restitution: the spring across the normal gives back what it has stored");
    }
    if (contact_.rolling_friction > 0) refuse("rolling_friction", "friction against rolling yet");
    if (contact_.spinning_friction > 0) {
      refuse("spinning_friction", "friction against spinning yet");
    }
    if (contact_.static_friction) {
      refuse("static_friction", "second coefficient: friction may be a law of the slip speed");
    }
    if (contact_.force_method) {
      refuse("force_method", "forces to be recovered: they are columns");
    }
  }

  /// Between solids the points come and go; a force remembers what it did.
  void check_shapes() const {
    const PairSelection selection(subject_.model, contact_);
    const auto shape = [&](int i) -> const Shape& {
      return subject_.model.colliders[static_cast<std::size_t>(i)].shape;
    };
    const auto is_known = [&](int i) {
      return subject_.known_colliders[static_cast<std::size_t>(i)];
    };
    for (const int a : selection.first()) {
      for (const int b : selection.second()) {
        if (!is_known(a) || !is_known(b) || !selection.has(a, b)) continue;
        if (!touch_as_solids(shape(a), shape(b))) continue;
        return report("model",
                      fmt::format("{} cannot be compliant yet: where they touch changes with their "
                                  "places",
                                  describe_pair(subject_.model, {a, b})),
                      "use a rigid contact, or spheres and points on them");
      }
    }
  }

  const Subject& subject_;
  const Contact& contact_;
  bool knows_law_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

}  // namespace

void check_compliant(const Subject& subject, std::vector<Issue>& issues) {
  const Place contacts("/model/contacts");
  for (std::size_t i = 0; i < subject.model.contacts.size(); ++i) {
    const Place place = contacts / i;
    CheckCompliant(subject, subject.model.contacts[i], subject.known_laws[i], place, issues)
        .check();
  }
}

std::vector<Issue> check_compliant(const Model& model, const Dynamics& dynamics) {
  const bool is_moreau = std::holds_alternative<MoreauJean>(dynamics.integrator);
  std::vector<Issue> issues;
  if (!is_moreau && !std::holds_alternative<EventDriven>(dynamics.integrator)) return issues;
  const auto refuse = [&](const char* list, std::size_t i, const char* what) {
    issues.push_back(
        {.place = fmt::format("/model/{}/{}/model", list, i),
         .rule = fmt::format("{} does not know compliant {}",
                             is_moreau ? "moreau_jean" : "event_driven", what),
         .value = "\"compliant\"",
         .remedy = fmt::format("use \"nonsmooth_generalized_alpha\", or rigid {}", what)});
  };
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    if (model.contacts[i].is_compliant()) refuse("contacts", i, "contacts");
  }
  for (std::size_t i = 0; i < model.ball_bearings.size() && is_moreau; ++i) {
    if (model.ball_bearings[i].is_compliant()) refuse("ball_bearings", i, "bearings");
  }
  return issues;
}

}  // namespace saltus
