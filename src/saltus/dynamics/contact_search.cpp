// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_search.hpp"

#include <algorithm>

namespace saltus {

ContactSearch::ContactSearch(const System& system) : system_(system) {
  choose_listed();
  choose_solids();
  const ContactPoints& points = system.elements().contacts;
  for (const int contact : points.unlisted) {
    const auto& pairs =
        std::get<FeaturePairs>(points.groups[static_cast<std::size_t>(contact)].source);
    PairSearch& entry = pair_searches_.emplace_back();
    entry.contact = contact;
    entry.first.assign(points.features.size(), -1);
    entry.second.assign(points.features.size(), -1);
    for (std::size_t i = 0; i < pairs.first.size(); ++i) {
      entry.first[static_cast<std::size_t>(pairs.first[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < pairs.second.size(); ++i) {
      entry.second[static_cast<std::size_t>(pairs.second[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < points.features.size(); ++i) {
      if (entry.first[i] < 0 && entry.second[i] < 0) continue;
      if (!system.is_present(points.features[i].feature.node)) continue;
      const bool round = is_round(points.features[i].feature.form.kind);
      (round ? entry.rounds : entry.surfaces).push_back(static_cast<int>(i));
    }
  }
}

void ContactSearch::choose_listed() {
  const std::vector<ContactEntry>& listed = system_.elements().contacts.listed;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const ContactElement& e = listed[i].element;
    // Those that are forces need not be looked for.
    if (system_.elements().contacts.is_compliant(static_cast<ContactIndex>(i))) continue;
    if (system_.is_present(e.node_A) && system_.is_present(e.node_B)) {
      listed_.push_back(static_cast<int>(i));
    }
  }
}

const std::vector<ContactIndex>& ContactSearch::find(const Configuration& q,
                                                     const std::vector<double>& margins) {
  found_.clear();
  find_listed(q, margins);
  const std::size_t listed = found_.size();
  for (const PairSearch& group : pair_searches_) find_pairs(group, q, margins);
  for (const SolidSearch& group : solid_searches_) find_solids(group, q, margins);
  std::sort(found_.begin() + static_cast<std::ptrdiff_t>(listed), found_.end());
  return found_;
}

const std::vector<ContactIndex>& ContactSearch::find(const Configuration& q,
                                                     const std::vector<double>& margins,
                                                     const Configuration& before, double behind) {
  before_ = &before;
  behind_ = behind;
  find(q, margins);
  before_ = nullptr;
  return found_;
}

void ContactSearch::find_listed(const Configuration& q, const std::vector<double>& margins) {
  const std::vector<ContactEntry>& listed = system_.elements().contacts.listed;
  for (const int i : listed_) {
    const ContactElement& e = listed[static_cast<std::size_t>(i)].element;
    const double margin =
        margins[static_cast<std::size_t>(e.node_A)] + margins[static_cast<std::size_t>(e.node_B)];
    const NodePair pair = system_.pair(q, e.node_A, e.node_B);
    const JointStop* stop = e.stop();
    const double gap = stop != nullptr ? ContactPoints::stop_at(*stop, q).gap(pair) : e.gap(pair);
    if (gap < margin) found_.push_back(i);
  }
}

/// Points and spheres against each other by a grid, against surfaces one by one.
void ContactSearch::find_pairs(const PairSearch& group, const Configuration& q,
                               const std::vector<double>& margins) {
  const ContactPoints& points = system_.elements().contacts;
  centres_.clear();
  radii_.clear();
  for (const int f : group.rounds) {
    const ContactFeature& feature = points.features[static_cast<std::size_t>(f)].feature;
    const auto node = static_cast<std::size_t>(feature.node);
    centres_.push_back(feature.frame.point(q.nodes[node]));
    radii_.push_back(feature.form.radius + margins[node]);
  }
  grid_.find_pairs(centres_, radii_, pairs_);
  for (const auto& [i, j] : pairs_) {
    add(group, group.rounds[static_cast<std::size_t>(i)],
        group.rounds[static_cast<std::size_t>(j)]);
  }
  for (const int s : group.surfaces) {
    const ContactFeature& surface = points.features[static_cast<std::size_t>(s)].feature;
    const auto node = static_cast<std::size_t>(surface.node);
    const DistanceBound distance(surface, q.nodes[node]);
    for (std::size_t k = 0; k < centres_.size(); ++k) {
      if (distance.at(centres_[k]) < radii_[k] + margins[node]) add(group, s, group.rounds[k]);
    }
  }
}

void ContactSearch::choose_solids() {
  const ContactPoints& points = system_.elements().contacts;
  for (const SolidPairs& pairs : points.solid_pairs) {
    SolidSearch& search = solid_searches_.emplace_back();
    search.pairs = &pairs;
    search.first.assign(points.solids.size(), -1);
    search.second.assign(points.solids.size(), -1);
    for (std::size_t i = 0; i < pairs.first.size(); ++i) {
      search.first[static_cast<std::size_t>(pairs.first[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < pairs.second.size(); ++i) {
      search.second[static_cast<std::size_t>(pairs.second[i])] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < points.solids.size(); ++i) {
      if (search.first[i] < 0 && search.second[i] < 0) continue;
      if (!system_.is_present(points.solids[i].node)) continue;
      const bool is_plane = points.core(static_cast<int>(i)).plane.has_value();
      (is_plane ? search.planes : search.solids).push_back(static_cast<int>(i));
    }
  }
}

void ContactSearch::find_solids(const SolidSearch& group, const Configuration& q,
                                const std::vector<double>& margins) {
  const ContactPoints& points = system_.elements().contacts;
  centres_.clear();
  radii_.clear();
  for (const int s : group.solids) {
    const SolidEntry& solid = points.solids[static_cast<std::size_t>(s)];
    const ConvexCore& core = points.core(s);
    const NodePose& pose = q.nodes[static_cast<std::size_t>(solid.node)];
    centres_.emplace_back(solid.frame.point(pose) + solid.frame.axes(pose) * core.centre);
    radii_.push_back(core.bound + margins[static_cast<std::size_t>(solid.node)]);
  }
  grid_.find_pairs(centres_, radii_, pairs_);
  for (const auto& [i, j] : pairs_) {
    const int a = group.solids[static_cast<std::size_t>(i)];
    const int b = group.solids[static_cast<std::size_t>(j)];
    const double reach =
        margins[static_cast<std::size_t>(points.solids[static_cast<std::size_t>(a)].node)] +
        margins[static_cast<std::size_t>(points.solids[static_cast<std::size_t>(b)].node)];
    find_in_pair(group, a, b, q, reach);
    find_in_pair(group, b, a, q, reach);
  }
  find_on_planes(group, q, margins);
}

/// Solids of which a sphere is near a plane, which has no size; the spheres are those of the grid.
void ContactSearch::find_on_planes(const SolidSearch& group, const Configuration& q,
                                   const std::vector<double>& margins) {
  const ContactPoints& points = system_.elements().contacts;
  for (const int p : group.planes) {
    const SolidEntry& plane = points.solids[static_cast<std::size_t>(p)];
    const NodePose& pose = q.nodes[static_cast<std::size_t>(plane.node)];
    const Vector3 n = plane.frame.axes(pose) * points.core(p).plane->axes.col(2);
    const Vector3 origin = plane.frame.point(pose);
    const double margin = margins[static_cast<std::size_t>(plane.node)];
    for (std::size_t k = 0; k < group.solids.size(); ++k) {
      if (n.dot(centres_[k] - origin) > radii_[k] + margin) continue;
      const int s = group.solids[k];
      const double reach = margin + radii_[k] - points.core(s).bound;
      find_in_pair(group, p, s, q, reach);
      find_in_pair(group, s, p, q, reach);
    }
  }
}

void ContactSearch::find_in_pair(const SolidSearch& group, int a, int b, const Configuration& q,
                                 double reach) {
  const ContactPoints& points = system_.elements().contacts;
  const int row = group.first[static_cast<std::size_t>(a)];
  const int column = group.second[static_cast<std::size_t>(b)];
  if (row < 0 || column < 0 || !points.is_pair(*group.pairs, a, b)) return;
  const auto [one, other] = points.in_order(a, b);
  const SolidEntry &A = points.solids[static_cast<std::size_t>(one)],
                   &B = points.solids[static_cast<std::size_t>(other)];
  const auto pose_at = [&](const Configuration& at) {
    const NodePose &pose_A = at.nodes[static_cast<std::size_t>(A.node)],
                   &pose_B = at.nodes[static_cast<std::size_t>(B.node)];
    const Matrix3 R_A = A.frame.axes(pose_A);
    return RelativePose{R_A.transpose() * B.frame.axes(pose_B),
                        R_A.transpose() * (B.frame.point(pose_B) - A.frame.point(pose_A))};
  };
  near_.clear();
  CorePairMemory memory;
  const CorePair solids = points.core_pair(a, b);
  if (before_ != nullptr && solids.has_mesh()) {
    const double size = std::max(solids.A().size, solids.B().size);
    solids.find({pose_at(*before_), pose_at(q), reach, behind_ * size}, memory, space_, near_);
  } else {
    solids.find(pose_at(q), reach, memory, space_, near_);
  }
  const auto columns = static_cast<ContactIndex>(group.pairs->second.size());
  const ContactIndex pair = row * columns + column;
  for (const CoreContact& contact : near_) {
    found_.push_back(group.pairs->first_index + pair * group.pairs->stride + contact.index);
  }
}

void ContactSearch::add(const PairSearch& group, int a, int b) {
  const ContactPoints& points = system_.elements().contacts;
  const ContactGroup& contact = points.groups[static_cast<std::size_t>(group.contact)];
  const auto& pairs = std::get<FeaturePairs>(contact.source);
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const int row = group.first[static_cast<std::size_t>(first)];
    const int column = group.second[static_cast<std::size_t>(second)];
    if (row < 0 || column < 0 || !points.is_pair(pairs, first, second)) continue;
    found_.push_back(contact.first +
                     pairs.index(static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
    return;
  }
}

}  // namespace saltus
