// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/compliant_contact.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;
using Matrix3x12 = Eigen::Matrix<double, 3, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;

namespace {

/// Where the two bodies are, seen from node A: all vectors in its axes, from its origin.
struct SeenFromA {
  Matrix3 R_A, R_AB;
  Vector3 x;           ///< node B
  Vector3 d;           ///< the point or centre on B
  Vector3 n;           ///< the normal
  Matrix3 n_slope;     ///< ∂n/∂d
  Vector3 on_surface;  ///< the point on B from the surface's origin
  Vector3 c;           ///< the point of contact
  Matrix3 c_slope;     ///< ∂c/∂d
  double gap;

  SeenFromA(const ContactElement& e, const NodePair& q)
      : R_A(q.A.R), R_AB(q.A.R.transpose() * q.B.R), x(q.A.R.transpose() * (q.B.x - q.A.x)) {
    on_surface = e.place_in_A(q);
    d = on_surface + e.frame_A.d;
    n = e.normal_in_A(on_surface);
    n_slope = e.normal_slope_in_A(on_surface);
    gap = e.gap(q);
    const double share = e.are_balls() ? 0.5 : 0;  // two spheres meet in the middle of their gap
    const double arm = e.radius + share * gap;
    c = d - arm * n;
    c_slope = Matrix3::Identity() - arm * n_slope - share * n * n.transpose();
  }

  /// What a point b of B, in its axes, is to A.
  Vector3 place(const Vector3& b) const { return x + R_AB * b; }
  /// Its derivative with respect to the motion of both nodes; times v its velocity seen from A.
  Matrix3x12 place_slope(const Vector3& b) const {
    Matrix3x12 D;
    D << -R_A.transpose(), hat(place(b)), R_A.transpose(), -R_AB * hat(b);
    return D;
  }
  /// ∂(place_slope(b) v)/∂q
  Matrix3x12 rate_slope(const Vector3& b, const Matrix3x12& D, const Vector12& v) const {
    const Vector3 Omega_A = v.segment<3>(3), turning = Vector3(v.tail<3>()).cross(b);
    const Vector3 y = R_A.transpose() * (v.segment<3>(6) - v.head<3>()) + R_AB * turning;
    Matrix3x12 slope = -hat(Omega_A) * D;
    slope.middleCols<3>(3) += hat(y);
    slope.middleCols<3>(9) -= R_AB * hat(turning);
    return slope;
  }
  /// A force F on B at a point, and −F on A there, as forces on the nodes.
  Vector12 on_nodes(const Vector3& F, const Vector3& at) const {
    Vector12 f;
    f << -R_A * F, -at.cross(F), R_A * F, R_AB.transpose() * (at - x).cross(F);
    return f;
  }
  Vector12 on_nodes(const Vector3& F) const { return on_nodes(F, c); }
  /// −∂(on_nodes)/∂q, F having the slope F_slope and the point the slope dat.
  Matrix12 stiffness(const Vector3& F, const Matrix3x12& F_slope, const Vector3& at,
                     const Matrix3x12& dat) const {
    const Vector3 m = (at - x).cross(F);
    Matrix3x12 dx = Matrix3x12::Zero();
    dx << -R_A.transpose(), hat(x), R_A.transpose(), Matrix3::Zero();
    Matrix12 K;
    K.topRows<3>() = R_A * F_slope;
    K.block<3, 3>(0, 3) -= R_A * hat(F);
    K.middleRows<3>(3) = hat(at) * F_slope - hat(F) * dat;
    K.middleRows<3>(6) = -K.topRows<3>();
    K.bottomRows<3>() = R_AB.transpose() * (hat(F) * (dat - dx) - hat(Vector3(at - x)) * F_slope);
    K.block<3, 3>(9, 3) += R_AB.transpose() * hat(m);
    K.block<3, 3>(9, 9) -= hat(Vector3(R_AB.transpose() * m));
    return K;
  }
};

/// f, tangent at the normal n_0, turned with the normal to n on the shortest way.           (10)
struct Turned {
  Vector3 f;
  Matrix3 slope;  ///< ∂f/∂n

  Turned(const Vector3& before, const Vector3& n_0, const Vector3& n) {
    const double along = n.dot(before), b = 1 + n_0.dot(n);
    f = before - along / b * (n_0 + n);
    slope = -(n_0 + n) * (before / b - along / (b * b) * n_0).transpose() -
            along / b * Matrix3::Identity();
  }
};

/// The spring across the normal at the end of a step.                                     (9–12)
struct Friction {
  Vector3 f = Vector3::Zero();       ///< on B
  Vector3 trial = Vector3::Zero();   ///< if it stuck
  Vector3 before = Vector3::Zero();  ///< at the beginning, turned to here
  bool sticks = false;
  double stiffness = 0;  ///< of the step
  double at_end = 0;     ///< k_t at the end
  double bound = 0;      ///< μ N
};

/// What the elastic energy, K(c) δⁿ⁺¹/(n + 1) with the cosine c of the angle in the section of a
/// groove, does besides pushing along the normal.                                          (14)
struct AcrossGroove {
  SectionCosine section = {};
  hertz::StiffnessInGroove::Value hardness = {};  ///< K(c)/K, and its derivatives
  double energy = 0;                              ///< with the K of the bottom, J
  Vector3 force = Vector3::Zero();                ///< on the point of B
};

/// All that forces, tangents and memories need.
struct Contacting {
  const CompliantContact& e;
  const ContactMemory& memory;
  SeenFromA at;
  double h;
  bool is_closed = false;
  double mu = 0;
  hertz::NormalForce normal = {};
  double rate = 0;  ///< δ̇
  Vector3 ddot = Vector3::Zero();
  Matrix3x12 D = Matrix3x12::Zero();
  Vector3 slip = Vector3::Zero();  ///< of the step, surface against surface
  Friction friction = {};
  AcrossGroove groove = {};

  Contacting(const CompliantContact& of, const NodePair& q, const Vector12& v, double time,
             const ContactMemory& known)
      : e(of), memory(known), at(of.contact, q), h(std::max(time - known.time, 0.0)) {
    D = at.place_slope(e.contact.frame_B.d);
    ddot = D * v;
    rate = -at.n.dot(ddot);
    is_closed = at.gap < 0 && memory.is_felt && e.contact.is_there(e.contact.place(q));
    if (!is_closed) return;
    if (e.in_groove) look_across();
    normal = e.law_of(memory.approach, groove.hardness.value).force(-at.gap, rate, memory.approach);
    mu = coefficient(e.friction, memory.slip_speed);
    if (mu > 0) rub(q);
  }

  Vector3 force() const { return normal.total() * at.n + friction.f; }

 private:
  void look_across() {
    groove.section = e.contact.section_in_A(at.on_surface);
    groove.hardness = e.in_groove->at(groove.section.value);
    groove.energy = e.law.energy(-at.gap);
    groove.force = -groove.energy * groove.hardness.slope * groove.section.slope;
  }
  void rub(const NodePair& q) {
    Friction& t = friction;
    slip = at.place(memory.anchor_B) - memory.anchor_A;
    const Vector3& belt = e.contact.surface_velocity;
    if (!belt.isZero(0)) slip -= h * (at.R_A.transpose() * (e.contact.axes(q) * belt));
    const Vector3 across = slip - at.n.dot(slip) * at.n;
    t.at_end = std::max(memory.tangential_stiffness,
                        groove.hardness.value * e.law.shear_stiffness(-at.gap));
    t.stiffness = (memory.tangential_stiffness + t.at_end) / 2;  // (9)
    t.before = Turned(memory.friction, memory.normal, at.n).f;
    t.trial = t.before - t.stiffness * across;
    t.bound = mu * normal.total();
    const double size = t.trial.norm();
    t.sticks = size <= t.bound;
    t.f = t.sticks ? t.trial : Vector3(t.bound / size * t.trial);  // (11)
  }
};

/// ∂f/∂q and ∂f/∂v of the spring, N having the slopes dN.
void rub_slopes(const Contacting& k, const Matrix3x12& dn, const Row12& N_q, const Row12& N_v,
                Matrix3x12& df_q, Matrix3x12& df_v) {
  const Friction& t = k.friction;
  const Vector3& n = k.at.n;
  const Matrix3 P = Matrix3::Identity() - n * n.transpose();
  const Turned turned(k.memory.friction, k.memory.normal, n);
  Matrix3x12 trial = (turned.slope + t.stiffness * (n.dot(k.slip) * Matrix3::Identity() +
                                                    n * k.slip.transpose())) *
                     dn;
  trial -= t.stiffness * P * k.at.place_slope(k.memory.anchor_B);
  if (t.at_end > k.memory.tangential_stiffness) {
    const hertz::StiffnessInGroove::Value& hard = k.groove.hardness;
    const double slope = hard.value * k.e.law.shear_stiffness_slope(-k.at.gap) / 2;
    const double by_section = hard.slope * k.e.law.shear_stiffness(-k.at.gap) / 2;
    const Vector3 of_stiffness = by_section * k.groove.section.slope - slope * n;
    trial -= (P * k.slip) * (of_stiffness.transpose() * k.D);
  }
  if (t.sticks) {
    df_q = trial;
    df_v.setZero();
    return;
  }
  const double size = t.trial.norm();
  const Vector3 u = t.trial / size;
  df_q = k.mu * u * N_q + t.bound / size * (Matrix3::Identity() - u * u.transpose()) * trial;
  df_v = k.mu * u * N_v;
}

}  // namespace

CompliantContact::Forces CompliantContact::forces(const NodePair& q, const Vector12& v, double time,
                                                  const ContactMemory& before) const {
  Forces f;
  const Contacting k(*this, q, v, time, before);
  if (!k.is_closed) return f;
  f.elastic = k.at.on_nodes(k.normal.elastic * k.at.n + k.friction.f);
  if (in_groove) f.elastic += k.at.on_nodes(k.groove.force, k.at.d);
  f.damping = k.at.on_nodes(k.normal.damping * k.at.n);
  return f;
}

namespace {

/// −∂f/∂q of what pushes across a groove.                                                  (14)
Matrix12 stiffness_across(const Contacting& k, const Row12& delta) {
  const AcrossGroove& g = k.groove;
  const double push = g.energy > 0 ? k.e.law.stiffness * std::pow(-k.at.gap, k.e.law.exponent) : 0;
  Matrix3x12 F_slope = -push * g.hardness.slope * g.section.slope * delta;
  F_slope -= g.energy *
             (g.hardness.curvature * g.section.slope * g.section.slope.transpose() +
              g.hardness.slope * g.section.curvature) *
             k.D;
  return k.at.stiffness(g.force, F_slope, k.at.d, k.D);
}

/// The slopes of the force on B, in A's axes, and of the normal there.
struct ForceSlopes {
  Matrix3x12 dn, F_q, F_v;
  Row12 delta;  ///< of the indentation

  explicit ForceSlopes(const Contacting& k, const Vector12& v)
      : dn(k.at.n_slope * k.D), delta(-k.at.n.transpose() * k.D) {
    const Matrix3x12 ddot_q = k.at.rate_slope(k.e.contact.frame_B.d, k.D, v);
    const Row12 rate_q = -k.ddot.transpose() * dn - k.at.n.transpose() * ddot_q;
    Row12 N_q =
        (k.normal.stiffness + k.normal.damping_slope) * delta + k.normal.damping_rate * rate_q;
    if (k.e.in_groove) {
      const hertz::StiffnessInGroove::Value& hard = k.groove.hardness;
      N_q += k.normal.by_stiffness * hard.slope / hard.value * k.groove.section.slope.transpose() *
             k.D;
    }
    const Row12 N_v = k.normal.damping_rate * delta;
    F_q = k.at.n * N_q + k.normal.total() * dn;
    F_v = k.at.n * N_v;
    if (k.mu > 0) {
      Matrix3x12 df_q, df_v;
      rub_slopes(k, dn, N_q, N_v, df_q, df_v);
      F_q += df_q;
      F_v += df_v;
    }
  }
};

}  // namespace

CompliantContact::Tangents CompliantContact::tangents(const NodePair& q, const Vector12& v,
                                                      double time,
                                                      const ContactMemory& before) const {
  Tangents t;
  const Contacting k(*this, q, v, time, before);
  if (!k.is_closed) return t;
  const ForceSlopes slopes(k, v);
  t.K = k.at.stiffness(k.force(), slopes.F_q, k.at.c, k.at.c_slope * k.D);
  if (in_groove) t.K += stiffness_across(k, slopes.delta);
  for (int j = 0; j < 12; ++j) t.C.col(j) = -k.at.on_nodes(slopes.F_v.col(j));
  return t;
}

CompliantContact::Reading CompliantContact::reading(const NodePair& q, const Vector12& v,
                                                    double time,
                                                    const ContactMemory& before) const {
  Reading seen;
  const Contacting k(*this, q, v, time, before);
  if (!k.is_closed) return seen;
  const ForceSlopes slopes(k, v);
  // Of a vector in A's axes to inertial ones, which turn with A.
  const auto turned = [&](const Vector3& y, Matrix3x12 dy) -> Matrix3x12 {
    dy.middleCols<3>(3) -= hat(y);
    return k.at.R_A * dy;
  };
  seen.is_closed = true;
  seen.normal = k.at.R_A * k.at.n;
  seen.normal_q = turned(k.at.n, slopes.dn);
  seen.force = time > before.time ? Vector3(k.at.R_A * k.force()) : before.force;
  seen.force_q = turned(k.force(), slopes.F_q);
  seen.force_v = k.at.R_A * slopes.F_v;
  seen.indentation = -k.at.gap;
  seen.indentation_q = slopes.delta;
  return seen;
}

namespace {

/// Whether it will be felt when it overlaps: only what has come round an edge is not.
bool is_felt_next(const ContactElement& e, const NodePair& q, double gap, bool is_closed) {
  if (!e.is_open()) return true;
  return is_closed || (gap >= 0 && e.is_on_side(e.place(q)));
}

/// What slipping has taken, and what the spring lost by growing stiffer, ≥ 0.              (13)
double rubbed(const Contacting& k) {
  const Friction& t = k.friction;
  if (!k.is_closed || !(t.stiffness > 0)) return 0;
  const Vector3 way = (t.trial - t.f) / t.stiffness;  // slipped, against the force
  const double slipped = std::max(0.0, way.dot(t.f + t.before) / 2);
  const double k_0 = k.memory.tangential_stiffness;
  double stiffened = t.f.squaredNorm() / 2 * (1 / t.stiffness - 1 / t.at_end);
  if (k_0 > 0) stiffened += t.before.squaredNorm() / 2 * (1 / k_0 - 1 / t.stiffness);
  return slipped + stiffened;
}

}  // namespace

ContactMemory CompliantContact::end(const NodePair& q, const Vector12& v, double time,
                                    const ContactMemory& before, ContactBooks& books) const {
  const Contacting k(*this, q, v, time, before);
  ContactMemory now;
  now.time = time;
  now.gap = k.at.gap;
  now.is_closed = k.is_closed;
  now.is_felt = is_felt_next(contact, q, now.gap, now.is_closed);
  now.rate = k.rate;
  now.approach = std::max(k.rate, k.is_closed ? before.approach : 0.0);  // (3)
  const bool has_never_met = k.is_closed && before.is_closed && before.approach == 0;
  if (has_never_met) now.approach = 0;  // at rest from the start on: round-off is no approach
  now.normal = k.at.n;
  now.anchor_A = k.at.c;
  now.anchor_B = k.at.R_AB.transpose() * (k.at.c - k.at.x);
  const Vector3 velocity = k.at.place_slope(now.anchor_B) * v;
  Vector3 slip = velocity - k.at.n.dot(velocity) * k.at.n;
  const Vector3& belt = contact.surface_velocity;
  if (!belt.isZero(0)) {
    const Vector3 along = k.at.R_A.transpose() * (contact.axes(q) * belt);
    slip -= along;
    books.belt_work += k.h / 2 * (k.friction.f + k.friction.before).dot(along);
  }
  now.slip_speed = slip.norm();
  books.friction_loss += rubbed(k);
  now.hardness = k.groove.hardness.value;
  if (k.is_closed) {
    now.tangential_stiffness = k.friction.at_end;
    now.friction = k.friction.f;
    now.normal_force = k.normal.total();
    now.sticks = k.friction.sticks;
    now.force = k.at.R_A * (k.force() + k.groove.force);
  }
  now.impulse = k.h / 2 * (before.force + now.force);
  return now;
}

ContactMemory CompliantContact::start(const NodePair& q, const Vector12& v, double time) const {
  ContactMemory before;
  before.time = time;
  before.is_felt = true;
  const SeenFromA at(contact, q);
  before.normal = at.n;
  before.anchor_A = at.c;
  before.anchor_B = at.R_AB.transpose() * (at.c - at.x);
  const double hardness =
      in_groove ? in_groove->at(contact.section_in_A(at.on_surface).value).value : 1.0;
  before.tangential_stiffness = at.gap < 0 ? hardness * law.shear_stiffness(-at.gap) : 0;
  ContactBooks none;
  ContactMemory now = end(q, v, time, before, none);
  now.impulse.setZero();
  return now;
}

/// δ̇⁻ is that of the beginning of the step, so χ does not change with it and has no tangent.
hertz::CompliantLaw CompliantContact::law_of(double approach, double hardness) const {
  hertz::CompliantLaw of_speed = law;
  of_speed.stiffness *= hardness;
  if (damping && approach > 0) of_speed.damping_ratio = damping->ratio(approach);
  return of_speed;
}

double CompliantContact::energy(const ContactMemory& now) const {
  double stored = now.hardness * law.energy(now.indentation());
  if (now.tangential_stiffness > 0) {
    stored += now.friction.squaredNorm() / (2 * now.tangential_stiffness);
  }
  return stored;
}

CompliantContact::Forces CompliantContact::forces(const PairView& at) const {
  return forces(at.poses(), at.velocity(), at.input().at.time, memory_of(at));
}

bool CompliantContact::tangent(const PairView& at, const TangentFactors& factors,
                               Matrix12& A) const {
  const ContactMemory& before = memory_of(at);
  if (factors.stiffness == 0 && factors.damping == 0) return false;
  set_tangent(tangents(at.poses(), at.velocity(), at.input().at.time, before), at, factors, A);
  return true;
}

double CompliantContact::time_scale(const ContactMemory& now, double mass) const {
  const hertz::CompliantLaw here = law_of(0, now.hardness);
  return here.duration(mass, here.meeting_speed(mass, now.indentation(), now.rate));
}

static_assert(ElasticElement<CompliantContact>);

}  // namespace saltus
