// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "saltus/io/model_file.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/report_contacts.hpp"
#include "saltus/io/report_modes.hpp"
#include "saltus/io/report_scene.hpp"
#include "saltus/io/result_info.hpp"
#include "saltus/io/stored_run.hpp"
#include "saltus/io/viewer_page.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

using io::Json;

Json read_summary(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return io::parse_json(text);
}

/// A list without repetition, and where in it something stands.
template <class Key>
class DistinctList {
 public:
  /// The place of a key; `json` is what the list has there.
  std::size_t place(const Key& key, Json json) {
    const auto [place, is_new] = places_.try_emplace(key, places_.size());
    if (is_new) list_.push_back(std::move(json));
    return place->second;
  }
  const Json& list() const { return list_; }

 private:
  std::map<Key, std::size_t> places_ = {};
  Json list_ = Json::array();
};

/// Columns, and what they are and whose.
void put_columns(const std::vector<Channel>& columns, const io::ReportRows& rows,
                 io::ReportArrays& arrays, Json& header) {
  DistinctList<std::tuple<std::string, std::string, std::string>> kinds;
  DistinctList<Owner> owners;
  const auto kind_of = [&](const Channel& c) {
    return kinds.place({c.unit, c.description, c.kind},
                       {{"unit", c.unit},
                        {"text", c.description},
                        {"quantity", c.kind},
                        {"component", c.component},
                        {"thinning", EnumNames<Thinning>::names[static_cast<int>(c.thinning)]}});
  };
  const auto owner_of = [&](const Channel& c) {
    const OwnerView owner{c.owner.kind, c.owner.name, c.owner.number};
    return owners.place(c.owner,
                        {{"kind", EnumNames<OwnerKind>::names[static_cast<int>(owner.kind)]},
                         {"name", owner.prefix()}});
  };
  const auto array_of = [&](const Channel& c, const std::vector<double>& values) {
    if (c.kind == quantities::time.word) return arrays.add_exact(values);
    if (c.kind == quantities::status.word) return arrays.add_small(values);
    return rows.is_coarse ? arrays.add_coarse(values) : arrays.add(values);
  };
  Json list = Json::array();
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    const Channel& channel = columns[rows.columns[k]];
    Json json{{"name", channel.name}, {"kind", kind_of(channel)}, {"owner", owner_of(channel)}};
    json.update(array_of(channel, rows.values[k]));
    json.erase("count");  // all have as many as there are rows
    list.push_back(std::move(json));
  }
  header["columns"] = std::move(list);
  header["kinds"] = kinds.list();
  header["owners"] = owners.list();
}

/// Flexible bodies that cannot be drawn, for their nodes were not recorded.
void note_hidden_bodies(const System& system, const io::ReportColumns& columns,
                        std::vector<std::string>& notes) {
  const std::vector<std::string> names = io::bodies_without_motion(system, columns);
  if (names.empty()) return;
  notes.push_back(fmt::format("Not drawn: {}. Their nodes are not recorded (record/flexible).",
                              fmt::join(names, ", ")));
}

/// JSON that may stand in a script element of a page.
std::string in_page(const Json& json) {
  std::string text;
  for (const char c : json.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

/// The page's own scripts and styles, pictures that it makes itself; nothing from anywhere else,
/// whatever stands in the results.
constexpr const char* security_policy =
    "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">";

std::string page_with(const Json& header, const std::string& arrays) {
  std::string page(io::viewer_page());
  const auto fill = [&](std::string_view place, const std::string& text) {
    const std::size_t at = page.find(place);
    if (at == std::string::npos) throw FileError("the viewer's page has no place for the data");
    page.replace(at, place.size(), text);
  };
  fill("<head>", security_policy);
  fill("saltus:arrays", io::base64(arrays));  // first: nothing in it looks like the other place
  fill("{\"saltus\":\"header\"}", in_page(header));
  return page;
}

}  // namespace

ReportInfo write_report(const std::filesystem::path& directory) {
  const io::StoredRun run(directory);
  const io::Hdf5Reader& file = run.file;
  const System& system = run.system;
  const io::ReportBudget budget;
  io::ReportRows rows = io::read_report_rows(file, budget);
  io::ReportArrays arrays;
  const Json scene = io::make_scene(run.model.simulated(), system, arrays);
  io::DrawnNodes drawn;
  if (file.has("modes")) {
    drawn = io::drawn_nodes(run.model.simulated(), system, scene);
    io::leave_out_undrawn(run.model.simulated(), drawn, file.columns(), rows);
  }
  const io::ReportColumns columns(file.columns(), rows);

  std::vector<std::string> notes = rows.notes;
  note_hidden_bodies(system, columns, notes);
  Json header{{"format", 1},
              {"summary", read_summary(directory / summary_file_name)},
              {"simulation", io::parse_json(file.text("model"))["simulation"]},
              {"recorded_rows", rows.recorded},
              {"rows", rows.rows()},
              {"stride", rows.stride},
              {"scene", scene}};
  put_columns(file.columns(), rows, arrays, header);
  header["contacts"] = io::make_contacts(system, columns, rows.rows(), arrays);
  header["modes"] = nullptr;
  if (file.has("modes")) {
    header["modes"] = io::make_modes(file, system, drawn, budget, arrays, notes);
  }
  header["events"] = io::make_events(file, system, columns, budget.most_events, arrays, notes);
  header["forces"] = io::make_contact_forces(file, budget.most_rows, arrays, notes);
  header["impacts"] = io::make_impacts(file, budget.most_rows, arrays, notes);
  header["notes"] = notes;

  ReportInfo info{.path = directory / "report.html", .notes = notes};
  const std::string page = page_with(header, arrays.bytes());
  io::write_file_atomically(info.path, page);
  info.bytes = page.size();
  return info;
}

}  // namespace saltus
