// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/compile_contacts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/core/input_error.hpp"
#include "saltus/elements/side_contact.hpp"
#include "saltus/geometry/mesh_core.hpp"
#include "saltus/geometry/solid_core.hpp"
#include "saltus/hertz/damping_model.hpp"
#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/local_law.hpp"

namespace saltus {
namespace {

/// Two features, as indices into `ContactPoints::features`, or into `solids`.
struct FeatureIndices {
  int first = 0, second = 0;
  bool are_solids = false;
};

/// Mindlin's ratio of the stiffness across the normal to that along it.
double shear_ratio(const hertz::ElasticMaterial& one, const hertz::ElasticMaterial& other) {
  const auto softness = [](const hertz::ElasticMaterial& m) {  // 1/(2 G)
    return (1 + m.poisson_ratio) / m.young_modulus;
  };
  const double along =
      (1 - one.poisson_ratio) * softness(one) + (1 - other.poisson_ratio) * softness(other);
  const double across =
      (2 - one.poisson_ratio) * softness(one) + (2 - other.poisson_ratio) * softness(other);
  return 2 * along / across;
}

/// (1)–(5) of docs/theory/compliant_contacts.md
hertz::CompliantLaw compliant_law(const Contact& contact, const Shape& first, const Shape& second) {
  const auto [one, other] = elastic_materials(contact);
  hertz::CompliantLaw law;
  law.exponent = contact.exponent.value_or(LocalLawDefaults::exponent);
  law.shear_ratio = shear_ratio(one, other);
  law.stiffness = contact.stiffness
                      ? *contact.stiffness
                      : hertz::contact_stiffness(local_geometry(contact, first, second),
                                                 hertz::contact_compliance(one, other));
  if (contact.damping) {
    law.damping = *contact.damping;
  } else if (const auto* e = std::get_if<double>(&contact.restitution)) {
    law.damping_ratio =
        hertz::damping_ratio(contact.damping_model.value_or(LocalLawDefaults::damping_model), *e);
  }
  return law;
}

/// (14) of docs/theory/compliant_contacts.md
std::optional<hertz::StiffnessInGroove> law_in_groove(const Contact& contact, const Shape& first,
                                                      const Shape& second) {
  if (contact.stiffness) return {};
  const std::optional<BallInGroove> ball = ball_in_groove(contact, first, second);
  if (!ball) return {};
  const double bottom = ball->groove.opening == GrooveOpening::Outwards ? -1 : 1;
  return hertz::stiffness_in_groove(bottom, [&](double cosine) {
    return hertz::contact_stiffness(ball->geometry(cosine), ball->compliance);
  });
}

std::optional<DampingOfSpeed> damping_of_speed(const Contact& contact) {
  if (contact.damping || std::holds_alternative<double>(contact.restitution)) return {};
  return DampingOfSpeed{contact.damping_model.value_or(LocalLawDefaults::damping_model),
                        contact.restitution};
}

class ContactCompiler {
 public:
  ContactCompiler(const Model& model, BodyCompiler& bodies, CompiledModel& out)
      : model_(model), bodies_(bodies), out_(out), points_(out.elements.contacts) {}

  /// Contacts with few points come first, each point listed; then the others.
  void run(const std::vector<CompiledStop>& stops) {
    make_cores();
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
      group.is_compliant = contact.is_compliant();
    }
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
      const bool is_listed = list_points(i);
      if (!is_listed) points_.unlisted.push_back(static_cast<int>(i));
      if (points_.groups[i].is_compliant && !is_listed) refuse_many(i);
    }
    for (const CompiledStop& stop : stops) list_stop(stop);
    auto next = static_cast<ContactIndex>(points_.listed.size());
    for (const int i : points_.unlisted) next = add_pairs(static_cast<std::size_t>(i), next);
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) next = add_solid_pairs(i, next);
  }

 private:
  /// A collider that touches nothing must not make its node set rigid.
  std::vector<Site> sites_of(const Collider& collider, bool is_used) {
    const bool is_spread = !is_used || stands_on_each_node(model_, collider);
    return is_spread ? bodies_.sites(collider.frame) : std::vector{bodies_.site(collider.frame)};
  }

  bool is_solid_cylinder(int collider) const {
    if (!std::holds_alternative<Cylinder>(
            model_.colliders[static_cast<std::size_t>(collider)].shape)) {
      return false;
    }
    return std::ranges::any_of(model_.contacts, [&](const Contact& contact) {
      return PairSelection(model_, contact).uses_as_solid(collider);
    });
  }

  /// Elements point to them: all are made before the first of these.
  void make_cores() {
    auto cores = std::make_shared<std::vector<ConvexCore>>();
    bool has_cylinders = false;
    for (std::size_t i = 0; i < model_.colliders.size(); ++i) {
      has_cylinders |= is_solid_cylinder(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < model_.colliders.size(); ++i) {
      std::optional<ConvexCore> core;
      if (bodies_.is_used(static_cast<int>(i))) core = core_of(model_.colliders[i].shape);
      // Pins in bores are no solids, and planes are for cylinders only.
      if (core && core->round && !is_solid_cylinder(static_cast<int>(i))) core.reset();
      if (core && core->plane && !has_cylinders) core.reset();
      core_of_collider_.push_back(core ? static_cast<int>(cores->size()) : -1);
      if (core) cores->push_back(std::move(*core));
    }
    // What is convex must know its surface only where a mesh may touch it.
    if (std::ranges::any_of(*cores, &ConvexCore::is_mesh))
      std::ranges::for_each(*cores, add_surface);
    points_.cores = std::move(cores);
  }

  void add_solids(int index, const std::vector<Site>& sites) {
    const int core = core_of_collider_[static_cast<std::size_t>(index)];
    first_solids_.push_back(static_cast<int>(points_.solids.size()));
    points_.solids_per_collider.push_back(core < 0 ? 0 : static_cast<int>(sites.size()));
    if (core < 0) return;
    const int body = model_.colliders[static_cast<std::size_t>(index)].frame.body.index;
    const ConvexCore& shape = (*points_.cores)[static_cast<std::size_t>(core)];
    int number = 0;
    for (const Site& site : sites) {
      points_.solids.push_back({core, site.node, site.frame, index, body, number++});
      // A plane has no size.
      if (!shape.plane) bodies_.consider_length(site.node, extent(site.node, site.frame, shape));
    }
  }

  /// How far a solid goes from its node; on the ground its size.
  static double extent(int node, const FrameOnNode& frame, const ConvexCore& core) {
    if (node == 0) return core.bound;
    return (frame.d + frame.E * core.centre).norm() + core.bound;
  }

  void add_features(int index) {
    const Collider& collider = model_.colliders[static_cast<std::size_t>(index)];
    points_.collider_names.push_back(collider.name);
    const bool is_used = bodies_.is_used(index);
    std::vector<Site> sites = sites_of(collider, is_used);
    std::vector<Feature> features;
    if (is_used) features = features_of(collider.shape);
    int number = 0;
    for (const Site& site : sites) {
      for (const Feature& feature : features) {
        const ContactFeature on_node = ContactFeature::on(site.node, site.frame, feature);
        bodies_.consider_length(on_node.node, on_node.extent());
        points_.features.push_back({on_node, index, collider.frame.body.index, number++});
      }
    }
    points_.features_per_collider.push_back(number);
    add_solids(index, sites);
    out_.elements.places.colliders.push_back(std::move(sites));
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
    if (!touch_as_solids(model_.colliders[a].shape, model_.colliders[b].shape)) return;
    for (int f = first_solids_[a]; f < first_solids_[a] + points_.solids_per_collider[a]; ++f) {
      for (int g = first_solids_[b]; g < first_solids_[b] + points_.solids_per_collider[b]; ++g) {
        if (points_.only_point(f, g)) touching.push_back({f, g, true});
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
    group.has_solids = std::ranges::any_of(
        pairs, [&](const ColliderPair& pair) { return has_changing_points(pair); });
    for (const auto& [f, g, are_solids] : touching) {
      if (are_solids) {
        list_solids(static_cast<int>(contact), f, g, touching.size() == 1 && !group.has_solids);
        continue;
      }
      const ContactEntry entry = points_.make(static_cast<int>(contact), f, g);
      points_.listed.push_back(entry);
      const bool is_alone = touching.size() == 1 && !group.has_solids;
      points_.listed_names.push_back(is_alone ? group.name : points_.pair_name(group.name, f, g));
      points_.listed_colliders.push_back({collider_of(f), collider_of(g)});
      consider_ground(f, g);
      consider_ground(g, f);
      if (kind_of(f) == FeatureKind::Plane || kind_of(g) == FeatureKind::Plane) {
        consider_height(entry.element);
      }
    }
    if (group.is_compliant) make_compliant(contact);
    return true;
  }

  /// Each force has its place in the matrix.
  [[noreturn]] void refuse_many(std::size_t contact) const {
    throw InputError(Issue{.place = fmt::format("/model/contacts/{}/model", contact),
                           .rule = fmt::format("a compliant contact has at most {} points",
                                               ContactPoints::most_listed),
                           .remedy = "divide it into several, or use a rigid contact"});
  }

  /// The points of a contact as forces.
  void make_compliant(std::size_t contact) {
    const ContactGroup& group = points_.groups[contact];
    const Contact& given = model_.contacts[contact];
    for (ContactIndex i = group.first; i < group.first + group.count; ++i) {
      const auto listed = static_cast<std::size_t>(i);
      const auto shape = [&](std::size_t side) -> const Shape& {
        const int collider = points_.listed_colliders[listed][side];
        return model_.colliders[static_cast<std::size_t>(collider)].shape;
      };
      auto& list = out_.elements.compliant;
      list.push_back({.contact = points_.listed[listed].element,
                      .law = compliant_law(given, shape(0), shape(1)),
                      .in_groove = law_in_groove(given, shape(0), shape(1)),
                      .damping = damping_of_speed(given),
                      .friction = given.friction,
                      .listed = static_cast<int>(listed),
                      .memory = static_cast<int>(list.size()),
                      .divides_steps = given.divide_steps});
    }
  }

  void list_stop(const CompiledStop& stop) {
    const int index = static_cast<int>(points_.groups.size());
    ContactGroup& group = points_.groups.emplace_back();
    group.name = stop.name;
    group.law.restitution = stop.restitution;
    group.first = static_cast<ContactIndex>(points_.listed.size());
    group.count = static_cast<ContactIndex>(stop.ends.size());
    group.joint = stop.joint;
    if (const JointSlide* slide = stop.ends.front().slide()) {
      group.law.friction = 1.0;  // of the bound
      group.law.spinning = slide->is_ball ? 1 : 0;
      group.law.coupled = slide->is_ball;
    }
    for (const ContactElement& end : stop.ends) {
      points_.listed.push_back({index, end, true});
      points_.listed_names.push_back(stop.name);
      points_.listed_colliders.push_back({-1, -1});
    }
  }

  bool has_changing_points(const ColliderPair& pair) const {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    if (!touch_as_solids(model_.colliders[a].shape, model_.colliders[b].shape)) return false;
    return !points_.only_point(first_solids_[a], first_solids_[b]);
  }

  /// Two solids that have one point, whatever the configuration: a sphere and a box.
  void list_solids(int contact, int f, int g, bool is_alone) {
    const ContactEntry entry = points_.make({.contact = contact}, f, g, *points_.only_point(f, g));
    const auto collider = [&](int solid) {
      return points_.solids[static_cast<std::size_t>(solid)].collider;
    };
    const std::string& name = points_.groups[static_cast<std::size_t>(contact)].name;
    points_.listed.push_back(entry);
    if (points_.groups[static_cast<std::size_t>(contact)].is_compliant) {
      keep_to_side(collider(f), collider(g), points_.listed.back());
    }
    points_.listed_names.push_back(is_alone ? name : name + points_.solid_name(f, g, 1, 0));
    points_.listed_colliders.push_back({collider(f), collider(g)});
    points_.listed_solids.push_back({contact, f, g});
    consider_solids(f, g);
    consider_solids(g, f);
  }

  /// A feature of a collider; null if it has none of this kind.
  const ContactFeature* feature_of(int collider, FeatureKind kind) const {
    const auto c = static_cast<std::size_t>(collider);
    for (int f = first_features_[c]; f < first_features_[c + 1]; ++f) {
      if (kind_of(f) == kind) return &points_.features[static_cast<std::size_t>(f)].feature;
    }
    return nullptr;
  }

  /// A ball on the race of an elastic bearing that has no groove touches the side of a cylinder:
  /// its ends are far away.
  void keep_to_side(int first, int second, ContactEntry& entry) const {
    for (const bool is_first : {true, false}) {
      const ContactFeature* rod = feature_of(is_first ? first : second, FeatureKind::Rod);
      const ContactFeature* ball = feature_of(is_first ? second : first, FeatureKind::Sphere);
      if (rod == nullptr || ball == nullptr) continue;
      entry.element = on_surface(*rod, *ball);
      entry.surface_is_first = is_first;
    }
  }

  /// What touches a solid on the ground is of its size.
  void consider_solids(int f, int g) {
    const SolidEntry& ground = points_.solids[static_cast<std::size_t>(f)];
    if (ground.node != 0) return;
    bodies_.consider_length(points_.solids[static_cast<std::size_t>(g)].node,
                            points_.core(f).bound);
  }

  std::vector<int> solids_on(const std::vector<int>& colliders) const {
    std::vector<int> list;
    for (const int c : colliders) {
      const auto i = static_cast<std::size_t>(c);
      for (int k = 0; k < points_.solids_per_collider[i]; ++k) {
        list.push_back(first_solids_[i] + k);
      }
    }
    return list;
  }

  /// The pairs of solids whose points change, from the index `first` on; the next free index.
  ContactIndex add_solid_pairs(std::size_t contact, ContactIndex first) {
    ContactGroup& group = points_.groups[contact];
    const PairSelection selection(model_, model_.contacts[contact]);
    SolidPairs pairs{.contact = static_cast<int>(contact),
                     .first_index = first,
                     .first = solids_on(selection.first()),
                     .second = solids_on(selection.second()),
                     .filter = selection.filter(),
                     .has_listed = group.is_listed()};
    for (const int f : pairs.first) {
      for (const int g : pairs.second) {
        if (!points_.is_pair(pairs, f, g)) continue;
        group.has_solids = true;
        pairs.stride = std::max(pairs.stride, points_.core_pair(f, g).size());
        if (points_.core(f).plane || points_.core(g).plane) {
          consider_height(points_.make(pairs, f, g, 0).element);
        }
        consider_solids(f, g);
        consider_solids(g, f);
      }
    }
    if (!group.has_solids) return first;
    const ContactIndex next = first + pairs.count();
    points_.solid_pairs.push_back(std::move(pairs));
    return next;
  }

  /// What touches the ground is of the size of what it touches there.
  void consider_ground(int f, int g) {
    const ContactFeature& ground = points_.features[static_cast<std::size_t>(f)].feature;
    const ContactFeature& other = points_.features[static_cast<std::size_t>(g)].feature;
    if (ground.node == 0) bodies_.consider_length(other.node, ground.extent());
  }

  void consider_height(const ContactElement& e) {
    const double height = std::abs(e.gap(bodies_.pair(e.node_A, e.node_B)));
    for (const int node : {e.node_A, e.node_B}) {
      double& highest = out_.node_heights[static_cast<std::size_t>(node)];
      if (node != 0) highest = std::max(highest, height);
    }
  }

  /// Rims are not searched for.
  bool has_rims(const std::vector<FeatureIndices>& touching) const {
    return std::ranges::any_of(touching, [&](const FeatureIndices& pair) {
      if (pair.are_solids) return false;
      return is_rim(kind_of(pair.first)) || is_rim(kind_of(pair.second));
    });
  }

  /// All pairs of two lists of features, from the index `first` on; the next free index.
  ContactIndex add_pairs(std::size_t contact, ContactIndex first) {
    const PairSelection selection(model_, model_.contacts[contact]);
    const FeaturePairs pairs{features_on(selection.first()), features_on(selection.second()),
                             selection.filter()};
    ContactGroup& group = points_.groups[contact];
    group.first = first;
    group.count = pairs.count();
    consider_ground(pairs.first, pairs.second);
    consider_ground(pairs.second, pairs.first);
    group.source = pairs;
    return first + group.count;
  }

  void consider_ground(const std::vector<int>& grounds, const std::vector<int>& others) {
    for (const int f : grounds) {
      if (points_.features[static_cast<std::size_t>(f)].feature.node != 0) continue;
      for (const int g : others) consider_ground(f, g);
    }
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
  CompiledModel& out_;
  ContactPoints& points_;
  std::vector<int> first_features_;    // of the colliders, in the list of features
  std::vector<int> first_solids_;      // the same of solids
  std::vector<int> core_of_collider_;  // −1: it is no solid
};

}  // namespace

void add_contacts(const Model& model, const std::vector<CompiledStop>& stops, BodyCompiler& bodies,
                  CompiledModel& out) {
  ContactCompiler(model, bodies, out).run(stops);
}

}  // namespace saltus
