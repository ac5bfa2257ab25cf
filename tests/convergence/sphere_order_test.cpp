// SPDX-License-Identifier: Apache-2.0
// The order of the nonsmooth generalized-α method for spheres: two while they roll on curved
// surfaces, one over impacts and changes between slip and stick.
#include <functional>
#include <numbers>

#include "tests/support/contact_checks.hpp"
#include "tests/support/reference_ode.hpp"

namespace saltus::test {
namespace sphere_order_test {

/// A quantity as a function of time.
using History = std::function<double(double)>;

struct Study {
  const char* name;
  const char* example;
  std::vector<std::string> columns;
  double coarsest, end;
  Settings settings = {};
  int finer = 8;  ///< the second family of steps is so much finer
};

TableSink run_study(const Study& study, double h) {
  Settings settings = {set_step(h), set_end(study.end), set_record(1)};
  settings.insert(settings.end(), study.settings.begin(), study.settings.end());
  TableSink table = run_troubled(study.example, settings);
  EXPECT_TRUE(table.report().converged()) << study.name << ": " << table.report().message;
  return table;
}

double mean_error(const TableSink& table, const std::string& column, const History& exact) {
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    sum += std::abs(table.at(column, row) - exact(table.time(row)));
  }
  return sum / static_cast<double>(table.rows());
}

/// The error of one step size depends on where in their steps the impacts fall. Its mean over six
/// step sizes between h and 0.6 h does not.
double family_error(const Study& study, double h, const std::vector<History>& exact) {
  double sum = 0;
  for (const double factor : {1.0, 0.9, 0.82, 0.74, 0.67, 0.6}) {
    const TableSink table = run_study(study, factor * h);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      sum += mean_error(table, study.columns[k], exact[k]);
    }
  }
  return sum / 6;
}

/// The order at least, within the scatter that six step sizes leave; or an error of round-off.
void expect_order(const Study& study, const std::vector<History>& exact, double order) {
  const double coarse = family_error(study, study.coarsest, exact);
  const double fine = family_error(study, study.coarsest / study.finer, exact);
  const double observed = std::log(coarse / fine) / std::log(study.finer);
  measured(std::string(study.name) + "_error", fine);
  measured(std::string(study.name) + "_order", observed);
  EXPECT_TRUE(coarse <= 1e-10 || observed >= order - 0.25) << study.name << ": " << observed;
}

/// Columns of a finely stepped run, interpolated.
std::vector<History> fine_run(const Study& study, double h) {
  const TableSink table = run_study(study, h);
  std::vector<History> histories;
  for (const std::string& column : study.columns) {
    histories.push_back([times = table.column("time"), values = table.column(column)](double t) {
      const auto next = std::upper_bound(times.begin(), times.end() - 1, t);
      const auto i = static_cast<std::size_t>(std::max<long>(next - times.begin(), 1));
      const double share = (t - times[i - 1]) / (times[i] - times[i - 1]);
      return values[i - 1] + share * (values[i] - values[i - 1]);
    });
  }
  return histories;
}

// ---- resistance against rolling and spinning
// -----------------------------------------------------

/// The angle of a turn w that a constant moment brakes by a.
History braked(double w, double a) {
  return [=](double t) { return t < w / a ? w * t - a * t * t / 2 : w * w / (2 * a); };
}

constexpr double weight_over_inertia = 1309 * 9.8 / 131;

// The law acts at position level, too: until the stop the parabola is exact.
TEST(SphereOrder, IsTwoWhileATurningSphereIsBraked) {
  const History angle = braked(0.4, 0.01 * weight_over_inertia);
  expect_order({"braked", "sphere_rolling", {"ball.rotation.x"}, 8e-3, 0.4}, {angle}, 2);
}

TEST(SphereOrder, IsOneOrMoreOverTheStopOfATurningSphere) {
  const History angle = braked(0.4, 0.01 * weight_over_inertia);
  expect_order({"rolling", "sphere_rolling", {"ball.rotation.x"}, 8e-3, 1}, {angle}, 1);
}

TEST(SphereOrder, IsOneOrMoreOverTheStopOfASpinningSphere) {
  const History angle = braked(1, 0.0167 * weight_over_inertia);
  expect_order({"spinning", "sphere_spinning", {"ball.rotation.y"}, 8e-3, 1}, {angle}, 1);
}

// ---- friction
// ------------------------------------------------------------------------------------

TEST(SphereOrder, IsOneOrMoreOverTheEndOfSlip) {
  const double k = 131 / (1309 * 0.25), a = 0.25 * 9.8 / std::numbers::sqrt2;
  const double t_1 = 1.5 / (a * (1 + 1 / k));
  const History x = [=](double t) {
    const double s = std::min(t, t_1);
    return 0.1 + 1.5 * t - a * s * s / 2 - a * s * (t - s);
  };
  expect_order({"sliding", "sphere_sliding", {"ball.position.x"}, 8e-3, 1}, {x}, 1);
}

TEST(SphereOrder, IsOneOrMoreOverTheBeginOfSlip) {
  const double c = 20, J = 0.4, t_1 = 0.294;
  const History angle = [=](double t) {
    if (t <= t_1) return c * t * t * t / (12 * J);
    return c * t_1 / (4 * J) * t * (t - t_1) + c * t_1 * t_1 * t_1 / (12 * J);
  };
  const History rate = [=](double t) {
    return t <= t_1 ? c * t * t / (4 * J) : c * t_1 / (2 * J) * (t - t_1 / 2);
  };
  const Study angles{"driven_angle", "driven_spheres", {"upper.rotation.z"}, 8e-3, 1};
  const Study rates{"driven_rate", "driven_spheres", {"upper.angular_velocity.z"}, 8e-3, 1};
  expect_order(angles, {angle}, 1);
  expect_order(rates, {rate}, 1);
}

// ---- impacts
// -------------------------------------------------------------------------------------

TEST(SphereOrder, IsOneForACollisionWithFriction) {
  const Study study{"cue_ball",
                    "cue_ball_collision",
                    {"cue_ball.position.x", "cue_ball.position.y", "object_ball.position.x"},
                    2e-3,
                    0.4,
                    {"/model/contacts/hit/friction=0.2", "/model/contacts/hit/restitution=0.94"}};
  expect_order(study, fine_run(study, 1e-5), 1);
}

TEST(SphereOrder, IsOneForAThrow) {
  const Study study{"throw",
                    "throw_angle",
                    {"cue_ball.position.y", "object_ball.position.x", "object_ball.position.y"},
                    2e-3,
                    0.2,
                    {"/model/bodies/cue_ball/velocity/angular=[0,23.4645,-18.77165354330709]"}};
  expect_order(study, fine_run(study, 1e-5), 1);
}

TEST(SphereOrder, IsOneForThreeBallsInARow) {
  const Study study{"three_balls",
                    "three_balls_frictional",
                    {"ball_1.position.x", "ball_2.position.x", "ball_3.position.x"},
                    2e-3,
                    0.6,
                    {}};
  expect_order(study, fine_run(study, 1e-5), 1);
}

// ---- rolling on curved surfaces
// ------------------------------------------------------------------

/// Errors of the angle at the end and the order with which they fall.
void expect_second_order(const char* name, const std::function<double(double)>& error) {
  double previous = error(2e-2);
  for (int i = 1; i <= 3; ++i) {
    const double now = error(std::ldexp(2e-2, -i)), order = observed_order(previous, now);
    measured(fmt::format("{}_order_{}", name, i), order);
    if (i > 1) {
      EXPECT_NEAR(order, 2, 0.15) << name << ", halving " << i;
    }
    previous = now;
  }
  measured(std::string(name) + "_error", previous);
}

/// θ at the end for θ'' = c sin θ.
double swung(double c, double start, double end) {
  const Derivative rates = [=](double, const Vector& y) {
    return Vector{{y[1], c * std::sin(y[0])}};
  };
  return integrate_ode(rates, 0, Vector{{start, 0.0}}, end, 0.05)[0];
}

TEST(SphereOrder, IsTwoWhileASphereRollsInABowl) {
  const double exact = swung(-9.81 / (1.4 * 0.9), 0.1, 1);
  expect_second_order("bowl", [&](double h) {
    const TableSink table = run_troubled("sphere_in_bowl", {set_step(h), set_end(1)});
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    return std::abs(std::asin(table.last("ball.position.x") / 0.9) - exact);
  });
}

TEST(SphereOrder, IsTwoWhileASphereRollsOnASphere) {
  const double R = 1, r = 0.1, start = 0.2, end = 0.6;
  Model model;
  const BodyId ball = model.add(
      RigidBody{.name = "ball",
                .inertia = solid_sphere(1, r),
                .pose = {.position = (R + r) * Vector3(std::sin(start), 0, std::cos(start))}});
  model.add(Collider{.name = "skin", .frame = at(ball), .shape = Sphere{r}});
  model.add(Collider{.name = "hill", .frame = at(model.ground()), .shape = Sphere{R}});
  model.add(Contact{.name = "touch", .between = {"hill", "skin"}, .friction = 1.0});
  const double exact = swung(9.81 / (1.4 * (R + r)), start, end);
  expect_second_order("hill", [&](double h) {
    const TableSink table = run_model(
        model, Dynamics{.end_time = end, .integrator = NonsmoothGeneralizedAlpha{.step = h}});
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    EXPECT_EQ(table.last("touch.status"), 2);
    return std::abs(std::atan2(table.last("ball.position.x"), table.last("ball.position.z")) -
                    exact);
  });
}

}  // namespace sphere_order_test
}  // namespace saltus::test
