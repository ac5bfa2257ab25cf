// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/surface_reader.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "saltus/model/mesh_surface.hpp"

namespace saltus::surface_reader_test {
namespace {

using io::read_surface, io::SurfaceFormat, io::SurfaceMesh;

const char* const tetrahedron_stl = R"(solid part
 facet normal 0 0 -1
  outer loop
   vertex 0 0 0
   vertex 0 1 0
   vertex 1 0 0
  endloop
 endfacet
 facet normal 0 -1 0
  outer loop
   vertex 0 0 0
   vertex 1 0 0
   vertex 0 0 1.0e0
  endloop
 endfacet
 facet normal -1 0 0
  outer loop
   vertex 0 0 0
   vertex -0 0 1
   vertex 0 1 0
  endloop
 endfacet
 facet normal 1 1 1
  outer loop
   vertex 1 0 0
   vertex 0 1 0
   vertex 0 0 +1
  endloop
 endfacet
endsolid part
)";

const char* const tetrahedron_obj = R"(# a comment
mtllib part.mtl
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vn 0 0 1
f 1 3 2
f 1/1 2/1 4/1
f 1//1 4//1 3//1
f -3 -2 -1
)";

const char* const tetrahedron_ply = R"(ply
format ascii 1.0
comment made by hand
element vertex 4
property float x
property float y
property float z
property uchar red
element face 4
property list uchar int vertex_indices
end_header
0 0 0 255
1 0 0 255
0 1 0 255
0 0 1 255
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
)";

template <class Number>
std::string bytes_of(Number number, bool is_big = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  if (is_big) std::ranges::reverse(bytes);
  return {bytes.begin(), bytes.end()};
}

void expect_tetrahedron(const SurfaceMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.triangles.size(), 4U);
  const MeshShape shape{.vertices = mesh.vertices, .triangles = mesh.triangles};
  EXPECT_FALSE(flaw_of(shape));
  EXPECT_TRUE(is_convex(shape));
}

std::string message_of(std::string_view text, SurfaceFormat format) {
  try {
    (void)read_surface(text, format);
  } catch (const MeshError& error) {
    return error.what();
  }
  return "none";
}

TEST(SurfaceReader, ReadsATetrahedronInEveryTextFormat) {
  expect_tetrahedron(read_surface(tetrahedron_stl, SurfaceFormat::Stl));
  expect_tetrahedron(read_surface(tetrahedron_obj, SurfaceFormat::Obj));
  expect_tetrahedron(read_surface(tetrahedron_ply, SurfaceFormat::Ply));
}

TEST(SurfaceReader, ReadsBinaryStlThatBeginsWithTheWordSolid) {
  const SurfaceMesh mesh = read_surface(tetrahedron_stl, SurfaceFormat::Stl);
  std::string text = "solid" + std::string(75, ' ');
  text += bytes_of(std::uint32_t{4});
  for (const auto& t : mesh.triangles) {
    text += std::string(12, '\0');
    for (const int v : t) {
      for (const double c : mesh.vertices[static_cast<std::size_t>(v)]) {
        text += bytes_of(static_cast<float>(c));
      }
    }
    text += std::string(2, '\0');
  }
  expect_tetrahedron(read_surface(text, SurfaceFormat::Stl));
  text.pop_back();
  EXPECT_NE(message_of(text, SurfaceFormat::Stl), "none");
}

TEST(SurfaceReader, ReadsBinaryPlyOfBothOrdersOfBytes) {
  const SurfaceMesh mesh = read_surface(tetrahedron_obj, SurfaceFormat::Obj);
  for (const bool is_big : {false, true}) {
    std::string text = std::string("ply\nformat binary_") + (is_big ? "big" : "little") +
                       "_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\n"
                       "property double z\nelement face 4\n"
                       "property list uchar uint vertex_index\nend_header\n";
    for (const Vector3& x : mesh.vertices) {
      for (const double c : x) text += bytes_of(c, is_big);
    }
    for (const auto& t : mesh.triangles) {
      text += bytes_of(std::uint8_t{3});
      for (const int v : t) text += bytes_of(static_cast<std::uint32_t>(v), is_big);
    }
    expect_tetrahedron(read_surface(text, SurfaceFormat::Ply));
    EXPECT_NE(message_of(text.substr(0, text.size() - 1), SurfaceFormat::Ply), "none");
  }
}

TEST(SurfaceReader, PolygonsBecomeFans) {
  const SurfaceMesh mesh =
      read_surface("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nf 1 2 3 4\n", SurfaceFormat::Obj);
  EXPECT_EQ(mesh.triangles.size(), 2U);
  EXPECT_EQ(mesh.vertices.size(), 4U) << "what no face uses is left out";
}

TEST(SurfaceReader, SaysWhatIsWrongAndWhere) {
  using enum SurfaceFormat;
  EXPECT_EQ(message_of("v 0 0\n", Obj), "line 1: a number is missing, got \"\"");
  EXPECT_EQ(message_of("v 0 0 0\nf 1 2 3\n", Obj),
            "line 2: there is no vertex 2: 1 stand before this line");
  EXPECT_EQ(message_of("v 0 0 0\nf 1 1\n", Obj), "line 2: a face has three corners at least");
  EXPECT_EQ(message_of("v 0 0 nan\n", Obj), "a coordinate is not finite");
  EXPECT_EQ(message_of("solid\nvertex 0 0 x\n", Stl), "line 2: a number is missing, got \"x\"");
  EXPECT_EQ(message_of("solid\nbox\n", Stl), "line 2: \"box\" is no word of an STL file");
  EXPECT_EQ(message_of("solid part\n", Stl),
            "the STL file ends without \"endsolid\": it is not whole");
  EXPECT_TRUE(message_of("{}", Stl).starts_with("this is no STL file"));
  EXPECT_EQ(message_of("v 0", Ply), "this is no PLY file");
  EXPECT_EQ(message_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", Ply),
            "line 4: \"real\" is no type of a PLY file");
  EXPECT_EQ(
      message_of("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n", Ply),
      "the PLY file ends too soon");
}

TEST(SurfaceReader, TellsTheFile) {
  try {
    (void)io::read_surface_file("nowhere/part.stl", "part.stl");
    FAIL();
  } catch (const MeshError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("part.stl: cannot be read"));
  }
}

}  // namespace
}  // namespace saltus::surface_reader_test
