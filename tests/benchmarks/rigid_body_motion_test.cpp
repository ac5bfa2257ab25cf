// SPDX-License-Identifier: Apache-2.0
// One body at a time: top, free body, pendulum, elastic pendulum, gyroscope. Each example of
// examples/ against elliptic functions or an independent integration in minimal coordinates.
#include <cmath>
#include <numbers>

#include "tests/support/example_run.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace rigid_body_motion_test {

// ---- spinning top
// --------------------------------------------------------------------------------

const Vector3 top_spin(0, 150, -4.61538);

/// Where the centre of the top must be, with the digits that are known.
Vector3 known_centre(double time) {
  const std::string at = fmt::format(" at {} s", time);
  return {known("spinning_top", "x" + at), known("spinning_top", "y" + at),
          known("spinning_top", "z" + at)};
}

TEST(SpinningTop, FollowsTheKnownPath) {
  const TableSink table = run_example("spinning_top");
  const BodyAboutPoint top = heavy_top();
  for (const double time : {0.5, 1.0, 1.5, 2.0}) {
    const Vector3 centre = known_centre(time);
    const Vector y = integrate_ode(top, 0, start_aligned(top_spin), time, 5e-3);
    EXPECT_LE((top.centre(y) - centre).norm(), 2e-8) << "the reference itself, t = " << time;
    const std::size_t row = table.row_at(time);
    ASSERT_NEAR(table.time(row), time, 1e-12);
    const double error = (table.vector("top.position", row) - centre).norm();
    measured(fmt::format("error_at_{}", time), error);
    EXPECT_LE(error, reference("spinning_top", "x at 1 s").tolerance) << "t = " << time;
  }
}

TEST(SpinningTop, KeepsItsLengthAndItsEnergy) {
  const TableSink table = run_example("spinning_top");
  const Reference& known_energy = reference("spinning_top", "energy");
  double length = 0, energy = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    length = std::max(length, std::abs(table.vector("top.position", row).norm() - 1));
    energy = std::max(energy, std::abs(table.at("energy.kinetic", row) +
                                       table.at("energy.gravity", row) - known_energy.value));
  }
  measured("length_error", length);
  measured("energy_error", energy);
  EXPECT_LE(length, 1e-10);  // the joint holds at position level
  EXPECT_LE(energy, known_energy.tolerance);
}

// ---- free body
// -----------------------------------------------------------------------------------

const Vector3 racket_moments(0.02, 0.05, 0.065);
const Vector3 racket_spin(0.02, 8, 0.01);

struct FreeBodyErrors {
  double energy = 0, momentum = 0, axis = 0;
};

FreeBodyErrors free_body_errors(const TableSink& table) {
  const BodyAboutPoint body{.mass = 2, .moments = racket_moments};
  const Vector3 L_0 = racket_moments.cwiseProduct(racket_spin);
  const double E_0 = 0.5 * L_0.dot(racket_spin);
  FreeBodyErrors errors;
  Vector y = start_aligned(racket_spin);
  for (std::size_t row = 1; row < table.rows(); ++row) {
    y = integrate_ode(body, table.time(row - 1), y, table.time(row), 0.02);
    const Matrix3 R = table.rotation("racket", row);
    const Vector3 Omega = R.transpose() * table.vector("racket.angular_velocity", row);
    const Vector3 L = racket_moments.cwiseProduct(Omega);
    errors.energy = std::max(errors.energy, std::abs(0.5 * L.dot(Omega) / E_0 - 1));
    errors.momentum = std::max(errors.momentum, (R * L - L_0).norm() / L_0.norm());
    errors.axis = std::max(errors.axis, (R.col(1) - rotation_of(y.head<4>()).col(1)).norm());
  }
  return errors;
}

// A coarse and a halved step: everything falls with h².
TEST(FreeBody, EnergyAndMomentumErrorsAreOfSecondOrder) {
  const FreeBodyErrors coarse = free_body_errors(run_example("free_body", {set_step(2e-3)}));
  const FreeBodyErrors fine = free_body_errors(run_example("free_body"));
  measured("energy", fine.energy);
  measured("momentum", fine.momentum);
  measured("axis", fine.axis);
  measured("energy_order", observed_order(coarse.energy, fine.energy));
  measured("momentum_order", observed_order(coarse.momentum, fine.momentum));
  measured("axis_order", observed_order(coarse.axis, fine.axis));
  EXPECT_NEAR(observed_order(coarse.energy, fine.energy), 2, 0.15);
  EXPECT_NEAR(observed_order(coarse.momentum, fine.momentum), 2, 0.15);
  EXPECT_NEAR(observed_order(coarse.axis, fine.axis), 2, 0.15);
  EXPECT_LE(fine.energy, 8 * 8 * 1e-6);  // (Ωh)²: the scheme's local error constant is below one
  EXPECT_LE(fine.momentum, 8 * 8 * 1e-6);
}

// The spin about the middle axis is an elliptic sine: it changes sign every 2 K(k)/p.
TEST(FreeBody, TurnsOverAtTheIntervalOfTheEllipticIntegral) {
  const TableSink table = run_example("free_body");
  const double I_1 = racket_moments[0], I_2 = racket_moments[1], I_3 = racket_moments[2];
  const Vector3 L = racket_moments.cwiseProduct(racket_spin);
  const double two_E = L.dot(racket_spin), L_2 = L.squaredNorm();
  // Which of the two outer axes the motion circles decides on the form of p and k.
  const bool about_third = L_2 > two_E * I_2;
  const double first = (I_3 - I_2) * (L_2 - two_E * I_1),
               second = (I_2 - I_1) * (two_E * I_3 - L_2);
  const double p = std::sqrt((about_third ? first : second) / (I_1 * I_2 * I_3));
  const double k = std::sqrt(about_third ? second / first : first / second);
  const double interval = 2 * elliptic_k(k) / p;

  std::vector<double> flips;  // zero crossings of Ω₂, linear between rows
  double last = 8;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const Vector3 omega = table.vector("racket.angular_velocity", row);
    const double now = table.rotation("racket", row).col(1).dot(omega);
    if (last * now < 0) {
      const double share = last / (last - now);
      flips.push_back(table.time(row - 1) + share * (table.time(row) - table.time(row - 1)));
    }
    last = now;
  }
  ASSERT_GE(flips.size(), 2u);
  measured("interval", interval);
  for (std::size_t i = 1; i < flips.size(); ++i) {
    measured(fmt::format("interval_error_{}", i), flips[i] - flips[i - 1] - interval);
    // The period depends on k like −log(1 − k²): relative errors (Ωh)² of the invariants are
    // multiplied by about K/2 ≈ 3.
    EXPECT_NEAR(flips[i] - flips[i - 1], interval, 3 * 64e-6 * interval);
  }
}

TEST(FreeBody, DoesTheSameWithItsFrameAwayFromItsCentreOfMass) {
  const TableSink table = run_example("free_body");
  const Vector3 centre(0.1, 0.05, -0.02), v(0.5, 0, 0.1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Matrix3 R = table.rotation("held_elsewhere", row);
    const Vector3 x = table.vector("held_elsewhere.position", row) + R * centre;
    const Vector3 xdot = table.vector("held_elsewhere.velocity", row) +
                         table.vector("held_elsewhere.angular_velocity", row).cross(R * centre);
    ASSERT_LE((R - table.rotation("racket", row)).norm(), 1e-11);  // round-off of 5000 steps
    ASSERT_LE((x - v * table.time(row)).norm(), 1e-11);            // centres move uniformly
    ASSERT_LE((xdot - v).norm(), 1e-11);
    ASSERT_LE((table.vector("racket.position", row) - v * table.time(row)).norm(), 1e-11);
  }
}

// ---- physical pendulum
// ---------------------------------------------------------------------------

// θ(t) = 2 asin(k sn(K(k) − ω₀ t)), k = sin(θ₀/2), ω₀² = 3 g/(2 l) for a rod hung at its end.
struct ExactPendulum {
  double omega_0 = std::sqrt(1.5 * 9.81), k = std::sin(1.25), K = elliptic_k(std::sin(1.25));
  double angle(double t) const { return 2 * std::asin(k * jacobi_sn(K - omega_0 * t, k)); }
  double period() const { return 4 * K / omega_0; }
};

double pendulum_angle_error(const TableSink& table) {
  const ExactPendulum exact;
  double worst = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double angle = 2.5 + table.at("pin.angle", row);
    worst = std::max(worst, std::abs(angle - exact.angle(table.time(row))));
  }
  return worst;
}

TEST(PhysicalPendulum, SwingsAsTheEllipticSine) {
  const double coarse = pendulum_angle_error(run_example("physical_pendulum", {set_step(2e-3)}));
  const double fine = pendulum_angle_error(run_example("physical_pendulum"));
  measured("angle_error", fine);
  measured("order", observed_order(coarse, fine));
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.1);
  // The phase of a linear oscillator is late by (ωh)²/12; a swing that rests near the top by up to
  // three times that. After 6 s, at 2 ω₀ k = 7.3 rad/s through the lowest point: 1.6e-4 rad.
  const ExactPendulum exact;
  const double lag = std::pow(exact.omega_0 * 1e-3, 2) / 4 * 6;
  EXPECT_LE(fine, lag * 2 * exact.omega_0 * exact.k);
}

TEST(PhysicalPendulum, HasThePeriodOfTheEllipticIntegral) {
  const TableSink table = run_example("physical_pendulum");
  std::vector<double> crossings;  // of the lowest position, linear between rows
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double last = 2.5 + table.at("pin.angle", row - 1);
    const double now = 2.5 + table.at("pin.angle", row);
    if (last * now < 0) {
      crossings.push_back(table.time(row - 1) +
                          last / (last - now) * (table.time(row) - table.time(row - 1)));
    }
  }
  ASSERT_GE(crossings.size(), 4u);
  const double period = crossings[2] - crossings[0];
  measured("exact_period", ExactPendulum{}.period());
  measured("period_error", period - ExactPendulum{}.period());
  EXPECT_NEAR(period, ExactPendulum{}.period(), 4e-6 * period);  // (ω₀h)²/4
}

// ---- elastic pendulum
// ----------------------------------------------------------------------------

/// State (x, ẋ, energy taken by the damper), from the anchor.
Vector elastic_pendulum(const Vector& y, double damping) {
  const Vector3 x = y.head<3>(), v = y.segment<3>(3);
  const double length = x.norm();
  const Vector3 n = x / length;
  const double force = 40 * (length - 1) + damping * n.dot(v);
  Vector rate(7);
  rate << v, Vector3(0, 0, -9.81) - force * n, damping * n.dot(v) * n.dot(v);
  return rate;
}

Vector elastic_pendulum_at(double t, double damping) {
  Vector y(7);
  y << 0.9, 0, -0.7, 0, 0.5, 0, 0;
  return integrate_ode([=](double, const Vector& z) { return elastic_pendulum(z, damping); }, 0, y,
                       t, 0.05);
}

TEST(SpringPendulum, FollowsTheIndependentIntegrationWithSecondOrder) {
  const Vector left = elastic_pendulum_at(10, 0), right = elastic_pendulum_at(10, 0.8);
  measured("left_x", left[0]);
  measured("left_y", left[1]);
  measured("left_z", left[2]);
  measured("right_x", right[0]);
  measured("right_y", right[1]);
  measured("right_z", right[2]);
  measured("damper_takes", right[6]);
  std::array<double, 2> left_error, right_error, loss_error;
  for (std::size_t i : {0u, 1u}) {
    const TableSink table = run_example("spring_pendulum", {set_step(i == 0 ? 4e-3 : 2e-3)});
    const std::size_t last = table.rows() - 1;
    left_error[i] = (table.vector("left.position", last) - left.head<3>()).norm();
    right_error[i] =
        (table.vector("right.position", last) - Vector3(5, 0, 0) - right.head<3>()).norm();
    loss_error[i] = std::abs(table.last("energy.damping_loss") - right[6]);
  }
  measured("left_error", left_error[1]);
  measured("right_error", right_error[1]);
  measured("loss_error", loss_error[1]);
  measured("left_order", observed_order(left_error[0], left_error[1]));
  measured("right_order", observed_order(right_error[0], right_error[1]));
  measured("loss_order", observed_order(loss_error[0], loss_error[1]));
  EXPECT_NEAR(observed_order(left_error[0], left_error[1]), 2, 0.25);
  EXPECT_NEAR(observed_order(right_error[0], right_error[1]), 2, 0.25);
  EXPECT_NEAR(observed_order(loss_error[0], loss_error[1]), 2, 0.25);
  // Bouncing at ω = 6.3 rad/s for 10 s: phase error (ωh)²/12·ωt ≈ 1e-3 rad of an amplitude of 0.6
  // m; the exchange of energy between the two motions multiplies it by a few.
  EXPECT_LE(left_error[1], 5e-3);
  EXPECT_LE(right_error[1], 5e-3);
  EXPECT_LE(loss_error[1], 1e-3 * right[6]);
}

// ---- gyroscope on a bushing
// ----------------------------------------------------------------------

const double gyro_J = 0.016, gyro_J_z = 0.022, gyro_H = 0.01 * 300;

/// Housing and rotor as a gyrostat: state (ψ, Ω) of the housing, ψ the rotation vector.
Vector gyrostat(double /*t*/, const Vector& y) {
  const Vector3 psi = y.head<3>(), Omega = y.tail<3>(), e_z = Vector3::UnitZ();
  const double t = psi.norm();
  const double d = t < 1e-3 ? 1.0 / 12 + t * t / 720 : (1 - t / 2 / std::tan(t / 2)) / (t * t);
  const auto T_inverse = [&](const Vector3& w, double sign) -> Vector3 {
    return w + sign * psi.cross(w) / 2 + d * psi.cross(psi.cross(w));
  };
  const Vector3 J(gyro_J, gyro_J, gyro_J_z), k(20, 20, 50);
  const Vector3 torque = -T_inverse(k.cwiseProduct(psi), -1);  // transposed: virtual work
  const Vector3 momentum = J.cwiseProduct(Omega) + gyro_H * e_z;
  Vector rate(6);
  rate << T_inverse(Omega, 1), (torque - Omega.cross(momentum)).cwiseQuotient(J);
  return rate;
}

TEST(GyroscopeBushing, FollowsTheIndependentIntegrationWithSecondOrder) {
  std::array<double, 2> axis_error;
  for (std::size_t i : {0u, 1u}) {
    const TableSink table = run_example(
        "gyroscope_bushing", {set_step(i == 0 ? 2e-4 : 1e-4), "/simulation/record/every=50"});
    axis_error[i] = 0;
    Vector y(6);
    y << 0, 0, 0, 0.5, 0, 0;
    for (std::size_t row = 1; row < table.rows(); ++row) {
      y = integrate_ode(gyrostat, table.time(row - 1), y, table.time(row), 2e-3);
      const Vector3 psi = y.head<3>();
      const Vector3 axis = Eigen::AngleAxisd(psi.norm(), psi.normalized()) * Vector3::UnitZ();
      axis_error[i] =
          std::max(axis_error[i], (table.rotation("housing", row).col(2) - axis).norm());
    }
  }
  measured("axis_error", axis_error[1]);
  measured("order", observed_order(axis_error[0], axis_error[1]));
  EXPECT_NEAR(observed_order(axis_error[0], axis_error[1]), 2, 0.2);
  // The trembling has ω = 194 rad/s and amplitude Ω₀/ω = 2.6e-3 rad; its phase error after 1 s is
  // (ωh)²/12·ωt·(1 + damping) ≈ 6e-3·2.
  EXPECT_LE(axis_error[1], 2.6e-3 * 1.5e-2);
}

// For small angles the axis (θ_x, θ_y) obeys J θ̈ ∓ i H θ̇ + k θ = 0: it is the sum of two circles.
TEST(GyroscopeBushing, PrecessesSlowlyAndTremblesFastAsTheFormulaSays) {
  const double root = std::sqrt(gyro_H * gyro_H + 4 * gyro_J * 20);
  const double slow = (root - gyro_H) / (2 * gyro_J), fast = (root + gyro_H) / (2 * gyro_J);
  measured("slow", slow);
  measured("fast", fast);
  const TableSink table = run_example(
      "gyroscope_bushing", {set_step(2e-5), set_end(0.5), "/simulation/record/every=50"});
  const double radius = 0.5 / (slow + fast);
  double worst = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.time(row);
    // The axis of the housing: (θ_y, −θ_x). θ = θ_x + i θ_y = −i r (e^{i fast t} − e^{−i slow t}).
    const double theta_x = radius * (std::sin(fast * t) + std::sin(slow * t));
    const double theta_y = -radius * (std::cos(fast * t) - std::cos(slow * t));
    const Vector3 axis = table.rotation("housing", row).col(2);
    worst = std::max(worst, std::hypot(axis.x() - theta_y, axis.y() + theta_x));
  }
  measured("error", worst);
  // Angles of 2r = 5e-3 rad: nonlinear terms are (5e-3)² of them and grow with the phase (ωt ≈
  // 100); the scheme's phase error at h = 2e-5 is (ωh)²/12·ωt ≈ 1.2e-4.
  EXPECT_LE(worst, 2 * radius * (1e2 * 2.5e-5 + 3e-4));
}

}  // namespace rigid_body_motion_test
}  // namespace saltus::test
