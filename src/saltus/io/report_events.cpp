// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "saltus/io/report_anchors.hpp"
#include "saltus/io/report_contacts.hpp"

namespace saltus::io {
namespace {

constexpr const char* kinds[] = {"impact", "closes", "opens", "sticks", "slips", "stop"};
bool is_impact(const std::string& kind) { return kind == "impact" || kind == "stop"; }

using Indices = std::vector<std::size_t>;

std::vector<double> picked(const std::vector<double>& values, const Indices& shown) {
  std::vector<double> result;
  result.reserve(shown.size());
  for (const std::size_t i : shown) result.push_back(values[i]);
  return result;
}

/// Texts as a list without repetition, and for each shown row its place in the list.
Json words_json(const std::vector<std::string>& words, const Indices& shown, ReportArrays& arrays) {
  std::map<std::string, std::uint32_t> places;
  Json list = Json::array();
  std::vector<std::uint32_t> which;
  for (const std::size_t i : shown) {
    const auto [place, is_new] =
        places.try_emplace(words[i], static_cast<std::uint32_t>(places.size()));
    if (is_new) list.push_back(words[i]);
    which.push_back(place->second);
  }
  return {{"names", std::move(list)}, {"which", arrays.add(which)}};
}

/// The `most` rows with the largest weights, in their order.
Indices largest(const std::vector<double>& weights, std::size_t most) {
  Indices shown(weights.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= most) return shown;
  std::stable_sort(shown.begin(), shown.end(),
                   [&](std::size_t i, std::size_t j) { return weights[i] > weights[j]; });
  shown.resize(most);
  std::sort(shown.begin(), shown.end());
  return shown;
}

/// Where events were and what they pushed, from the row before which they happened.
struct EventPlaces {
  std::vector<double> values[6];  // place, impulse on the second body

  void add(const Vector3& x, const Vector3& impulse) {
    for (int c = 0; c < 3; ++c) {
      values[c].push_back(x[c]);
      values[c + 3].push_back(impulse[c]);
    }
  }
};

/// The numbers of the impacts with the largest impulses whose paths have at most `most` moments
/// together, one impact in any case.
std::set<double> strongest_impacts(const Hdf5Reader& file, std::size_t most) {
  std::map<double, double> impulses;
  std::map<double, std::size_t> moments;
  const std::vector<double> impact = file.numbers("impacts", "impact"),
                            impulse = file.numbers("impacts", "impulse");
  for (std::size_t i = 0; i < impact.size(); ++i) impulses[impact[i]] += impulse[i];
  for (const double number : file.numbers("impact_paths", "impact")) ++moments[number];
  std::vector<std::pair<double, double>> order;  // the strongest first, of equal ones the earliest
  for (const auto& [number, sum] : impulses) order.emplace_back(-sum, number);
  std::sort(order.begin(), order.end());
  std::set<double> shown;
  std::size_t used = 0;
  for (const auto& [sum, number] : order) {
    used += moments[number];
    if (used > most && !shown.empty()) break;
    shown.insert(number);
  }
  return shown;
}

/// The rows of a table whose impact is shown.
Indices rows_of(const std::vector<double>& impact, const std::set<double>& shown) {
  Indices rows;
  for (std::size_t i = 0; i < impact.size(); ++i) {
    if (shown.contains(impact[i])) rows.push_back(i);
  }
  return rows;
}

std::size_t row_at(const std::vector<double>& times, double t) {
  const auto row = std::lower_bound(times.begin(), times.end(), t - 1e-12 * std::abs(t));
  return static_cast<std::size_t>(std::min(row, times.end() - 1) - times.begin());
}

}  // namespace

Json make_events(const Hdf5Reader& file, const System& system, const ReportColumns& columns,
                 std::size_t most, ReportArrays& arrays, std::vector<std::string>& notes) {
  const auto read = [&](const char* member) { return file.numbers("events", member); };
  const std::vector<double> time = read("time");
  const std::vector<std::string> contact = file.words("events", "contact"),
                                 kind = file.words("events", "kind");
  const std::vector<double> impulse[] = {read("impulse_n"), read("impulse_t1"), read("impulse_t2")};
  std::vector<double> weights(time.size());
  for (std::size_t i = 0; i < time.size(); ++i) {
    weights[i] =
        (is_impact(kind[i]) ? 1.0 : 1e-9) * std::hypot(impulse[0][i], impulse[1][i], impulse[2][i]);
  }
  const Indices shown = largest(weights, most);
  if (shown.size() < time.size()) {
    notes.push_back(fmt::format(
        "Shown: {} of {} events, the impacts with the largest impulses. events.csv has all.",
        shown.size(), time.size()));
  }
  const ContactNames names(system.elements().contacts);
  ReportMotion motion(system, columns);
  EventPlaces places;
  std::vector<double> codes;
  for (const std::size_t i : shown) {
    codes.push_back(static_cast<double>(std::find(std::begin(kinds), std::end(kinds), kind[i]) -
                                        std::begin(kinds)));
    const std::optional<ContactIndex> point = names.find(contact[i]);
    if (!point) {
      places.add(Vector3::Constant(std::nan("")), Vector3::Zero());
      continue;
    }
    const Configuration& configuration = motion.at(row_at(columns.time(), time[i]));
    const ContactEntry entry = system.elements().contacts.point(*point, configuration);
    const ContactElement& e = entry.element;
    const NodePair q = system.pair(configuration, e.node_A, e.node_B);
    if (e.is_of_joint()) {  // along a coordinate, not along a direction
      places.add(e.contact_point(q), Vector3::Zero());
      continue;
    }
    places.add(e.contact_point(q),
               inertial(entry, q, {impulse[0][i], impulse[1][i], impulse[2][i]}));
  }
  Json json{{"total", time.size()},
            {"kinds", Json::array(std::begin(kinds), std::end(kinds))},
            {"time", arrays.add_exact(picked(time, shown))},
            {"kind", arrays.add_small(codes)},
            {"contact", words_json(contact, shown, arrays)}};
  for (const char* member :
       {"order", "impulse_n", "impulse_t1", "impulse_t2", "before_n", "before_t1", "before_t2",
        "after_n", "after_t1", "after_t2", "energy_lost"}) {
    json[member] = arrays.add(picked(read(member), shown));
  }
  const char* keys[] = {"x", "y", "z", "impulse_x", "impulse_y", "impulse_z"};
  for (std::size_t c = 0; c < 6; ++c) json[keys[c]] = arrays.add(places.values[c]);
  return json;
}

Json make_contact_forces(const Hdf5Reader& file, std::size_t most, ReportArrays& arrays,
                         std::vector<std::string>& notes) {
  if (!file.has("contact_forces")) return nullptr;
  const auto read = [&](const char* member) { return file.numbers("contact_forces", member); };
  const std::vector<double> time = read("time");
  if (time.empty()) return nullptr;
  const std::vector<double> total = read("total_force"), continuous = read("continuous_force");
  std::vector<double> weights(time.size());
  for (std::size_t i = 0; i < time.size(); ++i) {
    weights[i] = std::max(std::isnan(total[i]) ? 0 : total[i], continuous[i]);
  }
  const Indices shown = largest(weights, most);
  if (shown.size() < time.size()) {
    notes.push_back(
        fmt::format("Shown: {} of {} contact forces, the largest. contact_forces.csv has all.",
                    shown.size(), time.size()));
  }
  std::vector<double> is_impact;
  const std::vector<std::string> kind = file.words("contact_forces", "kind");
  for (const std::size_t i : shown) is_impact.push_back(kind[i] == "impact" ? 1 : 0);
  Json json{{"time", arrays.add_exact(picked(time, shown))},
            {"is_impact", arrays.add_small(is_impact)},
            {"contact", words_json(file.words("contact_forces", "contact"), shown, arrays)}};
  for (const char* member :
       {"continuous_force", "impact_force", "peak_force", "duration", "peak_indentation"}) {
    json[member] = arrays.add(picked(read(member), shown));
  }
  return json;
}

Json make_impacts(const Hdf5Reader& file, std::size_t most, ReportArrays& arrays,
                  std::vector<std::string>& notes) {
  if (!file.has("impacts")) return nullptr;
  const std::vector<double> impact = file.numbers("impacts", "impact");
  if (impact.empty()) return nullptr;
  const std::set<double> shown = strongest_impacts(file, most);
  const std::size_t total = std::set<double>(impact.begin(), impact.end()).size();
  if (shown.size() < total) {
    notes.push_back(fmt::format(
        "Shown: the insides of {} of {} impacts, those with the largest impulses. impacts.csv and "
        "impact_paths.csv have all.",
        shown.size(), total));
  }
  const auto table = [&](const char* name, std::initializer_list<const char*> members) {
    const Indices rows = rows_of(file.numbers(name, "impact"), shown);
    Json json{{"contact", words_json(file.words(name, "contact"), rows, arrays)}};
    for (const char* member : members) {
      json[member] = arrays.add(picked(file.numbers(name, member), rows));
    }
    return json;
  };
  Json json{
      {"total", total},
      {"rows",
       table("impacts", {"impact", "order", "group", "points", "restitution", "compression_impulse",
                         "impulse", "compression_work", "normal_work", "friction_work"})},
      {"paths", table("impact_paths", {"impact", "order", "group", "p", "impulse_n", "impulse_t1",
                                       "impulse_t2", "velocity_n", "velocity_t1", "velocity_t2",
                                       "normal_work", "friction_work", "group_work"})}};
  // As exact as those of the events, by which they are found.
  json["rows"]["time"] =
      arrays.add_exact(picked(file.numbers("impacts", "time"), rows_of(impact, shown)));
  return json;
}

}  // namespace saltus::io
