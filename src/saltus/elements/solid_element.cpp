// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/solid_element.hpp"

namespace saltus {
namespace {

/// ∫N_a dV of a cell's nodes, times density what gravity acts on.
const VectorX& weights(const SolidElement& e, const SolidShape& cell) {
  return e.lumped ? cell.lumped_shares() : cell.node_shares();
}

}  // namespace

SolidElement::Forces SolidElement::forces(const CellView& at) const {
  const SolidShape& cell = shape_of(at);
  const SolidShape::Positions a = at.acceleration();
  Forces f{.elastic = SolidShape::Positions(3, count),
           .damping = SolidShape::Positions(3, count),
           .inertia = SolidShape::Positions(3, count),
           .gravity = SolidShape::Positions(3, count)};
  cell.forces(at.positions(), at.velocity(), f.elastic, f.damping);
  if (lumped) {
    f.inertia.noalias() = density * a * cell.lumped_shares().asDiagonal();
  } else {
    f.inertia.noalias() = density * a.lazyProduct(cell.mass_shares());
  }
  const Vector3 g = at.input().loading_gravity();
  f.gravity = density * g.lazyProduct(weights(*this, cell).transpose());
  return f;
}

SolidShape::Positions SolidElement::momentum(const CellView& at) const {
  const SolidShape& cell = shape_of(at);
  const SolidShape::Positions u = at.velocity();
  SolidShape::Positions p(3, count);
  if (lumped) {
    p = density * u * cell.lumped_shares().asDiagonal();
  } else {
    p.noalias() = density * u.lazyProduct(cell.mass_shares());
  }
  return p;
}

double SolidElement::kinetic_energy(const CellView& at) const {
  const SolidShape& cell = shape_of(at);
  const SolidShape::Positions u = at.velocity();
  if (lumped) return density / 2 * u.colwise().squaredNorm().dot(cell.lumped_shares());
  return density / 2 * u.cwiseProduct(u.lazyProduct(cell.mass_shares())).sum();
}

double SolidElement::gravity_energy(const CellView& at) const {
  return -density * at.input().gravity.dot(at.positions() * weights(*this, shape_of(at)));
}

double SolidElement::elastic_energy(const CellView& at) const {
  return shape_of(at).energy(at.positions());
}

bool SolidElement::tangent(const CellView& at, const TangentFactors& factors,
                           SolidShape::Tangent& A) const {
  const SolidShape& cell = shape_of(at);
  A.setZero(3 * count, 3 * count);
  if (contributes(factors, is_damped(at))) {
    cell.tangents(at.positions(), at.velocity(), factors.stiffness, factors.damping, A);
  }
  for (int a = 0; factors.mass != 0 && a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      if (lumped && a != b) continue;
      const double m = lumped ? cell.lumped_shares()[a] : cell.mass_shares()(a, b);
      A.block<3, 3>(3 * a, 3 * b).diagonal().array() += factors.mass * density * m;
    }
  }
  return true;
}

static_assert(MassElement<SolidElement> && ElasticElement<SolidElement> &&
              ParallelElement<SolidElement>);

}  // namespace saltus
