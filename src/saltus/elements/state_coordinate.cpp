// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/state_coordinate.hpp"

#include "saltus/elements/scalar_spring.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {

double StateCoordinate::value(const PairView& at) const {
  const NodePair pair = at.poses();
  if (const auto* spin = std::get_if<SpinComponent>(&coordinate)) {
    return pair.B.R.row(spin->axis).dot(at.velocity().tail<3>());
  }
  if (const auto* twist = std::get_if<TwistAngle>(&coordinate)) {
    if (is_rate) return twist->gradient(pair).dot(at.velocity());
    const double reference = at.input().angles[static_cast<std::size_t>(angle)];
    return nearest_branch(twist->value(pair) - offset, reference);
  }
  const Dot2& way = std::get<Dot2>(coordinate);
  return is_rate ? way.gradient(pair).dot(at.velocity()) : way.value(pair) - offset;
}

StateCoordinate::Gradient StateCoordinate::gradient(const PairView& at) const {
  const NodePair pair = at.poses();
  Gradient g;
  if (const auto* spin = std::get_if<SpinComponent>(&coordinate)) {
    // δ(R Ω) = R (δΘ × Ω) + R δΩ
    g.by_v.tail<3>() = pair.B.R.row(spin->axis);
    g.by_q.tail<3>() = -pair.B.R.row(spin->axis) * lie::hat(at.velocity().tail<3>());
    return g;
  }
  const auto differentiate = [&](const auto& s) {
    const Row12 G = s.gradient(pair);
    if (!is_rate) {
      g.by_q = G;
      return;
    }
    Matrix12 H = Matrix12::Zero();
    s.add_hessian(pair, 1.0, H);
    g.by_q = at.velocity().transpose() * H;
    g.by_v = G;
  };
  if (const auto* twist = std::get_if<TwistAngle>(&coordinate)) {
    differentiate(*twist);
  } else {
    differentiate(std::get<Dot2>(coordinate));
  }
  return g;
}

}  // namespace saltus
