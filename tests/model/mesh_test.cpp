// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/mesh.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <ctime>
#include <numeric>
#include <random>
#include <set>
#include <span>

namespace saltus {
namespace mesh_test {

constexpr std::array kinds = {CellKind::Tet4, CellKind::Tet10, CellKind::Hex8};

const Vector3 size(3, 2, 5);
constexpr std::array<int, 3> divisions = {3, 4, 2};

/// The middles of Tet10 edges as the header lists them, counted from 0.
constexpr std::array<std::array<int, 2>, 6> edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

/// Volume of a straight cell. A hexahedron here is a parallelepiped.
double volume(const Mesh& mesh, const Cell& cell) {
  const bool hex = cell.kind == CellKind::Hex8;
  const std::array<int, 3> ends = hex ? std::array{1, 3, 4} : std::array{1, 2, 3};
  Matrix3 J;
  for (int i = 0; i < 3; ++i)
    J.col(i) = mesh.nodes[cell.nodes[ends[i]]] - mesh.nodes[cell.nodes[0]];
  return J.determinant() / (hex ? 1 : 6);
}

/// Area of a flat face with straight edges as a vector that points outwards.
Vector3 area(const Mesh& mesh, const BoundaryFace& face) {
  const auto x = [&](int i) { return mesh.nodes[face.nodes[i]]; };
  const Vector3 first = (x(1) - x(0)).cross(x(2) - x(0)) / 2;
  return face.count == 4 ? Vector3(first + (x(2) - x(0)).cross(x(3) - x(0)) / 2) : first;
}

Vector3 corner_mean(const Mesh& mesh, std::span<const int> nodes) {
  Vector3 sum = Vector3::Zero();
  for (const int node : nodes) sum += mesh.nodes[node];
  return sum / double(nodes.size());
}

/// One cell of a box with sides 1, 2, 3, which is mesh.cells[0] of `box_mesh`.
Mesh one_cell(CellKind kind) {
  Mesh mesh = box_mesh({1, 2, 3}, {1, 1, 1}, kind);
  mesh.cells.resize(1);
  return mesh;
}

std::string reason(const Mesh& mesh) {
  const std::vector<BadCell> bad = bad_cells(mesh);
  return bad.empty() ? "" : bad.front().reason;
}

double share_sum(const std::vector<double>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

TEST(BoxMesh, HasTheNodesAndCellsOfItsDivisions) {
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Hex8).nodes.size(), 4u * 5 * 3);
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Tet4).nodes.size(), 4u * 5 * 3);
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Tet10).nodes.size(), 7u * 9 * 5);
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Hex8).cells.size(), 3u * 4 * 2);
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Tet4).cells.size(), 6u * 3 * 4 * 2);
  EXPECT_EQ(box_mesh(size, divisions, CellKind::Tet10).cells.size(), 6u * 3 * 4 * 2);
}

TEST(BoxMesh, CellsFillItWithEqualPositiveVolumes) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    for (const Cell& cell : mesh.cells) {
      EXPECT_EQ(cell.kind, kind);
      EXPECT_NEAR(volume(mesh, cell), 30.0 / double(mesh.cells.size()), 1e-14);
    }
  }
}

TEST(BoxMesh, EveryNodeIsUsed) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    std::set<int> used;
    for (const Cell& cell : mesh.cells)
      used.insert(cell.nodes.begin(), cell.nodes.begin() + node_count(kind));
    EXPECT_EQ(used.size(), mesh.nodes.size());
  }
}

TEST(BoxMesh, MiddleNodesAreTheMiddlesOfTheEdges) {
  const Mesh mesh = box_mesh(size, divisions, CellKind::Tet10);
  for (const Cell& cell : mesh.cells) {
    for (int e = 0; e < 6; ++e) {
      const Vector3 a = mesh.nodes[cell.nodes[edges[e][0]]],
                    b = mesh.nodes[cell.nodes[edges[e][1]]];
      EXPECT_LE((mesh.nodes[cell.nodes[4 + e]] - (a + b) / 2).norm(), 1e-15);
    }
  }
}

TEST(BoxMesh, CellsAreNumberedByIndex) {
  const Mesh mesh = box_mesh(size, divisions, CellKind::Tet4);
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) EXPECT_EQ(mesh.cells[i].number, long(i));
  EXPECT_EQ(mesh.node_number(7), 7);
}

TEST(BoxMesh, SetsAreTheNodesOfItsFaces) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    ASSERT_EQ(mesh.sets.size(), 7u);
    for (int axis = 0; axis < 3; ++axis) {
      for (const int side : {-1, 1}) {
        const std::string name = std::string(1, "xyz"[axis]) + (side < 0 ? "_min" : "_max");
        std::vector<int> expected;
        for (int i = 0; i < int(mesh.nodes.size()); ++i)
          if (mesh.nodes[i][axis] == side * size[axis] / 2) expected.push_back(i);
        ASSERT_NE(mesh.find_set(name), nullptr) << name;
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(mesh.find_set(name)->nodes, expected) << name;
      }
    }
    EXPECT_EQ(mesh.find_set("all")->nodes.size(), mesh.nodes.size());
    EXPECT_TRUE(std::ranges::is_sorted(mesh.find_set("all")->nodes));
    EXPECT_EQ(mesh.find_set("w_min"), nullptr);
  }
}

TEST(BoundaryFaces, OfABoxAreThoseOnItsSides) {
  // 2 (3·4 + 4·2 + 2·3) quadrilaterals, twice as many triangles: neighbours fit together inside.
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    const std::vector<BoundaryFace> faces = boundary_faces(mesh);
    EXPECT_EQ(faces.size(), kind == CellKind::Hex8 ? 52u : 104u);
    double total = 0;
    for (const BoundaryFace& face : faces) total += area(mesh, face).norm();
    EXPECT_NEAR(total, 2 * (3 * 2 + 2 * 5 + 5 * 3), 1e-12);
  }
}

TEST(BoundaryFaces, AreaVectorsPointOutwardsAndSumToZero) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    Vector3 sum = Vector3::Zero();
    double flux = 0;  // ∮x·n dA = 3 V
    for (const BoundaryFace& face : boundary_faces(mesh)) {
      const std::span<const int> corners(face.nodes.data(), face.count == 4 ? 4 : 3);
      const Vector3 A = area(mesh, face), x = corner_mean(mesh, corners);
      EXPECT_GT(A.dot(x), 0);
      sum += A;
      flux += A.dot(x);
    }
    EXPECT_LE(sum.norm(), 1e-13);
    EXPECT_NEAR(flux, 3 * 30, 1e-12);
  }
}

TEST(BoundaryFaces, BelongToTheirCellAndComeInItsOrder) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    const std::vector<BoundaryFace> faces = boundary_faces(mesh);
    EXPECT_TRUE(std::ranges::is_sorted(faces, {}, &BoundaryFace::cell));
    for (const BoundaryFace& face : faces) {
      EXPECT_EQ(face.count, kind == CellKind::Hex8 ? 4 : kind == CellKind::Tet4 ? 3 : 6);
      const auto& nodes = mesh.cells[face.cell].nodes;
      for (int i = 0; i < face.count; ++i)
        EXPECT_NE(std::find(nodes.begin(), nodes.begin() + node_count(kind), face.nodes[i]),
                  nodes.begin() + node_count(kind));
    }
  }
}

TEST(BoundaryFaces, MiddleNodesFollowTheEdges) {
  const Mesh mesh = box_mesh(size, divisions, CellKind::Tet10);
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    for (int i = 0; i < 3; ++i) {
      const Vector3 a = mesh.nodes[face.nodes[i]], b = mesh.nodes[face.nodes[(i + 1) % 3]];
      EXPECT_LE((mesh.nodes[face.nodes[3 + i]] - (a + b) / 2).norm(), 1e-15);
    }
  }
}

TEST(BoundaryFaces, OfALargeMeshAreFoundQuickly) {
  const Mesh mesh = box_mesh(size, {30, 30, 30}, CellKind::Tet4);  // 162 000 cells
  const std::clock_t start = std::clock();
  EXPECT_EQ(boundary_faces(mesh).size(), 6u * 2 * 30 * 30);
  // 0.2 s with optimisation; a search of every face for its neighbour would take minutes.
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20);
}

TEST(SurfaceShares, OfAQuadrilateralAreAQuarterForEachCorner) {
  const Mesh mesh = box_mesh({3, 2, 1}, {1, 1, 1}, CellKind::Hex8);
  for (const double share : surface_shares(mesh, *mesh.find_set("z_max")))
    EXPECT_NEAR(share, 0.25, 1e-15);
}

TEST(SurfaceShares, OfGridFacesAreProductsOfTheTrapezoidalRule) {
  const Mesh mesh = box_mesh({3, 2, 1}, {3, 2, 1}, CellKind::Hex8);
  const std::vector<double> shares = surface_shares(mesh, *mesh.find_set("z_min"));
  const std::vector<double> x = {1, 2, 2, 1}, y = {1, 2, 1};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(shares[4 * j + i], x[i] * y[j] / 24, 1e-15);
}

TEST(SurfaceShares, OfTrianglesAreAThirdForEachCorner) {
  // The diagonal of the face joins the corners 0 and 3, which belong to both triangles.
  const Mesh mesh = box_mesh({3, 2, 1}, {1, 1, 1}, CellKind::Tet4);
  const std::vector<double> shares = surface_shares(mesh, *mesh.find_set("z_min"));
  const std::vector<double> expected = {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 3};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(shares[i], expected[i], 1e-15);
}

TEST(SurfaceShares, OfQuadraticTrianglesAreNoneForCornersAndAThirdForMiddles) {
  // Nodes of the face in rows: corners at 0, 2, 6, 8, the middle 4 on the diagonal of both.
  const Mesh mesh = box_mesh({3, 2, 1}, {1, 1, 1}, CellKind::Tet10);
  const std::vector<double> shares = surface_shares(mesh, *mesh.find_set("z_min"));
  const std::vector<double> sixths = {0, 1, 0, 1, 2, 1, 0, 1, 0};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(shares[i], sixths[i] / 6, 1e-15);
}

TEST(SurfaceShares, SumToOneWithTheFacesCentre) {
  for (const CellKind kind : kinds) {
    const Mesh mesh = box_mesh(size, divisions, kind);
    for (const NodeSet& set : mesh.sets) {
      const std::vector<double> shares = surface_shares(mesh, set);
      ASSERT_EQ(shares.size(), set.nodes.size());
      EXPECT_NEAR(share_sum(shares), 1, 1e-14) << set.name;
      Vector3 centre = Vector3::Zero(), low = size, high = -size;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const Vector3& x = mesh.nodes[set.nodes[i]];
        centre += shares[i] * x;
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
      }
      EXPECT_LE((centre - (low + high) / 2).norm(), 1e-14) << set.name;
    }
  }
}

TEST(SurfaceShares, OfTheWholeMeshLeaveOutItsInside) {
  const Mesh mesh = box_mesh({2, 2, 2}, {2, 2, 2}, CellKind::Hex8);
  EXPECT_EQ(surface_shares(mesh, *mesh.find_set("all"))[13], 0);  // the centre
}

TEST(SurfaceShares, AreEqualWhereTheSetHasNoFace) {
  const Mesh mesh = box_mesh(size, divisions, CellKind::Hex8);
  EXPECT_EQ(surface_shares(mesh, {"edge", {0, 1, 2, 3}}), std::vector<double>(4, 0.25));
  EXPECT_EQ(surface_shares(mesh, {"point", {5}}), std::vector<double>(1, 1.0));
  EXPECT_TRUE(surface_shares(mesh, {"nothing", {}}).empty());
}

TEST(BadCells, AreNoneInABoxOfAnySizeAndPlace) {
  for (const CellKind kind : kinds) {
    for (const double unit : {1e-9, 1.0, 1e9}) {
      Mesh mesh = box_mesh(unit * Vector3(1, 1, 1e-3), {2, 2, 2}, kind);  // a plate
      for (Vector3& x : mesh.nodes) x += unit * Vector3(100, 200, -300);
      EXPECT_EQ(reason(mesh), "") << unit;
    }
  }
}

TEST(BadCells, AreInvertedInAMirroredMesh) {
  for (const CellKind kind : kinds) {
    Mesh mesh = box_mesh(size, divisions, kind);
    for (Vector3& x : mesh.nodes) x[1] *= -1;
    const std::vector<BadCell> bad = bad_cells(mesh);
    ASSERT_EQ(bad.size(), mesh.cells.size());
    for (std::size_t i = 0; i < bad.size(); ++i) {
      EXPECT_EQ(bad[i].cell, int(i));
      EXPECT_EQ(bad[i].reason,
                "is inverted: its volume is negative; number its nodes the other way round");
    }
  }
}

TEST(BadCells, AreFlatWithoutVolume) {
  // Turned and far from the origin, so that rounding leaves a little of the volume.
  const Quaternion turn(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
  for (const CellKind kind : kinds) {
    Mesh mesh = one_cell(kind);
    for (Vector3& x : mesh.nodes) x = turn * Vector3(x[0], x[1], 0) + Vector3(1000, 2000, 500);
    EXPECT_EQ(reason(mesh), "is flat: its volume is zero");
  }
}

TEST(BadCells, UseNoNodeTwice) {
  for (const CellKind kind : kinds) {
    Mesh mesh = one_cell(kind);
    mesh.cells[0].nodes[3] = mesh.cells[0].nodes[1];
    const int node = mesh.cells[0].nodes[1];
    EXPECT_EQ(reason(mesh), "uses node " + std::to_string(node) + " twice");
    for (int i = 0; i < int(mesh.nodes.size()); ++i) mesh.node_numbers.push_back(100 + i);
    EXPECT_EQ(reason(mesh), "uses node " + std::to_string(100 + node) + " twice");
  }
}

TEST(BadCells, HaveNoFoldedCorner) {
  Mesh mesh = one_cell(CellKind::Hex8);
  mesh.nodes[mesh.cells[0].nodes[6]] = {-0.3, -0.6, -0.8};  // beyond its opposite edges
  EXPECT_EQ(reason(mesh),
            "is too distorted: its Jacobian determinant is not positive at node 7; make it more "
            "like a box, or refine the mesh there");
}

TEST(BadCells, HaveNoTwistInside) {
  Mesh mesh = one_cell(CellKind::Hex8);
  std::swap(mesh.cells[0].nodes[4], mesh.cells[0].nodes[6]);  // top face turned by half a turn
  std::swap(mesh.cells[0].nodes[5], mesh.cells[0].nodes[7]);
  EXPECT_EQ(reason(mesh),
            "is too distorted: its Jacobian determinant is not positive inside; make it more like "
            "a box, or refine the mesh there");
}

TEST(BadCells, HaveTheirMiddleNodesNearTheMiddles) {
  // A middle node at a quarter of a straight edge makes the determinant zero at the corner.
  for (const auto& [place, good] : {std::pair(0.26, true), {0.25, false}, {0.2, false}}) {
    Mesh mesh = one_cell(CellKind::Tet10);
    const Cell& cell = mesh.cells[0];
    const Vector3 a = mesh.nodes[cell.nodes[0]], b = mesh.nodes[cell.nodes[1]];
    mesh.nodes[cell.nodes[4]] = a + place * (b - a);
    EXPECT_EQ(reason(mesh),
              good ? ""
                   : "is too distorted: its Jacobian determinant is not positive at node 0; put "
                     "the middle nodes nearer to the middles of their edges, or refine the mesh "
                     "there");
  }
}

TEST(BadCells, AreFoundByIndexAmongGoodOnes) {
  Mesh mesh = box_mesh(size, divisions, CellKind::Tet4);
  std::swap(mesh.cells[17].nodes[0], mesh.cells[17].nodes[1]);
  const std::vector<BadCell> bad = bad_cells(mesh);
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0].cell, 17);
}

TEST(BadCells, AreNotThoseThatAreDistortedALittle) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> move(-0.15, 0.15);
  for (const CellKind kind : kinds) {
    // Middle nodes lie half as far from each other.
    const double scale = kind == CellKind::Tet10 ? 0.4 : 1;
    Mesh mesh = box_mesh({4, 4, 4}, {4, 4, 4}, kind);
    for (Vector3& x : mesh.nodes)
      x += scale * Vector3(move(generator), move(generator), move(generator));
    EXPECT_EQ(reason(mesh), "");
  }
}

}  // namespace mesh_test
}  // namespace saltus
