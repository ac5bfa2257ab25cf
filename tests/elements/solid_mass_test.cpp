// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/elements/solid_cells.hpp"
#include "tests/support/derivative.hpp"

namespace saltus {
namespace solid_mass_test {

using namespace test;

SolidShape shape_of(const CellType& type, const Positions& X) {
  return {type.kind, type.formulation, X, 1, 0.3, 0};
}

TEST(SolidMass, OfTheUnitCubeIsKnown) {
  const SolidShape s = shape_of(cell_types()[2], unit_cell(CellKind::Hex8));
  const VectorX row = (VectorX(8) << 8, 4, 2, 4, 4, 2, 1, 2).finished() / 216;
  Agreement agreement("row");
  agreement.compare(VectorX(s.mass_shares().row(0)), row);
  agreement.compare(s.lumped_shares(), VectorX::Constant(8, 1.0 / 8));
  agreement.compare(s.volume(), 1);
  agreement.expect_within(1e-15);
}

TEST(SolidMass, OfTheLinearTetrahedronIsKnown) {
  Random random(2);
  const SolidShape s = shape_of(cell_types()[0], distorted_cell(CellKind::Tet4, random));
  const Eigen::Matrix4d known = Eigen::Matrix4d::Ones() + Eigen::Matrix4d::Identity();
  EXPECT_LE((s.mass_shares() - s.volume() / 20 * known).norm(), 1e-15);
  EXPECT_LE((s.lumped_shares() - VectorX::Constant(4, s.volume() / 4)).norm(), 1e-15);
}

/// 420 times the mass between two nodes of a straight Tet10 of unit mass.
double tet10_share(int a, int b) {
  if (a > b) std::swap(a, b);
  if (b < 4) return a == b ? 6 : 1;
  const auto [i, j] = tet10_edges[b - 4];
  if (a < 4) return a == i || a == j ? -4 : -6;
  const auto [k, l] = tet10_edges[a - 4];
  const int common = (i == k) + (i == l) + (j == k) + (j == l);
  return common == 2 ? 32 : common == 1 ? 16 : 8;
}

TEST(SolidMass, OfTheStraightQuadraticTetrahedronIsKnown) {
  Random random(2);
  Positions X = distorted_cell(CellKind::Tet10, random);
  set_middles(X);
  const SolidShape s = shape_of(cell_types()[1], X);
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b)
      EXPECT_NEAR(s.mass_shares()(a, b) / s.volume(), tet10_share(a, b) / 420, 1e-15);
    EXPECT_NEAR(s.lumped_shares()[a] / s.volume(), a < 4 ? 1.0 / 36 : 4.0 / 27, 1e-15);
  }
}

/// Volume from the surface, by ∫ x dy dz: each face of a distorted hexahedron is bilinear.
double hex_volume(const Positions& X) {
  constexpr int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {2, 3, 7, 6}, {1, 2, 6, 5}, {0, 4, 7, 3}};
  double volume = 0;
  for (const auto& face : faces) {
    const Vector3 A = X.col(face[0]), B = X.col(face[1]), C = X.col(face[2]), D = X.col(face[3]);
    // A bilinear face encloses the mean of its two triangulations.
    const auto pyramid = [](const Vector3& p, const Vector3& q, const Vector3& r) {
      return p.dot(q.cross(r)) / 6;
    };
    volume += (pyramid(A, B, C) + pyramid(A, C, D) + pyramid(A, B, D) + pyramid(B, C, D)) / 2;
  }
  return volume;
}

TEST(SolidMass, SharesSumToTheVolumeOfADistortedCell) {
  Random random(4);
  for (const CellType& type : cell_types())
    for (int sample = 0; sample < 10; ++sample) {
      const Positions X = distorted_cell(type.kind, random);
      const SolidShape s = shape_of(type, X);
      EXPECT_NEAR(s.mass_shares().sum(), s.volume(), 1e-15);
      EXPECT_NEAR(s.lumped_shares().sum(), s.volume(), 1e-15);
      EXPECT_GT(s.lumped_shares().minCoeff(), 0);
      EXPECT_LE((s.mass_shares() - s.mass_shares().transpose()).norm(), 1e-16);
      if (type.kind == CellKind::Hex8) {
        EXPECT_NEAR(s.volume(), hex_volume(X), 1e-14);
      }
    }
}

TEST(SolidMass, MomentsOfInertiaAreExactWhereTheMassIsConsistent) {
  // ∫ x² over the unit cube is 1/3 and over its corner tetrahedron 1/60; ∫ xy is 1/4 and 1/120.
  for (const CellType& type : cell_types()) {
    const Positions X = unit_cell(type.kind);
    const Matrix3 moments = X * shape_of(type, X).mass_shares() * X.transpose();
    const bool hex = type.kind == CellKind::Hex8;
    EXPECT_NEAR(moments(0, 0), hex ? 1.0 / 3 : 1.0 / 60, 1e-15) << type.name;
    EXPECT_NEAR(moments(0, 1), hex ? 1.0 / 4 : 1.0 / 120, 1e-15) << type.name;
  }
}

TEST(SolidMass, OfACurvedTetrahedronIsExact) {
  // Node 5 moved by δ bends one edge: x gains 4δ l₁l₂, so the volume gains ∫ ∂(4δ l₁l₂)/∂x dV.
  Positions X = unit_cell(CellKind::Tet10);
  const double delta = 0.07;
  X(1, 4) -= delta;  // away from the cell: y = l₃ − 4δ l₁ l₂, ∂y/∂η = 1 + 4δ l₂
  const SolidShape s = shape_of(cell_types()[1], X);
  EXPECT_NEAR(s.volume(), 1.0 / 6 + 4 * delta / 24, 1e-15);
  // ∫ N₅² dV = ∫ 16 l₁² l₂² (1 + 4δ l₂), with ∫ l₁ᵃ l₂ᵇ dV = a! b! / (a + b + 3)!.
  EXPECT_NEAR(s.mass_shares()(4, 4), 16 * (4.0 / 5040 + 4 * delta * 12.0 / 40320), 1e-15);
}

}  // namespace solid_mass_test
}  // namespace saltus
