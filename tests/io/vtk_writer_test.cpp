// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace saltus {
namespace vtk_writer_test {

/// The block of an array, found as a reader does: by the offset that its element gives.
template <class T>
std::vector<T> block(const std::string& bytes, const std::string& name) {
  const std::size_t element = bytes.find("Name=\"" + name + "\"");
  const std::string key = "offset=\"";
  const std::size_t offset = bytes.find(key, element) + key.size();
  const std::size_t data = bytes.find("\n_", bytes.find("<AppendedData")) + 2;
  const char* at = bytes.data() + data + std::stoul(bytes.substr(offset));
  std::uint64_t size = 0;
  std::memcpy(&size, at, sizeof(size));
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), at + sizeof(size), size);
  return values;
}

/// A line and a triangle on three points.
io::VtkGrid two_cells() {
  io::VtkGrid grid;
  grid.points = {{0, 0, 0}, {0.1, 0, 0}, {0, 1.0 / 3, 1e-300}};
  grid.add_cell(io::VtkCell::Line, {0, 1});
  grid.add_cell(io::VtkCell::Triangle, {0, 1, 2});
  return grid;
}

TEST(VtkWriter, NumbersAreThereBitByBit) {
  io::VtkGrid grid = two_cells();
  grid.point_data = {{.name = "gap", .values = {0.1, -0.0, std::nan("")}}};
  grid.cell_data = {{.name = "status", .type = io::VtkArray::Type::Whole, .values = {2, -1}},
                    {.name = "velocity",
                     .components = 3,
                     .type = io::VtkArray::Type::Single,
                     .values = {1, 2, 3, 4, 5, 0.1}}};
  const std::string bytes = io::vtu_bytes(grid, 0);
  EXPECT_EQ(block<double>(bytes, "Points"),
            (std::vector<double>{0, 0, 0, 0.1, 0, 0, 0, 1.0 / 3, 1e-300}));
  const std::vector<double> gap = block<double>(bytes, "gap");
  ASSERT_EQ(gap.size(), 3U);
  EXPECT_EQ(gap[0], 0.1);
  EXPECT_TRUE(std::signbit(gap[1]));
  EXPECT_TRUE(std::isnan(gap[2]));
  EXPECT_EQ(block<std::int32_t>(bytes, "status"), (std::vector<std::int32_t>{2, -1}));
  EXPECT_EQ(block<float>(bytes, "velocity"), (std::vector<float>{1, 2, 3, 4, 5, 0.1F}));
}

TEST(VtkWriter, CellsAreGivenByTheirEnds) {
  const std::string bytes = io::vtu_bytes(two_cells(), 0);
  EXPECT_NE(bytes.find("<Piece NumberOfPoints=\"3\" NumberOfCells=\"2\">"), std::string::npos);
  EXPECT_EQ(block<std::int32_t>(bytes, "connectivity"), (std::vector<std::int32_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(block<std::int32_t>(bytes, "offsets"), (std::vector<std::int32_t>{2, 5}));
  EXPECT_EQ(block<std::uint8_t>(bytes, "types"), (std::vector<std::uint8_t>{3, 5}));
}

TEST(VtkWriter, TextsAreGivenByTheirBytes) {
  io::VtkGrid grid = two_cells();
  grid.texts = {{.name = "body_names", .values = {"a<", "", "é"}}};
  EXPECT_NE(io::vtu_bytes(grid, 0).find("NumberOfTuples=\"3\" format=\"ascii\">97 60 0 0 195 169 0 "
                                        "</Array>"),
            std::string::npos);
}

TEST(VtkWriter, TimesAreWrittenToTheLastBit) {
  const double t = 0.1 + 0.2;
  const std::vector<io::VtkInstant> instants = {{0, "a/0.vtu"}, {t, "a/1.vtu"}};
  const std::string text = io::pvd_text(instants);
  EXPECT_NE(text.find("timestep=\"0.30000000000000004\" part=\"0\" file=\"a/1.vtu\""),
            std::string::npos);
  EXPECT_LT(text.find("a/0.vtu"), text.find("a/1.vtu"));
  EXPECT_NE(io::vtu_bytes(two_cells(), t).find(">0.30000000000000004</DataArray>"),
            std::string::npos);
}

}  // namespace vtk_writer_test
}  // namespace saltus
