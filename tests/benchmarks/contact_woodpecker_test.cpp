// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy: its start. Frequency and descent of its limit cycle, and that contact 3 never
// closes: `saltus verify woodpecker_fixed woodpecker_free`.
#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_woodpecker_test {

/// The given tilt exceeds the play: that is said, once.
TEST(Woodpecker, ClosesFourContactsAndSaysThatTheyOverlapAtTheStart) {
  for (const char* name : {"woodpecker_fixed", "woodpecker_free"}) {
    const TableSink table = run_troubled(name, {set_end(0.5)});
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    for (const std::string& warning : table.report().warnings) {
      EXPECT_TRUE(mentions(warning, "overlap") || mentions(warning, "penetrat")) << warning;
    }
    if (std::string(name) == "woodpecker_fixed") continue;  // it is guided, and has other contacts
    for (const char* contact : {"contact_1", "contact_2", "contact_4", "contact_5"}) {
      EXPECT_FALSE(table.events("closes", contact).empty()) << contact;
    }
  }
}

}  // namespace contact_woodpecker_test
}  // namespace saltus::test
