// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

constexpr double relaxation = 1.6;
constexpr int check_interval = 10;
constexpr int adaptation_interval = 50;
constexpr int last_adaptation = 400;

// Splits u + s = z: the motion u of the bodies, and z in the dual cones; y are the reactions.
template <int N>
class Admm {
 public:
  explicit Admm(SolverWorkspace<N>& work) : work_(work) {
    const std::size_t count = work.l.size();
    work.y = work.l;
    work.z.resize(count);
    work.shift.resize(count);
    work.r.resize(count);
    work.A.resize(count);
    work.B.resize(count);
    work.D.motion(work.l, work.u);
    for (std::size_t c = 0; c < count; ++c) {
      const Cone<N>& cone = work.D.cone(c);
      work.shift[c] = dilation(work.u[c], cone);
      work.z[c] = project_on_dual_cone(de_saxce(work.u[c], cone), cone);
    }
  }

  bool factorize() {
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      const bool movable = work_.D.movable(c);
      work_.A[c] = ContactMatrix<N>::Identity() * (movable ? 1.0 : 0.0);
      work_.B[c] = ContactMatrix<N>::Identity() * (movable ? 1 / penalty(c) : 1);
    }
    return work_.system.factorize(work_.D, work_.A, work_.B);
  }

  void iterate() {
    move_bodies();
    primal_ = dual_ = 0;
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      if (work_.D.movable(c)) update(c);
    }
  }

  // Balances the two errors. Returns whether the penalty changed.
  bool adapt() {
    const double ratio = std::sqrt(std::sqrt(primal_) / std::max(std::sqrt(dual_), 1e-300));
    if (!(ratio < 0.2 || ratio > 5)) return false;
    factor_ *= std::clamp(ratio, 0.1, 10.0);
    return true;
  }

 private:
  double penalty(std::size_t c) const { return factor_ * work_.D.rho(c); }

  // (R⁻¹ + D) x = R⁻¹ y + z − b − s, then u = D x + b.
  void move_bodies() {
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      if (!work_.D.movable(c)) {
        work_.r[c].setZero();
        continue;
      }
      work_.r[c] = work_.y[c] / penalty(c) + work_.z[c] - work_.D.b(c);
      work_.r[c][0] -= work_.shift[c];
    }
    work_.system.solve(work_.r, work_.dl);
    work_.D.motion(work_.dl, work_.u);
  }

  void update(std::size_t c) {
    const Cone<N>& cone = work_.D.cone(c);
    const double R = penalty(c);
    ContactVector<N> shifted = work_.u[c];
    shifted[0] += work_.shift[c];
    const ContactVector<N> v =
        relaxation * shifted + (1 - relaxation) * work_.z[c] - work_.y[c] / R;
    const ContactVector<N> z = project_on_dual_cone(v, cone);
    primal_ += R * (shifted - z).squaredNorm();
    dual_ += R * (z - work_.z[c]).squaredNorm();
    work_.z[c] = z;
    work_.y[c] = R * (z - v);
    work_.shift[c] = dilation(work_.u[c], cone);
  }

  SolverWorkspace<N>& work_;
  double factor_ = 1;
  double primal_ = 0, dual_ = 0;
};

}  // namespace

template <int N>
int admm(SolverWorkspace<N>& work, int iterations) {
  Admm<N> method(work);
  if (!method.factorize()) return 0;
  for (int k = 1; k <= iterations; ++k) {
    method.iterate();
    if (k % check_interval != 0 && k != iterations) continue;
    for (std::size_t c = 0; c < work.l.size(); ++c) {
      work.l[c] = project_on_cone(work.y[c], work.D.cone(c));
    }
    const ContactMeasure m = work.record();
    if (work.solved(m) || !std::isfinite(m.error) || m.growth > 1e10) return k;
    if (k % adaptation_interval == 0 && k <= last_adaptation && method.adapt() &&
        !method.factorize()) {
      return k;
    }
  }
  return iterations;
}

template int admm<3>(SolverWorkspace<3>&, int);
template int admm<6>(SolverWorkspace<6>&, int);

}  // namespace saltus::nonsmooth
