// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/io/channel_table.hpp"
#include "saltus/io/event_table.hpp"
#include "saltus/io/force_table.hpp"
#include "saltus/io/hdf5_file_driver.hpp"
#include "saltus/io/hdf5_handle.hpp"
#include "saltus/io/hdf5_table.hpp"
#include "saltus/io/impact_table.hpp"
#include "saltus/io/run_origin.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

struct Hdf5Settings {
  std::size_t chunk_bytes = std::size_t{1} << 17U;
  CommittedFile::Observer observer = {};  ///< for tests
  /// Results of the same layout of which `rows` are taken over before this file gets its name.
  std::filesystem::path earlier = {};
  std::array<std::uint64_t, 6> rows = {};  ///< as Hdf5Writer::rows
};

/// results.h5:
///
///   /timeseries/data          rows × columns, chunked, grows
///   /timeseries/columns, /timeseries/units, /timeseries/descriptions    a string a column
///   /timeseries/component     of each column: "x", or "" if it is a number of its own
///   /timeseries/kind          of each column, which of
///   /timeseries/kinds/…       names ("position"), thinning (what becomes of it where rows are left
///                             out), interest (0: the last to be left out of a report)
///   /timeseries/owner         of each column, which of
///   /timeseries/owners/…      kinds ("body", "node", "joint", "point", …), names, numbers (of a
///                             node, element or ball in what it is part of; else −1),
///                             first_colliders, second_colliders (of a point; else "")
///   /events                   a compound value an event, members named as the columns of
///                             events.csv, chunked, grows; attribute units: a string a member
///   /contact_forces           of contacts with a local law: as /events, members named as the
///                             columns of contact_forces.csv
///   /impact_histories         samples of the force within impacts; member row: which row of
///                             /contact_forces
///   /impacts                  of impacts whose insides are recorded: as /events, members named as
///                             the columns of impacts.csv
///   /impact_paths             the way through the impulse domain, as impact_paths.csv
///   /model                    the model as run, JSON
///   /meshes/<solid>/…         of solids from a mesh file: nodes (in the solid's axes, m), cells
///   (nodes
///                             of each, −1 behind the last), set_names, set_nodes (set, node)
///   /summary                  the summary, JSON (the list of modes left out)
///   /modes/…                  of a modal analysis
///   attributes of /           version, model, model_hash
///
/// Plain HDF5 that any reader opens, at any time: while it is written, and after the writer was
/// killed (see CommittedFile). Rows are in it from the next flush on.
/// @throws FileError in every function but the destructor.
class Hdf5Writer {
 public:
  /// The kernel writes a page as a whole: a summary up to this length is always the old or the new.
  static constexpr std::size_t page_bytes = 4096;
  /// Longer summaries are cut.
  static constexpr std::size_t longest_summary = std::size_t{1} << 16U;

  /// @param layout  has at least one channel
  Hdf5Writer(const std::filesystem::path& path, const ResultLayout& layout, const RunOrigin& origin,
             std::string_view summary, Hdf5Settings settings = {});

  /// @pre one value a column.
  void write(std::span<const double> row);
  void write(const EventRow& event);
  /// @pre the layout has forces
  void write(const ForceRow& force);
  /// @pre the layout has impacts
  void write(const ImpactRow& impact);
  void write_modes(const ModeTable& table);
  void flush(std::string_view summary);
  /// Flushes and closes.
  void close(std::string_view summary);
  /// How many rows each table has: time series, events, forces, their histories, impacts, paths.
  std::array<std::uint64_t, 6> rows() const;

 private:
  Hdf5Handle create_file();
  std::array<Hdf5Table*, 6> tables();
  void take_over(const Hdf5Settings& settings);
  Hdf5Handle create_timeseries(std::size_t columns);
  void write_columns(hid_t group, const ResultLayout& layout);
  void write_meaning(hid_t group, const ResultLayout& layout);
  void write_colliders(hid_t group, const ChannelTable& table,
                       std::span<const PointColliders> points);
  void create_events();
  void create_forces();
  void create_impacts();
  void write_units(hid_t dataset, std::span<const std::string> units);
  void write_meshes(const std::map<std::string, Mesh>& meshes);
  void write_mesh(hid_t group, const Mesh& mesh);
  void create_summary();
  void append(Hdf5Table& table);
  void write_summary(std::string_view text);
  void write_attribute(const char* name, const std::string& text);
  void write_text(hid_t location, const char* name, const std::string& text);
  void write_texts(hid_t location, const char* name, std::span<const std::string> texts);
  Hdf5Handle add_group(hid_t location, const char* name);
  void write_numbers(hid_t location, const char* name, std::span<const int> values);
  void write_matrix(hid_t location, const char* name, std::size_t rows, std::size_t columns,
                    const double* values);
  void write_matrix(hid_t location, const char* name, std::size_t rows, std::size_t columns,
                    const int* values);
  void write_matrix(hid_t location, const char* name, std::size_t rows, std::size_t columns,
                    hid_t type, const void* values);
  hid_t checked(hid_t result, const char* what) const;

  std::filesystem::path path_;
  std::size_t chunk_bytes_;
  CommittedFile bytes_;  // outlives the handles
  Hdf5Handle file_, summary_;
  bool has_forces_, has_impacts_;
  Hdf5Table timeseries_, events_, forces_, histories_, impacts_, paths_;
  TableRow event_, force_, sample_, impact_, moment_;
  std::int64_t force_rows_ = 0;
};

}  // namespace saltus::io
