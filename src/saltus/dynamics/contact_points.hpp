// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "saltus/dynamics/configuration.hpp"
#include "saltus/elements/contact_element.hpp"
#include "saltus/model/contact.hpp"

namespace saltus {

/// Names a contact point for the whole run: a pair of features that may ever touch. Most of them
/// are not stored.
using ContactIndex = std::int64_t;

/// What holds at all points of a contact of the model.
struct ContactLaw {
  double restitution = 0;
  double tangential_restitution = 0;
  FrictionLaw friction = 0.0;
  double rolling = 0;    ///< m
  double spinning = 0;   ///< m
  bool coupled = false;  ///< sliding and spinning share one bound
  std::optional<double> static_friction = {};

  bool has_moments() const { return rolling > 0 || spinning > 0; }
};

/// Two features that may touch. `contact` counts the contacts of the model, which may have many
/// points.
struct ContactEntry {
  int contact = 0;
  ContactElement element = {};
  bool surface_is_first = false;  ///< of the two colliders in `between`
};

/// Points that are stored one by one: few enough for columns of their own, and the same elements
/// at all configurations.
struct ListedPoints {};

/// All pairs of two lists of features, too many to be stored: point a · |second| + b stands for the
/// a-th of the first and the b-th of the second.
struct FeaturePairs {
  std::vector<int> first = {};  ///< of the first selection, increasing
  std::vector<int> second = {};

  ContactIndex count() const;
  /// The features of the k-th point.
  std::pair<int, int> features(ContactIndex k) const;
  ContactIndex index(std::size_t a, std::size_t b) const {
    return static_cast<ContactIndex>(a * second.size() + b);
  }
};

/// Where the points of a contact come from. A pair of shapes whose points change with the
/// configuration is one more source: see geometry/README.md.
using PointSource = std::variant<ListedPoints, FeaturePairs>;

/// A contact of the model: its points are first, first + 1, … first + count − 1.
struct ContactGroup {
  std::string name = {};
  ContactLaw law = {};
  ContactIndex first = 0;
  ContactIndex count = 0;
  PointSource source = ListedPoints{};

  bool is_listed() const { return std::holds_alternative<ListedPoints>(source); }
};

/// A feature and where it comes from.
struct FeatureEntry {
  ContactFeature feature = {};
  int collider = 0;
  int body = 0;
  int number = 0;  ///< of the collider's features
};

/// All points at which a model may have contacts.
class ContactPoints {
 public:
  /// Contacts with more points than this are not listed.
  static constexpr ContactIndex most_listed = 1000;

  std::vector<FeatureEntry> features = {};
  std::vector<std::string> collider_names = {};
  std::vector<int> features_per_collider = {};
  std::vector<ContactGroup> groups = {};  ///< the contacts of the model
  std::vector<int> unlisted = {};         ///< groups whose points are not listed
  std::vector<ContactEntry> listed = {};  ///< points 0, 1, …
  std::vector<std::string> listed_names = {};
  std::vector<std::array<int, 2>> listed_colliders = {};  ///< of each, in the order of `between`

  bool empty() const { return groups.empty(); }
  /// Listed points, and pairs of features in the other groups.
  ContactIndex size() const;
  bool is_listed(ContactIndex index) const {
    return index < static_cast<ContactIndex>(listed.size());
  }
  /// The element of a point at a configuration: the one way to get it. A point is a pair of
  /// features, so it has an element wherever the bodies are; which points are near is what
  /// ContactSearch says. The shapes of today touch with features that are fixed on them: their
  /// elements are the same at all configurations.
  ContactEntry point(ContactIndex index, const Configuration& q) const;
  /// Of the point's two colliders: whether the surface is that of the first.
  bool surface_is_first(ContactIndex index) const;
  /// The contact of the model that a point belongs to.
  int contact_of(ContactIndex index) const;
  const ContactLaw& law(const ContactEntry& entry) const {
    return groups[static_cast<std::size_t>(entry.contact)].law;
  }
  /// "bounce" or "bounce.ball.floor.0": as columns and events call it.
  std::string name(ContactIndex index) const;
  /// The length of the longest name that name() may give.
  std::size_t longest_name() const;

  /// Whether two features of a group that is not listed are one of its pairs.
  bool is_pair(const FeaturePairs& pairs, int first, int second) const;
  /// The point of two features of such a group, if they are one of its pairs.
  std::optional<ContactIndex> find(const ContactGroup& group, int first, int second) const;
  /// Whether two features can touch at all.
  bool can_touch(int first, int second) const;
  /// The element of two features under the law of a group.
  ContactEntry make(int contact, int first, int second) const;
  std::string pair_name(const std::string& contact, int first, int second) const;

 private:
  const FeatureEntry& feature(int i) const { return features[static_cast<std::size_t>(i)]; }
  int group_of(ContactIndex index) const;
  std::pair<int, int> features_of(ContactIndex index) const;
};

}  // namespace saltus
