// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/case_runner.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <fstream>
#include <sstream>

#include "saltus/core/input_error.hpp"
#include "saltus/io/csv_writer.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::study {
namespace {

using io::Json;

/// Keeps the rows in memory, writes them to files, too, if they are wanted, and stops when asked
/// to.
class CaseSink : public ResultSink {
 public:
  CaseSink(Result& result, ResultSink* files, const std::function<bool()>& is_interrupted)
      : result_(result), files_(files), is_interrupted_(is_interrupted) {}

  void begin(const ResultLayout& layout) override {
    result_.begin(layout);
    if (files_ != nullptr) files_->begin(layout);
  }
  void record(std::span<const double> row) override {
    result_.record(row);
    if (files_ != nullptr) files_->record(row);
  }
  void event(const EventRow& event) override {
    result_.event(event);
    if (files_ != nullptr) files_->event(event);
  }
  void force(const ForceRow& row) override {
    if (files_ != nullptr) files_->force(row);
  }
  void impact(const ImpactRow& row) override {
    if (files_ != nullptr) files_->impact(row);
  }
  void modes(const ModeTable& table) override {
    result_.modes(table);
    if (files_ != nullptr) files_->modes(table);
  }
  void update(const RunReport& so_far) override {
    if (files_ != nullptr) files_->update(so_far);
  }
  void end(const RunReport& report) override {
    result_.end(report);
    if (files_ != nullptr) files_->end(report);
  }
  bool progress(double time, double fraction, long steps) override {
    const bool goes_on = files_ == nullptr || files_->progress(time, fraction, steps);
    return goes_on && !is_interrupted_();
  }

 private:
  Result& result_;
  ResultSink* files_;
  const std::function<bool()>& is_interrupted_;
};

std::string first_line(const InputError& error) {
  std::string text = error.issues().empty() ? error.what() : error.issues().front().message();
  const std::size_t more = error.issues().size();
  if (more > 1) text += fmt::format(" (and {} more)", more - 1);
  return text;
}

void write_series(const std::filesystem::path& path, const std::vector<std::string>& columns,
                  const Result& result) {
  std::vector<std::string> header = {"time"};
  header.insert(header.end(), columns.begin(), columns.end());
  io::CsvWriter file(path, header);
  std::vector<Result::Series> series;
  series.reserve(header.size());
  for (const std::string& column : header) series.push_back(result.series(column));
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(result.rows()); ++i) {
    for (const Result::Series& values : series) file.put(values[i]);
    file.end_row();
  }
  file.close();
}

Json json_of(const Study& study, const CaseOutcome& outcome, const RunReport& report) {
  Json json = Json::object();
  json["status"] = outcome.status;
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  json["end_time"] = report.end_time;
  json["steps"] = report.steps;
  json["warnings"] = report.warnings.size();
  Json metrics = Json::object();
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    const std::optional<double>& value = outcome.metrics[i];
    metrics[study.metrics[i].name] = value ? Json(*value) : Json();
  }
  json["metrics"] = metrics;
  return json;
}

/// What events can be of: contacts, their points, joints with stops or friction.
std::vector<std::string> names_in_events(const System& system) {
  const ContactPoints& points = system.elements().contacts;
  std::vector<std::string> names;
  for (const ContactGroup& group : points.groups) names.push_back(group.name);
  names.insert(names.end(), points.listed_names.begin(), points.listed_names.end());
  return names;
}

/// Whether a name, or what begins with it and a dot, is there; of points that are not listed only
/// that of their contact is looked at.
bool is_known(const std::string& name, const std::vector<std::string>& names,
              const System& system) {
  if (name.empty()) return true;
  const bool listed = std::ranges::any_of(names, [&](const std::string& known) {
    return known == name || known.starts_with(name + ".");
  });
  return listed || std::ranges::any_of(system.elements().contacts.groups, [&](const auto& group) {
           const bool has_others = !group.is_listed() || group.has_solids;
           return has_others && name.starts_with(group.name + ".");
         });
}

}  // namespace

CaseRunner::CaseRunner(const Study& study, const Cases& cases, std::filesystem::path directory)
    : study_(study),
      cases_(cases),
      directory_(std::move(directory)),
      fingerprint_(study.fingerprint()) {}

CheckedModelFile CaseRunner::read(int number) const {
  return read_checked_model_file(study_.model, cases_.settings(number));
}

std::filesystem::path CaseRunner::place_of(const CheckedModelFile& file) const {
  const std::string text = file.hash + fingerprint_;
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return directory_ / "cases" / fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

void CaseRunner::check() const {
  constexpr int most_looks = 10;
  std::optional<InputError> first;
  const int looks = std::min(cases_.count(), most_looks);
  for (int i = 0; i < looks; ++i) {
    const int number = 1 + static_cast<int>(static_cast<long>(i) * cases_.count() / looks);
    try {
      const Simulation simulation(read(number).run);
      const Result result(simulation);
      std::vector<std::string> names;
      for (const Channel& channel : simulation.layout().channels) names.push_back(channel.name);
      std::vector<Issue> issues;
      const auto look_up = [&](const std::string& column, const std::string& place) {
        if (std::ranges::find(names, column) != names.end()) return;
        const std::string nearest = nearest_name(column, names);
        issues.push_back({place, fmt::format("no column is named {}", io::in_quotes(column)), "",
                          nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest)});
      };
      const std::vector<std::string> contacts = names_in_events(simulation.system());
      for (const Metric& metric : study_.metrics) {
        const std::string place = "/metrics/" + metric.name;
        if (const auto* column = std::get_if<ColumnMetric>(&metric.source)) {
          look_up(column->column, place + "/column");
        } else if (const auto& contact = std::get<EventMetric>(metric.source).contact;
                   !is_known(contact, contacts, simulation.system())) {
          const std::string nearest = nearest_name(contact, contacts);
          issues.push_back({place + "/contact",
                            fmt::format("no contact or joint with stops or friction is named {}",
                                        io::in_quotes(contact)),
                            "",
                            nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest)});
        }
      }
      for (std::size_t k = 0; k < study_.series.size(); ++k) {
        look_up(study_.series[k], fmt::format("/series/{}", k));
      }
      if (!issues.empty()) throw InputError(std::move(issues), "study");
      return;
    } catch (const InputError& error) {
      if (error.file() == "study") throw InputError(error.issues());
      if (!first) first = InputError(error.issues(), study_.model.string());
    }
  }
  throw InputError(*first);
}

bool CaseRunner::run(int number, const std::function<bool()>& is_interrupted) const {
  namespace fs = std::filesystem;
  std::optional<CheckedModelFile> file;
  std::optional<Simulation> simulation;
  try {
    file.emplace(read(number));
    simulation.emplace(file->run);
  } catch (const InputError&) {
    return true;
  }
  const fs::path place = place_of(*file);
  if (fs::exists(place / "case.json")) return true;
  const fs::path draft =
      place.parent_path() / fmt::format(".{}.{}", place.filename().string(), ::getpid());
  std::error_code ignored;
  fs::remove_all(draft, ignored);
  io::make_directory(draft);

  Result result(*simulation);
  RunReport report;
  {
    std::optional<ResultDirectory> files;
    if (study_.keep == Keep::Everything) {
      files.emplace(draft, RunOrigin{.model = study_.model.filename().string(),
                                     .model_hash = file->hash,
                                     .model_text = write_model(file->run),
                                     .meshes = meshes_from_files(simulation->model())});
    }
    CaseSink sink(result, files ? &*files : nullptr, is_interrupted);
    report = simulation->run(&sink);
  }
  if (report.status == RunStatus::Interrupted && is_interrupted()) {
    fs::remove_all(draft, ignored);
    return false;
  }
  CaseOutcome outcome{.status = report.status == RunStatus::Failed ? "failed" : "completed",
                      .reason = report.message};
  for (const Metric& metric : study_.metrics) {
    outcome.metrics.push_back(report.status == RunStatus::Failed ? std::nullopt
                                                                 : metric.measure(result));
  }
  if (!study_.series.empty()) write_series(draft / "series.csv", study_.series, result);
  io::write_file_atomically(draft / "case.json", json_of(study_, outcome, report).dump(2) + "\n");
  std::error_code error;
  fs::rename(draft, place, error);
  // Somebody else may have run the same case.
  if (error && fs::exists(place / "case.json"))
    fs::remove_all(draft, ignored);
  else if (error)
    throw FileError(fmt::format("{}: cannot be put in place: {}", place.string(), error.message()));
  return true;
}

std::optional<CaseOutcome> CaseRunner::outcome(int number) const {
  std::filesystem::path place;
  try {
    place = place_of(read(number)) / "case.json";
  } catch (const InputError& error) {
    return CaseOutcome{"invalid", first_line(error),
                       std::vector<std::optional<double>>(study_.metrics.size())};
  }
  std::ifstream file(place, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  try {
    const Json json = io::parse_json_object(text.str());
    CaseOutcome outcome{.status = json["status"].is_string() ? json["status"].text() : "",
                        .reason = json["reason"].is_string() ? json["reason"].text() : ""};
    for (const Metric& metric : study_.metrics) {
      const Json& value = json["metrics"][metric.name];
      outcome.metrics.push_back(value.is_number() ? std::optional(value.number()) : std::nullopt);
    }
    return outcome;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace saltus::study
