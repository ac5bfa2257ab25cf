// SPDX-License-Identifier: Apache-2.0
//
// Times of factorising and solving the kinds of matrices that Saltus makes, by several libraries.
//
//   linalg_bench [case [size …]]      cases: chain3 chain5 jointed grid2 grid3
//
// size: bodies of a chain, bodies or nodes along an edge of a grid. One row a method: analysis
// (once), numeric factorisation with changed values, solve, entries of L + U, backward error.
// CPU times in ms, the best of several runs; "saltus" is the automatic choice. With
// -DSALTUS_BENCH_OTHERS also SuperLU and MUMPS (link superlu, blas). src/saltus/linalg/README.md
// has the results.
#include <suitesparse/klu.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "saltus/linalg/equilibration.hpp"
#include "saltus/linalg/factorization.hpp"
#include "saltus/linalg/nested_dissection.hpp"

#ifdef SALTUS_BENCH_OTHERS
#include <dmumps_c.h>
#include <superlu/slu_ddefs.h>
#endif

using namespace saltus::linalg;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// ---- matrices ----------------------------------------------------------------------------------

using Put = std::function<void(const std::vector<int>&, const std::vector<int>&, const MatrixXd&)>;
using Visit = std::function<void(std::mt19937&, const Put&)>;

struct Problem {
  Problem(int size, const Visit& visit) {
    std::mt19937 random(1);
    PatternBuilder builder(size);
    visit(random, [&](const auto& rows, const auto& cols, const MatrixXd&) {
      builder.add_block(rows, cols);
    });
    pattern = std::make_unique<SparsityPattern>(std::move(builder));
    for (const unsigned seed : {1U, 2U}) {
      auto& A = matrices.emplace_back(*pattern);
      random.seed(seed);
      visit(random, [&](const auto& rows, const auto& cols, const MatrixXd& values) {
        A.add(pattern->scatter_map(rows, cols), values);
      });
    }
  }
  std::unique_ptr<SparsityPattern> pattern;
  std::vector<SparseMatrix> matrices;  // the same pattern, different values
};

MatrixXd noise(std::mt19937& random, int rows, int cols) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return MatrixXd::NullaryExpr(rows, cols, [&] { return uniform(random); });
}

std::vector<int> unknowns(int start, int count) {
  std::vector<int> indices;
  for (int k = 0; k < count; ++k) indices.push_back(start + k);
  return indices;
}

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void put_body(std::mt19937& random, const Put& put, int body) {
  VectorXd units(6);
  units << 1, 1, 1, 0.03, 0.03, 0.03;
  const MatrixXd S = units.asDiagonal() * (MatrixXd::Identity(6, 6) + 0.1 * noise(random, 6, 6)) *
                     units.asDiagonal();
  const double mass = std::pow(10.0, noise(random, 1, 1)(0, 0));
  put(unknowns(6 * body, 6), unknowns(6 * body, 6), mass * S);
}

// `rows` constraints between bodies a and b (−1: ground): 3 spherical, 5 revolute.
void put_joint(std::mt19937& random, const Put& put, int a, int b, const std::vector<int>& rows) {
  const auto count = static_cast<int>(rows.size());
  for (const int row : rows) put({row}, {row}, MatrixXd::Constant(1, 1, -1e-10));
  double sign = 1;
  for (const int body : {a, b}) {
    MatrixXd G = MatrixXd::Zero(count, 6);
    G.topLeftCorner(3, 3) = sign * MatrixXd::Identity(3, 3);
    G.rightCols(3) = noise(random, count, 3);
    G.topRightCorner(3, 3) *= 0.1;
    sign = -1;
    if (body < 0) continue;
    put(rows, unknowns(6 * body, 6), -G);
    put(unknowns(6 * body, 6), rows, -G.transpose());
  }
}

Problem chain(int bodies, int rows) {
  return {(6 + rows) * bodies, [=](std::mt19937& random, const Put& put) {
            for (int i = 0; i < bodies; ++i) {
              put_body(random, put, i);
              put_joint(random, put, i, i - 1, unknowns(6 * bodies + rows * i, rows));
            }
          }};
}

// Calls edge(a, b) for all neighbours in a square grid.
void for_edges(int side, const std::function<void(int, int)>& edge) {
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      if (x + 1 < side) edge(y * side + x, y * side + x + 1);
      if (y + 1 < side) edge(y * side + x, (y + 1) * side + x);
    }
  }
}

// Bodies on a square grid with a spherical joint on each edge: many closed loops.
Problem jointed_grid(int side) {
  const int bodies = side * side;
  return {6 * bodies + 6 * side * (side - 1), [=](std::mt19937& random, const Put& put) {
            int row = 6 * bodies;
            for (int i = 0; i < bodies; ++i) put_body(random, put, i);
            for_edges(side, [&](int a, int b) {
              put_joint(random, put, a, b, unknowns(row, 3));
              row += 3;
            });
          }};
}

Problem spring_grid(int side) {
  return {6 * side * side, [=](std::mt19937& random, const Put& put) {
            for (int i = 0; i < side * side; ++i) put_body(random, put, i);
            for_edges(side, [&](int a, int b) {
              const auto both = joined(unknowns(6 * a, 6), unknowns(6 * b, 6));
              const MatrixXd D = noise(random, 6, 12);
              put(both, both, 10 * D.transpose() * D + 0.01 * noise(random, 12, 12));
            });
          }};
}

Problem solid(int side) {
  return {3 * side * side * side, [=](std::mt19937& random, const Put& put) {
            for (int z = 0; z + 1 < side; ++z) {
              for (int y = 0; y + 1 < side; ++y) {
                for (int x = 0; x + 1 < side; ++x) {
                  std::vector<int> corners;
                  for (int k = 0; k < 8; ++k) {
                    const int node = ((z + k / 4) * side + y + k / 2 % 2) * side + x + k % 2;
                    corners = joined(corners, unknowns(3 * node, 3));
                  }
                  const MatrixXd D = noise(random, 18, 24);
                  put(corners, corners,
                      MatrixXd::Identity(24, 24) + 10 * D.transpose() * D +
                          0.01 * noise(random, 24, 24));
                }
              }
            }
          }};
}

// ---- measuring ---------------------------------------------------------------------------------

double cpu_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double once(const std::function<void()>& work) {
  const double start = cpu_ms();
  work();
  return cpu_ms() - start;
}

// Shortest mean over batches of about 20 ms, for the clock has a resolution of 1 µs.
double best(const std::function<void()>& work) {
  const double first = once(work);
  if (first > 1000) return first;
  const int batch = std::max(1, static_cast<int>(20 / std::max(first, 1e-3)));
  double shortest = 1e300;
  for (int repetition = 0; repetition < 3; ++repetition) {
    shortest = std::min(shortest, once([&] {
                          for (int k = 0; k < batch; ++k) work();
                        }));
  }
  return shortest / batch;
}

struct Result {
  double analysis = 0;
  double factor = 0;
  double solve = 0;
  double fill = 0;
  VectorXd x;
};

VectorXd right_hand_side(const SparseMatrix& A) { return VectorXd::LinSpaced(A.size(), -1, 1); }

double backward_error(const SparseMatrix& A, const VectorXd& x) {
  const VectorXd b = right_hand_side(A);
  VectorXd residual(A.size());
  A.multiply(x, residual);
  double largest = 0;
  for (const double value : A.values()) largest = std::max(largest, std::abs(value));
  return (residual - b).lpNorm<Eigen::Infinity>() /
         (largest * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>());
}

// ---- methods -----------------------------------------------------------------------------------

Result saltus_factorization(const Problem& problem, FactorizationMethod method) {
  Result result;
  std::unique_ptr<Factorization> factorization;
  result.analysis = once([&] {
    factorization =
        std::make_unique<Factorization>(*problem.pattern, FactorizationOptions{.method = method});
    factorization->factorize(problem.matrices[0]);
  });
  result.factor = best([&] { factorization->factorize(problem.matrices[1]); });
  result.solve = best([&] {
    result.x = right_hand_side(problem.matrices[1]);
    factorization->solve_in_place(result.x);
  });
  return result;
}

enum class Ordering { Amd = 0, Colamd = 1, Dissection = 2 };

Result klu(const Problem& problem, Ordering ordering) {
  const SparsityPattern& pattern = *problem.pattern;
  auto* starts = const_cast<int*>(pattern.column_starts().data());
  auto* rows = const_cast<int*>(pattern.row_indices().data());
  auto* values = const_cast<double*>(problem.matrices[0].values().data());
  auto* changed = const_cast<double*>(problem.matrices[1].values().data());
  klu_common common;
  klu_defaults(&common);
  Result result;
  klu_symbolic* symbolic = nullptr;
  result.analysis = once([&] {
    if (ordering == Ordering::Dissection) {
      Equilibration equilibration(pattern);
      equilibration.compute(problem.matrices[0]);
      std::vector<int> order = nested_dissection(equilibration.matrix());
      common.btf = 0;
      symbolic =
          klu_analyze_given(pattern.size(), starts, rows, order.data(), order.data(), &common);
    } else {
      common.ordering = static_cast<int>(ordering);
      symbolic = klu_analyze(pattern.size(), starts, rows, &common);
    }
  });
  klu_numeric* numeric = klu_factor(starts, rows, values, symbolic, &common);
  if (numeric) {
    result.fill = double(numeric->lnz) + numeric->unz;
    result.factor = best([&] { klu_refactor(starts, rows, changed, symbolic, numeric, &common); });
    result.solve = best([&] {
      result.x = right_hand_side(problem.matrices[1]);
      klu_solve(symbolic, numeric, pattern.size(), 1, result.x.data(), &common);
    });
  }
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return result;
}

Result eigen_sparse_lu(const Problem& problem) {
  const SparsityPattern& pattern = *problem.pattern;
  const Eigen::SparseMatrix<double> A = Eigen::Map<const Eigen::SparseMatrix<double>>(
      pattern.size(), pattern.size(), pattern.nonzeros(), pattern.column_starts().data(),
      pattern.row_indices().data(), problem.matrices[1].values().data());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  Result result;
  result.analysis = once([&] { lu.analyzePattern(A); });
  result.factor = best([&] { lu.factorize(A); });
  result.solve = best([&] { result.x = lu.solve(right_hand_side(problem.matrices[1])); });
  result.fill = static_cast<double>(lu.nnzL() + lu.nnzU());
  return result;
}

#ifdef SALTUS_BENCH_OTHERS
Result superlu(const Problem& problem) {
  const SparsityPattern& pattern = *problem.pattern;
  const int n = pattern.size();
  superlu_options_t options;
  set_default_options(&options);
  options.SymmetricMode = YES;
  options.DiagPivotThresh = 0.001;
  SuperMatrix A, A_permuted, L, U;
  dCreate_CompCol_Matrix(&A, n, n, pattern.nonzeros(),
                         const_cast<double*>(problem.matrices[0].values().data()),
                         const_cast<int*>(pattern.row_indices().data()),
                         const_cast<int*>(pattern.column_starts().data()), SLU_NC, SLU_D, SLU_GE);
  SuperLUStat_t statistics;
  StatInit(&statistics);
  const auto size = static_cast<std::size_t>(n);
  std::vector<int> columns(size), rows(size), tree(size);
  Result result;
  result.analysis = once([&] {
    get_perm_c(MMD_AT_PLUS_A, &A, columns.data());
    sp_preorder(&options, &A, columns.data(), tree.data(), &A_permuted);
  });
  GlobalLU_t memory;
  int info = 0;
  const auto factor = [&] {
    dgstrf(&options, &A_permuted, sp_ienv(2), sp_ienv(1), tree.data(), nullptr, 0, columns.data(),
           rows.data(), &L, &U, &memory, &statistics, &info);
  };
  factor();
  options.Fact = SamePattern_SameRowPerm;
  static_cast<NCPformat*>(A_permuted.Store)->nzval =
      const_cast<double*>(problem.matrices[1].values().data());
  result.factor = best(factor);
  result.fill = double(static_cast<SCformat*>(L.Store)->nnz) + static_cast<NCformat*>(U.Store)->nnz;
  result.solve = best([&] {
    result.x = right_hand_side(problem.matrices[1]);
    SuperMatrix x;
    dCreate_Dense_Matrix(&x, n, 1, result.x.data(), n, SLU_DN, SLU_D, SLU_GE);
    dgstrs(NOTRANS, &L, &U, columns.data(), rows.data(), &x, &statistics, &info);
    Destroy_SuperMatrix_Store(&x);
  });
  Destroy_SuperNode_Matrix(&L);
  Destroy_CompCol_Matrix(&U);
  Destroy_SuperMatrix_Store(&A);
  Destroy_CompCol_Permuted(&A_permuted);
  StatFree(&statistics);
  return result;
}

Result mumps(const Problem& problem) {
  const SparsityPattern& pattern = *problem.pattern;
  std::vector<int> rows, columns;
  for (int j = 0; j < pattern.size(); ++j) {
    for (int k = pattern.column_starts()[static_cast<std::size_t>(j)];
         k < pattern.column_starts()[static_cast<std::size_t>(j) + 1]; ++k) {
      rows.push_back(pattern.row_indices()[static_cast<std::size_t>(k)] + 1);
      columns.push_back(j + 1);
    }
  }
  DMUMPS_STRUC_C id{};
  const auto run = [&](int job) {
    id.job = job;
    dmumps_c(&id);
  };
  id.comm_fortran = -987654;
  id.par = 1;
  run(-1);
  std::fill(id.icntl, id.icntl + 4, 0);
  id.icntl[6] = 7;     // its own choice of the ordering
  id.icntl[13] = 400;  // percent of workspace for pivots put off
  id.n = pattern.size();
  id.nnz = pattern.nonzeros();
  id.irn = rows.data();
  id.jcn = columns.data();
  id.a = const_cast<double*>(problem.matrices[1].values().data());
  Result result;
  result.analysis = once([&] { run(1); });
  result.factor = best([&] { run(2); });
  result.fill = id.infog[8] >= 0 ? id.infog[8] : -1e6 * id.infog[8];
  result.solve = best([&] {
    result.x = right_hand_side(problem.matrices[1]);
    id.nrhs = 1;
    id.rhs = result.x.data();
    run(3);
  });
  run(-2);
  return result;
}
#endif

// ---- table -------------------------------------------------------------------------------------

void print(const std::string& name, int size, const Problem& problem, const char* method,
           const Result& result) {
  if (result.x.size() == 0) return;
  std::printf("%-8s %5d %7d %9d  %-15s %9.3f %9.4f %9.4f %10.0f %9.1e\n", name.c_str(), size,
              problem.pattern->size(), problem.pattern->nonzeros(), method, result.analysis,
              result.factor, result.solve, result.fill,
              backward_error(problem.matrices[1], result.x));
  std::fflush(stdout);
}

Problem make(const std::string& name, int size) {
  if (name == "chain3") return chain(size, 3);
  if (name == "chain5") return chain(size, 5);
  if (name == "jointed") return jointed_grid(size);
  if (name == "grid2") return spring_grid(size);
  return solid(size);
}

void compare(const std::string& name, int size) {
  const Problem problem = make(name, size);
  const auto row = [&](const char* method, const Result& result) {
    print(name, size, problem, method, result);
  };
  if (problem.pattern->size() <= 700) {
    row("saltus dense", saltus_factorization(problem, FactorizationMethod::Dense));
  }
  row("saltus", saltus_factorization(problem, FactorizationMethod::Automatic));
  row("saltus sparse", saltus_factorization(problem, FactorizationMethod::Sparse));
  row("saltus fronts", saltus_factorization(problem, FactorizationMethod::Multifrontal));
  const bool large = problem.pattern->nonzeros() > 1500000;  // minutes with the wrong ordering
  if (!large) row("klu amd", klu(problem, Ordering::Amd));
  if (!large) row("klu colamd", klu(problem, Ordering::Colamd));
  row("klu dissection", klu(problem, Ordering::Dissection));
  row("eigen sparselu", eigen_sparse_lu(problem));
#ifdef SALTUS_BENCH_OTHERS
  if (!large) row("superlu mmd", superlu(problem));
  row("mumps", mumps(problem));
#endif
}

}  // namespace

int main(int count, char** arguments) {
  struct Case {
    std::string name;
    std::vector<int> sizes;
  };
  std::vector<Case> cases{{"chain3", {2, 10, 100, 1000, 3000}},
                          {"chain5", {10, 100, 1000, 3000}},
                          {"jointed", {3, 10, 30}},
                          {"grid2", {3, 10, 20, 30, 55}},
                          {"grid3", {3, 6, 12}}};
  if (count > 1) {
    std::erase_if(cases, [&](const Case& entry) { return entry.name != arguments[1]; });
    if (count > 2 && !cases.empty()) cases[0].sizes.clear();
    for (int k = 2; k < count && !cases.empty(); ++k)
      cases[0].sizes.push_back(std::stoi(arguments[k]));
  }
  std::printf("%-8s %5s %7s %9s  %-15s %9s %9s %9s %10s %9s\n", "case", "size", "n", "nonzeros",
              "method", "analysis", "factor", "solve", "fill", "error");
  for (const auto& [name, sizes] : cases) {
    for (const int size : sizes) compare(name, size);
  }
}
