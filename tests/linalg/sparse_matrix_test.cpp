// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

namespace saltus::linalg {
namespace sparse_matrix_test {

struct Block {
  std::vector<int> rows;
  std::vector<int> cols;
  Eigen::MatrixXd values;
};

std::vector<Block> random_blocks(int count, int size) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> index(-1, size - 1);
  std::uniform_int_distribution<int> extent(1, 6);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Block> blocks(static_cast<std::size_t>(count));
  for (Block& block : blocks) {
    block.rows.resize(static_cast<std::size_t>(extent(random)));
    block.cols.resize(static_cast<std::size_t>(extent(random)));
    for (int& row : block.rows) row = index(random);
    for (int& col : block.cols) col = index(random);
    block.values = Eigen::MatrixXd::NullaryExpr(static_cast<Eigen::Index>(block.rows.size()),
                                                static_cast<Eigen::Index>(block.cols.size()),
                                                [&] { return value(random); });
  }
  return blocks;
}

SparsityPattern pattern_of(const std::vector<Block>& blocks, int size) {
  PatternBuilder builder(size);
  for (const Block& block : blocks) builder.add_block(block.rows, block.cols);
  return SparsityPattern(std::move(builder));
}

void assemble(const std::vector<Block>& blocks, SparseMatrix& A) {
  for (const Block& block : blocks) {
    A.add(A.pattern().scatter_map(block.rows, block.cols), block.values);
  }
}

Eigen::MatrixXd dense_assembly(const std::vector<Block>& blocks, int size) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (const Block& block : blocks) {
    for (std::size_t j = 0; j < block.cols.size(); ++j) {
      for (std::size_t i = 0; i < block.rows.size(); ++i) {
        if (block.rows[i] < 0 || block.cols[j] < 0) continue;
        A(block.rows[i], block.cols[j]) +=
            block.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
  }
  return A;
}

TEST(SparseMatrix, AssemblyThroughScatterMapsEqualsDenseAssembly) {
  const std::vector<Block> blocks = random_blocks(80, 40);
  const SparsityPattern pattern = pattern_of(blocks, 40);
  SparseMatrix A(pattern);
  assemble(blocks, A);
  EXPECT_EQ(A.to_dense(), dense_assembly(blocks, 40));

  A.set_zero();
  EXPECT_TRUE(A.to_dense().isZero(0));
  assemble(blocks, A);
  EXPECT_EQ(A.to_dense(), dense_assembly(blocks, 40));
}

TEST(SparseMatrix, AddsExpressionsAndProducts) {
  const std::vector<int> indices{2, 0, 1};
  PatternBuilder builder(3);
  builder.add_block(indices, indices);
  const SparsityPattern pattern(std::move(builder));
  const std::vector<int> map = pattern.scatter_map(indices, indices);
  const Eigen::Matrix3d G{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};

  SparseMatrix A(pattern);
  A.add(map, 2 * G.transpose() * G - Eigen::Matrix3d::Identity());
  const Eigen::Matrix3d local = 2 * G.transpose() * G - Eigen::Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(
          A.to_dense()(indices[static_cast<std::size_t>(i)], indices[static_cast<std::size_t>(j)]),
          local(i, j));
    }
  }
}

TEST(SparseMatrix, MultipliesLikeTheDenseMatrix) {
  const std::vector<Block> blocks = random_blocks(80, 40);
  const SparsityPattern pattern = pattern_of(blocks, 40);
  SparseMatrix A(pattern);
  assemble(blocks, A);
  const Eigen::MatrixXd dense = A.to_dense();
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(40, -1, 2);

  Eigen::VectorXd y(40);
  A.multiply(x, y);
  EXPECT_NEAR((y - dense * x).norm(), 0, 1e-13);
}

}  // namespace sparse_matrix_test
}  // namespace saltus::linalg
