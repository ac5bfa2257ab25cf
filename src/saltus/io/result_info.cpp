// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "saltus/io/csv_cells.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {
namespace {

using io::Json;

/// What the text says, or null where it is no JSON.
Json parsed(const std::string& text) {
  try {
    return io::parse_json(text);
  } catch (const InputError&) {
    return nullptr;
  }
}

Json read_summary(const std::filesystem::path& path) {
  if (std::filesystem::is_regular_file(path.parent_path())) {
    throw FileError(fmt::format("{}: is a file; name the directory that `saltus run` has written",
                                path.parent_path().string()));
  }
  std::ifstream file(path);
  if (!file) throw FileError(fmt::format("{}: cannot be read; is this a result?", path.string()));
  std::ostringstream text;
  text << file.rdbuf();
  Json json = parsed(text.str());
  for (const char* key : {"status", "model", "model_hash", "version"}) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_string()) {
      throw FileError(fmt::format("{}: is no summary of a Saltus run", path.string()));
    }
  }
  return json;
}

/// The value of a key, or a default where it is missing or of another type.
double number(const Json& json, const char* key) {
  const Json* member = json.find(key);
  return member != nullptr && member->is_number() ? member->get<double>() : 0.0;
}

/// The same for a count; a file may say any number.
long whole_number(const Json& json, const char* key) {
  const double value = number(json, key);
  return value >= 0 && value < 1e18 ? static_cast<long>(value) : 0;
}

void read_lists(const Json& json, ResultInfo& info) {
  if (json.contains("energy") && json["energy"].is_object()) {
    for (const auto& [name, value] : json["energy"].members()) {
      if (value.is_number()) info.energy.emplace_back(name, value.get<double>());
    }
  }
  if (json.contains("warnings") && json["warnings"].is_array()) {
    for (const Json& text : json["warnings"].items()) {
      if (text.is_string()) info.warnings.push_back(text.get<std::string>());
    }
  }
  if (json.contains("modes") && json["modes"].is_array()) {
    for (const Json& mode : json["modes"].items())
      info.frequencies.push_back(number(mode, "frequency"));
  }
}

std::vector<std::string> read_header(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<std::string> names;
  if (line.empty()) return names;
  for (const std::string_view name : io::csv_cells(line)) names.push_back(io::unquoted(name));
  return names;
}

/// The number of lines after the header.
long count_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  return std::max(0L, static_cast<long>(lines) - 1);
}

}  // namespace

ResultInfo read_result_info(const std::filesystem::path& directory) {
  const Json json = read_summary(directory / summary_file_name);
  ResultInfo info{.directory = directory};
  info.status = json["status"].get<std::string>();
  if (json.contains("stopped_by") && json["stopped_by"].is_string()) {
    info.stopped_by = json["stopped_by"].text();
  }
  info.message = json.contains("message") ? json["message"].text() : "";
  info.model = json["model"].get<std::string>();
  info.model_hash = json["model_hash"].get<std::string>();
  if (json.contains("source") && json["source"].is_string()) {
    info.source = json["source"].get<std::string>();
  }
  info.version = json["version"].get<std::string>();
  info.steps = whole_number(json, "steps");
  info.end_time = number(json, "end_time");
  info.wall_seconds = number(json, "wall_seconds");
  info.threads = static_cast<int>(std::min(whole_number(json, "threads"), 1'000'000L));
  info.impacts = whole_number(json, "impacts");
  info.max_penetration = number(json, "max_penetration");
  info.events = count_rows(directory / "events.csv");
  read_lists(json, info);
  info.columns = read_header(directory / "timeseries.csv");
  for (const char* name : result_file_names) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(directory / name, error);
    if (!error) info.files.push_back({name, bytes});
  }
  return info;
}

}  // namespace saltus
