// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "saltus/dynamics/configuration.hpp"
#include "saltus/elements/contact_element.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/model/joined_filter.hpp"

namespace saltus {

/// Names a contact point for the whole run: a pair of features that may ever touch. Most of them
/// are not stored.
using ContactIndex = std::int64_t;

/// What holds at all points of a contact of the model.
struct ContactLaw {
  Restitution restitution = 0.0;
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
  JoinedFilter filter = {};

  ContactIndex count() const;
  /// The features of the k-th point.
  std::pair<int, int> features(ContactIndex k) const;
  ContactIndex index(std::size_t a, std::size_t b) const {
    return static_cast<ContactIndex>(a * second.size() + b);
  }
};

/// A solid on a node.
struct SolidEntry {
  int core = 0;  ///< of the list of cores
  int node = 0;
  FrameOnNode frame = {};
  int collider = 0;
  int body = 0;
  int number = 0;  ///< of the collider's solids: one for each node of a set
};

/// All pairs of two lists of solids. Their points change with the configuration: a vertex on a face
/// now, an edge on an edge later. Each pair has `stride` indices, one for each pair of features
/// that may ever touch (CorePair); point (a · |second| + b) · stride + k is the k-th of the a-th
/// and b-th.
struct SolidPairs {
  int contact = 0;
  ContactIndex first_index = 0;
  ContactIndex stride = 1;
  std::vector<int> first = {};  ///< solids, increasing
  std::vector<int> second = {};
  JoinedFilter filter = {};
  bool has_listed = false;  ///< whether pairs with one index are listed, and not of these

  ContactIndex count() const {
    return static_cast<ContactIndex>(first.size() * second.size()) * stride;
  }
};

/// Where the points of a contact come from that are the same at all configurations; besides these
/// a contact may have pairs of solids.
using PointSource = std::variant<ListedPoints, FeaturePairs>;

/// A contact of the model: its points are first, first + 1, … first + count − 1.
struct ContactGroup {
  std::string name = {};
  ContactLaw law = {};
  ContactIndex first = 0;
  ContactIndex count = 0;
  PointSource source = ListedPoints{};
  bool is_compliant = false;  ///< its points are forces (ElementLists::compliant)
  bool has_solids = false;    ///< points that change with the configuration, besides
  std::optional<int> joint =
      {};  ///< of the model, if these are its stops or its friction: no contact

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
  std::vector<ContactGroup> groups = {};  ///< the contacts of the model, then of joints
  std::vector<int> unlisted = {};         ///< groups whose points are not listed
  std::vector<ContactEntry> listed = {};  ///< points 0, 1, …
  std::vector<std::string> listed_names = {};
  std::vector<std::array<int, 2>> listed_colliders =
      {};  ///< of each, in the order of `between`; of a stop −1
  /// The shapes of solids: elements point to them, copies share them.
  std::shared_ptr<const std::vector<ConvexCore>> cores = {};
  std::vector<SolidEntry> solids = {};
  std::vector<int> solids_per_collider = {};
  std::vector<SolidPairs> solid_pairs = {};  ///< their indices follow those of all others
  /// Two solids with one listed point, and their contact.
  struct ListedSolids {
    int contact = 0, first = 0, second = 0;
  };
  std::vector<ListedSolids> listed_solids = {};

  bool empty() const { return groups.empty(); }
  /// Listed points, and pairs of features in the other groups.
  ContactIndex size() const;
  bool is_listed(ContactIndex index) const {
    return index < static_cast<ContactIndex>(listed.size());
  }
  bool is_stop(ContactIndex index) const {
    return is_listed(index) && listed[static_cast<std::size_t>(index)].element.stop() != nullptr;
  }
  /// Whether it is a stop of a joint or its friction.
  bool is_of_joint(ContactIndex index) const {
    return is_listed(index) && listed[static_cast<std::size_t>(index)].element.is_of_joint();
  }
  /// Whether a point is a force, which no contact problem knows of.
  bool is_compliant(ContactIndex index) const {
    if (!is_listed(index)) return false;
    const int contact = listed[static_cast<std::size_t>(index)].contact;
    return groups[static_cast<std::size_t>(contact)].is_compliant;
  }
  /// The element of a point at a configuration: the one way to get it. A point is a pair of
  /// features, so it has an element wherever the bodies are; which points are near is what
  /// ContactSearch says. The shapes of today touch with features that are fixed on them: their
  /// elements are the same at all configurations, but for stops of angles that turn many times.
  ContactEntry point(ContactIndex index, const Configuration& q) const;
  /// A stop of an angle measures it on the branch nearest to where it was.
  static JointStop stop_at(const JointStop& stop, const Configuration& q);
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

  const ConvexCore& core(int solid) const {
    return (*cores)[static_cast<std::size_t>(solids[static_cast<std::size_t>(solid)].core)];
  }
  /// Whether the two solids are a pair.
  bool is_pair(const SolidPairs& pairs, int first, int second) const;
  /// Of two solids with one point, the same at all configurations (CorePair): its number.
  std::optional<std::int64_t> only_point(int first, int second) const;
  /// The two in the order of their CorePair: a plane is first, and a cylinder before a sphere or
  /// point; else the first of `between`.
  std::pair<int, int> in_order(int first, int second) const {
    const ConvexCore &a = core(first), &b = core(second);
    const bool is_surface = b.plane || (b.round && a.is_dot());
    return is_surface ? std::pair(second, first) : std::pair(first, second);
  }
  /// The two solids of a point that is not listed, in the order of their CorePair.
  std::optional<std::pair<int, int>> solids_at(ContactIndex index) const;
  CorePair core_pair(int first, int second) const {
    const auto [a, b] = in_order(first, second);
    return {core(a), core(b)};
  }
  /// The element of two features of two solids.
  ContactEntry make(const SolidPairs& pairs, int first, int second, std::int64_t k) const;
  /// What a point is called in its pair of colliders, after the contact's name.
  std::string solid_name(int first, int second, std::int64_t stride, std::int64_t k) const;

 private:
  const FeatureEntry& feature(int i) const { return features[static_cast<std::size_t>(i)]; }
  int group_of(ContactIndex index) const;
  std::pair<int, int> features_of(ContactIndex index) const;
  /// The pairs of solids that an index belongs to; null if it belongs to none.
  const SolidPairs* solids_of(ContactIndex index) const {
    return index < first_solid_index() ? nullptr : &pairs_of(index);
  }
  ContactIndex first_solid_index() const;
  const SolidPairs& pairs_of(ContactIndex index) const;
  /// The two solids and the number of the features of a point.
  struct SolidPoint {
    int first = 0, second = 0;
    std::int64_t k = 0;
  };
  static SolidPoint solid_point(const SolidPairs& pairs, ContactIndex index);
};

}  // namespace saltus
