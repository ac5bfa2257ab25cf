// SPDX-License-Identifier: Apache-2.0
// The order in the step of motions of flexible bodies: two while they are smooth, or contacts last;
// one over impacts.
#include <functional>
#include <numbers>

#include "tests/support/flexible_runs.hpp"

namespace saltus::test {
namespace flexible_order_test {

using std::numbers::pi;

Frame on(BodyId beam, double arclength) { return {.body = beam, .arclength = arclength}; }

/// A place at the end of a run with step h.
using Place = std::function<Eigen::Vector3d(double)>;

/// Halves the step; differences of successive results fall by 2ᵖ.
void expect_order_two(const char* name, const Place& place, double coarsest, int halvings) {
  std::vector<Eigen::Vector3d> x;
  for (int i = 0; i <= halvings; ++i) x.push_back(place(std::ldexp(coarsest, -i)));
  for (std::size_t i = 2; i < x.size(); ++i) {
    const double order = observed_order((x[i - 1] - x[i - 2]).norm(), (x[i] - x[i - 1]).norm());
    measured(fmt::format("{}_order_{}", name, i), order);
    if (i + 1 < x.size()) continue;
    EXPECT_NEAR(order, 2, 0.2) << name;
  }
}

TableSink run_smooth(const Model& model, double h, double end) {
  const TableSink table =
      run_model(model, Dynamics{.end_time = end, .integrator = GeneralizedAlpha{.step = h}});
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  return table;
}

// ---- smooth motion
// -------------------------------------------------------------------------------

/// Two legs of 10 m at a right angle, clamped at one end, pushed at the elbow by a force that rises
/// to 50 N and falls again within 2 s.
Model right_angle() {
  Model model;
  model.gravity.setZero();
  // EA = GA = 1e6 N, GJ = EI = 1e3 N m², ρA = 1 kg/m as in the literature, whose rotary inertia no
  // section has.
  const ElasticMaterial material{.young_modulus = 100, .poisson_ratio = -0.5, .density = 1e-4};
  const Section section = ExplicitSection{
      .area = 1e4, .inertia_y = 10, .inertia_z = 10, .torsion = 10, .shear_y = 1, .shear_z = 1};
  const auto leg = [&](const char* name, const Vector3& start, const Vector3& end) {
    return model.add(Beam{.name = name,
                          .start = start,
                          .end = end,
                          .elements = 10,
                          .section = section,
                          .material = material});
  };
  const BodyId first = leg("first", {0, 0, 0}, {0, 10, 0});
  const BodyId second = leg("second", {0, 10, 0}, {10, 10, 0});
  const Frame clamp = {.body = model.ground(), .rotation_vector = Vector3(0, 0, pi / 2)};
  const Frame elbow = {.body = first, .arclength = 10, .rotation_vector = Vector3(0, 0, -pi / 2)};
  model.add(Fixed{.between = {clamp, on(first, 0)}});
  model.add(Fixed{.between = {elbow, on(second, 0)}});
  const TimeFunction pulse = Expression{"t < 2 ? 50*sin(_pi*t/2)^4 : 0"};
  model.add(Force{.on = on(first, 10), .value = {0.0, 0.0, pulse}});
  return model;
}

TEST(FlexibleOrder, IsTwoForTheRightAngleCantilever) {
  const Model model = right_angle();
  const auto tip = [&](double h) {
    const TableSink table = run_smooth(model, h, 3);
    return table.vector("second.node10.position", table.rows() - 1);
  };
  expect_order_two("right_angle", tip, 0.01, 4);
}

/// flexible_pendulum of a softer material, E = 5e8 Pa, without its wall: no vibration that is worth
/// mentioning is quicker than the steps.
Eigen::Vector3d soft_pendulum(const char* mass, double h) {
  const TableSink table =
      run_example("flexible_pendulum",
                  {"/model/bodies/0/elements=4", fmt::format("/model/bodies/0/mass=\"{}\"", mass),
                   "/model/bodies/0/material/young_modulus=5e8", "/model/contacts=[]", set_end(0.3),
                   set_record(100000), set_step(h)});
  return table.vector("rod.node4.position", table.rows() - 1);
}

// h = 2e-3 s and rho_inf = 0.8: the digits of an independent program with the same element.
TEST(FlexibleOrder, SoftPendulumIsWhereItIsKnownToBe) {
  EXPECT_LE((soft_pendulum("hermite", 2e-3) - Vector3(0.81594, -0.56310, 0)).norm(), 1e-4);
  EXPECT_LE((soft_pendulum("consistent", 2e-3) - Vector3(0.81086, -0.57672, 0)).norm(), 1e-4);
}

TEST(FlexibleOrder, IsTwoForASoftPendulum) {
  for (const char* mass : {"consistent", "hermite"}) {
    expect_order_two(
        mass, [&](double h) { return soft_pendulum(mass, h); }, 5e-4, 5);
  }
}

// ---- contacts that last
// --------------------------------------------------------------------------

/// A hinged rod and a soft beam like a roof; the end of the beam slides on the floor. The start
/// sets off vibrations, which few elements keep slow.
Model sliding_beam() {
  Model model;
  const double c = std::sqrt(0.5);
  const BodyId rod = model.add(RigidBody{
      .name = "rod",
      .inertia = solid_box(1, {1, 0.1, 0.1}),
      .pose = {.position = {c / 2, 0, c / 2}, .rotation_vector = Vector3(0, -pi / 4, 0)}});
  const BodyId beam = model.add(Beam{.name = "beam",
                                     .start = {c, 0, c},
                                     .end = {2 * c, 0, 0},
                                     .elements = 2,
                                     .section = RectangularSection{.width = 0.03, .height = 0.03},
                                     .material = {.young_modulus = 1e7, .density = 1000}});
  model.add(Revolute{.bodies = {model.ground(), rod},
                     .at = Vector3(Vector3::Zero()),
                     .axis = Direction(Vector3::UnitY())});
  const Quaternion z_to_y(Eigen::AngleAxisd(-pi / 2, Vector3::UnitX()));
  model.add(Revolute{.between = {{.body = rod, .position = {0.5, 0, 0}, .orientation = z_to_y},
                                 {.body = beam, .arclength = 0, .orientation = z_to_y}}});
  model.add(Collider{.name = "foot", .frame = on(beam, 1)});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch", .between = {"floor", "foot"}, .friction = 0.2});
  return model;
}

TEST(FlexibleOrder, IsTwoWhileTheEndOfABeamSlides) {
  const Model model = sliding_beam();
  const auto foot = [&](double h) {
    const TableSink table = run_model(
        model, Dynamics{.end_time = 0.2, .integrator = NonsmoothGeneralizedAlpha{.step = h}});
    EXPECT_TRUE(table.report().converged()) << table.report().message;
    EXPECT_EQ(table.last("touch.status"), 1);
    EXPECT_EQ(table.events("opens").size(), 0u);
    return table.vector("beam.node2.position", table.rows() - 1);
  };
  expect_order_two("sliding_beam", foot, 2.5e-4, 4);
}

// ---- impacts
// -------------------------------------------------------------------------------------

/// Mean of |gap − exact| over time.
double bar_error(double h) {
  const TableSink table = run_example("elastic_bar_impact", {set_step(h), set_record(1)});
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.time(row), opens = 0.5005 + 20.0 / 30;
    const double gap = t < 0.5005 ? 5.005 - 10 * t : t < opens ? 0 : 10 * (t - opens);
    sum += std::abs(table.at("impact.gap", row) - gap);
  }
  return sum / static_cast<double>(table.rows());
}

// The error is that of the step as long as the mesh is finer: h > l/c = 1.7 ms. Its mean over steps
// of similar size does not depend on where in a step the impact falls.
TEST(FlexibleOrder, IsOneForTheBarThatBounces) {
  double coarse = 0, fine = 0;
  for (const double factor : {1.0, 0.87, 0.75, 0.6}) {
    coarse += bar_error(0.02 * factor);
    fine += bar_error(0.02 / 6 * factor);
  }
  const double order = std::log(coarse / fine) / std::log(6.0);
  measured("bar_order", order);
  EXPECT_GE(order, 0.75);  // four steps leave some scatter
}

}  // namespace flexible_order_test
}  // namespace saltus::test
