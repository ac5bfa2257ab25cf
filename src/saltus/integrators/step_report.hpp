// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "saltus/dynamics/contact_points.hpp"
#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/impulse/impact_problem.hpp"

namespace saltus {

enum class ContactEventKind { Impact, Closes, Opens, Sticks, Slips };

/// An impact, or a change of state, of a contact point. Vectors are in inertial components: the
/// normal from the surface to the point, the impulse on the point's body, the velocities of the
/// point relative to the surface.
struct ContactEvent {
  double time = 0;
  ContactIndex contact = 0;
  ContactEventKind kind = ContactEventKind::Impact;
  int order = 0;  ///< of impacts inside a step, from 1; 0 for changes of state
  Vector3 normal = Vector3::UnitX();
  Vector3 impulse = Vector3::Zero();
  Vector3 before = Vector3::Zero();
  Vector3 after = Vector3::Zero();
  double energy_lost = 0;  ///< by this contact in this step, J
};

/// A collision that was resolved in the domain of impulses, with what happened inside of it.
struct Collision {
  double time = 0;
  std::vector<ContactIndex> contacts = {};  ///< of the problem's points
  std::vector<Matrix3> axes = {};           ///< of the points, inertial: columns n, t1, t2
  std::vector<double> preload = {};         ///< normal forces of the points before it, N
  impulse::ImpactProblem problem = {};
  impulse::ImpactResult result = {};
};

/// What had to be resolved by a compromise. Steps with the same text are told once and counted.
struct StepWarning {
  std::string text = {};
  std::string detail = {};  ///< how far, what was tried; of the first such step
};

/// How the velocities of a step come from the smooth forces f at its ends: by their means
///   (1 − α_m) f̄_{n+1} + α_m f̄_n = (1 − α_f) f_{n+1} + α_f f_n,
/// as h ((1 − γ) f̄_n + γ f̄_{n+1}). As it stands: the mean of both ends. Behind a step of another
/// length f_n + stretch (f̄_n − f_n) stands for f̄_n.
struct ForceWeights {
  double alpha_m = 0;
  double alpha_f = 0;
  double gamma = 0.5;
  double stretch = 1;
};

/// What one step did, or why it did not.
struct StepReport {
  bool converged = true;
  bool usable = true;             ///< the last iterate is finite
  bool is_final = false;          ///< it failed, and a shorter step would fail as well
  bool interrupted = false;       ///< who listens asked it to stop
  bool accurate = true;           ///< all contact problems were solved to the accuracy asked for
  int smooth_iterations = 0;      ///< linear solves of the smooth motion
  int position_iterations = 0;    ///< of the position correction
  int velocity_iterations = 0;    ///< of the velocity correction
  double position_violation = 0;  ///< largest at the end, m; angles × characteristic length
  double velocity_violation = 0;  ///< m/s, likewise
  double penetration = 0;         ///< deepest at the end, m, ≥ 0
  /// Deepest that a gap may have been below zero unseen, m; NaN: not looked for.
  double overlooked = std::numeric_limits<double>::quiet_NaN();
  double contact_residual = 0;  ///< relative, of the contact laws at velocity level
  double contradiction = 0;     ///< m/s with which joints or contacts push through closed ones
  ForceWeights weights = {};
  /// Whether the corrections of a joint's velocities, in the order of the system, acted along the
  /// mean of its rows at both ends; empty: all along those of the end. Until the next step.
  std::span<const char> joints_along_mean = {};
  /// The multipliers of the step's smooth motion, where an impact or a break of a drive or load
  /// gave State::multiplier others to go on with; empty: they are the same. Until the next step.
  std::span<const double> smooth_multiplier = {};
  /// And then what those to go on with change until the time at which the next mean begins.
  std::span<const double> multiplier_ahead = {};
  /// What joints, in the order of the system, gave in the step, N s and N m s, each part along the
  /// axes along which it acted, with what their stops gave; empty: the means of multipliers,
  /// State::impulse and State::contacts say it.
  std::vector<JointReaction> joint_impulses = {};
  /// And then what stops push with at the end of the step, N and N m.
  std::vector<JointReaction> stop_forces = {};
  /// Of joints, where some went through the step by themselves, in shorter ones: only their sums
  /// are meant in `joint_impulses`; empty: all or none. And the smooth forces at the time at which
  /// the method has its a_n, with which their means go on.
  std::vector<char> summed_joints = {};
  std::vector<JointReaction> joint_means = {};
  /// Nodes of bodies that were left as they are. Until the next step.
  std::span<const int> sleeping = {};
  std::string message = {};  ///< which sub-problem failed, where, how far; empty if converged
  /// Components whose sub-problem failed; empty: it converged, or it is not known who.
  std::vector<char> failed = {};
  std::vector<StepWarning> warnings = {};
  std::vector<ContactEvent> events = {};
  std::vector<Collision> collisions = {};  ///< only where their histories are asked for

  bool is_summed(std::size_t joint) const {
    return joint < summed_joints.size() && summed_joints[joint] != 0;
  }
  void warn(std::string text, std::string detail = {}) {
    StepWarning& warning = warnings.emplace_back();
    warning.text = std::move(text);
    warning.detail = std::move(detail);
  }
};

}  // namespace saltus
