// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/solid_shape.hpp"

#include <Eigen/Eigenvalues>

#include "saltus/linalg/decompositions.hpp"
#include "tests/elements/solid_cells.hpp"
#include "tests/support/derivative.hpp"

namespace saltus {
namespace solid_shape_test {

using namespace test;

constexpr int samples = 10;
constexpr double E = 1, nu = 0.3;

SolidShape unit_shape(const CellType& type, double damping_time = 0) {
  return {type.kind, type.formulation, unit_cell(type.kind), E, nu, damping_time};
}

/// Calls check(shape, x, v, random) with distorted cells in large deformation.
template <class Check>
void at_random_states(double damping_time, const Check& check) {
  Random random(11);
  for (const CellType& type : cell_types())
    for (int sample = 0; sample < samples; ++sample) {
      const Positions X = distorted_cell(type.kind, random);
      const SolidShape shape(type.kind, type.formulation, X, 2.1, 0.3, damping_time);
      const Matrix3 F = Matrix3::Identity() + 0.3 * Matrix3(random.rotation());
      const Positions x = F * X + random_positions(random, shape.nodes(), 0.1);
      check(shape, x, random_positions(random, shape.nodes(), 2), random);
    }
}

TEST(SolidShape, ElasticForceIsMinusTheEnergysDerivative) {
  Agreement agreement("force");
  at_random_states(0, [&](const SolidShape& s, const Positions& x, const Positions&, Random&) {
    const auto energy = [&](const VectorX& q) { return one(s.energy(unflat(q))); };
    agreement.compare(flat(elastic_force(s, x)), -vector_derivative(energy, flat(x)).transpose());
  });
  agreement.expect_within(1e-11);
}

TEST(SolidShape, TangentsAreMinusTheForcesDerivatives) {
  Agreement stiff("stiffness"), damping("damping"), both("combined");
  at_random_states(0.2, [&](const SolidShape& s, const Positions& x, const Positions& v, Random&) {
    const auto of_place = [&](const VectorX& q) { return flat(total_force(s, unflat(q), v)); };
    const auto of_speed = [&](const VectorX& w) { return flat(total_force(s, x, unflat(w))); };
    Tangent K, C, A;
    s.tangents(x, v, 1, 0, K);
    s.tangents(x, v, 0, 1, C);
    s.tangents(x, v, 0.7, -1.9, A);
    stiff.compare(K, -vector_derivative(of_place, flat(x)));
    damping.compare(C, -vector_derivative(of_speed, flat(v)));
    both.compare(A, Tangent(0.7 * K - 1.9 * C));
  });
  stiff.expect_within(1e-11);
  damping.expect_within(1e-11);
  both.expect_within(1e-13);
}

TEST(SolidShape, UndampedStiffnessIsTheForcesDerivativeAndSymmetric) {
  Agreement stiff("stiffness"), symmetric("symmetric");
  at_random_states(0, [&](const SolidShape& s, const Positions& x, const Positions& v, Random&) {
    const auto force = [&](const VectorX& q) { return flat(total_force(s, unflat(q), v)); };
    Tangent K;
    s.tangents(x, v, 1, 3, K);  // C is zero
    stiff.compare(K, -vector_derivative(force, flat(x)));
    symmetric.compare(K, K.transpose());
  });
  stiff.expect_within(1e-11);
  symmetric.expect_within(1e-14);
}

TEST(SolidShape, DampingForceTakesPowerAndNeverGivesIt) {
  Agreement balance("resultant"), power("power");
  at_random_states(0.2, [&](const SolidShape& s, const Positions& x, const Positions& v, Random&) {
    Positions elastic, damping;
    s.forces(x, v, elastic, damping);
    EXPECT_LT(damping.cwiseProduct(v).sum(), 0);
    balance.compare(Vector3(damping.rowwise().sum()), Vector3::Zero());
    const auto energy = [&](double t) { return s.energy(x + t * v); };
    power.compare(-elastic.cwiseProduct(v).sum(), derivative(energy, 1e-4));
  });
  balance.expect_within(1e-13);
  power.expect_within(1e-9);
}

TEST(SolidShape, RigidMotionHasNoForceAndNoStrain) {
  Random random(3);
  Agreement force("force"), strain("strain"), damping("damping"), energy("energy");
  for (const CellType& type : cell_types()) {
    const Positions X = distorted_cell(type.kind, random);
    const SolidShape s(type.kind, type.formulation, X, 2.1, 0.3, 0.2);
    const Positions x = (random.rotation() * X).colwise() + random.vector(10);
    const Vector3 omega = random.vector(), velocity = random.vector();
    Positions v(3, s.nodes()), elastic, viscous;
    for (int a = 0; a < s.nodes(); ++a) v.col(a) = velocity + omega.cross(x.col(a));
    s.forces(x, v, elastic, viscous);
    force.compare(elastic, Positions::Zero(3, s.nodes()));
    damping.compare(viscous, Positions::Zero(3, s.nodes()));
    strain.compare(s.point_strains(x), SolidShape::Tensors::Zero(6, s.points()));
    energy.compare(s.energy(x), 0);
    EXPECT_EQ(elastic_force(s, X).norm(), 0) << type.name << " at rest";
  }
  force.expect_within(1e-13);
  damping.expect_within(1e-13);
  strain.expect_within(1e-13);
  energy.expect_within(1e-25);
}

TEST(SolidShape, ForcesTurnWithTheBody) {
  Agreement energy("energy"), force("force"), stress("stress");
  at_random_states(
      0.2, [&](const SolidShape& s, const Positions& x, const Positions& v, Random& random) {
        const Matrix3 R = random.rotation();
        const Positions turned = (R * x).colwise() + random.vector(5);
        energy.compare(s.energy(turned), s.energy(x));
        force.compare(total_force(s, turned, R * v), Positions(R * total_force(s, x, v)));
        stress.compare(s.point_strains(turned), s.point_strains(x));
        EXPECT_NEAR(von_mises(s.mean_stress(turned)), von_mises(s.mean_stress(x)), 1e-12);
      });
  energy.expect_within(1e-13);
  force.expect_within(1e-13);
  stress.expect_within(1e-13);
}

TEST(SolidShape, StiffnessHasSixZeroModes) {
  Random random(5);
  for (const CellType& type : cell_types())
    for (const bool distorted : {false, true}) {
      const Positions X = distorted ? distorted_cell(type.kind, random) : unit_cell(type.kind);
      const SolidShape s(type.kind, type.formulation, X, E, nu, 0);
      const VectorX values = linalg::symmetric_eigen(stiffness(s, X)).values;
      EXPECT_LE(values.head<6>().cwiseAbs().maxCoeff(), 1e-14 * values.maxCoeff()) << type.name;
      EXPECT_GE(values[6], 1e-3 * values.maxCoeff()) << type.name;
    }
}

void expect_spectrum(HexFormulation formulation, const std::vector<std::pair<double, int>>& list) {
  const Positions X = unit_cell(CellKind::Hex8);
  const SolidShape s(CellKind::Hex8, formulation, X, E, nu, 0);
  const VectorX values = linalg::symmetric_eigen(stiffness(s, X)).values;
  int i = 6;
  for (const auto& [value, multiplicity] : list)
    for (int m = 0; m < multiplicity; ++m) EXPECT_NEAR(values[i++], value, 1e-8);
  EXPECT_EQ(i, 24);
}

TEST(SolidShape, UnitCubeHasItsKnownStiffness) {
  expect_spectrum(HexFormulation::Standard, {{0.06410256, 2},
                                             {0.11752137, 3},
                                             {0.19230769, 3},
                                             {0.25641026, 1},
                                             {0.38461538, 8},
                                             {1.25, 1}});
  // Enhanced strain softens only the six bending modes.
  expect_spectrum(HexFormulation::EnhancedStrain, {{0.06410256, 2},
                                                   {0.11752137, 3},
                                                   {0.12820513, 3},
                                                   {0.23809524, 3},
                                                   {0.25641026, 1},
                                                   {0.38461538, 5},
                                                   {1.25, 1}});
  const Positions X = unit_cell(CellKind::Hex8);
  EXPECT_NEAR(stiffness(unit_shape(cell_types()[2]), X)(0, 0), 0.2350427350, 1e-10);
  EXPECT_NEAR(stiffness(unit_shape(cell_types()[3]), X)(0, 0), 0.2087148962, 1e-10);
}

/// What a unit cell must give in a large deformation: all nodes by F, then one of them moved on.
struct KnownState {
  int node;          ///< that is moved
  Vector3 movement;  ///< m
  double energy;
  int loaded;           ///< node whose force is known
  Vector3 inner_force;  ///< minus the force on it
  double trace;         ///< of the stiffness
};

void expect_state(const CellType& type, const KnownState& known) {
  Matrix3 F;
  F << 1.1, 0.2, 0, 0, 0.95, 0.1, 0.05, 0, 1.2;
  const SolidShape s = unit_shape(type);
  Positions x = F * unit_cell(type.kind);
  x.col(known.node) += known.movement;
  EXPECT_NEAR(s.energy(x), known.energy, 1e-12) << type.name;
  const Positions f = elastic_force(s, x);
  EXPECT_LE((f.col(known.loaded) + known.inner_force).cwiseAbs().maxCoeff(), 6e-9) << type.name;
  EXPECT_NEAR(stiffness(s, x).trace(), known.trace, 1e-10) << type.name;
}

TEST(SolidShape, LargeDeformationHasItsKnownEnergyForceAndStiffness) {
  const auto types = cell_types();
  const Vector3 at_corner(0.1, -0.05, 0.08), at_middle(0.02, 0.03, -0.01), none = Vector3::Zero();
  expect_state(types[0],
               {0, none, 0.010377103365, 1, {0.04979968, 0.01378205, 0.0067508}, 3.5626602564});
  expect_state(
      types[1],
      {4, at_middle, 0.010113952502, 4, {-0.00294014, -0.01369761, -0.07336853}, 15.6860902629});
  expect_state(
      types[2],
      {6, at_corner, 0.084352362021, 6, {0.16783797, 0.08209444, 0.17629014}, 9.2923397436});
  expect_state(
      types[3],
      {6, at_corner, 0.083994777606, 6, {0.16333065, 0.08149244, 0.17204188}, 8.5126285485});
}

TEST(SolidShape, ConstantStrainAndStressAreExactInAnyCell) {
  Random random(9);
  Agreement strain("strain"), stress("stress"), mean("mean"), nodal("nodal");
  const double lambda = 2.1 * 0.3 / (1.3 * 0.4), mu = 2.1 / 2.6;
  for (const CellType& type : cell_types()) {
    const Positions X = distorted_cell(type.kind, random);
    const SolidShape s(type.kind, type.formulation, X, 2.1, 0.3, 0);
    const Matrix3 F = Matrix3::Identity() + 0.3 * Matrix3(random.rotation());
    const Matrix3 green = (F.transpose() * F - Matrix3::Identity()) / 2;
    const Matrix3 S = lambda * green.trace() * Matrix3::Identity() + 2 * mu * green;
    const Matrix3 cauchy = F * S * F.transpose() / F.determinant();
    const auto vector = [](const Matrix3& T) -> Vector6 {
      return (Vector6() << T(0, 0), T(1, 1), T(2, 2), T(0, 1), T(1, 2), T(0, 2)).finished();
    };
    const Positions x = F * X;
    for (int p = 0; p < s.points(); ++p) {
      strain.compare(s.point_strains(x).col(p), vector(green));
      stress.compare(s.point_stresses(x).col(p), vector(cauchy));
    }
    for (int a = 0; a < s.nodes(); ++a) nodal.compare(s.nodal_stresses(x).col(a), vector(cauchy));
    mean.compare(s.mean_strain(x), vector(green));
    mean.compare(s.mean_stress(x), vector(cauchy));
  }
  for (const Agreement* agreement : {&strain, &stress, &mean, &nodal})
    agreement->expect_within(1e-13);
}

TEST(SolidShape, BendingStressIsLinearToTheNodes) {
  // Small bending about y: u_x = κxz, and what follows for ν = 0. Only the enhanced hexahedron and
  // the quadratic tetrahedron can show σ_xx = Eκz alone.
  const double kappa = 1e-7;
  for (const CellType& type : {cell_types()[1], cell_types()[3]}) {
    const Positions X = unit_cell(type.kind);
    const SolidShape s(type.kind, type.formulation, X, 1, 0, 0);
    Positions x = X;
    for (int a = 0; a < s.nodes(); ++a) {
      const Vector3 place = X.col(a);
      const bool hex = type.kind == CellKind::Hex8;  // its nodes see no quadratic deflection
      x(0, a) += kappa * (place[0] - (hex ? 0.5 : 0)) * (place[2] - (hex ? 0.5 : 0));
      if (!hex) x(2, a) -= kappa * place[0] * place[0] / 2;
    }
    const auto stress = s.nodal_stresses(x);
    for (int a = 0; a < s.nodes(); ++a) {
      const double z = X(2, a) - (type.kind == CellKind::Hex8 ? 0.5 : 0);
      EXPECT_NEAR(stress(0, a), kappa * z, 1e-12) << type.name;
      EXPECT_LE(stress.col(a).tail<5>().cwiseAbs().maxCoeff(), 1e-12) << type.name;
    }
  }
}

TEST(SolidShape, VonMisesStressIsThatOfATensileTest) {
  EXPECT_DOUBLE_EQ(von_mises((Vector6() << 5, 0, 0, 0, 0, 0).finished()), 5);
  EXPECT_DOUBLE_EQ(von_mises((Vector6() << 3, 3, 3, 0, 0, 0).finished()), 0);
  EXPECT_DOUBLE_EQ(von_mises((Vector6() << 0, 0, 0, 0, 2, 0).finished()), 2 * std::sqrt(3.0));
}

}  // namespace solid_shape_test
}  // namespace saltus
