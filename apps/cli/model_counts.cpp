// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/model_counts.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseQR>
#include <algorithm>
#include <iterator>

namespace saltus::cli {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Gᵀ of all joints in the given pose, translations divided by the mechanism's size so that metres
/// and radians compare; the columns have length 1.
Sparse transposed_jacobian(const System& system) {
  const Configuration& q = system.given_configuration();
  std::vector<Eigen::Triplet<double>> entries;
  for (const JointEntry& joint : system.elements().joints) {
    const int nodes[] = {joint.element.node_A, joint.element.node_B};
    JointElement::RowMatrix G;
    joint.element.jacobian(
        {q.nodes[static_cast<std::size_t>(nodes[0])], q.nodes[static_cast<std::size_t>(nodes[1])]},
        G);
    for (int column = 0; column < 12; ++column) {
      const Node& node = system.nodes()[static_cast<std::size_t>(nodes[column / 6])];
      const int local = column % 6;
      if (local >= node.unknowns) continue;
      if (local < 3) G.col(column) *= system.characteristic_length();
      for (int row = 0; row < joint.element.rows(); ++row) {
        entries.emplace_back(node.first_unknown + local, joint.first_row + row, G(row, column));
      }
    }
  }
  Sparse G_T(system.velocities(), system.constraints());
  G_T.setFromTriplets(entries.begin(), entries.end());
  for (int j = 0; j < G_T.cols(); ++j) {
    const double length = G_T.col(j).norm();
    if (length > 0) G_T.col(j) /= length;
  }
  return G_T;
}

/// Beyond this many equations their rank is not computed: it would take minutes. They count as
/// independent then.
constexpr int largest_counted = 2000;

int rank(Sparse& matrix) {
  constexpr double threshold = 1e-9;
  constexpr int dense_size = 300;
  if (matrix.cols() == 0) return 0;
  if (matrix.cols() > largest_counted) return static_cast<int>(matrix.cols());
  if (matrix.rows() <= dense_size) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(threshold);
    qr.compute(Eigen::MatrixXd(matrix));
    return static_cast<int>(qr.rank());
  }
  matrix.makeCompressed();
  Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(threshold);
  qr.compute(matrix);
  return static_cast<int>(qr.rank());
}

}  // namespace

SystemCounts count(const System& system) {
  Sparse G_T = transposed_jacobian(system);
  return {.velocities = system.velocities(),
          .constraints = system.constraints(),
          .redundant = system.constraints() - rank(G_T)};
}

std::string describe(const SystemCounts& counts) {
  const int equations = counts.velocities + counts.constraints;
  std::string text = fmt::format("{}; {} equations: {} of motion, {} of joints",
                                 counted(static_cast<std::size_t>(counts.degrees_of_freedom()),
                                         "degree of freedom", "degrees of freedom"),
                                 equations, counts.velocities, counts.constraints);
  if (counts.redundant > 0) text += fmt::format(" ({} redundant)", counts.redundant);
  return text;
}

std::string counted(std::size_t number, const char* singular, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

namespace {

/// How many points there may be.
struct PointCount {
  std::size_t points = 0;
  bool is_exact = true;
};

/// Pairs of features that can touch, each once. Of very many it is an upper bound: those that both
/// lists have are counted once, but pairs on one body are not looked for.
void count_pairs(const ContactPoints& contacts, const FeaturePairs& pairs, PointCount& count) {
  constexpr std::size_t most_looked_at = 1'000'000;
  const std::size_t all = pairs.first.size() * pairs.second.size();
  if (all <= most_looked_at) {
    for (const int a : pairs.first) {
      for (const int b : pairs.second) {
        if (contacts.is_pair(pairs, a, b)) ++count.points;
      }
    }
    return;
  }
  std::vector<int> both;
  std::ranges::set_intersection(pairs.first, pairs.second, std::back_inserter(both));
  count.points += all - both.size() * (both.size() + 1) / 2;
  count.is_exact = false;
}

}  // namespace

std::string contact_counts(const System& system) {
  const ContactPoints& contacts = system.elements().contacts;
  if (contacts.empty()) return {};
  PointCount count;
  std::size_t groups = 0, stops = 0;
  for (const ContactGroup& group : contacts.groups) {
    if (group.joint) {
      stops += static_cast<std::size_t>(group.count);
    } else {
      ++groups;
    }
  }
  std::string of_joints = stops > 0 ? ", " + counted(stops, "stop", "stops") : "";
  if (groups == 0) return of_joints;
  count.points = contacts.listed.size() - stops;
  for (const int i : contacts.unlisted) {
    const ContactGroup& group = contacts.groups[static_cast<std::size_t>(i)];
    count_pairs(contacts, std::get<FeaturePairs>(group.source), count);
  }
  return of_joints + ", " + counted(groups, "contact", "contacts") + " with " +
         (count.is_exact ? "" : "up to ") + counted(count.points, "point", "points");
}

}  // namespace saltus::cli
