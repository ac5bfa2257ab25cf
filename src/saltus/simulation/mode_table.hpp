// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/modes.hpp"
#include "saltus/simulation/channel.hpp"

namespace saltus {

/// Natural modes as a table: number, frequency, angular frequency, growth rate, then the motion of
/// each body: translation of the centre of mass and rotation vector, inertial components.
struct ModeTable {
  std::vector<Channel> columns = {};
  std::vector<double> values = {};  ///< row by row

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  std::span<const double> row(std::size_t i) const {
    return {values.data() + i * columns.size(), columns.size()};
  }
};

/// @param q  the configuration the modes are about
ModeTable make_mode_table(const System& system, const Configuration& q,
                          const std::vector<Mode>& modes);

}  // namespace saltus
