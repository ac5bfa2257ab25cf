// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/flexible_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

/// The shear of an element, which contains the bending inside it, is small in a mesh that is fine
/// enough; and its ends turn less than half a turn against each other.
constexpr double largest_shear = 0.5;
constexpr double largest_turn = 2.5;  // rad

}  // namespace

void FlexibleWatch::step(const State& state, const StepReport& /*step*/, RunOutput& output) {
  output.warn(state.time, look(state.configuration));
}

std::vector<StepWarning> FlexibleWatch::look(const Configuration& q) const {
  std::vector<StepWarning> warnings;
  for (const BodyEntry& body : system_.elements().bodies) {
    if (body.kind == BodyKind::Beam) look_at_beam(body, q, warnings);
    if (body.kind == BodyKind::Solid) look_at_solid(body, q, warnings);
  }
  return warnings;
}

void FlexibleWatch::look_at_beam(const BodyEntry& body, const Configuration& q,
                                 std::vector<StepWarning>& warnings) const {
  double shear = 0, turn = 0;
  for (int k = 0; k < body.elements; ++k) {
    const BeamElement& e =
        system_.elements().beams[static_cast<std::size_t>(body.first_element + k)];
    const Vector6 strain = e.strain(system_.pair(q, e.node_A, e.node_B));
    shear = std::max(shear, strain.segment<2>(1).norm());
    turn = std::max(turn, (e.length * strain + e.rest).tail<3>().norm());
  }
  if (shear <= largest_shear && turn <= largest_turn) return;
  StepWarning warning;
  warning.text = fmt::format(
      "beam \"{}\" bends more than its elements can follow: use more elements", body.name);
  warning.detail = fmt::format("shear strain {:.2g}, {:.2g} rad in an element", shear, turn);
  warnings.push_back(std::move(warning));
}

void FlexibleWatch::look_at_solid(const BodyEntry& body, const Configuration& q,
                                  std::vector<StepWarning>& warnings) const {
  for (int k = 0; k < body.elements; ++k) {
    const SolidElement& e =
        system_.elements().solids[static_cast<std::size_t>(body.first_element + k)];
    const SolidShape& shape = system_.elements().solid_shapes[static_cast<std::size_t>(e.shape)];
    if (shape.smallest_volume_ratio(system_.solid_positions(e, q)) > 0) continue;
    StepWarning warning;
    warning.text = fmt::format(
        "solid \"{}\": an element is turned inside out, results mean nothing from here on; the "
        "material (St. Venant–Kirchhoff) gives way when compressed to about 0.6 of its length",
        body.name);
    warning.detail = fmt::format("element {}", k);
    warnings.push_back(std::move(warning));
    return;
  }
}

}  // namespace saltus
