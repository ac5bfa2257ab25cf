// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/contact_points.hpp"

#include <algorithm>
#include <limits>

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
  for (const SolidPairs& pairs : solid_pairs) sum += pairs.count();
  return sum;
}

ContactIndex ContactPoints::first_solid_index() const {
  return solid_pairs.empty() ? std::numeric_limits<ContactIndex>::max()
                             : solid_pairs.front().first_index;
}

const SolidPairs& ContactPoints::pairs_of(ContactIndex index) const {
  const auto after = std::ranges::upper_bound(solid_pairs, index, {}, &SolidPairs::first_index);
  return *std::prev(after);
}

ContactPoints::SolidPoint ContactPoints::solid_point(const SolidPairs& pairs, ContactIndex index) {
  const ContactIndex k = index - pairs.first_index, pair = k / pairs.stride;
  const auto columns = static_cast<ContactIndex>(pairs.second.size());
  return {pairs.first[static_cast<std::size_t>(pair / columns)],
          pairs.second[static_cast<std::size_t>(pair % columns)], k % pairs.stride};
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
  if (const SolidPairs* pairs = solids_of(index)) return pairs->contact;
  return is_listed(index) ? listed[static_cast<std::size_t>(index)].contact : group_of(index);
}

JointStop ContactPoints::stop_at(const JointStop& stop, const Configuration& q) {
  JointStop here = stop;
  if (stop.angle >= 0) here.near = q.angles[static_cast<std::size_t>(stop.angle)];
  return here;
}

ContactEntry ContactPoints::point(ContactIndex index, const Configuration& q) const {
  if (is_listed(index)) {
    ContactEntry entry = listed[static_cast<std::size_t>(index)];
    if (const JointStop* stop = entry.element.stop()) entry.element.surface = stop_at(*stop, q);
    return entry;
  }
  if (const SolidPairs* pairs = solids_of(index)) {
    const SolidPoint at = solid_point(*pairs, index);
    return make(*pairs, at.first, at.second, at.k);
  }
  const auto [first, second] = features_of(index);
  return make(group_of(index), first, second);
}

bool ContactPoints::surface_is_first(ContactIndex index) const {
  if (is_listed(index)) return listed[static_cast<std::size_t>(index)].surface_is_first;
  if (const SolidPairs* pairs = solids_of(index)) {
    const SolidPoint at = solid_point(*pairs, index);
    return in_order(at.first, at.second).first == at.first;
  }
  const auto [first, second] = features_of(index);
  return is_touched(feature(first).feature.form.kind, feature(second).feature.form.kind);
}

std::optional<std::pair<int, int>> ContactPoints::solids_at(ContactIndex index) const {
  const SolidPairs* pairs = solids_of(index);
  if (pairs == nullptr) return std::nullopt;
  const SolidPoint at = solid_point(*pairs, index);
  return in_order(at.first, at.second);
}

std::pair<int, int> ContactPoints::features_of(ContactIndex index) const {
  const ContactGroup& group = groups[static_cast<std::size_t>(group_of(index))];
  return std::get<FeaturePairs>(group.source).features(index - group.first);
}

ContactEntry ContactPoints::make(int contact, int first, int second) const {
  const ContactFeature &a = feature(first).feature, &b = feature(second).feature;
  FeaturePair pair = touch(a, b);
  const auto is_rounded = [](const FeatureForm& form) {
    return form.kind == FeatureKind::Sphere ||
           (form.kind == FeatureKind::Corner && form.radius > 0);
  };
  const bool rolls = is_rounded(a.form) || is_rounded(b.form);
  const ContactLaw& law = groups[static_cast<std::size_t>(contact)].law;
  pair.element.has_moments = law.has_moments() && rolls;
  return {contact, pair.element, pair.surface_is_first};
}

ContactEntry ContactPoints::make(const SolidPairs& pairs, int first, int second,
                                 std::int64_t k) const {
  const auto [one, other] = in_order(first, second);
  const SolidEntry &a = solids[static_cast<std::size_t>(one)],
                   &b = solids[static_cast<std::size_t>(other)];
  const FeaturePairForm form = CorePair(core(one), core(other)).form(k);
  ContactEntry entry{pairs.contact, touch(a.node, a.frame, b.node, b.frame, form), one == first};
  const double r_a = core(first).rolling_radius(), r_b = core(second).rolling_radius();
  if (r_a > 0 || r_b > 0) {
    entry.element.has_moments = groups[static_cast<std::size_t>(pairs.contact)].law.has_moments();
    entry.element.length = r_a > 0 && r_b > 0 ? std::min(r_a, r_b) : std::max(r_a, r_b);
  }
  return entry;
}

std::optional<std::int64_t> ContactPoints::only_point(int first, int second) const {
  const CorePair pair = core_pair(first, second);
  const std::optional<FeatureIds> only = pair.only_point();
  return only ? std::optional(pair.index(*only)) : std::nullopt;
}

bool ContactPoints::is_pair(const SolidPairs& pairs, int first, int second) const {
  const SolidEntry &a = solids[static_cast<std::size_t>(first)],
                   &b = solids[static_cast<std::size_t>(second)];
  if (a.body == b.body) return false;
  if (pairs.filter.leaves_out(a.collider, a.body, b.collider, b.body)) return false;
  // Points and spheres among themselves touch with their features.
  const ConvexCore &one = core(first), &other = core(second);
  if (one.is_dot() && other.is_dot()) return false;
  // And all but cylinders touch planes with their features.
  if ((one.plane && !other.round) || (other.plane && !one.round)) return false;
  if (pairs.has_listed && only_point(first, second)) return false;
  return !(b.collider < a.collider && place_in(pairs.first, second) >= 0 &&
           place_in(pairs.second, first) >= 0);  // (b, a) stands there
}

bool ContactPoints::is_pair(const FeaturePairs& pairs, int first, int second) const {
  const FeatureEntry &a = feature(first), &b = feature(second);
  if (a.body == b.body || !can_touch(first, second)) return false;
  if (pairs.filter.leaves_out(a.collider, a.body, b.collider, b.body)) return false;
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
  if (const SolidPairs* pairs = solids_of(index)) {
    const SolidPoint at = solid_point(*pairs, index);
    return groups[static_cast<std::size_t>(pairs->contact)].name +
           solid_name(at.first, at.second, pairs->stride, at.k);
  }
  const auto [first, second] = features_of(index);
  return pair_name(groups[static_cast<std::size_t>(group_of(index))].name, first, second);
}

std::string ContactPoints::pair_name(const std::string& contact, int first, int second) const {
  const FeatureEntry &a = feature(first), &b = feature(second);
  const int k = a.number * features_per_collider[static_cast<std::size_t>(b.collider)] + b.number;
  return contact + "." + collider_names[static_cast<std::size_t>(a.collider)] + "." +
         collider_names[static_cast<std::size_t>(b.collider)] + "." + std::to_string(k);
}

std::string ContactPoints::solid_name(int first, int second, std::int64_t stride,
                                      std::int64_t k) const {
  const SolidEntry &a = solids[static_cast<std::size_t>(first)],
                   &b = solids[static_cast<std::size_t>(second)];
  const int of_second = solids_per_collider[static_cast<std::size_t>(b.collider)];
  const std::int64_t number = (a.number * of_second + b.number) * stride + k;
  return "." + collider_names[static_cast<std::size_t>(a.collider)] + "." +
         collider_names[static_cast<std::size_t>(b.collider)] + "." + std::to_string(number);
}

std::size_t ContactPoints::longest_name() const {
  std::size_t length = 1, collider = 0, contact = 0;
  for (const std::string& name : listed_names) length = std::max(length, name.size());
  for (const std::string& name : collider_names) collider = std::max(collider, name.size());
  for (const ContactGroup& group : groups) {
    if (!group.is_listed() || group.has_solids) contact = std::max(contact, group.name.size());
  }
  std::size_t number = 12;
  for (const SolidPairs& pairs : solid_pairs) {
    number = std::max(number, std::to_string(pairs.count()).size() + 2);
  }
  return contact == 0 ? length : std::max(length, contact + 2 * collider + number);
}

}  // namespace saltus
