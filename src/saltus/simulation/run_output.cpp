// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/run_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

// In a report while the run goes on; the log has them all.
constexpr std::size_t most_warnings = 100;
constexpr long most_of_a_kind = 10;

void add_peaks(const ForceRow& row, ContactPeaks& peaks) {
  if (row.peak_pressure > peaks.peak_pressure) peaks.peak_pressure = row.peak_pressure;
  if (row.overlaps) ++peaks.overlapping_impacts;
  if (row.kind == ForceRow::Kind::Step) {
    peaks.continuous_force = std::max(peaks.continuous_force, row.continuous_force);
  } else if (row.peak_force > (peaks.impact ? peaks.impact->peak_force : 0)) {
    peaks.impact = {.time = row.time,
                    .impulse = row.impulse,
                    .approach_speed = row.approach_speed,
                    .duration = row.duration,
                    .peak_force = row.peak_force,
                    .peak_indentation = row.peak_indentation};
  }
}

}  // namespace

std::string without_digits(std::string_view text) {
  std::string kind;
  std::ranges::copy_if(text, std::back_inserter(kind), [](char c) { return c < '0' || c > '9'; });
  return kind;
}

Matrix3 results_frame(const System& system, ContactIndex contact, const Vector3& normal) {
  const double sign = system.elements().contacts.surface_is_first(contact) ? 1 : -1;
  const Matrix3 frame = frame_with_normal(sign * normal);  // t1, t2, n
  Matrix3 to_results;
  to_results << frame.col(2), frame.col(0), frame.col(1);
  to_results.transposeInPlace();
  return sign * to_results;
}

EventRow event_row(const System& system, const ContactEvent& event) {
  const ContactPoints& points = system.elements().contacts;
  const Matrix3 to_results = results_frame(system, event.contact, event.normal);
  const bool is_stop = points.is_stop(event.contact);
  double length = 1;  // of a joint: m of its rows for one unit of the coordinate
  if (points.is_of_joint(event.contact)) {
    const ContactElement& e = points.listed[static_cast<std::size_t>(event.contact)].element;
    if (is_stop) length = e.stop()->length;
    if (e.slide() != nullptr && !e.slide()->displacement) length = e.slide()->length;
  }
  const bool is_impact = event.kind == ContactEventKind::Impact;
  return {.time = event.time,
          .contact = points.name(event.contact),
          .kind = is_stop && is_impact ? event_kinds.back()
                                       : event_kinds[static_cast<std::size_t>(event.kind)],
          .order = event.order,
          // + 0: no −0 in the results
          .impulse = (to_results * (length * event.impulse)).array() + 0.0,
          .before = (to_results * (event.before / length)).array() + 0.0,
          .after = (to_results * (event.after / length)).array() + 0.0,
          .energy_lost = event.energy_lost + 0.0};
}

RunOutput::RunOutput(const System& system, EventDetail detail, LogSink log)
    : system_(&system), detail_(detail), log_(std::move(log)) {}

void RunOutput::begin(ResultSink* sink) {
  sink_ = sink;
  report_ = {};
  counts_.clear();
  kinds_.clear();
  unlisted_ = 0;
  unheard_.clear();
  for (const ContactGroup& group : system_->elements().contacts.groups) {
    report_.contacts.push_back({group.name});
  }
}

void RunOutput::warn(std::string text) {
  if (log_) log_(LogLevel::Warning, text);
  if (!at_end_) {
    if (report_.warnings.size() == most_warnings) {
      ++unlisted_;
      return;
    }
    Kind& kind = kinds_[without_digits(text)];
    if (kind.count == 0) kind.first = text;
    if (++kind.count > most_of_a_kind) return;
  }
  report_.warnings.push_back(std::move(text));
}

void RunOutput::note(std::string text) {
  if (log_) log_(LogLevel::Info, text);
  report_.notes.push_back(std::move(text));
}

void RunOutput::warn(double time, const std::vector<StepWarning>& warnings) {
  std::set<std::string> told;
  for (const StepWarning& warning : warnings) {
    if (!told.insert(warning.text).second || counts_[warning.text]++ > 0) continue;
    const std::string detail = warning.detail.empty() ? "" : " (" + warning.detail + ")";
    warn(fmt::format("t = {:.6g} s: {}{}", time, warning.text, detail));
  }
}

void RunOutput::warn_of_repeated() {
  for (const auto& [text, kind] : kinds_) {
    if (kind.count <= most_of_a_kind) continue;
    warn(fmt::format("{} more of the kind: {}", kind.count - most_of_a_kind, kind.first));
  }
  if (unlisted_ > 0) warn(fmt::format("{} further warnings are not listed", unlisted_));
  for (const auto& [warning, count] : counts_) {
    if (count > 1) warn(fmt::format("in {} steps: {}", count, warning));
  }
}

bool RunOutput::is_recorded(const ContactEvent& event) const {
  if (detail_ == EventDetail::All) return true;
  return detail_ == EventDetail::Impacts && event.kind == ContactEventKind::Impact;
}

void RunOutput::events(const StepReport& step) {
  for (const ContactEvent& event : step.events) {
    if (event.kind == ContactEventKind::Impact) {
      ++report_.impacts;
      const int contact = system_->elements().contacts.contact_of(event.contact);
      ++report_.contacts[static_cast<std::size_t>(contact)].impacts;
      if (hear_impact_) unheard_.push_back(event_row(*system_, event));
    }
    if (sink_ && is_recorded(event)) sink_->event(event_row(*system_, event));
  }
}

void RunOutput::force(const ForceRow& row) {
  add_peaks(row, *report_.contacts[static_cast<std::size_t>(row.model_contact)].peaks);
  if (sink_) sink_->force(row);
}

void RunOutput::tell_impacts() {
  const std::vector<EventRow> impacts = std::exchange(unheard_, {});
  for (const EventRow& impact : impacts) {
    if (hear_impact_) hear_impact_(impact);
  }
}

}  // namespace saltus
