// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/hdf5_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "saltus/core/version.hpp"
#include "saltus/io/hdf5_text.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus::io {
namespace {

/// Blocks from this size on begin at a page, so that the kernel writes them as a whole.
constexpr hsize_t alignment_threshold = 1024;
/// Half the entries of a B-tree node for chunks; (24 + 2 K 40 + 32) bytes are less than a page.
constexpr unsigned chunks_per_half_node = 50;

std::filesystem::path temporary(std::filesystem::path path) { return path += ".tmp"; }

/// A list of texts as HDF5 takes it: all of one length.
struct FixedTexts {
  explicit FixedTexts(std::span<const std::string> texts) {
    std::size_t length = 1;
    for (const std::string& text : texts) length = std::max(length, text.size());
    for (const std::string& text : texts)
      (padded += text).resize(padded.size() + length - text.size());
    const hsize_t count = texts.size();
    type = text_type(length);
    space = Hdf5Handle(H5Screate_simple(1, &count, nullptr), &H5Sclose);
  }
  Hdf5Handle type, space;
  std::string padded;
};

Hdf5Handle scalar() { return {H5Screate(H5S_SCALAR), &H5Sclose}; }

}  // namespace

hid_t Hdf5Writer::checked(hid_t result, const char* what) const {
  if (bytes_.error() != 0) throw FileError(write_failure(path_, bytes_.error()));
  if (result < 0) throw FileError(fmt::format("{}: HDF5 cannot {}", path_.string(), what));
  return result;
}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& path, const ResultLayout& layout,
                       const RunOrigin& origin, std::string_view summary, Hdf5Settings settings)
    : path_(path),
      chunk_bytes_(settings.chunk_bytes),
      bytes_(temporary(path), std::move(settings.observer)),
      has_forces_(layout.has_forces),
      has_impacts_(layout.has_impacts),
      event_(event_columns, layout.longest_contact_name),
      force_(force_columns, layout.longest_contact_name),
      sample_(history_columns),
      impact_(impact_columns, layout.longest_contact_name),
      moment_(path_columns, layout.longest_contact_name) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are told by exceptions, not printed
  file_ = create_file();
  // What grows comes first: its blocks lie at the same places in every file, each inside one page,
  // whatever texts follow.
  const Hdf5Handle timeseries = create_timeseries(layout.channels.size());
  create_events();
  if (has_forces_) create_forces();
  if (has_impacts_) create_impacts();
  create_summary();
  write_columns(timeseries, layout);
  write_attribute("version", version());
  write_attribute("model", origin.model);
  write_attribute("model_hash", origin.model_hash);
  write_text(file_, "model", origin.model_text);
  write_meshes(origin.meshes);
  if (!settings.earlier.empty()) take_over(settings);
  flush(summary);
  // Only a file that can be read gets the name.
  std::error_code error;
  std::filesystem::rename(temporary(path), path, error);
  if (error) throw FileError(write_failure(path, error.value()));
}

std::array<Hdf5Table*, 6> Hdf5Writer::tables() {
  return {&timeseries_, &events_, &forces_, &histories_, &impacts_, &paths_};
}

std::array<std::uint64_t, 6> Hdf5Writer::rows() const {
  return {timeseries_.rows(), events_.rows(),  forces_.rows(),
          histories_.rows(),  impacts_.rows(), paths_.rows()};
}

void Hdf5Writer::take_over(const Hdf5Settings& settings) {
  static constexpr const char* names[] = {"timeseries/data",  "events",  "contact_forces",
                                          "impact_histories", "impacts", "impact_paths"};
  const Hdf5Handle earlier(H5Fopen(settings.earlier.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                           &H5Fclose);
  const auto all = tables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (settings.rows[i] == 0) continue;
    const Hdf5Handle dataset(H5Dopen2(earlier, names[i], H5P_DEFAULT), &H5Dclose);
    if (earlier < 0 || dataset < 0 || !all[i]->copy(dataset, settings.rows[i])) {
      throw FileError(fmt::format("{}: does not have the {} rows of {} that the checkpoint counts",
                                  settings.earlier.string(), settings.rows[i], names[i]));
    }
  }
  force_rows_ = static_cast<std::int64_t>(settings.rows[2]);
}

Hdf5Handle Hdf5Writer::create_file() {
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), &H5Pclose);
  H5Pset_istore_k(creation, chunks_per_half_node);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  H5Pset_alignment(access, alignment_threshold, page_bytes);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  use_committed_file(access, bytes_);
  return {checked(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, access), "create the file"),
          &H5Fclose};
}

Hdf5Handle Hdf5Writer::create_timeseries(std::size_t columns) {
  Hdf5Handle group = add_group(file_, "timeseries");
  timeseries_ = Hdf5Table(group, "data", Hdf5Handle(H5Tcopy(H5T_NATIVE_DOUBLE), &H5Tclose),
                          {.columns = columns, .chunk_bytes = chunk_bytes_});
  checked(timeseries_.id(), "add the time series");
  return group;
}

void Hdf5Writer::write_columns(hid_t group, const ResultLayout& layout) {
  std::vector<std::string> names, units, descriptions;
  for (const Channel& column : layout.channels) {
    names.push_back(column.name);
    units.push_back(column.unit);
    descriptions.push_back(column.description);
  }
  write_texts(group, "columns", names);
  write_texts(group, "units", units);
  write_texts(group, "descriptions", descriptions);
  write_meaning(group, layout);
}

void Hdf5Writer::write_meaning(hid_t group, const ResultLayout& layout) {
  const ChannelTable table(layout.channels);
  write_texts(group, "component", table.components);
  write_numbers(group, "kind", table.kind);
  write_numbers(group, "owner", table.owner);
  const Hdf5Handle kinds = add_group(group, "kinds");
  write_texts(kinds, "names", table.kinds);
  write_texts(kinds, "thinning", table.thinnings);
  write_numbers(kinds, "interest", table.interests);
  const Hdf5Handle owners = add_group(group, "owners");
  write_texts(owners, "kinds", table.owner_kinds);
  write_texts(owners, "names", table.owner_names);
  write_numbers(owners, "numbers", table.owner_numbers);
  write_colliders(owners, table, layout.points);
}

void Hdf5Writer::write_colliders(hid_t group, const ChannelTable& table,
                                 std::span<const PointColliders> points) {
  std::map<std::string_view, const PointColliders*> known;
  for (const PointColliders& point : points) known.emplace(point.point, &point);
  const std::string point_word = EnumNames<OwnerKind>::names[static_cast<int>(OwnerKind::Points)];
  std::vector<std::string> first(table.owner_names.size()), second(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto found = known.find(table.owner_names[i]);
    if (table.owner_kinds[i] != point_word || found == known.end()) continue;
    first[i] = found->second->first;
    second[i] = found->second->second;
  }
  write_texts(group, "first_colliders", first);
  write_texts(group, "second_colliders", second);
}

void Hdf5Writer::create_events() {
  events_ = Hdf5Table(file_, "events", event_.type(), {.chunk_bytes = chunk_bytes_});
  checked(events_.id(), "add the events");
  write_units(events_.id(), units_of(event_columns));
}

void Hdf5Writer::create_forces() {
  forces_ = Hdf5Table(file_, "contact_forces", force_.type(), {.chunk_bytes = chunk_bytes_});
  checked(forces_.id(), "add the contact forces");
  write_units(forces_.id(), units_of(force_columns));
  histories_ = Hdf5Table(file_, "impact_histories", sample_.type(), {.chunk_bytes = chunk_bytes_});
  checked(histories_.id(), "add the histories of impacts");
  write_units(histories_.id(), units_of(history_columns));
}

void Hdf5Writer::create_impacts() {
  impacts_ = Hdf5Table(file_, "impacts", impact_.type(), {.chunk_bytes = chunk_bytes_});
  checked(impacts_.id(), "add the impacts");
  write_units(impacts_.id(), units_of(impact_columns));
  paths_ = Hdf5Table(file_, "impact_paths", moment_.type(), {.chunk_bytes = chunk_bytes_});
  checked(paths_.id(), "add the paths of impacts");
  write_units(paths_.id(), units_of(path_columns));
}

void Hdf5Writer::write_units(hid_t dataset, std::span<const std::string> units) {
  const FixedTexts texts(units);
  const Hdf5Handle attribute(
      checked(H5Acreate2(dataset, "units", texts.type, texts.space, H5P_DEFAULT, H5P_DEFAULT),
              "add an attribute"),
      &H5Aclose);
  checked(H5Awrite(attribute, texts.type, texts.padded.data()), "write an attribute");
}

void Hdf5Writer::write_meshes(const std::map<std::string, Mesh>& meshes) {
  if (meshes.empty()) return;
  const Hdf5Handle all = add_group(file_, "meshes");
  for (const auto& [solid, mesh] : meshes) write_mesh(add_group(all, solid.c_str()), mesh);
}

void Hdf5Writer::write_mesh(hid_t group, const Mesh& mesh) {
  static_assert(sizeof(Vector3) == 3 * sizeof(double));
  write_matrix(group, "nodes", mesh.nodes.size(), 3, mesh.nodes.front().data());
  std::vector<int> cells, set_nodes;
  for (const Cell& cell : mesh.cells) {
    const auto count = static_cast<std::size_t>(node_count(cell.kind));
    for (std::size_t a = 0; a < cell.nodes.size(); ++a) {
      cells.push_back(a < count ? cell.nodes[a] : -1);
    }
  }
  write_matrix(group, "cells", mesh.cells.size(), Cell{}.nodes.size(), cells.data());
  std::vector<std::string> names;
  for (const NodeSet& set : mesh.sets) {
    for (const int node : set.nodes) {
      set_nodes.insert(set_nodes.end(), {static_cast<int>(names.size()), node});
    }
    names.push_back(set.name);
  }
  write_texts(group, "set_names", names);
  write_matrix(group, "set_nodes", set_nodes.size() / 2, 2, set_nodes.data());
}

void Hdf5Writer::create_summary() {
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_obj_track_times(creation, false);
  summary_ = Hdf5Handle(checked(H5Dcreate2(file_, "summary", text_type(longest_summary), scalar(),
                                           H5P_DEFAULT, creation, H5P_DEFAULT),
                                "add the summary"),
                        &H5Dclose);
}

void Hdf5Writer::write(std::span<const double> row) {
  timeseries_.put({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
  if (timeseries_.is_full()) append(timeseries_);
}

void Hdf5Writer::write(const EventRow& event) {
  put_event(event_, event);
  events_.put(event_.bytes());
  if (events_.is_full()) append(events_);
}

void Hdf5Writer::write(const ForceRow& force) {
  put_force(force_, force);
  forces_.put(force_.bytes());
  for (const ImpactSample& sample : force.history) {
    put_sample(sample_, force_rows_, sample);
    histories_.put(sample_.bytes());
  }
  ++force_rows_;
  if (forces_.is_full()) append(forces_);
  if (histories_.is_full()) append(histories_);
}

void Hdf5Writer::write(const ImpactRow& impact) {
  put_impact(impact_, impact);
  impacts_.put(impact_.bytes());
  for (const ImpactMoment& moment : impact.path) {
    put_moment(moment_, impact, moment);
    paths_.put(moment_.bytes());
  }
  if (impacts_.is_full()) append(impacts_);
  if (paths_.is_full()) append(paths_);
}

void Hdf5Writer::append(Hdf5Table& table) { checked(table.append(), "write rows"); }

void Hdf5Writer::write_summary(std::string_view text) {
  std::string padded(text.substr(0, longest_summary));
  padded.resize(longest_summary, '\0');
  checked(
      H5Dwrite(summary_, text_type(longest_summary), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
      "write the summary");
}

void Hdf5Writer::flush(std::string_view summary) {
  append(timeseries_);
  append(events_);
  if (has_forces_) {
    append(forces_);
    append(histories_);
  }
  if (has_impacts_) {
    append(impacts_);
    append(paths_);
  }
  write_summary(summary);
  checked(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush the file");
}

void Hdf5Writer::close(std::string_view summary) {
  flush(summary);
  timeseries_.close();
  events_.close();
  forces_.close();
  histories_.close();
  impacts_.close();
  paths_.close();
  summary_.reset();
  file_.reset();
  checked(0, "close the file");
}

void Hdf5Writer::write_modes(const ModeTable& table) {
  const Hdf5Handle group = add_group(file_, "modes");
  std::vector<std::string> names, units;
  for (const Channel& column : table.columns) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  write_texts(group, "columns", names);
  write_texts(group, "units", units);
  write_matrix(group, "data", table.rows(), table.columns.size(), table.values.data());
}

Hdf5Handle Hdf5Writer::add_group(hid_t location, const char* name) {
  return {checked(H5Gcreate2(location, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "add a group"),
          &H5Gclose};
}

void Hdf5Writer::write_numbers(hid_t location, const char* name, std::span<const int> values) {
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), &H5Sclose);
  const Hdf5Handle dataset(checked(H5Dcreate2(location, name, H5T_NATIVE_INT, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT),
                                   "add numbers"),
                           &H5Dclose);
  checked(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "write numbers");
}

void Hdf5Writer::write_attribute(const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(H5T_VARIABLE);  // h5py gives it as a str
  const char* const characters = text.c_str();
  const Hdf5Handle attribute(
      checked(H5Acreate2(file_, name, type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
              "add an attribute"),
      &H5Aclose);
  checked(H5Awrite(attribute, type, static_cast<const void*>(&characters)), "write an attribute");
}

void Hdf5Writer::write_text(hid_t location, const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(text.size());
  const Hdf5Handle dataset(
      checked(H5Dcreate2(location, name, type, scalar(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              "add a text"),
      &H5Dclose);
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "write a text");
}

void Hdf5Writer::write_texts(hid_t location, const char* name, std::span<const std::string> texts) {
  const FixedTexts fixed(texts);
  const Hdf5Handle dataset(checked(H5Dcreate2(location, name, fixed.type, fixed.space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT),
                                   "add texts"),
                           &H5Dclose);
  checked(H5Dwrite(dataset, fixed.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, fixed.padded.data()),
          "write texts");
}

void Hdf5Writer::write_matrix(hid_t location, const char* name, std::size_t rows,
                              std::size_t columns, const double* values) {
  write_matrix(location, name, rows, columns, H5T_NATIVE_DOUBLE, values);
}

void Hdf5Writer::write_matrix(hid_t location, const char* name, std::size_t rows,
                              std::size_t columns, const int* values) {
  write_matrix(location, name, rows, columns, H5T_NATIVE_INT, values);
}

void Hdf5Writer::write_matrix(hid_t location, const char* name, std::size_t rows,
                              std::size_t columns, hid_t type, const void* values) {
  const hsize_t size[] = {rows, columns};
  const Hdf5Handle space(H5Screate_simple(2, size, nullptr), &H5Sclose);
  const Hdf5Handle dataset(
      checked(H5Dcreate2(location, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              "add a table"),
      &H5Dclose);
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a table");
}

}  // namespace saltus::io
