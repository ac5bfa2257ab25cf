// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "saltus/io/model_file.hpp"
#include "saltus/io/report_bodies.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus::io {
namespace {

constexpr std::size_t first_shape = 4;  // after number, frequency, angular frequency, growth rate

/// The nodes of each body, by their numbers within it, on which something is fixed.
void add_anchored(const Json& json, std::vector<std::set<std::uint32_t>>& nodes) {
  if (json.is_object() && json.contains("body")) {
    const int body = json["body"].get<int>();
    if (body < 0) return;
    std::set<std::uint32_t>& found = nodes[static_cast<std::size_t>(body)];
    if (json.contains("node")) found.insert(json["node"].get<std::uint32_t>());
    if (!json.contains("nodes")) return;
    for (const Json& node : json["nodes"].items()) found.insert(node.get<std::uint32_t>());
  } else if (json.is_structured()) {
    for (std::size_t i = 0; i < json.size(); ++i) add_anchored(json.child(i), nodes);
  }
}

/// Where the numbers that are drawn stand in a row of the table of modes.
struct DrawnShape {
  Json bodies = Json::array();
  std::vector<std::size_t> translations = {}, rotations = {};  ///< columns of x; y and z follow
  std::size_t columns = first_shape;                           ///< of the whole row

  std::size_t numbers() const { return 3 * (translations.size() + rotations.size()); }
};

DrawnShape drawn_shape(const System& system, const DrawnNodes& drawn, ReportArrays& arrays) {
  const std::vector<BodyEntry>& bodies = system.elements().bodies;
  DrawnShape shape;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto count = static_cast<std::size_t>(bodies[i].nodes);
    const bool turns = bodies[i].has_rotation();
    const std::size_t width = turns ? 6 : 3;
    Json json{{"translation", shape.translations.size()}};
    if (turns) json["rotation"] = shape.rotations.size();
    if (drawn[i].size() < count) json["nodes"] = arrays.add(drawn[i]);
    for (const std::uint32_t node : drawn[i]) {
      shape.translations.push_back(shape.columns + node * width);
      if (turns) shape.rotations.push_back(shape.columns + node * width + 3);
    }
    shape.columns += count * width;
    shape.bodies.push_back(std::move(json));
  }
  return shape;
}

/// How many modes fit, and whether their numbers have to be coarse.
struct ModeChoice {
  std::size_t modes = 0;
  bool is_coarse = false;
};

ModeChoice choose(std::size_t modes, std::size_t numbers, const ReportBudget& budget) {
  if (modes * numbers * sizeof(float) <= budget.bytes) return {modes, false};
  const std::size_t fitting = budget.bytes / (numbers * sizeof(std::uint16_t));
  return {std::min(modes, std::max(fitting, budget.fewest_modes)), true};
}

/// Of a solid that rests: its own channels, and the places of the nodes that are drawn.
bool is_drawn(const Channel& channel, const std::vector<std::uint32_t>& nodes) {
  if (channel.owner.kind == OwnerKind::Elements) return false;
  if (channel.owner.kind != OwnerKind::Nodes) return true;
  return channel.kind == quantities::node_position.word &&
         std::binary_search(nodes.begin(), nodes.end(),
                            static_cast<std::uint32_t>(channel.owner.number));
}

}  // namespace

DrawnNodes drawn_nodes(const Model& model, const System& system, const Json& scene) {
  const std::vector<BodyEntry>& bodies = system.elements().bodies;
  std::vector<std::set<std::uint32_t>> anchored(bodies.size());
  for (const char* part : {"shapes", "joints", "forces"}) add_anchored(scene[part], anchored);
  DrawnNodes drawn(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Solid* solid = std::get_if<Solid>(&model.bodies[i]);
    if (solid == nullptr) {
      drawn[i].resize(static_cast<std::size_t>(bodies[i].nodes));
      std::iota(drawn[i].begin(), drawn[i].end(), 0U);
      continue;
    }
    anchored[i].insert(0);  // whether it has columns says whether nodes are recorded at all
    for (const std::uint32_t node : surface_nodes(*solid)) anchored[i].insert(node);
    drawn[i].assign(anchored[i].begin(), anchored[i].end());
  }
  return drawn;
}

void leave_out_undrawn(const Model& model, const DrawnNodes& drawn,
                       const std::vector<Channel>& columns, ReportRows& rows) {
  std::map<std::string, std::size_t> solids;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (const Solid* solid = std::get_if<Solid>(&model.bodies[i])) solids[solid->name] = i;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    const Channel& channel = columns[rows.columns[k]];
    const auto solid = solids.find(channel.owner.name);
    if (solid != solids.end() && !is_drawn(channel, drawn[solid->second])) continue;
    rows.columns[kept] = rows.columns[k];
    std::swap(rows.values[kept++], rows.values[k]);
  }
  rows.columns.resize(kept);
  rows.values.resize(kept);
}

Json make_modes(const Hdf5Reader& file, const System& system, const DrawnNodes& drawn,
                const ReportBudget& budget, ReportArrays& arrays, std::vector<std::string>& notes) {
  const std::vector<double> table = file.matrix("modes/data");
  const std::size_t width = file.texts("modes/columns").size();
  const DrawnShape shape = drawn_shape(system, drawn, arrays);
  if (shape.columns != width) {
    throw FileError("the modes in these results are not those of their model; run it again");
  }
  const std::size_t total = table.size() / width;
  const ModeChoice choice = choose(total, shape.numbers(), budget);
  Json list = Json::array();
  for (std::size_t i = 0; i < choice.modes; ++i) {
    const double* row = table.data() + i * width;
    const auto vectors = [&](const std::vector<std::size_t>& columns) {
      std::vector<double> values;
      values.reserve(3 * columns.size());
      for (const std::size_t j : columns) values.insert(values.end(), row + j, row + j + 3);
      return choice.is_coarse ? arrays.add_coarse(values) : arrays.add(values);
    };
    list.push_back({{"frequency", row[1]},
                    {"growth_rate", row[3]},
                    {"translation", vectors(shape.translations)},
                    {"rotation", vectors(shape.rotations)}});
  }
  if (choice.modes < total) {
    notes.push_back(fmt::format("Shown: the first {} of {} modes. results.h5 has all of them.",
                                choice.modes, total));
  }
  if (choice.is_coarse) {
    notes.emplace_back("Mode shapes are rounded to a 65 535th of their range.");
  }
  return {{"total", total}, {"bodies", shape.bodies}, {"list", std::move(list)}};
}

}  // namespace saltus::io
