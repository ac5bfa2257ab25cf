// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/normal_work.hpp"

#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

MatrixX pseudoinverse(const MatrixX& W) {
  auto [values, vectors] = linalg::symmetric_eigen(W);
  const double small = RankTuning::inverse_rank * values.cwiseAbs().maxCoeff();
  for (double& value : values) value = value > small ? 1 / value : 0;
  return vectors * values.asDiagonal() * vectors.transpose();
}

std::vector<int> entries(const std::vector<int>& points) {
  std::vector<int> result;
  for (const int i : points) result.insert(result.end(), {3 * i, 3 * i + 1, 3 * i + 2});
  return result;
}

}  // namespace

NormalWorkMeasure::NormalWorkMeasure(const ImpactSystem& system, NormalWork kind, const VectorX& u)
    : system_(system), kind_(kind), u_0_(u) {
  if (kind == NormalWork::Integral) return;
  for (int g = 0; g < system.group_count(); ++g) {
    const std::vector<int> rows = entries(system.members(g));
    MatrixX P = pseudoinverse(system.W()(rows, rows));
    // (23) has u_tᵀ P_tn u_n once and no u_tᵀ P_tt u_t.
    for (int i = 0; i < P.rows(); ++i)
      for (int j = 0; j < P.cols(); ++j)
        if (i % 3 != 0 && j % 3 != 0) P(i, j) = 0;
    forms_.push_back(std::move(P));
  }
}

double NormalWorkMeasure::form(const Eigen::Ref<const VectorX>& u,
                               const Eigen::Ref<const VectorX>& w, int group) const {
  const std::vector<int> rows = entries(system_.members(group));
  return VectorX(u(rows)).dot(forms_[group] * VectorX(w(rows)));
}

double NormalWorkMeasure::work(const PathState& state, int group) const {
  if (kind_ == NormalWork::Integral) return state.work(group);
  return (form(state.u(), state.u(), group) - form(u_0_, u_0_, group)) / 2;
}

double NormalWorkMeasure::rate(const Eigen::Ref<const VectorX>& u, const Flow& flow,
                               int group) const {
  if (kind_ == NormalWork::Pseudoinverse) return form(u, flow.du, group);
  double sum = 0;
  for (const int i : system_.members(group)) sum += u[3 * i] * flow.dp[3 * i];
  return sum;
}

double NormalWorkMeasure::impulse(const PathState& state, int group) const {
  if (kind_ == NormalWork::Integral) return state.impulse(group);
  return state.impulses()[3 * system_.members(group).front()];
}

double NormalWorkMeasure::impulse_rate(const Flow& flow, int group) const {
  if (kind_ == NormalWork::Integral) return flow.rates[group];
  return flow.dp[3 * system_.members(group).front()];
}

}  // namespace saltus::impulse
