// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_directory.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/event_table.hpp"
#include "saltus/io/force_table.hpp"
#include "saltus/io/hdf5_writer.hpp"
#include "saltus/io/impact_table.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/result_info.hpp"
#include "saltus/io/summary.hpp"
#include "saltus/io/vtk_export.hpp"

namespace saltus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* remedy = "choose another directory with -o, or replace them with --overwrite";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw FileError(fmt::format("{}: holds {}; {}", path.string(), what, remedy));
}

/// @throws FileError if there are files with the names of results.
void refuse_unknown_files(const std::filesystem::path& path) {
  std::vector<std::string> found;
  for (const char* name : result_file_names) {
    if (std::filesystem::exists(path / name)) found.emplace_back(name);
  }
  if (found.empty()) return;
  refuse(path, fmt::format("files that Saltus did not write ({})", fmt::join(found, ", ")));
}

/// @throws FileError if the directory holds something that must not be lost.
void refuse_foreign_files(const std::filesystem::path& path, const RunOrigin& origin) {
  std::optional<ResultInfo> info;
  try {
    info = read_result_info(path);
  } catch (const FileError&) {
    return refuse_unknown_files(path);
  }
  if (info->model == origin.model) return;
  refuse(path, fmt::format("the results of another model, {} ({}, {} steps)", info->model,
                           info->status, info->steps));
}

std::vector<std::string> names_of(std::span<const Channel> columns) {
  std::vector<std::string> names;
  for (const Channel& column : columns) names.push_back(column.name);
  return names;
}

/// The summary inside results.h5: without the modes, which have their own table there, and while
/// the run goes on without warnings that would make it longer than what is replaced at once.
std::string hdf5_summary(io::Json content) {
  const bool is_final = content["status"] != io::status_word(RunStatus::Interrupted);
  content.erase("modes");
  std::string text = content.dump(2);
  if (text.size() <= (is_final ? io::Hdf5Writer::longest_summary : io::Hdf5Writer::page_bytes)) {
    return text;
  }
  content.erase("warnings");
  return content.dump(2);
}

}  // namespace

struct ResultDirectory::Files {
  /// Tells when rows should go to the files.
  class FlushTimer {
   public:
    /// Whether a second would have passed by the next call, if that comes as soon as this one.
    bool is_due() {
      const Clock::time_point now = Clock::now();
      const bool due = !flushed_ || (now - *flushed_) + (now - called_) >= std::chrono::seconds(1);
      called_ = now;
      if (due) flushed_ = now;
      return due;
    }

   private:
    std::optional<Clock::time_point> flushed_;
    Clock::time_point called_ = {};
  };

  std::filesystem::path path;
  RunOrigin origin;
  std::optional<io::CsvWriter> timeseries = {}, events = {}, forces = {}, impacts = {}, paths = {};
  std::optional<io::Hdf5Writer> hdf5 = {};
  FlushTimer timer = {};
  Clock::time_point start = Clock::now();

  double wall_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  io::Json summary(const RunReport& report) const { return io::make_summary(origin, report); }
  void write_summary(const io::Json& content) const {
    io::write_file_atomically(path / summary_file_name, content.dump(2) + "\n");
  }
};

ResultDirectory::ResultDirectory(std::filesystem::path path, RunOrigin origin, ForeignFiles policy)
    : files_(new Files{.path = std::move(path), .origin = std::move(origin)}) {
  const std::filesystem::path& directory = files_->path;
  if (policy == ForeignFiles::Refuse && std::filesystem::is_directory(directory)) {
    refuse_foreign_files(directory, files_->origin);
  }
  io::make_directory(directory);
  files_->write_summary(files_->summary({.status = RunStatus::Interrupted}));
  std::error_code ignored;
  for (const char* name : result_file_names) {
    if (std::string_view(name) == summary_file_name) continue;
    std::filesystem::remove(directory / name, ignored);
  }
  remove_vtk(directory);
}

ResultDirectory::~ResultDirectory() = default;

void ResultDirectory::begin(const ResultLayout& layout) {
  files_->start = Clock::now();
  files_->timeseries.emplace(files_->path / "timeseries.csv", names_of(layout.channels));
  files_->hdf5.emplace(files_->path / "results.h5", layout, files_->origin,
                       hdf5_summary(files_->summary({.status = RunStatus::Interrupted})));
  files_->events.emplace(files_->path / "events.csv", io::names_of(io::event_columns));
  if (layout.has_forces) {
    files_->forces.emplace(files_->path / "contact_forces.csv", io::names_of(io::force_columns));
  }
  if (layout.has_impacts) {
    files_->impacts.emplace(files_->path / "impacts.csv", io::names_of(io::impact_columns));
    files_->paths.emplace(files_->path / "impact_paths.csv", io::names_of(io::path_columns));
  }
}

void ResultDirectory::record(std::span<const double> row) {
  files_->timeseries->write(row);
  files_->hdf5->write(row);
}

void ResultDirectory::event(const EventRow& event) {
  io::write_event(*files_->events, event);
  files_->hdf5->write(event);
}

void ResultDirectory::force(const ForceRow& row) {
  io::write_force(*files_->forces, row);
  files_->hdf5->write(row);
}

void ResultDirectory::impact(const ImpactRow& row) {
  io::write_impact(*files_->impacts, *files_->paths, row);
  files_->hdf5->write(row);
}

void ResultDirectory::update(const RunReport& so_far) {
  if (!files_->timer.is_due()) return;
  RunReport report = so_far;
  report.status = RunStatus::Interrupted;  // what is true if nothing follows
  report.wall_seconds = files_->wall_seconds();
  const io::Json content = files_->summary(report);
  files_->timeseries->flush();
  files_->events->flush();
  for (auto* file : {&files_->forces, &files_->impacts, &files_->paths}) {
    if (*file) (*file)->flush();
  }
  files_->hdf5->flush(hdf5_summary(content));
  files_->write_summary(content);  // after the rows that it counts
}

void ResultDirectory::end(const RunReport& report) {
  const io::Json content = files_->summary(report);
  files_->timeseries->close();
  files_->events->close();
  for (auto* file : {&files_->forces, &files_->impacts, &files_->paths}) {
    if (*file) (*file)->close();
  }
  files_->hdf5->close(hdf5_summary(content));
  files_->write_summary(content);
}

void ResultDirectory::modes(const ModeTable& table) {
  if (table.rows() == 0) return;
  io::CsvWriter csv(files_->path / "modes.csv", names_of(table.columns));
  for (std::size_t i = 0; i < table.rows(); ++i) csv.write(table.row(i));
  csv.close();
  files_->hdf5->write_modes(table);
}

}  // namespace saltus
