// SPDX-License-Identifier: Apache-2.0
// Flexible bodies in a System: matrices against finite differences, forces against energies, and
// the same bits from one thread and from two.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "saltus/core/threads.hpp"
#include "saltus/dynamics/system.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace flexible_system_test {

using namespace test;
using Eigen::MatrixXd;

const ElasticMaterial rubber{.young_modulus = 50, .poisson_ratio = 0.3, .density = 3};
const Section thick = RectangularSection{0.3, 0.2};

Beam hermite_beam() {
  return {.name = "arm",
          .start = {0, 0, 0},
          .end = {1.2, 0.3, 0.1},
          .elements = 3,
          .section = thick,
          .material = rubber,
          .mass = BeamMass::Hermite,
          .damping = StiffnessProportional{.time = 0.05}};
}

Beam arc_beam() {
  return {.name = "hoop",
          .start = {0, 1, 0},
          .end = {1, 2, 0},
          .through = Vector3(0.3, 1.7, 0.1),
          .elements = 2,
          .section = thick,
          .material = rubber};
}

Bar damped_bar() {
  return {.name = "bar",
          .start = {0, -1, 0},
          .end = {0.5, -1.4, 0.6},
          .elements = 2,
          .section = CircularSection{0.2},
          .material = rubber,
          .mass = BeamMass::Mixed,
          .damping = ModalRatio{.ratio = 0.1}};
}

Solid block(std::string name, CellKind cells, const Vector3& position) {
  return {.name = std::move(name),
          .mesh = BoxMesh{.size = {0.6, 0.5, 0.4}, .divisions = {1, 1, 1}, .cells = cells},
          .material = rubber,
          .pose = {.position = position, .rotation_vector = Vector3(0.3, -0.2, 0.5)},
          .damping = ModalRatio{.ratio = 0.05, .frequency = 2}};
}

/// Every kind of flexible body and of place on one.
Model model_with_everything() {
  Model model;
  model.gravity = {1, -2, -9};
  const BodyId arm = model.add(hermite_beam());
  const BodyId hoop = model.add(arc_beam());
  const BodyId bar = model.add(damped_bar());
  const BodyId brick = model.add(block("brick", CellKind::Hex8, {2, 0, 0}));
  Solid tetrahedra = block("gem", CellKind::Tet10, {2, 2, 0});
  tetrahedra.mass = SolidMass::Lumped;
  const BodyId gem = model.add(tetrahedra);
  // An arm's end away from its node, the interior of a beam, and a rigid node set.
  model.add(Spherical{.between = {{.body = ground_body, .position = {-0.2, 0.1, 0}},
                                  {.body = arm, .node = 0, .position = {-0.1, 0.2, 0.1}}}});
  model.add(Revolute{.between = {{.body = hoop, .arclength = 0.5, .position = {0, 0.1, 0}},
                                 {.body = brick, .nodes = "x_min"}}});
  model.add(Fixed{.between = {{.body = ground_body}, {.body = gem, .nodes = "y_max"}}});
  model.add(Spherical{.between = {{.body = bar, .nodes = "end"}, {.body = gem, .node = 0}}});
  model.add(Lock{.body = hoop, .rotation = {Axis::X}});
  model.add(SpringDamper{.between = {{.body = arm, .arclength = 0.7, .position = {0, 0, 0.2}},
                                     {.body = gem, .nodes = "z_max"}},
                         .stiffness = 4,
                         .damping = 0.7});
  model.add(Bushing{.between = {{.body = arm, .nodes = "end"}, {.body = brick, .nodes = "z_min"}},
                    .stiffness = {3, 4, 5},
                    .rotational_stiffness = {1, 2, 1},
                    .damping = {0.3, 0.2, 0.1}});
  model.add(Force{.on = {.body = brick, .nodes = "x_max"}, .value = {1.0, 2.0, 3.0}});
  model.add(Force{.on = {.body = arm, .nodes = "all", .position = {0, 0, 0.1}},
                  .value = {1.0, 0.0, 2.0}});
  model.add(Torque{.on = {.body = hoop, .node = 2}, .value = {0.5, 1.0, -1.0}});
  return model;
}

/// A state near the given pose, at which nothing is degenerate: q = q_n ∘ exp(increment).
struct Setting {
  System system{model_with_everything()};
  Random random;
  Configuration q_n, q;
  VectorX increment, v, vdot, lambda;
  std::vector<Matrix3> T;
  Instant at{.time = 0.1, .load_factor = 0.8};

  explicit Setting(unsigned seed) : random(seed), T(system.nodes().size(), Matrix3::Identity()) {
    const int n = system.velocities();
    q_n = perturbed(system, random, 0.03);
    increment = random.vector_x(n, 0.03);
    q = moved(increment);
    v = random.vector_x(n);
    vdot = random.vector_x(n);
    lambda = random.vector_x(system.constraints());
    tangent_operators(system.nodes(), increment, T);
  }

  /// q_n ∘ exp(total)
  Configuration moved(const VectorX& total) const {
    Configuration result = q_n;
    advance(q_n, system.nodes(), total, result);
    return result;
  }
  /// q ∘ exp(step)
  Configuration varied(const VectorX& step) const {
    Configuration result = q;
    advance(q, system.nodes(), step, result);
    return result;
  }
  ForceTerms forces(const Configuration& at_q, const VectorX& at_v, const VectorX& at_vdot) const {
    ForceTerms terms;
    system.forces(at_q, at_v, at_vdot, at, lambda, terms);
    return terms;
  }
  VectorX residual(const Configuration& at_q, const VectorX& at_v, const VectorX& at_vdot) const {
    VectorX r;
    forces(at_q, at_v, at_vdot).residual(r);
    return r;
  }
  MatrixXd matrix(const Linearization& l) const {
    linalg::SparseMatrix S(system.pattern());
    system.assemble(q, v, vdot, at, lambda, l, S);
    return S.to_dense().topLeftCorner(system.velocities(), system.velocities());
  }
  VectorX mass_times(const VectorX& x) const {
    VectorX y;
    system.mass_times(q, x, y);
    return y;
  }
};

constexpr unsigned states = 3;

template <class Check>
void at_random_states(const Check& check) {
  for (unsigned seed = 1; seed <= states; ++seed) check(Setting(seed));
}

/// The gradient of an energy of the configuration, unknown by unknown.
template <class Energy>
VectorX gradient(const Setting& s, const Energy& energy) {
  const auto along = [&](const VectorX& step) { return one(energy(s.varied(step))); };
  return vector_derivative(along, VectorX::Zero(s.system.velocities())).transpose();
}

TEST(FlexibleSystem, HasEveryKindOfElement) {
  const System system(model_with_everything());
  const ElementLists& elements = system.elements();
  EXPECT_EQ(elements.beams.size(), 5U);
  EXPECT_EQ(elements.bars.size(), 2U);
  EXPECT_EQ(elements.solids.size(), 7U);
  EXPECT_EQ(elements.beam_inertias.size(), 7U);
  EXPECT_FALSE(system.has_constant_mass());
  EXPECT_FALSE(system.is_uncoupled());
}

TEST(FlexibleSystem, StiffnessIsTheResidualsDerivative) {
  Agreement agreement("stiffness");
  at_random_states([&](const Setting& s) {
    const auto residual = [&](const VectorX& step) {
      return s.residual(s.moved(s.increment + step), s.v, s.vdot);
    };
    const VectorX zero = VectorX::Zero(s.system.velocities());
    agreement.compare(s.matrix({.stiffness = 1, .tangent_operators = &s.T}),
                      vector_derivative(residual, zero));
  });
  agreement.expect_within(1e-9);
}

TEST(FlexibleSystem, DampingMatrixIsTheResidualsDerivative) {
  Agreement agreement("damping");
  at_random_states([&](const Setting& s) {
    const auto residual = [&](const VectorX& at_v) { return s.residual(s.q, at_v, s.vdot); };
    agreement.compare(s.matrix({.damping = 1}), vector_derivative(residual, s.v));
  });
  agreement.expect_within(1e-9);
}

TEST(FlexibleSystem, MassMatrixIsTheResidualsDerivativeAndThatOfMassTimes) {
  Agreement derivative("derivative"), product("product");
  at_random_states([&](const Setting& s) {
    const auto residual = [&](const VectorX& at_vdot) { return s.residual(s.q, s.v, at_vdot); };
    const MatrixXd M = s.matrix({.mass = 1});
    derivative.compare(M, vector_derivative(residual, s.vdot));
    product.compare(s.mass_times(s.v), M * s.v);
    EXPECT_LE((M - M.transpose()).cwiseAbs().maxCoeff(), 1e-15);
  });
  derivative.expect_within(1e-10);
  product.expect_within(1e-14);
}

TEST(FlexibleSystem, NewtonMatrixIsTheSumOfItsParts) {
  const Setting s(1);
  const double m = 1.7, c = 0.6, k = 0.3;
  const MatrixXd sum = m * s.matrix({.mass = 1}) + c * s.matrix({.damping = 1}) +
                       k * s.matrix({.stiffness = 1, .tangent_operators = &s.T});
  const MatrixXd S = s.matrix({.mass = m, .damping = c, .stiffness = k, .tangent_operators = &s.T});
  EXPECT_LE((S - sum).cwiseAbs().maxCoeff(), 1e-14 * sum.cwiseAbs().maxCoeff());
}

TEST(FlexibleSystem, KineticEnergyIsHalfVMV) {
  at_random_states([](const Setting& s) {
    const double expected = s.v.dot(s.mass_times(s.v)) / 2;
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(s.system.kinetic_energy(s.q, s.v), expected, 1e-14 * expected);
  });
}

TEST(FlexibleSystem, GravityIsMinusTheGradientOfItsEnergy) {
  Agreement agreement("gravity");
  at_random_states([&](const Setting& s) {
    const auto energy = [&](const Configuration& q) { return s.system.gravity_energy(q); };
    const VectorX expected = -s.at.load_factor * gradient(s, energy);
    agreement.compare(s.forces(s.q, s.v, s.vdot).gravity, expected);
  });
  agreement.expect_within(1e-10);
}

TEST(FlexibleSystem, ElasticForceIsMinusTheGradientOfItsEnergy) {
  Agreement agreement("elastic");
  at_random_states([&](const Setting& s) {
    const auto energy = [&](const Configuration& q) { return s.system.elastic_energy(q); };
    agreement.compare(s.forces(s.q, s.v, s.vdot).elastic, -gradient(s, energy));
  });
  agreement.expect_within(1e-10);
}

TEST(FlexibleSystem, DampingTakesEnergyAway) {
  at_random_states(
      [](const Setting& s) { EXPECT_LT(s.forces(s.q, s.v, s.vdot).damping.dot(s.v), 0); });
}

TEST(FlexibleSystem, GivenPoseHasNoElasticForce) {
  Model model = model_with_everything();
  model.forces.clear();
  const System system(model);
  const VectorX zero = VectorX::Zero(system.velocities());
  ForceTerms terms;
  system.forces(system.given_configuration(), zero, zero, {}, VectorX::Zero(system.constraints()),
                terms);
  EXPECT_LE(terms.elastic.cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(system.elastic_energy(system.given_configuration()), 0, 1e-15);
}

TEST(FlexibleSystem, WeightIsThatOfTheVolumes) {
  const System system(model_with_everything());
  const VectorX zero = VectorX::Zero(system.velocities());
  ForceTerms terms;
  system.forces(system.given_configuration(), zero, zero, {}, VectorX::Zero(system.constraints()),
                terms);
  Vector3 weight = Vector3::Zero();
  for (const Node& node : system.nodes()) {
    if (node.unknowns > 0) weight += terms.gravity.segment<3>(node.first_unknown);
  }
  const double section = 0.3 * 0.2;
  const double bar = std::numbers::pi * 0.2 * 0.2 * centre_line(damped_bar()).length;
  const double volume = section * centre_line(hermite_beam()).length +
                        section * centre_line(arc_beam()).length + bar + 2 * 0.6 * 0.5 * 0.4;
  EXPECT_LE((weight - rubber.density * volume * system.gravity()).norm(), 1e-12);
}

// ---- threads ------------------------------------------------------------------------------------

/// Sets the number of threads, and one again at the end.
class Threads {
 public:
  explicit Threads(int count) { set_threads(count); }
  ~Threads() { set_threads(1); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};

/// What System computes with elements, all numbers of it.
struct Evaluation {
  ForceTerms terms;
  VectorX momentum;
  std::vector<double> values;
  double energies[3] = {};

  Evaluation(const System& system, int threads) {
    const Threads guard(threads);
    Random random(5);
    const Configuration q = perturbed(system, random, 1e-3);
    const VectorX v = random.vector_x(system.velocities());
    const VectorX vdot = random.vector_x(system.velocities());
    const VectorX lambda = random.vector_x(system.constraints());
    system.forces(q, v, vdot, {}, lambda, terms);
    system.mass_times(q, v, momentum);
    linalg::SparseMatrix S(system.pattern());
    system.assemble(q, v, vdot, {}, lambda, {.mass = 1, .damping = 0.3, .stiffness = 0.1}, S);
    values.assign(S.values().begin(), S.values().end());
    energies[0] = system.kinetic_energy(q, v);
    energies[1] = system.gravity_energy(q);
    energies[2] = system.elastic_energy(q);
  }
};

void expect_same_bits(const System& system) {
  const Evaluation one_thread(system, 1), two_threads(system, 2);
  for (const VectorX ForceTerms::*term :
       {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::elastic, &ForceTerms::damping,
        &ForceTerms::applied, &ForceTerms::constraint}) {
    EXPECT_EQ(one_thread.terms.*term, two_threads.terms.*term);
  }
  EXPECT_EQ(one_thread.momentum, two_threads.momentum);
  EXPECT_EQ(one_thread.values, two_threads.values);
  EXPECT_TRUE(std::ranges::equal(one_thread.energies, two_threads.energies));
}

TEST(FlexibleSystem, HexahedraGiveTheSameBitsWithTwoThreads) {
  Solid cube = block("cube", CellKind::Hex8, {0, 0, 0});
  std::get<BoxMesh>(cube.mesh).divisions = {14, 14, 14};  // 343 cells in each of eight groups
  cube.mass = SolidMass::Lumped;
  Model model;
  model.add(cube);
  expect_same_bits(System(model));
}

TEST(FlexibleSystem, TetrahedraGiveTheSameBitsWithTwoThreads) {
  Solid cube = block("cube", CellKind::Tet4, {0, 0, 0});
  std::get<BoxMesh>(cube.mesh).divisions = {12, 12, 12};  // 432 cells a group on average
  Model model;
  model.add(cube);
  expect_same_bits(System(model));
}

TEST(FlexibleSystem, BeamsGiveTheSameBitsWithTwoThreads) {
  Model model;
  Beam beam = hermite_beam();
  beam.elements = 600;
  model.add(beam);
  Bar bar = damped_bar();
  bar.elements = 600;
  model.add(bar);
  expect_same_bits(System(model));
}

}  // namespace flexible_system_test
}  // namespace saltus
