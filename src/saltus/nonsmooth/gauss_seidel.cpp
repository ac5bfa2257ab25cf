// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/one_contact.hpp"
#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

// The reaction of contact c that fits its motion u_c, all others held.
Vector3 change_of(const SolverWorkspace& work, std::size_t c, const Vector3& u) {
  const Matrix3& D = work.D.block(c);
  const Vector3 q = u - D * work.l[c];
  return solve_one_contact(D, q, work.D.contact(c).mu, work.l[c]) - work.l[c];
}

// Free bodies: the motion w of the bodies carries the news from contact to contact.
void sweep_bodies(SolverWorkspace& work) {
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const Vector3 dl = change_of(work, c, work.D.gather(c));
    if (dl.isZero(0)) continue;
    work.l[c] += dl;
    work.D.scatter(c, dl);
  }
}

void sweep_dense(SolverWorkspace& work) {
  const Eigen::Map<const Eigen::MatrixXd> D = work.D.dense();
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const Vector3 dl = change_of(work, c, work.u[c]);
    if (dl.isZero(0)) continue;
    work.l[c] += dl;
    flat(work.u).noalias() += D.middleCols<3>(static_cast<Eigen::Index>(3 * c)) * dl;
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

int gauss_seidel(SolverWorkspace& work, int sweeps, int interval, bool hand_over) {
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

}  // namespace saltus::nonsmooth
