// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_motion.hpp"

namespace saltus::io {

ReportColumns::ReportColumns(const std::vector<Column>& columns, const ReportRows& rows) {
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    values_[columns[rows.columns[k]].name] = &rows.values[k];
  }
}

const std::vector<double>* ReportColumns::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : found->second;
}

VectorColumns ReportColumns::find_vector(const std::string& name) const {
  VectorColumns vector;
  for (int c = 0; c < 3; ++c) {
    vector.parts[c] = find(name + "." + "xyz"[c]);
    if (vector.parts[c] == nullptr) return {};
  }
  return vector;
}

bool has_motion(const BodyEntry& body, const ReportColumns& columns) {
  return !body.is_flexible() || columns.find(body.name + ".node0.position.x") != nullptr;
}

std::vector<std::string> bodies_without_motion(const System& system, const ReportColumns& columns) {
  std::vector<std::string> names;
  for (const BodyEntry& body : system.elements().bodies) {
    if (!has_motion(body, columns)) names.push_back(body.name);
  }
  return names;
}

ReportMotion::ReportMotion(const System& system, const ReportColumns& columns)
    : configuration_(system.given_configuration()) {
  for (const BodyEntry& body : system.elements().bodies) {
    if (!body.is_flexible()) {
      add(columns, body.name, body.node, body.origin);
      continue;
    }
    for (int i = 0; i < body.nodes; ++i) {
      add(columns, body.name + ".node" + std::to_string(i), body.node + i, Vector3::Zero());
    }
  }
}

void ReportMotion::add(const ReportColumns& columns, const std::string& name, int node,
                       const Vector3& origin) {
  Recorded recorded{
      .node = node, .origin = origin, .place = columns.find_vector(name + ".position")};
  if (!recorded.place.are_shown()) return;
  for (int c = 0; c < 4; ++c) {
    recorded.turn[c] = columns.find(name + ".orientation." + "wxyz"[c]);
  }
  nodes_.push_back(recorded);
}

const Configuration& ReportMotion::at(std::size_t row) {
  for (const Recorded& recorded : nodes_) {
    NodePose& pose = configuration_.nodes[static_cast<std::size_t>(recorded.node)];
    if (recorded.turn[0] != nullptr) {
      const auto q = [&](int c) { return (*recorded.turn[c])[row]; };
      pose.orientation = Quaternion(q(0), q(1), q(2), q(3)).normalized();
      pose.R = pose.orientation.toRotationMatrix();
    }
    pose.x = recorded.place.at(row) - pose.R * recorded.origin;
  }
  return configuration_;
}

}  // namespace saltus::io
