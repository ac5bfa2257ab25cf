// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "saltus/model/frame.hpp"
#include "saltus/model/mesh.hpp"
#include "saltus/model/section.hpp"

namespace saltus {

// Damping of flexible bodies acts on strain rates only: rigid motion loses nothing.

/// Stresses get a part proportional to the strain rate: σ = C (ε + τ ε̇).
struct StiffnessProportional {
  static constexpr const char* type_name = "stiffness_proportional";
  double time = 0;

  static constexpr void fields(auto&& field) {
    field("time", &StiffnessProportional::time,
          "stress per strain rate over stress per strain: a mode of angular "
          "frequency ω has the damping ratio time·ω/2",
          "s", required & non_negative);
  }
};

/// The same, said by the damping ratio at one frequency.
struct ModalRatio {
  static constexpr const char* type_name = "modal_ratio";
  double ratio = 0;
  std::optional<double> frequency = {};

  static constexpr void fields(auto&& field) {
    field("ratio", &ModalRatio::ratio,
          "damping ratio ζ at `frequency`; it grows in proportion to the frequency", "",
          required & within(0, 1));
    field("frequency", &ModalRatio::frequency,
          "where the ratio holds; a beam's default is its first bending frequency between "
          "hinges, a bar's c/(2L); a solid needs it",
          "Hz", positive);
  }
};

using Damping = std::variant<StiffnessProportional, ModalRatio>;

/// The fields that beams and bars share.
template <class B>
constexpr void line_fields(auto&& field) {
  field("name", &B::name, "what the rest of the model calls it");
  field("start", &B::start, "first end at the initial pose, inertial frame", "m", required);
  field("end", &B::end, "other end at the initial pose, inertial frame", "m", required);
  field("elements", &B::elements, "finite elements along the length", "", within(1, 1e6));
  field("section", &B::section, "cross section", "", required);
  field("material", &B::material, "what it is made of", "", required);
  field("mass", &B::mass,
        "how mass is spread on the nodes: consistent (linear velocities), lumped, mixed (the "
        "mean of both: axial waves), or hermite (cubic velocities, beams only: bending)");
  field("velocity", &B::velocity,
        "initial velocity field: linear + angular × (x − start), inertial components");
  field("damping", &B::damping, "internal damping; none if not given");
}

/// A slender body that stretches, bends, shears and twists, with large motions and rotations
/// (docs/theory/beams.md). Its nodes are numbered from 0 at `start`; an interior arclength that the
/// model refers to becomes the place of the nearest interior node.
struct Beam {
  static constexpr const char* type_name = "beam";
  std::string name = {};
  Vector3 start = Vector3::Zero();
  Vector3 end = Vector3::Zero();
  Maybe<Vector3> through = {};
  int elements = 8;
  Section section = {};
  ElasticMaterial material = {};
  Maybe<Direction> orientation = {};
  BeamMass mass = BeamMass::Consistent;
  Twist velocity = {};
  std::optional<Damping> damping = {};

  static constexpr void fields(auto&& field) {
    line_fields<Beam>(field);
    field("through", &Beam::through,
          "a third point: the beam is the circular arc from `start` through it to `end`, "
          "free of stress; straight if not given",
          "m");
    field("orientation", &Beam::orientation,
          "direction of the section's z at `start`, inertial components, made square to "
          "the beam; if not given the inertial z, or y for a vertical beam");
  }
};

/// A straight body that only stretches: its nodes stay on the initial line.
struct Bar {
  static constexpr const char* type_name = "bar";
  std::string name = {};
  Vector3 start = Vector3::Zero();
  Vector3 end = Vector3::Zero();
  int elements = 8;
  Section section = {};
  ElasticMaterial material = {};
  BeamMass mass = BeamMass::Consistent;
  Twist velocity = {};
  std::optional<Damping> damping = {};

  static constexpr void fields(auto&& field) { line_fields<Bar>(field); }
};

template <>
struct EnumNames<CellKind> {
  static constexpr const char* names[] = {"tetrahedra", "quadratic_tetrahedra", "hexahedra"};
};

/// A box, centred on the solid's position.
struct BoxMesh {
  static constexpr const char* type_name = "box";
  Vector3 size = Vector3::Zero();
  std::array<int, 3> divisions = {1, 1, 1};
  CellKind cells = CellKind::Hex8;

  static constexpr void fields(auto&& field) {
    field("size", &BoxMesh::size, "lengths of the edges along x, y, z; the centre is the origin",
          "m", required & positive);
    field("divisions", &BoxMesh::divisions, "how many cells along x, y, z", "",
          required & within(1, 1e4));
    field("cells", &BoxMesh::cells,
          "finite elements: hexahedra with 8 nodes; or each of these cut into six tetrahedra "
          "with 4 nodes, or into six quadratic_tetrahedra with 10");
  }
};

/// A mesh that Gmsh has written; its physical groups are the node sets.
struct MeshFile {
  static constexpr const char* type_name = "file";
  std::string path = {};
  double scale = 1;
  Mesh contents = {};  ///< of the file, scaled; whoever makes a model by program fills it

  static constexpr void fields(auto&& field) {
    field("path", &MeshFile::path,
          "Gmsh file (.msh, format 2.2 or 4.1), absolute or beside the model file; its "
          "physical groups become node sets",
          "", required);
    field("scale", &MeshFile::scale, "metres per unit of length in the file: 0.001 for mm", "",
          positive);
  }
};

using SolidMesh = std::variant<BoxMesh, MeshFile>;

/// How a solid's mass is spread on its nodes.
enum class SolidMass { Consistent, Lumped };
template <>
struct EnumNames<SolidMass> {
  static constexpr const char* names[] = {"consistent", "lumped"};
};

/// How hexahedra compute strains.
enum class HexFormulation { EnhancedStrain, Standard };
template <>
struct EnumNames<HexFormulation> {
  static constexpr const char* names[] = {"enhanced_strain", "standard"};
};

/// A deformable body in finite elements, for large displacements
/// (docs/theory/solids.md).
struct Solid {
  static constexpr const char* type_name = "solid";
  std::string name = {};
  SolidMesh mesh = {};
  ElasticMaterial material = {};
  Pose pose = {};
  Twist velocity = {};
  SolidMass mass = SolidMass::Consistent;
  HexFormulation formulation = HexFormulation::EnhancedStrain;
  std::optional<Damping> damping = {};

  static constexpr void fields(auto&& field) {
    field("name", &Solid::name, "what the rest of the model calls it");
    field("mesh", &Solid::mesh, "its finite elements: a box, or a file", "", required);
    field("material", &Solid::material, "what it is made of (St. Venant–Kirchhoff)", "", required);
    field("pose", &Solid::pose, "initial place of the mesh's origin and axes");
    field("velocity", &Solid::velocity,
          "initial velocity field: linear + angular × (x − position), inertial components");
    field("mass", &Solid::mass, "how mass is spread on the nodes: consistent, or lumped");
    field("formulation", &Solid::formulation,
          "of hexahedra: enhanced_strain does not lock in bending, standard does");
    field("damping", &Solid::damping, "internal damping; none if not given");
  }
};

/// The mesh of a solid in its own axes.
Mesh mesh_of(const Solid& solid);

/// Whether a solid has a node set of this name, and the names that it has.
bool has_node_set(const Solid& solid, std::string_view name);
std::vector<std::string> node_set_names(const Solid& solid);

/// How many nodes a box mesh has; a double, for it may be absurd.
double node_count(const BoxMesh& box);

/// A line in space on which the nodes of a beam or bar lie.
struct CentreLine {
  Vector3 start, tangent, normal;  ///< normal: towards the centre of an arc; any for a straight one
  double length = 0;
  double curvature = 0;  ///< 1/m, 0 for a straight one

  Vector3 point(double s) const;
  /// Axes at s (columns): x along the line, the others carried along from `start`.
  Matrix3 axes(double s, const Matrix3& axes_at_start) const;
};
CentreLine centre_line(const Beam& beam);
CentreLine centre_line(const Bar& bar);

/// The axes of a beam's section at `start` (columns): x along it, z nearest to `orientation`, or to
/// the inertial z (y for a vertical beam).
Matrix3 start_axes(const Beam& beam);

/// The damping time τ in s, 0 without damping. @pre a solid's modal ratio has a frequency.
double damping_time(const Beam& beam);
double damping_time(const Bar& bar);
double damping_time(const Solid& solid);

}  // namespace saltus
