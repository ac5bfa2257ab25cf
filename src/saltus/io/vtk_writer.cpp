// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_writer.hpp"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <utility>

#include "saltus/core/assert.hpp"

namespace saltus::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the files say that they are so");

/// What comes after the XML: blocks of numbers, each with its size in bytes before it.
class AppendedData {
 public:
  /// Where the block begins that is added.
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t at = bytes_.size();
    const std::uint64_t size = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes_.append(reinterpret_cast<const char*>(values.data()), size);
    return at;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

template <class T>
std::vector<T> converted(const std::vector<double>& values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const double x : values) result.push_back(static_cast<T>(x));
  return result;
}

class GridText {
 public:
  std::string of(const VtkGrid& grid, double time) {
    put("<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    put_field_data(grid, time);
    put(fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", grid.points.size(),
                    grid.cells.size()));
    put_data("PointData", grid.point_data, grid.points.size());
    put_data("CellData", grid.cell_data, grid.cells.size());
    put_points(grid.points);
    put("<Cells>\n");
    put_array("Int32", "connectivity", 1, data_.add(grid.connectivity));
    put_array("Int32", "offsets", 1, data_.add(grid.offsets));
    put_array("UInt8", "types", 1, data_.add(grid.cells));
    put("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    put(data_.bytes());
    put("\n</AppendedData>\n</VTKFile>\n");
    return std::move(text_);
  }

 private:
  void put(std::string_view text) { text_ += text; }

  void put_array(const char* type, const std::string& name, int components, std::size_t at) {
    put(
        fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                    "format=\"appended\" offset=\"{}\"/>\n",
                    type, name, components, at));
  }

  /// Texts are given by the numbers of their bytes, a zero after each.
  void put_field_data(const VtkGrid& grid, double time) {
    put(
        fmt::format("<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                    "NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
                    time));
    for (const VtkTexts& texts : grid.texts) {
      put(
          fmt::format("<Array type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" "
                      "format=\"ascii\">",
                      texts.name, texts.values.size()));
      for (const std::string& value : texts.values) {
        for (const char c : value) put(fmt::format("{} ", static_cast<unsigned char>(c)));
        put("0 ");
      }
      put("</Array>\n");
    }
    put("</FieldData>\n");
  }

  void put_data(const char* element, const std::vector<VtkArray>& arrays,
                [[maybe_unused]] std::size_t count) {
    put(fmt::format("<{}>\n", element));
    for (const VtkArray& array : arrays) {
      SALTUS_ASSERT(array.values.size() == count * static_cast<std::size_t>(array.components));
      put_values(array);
    }
    put(fmt::format("</{}>\n", element));
  }

  void put_values(const VtkArray& array) {
    switch (array.type) {
      case VtkArray::Type::Double:
        return put_array("Float64", array.name, array.components, data_.add(array.values));
      case VtkArray::Type::Single:
        return put_array("Float32", array.name, array.components,
                         data_.add(converted<float>(array.values)));
      case VtkArray::Type::Whole:
        return put_array("Int32", array.name, array.components,
                         data_.add(converted<std::int32_t>(array.values)));
    }
  }

  void put_points(const std::vector<Vector3>& points) {
    std::vector<double> values;
    values.reserve(3 * points.size());
    for (const Vector3& x : points) values.insert(values.end(), {x.x(), x.y(), x.z()});
    put("<Points>\n");
    put_array("Float64", "Points", 3, data_.add(values));
    put("</Points>\n");
  }

  std::string text_;
  AppendedData data_;
};

}  // namespace

void VtkGrid::add_cell(VtkCell cell, std::span<const std::int32_t> nodes) {
  connectivity.insert(connectivity.end(), nodes.begin(), nodes.end());
  offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
  cells.push_back(cell);
}

std::string vtu_bytes(const VtkGrid& grid, double time) { return GridText().of(grid, time); }

std::string pvd_text(std::span<const VtkInstant> instants) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const VtkInstant& instant : instants) {
    fmt::format_to(std::back_inserter(text), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                   instant.time, instant.file);
  }
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace saltus::io
