// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/hertz/impulse_filter.hpp"
#include "saltus/simulation/bearing_loads.hpp"
#include "saltus/simulation/bearing_stiffness.hpp"
#include "saltus/simulation/friction_sectors.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Follows the ball bearings of a model: where balls and cage are, what they bear, how long the
/// bearings would live (docs/guide/ball_bearings.md).
class BearingWatch : public Observer {
 public:
  /// @param model   from which `system` has been made
  /// @param system  must live longer
  BearingWatch(const CheckedModel& model, const System& system);

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  /// Loads of rigid bearings are means since the last row.
  void row(const State& state, Row& row) override;
  void finish(const State& state, RunOutput& output) const override;
  void equilibrium(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override;
  /// What they did until now.
  std::vector<BearingTotal> totals() const;

 private:
  /// A race on the node that carries it.
  struct Race : ElasticRace {
    int group = 0;           ///< its contact of the model
    ContactIndex first = 0;  ///< its contact point with ball 0; those of the others follow
  };
  /// Contact of one ball with one race.
  struct Touch {
    double since_row = 0, total = 0;     ///< normal impulse, N s
    double now = 0;                      ///< of the last step
    double peak = 0;                     ///< N
    double step = 0;                     ///< length of the last step, s; 0: it does not count
    double cosine = 1, peak_cosine = 1;  ///< of the contact angle at the last step, at the peak
    hertz::ImpulseFilter filter = {};

    void take(const std::optional<hertz::ImpulseSplit>& split, double h);
    void take(double force);
    void archive(Archive& memory) {
      memory(since_row, total, now, peak, step, cosine, peak_cosine, filter);
    }
  };
  struct Bearing {
    BallBearing data = {};
    Race inner = {}, outer = {};
    std::vector<int> balls = {};  ///< their nodes
    std::vector<Touch> on_inner = {}, on_outer = {};
    std::vector<double> angles = {};  ///< of the balls about the outer race's axis, unwrapped
    double first_mean = 0;            ///< of the angles at the start
    FrictionSectors friction;         ///< of the outer race
    BearingLoads loads;
    // Since counting began, at the time `from`.
    bool counts = false;
    double from = 0;
    double from_mean = 0;    ///< of the angles then
    double inner_angle = 0;  ///< turned
    // Of compliant bearings, weighted by the angle turned.
    LoadMeans inner_means = {}, outer_means = {};
    Vector3 seen_from_inner = Vector3::Zero();  ///< impulse on the inner race in its own axes, N s

    void archive(Archive& memory) {
      memory(on_inner, on_outer, angles, first_mean, friction, loads, counts, from, from_mean,
             inner_angle, inner_means, outer_means, seen_from_inner);
    }
  };
  /// Motion in the axes of the outer race.
  struct Motion {
    std::vector<double> angles = {};  ///< of the balls, −π to π
    double cage_speed = 0, inner_speed = 0;
  };

  Race race(const Model& model, const Frame& frame, const std::string& contact) const;
  const NodePose& pose(const State& state, int node) const;
  std::pair<Vector3, Vector3> velocity(const State& state, int node) const;
  Motion motion(const Bearing& bearing, const State& state) const;
  void begin_to_count(Bearing& bearing) const;
  Vector3 take_impulses(Bearing& bearing, const State& state, double h) const;
  double follow(Bearing& bearing, const State& state, double h) const;
  BearingTotal total(Bearing& bearing) const;
  void put_loads(Bearing& bearing, double time, BearingTotal& total) const;
  const ContactMemory& memory(const Race& race, std::size_t ball, const State& state) const;
  void look_at_forces(Bearing& bearing, const State& state, double angle) const;
  double contact_angle(const Race& race, std::size_t ball, bool is_inner, const State& state) const;
  void put_reference_life(const Bearing& bearing, BearingTotal& total) const;
  BearingTotal at_rest(const Bearing& bearing, const State& state) const;

  const System& system_;
  std::vector<Bearing> bearings_;
  double last_time_ = 0, row_time_ = 0;
};

}  // namespace saltus
