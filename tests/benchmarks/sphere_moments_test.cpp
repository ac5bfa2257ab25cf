// SPDX-License-Identifier: Apache-2.0
// Moments that resist rolling and spinning: between spheres, in a bowl, and coupled with sliding.
#include <array>
#include <tuple>

#include "tests/support/balls.hpp"
#include "tests/support/reference_ode.hpp"

namespace saltus::test {
namespace sphere_moments_test {

// ---- moments between spheres
// ---------------------------------------------------------------------

/// A ball of 1 kg and 0.1 m on top of another one whose centre is held: both may turn.
Model ball_on_ball(const Vector3& spin, const Contact& law) {
  Model model;
  const double r = 0.1;
  const BodyId lower = add_ball(model, "lower", 1, r, {0, 0, 0});
  const BodyId upper = add_ball(model, "upper", 1, r, {0, 0, 2 * r}, {.angular = spin});
  model.add(Lock{.body = lower, .translation = {Axis::X, Axis::Y, Axis::Z}});
  model.add(Lock{.body = upper, .translation = {Axis::X, Axis::Y}});
  Contact contact = law;
  contact.name = "touch";
  contact.between = {"skin_of_lower", "skin_of_upper"};
  model.add(contact);
  return model;
}

/// The moment c m g takes from the upper ball what it gives to the lower: both end with ω/2.
void expect_shared_spin(const Contact& law, const std::string& axis, const Vector3& spin) {
  const double h = 1e-3, w = spin.norm(), a = 0.002 * 9.81 / (0.4 * 0.1 * 0.1);
  const TableSink table = run_well(ball_on_ball(spin, law), steps(h, 1));
  const double t = w / (2 * a);
  const double earlier = 0.5 * t;
  const std::size_t row = table.row_at(earlier);
  const std::string upper = "upper.angular_velocity." + axis;
  const std::string lower = "lower.angular_velocity." + axis;
  EXPECT_NEAR(table.at(upper, row), w - a * table.time(row), 1e-9);
  EXPECT_NEAR(table.at(lower, row), a * table.time(row), 1e-9);
  EXPECT_NEAR(table.last(upper), w / 2, 1e-9);
  EXPECT_NEAR(table.last(lower), w / 2, 1e-9);
  const std::string turn = "upper.rotation." + axis;
  // Angle up to t, then ω/2; the step in which they meet is off by a h².
  EXPECT_NEAR(table.last(turn), w * t - a * t * t / 2 + w / 2 * (1 - t), 2 * a * h * h);
  EXPECT_NEAR(table.last("touch.moment_impulse.n"), 0, 1e-12);
  EXPECT_NEAR(table.last("touch.moment_impulse.t1"), 0, 1e-12);
}

TEST(SphereOnSphere, RollingResistanceEndsTheirRelativeTurn) {
  expect_shared_spin(Contact{.rolling_friction = 0.002}, "x", {1, 0, 0});
}

TEST(SphereOnSphere, SpinningResistanceEndsTheirRelativeSpin) {
  expect_shared_spin(Contact{.spinning_friction = 0.002}, "z", {0, 0, 1});
}

/// A ball at the lowest point of a fixed hollow sphere.
Model ball_in_bowl(const Vector3& spin, const std::string& law) {
  const std::string text = fmt::format(
      R"({{"saltus": 1, "model": {{
        "bodies": [{{"name": "ball", "type": "rigid",
          "inertia": {{"type": "solid_sphere", "mass": 1, "radius": 0.1}},
          "pose": {{"position": [0, 0, 0.1]}}, "velocity": {{"angular": [{}, {}, {}]}}}}],
        "colliders": [
          {{"name": "skin", "frame": {{"body": "ball"}}, "shape": {{"type": "sphere", "radius": 0.1}}}},
          {{"name": "bowl", "frame": {{"body": "ground", "position": [0, 0, 1]}},
            "shape": {{"type": "hollow_sphere", "radius": 1}}}}],
        "contacts": [{{"name": "touch", "between": ["bowl", "skin"], {}}}]}},
        "simulation": {{"end_time": 1}}}})",
      spin.x(), spin.y(), spin.z(), law);
  return parse_model(text, "bowl").model;
}

TEST(SphereInBowl, ResistanceStopsTurnAndSpin) {
  const double h = 1e-3, a = 0.002 * 9.81 / (0.4 * 0.1 * 0.1), w = 2;
  for (const auto& [axis, spin, law] :
       {std::tuple("x", Vector3(w, 0, 0), "\"rolling_friction\": 0.002"),
        std::tuple("z", Vector3(0, 0, w), "\"spinning_friction\": 0.002")}) {
    const TableSink table = run_well(ball_in_bowl(spin, law), steps(h, 1));
    const std::string rate = std::string("ball.angular_velocity.") + axis;
    const std::size_t row = table.row_at(0.5 * w / a);
    EXPECT_NEAR(table.at(rate, row), w - a * table.time(row), 1e-9) << axis;
    EXPECT_NEAR(table.last(rate), 0, 1e-12) << axis;
    EXPECT_NEAR(table.last(std::string("ball.rotation.") + axis), w * w / (2 * a), a * h * h)
        << axis;
  }
}

// ---- sliding and spinning together
// ---------------------------------------------------------------

constexpr double slide_mu = 0.2, slide_sigma = 0.02, slide_r = 0.1, slide_g = 9.81;

/// A ball that is thrown along x and spins about the vertical, on a floor that couples both.
TableSink thrown_and_spinning(double v, double spin, double h, double end,
                              SlidingAndSpinning coupling) {
  Model model;
  add_ball(model, "ball", 1, slide_r, {0, 0, slide_r},
           {.linear = {v, 0, 0}, .angular = {0, 0, spin}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch",
                    .between = {"floor", "skin_of_ball"},
                    .friction = slide_mu,
                    .spinning_friction = slide_sigma,
                    .sliding_and_spinning = coupling});
  return run_well(model, steps(h, end));
}

/// x, v, ω_y, ω_z under the ellipsoid law: force μ N · μ s/D against the slip s = v − r ω_y, moment
/// σ N · σ ω_z/D, D² = (μ s)² + (σ ω_z)².
Vector ellipsoid_law(double v, double spin, double end) {
  const Derivative rates = [](double, const Vector& y) {
    const double s = y[1] - slide_r * y[2], J = 0.4 * slide_r * slide_r;
    const double d = std::hypot(slide_mu * s, slide_sigma * y[3]);
    const double force = slide_mu * slide_mu * slide_g * s / d;
    const double moment = slide_sigma * slide_sigma * slide_g * y[3] / d;
    return Vector{{y[1], -force, slide_r * force / J, -moment / J}};
  };
  return integrate_ode(rates, 0, Vector{{0.0, v, 0.0, spin}}, end, 1e-3);
}

TEST(CoupledFriction, FollowsTheEllipsoid) {
  const double v = 1, spin = 50, end = 0.1;
  const Vector exact = ellipsoid_law(v, spin, end);
  std::array<double, 3> errors{};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double h = 1e-3 / std::pow(2, static_cast<double>(i));
    const TableSink table = thrown_and_spinning(v, spin, h, end, SlidingAndSpinning::Coupled);
    const Vector got{{table.last("ball.position.x"), table.last("ball.velocity.x"),
                      table.last("ball.angular_velocity.y") * slide_r,
                      table.last("ball.angular_velocity.z") * slide_r}};
    const Vector want{{exact[0], exact[1], exact[2] * slide_r, exact[3] * slide_r}};
    errors[i] = (got - want).norm();
    measured(fmt::format("error_{}", h), errors[i]);
    EXPECT_LE(errors[i], 5 * h);  // m, m/s
  }
  EXPECT_GE(observed_order(errors[1], errors[2]), 0.9);
}

TEST(CoupledFriction, LetsASpinningSphereSlideFurther) {
  const double end = 0.1;
  const auto speed = [&](double spin, SlidingAndSpinning coupling) {
    return thrown_and_spinning(1, spin, 1e-3, end, coupling).last("ball.velocity.x");
  };
  const double still = speed(0, SlidingAndSpinning::Coupled);
  const double spinning = speed(50, SlidingAndSpinning::Coupled);
  const double apart = speed(50, SlidingAndSpinning::Independent);
  measured("still", still);
  measured("spinning", spinning);
  EXPECT_NEAR(still, 1 - slide_mu * slide_g * end, 1e-9);
  // The spin turns the ball by 0.05 rad a step: friction is off its line by a second-order angle of
  // 1.3e-4, and along it by the square of that.
  EXPECT_NEAR(apart, still, 1e-8);
  EXPECT_GT(spinning, still + 0.05);
}

}  // namespace sphere_moments_test
}  // namespace saltus::test
