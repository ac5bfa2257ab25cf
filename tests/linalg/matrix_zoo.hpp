// SPDX-License-Identifier: Apache-2.0
// Matrices with little fill and with much.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg::matrix_zoo {

inline std::vector<int> range(int start, int count) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) indices[static_cast<std::size_t>(k)] = start + k;
  return indices;
}

/// Bodies with six unknowns, a tree of joints with three constraint rows, some loops:
/// [S, −Gᵀ; −G, −εI]. The first `doubled` joints are there twice, so their rows are redundant.
struct Mechanism {
  int bodies = 5;
  int doubled = 0;
  double eps = 0;  // relative to G S⁻¹ Gᵀ

  int joints() const { return bodies + doubled; }
  int size() const { return 6 * bodies + 3 * joints(); }
  std::vector<int> body(int i) const { return range(6 * i, 6); }
  std::vector<int> joint(int k) const { return range(6 * bodies + 3 * k, 3); }

  // Joint k ties body k to a body before it, or to the ground.
  int partner(int k) const { return k % bodies == 0 ? -1 : (7 * (k % bodies)) % (k % bodies); }

  SparsityPattern pattern() const {
    PatternBuilder builder(size());
    for (int i = 0; i < bodies; ++i) builder.add_block(body(i), body(i));
    for (int k = 0; k < joints(); ++k) {
      for (const int unknown : joint(k)) builder.add(unknown, unknown);
      for (const int i : {k % bodies, partner(k)}) {
        if (i < 0) continue;
        builder.add_block(joint(k), body(i));
        builder.add_block(body(i), joint(k));
      }
    }
    return SparsityPattern(std::move(builder));
  }

  void assemble(unsigned seed, SparseMatrix& A) const {
    A.set_zero();
    for (int i = 0; i < bodies; ++i) add_body(i, seed, A);
    for (int k = 0; k < joints(); ++k) add_joint(k, seed, A);
  }

  double mass(int i) const { return std::pow(10.0, 3 * std::sin(i)); }

  void add_body(int i, unsigned seed, SparseMatrix& A) const {
    std::mt19937 random(seed + 100U * static_cast<unsigned>(i));
    std::uniform_real_distribution<double> uniform(-0.1, 0.1);
    Eigen::VectorXd units(6);
    units << 1, 1, 1, 0.01, 0.01, 0.01;
    const Eigen::MatrixXd noise =
        Eigen::MatrixXd::NullaryExpr(6, 6, [&] { return uniform(random); });
    const Eigen::MatrixXd S = mass(i) * units.asDiagonal() *
                              (Eigen::MatrixXd::Identity(6, 6) + noise) * units.asDiagonal();
    A.add(A.pattern().scatter_map(body(i), body(i)), S);
  }

  void add_joint(int k, unsigned seed, SparseMatrix& A) const {
    std::mt19937 random(seed + 77U * static_cast<unsigned>(k % bodies) + 1U);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    for (const int unknown : joint(k)) {
      const std::vector<int> index{unknown};
      A.add(A.pattern().scatter_map(index, index),
            Eigen::Matrix<double, 1, 1>(-eps / mass(k % bodies)));
    }
    double sign = 1;
    for (const int i : {k % bodies, partner(k)}) {
      Eigen::MatrixXd G(3, 6);
      G << sign * Eigen::Matrix3d::Identity(),
          Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return uniform(random); });
      sign = -1;
      if (i < 0) continue;
      A.add(A.pattern().scatter_map(joint(k), body(i)), -G);
      A.add(A.pattern().scatter_map(body(i), joint(k)), -G.transpose());
    }
  }
};

/// Cubes of eight nodes with three unknowns each, side³ nodes: much fill.
struct Solid {
  int side = 7;
  double diagonal = 1;  // of each cube; with 0 the matrix may be indefinite, but is regular

  int size() const { return 3 * side * side * side; }

  std::vector<int> cube(int x, int y, int z) const {
    std::vector<int> unknowns;
    for (int corner = 0; corner < 8; ++corner) {
      const int node = ((z + corner / 4) * side + y + corner / 2 % 2) * side + x + corner % 2;
      for (int k = 0; k < 3; ++k) unknowns.push_back(3 * node + k);
    }
    return unknowns;
  }

  template <class Function>
  void for_cubes(Function function) const {
    for (int z = 0; z + 1 < side; ++z) {
      for (int y = 0; y + 1 < side; ++y) {
        for (int x = 0; x + 1 < side; ++x) function(cube(x, y, z));
      }
    }
  }

  SparsityPattern pattern() const {
    PatternBuilder builder(size());
    for_cubes([&](const std::vector<int>& unknowns) { builder.add_block(unknowns, unknowns); });
    return SparsityPattern(std::move(builder));
  }

  void assemble(unsigned seed, SparseMatrix& A) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    A.set_zero();
    for_cubes([&](const std::vector<int>& unknowns) {
      const Eigen::MatrixXd noise =
          Eigen::MatrixXd::NullaryExpr(24, 24, [&] { return uniform(random); });
      A.add(A.pattern().scatter_map(unknowns, unknowns),
            diagonal * 24 * Eigen::MatrixXd::Identity(24, 24) + noise);
    });
  }
};

}  // namespace saltus::linalg::matrix_zoo
