// SPDX-License-Identifier: Apache-2.0
// The event-driven integrator where contact is hard: many random boxes, Painlevé's rod, points that
// leave in an impact, all points that come to rest at once.
#include <cmath>
#include <random>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace event_boxes_test {

struct RandomBox {
  double mass, mu, mu_s, e;
  Eigen::Vector3d size, position, rotation, velocity, spin;
};

RandomBox random_box(std::mt19937& random) {
  const auto between = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  RandomBox box{};
  box.mass = std::exp(between(std::log(0.1), std::log(100.0)));
  box.mu = between(0, 1);
  box.mu_s = box.mu * between(1, 1.5);
  box.e = between(0, 0.9);
  for (int i = 0; i < 3; ++i) {
    box.size[i] = between(0.05, 0.5);
    box.rotation[i] = between(-3, 3);
    box.velocity[i] = between(-2, 2);
    box.spin[i] = between(-5, 5);
  }
  box.position << 0, 0, between(0.5, 1.5);
  return box;
}

std::string text_of(const RandomBox& b, double end) {
  const auto list = [](const Eigen::Vector3d& v) {
    return fmt::format("[{:.17g},{:.17g},{:.17g}]", v[0], v[1], v[2]);
  };
  return fmt::format(
      R"({{"saltus":1,"model":{{"bodies":[{{"name":"box","type":"rigid","inertia":{{"type":"solid_box",
      "mass":{},"size":{}}},"pose":{{"position":{},"rotation_vector":{}}},
      "velocity":{{"linear":{},"angular":{}}}}}],
      "colliders":[{{"name":"skin","frame":{{"body":"box"}},"shape":{{"type":"box","size":{}}}}},
      {{"name":"floor","frame":{{"body":"ground"}},"shape":{{"type":"half_space","normal":[0,0,1]}}}}],
      "contacts":[{{"name":"k","between":["floor","skin"],"friction":{},"static_friction":{},
      "restitution":{}}}]}},
      "simulation":{{"end_time":{},"integrator":{{"type":"event_driven"}}}}}})",
      b.mass, list(b.size), list(b.position), list(b.rotation), list(b.velocity), list(b.spin),
      list(b.size), b.mu, b.mu_s, b.e, end);
}

/// Energy that appears, of all there was.
double relative_gain(const TableSink& table) { return energy_gain(table) / largest_energy(table); }

TEST(EventDrivenBoxes, FiftyRandomBoxesNeitherFailNorWinEnergy) {
  std::mt19937 random(20261115);  // NOLINT: the same boxes every time
  double worst_gain = 0, deepest = 0, fastest = 0;
  long impacts = 0;
  for (int i = 0; i < 50; ++i) {
    const RandomBox box = random_box(random);
    const TableSink table = run_text(text_of(box, 4));
    ASSERT_EQ(table.report().status, RunStatus::Completed) << i << ": " << table.report().message;
    // Corners that slip and turn share impulses by a rule, and are told so; of nothing else.
    for (const std::string& warning : table.report().warnings)
      EXPECT_NE(warning.find("flat landing with turning slip"), std::string::npos)
          << i << ": " << warning;
    const double gain = relative_gain(table);
    EXPECT_LE(gain, 1e-10) << i;
    EXPECT_LE(table.report().max_penetration, 1e-10) << i;
    worst_gain = std::max(worst_gain, gain);
    deepest = std::max(deepest, table.report().max_penetration);
    impacts += table.report().impacts;
    // Smooth ones go on sliding, elastic ones bouncing.
    const bool stops = box.mu > 0.2 && box.e < 0.5;
    if (stops) fastest = std::max(fastest, table.last("energy.kinetic") / box.mass);
  }
  measured("worst_gain", worst_gain);
  measured("deepest", deepest);
  measured("impacts", static_cast<double>(impacts));
  measured("left", fastest);
  EXPECT_LE(fastest, 1e-2) << "kinetic energy of the liveliest, J/kg";
}

/// A rod that slides on its tip, leaning forwards: for μ > 4/3 there are angles at which a force
/// that opposes slip would press harder the more it grows.
std::string rod(double mu, double angle, double speed) {
  const double l = 1;
  return fmt::format(
      R"({{"saltus":1,"model":{{"bodies":[{{"name":"rod","type":"rigid","inertia":{{"type":"explicit",
      "mass":1,"moments":[{0},{0},{0}]}},"pose":{{"position":[{1},0,{2}],"rotation_vector":[0,{3},0]}},
      "velocity":{{"linear":[{4},0,0]}}}}],
      "joints":[{{"type":"lock","body":"rod","translation":["y"],"rotation":["x","z"]}}],
      "colliders":[{{"name":"tip","frame":{{"body":"rod","position":[{5},0,0]}},"shape":{{"type":"point"}}}},
      {{"name":"head","frame":{{"body":"rod","position":[{6},0,0]}},"shape":{{"type":"point"}}}},
      {{"name":"floor","frame":{{"body":"ground"}},"shape":{{"type":"half_space","normal":[0,0,1]}}}}],
      "contacts":[{{"name":"k","between":["floor",["tip","head"]],"friction":{7}}}]}},
      "simulation":{{"end_time":1,"integrator":{{"type":"event_driven","step":1e-3}}}}}})",
      l * l / 12, l / 2 * std::cos(angle), l / 2 * std::sin(angle), -angle, speed, -l / 2, l / 2,
      mu);
}

TEST(EventDrivenBoxes, PainlevesRodNeitherFailsNorWinsEnergy) {
  for (const double mu : {0.5, 1.4, 2.0, 3.0}) {
    for (const double angle : {0.3, 0.7, 1.0, 1.3}) {
      for (const double speed : {-3.0, -0.5, 0.5, 3.0}) {
        const TableSink table = run_text(rod(mu, angle, speed));
        EXPECT_EQ(table.report().status, RunStatus::Completed)
            << mu << ' ' << angle << ' ' << speed << ": " << table.report().message;
        EXPECT_LE(relative_gain(table), 1e-10) << mu << ' ' << angle << ' ' << speed;
        EXPECT_LE(table.report().max_penetration, 1e-10) << mu << ' ' << angle << ' ' << speed;
      }
    }
  }
}

}  // namespace event_boxes_test
}  // namespace saltus::test
