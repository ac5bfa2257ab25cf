// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/hertz/impulse_filter.hpp"
#include "saltus/simulation/bearing_total.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// Follows the ball bearings of a model: where balls and cage are, what they bear, how long the
/// bearings would live (docs/guide/ball_bearings.md).
class BearingWatch {
 public:
  /// The outer race is divided into so many sectors for the friction work.
  static constexpr int sectors = 36;

  /// @param model   as given, from which `system` has been made
  /// @param system  must live longer
  BearingWatch(const Model& model, const System& system);

  void add_columns(std::vector<Column>& columns) const;
  /// The state from which the first step starts.
  void start(const State& state);
  /// Takes in one step.
  void accumulate(const State& state);
  /// Writes the values of the columns from `out` on, returns the place after them. Loads are means
  /// since the last call.
  double* put(const State& state, double* out);
  /// What they did until now; to be asked once, at the end.
  std::vector<BearingTotal> finish();

 private:
  /// A race on the node that carries it.
  struct Race {
    int node = 0;
    FrameOnNode frame = {};
    int group = 0;           ///< its contact of the model
    ContactIndex first = 0;  ///< its contact point with ball 0; those of the others follow
  };
  /// Contact of one ball with one race.
  struct Touch {
    double since_row = 0, total = 0;  ///< normal impulse, N s
    double now = 0;                   ///< of the last step
    double peak = 0;                  ///< N
    double step = 0;                  ///< length of the last step, s
    hertz::ImpulseFilter filter = {};

    void take(const std::optional<hertz::ImpulseSplit>& split, double h);
  };
  struct Bearing {
    BallBearing data = {};
    Race inner = {}, outer = {};
    std::vector<int> balls = {};  ///< their nodes
    std::vector<Touch> on_inner = {}, on_outer = {};
    std::vector<double> angles = {};  ///< of the balls about the outer race's axis, unwrapped
    double first_mean = 0;            ///< of the angles at the start
    double inner_angle = 0;           ///< turned since the start
    double friction_loss = 0;         ///< of the outer contact at the last step
    std::vector<double> friction_work = std::vector<double>(sectors, 0.0);
    Vector3 force = Vector3::Zero();  ///< impulse on the inner race in the outer one's axes, N s
    // Since the last entry of the history of loads.
    Vector3 window_force = Vector3::Zero();
    double window_time = 0, window_angle = 0;
    double damage = 0, damage_angle = 0;  ///< Σ P³ Δθ, Σ Δθ
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
  void take_impulses(Bearing& bearing, const State& state, double h) const;
  void take_friction(Bearing& bearing, const State& state) const;
  void follow(Bearing& bearing, const State& state, double h) const;
  static void close_window(Bearing& bearing);
  BearingTotal total(Bearing& bearing) const;

  const System& system_;
  std::vector<Bearing> bearings_;
  double first_time_ = 0, last_time_ = 0, row_time_ = 0;
};

}  // namespace saltus
