// SPDX-License-Identifier: Apache-2.0
// The order of the nonsmooth generalized-α method: one over impacts and changes between slip and
// stick, two while contacts stay as they are.
#include <functional>
#include <numbers>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace nonsmooth_order_test {

/// A quantity as a function of time.
using History = std::function<double(double)>;

/// A column of a finely stepped run, interpolated.
History interpolated(const TableSink& table, const std::string& column) {
  const std::vector<double> times = table.column("time"), values = table.column(column);
  return [=](double t) {
    const auto next = std::upper_bound(times.begin(), times.end() - 1, t);
    const auto i = static_cast<std::size_t>(std::max<long>(next - times.begin(), 1));
    const double share = (t - times[i - 1]) / (times[i] - times[i - 1]);
    return values[i - 1] + share * (values[i] - values[i - 1]);
  };
}

double mean_error(const TableSink& table, const std::string& column, const History& exact) {
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    sum += std::abs(table.at(column, row) - exact(table.time(row)));
  }
  return sum / static_cast<double>(table.rows());
}

struct Study {
  const char* example;
  std::vector<std::string> columns;
  double coarsest, end;
  int finer = 8;        ///< the second family of steps is so much finer
  int reference = 128;  ///< and the reference, if none is exact
};

TableSink run_study(const Study& study, double h) {
  return run_troubled(study.example, {set_step(h), set_end(study.end), set_record(1)});
}

/// The error of one step size depends on where in their steps the impacts fall. Its mean over six
/// step sizes between h and 0.6 h does not.
double family_error(const Study& study, double h, const std::vector<History>& exact) {
  double sum = 0;
  for (const double factor : {1.0, 0.9, 0.82, 0.74, 0.67, 0.6}) {
    const TableSink table = run_study(study, factor * h);
    EXPECT_TRUE(table.report().converged()) << study.example << ": " << table.report().message;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      sum += mean_error(table, study.columns[k], exact[k]);
    }
  }
  return sum / 6;
}

std::vector<History> reference_of(const Study& study) {
  const TableSink table = run_study(study, study.coarsest / study.reference);
  std::vector<History> exact;
  for (const std::string& column : study.columns) exact.push_back(interpolated(table, column));
  return exact;
}

/// First order, within the scatter that six step sizes leave; or an error of no account.
void expect_first_order(const Study& study, const std::vector<History>& exact) {
  const double coarse = family_error(study, study.coarsest, exact);
  const double fine = family_error(study, study.coarsest / study.finer, exact);
  const double order = std::log(coarse / fine) / std::log(study.finer);
  measured(fmt::format("{}_error", study.example), fine);
  measured(fmt::format("{}_order", study.example), order);
  EXPECT_TRUE(coarse <= 1e-6 || order >= 0.75) << study.example << ": order " << order;
}

void expect_first_order(const Study& study) { expect_first_order(study, reference_of(study)); }

TEST(NonsmoothOrder, IsOneForTheBouncingBall) {
  const double g = 9.8, e = 0.8, t_1 = std::sqrt(2 * 0.8 / g);
  const History z = [=](double t) {
    if (t <= t_1) return 0.8 - g * t * t / 2;
    double start = t_1, v = e * g * t_1;
    while (t > start + 2 * v / g) {
      start += 2 * v / g;
      v *= e;
    }
    return v * (t - start) - g * (t - start) * (t - start) / 2;
  };
  expect_first_order({"bouncing_ball", {"ball.position.z"}, 4e-3, 3}, {z});
}

TEST(NonsmoothOrder, IsOneOrTheErrorIsNoneForTheIncline) {
  const double a = 2.5390148424552567 + 0.3 * 9.4757324559557425, stop = 2 / a;
  const History x = [=](double t) { return t < stop ? 2 * t - a * t * t / 2 : stop; };
  expect_first_order({"incline_point_mass", {"mass.position.x"}, 4e-3, 1}, {x});
}

TEST(NonsmoothOrder, IsOneForTheTumblingBox) {
  expect_first_order({"rigid_box_impact", {"box.position.z"}, 2e-3, 0.69});
}

TEST(NonsmoothOrder, IsOneForTheRockingRods) {
  for (const char* example : {"rocking_rod_1", "rocking_rod_2", "rocking_rod_3", "rocking_rod_4"}) {
    expect_first_order({example, {"rod.position.x", "rod.position.y"}, 4e-3, 0.6});
  }
}

TEST(NonsmoothOrder, IsOneForTheBlockOnTheBelt) {
  expect_first_order({"block_on_belt", {"block.position.x", "block.position.z"}, 4e-3, 3});
}

TEST(NonsmoothOrder, IsOneForTheChain) {
  expect_first_order({.example = "sliding_masses",
                      .columns = {"m1.position.x", "m21.position.x"},
                      .coarsest = 4e-3,
                      .end = 0.6,
                      .finer = 4,
                      .reference = 32});
}

TEST(NonsmoothOrder, IsOneForThePendulumOnThePlate) {
  expect_first_order(
      {"pendulum_on_flexible_supports", {"bob.position.z", "plate.rotation.x"}, 4e-3, 1});
}

TEST(NonsmoothOrder, IsOneForTheWoodpecker) {
  for (const char* example : {"woodpecker_fixed", "woodpecker_free"}) {
    expect_first_order({.example = example,
                        .columns = {"sleeve.position.y"},
                        .coarsest = 8e-4,
                        .end = 0.3,
                        .finer = 4,
                        .reference = 64});
  }
}

TEST(NonsmoothOrder, IsOneForATumblingBoxWithFriction) {
  expect_first_order({"box_dropped_corner", {"box.position.z"}, 4e-3, 0.6});
}

TEST(NonsmoothOrder, IsOneForSlipThatReverses) {
  expect_first_order({"shaken_block", {"block.position.x"}, 4e-3, 2});
}

// ---- contacts that stay as they are
// --------------------------------------------------------------

/// Errors of a coordinate and of its velocity at the end of the run with step h.
struct Errors {
  double position = 0, velocity = 0;
};

using Runner = std::function<Errors(double)>;

void expect_order(const char* name, const Runner& errors, double order, double coarsest) {
  Errors previous = errors(coarsest);
  for (int i = 1; i <= 3; ++i) {
    const Errors now = errors(std::ldexp(coarsest, -i));
    const double position = observed_order(previous.position, now.position);
    const double velocity = observed_order(previous.velocity, now.velocity);
    measured(fmt::format("{}_position_order_{}", name, i), position);
    measured(fmt::format("{}_velocity_order_{}", name, i), velocity);
    if (i > 1) {
      EXPECT_NEAR(position, order, 0.15) << name << ", halving " << i;
      EXPECT_NEAR(velocity, order, 0.15) << name << ", halving " << i;
    }
    previous = now;
  }
  measured(fmt::format("{}_error", name), previous.position);
}

Dynamics steps(double h, double end) {
  return {.end_time = end, .integrator = NonsmoothGeneralizedAlpha{.step = h}};
}

/// A body on the floor, drawn by a spring along x: at x = 1 with velocity v.
Model drawn_by_spring(Body body, const Shape& shape, double friction, double height, double v) {
  Model model;
  std::visit(
      [&](auto& b) {
        b.name = "body";
        if constexpr (requires { b.pose; }) b.pose.position = {1, 0, height};
        b.velocity.linear = {v, 0, 0};
      },
      body);
  const BodyId id = model.add(body);
  model.add(SpringDamper{.between = {at(model.ground(), {-10, 0, height}), at(id)},
                         .stiffness = 20,
                         .rest_length = 10});
  model.add(Collider{.name = "foot", .frame = at(id), .shape = shape});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "foot"}, .friction = friction});
  return model;
}

// Slip in one direction: the force of friction is constant, x = c + (1 − c) cos ωt − sin ωt / ω.
TEST(NonsmoothOrder, IsTwoWhileAMassSlidesOnASpring) {
  const double c = 0.3 * 9.81 / 20, w = std::sqrt(20.0), end = 0.4;
  const auto errors = [&](double h) {
    const TableSink table =
        run_model(drawn_by_spring(PointMass{.mass = 1}, PointShape{}, 0.3, 0, -1), steps(h, end));
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    const double x = c + (1 - c) * std::cos(w * end) - std::sin(w * end) / w;
    const double v = -(1 - c) * w * std::sin(w * end) - std::cos(w * end);
    return Errors{std::abs(table.last("body.position.x") - x),
                  std::abs(table.last("body.velocity.x") - v)};
  };
  expect_order("sliding", errors, 2, 0.02);
}

// Rolling: the ball's spin adds 2/5 to its mass.
TEST(NonsmoothOrder, IsTwoWhileABallRollsOnASpring) {
  const double w = std::sqrt(20 / 1.4), end = 1;
  const auto errors = [&](double h) {
    Model model =
        drawn_by_spring(RigidBody{.inertia = solid_sphere(1, 0.1)}, Sphere{0.1}, 1, 0.1, 0);
    const TableSink table = run_model(model, steps(h, end));
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    EXPECT_EQ(table.last("touch.status"), 2);
    return Errors{std::abs(table.last("body.position.x") - std::cos(w * end)),
                  std::abs(table.last("body.velocity.x") + w * std::sin(w * end))};
  };
  expect_order("rolling", errors, 2, 0.02);
}

/// A rod on its sticking tip: a pendulum upside down, from 0.3 rad off the vertical.
Model standing_rod() {
  Model model;
  const double angle = 0.3;
  const BodyId rod = model.add(
      RigidBody{.name = "rod",
                .inertia = slender_rod(1, 1),
                .pose = {.position = {0.5 * std::sin(angle), 0, 0.5 * std::cos(angle)},
                         .rotation_vector = Vector3(0, angle - std::numbers::pi / 2, 0)}});
  model.add(Lock{.body = rod, .translation = {Axis::Y}, .rotation = {Axis::X, Axis::Z}});
  model.add(Collider{.name = "tip", .frame = at(rod, {-0.5, 0, 0})});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "tip"}, .friction = 2.0});
  return model;
}

// The impulse of a lasting contact acts along the mean of its directions at both ends of the step.
TEST(NonsmoothOrder, IsTwoWhileARodTurnsOverItsStickingTip) {
  const auto run = [](double h) {
    const TableSink table = run_model(standing_rod(), steps(h, 0.3));
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    EXPECT_EQ(table.last("touch.status"), 2);
    return std::pair(table.last("rod.rotation.y"), table.last("rod.angular_velocity.y"));
  };
  const auto [angle, rate] = run(1e-5);
  const auto errors = [&, angle = angle, rate = rate](double h) {
    const auto [a, w] = run(h);
    return Errors{std::abs(a - angle), std::abs(w - rate)};
  };
  expect_order("pivoting", errors, 2, 0.01);
}

/// Two hinged rods like a roof; the foot of the second slides on the floor.
Model sliding_rods() {
  Model model;
  const double c = std::sqrt(0.5), quarter = std::numbers::pi / 4;
  const auto rod = [&](double x, double angle) {
    return model.add(
        RigidBody{.inertia = solid_box(1, {1, 0.1, 0.1}),
                  .pose = {.position = {x, 0, c / 2}, .rotation_vector = Vector3(0, angle, 0)}});
  };
  const BodyId first = rod(c / 2, -quarter), second = rod(1.5 * c, quarter);
  const Direction y(Vector3::UnitY());
  model.add(Revolute{.bodies = {model.ground(), first}, .at = Vector3(Vector3::Zero()), .axis = y});
  model.add(Revolute{.bodies = {first, second}, .at = Vector3(c, 0, c), .axis = y});
  model.add(Collider{.name = "foot", .frame = at(second, {0.5, 0, 0})});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "foot"}, .friction = 0.2});
  return model;
}

// The impulses of joints that a lasting contact loads act along a mean, too.
TEST(NonsmoothOrder, IsTwoWhileAContactLoadsJoints) {
  const auto run = [](double h) {
    const TableSink table = run_model(sliding_rods(), steps(h, 0.3));
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    EXPECT_EQ(table.last("touch.status"), 1);
    return std::pair(table.last("rigid0.rotation.y"), table.last("rigid0.angular_velocity.y"));
  };
  const auto [angle, rate] = run(2e-5);
  const auto errors = [&, angle = angle, rate = rate](double h) {
    const auto [a, w] = run(h);
    return Errors{std::abs(a - angle), std::abs(w - rate)};
  };
  expect_order("hinged rods", errors, 2, 0.01);
}

}  // namespace nonsmooth_order_test
}  // namespace saltus::test
