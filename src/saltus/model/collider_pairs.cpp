// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/collider_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

/// Bit k: the k-th kind of feature.
using KindSet = unsigned;

template <class S>
constexpr KindSet kinds_of() {
  KindSet kinds = 0;
  for (const FeatureKind kind : S::features) kinds |= 1u << static_cast<int>(kind);
  return kinds;
}

/// What features of the shape can touch.
template <class S>
constexpr KindSet partners_of() {
  KindSet partners = 0;
  for (int k = 0; k < feature_kind_count; ++k) {
    for (const FeatureKind kind : S::features) {
      if (can_touch(kind, static_cast<FeatureKind>(k))) partners |= 1u << k;
    }
  }
  return partners;
}

std::vector<int> common(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

std::string describe_pair(const Model& model, const ColliderPair& pair) {
  const auto one = [&](int i) {
    const Collider& collider = model.colliders[static_cast<std::size_t>(i)];
    return fmt::format("\"{}\" (a {})", collider.name, type_of(collider.shape));
  };
  return one(pair.first) + " and " + one(pair.second);
}

bool touch_with_features(const Shape& first, const Shape& second) {
  const KindSet kinds = std::visit([]<class S>(const S&) { return kinds_of<S>(); }, first);
  const KindSet partners = std::visit([]<class S>(const S&) { return partners_of<S>(); }, second);
  return (kinds & partners) != 0;
}

bool touch_as_solids(const Shape& first, const Shape& second) {
  const auto is_solid = [](const Shape& shape) {
    return std::visit(
        []<class S>(const S&) {
          return requires { S::is_solid; };
        },
        shape);
  };
  const auto is_point = [](const Shape& s) { return std::holds_alternative<PointShape>(s); };
  if (is_point(first) && is_point(second)) return false;
  // Other solids touch planes with their corners.
  const auto is_cylinder = [](const Shape& s) { return std::holds_alternative<Cylinder>(s); };
  const auto is_plane = [](const Shape& s) {
    return std::holds_alternative<HalfSpace>(s) || std::holds_alternative<Face>(s);
  };
  if (is_cylinder(first) && is_plane(second)) return true;
  if (is_plane(first) && is_cylinder(second)) return true;
  return is_solid(first) && is_solid(second) && !touch_with_features(first, second);
}

bool can_touch(const Shape& first, const Shape& second) {
  return touch_with_features(first, second) || touch_as_solids(first, second);
}

std::vector<std::pair<int, int>> joined_bodies(const Model& model) {
  std::vector<std::pair<int, int>> joined;
  for (const Joint& joint : model.joints) {
    std::visit(
        [&](const auto& j) {
          if constexpr (requires { j.between; }) {
            int a = ground_body.index, b = ground_body.index;
            if (j.between.size() == 2) {
              a = j.between[0].body.index;
              b = j.between[1].body.index;
            } else if constexpr (requires { j.bodies; }) {
              if (j.bodies.size() != 2) return;
              a = j.bodies[0].index;
              b = j.bodies[1].index;
            }
            if (a == b || a == ground_body.index || b == ground_body.index) return;
            joined.emplace_back(std::minmax(a, b));
          }
        },
        joint);
  }
  std::ranges::sort(joined);
  joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
  return joined;
}

namespace {

ColliderSelection names_of(const ColliderSelection& selection) {
  ColliderSelection named = selection;
  std::erase_if(named.patterns, [](const auto& p) { return ColliderSelection::is_pattern(p); });
  return named;
}

}  // namespace

JoinedFilter::JoinedFilter(const Model& model, const Contact& contact) {
  if (contact.collide_joined) return;
  joined_ = joined_bodies(model);
  if (joined_.empty()) return;
  named_first_ = selected_colliders(model, names_of(contact.between[0]));
  named_second_ = selected_colliders(model, names_of(contact.between[1]));
}

bool JoinedFilter::leaves_out(int a, int body_a, int b, int body_b) const {
  if (joined_.empty()) return false;
  const std::pair<int, int> bodies = std::minmax(body_a, body_b);
  if (!std::ranges::binary_search(joined_, bodies)) return false;
  const auto are_named = [&](int one, int other) {
    return std::ranges::binary_search(named_first_, one) &&
           std::ranges::binary_search(named_second_, other);
  };
  return !are_named(a, b) && !are_named(b, a);
}

std::vector<int> selected_colliders(const Model& model, const ColliderSelection& selection) {
  std::vector<int> selected;
  const bool is_name = selection.is_name();  // comparing is much quicker than matching
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const std::string& name = model.colliders[i].name;
    const bool found = is_name ? name == selection.patterns[0] : selection.matches(name);
    if (found) selected.push_back(static_cast<int>(i));
  }
  return selected;
}

PairSelection::PairSelection(const Model& model, const Contact& contact) : model_(&model) {
  SALTUS_ASSERT(contact.between.size() == 2);
  first_ = selected_colliders(model, contact.between[0]);
  second_ = selected_colliders(model, contact.between[1]);
  filter_ = JoinedFilter(model, contact);
}

bool PairSelection::can_pair(int a, int b) const {
  const Collider& one = model_->colliders[static_cast<std::size_t>(a)];
  const Collider& other = model_->colliders[static_cast<std::size_t>(b)];
  return one.frame.body != other.frame.body && can_touch(one.shape, other.shape) &&
         !filter_.leaves_out(a, one.frame.body.index, b, other.frame.body.index);
}

bool PairSelection::selects(const std::vector<int>& list, int collider) const {
  return std::binary_search(list.begin(), list.end(), collider);
}

bool PairSelection::has(int a, int b) const {
  if (!can_pair(a, b)) return false;
  return !(b < a && selects(first_, b) && selects(second_, a));  // (b, a) stands there
}

bool PairSelection::uses(int collider) const {
  const auto pairs_with = [&](int other) { return can_pair(collider, other); };
  return (selects(first_, collider) && std::ranges::any_of(second_, pairs_with)) ||
         (selects(second_, collider) && std::ranges::any_of(first_, pairs_with));
}

bool PairSelection::uses_as_solid(int collider) const {
  const auto shape = [&](int i) -> const Shape& {
    return model_->colliders[static_cast<std::size_t>(i)].shape;
  };
  const auto pairs_with = [&](int other) {
    return can_pair(collider, other) && touch_as_solids(shape(collider), shape(other));
  };
  return (selects(first_, collider) && std::ranges::any_of(second_, pairs_with)) ||
         (selects(second_, collider) && std::ranges::any_of(first_, pairs_with));
}

std::vector<ColliderPair> PairSelection::pairs(std::size_t limit) const {
  std::vector<ColliderPair> pairs;
  for (const int a : first_) {
    for (const int b : second_) {
      if (!has(a, b)) continue;
      if (pairs.size() == limit) return pairs;
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::vector<ColliderPair> PairSelection::joined(std::size_t limit) const {
  std::vector<ColliderPair> pairs;
  if (filter_.empty()) return pairs;
  for (const int a : first_) {
    for (const int b : second_) {
      const Collider& one = model_->colliders[static_cast<std::size_t>(a)];
      const Collider& other = model_->colliders[static_cast<std::size_t>(b)];
      if (!filter_.leaves_out(a, one.frame.body.index, b, other.frame.body.index)) continue;
      if (b < a && selects(first_, b) && selects(second_, a)) continue;
      if (!can_touch(one.shape, other.shape)) continue;
      if (pairs.size() == limit) return pairs;
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::optional<ColliderPair> PairSelection::any_pair(const std::vector<int>& a,
                                                    const std::vector<int>& b) const {
  for (const int one : a) {
    for (const int other : b) {
      if (can_pair(one, other)) return ColliderPair{one, other};
    }
  }
  return std::nullopt;
}

std::optional<ColliderPair> PairSelection::common_pair(const PairSelection& other) const {
  const auto found = any_pair(common(first_, other.first_), common(second_, other.second_));
  if (found) return found;
  return any_pair(common(first_, other.second_), common(second_, other.first_));
}

/// Ordered pairs of a selection with itself or another: shapes that cannot touch, on two bodies.
/// Counted by shapes and bodies, for there may be millions of them.
std::size_t PairSelection::count_untouchable(const std::vector<int>& a,
                                             const std::vector<int>& b) const {
  struct Kind {
    const Shape* shape = nullptr;  // one of them
    std::size_t count = 0;
    std::map<int, std::size_t> by_body = {};
  };
  const auto kinds_of = [&](const std::vector<int>& list) {
    std::vector<Kind> kinds(std::variant_size_v<Shape>);
    for (const int i : list) {
      const Collider& collider = model_->colliders[static_cast<std::size_t>(i)];
      Kind& kind = kinds[collider.shape.index()];
      kind.shape = &collider.shape;
      ++kind.count;
      ++kind.by_body[collider.frame.body.index];
    }
    return kinds;
  };
  const std::vector<Kind> others = kinds_of(b);
  std::size_t count = 0;
  for (const Kind& one : kinds_of(a)) {
    for (const Kind& other : others) {
      if (one.count == 0 || other.count == 0 || can_touch(*one.shape, *other.shape)) continue;
      count += one.count * other.count;
      for (const auto& [body, number] : one.by_body) {
        const auto same = other.by_body.find(body);
        if (same != other.by_body.end()) count -= number * same->second;
      }
    }
  }
  return count;
}

UntouchablePairs PairSelection::untouchable() const {
  const std::vector<int> both = common(first_, second_);
  // Of what both entries select every pair stands there in both orders.
  UntouchablePairs found{.count = count_untouchable(first_, second_) -
                                  count_untouchable(both, both) / 2};
  if (found.count == 0) return found;
  for (const int a : first_) {
    const Collider& one = model_->colliders[static_cast<std::size_t>(a)];
    for (const int b : second_) {
      const Collider& other = model_->colliders[static_cast<std::size_t>(b)];
      if (one.frame.body == other.frame.body || can_touch(one.shape, other.shape)) continue;
      found.first = {a, b};
      return found;
    }
  }
  return found;
}

PairSelection named_pairs(const Model& model, const Contact& contact) {
  Contact named{.between = contact.between};
  for (ColliderSelection& side : named.between) {
    std::erase_if(side.patterns, [](const auto& p) { return ColliderSelection::is_pattern(p); });
  }
  return {model, named};
}

std::vector<ColliderPair> collider_pairs(const Model& model, const Contact& contact) {
  return PairSelection(model, contact).pairs(std::numeric_limits<std::size_t>::max());
}

std::vector<bool> used_colliders(const Model& model) {
  std::vector<bool> used(model.colliders.size(), false);
  for (const Contact& contact : model.contacts) {
    const PairSelection selection(model, contact);
    for (const auto* list : {&selection.first(), &selection.second()}) {
      for (const int i : *list) {
        const auto k = static_cast<std::size_t>(i);
        if (!used[k]) used[k] = selection.uses(i);
      }
    }
  }
  return used;
}

bool stands_on_each_node(const Model& model, const Collider& collider) {
  if (std::holds_alternative<PointShape>(collider.shape)) return true;
  if (std::holds_alternative<Sphere>(collider.shape)) return true;
  const BodyId body = collider.frame.body;
  return body == ground_body ||
         !std::holds_alternative<Solid>(model.bodies[static_cast<std::size_t>(body.index)]);
}

}  // namespace saltus
