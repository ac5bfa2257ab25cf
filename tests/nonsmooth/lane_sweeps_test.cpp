// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "saltus/nonsmooth/solver_workspace.hpp"
#include "tests/nonsmooth/sphere_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace lane_sweeps_test {

enum class Rows { Three, Six, Coupled };

// A cubic packing of spheres on a plane, side × side × side, with random motions; more contacts
// than unknowns.
ProblemData packing(int side, Rows rows, unsigned seed) {
  Scene scene;
  std::vector<int> bodies;
  const auto add = [&](int below, int above, const Vector3d& place, const Vector3d& normal) {
    scene.add_contact(below, above, place, normal, 0.4);
    if (rows == Rows::Three) return;
    scene.add_moments(sphere_radius, 0.02, 0.05, rows == Rows::Coupled);
  };
  for (int i = 0; i < side * side * side; ++i) {
    const int steps[3] = {i % side, i / side % side, i / (side * side)};
    const Vector3d place = sphere_radius * Vector3d(2 * steps[0], 2 * steps[1], 2 * steps[2] + 1);
    bodies.push_back(add_sphere(scene, place));
    for (int axis = 0, before = 1; axis < 3; ++axis, before *= side) {
      const Vector3d normal = Vector3d::Unit(axis);
      if (steps[axis] == 0 && axis < 2) continue;
      const int below = steps[axis] == 0 ? -1 : bodies[static_cast<std::size_t>(i - before)];
      add(below, bodies.back(), place - sphere_radius * normal, normal);
    }
  }
  const VectorXd v = shaken(scene, {0, 0, -gravity * step}, seed);
  return rows == Rows::Three ? scene.problem("packing", v)
                             : scene.problem_with_moments("packing", v);
}

template <int N>
struct Attached {
  explicit Attached(const ProblemData& data) : stored(data) {
    EXPECT_TRUE(D.attach(stored.problem()));
    l.assign(D.contacts(), ContactVector<N>::Zero());
    D.motion(l, u);
  }
  StoredProblem stored;
  ContactOperator<N> D;
  ContactVectors<N> l, u;
};

template <class Real, int N>
ContactVectors<N> swept(const ProblemData& data, InstructionSet set, int sweeps) {
  Attached<N> problem(data);
  LaneSweeps<Real, N> lanes(set);
  EXPECT_TRUE(lanes.attach(problem.D));
  lanes.take(problem.D, problem.l, problem.u);
  for (int k = 0; k < sweeps; ++k) lanes.sweep(k % 3 == 0 ? 0 : 0.5);
  lanes.give(problem.D, problem.l);
  return problem.l;
}

template <class Real, int N>
void expect_same_bytes(const ProblemData& data) {
  const auto a = swept<Real, N>(data, InstructionSet::Portable, 20);
  const auto b = swept<Real, N>(data, best_instruction_set(), 20);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]), 0);
}

TEST(LaneSweeps, AreTheSameBytesForEveryInstructionSet) {
  if (best_instruction_set() == InstructionSet::Portable)
    GTEST_SKIP() << "this processor has one path only: nothing to compare";
  for (const ProblemData& data :
       {packing(4, Rows::Three, 1), stack_velocities("stack", {1, 5, 2}, 0.5)}) {
    expect_same_bytes<float, 3>(data);
    expect_same_bytes<double, 3>(data);
  }
  for (const Rows rows : {Rows::Six, Rows::Coupled}) {
    expect_same_bytes<float, 6>(packing(3, rows, 2));
    expect_same_bytes<double, 6>(packing(3, rows, 2));
  }
}

// Anderson's combinations too.
TEST(LaneSweeps, CombinationsAreTheSameBytesForEveryInstructionSet) {
  std::vector<double> a(64), d(64), last(64), other(64);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = 1.0 / (1 + static_cast<double>(i));
    d[i] = static_cast<double>(i % 7) / 3;
  }
  std::vector<double> b = a, e = d, before = last;
  const LaneKernel<double>& first = lane_kernel<double>(InstructionSet::Portable);
  const LaneKernel<double>& second = lane_kernel<double>(best_instruction_set());
  EXPECT_EQ(first.dot(64, a.data(), d.data()), second.dot(64, a.data(), d.data()));
  const double gamma[] = {0.3, -1.7};
  const double* columns[] = {d.data(), e.data()};
  first.combine(64, 2, gamma, columns, a.data());
  second.combine(64, 2, gamma, columns, b.data());
  EXPECT_EQ(a, b);
  first.difference(64, a.data(), last.data(), d.data());
  second.difference(64, a.data(), before.data(), other.data());
  EXPECT_EQ(d, other);
  EXPECT_EQ(last, a);
}

template <int N>
ContactMeasure solved_by_lanes(const ProblemData& data, int most, double tolerance) {
  const StoredProblem stored(data);
  SolverWorkspace<N> work;
  work.options = stored.options();
  work.options.tolerance = tolerance;
  work.options.motion_tolerance = 1;
  EXPECT_TRUE(work.D.attach(stored.problem()));
  work.l.assign(work.D.contacts(), ContactVector<N>::Zero());
  work.record();
  free_body_sweeps<N>(work, {.most = most});
  return work.best;
}

// From floats to doubles, judged by the true rows each time.
TEST(LaneSweeps, SolvePackings) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    EXPECT_LE(solved_by_lanes<3>(packing(4, Rows::Three, seed), 2000, 1e-10).residual, 1e-10);
  }
}

TEST(LaneSweeps, SolveRowsWithMoments) {
  for (const Rows rows : {Rows::Six, Rows::Coupled}) {
    EXPECT_LE(solved_by_lanes<6>(packing(3, rows, 1), 3000, 1e-8).residual, 1e-8);
  }
}

// D_cc of their corners is full: only the way to the solution is longer.
TEST(LaneSweeps, SolveBoxes) {
  EXPECT_LE(solved_by_lanes<3>(stack_velocities("stack", {1, 1, 1}, 0.5), 3000, 1e-9).residual,
            1e-9);
}

// At a solution nothing moves: the laws of a sweep are those of the measure.
TEST(LaneSweeps, LeaveASolutionAlone) {
  const ProblemData data = packing(3, Rows::Three, 5);
  Attached<3> problem(data);
  ContactSolver solver;
  VectorXd l, w;
  const SolveReport report = solver.solve(problem.stored.problem(), problem.stored.options(), l, w);
  ASSERT_EQ(report.status, SolveStatus::Converged);
  for (std::size_t c = 0; c < problem.l.size(); ++c) {
    problem.l[c] = l.segment<3>(static_cast<Eigen::Index>(3 * c));
  }
  problem.D.motion(problem.l, problem.u);
  LaneSweeps<double, 3> lanes;
  ASSERT_TRUE(lanes.attach(problem.D));
  lanes.take(problem.D, problem.l, problem.u);
  ContactVectors<3> after = problem.l;
  lanes.sweep(0);
  lanes.give(problem.D, after);
  for (std::size_t c = 0; c < after.size(); ++c) {
    EXPECT_LE((after[c] - problem.l[c]).norm(), 1e-6 * l.lpNorm<Eigen::Infinity>());
  }
}

// The estimate of the lanes is the measure, as far as their numbers carry.
TEST(LaneSweeps, EstimateIsNearTheMeasure) {
  const ProblemData data = packing(4, Rows::Three, 3);
  Attached<3> problem(data);
  LaneSweeps<double, 3> lanes;
  ASSERT_TRUE(lanes.attach(problem.D));
  lanes.take(problem.D, problem.l, problem.u);
  for (int k = 0; k < 10; ++k) lanes.sweep(0);
  ContactVectors<3> l = problem.l, u;
  lanes.give(problem.D, l);
  problem.D.motion(l, u);
  const ContactMeasure m = measure<3>(problem.D, l, u, 1e-10);
  const ContactMeasure estimate = lanes.estimate(m);
  EXPECT_NEAR(estimate.error, m.error, 1e-6 * m.error);
  EXPECT_NEAR(estimate.approach, m.approach, 1e-6 * m.approach);
  EXPECT_NEAR(estimate.stick_slip, m.stick_slip, 1e-6 * m.stick_slip);
}

// A body with more contacts than there are colours.
TEST(LaneSweeps, TakeBodiesWithManyContacts) {
  Scene scene;
  const int plate = scene.add_body(100, Vector3d::Constant(50), {0, 0, -0.5});
  scene.add_contact(-1, plate, {0, 0, -1}, Vector3d::UnitZ(), 0.5);
  for (int i = 0; i < 80; ++i) {
    const double x = 0.02 * (i - 39.5);
    const int sphere = add_sphere(scene, {x, 0, sphere_radius});
    scene.add_contact(plate, sphere, {x, 0, 0}, Vector3d::UnitZ(), 0.5);
  }
  const ProblemData data = scene.problem("plate", shaken(scene, {0, 0, -gravity * step}, 1));
  EXPECT_LE(solved_by_lanes<3>(data, 3000, 1e-8).residual, 1e-8);
}

SolveReport solved_with(Accuracy accuracy, const StoredProblem& stored) {
  SolverOptions options = stored.options();
  options.accuracy = accuracy;
  options.pile_tolerance = (accuracy == Accuracy::Fast ? 1e-2 : 1e-3) * gravity * step;
  ContactSolver solver;
  VectorXd l, w;
  return solver.solve(stored.problem(), options, l, w);
}

// 576 contacts: a pile for `fast` and `standard`, to be solved to 1e-8 for `high`.
TEST(Accuracy, AsksPilesForMotionsAndHighForResiduals) {
  const StoredProblem stored(packing(6, Rows::Three, 4));
  const SolveReport fast = solved_with(Accuracy::Fast, stored);
  const SolveReport standard = solved_with(Accuracy::Standard, stored);
  const SolveReport high = solved_with(Accuracy::High, stored);
  EXPECT_TRUE(fast.is_pile && standard.is_pile && !high.is_pile);
  for (const SolveReport& report : {fast, standard, high}) {
    EXPECT_EQ(report.status, SolveStatus::Converged) << report.tried();
  }
  EXPECT_LE(fast.residual, 1e-3);
  EXPECT_LE(fast.approach, 1e-2 * gravity * step);
  EXPECT_LE(standard.residual, 1e-4);
  EXPECT_LE(standard.approach, 1e-3 * gravity * step);
  EXPECT_LE(high.residual, 1e-8);
  EXPECT_LT(fast.sweeps, standard.sweeps);
}

// 63 contacts: `standard` asks them for what it asks of few.
TEST(Accuracy, FastJudgesSmallerIslandsByMotionsToo) {
  const StoredProblem stored(packing(3, Rows::Three, 4));
  EXPECT_TRUE(solved_with(Accuracy::Fast, stored).is_pile);
  const SolveReport standard = solved_with(Accuracy::Standard, stored);
  EXPECT_FALSE(standard.is_pile);
  EXPECT_LE(standard.residual, 1e-8);
}

TEST(LaneSweeps, AreForFreeBodiesOnly) {
  Attached<3> problem(hinge_and_wall("hinge", -0.4, 1, 0));
  LaneSweeps<double, 3> lanes;
  EXPECT_FALSE(lanes.attach(problem.D));
}

}  // namespace lane_sweeps_test
}  // namespace saltus::nonsmooth::test
