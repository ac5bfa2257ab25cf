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

// Free bodies: the motion w of the bodies carries the news from contact to contact.
template <int N>
void sweep_bodies(SolverWorkspace<N>& work) {
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const ContactVector<N> dl = change_of<N>(work, c, work.D.gather(c));
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
  if (!(now < 0.1)) return false;
  const double rate = std::log(before / now);
  return rate * intervals_left < std::log(now / tolerance);
}

}  // namespace

template <int N>
int gauss_seidel(SolverWorkspace<N>& work, int sweeps, int interval, bool hand_over) {
  double before = work.best.residual;
  work.D.motion(work.l, work.u);
  for (int done = 0; done < sweeps;) {
    const int batch = std::min(interval, sweeps - done);
    for (int k = 0; k < batch; ++k) work.D.local() ? sweep_bodies(work) : sweep_dense(work);
    done += batch;
    const ContactMeasure m = work.record();
    if (work.solved(m) || !std::isfinite(m.error) || m.growth > 1e10) return done;
    if (hand_over &&
        too_slow(before, m.residual, work.options.tolerance, (sweeps - done) / interval)) {
      return done;
    }
    before = m.residual;
  }
  return sweeps;
}

template int gauss_seidel<3>(SolverWorkspace<3>&, int, int, bool);
template int gauss_seidel<6>(SolverWorkspace<6>&, int, int, bool);

}  // namespace saltus::nonsmooth
