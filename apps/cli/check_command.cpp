// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "apps/cli/commands.hpp"
#include "apps/cli/model_counts.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/geometry/solid_core.hpp"
#include "saltus/geometry/volume_properties.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t most_shapes = 20;

std::string vector_text(const Vector3& x) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0] + 0.0, x[1] + 0.0, x[2] + 0.0);
}

/// The tensor as its diagonal, and what is beside it if it is more than round-off.
std::string tensor_text(const Matrix3& I) {
  Vector3 products(I(0, 1), I(0, 2), I(1, 2));
  products = (products.array().abs() < 1e-9 * I.trace()).select(0.0, products);
  std::string text = vector_text(I.diagonal());
  if (!products.isZero(0)) {
    text += ", products (xy, xz, yz) " + vector_text(products);
  }
  return text;
}

/// "12 triangles", "8 points"
std::string parts_text(const MeshShape& mesh) {
  return counted(mesh.triangles.size(), "triangle", "triangles");
}
std::string parts_text(const Convex& convex) {
  return counted(convex.points.size(), "point", "points");
}

/// Of a mesh or hull: what a wrong scale or a wrong origin show.
template <class S>
void print_shape(const std::string& name, const S& shape, const std::vector<Vector3>& points,
                 const VolumeProperties& unit) {
  Vector3 low = points.front(), high = points.front();
  for (const Vector3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  say("  {}: {} of {}, from {} to {} m; volume {:.6g} m³, centre {} m, inertia about it over the "
      "density {} m⁵\n",
      name, S::type_name, parts_text(shape), vector_text(low), vector_text(high), unit.volume,
      vector_text(unit.centre), tensor_text(unit.inertia));
}

/// Volume, centre and inertia of what nobody knows by heart: meshes, hulls, and bodies made of
/// shapes.
void print_shapes(const Model& model) {
  std::size_t count = 0;
  const auto begin = [&] {
    if (count == 0) say("shapes:\n");
    return ++count <= most_shapes;
  };
  for (const Body& body : model.bodies) {
    const RigidBody* rigid = std::get_if<RigidBody>(&body);
    if (rigid == nullptr || !std::holds_alternative<FromShape>(rigid->inertia) || !begin()) {
      continue;
    }
    const MassProperties m = mass_properties(rigid->inertia);
    say("  body {}: {:.6g} kg, centre of mass {} m, inertia about it {} kg m²\n", rigid->name,
        m.mass, vector_text(m.centre_of_mass), tensor_text(m.tensor));
  }
  for (const Collider& collider : model.colliders) {
    if (const auto* mesh = std::get_if<MeshShape>(&collider.shape); mesh != nullptr && begin()) {
      print_shape(collider.name, *mesh, mesh->vertices,
                  volume_properties(mesh->vertices, mesh->triangles));
    } else if (const auto* convex = std::get_if<Convex>(&collider.shape);
               convex != nullptr && begin()) {
      print_shape(collider.name, *convex, convex->points, volume_properties(*core_of(*convex)));
    }
  }
  if (count > most_shapes) say("  and {} more\n", count - most_shapes);
}

}  // namespace

int check_command(const std::string& model, const std::vector<std::string>& settings) {
  const CheckedModelFile file = read_checked_model_file(model, settings);
  const auto warn = [](LogLevel level, std::string_view text) {
    if (level == LogLevel::Warning) say(stderr, "warning: {}\n", text);
  };
  try {
    const Simulation simulation(file.run, warn);
    const System& system = simulation.system();
    say("{}: OK\n{}, {}{}: {}\n", model,
        counted(simulation.model().bodies.size(), "body", "bodies"),
        counted(simulation.model().joints.size(), "joint", "joints"), contact_counts(system),
        describe(count(system)));
    print_shapes(simulation.model());
  } catch (const InputError& error) {
    throw InputError(error.issues(), model);
  }
  return Done;
}

}  // namespace saltus::cli
