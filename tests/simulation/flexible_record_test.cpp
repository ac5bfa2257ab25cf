// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/flexible_record.hpp"

#include <gtest/gtest.h>

#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace flexible_record_test {

/// A hoop that flies and spins without gravity.
Model hoop(BeamMass mass) {
  Model model{.gravity = {0, 0, 0}};
  model.add(Beam{.name = "hoop",
                 .start = {-1, 0, 0},
                 .end = {1, 0, 0},
                 .through = Vector3(0, 1, 0),
                 .elements = 4,
                 .section = RectangularSection{0.1, 0.1},
                 .material = {.young_modulus = 1e8, .poisson_ratio = 0.3, .density = 1000},
                 .mass = mass,
                 .velocity = {.linear = {0.3, 0, 0.2}, .angular = {1, 3, 2}}});
  return model;
}

// Before: the mean of nodal masses, which Hermite's mass swings about: off by 3e-2 m/s.
TEST(FlexibleRecord, CentreOfMassIsThatOfTheMass) {
  for (const BeamMass mass : {BeamMass::Consistent, BeamMass::Lumped, BeamMass::Hermite}) {
    Simulation simulation(hoop(mass), Dynamics{.integrator = GeneralizedAlpha{.step = 1e-3}});
    simulation.run_until(0.3);
    const auto x = simulation.result().position(BodyId{0});
    const auto v = simulation.result().velocity(BodyId{0});
    const auto t = simulation.result().time();
    for (Eigen::Index i = 0; i < v.rows(); ++i) {
      EXPECT_LT((v.row(i) - v.row(0)).norm(), 1e-4) << t[i];
      EXPECT_LT((x.row(i) - x.row(0) - t[i] * v.row(0)).norm(), 1e-4) << t[i];
    }
  }
}

}  // namespace flexible_record_test
}  // namespace saltus
