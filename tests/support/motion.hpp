// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/system.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {

/// A smooth motion of all nodes of a system through a start: increments p(t) = t p₁ + t² p₂ on it,
/// with the velocity and acceleration that belong to them.
class Motion {
 public:
  Motion(const System& system, const Configuration& start, Random& random)
      : system_(system),
        start_(start),
        p_1_(random.vector_x(system.velocities())),
        p_2_(random.vector_x(system.velocities())) {}

  Configuration configuration(double t) const {
    Configuration q = start_;
    advance(start_, system_.nodes(), t * p_1_ + t * t * p_2_, q);
    return q;
  }
  VectorX velocity(double t) const {
    const VectorX p = t * p_1_ + t * t * p_2_;
    VectorX v = p_1_ + 2 * t * p_2_;
    for (const Node& node : system_.nodes()) {
      if (!node.turns()) continue;
      auto rotation = v.segment<3>(node.first_unknown + 3);
      rotation = (lie::so3::tangent(p.segment<3>(node.first_unknown + 3)) * rotation).eval();
    }
    return v;
  }
  VectorX acceleration(double t) const {
    return derivative([&](double s) { return velocity(t + s); });
  }

 private:
  const System& system_;
  Configuration start_;
  VectorX p_1_, p_2_;
};

/// The given pose with every node displaced and turned at random.
inline Configuration perturbed(const System& system, Random& random, double size) {
  Configuration q = system.given_configuration();
  const Configuration given = q;
  advance(given, system.nodes(), random.vector_x(system.velocities(), size), q);
  return q;
}

}  // namespace saltus::test
