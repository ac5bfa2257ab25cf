// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <numbers>

#include "saltus/linalg/decompositions.hpp"
#include "tests/elements/solid_cells.hpp"
#include "tests/support/derivative.hpp"

// Cells joined to bodies: what an element is for.

namespace saltus {
namespace solid_mesh_test {

using namespace test;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// A meshed body of unknowns x, three for each node.
class Body {
 public:
  Body(const CellType& type, const Mesh& mesh, double young_modulus, double poisson_ratio)
      : mesh_(mesh), x_(3 * static_cast<int>(mesh.nodes.size())) {
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) x_.segment<3>(3 * i) = mesh.nodes[i];
    for (const Cell& cell : mesh.cells)
      shapes_.emplace_back(type.kind, type.formulation, gathered(cell, x_), young_modulus,
                           poisson_ratio, 0);
  }

  const Mesh& mesh() const { return mesh_; }
  const VectorX& start() const { return x_; }
  double volume() const {
    double sum = 0;
    for (const SolidShape& shape : shapes_) sum += shape.volume();
    return sum;
  }

  VectorX force(const VectorX& x) const {
    VectorX f = VectorX::Zero(x.size());
    for (std::size_t c = 0; c < shapes_.size(); ++c) {
      const Positions cell = elastic_force(shapes_[c], gathered(mesh_.cells[c], x));
      for (int a = 0; a < cell.cols(); ++a)
        f.segment<3>(3 * mesh_.cells[c].nodes[a]) += cell.col(a);
    }
    return f;
  }

  SparseMatrix stiffness(const VectorX& x) const {
    return sum([&](std::size_t c) -> Eigen::MatrixXd {
      return test::stiffness(shapes_[c], gathered(mesh_.cells[c], x));
    });
  }

  SparseMatrix mass(double density, bool lumped) const {
    return sum([&](std::size_t c) -> Eigen::MatrixXd {
      const int n = shapes_[c].nodes();
      Eigen::MatrixXd shares = shapes_[c].mass_shares();
      if (lumped) shares = shapes_[c].lumped_shares().asDiagonal();
      Eigen::MatrixXd M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          M.block<3, 3>(3 * a, 3 * b) = density * shares(a, b) * Matrix3::Identity();
      return M;
    });
  }

 private:
  static Positions gathered(const Cell& cell, const VectorX& x) {
    Positions places(3, node_count(cell.kind));
    for (int a = 0; a < places.cols(); ++a) places.col(a) = x.segment<3>(3 * cell.nodes[a]);
    return places;
  }

  template <class CellMatrix>
  SparseMatrix sum(const CellMatrix& matrix) const {
    Triplets entries;
    for (std::size_t c = 0; c < shapes_.size(); ++c) {
      const Eigen::MatrixXd A = matrix(c);
      const auto& nodes = mesh_.cells[c].nodes;
      for (int i = 0; i < A.rows(); ++i)
        for (int j = 0; j < A.cols(); ++j)
          if (A(i, j) != 0)
            entries.emplace_back(3 * nodes[i / 3] + i % 3, 3 * nodes[j / 3] + j % 3, A(i, j));
    }
    SparseMatrix S(x_.size(), x_.size());
    S.setFromTriplets(entries.begin(), entries.end());
    return S;
  }

  Mesh mesh_;
  VectorX x_;
  std::vector<SolidShape> shapes_;
};

// ---------------------------------------------------------------------------------- patch test

std::vector<bool> inner_nodes(const Mesh& mesh) {
  std::vector<bool> inner(mesh.nodes.size(), true);
  for (const char* name : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"})
    for (const int node : mesh.find_set(name)->nodes) inner[node] = false;
  return inner;
}

/// A unit cube of 3 × 3 × 3 boxes whose inner nodes have moved; edges stay straight.
Mesh distorted_mesh(CellKind kind) {
  Random random(8);
  Mesh mesh = box_mesh({1, 1, 1}, {3, 3, 3}, kind);
  const std::vector<bool> inner = inner_nodes(mesh);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (inner[i]) mesh.nodes[i] += random.vector(0.07);
  if (kind == CellKind::Tet10)
    for (const Cell& cell : mesh.cells)
      for (int e = 0; e < 6; ++e)
        mesh.nodes[cell.nodes[4 + e]] = (mesh.nodes[cell.nodes[tet10_edges[e][0]]] +
                                         mesh.nodes[cell.nodes[tet10_edges[e][1]]]) /
                                        2;
  return mesh;
}

TEST(SolidMesh, DistortedMeshPassesThePatchTest) {
  Matrix3 F;
  F << 1.1, 0.2, 0, 0, 0.95, 0.1, 0.05, 0, 1.2;
  for (const CellType& type : cell_types()) {
    const Body body(type, distorted_mesh(type.kind), 100, 0.3);
    EXPECT_NEAR(body.volume(), 1, 1e-14) << type.name;
    VectorX x = body.start();
    for (int i = 0; i < x.size(); i += 3) x.segment<3>(i) = F * x.segment<3>(i) + Vector3(1, 2, 3);
    const VectorX f = body.force(x);
    const std::vector<bool> inner = inner_nodes(body.mesh());
    double residual = 0;
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (inner[i]) residual = std::max(residual, f.segment<3>(3 * i).norm());
    // Inner forces are sums of many of the size of those on the surface, each with its rounding.
    EXPECT_LE(residual, 2e-13 * f.cwiseAbs().maxCoeff()) << type.name;
  }
}

// ---------------------------------------------------------------------------------- cantilever

/// A beam 10 × 1 × 1 along x, clamped at x_min, with a force along z spread over x_max.
class Cantilever {
 public:
  Cantilever(const CellType& type, const std::array<int, 3>& divisions, double nu)
      : body_(type, box_mesh({10, 1, 1}, divisions, type.kind), 1e4, nu),
        tip_(*body_.mesh().find_set("x_max")),
        shares_(surface_shares(body_.mesh(), tip_)) {
    std::vector<bool> clamped(body_.mesh().nodes.size(), false);
    for (const int node : body_.mesh().find_set("x_min")->nodes) clamped[node] = true;
    for (int i = 0; i < body_.start().size(); ++i)
      if (!clamped[i / 3]) free_.push_back(i);
  }

  /// Places after one Newton step from x under the whole force.
  VectorX newton_step(const VectorX& x, double force) const {
    VectorX residual = body_.force(x);
    for (std::size_t i = 0; i < shares_.size(); ++i)
      residual[3 * tip_.nodes[i] + 2] += force * shares_[i];
    const Eigen::SimplicialLDLT<SparseMatrix> K(reduced(body_.stiffness(x)));
    const VectorX step = K.solve(VectorX(residual(free_)));
    VectorX next = x;
    next(free_) += step;
    return next;
  }

  const VectorX& start() const { return body_.start(); }
  Vector3 tip_displacement(const VectorX& x) const {
    Vector3 u = Vector3::Zero();
    for (std::size_t i = 0; i < shares_.size(); ++i)
      u += shares_[i] * (x - start()).segment<3>(3 * tip_.nodes[i]);
    return u;
  }

 private:
  SparseMatrix reduced(const SparseMatrix& K) const {
    std::vector<int> place(K.rows(), -1);
    for (std::size_t i = 0; i < free_.size(); ++i) place[free_[i]] = static_cast<int>(i);
    Triplets entries;
    for (int column = 0; column < K.outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(K, column); it; ++it)
        if (place[it.row()] >= 0 && place[column] >= 0)
          entries.emplace_back(place[it.row()], place[column], it.value());
    SparseMatrix R(static_cast<int>(free_.size()), static_cast<int>(free_.size()));
    R.setFromTriplets(entries.begin(), entries.end());
    return R;
  }

  Body body_;
  NodeSet tip_;
  std::vector<double> shares_;
  std::vector<int> free_;
};

/// Deflection under a unit force over that of Timoshenko's beam.
double stiffness_ratio(const CellType& type, const std::array<int, 3>& divisions, double nu,
                       double reference) {
  const Cantilever beam(type, divisions, nu);
  return beam.tip_displacement(beam.newton_step(beam.start(), 1))[2] / reference;
}

TEST(SolidMesh, CantileverIsAsStiffAsItsCellsMakeIt) {
  const auto types = cell_types();
  const CellType tet4 = types[0], tet10 = types[1], standard = types[2], enhanced = types[3];
  const double u = 0.40312;
  EXPECT_NEAR(stiffness_ratio(standard, {10, 1, 1}, 0.3, u), 0.643, 5e-4);
  EXPECT_NEAR(stiffness_ratio(enhanced, {10, 1, 1}, 0.3, u), 0.9855, 5e-5);
  EXPECT_NEAR(stiffness_ratio(standard, {20, 2, 2}, 0.3, u), 0.869, 5e-4);
  EXPECT_NEAR(stiffness_ratio(enhanced, {20, 2, 2}, 0.3, u), 0.9866, 5e-5);
  EXPECT_NEAR(stiffness_ratio(tet4, {20, 2, 2}, 0.3, u), 0.504, 5e-4);
  EXPECT_NEAR(stiffness_ratio(tet10, {10, 1, 1}, 0.3, u), 0.976, 5e-4);
}

TEST(SolidMesh, LargeDeflectionIsKnown) {
  struct Known {
    CellType type;
    double x, z;
  };
  for (const Known& known :
       {Known{cell_types()[2], 7.71309, 5.78434}, Known{cell_types()[3], 6.68171, 6.74386}}) {
    const Cantilever beam(known.type, {10, 1, 1}, 0);
    VectorX x = beam.start();
    const double force = 4 * 1e4 / 12 / 100;  // P L²/EI = 4
    constexpr int steps = 10;
    for (int step = 1; step <= steps; ++step)
      for (int i = 0; i < 8; ++i) x = beam.newton_step(x, force * step / steps);
    const Vector3 tip = Vector3(10, 0, 0) + beam.tip_displacement(x);
    EXPECT_NEAR(tip[0], known.x, 1e-5) << known.type.name;
    EXPECT_NEAR(tip[2], known.z, 1e-5) << known.type.name;
  }
}

// --------------------------------------------------------------------------------- frequencies

/// The lowest frequencies of a free body in Hz, by iterations on a subspace of shifted inverses.
VectorX free_frequencies(const SparseMatrix& K, const SparseMatrix& M, int count) {
  const double shift = std::pow(2 * std::numbers::pi * 10, 2);
  const SparseMatrix K_shifted = K + shift * M;
  const Eigen::SimplicialLDLT<SparseMatrix> factors(K_shifted);
  Random random(1);
  Eigen::MatrixXd V(K.rows(), 2 * count + 6);
  for (int j = 0; j < V.cols(); ++j) V.col(j) = random.vector_x(static_cast<int>(V.rows()));
  VectorX values;
  for (int iteration = 0; iteration < 14; ++iteration) {
    V = factors.solve(M * V).eval();
    const auto small =
        linalg::symmetric_eigen(V.transpose() * (K_shifted * V), V.transpose() * (M * V));
    values = small.values.array() - shift;
    V = (V * small.vectors).eval();
  }
  return values.head(count).cwiseMax(0).cwiseSqrt() / (2 * std::numbers::pi);
}

/// A cube of 0.1 m, E = 90 Pa, ν = 0.3, 1 kg/m³. Ritz' method with polynomials of degree 12 finds
/// 26.7439 Hz (two modes), 36.0133, 36.6246 and 41.6025 Hz (three modes each).
VectorX cube_frequencies(const CellType& type, int divisions, bool lumped) {
  const Body cube(type, box_mesh({0.1, 0.1, 0.1}, {divisions, divisions, divisions}, type.kind), 90,
                  0.3);
  return free_frequencies(cube.stiffness(cube.start()), cube.mass(1, lumped), 14);
}

struct Group {
  int modes;
  double frequency;  ///< Hz
};

void expect_frequencies(const CellType& type, int divisions, bool lumped,
                        const std::vector<Group>& groups) {
  const VectorX f = cube_frequencies(type, divisions, lumped);
  EXPECT_LE(f.head<6>().maxCoeff(), 1e-4) << type.name;  // rigid motions: √rounding
  int i = 6;
  for (const Group& group : groups)
    for (int m = 0; m < group.modes; ++m, ++i)
      EXPECT_NEAR(f[i], group.frequency, 6e-5) << type.name << ", mode " << i;
}

TEST(SolidMesh, FreeCubeOfHexahedraHasItsKnownFrequencies) {
  const CellType standard = cell_types()[2], enhanced = cell_types()[3];
  expect_frequencies(standard, 5, false, {{2, 27.7712}, {3, 37.6364}, {3, 38.2223}});
  expect_frequencies(enhanced, 5, false, {{2, 27.7459}, {3, 37.2088}, {3, 38.1515}});
  expect_frequencies(standard, 5, true, {{2, 25.7238}, {3, 33.7750}, {3, 36.5712}});
  // One of the three Lamé modes (41.6 Hz) is lowered so much that it comes before the next triple.
  expect_frequencies(enhanced, 5, true, {{2, 25.6966}, {3, 33.3255}, {1, 35.2054}});
  expect_frequencies(standard, 3, false, {{2, 29.4216}});
  expect_frequencies(enhanced, 3, false, {{2, 29.4050}});
}

TEST(SolidMesh, FreeCubeOfTetrahedraHasItsKnownFrequencies) {
  // The diagonals of the boxes split the triples.
  expect_frequencies(cell_types()[0], 4, false, {{2, 31.9824}});
  expect_frequencies(cell_types()[1], 2, false, {{2, 27.8790}, {1, 36.7328}});
}

}  // namespace solid_mesh_test
}  // namespace saltus
