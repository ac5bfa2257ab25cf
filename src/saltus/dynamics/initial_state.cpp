// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/initial_state.hpp"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/input_error.hpp"
#include "saltus/dynamics/contact_search.hpp"
#include "saltus/geometry/mesh_core.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus {
namespace {

// docs/theory/generalized_alpha.md, section 5. Lengths are in units of the characteristic length,
// angles in rad.

/// The target of the projection: Newton's last step squares what is left, and 1e-12 is well above
/// the round-off of places far from the origin.
constexpr double position_tolerance = 1e-12;
/// A violation that stays above it is one that no projection removes: the steps converge to less
/// where equations agree, redundant or not.
constexpr double contradiction = 1e-7;
/// A motion that has less inertia than this, of the body's largest moment, has none: round-off of
/// the tensor's eigenvalues is 1e-16.
constexpr double no_inertia = 1e-12;
/// What a projection changed by less, of the size, is round-off of the file: nobody is told.
constexpr double noticeable = 1e-9;
constexpr std::size_t most_overlaps = 10;  ///< told one by one
constexpr double overlap = 1e-10;          ///< less is round-off of the file

/// Rows of g in units of the characteristic length (rad for angles).
double scaled_violation(const System& system, const VectorX& g) {
  double worst = 0;
  for (int i = 0; i < system.constraints(); ++i) {
    const double scale = system.is_angular(i) ? 1.0 : system.characteristic_length();
    const double violation = std::abs(g[i]) / scale;
    if (!(violation <= worst)) worst = violation;  // keeps NaN
  }
  return worst;
}

/// The joints whose equations are violated by at least a tenth of the worst.
std::string violated_joints(const System& system, const VectorX& g) {
  const double worst = scaled_violation(system, g);
  std::vector<std::string> names;
  for (const JointEntry& joint : system.elements().joints) {
    for (int i = 0; i < joint.element.rows(); ++i) {
      const int row = joint.first_row + i;
      const double scale = system.is_angular(row) ? 1.0 : system.characteristic_length();
      if (std::abs(g[row]) / scale < 0.1 * worst) continue;
      const std::string name = joint.is_internal() ? joint.name : '"' + joint.name + '"';
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      break;
    }
    if (names.size() == 6) break;
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

[[noreturn]] void throw_contradiction(const System& system, const VectorX& violation,
                                      const char* level) {
  throw InputError(
      Issue{.place = "/model/joints",
            .rule = fmt::format("the joints {} contradict each other: their {} cannot all be met",
                                violated_joints(system, violation), level),
            .remedy = "remove one of them, or change its place, axis, length or drive"});
}

bool linearize_mass(const System& system, KktSolver& kkt, const Configuration& q, double time,
                    Linearization::Rows rows = Linearization::Rows::Velocity) {
  const VectorX zero = VectorX::Zero(system.velocities());
  const VectorX no_multiplier = VectorX::Zero(system.constraints());
  return kkt.linearize(q, zero, zero, {.time = time}, no_multiplier, {.mass = 1, .rows = rows});
}

/// A motion with no inertia that no joint holds makes the equations singular: name it.
void check_inertia(const System& system, const Configuration& q) {
  std::vector<VectorX> motions;  // where M gives no inertia
  for (const RigidInertia& inertia : system.elements().inertias) {
    const Node& node = system.nodes()[static_cast<std::size_t>(inertia.node)];
    if (!node.turns()) continue;
    const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(inertia.tensor);
    for (int k = 0; k < 3; ++k) {
      if (eigen.eigenvalues()[k] > no_inertia * eigen.eigenvalues()[2]) continue;
      VectorX motion = VectorX::Zero(system.velocities());
      motion.segment<3>(node.first_unknown + 3) = eigen.eigenvectors().col(k);
      motions.push_back(std::move(motion));
    }
  }
  // With very many rods the test would take long; the factorisation finds the singularity too.
  if (motions.empty() || motions.size() > 200) return;
  const auto count = static_cast<Eigen::Index>(motions.size());
  Eigen::MatrixXd G_Z(std::max(system.constraints(), 1), count);
  G_Z.setZero();
  VectorX zero_rate, rate;
  if (system.constraints() > 0) {
    system.constraint_rates(q, VectorX::Zero(system.velocities()), 0, zero_rate);
    for (Eigen::Index k = 0; k < count; ++k) {
      system.constraint_rates(q, motions[static_cast<std::size_t>(k)], 0, rate);
      G_Z.col(k) = rate - zero_rate;
    }
  }
  const linalg::PivotedQr qr(G_Z, 1e-9);
  if (qr.rank() == count) return;
  const auto free = static_cast<std::size_t>(qr.pivot(qr.rank()));
  Eigen::Index unknown = 0;
  motions[free].cwiseAbs().maxCoeff(&unknown);
  throw InputError(Issue{
      .place = "/model/bodies",
      .rule = fmt::format("{} can turn about an axis about which it has no inertia",
                          system.owner_name(static_cast<int>(unknown))),
      .remedy = "use an inertia with thickness (solid_cylinder, solid_box), or a joint that holds "
                "this rotation"});
}

void report_moves(const System& system, const Configuration& given, const Configuration& q,
                  const LogSink& log) {
  if (!log) return;
  double far = 0, turn = 0;
  std::string far_name, turn_name;
  for (const BodyEntry& body : system.elements().bodies) {
    for (int i = 0; i < body.nodes; ++i) {
      const auto node = static_cast<std::size_t>(body.node + i);
      const double distance = (q.nodes[node].x - given.nodes[node].x).norm();
      const double angle = q.nodes[node].orientation.angularDistance(given.nodes[node].orientation);
      if (distance > far) far = distance, far_name = body.name;
      if (angle > turn) turn = angle, turn_name = body.name;
    }
  }
  if (far <= noticeable * system.characteristic_length() && turn <= noticeable) return;
  std::string text = "the given pose did not fit the joints: ";
  if (!far_name.empty()) text += fmt::format("body \"{}\" was moved by {:.3g} m", far_name, far);
  if (!far_name.empty() && !turn_name.empty()) text += ", ";
  if (!turn_name.empty())
    text += fmt::format("body \"{}\" was turned by {:.3g} rad", turn_name, turn);
  log(LogLevel::Warning, text + " (the largest changes)");
}

/// A rigid body is moved onto its joints; a flexible one would only be torn at the held nodes.
void check_flexible_moves(const System& system, const Configuration& q, double time) {
  const Configuration& given = system.given_configuration();
  // What rounding of coordinates in a file to four or five digits makes; more is another pose.
  constexpr double far = 1e-4, turned = 1e-3;  // of the size, rad
  for (const BodyEntry& body : system.elements().bodies) {
    for (int i = 0; body.is_flexible() && i < body.nodes; ++i) {
      const auto node = static_cast<std::size_t>(body.node + i);
      const double distance = (q.nodes[node].x - given.nodes[node].x).norm();
      const double angle = q.nodes[node].orientation.angularDistance(given.nodes[node].orientation);
      if (distance <= far * system.characteristic_length() && angle <= turned) continue;
      VectorX g;
      system.constraints(given, time, g);
      throw InputError(
          Issue{.place = "/model/joints",
                .rule = fmt::format("the joints {} do not fit the initial pose of the flexible "
                                    "body \"{}\": they are off by {:.3g} m (or rad)",
                                    violated_joints(system, g), body.name, g.cwiseAbs().maxCoeff()),
                .remedy = "give frames that coincide at the initial pose; only rigid bodies are "
                          "moved onto their joints"});
    }
  }
}

void make_velocity_consistent(const System& system, KktSolver& kkt, State& state,
                              const LogSink& log) {
  VectorX gdot, x;
  system.constraint_rates(state.configuration, state.velocity, state.time, gdot);
  VectorX b = VectorX::Zero(system.unknowns());
  b.tail(system.constraints()) = gdot;
  x = b;
  kkt.solve_unregularized(x);
  const VectorX change = x.head(system.velocities());
  const VectorX before = state.velocity;
  state.velocity += change;
  system.constraint_rates(state.configuration, state.velocity, state.time, gdot);
  double scale = 0, largest = 0;
  int where = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    const double unit = system.is_rotation(i) ? system.characteristic_length() : 1.0;
    scale = std::max({scale, unit * std::abs(before[i]), unit * std::abs(state.velocity[i])});
    if (unit * std::abs(change[i]) > largest) largest = unit * std::abs(change[i]), where = i;
  }
  double worst = 0;
  for (int i = 0; i < system.constraints(); ++i) {
    worst = std::max(
        worst, std::abs(gdot[i]) * (system.is_angular(i) ? system.characteristic_length() : 1.0));
  }
  if (!(worst <= contradiction * scale)) throw_contradiction(system, gdot, "velocities");
  if (log && largest > noticeable * scale) {
    // Bodies given at rest simply start with the motion that drives impose.
    log(before.isZero(0) ? LogLevel::Info : LogLevel::Warning,
        fmt::format("the given velocities did not fit the joints and drives: {} was changed by "
                    "{:.3g} {} (the largest change)",
                    system.unknown_name(where), std::abs(change[where]),
                    system.is_rotation(where) ? "rad/s" : "m/s"));
  }
}

/// Whether G v̇ + gddot = 0, gddot being g̈ at v̇ = 0: drives that agree in position and speed may
/// still contradict each other here.
void check_accelerations(const System& system, const State& state, const VectorX& gddot) {
  if (system.constraints() == 0) return;
  const double L = system.characteristic_length();
  VectorX drives, rates;  // G v̇ = rates − drives
  system.constraint_rates(state.configuration, VectorX::Zero(system.velocities()), state.time,
                          drives);
  system.constraint_rates(state.configuration, state.acceleration, state.time, rates);
  const VectorX missing = rates - drives + gddot;
  // What is large: accelerations, free or held by joints (reaction / mass), and |v|²/L.
  double scale = 0, worst = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    const double unit = system.is_rotation(i) ? L : 1.0, v = state.velocity[i] * unit;
    scale = std::max({scale, std::abs(state.acceleration[i]) * unit, v * v / L});
  }
  for (int i = 0; i < static_cast<int>(system.nodes().size()); ++i) {
    if (system.node_mass(i) == 0) continue;
    const Node& node = system.nodes()[static_cast<std::size_t>(i)];
    const auto reaction = state.forces.constraint.segment<3>(node.first_unknown);
    scale = std::max(scale, reaction.norm() / system.node_mass(i));
  }
  for (int i = 0; i < system.constraints(); ++i) {
    worst = std::max(worst, std::abs(missing[i]) * (system.is_angular(i) ? L : 1.0));
  }
  // Second derivatives of formulas are known to some 1e-9 only.
  if (!(worst <= 1e-5 * scale)) throw_contradiction(system, missing, "accelerations");
}

/// [M, −Gᵀ; −G, 0] (v̇, λ) = (f, g̈ at v̇ = 0)
void solve_accelerations(const System& system, KktSolver& kkt, State& state) {
  const VectorX zero = VectorX::Zero(system.velocities());
  const VectorX no_multiplier = VectorX::Zero(system.constraints());
  const Instant at{.time = state.time};
  system.forces(state.configuration, state.velocity, zero, at, no_multiplier, state.forces);
  VectorX b(system.unknowns()), residual, gddot, x;
  state.forces.residual(residual);
  system.constraint_accelerations(state.configuration, state.velocity, state.time, gddot);
  b << -residual, gddot;
  x = b;
  kkt.solve_unregularized(x);
  state.acceleration = x.head(system.velocities());
  state.multiplier = x.tail(system.constraints());
  state.reaction = state.multiplier;
  state.pseudo_acceleration = state.acceleration;
  system.forces(state.configuration, state.velocity, state.acceleration, at, state.multiplier,
                state.forces);
  check_accelerations(system, state, gddot);
}

/// Whether what a pair of features of a mesh makes of an overlap is one: a point of one of the two
/// is inside of the other. Far walls of a mesh have every point behind them.
bool is_inside(const System& system, ContactIndex contact, const Configuration& q, double depth) {
  const ContactPoints& points = system.elements().contacts;
  const auto solids = points.solids_at(contact);
  if (!solids) return true;
  const ConvexCore &A = points.core(solids->first), &B = points.core(solids->second);
  if (!A.is_mesh && !B.is_mesh) return true;
  const SolidEntry &a = points.solids[static_cast<std::size_t>(solids->first)],
                   &b = points.solids[static_cast<std::size_t>(solids->second)];
  const NodePose &pose_A = q.nodes[static_cast<std::size_t>(a.node)],
                 &pose_B = q.nodes[static_cast<std::size_t>(b.node)];
  const ContactElement e = points.point(contact, q).element;
  const Vector3 n = e.axes(system.pair(q, e.node_A, e.node_B)).col(0);
  const Vector3 middle = e.contact_point(system.pair(q, e.node_A, e.node_B));
  // Of the two points at the ends of the gap one is on each feature.
  double deepest = 0;
  for (const double end : {-0.5, 0.5}) {
    const Vector3 x = middle + end * depth * n;
    const Vector3 in_A = a.frame.axes(pose_A).transpose() * (x - a.frame.point(pose_A));
    const Vector3 in_B = b.frame.axes(pose_B).transpose() * (x - b.frame.point(pose_B));
    deepest = std::max({deepest, depth_inside(A, in_A), depth_inside(B, in_B)});
  }
  return deepest > overlap * system.characteristic_length();
}

/// An overlap at the start is told, and removed by the first step.
void tell_overlaps(const System& system, const State& state, const LogSink& log) {
  const ContactPoints& points = system.elements().contacts;
  if (!log || points.empty()) return;
  const double tolerance = overlap * system.characteristic_length();
  ContactSearch search(system);
  const std::vector<double> margins(system.nodes().size(), 0.0);
  std::size_t told = 0, others = 0;
  // What is deep inside of a mesh seems to a step to come from another side.
  const std::vector<ContactIndex> felt =
      search.find(state.configuration, margins, state.configuration, 0);
  for (const ContactIndex i : search.find(state.configuration, margins)) {
    const ContactElement e = points.point(i, state.configuration).element;
    const ContactElement::Place place =
        e.place(system.pair(state.configuration, e.node_A, e.node_B));
    const double gap = e.gap(place);
    if (gap >= -tolerance || e.has_edges() || !e.is_there(place)) continue;
    const bool is_felt = std::ranges::binary_search(felt, i);
    if (!is_felt && !is_inside(system, i, state.configuration, -gap)) continue;
    if (++told > most_overlaps) {
      ++others;
      continue;
    }
    log(LogLevel::Warning,
        fmt::format(
            "contact \"{}\" starts with an overlap of {:.3g} m; {}", points.name(i), -gap,
            is_felt ? "the first step removes it, but for moreau_jean"
                    : "it stays, for so deep inside of a mesh nothing is felt: move them apart"));
  }
  if (others > 0) log(LogLevel::Warning, fmt::format("{} more contacts start so", others));
}

}  // namespace

double project_position(const System& system, KktSolver& kkt, double time, Configuration& q) {
  if (system.constraints() == 0) return 0;
  VectorX g, x;
  VectorX b = VectorX::Zero(system.unknowns());
  VectorX step = VectorX::Zero(system.velocities());
  Configuration next = q;
  system.constraints(q, time, g);
  double violation = scaled_violation(system, g), best = violation;
  for (int i = 0, stalled = 0; i < 60 && stalled < 6 && violation > position_tolerance; ++i) {
    if (!linearize_mass(system, kkt, q, time, Linearization::Rows::Closing)) break;
    b.tail(system.constraints()) = g;
    x = b;
    kkt.solve_unregularized(x);
    step = x.head(system.velocities());
    double largest = 0;  // a step turns no body by more than half a radian
    for (int k = 0; k < system.velocities(); ++k) {
      const double unit = system.is_rotation(k) ? 1.0 : 2 * system.characteristic_length();
      largest = std::max(largest, std::abs(step[k]) / unit);
    }
    if (!std::isfinite(largest)) return std::numeric_limits<double>::infinity();
    if (largest > 0.5) step *= 0.5 / largest;
    advance(q, system.nodes(), step, next);
    std::swap(q.nodes, next.nodes);
    system.constraints(q, time, g);
    violation = scaled_violation(system, g);
    stalled = violation < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, violation);
  }
  return violation;
}

State initial_state(const System& system, KktSolver& kkt, const LogSink& log) {
  State state;
  state.configuration = system.given_configuration();
  state.velocity = system.given_velocity();
  state.rotation.assign(system.nodes().size(), Vector3::Zero());
  state.impulse.setZero(system.constraints());
  state.forces.resize(system.velocities());

  check_inertia(system, state.configuration);
  kkt.detect_redundancy(state.configuration, state.time);
  const double violation = project_position(system, kkt, state.time, state.configuration);
  if (!(violation <= contradiction)) {
    VectorX g;
    system.constraints(state.configuration, state.time, g);
    throw_contradiction(system, g, "positions");
  }
  check_flexible_moves(system, state.configuration, state.time);
  report_moves(system, system.given_configuration(), state.configuration, log);
  system.update_angles(state.configuration);

  if (!linearize_mass(system, kkt, state.configuration, state.time)) {
    throw InputError(Issue{
        .place = "/model",
        .rule = fmt::format("the equations of motion of {} are singular", kkt.singular_parts()),
        .remedy = "look for a body without inertia or a joint without effect"});
  }
  if (system.constraints() > 0) make_velocity_consistent(system, kkt, state, log);
  system.start_contacts(state.configuration, state.velocity, state.time);
  solve_accelerations(system, kkt, state);

  state.contact_losses.assign(system.elements().contacts.groups.size(), {});
  tell_overlaps(system, state, log);
  state.energy.kinetic = system.kinetic_energy(state.configuration, state.velocity);
  state.energy.gravity = system.gravity_energy(state.configuration);
  state.energy.elastic = system.elastic_energy(state.configuration);
  state.energy.initial = state.energy.total();
  return state;
}

State initial_state(const System& system) {
  KktSolver kkt(system);
  return initial_state(system, kkt);
}

}  // namespace saltus
