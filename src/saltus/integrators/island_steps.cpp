// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/island_steps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// Of a step in which there are no others.
StepReport nothing_done(const NonsmoothGeneralizedAlpha& options) {
  const AlphaCoefficients alpha(options.rho_inf);
  StepReport report;
  report.weights = {alpha.alpha_m, alpha.alpha_f, alpha.gamma};
  return report;
}

std::vector<int> all_rows(const System& system) {
  std::vector<int> rows(static_cast<std::size_t>(system.constraints()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

void add_reaction(const ContactState& now, ContactState& sum) {
  const Vector3 impulse = sum.impulse + now.impulse, force = sum.force + now.force;
  const Vector3 moment = sum.moment + now.moment;
  sum = now;
  sum.impulse = impulse;
  sum.force = force;
  sum.moment = moment;
}

}  // namespace

IslandSteps::Apart::Apart(const System& system, const NonsmoothGeneralizedAlpha& options,
                          const ContactOptions& contacts, const std::vector<int>& members)
    : components(members),
      part(system, members),
      stepper(part.system(), options, contacts),
      impulses(part.system()) {
  Archive memory;
  memory(stepper);
  fresh = memory.bytes();
}

bool IslandSteps::Failure::is_of(const std::vector<int>& group) const {
  return std::ranges::any_of(group,
                             [&](int c) { return components[static_cast<std::size_t>(c)] != 0; });
}

IslandSteps::IslandSteps(const System& system, const NonsmoothGeneralizedAlpha& options,
                         const ContactOptions& contacts)
    : system_(system),
      options_(options),
      contacts_(contacts),
      whole_(system, options, contacts),
      groups_(system) {}

void IslandSteps::start(State& state, double h) {
  lengths_.clear();
  whole_.start(state, h);
}

void IslandSteps::remember() {
  whole_.remember();
  lengths_before_ = lengths_;
}

void IslandSteps::go_back() {
  whole_.go_back();
  lengths_ = lengths_before_;
}

void IslandSteps::take_over(const IslandSteps& other) {
  whole_.take_over(other.whole_, other.whole_.memory(), all_rows(system_));
  lengths_.clear();
  if (other.lengths_.empty()) return;
  lengths_.assign(system_.components().size(), 0);
  for (std::size_t n = 0; n < system_.nodes().size(); ++n) {
    const Node &ours = system_.nodes()[n], &theirs = other.system_.nodes()[n];
    if (ours.unknowns == 0 || theirs.unknowns == 0) continue;
    lengths_[static_cast<std::size_t>(system_.component_of(ours.first_unknown))] =
        other.lengths_[static_cast<std::size_t>(other.system_.component_of(theirs.first_unknown))];
  }
}

/// Who went through the last step in parts goes apart once more, so that the lengths of all last
/// steps are the same when it comes back.
StepReport IslandSteps::step(State& state, double h, double end, bool accept) {
  whole_.freeze(nullptr);  // an interruption may have left it so
  const bool as_one = lengths_.empty() || accept || !halves();
  StepReport report = as_one ? whole_.step(state, h, end, accept) : StepReport{};
  if (!halves()) lengths_.clear();
  if (as_one && (report.converged || accept || !halves() || report.failed.empty())) return report;
  Task task{.start = state, .memory = whole_.memory(), .lengths = lengths_, .h = h, .end = end};
  task.apart.assign(system_.components().size(), 0);
  for (std::size_t c = 0; c < lengths_.size(); ++c) task.apart[c] = lengths_[c] > 0 ? 1 : 0;
  if (!report.failed.empty()) task.failures.push_back({report.failed, report.message});
  take_step(task);
  if (task.report.converged) state = std::move(task.next);
  report = std::move(task.report);
  return report;
}

void IslandSteps::take_step(Task& task) {
  if (!go_without(task)) return;
  StepReport& report = task.report;
  const std::size_t joints = system_.elements().joints.size();
  report.joint_impulses.assign(joints, {});
  report.joint_means.assign(joints, {});
  report.summed_joints.assign(joints, 0);
  const std::vector<std::vector<int>> groups = groups_apart(task);
  lengths_.assign(system_.components().size(), 0);
  if (!std::ranges::all_of(groups, [&](const auto& g) { return follow(apart_of(g), task); })) {
    return;
  }
  if (std::ranges::all_of(lengths_, [](double length) { return length == 0; })) lengths_.clear();
  State& next = task.next;
  std::ranges::sort(next.contacts, {}, &ContactState::contact);
  std::ranges::stable_sort(report.events, {}, &ContactEvent::time);
  next.energy.kinetic = system_.kinetic_energy(next.configuration, next.velocity);
  next.energy.gravity = system_.gravity_energy(next.configuration);
  next.energy.elastic = system_.elastic_energy(next.configuration);
}

// ---- who goes apart

/// The step of all others, while those that are apart stay where they are. Who fails goes apart.
bool IslandSteps::go_without(Task& task) {
  for (;;) {
    spread(task);
    task.next = task.start;
    if (std::ranges::find(task.apart, 0) == task.apart.end()) {
      task.next.time = task.end;
      task.next.contacts.clear();
      task.report = nothing_done(options_);
      return true;
    }
    std::erase_if(task.next.contacts, [&](const ContactState& contact) {
      return is_apart(contact, task.start, task.apart);
    });
    whole_.freeze(&task.apart);
    task.report = whole_.step(task.next, task.h, task.end);
    whole_.freeze(nullptr);
    if (task.report.converged) return true;
    if (task.report.failed.empty()) return false;
    task.failures.push_back({task.report.failed, task.report.message});
  }
}

/// With those that fail goes all that may come near them, and what these may come near.
void IslandSteps::spread(Task& task) {
  if (!touch_) touch_ = std::make_unique<TouchTable>(system_);
  const State& state = task.start;
  std::vector<NodeBox> boxes;
  for (std::size_t n = 0; n < system_.nodes().size(); ++n) {
    const Node& node = system_.nodes()[n];
    const double reach = touch_->reach(static_cast<int>(n));
    if (node.unknowns == 0 || reach < 0) continue;
    const Component& c =
        system_.components()[static_cast<std::size_t>(system_.component_of(node.first_unknown))];
    const double speed = Vector3(node.local(state.velocity).head<3>()).norm() +
                         task.h * Vector3(node.local(state.acceleration).head<3>()).norm();
    const double margin = ContactTuning::forecast * task.h * speed +
                          ContactTuning::nearby * length_of(c.length, c.height);
    const Eigen::AlignedBox3d place(state.configuration.nodes[n].x);
    boxes.push_back({grown(place, reach + margin), static_cast<int>(n)});
  }
  groups_.separate();
  connect_overlapping(boxes, *touch_, groups_);
  for (const ContactEntry& entry : system_.elements().contacts.listed) {  // ropes act from afar
    if (entry.element.is_of_joint()) groups_.connect(entry.element.node_A, entry.element.node_B);
  }
  groups_.number();
  std::vector<char> is_meant(static_cast<std::size_t>(groups_.count()), 0);
  const auto group_of = [&](std::size_t component) {
    return static_cast<std::size_t>(groups_.of_component(static_cast<int>(component)));
  };
  for (std::size_t c = 0; c < task.apart.size(); ++c) {
    for (const Failure& failure : task.failures) task.apart[c] |= failure.components[c];
    if (task.apart[c] != 0) is_meant[group_of(c)] = 1;
  }
  for (std::size_t c = 0; c < task.apart.size(); ++c) task.apart[c] = is_meant[group_of(c)];
}

bool IslandSteps::is_apart(const ContactState& contact, const State& state,
                           const std::vector<char>& apart) const {
  const ContactElement e =
      system_.elements().contacts.point(contact.contact, state.configuration).element;
  const auto is_there = [&](int node) {
    const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
    return n.unknowns > 0 &&
           apart[static_cast<std::size_t>(system_.component_of(n.first_unknown))] != 0;
  };
  return is_there(e.node_A) || is_there(e.node_B);
}

std::vector<std::vector<int>> IslandSteps::groups_apart(const Task& task) const {
  std::vector<std::vector<int>> groups(static_cast<std::size_t>(groups_.count()));
  for (int c = 0; c < static_cast<int>(task.apart.size()); ++c) {
    if (task.apart[static_cast<std::size_t>(c)] != 0)
      groups[static_cast<std::size_t>(groups_.of_component(c))].push_back(c);
  }
  std::erase_if(groups, [](const std::vector<int>& group) { return group.empty(); });
  return groups;
}

// ---- how they go

IslandSteps::Apart& IslandSteps::apart_of(const std::vector<int>& components) {
  constexpr std::size_t most_known = 8;
  const auto known = std::ranges::find_if(
      known_, [&](const auto& apart) { return apart->components == components; });
  if (known != known_.end()) return **known;
  if (known_.size() == most_known) known_.erase(known_.begin());
  return *known_.emplace_back(std::make_unique<Apart>(system_, options_, contacts_, components));
}

/// They know what the whole knows of them, and nothing else: who was apart before does not matter.
bool IslandSteps::follow(Apart& apart, Task& task) {
  const ScenePart& part = apart.part;
  Archive fresh(apart.fresh);
  fresh(apart.stepper);
  apart.stepper.take_over(whole_, task.memory, part.rows());
  part.take(task.start, apart.state);
  part.take_energies(apart.state);
  std::vector<char> is_here(system_.components().size(), 0);
  double last = task.memory.last_h;
  for (const int c : apart.components) {
    const auto i = static_cast<std::size_t>(c);
    is_here[i] = 1;
    if (i < task.lengths.size() && task.lengths[i] > 0) last = std::min(last, task.lengths[i]);
  }
  apart.stepper.set_last_length(last);
  std::ranges::copy_if(
      task.start.contacts, std::back_inserter(apart.state.contacts),
      [&](const ContactState& contact) { return is_apart(contact, task.start, is_here); });
  apart.state.contact_losses = task.next.contact_losses;
  apart.impulses.go_on(apart.state, apart.stepper.memory().reactions.smooth());
  Sum sum;
  sum.joints.resize(part.system().elements().joints.size());
  const auto failure = std::ranges::find_if(
      task.failures, [&](const Failure& f) { return f.is_of(apart.components); });
  const double h = task.h, end = task.end;
  bool converged = false;
  if (failure == task.failures.end()) {
    converged = advance(apart, h, end, 0, sum);
  } else {
    sum.why = failure->message;
    converged = advance(apart, h / 2, end - h / 2, 1, sum) && advance(apart, h / 2, end, 1, sum);
  }
  if (!sum.why.empty()) {
    task.report.warn(
        fmt::format("{}; the step of {:.3g} s is halved as often as needed", sum.why, h));
    task.report.accurate = false;
  }
  if (converged) {
    give(apart, sum, task);
    return true;
  }
  std::vector<StepWarning> warnings = std::move(task.report.warnings);
  task.report = std::move(sum.report);
  task.report.warnings = std::move(warnings);
  task.report.is_final = true;
  task.report.message += fmt::format(
      "; halving the step {} times did not help; try a smaller step or look for a singular "
      "position of the mechanism",
      most_halvings);
  return false;
}

bool IslandSteps::advance(Apart& apart, double h, double end, int halvings, Sum& sum) {
  StepReport step = apart.stepper.step(apart.state, h, end);
  if (step.converged) {
    add(apart, step, h, sum);
    return true;
  }
  if (sum.why.empty()) sum.why = step.message;
  if (halvings == most_halvings || step.is_final) {
    sum.report = std::move(step);
    return false;
  }
  return advance(apart, h / 2, end - h / 2, halvings + 1, sum) &&
         advance(apart, h / 2, end, halvings + 1, sum);
}

/// Iterations, violations and what is told of another step of the same row.
void IslandSteps::take_in(StepReport& report, StepReport& other) {
  const auto take_most = [&](auto member) {
    report.*member = std::max(report.*member, other.*member);
  };
  take_most(&StepReport::smooth_iterations);
  take_most(&StepReport::position_iterations);
  take_most(&StepReport::velocity_iterations);
  take_most(&StepReport::position_violation);
  take_most(&StepReport::velocity_violation);
  take_most(&StepReport::penetration);
  take_most(&StepReport::contact_residual);
  take_most(&StepReport::contradiction);
  report.accurate &= other.accurate;
  std::ranges::move(other.warnings, std::back_inserter(report.warnings));
  std::ranges::move(other.events, std::back_inserter(report.events));
}

void IslandSteps::add(Apart& apart, StepReport& step, double h, Sum& sum) const {
  apart.impulses.step(apart.state, step, h, sum.joints);
  take_in(sum.report, step);
  for (ContactState& contact : sum.contacts) {
    contact.status = ContactStatus::Open;
    contact.load = {};
  }
  for (const ContactState& now : apart.state.contacts) {
    const auto at = std::ranges::lower_bound(sum.contacts, now.contact, {}, &ContactState::contact);
    if (at != sum.contacts.end() && at->contact == now.contact) {
      add_reaction(now, *at);
    } else {
      sum.contacts.insert(at, now);
    }
  }
}

void IslandSteps::give(Apart& apart, Sum& sum, Task& task) {
  const ScenePart& part = apart.part;
  apart.state.contacts = std::move(sum.contacts);
  const std::vector<ContactLoss> losses = std::move(apart.state.contact_losses);
  apart.state.contact_losses.assign(losses.size(), {});
  part.give(apart.state, task.next);
  task.next.contact_losses = losses;
  take_in(task.report, sum.report);
  const std::vector<JointReaction>& means = apart.impulses.means();
  for (std::size_t k = 0; k < means.size(); ++k) {
    const auto i = static_cast<std::size_t>(part.joints()[k]);
    task.report.summed_joints[i] = 1;
    task.report.joint_impulses[i] = sum.joints[k];
    task.report.joint_means[i] = means[k];
  }
  whole_.take_back(apart.stepper, part.rows(), task.h);
  const double last = apart.stepper.memory().last_h;
  for (const int c : apart.components) {
    lengths_[static_cast<std::size_t>(c)] = last == task.h ? 0 : last;
  }
}

}  // namespace saltus
