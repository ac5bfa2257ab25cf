// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/crossing_watch.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace saltus {
namespace {

/// There and back so often: balls that settle in a row do for some ten steps, which costs nothing.
constexpr int fewest_turns = 30;
constexpr double fewest_crossings = 1.5;  ///< in a step; fewer may be one a step
constexpr double against = -0.5;          ///< cosine of pushes that send a body back

}  // namespace

void CrossingWatch::start(const State& state) {
  last_.clear();
  steps_ = 0;
  time_ = state.time;
}

void CrossingWatch::step(const State& state, const StepReport& step, RunOutput& output) {
  ++steps_;
  h_ = state.time - time_;
  time_ = state.time;
  std::erase_if(last_, [&](const auto& turn) { return turn.second.step + 1 < steps_; });
  for (const ContactEvent& event : step.events) {
    if (event.kind != ContactEventKind::Impact) continue;
    const double speed = event.normal.dot(event.after);
    if (!(speed > 0)) continue;
    const ContactElement e =
        system_.elements().contacts.point(event.contact, state.configuration).element;
    look(e.node_A, -event.normal, speed, event, state, output);
    look(e.node_B, event.normal, speed, event, state, output);
  }
}

void CrossingWatch::look(int node, const Vector3& push, double speed, const ContactEvent& event,
                         const State& state, RunOutput& output) {
  if (system_.nodes()[static_cast<std::size_t>(node)].unknowns == 0) return;
  const auto known = last_.find(node);
  Turn turn{.step = steps_, .contact = event.contact, .push = push};
  if (known != last_.end()) {
    const Turn& before = known->second;
    const bool turns_back = before.step + 1 == steps_ && before.push.dot(push) < against;
    turn.turns = turns_back ? before.turns + 1 : 0;
    const double width = gap(before.contact, state) + gap(event.contact, state);
    if (turn.turns >= fewest_turns && speed * h_ > fewest_crossings * width) {
      const ContactPoints& points = system_.elements().contacts;
      const auto [first, second] = std::minmax(before.contact, event.contact);
      const std::string count =
          width > 0 ? fmt::format("some {:.3g} times a step", speed * h_ / width) : "without way";
      output.warn(state.time,
                  {{.text = fmt::format("a body goes to and fro between contacts \"{}\" and \"{}\" "
                                        "several times a step, of which one is counted; a step "
                                        "below its way over its speed, or event_driven, sees all",
                                        points.name(first), points.name(second)),
                    .detail = count}});
    }
  }
  last_[node] = turn;
}

double CrossingWatch::gap(ContactIndex contact, const State& state) const {
  const ContactElement e = system_.elements().contacts.point(contact, state.configuration).element;
  return std::max(e.gap(system_.pair(state.configuration, e.node_A, e.node_B)), 0.0);
}

}  // namespace saltus
