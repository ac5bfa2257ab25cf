// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy: frequency and descent of its limit cycle.
#include <numeric>

#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace contact_woodpecker_test {

struct Cycle {
  double frequency = 0;  ///< Hz
  double drop = 0;       ///< mm a cycle
};

/// Between the upward passages of the bird's rotation through its mean in the second half.
Cycle limit_cycle(const TableSink& table) {
  const std::vector<double>& angle = table.column("bird.rotation.z");
  const std::size_t half = table.rows() / 2;
  const double mean = std::accumulate(angle.begin() + static_cast<long>(half), angle.end(), 0.0) /
                      static_cast<double>(table.rows() - half);
  std::vector<double> times, heights;
  for (std::size_t i = half + 1; i < table.rows(); ++i) {
    if (!(angle[i - 1] < mean && angle[i] >= mean)) continue;
    const double share = (mean - angle[i - 1]) / (angle[i] - angle[i - 1]);
    const auto between = [&](const char* name) {
      return table.at(name, i - 1) + share * (table.at(name, i) - table.at(name, i - 1));
    };
    times.push_back(between("time"));
    heights.push_back(between("sleeve.position.y"));
  }
  if (times.size() < 2) return {};
  const double cycles = static_cast<double>(times.size() - 1);
  return {cycles / (times.back() - times.front()),
          1000 * (heights.front() - heights.back()) / cycles};
}

void expect_cycle(const TableSink& table, const std::string& example,
                  const std::string& friction = {}) {
  const Cycle cycle = limit_cycle(table);
  measured("frequency", cycle.frequency);
  measured("drop", cycle.drop);
  EXPECT_TRUE(agrees(cycle.frequency, example, friction + "frequency"));
  EXPECT_TRUE(agrees(cycle.drop, example, friction + "drop a cycle"));
}

/// The given tilt exceeds the play: that is said, once.
TableSink run_woodpecker(const std::string& name, const Settings& settings = {}) {
  TableSink table = run_troubled(name, settings);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  for (const std::string& warning : table.report().warnings) {
    EXPECT_TRUE(mentions(warning, "overlap") || mentions(warning, "penetrat")) << warning;
  }
  return table;
}

TEST(Woodpecker, GuidedHasTheLimitCycleOfTheLiterature) {
  expect_cycle(run_woodpecker("woodpecker_fixed"), "woodpecker_fixed");
}

TEST(Woodpecker, FreeHasTheLimitCycleOfTheLiteratureAndThreeContacts) {
  const TableSink table = run_woodpecker("woodpecker_free");
  expect_cycle(table, "woodpecker_free");
  EXPECT_TRUE(table.events("closes", "contact_3").empty());
  for (const char* contact : {"contact_1", "contact_2", "contact_4", "contact_5"}) {
    EXPECT_FALSE(table.events("closes", contact).empty()) << contact;
  }
}

TEST(Woodpecker, WithMoreFrictionIsQuickerAndFallsLess) {
  Settings settings;
  for (int i = 0; i < 5; ++i) {
    settings.push_back(fmt::format("/model/contacts/{}/friction=0.35", i));
  }
  expect_cycle(run_woodpecker("woodpecker_free", settings), "woodpecker_free", "rough: ");
}

}  // namespace contact_woodpecker_test
}  // namespace saltus::test
