// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/elements/state_coordinate.hpp"
#include "saltus/elements/state_view.hpp"
#include "saltus/model/state_formula.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// A formula, and what its states are at which of an element's nodes.
struct StateLaw {
  struct Term {
    StateCoordinate coordinate;
    int a = 0, b = 0;  ///< its nodes among those of the element
    int state = 0;     ///< of the formula's; several are added, or the largest is taken
  };

  StateFormula formula;
  std::vector<Term> terms = {};  ///< for each state of the formula one, or the points of a contact

  double value(const StateView& at, double t) const;
  /// How far a condition is true (StateFormula::margin).
  double margin(const StateView& at, double t) const;
  /// @param by_q, by_v  get the derivatives by the unknowns of the element
  double value(const StateView& at, double t, StateView::Row& by_q, StateView::Row& by_v) const;
};

/// A torque or force τ on a joint's coordinate s, a function of time or a formula of the state:
/// f = τ Gᵀ, G = ∂s/∂q (docs/theory/constrained_dynamics.md, section 4).
struct ActuatorElement {
  std::string name = {};
  std::vector<int> nodes = {};  ///< those of the joint first, then what the formula sees
  std::variant<Dot2, TwistAngle> coordinate = Dot2{};
  std::variant<CompiledFunction, StateLaw> law;

  /// τ, N m or N.
  double effort(const StateView& at) const;
  /// ṡ, rad/s or m/s.
  double rate(const StateView& at) const;

  using View = StateView;
  struct Forces {
    StateView::Vector applied;
  };
  std::span<const int> node_ids() const { return nodes; }
  Forces forces(const StateView& at) const;
  bool tangent(const StateView& at, const TangentFactors& factors, StateView::Matrix& A) const;
};

}  // namespace saltus
