// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// Of the outer radius: what rounded numbers of a file may overlap.
constexpr double rounding = 1e-9;

/// Of a ball's radius, by which an elastic one may overlap with both races together.
constexpr double largest_interference = 0.02;

class CheckBearing {
 public:
  /// @param knows_law  whether Young's modulus could be read
  CheckBearing(const Subject& subject, const BallBearing& bearing, bool knows_law,
               const Place& place, std::vector<Issue>& issues)
      : subject_(subject), b_(bearing), knows_law_(knows_law), place_(place), issues_(issues) {}

  void check() const {
    check_name();
    if (knows_law_ && !b_.young_modulus) check_needless();
    check_model();
    check_race(b_.inner, place_ / "inner");
    check_race(b_.outer, place_ / "outer");
    if (b_.inner.body == b_.outer.body) {
      const bool ground = b_.inner.body == ground_body;
      report(place_, "the two races must be on different bodies",
             ground ? "the ground twice"
                    : fmt::format("\"{}\" twice", body_name(subject_.model, b_.inner.body)));
    }
    if (!has_sizes()) return;  // that has its own issue
    const bool grooves_fit = check_grooves();
    check_neighbours();
    if (check_fit() && grooves_fit && check_play()) check_pose();
  }

 private:
  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) const {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  bool has_sizes() const {
    return b_.balls >= 3 && b_.ball_radius > 0 && b_.inner_radius > 0 && b_.outer_radius > 0;
  }
  /// Its parts are colliders.
  void check_name() const {
    if (b_.name.find_first_of("*?") == std::string::npos) return;
    std::string better = b_.name;
    std::replace_if(
        better.begin(), better.end(), [](char c) { return c == '*' || c == '?'; }, '_');
    report(place_ / "name", "a ball bearing's name must have no * or ?", '"' + b_.name + '"',
           "write \"" + better + '"');
  }

  /// What belongs to a local law that is not there.
  void check_needless() const {
    const auto needs_law = [&](const char* key) {
      report(place_ / key, "means nothing without young_modulus", {},
             "give young_modulus, or leave it out");
    };
    if (b_.poisson_ratio) needs_law("poisson_ratio");
    if (b_.damping_model) needs_law("damping_model");
  }

  void check_model() const {
    if (b_.is_compliant()) return check_compliant();
    const auto is_for_compliant = [&](const char* key) {
      report(place_ / key, "is for compliant bearings", {},
             "leave it out, or choose the model \"compliant\"");
    };
    if (b_.damping) is_for_compliant("damping");
    if (b_.divide_steps) is_for_compliant("divide_steps");
  }

  void check_compliant() const {
    if (knows_law_ && !b_.young_modulus) {
      report(place_ / "model", "a compliant bearing needs young_modulus", {},
             "give it, 2.08e11 for bearing steel, or leave model out for a rigid bearing");
    }
    if (b_.poisson_ratio.value_or(0) < 0) {
      report(place_ / "poisson_ratio", "of a compliant bearing must not be negative", {},
             "0.3 is that of steel");
    }
    const auto refuse = [&](const char* key, const char* what) {
      report(place_ / key, fmt::format("a compliant bearing has no {}", what), {},
             "leave it out, or use a rigid bearing");
    };
    if (b_.tangential_restitution != 0) {
      refuse("tangential_restitution",
             "tangential restitution: the spring across the normal gives back what it has stored");
    }
    if (b_.rolling_friction > 0) refuse("rolling_friction", "friction against rolling yet");
    if (!b_.damping) return;
    if (b_.damping_model) {
      report(place_ / "damping", "damping_model is given already", {}, "leave one of them out");
    }
    if (b_.restitution != 0) {
      report(place_ / "restitution", "means nothing beside damping: the law says what comes back",
             {}, "leave it out, or give a damping_model instead of damping");
    }
  }

  void check_race(const Frame& frame, const Place& place) const {
    check_frame(subject_, frame, place, FrameUse::Site, issues_);
    const std::string thing = thing_without_axes(subject_, frame, FrameUse::Site);
    if (thing.empty()) return;
    report(place / "body", thing + " has no axes: it cannot carry a race", {},
           "use " + thing_with_axes(thing));
  }

  bool check_grooves() const {
    const bool inner = check_groove(b_.inner_groove_radius, place_ / "inner_groove_radius");
    const bool outer = check_groove(b_.outer_groove_radius, place_ / "outer_groove_radius");
    const double largest = b_.outer_radius / 2;
    if (!outer || !b_.outer_groove_radius || *b_.outer_groove_radius < largest) {
      return inner && outer;
    }
    report(place_ / "outer_groove_radius", "must be smaller than half the outer_radius",
           fmt::format("{:.6g}", *b_.outer_groove_radius),
           fmt::format("half the outer_radius is {:.6g} m", largest));
    return false;
  }

  bool check_groove(const std::optional<double>& radius, const Place& place) const {
    if (!radius || *radius > b_.ball_radius) return true;
    report(
        place, "a groove must be larger than the balls", fmt::format("{:.6g}", *radius),
        fmt::format("ball_radius is {:.6g} m; usual are 1.03 to 1.06 times that", b_.ball_radius));
    return false;
  }

  /// With more clearance than this the races could be drawn apart along the axis, for the contact
  /// angle would be above 90°.
  bool check_play() const {
    if (!b_.has_grooves()) return true;
    const double play = *b_.inner_groove_radius + *b_.outer_groove_radius - 2 * b_.ball_radius;
    if (b_.clearance() <= play + rounding * b_.outer_radius) return true;
    const double least = b_.inner_radius + 2 * b_.ball_radius;
    report(place_ / "outer_radius",
           fmt::format("the grooves do not hold the balls: the clearance is {:.6g} m, the grooves "
                       "are larger than the balls by {:.6g} m together",
                       b_.clearance(), play),
           fmt::format("{:.6g}", b_.outer_radius),
           fmt::format("it must be more than {:.9g}, without clearance, and up to {:.9g}", least,
                       least + play));
    return false;
  }

  /// Whether the balls have room between the races.
  bool check_fit() const {
    if (b_.is_compliant()) return check_interference();
    if (b_.clearance() > rounding * b_.outer_radius) return true;
    const double least = b_.inner_radius + 2 * b_.ball_radius;
    if (b_.clearance() >= -rounding * b_.outer_radius) {
      report(place_ / "outer_radius",
             "without clearance the loads of rigid balls are not determined",
             fmt::format("{:.6g}", b_.outer_radius),
             fmt::format("it must be more than {:.9g}, be it by a micrometre", least));
      return false;
    }
    report(place_ / "outer_radius",
           fmt::format("the balls do not fit between the races: inner_radius + 2 ball_radius is "
                       "{:.6g} m more",
                       -b_.clearance()),
           fmt::format("{:.6g}", b_.outer_radius),
           fmt::format("it must be more than {:.9g}", least));
    return false;
  }

  /// Hertz's theory is for what is small beside the balls.
  bool check_interference() const {
    const double most = largest_interference * b_.ball_radius;
    if (b_.clearance() >= -most) return true;
    const double least = b_.inner_radius + 2 * b_.ball_radius - most;
    report(place_ / "outer_radius",
           fmt::format("the balls would be pressed together by {:.6g} m, more than {:g} of their "
                       "radius",
                       -b_.clearance(), largest_interference),
           fmt::format("{:.6g}", b_.outer_radius),
           fmt::format("it must be at least {:.9g}", least));
    return false;
  }

  /// Whether balls, or the pockets of a ring, have room beside each other.
  void check_neighbours() const {
    const double pitch = (b_.inner_radius + b_.outer_radius) / 2;
    const double chord = 2 * pitch * std::sin(std::numbers::pi / b_.balls);
    const auto most_of = [&](double radius) {
      return radius < pitch ? std::floor(std::numbers::pi / std::asin(radius / pitch)) : 0.0;
    };
    if (chord < 2 * b_.ball_radius * (1 - rounding)) {
      report(place_ / "balls",
             fmt::format("the balls overlap: their centres are {:.6g} m apart, their diameter is "
                         "{:.6g} m",
                         chord, 2 * b_.ball_radius),
             std::to_string(b_.balls), fmt::format("at most {} fit", most_of(b_.ball_radius)));
      return;
    }
    const RingCage* ring = std::get_if<RingCage>(&b_.cage);
    if (ring == nullptr || !(ring->clearance > 0)) return;
    if (chord >= 2 * (b_.ball_radius + ring->clearance)) return;
    report(place_ / "cage" / "clearance",
           fmt::format("the pockets of the ring overlap: their centres are {:.6g} m apart, their "
                       "diameter is {:.6g} m",
                       chord, 2 * (b_.ball_radius + ring->clearance)),
           fmt::format("{:.6g}", ring->clearance),
           fmt::format("it must be smaller than {:.6g}", chord / 2 - b_.ball_radius));
  }

  /// The room that every ball has at the initial pose of the two races.
  void check_pose() const {
    if (b_.inner.body == b_.outer.body) return;
    if (!has_places(subject_, b_.inner.body) || !has_places(subject_, b_.outer.body)) return;
    const RacePose outer = race_pose(subject_.model, b_.outer);
    const RacePose inner = race_pose(subject_.model, b_.inner);
    const Vector3 z = outer.axes.col(2), d = inner.centre - outer.centre;
    const double along = z.dot(d), across = (d - along * z).norm();
    const double angle =
        std::atan2(z.cross(inner.axes.col(2)).norm(), std::abs(z.dot(inner.axes.col(2))));
    const double overlap =
        b_.has_grooves() ? groove_overlap(inner) : cylinder_overlap(across, angle);
    const bool is_beside = !b_.has_grooves() && std::abs(along) > b_.ball_radius;
    const double allowed =
        b_.is_compliant() ? largest_interference * b_.ball_radius : rounding * b_.outer_radius;
    if (overlap <= allowed && !is_beside) return;
    report(place_,
           is_beside ? "the races are not beside each other in the initial pose"
                     : fmt::format("the balls do not fit between the races in the initial pose: "
                                   "they overlap by {:.6g} m",
                                   overlap),
           fmt::format("centres {:.6g} m apart across the axis and {:.6g} m along it, axes {:.6g} "
                       "rad apart",
                       across, std::abs(along), angle),
           fmt::format("move the frames together: the clearance is {:.6g} m", b_.clearance()));
  }

  /// What the races are nearer than the balls need. The axis of a tilted cylinder is nearer by the
  /// square of the angle only.
  double cylinder_overlap(double across, double angle) const {
    return across + b_.inner_radius * (1 - std::cos(angle)) - b_.clearance();
  }
  double groove_overlap(const RacePose& inner) const {
    const double room = *b_.inner_groove_radius - b_.ball_radius;
    double largest = -room;
    for (const BallPlace& place : ball_places(subject_.model, b_)) {
      const Vector3 r = place.centre - inner.centre, a = inner.axes.col(2);
      const double height = a.dot(r), radius = (r - height * a).norm();
      const double ring = b_.inner_radius + *b_.inner_groove_radius;
      largest = std::max(largest, std::hypot(radius - ring, height) - room);
    }
    return 2 * largest;  // at both races
  }

  const Subject& subject_;
  const BallBearing& b_;
  bool knows_law_;
  const Place& place_;
  std::vector<Issue>& issues_;
};

}  // namespace

void check_bearings(const Subject& subject, std::vector<Issue>& issues) {
  const Place list("/model/ball_bearings");
  for (std::size_t i = 0; i < subject.model.ball_bearings.size(); ++i) {
    const Place place = list / i;
    const BallBearing& bearing = subject.model.ball_bearings[i];
    CheckBearing(subject, bearing, subject.known_bearing_laws[i], place, issues).check();
  }
}

}  // namespace saltus
