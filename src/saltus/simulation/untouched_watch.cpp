// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/untouched_watch.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace saltus {
namespace {

constexpr int most_named = 8;

}  // namespace

/// Compliant contacts are forces, of which others tell.
UntouchedWatch::UntouchedWatch(const System& system) : system_(system) {
  for (const ContactGroup& group : system.elements().contacts.groups) {
    touched_.push_back(group.joint || group.is_compliant ? 1 : 0);
  }
  untouched_ = static_cast<int>(std::ranges::count(touched_, 0));
}

void UntouchedWatch::step(const State& state, const StepReport& step, RunOutput& /*output*/) {
  if (untouched_ == 0) return;
  const ContactPoints& points = system_.elements().contacts;
  const auto touch = [&](ContactIndex contact) {
    char& touched = touched_[static_cast<std::size_t>(points.contact_of(contact))];
    if (touched == 0) --untouched_;
    touched = 1;
  };
  for (const ContactState& point : state.contacts) touch(point.contact);
  for (const ContactEvent& event : step.events) touch(event.contact);
}

void UntouchedWatch::finish(const State& /*state*/, RunOutput& output) const {
  if (untouched_ == 0 || output.report().steps == 0) return;
  std::string names;
  int named = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (touched_[i] != 0 || ++named > most_named) continue;
    names += (named > 1 ? ", \"" : "\"") + system_.elements().contacts.groups[i].name + '"';
  }
  if (named > most_named) names += fmt::format(" and {} more", named - most_named);
  output.note(fmt::format("contact{} {} never touched", untouched_ == 1 ? "" : "s", names));
}

}  // namespace saltus
