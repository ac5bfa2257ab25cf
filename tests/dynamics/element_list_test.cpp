// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/element_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "saltus/core/threads.hpp"
#include "saltus/dynamics/element_loops.hpp"

namespace saltus::element_list_test {
namespace {

/// A new type of element: a linear spring without length between two points. This is all that a
/// type needs.
struct Pull {
  int node_A = 0, node_B = 0;
  double stiffness = 1;

  using View = PairView;
  struct Forces {
    Vector12 elastic, applied;
  };
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  Vector12 stretch(const PairView& at) const {
    Vector12 s = Vector12::Zero();
    s.segment<3>(6) = at.poses().B.x - at.poses().A.x;
    s.head<3>() = -s.segment<3>(6);
    return s;
  }
  Forces forces(const PairView& at) const {
    Forces f{-stiffness * stretch(at), Vector12::Zero()};
    f.applied[6] = at.input().at.load_factor;
    return f;
  }
  double elastic_energy(const PairView& at) const {
    return stiffness * stretch(at).head<3>().squaredNorm() / 2;
  }
  bool tangent(const PairView&, const TangentFactors& factors, Matrix12& A) const {
    if (factors.stiffness == 0) return false;
    A.setZero();
    for (int i = 0; i < 3; ++i) {
      A(i, i) = A(i + 6, i + 6) = factors.stiffness * stiffness;
      A(i, i + 6) = A(i + 6, i) = -factors.stiffness * stiffness;
    }
    return true;
  }
};
/// The same, shared by threads.
struct SharedPull : Pull {
  static constexpr bool is_parallel = true;
};

static_assert(ElasticElement<Pull> && !MassElement<Pull> && !ParallelElement<Pull>);
static_assert(ParallelElement<SharedPull>);

/// Points at random places, each pulled by the one before; the first by the ground.
template <class E>
struct Chain {
  explicit Chain(int points) {
    nodes.push_back(Node::make(NodeKind::Fixed, 0));
    poses.push_back({});
    for (int i = 0; i < points; ++i) {
      nodes.push_back(Node::make(NodeKind::Point, 3 * i));
      poses.push_back({.x = Vector3(std::sin(i), std::cos(2.0 * i), std::sin(3.0 * i))});
      E e;
      e.node_A = i;
      e.node_B = i + 1;
      e.stiffness = 1 + 0.1 * i;
      list.push_back(e);
    }
    linalg::PatternBuilder builder(3 * points);
    mark_blocks(list, input(), builder);
    pattern = linalg::SparsityPattern(std::move(builder));
    make_maps(input(), pattern, list);
  }

  ElementInput input() const { return {.nodes = nodes, .poses = poses, .at = {.load_factor = 2}}; }
  ForceTerms forces() const {
    ForceTerms terms;
    terms.resize(pattern.size());
    add_forces(list, input(), terms);
    return terms;
  }
  linalg::SparseMatrix matrix() const {
    linalg::SparseMatrix S(pattern);
    add_tangents(list, input(), {.stiffness = 1}, S);
    return S;
  }

  ElementList<E> list;
  std::vector<Node> nodes;
  std::vector<NodePose> poses;
  linalg::SparsityPattern pattern{linalg::PatternBuilder(0)};
};

TEST(ElementList, BooksForcesByTheNamesOfTheirCauses) {
  const Chain<Pull> chain(3);
  const ForceTerms f = chain.forces();
  // The last point is only pulled by the one before it.
  const Vector3 last = -1.2 * (chain.poses[3].x - chain.poses[2].x);
  EXPECT_LT((f.elastic.tail<3>() - last).norm(), 1e-15);
  EXPECT_EQ(f.applied[6], 2);
  EXPECT_EQ(f.damping, VectorX::Zero(9));
  EXPECT_EQ(f.inertia, VectorX::Zero(9));
}

TEST(ElementList, TangentsStandWhereTheUnknownsAre) {
  Chain<Pull> chain(4);
  const VectorX before = chain.forces().elastic;
  const linalg::SparseMatrix S = chain.matrix();
  VectorX step = VectorX::LinSpaced(12, -1, 1), expected(12);
  S.multiply(step, expected);
  for (int i = 0; i < 4; ++i)
    chain.poses[static_cast<std::size_t>(i + 1)].x += step.segment<3>(3 * i);
  EXPECT_LT((before - chain.forces().elastic - expected).norm(), 1e-13);
}

TEST(ElementList, TellsWhetherNodesAreCoupled) {
  EXPECT_FALSE(couples_nodes(Chain<Pull>(1).list));  // with the ground only
  EXPECT_TRUE(couples_nodes(Chain<Pull>(2).list));
}

TEST(ElementList, SumsOfThreadsAreThoseOfOne) {
  const Chain<Pull> in_order(2000);
  const Chain<SharedPull> shared(2000);
  EXPECT_TRUE(in_order.list.colours().empty());
  EXPECT_EQ(shared.list.colours().size(), 2U);
  const int before = threads();
  set_threads(1);
  const VectorX one = shared.forces().elastic;
  const linalg::SparseMatrix S_one = shared.matrix();
  set_threads(2);
  EXPECT_EQ(shared.forces().elastic, one);
  const linalg::SparseMatrix S = shared.matrix();
  EXPECT_TRUE(std::ranges::equal(S.values(), S_one.values()));
  set_threads(before);
  EXPECT_LT((one - in_order.forces().elastic).norm(), 1e-12 * one.norm());
}

}  // namespace
}  // namespace saltus::element_list_test
