// SPDX-License-Identifier: Apache-2.0
// examples/joints_gallery.json: each kind of joint with a motion that can be written down.
#include <cmath>

#include "tests/support/example_run.hpp"
#include "tests/support/reference_ode.hpp"

namespace saltus::test {
namespace joints_gallery_test {

constexpr double g = 9.81;
constexpr double exact = 1e-11;  ///< motions with constant acceleration: round-off of 1000 steps

class JointsGallery : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    table_ = std::make_unique<TableSink>(run_example("joints_gallery"));
  }
  static void TearDownTestSuite() { table_.reset(); }

  static const TableSink& table() { return *table_; }
  static Vector3 position(const std::string& body, std::size_t row) {
    return table_->vector(body + ".position", row);
  }
  /// The largest of `error(row, t)` over all rows, recorded under its name.
  template <class F>
  static double worst(const std::string& name, F error) {
    double largest = 0;
    for (std::size_t row = 0; row < table_->rows(); ++row) {
      largest = std::max(largest, error(row, table_->time(row)));
    }
    measured(name, largest);
    return largest;
  }
  static std::unique_ptr<TableSink> table_;
};
std::unique_ptr<TableSink> JointsGallery::table_;

// Those that hold velocities alone, screws and gears have examples of their own; of relations there
// are tests of the program.
TEST_F(JointsGallery, HasEveryKindOfJoint) {
  std::vector<bool> present(std::variant_size_v<Joint>);
  for (const char* example :
       {"joints_gallery", "rolling_disc", "knife_edge", "screw_jack", "geared_crank"}) {
    for (const Joint& joint : read_example(example).model.joints) present[joint.index()] = true;
  }
  present[Joint(Relation{}).index()] = true;
  for (const bool kind : present) EXPECT_TRUE(kind);
}

// The scheme keeps a uniform rotation up to (ωh)² of the angle, 9e-6·3 rad; the weld is exact.
TEST_F(JointsGallery, RevoluteTurnsEvenlyAndFixedGoesAlong) {
  EXPECT_LE(
      worst("angle", [](std::size_t row,
                        double t) { return std::abs(table().at("axle.angle", row) - 3 * t); }),
      9e-6 * 3);
  EXPECT_LE(
      worst("weld",
            [](std::size_t row, double) {
              const Vector3 lamp = table().rotation("turntable", row) * Vector3(0.3, 0, 0.1);
              return std::max(
                  (position("lamp", row) - lamp).norm(),
                  (table().rotation("lamp", row) - table().rotation("turntable", row)).norm());
            }),
      exact);
}

// A conical pendulum at 0.6 rad circles with Ω² = g/(l cos 0.6). The scheme's phase error is
// (Ωh)²/4.
const double conical_rate = std::sqrt(g / (0.5 * std::cos(0.6)));
Vector3 conical(double x, double t) {
  return {x + 0.5 * std::sin(0.6) * std::cos(conical_rate * t),
          0.5 * std::sin(0.6) * std::sin(conical_rate * t), -0.5 * std::cos(0.6)};
}

TEST_F(JointsGallery, SphericalAndDistanceCircleAsConicalPendulums) {
  const double phase = std::pow(conical_rate * 1e-3, 2) / 4 * conical_rate;
  EXPECT_LE(
      worst("spherical", [](std::size_t row,
                            double t) { return (position("bob", row) - conical(2, t)).norm(); }),
      0.3 * phase);
  EXPECT_LE(
      worst("distance", [](std::size_t row,
                           double t) { return (position("weight", row) - conical(4, t)).norm(); }),
      0.3 * phase);
  EXPECT_LE(worst("length",
                  [](std::size_t row, double) {
                    return std::abs((position("weight", row) - Vector3(4, 0, 0)).norm() - 0.5);
                  }),
            exact);
  EXPECT_LE(
      worst("tension",
            [](std::size_t row, double) {
              return std::abs(table().vector("rod.force", row).norm() - 2 * g / std::cos(0.6));
            }),
      24 * std::pow(conical_rate * 1e-3, 2));
}

Vector3 slope(double t) { return g / 4 * t * t * Vector3(std::sqrt(0.75), 0, -0.5); }

TEST_F(JointsGallery, PrismaticPlanarLineAndPlaneSlideDownTheSlope) {
  EXPECT_LE(worst("prismatic",
                  [](std::size_t row, double t) {
                    return (position("sledge", row) - Vector3(6, 0, 0) - slope(t)).norm() +
                           std::abs(table().at("runner.displacement", row) - g / 4 * t * t) +
                           (table().rotation("sledge", row) - Matrix3::Identity()).norm();
                  }),
            exact);
  EXPECT_LE(worst("planar",
                  [](std::size_t row, double t) {
                    const Vector3 turned = 4 * t * Vector3(0.5, 0, std::sqrt(0.75));
                    return (position("puck", row) - Vector3(8, 0.4 * t, 0) - slope(t)).norm() +
                           (table().vector("puck.rotation", row) - turned).norm();
                  }),
            exact);
  EXPECT_LE(worst("point_on_line",
                  [](std::size_t row, double t) {
                    return (position("bead", row) - Vector3(10, 0, 0) - slope(t)).norm();
                  }),
            exact);
  EXPECT_LE(worst("point_on_plane",
                  [](std::size_t row, double t) {
                    return (position("drop", row) - Vector3(12, t, 0) - slope(t)).norm();
                  }),
            exact);
}

TEST_F(JointsGallery, CylindricalFallsAndTurns) {
  EXPECT_LE(worst("cylindrical",
                  [](std::size_t row, double t) {
                    return std::abs(table().at("screw.displacement", row) + g / 2 * t * t) +
                           std::abs(table().at("screw.angle", row) - 5 * t) +
                           (position("nut", row) - Vector3(14, 0, -g / 2 * t * t)).norm();
                  }),
            exact);
}

TEST_F(JointsGallery, UniversalSwingsInOnePlane) {
  const double inertia = 0.8 * 0.8 + (0.04 + 0.16) / 12;
  const Derivative swing = [=](double, const Vector& y) {
    return Vector(Eigen::Vector2d(y[1], -g * 0.8 / inertia * std::sin(y[0])));
  };
  Vector y = Eigen::Vector2d(0, 3);
  double last = 0;
  const double error = worst("universal", [&](std::size_t row, double t) {
    y = integrate_ode(swing, last, y, t, 0.02);
    last = t;
    return (position("lantern", row) - Vector3(16, 0.8 * std::sin(y[0]), -0.8 * std::cos(y[0])))
        .norm();
  });
  EXPECT_LE(error, 3 * 1 * 12e-6 / 4);  // ω₀² = 12: a lag of (ω₀h)²/4 t at up to 3·0.8 m/s
  EXPECT_LE(
      worst("universal_sideways",
            [](std::size_t row, double) { return std::abs(position("lantern", row).x() - 16); }),
      exact);
}

TEST_F(JointsGallery, LockLeavesTheChosenMotions) {
  EXPECT_LE(worst("lock",
                  [](std::size_t row, double t) {
                    return (position("coin", row) - Vector3(18 + 0.2 * t, 0.3 * t, 0)).norm() +
                           std::abs(table().at("coin.rotation.z", row) - 7 * t) +
                           (table().rotation("coin", row).col(2) - Vector3::UnitZ()).norm();
                  }),
            exact);
  EXPECT_LE(worst("weight_is_carried",
                  [](std::size_t row, double) {
                    return std::abs(table().at("ice.force.z", row) - 0.05 * g);
                  }),
            1e-9 * 0.05 * g);  // ten times Newton's tolerance
}

}  // namespace joints_gallery_test
}  // namespace saltus::test
