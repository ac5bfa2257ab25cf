// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/actuator.hpp"

#include <algorithm>
#include <array>

namespace saltus {

std::vector<int> StateView::unknowns() const {
  std::vector<int> unknowns;
  for (const int n : nodes_) {
    const Node& node = input_.node(n);
    for (int i = 0; i < 6; ++i) unknowns.push_back(i < node.unknowns ? node.first_unknown + i : -1);
  }
  return unknowns;
}

namespace {

using StateValues = std::array<double, StateFormula::most_states>;

StateValues values_of(const std::vector<StateLaw::Term>& terms, const StateView& at) {
  StateValues states = {};
  for (const auto& [coordinate, a, b, state] : terms) {
    double& sum = states[static_cast<std::size_t>(state)];
    const double value = coordinate.value(at.pair(a, b));
    sum = coordinate.is_greatest() ? std::max(sum, value) : sum + value;
  }
  return states;
}

}  // namespace

double StateLaw::value(const StateView& at, double t) const {
  const StateValues states = values_of(terms, at);
  return formula.value(t, {states.data(), formula.states().size()});
}

double StateLaw::margin(const StateView& at, double t) const {
  const StateValues states = values_of(terms, at);
  return formula.margin(t, {states.data(), formula.states().size()});
}

double StateLaw::value(const StateView& at, double t, StateView::Row& by_q,
                       StateView::Row& by_v) const {
  const StateValues states = values_of(terms, at);
  StateValues parts = {};
  const std::size_t count = formula.states().size();
  const double value = formula.value(t, {states.data(), count}, {parts.data(), count});
  by_q.setZero(6 * at.size());
  by_v.setZero(6 * at.size());
  for (const auto& [coordinate, a, b, state] : terms) {
    const PairView pair = at.pair(a, b);
    const auto i = static_cast<std::size_t>(state);
    if (coordinate.is_greatest() && coordinate.value(pair) < states[i]) continue;
    const StateCoordinate::Gradient g = coordinate.gradient(pair);
    by_q.segment<6>(6 * a) += parts[i] * g.by_q.head<6>();
    by_q.segment<6>(6 * b) += parts[i] * g.by_q.tail<6>();
    by_v.segment<6>(6 * a) += parts[i] * g.by_v.head<6>();
    by_v.segment<6>(6 * b) += parts[i] * g.by_v.tail<6>();
    if (coordinate.is_greatest()) parts[i] = 0;  // two may be the largest
  }
  return value;
}

double ActuatorElement::effort(const StateView& at) const {
  const double t = at.input().at.time;
  const auto* function = std::get_if<CompiledFunction>(&law);
  return function != nullptr ? function->value(t) : std::get<StateLaw>(law).value(at, t);
}

double ActuatorElement::rate(const StateView& at) const {
  const PairView joint = at.pair(0, 1);
  return std::visit([&](const auto& s) { return s.gradient(joint.poses()).dot(joint.velocity()); },
                    coordinate);
}

ActuatorElement::Forces ActuatorElement::forces(const StateView& at) const {
  const PairView joint = at.pair(0, 1);
  const Row12 G = std::visit([&](const auto& s) { return s.gradient(joint.poses()); }, coordinate);
  const double effort_now = at.input().at.load_factor * effort(at);
  Forces f{StateView::Vector::Zero(6, at.size())};
  f.applied.col(0) = effort_now * G.head<6>().transpose();
  f.applied.col(1) = effort_now * G.tail<6>().transpose();
  return f;
}

bool ActuatorElement::tangent(const StateView& at, const TangentFactors& factors,
                              StateView::Matrix& A) const {
  if (factors.stiffness == 0 && factors.damping == 0) return false;
  const PairView joint = at.pair(0, 1);
  const NodePair pair = joint.poses();
  const Row12 G = std::visit([&](const auto& s) { return s.gradient(pair); }, coordinate);
  const double load = at.input().at.load_factor;
  A.setZero(6 * at.size(), 6 * at.size());
  double tau = 0;
  if (const auto* state_law = std::get_if<StateLaw>(&law)) {
    StateView::Row by_q, by_v;
    tau = state_law->value(at, at.input().at.time, by_q, by_v);
    at.turn(by_q);
    const StateView::Row by_all = -load * (factors.stiffness * by_q + factors.damping * by_v);
    A.topRows<12>().noalias() = G.transpose() * by_all;
  } else {
    tau = effort(at);
  }
  Matrix12 H = Matrix12::Zero();
  std::visit([&](const auto& s) { s.add_hessian(pair, -load * factors.stiffness * tau, H); },
             coordinate);
  joint.turn(H);
  A.topLeftCorner<12, 12>() += H;
  return true;
}

static_assert(Element<ActuatorElement>);

}  // namespace saltus
