// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "saltus/model/types.hpp"

namespace saltus::io {

/// A type of element in Gmsh's numbering.
struct GmshType {
  int number, dimension, nodes;
  const char* shape;
};

/// An entity of the geometry or a physical group: Gmsh numbers them in each dimension.
struct GmshTag {
  int dimension = 0;
  long number = 0;

  bool operator<(const GmshTag& other) const {
    return std::tie(dimension, number) < std::tie(other.dimension, other.number);
  }
};

struct GmshElement {
  long number = 0;
  const GmshType* type = nullptr;
  GmshTag entity = {};         ///< on which it lies
  std::size_t first_node = 0;  ///< in GmshFile::element_nodes
  std::size_t offset = 0;      ///< in the text, for messages
};

/// What a Gmsh file says, as it says it.
struct GmshFile {
  std::map<GmshTag, std::string> group_names = {};
  std::map<GmshTag, std::vector<long>> entity_groups = {};  ///< physical groups of an entity
  std::vector<long> node_numbers = {};
  std::vector<Vector3> nodes = {};
  std::vector<GmshElement> elements = {};
  std::vector<long> element_nodes = {};  ///< node numbers, element after element
};

class GmshInput;

/// Reads a whole file, format 2.2 or 4.1.
/// @throws MeshError
GmshFile parse_gmsh(GmshInput& input);

}  // namespace saltus::io
