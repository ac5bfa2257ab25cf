// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "saltus/impulse/elastoplastic_law.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/collider.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// The elastoplastic law of a contact between two shapes, in the order of `between`.
impulse::ElastoplasticLaw elastoplastic_law(const ElastoplasticContact& contact, const Shape& first,
                                            const Shape& second);

/// Forces inside a collision, from the laws of its points.
class CollisionForces {
 public:
  /// The law of a contact point, or null.
  using LawOf = std::function<const impulse::ElastoplasticLaw*(ContactIndex)>;

  explicit CollisionForces(LawOf law_of) : law_of_(std::move(law_of)) {}

  /// What a point of the collision went through. `contact` is its place in the collision.
  struct Row {
    std::size_t point = 0;
    ForceRow row = {};
  };
  /// One row for each point that took part. Empty if a point that took part has no law, for its
  /// force would share in all times.
  std::vector<Row> rows(const Collision& collision) const;

 private:
  LawOf law_of_;
};

}  // namespace saltus
