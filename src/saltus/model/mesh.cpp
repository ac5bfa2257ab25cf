// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

constexpr std::array<const char*, 6> box_faces = {"x_min", "x_max", "y_min",
                                                  "y_max", "z_min", "z_max"};

/// The corners of a hexahedron in steps of its box.
constexpr std::array<std::array<int, 3>, 8> hex_corners = {
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

/// Six tetrahedra round the diagonal 0–6 of a hexahedron, all of positive volume. Each cuts a face
/// of the hexahedron as it cuts the opposite face, so that neighbours fit together.
constexpr std::array<std::array<int, 4>, 6> hex_tetrahedra = {
    {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}};

/// The edges whose middles are the nodes 4 to 9 of a Tet10.
constexpr std::array<std::array<int, 2>, 6> tet_edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

/// Faces of a cell, nodes seen from outside counter-clockwise.
constexpr std::array<std::array<int, 6>, 4> tet_faces = {
    {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}}};
constexpr std::array<std::array<int, 4>, 6> hex_faces = {
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

/// The points of a box: the corners of its cells, and for Tet10 the middles between them.
struct Grid {
  std::array<int, 3> cells;
  int step;                   ///< points a cell
  std::array<int, 3> points;  ///< along each axis

  Grid(const std::array<int, 3>& divisions, CellKind kind)
      : cells(divisions), step(kind == CellKind::Tet10 ? 2 : 1) {
    for (int i = 0; i < 3; ++i) points[i] = step * cells[i] + 1;
  }
  int index(const std::array<int, 3>& p) const {
    return p[0] + points[0] * (p[1] + points[1] * p[2]);
  }
};

std::vector<Vector3> grid_nodes(const Grid& grid, const Vector3& size) {
  std::vector<Vector3> nodes;
  nodes.reserve(static_cast<std::size_t>(grid.points[0]) * grid.points[1] * grid.points[2]);
  // This way opposite faces have opposite coordinates to the last bit.
  const auto coordinate = [&](int axis, int i) {
    const int last = grid.points[axis] - 1;
    return size[axis] * ((2.0 * i - last) / (2.0 * last));
  };
  for (int k = 0; k < grid.points[2]; ++k)
    for (int j = 0; j < grid.points[1]; ++j)
      for (int i = 0; i < grid.points[0]; ++i)
        nodes.emplace_back(coordinate(0, i), coordinate(1, j), coordinate(2, k));
  return nodes;
}

/// Adds the cells in the box whose lowest corner is the grid point `low`.
void add_box_cells(const Grid& grid, const std::array<int, 3>& low, CellKind kind,
                   std::vector<Cell>& cells) {
  // The grid point at `twice` half steps from the lowest corner.
  const auto node = [&](const std::array<int, 3>& twice) {
    std::array<int, 3> p = low;
    for (int i = 0; i < 3; ++i) p[i] += twice[i] * grid.step / 2;
    return grid.index(p);
  };
  const auto between = [&](int a, int b) {
    std::array<int, 3> twice;
    for (int i = 0; i < 3; ++i) twice[i] = hex_corners[a][i] + hex_corners[b][i];
    return node(twice);
  };
  const auto add = [&](std::span<const int> corners) {
    Cell& cell = cells.emplace_back();
    cell.kind = kind;
    cell.number = static_cast<long>(cells.size()) - 1;
    int count = 0;
    for (const int corner : corners) cell.nodes[count++] = between(corner, corner);
    if (kind != CellKind::Tet10) return;
    for (const auto& [a, b] : tet_edges) cell.nodes[count++] = between(corners[a], corners[b]);
  };
  if (kind == CellKind::Hex8) {
    add(std::array{0, 1, 2, 3, 4, 5, 6, 7});
  } else {
    for (const auto& corners : hex_tetrahedra) add(corners);
  }
}

std::vector<NodeSet> box_sets(const Grid& grid) {
  std::vector<NodeSet> sets(7);
  for (int face = 0; face < 6; ++face) sets[face].name = box_faces[face];
  NodeSet& all = sets[6];
  all.name = "all";
  for (int k = 0, node = 0; k < grid.points[2]; ++k)
    for (int j = 0; j < grid.points[1]; ++j)
      for (int i = 0; i < grid.points[0]; ++i, ++node) {
        const std::array<int, 3> p = {i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          const std::size_t low = std::size_t{2} * axis;
          if (p[axis] == 0) sets[low].nodes.push_back(node);
          if (p[axis] == grid.points[axis] - 1) sets[low + 1].nodes.push_back(node);
        }
        all.nodes.push_back(node);
      }
  return sets;
}

int face_count(CellKind kind) { return kind == CellKind::Hex8 ? 6 : 4; }

BoundaryFace cell_face(const Mesh& mesh, int cell, int face) {
  const Cell& c = mesh.cells[cell];
  BoundaryFace result;
  result.cell = cell;
  result.count = c.kind == CellKind::Hex8 ? 4 : c.kind == CellKind::Tet4 ? 3 : 6;
  const int* local = c.kind == CellKind::Hex8 ? hex_faces[face].data() : tet_faces[face].data();
  for (int i = 0; i < result.count; ++i) result.nodes[i] = c.nodes[local[i]];
  return result;
}

/// A face by its corners, in an order that does not depend on the cell.
struct FaceKey {
  std::array<int, 4> corners = {-1, -1, -1, -1};
  int cell = 0, face = 0;

  FaceKey(const Mesh& mesh, int cell_index, int face_index) : cell(cell_index), face(face_index) {
    const BoundaryFace f = cell_face(mesh, cell, face);
    const int count = f.count == 4 ? 4 : 3;
    std::copy_n(f.nodes.begin(), count, corners.begin());
    std::sort(corners.begin(), corners.begin() + count);
  }
};

/// Shape functions of a face at a point, and their derivatives with respect to its coordinates.
struct FaceShape {
  std::array<double, 6> N = {}, N_u = {}, N_v = {};
};

FaceShape quadrilateral(double u, double v) {
  constexpr std::array<double, 4> s = {-1, 1, 1, -1}, t = {-1, -1, 1, 1};
  FaceShape shape;
  for (int a = 0; a < 4; ++a) {
    shape.N[a] = (1 + s[a] * u) * (1 + t[a] * v) / 4;
    shape.N_u[a] = s[a] * (1 + t[a] * v) / 4;
    shape.N_v[a] = (1 + s[a] * u) * t[a] / 4;
  }
  return shape;
}

FaceShape triangle(int count, double u, double v) {
  const std::array<double, 3> l = {1 - u - v, u, v};
  constexpr std::array<double, 3> l_u = {-1, 1, 0}, l_v = {-1, 0, 1};
  FaceShape shape;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    const double slope = count == 3 ? 1 : 4 * l[a] - 1;
    shape.N[a] = count == 3 ? l[a] : l[a] * (2 * l[a] - 1);
    shape.N_u[a] = slope * l_u[a];
    shape.N_v[a] = slope * l_v[a];
    if (count == 3) continue;
    shape.N[3 + a] = 4 * l[a] * l[b];
    shape.N_u[3 + a] = 4 * (l_u[a] * l[b] + l[a] * l_u[b]);
    shape.N_v[3 + a] = 4 * (l_v[a] * l[b] + l[a] * l_v[b]);
  }
  return shape;
}

/// ∫N dA, exact where the face is flat and its edges are straight.
std::array<double, 6> face_integrals(const Mesh& mesh, const BoundaryFace& face) {
  std::array<double, 6> sum = {};
  const auto add = [&](const FaceShape& shape, double weight) {
    Vector3 x_u = Vector3::Zero(), x_v = Vector3::Zero();
    for (int a = 0; a < face.count; ++a) {
      x_u += shape.N_u[a] * mesh.nodes[face.nodes[a]];
      x_v += shape.N_v[a] * mesh.nodes[face.nodes[a]];
    }
    const double area = weight * x_u.cross(x_v).norm();
    for (int a = 0; a < face.count; ++a) sum[a] += shape.N[a] * area;
  };
  if (face.count == 4) {
    const double g = 1 / std::sqrt(3.0);
    for (const double u : {-g, g})
      for (const double v : {-g, g}) add(quadrilateral(u, v), 1);
  } else {
    constexpr double a = 1.0 / 6, b = 2.0 / 3;
    for (const auto& [u, v] : {std::array{a, a}, std::array{b, a}, std::array{a, b}})
      add(triangle(face.count, u, v), 1.0 / 6);
  }
  return sum;
}

/// Jacobian determinants of a cell, scaled so that a straight cell's are the volume of the
/// parallelepiped on its edges.
struct Determinants {
  std::array<double, 17> values = {};
  int count = 0;  ///< at nodes first, then at integration points
  int at_nodes = 0;

  std::span<const double> all() const { return {values.data(), static_cast<std::size_t>(count)}; }
  void add(double value) { values[count++] = value; }
};

double hex_determinant(const std::array<Vector3, 10>& X, const Vector3& xi) {
  Matrix3 J = Matrix3::Zero();
  for (int a = 0; a < 8; ++a) {
    const auto& c = hex_corners[a];
    const Vector3 s = 2 * Vector3(c[0], c[1], c[2]) - Vector3::Ones();  // corner, −1 or 1
    const Vector3 f = Vector3::Ones() + xi.cwiseProduct(s);
    J += X[a] * Vector3(s[0] * f[1] * f[2], f[0] * s[1] * f[2], f[0] * f[1] * s[2]).transpose() / 4;
  }
  return J.determinant();
}

/// @param l barycentric coordinates
double tet_determinant(const std::array<Vector3, 10>& X, CellKind kind, const Eigen::Vector4d& l) {
  std::array<Vector3, 4> slope;  // ∂x/∂l
  for (int a = 0; a < 4; ++a) slope[a] = kind == CellKind::Tet4 ? X[a] : (4 * l[a] - 1) * X[a];
  if (kind == CellKind::Tet10) {
    for (int e = 0; e < 6; ++e) {
      const auto& [a, b] = tet_edges[e];
      slope[a] += 4 * l[b] * X[4 + e];
      slope[b] += 4 * l[a] * X[4 + e];
    }
  }
  Matrix3 J;
  for (int i = 0; i < 3; ++i) J.col(i) = slope[i + 1] - slope[0];
  return J.determinant();
}

Determinants determinants(const std::array<Vector3, 10>& X, CellKind kind) {
  Determinants d;
  if (kind == CellKind::Hex8) {
    for (const double size : {1.0, 1 / std::sqrt(3.0)}) {
      for (const auto& c : hex_corners) {
        const Vector3 s = 2 * Vector3(c[0], c[1], c[2]) - Vector3::Ones();
        d.add(hex_determinant(X, size * s));
      }
    }
    d.add(hex_determinant(X, Vector3::Zero()));  // enhanced strains are scaled by it
    d.at_nodes = 8;
    return d;
  }
  if (kind == CellKind::Tet4) {
    d.add(tet_determinant(X, kind, Eigen::Vector4d::Constant(0.25)));
    return d;
  }
  for (int a = 0; a < 4; ++a) d.add(tet_determinant(X, kind, Eigen::Vector4d::Unit(a)));
  for (const auto& [a, b] : tet_edges)
    d.add(tet_determinant(X, kind, (Eigen::Vector4d::Unit(a) + Eigen::Vector4d::Unit(b)) / 2));
  d.at_nodes = 10;
  const double c = (5 - std::sqrt(5.0)) / 20;
  for (int a = 0; a < 4; ++a)
    d.add(tet_determinant(X, kind,
                          Eigen::Vector4d::Constant(c) + (1 - 4 * c) * Eigen::Vector4d::Unit(a)));
  return d;
}

std::string repeated_node(const Mesh& mesh, const Cell& cell) {
  std::vector<int> nodes(cell.nodes.begin(), cell.nodes.begin() + node_count(cell.kind));
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  return twice == nodes.end() ? "" : fmt::format("uses node {} twice", mesh.node_number(*twice));
}

std::string bad_shape(const Mesh& mesh, const Cell& cell) {
  std::array<Vector3, 10> X;
  double size = 0;  // longest distance from the first node, where X has its origin
  for (int a = 0; a < node_count(cell.kind); ++a) {
    X[a] = mesh.nodes[cell.nodes[a]] - mesh.nodes[cell.nodes[0]];
    size = std::max(size, X[a].norm());
  }
  // A thousand times what rounding leaves of a flat cell far from the origin, and far below what a
  // plate or a needle has.
  const double zero = 1e-10 * size * size * size;
  const Determinants d = determinants(X, cell.kind);
  const auto bad = [&](double value) { return !(value > zero); };
  const auto first = std::find_if(d.all().begin(), d.all().end(), bad);
  if (first == d.all().end()) return "";
  if (std::ranges::all_of(d.all(), [&](double value) { return value < -zero; }))
    return "is inverted: its volume is negative; number its nodes the other way round";
  if (std::ranges::none_of(d.all(), [&](double value) { return std::abs(value) > zero; }))
    return "is flat: its volume is zero";
  const auto at = first - d.all().begin();
  const std::string where =
      at < d.at_nodes ? fmt::format("at node {}", mesh.node_number(cell.nodes[at])) : "inside";
  return fmt::format(
      "is too distorted: its Jacobian determinant is not positive {}; {}", where,
      cell.kind == CellKind::Tet10
          ? "put the middle nodes nearer to the middles of their edges, or refine the mesh there"
          : "make it more like a box, or refine the mesh there");
}

}  // namespace

const NodeSet* Mesh::find_set(std::string_view name) const {
  const auto found = std::ranges::find(sets, name, &NodeSet::name);
  return found == sets.end() ? nullptr : &*found;
}

Mesh box_mesh(const Vector3& size, const std::array<int, 3>& divisions, CellKind kind) {
  SALTUS_ASSERT(size.minCoeff() > 0 && std::ranges::min(divisions) > 0);
  const Grid grid(divisions, kind);
  Mesh mesh;
  mesh.nodes = grid_nodes(grid, size);
  for (int k = 0; k < divisions[2]; ++k)
    for (int j = 0; j < divisions[1]; ++j)
      for (int i = 0; i < divisions[0]; ++i)
        add_box_cells(grid, {grid.step * i, grid.step * j, grid.step * k}, kind, mesh.cells);
  mesh.sets = box_sets(grid);
  return mesh;
}

std::vector<BoundaryFace> boundary_faces(const Mesh& mesh) {
  std::vector<FaceKey> keys;
  keys.reserve(6 * mesh.cells.size());
  for (int cell = 0; cell < static_cast<int>(mesh.cells.size()); ++cell)
    for (int face = 0; face < face_count(mesh.cells[cell].kind); ++face)
      keys.emplace_back(mesh, cell, face);
  std::ranges::sort(keys, {}, &FaceKey::corners);

  std::vector<FaceKey> single;
  for (auto first = keys.begin(); first != keys.end();) {
    const auto last = std::find_if(
        first, keys.end(), [&](const FaceKey& key) { return key.corners != first->corners; });
    if (last - first == 1) single.push_back(*first);
    first = last;
  }
  std::ranges::sort(single, {}, [](const FaceKey& key) { return std::tuple(key.cell, key.face); });

  std::vector<BoundaryFace> faces;
  faces.reserve(single.size());
  for (const FaceKey& key : single) faces.push_back(cell_face(mesh, key.cell, key.face));
  return faces;
}

std::vector<double> surface_shares(const Mesh& mesh, const NodeSet& set) {
  std::vector<int> place(mesh.nodes.size(), -1);  // of a node in the set
  for (int i = 0; i < static_cast<int>(set.nodes.size()); ++i) place[set.nodes[i]] = i;

  std::vector<double> shares(set.nodes.size(), 0.0);
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    const auto end = face.nodes.begin() + face.count;
    if (std::any_of(face.nodes.begin(), end, [&](int node) { return place[node] < 0; })) continue;
    const std::array<double, 6> integrals = face_integrals(mesh, face);
    for (int a = 0; a < face.count; ++a) shares[place[face.nodes[a]]] += integrals[a];
  }
  const double area = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = area > 0 ? share / area : 1.0 / double(shares.size());
  return shares;
}

std::vector<BadCell> bad_cells(const Mesh& mesh) {
  std::vector<BadCell> bad;
  for (int i = 0; i < static_cast<int>(mesh.cells.size()); ++i) {
    const Cell& cell = mesh.cells[i];
    std::string reason = repeated_node(mesh, cell);
    if (reason.empty()) reason = bad_shape(mesh, cell);
    if (!reason.empty()) bad.push_back({i, std::move(reason)});
  }
  return bad;
}

}  // namespace saltus
