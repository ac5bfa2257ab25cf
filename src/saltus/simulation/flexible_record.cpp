// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/flexible_record.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

void add_vector(std::vector<Column>& columns, const std::string& prefix, const char* unit,
                const std::string& description) {
  for (const char* c : {"x", "y", "z"}) {
    columns.push_back({prefix + "." + c, unit, description + ", component " + c});
  }
}

double* put_vector(const Vector3& v, double* out) {
  for (int i = 0; i < 3; ++i) *out++ = v[i];
  return out;
}

}  // namespace

VectorX nodal_pull(const System& system) {
  VectorX along_x = VectorX::Zero(system.velocities()), pull;
  for (const Node& node : system.nodes()) {
    if (node.unknowns > 0) along_x[node.first_unknown] = 1;
  }
  system.mass_times(system.given_configuration(), along_x, pull);
  return pull;
}

FlexibleRecord::FlexibleRecord(const System& system, const BodyEntry& body, const VectorX& pull,
                               FlexibleDetail detail)
    : system_(system), body_(body), detail_(detail) {
  double mass = 0;
  for (int i = 0; i < body.nodes; ++i) {
    const Node& node = system.nodes()[static_cast<std::size_t>(body.node + i)];
    weights_.push_back(pull[node.first_unknown]);
    mass += weights_.back();
  }
  for (double& weight : weights_) weight /= mass;
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

// ---- columns ----------------------------------------------------------------------------------

void FlexibleRecord::add_columns(std::vector<Column>& columns) const {
  const std::string& n = body_.name;
  add_vector(columns, n + ".position", "m", "place of the centre of mass, inertial frame");
  add_vector(columns, n + ".velocity", "m/s", "velocity of the centre of mass, inertial frame");
  if (body_.kind != BodyKind::Solid) {
    columns.push_back({n + ".elongation", "m", "change of the length along the centre line"});
  }
  if (body_.kind == BodyKind::Beam) {
    add_vector(columns, n + ".end_rotation", "rad",
               "rotation vector of the end against the start since the initial pose, axes of the "
               "section at the start");
  }
  if (detail_ == FlexibleDetail::Bodies) return;
  for (int i = 0; i < body_.nodes; ++i) {
    const std::string node = n + ".node" + std::to_string(i);
    add_vector(columns, node + ".position", "m", "place of the node, inertial frame");
    add_vector(columns, node + ".velocity", "m/s", "velocity of the node, inertial frame");
    if (body_.kind == BodyKind::Beam) {
      for (const char* c : {"w", "x", "y", "z"}) {
        columns.push_back(
            {node + ".orientation." + c, "1",
             "unit quaternion from section to inertial axes, component " + std::string(c)});
      }
      add_vector(columns, node + ".angular_velocity", "rad/s",
                 "angular velocity of the section, inertial frame");
    }
    if (body_.kind == BodyKind::Solid && detail_ == FlexibleDetail::All) {
      columns.push_back({node + ".von_mises", "Pa",
                         "von Mises stress (Cauchy) at the node, mean of its elements"});
    }
  }
  if (detail_ != FlexibleDetail::All) return;
  for (int k = 0; k < body_.elements; ++k) {
    add_element_columns(n + ".element" + std::to_string(k), columns);
  }
}

void FlexibleRecord::add_element_columns(const std::string& element,
                                         std::vector<Column>& columns) const {
  if (body_.kind == BodyKind::Solid) {
    columns.push_back({element + ".von_mises", "Pa", "von Mises stress (Cauchy), mean"});
  } else if (body_.kind == BodyKind::Bar) {
    columns.push_back({element + ".strain", "1", "axial strain, positive in tension"});
    columns.push_back({element + ".force", "N", "axial force, positive in tension"});
  } else {
    add_vector(columns, element + ".strain", "1",
               "strain in section axes: x axial; y, z shear with the bending within the element");
    add_vector(columns, element + ".curvature", "1/m",
               "in section axes: x twist; y, z curvature about these axes");
    add_vector(columns, element + ".force", "N",
               "force on the section, section axes at mid-element: x axial, positive in tension; "
               "y, z shear");
    add_vector(columns, element + ".moment", "N m",
               "moment on the section, section axes at mid-element: x torsion; y, z bending");
  }
}

// ---- values -----------------------------------------------------------------------------------

double* FlexibleRecord::put(const State& state, double* out) const {
  out = put_shape(state, put_centre(state, out));
  if (detail_ == FlexibleDetail::Bodies) return out;
  if (body_.kind == BodyKind::Solid && detail_ == FlexibleDetail::All) {
    set_stresses(state.configuration);
  }
  out = put_nodes(state, out);
  return detail_ == FlexibleDetail::All ? put_elements(state, out) : out;
}

double* FlexibleRecord::put_centre(const State& state, double* out) const {
  Vector3 x = Vector3::Zero(), v = Vector3::Zero();
  for (int i = 0; i < body_.nodes; ++i) {
    const auto node = static_cast<std::size_t>(body_.node + i);
    const double weight = weights_[static_cast<std::size_t>(i)];
    x += weight * state.configuration.nodes[node].x;
    v += weight * state.velocity.segment<3>(system_.nodes()[node].first_unknown);
  }
  return put_vector(v, put_vector(x, out));
}

double* FlexibleRecord::put_shape(const State& state, double* out) const {
  if (body_.kind == BodyKind::Solid) return out;
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
  *out++ = elongation;
  if (body_.kind != BodyKind::Beam) return out;
  const NodePair pair = ends(state.configuration);
  const Matrix3 turned = pair.A.R.transpose() * pair.B.R * rest_.transpose();
  return put_vector(lie::so3::log(turned), out);
}

double* FlexibleRecord::put_nodes(const State& state, double* out) const {
  for (int i = 0; i < body_.nodes; ++i) {
    const auto node = static_cast<std::size_t>(body_.node + i);
    const NodePose& pose = state.configuration.nodes[node];
    const int k = system_.nodes()[node].first_unknown;
    out = put_vector(state.velocity.segment<3>(k), put_vector(pose.x, out));
    if (body_.kind == BodyKind::Beam) {
      const Quaternion& o = pose.orientation;
      for (const double c : {o.w(), o.x(), o.y(), o.z()}) *out++ = c;
      out = put_vector(pose.R * state.velocity.segment<3>(k + 3), out);
    }
    if (body_.kind == BodyKind::Solid && detail_ == FlexibleDetail::All) {
      *out++ = von_mises(nodal_stress_[static_cast<std::size_t>(i)]);
    }
  }
  return out;
}

double* FlexibleRecord::put_elements(const State& state, double* out) const {
  for (int k = 0; k < body_.elements; ++k) {
    const auto i = static_cast<std::size_t>(body_.first_element + k);
    const int A = body_.node + k;
    if (body_.kind == BodyKind::Solid) {
      *out++ = cell_stress_[static_cast<std::size_t>(k)];
      continue;
    }
    const NodePair pair = system_.pair(state.configuration, A, A + 1);
    if (body_.kind == BodyKind::Bar) {
      const BarElement& bar = system_.elements().bars[i];
      *out++ = bar.strain(pair);
      *out++ = bar.resultant(pair);
      continue;
    }
    const BeamElement& beam = system_.elements().beams[i];
    const Vector6 strain = beam.strain(pair), resultants = beam.resultants(pair);
    for (const Vector6* six : {&strain, &resultants}) {
      for (int c = 0; c < 6; ++c) *out++ = (*six)[c];
    }
  }
  return out;
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
