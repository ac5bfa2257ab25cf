// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/gmsh_reader.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <span>

#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace gmsh_reader_test {

namespace fs = std::filesystem;

const fs::path meshes = fs::path(SALTUS_SOURCE_DIR) / "tests/meshes";
const fs::path wedge = fs::path(SALTUS_SOURCE_DIR) / "examples/meshes/wedge.msh";

const std::vector<std::string> formats = {"22", "22_binary", "41", "41_binary"};
const std::vector<std::string> kinds = {"tet4", "tet10", "hex8"};

Mesh box(const std::string& kind, const std::string& format) {
  return read_gmsh_file(meshes / ("box_" + kind + "_" + format + ".msh"));
}

std::string message(std::string_view text) {
  try {
    read_gmsh(text);
  } catch (const MeshError& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& old, const std::string& replacement) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), replacement);
}

/// The unit tetrahedron with one named face, one without a name, and a point that no cell uses.
const std::string tet_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 4 "the base"
3 1 "body"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
99 9 9 9
30 0 1 0
40 0 0 1
$EndNodes
$Elements
4
1 15 2 3 1 99
2 2 2 4 1 10 20 30
3 2 2 7 2 10 20 40
4 4 2 1 1 10 20 30 40
$EndElements
)";

const std::string tet_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 4 "the base"
3 1 "body"
$EndPhysicalNames
$Entities
1 0 2 1
1 9 9 9 1 3
1 0 0 0 1 1 0 1 -4 0
2 0 0 0 1 0 1 1 7 0
1 0 0 0 1 1 1 1 1 2 1 -2
$EndEntities
$Nodes
2 5 10 99
2 1 0 2
10
20
0 0 0
1 0 0
3 1 0 3
99
30
40
9 9 9
0 1 0
0 0 1
$EndNodes
$Elements
4 4 1 4
0 1 15 1
1 99
2 1 2 1
2 10 20 30
2 2 2 1
3 10 20 40
3 1 4 1
4 10 20 30 40
$EndElements
)";

using Sets = std::map<std::string, std::vector<int>>;

Sets sets_of(const Mesh& mesh) {
  Sets sets;
  for (const NodeSet& set : mesh.sets) {
    EXPECT_TRUE(sets.emplace(set.name, set.nodes).second) << set.name << " twice";
    EXPECT_TRUE(std::ranges::is_sorted(set.nodes));
    EXPECT_EQ(std::ranges::adjacent_find(set.nodes), set.nodes.end());
  }
  return sets;
}

/// ∮x·n dA / 3 over the boundary, for flat faces.
double volume(const Mesh& mesh) {
  double flux = 0;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    const auto x = [&](int i) { return mesh.nodes[face.nodes[i]]; };
    flux += x(0).dot(x(1).cross(x(2))) / 2;
    if (face.count == 4) flux += x(0).dot(x(2).cross(x(3))) / 2;
  }
  return flux / 3;
}

Vector3 centre(const Mesh& mesh, const std::string& set_name) {
  const NodeSet& set = *mesh.find_set(set_name);
  const std::vector<double> shares = surface_shares(mesh, set);
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 0; i < shares.size(); ++i) sum += shares[i] * mesh.nodes[set.nodes[i]];
  return sum;
}

void expect_same(const Mesh& a, const Mesh& b, double tolerance) {
  EXPECT_EQ(a.node_numbers, b.node_numbers);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    EXPECT_LE((a.nodes[i] - b.nodes[i]).norm(), tolerance);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    EXPECT_EQ(a.cells[i].kind, b.cells[i].kind);
    EXPECT_EQ(a.cells[i].nodes, b.cells[i].nodes);
    EXPECT_EQ(a.cells[i].number, b.cells[i].number);
  }
  EXPECT_EQ(sets_of(a), sets_of(b));
}

TEST(GmshReader, ReadsTheSameMeshFromEveryFormat) {
  for (const std::string& kind : kinds) {
    const Mesh first = box(kind, "22");
    // Text has 16 digits, binary all of them.
    for (const std::string& format : formats) expect_same(first, box(kind, format), 1e-15);
  }
  expect_same(read_gmsh_file(wedge), read_gmsh_file(meshes / "wedge_22.msh"), 1e-15);
}

TEST(GmshReader, BoxesHaveTheirVolumeAndGoodCells) {
  for (const std::string& kind : kinds) {
    const Mesh mesh = box(kind, "41");
    EXPECT_NEAR(volume(mesh), 1 * 0.6 * 0.4, 1e-12) << kind;
    EXPECT_TRUE(bad_cells(mesh).empty()) << kind;
    EXPECT_EQ(mesh.cells[0].kind, kind == "tet4"    ? CellKind::Tet4
                                  : kind == "tet10" ? CellKind::Tet10
                                                    : CellKind::Hex8);
  }
  EXPECT_EQ(box("hex8", "41").nodes.size(), 4u * 3 * 3);
  EXPECT_EQ(box("hex8", "41").cells.size(), 3u * 2 * 2);
}

TEST(GmshReader, GroupsOfEveryDimensionBecomeSets) {
  for (const std::string& kind : kinds) {
    const Mesh mesh = box(kind, "41_binary");
    std::vector<std::string> names;
    for (const auto& [name, nodes] : sets_of(mesh)) names.push_back(name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"7", "all", "body", "corner", "edge", "z_max", "z_min"}));
    EXPECT_EQ(mesh.find_set("all")->nodes.size(), mesh.nodes.size());
    EXPECT_EQ(mesh.find_set("body")->nodes.size(), mesh.nodes.size());
    EXPECT_EQ(mesh.find_set("corner")->nodes.size(), 1u);
    EXPECT_LE((centre(mesh, "corner") - Vector3(0, 0, 0)).norm(), 1e-15);
    EXPECT_LE((centre(mesh, "z_min") - Vector3(0.5, 0.3, 0)).norm(), 1e-12);
    EXPECT_LE((centre(mesh, "z_max") - Vector3(0.5, 0.3, 0.4)).norm(), 1e-12);
    EXPECT_LE((centre(mesh, "7") - Vector3(0.5, 0, 0.2)).norm(), 1e-12);
    for (const int node : mesh.find_set("edge")->nodes)
      EXPECT_LE(mesh.nodes[node].tail<2>().norm(), 1e-15);
  }
}

TEST(GmshReader, MiddleNodesAreTurnedIntoOurOrder) {
  constexpr std::array<std::array<int, 2>, 6> edges = {
      {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  for (const Mesh& mesh : {box("tet10", "22"), box("tet10", "41"), read_gmsh_file(wedge)}) {
    for (const Cell& cell : mesh.cells) {
      for (int e = 0; e < 6; ++e) {
        const Vector3 a = mesh.nodes[cell.nodes[edges[e][0]]];
        const Vector3 b = mesh.nodes[cell.nodes[edges[e][1]]];
        EXPECT_LE((mesh.nodes[cell.nodes[4 + e]] - (a + b) / 2).norm(), 1e-10);
      }
    }
  }
}

TEST(GmshReader, WedgeIsADoorstop) {
  const Mesh mesh = read_gmsh_file(wedge);
  EXPECT_TRUE(bad_cells(mesh).empty());
  EXPECT_NEAR(volume(mesh), 0.2 * 0.1 * (0.08 + 0.02) / 2, 1e-12);
  EXPECT_LE((centre(mesh, "bottom") - Vector3(0.1, 0.05, 0)).norm(), 1e-10);
  EXPECT_LE((centre(mesh, "top") - Vector3(0.1, 0.05, 0.05)).norm(), 1e-10);
  EXPECT_LE((centre(mesh, "front") - Vector3(0, 0.05, 0.04)).norm(), 1e-10);
  EXPECT_EQ(mesh.find_set("body")->nodes, mesh.find_set("all")->nodes);
}

TEST(GmshReader, KeepsTheFilesOrderAndNumbersAndDropsUnusedNodes) {
  for (const std::string& text : {tet_22, tet_41}) {
    const Mesh mesh = read_gmsh(text);
    EXPECT_EQ(mesh.node_numbers, (std::vector<long>{10, 20, 30, 40}));
    EXPECT_EQ(mesh.nodes[2], Vector3(0, 1, 0));
    ASSERT_EQ(mesh.cells.size(), 1u);
    EXPECT_EQ(mesh.cells[0].number, 4);
    EXPECT_EQ(mesh.cells[0].nodes, (std::array<int, 10>{0, 1, 2, 3}));
    EXPECT_EQ(sets_of(mesh), (Sets{{"the base", {0, 1, 2}},
                                   {"7", {0, 1, 3}},
                                   {"body", {0, 1, 2, 3}},
                                   {"all", {0, 1, 2, 3}}}));
  }
}

TEST(GmshReader, ReadsLinesThatEndAsInDos) {
  std::string text;
  for (const char c : tet_41) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_same(read_gmsh(text), read_gmsh(tet_41), 0);
}

TEST(GmshReader, SkipsOtherSections) {
  const std::string comments = "$Comments\nby hand $Nodes\n$EndComments\n";
  const std::string data = "\n$NodeData\n1\n\"a view\"\n0\n$EndNodeData\n";
  expect_same(read_gmsh(comments + tet_22 + data), read_gmsh(tet_22), 0);
}

TEST(GmshReader, ParametersOfNodesAreSkipped) {
  std::string text = replaced(tet_41, "2 1 0 2\n", "2 1 1 2\n");
  text = replaced(text, "0 0 0\n1 0 0\n3 1", "0 0 0 0.5 0.25\n1 0 0 0.5 0.75\n3 1");
  expect_same(read_gmsh(text), read_gmsh(tet_41), 0);
}

TEST(GmshReader, GroupNamedAllStandsForItself) {
  const Mesh mesh = read_gmsh(replaced(tet_22, "the base", "all"));
  EXPECT_EQ(mesh.find_set("all")->nodes, (std::vector<int>{0, 1, 2}));
}

TEST(GmshReader, NamesOfSeveralDimensionsSayTheDimension) {
  EXPECT_EQ(sets_of(read_gmsh(replaced(tet_22, "the base", "body"))),
            (Sets{{"surface_body", {0, 1, 2}},
                  {"volume_body", {0, 1, 2, 3}},
                  {"7", {0, 1, 3}},
                  {"all", {0, 1, 2, 3}}}));
}

TEST(GmshReader, GroupsOfOneNameAndDimensionAreOneSet) {
  const std::string text = replaced(tet_22, "2\n2 4", "3\n2 7 \"the base\"\n2 4");
  EXPECT_EQ(read_gmsh(text).find_set("the base")->nodes, (std::vector<int>{0, 1, 2, 3}));
}

TEST(GmshReader, ElementsThatAreRepeatedForTheirGroupsAreOneCell) {
  std::string text = replaced(tet_22, "$Elements\n4", "$Elements\n5");
  text = replaced(text, "$EndElements", "5 4 2 8 1 10 20 30 40\n$EndElements");
  const Mesh mesh = read_gmsh(text);
  EXPECT_EQ(mesh.cells.size(), 1u);
  EXPECT_EQ(mesh.cells[0].number, 4);
  EXPECT_EQ(mesh.find_set("8")->nodes.size(), 4u);
}

TEST(GmshReader, OnlyPhysicalVolumesCountIfThereAreAny) {
  std::string text = replaced(tet_22, "$Elements\n4", "$Elements\n5");
  // Another tetrahedron, or a type that Saltus does not know, outside of the groups.
  for (const char* element : {"5 4 2 0 2 20 30 40 99", "5 7 2 0 2 10 20 30 40 99"}) {
    const Mesh mesh =
        read_gmsh(replaced(text, "$EndElements", std::string(element) + "\n$EndElements"));
    EXPECT_EQ(mesh.cells.size(), 1u);
    EXPECT_EQ(mesh.nodes.size(), 4u);
  }
}

TEST(GmshReader, AllVolumesCountIfNoneIsPhysical) {
  std::string text = replaced(tet_22, "$Elements\n4", "$Elements\n5");
  text = replaced(text, "4 4 2 1 1 10", "4 4 2 0 1 10");
  text = replaced(text, "$EndElements", "5 4 2 0 2 20 30 40 99\n$EndElements");
  const Mesh mesh = read_gmsh(text);
  EXPECT_EQ(mesh.cells.size(), 2u);
  EXPECT_EQ(mesh.nodes.size(), 5u);
  EXPECT_EQ(mesh.find_set("3")->nodes, (std::vector<int>{2}));
}

TEST(GmshReader, InvertedCellsAreLeftToTheCheck) {
  const Mesh mesh = read_gmsh(replaced(tet_22, "1 1 10 20 30 40", "1 1 20 10 30 40"));
  const std::vector<BadCell> bad = bad_cells(mesh);
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_TRUE(bad[0].reason.starts_with("is inverted")) << bad[0].reason;
  const Mesh twice = read_gmsh(replaced(tet_22, "1 1 10 20 30 40", "1 1 10 20 30 30"));
  EXPECT_EQ(bad_cells(twice).at(0).reason, "uses node 30 twice");
}

TEST(GmshReader, RefusesOtherFiles) {
  EXPECT_EQ(message(""), "is empty, not a mesh file of Gmsh");
  EXPECT_EQ(message("solid cube\n"),
            "is not a mesh file of Gmsh: it does not begin with $MeshFormat");
  const std::string remedy =
      ": Saltus reads 2.2 and 4.1; convert it, e.g. `gmsh old.msh -save -format msh41 -o new.msh`";
  EXPECT_EQ(message("$NOD\n1\n1 0 0 0\n$ENDNOD\n"), "has the format MSH 1" + remedy);
  EXPECT_EQ(message(replaced(tet_41, "4.1", "4")), "has the format MSH 4" + remedy);
  EXPECT_EQ(message(replaced(tet_22, "2.2", "3.5")), "has the format MSH 3.5" + remedy);
  EXPECT_EQ(message(replaced(tet_22, "2.2 0", "2.2 2")), "line 2: expected 0 (text) or 1 (binary)");
}

TEST(GmshReader, RefusesBinaryFilesOfOtherMachines) {
  const std::string text = text_of(meshes / "box_tet4_41_binary.msh");
  EXPECT_EQ(message(replaced(text, "4.1 1 8", "4.1 1 4")),
            "line 2: numbers have 4 bytes: Saltus reads 8");
  const std::string one("\1\0\0\0", 4), other("\0\0\0\1", 4);
  EXPECT_EQ(message(replaced(text, one, other)),
            "byte 25: the order of bytes is not this machine's: write the mesh as text");
}

TEST(GmshReader, RefusesVolumeElementsThatSaltusDoesNotKnow) {
  const std::string known = ": Saltus knows tetrahedra with 4 or 10 nodes and hexahedra with 8";
  const auto with_type = [](const std::string& type, int count) {
    std::string element = "4 " + type + " 2 1 1";
    for (int i = 0; i < count; ++i) element += " 10";
    return message(replaced(tet_22, "4 4 2 1 1 10 20 30 40", element));
  };
  EXPECT_EQ(with_type("6", 6), "line 22: element 4 is a 6-node prism (Gmsh type 6)" + known);
  EXPECT_EQ(with_type("7", 5), "line 22: element 4 is a 5-node pyramid (Gmsh type 7)" + known);
  EXPECT_EQ(with_type("17", 20),
            "line 22: element 4 is a 20-node hexahedron (Gmsh type 17)" + known);
  EXPECT_EQ(with_type("12", 27),
            "line 22: element 4 is a 27-node hexahedron (Gmsh type 12)" + known);
  EXPECT_EQ(with_type("13", 18), "line 22: element 4 is an 18-node prism (Gmsh type 13)" + known);
  EXPECT_EQ(with_type("29", 20),
            "line 22: element 4 is a 20-node tetrahedron (Gmsh type 29)" + known);
  EXPECT_EQ(with_type("150", 3), "line 22: type 150 of elements is unknown to Saltus");
  EXPECT_EQ(message(replaced(tet_41, "3 1 4 1\n4 10 20 30 40", "3 1 7 1\n4 10 20 30 40 99")),
            "line 40: element 4 is a 5-node pyramid (Gmsh type 7)" + known);
}

TEST(GmshReader, RefusesMeshesWithoutVolumes) {
  const std::string remedy =
      ": mesh in 3-D, e.g. `gmsh -3`, and put the body into a physical volume, e.g. Physical "
      "Volume(\"body\") = {1};";
  std::string text = replaced(tet_22, "$Elements\n4", "$Elements\n3");
  text = replaced(text, "4 4 2 1 1 10 20 30 40\n", "");
  EXPECT_EQ(message(text), "has no volume cells, only surfaces" + remedy);
  text = text.substr(0, text.find("$Elements")) + "$Elements\n0\n$EndElements\n";
  EXPECT_EQ(message(text), "has no volume cells, only nodes" + remedy);
}

TEST(GmshReader, RefusesMeshesWithoutPhysicalGroups) {
  std::string text = tet_41.substr(0, tet_41.find("$PhysicalNames")) +
                     tet_41.substr(tet_41.find("$Nodes"));  // no entities either
  EXPECT_EQ(message(text),
            "has no physical groups: name the body and the faces that the model refers to, e.g. "
            "Physical Volume(\"body\") = {1};");
  text = tet_41.substr(0, tet_41.find("$Entities")) + tet_41.substr(tet_41.find("$Nodes"));
  EXPECT_EQ(message(text),
            "names physical groups, but no element belongs to one: write it in format 4.1, or with "
            "Mesh.SaveAll = 0;");
}

TEST(GmshReader, RefusesPartitionsAndOldParameters) {
  EXPECT_EQ(message(replaced(tet_41, "$Nodes", "$PartitionedEntities")),
            "is cut into partitions: write the mesh in one piece");
  EXPECT_EQ(message(replaced(tet_22, "$Nodes", "$ParametricNodes")),
            "has nodes with parameters: write it with Mesh.SaveParametric = 0;");
}

TEST(GmshReader, SaysWhereNumbersAreWrong) {
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "20 1 0 zero")),
            "line 12: expected a coordinate, got \"zero\"");
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "20 1 0")),
            "line 12: expected a coordinate, but the line ends");
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "20 1 0 0 0")),
            "line 12: expected the end of the line, got \"0\"");
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "20 1 nan 0")),
            "line 12: a coordinate of node 20 is nan");
  EXPECT_EQ(message(replaced(tet_41, "\n1 0 0\n", "\n1 -inf 0\n")),
            "line 22: a coordinate of node 20 is -inf");
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "20 1e999 0 0")),
            "line 12: expected a coordinate, got \"1e999\"");
  EXPECT_EQ(message(replaced(tet_22, "1 1 10 20 30 40", "1 1 10 20 30")),
            "line 22: expected the number of a node, but the line ends");
  EXPECT_EQ(message(replaced(tet_22, "3 1 \"body\"", "3 1 body")),
            "line 7: expected the name of a physical group in quotation marks");
}

TEST(GmshReader, RefusesNodesThatAreMissingOrTwice) {
  EXPECT_EQ(message(replaced(tet_22, "10 20 30 40", "10 20 31 40")),
            "line 22: element 4 uses node 31, which does not exist");
  EXPECT_EQ(message(replaced(tet_41, "4 10 20 30 40", "4 10 20 0 40")),
            "line 40: element 4 uses node 0, which does not exist");
  EXPECT_EQ(message(replaced(tet_22, "20 1 0 0", "10 1 0 0")), "defines node 10 twice");
}

TEST(GmshReader, RefusesCountsThatDoNotFit) {
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\n4")),
            "line 15: expected $EndNodes, got \"40 0 0 1\"");
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\n6")),
            "line 16: expected the number of a node, got \"$EndNodes\"");
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\n-5")),
            "line 10: the number of nodes is negative");
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\nfive")),
            "line 10: expected the number of nodes, got \"five\"");
  EXPECT_EQ(message(replaced(tet_41, "2 5 10 99", "2 6 10 99")),
            "line 29: 6 nodes are announced, but there are 5");
  EXPECT_EQ(message(replaced(tet_41, "4 4 1 4", "4 5 1 5")),
            "line 40: 5 elements are announced, but there are 4");
  EXPECT_EQ(message(replaced(tet_41, "3 1 4 1", "2 1 4 1")),
            "line 39: the elements have another dimension than their entity");
}

TEST(GmshReader, AbsurdCountsAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\n999999999999")),
            "line 10: the number of nodes is 999999999999, but the rest of the file is too short "
            "for them: it is not complete");
  EXPECT_EQ(message(replaced(tet_22, "$Nodes\n5", "$Nodes\n99999999999999999999")),
            "line 10: expected the number of nodes, got \"99999999999999999999\"");
  EXPECT_EQ(message(replaced(tet_41, "3 1 4 1\n", "3 1 4 4000000000\n")),
            "line 39: the number of elements is 4000000000, but the rest of the file is too short "
            "for them: it is not complete");
}

TEST(GmshReader, RefusesSectionsThatAreMissingTwiceOrOutOfPlace) {
  EXPECT_EQ(message(tet_22.substr(0, tet_22.find("$Elements"))),
            "is not complete: it has no section $Elements");
  const std::string nodes = "$Nodes\n0\n$EndNodes\n";
  EXPECT_EQ(message(tet_22 + nodes), "line 24: there is a second section $Nodes");
  EXPECT_EQ(message("$Comments\n$EndComments\n" + nodes), "line 3: $MeshFormat must come first");
  EXPECT_EQ(message(replaced(tet_22, "$Elements", "Elements")),
            "line 17: expected a section such as $Nodes, got \"Elements\"");
}

TEST(GmshReader, NamesTheFileAndWhyItCannotBeRead) {
  const TemporaryDirectory directory;
  const auto message_of = [](const fs::path& path) -> std::string {
    try {
      read_gmsh_file(path);
    } catch (const MeshError& error) {
      return error.what();
    }
    return "no error";
  };
  const fs::path path = directory / "part.msh";
  EXPECT_EQ(message_of(path), path.string() + ": cannot be read: No such file or directory");
  fs::create_directory(path);
  EXPECT_EQ(message_of(path), path.string() + ": cannot be read: Is a directory");
  fs::remove(path);
  std::ofstream(path) << "";
  EXPECT_EQ(message_of(path), path.string() + ": is empty, not a mesh file of Gmsh");
}

/// All files that the fuzz tests spoil.
std::vector<std::string> valid_texts() {
  std::vector<std::string> texts = {tet_22, tet_41};
  for (const std::string& kind : kinds)
    for (const std::string& format : formats)
      texts.push_back(text_of(meshes / ("box_" + kind + "_" + format + ".msh")));
  return texts;
}

TEST(GmshReader, TruncatedFilesAreRefused) {
  for (const std::string& text : valid_texts()) {
    const std::string whole = text.substr(0, text.find_last_not_of('\n') + 1);
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 400)
      EXPECT_NE(message(std::string_view(whole).substr(0, length)), "no error") << length;
    EXPECT_EQ(message(whole), "no error");
  }
  EXPECT_EQ(message(tet_22.substr(0, tet_22.find("40 0 0 1"))),
            "line 15: the file ends within $Nodes: it is not complete");
  EXPECT_EQ(message(tet_22.substr(0, tet_22.size() - 3)),
            "line 23: the file ends within $Elements: it is not complete");
}

TEST(GmshReader, SpoiledBytesGiveAMeshOrAnError) {
  std::mt19937 generator(11);
  int errors = 0, good = 0;
  for (const std::string& text : valid_texts()) {
    for (int sample = 0; sample < 300; ++sample) {
      std::string spoiled = text;
      for (int i = 0; i <= sample % 3; ++i) {
        const std::size_t place = generator() % text.size();
        spoiled[place] = static_cast<char>(sample % 2 == 0 ? generator() : '0' + generator() % 10);
      }
      try {
        const Mesh mesh = read_gmsh(spoiled);
        for (const Cell& cell : mesh.cells)
          for (int i = 0; i < node_count(cell.kind); ++i)
            ASSERT_LT(std::size_t(cell.nodes[i]), mesh.nodes.size());
        for (const NodeSet& set : mesh.sets)
          for (const int node : set.nodes) ASSERT_LT(std::size_t(node), mesh.nodes.size());
        bad_cells(mesh);
        boundary_faces(mesh);
        ++good;
      } catch (const MeshError&) {
        ++errors;
      }
    }
  }
  EXPECT_GT(good, 300);
  EXPECT_GT(errors, 300);
}

}  // namespace gmsh_reader_test
}  // namespace saltus
