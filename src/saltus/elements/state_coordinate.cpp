// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/state_coordinate.hpp"

#include <cmath>

#include "saltus/elements/scalar_spring.hpp"
#include "saltus/geometry/features.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// A direction of the results' axes: n from the first to the second collider, t1 an axis of the
/// inertial frame across it, t2 = n × t1; and its derivative.
struct ResultAxis {
  Vector3 e;
  CompliantContact::Reading::Slope slope;

  ResultAxis(const CompliantContact::Reading& seen, double sign, int component)
      : e(sign * seen.normal), slope(sign * seen.normal_q) {
    if (component == 0) return;
    const Vector3 n = e, t1 = frame_with_normal(n).col(0);
    const Vector3 along = std::abs(n.x()) > 0.9 ? Vector3::UnitY() : Vector3::UnitX();
    const double size = (along - along.dot(n) * n).norm();
    const CompliantContact::Reading::Slope dn = slope;
    const CompliantContact::Reading::Slope dt1 =
        -(Matrix3::Identity() - t1 * t1.transpose()) / size *
        (n * along.transpose() + along.dot(n) * Matrix3::Identity()) * dn;
    e = component == 1 ? t1 : n.cross(t1);
    slope = component == 1 ? dt1 : lie::hat(n) * dt1 - lie::hat(t1) * dn;
  }
};

double value_of(const ContactReading& of, const CompliantContact::Reading& seen) {
  if (of.kind == ContactReading::Kind::Indentation) return seen.indentation;
  return of.sign * ResultAxis(seen, of.sign, of.component).e.dot(seen.force);
}

StateCoordinate::Gradient gradient_of(const ContactReading& of,
                                      const CompliantContact::Reading& seen) {
  StateCoordinate::Gradient g;
  if (of.kind == ContactReading::Kind::Indentation) {
    g.by_q = seen.indentation_q;
    return g;
  }
  const ResultAxis axis(seen, of.sign, of.component);
  g.by_q = of.sign * (axis.e.transpose() * seen.force_q + seen.force.transpose() * axis.slope);
  g.by_v = of.sign * axis.e.transpose() * seen.force_v;
  return g;
}

}  // namespace

double StateCoordinate::value(const PairView& at) const {
  if (const auto* contact = std::get_if<ContactReading>(&coordinate)) {
    return value_of(*contact, contact->contact.reading(at));
  }
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
  if (const auto* contact = std::get_if<ContactReading>(&coordinate)) {
    return gradient_of(*contact, contact->contact.reading(at));
  }
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
