// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_directory.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "saltus/io/capsule.hpp"
#include "saltus/io/csv_writer.hpp"
#include "saltus/io/directory_lock.hpp"
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

/// Of Checkpoint::bytes.
constexpr const char* table_names[] = {"timeseries.csv", "events.csv", "contact_forces.csv",
                                       "impacts.csv", "impact_paths.csv"};

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

/// Whether nobody would miss the results: the same model, or the same file as it was before. What
/// does not say which file it was is known by its name.
bool is_same_model(const ResultInfo& info, const RunOrigin& origin) {
  if (info.model_hash == origin.model_hash) return true;
  const bool is_known = !info.source.empty() && !origin.source.empty();
  return info.model == origin.model && (!is_known || info.source == origin.source);
}

/// @throws FileError if the directory holds something that must not be lost.
void refuse_foreign_files(const std::filesystem::path& path, const RunOrigin& origin) {
  std::optional<ResultInfo> info;
  try {
    info = read_result_info(path);
  } catch (const FileError&) {
    return refuse_unknown_files(path);
  }
  if (!is_same_model(*info, origin)) {
    refuse(path, fmt::format("the results of another model, {} ({}, {} steps)", info->model,
                             info->status, info->steps));
  }
  if (info->status == io::status_word(RunStatus::Interrupted) && info->steps > 0) {
    throw FileError(fmt::format(
        "{}: holds what an interrupted run of {} has computed up to t = {:.6g} s; go on with "
        "saltus resume {}, {}",
        path.string(), info->model, info->end_time, path.string(), remedy));
  }
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
  Files(std::filesystem::path directory, RunOrigin from)
      : path(std::move(directory)), origin(std::move(from)), lock(made(path)) {}

  static const std::filesystem::path& made(const std::filesystem::path& directory) {
    io::make_directory(directory);
    return directory;
  }

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
  io::DirectoryLock lock;
  std::optional<io::Checkpoint> stopped = {};  // from which this run goes on
  std::optional<double> interval = {};         // of checkpoints, s
  Clock::time_point kept = Clock::now();       // when the last one was
  io::Durability durability = io::Durability::Cached;
  std::optional<io::CsvWriter> timeseries = {}, events = {}, forces = {}, impacts = {}, paths = {};
  std::optional<io::Hdf5Writer> hdf5 = {};
  StepWish steps = StepWish::Failed;  // which are kept
  int capsules = 0;                   // of inaccurate ones, so far
  FlushTimer timer = {};
  Clock::time_point start = Clock::now();

  double wall_seconds() const {
    return (stopped ? stopped->wall_seconds : 0) +
           std::chrono::duration<double>(Clock::now() - start).count();
  }
  std::array<std::optional<io::CsvWriter>*, 5> tables() {
    return {&timeseries, &events, &forces, &impacts, &paths};
  }
  void create(const ResultLayout& layout);
  void go_on(const ResultLayout& layout);
  void keep(const Archive::Bytes& memory, const RunReport& so_far);
  io::Json summary(const RunReport& report) const { return io::make_summary(origin, report); }
  void write_summary(const io::Json& content) const {
    io::write_file_atomically(path / summary_file_name, content.dump(2) + "\n");
  }
};

ResultDirectory::ResultDirectory(std::filesystem::path path, RunOrigin origin, ForeignFiles policy)
    : files_(new Files(std::move(path), std::move(origin))) {
  if (policy == ForeignFiles::Refuse) refuse_foreign_files(files_->path, files_->origin);
}

ResultDirectory::ResultDirectory(std::filesystem::path path, RunOrigin origin,
                                 const io::Checkpoint& stopped)
    : files_(new Files(std::move(path), std::move(origin))) {
  files_->stopped = stopped;
}

ResultDirectory::~ResultDirectory() = default;

void ResultDirectory::keep_checkpoints(double interval) { files_->interval = interval; }

void ResultDirectory::keep_steps(StepWish which) { files_->steps = which; }

/// Without the text of the model nobody could solve them again.
StepWish ResultDirectory::wants_steps() {
  return files_->origin.given_text.empty() ? StepWish::None : files_->steps;
}

void ResultDirectory::capsule(const StepCapsule& step) {
  constexpr int most_capsules = 20;
  if (!step.is_fatal && ++files_->capsules > most_capsules) return;
  std::string name = io::capsule_file_name;
  if (!step.is_fatal) name += fmt::format("_{}", step.number);
  io::write_capsule(files_->path / name, files_->origin, step);
}

void ResultDirectory::begin(const ResultLayout& layout) {
  files_->start = Clock::now();
  if (files_->stopped && !files_->stopped->memory.empty()) {
    files_->go_on(layout);
  } else {
    files_->create(layout);
  }
}

/// What was there before goes now, when the run has begun.
void ResultDirectory::Files::create(const ResultLayout& layout) {
  std::error_code ignored;
  if (interval) {
    keep({}, {});
  } else {
    std::filesystem::remove(path / io::checkpoint_file_name, ignored);
  }
  write_summary(summary({.status = RunStatus::Interrupted}));
  for (const char* name : result_file_names) {
    if (std::string_view(name) == summary_file_name) continue;
    std::filesystem::remove(path / name, ignored);
  }
  remove_vtk(path);
  io::remove_capsules(path);
  timeseries.emplace(path / table_names[0], names_of(layout.channels));
  hdf5.emplace(path / "results.h5", layout, origin,
               hdf5_summary(summary({.status = RunStatus::Interrupted})));
  events.emplace(path / table_names[1], io::names_of(io::event_columns));
  if (layout.has_forces) {
    forces.emplace(path / table_names[2], io::names_of(io::force_columns));
  }
  if (layout.has_impacts) {
    impacts.emplace(path / table_names[3], io::names_of(io::impact_columns));
    paths.emplace(path / table_names[4], io::names_of(io::path_columns));
  }
}

/// First results.h5, which is made anew beside the old one: if it fails, all is as it was.
void ResultDirectory::Files::go_on(const ResultLayout& layout) {
  io::Hdf5Settings settings{.earlier = path / "results.h5", .rows = stopped->rows};
  RunReport report{.status = RunStatus::Interrupted,
                   .steps = stopped->steps,
                   .end_time = stopped->time,
                   .wall_seconds = stopped->wall_seconds};
  const bool used[] = {true, true, layout.has_forces, layout.has_impacts, layout.has_impacts};
  hdf5.emplace(path / "results.h5", layout, origin, hdf5_summary(summary(report)),
               std::move(settings));
  const auto all = tables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (used[i]) all[i]->emplace(path / table_names[i], stopped->bytes[i]);
  }
  std::error_code ignored;
  std::filesystem::remove(path / "report.html", ignored);
  remove_vtk(path);
  io::remove_capsules(path);
}

void ResultDirectory::Files::keep(const Archive::Bytes& memory, const RunReport& so_far) {
  io::Checkpoint checkpoint{.model = origin.model,
                            .model_hash = origin.model_hash,
                            .source = origin.source,
                            .given_text = origin.given_text,
                            .threads = origin.threads,
                            .interval = *interval,
                            .wall_seconds = wall_seconds(),
                            .time = so_far.end_time,
                            .steps = so_far.steps,
                            .memory = memory};
  const auto all = tables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!*all[i]) continue;
    (*all[i])->flush();
    if (durability == io::Durability::Synced) (*all[i])->sync();
    checkpoint.bytes[i] = (*all[i])->bytes();
  }
  if (hdf5) {
    RunReport report = so_far;
    report.status = RunStatus::Interrupted;
    report.wall_seconds = wall_seconds();
    const io::Json content = summary(report);
    hdf5->flush(hdf5_summary(content));
    write_summary(content);
    checkpoint.rows = hdf5->rows();
  }
  io::write_checkpoint(path, std::move(checkpoint), durability);
  kept = Clock::now();
}

/// Before the last step, too: a run that is complete can be made longer.
bool ResultDirectory::wants_memory(MemoryMoment moment) {
  if (!files_->interval) return false;
  files_->durability =
      moment == MemoryMoment::BeforeLastStep ? io::Durability::Cached : io::Durability::Synced;
  return moment != MemoryMoment::AfterStep ||
         std::chrono::duration<double>(Clock::now() - files_->kept).count() >= *files_->interval;
}

void ResultDirectory::memory(const Archive::Bytes& saved, const RunReport& so_far) {
  files_->keep(saved, so_far);
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
  RunReport whole = report;
  if (files_->stopped) whole.wall_seconds += files_->stopped->wall_seconds;
  const io::Json content = files_->summary(whole);
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
