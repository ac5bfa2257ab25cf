// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/journal_watch.hpp"

#include <algorithm>

namespace saltus {

JournalWatch::JournalWatch(const System& system) : system_(system) {
  const ContactPoints& points = system.elements().contacts;
  for (std::size_t i = 0; i < points.groups.size(); ++i) {
    const ContactGroup& group = points.groups[i];
    if (!group.is_listed() || group.count == 0 || is_frictionless(group.law.friction)) continue;
    // A pattern may pair pins and spheres with one bore: its angle is not that of a pin.
    const auto first = points.listed.begin() + static_cast<std::ptrdiff_t>(group.first);
    const auto is_journal = [](const ContactEntry& entry) { return entry.element.is_journal(); };
    if (std::all_of(first, first + static_cast<std::ptrdiff_t>(group.count), is_journal)) {
      journals_.push_back({.group = static_cast<int>(i), .sectors = {system, static_cast<int>(i)}});
    }
  }
}

void JournalWatch::start(const State& state) {
  for (Journal& journal : journals_) journal.sectors.start(state);
}

/// The pin touches where its axis has gone to.
double JournalWatch::angle(const Journal& journal, std::size_t k, const State& state) const {
  const ContactPoints& points = system_.elements().contacts;
  const auto listed =
      static_cast<std::size_t>(points.groups[static_cast<std::size_t>(journal.group)].first) + k;
  const ContactElement& e = points.listed[listed].element;
  return e.bore_angle(system_.pair(state.configuration, e.node_A, e.node_B));
}

void JournalWatch::step(const State& state, const StepReport& /*step*/, RunOutput& /*output*/) {
  for (Journal& journal : journals_) {
    journal.sectors.accumulate(state, [&](std::size_t k) { return angle(journal, k, state); });
  }
}

void JournalWatch::finish(const State& /*state*/, RunOutput& output) const {
  std::vector<ContactTotal>& contacts = output.report().contacts;
  for (const Journal& journal : journals_) {
    contacts[static_cast<std::size_t>(journal.group)].friction_work = journal.sectors.work();
  }
}

void JournalWatch::archive(Archive& memory) {
  for (Journal& journal : journals_) memory(journal.sectors);
}

}  // namespace saltus
