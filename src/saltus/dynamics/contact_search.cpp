// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_search.hpp"

#include <algorithm>

namespace saltus {
namespace {

using Kind = ContactFeature::Kind;

}  // namespace

ContactSearch::ContactSearch(const System& system) : system_(system) {
  const ContactPoints& points = system.elements().contacts;
  for (const int contact : points.unlisted) {
    const ContactGroup& group = points.groups[static_cast<std::size_t>(contact)];
    Group& entry = groups_.emplace_back();
    entry.contact = contact;
    entry.first.assign(points.features.size(), -1);
    entry.second.assign(points.features.size(), -1);
    for (std::size_t i = 0; i < group.first_features.size(); ++i) {
      entry.first[static_cast<std::size_t>(group.first_features[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < group.second_features.size(); ++i) {
      entry.second[static_cast<std::size_t>(group.second_features[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < points.features.size(); ++i) {
      if (entry.first[i] < 0 && entry.second[i] < 0) continue;
      const bool round = points.features[i].feature.kind == Kind::Round;
      (round ? entry.rounds : entry.surfaces).push_back(static_cast<int>(i));
    }
  }
}

const std::vector<ContactIndex>& ContactSearch::find(const Configuration& q,
                                                     const std::vector<double>& margins) {
  found_.clear();
  find_listed(q, margins);
  const std::size_t listed = found_.size();
  for (const Group& group : groups_) find_near(group, q, margins);
  std::sort(found_.begin() + static_cast<std::ptrdiff_t>(listed), found_.end());
  return found_;
}

void ContactSearch::find_listed(const Configuration& q, const std::vector<double>& margins) {
  const std::vector<ContactEntry>& listed = system_.elements().contacts.listed;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const ContactElement& e = listed[i].element;
    const double margin =
        margins[static_cast<std::size_t>(e.node_A)] + margins[static_cast<std::size_t>(e.node_B)];
    if (e.gap(system_.pair(q, e.node_A, e.node_B)) < margin) {
      found_.push_back(static_cast<ContactIndex>(i));
    }
  }
}

/// Points and spheres against each other by a grid, against planes and hollow spheres one by one.
void ContactSearch::find_near(const Group& group, const Configuration& q,
                              const std::vector<double>& margins) {
  const ContactPoints& points = system_.elements().contacts;
  centres_.clear();
  radii_.clear();
  for (const int f : group.rounds) {
    const ContactFeature& feature = points.features[static_cast<std::size_t>(f)].feature;
    const auto node = static_cast<std::size_t>(feature.node);
    centres_.push_back(feature.frame.point(q.nodes[node]));
    radii_.push_back(feature.radius + margins[node]);
  }
  grid_.find_pairs(centres_, radii_, pairs_);
  for (const auto& [i, j] : pairs_) {
    add(group, group.rounds[static_cast<std::size_t>(i)],
        group.rounds[static_cast<std::size_t>(j)]);
  }
  for (const int s : group.surfaces) {
    const ContactFeature& surface = points.features[static_cast<std::size_t>(s)].feature;
    const NodePose& node = q.nodes[static_cast<std::size_t>(surface.node)];
    const double margin = margins[static_cast<std::size_t>(surface.node)];
    const Vector3 origin = surface.frame.point(node);
    const Vector3 normal = node.R * surface.frame.E.col(2);
    for (std::size_t k = 0; k < centres_.size(); ++k) {
      const Vector3 d = centres_[k] - origin;
      // Of cylinders, bores and grooves there are few: all are looked at.
      double distance = -radii_[k];
      if (surface.kind == Kind::Plane) distance = normal.dot(d);
      if (surface.kind == Kind::Hollow) distance = surface.radius - d.norm();
      if (distance < radii_[k] + margin) add(group, s, group.rounds[k]);
    }
  }
}

void ContactSearch::add(const Group& group, int a, int b) {
  const ContactPoints& points = system_.elements().contacts;
  const ContactGroup& contact = points.groups[static_cast<std::size_t>(group.contact)];
  const auto columns = static_cast<ContactIndex>(contact.second_features.size());
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const int row = group.first[static_cast<std::size_t>(first)];
    const int column = group.second[static_cast<std::size_t>(second)];
    if (row < 0 || column < 0 || !points.is_pair(contact, first, second)) continue;
    found_.push_back(contact.first + columns * row + column);
    return;
  }
}

}  // namespace saltus
