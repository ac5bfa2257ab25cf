// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/model/inertia.hpp"

namespace saltus {

// Mass properties, for the density 1, of convex solids that grow by a sphere of the radius r on all
// sides. Equation numbers: docs/theory/shape_inertia.md.

/// Of a closed convex surface of triangles.
/// @pre is_convex(mesh)
MassProperties rounded_convex(const MeshShape& mesh, double r);

MassProperties rounded_box(const Vector3& size, double r);

/// Of a cylinder with flat ends.
MassProperties rounded_cylinder(const Cylinder& cylinder, double r);

}  // namespace saltus
