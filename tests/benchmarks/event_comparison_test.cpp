// SPDX-License-Identifier: Apache-2.0
// The event-driven integrator and time stepping on the same models: times of events differ by O(h).
#include <cmath>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace event_comparison_test {

struct Case {
  const char* name;
  double end;
  const char* kind;     ///< of the event
  const char* contact;  ///< of the point; empty: any
  std::size_t which;    ///< of these events
  Settings common = {};
  const char* restitution = "";  ///< of the event-driven run
  double bound = 2;              ///< on the difference of the times, in steps
};

double time_of(const TableSink& table, const Case& c) {
  const std::vector<EventRow> events = table.events(c.kind, c.contact);
  EXPECT_GT(events.size(), c.which) << c.name;
  return events.size() > c.which ? events[c.which].time : 0;
}

TableSink run_by(const Case& c, const std::string& integrator) {
  Settings settings = c.common;
  settings.push_back("/simulation/integrator=" + integrator);
  settings.push_back(set_end(c.end));
  TableSink table = run_troubled(c.name, settings);
  EXPECT_TRUE(table.report().converged()) << c.name << ": " << table.report().message;
  return table;
}

/// The energetic coefficient −1 gives the event of both corners no impulse: then the new corner
/// takes all of it, as in one problem with e = 0.
const char* const rocks_over = R"(,"energetic_restitution":{"type":"by_points","values":[0,-1]})";

TEST(EventComparison, TimesOfEventsAgreeWithTimeStepping) {
  for (const Case& c :
       {Case{"bouncing_ball", 1.5, "impact", "", 1}, Case{"incline_point_mass", 1, "sticks", "", 0},
        Case{"sphere_sliding", 0.5, "sticks", "", 0}, Case{"billiard_break", 0.3, "impact", "", 0},
        Case{"rocking_specimen_1",
             0.6,
             "impact",
             "k.corner2.floor.0",
             0,
             {"/model/contacts/0/friction=0.577"},
             rocks_over},
        Case{"rocking_specimen_1",
             1.2,
             "impact",
             "k.corner1.floor.0",
             0,
             {"/model/contacts/0/friction=0.577"},
             rocks_over,
             5}}) {
    const TableSink exact =
        run_by(c, fmt::format(R"({{"type":"event_driven","step":1e-3{}}})", c.restitution));
    const double t = time_of(exact, c);
    measured(fmt::format("{}_{}_time", c.name, c.contact), t);
    for (const double h : {1e-3, 5e-4, 2.5e-4}) {
      const TableSink steps =
          run_by(c, fmt::format(R"({{"type":"nonsmooth_generalized_alpha","step":{}}})", h));
      const double off = std::abs(time_of(steps, c) - t);
      measured(fmt::format("{}_{}_{:g}", c.name, c.contact, h), off);
      EXPECT_LE(off, c.bound * h) << c.name;
    }
  }
}

}  // namespace event_comparison_test
}  // namespace saltus::test
