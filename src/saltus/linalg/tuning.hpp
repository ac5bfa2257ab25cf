// SPDX-License-Identifier: Apache-2.0
/// Numbers of the factorisations that were tuned, by the measurements in README.md. They choose the
/// quickest of methods that give the same to round-off; only those of `NullTuning` decide what a
/// message names. Internal to linalg.
#pragma once

namespace saltus::linalg {

/// Which method, which ordering, which pivots. Operations are floating-point ones, as expected.
struct MethodTuning {
  /// Unknowns in dense storage. Of chains of jointed bodies and short beams it takes a third of
  /// KLU's instructions or less up to here.
  static constexpr int largest_dense = 64;

  // MUMPS instead of KLU: above both, operations, and operations an entry of L. The second keeps
  // long chains with KLU.
  static constexpr double multifrontal_flops = 1e7;
  static constexpr double multifrontal_intensity = 40;
  static constexpr int smallest_multifrontal = 240;  ///< unknowns: fewer cannot have as many

  // Operations above which nested dissection is worth a trial.
  static constexpr double klu_dissection_flops = 3e8;
  static constexpr double mumps_dissection_flops = 5e8;

  /// KLU keeps a diagonal pivot down to this part of its column; below, an unknown is weak.
  static constexpr double weak_diagonal = 1e-3;
  /// Share of weak unknowns (multipliers) above which their pivots shape the fill.
  static constexpr double many_multipliers = 0.1;
  /// Pivots then are within this of the largest of their column: 10 % more fill, two more digits.
  static constexpr double constrained_pivot = 0.1;

  // Workspace of MUMPS beyond what it expects, in percent: for pivots that are put off. Doubled
  // where it does not do, up to the second.
  static constexpr int first_workspace = 50;
  static constexpr int largest_workspace = 20000;
};

/// When factors are not to be trusted.
struct TrustTuning {
  /// Old pivots are kept while the backward error is below this many times that of new ones.
  static constexpr double error_growth = 10;
  /// Solutions of the probe larger than this over `singular_pivot` are left to KLU to judge.
  static constexpr double doubtful_growth = 0.01;
};

/// The search for unknowns that a singular matrix leaves undetermined.
struct NullTuning {
  /// Directions that the equilibrated matrix shrinks to less than this, or than a few times what it
  /// does to the smallest, are its null space.
  static constexpr double null_value = 1e-9;
  static constexpr double same_value = 10;
  /// Shift of the diagonal in the inverse iteration: well below null_value, well above round-off.
  static constexpr double null_shift = 1e-11;
  static constexpr int null_iterations = 3;
  static constexpr int null_block = 4;            ///< vectors at once
  static constexpr int largest_dense_null = 250;  ///< unknowns: singular values take some 0.1 s
};

}  // namespace saltus::linalg
