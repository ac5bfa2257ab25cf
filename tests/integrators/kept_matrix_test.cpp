// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/kept_matrix.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace saltus {
namespace {

constexpr double small = SmoothTuning::same_matrix / 2;

TEST(KeptMatrices, AFirstIterationHasAMatrixOfItsOwn) {
  KeptMatrices matrices(1);
  matrices.ask(0, 0, small);
  EXPECT_FALSE(matrices.serve_all());
  matrices.ask(0, 1, small);
  EXPECT_TRUE(matrices.serve_all());
}

TEST(KeptMatrices, AfterALongStepTheMatrixIsNew) {
  KeptMatrices matrices(1);
  matrices.ask(0, 0, 1.0);
  matrices.ask(0, 1, 2 * SmoothTuning::same_matrix);
  EXPECT_FALSE(matrices.serve_all());
}

TEST(KeptMatrices, WhatIsKeptMustShrinkTheSteps) {
  KeptMatrices matrices(1);
  matrices.ask(0, 0, 1.0);
  matrices.ask(0, 1, small);
  ASSERT_TRUE(matrices.serve_all());
  matrices.ask(0, 2, small * SmoothTuning::same_matrix_shrinks / 2);
  EXPECT_TRUE(matrices.serve_all());
  matrices.ask(0, 3, small * SmoothTuning::same_matrix_shrinks / 3);  // hardly
  EXPECT_FALSE(matrices.serve_all());
  matrices.ask(0, 4, small * SmoothTuning::same_matrix_shrinks / 4);  // with the new one
  EXPECT_TRUE(matrices.serve_all());
}

TEST(KeptMatrices, ComponentsAreAskedByThemselves) {
  KeptMatrices matrices(3);
  for (int iteration = 0; iteration < 2; ++iteration) {
    matrices.ask(0, iteration, small);
    matrices.ask(1, iteration, 1.0);
    matrices.renew(2, true);
  }
  EXPECT_EQ(matrices.kept(), (std::vector<char>{1, 0, 0}));
  EXPECT_FALSE(matrices.serve_all());
  matrices.ask(0, 2, small * SmoothTuning::same_matrix_shrinks / 2);
  matrices.renew(1, true);
  EXPECT_TRUE(matrices.serve_all());  // what is done needs none
}

TEST(KeptMatrices, WhatIsThereServesAFirstIterationToo) {
  KeptMatrices matrices(1);
  matrices.keep(0);
  EXPECT_TRUE(matrices.serve_all());
  EXPECT_EQ(matrices.kept(), std::vector<char>{1});
  matrices.ask(0, 1, SmoothTuning::same_matrix_shrinks / 2);
  EXPECT_TRUE(matrices.serve_all());
  matrices.ask(0, 2, SmoothTuning::same_matrix_shrinks / 3);  // hardly smaller
  EXPECT_FALSE(matrices.serve_all());
}

TEST(KeptMatrices, NotANumberIsNoSmallStep) {
  KeptMatrices matrices(1);
  matrices.ask(0, 0, small);
  matrices.ask(0, 1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(matrices.serve_all());
}

}  // namespace
}  // namespace saltus
