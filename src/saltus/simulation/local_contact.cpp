// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/local_contact.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/hertz/local_impact.hpp"

namespace saltus {
namespace {

/// The state of a history at a time, linear between its steps.
ImpactSample sample_at(const std::vector<hertz::LocalSample>& history, double time) {
  const auto next =
      std::lower_bound(history.begin() + 1, history.end() - 1, time,
                       [](const hertz::LocalSample& s, double t) { return s.time < t; });
  const hertz::LocalSample &a = *(next - 1), &b = *next;
  const double x = b.time > a.time ? std::clamp((time - a.time) / (b.time - a.time), 0.0, 1.0) : 1;
  const auto mean = [x](double from, double to) { return from + x * (to - from); };
  return {time, mean(a.delta, b.delta), mean(a.deltadot, b.deltadot), mean(a.force, b.force)};
}

}  // namespace

double smallest_restitution(const Contact& contact) {
  const ForceMethod method = contact.force_method.value_or(LocalLawDefaults::force_method);
  return method == ForceMethod::Reconstruction
             ? hertz::ImpactShape::smallest_restitution
             : hertz::smallest_restitution(
                   contact.damping_model.value_or(LocalLawDefaults::damping_model));
}

LocalContact::LocalContact(const Contact& contact, const hertz::ImpactShape* shape,
                           const hertz::PointContact* elastic)
    : stiffness_(elastic != nullptr ? elastic->stiffness() : contact.stiffness.value_or(1)),
      damping_(contact.damping_model.value_or(LocalLawDefaults::damping_model)),
      method_(contact.force_method.value_or(LocalLawDefaults::force_method)),
      restitution_(contact.restitution),
      smallest_restitution_(smallest_restitution(contact)),
      exponent_(contact.exponent.value_or(LocalLawDefaults::exponent)),
      shape_(shape),
      elastic_(elastic) {}

void LocalContact::put_impact(int samples, ForceRow& row) const {
  if (method_ == ForceMethod::Integration) {
    integrate(samples, row);
  } else {
    rebuild(samples, row);
  }
  row.total_force = row.continuous_force + row.peak_force;
  put_stress(row.total_force, row);
}

/// (13)–(17) of docs/theory/contact_forces.md
void LocalContact::rebuild(int samples, ForceRow& row) const {
  const double v = row.approach_speed;
  const hertz::ImpactForce impact(
      shape_ != nullptr ? *shape_ : hertz::ImpactShape(restitution(v), exponent_), row.impulse, v,
      stiffness_, damping_);
  row.duration = impact.duration();
  row.peak_force = impact.peak_force();
  row.peak_indentation = impact.peak_indentation();
  for (int i = 0; i < samples; ++i) {
    const double t = impact.duration() * i / (samples - 1);
    row.history.push_back({t, impact.delta(t), impact.deltadot(t), impact.force(t)});
  }
}

/// Of the mass that the impulse belongs to; what the law really gives, its own restitution
/// included.
void LocalContact::integrate(int samples, ForceRow& row) const {
  const double v = row.approach_speed, e = restitution(v);
  const hertz::LocalLaw law{.mass = row.impulse / ((1 + e) * v),
                            .stiffness = stiffness_,
                            .exponent = exponent_,
                            .damping = hertz::damping_factor(damping_, stiffness_, e, v)};
  const hertz::LocalImpact impact = hertz::integrate_local_law(law, v);
  row.duration = impact.duration;
  row.peak_force = impact.peak_force;
  row.peak_indentation = impact.peak_indentation;
  for (int i = 0; i < samples; ++i) {
    row.history.push_back(sample_at(impact.history, impact.duration * i / (samples - 1)));
  }
}

void LocalContact::put_stress(double force, ForceRow& row) const {
  if (elastic_ == nullptr || !(force > 0)) return;
  const hertz::ContactStress stress = elastic_->stress(force);
  row.peak_pressure = stress.peak_pressure;
  row.semi_axis_a = stress.major_semi_axis;
  row.semi_axis_b = stress.minor_semi_axis;
  row.shear_stress = stress.shear;
  row.shear_depth = stress.shear_depth;
  row.octahedral_stress = stress.octahedral_shear;
  row.octahedral_depth = stress.octahedral_depth;
}

LocalContact LocalContacts::make(const Contact& contact, const Shape& first, const Shape& second) {
  const hertz::ImpactShape* shape = nullptr;
  if (const auto* e = std::get_if<double>(&contact.restitution)) {
    const double n = contact.exponent.value_or(LocalLawDefaults::exponent);
    shape = &shapes_.try_emplace({*e, n}, *e, n).first->second;
  }
  if (!contact.is_hertzian()) return {contact, shape, nullptr};
  const auto [one, other] = elastic_materials(contact);
  LocalContact law(contact, shape,
                   elastic(local_geometry(contact, first, second),
                           hertz::contact_compliance(one, other), one.poisson_ratio));
  law.in_groove_ = ball_in_groove(contact, first, second);
  return law;
}

const hertz::PointContact* LocalContacts::elastic(const hertz::ContactGeometry& geometry,
                                                  double compliance, double nu) {
  return &elastic_contacts_
              .try_emplace({geometry.A, geometry.B, compliance, nu}, geometry, compliance, nu)
              .first->second;
}

void LocalContacts::touch_at(double cosine, LocalContact& law) {
  if (!law.in_groove_) return;
  constexpr double grid = 4096;  // ellipses take time to compute
  const BallInGroove& at = *law.in_groove_;
  law.elastic_ =
      elastic(at.geometry(std::round(cosine * grid) / grid), at.compliance, at.poisson_ratio);
  law.stiffness_ = law.elastic_->stiffness();
}

}  // namespace saltus
