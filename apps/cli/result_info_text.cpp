// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/cli/info_text.hpp"
#include "apps/cli/model_counts.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/standard_streams.hpp"

namespace saltus::cli {
namespace {

/// "ball.position.x" → ("ball", "position.x"), "k.floor.box.3.gap" → ("k.floor.box.3", "gap")
std::pair<std::string, std::string> split(const std::string& column) {
  for (const char* word : {".gap", ".status", ".impulse", ".slip", ".moment_impulse",
                           ".eccentricity", ".friction_work"}) {
    const std::size_t at = column.rfind(word);
    if (at != std::string::npos) return {column.substr(0, at), column.substr(at + 1)};
  }
  const std::size_t dot = column.find('.');
  if (dot == std::string::npos) return {column, ""};
  return {column.substr(0, dot), column.substr(dot + 1)};
}

/// "node12.position.x" → "node*.position.x", "element3.force.x" → "element*.force.x"
std::string without_number(const std::string& quantity) {
  for (const std::string word : {"node", "element"}) {
    const std::size_t dot = quantity.find('.');
    if (!quantity.starts_with(word) || dot == std::string::npos || dot == word.size()) continue;
    const std::string number = quantity.substr(word.size(), dot - word.size());
    if (number.find_first_not_of("0123456789") == std::string::npos) {
      return word + "*" + quantity.substr(dot);
    }
  }
  return quantity;
}

/// Adds "position.x" to "position.x|y"-like quantities.
void add_quantity(std::vector<std::string>& quantities, const std::string& quantity) {
  const std::size_t dot = quantity.rfind('.');
  const bool has_component = dot != std::string::npos && !quantity.ends_with(".von_mises");
  if (has_component && !quantities.empty() &&
      quantities.back().compare(0, dot + 1, quantity, 0, dot + 1) == 0) {
    quantities.back() += '|' + quantity.substr(dot + 1);
  } else if (!quantity.empty()) {
    quantities.push_back(quantity);
  }
}

/// One line a body or joint: "ball  position.x|y|z, velocity.x|y|z".
void print_columns(const std::vector<std::string>& columns) {
  constexpr std::size_t most_owners = 30;
  std::vector<std::pair<std::string, std::vector<std::string>>> owners;
  std::set<std::pair<std::string, std::string>> seen;  // of nodes and elements, each kind once
  for (const std::string& column : columns) {
    auto [owner, quantity] = split(column);
    quantity = without_number(quantity);
    if (!seen.emplace(owner, quantity).second) continue;
    if (owners.empty() || owners.back().first != owner) owners.push_back({owner, {}});
    add_quantity(owners.back().second, quantity);
  }
  say("columns: {}\n", columns.size());
  for (std::size_t i = 0; i < std::min(owners.size(), most_owners); ++i) {
    say("  {:<20} {}\n", owners[i].first, fmt::join(owners[i].second, ", "));
  }
  if (owners.size() > most_owners) say("  and {} more\n", owners.size() - most_owners);
}

/// Of models with contacts.
void print_events(const ResultInfo& info) {
  const auto is_gap = [](const std::string& column) { return column.ends_with(".gap"); };
  if (std::none_of(info.columns.begin(), info.columns.end(), is_gap)) return;
  say("{}, {}; penetration at most {:.2g} m\n",
      counted(static_cast<std::size_t>(info.events), "contact event", "contact events"),
      counted(static_cast<std::size_t>(info.impacts), "of them an impact", "of them impacts"),
      info.max_penetration);
}

std::string size_text(std::uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return fmt::format("{} B", bytes);
  if (size < 1e6) return fmt::format("{:.1f} kB", size / 1e3);
  if (size < 1e9) return fmt::format("{:.1f} MB", size / 1e6);
  return fmt::format("{:.1f} GB", size / 1e9);
}

}  // namespace

void print_result(const ResultInfo& info) {
  say("{}: result of {}, {}\n", info.directory.string(), info.model, info.status);
  if (!info.message.empty()) say("{}\n", info.message);
  say("{} to t = {:.6g} s in {}; version {}, {}; model hash {}\n",
      counted(static_cast<std::size_t>(info.steps), "step", "steps"), info.end_time,
      duration_text(info.wall_seconds), info.version,
      counted(static_cast<std::size_t>(info.threads), "thread", "threads"), info.model_hash);
  print_events(info);
  print_columns(info.columns);
  if (!info.frequencies.empty()) {
    say("natural frequencies (Hz): {:.6g}\n", fmt::join(info.frequencies, ", "));
  }
  say("energy (J):\n");
  for (const auto& [name, value] : info.energy) {
    const bool is_ratio = name == "closure_error";
    say("  {:<20} {:.9g}{}\n", name, value, is_ratio ? " of the turnover" : "");
  }
  if (!info.warnings.empty()) say("warnings:\n");
  for (const std::string& warning : info.warnings) say("  {}\n", warning);
  say("files:\n");
  for (const ResultFile& file : info.files) {
    say("  {:<20} {}\n", file.name, size_text(file.bytes));
  }
}

}  // namespace saltus::cli
