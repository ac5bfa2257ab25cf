// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "saltus/linalg/decompositions.hpp"
#include "saltus/nonsmooth/alart_curnier.hpp"
#include "saltus/nonsmooth/dense_system.hpp"
#include "tests/nonsmooth/sphere_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace contact_system_test {

// One Newton step with every status among the contacts.
template <int N>
struct NewtonStep {
  std::vector<ContactMatrix<N>> A, B;
  ContactVectors<N> r;

  explicit NewtonStep(const ContactOperator<N>& D) {
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    for (std::size_t c = 0; c < D.contacts(); ++c) {
      const auto vector = [&] {
        ContactVector<N> x;
        for (double& entry : x) entry = normal(generator);
        return x;
      };
      const double rho = D.movable(c) ? D.rho(c) : 1;
      const ContactVector<N> l = rho * (vector() + ContactVector<N>::Unit(0)), u = 0.3 * vector();
      const ContactTangent<N> tangent =
          D.movable(c)
              ? linearize<N>(l, u, D.cone(c), {4 * rho, 4 * rho, 4 * rho, 4 * rho}, 1e-3 / rho)
              : ContactTangent<N>{};
      A.push_back(tangent.A);
      B.push_back(tangent.B);
      r.push_back(-tangent.F);
    }
  }
};

// K w = Hᵀ x and A H w + B x = r as one matrix.
template <int N>
Eigen::VectorXd solve_saddle_point(const StoredProblem& stored, const NewtonStep<N>& step) {
  const Eigen::MatrixXd H = stored.rows();
  const Eigen::Index n = H.cols(), m = H.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, m), B = A;
  for (std::size_t c = 0; c < step.A.size(); ++c) {
    const auto i = static_cast<Eigen::Index>(N * c);
    A.block<N, N>(i, i) = step.A[c];
    B.block<N, N>(i, i) = step.B[c];
  }
  Eigen::MatrixXd saddle(n + m, n + m);
  saddle << stored.problem().K->to_dense(), -H.transpose(), A * H, B;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  right.tail(m) = flat<N>(step.r);
  return linalg::solve(saddle, right).tail(m);
}

template <int N>
void expect_forms_agree(const ProblemData& data) {
  const StoredProblem stored(data);
  ContactOperator<N> D;
  ASSERT_TRUE(D.attach(stored.problem()));
  const NewtonStep<N> step(D);
  ContactSystem<N> system;
  ContactVectors<N> full, condensed;
  ASSERT_TRUE(system.factorize(D, step.A, step.B, SystemForm::Full)) << data.name;
  system.solve(step.r, full);
  ASSERT_TRUE(system.factorize(D, step.A, step.B, SystemForm::Condensed)) << data.name;
  system.solve(step.r, condensed);
  const Eigen::VectorXd saddle = solve_saddle_point<N>(stored, step);
  EXPECT_LE((flat<N>(full) - saddle).norm(), 1e-8 * saddle.norm()) << data.name;
  EXPECT_LE((flat<N>(condensed) - saddle).norm(), 1e-8 * saddle.norm()) << data.name;
}

TEST(ContactSystem, FullCondensedAndSaddlePointFormsAgree) {
  for (const ProblemData& data : zoo()) expect_forms_agree<3>(data);
  for (const bool coupled : {false, true}) {
    for (const bool local : {true, false}) {
      ProblemData data = row_of_spheres(10, 1, coupled);
      data.local = local;
      expect_forms_agree<6>(data);
    }
  }
}

// The pattern follows contacts that come, go and change their order.
TEST(ContactSystem, CondensedPatternFollowsTheContacts) {
  const std::vector<double> masses(10, 1.0);
  ContactSystem<3> system;
  for (const int variant : {0, 1, 2, 0, 3}) {
    ProblemData data = stack_velocities("stack", masses, 0.5);
    if (variant == 1) data.contacts.resize(12);
    if (variant == 2) std::reverse(data.contacts.begin(), data.contacts.end());
    if (variant == 3) data.contacts[20].columns = {0, 1, 2, 3, 4, 5, 54, 55, 56, 57, 58, 59};
    StoredProblem stored(data);
    ContactOperator<3> D;
    ASSERT_TRUE(D.attach(stored.problem()));
    const NewtonStep<3> step(D);
    ContactVectors<3> x;
    ASSERT_TRUE(system.factorize(D, step.A, step.B, SystemForm::Condensed));
    system.solve(step.r, x);
    const Eigen::VectorXd saddle = solve_saddle_point<3>(stored, step);
    EXPECT_LE((flat<3>(x) - saddle).norm(), 1e-8 * saddle.norm()) << variant;
  }
}

TEST(ContactOperator, LocalAndGlobalFormsAgree) {
  StoredProblem stored(mixed("mixed"));
  ContactOperator<3> local, global;
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

// Columns in any order, not six in a row a side.
TEST(ContactOperator, OrderOfTheUnknownsOfAContactDoesNotMatter) {
  const StoredProblem stored(row_of_spheres(4, 1, false));
  ContactProblem shuffled = stored.problem();
  for (ContactRows& contact : shuffled.contacts) {
    const ContactRows old = contact;
    for (std::size_t k = 0; k < 12; ++k) {
      const std::size_t from = (5 * k + 3) % 12;
      contact.columns[k] = old.columns[from];
      contact.H.col(static_cast<Eigen::Index>(k)) = old.H.col(static_cast<Eigen::Index>(from));
      contact.Y.row(static_cast<Eigen::Index>(k)) = old.Y.row(static_cast<Eigen::Index>(from));
    }
  }
  ContactOperator<6> first, second;
  ASSERT_TRUE(first.attach(stored.problem()) && second.attach(shuffled));
  EXPECT_LE((first.dense() - second.dense()).norm(), 1e-14 * first.dense().norm());
  ContactVectors<6> l(first.contacts(), Vector6::Ones()), u, v;
  first.motion(l, u);
  second.motion(l, v);
  EXPECT_LE((flat<6>(u) - flat<6>(v)).norm(), 1e-14 * flat<6>(u).norm());
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

}  // namespace contact_system_test
}  // namespace saltus::nonsmooth::test
