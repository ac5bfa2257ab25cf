// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/flexible.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {
namespace {

/// A beam is vertical if its axis is nearer to the inertial z than this cosine tells.
constexpr double vertical = 1 - 1e-6;

CentreLine straight(const Vector3& start, const Vector3& end) {
  CentreLine line;
  line.start = start;
  line.length = (end - start).norm();
  line.tangent = (end - start) / line.length;
  line.normal = line.tangent.unitOrthogonal();
  return line;
}

/// The arc from `start` through `through` to `end`.
CentreLine arc(const Vector3& start, const Vector3& through, const Vector3& end) {
  const Vector3 chord = end - start, leg = through - start;
  // Centre from the circumscribed circle of the three points.
  const Vector3 n = leg.cross(chord);
  const Vector3 to_centre =
      (leg.squaredNorm() * chord.cross(n) + chord.squaredNorm() * n.cross(leg)) /
      (2 * n.squaredNorm());
  const double radius = to_centre.norm();
  CentreLine line;
  line.start = start;
  line.normal = to_centre / radius;
  const Vector3 axis = n.normalized();
  // The motion is about +axis or −axis; the one on which `through` comes before `end`.
  const auto angle = [&](const Vector3& p, const Vector3& about) {
    const Vector3 r = p - start - to_centre, r_0 = -to_centre;
    const double a = std::atan2(about.dot(r_0.cross(r)), r_0.dot(r));
    return a < 0 ? a + 2 * std::numbers::pi : a;
  };
  const Vector3 about = angle(through, axis) < angle(end, axis) ? axis : Vector3(-axis);
  line.tangent = about.cross(-line.normal);
  line.curvature = 1 / radius;
  line.length = radius * angle(end, about);
  return line;
}

double time_of(const std::optional<Damping>& damping, double default_frequency) {
  if (!damping) return 0;
  if (const auto* direct = std::get_if<StiffnessProportional>(&*damping)) return direct->time;
  const auto& modal = std::get<ModalRatio>(*damping);
  const double omega = 2 * std::numbers::pi * modal.frequency.value_or(default_frequency);
  return 2 * modal.ratio / omega;  // ζ = τ ω / 2
}

constexpr const char* box_sets[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "all"};

}  // namespace

Mesh mesh_of(const Solid& solid) {
  if (const auto* file = std::get_if<MeshFile>(&solid.mesh)) return file->contents;
  const auto& box = std::get<BoxMesh>(solid.mesh);
  return box_mesh(box.size, box.divisions, box.cells);
}

std::vector<std::string> node_set_names(const Solid& solid) {
  if (std::holds_alternative<BoxMesh>(solid.mesh)) {
    return {std::begin(box_sets), std::end(box_sets)};
  }
  std::vector<std::string> names;
  for (const NodeSet& set : std::get<MeshFile>(solid.mesh).contents.sets) names.push_back(set.name);
  return names;
}

bool has_node_set(const Solid& solid, std::string_view name) {
  const std::vector<std::string> names = node_set_names(solid);
  return std::find(names.begin(), names.end(), name) != names.end();
}

double node_count(const BoxMesh& box) {
  const int order = box.cells == CellKind::Tet10 ? 2 : 1;
  double count = 1;
  for (const int n : box.divisions) count *= order * static_cast<double>(n) + 1;
  return count;
}

Vector3 CentreLine::point(double s) const {
  if (curvature == 0) return start + s * tangent;
  const double angle = curvature * s;
  return start + (std::sin(angle) * tangent + (1 - std::cos(angle)) * normal) / curvature;
}

Matrix3 CentreLine::axes(double s, const Matrix3& axes_at_start) const {
  if (curvature == 0) return axes_at_start;
  const Vector3 axis = tangent.cross(normal);
  return Eigen::AngleAxisd(curvature * s, axis) * axes_at_start;
}

CentreLine centre_line(const Beam& beam) {
  return beam.through ? arc(beam.start, *beam.through, beam.end) : straight(beam.start, beam.end);
}

CentreLine centre_line(const Bar& bar) { return straight(bar.start, bar.end); }

Matrix3 start_axes(const Beam& beam) {
  const Vector3 x = centre_line(beam).tangent;
  const Vector3 fallback =
      std::abs(x.z()) > vertical ? Vector3::UnitY().eval() : Vector3::UnitZ().eval();
  const Vector3 near = beam.orientation ? Vector3(*beam.orientation) : fallback;
  const Vector3 z = (near - near.dot(x) * x).normalized();
  Matrix3 axes;
  axes << x, z.cross(x), z;
  return axes;
}

double damping_time(const Beam& beam) {
  const SectionProperties p = properties(beam.section, beam.material.poisson_ratio);
  const double L = centre_line(beam).length;
  const double I = std::min(p.inertia_y, p.inertia_z);
  // First bending frequency between hinges: ω = π² √(EI/ρA) / L²
  const double omega =
      std::numbers::pi * std::numbers::pi / (L * L) *
      std::sqrt(beam.material.young_modulus * I / (beam.material.density * p.area));
  return time_of(beam.damping, omega / (2 * std::numbers::pi));
}

double damping_time(const Bar& bar) {
  const double c = std::sqrt(bar.material.young_modulus / bar.material.density);
  return time_of(bar.damping, c / (2 * centre_line(bar).length));
}

double damping_time(const Solid& solid) { return time_of(solid.damping, 1.0); }

}  // namespace saltus
