// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_export.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "saltus/io/output_file.hpp"
#include "saltus/io/stored_run.hpp"
#include "saltus/io/vtk_bodies.hpp"
#include "saltus/io/vtk_contacts.hpp"
#include "saltus/io/vtk_flexible.hpp"

namespace saltus {
namespace {

constexpr std::array series_names = {"bodies", "frames", "beams", "solids", "contacts"};

/// The box of all places of bodies at the shown rows, with a margin of a tenth.
Eigen::AlignedBox3d extent_of(const io::StoredRun& run, std::size_t every) {
  Eigen::AlignedBox3d box;
  io::RowStream stream(run.file, every);
  const io::ReportColumns columns(run.file.columns(), stream.rows());
  io::ReportMotion motion(run.system, columns);
  stream.for_each([&](std::size_t) {
    const Configuration& q = motion.at(0);
    for (const BodyEntry& body : run.system.elements().bodies) {
      for (int i = 0; i < body.nodes; ++i) {
        box.extend(q.nodes[static_cast<std::size_t>(body.node + i)].x);
      }
    }
  });
  const double margin = 0.1 * box.diagonal().norm() + run.system.characteristic_length();
  const Vector3 around = Vector3::Constant(margin);
  return {box.min() - around, box.max() + around};
}

/// One .pvd file and what it lists.
class Series {
 public:
  using Grid = std::function<const io::VtkGrid&(const Configuration&)>;

  Series(const std::filesystem::path& root, const char* name, Grid grid)
      : root_(root), name_(name), grid_(std::move(grid)) {
    io::make_directory(root_ / name_);
  }

  std::string file() const { return name_ + ".pvd"; }

  /// Returns how many bytes were written.
  std::uintmax_t write(std::size_t row, double time, const Configuration& q) {
    instants_.push_back({time, fmt::format("{}/{:06}.vtu", name_, row)});
    const std::string bytes = io::vtu_bytes(grid_(q), time);
    io::write_file_atomically(root_ / instants_.back().file, bytes);
    return bytes.size();
  }

  /// Last, so that a series that is listed is complete.
  std::uintmax_t write_list() const {
    const std::string text = io::pvd_text(instants_);
    io::write_file_atomically(root_ / file(), text);
    return text.size();
  }

 private:
  std::filesystem::path root_;
  std::string name_;
  Grid grid_;
  std::vector<io::VtkInstant> instants_;
};

/// All that there is to draw of a run.
struct Scene {
  Scene(const io::StoredRun& run, const io::ReportColumns& columns, std::size_t every)
      : rates(run.system, columns),
        bodies(run.model.simulated(), run.system, columns, rates,
               io::has_infinite_planes(run.model.simulated()) ? extent_of(run, every)
                                                              : Eigen::AlignedBox3d()),
        frames(run.system, rates),
        beams(run.model.simulated(), run.system, columns),
        solids(run.system, columns),
        contacts(run.system, columns, run.file) {}

  /// In the order of their names.
  std::vector<Series> series(const std::filesystem::path& root) {
    std::vector<Series> list;
    std::size_t k = 0;
    const auto add = [&](auto& part) {
      const char* name = series_names[k++];
      if (part.empty()) return;
      list.emplace_back(
          root, name, [&part](const Configuration& q) -> const io::VtkGrid& { return part.at(q); });
    };
    add(bodies);
    add(frames);
    add(beams);
    add(solids);
    add(contacts);
    return list;
  }

  io::VtkMotion rates;
  io::VtkBodies bodies;
  io::VtkFrames frames;
  io::VtkBeams beams;
  io::VtkSolids solids;
  io::VtkContacts contacts;
};

std::vector<std::string> notes_on(const io::StoredRun& run, const io::ReportColumns& columns) {
  std::vector<std::string> notes;
  const std::vector<std::string> hidden = io::bodies_without_motion(run.system, columns);
  if (!hidden.empty()) {
    notes.push_back(fmt::format("not drawn: {}; their nodes are not recorded (record/flexible)",
                                fmt::join(hidden, ", ")));
  }
  const std::vector<std::string> sums = io::contacts_without_points(run.system, columns);
  if (!sums.empty()) {
    notes.push_back(fmt::format(
        "no points: {}; of contacts with many pairs, or with record/contacts = totals, only sums "
        "are recorded",
        fmt::join(sums, ", ")));
  }
  return notes;
}

}  // namespace

VtkInfo write_vtk(const std::filesystem::path& directory, std::size_t every) {
  const io::StoredRun run(directory);
  io::RowStream stream(run.file, every);
  const io::ReportColumns columns(run.file.columns(), stream.rows());
  io::ReportMotion motion(run.system, columns);
  Scene scene(run, columns, every);
  VtkInfo info{
      .path = directory / "vtk", .recorded = run.file.rows(), .notes = notes_on(run, columns)};
  remove_vtk(directory);
  io::make_directory(info.path);
  std::vector<Series> list = scene.series(info.path);
  stream.for_each([&](std::size_t row) {
    const Configuration& q = motion.at(0);
    const double time = columns.time().front();
    for (Series& series : list) info.bytes += series.write(row, time, q);
    ++info.rows;
  });
  for (const Series& series : list) {
    info.bytes += series.write_list();
    info.series.push_back(series.file());
  }
  return info;
}

void remove_vtk(const std::filesystem::path& directory) {
  std::error_code ignored;
  const std::filesystem::path root = directory / "vtk";
  for (const std::string name : series_names) {
    std::filesystem::remove(root / (name + ".pvd"), ignored);
    if (!std::filesystem::is_directory(root / name, ignored)) continue;
    std::vector<std::filesystem::path> old;
    for (const auto& entry : std::filesystem::directory_iterator(root / name, ignored)) {
      if (entry.path().extension() == ".vtu") old.push_back(entry.path());
    }
    for (const std::filesystem::path& path : old) std::filesystem::remove(path, ignored);
    std::filesystem::remove(root / name, ignored);  // if it is empty
  }
  if (std::filesystem::is_directory(root, ignored)) std::filesystem::remove(root, ignored);
}

}  // namespace saltus
