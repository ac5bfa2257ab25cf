// SPDX-License-Identifier: Apache-2.0
// Equilibria and natural frequencies of beams and solids.
#include <numbers>

#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace flexible_statics_test {

using std::numbers::pi;

std::string set_elements(int n) { return fmt::format("/model/bodies/0/elements={}", n); }
std::string set_mass(const char* mass) { return fmt::format("/model/bodies/0/mass=\"{}\"", mass); }

// ---- large deflections of beams
// ------------------------------------------------------------------

// Helices, and so arcs, are represented exactly: three elements are as good as twenty.
TEST(RollUp, TipComesBackToTheClampWithAnyMesh) {
  for (const int n : {3, 5, 10, 20}) {
    const TableSink table = run_example("cantilever_roll_up", {set_elements(n)});
    const std::size_t row = table.rows() - 1;
    const double error = table.vector(fmt::format("strip.node{}.position", n), row).norm();
    measured(fmt::format("tip_{}", n), error);
    EXPECT_TRUE(agrees(error, "cantilever_roll_up", "tip from clamp")) << n;
    for (int i = 0; i <= n; ++i) {
      const double s = static_cast<double>(i) / n, r = 1 / (2 * pi);
      const Vector3 circle(r * std::sin(2 * pi * s), r * (1 - std::cos(2 * pi * s)), 0);
      const Vector3 x = table.vector(fmt::format("strip.node{}.position", i), row);
      EXPECT_LE((x - circle).norm(), 1e-9) << n << ", node " << i;
    }
    EXPECT_TRUE(agrees(table.last("energy.elastic"), "cantilever_roll_up", "energy"));
    EXPECT_NEAR(std::abs(table.last("clamp.torque.z")), 2 * pi, 1e-8);
  }
}

// A cantilever under a transverse force at its tip, EI = L = 1. Reference: the elastica, by
// shooting. Fourth order: the shear correction makes linear moments exact.
TEST(Elastica, IsReachedWithFourthOrder) {
  const Vector3 exact(0.943566764, 0.301720774, 0);  // P = 1
  std::vector<double> errors;
  for (const int n : {1, 2, 4, 8}) {
    const TableSink table = run_example(
        "cantilever_roll_up",
        {set_elements(n),
         R"(/model/bodies/0/section={"type": "explicit", "area": 1e8, "inertia_y": 1, "inertia_z": 1, "torsion": 1})",
         R"(/model/bodies/0/material={"young_modulus": 1, "poisson_ratio": 0, "density": 1})",
         R"(/model/forces=[{"type": "force", "on": {"body": "strip", "arclength": 1},
                            "value": [0, 1, 0]}])"});
    const std::size_t row = table.rows() - 1;
    errors.push_back((table.vector(fmt::format("strip.node{}.position", n), row) - exact).norm());
    measured(fmt::format("error_{}", n), errors.back());
  }
  EXPECT_NEAR(errors[0], 4.0e-3, 1e-4);  // as an independent program of this element has it
  EXPECT_NEAR(errors[1], 2.4e-4, 1e-5);
  EXPECT_NEAR(observed_order(errors[1], errors[2]), 4, 0.2);
  EXPECT_NEAR(observed_order(errors[2], errors[3]), 4, 0.2);
}

// Eight elements: the digits of an independent program of the same element. Then its limit.
TEST(Bend45, HasTheKnownTipAndConverges) {
  const std::string half = "/model/forces/0/value=[0, 0, 300]";
  const auto tip = [](int n, const Settings& more) {
    Settings settings = {set_elements(n), fmt::format("/model/forces/0/on/node={}", n)};
    settings.insert(settings.end(), more.begin(), more.end());
    const TableSink table = run_example("bend_45", settings);
    return table.vector(fmt::format("bend.node{}.position", n), table.rows() - 1);
  };
  EXPECT_LE((tip(8, {half}) - Vector3(58.7801, 22.2452, 40.1967)).norm(), 1e-4);
  const auto known_tip = [](const std::string& kind) {
    return Vector3(known("bend_45", "tip's x" + kind), known("bend_45", "tip's y" + kind),
                   known("bend_45", "tip's z" + kind));
  };
  EXPECT_LE((tip(8, {}) - known_tip("")).norm(), reference("bend_45", "tip's x").tolerance);
  const Vector3 limit = known_tip(", converged");
  // In a curved beam forces vary along an element: second order.
  const double coarse = (tip(8, {}) - limit).norm(), fine = (tip(16, {}) - limit).norm();
  measured("error_8", coarse);
  measured("error_16", fine);
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.25);
}

// ---- supports carry weights
// ----------------------------------------------------------------------

Frame on(BodyId beam, double arclength) { return {.body = beam, .arclength = arclength}; }

/// A clamped column, a beam fixed on it whose other end rolls on a rail, and a body that hangs from
/// it.
Model portal() {
  Model model;
  const ElasticMaterial steel{.young_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7850};
  const Section section = RectangularSection{.width = 0.02, .height = 0.02};
  const BodyId column = model.add(Beam{
      .name = "column", .end = {0, 0, 1}, .elements = 6, .section = section, .material = steel});
  const BodyId roof = model.add(Beam{.name = "roof",
                                     .start = {0, 0, 1},
                                     .end = {1.5, 0, 1},
                                     .elements = 6,
                                     .section = section,
                                     .material = steel});
  const BodyId load = model.add(RigidBody{
      .name = "load", .inertia = solid_sphere(20, 0.1), .pose = {.position = {1, 0, 0.6}}});
  model.add(Fixed{.name = "foot", .between = {at(model.ground()), on(column, 0)}});
  model.add(Fixed{.name = "corner", .between = {on(column, 1), on(roof, 0)}});
  model.add(Spherical{.name = "hook", .between = {on(roof, 1), at(load, {0, 0, 0.4})}});
  const Frame rail = {
      .body = model.ground(), .position = {1.5, 0, 1}, .rotation_vector = Vector3(0, pi / 2, 0)};
  model.add(PointOnLine{.name = "roller", .between = {rail, on(roof, 1.5)}});
  return model;
}

TEST(Portal, SupportsCarryAllWeights) {
  const double g = 9.81, beams = 7850 * 4e-4 * 2.5 * g, load = 20 * g;
  const TableSink table = run_model(portal(), Statics{});
  ASSERT_TRUE(table.report().converged()) << table.report().message;
  const std::size_t row = table.rows() - 1;
  const Vector3 foot = table.vector("foot.force", row), roller = table.vector("roller.force", row);
  const Vector3 hook = table.vector("hook.force", row);
  measured("foot", foot.z());
  measured("roller", roller.z());
  // Forces on the second body: what the ground gives the structure.
  EXPECT_LE((foot + roller - Vector3(0, 0, beams + load)).norm(), 1e-7 * (beams + load));
  EXPECT_NEAR(hook.z(), load, 1e-7 * load);
  // Moments about the foot, with levers as deformed; weights act at the centres of mass.
  const auto lever = [&](const std::string& name) { return table.vector(name, row); };
  const double column_weight = 7850 * 4e-4 * 1.0 * g, roof_weight = 7850 * 4e-4 * 1.5 * g;
  Vector3 moment = table.vector("foot.torque", row) + lever("roof.node6.position").cross(roller);
  moment += lever("column.position").cross(Vector3(0, 0, -column_weight));
  moment += lever("roof.position").cross(Vector3(0, 0, -roof_weight));
  moment += lever("load.position").cross(Vector3(0, 0, -load));
  EXPECT_LE(moment.norm(), 1e-6 * load);
}

// ---- natural frequencies
// -------------------------------------------------------------------------

/// Frequencies in Hz.
std::vector<double> frequencies(const std::string& example, const Settings& settings) {
  std::vector<double> f;
  const TableSink table = run_troubled(example, settings);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  for (const Mode& mode : table.report().modes) f.push_back(mode.frequency());
  return f;
}

std::vector<double> cantilever(int n, const char* mass) {
  return frequencies("cantilever_modes", {set_elements(n), set_mass(mass)});
}

// Exact: Timoshenko's beam. Modes 1, 3, 5 bend about the weak axis.
TEST(CantileverModes, ConvergeWithFourthOrderForHermiteMassAndSecondElse) {
  const std::array<double, 3> exact = {known("cantilever_modes", "first"),
                                       known("cantilever_modes", "third"),
                                       known("cantilever_modes", "fifth")};
  const auto errors = [&](int n, const char* mass) {
    const std::vector<double> f = cantilever(n, mass);
    std::array<double, 3> e = {};
    for (std::size_t k = 0; k < 3; ++k) e[k] = std::abs(f.at(2 * k) / exact[k] - 1);
    return e;
  };
  const auto coarse = errors(4, "hermite"), fine = errors(8, "hermite");
  const auto linear_coarse = errors(8, "consistent"), linear_fine = errors(16, "consistent");
  const auto lumped_coarse = errors(8, "lumped"), lumped_fine = errors(16, "lumped");
  for (std::size_t k = 0; k < 3; ++k) {
    measured(fmt::format("hermite_error_{}", k), fine[k]);
    measured(fmt::format("consistent_error_{}", k), linear_fine[k]);
    EXPECT_NEAR(observed_order(coarse[k], fine[k]), 4, 0.4) << k;
    EXPECT_NEAR(observed_order(linear_coarse[k], linear_fine[k]), 2, 0.2) << k;
    EXPECT_NEAR(observed_order(lumped_coarse[k], lumped_fine[k]), 2, 0.2) << k;
  }
  // Digits of an independent program.
  EXPECT_NEAR(coarse[0], 3.3e-5, 1e-6);
  EXPECT_NEAR(fine[1], 8.5e-5, 1e-6);
  EXPECT_NEAR(linear_fine[1], 4.3e-3, 1e-4);
}

TEST(CantileverModes, AreThoseOfAnIndependentProgram) {
  const std::array<double, 5> omega = {52.660962, 105.296769, 329.890635, 658.693267, 923.508929};
  const std::vector<double> f = cantilever(8, "hermite");
  for (std::size_t k = 0; k < omega.size(); ++k) {
    EXPECT_NEAR(2 * pi * f.at(k), omega[k], 1e-6) << k;
  }
}

// The rod of roller_crank_flexible between hinges: (π/2) √(EI/(ρ A L⁴)).
TEST(HingedRodModes, BendAtTheFrequencyOfABeamOnTwoHinges) {
  const double E = 4.14e9, A = 1.1323e-4, I = 1.0685e-9, rho = 7850, L = 0.3;
  const double exact = pi / 2 * std::sqrt(E * I / (rho * A * std::pow(L, 4)));
  EXPECT_NEAR(exact, 38.9, 0.06);
  for (const BeamMass mass : {BeamMass::Consistent, BeamMass::Hermite}) {
    Model model;
    model.gravity.setZero();
    const BodyId rod =
        model.add(Beam{.name = "rod",
                       .end = {L, 0, 0},
                       .section = ExplicitSection{.area = A, .inertia_y = I, .inertia_z = I},
                       .material = {.young_modulus = E, .poisson_ratio = 0.3, .density = rho},
                       .mass = mass});
    const Frame rail = {
        .body = model.ground(), .position = {L, 0, 0}, .rotation_vector = Vector3(0, pi / 2, 0)};
    model.add(Revolute{.between = {at(model.ground()), on(rod, 0)}});
    model.add(PointOnLine{.between = {rail, on(rod, L)}});
    const TableSink table = run_model(model, Modes{.count = 4});
    double nearest = 0;
    for (const Mode& mode : table.report().modes) {
      if (std::abs(mode.frequency() - exact) < std::abs(nearest - exact))
        nearest = mode.frequency();
    }
    measured(mass == BeamMass::Hermite ? "hermite" : "consistent", nearest);
    // Linear velocities on eight elements: (k l)²/12 with k l = π/8; then shear and rotary inertia,
    // (π r/L)² (1 + E/(k G))/2 with the radius of gyration r.
    const double discrete = mass == BeamMass::Hermite ? 1e-4 : std::pow(pi / 8, 2) / 12;
    const double thick = std::pow(pi / L, 2) * I / A * (1 + 2 * 1.3 * 6 / 5) / 2;
    EXPECT_NEAR(nearest, exact, (discrete + thick) * exact);
  }
}

std::vector<double> cube(int n, const Settings& more = {}) {
  Settings settings = {fmt::format("/model/bodies/0/mesh/divisions=[{0}, {0}, {0}]", n)};
  settings.insert(settings.end(), more.begin(), more.end());
  return frequencies("free_cube_modes", settings);
}

TEST(FreeCubeModes, AreSixRigidMotionsAndThoseOfAnIndependentProgram) {
  const Settings standard = {"/model/bodies/0/formulation=\"standard\""};
  const Settings lumped = {set_mass("lumped")};
  const Settings quadratic = {"/model/bodies/0/mesh/cells=\"quadratic_tetrahedra\""};
  struct Expected {
    const char* name;
    std::vector<double> found;
    double pair, triple;  ///< the first two; the three after them
  };
  const double seventh = known("free_cube_modes", "seventh");
  const double ninth = known("free_cube_modes", "ninth");
  const std::vector<Expected> cases = {{"enhanced", cube(5), seventh, ninth},
                                       {"standard", cube(5, standard), 27.7712, 37.6364},
                                       {"lumped", cube(5, lumped), 25.6966, 33.3255},
                                       {"quadratic", cube(2, quadratic), 27.8790, 36.7328}};
  for (const auto& [name, f, pair, triple] : cases) {
    for (std::size_t k = 0; k < 6; ++k) EXPECT_LE(f.at(k), 1e-4) << name;  // √round-off of ω²
    EXPECT_NEAR(f.at(6), pair, 5.1e-5) << name;
    EXPECT_NEAR(f.at(7), pair, 5.1e-5) << name;
    EXPECT_NEAR(f.at(8), triple, 5.1e-5) << name;
  }
}

TEST(FreeCubeModes, ConvergeWithSecondOrder) {
  const std::vector<double> coarse = cube(4), fine = cube(8);
  for (const auto& [k, name] : {std::pair{6, "seventh"}, {8, "ninth"}, {11, "twelfth"}}) {
    const auto i = static_cast<std::size_t>(k);
    const double exact = known("free_cube_modes", std::string(name) + ", converged");
    const double order = observed_order(coarse.at(i) - exact, fine.at(i) - exact);
    measured(fmt::format("order_{}", k), order);
    EXPECT_NEAR(order, 2, 0.25) << k;
  }
}

}  // namespace flexible_statics_test
}  // namespace saltus::test
