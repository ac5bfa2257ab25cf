// SPDX-License-Identifier: Apache-2.0
// The part of a System that flexible bodies make: forces, energies and tangents of beams, bars and
// solids. Loops run over groups of elements without common nodes, several threads in a group.
#include "saltus/core/parallel.hpp"
#include "saltus/dynamics/system.hpp"

namespace saltus {
namespace {

/// Calls work(i) for every element, group by group.
template <class Work>
void for_each_element(const ElementColours& colours, const Work& work) {
  for (const std::vector<int>& group : colours) {
    parallel_for(static_cast<int>(group.size()), [&](int k) {
      work(static_cast<std::size_t>(group[static_cast<std::size_t>(k)]));
    });
  }
}

template <class Elements>
ElementColours colours_of_pairs(const Elements& elements) {
  std::vector<std::vector<int>> nodes;
  for (const auto& e : elements) nodes.push_back({e.node_A, e.node_B});
  return colour_elements(nodes);
}

/// Σ energy(i) over n elements, always in the same order.
template <class Energy>
double sum(std::size_t n, const Energy& energy) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += energy(i);
  return total;
}

/// ∫N_a dV of a cell's nodes, times density what gravity acts on.
const VectorX& weights(const SolidElement& e, const SolidShape& shape) {
  return e.lumped ? shape.lumped_shares() : shape.node_shares();
}

}  // namespace

void System::make_flexible_maps() {
  const auto map_of_pair = [&](const auto& e) {
    const Unknowns12 local = unknowns_of(e.node_A, e.node_B);
    return pattern_.scatter_map(local, local);
  };
  for (const BeamInertia& e : elements_.beam_inertias) {
    beam_inertia_maps_.push_back(map_of_pair(e));
    constant_mass_ &= e.is_constant();
  }
  for (const BeamElement& e : elements_.beams) beam_maps_.push_back(map_of_pair(e));
  for (const BarElement& e : elements_.bars) bar_maps_.push_back(map_of_pair(e));
  std::vector<std::vector<int>> solid_nodes;
  for (const SolidElement& e : elements_.solids) {
    const auto all = unknowns_of(e);
    const std::span<const int> local(all.data(), static_cast<std::size_t>(3 * e.count));
    solid_maps_.push_back(pattern_.scatter_map(local, local));
    solid_nodes.emplace_back(e.nodes.begin(), e.nodes.begin() + e.count);
  }
  beam_inertia_colours_ = colours_of_pairs(elements_.beam_inertias);
  beam_colours_ = colours_of_pairs(elements_.beams);
  bar_colours_ = colours_of_pairs(elements_.bars);
  solid_colours_ = colour_elements(solid_nodes);
}

// ---- solids: local and global vectors -----------------------------------------------------------

std::array<int, 3 * SolidShape::max_nodes> System::unknowns_of(const SolidElement& e) const {
  std::array<int, 3 * SolidShape::max_nodes> unknowns = {};
  for (std::size_t a = 0; a < static_cast<std::size_t>(e.count); ++a) {
    const int first = nodes_[static_cast<std::size_t>(e.nodes[a])].first_unknown;
    for (std::size_t i = 0; i < 3; ++i) unknowns[3 * a + i] = first + static_cast<int>(i);
  }
  return unknowns;
}

SolidShape::Positions System::solid_positions(const SolidElement& e, const Configuration& q) const {
  SolidShape::Positions x(3, e.count);
  for (int a = 0; a < e.count; ++a) {
    x.col(a) = q.nodes[static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(a)])].x;
  }
  return x;
}

SolidShape::Positions System::solid_local(const SolidElement& e, const VectorX& v) const {
  SolidShape::Positions local(3, e.count);
  for (int a = 0; a < e.count; ++a) {
    const auto node = static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(a)]);
    local.col(a) = v.segment<3>(nodes_[node].first_unknown);
  }
  return local;
}

void System::scatter(const SolidShape::Positions& f, const SolidElement& e, VectorX& out) const {
  for (int a = 0; a < e.count; ++a) {
    const auto node = static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(a)]);
    out.segment<3>(nodes_[node].first_unknown) += f.col(a);
  }
}

// ---- forces and energies ------------------------------------------------------------------------

void System::add_flexible_forces(const Configuration& q, const VectorX& v, const VectorX& vdot,
                                 const Instant& at, ForceTerms& terms) const {
  const Vector3 g = at.load_factor * gravity_;
  for_each_element(beam_inertia_colours_, [&](std::size_t i) {
    const BeamInertia& e = elements_.beam_inertias[i];
    const NodePair nodes = pair(q, e.node_A, e.node_B);
    scatter(e.force(nodes, local(v, e.node_A, e.node_B), local(vdot, e.node_A, e.node_B)), e.node_A,
            e.node_B, terms.inertia);
    scatter(e.weight(nodes, g), e.node_A, e.node_B, terms.gravity);
  });
  const auto add_forces = [&](const auto& e) {
    const auto f = e.forces(pair(q, e.node_A, e.node_B), local(v, e.node_A, e.node_B));
    scatter(f.elastic, e.node_A, e.node_B, terms.elastic);
    if (e.damping_time > 0) scatter(f.damping, e.node_A, e.node_B, terms.damping);
  };
  for_each_element(beam_colours_, [&](std::size_t i) { add_forces(elements_.beams[i]); });
  for_each_element(bar_colours_, [&](std::size_t i) { add_forces(elements_.bars[i]); });
  for_each_element(solid_colours_, [&](std::size_t i) {
    const SolidElement& e = elements_.solids[i];
    const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
    const SolidShape::Positions x = solid_positions(e, q), a = solid_local(e, vdot);
    SolidShape::Positions elastic(3, e.count), damping(3, e.count), inertia(3, e.count);
    shape.forces(x, solid_local(e, v), elastic, damping);
    scatter(elastic, e, terms.elastic);
    if (shape.damping_time() > 0) scatter(damping, e, terms.damping);
    if (e.lumped) {
      inertia.noalias() = e.density * a * shape.lumped_shares().asDiagonal();
    } else {
      inertia.noalias() = e.density * a.lazyProduct(shape.mass_shares());
    }
    scatter(inertia, e, terms.inertia);
    inertia = e.density * g.lazyProduct(weights(e, shape).transpose());
    scatter(inertia, e, terms.gravity);
  });
}

void System::add_flexible_momentum(const Configuration& q, const VectorX& x, VectorX& y) const {
  for_each_element(beam_inertia_colours_, [&](std::size_t i) {
    const BeamInertia& e = elements_.beam_inertias[i];
    scatter(e.mass_times(pair(q, e.node_A, e.node_B), local(x, e.node_A, e.node_B)), e.node_A,
            e.node_B, y);
  });
  for_each_element(solid_colours_, [&](std::size_t i) {
    const SolidElement& e = elements_.solids[i];
    const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
    const SolidShape::Positions u = solid_local(e, x);
    SolidShape::Positions p(3, e.count);
    if (e.lumped) {
      p = e.density * u * shape.lumped_shares().asDiagonal();
    } else {
      p.noalias() = e.density * u.lazyProduct(shape.mass_shares());
    }
    scatter(p, e, y);
  });
}

double System::flexible_kinetic_energy(const Configuration& q, const VectorX& v) const {
  const double beams = sum(elements_.beam_inertias.size(), [&](std::size_t i) {
    const BeamInertia& e = elements_.beam_inertias[i];
    return e.kinetic_energy(pair(q, e.node_A, e.node_B), local(v, e.node_A, e.node_B));
  });
  return beams + sum(elements_.solids.size(), [&](std::size_t i) {
           const SolidElement& e = elements_.solids[i];
           const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
           const SolidShape::Positions u = solid_local(e, v);
           if (e.lumped) {
             return e.density / 2 * u.colwise().squaredNorm().dot(shape.lumped_shares());
           }
           return e.density / 2 * u.cwiseProduct(u.lazyProduct(shape.mass_shares())).sum();
         });
}

double System::flexible_gravity_energy(const Configuration& q) const {
  const double beams = sum(elements_.beam_inertias.size(), [&](std::size_t i) {
    const BeamInertia& e = elements_.beam_inertias[i];
    return e.gravity_energy(pair(q, e.node_A, e.node_B), gravity_);
  });
  return beams + sum(elements_.solids.size(), [&](std::size_t i) {
           const SolidElement& e = elements_.solids[i];
           const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
           return -e.density * gravity_.dot(solid_positions(e, q) * weights(e, shape));
         });
}

double System::flexible_elastic_energy(const Configuration& q) const {
  const auto of_pair = [&](const auto& e) { return e.energy(pair(q, e.node_A, e.node_B)); };
  return sum(elements_.beams.size(), [&](std::size_t i) { return of_pair(elements_.beams[i]); }) +
         sum(elements_.bars.size(), [&](std::size_t i) { return of_pair(elements_.bars[i]); }) +
         sum(elements_.solids.size(), [&](std::size_t i) {
           const SolidElement& e = elements_.solids[i];
           const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
           return shape.energy(solid_positions(e, q));
         });
}

// ---- tangents -----------------------------------------------------------------------------------

void System::assemble_flexible(const Configuration& q, const VectorX& v, const VectorX& vdot,
                               const Instant& at, const Linearization& l,
                               linalg::SparseMatrix& S) const {
  const Vector3 g = at.load_factor * gravity_;
  for_each_element(beam_inertia_colours_, [&](std::size_t i) {
    const BeamInertia& e = elements_.beam_inertias[i];
    const NodePair nodes = pair(q, e.node_A, e.node_B);
    const Vector12 v_local = local(v, e.node_A, e.node_B);
    Matrix12 A = Matrix12::Zero();
    if (!e.is_constant() && l.stiffness != 0) {
      A = l.stiffness * e.stiffness_matrix(nodes, v_local, local(vdot, e.node_A, e.node_B), g);
      apply_operators(l, e.node_A, e.node_B, A);
    }
    if (l.mass != 0) A += l.mass * e.mass_matrix(nodes);
    if (l.damping != 0) A += l.damping * e.gyroscopic_matrix(nodes, v_local);
    S.add(beam_inertia_maps_[i], A);
  });
  const auto add_tangents = [&](const auto& e, const auto& tangents, const std::vector<int>& map) {
    Matrix12 A = l.stiffness * tangents.K;
    apply_operators(l, e.node_A, e.node_B, A);
    if (e.damping_time > 0) A += l.damping * tangents.C;
    S.add(map, A);
  };
  const auto contributes = [&](double damping_time) {
    return l.stiffness != 0 || (l.damping != 0 && damping_time > 0);
  };
  for_each_element(beam_colours_, [&](std::size_t i) {
    const BeamElement& e = elements_.beams[i];
    if (!contributes(e.damping_time)) return;
    add_tangents(e, e.tangents(pair(q, e.node_A, e.node_B), local(v, e.node_A, e.node_B)),
                 beam_maps_[i]);
  });
  for_each_element(bar_colours_, [&](std::size_t i) {
    const BarElement& e = elements_.bars[i];
    if (contributes(e.damping_time)) add_tangents(e, e.tangents(), bar_maps_[i]);
  });
  for_each_element(solid_colours_, [&](std::size_t i) {
    const SolidElement& e = elements_.solids[i];
    const SolidShape& shape = elements_.solid_shapes[static_cast<std::size_t>(e.shape)];
    const int n = 3 * e.count;
    SolidShape::Tangent A = SolidShape::Tangent::Zero(n, n);
    if (contributes(shape.damping_time())) {
      shape.tangents(solid_positions(e, q), solid_local(e, v), l.stiffness, l.damping, A);
    }
    for (int a = 0; l.mass != 0 && a < e.count; ++a) {
      for (int b = 0; b < e.count; ++b) {
        if (e.lumped && a != b) continue;
        const double m = e.lumped ? shape.lumped_shares()[a] : shape.mass_shares()(a, b);
        A.block<3, 3>(3 * a, 3 * b).diagonal().array() += l.mass * e.density * m;
      }
    }
    S.add(solid_maps_[i], A);
  });
}

}  // namespace saltus
