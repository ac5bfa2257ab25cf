// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/flexible_centre.hpp"
#include "saltus/simulation/row.hpp"

namespace saltus {

/// What rows have of a flexible body: its centre of mass, its nodes, its elements.
class FlexibleRecord {
 public:
  /// @param body  a flexible one of the system, which must live longer
  /// @param pull  nodal_pull(system)
  FlexibleRecord(const System& system, const BodyEntry& body, const VectorX& pull,
                 FlexibleDetail detail);

  void row(const State& state, Row& row) const;

 private:
  void put_centre(const State& state, Row& row) const;
  void put_shape(const State& state, Row& row) const;
  void put_nodes(const State& state, Row& row) const;
  void put_elements(const State& state, Row& row) const;
  void set_stresses(const Configuration& q) const;
  NodePair ends(const Configuration& q) const;
  /// Whether there are stresses to be put, of nodes and cells.
  bool has_stresses() const {
    return body_.kind == BodyKind::Solid && detail_ == FlexibleDetail::All;
  }

  const System& system_;
  const BodyEntry& body_;
  FlexibleDetail detail_;
  FlexibleCentre centre_;
  Matrix3 rest_ = Matrix3::Identity();              // R_startᵀ R_end of a beam at rest
  mutable std::vector<Vector6> nodal_stress_ = {};  // workspace of solids
  mutable std::vector<double> cell_stress_ = {};    // von Mises
  std::vector<int> cells_at_node_ = {};
};

}  // namespace saltus
