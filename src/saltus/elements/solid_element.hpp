// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "saltus/elements/element.hpp"

namespace saltus {

/// One cell of a solid: a shape on nodes, with its mass (docs/theory/solids.md). The shape is
/// another object since congruent cells share it, and they are many.
struct SolidElement {
  int shape = 0;  ///< in the list of shapes
  std::array<int, SolidShape::max_nodes> nodes = {};
  int count = 0;       ///< how many of them
  double density = 0;  ///< kg/m³
  bool lumped = false;

  using View = CellView;
  static constexpr bool is_parallel = true;
  struct Forces {
    SolidShape::Positions elastic, damping, inertia, gravity;
  };

  std::span<const int> node_ids() const { return {nodes.data(), static_cast<std::size_t>(count)}; }
  bool is_damped(const CellView& at) const { return shape_of(at).damping_time() > 0; }
  Forces forces(const CellView& at) const;
  SolidShape::Positions momentum(const CellView& at) const;
  double kinetic_energy(const CellView& at) const;
  double gravity_energy(const CellView& at) const;
  double elastic_energy(const CellView& at) const;
  bool tangent(const CellView& at, const TangentFactors& factors, SolidShape::Tangent& A) const;

 private:
  const SolidShape& shape_of(const CellView& at) const {
    return at.input().shapes[static_cast<std::size_t>(shape)];
  }
};

}  // namespace saltus
