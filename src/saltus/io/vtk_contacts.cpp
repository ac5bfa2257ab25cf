// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/io/report_anchors.hpp"

namespace saltus::io {
namespace {

/// The larger one; what is not a number does not count.
void raise(double& largest, double value) {
  if (value > largest) largest = value;
}

}  // namespace

// ---- forces -----------------------------------------------------------------------------------

VtkForces::VtkForces(const Hdf5Reader& file) {
  if (!file.has("contact_forces")) return;
  times_ = file.numbers("contact_forces", "time");
  continuous_ = file.numbers("contact_forces", "continuous_force");
  peaks_ = file.numbers("contact_forces", "peak_force");
  points_ = file.words("contact_forces", "contact");
}

void VtkForces::advance(double time) {
  now_.clear();
  for (; next_ < times_.size() && times_[next_] <= time; ++next_) {
    Forces& forces = now_[points_[next_]];
    raise(forces.continuous, continuous_[next_]);
    raise(forces.peak, peaks_[next_]);
  }
}

VtkForces::Forces VtkForces::of(const std::string& point) const {
  const auto found = now_.find(point);
  return found == now_.end() ? Forces{} : found->second;
}

// ---- contact points ---------------------------------------------------------------------------

VtkContacts::VtkContacts(const System& system, const ReportColumns& columns, const Hdf5Reader& file)
    : system_(system), time_(columns.time()), forces_(file) {
  const ContactPoints& contacts = system.elements().contacts;
  const ReportAnchors anchors(system.elements());
  const auto moves = [&](int node) {
    const int body = anchors.body_of(node);
    return body < 0 ||
           has_motion(system.elements().bodies[static_cast<std::size_t>(body)], columns);
  };
  VtkTexts names{.name = "contact_names"};
  for (const PointColumns& point : point_columns(contacts, columns)) {
    const ContactElement& e = point.entry->element;
    if (!moves(e.node_A) || !moves(e.node_B)) continue;  // nobody knows where it was
    const std::string& name = *point.name;
    const OwnerView owner{OwnerKind::Points, name};
    grid_.add_cell(VtkCell::Vertex, {static_cast<std::int32_t>(points_.size())});
    points_.push_back({.point = point,
                       .gap = columns.find(owner, quantities::gap),
                       .slip = {columns.find(owner, quantities::slip, "t1"),
                                columns.find(owner, quantities::slip, "t2")},
                       .has_force = columns.find(owner, quantities::friction_work) != nullptr});
    names.values.push_back(name);
  }
  grid_.texts.push_back(std::move(names));
}

const VtkGrid& VtkContacts::at(const Configuration& q) {
  forces_.advance(time_.front());
  VtkArray contact{.name = "contact", .type = VtkArray::Type::Whole};
  VtkArray status{.name = "status", .type = VtkArray::Type::Whole};
  VtkArray gap{.name = "gap"}, continuous{.name = "continuous_force"}, peak{.name = "peak_force"};
  VtkArray normal{.name = "normal", .components = 3}, impulse{.name = "impulse", .components = 3},
      slip{.name = "slip", .components = 3};
  grid_.points.clear();
  for (const Source& source : points_) {
    const ContactEntry& entry = *source.point.entry;
    const ContactElement& e = entry.element;
    const NodePair pair = system_.pair(q, e.node_A, e.node_B);
    grid_.points.push_back(e.contact_point(pair));
    contact.add(entry.contact);
    status.add(source.point.status->front());
    gap.add(value_at(source.gap, 0));
    normal.add(inertial(entry, pair, {1, 0, 0}));
    impulse.add(source.point.impulse.at(0));
    slip.add(inertial(entry, pair, {0, value_at(source.slip[0], 0), value_at(source.slip[1], 0)}));
    const VtkForces::Forces forces = forces_.of(*source.point.name);
    continuous.add(source.has_force ? forces.continuous : std::nan(""));
    peak.add(source.has_force ? forces.peak : std::nan(""));
  }
  grid_.point_data = {contact, status, gap, normal, impulse, slip};
  if (!forces_.empty()) {
    grid_.point_data.push_back(continuous);
    grid_.point_data.push_back(peak);
  }
  return grid_;
}

std::vector<std::string> contacts_without_points(const System& system,
                                                 const ReportColumns& columns) {
  const ContactPoints& contacts = system.elements().contacts;
  std::set<int> shown;
  for (const PointColumns& point : point_columns(contacts, columns)) {
    shown.insert(point.entry->contact);
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < contacts.groups.size(); ++k) {
    if (!contacts.groups[k].joint && !shown.contains(static_cast<int>(k)))
      names.push_back(contacts.groups[k].name);
  }
  return names;
}

}  // namespace saltus::io
