// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/drive_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

/// A change this many times the last step's is looked at closely.
constexpr double sudden = 3;

struct Jump {
  double time = 0, size = 0;
};

/// Of the largest that was seen: what is less is round-off of the drive's function.
constexpr double round_off = 1e-9;

/// Halves the interval towards the larger change: a jump keeps its size, all else shrinks.
template <class Function>
Jump find_jump(const Function& value, double t_0, double t_1) {
  constexpr int halvings = 24;
  double v_0 = value(t_0), v_1 = value(t_1);
  const double whole = std::abs(v_1 - v_0);
  for (int i = 0; i < halvings; ++i) {
    const double middle = t_0 + (t_1 - t_0) / 2, v = value(middle);
    if (std::abs(v - v_0) >= std::abs(v_1 - v)) {
      t_1 = middle, v_1 = v;
    } else {
      t_0 = middle, v_0 = v;
    }
  }
  const double rest = std::abs(v_1 - v_0);
  return rest >= 0.5 * whole ? Jump{t_1, rest} : Jump{};
}

}  // namespace

DriveWatch::DriveWatch(const System& system, bool by_events)
    : system_(system), by_events_(by_events), last_(system.elements().joints.size()) {}

void DriveWatch::start(const State& state) {
  last_.assign(last_.size(), {});
  last_time_ = state.time;
}

void DriveWatch::step(const State& state, const StepReport& /*step*/, RunOutput& output) {
  for (std::string& jump : jumps(last_time_, state.time)) output.warn(std::move(jump));
  last_time_ = state.time;
}

std::vector<std::string> DriveWatch::jumps(double t_0, double t_1) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const JointEntry& joint = system_.elements().joints[i];
    if (!joint.element.drive) continue;
    const DriveFunction& drive = *joint.element.drive;
    const auto position = [&](double t) { return drive.target(t); };
    const auto speed = [&](double t) { return drive.rate(t); };
    const double moved = std::abs(position(t_1) - position(t_0));
    const double changed = std::abs(speed(t_1) - speed(t_0));
    const double expected = (std::abs(speed(t_0)) + std::abs(speed(t_1))) * (t_1 - t_0);
    Jump jump;
    const char* what = "position";
    Change& last = last_[i];
    last.largest_position = std::max({last.largest_position, std::abs(position(t_1)), moved});
    last.largest_speed = std::max({last.largest_speed, std::abs(speed(t_0)), std::abs(speed(t_1))});
    if (!drive.is_speed &&
        moved > sudden * std::max(last.position, expected) + round_off * last.largest_position) {
      jump = find_jump(position, t_0, t_1);
    }
    if (!by_events_ && jump.size == 0 &&
        changed > sudden * last.speed + round_off * last.largest_speed) {
      jump = find_jump(speed, t_0, t_1);
      what = "speed";
    }
    last.position = moved;
    last.speed = changed;
    if (jump.size == 0) continue;
    found.push_back(fmt::format(
        "the drive of joint \"{}\" jumps by {:.3g} in {} at t = {:.6g} s: {}; use a ramp of the "
        "speed (a table of speeds): forces are right behind its kinks",
        joint.name, jump.size, what, jump.time,
        by_events_ ? "bodies are put there without forces and without work"
                   : "forces near it are impulses that depend on the step, and their work is not "
                     "in the ledger"));
  }
  return found;
}

}  // namespace saltus
