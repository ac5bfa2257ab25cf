// SPDX-License-Identifier: Apache-2.0
// Values of our own, where nothing else is known that a parameter moves. They show that a change of
// the program or of the example is noticed, not that the number is right: each stands with the one
// of a finer run, from which it is as far as the method says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using measures::at;
using measures::last;
using measures::strongest;

struct OwnValue {
  const char* example;
  const char* quantity;
  const char* unit;
  Measure measure;
  double coarse;  ///< with the step of the case
  double fine;    ///< with half of it
  /// Of the case; none: of the first one of the example.
  std::vector<std::string> settings = {};
};

/// The distance to the finer run is what the step does, or half of it where the order is one; the
/// rest is round-off of many steps.
Reference row_of(const OwnValue& own) {
  const double tolerance = 2 * std::abs(own.coarse - own.fine) + 1e-6 * std::abs(own.fine);
  return {own.quantity, own.unit,
          Source::Own,  own.fine,
          tolerance,    fmt::format("own value of half the step; {:.9g} with the step", own.coarse),
          own.measure};
}

/// By events: the same with a tenth of the tolerance.
Reference row_of_events(const OwnValue& own) {
  return {own.quantity,
          own.unit,
          Source::Own,
          own.fine,
          1e-6 * std::abs(own.fine),
          "own value; 1e-8 off with a tenth of the tolerance",
          own.measure};
}

std::vector<std::string> bearing_in_short_steps() {
  return {"/simulation/integrator/step=2e-5", "/simulation/end_time=0.0285"};
}

std::vector<std::string> start_of_rigid_bearing() {
  return {"/simulation/integrator/step=1e-5", "/simulation/end_time=0.0015"};
}

std::vector<std::string> start_of_flexible_bearing() {
  return {"/simulation/integrator/step=2e-6", "/simulation/end_time=0.0004",
          "/model/ball_bearings/0/settle_time=0"};
}

std::vector<std::string> start_of_spatial_bearing() {
  return {"/simulation/integrator/step=1e-5", "/simulation/end_time=0.0018",
          "/simulation/record/every=1"};
}

std::vector<OwnValue> by_steps() {
  return {
      {"pendulum_on_flexible_supports", "impulse at 0.506 s", "N s", at("touch.impulse.n", 0.506),
       2.65304344, 2.61779165},
      {"pendulum_on_flexible_supports", "kinetic energy at 1.2 s", "J", at("energy.kinetic", 1.2),
       6.89039842, 6.88579258},
      {"flexible_pendulum", "node 1, x after impact", "m", last("rod.node1.position.x"),
       0.0877737072, 0.0877780914},
      {"rocking_rod_1", "kinetic energy, 0.149 s", "J", at("energy.kinetic", 0.149), 0.18754048,
       0.187822882},
      {"rocking_rod_2", "impacts take, 0.299 s", "J", at("energy.impact_loss", 0.299), 0.315475521,
       0.315563337},
      {"rocking_rod_3", "impacts take, 0.299 s", "J", at("energy.impact_loss", 0.299), 0.387926207,
       0.387877687},
      {"rocking_rod_4", "gravity's energy, 0.9 s", "J", at("energy.gravity", 0.9), -0.0916401185,
       -0.09169562},
      {"roller_crank_rigid", "friction takes, 0.599 s", "J", at("energy.friction_loss", 0.599),
       0.0867260901, 0.0867265399},
      {"roller_crank_flexible", "gravity's energy, 1.4 s", "J", at("energy.gravity", 1.4),
       0.0358302243, 0.0357897924},
      {"flexible_slider_crank", "work of the motor, 0.4 s", "J", at("energy.external_work", 0.4),
       8.01701895, 8.01684665},
      {"flexible_slider_crank", "damping takes, 0.5 s", "J", at("energy.damping_loss", 0.5),
       0.000308128646, 0.000301307146},
      {"crank_block_impact", "gravity's energy, 0.07 s", "J", at("energy.gravity", 0.07),
       0.0772889221, 0.0773001858},
      {"four_bar", "kinetic energy, 1.5975 s", "J", at("energy.kinetic", 1.5975), 0.902435498,
       0.902435498},
      {"universal_shaft", "bearing's moment", "N m", at("output_bearing.torque.z", 0.099),
       -1.14809006, -1.14809013},
      {"oblique_beam_impact", "kinetic energy, 0.425 s", "J", at("energy.kinetic", 0.425),
       15.4799294, 15.3424019},
      {"billiard_break", "friction takes, 0.12 s", "J", at("energy.friction_loss", 0.12),
       0.420306531, 0.42030502},
      {"billiard_break_rolling", "brakes at 1.5 s", "mN m s",
       [](const RecordedRun& run) {
         return 1000 * run.at("table.cloth.skin_5.0.moment_impulse.t2", 1.499);
       },
       -7.64658977e-03, -7.6562892e-03},
      {"billiard_break_rolling",
       "ball 4 turned at 0.1298 s",
       "",
       at("ball_4.orientation.y", 0.1298),
       0.00223923163,
       0.00223920956,
       {"/simulation/integrator/step=2e-4", "/simulation/end_time=0.13"}},
      {"two_moving_faces", "ball turned at 0.961 s", "", at("ball.orientation.z", 0.961),
       0.623017332, 0.623031131},
      {"painleve_rod", "chalk rubs at 0.574 s", "N s", at("chalk.impulse.t1", 0.574),
       -0.00198655808, -0.00198655177},
      {"box_tipping", "landing along x", "N s", at("foot.impulse.x", 0.666), -3.24855604,
       -3.24857461},
      {"points_on_face", "first nail's impulse", "N s", at("bed.impulse.z", 0.05), 0.779966023,
       0.779965192},
      {"billiard_15",
       "ball 14 brakes",
       "mN m s",
       [](const RecordedRun& run) {
         return 1000 * run.at("table.cloth.skin_14.0.moment_impulse.t2", 0.17);
       },
       -4.12471936e-4,
       -4.12528831e-4,
       {"/simulation/end_time=0.2", "/simulation/record/every=1"}},
      {"billiard_15",
       "cue ball spins",
       "mN m s",
       [](const RecordedRun& run) {
         return 1000 * run.at("table.cloth.skin_0.0.moment_impulse.n", 0.14);
       },
       4.16925e-4,
       4.16925e-4,
       {"/simulation/end_time=0.2", "/simulation/record/every=1"}},
      {"box_dropped_corner", "corner 4 at 0.504 s", "mN s",
       [](const RecordedRun& run) {
         return 1000 * run.at("foot.floor.corners.4.impulse.n", 0.504);
       },
       15.9850446, 16.0018869},
      {"block_in_slot",
       "corner 7 at 0.26 s",
       "mN s",
       [](const RecordedRun& run) { return 1000 * run.at("slot.above.block.7.impulse.n", 0.26); },
       10.7648811,
       10.7558081,
       {"/simulation/end_time=0.3"}},
      {"block_in_slot",
       "drive's force at 0 s",
       "N",
       at("drive.force.y", 0),
       13.739125,
       13.739125,
       {"/simulation/end_time=0.3"}},
      {"pile_100",
       "below ball 11",
       "mN s",
       [](const RecordedRun& run) { return 1000 * run.at("box.floor.skin_11.0.impulse.n", 0.233); },
       97.0899745,
       96.8124679,
       {"/simulation/end_time=0.24", "/simulation/record/every=1"}},
      {"ball_bearing", "motor at 1.62 ms", "mN",
       [](const RecordedRun& run) { return 1000 * run.at("motor.force.x", 0.00162); }, 2.5790975,
       2.57909782, bearing_in_short_steps()},
      {"ball_bearing", "guide at 2.44 ms", "mN m",
       [](const RecordedRun& run) { return 1000 * run.at("guide.torque.z", 0.00244); }, 0.947304427,
       0.945350349, bearing_in_short_steps()},
      {"ball_bearing", "ball 7 at 28.04 ms", "mN s",
       [](const RecordedRun& run) {
         return 1000 *
                run.at("bearing.inner.bearing.ball7.bearing.inner_race.0.impulse.y", 0.02804);
       },
       1.46319594, 1.46322437, bearing_in_short_steps()},
      {"flexible_rod_clearance", "node 1 turned at 11.8 ms", "",
       at("rod.node1.orientation.z", 0.0118), -0.121127883, -0.121070199},
      {"bearing_slider_crank_ideal",
       "shear at 0.28 ms",
       "1e-6",
       [](const RecordedRun& run) { return 1e6 * run.at("crank.element3.strain.y", 0.00028); },
       -0.448481184,
       -0.448064685,
       {"/simulation/integrator/step=1e-5", "/simulation/end_time=3e-4"}},
      {"bearing_slider_crank_ideal",
       "kinetic energy at 0 s",
       "J",
       at("energy.kinetic", 0),
       15.2894332,
       15.2894332,
       {"/simulation/integrator/step=1e-5", "/simulation/end_time=3e-4"}},
      {"bearing_slider_crank_rigid", "kinetic energy at 0 s", "J", at("energy.kinetic", 0),
       33.594628, 33.594628, start_of_rigid_bearing()},
      {"bearing_slider_crank_rigid", "ball 4 at 1.19 ms", "mm/s",
       [](const RecordedRun& run) { return 1000 * run.at("bearing.ball4.velocity.x", 0.00119); },
       2.69352652, 2.69353151, start_of_rigid_bearing()},
      {"bearing_slider_crank_rigid", "seat's force at 0 s", "N", at("outer_seat.force.x", 0),
       0.716082261, 0.716082261, start_of_rigid_bearing()},
      {"bearing_slider_crank_flexible", "kinetic energy at 0 s", "J", at("energy.kinetic", 0),
       15.8740458, 15.8740458, start_of_flexible_bearing()},
      {"bearing_slider_crank_flexible", "shear at 0.222 ms", "1e-9",
       [](const RecordedRun& run) { return 1e9 * run.at("rod.element3.strain.y", 0.000222); },
       -1.9344393, -1.93432209, start_of_flexible_bearing()},
      {"bearing_slider_crank_flexible", "ball 0 at 0.4 ms", "mm/s",
       [](const RecordedRun& run) { return 1000 * run.at("bearing.ball0.velocity.x", 0.0004); },
       -0.898459566, -0.898459537, start_of_flexible_bearing()},
      {"bearing_slider_crank_flexible", "work at 0.228 ms", "mJ",
       [](const RecordedRun& run) { return 1000 * run.at("energy.external_work", 0.000228); },
       0.0194593353, 0.0194636457, start_of_flexible_bearing()},
      {"ball_bearing_3d",
       "motor at 0.52 ms",
       "nN m",
       [](const RecordedRun& run) { return 1e9 * run.at("motor.torque.z", 0.00052); },
       -34.2920195,
       -34.3128782,
       {"/simulation/integrator/step=2e-6", "/simulation/end_time=0.00053",
        "/simulation/record/every=1"}},
      {"ball_bearing_3d", "kinetic energy, 1.75 ms", "J", at("energy.kinetic", 0.00175),
       0.161139059, 0.161139382, start_of_spatial_bearing()},
      {"ball_bearing_3d", "slip in pocket 7", "m/s", at("bearing.pocket7.slip.t1", 0.00086),
       -0.42062459, -0.420624282, start_of_spatial_bearing()},
      {"three_balls_frictional", "kinetic energy, 0.6 s", "J", at("energy.kinetic", 0.6),
       0.147501261, 0.147501257},
      {"three_spheres_plane_frictional", "energy of gravity", "J", at("energy.gravity", 0.525),
       29.4019466, 29.4023392},
      {"pin_in_bore", "gravity at 4.9 ms", "J", at("energy.gravity", 0.0049), -0.00227773926,
       -0.00227773926},
      {"billiard_break", "slip 3 - 4 at 0.135 s", "m/s", at("balls.skin_3.skin_4.0.slip.t2", 0.135),
       -0.111776462, -0.111775485},
      {"pin_in_bore", "impacts take, 0.0799 s", "J", at("energy.impact_loss", 0.0799),
       0.00583563225, 0.00586888598},
      {"beam_falling_mass", "elastic energy at 3.2 s", "J", at("energy.elastic", 3.2), 0.161673226,
       0.161673226},
      {"sliding_wedge", "node 56 across", "mN s",
       [](const RecordedRun& run) {
         return 1000 * run.at("friction.plane.sole.56.impulse.t2", 0.54);
       },
       -0.016834758, -0.0168226187},
      {"beam_falling_mass", "kinetic energy, 0.35 s", "J", at("energy.kinetic", 0.35), 0.033380111,
       0.033238909},
      {"woodpecker_fixed", "gravity's energy, 0.5 s", "J", at("energy.gravity", 0.4999),
       -0.00255681331, -0.00255945822},
      {"woodpecker_fixed", "spin at 0.1146 s", "rad/s", at("bird.angular_velocity.z", 0.1146),
       -8.37647019, -8.37241981},
      {"woodpecker_free", "tilt at 0.0248 s", "rad", at("bird.rotation.z", 0.0248), -0.233056377,
       -0.233056516},
      {"woodpecker_free", "friction takes until 2 s", "J", at("energy.friction_loss", 2),
       0.0036718495, 0.00368257168},
      {"clearance_slider_crank_005", "crank 3, v_y at 8.4 ms", "m/s",
       at("crank.node3.velocity.y", 0.0084), -6.06972564, -6.06974152},
      {"clearance_slider_crank_010", "elastic at 10.48 ms", "J", at("energy.elastic", 0.01048),
       0.0153163252, 0.0150442334},
      {"clearance_slider_crank_010", "crank 1, x at 7.2 ms", "m",
       at("crank.node1.position.x", 0.0072), -0.0101135472, -0.0101135476},
  };
}

std::vector<OwnValue> by_events() {
  std::vector<OwnValue> all;
  const auto add = [&](const char* example, const char* quantity, const char* unit,
                       const Measure& measure, double value) {
    all.push_back({example, quantity, unit, measure, value, value, {}});
  };
  const auto add_impact = [&](const char* example, double force, double indentation, double time) {
    add(example, "peak force, own", "N", strongest(&StrongestImpact::peak_force), force);
    add(example, "indentation, own", "m", strongest(&StrongestImpact::peak_indentation),
        indentation);
    add(example, "duration, own", "s", strongest(&StrongestImpact::duration), time);
  };
  const Measure loss = last("energy.impact_loss");
  for (const char* example :
       {"rocking_specimen_1", "rocking_specimen_1_3d", "rocking_specimen_1_force"}) {
    add(example, "impacts take until 3 s", "J", loss, 25.16049257);
  }
  for (const char* example : {"rocking_specimen_2", "rocking_specimen_2_3d"}) {
    add(example, "impacts take until 3 s", "J", loss, 2.924162572);
  }
  for (const char* example : {"rocking_specimen_4", "rocking_specimen_4_3d"}) {
    add(example, "impacts take until 3 s", "J", loss, 10.70528364);
  }
  add("planar_block", "kinetic energy after", "J", last("energy.kinetic"), 0.2412415777);
  add("sphere_corner", "impacts take", "J", loss, 21.39465077);
  add("block_four_point", "impacts take", "J", loss, 0.03527205936);
  add_impact("sphere_corner", 97745.35223881112, 0.0002762671980270454, 8.605668753603049e-05);
  add_impact("block_four_point", 2054.062107738554, 6.202856071894249e-05, 7.630084789160937e-05);
  add_impact("block_edge_impacts", 315367.4013673887, 0.01766613534080164, 0.013902498728750863);
  add_impact("rocking_specimen_1_force", 20785.42527816656, 0.00031805486900048996,
             0.005429609116537629);
  add_impact("block_surface_force", 45770.16496166578, 0.0002746464783316094,
             0.00015629864418086823);
  add_impact("block_surface_force_8", 35709.96516519951, 0.00022894545035272764,
             0.00013197152596040578);
  add_impact("block_surface_force_16", 30102.701360850275, 0.00020070788862948171,
             0.0001165870238940724);
  add_impact("block_surface_force_25", 26438.867921511996, 0.00018100355968403737,
             0.00010568963316989137);
  return all;
}

}  // namespace

void add_own_references(std::vector<ReferenceCase>& suite) {
  const auto add = [&](const OwnValue& own, Reference row) {
    auto item = std::find_if(suite.begin(), suite.end(), [&](const ReferenceCase& c) {
      return c.example == own.example && (own.settings.empty() || c.settings == own.settings);
    });
    if (item == suite.end()) {
      item = suite.insert(suite.end(), ReferenceCase{own.example, own.settings, {}});
    }
    item->references.push_back(std::move(row));
  };
  for (const OwnValue& own : by_steps()) add(own, row_of(own));
  for (const OwnValue& own : by_events()) add(own, row_of_events(own));
}

}  // namespace saltus
