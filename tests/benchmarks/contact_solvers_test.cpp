// SPDX-License-Identifier: Apache-2.0
// The settings of the contact solver change the way, not the result.
#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_solvers_test {

std::string solver(const std::string& entries) { return "/simulation/solver={" + entries + "}"; }

/// The largest difference of a body's position between two runs.
double difference(const TableSink& a, const TableSink& b, const std::string& body) {
  if (a.rows() != b.rows()) return std::nan("");
  double worst = 0;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    worst = std::max(
        worst, (a.vector(body + ".position", row) - b.vector(body + ".position", row)).norm());
  }
  return worst;
}

struct Case {
  const char* example;
  const char* body;
  double end;
};

// Redundant contacts: the split of the forces may differ, the motion may not.
TEST(ContactSolverSettings, PenaltyAndProximalTermDoNotChangeTheMotion) {
  for (const auto& [example, body, end] :
       {Case{"box_on_incline", "box", 1}, Case{"box_stack", "box_10", 1},
        Case{"box_dropped_corner", "box", 1}, Case{"rocking_rod_3", "rod", 0.5}}) {
    const TableSink reference = run_example(example, {set_end(end)});
    double worst = 0;
    for (const char* entry :
         {"\"penalty\": 0.04", "\"penalty\": 0.4", "\"penalty\": 40", "\"penalty\": 400",
          "\"proximal\": 1e-4", "\"proximal\": 1e-3", "\"proximal\": 0.1", "\"proximal\": 1"}) {
      const TableSink table = run_example(example, {set_end(end), solver(entry)});
      const double d = difference(reference, table, body);
      EXPECT_LE(d, 1e-9) << example << " with " << entry;
      worst = std::max(worst, d);
    }
    measured(std::string(example) + "_difference", worst);
  }
}

// The same with the methods that these settings belong to, and nothing else to fall back on.
TEST(ContactSolverSettings, PenaltyDoesNotChangeTheResultOfProximalNewton) {
  for (const auto& [example, body, end] :
       {Case{"box_on_incline", "box", 0.5}, Case{"box_stack", "box_10", 0.25}}) {
    const TableSink reference = run_example(example, {set_end(end)});
    for (const char* entry : {"\"penalty\": 0.04", "\"penalty\": 4", "\"penalty\": 400",
                              "\"proximal\": 1e-4", "\"proximal\": 1"}) {
      const TableSink table = run_example(
          example,
          {set_end(end), solver("\"method\": \"proximal_newton\", " + std::string(entry))});
      EXPECT_LE(difference(reference, table, body), 1e-9) << example << " with " << entry;
    }
  }
}

TEST(ContactSolverMethods, AllGiveTheSameBouncingBall) {
  const TableSink reference = run_example("bouncing_ball");
  for (const char* method : {"newton", "proximal_newton", "gauss_seidel", "admm"}) {
    const TableSink table =
        run_example("bouncing_ball", {solver("\"method\": \"" + std::string(method) + "\"")});
    const double d = difference(reference, table, "ball");
    measured(std::string(method) + "_difference", d);
    EXPECT_LE(d, 1e-9) << method;
    EXPECT_EQ(table.report().impacts, reference.report().impacts) << method;
  }
}

// Friction, joints and two contacts; each is a problem with one solution for the motion.
TEST(ContactSolverMethods, RobustOnesGiveTheSameRockingRod) {
  const TableSink reference = run_example("rocking_rod_1", {set_end(0.5)});
  for (const char* method : {"proximal_newton", "gauss_seidel", "admm"}) {
    const TableSink table = run_example(
        "rocking_rod_1", {set_end(0.5), solver("\"method\": \"" + std::string(method) + "\"")});
    const double d = difference(reference, table, "rod");
    measured(std::string(method) + "_difference", d);
    EXPECT_LE(d, 1e-8) << method;
  }
}

// The laws need not be met better than asked.
TEST(ContactSolverSettings, ALooserToleranceChangesTheMotionAccordingly) {
  const TableSink reference = run_example("box_dropped_corner", {set_end(0.5)});
  const TableSink table =
      run_example("box_dropped_corner", {set_end(0.5), solver("\"tolerance\": 1e-6")});
  measured("difference", difference(reference, table, "box"));
  EXPECT_LE(difference(reference, table, "box"), 1e-5);
  EXPECT_LE(table.report().max_penetration, 1e-9);
}

}  // namespace contact_solvers_test
}  // namespace saltus::test
