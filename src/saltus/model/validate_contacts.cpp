// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

constexpr std::size_t most_listed = 12;        // names in a message
constexpr std::size_t most_suggestions = 200;  // looking for near names takes time
const char* const kinds_that_touch = "a point, sphere or box touches a half_space or face";

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// `"a", "b" or "c"`
std::string any_of_these(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += quoted(names[i]);
  }
  return text;
}

class CheckShape {
 public:
  CheckShape(const Place& place, std::vector<Issue>& issues) : place_(place), issues_(issues) {}

  void operator()(const PointShape&) const {}
  void operator()(const Sphere&) const {}
  void operator()(const Box&) const {}
  void operator()(const HalfSpace& plane) const { check_plane(plane); }
  void operator()(const Face& plane) const { check_plane(plane); }

 private:
  template <class Plane>
  void check_plane(const Plane& plane) const {
    check_direction(plane.normal, place_ / "normal", issues_);
    const Vector3 n = plane.normal.normalized();
    const Vector3& v = plane.surface_velocity;
    constexpr double rounding = 1e-6;  // for what users write with rounded numbers
    if (std::abs(n.dot(v)) <= rounding * v.norm()) return;
    const Vector3 along = v - n.dot(v) * n;
    issues_.push_back({.place = (place_ / "surface_velocity").text(),
                       .rule = "must be along the plane",
                       .value = fmt::format("[{}, {}, {}]", v[0], v[1], v[2]),
                       .remedy = fmt::format("its part along the plane is [{:.6g}, {:.6g}, {:.6g}]",
                                             along[0] + 0.0, along[1] + 0.0, along[2] + 0.0)});
  }

  const Place& place_;
  std::vector<Issue>& issues_;
};

/// Whether the shape needs axes that turn, or points off the origin.
bool needs_axes(const Shape& shape) {
  return !std::holds_alternative<PointShape>(shape) && !std::holds_alternative<Sphere>(shape);
}

void check_collider(const Subject& subject, const Collider& collider, const Place& place,
                    std::vector<Issue>& issues) {
  const FrameUse use = needs_axes(collider.shape) ? FrameUse::Site : FrameUse::EachNode;
  check_frame(subject, collider.frame, place / "frame", use, issues);
  const Place shape = place / "shape";
  std::visit(CheckShape(shape, issues), collider.shape);
  const std::string thing = thing_without_axes(subject, collider.frame, use);
  if (!needs_axes(collider.shape) || thing.empty()) return;
  issues.push_back({.place = (shape / "type").text(),
                    .rule = thing + " has no axes: it carries a point or a sphere",
                    .value = quoted(type_of(collider.shape)),
                    .remedy = "use one of these, or " + thing_with_axes(thing)});
}

class CheckContact {
 public:
  CheckContact(const Subject& subject, const Place& place, std::vector<Issue>& issues)
      : subject_(subject), model_(subject.model), place_(place), issues_(issues) {}

  void check(const Contact& contact) const {
    if (contact.between.size() != 2) {
      return report(place_, "must be two entries: what touches what",
                    std::to_string(contact.between.size()));
    }
    const bool first_found = check_selection(contact.between[0], place_ / 0);
    const bool second_found = check_selection(contact.between[1], place_ / 1);
    if (!first_found || !second_found) return;
    if (contact.between[0].is_name() && contact.between[1].is_name()) {
      check_two(contact);
    } else {
      check_many(contact);
    }
  }

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  bool check_selection(const ColliderSelection& selection, const Place& place) const;
  bool check_pattern(const std::string& pattern, const Place& place) const;
  std::string remedy_for(const std::string& name) const;
  std::string remedy_for_body(BodyId body) const;
  std::vector<std::string> collider_names() const;
  void check_two(const Contact& contact) const;
  void check_many(const Contact& contact) const;

  const Subject& subject_;
  const Model& model_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

/// Returns whether every name and pattern is the name of something.
bool CheckContact::check_selection(const ColliderSelection& selection, const Place& place) const {
  if (selection.patterns.empty()) {
    report(place, "the list is empty", {}, "name at least one collider");
    return false;
  }
  if (!subject_.knows_collider_names) return false;
  if (selection.patterns.size() == 1) return check_pattern(selection.patterns[0], place);
  bool found = true;
  for (std::size_t i = 0; i < selection.patterns.size(); ++i) {
    found &= check_pattern(selection.patterns[i], place / i);
  }
  return found;
}

bool CheckContact::check_pattern(const std::string& pattern, const Place& place) const {
  if (!selected_colliders(model_, pattern).empty()) return true;
  if (ColliderSelection::is_pattern(pattern)) {
    report(place, "no collider fits the pattern " + quoted(pattern), {}, remedy_for({}));
  } else {
    report(place, "no collider is named " + quoted(pattern), {}, remedy_for(pattern));
  }
  return false;
}

std::vector<std::string> CheckContact::collider_names() const {
  std::vector<std::string> names;
  names.reserve(model_.colliders.size());
  for (const Collider& collider : model_.colliders) names.push_back(collider.name);
  return names;
}

/// What to write instead of a name that no collider has; empty: of a pattern.
std::string CheckContact::remedy_for(const std::string& name) const {
  if (model_.colliders.empty()) return "there are none: the model needs \"colliders\"";
  const std::vector<std::string> names = collider_names();
  constexpr std::size_t longest = 64;
  if (!name.empty() && name.size() <= longest && issues_.size() < most_suggestions) {
    if (name == "ground") return remedy_for_body(ground_body);
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      if (name_of(model_.bodies[i]) == name) return remedy_for_body({static_cast<int>(i)});
    }
    const std::string near = nearest_name(name, names);
    if (!near.empty()) return "did you mean " + quoted(near) + "?";
  }
  if (names.size() > most_listed) return {};
  return name.empty() ? "the names are " + fmt::format("{}", fmt::join(names, ", "))
                      : "it must be " + any_of_these(names);
}

/// Bodies do not touch, their colliders do.
std::string CheckContact::remedy_for_body(BodyId body) const {
  std::vector<std::string> carried;
  for (const Collider& collider : model_.colliders) {
    if (collider.frame.body == body) carried.push_back(collider.name);
  }
  const std::string what =
      body == ground_body ? "this is the ground" : "this is the name of a body";
  if (carried.empty()) return what + ", which has no collider: add one";
  if (carried.size() > most_listed) return what + ": name one of its colliders";
  return what + ", its collider is " + any_of_these(carried);
}

void CheckContact::check_two(const Contact& contact) const {
  const std::vector<int> first = selected_colliders(model_, contact.between[0]);
  const std::vector<int> second = selected_colliders(model_, contact.between[1]);
  if (first.size() != 1 || second.size() != 1) return;  // names that stand twice have their issue
  const auto a = static_cast<std::size_t>(first[0]);
  const auto b = static_cast<std::size_t>(second[0]);
  const Collider& one = model_.colliders[a];
  const Collider& other = model_.colliders[b];
  if (a == b) return report(place_, "a collider cannot touch itself", quoted(one.name) + " twice");
  if (!subject_.known_colliders[a] || !subject_.known_colliders[b]) return;
  if (one.frame.body == other.frame.body) {
    const bool ground = one.frame.body == ground_body;
    const std::string body = body_name(model_, one.frame.body);
    return report(place_,
                  ground ? "both colliders are on the ground"
                         : "both colliders are on the body " + quoted(body),
                  {}, "a contact needs colliders on two bodies, or on a body and the ground");
  }
  if (can_touch(one.shape, other.shape)) return;
  report(place_, "these shapes cannot touch in this version",
         fmt::format("a {} and a {}", type_of(one.shape), type_of(other.shape)), kinds_that_touch);
}

void CheckContact::check_many(const Contact& contact) const {
  const auto& known = subject_.known_colliders;
  if (std::find(known.begin(), known.end(), false) != known.end()) return;
  if (!collider_pairs(model_, contact).empty()) return;
  report(place_, "none of the selected colliders can touch each other", {},
         std::string(kinds_that_touch) + " on another body");
}

/// Two laws for one pair would contradict each other.
void check_double_pairs(const Subject& subject, std::vector<Issue>& issues) {
  const std::vector<Contact>& contacts = subject.model.contacts;
  std::map<std::pair<int, int>, std::size_t> owner;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].between.size() != 2) continue;
    for (const ColliderPair& pair : collider_pairs(subject.model, contacts[i])) {
      const auto [other, is_new] = owner.emplace(std::minmax(pair.first, pair.second), i);
      if (is_new || other->second == i) continue;
      const auto name = [&](int index) {
        return quoted(subject.model.colliders[static_cast<std::size_t>(index)].name);
      };
      issues.push_back({.place = fmt::format("/model/contacts/{}/between", i),
                        .rule = fmt::format("/model/contacts/{} holds for {} and {} already",
                                            other->second, name(pair.first), name(pair.second)),
                        .remedy = "each pair has one contact: leave it out of one of the two"});
      break;
    }
  }
}

bool is_about_a_collider_name(const Issue& issue) {
  return issue.place.starts_with("/model/colliders/") && issue.place.ends_with("/name");
}

}  // namespace

void check_contacts(const Subject& subject, std::vector<Issue>& issues) {
  const Place colliders("/model/colliders");
  for (std::size_t i = 0; i < subject.model.colliders.size(); ++i) {
    check_collider(subject, subject.model.colliders[i], colliders / i, issues);
  }
  // Who refers to a wrong name need not be told so too.
  if (std::any_of(issues.begin(), issues.end(), is_about_a_collider_name)) return;
  const Place contacts("/model/contacts");
  for (std::size_t i = 0; i < subject.model.contacts.size(); ++i) {
    const Place contact = contacts / i;
    const Place between = contact / "between";
    CheckContact(subject, between, issues).check(subject.model.contacts[i]);
  }
  if (subject.knows_collider_names) check_double_pairs(subject, issues);
}

}  // namespace saltus
