// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "saltus/elements/node.hpp"

namespace saltus::test {

/// f'(0) of a scalar, vector or matrix function of one variable by the five-point stencil.
template <class Function>
auto derivative(const Function& f, double step = 1e-3) {
  using Value = decltype(f(0.0));
  const Value far = f(2 * step) - f(-2 * step);
  const Value near = f(step) - f(-step);
  return Value((8 * near - far) / (12 * step));
}

/// A pair of poses with unknown k of (x_A, Θ_A, x_B, Θ_B) varied by s.
struct VariedPair {
  NodePose A, B;

  VariedPair(const NodePair& pair, int k, double s) : A(pair.A), B(pair.B) {
    NodePose& node = k < 6 ? A : B;
    const Vector3 step = s * Vector3::Unit(k % 3);
    node = k % 6 < 3 ? node.translated(step) : node.moved(Vector3::Zero(), step);
  }
  NodePair pair() const { return {A, B}; }
};

/// ∂f/∂q of a vector function of two poses, 12 columns.
template <class Function>
Eigen::MatrixXd pose_derivative(const Function& f, const NodePair& pair, double step = 1e-3) {
  Eigen::MatrixXd D(VectorX(f(pair)).size(), 12);
  for (int k = 0; k < 12; ++k) {
    const auto along = [&](double s) -> VectorX { return f(VariedPair(pair, k, s).pair()); };
    D.col(k) = derivative(along, step);
  }
  return D;
}

/// ∂f/∂v of a vector function of a vector.
template <class Function>
Eigen::MatrixXd vector_derivative(const Function& f, const VectorX& v, double step = 1e-3) {
  Eigen::MatrixXd D(VectorX(f(v)).size(), v.size());
  for (Eigen::Index k = 0; k < v.size(); ++k) {
    const auto along = [&](double s) -> VectorX {
      VectorX w = v;
      w[k] += s;
      return f(w);
    };
    D.col(k) = derivative(along, step);
  }
  return D;
}

inline VectorX one(double value) { return VectorX::Constant(1, value); }

/// The largest difference between what is and what should be, over many comparisons, each relative
/// to the largest number expected there (or to 1). It is recorded in the test's XML report.
class Agreement {
 public:
  explicit Agreement(std::string name) : name_(std::move(name)) {}

  template <class Actual, class Expected>
  void compare(const Eigen::MatrixBase<Actual>& actual,
               const Eigen::MatrixBase<Expected>& expected) {
    ASSERT_EQ(actual.rows(), expected.rows()) << name_;
    ASSERT_EQ(actual.cols(), expected.cols()) << name_;
    if (actual.size() == 0) return;
    const double size = std::max(1.0, expected.cwiseAbs().maxCoeff());
    add((actual - expected).cwiseAbs().maxCoeff() / size);
  }
  void compare(double actual, double expected) { compare(one(actual), one(expected)); }

  void expect_within(double tolerance) const {
    testing::Test::RecordProperty(name_, std::to_string(worst_ * 1e15) + "e-15");
    EXPECT_GT(comparisons_, 0) << name_;
    EXPECT_LE(worst_, tolerance) << name_ << ", in " << comparisons_ << " comparisons";
  }

 private:
  void add(double error) {
    ++comparisons_;
    if (!(error <= worst_)) worst_ = error;  // keeps NaN
  }

  std::string name_;
  double worst_ = 0;
  int comparisons_ = 0;
};

}  // namespace saltus::test
