// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/correction_limits.hpp"

#include "tests/support/random.hpp"
#include "tests/support/scene.hpp"

namespace saltus {
namespace correction_limits_test {

using namespace test;

Model box_in(double unit) {
  Model model;
  model.add(RigidBody{.name = "box", .inertia = solid_box(1, unit * Vector3(1, 0.5, 0.2))});
  return model;
}

// Newton's method that still halves its violation goes on; one that does not has met round-off.
TEST(HasStalled, IsTrueWhereASmallViolationNoLongerFalls) {
  const double small = 0.5 * CorrectionTuning::joint_round_off,
               large = 2 * CorrectionTuning::joint_round_off;
  EXPECT_TRUE(has_stalled(2, small, small, 1));
  EXPECT_FALSE(has_stalled(2, small, 4 * small, 1));  // it falls
  EXPECT_FALSE(has_stalled(2, large, large, 1));      // too large to be round-off
  EXPECT_FALSE(has_stalled(0, small, small, 1));      // nothing was tried yet
  EXPECT_FALSE(has_stalled(1, small, small, 1));
  EXPECT_TRUE(has_stalled(2, large, large, 10));  // in a larger mechanism
}

TEST(HasStalled, LetsATinyViolationEndSooner) {
  const double tiny = 0.5e-4 * CorrectionTuning::joint_round_off;
  EXPECT_TRUE(has_stalled(1, tiny, 2 * tiny, 1));
  EXPECT_FALSE(has_stalled(1, tiny, 100 * tiny, 1));
  EXPECT_FALSE(has_stalled(0, tiny, tiny, 1));
}

TEST(HasStalled, IsFalseOfWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(has_stalled(5, nan, 1e-9, 1));
}

TEST(IsMovedByJoints, HasNothingElseLeftToDo) {
  const double violation = 1e-12;
  EXPECT_TRUE(is_moved_by_joints(violation, 5e-12, 1e-3, 1));
  // An elastic body that still moves is not in balance, however little joints are violated.
  EXPECT_FALSE(is_moved_by_joints(violation, 1e-4, 1e-4, 1));
  EXPECT_FALSE(is_moved_by_joints(violation, 5e-7, 1e-3, 1));
  // Near singular positions by the root, in steps that no longer fall.
  EXPECT_TRUE(is_moved_by_joints(violation, 5e-7, 6e-7, 1));
}

bool is_balanced(const System& system, const VectorX& r, const VectorX& inertia,
                 const VectorX& reaction) {
  IslandBalance balance;
  balance.measure(system, Islands(system), r, inertia, reaction);
  return balance.holds(0);
}

TEST(IsBalanced, ComparesForcesWithForcesAndMomentsWithMoments) {
  const System system(box_in(1));
  VectorX r = VectorX::Zero(6), inertia = r, reaction = r;
  inertia[0] = 1;
  reaction[0] = -1;
  r[1] = 1e-6;
  EXPECT_TRUE(is_balanced(system, r, inertia, reaction));
  r[1] = 3e-6;  // more than a part of 1e-6 of both together
  EXPECT_FALSE(is_balanced(system, r, inertia, reaction));
  r.setZero();
  r[4] = 1e-6;  // a moment that no moments balance
  EXPECT_FALSE(is_balanced(system, r, inertia, reaction));
  reaction[5] = 2;
  EXPECT_TRUE(is_balanced(system, r, inertia, reaction));
}

TEST(IsBalanced, LooksAtEachNodeByItself) {
  Model model;
  const BodyId heavy = model.add(RigidBody{.inertia = solid_box(1000, Vector3(1, 0.5, 0.2))});
  const BodyId light = model.add(RigidBody{.inertia = solid_box(1, Vector3(1, 0.5, 0.2))});
  model.add(Fixed{.bodies = {heavy, light}, .at = Vector3(0, 0, 0)});
  const System system(model);
  const Islands islands(system);
  VectorX r = VectorX::Zero(12), inertia = r, reaction = r, round_off = r;
  reaction[0] = 1e6;
  inertia[6] = 1;
  r[6] = 1e-3;  // much for the second body, nothing against the first one's reaction
  IslandBalance balance;
  const auto is_met = [&] {
    balance.measure(system, islands, r, inertia, reaction);
    balance.measure_nodes(system, islands, r, inertia, reaction, round_off);
    EXPECT_TRUE(balance.holds(0));
    return balance.holds_at_nodes(0);
  };
  EXPECT_FALSE(is_met());
  round_off[6] = 1e-3;
  EXPECT_TRUE(is_met());
  round_off[6] = 0;
  r[6] = 0.9e-6;
  EXPECT_TRUE(is_met());
}

TEST(IsBalanced, DoesNotDependOnTheUnitOfLength) {
  Random random;
  const System metres(box_in(1)), other(box_in(1000));
  const auto in_other = [](VectorX f) {
    f.head<3>() *= 1e3;
    f.tail<3>() *= 1e6;
    return f;
  };
  int balanced = 0;
  for (int i = 0; i < 50; ++i) {
    const VectorX inertia = random.vector_x(6), reaction = random.vector_x(6);
    const VectorX r = random.vector_x(6, 3e-6);
    const bool is = is_balanced(metres, r, inertia, reaction);
    EXPECT_EQ(is, is_balanced(other, in_other(r), in_other(inertia), in_other(reaction)));
    balanced += is;
  }
  EXPECT_GT(balanced, 0);
  EXPECT_LT(balanced, 50);
}

TEST(SolverOptions, CarryTheMethodAndScaleWithLengthsAndSpeeds) {
  const ContactSolverOptions given{.method = nonsmooth::SolverKind::GaussSeidel,
                                   .tolerance = 1e-9,
                                   .acceptable = 1e-5,
                                   .max_iterations = 77};
  const auto position = position_solver_options(given, 2, 50);
  const auto velocity = velocity_solver_options(given, 3);
  for (const nonsmooth::SolverOptions& options : {position, velocity}) {
    EXPECT_EQ(options.kind, given.method);
    EXPECT_EQ(options.tolerance, 1e-9);
    EXPECT_EQ(options.acceptable, 1e-5);
    EXPECT_EQ(options.max_iterations, 77);
  }
  // The solver aims below what the corrections ask for.
  EXPECT_LT(position.motion_tolerance, PositionTuning::gap_tolerance * 2);
  EXPECT_LT(position.pile_tolerance,
            PositionTuning::gap_slack_of_piles * PositionTuning::gap_tolerance * 2);
  EXPECT_EQ(position_solver_options(given, 4, 50).motion_tolerance, 2 * position.motion_tolerance);
  EXPECT_EQ(position_solver_options(given, 2, 100).noise, 2 * position.noise);
  EXPECT_EQ(velocity_solver_options(given, 6).motion_tolerance, 2 * velocity.motion_tolerance);
  EXPECT_EQ(velocity_solver_options(given, 6).noise, 2 * velocity.noise);
}

TEST(SolverOptions, FastAsksLessOfPilesAndAGivenToleranceWins) {
  using nonsmooth::Accuracy;
  const ContactSolverOptions standard, fast{.accuracy = Accuracy::Fast};
  EXPECT_EQ(position_solver_options(standard, 2, 50).accuracy, Accuracy::Standard);
  EXPECT_EQ(velocity_solver_options(fast, 3).accuracy, Accuracy::Fast);
  EXPECT_GT(position_solver_options(fast, 2, 50).pile_tolerance,
            position_solver_options(standard, 2, 50).pile_tolerance);
  EXPECT_GT(velocity_solver_options(fast, 3).pile_tolerance,
            velocity_solver_options(standard, 3).pile_tolerance);
  const ContactSolverOptions given{.accuracy = Accuracy::Fast, .tolerance = 1e-6};
  const auto options = velocity_solver_options(given, 3);
  EXPECT_EQ(options.accuracy, Accuracy::High);
  EXPECT_EQ(options.tolerance, 1e-6);
  EXPECT_EQ(options.acceptable, 1e-6);
}

}  // namespace correction_limits_test
}  // namespace saltus
