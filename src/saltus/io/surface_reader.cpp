// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace saltus::io {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20U;

[[noreturn]] void fail_at(std::size_t line, const std::string& what) {
  throw MeshError(fmt::format("line {}: {}", line, what));
}

/// Corners and triangles as the file has them.
class SurfaceBuilder {
 public:
  /// Those with the same coordinates are one.
  int vertex(Vector3 x) {
    for (double& c : x) {
      if (!std::isfinite(c)) throw MeshError("a coordinate is not finite");
      c += 0.0;  // −0 is 0
    }
    const std::array<double, 3> key = {x[0], x[1], x[2]};
    const auto [at, is_new] = known_.emplace(key, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(x);
    return at->second;
  }
  void triangle(int a, int b, int c) {
    if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
  }
  /// A polygon as a fan about its first corner.
  void polygon(const std::vector<int>& corners) {
    for (std::size_t k = 2; k < corners.size(); ++k) {
      triangle(corners[0], corners[k - 1], corners[k]);
    }
  }
  SurfaceMesh result() {
    drop_unused();
    return std::move(mesh_);
  }

 private:
  void drop_unused() {
    std::vector<int> number(mesh_.vertices.size(), -1);
    std::vector<Vector3> used;
    for (auto& t : mesh_.triangles) {
      for (int& v : t) {
        int& n = number[static_cast<std::size_t>(v)];
        if (n < 0) {
          n = static_cast<int>(used.size());
          used.push_back(mesh_.vertices[static_cast<std::size_t>(v)]);
        }
        v = n;
      }
    }
    mesh_.vertices = std::move(used);
  }

  SurfaceMesh mesh_ = {};
  std::map<std::array<double, 3>, int> known_ = {};
};

/// Words of a text, line by line.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next line; false at the end.
  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    rest_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }
  /// The next word of the line; empty at its end.
  std::string_view word() {
    constexpr std::string_view blank = " \t\r\f\v";
    const std::size_t start = std::min(rest_.find_first_not_of(blank), rest_.size());
    const std::size_t end = std::min(rest_.find_first_of(blank, start), rest_.size());
    const std::string_view found = rest_.substr(start, end - start);
    rest_ = rest_.substr(end);
    return found;
  }
  double number() {
    const std::string_view found = word();
    return parse<double>(found, "a number");
  }
  template <class Number>
  Number parse(std::string_view found, const char* what) const {
    Number value{};
    const std::string_view digits = found.starts_with('+') ? found.substr(1) : found;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end || digits.empty()) {
      fail(fmt::format("{} is missing, got \"{}\"", what, found.substr(0, 40)));
    }
    return value;
  }
  Vector3 vector() {
    Vector3 x;
    for (double& c : x) c = number();
    return x;
  }
  [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }
  std::size_t position() const { return at_; }

 private:
  std::string_view text_, rest_ = {};
  std::size_t at_ = 0, line_ = 0;
};

// ---- numbers in bytes -------------------------------------------------------------------------

template <class Number>
Number from_bytes(const char* bytes, bool is_big) {
  std::array<char, sizeof(Number)> own;
  std::memcpy(own.data(), bytes, sizeof(Number));
  if (is_big != (std::endian::native == std::endian::big)) std::ranges::reverse(own);
  return std::bit_cast<Number>(own);
}

// ---- STL --------------------------------------------------------------------------------------

constexpr std::size_t stl_header = 84, stl_triangle = 50;

SurfaceMesh read_binary_stl(std::string_view text, std::size_t count) {
  SurfaceBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    const char* bytes = text.data() + stl_header + i * stl_triangle + 12;  // after the normal
    std::array<int, 3> corners = {};
    for (int& corner : corners) {
      Vector3 x;
      for (double& c : x) {
        c = from_bytes<float>(bytes, false);
        bytes += sizeof(float);
      }
      corner = builder.vertex(x);
    }
    builder.triangle(corners[0], corners[1], corners[2]);
  }
  return builder.result();
}

SurfaceMesh read_stl_text(std::string_view text) {
  SurfaceBuilder builder;
  std::vector<int> corners;
  bool has_end = false;
  Words words(text);
  while (words.next_line()) {
    const std::string_view key = words.word();
    if (key == "vertex") {
      corners.push_back(builder.vertex(words.vector()));
    } else if (key == "endloop") {
      if (corners.size() != 3) words.fail("a facet has three vertices");
      builder.polygon(corners);
      corners.clear();
    } else if (key == "endsolid") {
      has_end = true;
    } else if (!key.empty() && key != "solid" && key != "facet" && key != "outer" &&
               key != "endfacet") {
      words.fail(fmt::format("\"{}\" is no word of an STL file", key.substr(0, 40)));
    }
  }
  if (!has_end) throw MeshError("the STL file ends without \"endsolid\": it is not whole");
  return builder.result();
}

SurfaceMesh read_stl(std::string_view text) {
  if (text.size() >= stl_header) {
    const auto count = from_bytes<std::uint32_t>(text.data() + 80, false);
    if (text.size() == stl_header + stl_triangle * std::size_t{count}) {
      return read_binary_stl(text, count);
    }
  }
  if (text.starts_with("solid")) return read_stl_text(text);
  throw MeshError(
      "this is no STL file: it neither begins with \"solid\" nor has the length that the number of "
      "its triangles asks for");
}

// ---- OBJ --------------------------------------------------------------------------------------

/// "3", "3/1", "3//2", "-1": the first number counts from 1, or from the end if it is negative.
int obj_corner(const Words& words, std::string_view word, const std::vector<int>& vertices) {
  const auto given = words.parse<long>(word.substr(0, word.find('/')), "the number of a vertex");
  const auto count = static_cast<long>(vertices.size());
  const long index = given < 0 ? count + given : given - 1;
  if (index < 0 || index >= count) {
    words.fail(fmt::format("there is no vertex {}: {} stand before this line", given, count));
  }
  return vertices[static_cast<std::size_t>(index)];
}

SurfaceMesh read_obj(std::string_view text) {
  SurfaceBuilder builder;
  std::vector<int> vertices, corners;
  Words words(text);
  while (words.next_line()) {
    const std::string_view key = words.word();
    if (key == "v") {
      vertices.push_back(builder.vertex(words.vector()));
    } else if (key == "f") {
      corners.clear();
      for (std::string_view w = words.word(); !w.empty(); w = words.word()) {
        corners.push_back(obj_corner(words, w, vertices));
      }
      if (corners.size() < 3) words.fail("a face has three corners at least");
      builder.polygon(corners);
    }
  }
  return builder.result();
}

// ---- PLY --------------------------------------------------------------------------------------

struct PlyType {
  const char* names[2];
  std::size_t size;
  double (*read)(const char*, bool);
};

template <class Number>
double as_double(const char* bytes, bool is_big) {
  return static_cast<double>(from_bytes<Number>(bytes, is_big));
}

constexpr PlyType ply_types[] = {{{"char", "int8"}, 1, as_double<std::int8_t>},
                                 {{"uchar", "uint8"}, 1, as_double<std::uint8_t>},
                                 {{"short", "int16"}, 2, as_double<std::int16_t>},
                                 {{"ushort", "uint16"}, 2, as_double<std::uint16_t>},
                                 {{"int", "int32"}, 4, as_double<std::int32_t>},
                                 {{"uint", "uint32"}, 4, as_double<std::uint32_t>},
                                 {{"float", "float32"}, 4, as_double<float>},
                                 {{"double", "float64"}, 8, as_double<double>}};

struct PlyProperty {
  std::string name = {};
  const PlyType* type = nullptr;
  const PlyType* count = nullptr;  ///< of a list
};

struct PlyElement {
  std::string name = {};
  std::size_t count = 0;
  std::vector<PlyProperty> properties = {};
};

const PlyType* ply_type(const Words& words, std::string_view name) {
  for (const PlyType& type : ply_types) {
    if (name == type.names[0] || name == type.names[1]) return &type;
  }
  words.fail(fmt::format("\"{}\" is no type of a PLY file", name.substr(0, 40)));
}

class PlyReader {
 public:
  explicit PlyReader(std::string_view text) : text_(text), words_(text) {}

  SurfaceMesh read() {
    read_header();
    at_ = std::min(words_.position(), text_.size());
    for (const PlyElement& element : elements_) {
      for (std::size_t i = 0; i < element.count; ++i) read_element(element);
    }
    return builder_.result();
  }

 private:
  void read_header() {
    if (!words_.next_line() || words_.word() != "ply") throw MeshError("this is no PLY file");
    while (words_.next_line()) {
      const std::string_view key = words_.word();
      if (key == "end_header") return;
      if (key == "format") {
        read_format();
      } else if (key == "element") {
        const std::string name(words_.word());
        elements_.push_back({name, words_.parse<std::size_t>(words_.word(), "a count")});
      } else if (key == "property") {
        read_property();
      } else if (!key.empty() && key != "comment" && key != "obj_info") {
        words_.fail(fmt::format("\"{}\" is no word of a PLY header", key.substr(0, 40)));
      }
    }
    throw MeshError("the PLY file ends in its header");
  }

  void read_format() {
    const std::string_view format = words_.word();
    is_text_ = format == "ascii";
    is_big_ = format == "binary_big_endian";
    if (!is_text_ && !is_big_ && format != "binary_little_endian") {
      words_.fail(fmt::format("\"{}\" is no format of a PLY file", format.substr(0, 40)));
    }
  }

  void read_property() {
    if (elements_.empty()) words_.fail("a property stands before its element");
    PlyProperty property;
    std::string_view type = words_.word();
    if (type == "list") {
      property.count = ply_type(words_, words_.word());
      type = words_.word();
    }
    property.type = ply_type(words_, type);
    property.name = words_.word();
    elements_.back().properties.push_back(std::move(property));
  }

  double number(const PlyType& type) {
    if (is_text_) return words_.number();
    if (text_.size() - at_ < type.size) throw MeshError("the PLY file ends too soon");
    const double value = type.read(text_.data() + at_, is_big_);
    at_ += type.size;
    return value;
  }

  void read_element(const PlyElement& element) {
    if (is_text_ && !words_.next_line()) throw MeshError("the PLY file ends too soon");
    Vector3 x = Vector3::Zero();
    for (const PlyProperty& property : element.properties) {
      if (property.count != nullptr) {
        const bool is_face = element.name == "face" &&
                             (property.name == "vertex_indices" || property.name == "vertex_index");
        read_list(property, is_face);
        continue;
      }
      const double value = number(*property.type);
      if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z') {
        x[property.name[0] - 'x'] = value;
      }
    }
    if (element.name == "vertex") vertices_.push_back(builder_.vertex(x));
  }

  void read_list(const PlyProperty& property, bool is_face) {
    const double count = number(*property.count);
    if (!(count >= 0) || count > static_cast<double>(text_.size())) {
      throw MeshError("a list of the PLY file has no possible length");
    }
    std::vector<int> corners;
    for (double k = 0; k < count; ++k) {
      const double index = number(*property.type);
      if (!is_face) continue;
      if (!(index >= 0 && index < static_cast<double>(vertices_.size()))) {
        throw MeshError(fmt::format("a face has the vertex {}: there are {}, counted from 0", index,
                                    vertices_.size()));
      }
      corners.push_back(vertices_[static_cast<std::size_t>(index)]);
    }
    builder_.polygon(corners);
  }

  std::string_view text_;
  Words words_;
  SurfaceBuilder builder_ = {};
  std::vector<PlyElement> elements_ = {};
  std::vector<int> vertices_ = {};
  std::size_t at_ = 0;
  bool is_text_ = true, is_big_ = false;
};

std::optional<SurfaceFormat> format_of(const std::filesystem::path& path) {
  std::string end = path.extension().string();
  for (char& c : end) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (end == ".stl") return SurfaceFormat::Stl;
  if (end == ".obj") return SurfaceFormat::Obj;
  if (end == ".ply") return SurfaceFormat::Ply;
  return std::nullopt;
}

std::string contents_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw MeshError("cannot be read: " + error.message());
  if (size > most_bytes) {
    throw MeshError(
        fmt::format("has {} bytes, {} at most are read: make it coarser", size, most_bytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
    throw MeshError(std::string("cannot be read: ") + std::strerror(errno));
  }
  return text;
}

}  // namespace

SurfaceMesh read_surface(std::string_view text, SurfaceFormat format) {
  switch (format) {
    case SurfaceFormat::Stl:
      return read_stl(text);
    case SurfaceFormat::Obj:
      return read_obj(text);
    case SurfaceFormat::Ply:
      return PlyReader(text).read();
  }
  return {};
}

SurfaceMesh read_surface_file(const std::filesystem::path& path, std::string_view name) {
  try {
    const std::optional<SurfaceFormat> format = format_of(path);
    if (!format) throw MeshError("its name must end with .stl, .obj or .ply");
    SurfaceMesh mesh = read_surface(contents_of(path), *format);
    if (mesh.triangles.empty()) throw MeshError("has no triangles");
    return mesh;
  } catch (const MeshError& error) {
    throw MeshError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace saltus::io
