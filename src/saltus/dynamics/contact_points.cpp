// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_points.hpp"

#include <algorithm>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

using Kind = ContactFeature::Kind;

bool is_sphere(const ContactFeature& feature) {
  return feature.kind == Kind::Round && feature.radius > 0;
}

/// Whether `surface` is what the other touches; two spheres are both.
bool is_touched(const FeatureEntry& surface, const FeatureEntry& other) {
  const bool round = other.feature.kind == Kind::Round;
  switch (surface.feature.kind) {
    case Kind::Plane:
    case Kind::Hollow:
      return round;
    case Kind::Round:
      return round && is_sphere(surface.feature) && !surface.is_corner && !other.is_corner;
    case Kind::Rod:
      return (round && !other.is_corner) || other.feature.kind == Kind::TubeRim;
    case Kind::Tube:
      return (round && !other.is_corner) || other.feature.kind == Kind::PinEnd;
    case Kind::Groove:
      return is_sphere(other.feature);
    case Kind::PinEnd:
    case Kind::TubeRim:
      return false;
  }
  return false;
}

bool can_touch_each_other(const FeatureEntry& a, const FeatureEntry& b) {
  return is_touched(a, b) || is_touched(b, a);
}

bool contains(const std::vector<int>& sorted, int value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

ContactIndex ContactPoints::size() const {
  auto sum = static_cast<ContactIndex>(listed.size());
  for (const int i : unlisted) sum += groups[static_cast<std::size_t>(i)].count;
  return sum;
}

int ContactPoints::group_of(ContactIndex index) const {
  for (const int i : unlisted) {
    const ContactGroup& group = groups[static_cast<std::size_t>(i)];
    if (index < group.first + group.count) return i;
  }
  SALTUS_ASSERT(false);
  return 0;
}

int ContactPoints::contact_of(ContactIndex index) const {
  return is_listed(index) ? listed[static_cast<std::size_t>(index)].contact : group_of(index);
}

ContactEntry ContactPoints::point(ContactIndex index) const {
  if (is_listed(index)) return listed[static_cast<std::size_t>(index)];
  const int contact = group_of(index);
  const auto [first, second] = features_of(groups[static_cast<std::size_t>(contact)], index);
  return make(contact, first, second);
}

std::pair<int, int> ContactPoints::features_of(const ContactGroup& group,
                                               ContactIndex index) const {
  const auto columns = static_cast<ContactIndex>(group.second_features.size());
  const ContactIndex k = index - group.first;
  return {group.first_features[static_cast<std::size_t>(k / columns)],
          group.second_features[static_cast<std::size_t>(k % columns)]};
}

ContactEntry ContactPoints::make(int contact, int first, int second) const {
  const ContactFeature& a = features[static_cast<std::size_t>(first)].feature;
  const ContactFeature& b = features[static_cast<std::size_t>(second)].feature;
  FeaturePair pair = touch(a, b);
  const ContactLaw& law = groups[static_cast<std::size_t>(contact)].law;
  pair.element.has_moments = law.has_moments() && (is_sphere(a) || is_sphere(b));
  return {contact, pair.element, pair.surface_is_first};
}

bool ContactPoints::is_pair(const ContactGroup& group, int first, int second) const {
  const FeatureEntry& a = features[static_cast<std::size_t>(first)];
  const FeatureEntry& b = features[static_cast<std::size_t>(second)];
  if (a.body == b.body || !can_touch_each_other(a, b)) return false;
  return !(b.collider < a.collider && contains(group.first_features, second) &&
           contains(group.second_features, first));
}

bool ContactPoints::can_touch(int first, int second) const {
  return can_touch_each_other(features[static_cast<std::size_t>(first)],
                              features[static_cast<std::size_t>(second)]);
}

std::string ContactPoints::name(ContactIndex index) const {
  if (is_listed(index)) return listed_names[static_cast<std::size_t>(index)];
  const ContactGroup& group = groups[static_cast<std::size_t>(group_of(index))];
  const auto [first, second] = features_of(group, index);
  return pair_name(group.name, first, second);
}

std::string ContactPoints::pair_name(const std::string& contact, int first, int second) const {
  const FeatureEntry& a = features[static_cast<std::size_t>(first)];
  const FeatureEntry& b = features[static_cast<std::size_t>(second)];
  const int k = a.number * features_per_collider[static_cast<std::size_t>(b.collider)] + b.number;
  return contact + "." + collider_names[static_cast<std::size_t>(a.collider)] + "." +
         collider_names[static_cast<std::size_t>(b.collider)] + "." + std::to_string(k);
}

std::size_t ContactPoints::longest_name() const {
  std::size_t length = 1, collider = 0, contact = 0;
  for (const std::string& name : listed_names) length = std::max(length, name.size());
  for (const std::string& name : collider_names) collider = std::max(collider, name.size());
  for (const ContactGroup& group : groups) {
    if (!group.is_listed) contact = std::max(contact, group.name.size());
  }
  constexpr std::size_t number = 12;
  return contact == 0 ? length : std::max(length, contact + 2 * collider + number);
}

}  // namespace saltus
