// SPDX-License-Identifier: Apache-2.0
// Static equilibria by hand, natural frequencies in closed form.
#include <cmath>
#include <numbers>

#include "tests/support/example_run.hpp"
#include "tests/support/reference_ode.hpp"

namespace saltus::test {
namespace statics_and_modes_test {

/// Newton's method balances forces to 1e-10; frequencies of small dense problems are good to
/// round-off times the condition of K and M.
constexpr double tight = 1e-9;

double sag(double force) {  // of the lamp: 2 k s (1 − 1/√(1 + s²)) = force, k = 1000
  double low = 0, high = 10;
  for (int i = 0; i < 200; ++i) {
    const double s = (low + high) / 2;
    (2000 * s * (1 - 1 / std::sqrt(1 + s * s)) < force ? low : high) = s;
  }
  return low;
}

TEST(HangingMass, HangsAsTheHandSolutionInEveryLoadStep) {
  const TableSink table = run_example("hanging_mass_static");
  ASSERT_EQ(table.rows(), 11u);  // the given pose, then ten load steps
  double weight = 0, lamp = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double factor = static_cast<double>(row) / 10;
    weight = std::max(weight,
                      std::abs(table.at("weight.position.z", row) + 0.5 + factor * 2 * 9.81 / 500));
    lamp = std::max(lamp, std::abs(table.at("lamp.position.z", row) + sag(factor * 98.1)));
    EXPECT_NEAR(table.at("lamp.position.x", row), 3, tight);
  }
  measured("weight", weight);
  measured("lamp", lamp);
  measured("lamp_sag", sag(98.1));
  EXPECT_LE(weight, tight);
  EXPECT_LE(lamp, tight);
}

// A chain of rods hung at both ends: a closed loop with redundant hinges. In equilibrium the hinges
// carry horizontal forces that are all equal, and the chain is symmetric.
TEST(HangingChain, OfRodsHangsSymmetricallyWithOneHorizontalForce) {
  for (const int links : {2, 3, 5, 10, 20}) {
    for (const int load_steps : {1, 10}) {
      Model model;
      const double half_span = 0.5, sag_at_start = 0.3;
      const auto place = [&](int i) {
        const double x = static_cast<double>(i) / links;
        return Vector3(x, 0, -sag_at_start * (1 - std::abs(x - half_span) / half_span));
      };
      BodyId last = model.ground();
      for (int i = 0; i < links; ++i) {
        const Vector3 a = place(i), b = place(i + 1), d = b - a;
        const BodyId rod = model.add(
            RigidBody{.inertia = slender_rod(1.0, d.norm()),
                      .pose = {.position = (a + b) / 2,
                               .rotation_vector = Vector3(0, -std::atan2(d.z(), d.x()), 0)}});
        model.add(Revolute{.bodies = {last, rod}, .at = a, .axis = Vector3(0, 1, 0)});
        last = rod;
      }
      model.add(Revolute{.name = "end",
                         .bodies = {last, model.ground()},
                         .at = place(links),
                         .axis = Vector3(0, 1, 0)});
      const TableSink table = run_model(model, Statics{.load_steps = load_steps});
      ASSERT_TRUE(table.report().converged()) << links << ": " << table.report().message;
      const std::size_t row = table.rows() - 1;
      // The two ends share the weight, and every hinge has the same horizontal force.
      EXPECT_NEAR(table.at("revolute0.force.z", row), links * 9.81 / 2, 1e-7 * links * 9.81);
      for (int i = 1; i < links; ++i) {
        EXPECT_NEAR(table.at("revolute" + std::to_string(i) + ".force.x", row),
                    table.at("revolute0.force.x", row), 1e-7 * links * 9.81);
      }
    }
  }
}

// A free body without load has no restoring force at all.
TEST(NaturalModes, OfAFreeBodyAreSixZeros) {
  Model model = read_example("free_body").model;
  model.bodies.resize(1);
  Simulation simulation(model, Modes{.count = 10, .equilibrium = false});
  const RunReport report = simulation.run();
  ASSERT_EQ(report.modes.size(), 6u);
  for (const Mode& mode : report.modes) EXPECT_EQ(mode.eigenvalue, 0);
}

Model hinged_rod(bool upright) {
  Model model = read_example("physical_pendulum").model;
  Pose& pose = std::get<RigidBody>(model.bodies[0]).pose;
  pose.rotation_vector = Vector3(0, upright ? std::numbers::pi : 0.0, 0);
  return model;
}

TEST(NaturalModes, OfAPendulumAreItsSmallSwing) {
  Simulation simulation(hinged_rod(false), Modes{});
  const RunReport report = simulation.run();
  ASSERT_EQ(report.modes.size(), 1u);
  measured("omega", report.modes[0].angular_frequency());
  EXPECT_NEAR(report.modes[0].angular_frequency(), std::sqrt(1.5 * 9.81), tight);
}

// Started at 2.5 rad the equilibrium that is found is the stable one, below.
TEST(NaturalModes, OfAPendulumLetGoFarUpAreThoseBelow) {
  Simulation simulation(read_example("physical_pendulum").model, Modes{});
  const RunReport report = simulation.run();
  ASSERT_TRUE(report.converged()) << report.message;
  ASSERT_EQ(report.modes.size(), 1u);
  EXPECT_NEAR(report.modes[0].angular_frequency(), std::sqrt(1.5 * 9.81), tight);
}

TEST(NaturalModes, OfAnInvertedPendulumGrow) {
  Simulation simulation(hinged_rod(true), Modes{.equilibrium = false});
  const RunReport report = simulation.run();
  ASSERT_EQ(report.modes.size(), 1u);
  measured("growth_rate", report.modes[0].growth_rate());
  EXPECT_NEAR(report.modes[0].growth_rate(), std::sqrt(1.5 * 9.81), tight);
  EXPECT_EQ(report.modes[0].frequency(), 0);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("unstable"), std::string::npos);
}

// Rods of length l, mass m and moment J about their middle hang on each other:
// (l²[m 5/4 + J, m/2; m/2, m/4 + J], m g l [3/2, 0; 0, 1/2]) in the rods' own angles.
TEST(NaturalModes, OfADoublePendulumAreTheTwoOfTheClosedForm) {
  const TableSink table = run_example("double_pendulum_modes");
  const double J = (1 + 4e-4) / 12;
  Eigen::Matrix2d M, K;
  M << 1.25 + J, 0.5, 0.5, 0.25 + J;
  K << 1.5 * 9.81, 0, 0, 0.5 * 9.81;
  const double trace = (M.inverse() * K).trace(), determinant = (M.inverse() * K).determinant();
  const double root = std::sqrt(trace * trace / 4 - determinant);
  const std::vector<Mode>& modes = table.report().modes;
  ASSERT_EQ(modes.size(), 2u);
  measured("omega_1", modes[0].angular_frequency());
  measured("omega_2", modes[1].angular_frequency());
  EXPECT_NEAR(modes[0].angular_frequency(), std::sqrt(trace / 2 - root), tight);
  EXPECT_NEAR(modes[1].angular_frequency(), std::sqrt(trace / 2 + root), tight);
}

TEST(NaturalModes, OfCoupledOscillatorsAreExact) {
  const TableSink table = run_example("coupled_oscillators_modes");
  const std::vector<Mode>& modes = table.report().modes;
  ASSERT_EQ(modes.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    const double omega =
        2 * std::sqrt(800 / 2.0) * std::sin((static_cast<double>(j) + 1) * std::numbers::pi / 8);
    EXPECT_NEAR(modes[j].angular_frequency(), omega, tight * omega);
  }
  EXPECT_NEAR(modes[1].shape[3], 0, tight);  // the middle carriage rests
}

/// n masses of 0.1 kg at distances of 0.1 m between walls, springs of 1000 N/m with the given
/// tension, held to the x axis or not.
Model spring_chain(int n, double tension, bool held) {
  Model model{.gravity = Vector3::Zero()};
  BodyId before = model.ground();
  for (int i = 1; i <= n + 1; ++i) {
    BodyId mass = model.ground();
    Frame end = at(mass, {0.1 * i, 0, 0});
    if (i <= n) {
      mass = model.add(PointMass{.mass = 0.1, .pose = {.position = {0.1 * i, 0, 0}}});
      end = at(mass);
      if (held) model.add(Lock{.body = mass, .translation = {Axis::Y, Axis::Z}});
    }
    model.add(SpringDamper{
        .between = {at(before), end}, .stiffness = 1000, .rest_length = 0.1 - tension / 1000});
    before = mass;
  }
  return model;
}

/// 2 √(k/m) sin(jπ/(2(n+1)))
double chain_frequency(int j, int n, double stiffness) {
  return 2 * std::sqrt(stiffness / 0.1) * std::sin(j * std::numbers::pi / (2 * (n + 1)));
}

TEST(NaturalModes, OfALongChainAreExact) {  // 600 velocities: the sparse solver
  const int n = 200;
  Simulation simulation(spring_chain(n, 0, true), Modes{.count = 12});
  const RunReport report = simulation.run();
  ASSERT_TRUE(report.converged()) << report.message;
  ASSERT_EQ(report.modes.size(), 12u);
  double worst = 0;
  for (int j = 1; j <= 12; ++j) {
    const double omega = chain_frequency(j, n, 1000);
    worst = std::max(
        worst,
        std::abs(report.modes[static_cast<std::size_t>(j - 1)].angular_frequency() / omega - 1));
  }
  measured("worst", worst);
  EXPECT_LE(worst, 1e-8);  // ω₁²/ω_n² ≈ 6e-5: half the digits of 1e-16/6e-5·(Lanczos)
}

// A stretched chain also swings sideways, in two directions with the same frequencies: the
// stiffness is tension over distance. Every frequency must come twice.
TEST(NaturalModes, OfAStretchedChainComeInPairs) {
  const int n = 200;
  Simulation simulation(spring_chain(n, 20, false), Modes{.count = 10});
  const RunReport report = simulation.run();
  ASSERT_TRUE(report.converged()) << report.message;
  ASSERT_EQ(report.modes.size(), 10u);
  std::vector<double> exact;
  for (int j = 1; j <= 10; ++j) {
    exact.push_back(chain_frequency(j, n, 20 / 0.1));
    exact.push_back(chain_frequency(j, n, 20 / 0.1));
    exact.push_back(chain_frequency(j, n, 1000));
  }
  std::sort(exact.begin(), exact.end());
  double worst = 0;
  for (std::size_t j = 0; j < 10; ++j) {
    worst = std::max(worst, std::abs(report.modes[j].angular_frequency() / exact[j] - 1));
  }
  measured("worst", worst);
  EXPECT_LE(worst, 1e-8);
}

TEST(Statics, RefusesWhatNothingHolds) {
  Model model = read_example("hanging_mass_static").model;
  model.forces.erase(model.forces.begin());
  Simulation simulation(model, Statics{});
  const RunReport report = simulation.run();
  EXPECT_EQ(report.status, RunStatus::Failed);
  EXPECT_NE(report.message.find("weight"), std::string::npos) << report.message;
}

}  // namespace statics_and_modes_test
}  // namespace saltus::test
