// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "saltus/io/channel_table.hpp"
#include "saltus/io/hdf5_text.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::io {
namespace {

std::vector<hsize_t> size_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), &H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(rank, 0)));
  if (!size.empty()) H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return size;
}

/// Whether the numbers of a dataset lie in this file as they are: neither in others nor packed.
bool lies_here(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), &H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation);
  return H5Pget_external_count(creation) == 0 && H5Pget_nfilters(creation) == 0 &&
         (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED);
}

/// Whether the members of a compound type lie within it: HDF5 1.10 does not ask.
bool is_sound(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND) return true;
  const std::size_t size = H5Tget_size(type);
  for (int i = 0; i < H5Tget_nmembers(type); ++i) {
    const auto member = static_cast<unsigned>(i);
    const Hdf5Handle part(H5Tget_member_type(type, member), &H5Tclose);
    const std::size_t begin = H5Tget_member_offset(type, member), length = H5Tget_size(part);
    if (part < 0 || begin > size || length > size - begin) return false;
  }
  return true;
}

/// What a cell with so many nodes is.
std::optional<CellKind> kind_with(int nodes) {
  for (const CellKind kind : {CellKind::Tet4, CellKind::Hex8, CellKind::Tet10}) {
    if (node_count(kind) == nodes) return kind;
  }
  return {};
}

bool is_index(double value, std::size_t size) {
  return value >= 0 && value < static_cast<double>(size) && value == std::floor(value);
}

/// Texts of one length, padded with zeros, one after the other.
std::vector<std::string> cut(const std::string& padded, std::size_t length) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; length > 0 && at < padded.size(); at += length) {
    const std::string text = padded.substr(at, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

/// A compound type with one member, by which HDF5 picks it out of the file's.
Hdf5Handle only(const char* member, hid_t type) {
  Hdf5Handle compound(H5Tcreate(H5T_COMPOUND, H5Tget_size(type)), &H5Tclose);
  H5Tinsert(compound, member, 0, type);
  return compound;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::filesystem::path path) : path_(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are told by exceptions, not printed
  file_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
  if (file_ < 0) {
    throw FileError(fmt::format("{}: cannot be read; is this a result?", path_.string()));
  }
  std::error_code error;
  bytes_ = std::filesystem::file_size(path_, error);
  const std::vector<std::string> names = texts("timeseries/columns"),
                                 units = texts("timeseries/units"),
                                 descriptions = texts("timeseries/descriptions");
  const std::vector<hsize_t> size = size_of(open("timeseries/data"));
  if (names.empty() || size.size() != 2 || size[1] != names.size() ||
      units.size() != names.size() || descriptions.size() != names.size()) {
    throw FileError(fmt::format("{}: has no time series of a Saltus run", path_.string()));
  }
  count_of(open("timeseries/data"), "timeseries/data");
  rows_ = size[0];
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns_.push_back({.name = names[i], .unit = units[i], .description = descriptions[i]});
  }
  read_meaning();
}

void Hdf5Reader::read_meaning() {
  if (!has("timeseries/owners")) {
    guess_meaning(columns_);
    return;
  }
  ChannelTable table;
  table.components = texts("timeseries/component");
  table.kind = whole_numbers("timeseries/kind");
  table.owner = whole_numbers("timeseries/owner");
  table.kinds = texts("timeseries/kinds/names");
  table.thinnings = texts("timeseries/kinds/thinning");
  table.interests = whole_numbers("timeseries/kinds/interest");
  table.owner_kinds = texts("timeseries/owners/kinds");
  table.owner_names = texts("timeseries/owners/names");
  table.owner_numbers = whole_numbers("timeseries/owners/numbers");
  try {
    table.put(columns_);
  } catch (const std::out_of_range& error) {
    throw FileError(
        fmt::format("{}: what its columns mean cannot be read: {}", path_.string(), error.what()));
  }
}

std::vector<int> Hdf5Reader::whole_numbers(const char* dataset) const {
  const Hdf5Handle data = open(dataset);
  std::vector<int> values(count_of(data, dataset));
  checked(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), dataset);
  return values;
}

hid_t Hdf5Reader::checked(hid_t result, const char* what) const {
  if (result < 0) throw FileError(fmt::format("{}: cannot read {}", path_.string(), what));
  return result;
}

Hdf5Handle Hdf5Reader::open(const char* dataset) const {
  Hdf5Handle data(checked(H5Dopen2(file_, dataset, H5P_DEFAULT), dataset), &H5Dclose);
  const Hdf5Handle type(checked(H5Dget_type(data), dataset), &H5Tclose);
  if (!lies_here(data) || !is_sound(type)) {
    throw FileError(fmt::format("{}: {} is not as Saltus writes it", path_.string(), dataset));
  }
  return data;
}

/// How many values there are. A file may say any number: it cannot hold more than its size.
std::size_t Hdf5Reader::count_of(hid_t data, const char* dataset) const {
  const Hdf5Handle type(checked(H5Dget_type(data), dataset), &H5Tclose);
  const std::size_t most = bytes_ / std::max<std::size_t>(1, H5Tget_size(type));
  std::size_t count = 1;
  for (const hsize_t n : size_of(data)) {
    if (n > 0 && count > most / n) {
      throw FileError(fmt::format("{}: is damaged: {} says that it is larger than the file",
                                  path_.string(), dataset));
    }
    count *= n;
  }
  return count;
}

bool Hdf5Reader::has(const char* dataset) const {
  return H5Lexists(file_, dataset, H5P_DEFAULT) > 0;
}

void Hdf5Reader::read_rows(std::size_t first, std::size_t count,
                           std::vector<double>& values) const {
  values.resize(count * columns_.size());
  if (count == 0) return;
  const Hdf5Handle dataset = open("timeseries/data");
  const hsize_t start[] = {first, 0}, size[] = {count, columns_.size()};
  const Hdf5Handle rows(H5Dget_space(dataset), &H5Sclose);
  checked(H5Sselect_hyperslab(rows, H5S_SELECT_SET, start, nullptr, size, nullptr), "rows");
  const Hdf5Handle memory(H5Screate_simple(2, size, nullptr), &H5Sclose);
  checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, rows, H5P_DEFAULT, values.data()), "rows");
}

std::string Hdf5Reader::text(const char* dataset) const {
  const std::vector<std::string> all = texts(dataset);
  return all.empty() ? "" : all.front();
}

std::vector<std::string> Hdf5Reader::texts(const char* dataset) const {
  const Hdf5Handle data = open(dataset);
  const Hdf5Handle type(H5Dget_type(data), &H5Tclose);
  const std::size_t length = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) checked(-1, dataset);
  std::string padded(length * count_of(data, dataset), '\0');
  checked(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), dataset);
  return cut(padded, length);
}

std::vector<double> Hdf5Reader::matrix(const char* dataset) const {
  const Hdf5Handle data = open(dataset);
  std::vector<double> values(count_of(data, dataset));
  checked(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), dataset);
  return values;
}

std::map<std::string, Mesh> Hdf5Reader::meshes() const {
  std::map<std::string, Mesh> result;
  if (!has("meshes")) return result;
  const Hdf5Handle group(checked(H5Gopen2(file_, "meshes", H5P_DEFAULT), "meshes"), &H5Gclose);
  H5G_info_t info = {};
  checked(H5Gget_info(group, &info), "meshes");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[1024] = {};
    checked(static_cast<hid_t>(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                                  sizeof(name), H5P_DEFAULT)),
            "meshes");
    result[name] = mesh(std::string("meshes/") + name);
  }
  return result;
}

Mesh Hdf5Reader::mesh(const std::string& group) const {
  Mesh mesh;
  const std::vector<double> nodes = matrix((group + "/nodes").c_str()),
                            cells = matrix((group + "/cells").c_str()),
                            set_nodes = matrix((group + "/set_nodes").c_str());
  for (std::size_t i = 0; i + 2 < nodes.size(); i += 3) {
    mesh.nodes.emplace_back(nodes[i], nodes[i + 1], nodes[i + 2]);
  }
  const auto node = [&](double value) {
    if (!is_index(value, mesh.nodes.size())) damaged(group, "a node that the mesh does not have");
    return static_cast<int>(value);
  };
  const std::size_t width = Cell{}.nodes.size();
  for (std::size_t i = 0; i + width <= cells.size(); i += width) {
    Cell cell{.number = static_cast<long>(mesh.cells.size())};
    int count = 0;
    for (std::size_t a = 0; a < width && cells[i + a] >= 0; ++a, ++count) {
      cell.nodes[a] = node(cells[i + a]);
    }
    const std::optional<CellKind> kind = kind_with(count);
    if (!kind) damaged(group, fmt::format("a cell with {} nodes", count));
    cell.kind = *kind;
    mesh.cells.push_back(cell);
  }
  for (std::string& name : texts((group + "/set_names").c_str())) mesh.sets.push_back({name});
  for (std::size_t i = 0; i + 1 < set_nodes.size(); i += 2) {
    if (!is_index(set_nodes[i], mesh.sets.size())) damaged(group, "a node of a set without name");
    mesh.sets[static_cast<std::size_t>(set_nodes[i])].nodes.push_back(node(set_nodes[i + 1]));
  }
  return mesh;
}

void Hdf5Reader::damaged(const std::string& where, std::string_view what) const {
  throw FileError(fmt::format("{}: is damaged: {} has {}", path_.string(), where, what));
}

std::vector<double> Hdf5Reader::numbers(const char* table, const char* member) const {
  const Hdf5Handle data = open(table);
  std::vector<double> values(count_of(data, table));
  if (values.empty()) return values;
  const Hdf5Handle type = only(member, H5T_NATIVE_DOUBLE);
  checked(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), member);
  return values;
}

std::vector<std::string> Hdf5Reader::words(const char* table, const char* member) const {
  const Hdf5Handle data = open(table);
  const Hdf5Handle row(H5Dget_type(data), &H5Tclose);
  const int index = H5Tget_member_index(row, member);
  checked(index, member);
  const Hdf5Handle word(H5Tget_member_type(row, static_cast<unsigned>(index)), &H5Tclose);
  if (H5Tget_class(word) != H5T_STRING || H5Tis_variable_str(word) > 0) checked(-1, member);
  const std::size_t length = H5Tget_size(word);
  std::string padded(length * count_of(data, table), '\0');
  if (padded.empty()) return {};
  const Hdf5Handle type = only(member, word);
  checked(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), member);
  return cut(padded, length);
}

}  // namespace saltus::io
