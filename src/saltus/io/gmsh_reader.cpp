// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/gmsh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "saltus/io/gmsh_file.hpp"
#include "saltus/io/gmsh_input.hpp"

namespace saltus {
namespace {

using io::GmshElement, io::GmshFile, io::GmshInput, io::GmshTag, io::GmshType;

constexpr const char* dimension_names[] = {"point", "curve", "surface", "volume"};

std::optional<CellKind> cell_kind(const GmshType& type) {
  switch (type.number) {
    case 4:
      return CellKind::Tet4;
    case 5:
      return CellKind::Hex8;
    case 11:
      return CellKind::Tet10;
    default:
      return std::nullopt;
  }
}

/// Turns what a file says into a mesh.
class MeshBuilder {
 public:
  MeshBuilder(const GmshFile& file, const GmshInput& input) : file_(file), input_(input) {}

  Mesh build() {
    number_nodes();
    check_groups();
    add_cells();
    drop_repeated_cells();
    drop_unused_nodes();
    add_sets();
    return std::move(mesh_);
  }

 private:
  void number_nodes();
  void check_groups() const;
  void add_cells();
  void add_cell(const GmshElement& element);
  void drop_repeated_cells();
  void drop_unused_nodes();
  void add_sets();
  [[noreturn]] void fail_without_cells() const;
  std::string group_name(const GmshTag& group) const;

  /// The physical groups of an element; of dimension element.entity.dimension.
  std::span<const long> groups(const GmshElement& element) const {
    const auto found = file_.entity_groups.find(element.entity);
    if (found == file_.entity_groups.end()) return {};
    return found->second;
  }
  std::span<const int> nodes(const GmshElement& element) const {
    return std::span(element_nodes_).subspan(element.first_node, element.type->nodes);
  }

  const GmshFile& file_;
  const GmshInput& input_;
  std::vector<int> element_nodes_ = {};  ///< as in the file, but indices of its nodes
  std::vector<int> new_index_ = {};      ///< of the file's nodes in the mesh, −1: not used
  Mesh mesh_ = {};
};

/// From the file's numbers of nodes to indices.
void MeshBuilder::number_nodes() {
  std::vector<std::pair<long, int>> index;
  index.reserve(file_.nodes.size());
  for (const long number : file_.node_numbers)
    index.emplace_back(number, static_cast<int>(index.size()));
  std::ranges::sort(index);
  const auto twice =
      std::ranges::adjacent_find(index, {}, [](const auto& entry) { return entry.first; });
  if (twice != index.end()) throw MeshError(fmt::format("defines node {} twice", twice->first));

  element_nodes_.reserve(file_.element_nodes.size());
  for (const GmshElement& element : file_.elements) {
    for (int i = 0; i < element.type->nodes; ++i) {
      const long number = file_.element_nodes[element.first_node + i];
      const auto found = std::ranges::lower_bound(index, std::pair(number, 0));
      if (found == index.end() || found->first != number)
        input_.fail_at(element.offset, fmt::format("element {} uses node {}, which does not exist",
                                                   element.number, number));
      element_nodes_.push_back(found->second);
    }
  }
}

void MeshBuilder::fail_without_cells() const {
  int highest = -1;
  for (const GmshElement& e : file_.elements) highest = std::max(highest, e.type->dimension);
  // Gmsh writes only what is in physical groups as soon as there is one.
  throw MeshError(fmt::format(
      "has no volume cells, only {}: mesh in 3-D, e.g. `gmsh -3`, and put the body into a physical "
      "volume, e.g. Physical Volume(\"body\") = {{1}};",
      highest < 0 ? "nodes" : fmt::format("{}s", dimension_names[highest])));
}

void MeshBuilder::check_groups() const {
  const auto is_volume = [](const GmshElement& e) { return e.type->dimension == 3; };
  if (std::ranges::none_of(file_.elements, is_volume)) fail_without_cells();
  if (std::ranges::any_of(file_.elements, [&](const GmshElement& e) { return !groups(e).empty(); }))
    return;
  if (!file_.group_names.empty())
    throw MeshError(
        "names physical groups, but no element belongs to one: write it in format 4.1, or with "
        "Mesh.SaveAll = 0;");
  throw MeshError(
      "has no physical groups: name the body and the faces that the model refers to, e.g. "
      "Physical Volume(\"body\") = {1};");
}

void MeshBuilder::add_cell(const GmshElement& element) {
  const std::optional<CellKind> kind = cell_kind(*element.type);
  if (!kind) {
    const int count = element.type->nodes;
    input_.fail_at(
        element.offset,
        fmt::format("element {} is {} {}-node {} (Gmsh type {}): Saltus knows tetrahedra with 4 or "
                    "10 nodes and hexahedra with 8",
                    element.number, count == 18 ? "an" : "a", count, element.type->shape,
                    element.type->number));
  }
  Cell& cell = mesh_.cells.emplace_back();
  cell.kind = *kind;
  cell.number = element.number;
  std::ranges::copy(nodes(element), cell.nodes.begin());
  // Gmsh puts the middle of the edge 34 before that of the edge 24.
  if (*kind == CellKind::Tet10) std::swap(cell.nodes[8], cell.nodes[9]);
}

void MeshBuilder::add_cells() {
  const auto is_physical = [&](const GmshElement& e) {
    return e.type->dimension == 3 && !groups(e).empty();
  };
  const bool only_physical = std::ranges::any_of(file_.elements, is_physical);
  for (const GmshElement& element : file_.elements)
    if (element.type->dimension == 3 && (!only_physical || is_physical(element))) add_cell(element);
}

/// Format 2.2 repeats an element for each physical group that it belongs to.
void MeshBuilder::drop_repeated_cells() {
  std::vector<Cell>& cells = mesh_.cells;
  std::vector<int> order(cells.size());
  std::iota(order.begin(), order.end(), 0);
  const auto nodes_of = [&](int i) -> const auto& { return cells[i].nodes; };
  std::ranges::stable_sort(order, {}, nodes_of);
  std::vector<bool> repeated(cells.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i)
    repeated[order[i]] = nodes_of(order[i]) == nodes_of(order[i - 1]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!repeated[i]) cells[kept++] = cells[i];
  cells.resize(kept);
}

void MeshBuilder::drop_unused_nodes() {
  new_index_.assign(file_.nodes.size(), -1);
  for (const Cell& cell : mesh_.cells)
    for (int i = 0; i < node_count(cell.kind); ++i) new_index_[cell.nodes[i]] = 0;
  for (std::size_t i = 0; i < file_.nodes.size(); ++i) {
    if (new_index_[i] < 0) continue;
    new_index_[i] = static_cast<int>(mesh_.nodes.size());
    mesh_.nodes.push_back(file_.nodes[i]);
    mesh_.node_numbers.push_back(file_.node_numbers[i]);
  }
  for (Cell& cell : mesh_.cells)
    for (int i = 0; i < node_count(cell.kind); ++i) cell.nodes[i] = new_index_[cell.nodes[i]];
}

std::string MeshBuilder::group_name(const GmshTag& group) const {
  const auto found = file_.group_names.find(group);
  return found == file_.group_names.end() ? std::to_string(group.number) : found->second;
}

void MeshBuilder::add_sets() {
  std::map<GmshTag, std::vector<int>> members;
  for (const GmshElement& element : file_.elements) {
    for (const long number : groups(element)) {
      std::vector<int>& group = members[{element.entity.dimension, number}];
      for (const int node : nodes(element))
        if (new_index_[node] >= 0) group.push_back(new_index_[node]);
    }
  }
  std::map<std::string, std::set<int>> dimensions;  // of a name
  for (const auto& [group, unused] : members) dimensions[group_name(group)].insert(group.dimension);

  std::map<std::string, std::vector<int>> sets;
  for (const auto& [group, list] : members) {
    std::string name = group_name(group);
    if (dimensions[name].size() > 1)
      name = fmt::format("{}_{}", dimension_names[group.dimension], name);
    std::vector<int>& set = sets[name];
    set.insert(set.end(), list.begin(), list.end());
  }
  std::vector<int> all(mesh_.nodes.size());
  std::iota(all.begin(), all.end(), 0);
  sets.try_emplace("all", std::move(all));

  for (auto& [name, list] : sets) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (!list.empty()) mesh_.sets.push_back({name, std::move(list)});
  }
}

std::string file_text(const std::filesystem::path& path) {
  const auto fail = [](int error) {
    return MeshError(fmt::format("cannot be read: {}", std::strerror(error)));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw fail(EISDIR);
  // A device or a pipe may never end.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw MeshError("cannot be read: it is no file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(errno);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw fail(errno);
  return text;
}

}  // namespace

Mesh read_gmsh(std::string_view text) {
  GmshInput input(text);
  const GmshFile file = io::parse_gmsh(input);
  return MeshBuilder(file, input).build();
}

Mesh read_gmsh_file(const std::filesystem::path& path, std::string_view name) {
  try {
    return read_gmsh(file_text(path));
  } catch (const MeshError& error) {
    throw MeshError(
        fmt::format("{}: {}", name.empty() ? path.string() : std::string(name), error.what()));
  }
}

}  // namespace saltus
