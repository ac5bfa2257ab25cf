// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_motion.hpp"

#include "saltus/core/input_error.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::io {

double value_at(const std::vector<double>* column, std::size_t row) {
  if (column == nullptr || row >= column->size()) {
    throw FileError("the results are damaged: columns are missing beside others that are there");
  }
  return (*column)[row];
}

ReportColumns::ReportColumns(const std::vector<Channel>& columns, const ReportRows& rows) {
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    const Channel& channel = columns[rows.columns[k]];
    values_[{channel.owner, channel.kind, channel.component}] = &rows.values[k];
  }
}

const std::vector<double>* ReportColumns::find(const OwnerView& owner, const Quantity& quantity,
                                               const std::string& component) const {
  const auto found = values_.find({owner.owner(), std::string(quantity.word), component});
  return found == values_.end() ? nullptr : found->second;
}

VectorColumns ReportColumns::find_vector(const OwnerView& owner, const Quantity& quantity) const {
  VectorColumns vector;
  for (int c = 0; c < 3; ++c) {
    vector.parts[c] = find(owner, quantity, std::string(1, "xyz"[c]));
    if (vector.parts[c] == nullptr) return {};
  }
  return vector;
}

const std::vector<double>& ReportColumns::time() const {
  const std::vector<double>* column = find({OwnerKind::Run}, quantities::time);
  if (column == nullptr) throw FileError("the results have no time");
  return *column;
}

OwnerView owner_of(const BodyEntry& body, int i) {
  if (body.is_flexible()) return {OwnerKind::Nodes, body.name, i};
  return {OwnerKind::Bodies, body.name};
}

bool has_motion(const BodyEntry& body, const ReportColumns& columns) {
  return columns.find_vector(owner_of(body, 0), quantities::node_position).are_shown();
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
    for (int i = 0; i < body.nodes; ++i) {
      add(columns, owner_of(body, i), body.node + i, body.origin);
    }
  }
}

void ReportMotion::add(const ReportColumns& columns, const OwnerView& owner, int node,
                       const Vector3& origin) {
  Recorded recorded{
      .node = node, .origin = origin, .place = columns.find_vector(owner, quantities::position)};
  if (!recorded.place.are_shown()) return;
  for (int c = 0; c < 4; ++c) {
    recorded.turn[c] = columns.find(owner, quantities::orientation, std::string(1, "wxyz"[c]));
  }
  nodes_.push_back(recorded);
}

const Configuration& ReportMotion::at(std::size_t row) {
  for (const Recorded& recorded : nodes_) {
    NodePose& pose = configuration_.nodes[static_cast<std::size_t>(recorded.node)];
    if (recorded.turn[0] != nullptr) {
      const auto q = [&](int c) { return value_at(recorded.turn[c], row); };
      pose.orientation = Quaternion(q(0), q(1), q(2), q(3)).normalized();
      pose.R = pose.orientation.toRotationMatrix();
    }
    pose.x = recorded.place.at(row) - pose.R * recorded.origin;
  }
  return configuration_;
}

}  // namespace saltus::io
