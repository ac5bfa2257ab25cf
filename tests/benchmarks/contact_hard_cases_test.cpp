// SPDX-License-Identifier: Apache-2.0
// Contacts that contradict joints or each other, bounces that a step does not resolve, slip that
// passes through zero, and restitution along the tangent.
#include <array>
#include <numbers>

#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace contact_hard_cases_test {

// ---- hinge and sticking tip
// ----------------------------------------------------------------------

TEST(HingedRodStick, SaysThatRestitutionContradictsTheHinge) {
  const TableSink table = run_troubled("hinged_rod_stick");
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_TRUE(any_mentions(table.report().warnings, "restitution contradicts"));
  EXPECT_TRUE(any_mentions(table.report().warnings, "\"touch\""));
  const std::vector<EventRow> impacts = table.events("impact", "touch");
  ASSERT_EQ(impacts.size(), 1u);
  // A rod of 1 m, from the horizontal to 45°: ω² = 3 g sin θ.
  EXPECT_NEAR(impacts[0].time, known("flexible_pendulum", "time of impact, rigid rod"), 1e-3);
  measured("gain", energy_gain(table));
  EXPECT_LE(energy_gain(table), 1e-9);
  EXPECT_LE(std::abs(table.last("touch.gap")), 1e-9);  // it hangs on the wall
  EXPECT_LE(table.last("energy.kinetic"), 1e-24);
}

// Hinge and wall hold the tip twice; without restitution they agree, and there is nothing to say.
TEST(HingedRodStick, WithoutRestitutionNothingContradicts) {
  const TableSink table = run_example("hinged_rod_stick", {"/model/contacts/0/restitution=0"});
  measured("gain", energy_gain(table));
  EXPECT_LE(energy_gain(table), 1e-9);
  EXPECT_LE(table.last("energy.kinetic"), 1e-24);
}

// ---- Painlevé
// ------------------------------------------------------------------------------------

/// The coefficient of friction beyond which pressing the tip of a rod at 57° makes it dig in.
double critical_friction() {
  const double a = 57 * std::numbers::pi / 180;
  return (1 + 3 * std::cos(a) * std::cos(a)) / (3 * std::sin(a) * std::cos(a));
}

TEST(PainleveRod, JamsTipFirstAndSaysSo) {
  EXPECT_LT(critical_friction(), 1.5);
  const TableSink table = run_troubled("painleve_rod");
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_TRUE(any_mentions(table.report().warnings, "Painlevé"));
  EXPECT_TRUE(any_mentions(table.report().warnings, "\"chalk\""));
  // The impulse stops the tip within the first step.
  EXPECT_NEAR(table.at("chalk.slip.t1", 1), 0, 1e-12);
  EXPECT_LE(energy_gain(table), 1e-3 * energy_turnover(table));
  EXPECT_LE(table.last("energy.kinetic"), 1e-20);  // in the end it lies
}

TEST(PainleveRod, TrailingItsTipItSlides) {
  const TableSink table =
      run_troubled("painleve_rod", {"/model/bodies/0/velocity/linear=[1, 0, 0]"});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_EQ(table.at("chalk.status", 1), 1);
  EXPECT_FALSE(any_mentions({table.report().warnings.begin(),
                             table.report().warnings.begin() +
                                 static_cast<long>(table.report().warnings.empty() ? 0 : 1)},
                            "t = 0.001"));
  EXPECT_LE(energy_gain(table), 1e-3 * energy_turnover(table));
}

TEST(PainleveRod, BelowTheCriticalFrictionNothingIsSaid) {
  const std::string friction =
      fmt::format("/model/contacts/0/friction={}", critical_friction() - 0.01);
  const TableSink table = run_troubled("painleve_rod", {friction, set_end(0.01)});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_FALSE(any_mentions(table.report().warnings, "Painlevé"));
}

// ---- bounces that a step does not resolve
// --------------------------------------------------------

TEST(BouncesWithinAStep, NeitherPenetrateNorMakeEnergy) {
  for (const double h : {0.05, 0.1, 0.02, 0.013}) {
    for (const char* rho : {"0", "0.8", "1"}) {
      const TableSink table =
          run_troubled("bounces_within_a_step",
                       {set_step(h), std::string("/simulation/integrator/rho_inf=") + rho});
      ASSERT_TRUE(table.report().converged()) << table.report().message;
      EXPECT_LE(table.report().max_penetration, 1e-12) << "h = " << h;
      EXPECT_LE(energy_gain(table), 1e-12) << "h = " << h << ", ρ∞ = " << rho;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        ASSERT_NEAR(table.at("trapped.position.x", row), 1, 0.01 + 1e-12);
      }
    }
  }
}

TEST(BouncesWithinAStep, TheFallingMassRests) {
  const TableSink table = run_troubled("bounces_within_a_step");
  EXPECT_LE(std::abs(table.last("falling.velocity.z")), 1e-13);
  EXPECT_LE(std::abs(table.last("falling.position.z")), 1e-13);
}

// ---- faces that move
// -----------------------------------------------------------------------------

constexpr std::array<const char*, 3> floating = {"lower", "upper", "ball"};

double mass_of(const std::string& body) {
  return body == "lower" ? 2.0 : body == "upper" ? 3.0 : 0.5;
}
Eigen::Vector3d moments_of(const std::string& body) {
  if (body == "ball") return Eigen::Vector3d::Constant(0.4 * 0.5 * 0.01);
  return mass_of(body) / 12 * Eigen::Vector3d(1.01, 1.01, 2);
}

/// Momentum, and angular momentum about the origin.
Eigen::Matrix<double, 6, 1> momentum(const TableSink& table, std::size_t row) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const std::string body : floating) {
    const Eigen::Matrix3d R = table.rotation(body, row);
    const Eigen::Vector3d p = mass_of(body) * table.vector(body + ".velocity", row);
    const Eigen::Vector3d spin = R * moments_of(body).asDiagonal() * R.transpose() *
                                 table.vector(body + ".angular_velocity", row);
    sum.head<3>() += p;
    sum.tail<3>() += table.vector(body + ".position", row).cross(p) + spin;
  }
  return sum;
}

/// The largest changes of momentum and of angular momentum.
std::pair<double, double> momentum_changes(double h) {
  const TableSink table = run_example("two_moving_faces", {set_step(h)});
  EXPECT_GE(table.report().impacts, 2);
  const auto start = momentum(table, 0);
  double linear = 0, angular = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto change = (momentum(table, row) - start).eval();
    linear = std::max(linear, change.head<3>().norm());
    angular = std::max(angular, change.tail<3>().norm());
  }
  return {linear, angular};
}

// Impulses on the two bodies of a contact are opposite, at one point. At an impact the corrected
// positions carry the velocities elsewhere: m v_T × (v_N h), two times.
TEST(TwoMovingFaces, KeepMomentumAndAngularMomentumToFirstOrder) {
  for (const double h : {1e-3, 1e-4}) {
    const auto [linear, angular] = momentum_changes(h);
    measured(fmt::format("linear_{}", h), linear);
    measured(fmt::format("angular_{}", h), angular);
    EXPECT_LE(linear, 1e-12);
    EXPECT_LE(angular, 2 * 0.5 * 0.3 * 2 * h);
  }
}

// ---- slip through zero
// ---------------------------------------------------------------------------

constexpr double shaken_mu = 0.4, shaken_g = 9.81;

TEST(ShakenBlock, SlipsToAndFroWithTheAccelerationOfFriction) {
  const TableSink table = run_troubled("shaken_block");
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  int forward = 0, backward = 0, sticking = 0, reversals = 0;
  double previous = 0;
  for (std::size_t row = 2; row < table.rows(); ++row) {
    const double slip = table.at("touch.slip.t1", row);
    const double status = table.at("touch.status", row);
    if (status == 2) {
      ++sticking;
      ASSERT_LE(std::abs(slip), 1e-12);
    }
    if (status != 1 || table.at("touch.status", row - 1) != 1) continue;
    (slip > 0 ? forward : backward) += 1;
    reversals += previous * slip < 0;
    previous = slip;
    if (table.at("touch.slip.t1", row - 1) * slip <= 0) continue;
    const double a =
        (table.at("block.velocity.x", row) - table.at("block.velocity.x", row - 1)) / 1e-3;
    ASSERT_NEAR(a, slip > 0 ? -shaken_mu * shaken_g : shaken_mu * shaken_g, 1e-9);
  }
  measured("reversals", reversals);
  EXPECT_GT(forward, 200);
  EXPECT_GT(backward, 200);
  EXPECT_GE(reversals, 6);  // two a period of 0.5 s, but for the start
  EXPECT_GT(sticking, 0);
}

// The drive moves the table; through friction it also moves the block, and that is its work:
// W = change of kinetic energy + heat.
TEST(ShakenBlock, TheDriveDoesTheWork) {
  const TableSink table = run_troubled("shaken_block");
  const double change = own_energy(table, table.rows() - 1) - own_energy(table, 0);
  measured("numerical_loss", table.last("energy.numerical_loss"));
  measured("external_work", table.last("energy.external_work"));
  measured("friction_loss", table.last("energy.friction_loss"));
  EXPECT_GT(table.last("energy.friction_loss"), 1.0);
  EXPECT_NEAR(change, -table.last("energy.friction_loss"), 0.02);
  EXPECT_NEAR(table.last("energy.numerical_loss"), 0, 0.02);  // first order: h ω of 4 J
}

// An oscillating force, not a moving surface.
TEST(OscillatingForce, SlipReversesWithoutTrouble) {
  Model model;
  const BodyId block = model.add(PointMass{.name = "block", .mass = 1});
  model.add(Force{
      .on = at(block),
      .value = {Sine{.amplitude = 6, .frequency = 3}, 0.0, Sine{.amplitude = 2, .frequency = 7}}});
  model.add(Collider{.name = "foot", .frame = at(block), .shape = PointShape{}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "foot"}, .friction = 0.4});
  const TableSink table = run_model(
      model, Dynamics{.end_time = 2, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  EXPECT_TRUE(table.report().warnings.empty());
  double forward = 0, backward = 0;
  for (const double v : table.column("block.velocity.x")) {
    forward = std::max(forward, v);
    backward = std::min(backward, v);
  }
  EXPECT_GT(forward, 0.05);
  EXPECT_LT(backward, -0.01);
  EXPECT_LE(table.report().max_penetration, 1e-12);
  EXPECT_LE(std::abs(table.last("energy.residual")), 1e-10);
}

// ---- restitution along the tangent, and for each pair
// --------------------------------------------

// Slip u at the wall, u' = −e_T u; a solid ball has 2/7 of its mass there: Δv = −2/7 (1 + e_T) u,
// and its spin takes the other 5/7. No gravity: exact.
TEST(Superball, ReversesTheSlipAtTheWall) {
  const TableSink table = run_example("superball");
  ASSERT_EQ(table.events("impact").size(), 1u);
  const EventRow impact = table.events("impact")[0];
  // u = v + ω × (−r n) = (1 − r ω_y, 0.5)
  const Eigen::Vector3d before(-5, 1 - 0.05 * 30, 0.5);
  EXPECT_LE((impact.before - before).norm(), 1e-11);
  const Eigen::Vector3d after(4, -0.6 * before[1], -0.6 * before[2]);
  EXPECT_LE((impact.after - after).norm(), 1e-11);
  EXPECT_NEAR(table.last("ball.velocity.z"), 4, 1e-11);
  EXPECT_NEAR(table.last("ball.velocity.x"), 1 - 2.0 / 7 * 1.6 * before[1], 1e-11);
  EXPECT_NEAR(table.last("ball.velocity.y"), 0.5 - 2.0 / 7 * 1.6 * before[2], 1e-11);
  EXPECT_NEAR(table.last("ball.angular_velocity.x"), -5.0 / 7 * 1.6 * before[2] / 0.05, 1e-9);
  EXPECT_NEAR(table.last("ball.angular_velocity.y"), 30 + 5.0 / 7 * 1.6 * before[1] / 0.05, 1e-9);
}

/// Point masses thrown at a floor without gravity, all with (1, 0, −2) m/s.
Model thrown(const std::vector<Contact>& laws) {
  Model model{.gravity = Vector3::Zero()};
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const std::string name = fmt::format("ball_{}", i);
    const BodyId ball = model.add(PointMass{.name = name,
                                            .mass = 1.0 + static_cast<double>(i),
                                            .pose = {.position = {0, double(i), 0.1}},
                                            .velocity = {.linear = {1, 0, -2}}});
    model.add(Collider{.name = "skin_" + std::to_string(i), .frame = at(ball)});
    Contact law = laws[i];
    law.between = {"floor", "skin_" + std::to_string(i)};
    model.add(law);
  }
  return model;
}

TEST(Restitution, IsThatOfEachPair) {
  const std::vector<Contact> laws = {
      {.restitution = 0},
      {.restitution = 0.3},
      {.restitution = 1},
      {.restitution = 0.5, .friction = 0.1},
      {.restitution = 0.5, .tangential_restitution = 0.4, .friction = 1.0},
      {.restitution = 0.5, .tangential_restitution = -0.4, .friction = 1.0},
      {.restitution = 0.5, .tangential_restitution = 1, .friction = 0.1}};
  const TableSink table =
      run_model(thrown(laws),
                Dynamics{.end_time = 0.1, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const std::string velocity = fmt::format("ball_{}.velocity.", i);
    const double e = coefficient_of_restitution(laws[i].restitution, 2);
    EXPECT_NEAR(table.last(velocity + "z"), 2 * e, 1e-12) << "ball " << i;
    // It sticks, and its slip is reversed by e_T, unless that takes more than μ (1 + e) 2.
    const double wanted = 1 + laws[i].tangential_restitution;
    const double possible = coefficient(laws[i].friction, 0) * (1 + e) * 2;
    EXPECT_NEAR(table.last(velocity + "x"), 1 - std::min(wanted, possible), 1e-12) << "ball " << i;
  }
}

}  // namespace contact_hard_cases_test
}  // namespace saltus::test
