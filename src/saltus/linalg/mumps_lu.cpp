// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/mumps_lu.hpp"

#include <dlfcn.h>
#include <dmumps_c.h>

#include <mutex>
#include <vector>

#include "saltus/linalg/nested_dissection.hpp"
#include "saltus/linalg/tuning.hpp"

namespace saltus::linalg {

namespace {

// Values of `job`.
constexpr int start_job = -1;
constexpr int end_job = -2;
constexpr int analysis_job = 1;
constexpr int factor_job = 2;
constexpr int solve_job = 3;

// Error codes in INFOG(1).
constexpr int integer_workspace_too_small = -8;
constexpr int real_workspace_too_small = -9;
constexpr int singular = -10;

constexpr int use_comm_world = -987654;
// Values of ICNTL(7).
constexpr int given_ordering = 1;
constexpr int pord_ordering = 4;  // unlike Scotch, the same in every run
void use_one_blas_thread() {
  using SetThreads = void (*)(int);
  const auto set_threads =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_threads) set_threads(1);
}

}  // namespace

struct MumpsLu::Instance {
  explicit Instance(const SparsityPattern& pattern);
  ~Instance() { run(end_job); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // The entries of the control and result arrays, numbered from 1 as in MUMPS' manual.
  int& icntl(int k) { return id.icntl[k - 1]; }
  int infog(int k) const { return id.infog[k - 1]; }
  double rinfog(int k) const { return id.rinfog[k - 1]; }

  int run(int job) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    id.job = job;
    dmumps_c(&id);
    return infog(1);
  }

  // The ordering with the fewest operations. False if MUMPS fails.
  bool analyze(const SparseMatrix& B);
  bool analyze_with(int ordering);

  DMUMPS_STRUC_C id{};
  std::vector<int> rows;
  std::vector<int> columns;
  std::vector<int> ranks;  // of a given ordering: when an unknown is eliminated
  bool analyzed = false;
};

MumpsLu::Instance::Instance(const SparsityPattern& pattern) {
  rows.reserve(static_cast<std::size_t>(pattern.nonzeros()));
  for (const int row : pattern.row_indices()) rows.push_back(row + 1);
  for (int j = 0; j < pattern.size(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    const int count = pattern.column_starts()[column + 1] - pattern.column_starts()[column];
    columns.insert(columns.end(), static_cast<std::size_t>(count), j + 1);
  }
  id.comm_fortran = use_comm_world;
  id.par = 1;
  id.sym = 0;
  run(start_job);
  for (const int channel : {1, 2, 3, 4}) icntl(channel) = 0;  // prints nothing
  icntl(6) = 0;  // no permutation to large diagonals: more fill on the matrices measured
  icntl(8) = 0;  // the values come equilibrated
  icntl(14) = MethodTuning::first_workspace;
  id.n = pattern.size();
  id.nnz = pattern.nonzeros();
  id.irn = rows.data();
  id.jcn = columns.data();
}

bool MumpsLu::Instance::analyze(const SparseMatrix& B) {
  if (!analyze_with(pord_ordering)) return false;
  const double flops = rinfog(1);
  if (flops < MethodTuning::mumps_dissection_flops) return true;
  const std::vector<int> order = nested_dissection(B);
  ranks.resize(order.size());
  int rank = 0;
  for (const int unknown : order) ranks[static_cast<std::size_t>(unknown)] = ++rank;
  id.perm_in = ranks.data();
  return (analyze_with(given_ordering) && rinfog(1) < flops) || analyze_with(pord_ordering);
}

bool MumpsLu::Instance::analyze_with(int ordering) {
  icntl(7) = ordering;
  analyzed = run(analysis_job) >= 0;
  return analyzed;
}

MumpsLu::MumpsLu(const SparsityPattern& pattern) {
  use_one_blas_thread();
  instance_ = std::make_unique<Instance>(pattern);
}

MumpsLu::~MumpsLu() = default;
MumpsLu::MumpsLu(MumpsLu&&) noexcept = default;
MumpsLu& MumpsLu::operator=(MumpsLu&&) noexcept = default;

MumpsLu::Outcome MumpsLu::factorize(const SparseMatrix& B) {
  Instance& mumps = *instance_;
  if (!mumps.analyzed && !mumps.analyze(B)) return Outcome::Failed;
  mumps.id.a = const_cast<double*>(B.values().data());  // MUMPS does not write to it
  int error = mumps.run(factor_job);
  while ((error == integer_workspace_too_small || error == real_workspace_too_small) &&
         mumps.icntl(14) < MethodTuning::largest_workspace) {
    mumps.icntl(14) *= 2;
    error = mumps.run(factor_job);
  }
  if (error == singular) return Outcome::Singular;
  return error < 0 ? Outcome::Failed : Outcome::Ok;
}

double MumpsLu::smallest_pivot() const { return instance_->rinfog(19); }

void MumpsLu::solve_in_place(Eigen::VectorXd& b) const {
  instance_->icntl(9) = 1;
  instance_->id.nrhs = 1;
  instance_->id.rhs = b.data();
  instance_->run(solve_job);
}

void MumpsLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  instance_->icntl(9) = 1;
  instance_->id.nrhs = static_cast<int>(B.cols());
  instance_->id.lrhs = static_cast<int>(B.rows());
  instance_->id.rhs = B.data();
  instance_->run(solve_job);
}

void MumpsLu::archive(Archive& memory) {
  Instance& mumps = *instance_;
  int ordering = mumps.icntl(7), workspace = mumps.icntl(14);
  memory(mumps.analyzed, ordering, workspace, mumps.ranks);
  if (!memory.loads() || !mumps.analyzed) return;
  mumps.id.perm_in = mumps.ranks.data();
  mumps.analyze_with(ordering);
  mumps.icntl(14) = workspace;
}

}  // namespace saltus::linalg
