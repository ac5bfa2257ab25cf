// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/gmsh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "saltus/io/gmsh_input.hpp"
#include "saltus/io/gmsh_reader.hpp"

namespace saltus::io {
namespace {

constexpr const char* known_formats =
    "Saltus reads 2.2 and 4.1; convert it, e.g. `gmsh old.msh -save -format msh41 -o new.msh`";

constexpr auto gmsh_types = std::to_array<GmshType>({
    {1, 1, 2, "line"},          {2, 2, 3, "triangle"},      {3, 2, 4, "quadrangle"},
    {4, 3, 4, "tetrahedron"},   {5, 3, 8, "hexahedron"},    {6, 3, 6, "prism"},
    {7, 3, 5, "pyramid"},       {8, 1, 3, "line"},          {9, 2, 6, "triangle"},
    {10, 2, 9, "quadrangle"},   {11, 3, 10, "tetrahedron"}, {12, 3, 27, "hexahedron"},
    {13, 3, 18, "prism"},       {14, 3, 14, "pyramid"},     {15, 0, 1, "point"},
    {16, 2, 8, "quadrangle"},   {17, 3, 20, "hexahedron"},  {18, 3, 15, "prism"},
    {19, 3, 13, "pyramid"},     {20, 2, 9, "triangle"},     {21, 2, 10, "triangle"},
    {22, 2, 12, "triangle"},    {23, 2, 15, "triangle"},    {24, 2, 15, "triangle"},
    {25, 2, 21, "triangle"},    {26, 1, 4, "line"},         {27, 1, 5, "line"},
    {28, 1, 6, "line"},         {29, 3, 20, "tetrahedron"}, {30, 3, 35, "tetrahedron"},
    {31, 3, 56, "tetrahedron"}, {36, 2, 16, "quadrangle"},  {37, 2, 25, "quadrangle"},
    {38, 2, 36, "quadrangle"},  {90, 3, 40, "prism"},       {91, 3, 75, "prism"},
    {92, 3, 64, "hexahedron"},  {93, 3, 125, "hexahedron"}, {118, 3, 30, "pyramid"},
    {119, 3, 55, "pyramid"},
});

/// Reads the sections of a file. The formats differ in $Nodes and $Elements; what 4.1 says in
/// $Entities, the physical groups, 2.2 says with each element.
class Parser {
 public:
  explicit Parser(GmshInput& input) : input_(input) {}

  GmshFile parse();

 private:
  using Reader = void (Parser::*)();

  Reader reader_of(const std::string& name) const;
  void section(const std::string& name);
  void mesh_format();
  void physical_names();
  void entities();
  void entity(int dimension);
  void nodes_2();
  void nodes_4();
  void elements_2();
  void elements_4();
  void element_2(const GmshType* type, long tag_count);
  const GmshType* element_type();
  Vector3 position(long number);

  GmshInput& input_;
  GmshFile file_ = {};
  int version_ = 0;  ///< 2 or 4
  bool binary_ = false;
  std::set<std::string> done_ = {};
};

GmshFile Parser::parse() {
  if (input_.at_end()) throw MeshError("is empty, not a mesh file of Gmsh");
  if (input_.next_is("$NOD"))
    throw MeshError(fmt::format("has the format MSH 1: {}", known_formats));
  if (!input_.next_is("$MeshFormat") && !input_.next_is("$Comments"))
    throw MeshError("is not a mesh file of Gmsh: it does not begin with $MeshFormat");
  while (!input_.at_end()) section(std::string(input_.begin_section()));
  for (const char* name : {"MeshFormat", "Nodes", "Elements"}) {
    if (!done_.contains(name))
      throw MeshError(fmt::format("is not complete: it has no section ${}", name));
  }
  return std::move(file_);
}

Parser::Reader Parser::reader_of(const std::string& name) const {
  if (name == "MeshFormat") return &Parser::mesh_format;
  if (name == "PhysicalNames") return &Parser::physical_names;
  if (name == "Entities" && version_ == 4) return &Parser::entities;
  if (name == "Nodes") return version_ == 4 ? &Parser::nodes_4 : &Parser::nodes_2;
  if (name == "Elements") return version_ == 4 ? &Parser::elements_4 : &Parser::elements_2;
  if (name == "PartitionedEntities")
    throw MeshError("is cut into partitions: write the mesh in one piece");
  if (name == "ParametricNodes")
    throw MeshError("has nodes with parameters: write it with Mesh.SaveParametric = 0;");
  return nullptr;
}

void Parser::section(const std::string& name) {
  const Reader reader = reader_of(name);
  if (reader == nullptr) return input_.skip_section();
  if (version_ == 0 && name != "MeshFormat") input_.fail_section("$MeshFormat must come first");
  if (!done_.insert(name).second)
    input_.fail_section(fmt::format("there is a second section ${}", name));
  (this->*reader)();
  input_.set_binary(binary_);
  input_.end_section();
}

void Parser::mesh_format() {
  const double version = input_.real("the version of the format");
  if (version != 2.2 && version != 4.1)
    throw MeshError(fmt::format("has the format MSH {}: {}", version, known_formats));
  version_ = version == 2.2 ? 2 : 4;
  const long type = input_.integer("0 (text) or 1 (binary)");
  if (type != 0 && type != 1) input_.fail("expected 0 (text) or 1 (binary)");
  const long bytes = input_.integer("the size of a number");
  if (type == 1 && bytes != 8)
    input_.fail(fmt::format("numbers have {} bytes: Saltus reads 8", bytes));
  input_.rest_of_line();
  if (type == 0) return;
  binary_ = true;
  input_.set_binary(true);
  if (input_.integer("the order of bytes") != 1)
    input_.fail("the order of bytes is not this machine's: write the mesh as text");
}

void Parser::physical_names() {
  input_.set_binary(false);  // text in all files
  const long count = input_.count_line("the number of physical names");
  for (long i = 0; i < count; ++i) {
    const std::size_t start = input_.begin_record();
    const long dimension = input_.integer("the dimension of a physical group");
    const long number = input_.integer("the number of a physical group");
    const std::string_view name = input_.rest_of_line();
    if (name.size() < 3 || name.front() != '"' || name.back() != '"')
      input_.fail_at(start, "expected the name of a physical group in quotation marks");
    file_.group_names[{static_cast<int>(dimension), number}] = name.substr(1, name.size() - 2);
  }
}

void Parser::entities() {
  std::array<long, 4> counts = {};
  for (long& count : counts) count = input_.count("the number of entities");
  input_.end_record();
  for (int dimension = 0; dimension < 4; ++dimension)
    for (long i = 0; i < counts[dimension]; ++i) entity(dimension);
}

void Parser::entity(int dimension) {
  const long number = input_.integer("the number of an entity");
  const int box = dimension == 0 ? 3 : 6;  // coordinates of the point, or of its bounding box
  for (int i = 0; i < box; ++i) input_.real("a coordinate");
  std::vector<long>& groups = file_.entity_groups[{dimension, number}];
  const long group_count = input_.count("the number of physical groups");
  // A group that is to be turned round has a negative number.
  for (long i = 0; i < group_count; ++i)
    groups.push_back(std::abs(input_.integer("the number of a physical group")));
  const long border = dimension == 0 ? 0 : input_.count("the number of bounding entities");
  for (long i = 0; i < border; ++i) input_.integer("the number of an entity");
  input_.end_record();
}

Vector3 Parser::position(long number) {
  Vector3 x;
  for (double& coordinate : x) {
    coordinate = input_.real("a coordinate");
    if (!std::isfinite(coordinate))
      input_.fail(fmt::format("a coordinate of node {} is {}", number, coordinate));
  }
  return x;
}

void Parser::nodes_2() {
  const long count = input_.count_line("the number of nodes");
  for (long i = 0; i < count; ++i) {
    file_.node_numbers.push_back(input_.integer("the number of a node"));
    file_.nodes.push_back(position(file_.node_numbers.back()));
    input_.end_record();
  }
}

void Parser::nodes_4() {
  const long blocks = input_.count("the number of blocks");
  const long total = input_.count("the number of nodes");
  for (int i = 0; i < 2; ++i) input_.size("the range of node numbers");
  input_.end_record();
  for (long block = 0; block < blocks; ++block) {
    const long dimension = input_.integer("the dimension of an entity");
    input_.integer("the number of an entity");
    const bool parametric = input_.integer("0 or 1 (parameters)") != 0;
    const long count = input_.count("the number of nodes");
    input_.end_record();
    const std::size_t first = file_.node_numbers.size();
    for (long i = 0; i < count; ++i) {
      file_.node_numbers.push_back(input_.size("the number of a node"));
      input_.end_record();
    }
    for (long i = 0; i < count; ++i) {
      file_.nodes.push_back(position(file_.node_numbers[first + i]));
      for (long k = 0; parametric && k < dimension; ++k) input_.real("a parameter");
      input_.end_record();
    }
  }
  if (static_cast<long>(file_.nodes.size()) != total)
    input_.fail(fmt::format("{} nodes are announced, but there are {}", total, file_.nodes.size()));
}

const GmshType* Parser::element_type() {
  const long number = input_.integer("the type of an element");
  const auto type = std::ranges::find(gmsh_types, number, &GmshType::number);
  if (type == gmsh_types.end())
    input_.fail(fmt::format("type {} of elements is unknown to Saltus", number));
  return &*type;
}

/// The tags of an element, of which the first is the physical group, and its nodes.
void Parser::element_2(const GmshType* type, long tag_count) {
  GmshElement& element = file_.elements.back();
  element.type = type;
  element.entity.dimension = type->dimension;
  for (long i = 0; i < tag_count; ++i) {
    const long tag = std::abs(input_.integer("a tag of an element"));
    if (i == 0) element.entity.number = tag;
  }
  if (element.entity.number != 0) file_.entity_groups[element.entity] = {element.entity.number};
  for (int i = 0; i < type->nodes; ++i)
    file_.element_nodes.push_back(input_.integer("the number of a node"));
  input_.end_record();
}

void Parser::elements_2() {
  const long total = input_.count_line("the number of elements");
  const auto begin_element = [&] {
    GmshElement& element = file_.elements.emplace_back();
    element.first_node = file_.element_nodes.size();
    element.offset = input_.begin_record();
    element.number = input_.integer("the number of an element");
  };
  if (!binary_) {
    for (long i = 0; i < total; ++i) {
      begin_element();
      const GmshType* type = element_type();
      element_2(type, input_.count("the number of tags"));
    }
    return;
  }
  while (static_cast<long>(file_.elements.size()) < total) {
    const GmshType* type = element_type();
    const long count = input_.integer("the number of elements");
    const long tag_count = input_.integer("the number of tags");
    if (count < 1 || count > total - static_cast<long>(file_.elements.size()) || tag_count < 0)
      input_.fail("the number of elements does not fit");
    for (long i = 0; i < count; ++i) {
      begin_element();
      element_2(type, tag_count);
    }
  }
}

void Parser::elements_4() {
  const long blocks = input_.count("the number of blocks");
  const long total = input_.count("the number of elements");
  for (int i = 0; i < 2; ++i) input_.size("the range of element numbers");
  input_.end_record();
  for (long block = 0; block < blocks; ++block) {
    GmshElement element;
    element.entity.dimension = static_cast<int>(input_.integer("the dimension of an entity"));
    element.entity.number = input_.integer("the number of an entity");
    element.type = element_type();
    if (element.type->dimension != element.entity.dimension)
      input_.fail("the elements have another dimension than their entity");
    const long count = input_.count("the number of elements");
    input_.end_record();
    for (long i = 0; i < count; ++i) {
      element.offset = input_.begin_record();
      element.number = input_.size("the number of an element");
      element.first_node = file_.element_nodes.size();
      for (int k = 0; k < element.type->nodes; ++k)
        file_.element_nodes.push_back(input_.size("the number of a node"));
      input_.end_record();
      file_.elements.push_back(element);
    }
  }
  if (static_cast<long>(file_.elements.size()) != total)
    input_.fail(
        fmt::format("{} elements are announced, but there are {}", total, file_.elements.size()));
}

}  // namespace

GmshFile parse_gmsh(GmshInput& input) { return Parser(input).parse(); }

}  // namespace saltus::io
