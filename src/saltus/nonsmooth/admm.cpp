// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

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

  // Balances the two errors, for the larger one sets the rate; near balance a change is not worth
  // its factorisation. Returns whether the penalty changed.
  bool adapt() {
    const double ratio = std::sqrt(std::sqrt(primal_) / std::max(std::sqrt(dual_), 1e-300));
    if (!(ratio < 1 / AdmmTuning::balanced || ratio > AdmmTuning::balanced)) return false;
    factor_ *= std::clamp(ratio, 1 / AdmmTuning::most_adaptation, AdmmTuning::most_adaptation);
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
    const ContactVector<N> v = AdmmTuning::admm_relaxation * shifted +
                               (1 - AdmmTuning::admm_relaxation) * work_.z[c] - work_.y[c] / R;
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
    if (k % AdmmTuning::check_interval != 0 && k != iterations) continue;
    for (std::size_t c = 0; c < work.l.size(); ++c) {
      work.l[c] = project_on_cone(work.y[c], work.D.cone(c));
    }
    const ContactMeasure m = work.record();
    if (work.solved(m) || !std::isfinite(m.error) || m.growth > Acceptance::overflow) return k;
    if (k % AdmmTuning::adaptation_interval == 0 && k <= AdmmTuning::last_adaptation &&
        method.adapt() && !method.factorize()) {
      return k;
    }
  }
  return iterations;
}

template int admm<3>(SolverWorkspace<3>&, int);
template int admm<6>(SolverWorkspace<6>&, int);

}  // namespace saltus::nonsmooth
