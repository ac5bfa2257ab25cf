// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/mode_table.hpp"

namespace saltus::io {
namespace {

std::vector<Column> mode_columns(const System& system) {
  std::vector<Column> columns = {
      {"mode", "1", "number of the mode, lowest first"},
      {"frequency", "Hz", "natural frequency, 0 if unstable"},
      {"angular_frequency", "rad/s", "natural angular frequency, 0 if unstable"},
      {"growth_rate", "1/s", "rate of exponential growth, 0 if stable"}};
  for (const BodyEntry& body : system.elements().bodies) {
    for (int i = 0; i < body.nodes; ++i) {
      const std::string name =
          body.is_flexible() ? body.name + ".node" + std::to_string(i) : body.name;
      const std::string what = body.is_flexible() ? "node" : "centre of mass";
      for (const char* c : {"x", "y", "z"}) {
        columns.push_back({name + ".translation." + c, "1/sqrt(kg)",
                           "mode shape of unit modal mass: " + what + ", inertial component " + c});
      }
      if (!body.has_rotation()) continue;
      for (const char* c : {"x", "y", "z"}) {
        columns.push_back({name + ".rotation." + c, "rad/(m sqrt(kg))",
                           "mode shape of unit modal mass: rotation vector, inertial component " +
                               std::string(c)});
      }
    }
  }
  return columns;
}

}  // namespace

ModeTable make_mode_table(const System& system, const Configuration& q,
                          const std::vector<Mode>& modes) {
  ModeTable table{.columns = mode_columns(system)};
  const auto put = [&](const Vector3& v) {
    table.values.insert(table.values.end(), v.data(), v.data() + 3);
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode& mode = modes[i];
    for (const double value : {static_cast<double>(i + 1), mode.frequency(),
                               mode.angular_frequency(), mode.growth_rate()}) {
      table.values.push_back(value);
    }
    for (const BodyEntry& body : system.elements().bodies) {
      for (int k = 0; k < body.nodes; ++k) {
        const auto node = static_cast<std::size_t>(body.node + k);
        const int first = system.nodes()[node].first_unknown;
        put(mode.shape.segment<3>(first));
        if (body.has_rotation()) put(q.nodes[node].R * mode.shape.segment<3>(first + 3));
      }
    }
  }
  return table;
}

}  // namespace saltus::io
