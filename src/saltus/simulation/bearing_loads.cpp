// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/bearing_loads.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "saltus/hertz/rating_life.hpp"
#include "saltus/model/local_law.hpp"
#include "saltus/simulation/friction_sectors.hpp"

namespace saltus {
namespace {

constexpr double window = full_turn / FrictionSectors::count;

/// D/D_pw, up to this in the standard.
constexpr double largest_gamma = 0.4;

}  // namespace

std::string why_unrated(const BallBearing& b) {
  const double gamma = 2 * b.ball_radius / (b.inner_radius + b.outer_radius);
  if (gamma > largest_gamma) {
    return fmt::format("ISO 281 rates balls of up to {:g} pitch diameters; these have {:.3g}",
                       largest_gamma, gamma);
  }
  if (b.inner_groove_radius && b.outer_groove_radius) return {};
  return "ISO 281 rates races with grooves; inner_groove_radius and outer_groove_radius are not "
         "both given";
}

hertz::RatedBearing rated(const BallBearing& b) {
  const double D = 2 * b.ball_radius;
  return {.balls = b.balls,
          .ball_diameter = D,
          .pitch_diameter = b.inner_radius + b.outer_radius,
          .grooves = {*b.inner_groove_radius / D, *b.outer_groove_radius / D}};
}

BearingReferenceLife reference_life(const BallBearing& b, const LoadMeans& inner,
                                    const LoadMeans& outer, bool load_turns_with_inner) {
  BearingReferenceLife life;
  life.load_turns_with_inner = load_turns_with_inner;
  life.ratings = hertz::race_ratings(rated(b));
  life.equivalent.inner = load_turns_with_inner ? inner.still() : inner.turning();
  life.equivalent.outer = load_turns_with_inner ? outer.turning() : outer.still();
  life.million_revolutions = hertz::reference_rating_life(life.ratings, life.equivalent);
  return life;
}

BearingLoads::BearingLoads(const BallBearing& b) : is_rated_(why_unrated(b).empty()) {
  if (!is_rated_) return;
  const hertz::RatedBearing bearing = rated(b);
  f_0_ = hertz::static_capacity_factor(bearing.ball_diameter / bearing.pitch_diameter);
  C_0_ = hertz::basic_static_rating(bearing);
  C_ = hertz::basic_dynamic_rating(bearing);
}

void BearingLoads::add(const Vector3& impulse, double h, double angle) {
  window_impulse_ += impulse;
  window_time_ += h;
  window_angle_ += std::abs(angle);
  if (window_angle_ >= window) close_window();
}

void BearingLoads::close_window() {
  impulse_ += window_impulse_;
  if (window_time_ > 0 && is_rated_) {
    const Vector3 force = window_impulse_ / window_time_;
    const double P =
        hertz::equivalent_load(force.head<2>().norm(), std::abs(force.z()), f_0_, C_0_).load;
    damage_ += P * P * P * window_angle_;
    angle_ += window_angle_;
  }
  window_impulse_.setZero();
  window_time_ = window_angle_ = 0;
}

std::optional<BearingLife> BearingLoads::life(double speed) const {
  if (!(angle_ > 0) || !(damage_ > 0)) return {};
  BearingLife life;
  life.dynamic_rating = C_;
  life.static_rating = C_0_;
  life.equivalent_load = std::cbrt(damage_ / angle_);
  life.million_revolutions = hertz::basic_rating_life(C_, life.equivalent_load);
  life.hours = hertz::life_hours(life.million_revolutions, std::abs(speed) * 60 / full_turn);
  return life;
}

std::optional<hertz::ContactStress> race_stress(const BallBearing& b, bool is_inner, double force,
                                                double cosine) {
  const double nu = b.poisson_ratio.value_or(LocalLawDefaults::poisson_ratio);
  if (!b.young_modulus || nu < 0 || !(force > 0)) return {};
  const hertz::ElasticMaterial steel{*b.young_modulus, nu};
  return hertz::PointContact(race_geometry(b, is_inner, cosine),
                             hertz::contact_compliance(steel, steel), nu)
      .stress(force);
}

}  // namespace saltus
