// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/flexible_record.hpp"

#include "saltus/lie/so3.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {

FlexibleRecord::FlexibleRecord(const System& system, const BodyEntry& body, const VectorX& pull,
                               FlexibleDetail detail)
    : system_(system), body_(body), detail_(detail), centre_(system, body, pull) {
  if (body.kind == BodyKind::Beam) {
    const NodePair pair = ends(system.given_configuration());
    rest_ = pair.A.R.transpose() * pair.B.R;
  }
  if (body.kind != BodyKind::Solid) return;
  cells_at_node_.assign(static_cast<std::size_t>(body.nodes), 0);
  nodal_stress_.resize(static_cast<std::size_t>(body.nodes));
  cell_stress_.resize(static_cast<std::size_t>(body.elements));
  for (int k = 0; k < body.elements; ++k) {
    const auto& cell = system.elements().solids[static_cast<std::size_t>(body.first_element + k)];
    for (std::size_t a = 0; a < static_cast<std::size_t>(cell.count); ++a) {
      ++cells_at_node_[static_cast<std::size_t>(cell.nodes[a] - body.node)];
    }
  }
}

NodePair FlexibleRecord::ends(const Configuration& q) const {
  return system_.pair(q, body_.node, body_.node + body_.nodes - 1);
}

void FlexibleRecord::row(const State& state, Row& row) const {
  put_centre(state, row);
  put_shape(state, row);
  if (detail_ == FlexibleDetail::Bodies) return;
  if (has_stresses()) set_stresses(state.configuration);
  put_nodes(state, row);
  if (detail_ == FlexibleDetail::All) put_elements(state, row);
}

void FlexibleRecord::put_centre(const State& state, Row& row) const {
  const OwnerView owner{OwnerKind::Bodies, body_.name};
  row.put(owner, quantities::centre_position,
          Vector3(centre_.position(state.configuration) + system_.origin()));
  row.put(owner, quantities::centre_velocity,
          centre_.velocity(state.configuration, state.velocity));
}

void FlexibleRecord::put_shape(const State& state, Row& row) const {
  if (body_.kind == BodyKind::Solid) return;
  double elongation = 0;
  for (int k = 0; k < body_.elements; ++k) {
    const auto i = static_cast<std::size_t>(body_.first_element + k);
    const int A = body_.node + k;
    const NodePair pair = system_.pair(state.configuration, A, A + 1);
    if (body_.kind == BodyKind::Bar) {
      const BarElement& bar = system_.elements().bars[i];
      elongation += bar.length * bar.strain(pair);
    } else {
      const BeamElement& beam = system_.elements().beams[i];
      elongation += beam.length * beam.strain(pair)[0];
    }
  }
  const OwnerView owner{OwnerKind::Bodies, body_.name};
  row.put(owner, quantities::elongation, elongation);
  if (body_.kind != BodyKind::Beam) return;
  const NodePair pair = ends(state.configuration);
  const Matrix3 turned = pair.A.R.transpose() * pair.B.R * rest_.transpose();
  row.put(owner, quantities::end_rotation, lie::so3::log(turned));
}

void FlexibleRecord::put_nodes(const State& state, Row& row) const {
  for (int i = 0; i < body_.nodes; ++i) {
    const OwnerView owner{OwnerKind::Nodes, body_.name, i};
    const auto node = static_cast<std::size_t>(body_.node + i);
    const NodePose& pose = state.configuration.nodes[node];
    const int k = system_.nodes()[node].first_unknown;
    row.put(owner, quantities::node_position, Vector3(pose.x + system_.origin()));
    row.put(owner, quantities::node_velocity, Vector3(state.velocity.segment<3>(k)));
    if (body_.kind == BodyKind::Beam) {
      row.put(owner, quantities::section_orientation, pose.orientation);
      row.put(owner, quantities::section_angular_velocity,
              Vector3(pose.R * state.velocity.segment<3>(k + 3)));
    }
    if (has_stresses()) {
      row.put(owner, quantities::nodal_stress,
              von_mises(nodal_stress_[static_cast<std::size_t>(i)]));
    }
  }
}

void FlexibleRecord::put_elements(const State& state, Row& row) const {
  for (int k = 0; k < body_.elements; ++k) {
    const OwnerView owner{OwnerKind::Elements, body_.name, k};
    const auto i = static_cast<std::size_t>(body_.first_element + k);
    const int A = body_.node + k;
    if (body_.kind == BodyKind::Solid) {
      row.put(owner, quantities::cell_stress, cell_stress_[static_cast<std::size_t>(k)]);
      continue;
    }
    const NodePair pair = system_.pair(state.configuration, A, A + 1);
    if (body_.kind == BodyKind::Bar) {
      const BarElement& bar = system_.elements().bars[i];
      row.put(owner, quantities::axial_strain, bar.strain(pair));
      row.put(owner, quantities::axial_force, bar.resultant(pair));
      continue;
    }
    const BeamElement& beam = system_.elements().beams[i];
    const Vector6 strain = beam.strain(pair), resultants = beam.resultants(pair);
    row.put(owner, quantities::strain, Vector3(strain.head<3>()));
    row.put(owner, quantities::curvature, Vector3(strain.tail<3>()));
    row.put(owner, quantities::section_force, Vector3(resultants.head<3>()));
    row.put(owner, quantities::section_moment, Vector3(resultants.tail<3>()));
  }
}

void FlexibleRecord::set_stresses(const Configuration& q) const {
  for (Vector6& stress : nodal_stress_) stress.setZero();
  for (int k = 0; k < body_.elements; ++k) {
    const auto i = static_cast<std::size_t>(body_.first_element + k);
    const SolidElement& cell = system_.elements().solids[i];
    const SolidShape& shape = system_.elements().solid_shapes[static_cast<std::size_t>(cell.shape)];
    const SolidShape::Positions x = system_.solid_positions(cell, q);
    cell_stress_[static_cast<std::size_t>(k)] = von_mises(shape.mean_stress(x));
    const SolidShape::Tensors stresses = shape.nodal_stresses(x);
    for (int a = 0; a < cell.count; ++a) {
      const int node = cell.nodes[static_cast<std::size_t>(a)] - body_.node;
      const auto n = static_cast<std::size_t>(node);
      nodal_stress_[n] += stresses.col(a) / cells_at_node_[n];
    }
  }
}

}  // namespace saltus
