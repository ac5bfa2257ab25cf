// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"
#include "saltus/linalg/sparsity_pattern.hpp"
#include "saltus/linalg/units_of_unknowns.hpp"

namespace saltus {
class Archive;
}

namespace saltus::linalg {

/// How a matrix is factorised; all give the same to round-off.
enum class FactorizationMethod {
  Automatic,     ///< By size and expected fill; README.md has the measurements.
  Dense,         ///< for small matrices
  Sparse,        ///< for little fill: keeps pivots, entry by entry
  Multifrontal,  ///< for much fill: chooses pivots anew, in dense blocks
};

/// What a caller may choose of a factorisation.
struct FactorizationOptions {
  FactorizationMethod method = FactorizationMethod::Automatic;

  /// A matrix whose smallest relative pivot is below this is reported as singular, in [0, 1).
  double singular_pivot = 1e-14;

  /// The sparse method keeps the pivots of the last full factorisation until the backward error
  /// exceeds this and ten times what it was then, ≥ 0. 0 chooses new pivots often; large values
  /// let the accuracy of the solutions decay.
  double backward_error = 1e-11;
};

enum class FactorizationStatus { Ok, Singular };

/// Whether the factors can be used, and how good they are.
struct FactorizationReport {
  FactorizationStatus status = FactorizationStatus::Ok;

  /// min_k |u_kk| / max_i |a_ik| over the pivots, rows scaled by their largest entry: independent
  /// of the units of rows and columns. About 1e-16 or 0 for singular matrices.
  double smallest_pivot = 0;

  /// ‖B y − c‖_∞ / (‖y‖_∞ + ‖c‖_∞) of one solve with the scaled matrix B and a fixed right-hand
  /// side c of ones and minus ones. About 1e-16 … 1e-14; larger values mean bad pivots. 0, not
  /// measured, where pivots are new each time: in dense storage, and of blocks of six unknowns or
  /// fewer that are solved apart.
  double backward_error = 0;

  bool ok() const { return status == FactorizationStatus::Ok; }
};

/// How often the parts of the work were done since construction; of several parts the most often.
struct FactorizationCounts {
  int symbolic = 0;    ///< orderings of the unknowns: 1 from the first factorize() on
  int numeric = 0;     ///< full factorisations with a choice of pivots
  int refactored = 0;  ///< factorisations with the pivots of the last full one
};

/// P A Q = L U of square matrices with one pattern: analysed once (the first time), factorised
/// often. Unknowns that no entry connects are parts with factors of their own, bit by bit.
///
/// Made for KKT matrices [S, −Gᵀ; −G, −εI]: symmetric in pattern, not in values, with entries over
/// many decades. After the second factorize() the methods Dense and Sparse allocate nothing as long
/// as old pivots stay good; Multifrontal, which Automatic takes for large matrices with much fill
/// only, allocates in factorize() and in the solves. If it fails, or if a regular matrix looks
/// nearly singular to it, Sparse takes its place for good.
/// Not thread-safe, not even the const functions: they share a workspace.
class Factorization {
 public:
  /// The pattern is not owned: it must outlive the factorisation.
  explicit Factorization(const SparsityPattern& pattern, const FactorizationOptions& options = {});
  ~Factorization();
  Factorization(Factorization&&) noexcept;
  Factorization& operator=(Factorization&&) noexcept;

  /// Before the first factorize(): then pivots are the same in any system of units.
  void set_units(const UnitsOfUnknowns& units);

  /// @pre A has the pattern of the constructor.
  FactorizationReport factorize(const SparseMatrix& A);

  /// b ← A⁻¹ b. @pre the last factorize() returned Ok.
  void solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const;

  /// B ← A⁻¹ B, quicker than column by column. @pre the last factorize() returned Ok.
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  /// For a singular A: the unknowns that A leaves undetermined, i.e. those with large components in
  /// the null space {x : A x = 0} after scaling of the columns; largest first. `threshold` is
  /// relative to the largest component. Slow, allocates; needs no factorize() before.
  std::vector<int> null_unknowns(const SparseMatrix& A, double threshold = 0.1) const;

  const FactorizationCounts& counts() const;

  /// Pivots, scaling and factors. Loaded into another factorisation with the same pattern and
  /// options, which then gives the same bits as this one would. Loading factorises again.
  void archive(Archive& memory);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus::linalg
