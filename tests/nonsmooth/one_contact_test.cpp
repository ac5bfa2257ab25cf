// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/one_contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace saltus::nonsmooth {
namespace one_contact_test {

class RandomProblem {
 public:
  Vector3 vector() { return {normal_(generator_), normal_(generator_), normal_(generator_)}; }
  double exponent(double range) { return std::pow(10, range * uniform_(generator_)); }

  // Symmetric, positive definite, of any size.
  Matrix3 mobility() {
    Matrix3 F;
    F << vector(), vector(), vector();
    return exponent(6) * (F * F.transpose() + 1e-3 * Matrix3::Identity());
  }

 private:
  std::mt19937 generator_{3};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// The natural map relative to its terms.
double error_of(const Matrix3& D, const Vector3& q, double mu, const Vector3& l) {
  const double rho = 3 / D.trace();
  const Vector3 u = D * l + q;
  return natural_map(l, u, mu, rho).norm() /
         (l.norm() + rho * (1 + mu) * (q.norm() + (D * l).norm()));
}

TEST(OneContact, ObeysTheContactLawsToRoundOff) {
  RandomProblem random;
  for (const double mu : {0.0, 0.1, 0.5, 1.5, 5.0}) {
    double worst = 0;
    for (int k = 0; k < 20000; ++k) {
      const Matrix3 D = random.mobility();
      const Vector3 q = random.exponent(3) * random.vector();
      const Vector3 near = k % 2 == 0 ? Vector3::Zero() : Vector3(random.vector() / D.trace());
      worst = std::max(worst, error_of(D, q, mu, solve_one_contact(D, q, mu, near)));
    }
    EXPECT_LE(worst, 1e-12) << mu;
  }
}

TEST(OneContact, ClosedFormOfIsotropicMobilityIsTheLimitOfTheGeneralOne) {
  RandomProblem random;
  for (int k = 0; k < 2000; ++k) {
    const double d = random.exponent(2);
    const Matrix3 D = Vector3(random.exponent(1) * d, d, d).asDiagonal();
    Matrix3 nearly = D;
    nearly(1, 2) = nearly(2, 1) = 1e-12 * d;
    const Vector3 q = random.vector();
    const Vector3 l = solve_one_contact(D, q, 0.5, Vector3::Zero());
    EXPECT_LE(error_of(D, q, 0.5, l), 1e-15);
    EXPECT_LE((l - solve_one_contact(nearly, q, 0.5, Vector3::Zero())).norm(), 1e-10 * l.norm());
  }
}

TEST(OneContact, HingedBodyKeepsItsUndeterminedFriction) {
  const Vector3 lever(-0.7, 0.3, 0);  // one degree of freedom: D has rank one
  const Matrix3 D = lever * lever.transpose();
  const Vector3 q = 2 * lever.cwiseProduct(Vector3(1, 1, 1));
  const Vector3 l = solve_one_contact(D, q, 0.5, Vector3(2, 0.1, 0));
  EXPECT_LE((D * l + q).norm(), 1e-7);
  EXPECT_LE(tangential_norm(l), 0.5 * l[0]);
  EXPECT_TRUE(l.allFinite());
}

// Contacts with moments are solved by a few passes; from its result each call goes on.
TEST(OneContact, PassesOverTheBallsConverge) {
  RandomProblem random;
  for (const bool coupled : {false, true}) {
    for (int k = 0; k < 500; ++k) {
      Matrix6 G;
      for (int j = 0; j < 6; ++j) G.col(j) << random.vector(), random.vector();
      const Matrix6 D = G * G.transpose() + 2 * Matrix6::Identity();
      Vector6 q;
      q << random.vector(), random.vector();
      const MomentCone cone{0.3, 0.1, 0.2, coupled};
      Vector6 l = Vector6::Zero();
      for (int pass = 0; pass < 300; ++pass) l = solve_one_contact(D, q, cone, l);
      const Vector6 error = natural_map(l, Vector6(D * l + q), cone, 3 / D.trace());
      EXPECT_LE(error.norm(), 1e-10) << k;
    }
  }
}

TEST(OneContact, OpensWithoutReaction) {
  EXPECT_EQ(solve_one_contact(Matrix3::Identity(), {0.1, 3, 4}, 0.5, {1, 0, 0}), Vector3::Zero());
  EXPECT_EQ(solve_one_contact(Matrix3::Identity(), {0, 0, 0}, 0.5, {1, 0, 0}), Vector3::Zero());
}

}  // namespace one_contact_test
}  // namespace saltus::nonsmooth
