// SPDX-License-Identifier: Apache-2.0
// Joints that roll or slide along an edge: closed forms of non-holonomic motions, by all methods.
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/support/example_run.hpp"

namespace saltus::test {
namespace rolling_test {

constexpr double g = 9.81;

std::vector<Integrator> all_methods(double h) {
  return {NonsmoothGeneralizedAlpha{.step = h, .rho_inf = 0.8},
          GeneralizedAlpha{.step = h, .rho_inf = 0.8}, MoreauJean{.step = h},
          EventDriven{.step = h}};
}

bool is_by_events(const Integrator& method) { return std::holds_alternative<EventDriven>(method); }

TableSink run(const Model& model, const Integrator& method, double end) {
  TableSink table = run_model(model, Dynamics{.end_time = end, .integrator = method});
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  for (const std::string& warning : table.report().warnings) ADD_FAILURE() << warning;
  return table;
}

/// The largest error of a vector over all rows from a time on.
double worst(const TableSink& table, const std::string& name,
             const std::function<Vector3(double)>& exact, double from = 0) {
  double error = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.time(row) < from) continue;
    error = std::max(error, (table.vector(name, row) - exact(table.time(row))).norm());
  }
  return error;
}

// ---- a sphere on a slope: a = 5/7 g sin b, held back by 2/7 m g sin b

TEST(RollingSphere, RunsDownASlopeWithFiveSeventhsOfGravity) {
  const double m = 3, r = 0.2, b = 0.4;
  const Vector3 down(std::cos(b), 0, -std::sin(b)), n(std::sin(b), 0, std::cos(b));
  Model model;
  const BodyId ball = model.add(RigidBody{
      .name = "ball", .inertia = SolidSphere{.mass = m, .radius = r}, .pose = {.position = r * n}});
  model.add(Rolling{.name = "roll",
                    .bodies = {ground_body, ball},
                    .at = Vector3(0, 0, 0),
                    .axis = n,
                    .radius = r});
  const double a = 5.0 / 7 * g * std::sin(b);
  const Vector3 held = m * g * std::cos(b) * n - 2.0 / 7 * m * g * std::sin(b) * down;
  for (const Integrator& method : all_methods(0.01)) {
    SCOPED_TRACE(method.index());
    const TableSink table = run(model, method, 0.5);
    // A constant acceleration is exact for every method, but for what Newton leaves.
    EXPECT_LE(worst(table, "ball.position",
                    [&](double t) -> Vector3 { return r * n + a * t * t / 2 * down; }),
              1e-11);
    EXPECT_LE(worst(table, "roll.force", [&](double) { return held; }), 1e-10 * m * g);
    // About the centre: what turns the ball, 2/5 m r^2 of a/r.
    const Vector3 torque = 2.0 / 5 * m * r * a * Vector3::UnitY();
    EXPECT_LE(worst(table, "roll.torque", [&](double) { return torque; }), 1e-10 * m * g * r);
    EXPECT_LE(std::abs(table.report().max_position_violation), 1e-11);
  }
}

// ---- a sphere on a turntable: circles with 2/7 of its speed, wherever it starts

struct Turntable {
  double speed = 3, r = 0.1;
  Vector3 start{0.4, 0.1, 0.1}, velocity{0.2, 0.5, 0};

  Model model() const {
    Model model;
    const Vector3 z = Vector3::UnitZ();
    const BodyId table = model.add(RigidBody{
        .name = "table",
        .inertia = SolidCylinder{.mass = 5, .radius = 1, .length = 0.1, .axis = Vector3(0, 0, 1)},
        .velocity = {.angular = {0, 0, speed}}});
    const Vector3 slip_free = velocity - speed * z.cross(start);
    const BodyId ball =
        model.add(RigidBody{.name = "ball",
                            .inertia = SolidSphere{.mass = 2, .radius = r},
                            .pose = {.position = start},
                            .velocity = {.linear = velocity, .angular = z.cross(slip_free) / r}});
    model.add(Revolute{.name = "shaft",
                       .bodies = {ground_body, table},
                       .at = Vector3(0, 0, 0),
                       .axis = z,
                       .drive = Speed{speed}});
    model.add(Rolling{
        .name = "roll", .bodies = {table, ball}, .at = start - r * z, .axis = z, .radius = r});
    return model;
  }
  Vector3 position(double t) const {
    const double w = 2.0 / 7 * speed;
    const Vector3 z = Vector3::UnitZ();
    return start + std::sin(w * t) / w * velocity + (1 - std::cos(w * t)) / w * z.cross(velocity);
  }
  Vector3 force(double t) const {
    const double w = 2.0 / 7 * speed;
    const Vector3 z = Vector3::UnitZ();
    return 2 * w * (std::cos(w * t) * z.cross(velocity) - std::sin(w * t) * velocity) + 2 * g * z;
  }
};

TEST(RollingSphere, CirclesOnATurntableWithTwoSeventhsOfItsSpeed) {
  const Turntable turntable;
  const double end = 7.4;  // once round: 2π/(6/7) s
  const TableSink events = run(turntable.model(), EventDriven{.step = 0.05}, end);
  const auto position = [&](double t) { return turntable.position(t); };
  const auto force = [&](double t) { return turntable.force(t); };
  EXPECT_LE(worst(events, "ball.position", position), 1e-8);
  EXPECT_LE(worst(events, "roll.force", force), 1e-7);
  for (const int i : {0, 1, 2}) {
    SCOPED_TRACE(i);
    double errors[2], forces[2];
    for (const int half : {0, 1}) {
      const double h = 0.005 / (1 + half);
      const TableSink table =
          run(turntable.model(), all_methods(h)[static_cast<std::size_t>(i)], end);
      errors[half] = worst(table, "ball.position", position);
      forces[half] = worst(table, "roll.force", force, 1);
    }
    const double order = i == 2 ? 1 : 2;  // of moreau_jean, and of the others
    EXPECT_GE(observed_order(errors[0], errors[1]), order - 0.1);
    EXPECT_GE(observed_order(forces[0], forces[1]), order - 0.15);
    // The ball turns with up to 25 rad/s, furthest from the axis: (spin h)²/4 of its way.
    const double way = turntable.velocity.norm() * end;
    if (i < 2) {
      EXPECT_LE(errors[1], std::pow(25 * 0.0025, 2) / 4 * way);
    }
  }
}

// ---- the disc in a circle, and the skate on a slope: the examples

struct CirclingDisc {
  double m = 2, r = 0.25, R = 0.6, lean = 70 * std::numbers::pi / 180;
  double C = m * r * r / 2, A = m * (3 * r * r + 0.02 * 0.02) / 12;
  double rate = std::sqrt(m * g * r / std::tan(lean) / ((C / r + m * r) * R + A * std::cos(lean)));

  Vector3 position(double t) const {
    return {R * std::cos(rate * t), R * std::sin(rate * t), r * std::sin(lean)};
  }
  Vector3 force(double t) const {
    return {-m * rate * rate * R * std::cos(rate * t), -m * rate * rate * R * std::sin(rate * t),
            m * g};
  }
};

struct SkateOnASlope {
  double m = 1.5, b = std::numbers::pi / 6, w = 2;
  Vector3 down{std::cos(b), 0, -std::sin(b)}, across{0, 1, 0};

  Vector3 position(double t) const {
    const double size = g * std::sin(b) / (4 * w * w), a = 2 * w * t;
    return size * (1 - std::cos(a)) * down + size * (a - std::sin(a)) * across;
  }
  Vector3 force(double t) const {
    const double s = std::sin(w * t), c = std::cos(w * t);
    return 2 * m * g * std::sin(b) * s * (c * across - s * down);
  }
};

template <class Exact>
void expect_example(const Exact& exact, const std::string& example, const std::string& body,
                    const std::string& joint) {
  const auto position = [&](double t) { return exact.position(t); };
  const auto force = [&](double t) { return exact.force(t); };
  double errors[2], forces[2], losses[2];
  for (const int half : {0, 1}) {
    const double h = 0.01 / (1 + half);
    const TableSink table = run_example(example, {set_step(h), "/simulation/record/every=1"});
    errors[half] = worst(table, body + ".position", position);
    forces[half] = worst(table, joint + ".force", force, 0.5);
    losses[half] = std::abs(table.last("energy.numerical_loss"));
  }
  EXPECT_GE(observed_order(errors[0], errors[1]), 1.9);
  EXPECT_GE(observed_order(forces[0], forces[1]), 1.85);
  measured("position_error", errors[1]);
  measured("force_error", forces[1]);
  measured("numerical_loss", losses[1]);
  const ModelFile file = read_example(example);
  const TableSink events =
      run(file.model, EventDriven{.step = 0.02}, std::get<Dynamics>(file.simulation).end_time);
  EXPECT_LE(worst(events, body + ".position", position), 1e-7);
  EXPECT_LE(worst(events, joint + ".force", force), 1e-6);
}

TEST(RollingDisc, CirclesAsTheClosedFormSays) {
  expect_example(CirclingDisc{}, "rolling_disc", "disc", "roll");
}

TEST(KnifeEdge, DrawsACycloidOnASlope) {
  expect_example(SkateOnASlope{}, "knife_edge", "skate", "edge");
}

// Chaplygin's sleigh: its mass is a before the edge. u = V tanh(aVt/k²), w = V/k sech(aVt/k²).
TEST(KnifeEdge, SleighOfChaplyginEndsStraight) {
  const double m = 2, a = 0.15, V = 0.8, J = m * (0.4 * 0.4 + 0.1 * 0.1) / 12;
  const double k = std::sqrt(J / m + a * a);
  Model model;
  const BodyId sleigh =
      model.add(RigidBody{.name = "sleigh",
                          .inertia = SolidBox{.mass = m, .size = {0.4, 0.1, 0.1}},
                          .pose = {.position = {a, 0, 0}},
                          .velocity = {.linear = {0, a * V / k, 0}, .angular = {0, 0, V / k}}});
  model.add(Planar{.name = "ice",
                   .bodies = {ground_body, sleigh},
                   .at = Vector3(0, 0, 0),
                   .axis = Vector3(0, 0, 1)});
  model.add(KnifeEdge{.name = "edge",
                      .bodies = {ground_body, sleigh},
                      .at = Vector3(0, 0, 0),
                      .axis = Vector3(0, 0, 1),
                      .axis_2 = Vector3(1, 0, 0)});
  for (const Integrator& method : all_methods(2e-3)) {
    SCOPED_TRACE(method.index());
    const TableSink table = run(model, method, 1.5);
    const double tau = a * V / (k * k) * table.time(table.rows() - 1);
    const Vector3 w = table.vector("sleigh.angular_velocity", table.rows() - 1);
    // Of second order, of first order by moreau_jean, to its tolerance by events.
    const double exact = is_by_events(method)                         ? 1e-8
                         : std::holds_alternative<MoreauJean>(method) ? 2e-3
                                                                      : 1e-4;
    EXPECT_NEAR(w.z(), V / k / std::cosh(tau), exact);
    // The speed of the edge, from the energy, which is kept.
    const double v = table.vector("sleigh.velocity", table.rows() - 1).squaredNorm();
    EXPECT_NEAR(std::sqrt(v - std::pow(a * w.z(), 2)), V * std::tanh(tau), exact);
    EXPECT_NEAR(table.last("energy.kinetic"), m * V * V / 2, exact);
  }
}

// ---- with contacts

/// A ball that rolls on the floor towards a wall at x = 1, without friction at the wall.
Model towards_a_wall(double restitution, const Vector3& position, double speed) {
  Model model;
  const double r = 0.1;
  const BodyId ball =
      model.add(RigidBody{.name = "ball",
                          .inertia = SolidSphere{.mass = 2, .radius = r},
                          .pose = {.position = position},
                          .velocity = {.linear = {speed, 0, 0}, .angular = {0, speed / r, 0}}});
  model.add(Rolling{.name = "roll",
                    .between = {at(ground_body), at(ball)},
                    .shape = RollingShape::Sphere,
                    .radius = r});
  const ColliderId skin = model.add(Collider{"skin", at(ball), Sphere{.radius = r}});
  const ColliderId wall = model.add(
      Collider{"wall", at(ground_body, {1, 0, 0}), HalfSpace{.normal = Vector3(-1, 0, 0)}});
  model.add(Contact{.name = "hit", .between = {wall, skin}, .restitution = restitution});
  return model;
}

TEST(RollingSphere, BouncesOffAWallAndRollsBack) {
  const double e = 0.6, v = 1.5, m = 2;
  const Model model = towards_a_wall(e, {0.6, 0, 0.1}, v);
  for (const Integrator& method : all_methods(1e-3)) {
    if (std::holds_alternative<GeneralizedAlpha>(method)) continue;  // has no contacts
    SCOPED_TRACE(method.index());
    const TableSink table = run(model, method, 0.4);
    const std::size_t last = table.rows() - 1;
    EXPECT_NEAR(table.at("ball.velocity.x", last), -e * v, 1e-9);
    EXPECT_NEAR(table.at("ball.angular_velocity.y", last), -e * v / 0.1, 1e-8);
    double impulse = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      impulse += table.at("hit.impulse.n", row);
    }
    // What rolls takes part with 7/5 of its mass.
    EXPECT_NEAR(impulse, 7.0 / 5 * m * (1 + e) * v, 1e-8);
  }
}

// A torque that would roll it into the wall: it stays, and does not creep round.
TEST(RollingSphere, RestsAgainstAWallUnderATorque) {
  Model model = towards_a_wall(0, {0.9, 0, 0.1}, 0);
  model.add(Torque{.on = at(BodyId{0}), .value = {0.0, 0.5, 0.0}});
  for (const Integrator& method : all_methods(1e-2)) {
    if (std::holds_alternative<GeneralizedAlpha>(method)) continue;
    SCOPED_TRACE(method.index());
    const TableSink table = run(model, method, 0.5);
    EXPECT_LE(worst(table, "ball.position", [](double) { return Vector3(0.9, 0, 0.1); }), 1e-12);
    EXPECT_LE(worst(table, "ball.rotation", [](double) -> Vector3 { return Vector3::Zero(); }),
              1e-11);
    EXPECT_NEAR(table.last("roll.force.x"), 0.5 / 0.1, 1e-8);
  }
}

}  // namespace rolling_test
}  // namespace saltus::test
