// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/flexible.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace flexible_test {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;

Beam straight(const Vector3& start, const Vector3& end) { return {.start = start, .end = end}; }

/// From (R, 0, 0) by an angle about z round the origin, displaced by `centre`.
Beam arc(double radius, double angle, const Vector3& centre = Vector3::Zero()) {
  const auto at = [&](double a) -> Vector3 {
    return centre + radius * Vector3(std::cos(a), std::sin(a), 0);
  };
  return {.start = at(0), .end = at(angle), .through = at(0.3 * angle)};
}

void expect_axes(const Matrix3& axes) {
  EXPECT_LE((axes.transpose() * axes - Matrix3::Identity()).norm(), rounding);
  EXPECT_NEAR(axes.determinant(), 1, rounding);
}

TEST(CentreLine, StraightBeamHasPointsInProportion) {
  const Vector3 start(1, 2, 3), end(4, -2, 3);
  const CentreLine line = centre_line(straight(start, end));
  EXPECT_DOUBLE_EQ(line.length, 5);
  EXPECT_EQ(line.curvature, 0);
  EXPECT_LE((line.point(0) - start).norm(), rounding);
  EXPECT_LE((line.point(5) - end).norm(), rounding);
  EXPECT_LE((line.point(1.25) - Vector3(1.75, 1, 3)).norm(), rounding);
  EXPECT_NEAR(line.normal.dot(line.tangent), 0, rounding);
}

TEST(CentreLine, BarIsThatOfAStraightBeam) {
  const Bar bar{.start = {1, 0, 0}, .end = {1, 0, -2}};
  const CentreLine line = centre_line(bar);
  EXPECT_DOUBLE_EQ(line.length, 2);
  EXPECT_LE((line.point(0.5) - Vector3(1, 0, -0.5)).norm(), rounding);
}

TEST(CentreLine, ArcHasThePointsOfItsCircle) {
  const double R = 2.5;
  const Vector3 centre(0.3, -1, 2);
  // Less and more than a half circle, either way round.
  for (const double angle : {0.1, 1.0, 3.0, 3.3, 6.0, -0.5, -3.0, -5.5}) {
    const CentreLine line = centre_line(arc(R, angle, centre));
    EXPECT_NEAR(line.length, R * std::abs(angle), 1e-12) << angle;
    EXPECT_NEAR(line.curvature, 1 / R, 1e-12) << angle;
    for (const double part : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const double a = part * angle;
      const Vector3 exact = centre + R * Vector3(std::cos(a), std::sin(a), 0);
      EXPECT_LE((line.point(part * line.length) - exact).norm(), 1e-12) << angle << ' ' << part;
    }
  }
}

TEST(CentreLine, ArcPassesItsThirdPoint) {
  const Beam beam{.start = {0, 0, 0}, .end = {2, 0, 1}, .through = Vector3(1, 3, -1)};
  const CentreLine line = centre_line(beam);
  EXPECT_LE((line.point(0) - beam.start).norm(), rounding);
  EXPECT_LE((line.point(line.length) - beam.end).norm(), 1e-13);
  double nearest = 1;
  for (int i = 0; i <= 100000; ++i) {
    nearest = std::min(nearest, (line.point(line.length * i / 1e5) - *beam.through).norm());
  }
  EXPECT_LE(nearest, line.length / 1e5);
}

TEST(CentreLine, BendOfFortyFiveDegreesHasRadiusOneHundred) {
  const Beam bend{.end = {70.71067811865474, 29.28932188134524, 0},
                  .through = Vector3(38.26834323650898, 7.612046748871326, 0)};
  const CentreLine line = centre_line(bend);
  EXPECT_NEAR(line.curvature, 0.01, 1e-14);
  EXPECT_NEAR(line.length, 25 * pi, 1e-11);
  EXPECT_LE((line.tangent - Vector3::UnitX()).norm(), 1e-13);
  EXPECT_LE((line.normal - Vector3::UnitY()).norm(), 1e-13);
}

TEST(CentreLine, AxesOfAStraightBeamStay) {
  const Beam beam = straight({0, 0, 0}, {1, 2, 2});
  const Matrix3 axes = start_axes(beam);
  EXPECT_EQ(centre_line(beam).axes(1.7, axes), axes);
}

TEST(CentreLine, AxesOfAnArcAreOrthonormalAndTangent) {
  for (const double angle : {0.7, 2.9, -4.0}) {
    Beam beam = arc(1.5, angle, {1, 1, 1});
    beam.orientation = Vector3(0.2, 0.1, 1);
    const CentreLine line = centre_line(beam);
    const Matrix3 first = start_axes(beam);
    for (const double part : {0.0, 0.3, 0.8, 1.0}) {
      const double s = part * line.length, ds = 1e-5;
      const Matrix3 axes = line.axes(s, first);
      expect_axes(axes);
      const Vector3 tangent = (line.point(s + ds) - line.point(s - ds)) / (2 * ds);
      EXPECT_LE((axes.col(0) - tangent).norm(), 1e-9);  // rounding and the stencil's ds²
      // The binormal does not turn: carried along, the section keeps its part on it.
      EXPECT_NEAR(axes(2, 2), first(2, 2), rounding);
    }
  }
}

TEST(StartAxes, HaveZNearestToTheInertialZ) {
  const Matrix3 along_x = start_axes(straight({0, 0, 0}, {2, 0, 0}));
  EXPECT_EQ(along_x, Matrix3::Identity());
  const Matrix3 oblique = start_axes(straight({0, 0, 0}, {1, 1, 1}));
  expect_axes(oblique);
  EXPECT_LE((oblique.col(0) - Vector3::Ones().normalized()).norm(), rounding);
  EXPECT_LE((oblique.col(2) - Vector3(-1, -1, 2).normalized()).norm(), rounding);
}

TEST(StartAxes, OfAVerticalBeamHaveZNearestToTheInertialY) {
  for (const double up : {1.0, -1.0}) {
    const Matrix3 axes = start_axes(straight({0, 0, 0}, {0, 0, up}));
    expect_axes(axes);
    EXPECT_LE((axes.col(0) - Vector3(0, 0, up)).norm(), rounding);
    EXPECT_LE((axes.col(2) - Vector3::UnitY()).norm(), rounding);
  }
  // Vertical up to rounded numbers.
  const Matrix3 nearly = start_axes(straight({0, 0, 0}, {0, 1e-9, 1}));
  EXPECT_LE((nearly.col(2) - Vector3::UnitY()).norm(), 1e-8);
}

TEST(StartAxes, FollowTheOrientationMadeSquare) {
  Beam beam = straight({0, 0, 0}, {0, 3, 0});
  beam.orientation = Vector3(5, 2, 0);  // its part along the beam does not count
  const Matrix3 axes = start_axes(beam);
  expect_axes(axes);
  EXPECT_LE((axes.col(2) - Vector3::UnitX()).norm(), rounding);
  beam = straight({0, 0, 0}, {0, 0, 1});
  beam.orientation = Vector3(1, 1, 0);
  EXPECT_LE((start_axes(beam).col(2) - Vector3(1, 1, 0).normalized()).norm(), rounding);
}

TEST(StartAxes, OfAnArcStandOnItsFirstTangent) {
  const Matrix3 axes = start_axes(arc(2, 1.0));
  EXPECT_LE((axes.col(0) - Vector3::UnitY()).norm(), rounding);
  EXPECT_LE((axes.col(2) - Vector3::UnitZ()).norm(), rounding);
}

/// A steel rod of 10 mm square and 1 m length.
template <class Line>
Line steel_rod() {
  Line line;
  line.end = {1, 0, 0};
  line.section = RectangularSection{0.01, 0.01};
  line.material = {2.1e11, 0.3, 7800};
  return line;
}

TEST(DampingTime, IsZeroWithoutDamping) {
  EXPECT_EQ(damping_time(steel_rod<Beam>()), 0);
  EXPECT_EQ(damping_time(steel_rod<Bar>()), 0);
  EXPECT_EQ(damping_time(Solid{}), 0);
}

TEST(DampingTime, IsTheGivenTime) {
  const Damping damping = StiffnessProportional{.time = 3e-4};
  Beam beam = steel_rod<Beam>();
  Bar bar = steel_rod<Bar>();
  beam.damping = bar.damping = damping;
  EXPECT_EQ(damping_time(beam), 3e-4);
  EXPECT_EQ(damping_time(bar), 3e-4);
  EXPECT_EQ(damping_time(Solid{.damping = damping}), 3e-4);
}

TEST(DampingTime, OfARatioAtAFrequencyIsTwiceTheRatioOverOmega) {
  const Damping damping = ModalRatio{.ratio = 0.02, .frequency = 50};
  const double expected = 2 * 0.02 / (2 * pi * 50);
  Beam beam = steel_rod<Beam>();
  Bar bar = steel_rod<Bar>();
  beam.damping = bar.damping = damping;
  EXPECT_DOUBLE_EQ(damping_time(beam), expected);
  EXPECT_DOUBLE_EQ(damping_time(bar), expected);
  EXPECT_DOUBLE_EQ(damping_time(Solid{.damping = damping}), expected);
}

TEST(DampingTime, OfARatioAloneTakesTheFirstFrequency) {
  Beam beam = steel_rod<Beam>();
  beam.damping = ModalRatio{.ratio = 0.05};
  // Between hinges a rod of this kind has 23.53 Hz: π/2 √(EI/ρA)/L².
  const double bending = pi / 2 * std::sqrt(2.1e11 * 1e-4 / 12 / 7800);
  EXPECT_NEAR(bending, 23.529, 1e-3);
  EXPECT_NEAR(damping_time(beam), 2 * 0.05 / (2 * pi * bending), 1e-15);
  // The softer of the two directions counts.
  beam.section = RectangularSection{0.01, 0.03};
  EXPECT_NEAR(damping_time(beam), 2 * 0.05 / (2 * pi * bending), 1e-15);
  Bar bar = steel_rod<Bar>();
  bar.damping = ModalRatio{.ratio = 0.05};
  const double axial = std::sqrt(2.1e11 / 7800) / 2;  // c/(2L)
  EXPECT_NEAR(damping_time(bar), 2 * 0.05 / (2 * pi * axial), 1e-18);
}

TEST(SolidMesh, OfABoxIsThatBox) {
  const Solid solid{.mesh = BoxMesh{.size = {1, 2, 3}, .divisions = {2, 3, 1}}};
  const Mesh mesh = mesh_of(solid);
  EXPECT_EQ(mesh.nodes.size(), 3U * 4 * 2);
  EXPECT_EQ(mesh.cells.size(), 6U);
  Vector3 lowest = Vector3::Zero(), highest = Vector3::Zero();
  for (const Vector3& x : mesh.nodes) {
    lowest = lowest.cwiseMin(x);
    highest = highest.cwiseMax(x);
  }
  EXPECT_LE((lowest + Vector3(0.5, 1, 1.5)).norm(), rounding);
  EXPECT_LE((highest - Vector3(0.5, 1, 1.5)).norm(), rounding);
}

TEST(SolidMesh, OfAFileIsItsContents) {
  MeshFile file;
  file.contents = box_mesh({1, 1, 1}, {1, 1, 1}, CellKind::Tet4);
  file.contents.sets = {{"feet", {0, 1, 2}}, {"head", {7}}};
  const Solid solid{.mesh = file};
  EXPECT_EQ(mesh_of(solid).cells.size(), 6U);
  EXPECT_EQ(node_set_names(solid), (std::vector<std::string>{"feet", "head"}));
  EXPECT_TRUE(has_node_set(solid, "head"));
  EXPECT_FALSE(has_node_set(solid, "x_min"));
}

TEST(SolidMesh, NamesOfABoxAreThoseOfItsMesh) {
  for (const CellKind kind : {CellKind::Tet4, CellKind::Tet10, CellKind::Hex8}) {
    const Solid solid{.mesh = BoxMesh{.size = {1, 1, 1}, .divisions = {2, 1, 3}, .cells = kind}};
    std::vector<std::string> names;
    for (const NodeSet& set : mesh_of(solid).sets) names.push_back(set.name);
    EXPECT_EQ(node_set_names(solid), names);
    for (const std::string& name : names) EXPECT_TRUE(has_node_set(solid, name));
    EXPECT_FALSE(has_node_set(solid, "X_MIN"));
    EXPECT_FALSE(has_node_set(solid, ""));
  }
}

TEST(SolidMesh, NodesOfABoxAreCountedWithoutMakingThem) {
  for (const CellKind kind : {CellKind::Tet4, CellKind::Tet10, CellKind::Hex8}) {
    const BoxMesh box{.size = {1, 1, 1}, .divisions = {2, 1, 3}, .cells = kind};
    const Mesh mesh = mesh_of({.mesh = box});
    EXPECT_EQ(node_count(box), static_cast<double>(mesh.nodes.size()));
  }
  EXPECT_DOUBLE_EQ(node_count(BoxMesh{.divisions = {10000, 10000, 10000}}), 1000300030001.0);
}

}  // namespace flexible_test
}  // namespace saltus
