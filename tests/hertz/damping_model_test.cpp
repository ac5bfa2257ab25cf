// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/damping_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "saltus/hertz/local_impact.hpp"

namespace saltus::hertz {
namespace damping_model_test {

using enum DampingModel;

const std::vector<DampingModel> all = {None, HuntCrossley, LankaraniNikravesh, Hu, Flores, Zhang};

double effective_restitution(DampingModel model, double e) {
  const double K = 2e9, v = 0.7;
  return integrate_local_law({0.3, K, 1.5, damping_factor(model, K, e, v)}, v).restitution;
}

TEST(DampingModel, ElasticImpactsAreNotDamped) {
  for (const DampingModel model : all) EXPECT_EQ(damping_ratio(model, 1), 0);
}

TEST(DampingModel, AllAgreeToFirstOrderNearElasticImpacts) {
  // 3/2 (1 − e), but for Hu's 1.73 and Flores' 1.6.
  const double e = 1 - 1e-6;
  EXPECT_NEAR(damping_ratio(HuntCrossley, e) / 1e-6, 1.5, 1e-5);
  EXPECT_NEAR(damping_ratio(LankaraniNikravesh, e) / 1e-6, 1.5, 1e-5);
  EXPECT_NEAR(damping_ratio(Hu, e) / 1e-6, 1.7295, 1e-4);
  EXPECT_NEAR(damping_ratio(Flores, e) / 1e-6, 1.6, 1e-5);
  EXPECT_NEAR(damping_ratio(Zhang, e) / 1e-6, 1.4967, 1e-4);
}

TEST(DampingModel, EffectiveRestitutionOfHuFloresAndZhang) {
  struct Row {
    DampingModel model;
    double e, effective;
  };
  for (const Row& row : std::vector<Row>{{Hu, 0.8, 0.784},
                                         {Hu, 0.4, 0.400},
                                         {Hu, 0.2, 0.205},
                                         {Zhang, 0.8, 0.800},
                                         {Zhang, 0.4, 0.401},
                                         {Zhang, 0.2, 0.200},
                                         {Flores, 0.8, 0.789},
                                         {Flores, 0.6, 0.577},
                                         {Flores, 0.4, 0.363},
                                         {Flores, 0.2, 0.156}})
    EXPECT_NEAR(effective_restitution(row.model, row.e), row.effective, 6e-4);
}

TEST(DampingModel, HuntAndCrossleyAndLankaraniAndNikraveshHoldOnlyForNearlyElasticImpacts) {
  for (const DampingModel model : {HuntCrossley, LankaraniNikravesh}) {
    EXPECT_NEAR(effective_restitution(model, 0.95), 0.95, 0.004);
    EXPECT_GT(effective_restitution(model, 0.2), 0.4);
  }
}

TEST(DampingModel, DampingGrowsAsRestitutionFalls) {
  for (const DampingModel model : {HuntCrossley, LankaraniNikravesh, Hu, Flores, Zhang})
    for (double e = 0.06; e < 1; e += 0.01)
      EXPECT_GT(damping_ratio(model, e - 0.01), damping_ratio(model, e));
}

TEST(DampingModel, IsFiniteAndConstantBelowTheSmallestRestitution) {
  for (const DampingModel model : all) {
    EXPECT_TRUE(std::isfinite(damping_ratio(model, 0)));
    EXPECT_EQ(damping_ratio(model, 0), damping_ratio(model, smallest_restitution(model)));
    EXPECT_GE(damping_ratio(model, 0), 0);
  }
  EXPECT_EQ(damping_ratio(HuntCrossley, 0), 1.5);
  EXPECT_EQ(damping_ratio(LankaraniNikravesh, 0), 0.75);
  EXPECT_EQ(damping_ratio(Flores, 0.02), damping_ratio(Flores, 0.05));
}

TEST(DampingModel, FactorScalesWithStiffnessOverSpeed) {
  EXPECT_DOUBLE_EQ(damping_factor(Flores, 3e8, 0.5, 0.2), 1.6 * 3e8 / 0.2);
}

TEST(DampingModel, RefusesBadNumbers) {
  EXPECT_THROW(damping_ratio(Flores, -0.1), std::invalid_argument);
  EXPECT_THROW(damping_ratio(Flores, 1.1), std::invalid_argument);
  EXPECT_THROW(damping_factor(Flores, 0, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(damping_factor(Flores, 1, 0.5, 0), std::invalid_argument);
}

}  // namespace damping_model_test
}  // namespace saltus::hertz
