// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/state_formula.hpp"
#include "saltus/model/state_reference.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

class CheckForce {
 public:
  CheckForce(const Subject& subject, const Place& place, std::vector<Issue>& issues)
      : subject_(subject), place_(place), issues_(issues) {}

  void operator()(const Force& force) const { check_load(force, FrameUse::EachNode); }

  void operator()(const Torque& torque) const {
    check_load(torque, FrameUse::Site);
    const std::string thing = thing_without_axes(subject_, torque.on, FrameUse::Site);
    if (thing.empty()) return;
    const Place on = place_ / "on";
    report(on / "body", thing + " does not rotate", {},
           "use a force, or " + thing_with_axes(thing));
  }

  void operator()(const SpringDamper& spring) const {
    const Place between = place_ / "between";
    const std::size_t before = issues_.size();
    check_two_frames(subject_, spring.between, between, issues_);
    if (spring.between.size() != 2 || issues_.size() > before) return;
    if (!coincide(subject_, spring.between)) return;
    report(between, "the spring has no length at the initial pose, hence no direction", {},
           "use a bushing, or move one of the points");
  }

  void operator()(const TorsionalSpringDamper& spring) const {
    if (!subject_.knows(spring.joint)) return;
    const Joint& joint = subject_.model.joints[static_cast<std::size_t>(spring.joint.index)];
    if (has_angle(joint)) return;
    report(place_ / "joint", "must be a revolute, cylindrical or screw joint",
           std::string("the ") + type_of(joint) + " joint \"" + name_of(joint) + "\"");
  }

  void operator()(const Actuator& actuator) const {
    const auto* formula = std::get_if<Expression>(&actuator.value);
    if (formula != nullptr && names_states(formula->text)) {
      const Place value = place_ / "value";
      const std::size_t before = issues_.size();
      check_state_formula(subject_, formula->text, value / "text", issues_);
      if (issues_.size() == before && subject_.knows(actuator.joint)) {
        check_seen_bodies(subject_, actuator, formula->text, value / "text", issues_);
      }
    }
    if (!subject_.knows(actuator.joint)) return;
    const Joint& joint = subject_.model.joints[static_cast<std::size_t>(actuator.joint.index)];
    if (has_angle(joint) || std::holds_alternative<Prismatic>(joint)) return;
    report(place_ / "joint", "must be a revolute, prismatic, cylindrical or screw joint",
           std::string("the ") + type_of(joint) + " joint \"" + name_of(joint) + "\"");
  }

  void operator()(const Bushing& bushing) const {
    const Place between = place_ / "between";
    check_two_frames(subject_, bushing.between, between, issues_);
    const bool rotational =
        !bushing.rotational_stiffness.isZero(0) || !bushing.rotational_damping.isZero(0);
    if (!rotational) return;
    for (std::size_t i = 0; i < bushing.between.size(); ++i) {
      const std::string thing = thing_without_axes(subject_, bushing.between[i], FrameUse::Site);
      if (thing.empty()) continue;
      report(between / i, thing + " does not rotate", {},
             "leave out rotational_stiffness and rotational_damping, or use " +
                 thing_with_axes(thing));
    }
  }

  void operator()(const UserForce& force) const {
    check_two_frames(subject_, force.between, place_ / "between", issues_);
  }

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  template <class Load>
  void check_load(const Load& load, FrameUse use) const {
    const Place on = place_ / "on";
    check_frame(subject_, load.on, on, use, issues_);
    if (load.on.body == ground_body) {
      report(on / "body", std::string("a ") + Load::type_name + " on the ground moves nothing", {},
             "name the body it acts on");
    }
  }

  const Subject& subject_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

}  // namespace

void check_forces(const Subject& subject, std::vector<Issue>& issues) {
  const Place list("/model/forces");
  for (std::size_t i = 0; i < subject.model.forces.size(); ++i) {
    const Place place = list / i;
    std::visit(CheckForce(subject, place, issues), subject.model.forces[i]);
  }
}

}  // namespace saltus
