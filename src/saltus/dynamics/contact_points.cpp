// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_points.hpp"

#include <algorithm>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

/// Where a value stands in a sorted list; −1: nowhere.
std::ptrdiff_t place_in(const std::vector<int>& sorted, int value) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), value);
  return found != sorted.end() && *found == value ? found - sorted.begin() : -1;
}

}  // namespace

ContactIndex FeaturePairs::count() const {
  return static_cast<ContactIndex>(first.size()) * static_cast<ContactIndex>(second.size());
}

std::pair<int, int> FeaturePairs::features(ContactIndex k) const {
  const auto columns = static_cast<ContactIndex>(second.size());
  return {first[static_cast<std::size_t>(k / columns)],
          second[static_cast<std::size_t>(k % columns)]};
}

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

ContactEntry ContactPoints::point(ContactIndex index, const Configuration&) const {
  if (is_listed(index)) return listed[static_cast<std::size_t>(index)];
  const auto [first, second] = features_of(index);
  return make(group_of(index), first, second);
}

bool ContactPoints::surface_is_first(ContactIndex index) const {
  if (is_listed(index)) return listed[static_cast<std::size_t>(index)].surface_is_first;
  const auto [first, second] = features_of(index);
  return is_touched(feature(first).feature.form.kind, feature(second).feature.form.kind);
}

std::pair<int, int> ContactPoints::features_of(ContactIndex index) const {
  const ContactGroup& group = groups[static_cast<std::size_t>(group_of(index))];
  return std::get<FeaturePairs>(group.source).features(index - group.first);
}

ContactEntry ContactPoints::make(int contact, int first, int second) const {
  const ContactFeature &a = feature(first).feature, &b = feature(second).feature;
  FeaturePair pair = touch(a, b);
  const bool rolls = a.form.kind == FeatureKind::Sphere || b.form.kind == FeatureKind::Sphere;
  const ContactLaw& law = groups[static_cast<std::size_t>(contact)].law;
  pair.element.has_moments = law.has_moments() && rolls;
  return {contact, pair.element, pair.surface_is_first};
}

bool ContactPoints::is_pair(const FeaturePairs& pairs, int first, int second) const {
  const FeatureEntry &a = feature(first), &b = feature(second);
  if (a.body == b.body || !can_touch(first, second)) return false;
  return !(b.collider < a.collider && place_in(pairs.first, second) >= 0 &&
           place_in(pairs.second, first) >= 0);  // (b, a) stands there
}

std::optional<ContactIndex> ContactPoints::find(const ContactGroup& group, int first,
                                                int second) const {
  const auto& pairs = std::get<FeaturePairs>(group.source);
  const std::ptrdiff_t a = place_in(pairs.first, first), b = place_in(pairs.second, second);
  if (a < 0 || b < 0 || !is_pair(pairs, first, second)) return std::nullopt;
  return group.first + pairs.index(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

bool ContactPoints::can_touch(int first, int second) const {
  return saltus::can_touch(feature(first).feature.form.kind, feature(second).feature.form.kind);
}

std::string ContactPoints::name(ContactIndex index) const {
  if (is_listed(index)) return listed_names[static_cast<std::size_t>(index)];
  const auto [first, second] = features_of(index);
  return pair_name(groups[static_cast<std::size_t>(group_of(index))].name, first, second);
}

std::string ContactPoints::pair_name(const std::string& contact, int first, int second) const {
  const FeatureEntry &a = feature(first), &b = feature(second);
  const int k = a.number * features_per_collider[static_cast<std::size_t>(b.collider)] + b.number;
  return contact + "." + collider_names[static_cast<std::size_t>(a.collider)] + "." +
         collider_names[static_cast<std::size_t>(b.collider)] + "." + std::to_string(k);
}

std::size_t ContactPoints::longest_name() const {
  std::size_t length = 1, collider = 0, contact = 0;
  for (const std::string& name : listed_names) length = std::max(length, name.size());
  for (const std::string& name : collider_names) collider = std::max(collider, name.size());
  for (const ContactGroup& group : groups) {
    if (!group.is_listed()) contact = std::max(contact, group.name.size());
  }
  constexpr std::size_t number = 12;
  return contact == 0 ? length : std::max(length, contact + 2 * collider + number);
}

}  // namespace saltus
