// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/core/log.hpp"
#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// What a run tells while it goes on: the report, warnings, events and forces. Every sentence that
/// a user reads about a run comes through here.
class RunOutput {
 public:
  /// @param system  must live longer
  RunOutput(const System& system, EventDetail detail, LogSink log);

  /// Begins anew. @param sink  gets what is told; may be null, else it must live while the run
  /// does.
  void begin(ResultSink* sink);
  /// Null if nobody takes what is told.
  ResultSink* sink() const { return sink_; }
  /// From now on nobody does.
  void end() { sink_ = nullptr; }
  RunReport& report() { return report_; }
  const RunReport& report() const { return report_; }

  void log_to(LogSink log) { log_ = std::move(log); }
  /// To the log, and into the report as long as there are not too many, of its kind or in all.
  void warn(std::string text);
  /// What is told of the run as a whole is always listed.
  void tell_the_end() { at_end_ = true; }
  /// The same for what is no trouble, but should be known.
  void note(std::string text);
  /// Each warning of a kind once, with the time of the first; how often it came is counted.
  void warn(double time, const std::vector<StepWarning>& warnings);
  /// Those that came more than once, with their counts, and what is not listed.
  void warn_of_repeated();
  /// Counts the events of a step, and tells those that are to be recorded.
  void events(const StepReport& step);
  /// Tells it, and takes its peaks into the report.
  void force(const ForceRow& row);

  void impact(const ImpactRow& row) {
    if (sink_) sink_->impact(row);
  }

  /// `hear` is called by tell_impacts() with every impact since its last call.
  void on_impact(std::function<void(const EventRow&)> hear) { hear_impact_ = std::move(hear); }
  void tell_impacts();
  void forget_impacts() { unheard_.clear(); }

  void archive(Archive& memory) { memory(report_, counts_, kinds_, unlisted_); }

 private:
  bool is_recorded(const ContactEvent& event) const;

  struct Kind {
    long count = 0;
    std::string first = {};

    void archive(Archive& memory) { memory(count, first); }
  };

  const System* system_;
  EventDetail detail_;
  LogSink log_;
  ResultSink* sink_ = nullptr;
  RunReport report_ = {};
  std::map<std::string, long> counts_ = {};  // of the warnings of steps
  std::map<std::string, Kind> kinds_ = {};   // of the warnings in the report, without numbers
  long unlisted_ = 0;
  bool at_end_ = false;
  std::function<void(const EventRow&)> hear_impact_ = {};
  std::vector<EventRow> unheard_ = {};  // of the step at hand
};

/// What sentences that differ only in their numbers have in common.
std::string without_digits(std::string_view text);

/// Turns inertial vectors of an event (the impulse on the point's body, velocities of the point
/// relative to the surface) to (n, t1, t2) of the results. @param normal  from surface to point
Matrix3 results_frame(const System& system, ContactIndex contact, const Vector3& normal);

/// The row of an event, in the frame of the results.
EventRow event_row(const System& system, const ContactEvent& event);

}  // namespace saltus
