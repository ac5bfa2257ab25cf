// SPDX-License-Identifier: Apache-2.0
// Interior points: the algebra of their cone, the tangent of the polish, and what they solve.
#include "saltus/nonsmooth/path_following.hpp"

#include <gtest/gtest.h>

#include "saltus/nonsmooth/contact_operator.hpp"
#include "tests/nonsmooth/hard_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace path_following_test {

// Inside of the cone, near its surface and far from it.
Vector3 inside(Uniform& uniform) {
  const Vector3 x(0, uniform(), uniform());
  return {tangential_norm(x) + std::pow(10, 3 * uniform() - 3), x[1], x[2]};
}

TEST(SecondOrderCone, QuotientUndoesTheProduct) {
  Uniform uniform;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 x = inside(uniform), y(uniform(), uniform(), uniform());
    EXPECT_LE((jordan_quotient(x, jordan_product(x, y)) - y).norm(),
              1e-14 * x.squaredNorm() / determinant(x));
  }
}

TEST(SecondOrderCone, ScalingMapsBothPointsToOne) {
  Uniform uniform;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 l = inside(uniform), z = inside(uniform);
    const SymmetricScaling s(l, z);
    const double accuracy =
        1e-13 * (l.squaredNorm() / determinant(l) + z.squaredNorm() / determinant(z));
    EXPECT_LE((s.point - s.inverse * l).norm(), accuracy * s.point.norm());
    EXPECT_LE((s.P * s.inverse - Matrix3::Identity()).norm(), accuracy);
    EXPECT_LE((s.square - s.P * s.P).norm(), accuracy * s.square.norm());
  }
}

TEST(SecondOrderCone, WayToTheSurfaceEndsThere) {
  Uniform uniform;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 x = inside(uniform), d(uniform(), uniform(), uniform());
    const double way = way_to_surface(x, d);
    if (!std::isfinite(way)) {  // the direction is one of the cone
      EXPECT_GE(d[0], tangential_norm(d) - 1e-12);
      continue;
    }
    const Vector3 end = x + way * d;
    const double condition = x.squaredNorm() / determinant(x);
    EXPECT_LE(std::abs(end[0] - tangential_norm(end)),
              1e-14 * condition * (x.norm() + (way * d).norm()));
    EXPECT_GT(determinant(x + 0.999 * way * d), 0);
  }
}

TEST(Polish, TangentOfTheProjectionIsItsDerivative) {
  Uniform uniform;
  for (int i = 0; i < 2000; ++i) {
    const double mu = i % 4 == 0 ? 0 : 1 + uniform();
    const Vector3 x(uniform(), uniform(), uniform()), d(uniform(), uniform(), uniform());
    const double h = 1e-6;
    // Away from the surfaces of the cone and of its polar.
    const double t = tangential_norm(x);
    if (std::abs(t - mu * x[0]) < 10 * h || std::abs(mu * t + x[0]) < 10 * h) continue;
    const Vector3 difference =
        (project_on_cone(Vector3(x + h * d), mu) - project_on_cone(Vector3(x - h * d), mu)) /
        (2 * h);
    EXPECT_LE((tangent_of_projection(x, mu) * d - difference).norm(), 1e-8 / t) << mu;
  }
}

// With and without friction in one problem, a contact that nothing moves, one that is there twice.
TEST(PathFollowing, SolvesWhatIsMixed) {
  const StoredProblem stored(mixed("mixed"));
  ContactSolver solver;
  VectorXd l, w, other, reference;
  const SolveReport report =
      solver.solve(stored.problem(), stored.options(SolverKind::PathFollowing), l, w);
  EXPECT_EQ(report.status, SolveStatus::Converged) << report.residual;
  solver.solve(stored.problem(), stored.options(SolverKind::ProximalNewton), other, reference);
  EXPECT_LE((stored.rows() * (w - reference)).norm(), 1e-7 * (stored.rows() * reference).norm());
}

TEST(PathFollowing, IsNamedInTheReport) {
  const StoredProblem stored(arch(5, 0.6).problem("arch", arch(5, 0.6).translation({0, 0, -1})));
  ContactSolver solver;
  VectorXd l, w;
  const SolveReport report =
      solver.solve(stored.problem(), stored.options(SolverKind::PathFollowing), l, w);
  EXPECT_EQ(report.status, SolveStatus::Converged);
  EXPECT_EQ(report.tried(), "path following " + std::to_string(report.iterations));
}

// Boxes on a floor, pinned to each other, at rest: all stick, and the floor bears the weight.
struct LongTrain {
  explicit LongTrain(int count) : stored(make(count)) {}

  static ProblemData make(int count) {
    Scene scene;
    for (int i = 0; i < count; ++i) scene.add_body(1, box_inertia(1), {0.3 * i, 0, half_size});
    for (int i = 0; i < count; ++i) {
      const Vector3d center(0.3 * i, 0, half_size);
      add_corners(scene, -1, i, center, 0.5);
      if (i > 0) scene.add_pin(i - 1, i, center - Vector3d(0.15, 0, 0));
    }
    return scene.problem("long_train", scene.translation({1e-3, 0, -gravity * step}));
  }

  StoredProblem stored;
};

TEST(ImplicitOperator, MultipliesAsTheFullMatrixDoes) {
  const LongTrain train(151);
  ContactOperator<3> full, implicit;
  ASSERT_TRUE(full.attach(train.stored.problem()));
  ASSERT_TRUE(implicit.attach(train.stored.problem(), true));
  ASSERT_TRUE(implicit.implicit());
  ASSERT_FALSE(full.implicit());
  Uniform uniform;
  ContactVectors<3> l(full.contacts()), y, z;
  for (Vector3& x : l) x = Vector3(uniform(), uniform(), uniform());
  full.multiply(l, y);
  implicit.multiply(l, z);
  EXPECT_LE((flat<3>(y) - flat<3>(z)).norm(), 1e-12 * flat<3>(y).norm());
  VectorXd w, v;
  full.response(l, w);
  implicit.response(l, v);
  EXPECT_LE((w - v).norm(), 1e-12 * w.norm());
  // What scales need: the right size.
  for (std::size_t c = 0; c < l.size(); ++c) {
    EXPECT_GT(implicit.rho(c), 0.2 * full.rho(c));
    EXPECT_LT(implicit.rho(c), 5 * full.rho(c));
  }
}

TEST(ImplicitOperator, IsNotForFewContactsNorForFreeBodies) {
  const LongTrain train(20);
  ContactOperator<3> D;
  ASSERT_TRUE(D.attach(train.stored.problem(), true));
  EXPECT_FALSE(D.implicit());
  const StoredProblem free(stack_velocities("stack", std::vector<double>(160, 1.0), 0.5));
  ASSERT_TRUE(D.attach(free.problem(), true));
  EXPECT_FALSE(D.implicit());
}

TEST(ImplicitOperator, BearsTheWeightOfALongTrain) {
  const int count = 151;
  const LongTrain train(count);
  ContactSolver solver;
  VectorXd l, w;
  const SolveReport report = solver.solve(train.stored.problem(), train.stored.options(), l, w);
  EXPECT_EQ(report.status, SolveStatus::Converged) << report.residual << " " << report.tried();
  EXPECT_EQ(report.tried().find("Gauss-Seidel"), std::string::npos) << report.tried();
  EXPECT_LE(report.residual, 1e-8);
  double weight = 0;
  for (Eigen::Index c = 0; c < l.size() / 3; ++c) weight += l[3 * c];
  EXPECT_NEAR(weight, count * gravity * step, 1e-7 * count * gravity * step);
  const VectorXd free = Eigen::Vector2d(1e-3, -gravity * step);
  for (int i = 0; i < count; ++i) {
    EXPECT_NEAR(w[6 * i], -free[0], 1e-9);
    EXPECT_NEAR(w[6 * i + 2], -free[1], 1e-9);
  }
}

}  // namespace path_following_test
}  // namespace saltus::nonsmooth::test
