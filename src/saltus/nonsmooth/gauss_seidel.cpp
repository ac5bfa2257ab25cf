// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/one_contact.hpp"
#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

// The reaction of contact c that fits its motion u_c, all others held.
template <int N>
ContactVector<N> change_of(const SolverWorkspace<N>& work, std::size_t c,
                           const ContactVector<N>& u) {
  const ContactMatrix<N>& D = work.D.block(c);
  const ContactVector<N> q = u - D * work.l[c];
  return solve_one_contact(D, q, work.D.cone(c), work.l[c]) - work.l[c];
}

// The same of a sphere. That its D_cc is not exactly diag(D_NN, d, d)
// only slows the sweeps down: where nothing changes any more, the laws hold.
Vector3 quick_change(double D_NN, double d, double mu, const Vector3& l, const Vector3& u) {
  const double normal = l[0] - u[0] / D_NN;
  if (normal <= 0) return -l;
  const double t1 = l[1] - u[1] / d, t2 = l[2] - u[2] / d;
  const double free = std::sqrt(t1 * t1 + t2 * t2), bound = mu * normal;
  const double factor = free > bound ? bound / free : 1;
  return {normal - l[0], factor * t1 - l[1], factor * t2 - l[2]};
}

// Free bodies: the motion w of the bodies carries the news from contact to contact.
template <int N>
void sweep_bodies(SolverWorkspace<N>& work) {
  const bool quick = work.l.size() > 1;  // one is solved exactly
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const ContactVector<N> u = work.D.gather(c);
    ContactVector<N> dl;
    if constexpr (N == 3) {
      const double d = quick ? work.D.tangential_mobility(c) : 0;
      dl = d > 0 ? quick_change(work.D.block(c)(0, 0), d, work.D.cone(c), work.l[c], u)
                 : change_of<N>(work, c, u);
    } else {
      dl = change_of<N>(work, c, u);
    }
    if (dl.isZero(0)) continue;
    work.l[c] += dl;
    work.D.scatter(c, dl);
  }
}

template <int N>
void sweep_dense(SolverWorkspace<N>& work) {
  const Eigen::Map<const Eigen::MatrixXd> D = work.D.dense();
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const ContactVector<N> dl = change_of<N>(work, c, work.u[c]);
    if (dl.isZero(0)) continue;
    work.l[c] += dl;
    flat<N>(work.u).noalias() += D.middleCols<N>(static_cast<Eigen::Index>(N * c)) * dl;
  }
}

// Whether the rest of the sweeps would not bring the residual from `now` to the tolerance at the
// present rate.
bool too_slow(double before, double now, double tolerance, int intervals_left) {
  if (!(now < SweepTuning::far_residual)) return false;
  const double rate = std::log(before / now);
  return rate * intervals_left < std::log(now / tolerance);
}

}  // namespace

template <int N>
int gauss_seidel(SolverWorkspace<N>& work, const Sweeps& sweeps) {
  double before = work.best.residual;
  work.D.motion(work.l, work.u);
  for (int done = 0; done < sweeps.most;) {
    const int batch = std::min(sweeps.interval, sweeps.most - done);
    for (int k = 0; k < batch; ++k) {
      work.D.local() ? sweep_bodies(work) : sweep_dense(work);
    }
    done += batch;
    const ContactMeasure m = work.record();
    if (work.solved(m) || !std::isfinite(m.error) || m.growth > Acceptance::overflow) return done;
    const int left = (sweeps.most - done) / sweeps.interval;
    if (sweeps.hand_over && too_slow(before, m.residual, work.options.tolerance, left)) return done;
    before = m.residual;
  }
  return sweeps.most;
}

template int gauss_seidel<3>(SolverWorkspace<3>&, const Sweeps&);
template int gauss_seidel<6>(SolverWorkspace<6>&, const Sweeps&);

}  // namespace saltus::nonsmooth
