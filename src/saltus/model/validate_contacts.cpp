// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/mesh_surface.hpp"
#include "saltus/model/state_reference.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

constexpr std::size_t most_listed = 12;        // names in a message
constexpr std::size_t most_suggestions = 200;  // looking for near names takes time

/// `"a", "b" or "c"`
std::string any_of_these(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += quoted(names[i]);
  }
  return text;
}

/// How thin a body of these points is, over its length: 0 in a plane.
double flatness(const std::vector<Vector3>& points) {
  Vector3 mean = Vector3::Zero();
  for (const Vector3& x : points) mean += x / static_cast<double>(points.size());
  Matrix3 spread = Matrix3::Zero();
  for (const Vector3& x : points) spread += (x - mean) * (x - mean).transpose();
  const Vector3 squares = Eigen::SelfAdjointEigenSolver<Matrix3>(spread).eigenvalues();
  return squares[2] > 0 ? std::sqrt(std::max(0.0, squares[0]) / squares[2]) : 0;
}

class CheckShape {
 public:
  CheckShape(const Place& place, std::vector<Issue>& issues) : place_(place), issues_(issues) {}

  void operator()(const PointShape&) const {}
  void operator()(const Sphere&) const {}
  void operator()(const HollowSphereShape&) const {}
  void operator()(const Box&) const {}
  void operator()(const Capsule& capsule) const { check_axis(capsule); }
  void operator()(const Convex& convex) const {
    constexpr double flat = 1e-7;  // square root of round-off
    const std::size_t count = convex.points.size();
    if (count >= 4 && flatness(convex.points) > flat) return;
    issues_.push_back({.place = (place_ / "points").text(),
                       .rule = count < 4 ? "a convex shape needs four points or more"
                                         : "the points of a convex shape must not lie in one plane",
                       .value = fmt::format("{} points", count),
                       .remedy = count < 3
                                     ? "a capsule is a line with a thickness"
                                     : "a flat body is a thin box, or a convex with a thickness"});
  }
  void operator()(const MeshShape& mesh) const { check_mesh(mesh); }
  void operator()(const HalfSpace& plane) const { check_plane(plane); }
  void operator()(const Face& plane) const { check_plane(plane); }
  void operator()(const Cylinder& round) const { check_axis(round); }
  void operator()(const Bore& round) const { check_axis(round); }
  void operator()(const Groove& groove) const {
    check_axis(groove);
    if (groove.radius < groove.ring_radius || !(groove.ring_radius > 0)) return;
    issues_.push_back({.place = (place_ / "radius").text(),
                       .rule = "a groove's section must be smaller than its ring",
                       .value = fmt::format("{:.6g}", groove.radius),
                       .remedy = fmt::format("ring_radius is {:.6g}", groove.ring_radius)});
  }

 private:
  void check_mesh(const MeshShape& mesh) const {
    if (!(mesh.scale > 0)) return;  // the field's rule
    if (mesh.scale != 1 && !mesh.path) {
      issues_.push_back({.place = (place_ / "scale").text(),
                         .rule = "of vertices that a program gives must be 1",
                         .value = fmt::format("{}", mesh.scale),
                         .remedy = "multiply them by it"});
      return;
    }
    if (mesh.path) {
      issues_.push_back({.place = (place_ / "path").text(),
                         .rule = "either \"path\" or \"vertices\" and \"triangles\" must be given",
                         .remedy =
                             "leave one of them out; a program reads the file with parse_model "
                             "or read_model_file"});
      return;
    }
    const auto flaw = flaw_of(mesh);
    if (!flaw) return;
    issues_.push_back({.place = (place_ / flaw->key.c_str()).text(),
                       .rule = flaw->rule,
                       .value = flaw->value,
                       .remedy = flaw->remedy});
  }

  template <class Round>
  void check_axis(const Round& round) const {
    check_direction(round.axis, place_ / "axis", issues_);
  }

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
  return !std::holds_alternative<PointShape>(shape) && !std::holds_alternative<Sphere>(shape) &&
         !std::holds_alternative<HollowSphereShape>(shape);
}

void check_collider(const Subject& subject, const Collider& collider, const Place& place,
                    std::vector<Issue>& issues) {
  const bool is_one =
      needs_axes(collider.shape) || std::holds_alternative<HollowSphereShape>(collider.shape);
  const FrameUse use = is_one ? FrameUse::Site : FrameUse::EachNode;
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

std::optional<double> hollow_radius(const Shape& shape) {
  if (const auto* hollow = std::get_if<HollowSphereShape>(&shape)) return hollow->radius;
  if (const auto* bore = std::get_if<Bore>(&shape)) return bore->radius;
  if (const auto* groove = std::get_if<Groove>(&shape)) return groove->radius;
  return std::nullopt;
}

std::optional<double> round_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->outer_radius();
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder->radius;
  return std::nullopt;
}

std::string words_for(const Shape& shape) {
  const bool is_sphere = std::holds_alternative<HollowSphereShape>(shape);
  return is_sphere ? "hollow sphere" : type_of(shape);
}

class CheckContact {
 public:
  /// @param contact  its place; what is wrong with the colliders is told at `between`.
  CheckContact(const Subject& subject, const Place& contact, std::vector<Issue>& issues)
      : subject_(subject),
        model_(subject.model),
        contact_(contact),
        place_(contact / "between"),
        issues_(issues) {}

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
    check_insides(contact);
    check_cylinders(contact);
    check_moments(contact);
    check_law(contact.friction);
    check_restitution(contact.restitution);
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
  std::string joint_between(const ColliderPair& pair) const;
  void check_insides(const Contact& contact) const;
  bool check_insides(const std::vector<int>& hollows, const std::vector<int>& others) const;
  bool is_known(int collider) const {
    return subject_.known_colliders[static_cast<std::size_t>(collider)];
  }
  void check_cylinders(const Contact& contact) const;
  void check_moments(const Contact& contact) const;
  std::vector<std::string> shapes_of(const PairSelection& selection) const;
  void check_law(const FrictionLaw& law) const;
  void check_restitution(const Restitution& law) const;

  const Subject& subject_;
  const Model& model_;
  const Place& contact_;
  const Place place_;
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

/// The name of a joint that connects the bodies of a pair.
std::string CheckContact::joint_between(const ColliderPair& pair) const {
  const auto body = [&](int collider) {
    return model_.colliders[static_cast<std::size_t>(collider)].frame.body;
  };
  const BodyId a = body(pair.first), b = body(pair.second);
  for (const Joint& joint : model_.joints) {
    const std::vector<BodyId> bodies = bodies_of(joint);
    const auto has = [&](BodyId one) { return std::ranges::find(bodies, one) != bodies.end(); };
    if (has(a) && has(b)) return name_of(joint);
  }
  return {};
}

/// Patterns may select what cannot touch, as the run says at its start; names mean what they say.
void CheckContact::check_many(const Contact& contact) const {
  const auto& known = subject_.known_colliders;
  if (std::find(known.begin(), known.end(), false) != known.end()) return;
  const PairSelection selection(model_, contact);
  if (selection.pairs(1).empty()) {
    if (const auto joined = selection.joined(1); !joined.empty()) {
      return report(
          place_,
          fmt::format("the patterns select pairs on bodies that joint {} connects, and no "
                      "others; such pairs are left out",
                      quoted(joint_between(joined[0]))),
          describe_pair(model_, joined[0]),
          "\"collide_joined\": true lets them touch, or name them without a pattern");
    }
    return report(place_, "none of the selected colliders can touch each other", {},
                  std::string(kinds_that_touch) + " on another body");
  }
  const UntouchablePairs named = named_pairs(model_, contact).untouchable();
  if (!named) return;
  report(
      place_,
      fmt::format("{} of the pairs that are named cannot touch in this version", named.count),
      describe_pair(model_, named.first),
      std::string("leave them out, or give each shape a contact of its own: ") + kinds_that_touch);
}

/// Spheres and pins must fit into the hollow shapes that they are paired with.
void CheckContact::check_insides(const Contact& contact) const {
  const PairSelection selection(model_, contact);
  if (check_insides(selection.first(), selection.second())) {
    check_insides(selection.second(), selection.first());
  }
}

/// False if it found one that does not fit.
bool CheckContact::check_insides(const std::vector<int>& hollows,
                                 const std::vector<int>& others) const {
  for (const int h : hollows) {
    const Collider& hollow = model_.colliders[static_cast<std::size_t>(h)];
    const std::optional<double> outer = hollow_radius(hollow.shape);
    if (!outer || !(*outer > 0) || !is_known(h)) continue;
    for (const int i : others) {
      const Collider& other = model_.colliders[static_cast<std::size_t>(i)];
      const std::optional<double> inner = round_radius(other.shape);
      if (!inner || *inner < *outer || !is_known(i)) continue;
      if (other.frame.body == hollow.frame.body || !can_touch(hollow.shape, other.shape)) continue;
      report(place_,
             fmt::format("a {} must be smaller than the {} around it", type_of(other.shape),
                         words_for(hollow.shape)),
             fmt::format("radius {:.6g} of {} in radius {:.6g} of {}", *inner, quoted(other.name),
                         *outer, quoted(hollow.name)),
             fmt::format("make the radius of {0} larger or that of {1} smaller: what {0} has more "
                         "is the clearance",
                         quoted(hollow.name), quoted(other.name)));
      return false;
    }
  }
  return true;
}

/// A disc, of length 0, is for bores only, and a rounded cylinder is not for bores.
void CheckContact::check_cylinders(const Contact& contact) const {
  const PairSelection selection(model_, contact);
  const auto check = [&](int c, const std::vector<int>& others, auto has) {
    const Collider& collider = model_.colliders[static_cast<std::size_t>(c)];
    const auto* cylinder = std::get_if<Cylinder>(&collider.shape);
    if (cylinder == nullptr || !is_known(c)) return false;
    const bool is_disc = !(cylinder->length > 0);
    if (!is_disc && !(cylinder->rounding > 0)) return false;
    for (const int o : others) {
      const Collider& other = model_.colliders[static_cast<std::size_t>(o)];
      const bool is_bore = std::holds_alternative<Bore>(other.shape);
      if (is_bore == is_disc || !is_known(o) || !has(c, o)) continue;
      report(place_,
             is_disc ? "a cylinder of length 0 is a disc in a bore, and touches nothing else"
                     : "a rounded cylinder cannot be in a bore in this version",
             fmt::format("{} and {}", quoted(collider.name), quoted(other.name)),
             is_disc ? fmt::format("give {} a length > 0", quoted(collider.name))
                     : fmt::format("leave the rounding of {} out", quoted(collider.name)));
      return true;
    }
    return false;
  };
  for (const int c : selection.first()) {
    const auto has = [&](int a, int b) { return selection.has(a, b); };
    if (check(c, selection.second(), has)) return;
  }
  for (const int c : selection.second()) {
    const auto has = [&](int b, int a) { return selection.has(a, b); };
    if (check(c, selection.first(), has)) return;
  }
}

/// Whether it has no edge or corner where it touches: a sphere, a capsule, or what is rounded.
bool is_rounded(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Sphere> || std::is_same_v<S, Capsule>) return true;
        if constexpr (requires { s.rounding; }) return s.rounding > 0;
        return false;
      },
      shape);
}

/// Only what is round rolls; a pin in a bore slides.
void CheckContact::check_moments(const Contact& contact) const {
  const bool rolls = contact.rolling_friction > 0, spins = contact.spinning_friction > 0;
  const Place mode = contact_ / "sliding_and_spinning";
  if (contact.sliding_and_spinning == SlidingAndSpinning::Coupled) {
    if (!spins) {
      report(mode, "coupled friction needs spinning_friction > 0", quoted("coupled"),
             "give the contact's spinning_friction, about 2/3 of friction times the radius of the "
             "area of contact");
    }
    if (is_frictionless(contact.friction)) {
      report(mode, "coupled friction needs friction > 0", quoted("coupled"),
             "give the contact's friction, or leave sliding_and_spinning out");
    }
  }
  if (!rolls && !spins) return;
  const PairSelection selection(model_, contact);
  const auto shape = [&](int i) -> const Shape& {
    return model_.colliders[static_cast<std::size_t>(i)].shape;
  };
  const auto rolls_on = [&](int i, const std::vector<int>& others) {
    if (!is_known(i) || is_rounded(shape(i))) return true;
    if (!std::holds_alternative<Cylinder>(shape(i))) return false;
    return std::ranges::any_of(
        others, [&](int j) { return !is_known(j) || !std::holds_alternative<Bore>(shape(j)); });
  };
  const std::vector<int>&first = selection.first(), &second = selection.second();
  if (std::ranges::any_of(first, [&](int i) { return rolls_on(i, second); })) return;
  if (std::ranges::any_of(second, [&](int i) { return rolls_on(i, first); })) return;
  report(contact_ / (rolls ? "rolling_friction" : "spinning_friction"),
         "nothing that is selected is round", {},
         fmt::format("spheres, capsules, cylinders that are no pins in bores, and shapes with "
                     "rounding have rolling and spinning friction, these are {}: leave it out",
                     fmt::join(shapes_of(selection), " and ")));
}

/// "a box", "a half_space": each kind of shape once.
std::vector<std::string> CheckContact::shapes_of(const PairSelection& selection) const {
  std::vector<std::string> shapes;
  for (const auto* side : {&selection.first(), &selection.second()}) {
    for (const int i : *side) {
      std::string shape =
          std::string("a ") + type_of(model_.colliders[static_cast<std::size_t>(i)].shape);
      if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

void CheckContact::check_law(const FrictionLaw& law) const {
  const auto* exponential = std::get_if<ExponentialFriction>(&law);
  if (exponential == nullptr || exponential->base + exponential->amplitude >= 0) return;
  report(contact_ / "friction" / "amplitude",
         "base + amplitude, the coefficient at the slip speed 0, must not be negative",
         fmt::format("{:.6g} + {:.6g}", exponential->base, exponential->amplitude));
}

void CheckContact::check_restitution(const Restitution& law) const {
  const auto* table = std::get_if<TableRestitution>(&law);
  if (table == nullptr) return;
  const std::vector<double>&speeds = table->speeds, &values = table->values;
  const Place place = contact_ / "restitution";
  if (speeds.size() != values.size()) {
    report(place, "\"speeds\" and \"values\" must have the same length",
           fmt::format("{} speeds and {} values", speeds.size(), values.size()));
  } else if (speeds.empty()) {
    report(place, "a table needs at least one point");
  }
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    if (speeds[i] > speeds[i - 1]) continue;
    return report(place / "speeds" / i, "speeds must increase: after " + shown(speeds[i - 1]),
                  shown(speeds[i]));
  }
}

/// Two laws for one pair would contradict each other. Contacts with few pairs are entered in a
/// table; those with many are compared as selections.
class DoublePairs {
 public:
  DoublePairs(const Subject& subject, std::vector<Issue>& issues)
      : subject_(subject), model_(subject.model), issues_(issues) {}

  void check() {
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
      if (model_.contacts[i].between.size() == 2) check(i);
    }
  }

 private:
  void check(std::size_t i) {
    const PairSelection selection(model_, model_.contacts[i]);
    if (!are_known(selection.first()) || !are_known(selection.second())) return;
    const bool is_large = selection.first().size() * selection.second().size() > most_entered;
    if (is_large ? check_against_all(i, selection) : check_against_large(i, selection)) return;
    if (is_large) {
      large_.emplace_back(i, selection);
      return;
    }
    for (const ColliderPair& pair : selection.pairs(most_entered)) {
      const auto [other, is_new] = owner_.emplace(std::minmax(pair.first, pair.second), i);
      if (is_new || other->second == i) continue;
      return report(i, other->second, pair);
    }
  }

  /// The shapes of unreadable colliders are not known.
  bool are_known(const std::vector<int>& colliders) const {
    return std::all_of(colliders.begin(), colliders.end(), [&](int c) {
      return subject_.known_colliders[static_cast<std::size_t>(c)];
    });
  }

  bool check_against_all(std::size_t i, const PairSelection& selection) {
    for (std::size_t k = 0; k < i; ++k) {
      if (model_.contacts[k].between.size() != 2) continue;
      const PairSelection other(model_, model_.contacts[k]);
      if (!are_known(other.first()) || !are_known(other.second())) continue;
      const auto pair = selection.common_pair(other);
      if (pair) return report(i, k, *pair), true;
    }
    return false;
  }

  bool check_against_large(std::size_t i, const PairSelection& selection) {
    for (const auto& [k, other] : large_) {
      const auto pair = selection.common_pair(other);
      if (pair) return report(i, k, *pair), true;
    }
    return false;
  }

  void report(std::size_t i, std::size_t other, const ColliderPair& pair) {
    const auto name = [&](int index) {
      return quoted(model_.colliders[static_cast<std::size_t>(index)].name);
    };
    issues_.push_back({.place = fmt::format("/model/contacts/{}/between", i),
                       .rule = fmt::format("/model/contacts/{} holds for {} and {} already", other,
                                           name(pair.first), name(pair.second)),
                       .remedy = "each pair has one contact: leave it out of one of the two"});
  }

  static constexpr std::size_t most_entered = 10000;
  const Subject& subject_;
  const Model& model_;
  std::vector<Issue>& issues_;
  std::map<std::pair<int, int>, std::size_t> owner_;
  std::vector<std::pair<std::size_t, PairSelection>> large_;
};

bool is_about_a_collider_name(const Issue& issue) {
  return issue.place.starts_with("/model/colliders/") && issue.place.ends_with("/name");
}

}  // namespace

void check_shape(const Shape& shape, const Place& place, std::vector<Issue>& issues) {
  std::visit(CheckShape(place, issues), shape);
}

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
    CheckContact(subject, contact, issues).check(subject.model.contacts[i]);
  }
  if (subject.knows_collider_names) DoublePairs(subject, issues).check();
}

}  // namespace saltus
