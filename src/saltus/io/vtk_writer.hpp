// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "saltus/model/types.hpp"

namespace saltus::io {

/// Cells by the numbers that VTK gives them.
enum class VtkCell : std::uint8_t {
  Vertex = 1,
  Line = 3,
  Triangle = 5,
  Tetrahedron = 10,
  Hexahedron = 12,
  QuadraticTetrahedron = 24
};

/// Numbers on the points or on the cells of a grid, one after the other.
struct VtkArray {
  enum class Type { Double, Single, Whole };

  std::string name = {};
  int components = 1;
  Type type = Type::Double;
  std::vector<double> values = {};

  void add(double value) { values.push_back(value); }
  void add(const Vector3& v) { values.insert(values.end(), {v.x(), v.y(), v.z()}); }
};

/// Texts that go with a grid, e.g. the names of bodies by their numbers.
struct VtkTexts {
  std::string name = {};
  std::vector<std::string> values = {};
};

/// VTK's unstructured grid: points, cells on them, and numbers on both.
struct VtkGrid {
  std::vector<Vector3> points = {};
  std::vector<std::int32_t> connectivity = {};  ///< points of the cells
  std::vector<std::int32_t> offsets = {};       ///< where the points of each cell end
  std::vector<VtkCell> cells = {};
  std::vector<VtkArray> point_data = {}, cell_data = {};
  std::vector<VtkTexts> texts = {};

  void add_cell(VtkCell cell, std::span<const std::int32_t> nodes);
  void add_cell(VtkCell cell, std::initializer_list<std::int32_t> nodes) {
    add_cell(cell, std::span(nodes.begin(), nodes.size()));
  }
};

/// The bytes of a .vtu file: XML, then all numbers as they are in memory.
/// @pre every array has as many values as it needs
std::string vtu_bytes(const VtkGrid& grid, double time);

/// One file of a time series, its path relative to the .pvd file.
struct VtkInstant {
  double time = 0;
  std::string file = {};
};

/// The text of a .pvd file, which ParaView opens as a time series.
std::string pvd_text(std::span<const VtkInstant> instants);

}  // namespace saltus::io
