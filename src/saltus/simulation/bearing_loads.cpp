// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/bearing_loads.hpp"

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

hertz::PrincipalRadii race_radii(const BallBearing& b, bool is_inner, double cosine) {
  const std::optional<double>& groove = is_inner ? b.inner_groove_radius : b.outer_groove_radius;
  const double bottom = is_inner ? b.inner_radius : -b.outer_radius;
  if (!groove) return {.first = bottom};
  if (b.planar) return {bottom, -*groove};
  const double ring = is_inner ? b.inner_radius + *groove : b.outer_radius - *groove;
  return groove_radii({.radius = *groove, .ring_radius = ring, .axis = {}}, cosine);
}

}  // namespace

BearingLoads::BearingLoads(const BallBearing& b) {
  const double gamma = 2 * b.ball_radius / (b.inner_radius + b.outer_radius);
  is_rated_ = gamma <= largest_gamma;
  if (!is_rated_) return;
  const hertz::RatedBearing rated{.balls = b.balls,
                                  .ball_diameter = 2 * b.ball_radius,
                                  .pitch_diameter = b.inner_radius + b.outer_radius};
  f_0_ = hertz::static_capacity_factor(gamma);
  C_0_ = hertz::basic_static_rating(rated);
  C_ = hertz::basic_dynamic_rating(rated);
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
  const hertz::ContactGeometry geometry =
      hertz::contact_geometry({b.ball_radius, b.ball_radius}, race_radii(b, is_inner, cosine));
  return hertz::PointContact(geometry, hertz::contact_compliance(steel, steel), nu).stress(force);
}

}  // namespace saltus
