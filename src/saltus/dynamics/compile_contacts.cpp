// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/compile_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/model/collider_pairs.hpp"

namespace saltus {
namespace {

/// Two features, as indices into `ContactPoints::features`.
using FeatureIndices = std::pair<int, int>;

class ContactCompiler {
 public:
  ContactCompiler(const Model& model, BodyCompiler& bodies, ContactPoints& points)
      : model_(model), bodies_(bodies), points_(points) {}

  /// Contacts with few points come first, each point listed; then the others.
  double run() {
    for (std::size_t i = 0; i < model_.colliders.size(); ++i) add_features(static_cast<int>(i));
    first_features_.push_back(0);
    for (const int count : points_.features_per_collider) {
      first_features_.push_back(first_features_.back() + count);
    }
    for (const Contact& contact : model_.contacts) {
      ContactGroup& group = points_.groups.emplace_back();
      group.name = contact.name;
      group.law = {
          contact.restitution,       contact.tangential_restitution,
          contact.friction,          contact.rolling_friction,
          contact.spinning_friction, contact.sliding_and_spinning == SlidingAndSpinning::Coupled,
          contact.static_friction};
    }
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
      if (!list_points(i)) points_.unlisted.push_back(static_cast<int>(i));
    }
    auto next = static_cast<ContactIndex>(points_.listed.size());
    for (const int i : points_.unlisted) next = add_pairs(static_cast<std::size_t>(i), next);
    return height_;
  }

 private:
  /// Points and spheres on a node set touch at each of its nodes, everything else at its patch.
  std::vector<Site> sites_of(const Collider& collider) {
    const bool is_spread = std::holds_alternative<PointShape>(collider.shape) ||
                           std::holds_alternative<Sphere>(collider.shape);
    return is_spread ? bodies_.sites(collider.frame) : std::vector{bodies_.site(collider.frame)};
  }

  void add_features(int index) {
    const Collider& collider = model_.colliders[static_cast<std::size_t>(index)];
    points_.collider_names.push_back(collider.name);
    const std::vector<Feature> features = features_of(collider.shape);
    int number = 0;
    for (const Site& site : sites_of(collider)) {
      for (const Feature& feature : features) {
        const ContactFeature on_node = ContactFeature::on(site.node, site.frame, feature);
        bodies_.consider_length(on_node.extent());
        points_.features.push_back({on_node, index, collider.frame.body.index, number++});
      }
    }
    points_.features_per_collider.push_back(number);
  }

  FeatureKind kind_of(int feature) const {
    return points_.features[static_cast<std::size_t>(feature)].feature.form.kind;
  }

  int collider_of(int feature) const {
    return points_.features[static_cast<std::size_t>(feature)].collider;
  }

  /// The features of two colliders that can touch, in their order.
  void add_touching(const ColliderPair& pair, std::vector<FeatureIndices>& touching) const {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    for (int f = first_features_[a]; f < first_features_[a + 1]; ++f) {
      for (int g = first_features_[b]; g < first_features_[b + 1]; ++g) {
        if (points_.can_touch(f, g)) touching.push_back({f, g});
      }
    }
  }

  /// False if there are too many.
  bool list_points(std::size_t contact) {
    constexpr auto most = static_cast<std::size_t>(ContactPoints::most_listed);
    const PairSelection selection(model_, model_.contacts[contact]);
    const std::vector<ColliderPair> pairs = selection.pairs(most + 1);
    std::vector<FeatureIndices> touching;
    for (const ColliderPair& pair : pairs) add_touching(pair, touching);
    if (pairs.size() > most || (touching.size() > most && !has_rims(touching))) return false;
    ContactGroup& group = points_.groups[contact];
    group.first = static_cast<ContactIndex>(points_.listed.size());
    group.count = static_cast<ContactIndex>(touching.size());
    for (const auto& [f, g] : touching) {
      const ContactEntry entry = points_.make(static_cast<int>(contact), f, g);
      points_.listed.push_back(entry);
      points_.listed_names.push_back(touching.size() == 1 ? group.name
                                                          : points_.pair_name(group.name, f, g));
      points_.listed_colliders.push_back({collider_of(f), collider_of(g)});
      if (kind_of(f) != FeatureKind::Plane && kind_of(g) != FeatureKind::Plane) continue;
      const NodePair pair = bodies_.pair(entry.element.node_A, entry.element.node_B);
      height_ = std::max(height_, std::abs(entry.element.gap(pair)));
    }
    return true;
  }

  /// Rims are not searched for.
  bool has_rims(const std::vector<FeatureIndices>& touching) const {
    return std::ranges::any_of(touching, [&](const FeatureIndices& pair) {
      return is_rim(kind_of(pair.first)) || is_rim(kind_of(pair.second));
    });
  }

  /// All pairs of two lists of features, from the index `first` on; the next free index.
  ContactIndex add_pairs(std::size_t contact, ContactIndex first) {
    const PairSelection selection(model_, model_.contacts[contact]);
    const FeaturePairs pairs{features_on(selection.first()), features_on(selection.second())};
    ContactGroup& group = points_.groups[contact];
    group.first = first;
    group.count = pairs.count();
    group.source = pairs;
    return first + group.count;
  }

  std::vector<int> features_on(const std::vector<int>& colliders) const {
    std::vector<int> list;
    for (const int c : colliders) {
      const auto i = static_cast<std::size_t>(c);
      for (int f = first_features_[i]; f < first_features_[i + 1]; ++f) list.push_back(f);
    }
    return list;
  }

  const Model& model_;
  BodyCompiler& bodies_;
  ContactPoints& points_;
  std::vector<int> first_features_;  // of the colliders, in the list of features
  double height_ = 0;                // largest initial distance from a plane
};

}  // namespace

double add_contacts(const Model& model, BodyCompiler& bodies, ContactPoints& points) {
  return ContactCompiler(model, bodies, points).run();
}

}  // namespace saltus
