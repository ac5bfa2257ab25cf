// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/journal_watch.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

/// Where the rim of a bore touches its pin, the element's surface is the pin.
bool is_bore_on_B(const ContactElement& e) { return e.radius < 0; }

/// The axes of the bore on its node.
Matrix3 bore_axes(const ContactPoints& points, const ContactElement& e) {
  if (!is_bore_on_B(e)) return e.plane.E;
  const auto rim = std::ranges::find_if(points.features, [&](const FeatureEntry& entry) {
    const ContactFeature& f = entry.feature;
    return f.kind == ContactFeature::Kind::TubeRim && f.node == e.node_B && f.frame.d == e.point &&
           f.radius == -e.radius;
  });
  SALTUS_ASSERT(rim != points.features.end());
  return rim->feature.frame.E;
}

}  // namespace

JournalWatch::JournalWatch(const System& system) : system_(system) {
  const ContactPoints& points = system.elements().contacts;
  for (std::size_t i = 0; i < points.groups.size(); ++i) {
    const ContactGroup& group = points.groups[i];
    if (!group.is_listed || group.count == 0 || is_frictionless(group.law.friction)) continue;
    Journal journal{.group = static_cast<int>(i), .sectors = {system, static_cast<int>(i)}};
    for (ContactIndex k = 0; k < group.count; ++k) {
      const ContactElement& e = points.listed[static_cast<std::size_t>(group.first + k)].element;
      if (e.is_journal) journal.bores.push_back(bore_axes(points, e));
    }
    // A pattern may pair pins and spheres with one bore: its angle is not that of a pin.
    if (static_cast<ContactIndex>(journal.bores.size()) == group.count) {
      journals_.push_back(std::move(journal));
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
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const Matrix3& R = is_bore_on_B(e) ? q.B.R : q.A.R;
  const Vector3 r = (R * journal.bores[k]).transpose() * e.eccentricity(q);
  return std::atan2(r.y(), r.x());
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
