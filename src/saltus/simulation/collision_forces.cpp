// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/collision_forces.hpp"

#include <algorithm>

#include "saltus/impulse/impact_forces.hpp"
#include "saltus/model/local_law.hpp"

namespace saltus {
namespace {

impulse::ContactMaterial material(const PlasticMaterial& m) {
  return {m.young_modulus, m.poisson_ratio, m.yield_strength};
}

/// The first event in which a point takes part, from 1; 0: none.
int first_event(const impulse::ImpactResult& result, int point) {
  for (std::size_t k = 0; k < result.events.size(); ++k) {
    const std::vector<int>& members = result.events[k].points;
    if (std::ranges::find(members, point) != members.end()) return static_cast<int>(k) + 1;
  }
  return 0;
}

/// Rates of indentation from the indentations themselves.
double rate_at(const impulse::ImpactForces& forces, const std::vector<double>& delta,
               std::size_t k) {
  const std::size_t a = k > 0 ? k - 1 : 0, b = std::min(k + 1, delta.size() - 1);
  const double dt = forces.time[b] - forces.time[a];
  return dt > 0 ? (delta[b] - delta[a]) / dt : 0;
}

void put_history(const impulse::ImpactForces& forces, const impulse::PointForces& point,
                 ForceRow& row) {
  for (std::size_t k = 0; k < forces.time.size(); ++k) {
    row.history.push_back({.time = forces.time[k],
                           .indentation = point.deformation[k],
                           .rate = rate_at(forces, point.deformation, k),
                           .force = point.normal[k],
                           .friction_t1 = point.friction[k][0],
                           .friction_t2 = point.friction[k][1]});
  }
}

}  // namespace

impulse::ElastoplasticLaw elastoplastic_law(const ElastoplasticContact& contact, const Shape& first,
                                            const Shape& second) {
  const hertz::ContactGeometry geometry =
      local_geometry({.young_modulus = 1.0, .radii = contact.radii}, first, second);
  // For two round surfaces A = B = 1/(2R).
  const double radius = 1 / (geometry.A + geometry.B);
  return {material(contact.materials.front()), material(contact.materials.back()), radius,
          contact.hardness, contact.damping};
}

std::vector<CollisionForces::Row> CollisionForces::rows(const Collision& collision) const {
  std::vector<impulse::ElastoplasticLaw> laws;
  const impulse::ElastoplasticLaw* one_law = nullptr;
  for (const ContactIndex contact : collision.contacts) {
    if (one_law == nullptr) one_law = law_of_(contact);
  }
  if (one_law == nullptr) return {};
  for (std::size_t i = 0; i < collision.contacts.size(); ++i) {
    const impulse::ElastoplasticLaw* law = law_of_(collision.contacts[i]);
    if (law == nullptr && first_event(collision.result, static_cast<int>(i)) > 0) return {};
    laws.push_back(law != nullptr ? *law : *one_law);  // of points that take no part: any will do
  }
  const impulse::ImpactForces forces =
      impulse::impact_forces(collision.problem, collision.result, laws, collision.preload);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < collision.contacts.size(); ++i) {
    const int order = first_event(collision.result, static_cast<int>(i));
    const auto n = static_cast<Eigen::Index>(3 * i);
    const double approach = -collision.problem.u[n], impulse = collision.result.impulses[n];
    if (order == 0 || (impulse == 0 && approach <= 0)) continue;
    const impulse::PointForces& point = forces.points[i];
    ForceRow row{.time = collision.time,
                 .contact = {},
                 .kind = ForceRow::Kind::Impact,
                 .order = order,
                 .impulse = impulse,
                 .total_force = point.peak,
                 .approach_speed = approach,
                 .duration = forces.duration,
                 .peak_force = point.peak,
                 .peak_indentation = point.largest_deformation,
                 .permanent_indentation = point.permanent_deformation};
    put_history(forces, point, row);
    rows.push_back({i, std::move(row)});
  }
  return rows;
}

}  // namespace saltus
