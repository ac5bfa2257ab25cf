// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include "saltus/core/input_error.hpp"
#include "saltus/io/channel_table.hpp"
#include "saltus/io/csv_cells.hpp"
#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {
namespace {

using io::csv_cells;
using io::unquoted;

bool read_number(std::string_view cell, double& value) {
  if (cell.empty()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size();
}

[[noreturn]] void fail(const std::filesystem::path& path, std::size_t line, std::string_view what) {
  throw FileError(fmt::format("{}:{}: {}", path.string(), line, what));
}

std::ifstream open(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw FileError(fmt::format(
        "{}: cannot be read; is this a directory that \"saltus run\" wrote?", path.string()));
  }
  return file;
}

bool have_same_names(const std::vector<Channel>& some, const std::vector<Channel>& others) {
  return std::ranges::equal(some, others, {}, &Channel::name, &Channel::name);
}

/// That of results.h5; where there is none, or it is of another table, what names say.
void find_meaning(const std::filesystem::path& directory, std::vector<Channel>& channels) {
  const std::filesystem::path stored = directory / "results.h5";
  if (std::filesystem::exists(stored)) {
    const io::Hdf5Reader file(stored);
    if (have_same_names(file.columns(), channels)) {
      channels = file.columns();
      return;
    }
  }
  io::guess_meaning(channels);
}

}  // namespace

const std::vector<double>* ResultTable::find(const std::string& name) const {
  const auto place = std::ranges::find(channels, name, &Channel::name);
  if (place == channels.end()) return nullptr;
  return &columns[static_cast<std::size_t>(place - channels.begin())];
}

ResultTable read_timeseries(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "timeseries.csv";
  std::ifstream file = open(path);
  ResultTable table;
  std::string line;
  std::getline(file, line);
  for (const std::string_view name : csv_cells(line)) {
    table.channels.push_back({.name = unquoted(name)});
  }
  if (table.channels.front().name != "time") fail(path, 1, "the first column is not \"time\"");
  find_meaning(directory, table.channels);
  table.columns.resize(table.channels.size());
  std::vector<double> row(table.channels.size());
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    if (file.eof()) break;  // no end of line: it was cut off
    const std::vector<std::string_view> words = csv_cells(line);
    bool whole = words.size() == row.size();
    for (std::size_t i = 0; whole && i < row.size(); ++i) whole = read_number(words[i], row[i]);
    if (!whole) fail(path, number, "not a row of numbers for the columns of the first line");
    for (std::size_t i = 0; i < row.size(); ++i) table.columns[i].push_back(row[i]);
  }
  if (table.rows() == 0) throw FileError(path.string() + ": has no rows");
  return table;
}

std::vector<EventLine> read_events(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "events.csv";
  std::vector<EventLine> events;
  if (!std::filesystem::exists(path)) return events;
  std::ifstream file = open(path);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with("time,contact,kind,order,impulse_n")) {
    fail(path, 1, "not the columns of an events.csv");
  }
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    if (file.eof()) break;  // no end of line: it was cut off
    const std::vector<std::string_view> words = csv_cells(line);
    EventLine event;
    double order = 0;
    const bool whole = words.size() >= 5 && read_number(words[0], event.time) &&
                       read_number(words[3], order) && read_number(words[4], event.impulse);
    if (!whole) fail(path, number, "not a row of an events.csv");
    event.contact = unquoted(words[1]);
    event.kind = words[2];
    event.order = static_cast<int>(std::clamp(order, 0.0, 1e9));
    events.push_back(std::move(event));
  }
  return events;
}

EventDetail recorded_events(const std::filesystem::path& directory) {
  const std::filesystem::path stored = directory / "results.h5";
  if (!std::filesystem::exists(stored)) return EventDetail::All;
  const io::Hdf5Reader file(stored);
  if (!file.has("model")) return EventDetail::All;
  io::Json model;
  try {
    model = io::parse_json(file.text("model"));
  } catch (const InputError& error) {
    throw FileError(
        fmt::format("{}: is damaged: its model is no JSON\n{}", stored.string(), error.what()));
  }
  const io::Json* found = &model;
  for (const char* key : {"simulation", "record", "events"}) {
    found = found->is_object() ? found->find(key) : nullptr;
    if (found == nullptr) return EventDetail::All;
  }
  const auto& names = EnumNames<EventDetail>::names;
  const auto place =
      found->is_string() ? std::ranges::find(names, found->get<std::string>()) : std::end(names);
  return place == std::end(names) ? EventDetail::All
                                  : static_cast<EventDetail>(place - std::begin(names));
}

std::vector<ModeLine> read_modes(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "modes.csv";
  std::vector<ModeLine> modes;
  if (!std::filesystem::exists(path)) return modes;
  std::ifstream file = open(path);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with("mode,frequency,angular_frequency,growth_rate")) {
    fail(path, 1, "not the columns of a modes.csv");
  }
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    if (file.eof()) break;  // no end of line: it was cut off
    const std::vector<std::string_view> words = csv_cells(line);
    ModeLine mode;
    if (words.size() < 4 || !read_number(words[1], mode.frequency) ||
        !read_number(words[3], mode.growth_rate)) {
      fail(path, number, "not a row of a modes.csv");
    }
    modes.push_back(mode);
  }
  return modes;
}

}  // namespace saltus
