// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/metric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/simulation/simulation.hpp"

namespace saltus::study {
namespace metric_test {

/// x = t − 1 at t = 0, 0.5, … 3, and three impacts.
class Measured : public ::testing::Test {
 protected:
  Measured() : simulation_(model(), Dynamics{.end_time = 1}), result_(simulation_) {
    ResultLayout layout;
    layout.channels = {{.name = "time"}, {.name = "x"}};
    result_.begin(layout);
    for (int i = 0; i <= 6; ++i) {
      const double t = 0.5 * i;
      const double row[] = {t, t - 1};
      result_.record(row);
    }
    result_.event(impact(0.2, "k", 2, 0.5));
    result_.event(impact(0.7, "other", 5, 1));
    result_.event(impact(1.1, "k.a.b.0", 3, 0.25));
  }

  static Model model() {
    Model model;
    model.add(PointMass{.name = "a", .mass = 1});
    return model;
  }
  static EventRow impact(double time, const char* contact, double impulse, double loss) {
    EventRow row;
    row.time = time;
    row.contact = contact;
    row.kind = "impact";
    row.impulse[0] = impulse;
    row.before[0] = -impulse;
    row.energy_lost = loss;
    return row;
  }

  double column(ColumnMetric::Take take, double time = 0) const {
    return Metric{"m", ColumnMetric{"x", take, time}}.measure(result_).value_or(NAN);
  }
  std::optional<double> event(EventMetric::Take take, const char* contact, int number = 1) const {
    return Metric{"m", EventMetric{"impact", contact, take, number}}.measure(result_);
  }

  Simulation simulation_;
  Result result_;
};

TEST_F(Measured, ColumnsGiveTheirNumbers) {
  using enum ColumnMetric::Take;
  EXPECT_EQ(column(Max), 2);
  EXPECT_EQ(column(Min), -1);
  EXPECT_EQ(column(First), -1);
  EXPECT_EQ(column(Last), 2);
  EXPECT_EQ(column(MaxAbs), 2);
  EXPECT_EQ(column(Range), 3);
  EXPECT_EQ(column(TimeOfMax), 3);
  EXPECT_EQ(column(TimeOfMin), 0);
  EXPECT_NEAR(column(Mean), 0.5, 1e-15);
  EXPECT_NEAR(column(Rms), 1, 1e-15);  // ∫(t − 1)² dt from 0 to 3 is 3
  EXPECT_NEAR(column(At, 1.25), 0.25, 1e-15);
  EXPECT_EQ(column(At, 3), 2);
  EXPECT_TRUE(std::isnan(column(At, 3.1)));
}

TEST_F(Measured, EventsAreCountedPerContact) {
  using enum EventMetric::Take;
  EXPECT_EQ(event(Count, ""), 3);
  EXPECT_EQ(event(Count, "k"), 2);
  EXPECT_EQ(event(Time, "k", 2), 1.1);
  EXPECT_EQ(event(Time, "", -1), 1.1);
  EXPECT_EQ(event(Impulse, "other"), 5);
  EXPECT_EQ(event(ApproachSpeed, "other"), 5);
  EXPECT_EQ(event(EnergyLost, "k"), 0.5);
  EXPECT_EQ(event(TotalEnergyLost, "k"), 0.75);
  EXPECT_EQ(event(TotalImpulse, "k"), 5);
  EXPECT_EQ(event(Time, "k", 3), std::nullopt);
  EXPECT_EQ(event(Count, "nothing"), 0);
}

TEST_F(Measured, UnknownColumnIsNamed) {
  const Metric metric{"m", ColumnMetric{"y", ColumnMetric::Take::Last, 0}};
  EXPECT_THROW(metric.measure(result_), InputError);
}

}  // namespace metric_test
}  // namespace saltus::study
