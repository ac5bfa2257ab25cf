// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::nonsmooth {

enum class SolverKind {
  Automatic,       ///< a few sweeps, then proximal Newton, then ADMM or more sweeps
  Newton,          ///< semi-smooth Newton on the augmented Lagrangian, as published
  ProximalNewton,  ///< the same with a proximal term: redundant contacts too
  GaussSeidel,     ///< contact by contact
  Admm             ///< alternating directions
};

}  // namespace saltus::nonsmooth
