// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

// Each ball by its own mobility, bounded where it hardly moves.
template <int N>
void set_penalties(SolverWorkspace<N>& work, double penalty) {
  work.penalties.resize(work.l.size());
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    if (!work.D.movable(c)) continue;
    const ContactVector<N> D = work.D.block(c).diagonal();
    Penalty& p = work.penalties[c];
    p.normal = penalty / D[0];
    for_each_ball(work.D.cone(c), [&](auto ball) {
      p.of(ball) = penalty / std::max(ball.of(D).mean(), NewtonTuning::least_mobility * D[0]);
    });
  }
}

// Newton's method on the Alart–Curnier map of u = D l + b + δ_c (l − l_ref).
template <int N>
class InnerNewton {
 public:
  InnerNewton(SolverWorkspace<N>& work, double delta) : work_(work) {
    const std::size_t count = work.l.size();
    work.proximal.resize(count);
    work.A.resize(count);
    work.B.resize(count);
    work.r.resize(count);
    for (std::size_t c = 0; c < count; ++c) {
      work.proximal[c] = work.D.movable(c) ? delta / work.D.rho(c) : 0;
    }
    work.l_ref = work.l;
    form_ = delta > 0 ? SystemForm::Automatic : SystemForm::Full;
  }

  // Until the merit is `relative` times ‖l‖. False if it does not get there.
  bool run(double relative, int limit) {
    double merit = merit_at(0);
    std::array<double, NewtonTuning::line_search_memory> history;
    history.fill(merit);
    double lowest = merit;
    int without_decrease = 0;
    while (true) {
      if (!std::isfinite(merit)) return false;
      if (merit <= relative * size_of_reactions()) return true;
      if (iterations_ >= limit || without_decrease >= NewtonTuning::max_without_decrease)
        return false;
      if (!find_direction()) return false;
      const double next = search(*std::ranges::max_element(history));
      without_decrease = next < 0.5 * lowest ? 0 : without_decrease + 1;
      if (next < 0.5 * lowest) lowest = next;
      history[static_cast<std::size_t>(iterations_) % NewtonTuning::line_search_memory] = next;
      ++iterations_;
      merit = next;
    }
  }

  int iterations() const { return iterations_; }

 private:
  // Squares are divided by ρ_c: energies, so that light bodies count beside heavy ones.
  double size_of_reactions() const {
    double sum = 0;
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      if (work_.D.movable(c)) sum += work_.l[c].squaredNorm() / work_.D.rho(c);
    }
    return std::sqrt(sum);
  }

  // ‖map‖ at l + α dl.
  double merit_at(double alpha) const {
    double sum = 0;
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      if (!work_.D.movable(c)) continue;
      ContactVector<N> l = work_.l[c], u = work_.u[c];
      if (alpha > 0) {
        l += alpha * work_.dl[c];
        u += alpha * work_.du[c];
      }
      u += work_.proximal[c] * (l - work_.l_ref[c]);
      const ContactVector<N> map = alart_curnier_map<N>(l, u, work_.D.cone(c), work_.penalties[c]);
      sum += map.squaredNorm() / work_.D.rho(c);
    }
    return std::sqrt(sum);
  }

  bool find_direction() {
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      ContactTangent<N> tangent;  // of an immovable contact: l stays 0
      if (work_.D.movable(c)) {
        const ContactVector<N> u = work_.u[c] + work_.proximal[c] * (work_.l[c] - work_.l_ref[c]);
        tangent =
            linearize<N>(work_.l[c], u, work_.D.cone(c), work_.penalties[c], work_.proximal[c]);
      }
      work_.A[c] = tangent.A;
      work_.B[c] = tangent.B;
      work_.r[c] = -tangent.F;
    }
    if (!work_.system.factorize(work_.D, work_.A, work_.B, form_)) return false;
    work_.system.solve(work_.r, work_.dl);
    work_.D.multiply(work_.dl, work_.du);
    return true;
  }

  // Non-monotone: an increase is allowed up to the largest of the last merits.
  double search(double reference) {
    double best_alpha = 1, best_merit = merit_at(1);
    for (double alpha = 1; alpha >= NewtonTuning::smallest_step; alpha *= 0.5) {
      const double merit = alpha < 1 ? merit_at(alpha) : best_merit;
      if (!(merit >= best_merit)) {
        best_merit = merit;
        best_alpha = alpha;
      }
      if (merit <= (1 - NewtonTuning::sufficient_decrease * alpha) * reference) {
        best_merit = merit;
        best_alpha = alpha;
        break;
      }
    }
    for (std::size_t c = 0; c < work_.l.size(); ++c) {
      work_.l[c] += best_alpha * work_.dl[c];
      work_.u[c] += best_alpha * work_.du[c];
    }
    return best_merit;
  }

  SolverWorkspace<N>& work_;
  SystemForm form_;
  int iterations_ = 0;
};

template <int N>
void project_reactions(SolverWorkspace<N>& work) {
  for (std::size_t c = 0; c < work.l.size(); ++c) {
    work.l[c] = project_on_cone(work.l[c], work.D.cone(c));
  }
}

// Proximal steps that do not halve the error, after which it is left as it is.
template <int N>
int most_stalled_steps(const SolverWorkspace<N>& work) {
  if (work.closes_gaps(work.best)) return NewtonTuning::stalled_closed_steps;
  return work.acceptable(work.best) ? NewtonTuning::stalled_acceptable_steps
                                    : NewtonTuning::stalled_steps;
}

}  // namespace

template <int N>
int newton(SolverWorkspace<N>& work, int iterations) {
  set_penalties(work, work.options.penalty);
  InnerNewton<N> inner(work, 0);
  inner.run(NewtonTuning::inner_margin * work.options.tolerance, iterations);
  project_reactions(work);
  work.record();
  return inner.iterations();
}

template <int N>
int proximal_newton(SolverWorkspace<N>& work, int iterations) {
  double penalty = work.options.penalty;
  // Near the solution a small δ is safe, and one or two steps are enough.
  const double near = std::clamp(NewtonTuning::nearness * work.best.residual, NewtonTuning::nearest,
                                 NewtonTuning::farthest);
  double delta = std::clamp(work.options.proximal * near, NewtonTuning::smallest_delta,
                            NewtonTuning::largest_delta);
  double floor = NewtonTuning::smallest_delta;  // below which Newton's method failed lately
  double residual = work.best.residual;
  int total = 0;
  int stalled = 0;
  for (int step = 0; step < NewtonTuning::max_proximal_steps && total < iterations; ++step) {
    const double before = work.best.error;
    set_penalties(work, penalty);
    InnerNewton<N> inner(work, delta);
    const double relative = std::max(NewtonTuning::inner_margin * work.options.tolerance,
                                     NewtonTuning::inner_progress * std::min(residual, 1.0));
    const bool found =
        inner.run(relative, std::min(NewtonTuning::max_inner_iterations, iterations - total));
    total += inner.iterations();
    project_reactions(work);
    const ContactMeasure m = work.record();
    if (work.solved(m)) break;
    if (work.diverged && m.growth > Acceptance::lost) break;
    if (found) {
      residual = m.residual;
      const double factor = inner.iterations() <= NewtonTuning::quick_iterations
                                ? NewtonTuning::quick_shrink
                                : NewtonTuning::shrink;
      delta = std::max(std::min(floor, delta), delta / factor);
      floor = std::max(NewtonTuning::smallest_delta, floor / 2);
    } else {
      if (!(m.error <= before)) work.restore_best();
      delta = std::min(NewtonTuning::largest_delta, delta * NewtonTuning::grow);
      floor = delta;
      penalty =
          penalty == work.options.penalty ? NewtonTuning::other_penalty : work.options.penalty;
    }
    stalled = work.best.error < 0.5 * before ? 0 : stalled + 1;
    if (stalled >= most_stalled_steps(work)) break;
  }
  return total;
}

template int newton<3>(SolverWorkspace<3>&, int);
template int newton<6>(SolverWorkspace<6>&, int);
template int proximal_newton<3>(SolverWorkspace<3>&, int);
template int proximal_newton<6>(SolverWorkspace<6>&, int);

}  // namespace saltus::nonsmooth
