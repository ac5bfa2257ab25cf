// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/nonsmooth/alart_curnier.hpp"
#include "saltus/nonsmooth/anderson.hpp"
#include "saltus/nonsmooth/contact_measure.hpp"
#include "saltus/nonsmooth/contact_operator.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"
#include "saltus/nonsmooth/contact_system.hpp"
#include "saltus/nonsmooth/path_following.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {

/// What the solvers of one problem share: the problem, the current iterate, the best one so far,
/// and the arrays that they need. The arrays only grow.
template <int N>
struct SolverWorkspace {
  ContactOperator<N> D;
  ContactSystem<N> system;
  SolverOptions options;

  ContactVectors<N> l, u;  // the iterate; u = D l + b
  ContactVectors<N> best_l;
  ContactMeasure best;
  bool diverged = false;  // reactions grew without making the contacts close
  double gap_residual = Acceptance::strict_gap_residual;  // of sliding, where gaps suffice
  double slip_slack = 1;  // how much more sticking contacts may slip than others approach
  double length = 1;      // of chains of contacts: factor of tolerances and limits
  bool is_pile = false;   // judged by motions
  /// Other reactions move the contacts in the same way: they are not unique.
  bool is_ambiguous = false;
  ContactVectors<N> witness_l, witness_u;  // what first moved the contacts well; empty if nothing

  LaneSweeps<float, N> float_lanes;
  LaneSweeps<double, N> lanes;
  Anderson<N> anderson;

  // Newton's method and ADMM
  std::vector<Penalty> penalties;
  std::vector<double> proximal;  // δ_c
  std::vector<ContactMatrix<N>> A, B;
  ContactVectors<N> r, dl, du, l_ref, y, z;
  std::vector<double> shift;

  PathSpace path;

  /// u from l, without accumulated round-off; then the measure of both. Keeps the best iterate.
  ContactMeasure record();
  void restore_best();

  /// Good to round-off; nothing more to do.
  bool solved(const ContactMeasure& m) const;
  /// Good enough if nothing better is found.
  bool acceptable(const ContactMeasure& m) const;
  /// Of positions: all gaps are closed to the tolerance. More digits of the reactions are worth one
  /// attempt, not many: where contacts are redundant, gaps below the tolerance decide who bears.
  bool closes_gaps(const ContactMeasure& m) const;
  /// What is accepted of a pile, and of the positions of many contacts, which may be jammed.
  bool is_enough(const ContactMeasure& m) const;
  /// Approach and slip are as small as is asked of piles.
  bool moves_well(const ContactMeasure& m) const;

 private:
  void compare_reactions(const ContactMeasure& m);
};

/// Whether motions are met to the tolerance, and the laws as well, or gaps closed where they
/// suffice.
/// @param slip_slack  how much more sticking contacts may slip than others approach.
bool is_solved(const ContactMeasure& m, const SolverOptions& options, double gap_residual,
               double slip_slack = 1);

/// How many sweeps, and when they end.
struct Sweeps {
  int most = 0;
  int interval = 10;       ///< after so many the residual is looked at
  bool hand_over = false;  ///< ends if the solution is so near, and the way so slow, that Newton's
                           ///< method is quicker
};

/// Contact by contact, each solved exactly. @return sweeps.
template <int N>
int gauss_seidel(SolverWorkspace<N>& work, const Sweeps& sweeps);

/// How many sweeps in lanes, and when they are looked at.
struct LaneBudget {
  int most = 0;
  int interval = 10;  ///< sweeps between two estimates
  int refresh = 50;   ///< and between two true measures; a multiple
  double enough = 0;  ///< residual at which they end
};

/// Accelerated sweeps over the contacts of free bodies, many contacts at a time: conjugate
/// gradients in float, below a residual that floats carry Anderson's acceleration in double.
/// @return sweeps; 0 if the bodies are not free.
template <int N>
int free_body_sweeps(SolverWorkspace<N>& work, LaneBudget budget);

/// Semi-smooth Newton on the augmented Lagrangian: singular where contacts are redundant.
/// @return linear solves.
template <int N>
int newton(SolverWorkspace<N>& work, int iterations);

/// Proximal method of multipliers, each step by semi-smooth Newton: redundant contacts too.
/// @return linear solves.
template <int N>
int proximal_newton(SolverWorkspace<N>& work, int iterations);

/// Alternating directions with De Saxcé's shift renewed every iteration. @return iterations.
template <int N>
int admm(SolverWorkspace<N>& work, int iterations);

/// Interior points, the path of their barrier past its folds, polish; begins anew, not with l. Six
/// rows have no such path here. @return factorisations.
int path_following(SolverWorkspace<3>& work, int factorisations);

/// The last digits of a solution near work.l, in the unknowns of the bodies. @return
/// factorisations.
int polish(SolverWorkspace<3>& work, int factorisations);

}  // namespace saltus::nonsmooth
