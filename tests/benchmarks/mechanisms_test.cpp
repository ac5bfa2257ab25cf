// SPDX-License-Identifier: Apache-2.0
// Closed loops and drives: slider-crank, four-bar, universal joint, Bennett's linkage, drives, and
// a long run. Kinematics by closed forms, joint forces by inverse dynamics.
#include <cmath>
#include <numbers>

#include "saltus/linalg/decompositions.hpp"
#include "saltus/verify/bennett_linkage.hpp"
#include "tests/support/example_run.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace mechanisms_test {

/// Joints hold to 1e-13 of the mechanism's size; angles of closed loops lose one or two digits
/// where a link is at a steep transmission angle.
constexpr double exact = 1e-10;

// ---- slider-crank
// --------------------------------------------------------------------------------

struct SliderCrank {
  double r = 0.05, l = 0.2;
  double m_crank = 0.3, m_rod = 0.5, m_slider = 0.4, g = 9.81;
  double J_crank = 0.3 * (3e-4 + 0.05 * 0.05) / 12, J_rod = 0.5 * (3e-4 + 0.2 * 0.2) / 12;

  double rod_angle(double a) const { return -std::asin(r / l * std::sin(a)); }
  double slider(double a) const { return r * std::cos(a) + l * std::cos(rod_angle(a)); }
  double slider_speed(double a, double w) const {
    const double b = rod_angle(a), b_1 = -r * std::cos(a) * w / (l * std::cos(b));
    return -r * std::sin(a) * w - l * std::sin(b) * b_1;
  }
  /// Bearing (on crank), crank pin (on rod), wrist pin (on slider), x and y each, the guide's
  /// normal force and the drive torque, at constant crank speed w.
  Eigen::Matrix<double, 8, 1> reactions(double a, double w) const {
    using V = Eigen::Vector2d;
    const double b = rod_angle(a), b_1 = -r * std::cos(a) * w / (l * std::cos(b));
    const double b_2 = (r * std::sin(a) * w * w + l * std::sin(b) * b_1 * b_1) / (l * std::cos(b));
    const V e_a(std::cos(a), std::sin(a)), e_b(std::cos(b), std::sin(b)), n_b(-e_b.y(), e_b.x());
    const V x_crank = -r / 2 * w * w * e_a;
    const V x_rod = 2 * x_crank + l / 2 * (b_2 * n_b - b_1 * b_1 * e_b);
    const V x_slider = 2 * x_crank + l * (b_2 * n_b - b_1 * b_1 * e_b);
    Eigen::Matrix<double, 8, 8> A = Eigen::Matrix<double, 8, 8>::Zero();
    const auto add = [&](int i, int k, double sign, const V& arm) {
      A(3 * i, 2 * k) += sign;
      A(3 * i + 1, 2 * k + 1) += sign;
      if (i == 2) return;  // the slider does not turn
      A(3 * i + 2, 2 * k) -= sign * arm.y();
      A(3 * i + 2, 2 * k + 1) += sign * arm.x();
    };
    add(0, 0, 1, -r / 2 * e_a);
    add(0, 1, -1, r / 2 * e_a);
    add(1, 1, 1, -l / 2 * e_b);
    add(1, 2, -1, l / 2 * e_b);
    add(2, 2, 1, V::Zero());
    A(7, 6) = 1;
    A(2, 7) = 1;
    Eigen::Matrix<double, 8, 1> f;
    f << m_crank * x_crank.x(), m_crank * (x_crank.y() + g), 0, m_rod * x_rod.x(),
        m_rod * (x_rod.y() + g), J_rod * b_2, m_slider * x_slider.x(),
        m_slider * (x_slider.y() + g);
    return linalg::solve(A, f);
  }
};

TEST(SliderCrankExample, IsOnTheClosedFormInEveryStep) {
  const TableSink table = run_example("slider_crank");
  const SliderCrank exact_crank;
  double worst = 0, worst_speed = 0, out_of_plane = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double a = 50 * table.time(row);
    worst = std::max({worst, std::abs(table.at("bearing.angle", row) - a),
                      std::abs(table.at("slider.position.x", row) - exact_crank.slider(a)),
                      std::abs(table.at("guide.displacement", row) + 0.25 - exact_crank.slider(a)),
                      std::abs(table.at("rod.rotation.z", row) - exact_crank.rod_angle(a))});
    worst_speed = std::max(worst_speed, std::abs(table.at("slider.velocity.x", row) -
                                                 exact_crank.slider_speed(a, 50)));
    out_of_plane = std::max({out_of_plane, std::abs(table.at("slider.position.y", row)),
                             std::abs(table.at("rod.position.z", row)),
                             std::abs(table.at("crank.position.z", row))});
  }
  measured("position_error", worst);
  measured("speed_error", worst_speed);
  measured("out_of_plane", out_of_plane);
  EXPECT_LE(worst, exact);
  EXPECT_LE(worst_speed, exact);
  EXPECT_LE(out_of_plane, exact);
}

double slider_crank_force_error(double h) {
  const TableSink table = run_example("slider_crank", {set_step(h)});
  const SliderCrank crank;
  double worst = 0;
  for (std::size_t row = table.rows() / 4; row < table.rows(); ++row) {
    Eigen::Matrix<double, 8, 1> f;
    f << table.vector("bearing.force", row).head<2>(),
        table.vector("crank_pin.force", row).head<2>(),
        table.vector("wrist_pin.force", row).head<2>(), table.at("guide.force.y", row),
        table.at("bearing.torque.z", row);
    worst = std::max(worst, (f - crank.reactions(50 * table.time(row), 50)).norm());
  }
  return worst;
}

TEST(SliderCrankExample, JointForcesAreThoseOfInverseDynamics) {
  const double coarse = slider_crank_force_error(2e-4), fine = slider_crank_force_error(1e-4);
  measured("force_error", fine);
  measured("order", observed_order(coarse, fine));
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.1);
  // Forces reach 300 N; their error is (ωh)² of them, ω = 50 rad/s and its harmonics (2ω, 4ω).
  EXPECT_LE(fine, 300 * std::pow(4 * 50 * 1e-4, 2));
}

// ---- four-bar
// ------------------------------------------------------------------------------------

TEST(FourBarExample, DriveTorqueAndRockerAreThoseOfTheReference) {
  const TableSink table = run_example("four_bar");
  const FourBar bar;
  const auto torque = [&](double t) { return table.at("bearing.torque.z", table.row_at(t)); };
  measured("torque_0.5", torque(0.5));
  measured("torque_1", torque(1));
  measured("exact_torque_0.5", bar.reactions(2.5, 3, 0)[8]);
  measured("exact_torque_1", bar.reactions(4, 3, 0)[8]);
  EXPECT_TRUE(agrees(torque(0.5), "four_bar", "torque at 0.5 s"));
  EXPECT_TRUE(agrees(torque(1), "four_bar", "torque at 1 s"));
  // Against inverse dynamics: (4ωh)² of torques of 4 N m, ω = 3 rad/s and its harmonics.
  EXPECT_NEAR(torque(0.5), bar.reactions(2.5, 3, 0)[8], 4 * std::pow(4 * 3 * 2.5e-3, 2));
  EXPECT_NEAR(torque(1), bar.reactions(4, 3, 0)[8], 4 * std::pow(4 * 3 * 2.5e-3, 2));
  const Vector3 rocker = table.vector("rocker.position", table.row_at(1));
  EXPECT_TRUE(agrees(rocker.x(), "four_bar", "rocker's x at 1 s"));
  EXPECT_TRUE(agrees(rocker.y(), "four_bar", "rocker's y at 1 s"));
}

TEST(FourBarExample, IsOnTheClosedFormInEveryStep) {
  const TableSink table = run_example("four_bar");
  const FourBar bar;
  double worst = 0, worst_velocity = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Vector3 a = bar.angles(1 + 3 * table.time(row));
    const FourBar::Points x = bar.centres(a), v = bar.centre_velocities(a, bar.rates(a, 3));
    const char* names[] = {"crank", "coupler", "rocker"};
    for (int i = 0; i < 3; ++i) {
      const Vector3 position = table.vector(std::string(names[i]) + ".position", row);
      const Vector3 velocity = table.vector(std::string(names[i]) + ".velocity", row);
      worst = std::max({worst, (position.head<2>() - x.col(i)).norm(), std::abs(position.z())});
      worst_velocity = std::max({worst_velocity, (velocity.head<2>() - v.col(i)).norm()});
    }
  }
  measured("position_error", worst);
  measured("velocity_error", worst_velocity);
  EXPECT_LE(worst, exact);
  EXPECT_LE(worst_velocity, exact);
}

// ---- universal joint
// -----------------------------------------------------------------------------

TEST(UniversalShaft, TurnsByTheRatioOfCardan) {
  const TableSink table = run_example("universal_shaft");
  const double b = 40 * std::numbers::pi / 180, c = std::cos(b), s = std::sin(b);
  const Vector3 axis(c, s, 0);
  const double J = 3 * 0.05 * 0.05 / 2;
  double angle_error = 0, speed_error = 0, torque_error = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double a = 20 * table.time(row), sin_a = std::sin(a), cos_a = std::cos(a);
    const double denominator = 1 - s * s * cos_a * cos_a;
    const double ratio = c / denominator;
    const double slope = -2 * c * s * s * sin_a * cos_a / (denominator * denominator);
    const double angle = a + std::atan2(sin_a * cos_a * (1 - c), c * cos_a * cos_a + sin_a * sin_a);
    const double speed = table.vector("output.angular_velocity", row).dot(axis);
    angle_error = std::max(angle_error, std::abs(table.at("output_bearing.angle", row) - angle));
    speed_error = std::max(speed_error, std::abs(speed - 20 * ratio));
    if (row < 200) continue;  // the multipliers' start
    const double torque = ratio * (5 + J * slope * 400);
    torque_error =
        std::max(torque_error, std::abs(table.at("input_bearing.torque.x", row) - torque));
  }
  measured("angle_error", angle_error);
  measured("speed_error", speed_error);
  measured("torque_error", torque_error);
  EXPECT_LE(angle_error, exact);
  EXPECT_LE(speed_error, 20 * exact);
  // The torque alternates with 2ω = 40 rad/s and overtones: (3·40·h)²/12 of 7 N m.
  EXPECT_LE(torque_error, 7 * std::pow(3 * 40 * 1e-3, 2) / 12);
}

// ---- Bennett's linkage
// ---------------------------------------------------------------------------

using Bennett = BennettLinkage;

/// By how much the hinges miss the closed form, as an angle.
double bennett_error(const TableSink& table) {
  const Bennett bennett;
  double worst = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double a = 1 + table.at("hinge_1.angle", row);
    const double b = bennett.second_angle(1) + table.at("hinge_2.angle", row);
    const double miss = std::remainder(b - bennett.second_angle(a), 2 * std::numbers::pi);
    worst = std::max({worst, std::abs(miss),
                      std::abs(table.at("hinge_3.angle", row) + table.at("hinge_1.angle", row)),
                      std::abs(table.at("hinge_4.angle", row) + table.at("hinge_2.angle", row))});
  }
  return worst;
}

double bennett_torque_error(double h) {
  const TableSink table = run_example("bennett_linkage", {set_step(h), set_end(4)});
  const Bennett bennett;
  double worst = 0;
  for (std::size_t row = table.row_at(0.4); row < table.rows(); ++row) {  // after the start
    const double a = 1 + 2 * table.time(row);
    worst = std::max(worst, std::abs(table.at("hinge_1.torque.z", row) - bennett.torque(a, 2)));
  }
  return worst;
}

TEST(BennettLinkage, NeedsTheTorqueOfTheClosedForm) {
  const double coarse = bennett_torque_error(2e-3), fine = bennett_torque_error(1e-3);
  measured("torque_error", coarse);
  measured("order", observed_order(coarse, fine));
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.25);
  // Torques of 10 N m that change on the scale of 1/K rad where b turns fastest: (K w h)² of them.
  EXPECT_LE(coarse, 10 * std::pow(3.2 * 2 * 2e-3, 2));
}

TEST(BennettLinkage, TurnsOverAgainAndAgainOnItsInputOutputCurve) {
  const TableSink table = run_example("bennett_linkage");
  const double error = bennett_error(table);
  measured("angle_error", error);
  measured("turns", table.last("hinge_1.angle") / (2 * std::numbers::pi));
  EXPECT_LE(error, exact);
  EXPECT_NEAR(table.last("hinge_1.angle"), 80, exact);
  // The forces of 20 equations for 17 are those of least norm, not 1/δ of them (weights: 30 N).
  double force = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    force = std::max(force, table.vector("hinge_2.force", row).norm());
  }
  measured("largest_force", force);
  EXPECT_LE(force, 100);
}

TEST(BennettLinkage, HasOneDegreeOfFreedom) {
  Model model = read_example("bennett_linkage").model;
  std::get<Revolute>(model.joints[0]).drive.reset();
  Simulation modal(model, Modes{.count = 10, .equilibrium = false});
  EXPECT_EQ(modal.run().modes.size(), 1u);
}

// Without the drive the joints' 20 equations have rank 17 on the curve and 18 beside it, where the
// smooth motion is computed: nothing may be locked there.
TEST(BennettLinkage, SwingsFreely) {
  Model model = read_example("bennett_linkage").model;
  std::get<Revolute>(model.joints[0]).drive.reset();
  const TableSink table =
      run_model(model, Dynamics{.end_time = 4, .integrator = GeneralizedAlpha{.step = 2e-3}});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  measured("warnings", static_cast<double>(table.report().warnings.size()));
  const double error = bennett_error(table);
  measured("angle_error", error);
  measured("residual", table.last("energy.residual"));
  measured("numerical_loss", table.last("energy.numerical_loss"));
  EXPECT_LE(error, exact);
  EXPECT_LE(table.report().max_position_violation, 1e-10);
  EXPECT_LE(table.report().max_velocity_violation, 1e-10);
  // What the smooth motion may leave unbalanced is 1e-6 of the forces, so of the energy turned
  // over.
  double turnover = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    turnover += 2 * std::abs(table.at("energy.kinetic", row) - table.at("energy.kinetic", row - 1));
  }
  measured("turnover", turnover);
  EXPECT_LE(std::abs(table.last("energy.residual")), 1e-9 * turnover);
  // No drive, no damper: what the energy changes by is the numerical loss, of second order.
  EXPECT_LE(std::abs(table.last("energy.numerical_loss")), 1e-5 * turnover);
}

// ---- drives
// --------------------------------------------------------------------------------------

TEST(DrivenJoint, EveryCoordinateIsWhatItsDriveSays) {
  const ModelFile file = read_example("driven_joint");
  const TableSink table = run_model(file.model, file.simulation);
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  // The pointer's table bends three times: its speed jumps there, and that is said.
  ASSERT_EQ(table.report().warnings.size(), 3u);
  for (const std::string& warning : table.report().warnings) {
    EXPECT_NE(warning.find("pointer_axle"), std::string::npos) << warning;
  }
  double sine = 0, piecewise = 0, formula = 0, speed = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.time(row);
    const double pointer = t < 0.5 ? 2 * t : t < 0.75 ? 1 : t < 1.25 ? 1 - 1.2 * (t - 0.75) : 0.4;
    const double wheel =
        3 * (std::exp(t / 2) * (0.5 * std::cos(4 * t) + 4 * std::sin(4 * t)) - 0.5) / 16.25;
    sine = std::max(sine, std::abs(table.at("wiper_axle.angle", row) -
                                   0.8 * std::sin(2 * std::numbers::pi * t)));
    piecewise = std::max(piecewise, std::abs(table.at("pointer_axle.angle", row) - pointer));
    formula = std::max(
        formula, std::abs(table.at("shaft.displacement", row) - 2 * t * t * t / (1 + t * t * t)));
    speed = std::max(speed, std::abs(table.at("wheel_axle.angle", row) - wheel));
  }
  measured("sine", sine);
  measured("table", piecewise);
  measured("expression", formula);
  measured("speed", speed);
  EXPECT_LE(sine, 1e-11);  // 1e-13 of the size of the mechanism, in angles of short arms
  EXPECT_LE(piecewise, 1e-11);
  EXPECT_LE(formula, 1e-11);
  EXPECT_LE(speed, 1e-11);
}

// The same with a smooth motion of the pointer: a kink of the table is a shock.
double drive_work_error(double h) {
  const TableSink table = run_example(
      "driven_joint", {set_step(h),
                       "/model/joints/1/drive/value="
                       R"({"type": "sine", "amplitude": 0.3183098861837907, "frequency": 1})"});
  double worst = 0;
  const double start = table.at("energy.kinetic", 0) + table.at("energy.gravity", 0);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double energy = table.at("energy.kinetic", row) + table.at("energy.gravity", row);
    worst = std::max(worst, std::abs(energy - start - table.at("energy.external_work", row)));
  }
  return worst;
}

TEST(DrivenJoint, WorkOfTheDrivesIsTheGainOfEnergy) {
  const double coarse = drive_work_error(4e-3), fine = drive_work_error(2e-3);
  measured("work_error", fine);
  measured("order", observed_order(coarse, fine));
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.2);
  EXPECT_LE(fine, 350 * std::pow(2 * std::numbers::pi * 2e-3, 2));  // (ωh)² of 350 J of lifting
}

// ---- a long run
// ----------------------------------------------------------------------------------

struct LoopViolation {
  double position = 0, velocity = 0;
};

/// How far the pins of the long loop are open, from the recorded motion of the bodies.
LoopViolation loop_violation(const TableSink& table, std::size_t first, std::size_t last) {
  LoopViolation worst;
  for (std::size_t row = first; row < last; ++row) {
    const auto point = [&](const std::string& body, const Vector3& arm) -> Vector3 {
      return table.vector(body + ".position", row) + table.rotation(body, row) * arm;
    };
    const auto speed = [&](const std::string& body, const Vector3& arm) -> Vector3 {
      return table.vector(body + ".velocity", row) +
             table.vector(body + ".angular_velocity", row).cross(table.rotation(body, row) * arm);
    };
    const Vector3 pin(0.05, 0, 0), half(0.1, 0, 0), zero = Vector3::Zero();
    const Vector3 slide = table.vector("slider.position", row);
    worst.position =
        std::max({worst.position, (point("flywheel", pin) - point("rod", -half)).norm(),
                  (point("rod", half) - slide).norm(), slide.tail<2>().norm(),
                  table.vector("flywheel.position", row).norm()});
    worst.velocity =
        std::max({worst.velocity, (speed("flywheel", pin) - speed("rod", -half)).norm(),
                  (speed("rod", half) - speed("slider", zero)).norm(),
                  table.vector("slider.velocity", row).tail<2>().norm()});
  }
  return worst;
}

TEST(LongLoop, StaysClosedForAHundredThousandSteps) {
  const TableSink table = run_example("long_loop");
  ASSERT_EQ(table.report().steps, 100000);
  const std::size_t rows = table.rows();
  const LoopViolation all = loop_violation(table, 0, rows);
  const LoopViolation first = loop_violation(table, 1, rows / 10);
  const LoopViolation last = loop_violation(table, rows - rows / 10, rows);
  measured("seconds", table.report().wall_seconds);
  measured("position", all.position);
  measured("velocity", all.velocity);
  measured("reported_position", table.report().max_position_violation);
  measured("reported_velocity", table.report().max_velocity_violation);
  measured("trend_position", last.position / first.position);
  measured("trend_velocity", last.velocity / first.velocity);
  measured("turns", table.last("bearing.angle") / (2 * std::numbers::pi));
  measured("energy_change", table.last("energy.kinetic") / table.at("energy.kinetic", 0) - 1);
  EXPECT_LE(all.position, 1e-10);
  EXPECT_LE(all.velocity, 1e-10);
  EXPECT_LE(table.report().max_position_violation, 1e-10);
  EXPECT_LE(table.report().max_velocity_violation, 1e-10);
  // No trend: round-off does not care for the time; a factor of 2 between maxima is chance.
  EXPECT_LE(last.position, 2 * first.position);
  EXPECT_LE(last.velocity, 2 * first.velocity);
}

}  // namespace mechanisms_test
}  // namespace saltus::test
