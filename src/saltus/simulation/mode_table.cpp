// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/mode_table.hpp"

#include "saltus/simulation/quantities.hpp"
#include "saltus/simulation/row.hpp"

namespace saltus {
namespace {

void put_shape(const System& system, const Configuration& q, const Mode& mode, Row& row) {
  for (const BodyEntry& body : system.elements().bodies) {
    for (int k = 0; k < body.nodes; ++k) {
      const bool is_part = body.is_flexible();
      const OwnerView owner{is_part ? OwnerKind::Nodes : OwnerKind::Bodies, body.name,
                            is_part ? k : -1};
      const auto node = static_cast<std::size_t>(body.node + k);
      const int first = system.nodes()[node].first_unknown;
      row.put(owner, is_part ? quantities::node_translation : quantities::centre_translation,
              Vector3(mode.shape.segment<3>(first)));
      if (!body.has_rotation()) continue;
      row.put(owner, quantities::mode_rotation,
              Vector3(q.nodes[node].R * mode.shape.segment<3>(first + 3)));
    }
  }
}

}  // namespace

ModeTable make_mode_table(const System& system, const Configuration& q,
                          const std::vector<Mode>& modes) {
  ModeTable table;
  Row row;
  const OwnerView run{OwnerKind::Run};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode& mode = modes[i];
    row.put(run, quantities::mode, static_cast<double>(i + 1));
    row.put(run, quantities::frequency, mode.frequency());
    row.put(run, quantities::angular_frequency, mode.angular_frequency());
    row.put(run, quantities::growth_rate, mode.growth_rate());
    put_shape(system, q, mode, row);
    const std::span<const double> values = row.end();
    table.values.insert(table.values.end(), values.begin(), values.end());
  }
  table.columns = row.channels();
  return table;
}

}  // namespace saltus
