// SPDX-License-Identifier: Apache-2.0
// Local laws of contacts, from which forces are recovered.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/local_law.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// Forces are told point by point; contacts with more points are not listed in the results.
constexpr std::size_t most_points = 1000;
constexpr std::size_t corners_of_a_box = 8;

class CheckLocalLaw {
 public:
  /// @param knows_law  whether stiffness and Young's modulus could be read
  CheckLocalLaw(const Subject& subject, const Contact& contact, bool knows_law, const Place& place,
                std::vector<Issue>& issues)
      : subject_(subject),
        contact_(contact),
        knows_law_(knows_law),
        place_(place),
        issues_(issues) {}

  void check() const {
    if (knows_law_) check_needless();
    if (contact_.elastoplastic) check_elastoplastic();
    check_radii_count();
    check_materials();
    if (contact_.is_hertzian()) check_hertz();
    if (contact_.has_local_law()) check_pairs();
  }

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  /// What belongs to a law that is not there.
  void check_needless() const {
    const auto needs = [&](const char* key, const char* what, const char* remedy) {
      report(place_ / key, fmt::format("means nothing without {}", what), {}, remedy);
    };
    const char* const law = "a local law";
    const char* const give_law = "give stiffness or young_modulus, or leave it out";
    if (!contact_.stiffness && !contact_.is_hertzian()) {
      if (contact_.exponent) needs("exponent", law, give_law);
      if (contact_.damping_model) needs("damping_model", law, give_law);
      if (contact_.force_method) needs("force_method", law, give_law);
    }
    if (contact_.is_hertzian()) return;
    const char* const give_modulus = "give young_modulus, or leave it out";
    if (contact_.poisson_ratio) needs("poisson_ratio", "young_modulus", give_modulus);
    if (!contact_.radii.empty()) {
      report(place_ / "radii", "radii mean nothing without young_modulus", {},
             "give young_modulus, or leave them out");
    }
  }

  void check_radii_count() const {
    const std::size_t count = contact_.radii.size();
    if (count == 0) return;
    if (count == 2 || count == 4) return;
    report(place_ / "radii", "must be 2 or 4 numbers: [R1, R2] or [R1, R1', R2, R2']",
           std::to_string(count) + (count == 1 ? " number" : " numbers"));
  }

  void check_hertz() const {
    if (contact_.stiffness) {
      const char* const key = contact_.young_modulus ? "young_modulus" : "materials";
      report(place_ / key, "stiffness is given already", {},
             fmt::format("leave one of them out: stiffness is the constant itself, {} {} it by "
                         "Hertz's theory",
                         key, contact_.young_modulus ? "gives" : "give"));
    }
    if (contact_.exponent && *contact_.exponent != LocalLawDefaults::exponent) {
      report(place_ / "exponent", "with young_modulus it is 1.5, that of Hertz's law",
             shown(*contact_.exponent), "leave it out, or give stiffness instead of young_modulus");
    }
    if (contact_.poisson_ratio && *contact_.poisson_ratio < 0) {
      report(place_ / "poisson_ratio", "stresses under a contact are known for ratios from 0 on",
             shown(*contact_.poisson_ratio), "give stiffness instead of young_modulus");
    }
  }

  void check_materials() const {
    const std::size_t count = contact_.materials.size();
    if (count == 0) return;
    if (count != 2) {
      report(place_ / "materials", "must be two materials, in the order of between",
             fmt::format("{} material{}", count, count == 1 ? "" : "s"),
             "young_modulus and poisson_ratio are for two of the same");
    }
    for (const char* key : {"young_modulus", "poisson_ratio"}) {
      const bool is_given = key == std::string("young_modulus")
                                ? contact_.young_modulus.has_value()
                                : contact_.poisson_ratio.has_value();
      if (!is_given) continue;
      report(place_ / key, "materials are given already", {}, "leave one of them out");
    }
  }

  void check_elastoplastic() const;
  void check_pairs() const;
  bool check_pair(const ColliderPair& pair) const;
  /// With the radii that count.
  Contact geometric() const {
    Contact result = contact_;
    if (contact_.elastoplastic) result.radii = contact_.elastoplastic->radii;
    return result;
  }
  const Collider& collider(int index) const {
    return subject_.model.colliders[static_cast<std::size_t>(index)];
  }
  bool is_known(int index) const {
    return subject_.known_colliders[static_cast<std::size_t>(index)];
  }
  /// Points of a pair of rigid colliders.
  std::size_t points(const ColliderPair& pair) const {
    const auto is_box = [&](int i) { return std::holds_alternative<Box>(collider(i).shape); };
    return is_box(pair.first) || is_box(pair.second) ? corners_of_a_box : 1;
  }

  const Subject& subject_;
  const Contact& contact_;
  bool knows_law_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

void CheckLocalLaw::check_elastoplastic() const {
  const ElastoplasticContact& law = *contact_.elastoplastic;
  const Place at = place_ / "elastoplastic";
  if (contact_.stiffness || contact_.is_hertzian()) {
    report(at, "stiffness or young_modulus is given already", {}, "leave one of the laws out");
  }
  if (law.materials.empty() || law.materials.size() > 2) {
    report(at / "materials", "must be one material, or two in the order of between",
           std::to_string(law.materials.size()) + " materials");
    return;
  }
  if (!law.radii.empty() && law.radii.size() != 2) {
    report(at / "radii", "must be 2 numbers: [R1, R2]",
           std::to_string(law.radii.size()) + (law.radii.size() == 1 ? " number" : " numbers"));
    return;
  }
  const double weaker =
      std::min(law.materials.front().yield_strength, law.materials.back().yield_strength);
  if (law.hardness <= weaker) {
    report(at / "hardness", "must be above the yield_strength of the weaker side",
           shown(law.hardness), "for metals it is about 2.8 times as large");
  }
}

void CheckLocalLaw::check_pairs() const {
  const bool radii_are_readable =
      geometric().radii.empty() || geometric().radii.size() == 2 || contact_.radii.size() == 4;
  std::size_t count = 0;
  bool fits = (contact_.is_hertzian() || contact_.elastoplastic) && radii_are_readable;
  for (const ColliderPair& pair : PairSelection(subject_.model, contact_).pairs(most_points + 1)) {
    if (!is_known(pair.first) || !is_known(pair.second)) continue;
    count += points(pair);
    fits = fits && check_pair(pair);  // one message is enough
  }
  if (count <= most_points) return;
  const char* const law = contact_.stiffness       ? "stiffness"
                          : contact_.young_modulus ? "young_modulus"
                          : contact_.is_hertzian() ? "materials"
                                                   : "elastoplastic";
  report(place_ / law,
         fmt::format("forces are recovered for at most {} points of a contact", most_points), {},
         "leave the local law out, or divide the contact into several");
}

/// Whether the two surfaces have a point contact.
bool CheckLocalLaw::check_pair(const ColliderPair& pair) const {
  const Collider &one = collider(pair.first), &other = collider(pair.second);
  try {
    local_geometry(geometric(), one.shape, other.shape);
    return true;
  } catch (const std::invalid_argument& reason) {
    if (contact_.elastoplastic) {
      report(place_ / "elastoplastic",
             fmt::format("\"{}\" and \"{}\" touch at no point of known radii: {}", one.name,
                         other.name, reason.what()),
             {}, "give radii");
      return false;
    }
    const bool given = !contact_.radii.empty();
    report(place_ / (given                    ? "radii"
                     : contact_.young_modulus ? "young_modulus"
                                              : "materials"),
           fmt::format("no Hertz contact of \"{}\" and \"{}\": {}", one.name, other.name,
                       reason.what()),
           {},
           given ? "give radii of surfaces that touch at a point, or stiffness instead of "
                   "young_modulus"
                 : "give stiffness instead, or radii");
    return false;
  }
}

}  // namespace

void check_local_laws(const Subject& subject, std::vector<Issue>& issues) {
  if (!subject.knows_collider_names) return;
  const Place contacts("/model/contacts");
  for (std::size_t i = 0; i < subject.model.contacts.size(); ++i) {
    const Contact& contact = subject.model.contacts[i];
    if (contact.between.size() != 2) continue;
    CheckLocalLaw(subject, contact, subject.known_laws[i], contacts / i, issues).check();
  }
}

}  // namespace saltus
