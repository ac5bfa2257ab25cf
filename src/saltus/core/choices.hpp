// SPDX-License-Identifier: Apache-2.0
/// The words by which a user chooses between methods that are made elsewhere. They stand below all
/// modules, so that the description of a model need not see the solvers, nor the solvers the model.
/// What a choice does is said, and done, in the module whose name it bears.
#pragma once

namespace saltus::hertz {

/// Where the damping of the local law F = (K + D δ̇) δⁿ comes from, (12) of
/// docs/theory/contact_forces.md. All but None were made for n = 3/2.
enum class DampingModel { None, HuntCrossley, LankaraniNikravesh, Hu, Flores, Zhang };

}  // namespace saltus::hertz

namespace saltus::nonsmooth {

/// How a frictional contact problem is solved.
enum class SolverKind {
  Automatic,       ///< a few sweeps, then proximal Newton, then ADMM or more sweeps
  Newton,          ///< semi-smooth Newton on the augmented Lagrangian, as published
  ProximalNewton,  ///< the same with a proximal term: redundant contacts too
  GaussSeidel,     ///< contact by contact
  Admm,            ///< alternating directions
  PathFollowing    ///< interior points along the path of their barrier, past its folds; polished
};

/// How accurately frictional contact problems are solved; docs/guide/contacts.md has the table.
enum class Accuracy {
  Fast,      ///< motions to a tenth of what the motion changes by in a step; few sweeps
  Standard,  ///< to round-off where that can be had, above 300 contacts by motions
  High       ///< as far as the methods get, at any size
};

}  // namespace saltus::nonsmooth

namespace saltus::impulse {

/// What ends an event: how much comes back of what compression took.
enum class RestitutionLaw {
  Energetic,  ///< Stronge: W_nf = (1 − e²) W_nc
  Poisson,    ///< p_nf = (1 + e) p_nc
  Newton      ///< v_nf = −e v_n0 of the group's normal velocity
};

/// The normal work that finds the end of compression.
enum class NormalWork {
  Integral,       ///< ∫ Σ v_n dp_n
  Pseudoinverse,  ///< (3.11) of the thesis; not the work done, kept to repeat its ball
};

/// What becomes of points that separate at the end of an event while others still approach.
enum class Composition {
  Consistent,  ///< every impulse changes every velocity
  Frozen       ///< they keep the velocities of that moment (the thesis; momentum is not kept)
};

/// What the points of a plane or line stand for that share an impulse.
enum class ShareRule {
  Points,  ///< themselves: all count the same (the thesis)
  Face     ///< the face or edge that they span: each for its part of it
};

}  // namespace saltus::impulse
