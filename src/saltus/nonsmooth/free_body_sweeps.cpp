// SPDX-License-Identifier: Apache-2.0
// Sweeps over the contacts of free bodies in lanes, accelerated.
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

// Whether the sweeps end at a measure.
template <int N>
bool ends(const SolverWorkspace<N>& work, const ContactMeasure& m) {
  return work.solved(m) || !std::isfinite(m.error) || m.growth > Acceptance::overflow;
}

// Whether it is time for a true measure, which costs some sweeps: it is due, or the lanes think
// that it would end them. Six rows have no estimate.
template <class Real, int N>
bool is_due(const SolverWorkspace<N>& work, const LaneSweeps<Real, N>& lanes,
            const LaneBudget& budget, const ContactMeasure& last, int done) {
  if (done == budget.most || done % budget.refresh == 0) return true;
  if (done % budget.interval != 0) return false;
  if constexpr (N != 3) return true;
  const ContactMeasure m = lanes.estimate(last);
  return work.solved(m) || m.residual <= budget.enough;
}

// Whether the residual still falls.
class Progress {
 public:
  explicit Progress(const ContactMeasure& m) : residual_(m.residual) {}

  /// False if the last sweeps brought too little.
  bool goes_on(const ContactMeasure& m, int done) {
    if (m.residual < SweepTuning::progress * residual_) {
      residual_ = m.residual;
      marked_ = done;
    }
    return done - marked_ < SweepTuning::patience;
  }

 private:
  double residual_;
  int marked_ = 0;
};

// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe, Erleben 2010): after each sweep the
// reactions go on along the last direction, as far as the ratio of the changes says. A change that
// grew begins anew.
template <class Real, int N>
int conjugate_sweeps(SolverWorkspace<N>& work, LaneSweeps<Real, N>& lanes,
                     const LaneBudget& budget) {
  if (!lanes.attach(work.D)) return 0;
  lanes.take(work.D, work.l, work.u);
  double beta = 0, before = 0;
  ContactMeasure last = work.best;
  Progress progress(last);
  for (int done = 1; done <= budget.most; ++done) {
    const double change = lanes.sweep(beta);
    beta = change < before ? change / before : 0;
    before = change;
    if (!is_due(work, lanes, budget, last, done)) continue;
    lanes.give(work.D, work.l);
    last = work.record();
    if (ends(work, last) || last.residual <= budget.enough) return done;
    if (!progress.goes_on(last, done) && (!work.is_pile || work.is_enough(work.best))) return done;
    lanes.take(work.D, work.l, work.u);
  }
  return budget.most;
}

template <int N>
int combined_sweeps(SolverWorkspace<N>& work, LaneSweeps<double, N>& lanes,
                    const LaneBudget& budget) {
  if (!lanes.attach(work.D)) return 0;
  lanes.take(work.D, work.l, work.u);
  work.anderson.start(lanes);
  ContactMeasure last = work.best;
  Progress progress(last);
  for (int done = 1; done <= budget.most; ++done) {
    const double change = lanes.sweep(0);
    if (is_due(work, lanes, budget, last, done)) {
      lanes.give(work.D, work.l);
      last = work.record();
      if (ends(work, last) || !progress.goes_on(last, done)) return done;
      lanes.take(work.D, work.l, work.u);
      work.anderson.move_origin(lanes);
    }
    work.anderson.extrapolate(lanes, change);
  }
  return budget.most;
}

}  // namespace

template <int N>
int free_body_sweeps(SolverWorkspace<N>& work, LaneBudget budget) {
  work.D.motion(work.l, work.u);
  int done = 0;
  // Piles are not asked for more than floats carry.
  if (work.is_pile || work.best.residual > SweepTuning::float_residual) {
    budget.enough = work.is_pile ? 0 : SweepTuning::float_residual;
    done = conjugate_sweeps<float, N>(work, work.float_lanes, budget);
    if (ends(work, work.best) || (work.is_pile && work.is_enough(work.best))) return done;
    work.restore_best();
  }
  budget.most -= done;
  if (budget.most <= 0) return done;
  return done + combined_sweeps<N>(work, work.lanes, budget);
}

template int free_body_sweeps<3>(SolverWorkspace<3>&, LaneBudget);
template int free_body_sweeps<6>(SolverWorkspace<6>&, LaneBudget);

}  // namespace saltus::nonsmooth
