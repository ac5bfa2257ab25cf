// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "saltus/nonsmooth/alart_curnier.hpp"
#include "saltus/nonsmooth/dense_system.hpp"
#include "tests/nonsmooth/problem_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace {

// One Newton step with every status among the contacts.
struct NewtonStep {
  std::vector<Matrix3> A, B;
  ContactVectors r;

  explicit NewtonStep(const ContactOperator& D) {
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    for (std::size_t c = 0; c < D.contacts(); ++c) {
      const auto vector = [&] {
        return Vector3(normal(generator), normal(generator), normal(generator));
      };
      const double rho = D.movable(c) ? D.rho(c) : 1;
      const Vector3 l = rho * (vector() + Vector3(1, 0, 0)), u = 0.3 * vector();
      const ContactTangent tangent =
          D.movable(c) ? linearize(l, u, D.contact(c).mu, {4 * rho, 4 * rho}, 1e-3 / rho)
                       : ContactTangent{};
      A.push_back(tangent.A);
      B.push_back(tangent.B);
      r.push_back(-tangent.F);
    }
  }
};

// K w = Hᵀ x and A H w + B x = r as one matrix.
Eigen::VectorXd solve_saddle_point(const StoredProblem& stored, const NewtonStep& step) {
  const Eigen::MatrixXd H = stored.rows();
  const Eigen::Index n = H.cols(), m = H.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, m), B = A;
  for (std::size_t c = 0; c < step.A.size(); ++c) {
    const auto i = static_cast<Eigen::Index>(3 * c);
    A.block<3, 3>(i, i) = step.A[c];
    B.block<3, 3>(i, i) = step.B[c];
  }
  Eigen::MatrixXd saddle(n + m, n + m);
  saddle << stored.problem().K->to_dense(), -H.transpose(), A * H, B;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  right.tail(m) = flat(step.r);
  return saddle.fullPivLu().solve(right).tail(m);
}

TEST(ContactSystem, FullCondensedAndSaddlePointFormsAgree) {
  for (const ProblemData& data : zoo()) {
    StoredProblem stored(data);
    ContactOperator D;
    ASSERT_TRUE(D.attach(stored.problem()));
    const NewtonStep step(D);
    ContactSystem system;
    ContactVectors full, condensed;
    ASSERT_TRUE(system.factorize(D, step.A, step.B, ContactSystem::Form::Full)) << data.name;
    system.solve(step.r, full);
    ASSERT_TRUE(system.factorize(D, step.A, step.B, ContactSystem::Form::Condensed)) << data.name;
    system.solve(step.r, condensed);
    const Eigen::VectorXd saddle = solve_saddle_point(stored, step);
    EXPECT_LE((flat(full) - saddle).norm(), 1e-8 * saddle.norm()) << data.name;
    EXPECT_LE((flat(condensed) - saddle).norm(), 1e-8 * saddle.norm()) << data.name;
  }
}

// The pattern follows contacts that come, go and change their order.
TEST(ContactSystem, CondensedPatternFollowsTheContacts) {
  const std::vector<double> masses(10, 1.0);
  ContactSystem system;
  for (const int variant : {0, 1, 2, 0, 3}) {
    ProblemData data = stack_velocities("stack", masses, 0.5);
    if (variant == 1) data.contacts.resize(12);
    if (variant == 2) std::reverse(data.contacts.begin(), data.contacts.end());
    if (variant == 3) data.contacts[20].columns = {0, 1, 2, 3, 4, 5, 54, 55, 56, 57, 58, 59};
    StoredProblem stored(data);
    ContactOperator D;
    ASSERT_TRUE(D.attach(stored.problem()));
    const NewtonStep step(D);
    ContactVectors x;
    ASSERT_TRUE(system.factorize(D, step.A, step.B, ContactSystem::Form::Condensed));
    system.solve(step.r, x);
    const Eigen::VectorXd saddle = solve_saddle_point(stored, step);
    EXPECT_LE((flat(x) - saddle).norm(), 1e-8 * saddle.norm()) << variant;
  }
}

TEST(ContactOperator, LocalAndGlobalFormsAgree) {
  StoredProblem stored(mixed("mixed"));
  ContactOperator local, global;
  ASSERT_TRUE(local.attach(stored.problem()));
  ContactProblem other = stored.problem();
  other.local = false;
  ASSERT_TRUE(global.attach(other));
  const Eigen::MatrixXd H = stored.rows();
  const Eigen::MatrixXd D = H * stored.problem().K->to_dense().inverse() * H.transpose();
  EXPECT_LE((local.dense() - D).norm(), 1e-13 * D.norm());
  EXPECT_LE((global.dense() - D).norm(), 1e-13 * D.norm());
  EXPECT_FALSE(local.movable(local.contacts() - 1));
  EXPECT_FALSE(global.movable(global.contacts() - 1));
}

TEST(DenseSystem, SolvesAndReportsSingularMatrices) {
  std::srand(1);
  DenseSystem system;
  for (const int n : {1, 3, 31, 32, 33, 100}) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n);
    const Eigen::VectorXd x = Eigen::VectorXd::Random(n);
    system.matrix(n) = A;
    ASSERT_TRUE(system.factorize(1e-13));
    Eigen::VectorXd b = A * x;
    system.solve_in_place(b);
    EXPECT_LE((b - x).norm(), 1e-10 * x.norm());
    Eigen::MatrixXd singular = A;
    singular.col(n - 1) = n > 1 ? Eigen::VectorXd(2 * A.col(0)) : Eigen::VectorXd::Zero(1);
    system.matrix(n) = singular;
    EXPECT_FALSE(system.factorize(1e-13));
  }
}

}  // namespace
}  // namespace saltus::nonsmooth::test
