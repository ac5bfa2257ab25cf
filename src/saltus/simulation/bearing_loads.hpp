// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "saltus/core/archive.hpp"
#include "saltus/model/ball_bearing.hpp"
#include "saltus/simulation/bearing_total.hpp"

namespace saltus {

inline constexpr double full_turn = 2 * std::numbers::pi;

/// Why ISO 281 rates no such bearing; empty if it does.
std::string why_unrated(const BallBearing& bearing);
/// @pre it is rated
hertz::RatedBearing rated(const BallBearing& bearing);

/// Means over balls of powers of what they bear at one race, (29) of docs/theory/contact_forces.md.
struct LoadMeans {
  double cube = 0, higher = 0;  ///< Σ w Q³, Σ w Q^{10/3}
  double weight = 0;

  void add(double load, double w) {
    cube += w * load * load * load;
    higher += w * std::pow(load, 10.0 / 3);
    weight += w;
  }
  /// Of a ring that turns relative to the load, or to which the load stands still.
  double turning() const { return weight > 0 ? std::cbrt(cube / weight) : 0; }
  double still() const { return weight > 0 ? std::pow(higher / weight, 0.3) : 0; }
  void archive(Archive& memory) { memory(cube, higher, weight); }
};

/// Of a bearing that is rated, from the loads of its balls.
/// @param load_turns_with_inner  whether the load stands still seen from the inner ring
BearingReferenceLife reference_life(const BallBearing& bearing, const LoadMeans& inner,
                                    const LoadMeans& outer, bool load_turns_with_inner);

/// Loads of a bearing as its rating life counts them, (22)–(27) of docs/theory/contact_forces.md:
/// means over a part of a turn, so that impacts spread over it, weighted by the angle.
class BearingLoads {
 public:
  explicit BearingLoads(const BallBearing& bearing);

  /// A step.
  /// @param impulse  on the inner race in the axes of the outer one, N s
  /// @param h        its length, s
  /// @param angle    by which the inner race turned, rad
  void add(const Vector3& impulse, double h, double angle);
  /// Takes what has not filled a part of a turn yet. To be called once, at the end.
  void finish() { close_window(); }

  const Vector3& impulse() const { return impulse_; }  ///< all of it, N s
  /// None if the bearing is not of a kind that the standard rates, or bears nothing.
  /// @param speed  mean, of the inner race relative to the outer, rad/s
  std::optional<BearingLife> life(double speed) const;

  void archive(Archive& memory) {
    memory(impulse_, window_impulse_, window_time_, window_angle_, damage_, angle_);
  }

 private:
  void close_window();

  bool is_rated_ = false;
  double f_0_ = 0, C_0_ = 0, C_ = 0;  ///< factor and ratings of the standard
  Vector3 impulse_ = Vector3::Zero();
  Vector3 window_impulse_ = Vector3::Zero();
  double window_time_ = 0, window_angle_ = 0;
  double damage_ = 0, angle_ = 0;  ///< Σ P³ Δθ, Σ Δθ
};

/// Stresses between a ball and a race under a force; none if there is no Young's modulus, or no
/// force.
/// @param cosine  of the contact angle from the direction away from the axis; counts in grooves
std::optional<hertz::ContactStress> race_stress(const BallBearing& bearing, bool is_inner,
                                                double force, double cosine);

}  // namespace saltus
