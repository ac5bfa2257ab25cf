# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_model.py from `saltus schema`; do not edit.
"""The records of which models consist: the same names and fields as in model files and in C++."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence, Union

from .records import Record

Vector = Sequence[float]


@dataclass(repr=False, eq=False)
class RigidBody(Record):
    """`rigid` in files.

    name: what the rest of the model calls it
    inertia: mass and moments of inertia [required]
    pose: initial place of the body frame
    velocity: initial velocity of the body frame
    """

    name: Optional[str] = None
    inertia: Union["SolidSphere", "HollowSphere", "SolidBox", "SolidCylinder", "SlenderRod", "ExplicitInertia", "FromShape"] = None  # type: ignore[assignment]
    pose: "Pose" = field(default_factory=lambda: Pose())
    velocity: "Twist" = field(default_factory=lambda: Twist())
    comment: Any = None

    _type = 'rigid'
    _required = ('inertia',)
    _unions = {
        'inertia': ('SolidSphere', 'HollowSphere', 'SolidBox', 'SolidCylinder', 'SlenderRod',
            'ExplicitInertia', 'FromShape'),
        'pose': ('Pose',),
        'velocity': ('Twist',),
    }


@dataclass(repr=False, eq=False)
class SolidSphere(Record):
    """`solid_sphere` in files.

    mass: mass (kg) [required]
    radius: radius (m) [required]
    """

    mass: float = None  # type: ignore[assignment]
    radius: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'solid_sphere'
    _required = ('mass', 'radius')


@dataclass(repr=False, eq=False)
class HollowSphere(Record):
    """`hollow_sphere` in files.

    mass: mass (kg) [required]
    radius: radius of the shell (m) [required]
    """

    mass: float = None  # type: ignore[assignment]
    radius: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'hollow_sphere'
    _required = ('mass', 'radius')


@dataclass(repr=False, eq=False)
class SolidBox(Record):
    """`solid_box` in files.

    mass: mass (kg) [required]
    size: edge lengths along x, y, z (m) [required]
    """

    mass: float = None  # type: ignore[assignment]
    size: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'solid_box'
    _required = ('mass', 'size')


@dataclass(repr=False, eq=False)
class SolidCylinder(Record):
    """`solid_cylinder` in files.

    mass: mass (kg) [required]
    radius: radius (m) [required]
    length: length (m) [required]
    axis: direction of the axis in the body frame [default [1, 0, 0]]
    """

    mass: float = None  # type: ignore[assignment]
    radius: float = None  # type: ignore[assignment]
    length: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [1, 0, 0])
    comment: Any = None

    _type = 'solid_cylinder'
    _required = ('mass', 'radius', 'length')


@dataclass(repr=False, eq=False)
class SlenderRod(Record):
    """`slender_rod` in files.

    mass: mass (kg) [required]
    length: length (m) [required]
    axis: direction of the rod in the body frame [default [1, 0, 0]]
    """

    mass: float = None  # type: ignore[assignment]
    length: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [1, 0, 0])
    comment: Any = None

    _type = 'slender_rod'
    _required = ('mass', 'length')


@dataclass(repr=False, eq=False)
class ExplicitInertia(Record):
    """`explicit` in files.

    mass: mass (kg) [required]
    moments: principal moments Ixx, Iyy, Izz about the centre of mass (kg m²)
    tensor: inertia tensor about the centre of mass in body axes, instead of moments (kg m²)
    centre_of_mass: centre of mass in the body frame (m) [default [0, 0, 0]]
    """

    mass: float = None  # type: ignore[assignment]
    moments: Optional[Sequence[float]] = None
    tensor: Optional[Sequence[Sequence[float]]] = None
    centre_of_mass: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    comment: Any = None

    _type = 'explicit'
    _required = ('mass',)


@dataclass(repr=False, eq=False)
class FromShape(Record):
    """`from_shape` in files.

    shape: as of a collider, in the body frame: a sphere, capsule, box, cylinder, convex or
        closed mesh; centre of mass and tensor follow from it [required]
    density: of the material (kg/m³)
    mass: mass, instead of the density (kg)
    """

    shape: Union["PointShape", "Sphere", "Box", "HalfSpace", "Face", "HollowSphereShape", "Cylinder", "Bore", "Groove", "Capsule", "Convex", "MeshShape"] = None  # type: ignore[assignment]
    density: Optional[float] = None
    mass: Optional[float] = None
    comment: Any = None

    _type = 'from_shape'
    _required = ('shape',)
    _unions = {
        'shape': ('PointShape', 'Sphere', 'Box', 'HalfSpace', 'Face', 'HollowSphereShape',
            'Cylinder', 'Bore', 'Groove', 'Capsule', 'Convex', 'MeshShape'),
    }


@dataclass(repr=False, eq=False)
class PointShape(Record):
    """`point` in files."""

    comment: Any = None

    _type = 'point'


@dataclass(repr=False, eq=False)
class Sphere(Record):
    """`sphere` in files.

    radius: radius about the frame's origin (m) [required]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    radius: float = None  # type: ignore[assignment]
    rounding: float = 0
    comment: Any = None

    _type = 'sphere'
    _required = ('radius',)


@dataclass(repr=False, eq=False)
class Box(Record):
    """`box` in files.

    size: lengths of the edges along the frame's x, y, z; the centre is the frame's origin; a
        box touches half-spaces and faces with its 8 corners (m) [required]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    size: Sequence[float] = None  # type: ignore[assignment]
    rounding: float = 0
    comment: Any = None

    _type = 'box'
    _required = ('size',)


@dataclass(repr=False, eq=False)
class HalfSpace(Record):
    """`half_space` in files.

    normal: outward normal of the plane through the frame's origin, in the frame's axes; the
        solid is on the other side [default [0, 0, 1]]
    surface_velocity: velocity of the surface over the frame, in the frame's axes and along the
        plane: a running belt (m/s) [default [0, 0, 0]]
    """

    normal: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    surface_velocity: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    comment: Any = None

    _type = 'half_space'


@dataclass(repr=False, eq=False)
class Face(Record):
    """`face` in files.

    normal: outward normal of the plane through the frame's origin, in the frame's axes; the
        solid is on the other side [default [0, 0, 1]]
    surface_velocity: velocity of the surface over the frame, in the frame's axes and along the
        plane: a running belt (m/s) [default [0, 0, 0]]
    size: lengths of the two edges, centred on the frame's origin: the first along the frame's x
        (its y if |n_x| > 0.9) projected on the plane, the second along normal × first; an
        infinite plane if not given (m)
    """

    normal: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    surface_velocity: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    size: Optional[Sequence[float]] = None
    comment: Any = None

    _type = 'face'


@dataclass(repr=False, eq=False)
class HollowSphereShape(Record):
    """`hollow_sphere` in files.

    radius: radius about the frame's origin; a sphere, point or box may be inside (m) [required]
    """

    radius: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'hollow_sphere'
    _required = ('radius',)


@dataclass(repr=False, eq=False)
class Cylinder(Record):
    """`cylinder` in files.

    radius: radius of the curved surface (m) [required]
    length: length, centred on the frame's origin; 0: a disc, which touches bores only, in one
        point (m) [required]
    axis: direction of the axis through the frame's origin, in the frame's axes [default [0, 0,
        1]]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    radius: float = None  # type: ignore[assignment]
    length: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    rounding: float = 0
    comment: Any = None

    _type = 'cylinder'
    _required = ('radius', 'length')


@dataclass(repr=False, eq=False)
class Bore(Record):
    """`bore` in files.

    radius: radius of the hole (m) [required]
    length: length, centred on the frame's origin (m) [required]
    axis: direction of the axis through the frame's origin, in the frame's axes [default [0, 0,
        1]]
    """

    radius: float = None  # type: ignore[assignment]
    length: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    comment: Any = None

    _type = 'bore'
    _required = ('radius', 'length')


@dataclass(repr=False, eq=False)
class Groove(Record):
    """`groove` in files.

    radius: of the groove's section (m) [required]
    ring_radius: of the circle on which the centres of the sections lie (m) [required]
    axis: axis of that circle about the frame's origin, in the frame's axes [default [0, 0, 1]]
    opening: closed: a whole tube; outwards: the half next to the axis, as of an inner race;
        inwards: the half away from the axis, as of an outer race (one of "closed", "outwards",
        "inwards") [default "closed"]
    """

    radius: float = None  # type: ignore[assignment]
    ring_radius: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    opening: str = 'closed'
    comment: Any = None

    _type = 'groove'
    _required = ('radius', 'ring_radius')


@dataclass(repr=False, eq=False)
class Capsule(Record):
    """`capsule` in files.

    radius: radius about the line between the two centres (m) [required]
    length: between the centres of its round ends, centred on the frame's origin (m) [required]
    axis: direction of that line through the frame's origin, in the frame's axes [default [0, 0,
        1]]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    radius: float = None  # type: ignore[assignment]
    length: float = None  # type: ignore[assignment]
    axis: Union[Sequence[float], str] = field(default_factory=lambda: [0, 0, 1])
    rounding: float = 0
    comment: Any = None

    _type = 'capsule'
    _required = ('radius', 'length')


@dataclass(repr=False, eq=False)
class Convex(Record):
    """`convex` in files.

    points: [[x, y, z], …] in the frame's axes, four or more that are not in one plane: the
        shape is their convex hull; points inside of it change nothing (m) [required]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    points: Sequence[Sequence[float]] = None  # type: ignore[assignment]
    rounding: float = 0
    comment: Any = None

    _type = 'convex'
    _required = ('points',)


@dataclass(repr=False, eq=False)
class MeshShape(Record):
    """`mesh` in files.

    path: name of a file of type .stl, .obj or .ply that the triangles come from, as seen from
        the model file; or give `vertices` and `triangles`
    scale: metres per unit of length in the file, or of `vertices`: 0.001 for mm [default 1]
    vertices: [[x, y, z], …] in the frame's axes (m) [default []]
    triangles: [[i, j, k], …]: the vertices of each triangle, counted from 0, anticlockwise seen
        from outside [default []]
    rounding: radius of a sphere by which the shape grows on all sides: its edges and corners
        are rounded (m) [default 0]
    """

    path: Optional[str] = None
    scale: float = 1
    vertices: Sequence[Sequence[float]] = field(default_factory=lambda: [])
    triangles: Sequence[Sequence[int]] = field(default_factory=lambda: [])
    rounding: float = 0
    comment: Any = None

    _type = 'mesh'


@dataclass(repr=False, eq=False)
class Pose(Record):
    """`Pose`.

    position: place of the origin in the inertial frame (m) [default [0, 0, 0]]
    orientation: unit quaternion (w, x, y, z) from body to inertial axes
    rotation_vector: axis times angle, instead of the quaternion (rad)
    """

    position: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    orientation: Optional[Sequence[float]] = None
    rotation_vector: Optional[Sequence[float]] = None
    comment: Any = None


@dataclass(repr=False, eq=False)
class Twist(Record):
    """`Twist`.

    linear: velocity of the origin, inertial components (m/s) [default [0, 0, 0]]
    angular: angular velocity, inertial components (rad/s) [default [0, 0, 0]]
    """

    linear: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    angular: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    comment: Any = None


@dataclass(repr=False, eq=False)
class PointMass(Record):
    """`point_mass` in files.

    name: what the rest of the model calls it
    mass: mass (kg) [required]
    pose: initial place; an orientation is refused
    velocity: initial velocity; only `linear` may be given
    """

    name: Optional[str] = None
    mass: float = None  # type: ignore[assignment]
    pose: "Pose" = field(default_factory=lambda: Pose())
    velocity: "Twist" = field(default_factory=lambda: Twist())
    comment: Any = None

    _type = 'point_mass'
    _required = ('mass',)
    _unions = {
        'pose': ('Pose',),
        'velocity': ('Twist',),
    }


@dataclass(repr=False, eq=False)
class Beam(Record):
    """`beam` in files.

    name: what the rest of the model calls it
    start: first end at the initial pose, inertial frame (m) [required]
    end: other end at the initial pose, inertial frame (m) [required]
    elements: finite elements along the length [default 8]
    section: cross section [required]
    material: what it is made of [required]
    mass: how mass is spread on the nodes: consistent (linear velocities), lumped, mixed (the
        mean of both: axial waves), or hermite (cubic velocities, beams only: bending) (one of
        "consistent", "lumped", "mixed", "hermite") [default "consistent"]
    velocity: initial velocity field: linear + angular × (x − start), inertial components
    damping: internal damping; none if not given
    through: a third point: the beam is the circular arc from `start` through it to `end`, free
        of stress; straight if not given (m)
    orientation: direction of the section's z at `start`, inertial components, made square to
        the beam; if not given the inertial z, or y for a vertical beam
    """

    name: Optional[str] = None
    start: Sequence[float] = None  # type: ignore[assignment]
    end: Sequence[float] = None  # type: ignore[assignment]
    elements: int = 8
    section: Union["CircularSection", "RectangularSection", "PipeSection", "ExplicitSection"] = None  # type: ignore[assignment]
    material: "ElasticMaterial" = None  # type: ignore[assignment]
    mass: str = 'consistent'
    velocity: "Twist" = field(default_factory=lambda: Twist())
    damping: Optional[Union["StiffnessProportional", "ModalRatio"]] = None
    through: Optional[Sequence[float]] = None
    orientation: Optional[Union[Sequence[float], str]] = None
    comment: Any = None

    _type = 'beam'
    _required = ('start', 'end', 'section', 'material')
    _unions = {
        'section': ('CircularSection', 'RectangularSection', 'PipeSection', 'ExplicitSection'),
        'material': ('ElasticMaterial',),
        'velocity': ('Twist',),
        'damping': ('StiffnessProportional', 'ModalRatio'),
    }


@dataclass(repr=False, eq=False)
class CircularSection(Record):
    """`circular` in files.

    radius: radius (m) [required]
    """

    radius: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'circular'
    _required = ('radius',)


@dataclass(repr=False, eq=False)
class RectangularSection(Record):
    """`rectangular` in files.

    width: size along the section's y (m) [required]
    height: size along the section's z (m) [required]
    """

    width: float = None  # type: ignore[assignment]
    height: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'rectangular'
    _required = ('width', 'height')


@dataclass(repr=False, eq=False)
class PipeSection(Record):
    """`pipe` in files.

    radius: outer radius (m) [required]
    inner_radius: inner radius, smaller than the outer one (m) [required]
    """

    radius: float = None  # type: ignore[assignment]
    inner_radius: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'pipe'
    _required = ('radius', 'inner_radius')


@dataclass(repr=False, eq=False)
class ExplicitSection(Record):
    """`explicit` in files.

    area: area A (m²) [required]
    inertia_y: second moment of area I_y = ∫z² dA, for bending in the plane xz; if not given,
        inertia_z, or A²/12 (a square) if that is not given either (m⁴)
    inertia_z: second moment of area I_z = ∫y² dA, for bending in the plane xy; if not given,
        inertia_y, or A²/12 (a square) if that is not given either (m⁴)
    torsion: torsion constant J; if not given, 0.0234295 A⁴/(I_y + I_z): Saint-Venant's estimate
        for solid sections, exact for a square (0.140577 A²), much too small for closed thin
        walls (m⁴)
    shear_y: shear factor k_y: k_y A carries the shear force along y; 5/6 if not given
    shear_z: shear factor k_z: k_z A carries the shear force along z; 5/6 if not given
    """

    area: float = None  # type: ignore[assignment]
    inertia_y: Optional[float] = None
    inertia_z: Optional[float] = None
    torsion: Optional[float] = None
    shear_y: Optional[float] = None
    shear_z: Optional[float] = None
    comment: Any = None

    _type = 'explicit'
    _required = ('area',)


@dataclass(repr=False, eq=False)
class ElasticMaterial(Record):
    """`ElasticMaterial`.

    young_modulus: Young's modulus E (Pa) [required]
    poisson_ratio: Poisson's ratio ν, greater than −1 and smaller than 0.5 [default 0.3]
    density: density ρ (kg/m³) [required]
    """

    young_modulus: float = None  # type: ignore[assignment]
    poisson_ratio: float = 0.3
    density: float = None  # type: ignore[assignment]
    comment: Any = None

    _required = ('young_modulus', 'density')


@dataclass(repr=False, eq=False)
class StiffnessProportional(Record):
    """`stiffness_proportional` in files.

    time: stress per strain rate over stress per strain: a mode of angular frequency ω has the
        damping ratio time·ω/2 (s) [required]
    """

    time: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'stiffness_proportional'
    _required = ('time',)


@dataclass(repr=False, eq=False)
class ModalRatio(Record):
    """`modal_ratio` in files.

    ratio: damping ratio ζ at `frequency`; it grows in proportion to the frequency [required]
    frequency: where the ratio holds; a beam's default is its first bending frequency between
        hinges, a bar's c/(2L); a solid needs it (Hz)
    """

    ratio: float = None  # type: ignore[assignment]
    frequency: Optional[float] = None
    comment: Any = None

    _type = 'modal_ratio'
    _required = ('ratio',)


@dataclass(repr=False, eq=False)
class Bar(Record):
    """`bar` in files.

    name: what the rest of the model calls it
    start: first end at the initial pose, inertial frame (m) [required]
    end: other end at the initial pose, inertial frame (m) [required]
    elements: finite elements along the length [default 8]
    section: cross section [required]
    material: what it is made of [required]
    mass: how mass is spread on the nodes: consistent (linear velocities), lumped, mixed (the
        mean of both: axial waves), or hermite (cubic velocities, beams only: bending) (one of
        "consistent", "lumped", "mixed", "hermite") [default "consistent"]
    velocity: initial velocity field: linear + angular × (x − start), inertial components
    damping: internal damping; none if not given
    """

    name: Optional[str] = None
    start: Sequence[float] = None  # type: ignore[assignment]
    end: Sequence[float] = None  # type: ignore[assignment]
    elements: int = 8
    section: Union["CircularSection", "RectangularSection", "PipeSection", "ExplicitSection"] = None  # type: ignore[assignment]
    material: "ElasticMaterial" = None  # type: ignore[assignment]
    mass: str = 'consistent'
    velocity: "Twist" = field(default_factory=lambda: Twist())
    damping: Optional[Union["StiffnessProportional", "ModalRatio"]] = None
    comment: Any = None

    _type = 'bar'
    _required = ('start', 'end', 'section', 'material')
    _unions = {
        'section': ('CircularSection', 'RectangularSection', 'PipeSection', 'ExplicitSection'),
        'material': ('ElasticMaterial',),
        'velocity': ('Twist',),
        'damping': ('StiffnessProportional', 'ModalRatio'),
    }


@dataclass(repr=False, eq=False)
class Solid(Record):
    """`solid` in files.

    name: what the rest of the model calls it
    mesh: its finite elements: a box, or a file [required]
    material: what it is made of (St. Venant–Kirchhoff) [required]
    pose: initial place of the mesh's origin and axes
    velocity: initial velocity field: linear + angular × (x − position), inertial components
    mass: how mass is spread on the nodes: consistent, or lumped (one of "consistent", "lumped")
        [default "consistent"]
    formulation: of hexahedra: enhanced_strain does not lock in bending, standard does (one of
        "enhanced_strain", "standard") [default "enhanced_strain"]
    damping: internal damping; none if not given
    """

    name: Optional[str] = None
    mesh: Union["BoxMesh", "MeshFile"] = None  # type: ignore[assignment]
    material: "ElasticMaterial" = None  # type: ignore[assignment]
    pose: "Pose" = field(default_factory=lambda: Pose())
    velocity: "Twist" = field(default_factory=lambda: Twist())
    mass: str = 'consistent'
    formulation: str = 'enhanced_strain'
    damping: Optional[Union["StiffnessProportional", "ModalRatio"]] = None
    comment: Any = None

    _type = 'solid'
    _required = ('mesh', 'material')
    _unions = {
        'mesh': ('BoxMesh', 'MeshFile'),
        'material': ('ElasticMaterial',),
        'pose': ('Pose',),
        'velocity': ('Twist',),
        'damping': ('StiffnessProportional', 'ModalRatio'),
    }


@dataclass(repr=False, eq=False)
class BoxMesh(Record):
    """`box` in files.

    size: lengths of the edges along x, y, z; the centre is the origin (m) [required]
    divisions: how many cells along x, y, z [required]
    cells: finite elements: hexahedra with 8 nodes; or each of these cut into six tetrahedra
        with 4 nodes, or into six quadratic_tetrahedra with 10 (one of "tetrahedra",
        "quadratic_tetrahedra", "hexahedra") [default "hexahedra"]
    """

    size: Sequence[float] = None  # type: ignore[assignment]
    divisions: Sequence[int] = None  # type: ignore[assignment]
    cells: str = 'hexahedra'
    comment: Any = None

    _type = 'box'
    _required = ('size', 'divisions')


@dataclass(repr=False, eq=False)
class MeshFile(Record):
    """`file` in files.

    path: Gmsh file (.msh, format 2.2 or 4.1), absolute or beside the model file; its physical
        groups become node sets [required]
    scale: metres per unit of length in the file: 0.001 for mm [default 1]
    """

    path: str = None  # type: ignore[assignment]
    scale: float = 1
    comment: Any = None

    _type = 'file'
    _required = ('path',)


@dataclass(repr=False, eq=False)
class Fixed(Record):
    """`fixed` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    comment: Any = None

    _type = 'fixed'
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class Frame(Record):
    """`Frame`.

    body: name of the body, or "ground" [required]
    arclength: place on a beam or bar, measured from its start (m)
    node: node of a flexible body, counted from 0, instead
    nodes: node set of a flexible body, instead: a solid's `x_min` … `z_max` or physical groups;
        `start`, `end` or `all` of a beam or bar. Joints, springs and torques make the set
        rigid; forces spread over it; colliders take each node, but one that is neither point
        nor sphere makes the set of a solid rigid if it may touch something, with a warning
    position: origin of the frame in body coordinates; on a flexible body from the place that is
        named (m) [default [0, 0, 0]]
    orientation: unit quaternion (w, x, y, z) from the frame's axes to the body's
    rotation_vector: axis times angle, instead of the quaternion (rad)
    """

    body: str = None  # type: ignore[assignment]
    arclength: Optional[float] = None
    node: Optional[int] = None
    nodes: Optional[str] = None
    position: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    orientation: Optional[Sequence[float]] = None
    rotation_vector: Optional[Sequence[float]] = None
    comment: Any = None

    _required = ('body',)


@dataclass(repr=False, eq=False)
class Spherical(Record):
    """`spherical` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    friction: Coulomb friction against its motion
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    friction: Optional["JointFriction"] = None
    comment: Any = None

    _type = 'spherical'
    _unions = {
        'between': ('Frame',),
        'friction': ('JointFriction',),
    }


@dataclass(repr=False, eq=False)
class JointFriction(Record):
    """`JointFriction`.

    coefficient: coefficient of friction μ: the bound follows the joint's own reaction
    radius: of the pin, collar or ball r; `revolute`, `spherical`: the moment is at most μ r
        |F|; `cylindrical`: force and moment over r together are at most μ |F| (m)
    length: of the guide l; `prismatic`: the force is at most μ (|F| + 2 |M| / l), without it μ
        |F| (m)
    torque: largest moment, instead of `coefficient`; of joints that turn (N m)
    force: largest force, instead of `coefficient`; of joints that slide (N)
    """

    coefficient: Optional[float] = None
    radius: Optional[float] = None
    length: Optional[float] = None
    torque: Optional[float] = None
    force: Optional[float] = None
    comment: Any = None


@dataclass(repr=False, eq=False)
class Revolute(Record):
    """`revolute` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    drive: imposed motion of the second body to the first
    limits: stops at the ends of its way
    friction: Coulomb friction against its motion
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    drive: Optional[Union["Position", "Speed"]] = None
    limits: Optional["Limits"] = None
    friction: Optional["JointFriction"] = None
    comment: Any = None

    _type = 'revolute'
    _unions = {
        'between': ('Frame',),
        'drive': ('Position', 'Speed'),
        'limits': ('Limits',),
        'friction': ('JointFriction',),
    }


@dataclass(repr=False, eq=False)
class Position(Record):
    """`position` in files.

    value: joint coordinate as a function of time, zero at the initial pose (rad or m)
        [required]
    """

    value: Union[float, "Table", "Sine", "Expression"] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'position'
    _required = ('value',)
    _unions = {
        'value': ('Table', 'Sine', 'Expression'),
    }


@dataclass(repr=False, eq=False)
class Table(Record):
    """`table` in files.

    times: increasing times (s) [required]
    values: values at these times [required]
    """

    times: Sequence[float] = None  # type: ignore[assignment]
    values: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'table'
    _required = ('times', 'values')


@dataclass(repr=False, eq=False)
class Sine(Record):
    """`sine` in files.

    amplitude: amplitude [required]
    frequency: frequency f in sin(2π f t + phase) (Hz) [required]
    phase: phase at t = 0 (rad) [default 0]
    offset: mean value [default 0]
    """

    amplitude: float = None  # type: ignore[assignment]
    frequency: float = None  # type: ignore[assignment]
    phase: float = 0
    offset: float = 0
    comment: Any = None

    _type = 'sine'
    _required = ('amplitude', 'frequency')


@dataclass(repr=False, eq=False)
class Expression(Record):
    """`expression` in files.

    text: formula of the time t, muParser syntax; pi and e are known [required]
    """

    text: str = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'expression'
    _required = ('text',)


@dataclass(repr=False, eq=False)
class Speed(Record):
    """`speed` in files.

    value: rate of the joint coordinate as a function of time (rad/s or m/s) [required]
    """

    value: Union[float, "Table", "Sine", "Expression"] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'speed'
    _required = ('value',)
    _unions = {
        'value': ('Table', 'Sine', 'Expression'),
    }


@dataclass(repr=False, eq=False)
class Limits(Record):
    """`Limits`.

    lower: least value of the coordinate; none if not given (rad or m)
    upper: largest value of the coordinate; none if not given (rad or m)
    restitution: rate after an impact on the stop over that before it [default 0]
    """

    lower: Optional[float] = None
    upper: Optional[float] = None
    restitution: float = 0
    comment: Any = None


@dataclass(repr=False, eq=False)
class Prismatic(Record):
    """`prismatic` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    drive: imposed motion of the second body to the first
    limits: stops at the ends of its way
    friction: Coulomb friction against its motion
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    drive: Optional[Union["Position", "Speed"]] = None
    limits: Optional["Limits"] = None
    friction: Optional["JointFriction"] = None
    comment: Any = None

    _type = 'prismatic'
    _unions = {
        'between': ('Frame',),
        'drive': ('Position', 'Speed'),
        'limits': ('Limits',),
        'friction': ('JointFriction',),
    }


@dataclass(repr=False, eq=False)
class Cylindrical(Record):
    """`cylindrical` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    limits: stops at the ends of its way
    friction: Coulomb friction against its motion
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    limits: Optional["CylindricalLimits"] = None
    friction: Optional["JointFriction"] = None
    comment: Any = None

    _type = 'cylindrical'
    _unions = {
        'between': ('Frame',),
        'limits': ('CylindricalLimits',),
        'friction': ('JointFriction',),
    }


@dataclass(repr=False, eq=False)
class CylindricalLimits(Record):
    """`CylindricalLimits`.

    angle: how far it turns about `axis`, rad
    displacement: how far it slides along `axis`, m
    """

    angle: Optional["Limits"] = None
    displacement: Optional["Limits"] = None
    comment: Any = None

    _unions = {
        'angle': ('Limits',),
        'displacement': ('Limits',),
    }


@dataclass(repr=False, eq=False)
class Universal(Record):
    """`universal` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    axis_2: arm in the second body, in the inertial frame at the initial pose; with `between` it
        is the second frame's x
    limits: stops at the ends of its way
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    axis_2: Optional[Union[Sequence[float], str]] = None
    limits: Optional["UniversalLimits"] = None
    comment: Any = None

    _type = 'universal'
    _unions = {
        'between': ('Frame',),
        'limits': ('UniversalLimits',),
    }


@dataclass(repr=False, eq=False)
class UniversalLimits(Record):
    """`UniversalLimits`.

    angle_1: how far the cross turns about `axis` against the first body, rad
    angle_2: how far the second body turns about `axis_2` against the cross, rad
    """

    angle_1: Optional["Limits"] = None
    angle_2: Optional["Limits"] = None
    comment: Any = None

    _unions = {
        'angle_1': ('Limits',),
        'angle_2': ('Limits',),
    }


@dataclass(repr=False, eq=False)
class Planar(Record):
    """`planar` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    comment: Any = None

    _type = 'planar'
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class Distance(Record):
    """`distance` in files.

    name: what the rest of the model calls it
    between: the two points, as frames in body coordinates [required]
    length: length; the initial distance if not given (m)
    limits: instead of a rod, whose length is given, something that is never shorter than
        `lower` or longer than `upper`: a rope has an `upper` limit only
    """

    name: Optional[str] = None
    between: Sequence["Frame"] = None  # type: ignore[assignment]
    length: Optional[float] = None
    limits: Optional["Limits"] = None
    comment: Any = None

    _type = 'distance'
    _required = ('between',)
    _unions = {
        'between': ('Frame',),
        'limits': ('Limits',),
    }


@dataclass(repr=False, eq=False)
class PointOnLine(Record):
    """`point_on_line` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    comment: Any = None

    _type = 'point_on_line'
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class PointOnPlane(Record):
    """`point_on_plane` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    comment: Any = None

    _type = 'point_on_plane'
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class Rolling(Record):
    """`rolling` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies, that with the plane first; together with `at` [default []]
    at: where they touch, in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at`: one in the plane, one
        at the centre of the sphere or wheel [default []]
    axis: normal of the plane, to the side of the second body, in the inertial frame at the
        initial pose; with `between` it is the first frame's z
    axis_2: axle of a wheel, in the inertial frame at the initial pose; with `between` it is the
        second frame's x
    shape: `sphere`, or `wheel`: a circle about its axle that touches where it is lowest (one of
        "sphere", "wheel") [default "sphere"]
    radius: of the sphere or wheel, rounding included (m) [required]
    rounding: radius of a wheel's profile; 0: a disc with a sharp edge (m) [default 0]
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    axis_2: Optional[Union[Sequence[float], str]] = None
    shape: str = 'sphere'
    radius: float = None  # type: ignore[assignment]
    rounding: float = 0
    comment: Any = None

    _type = 'rolling'
    _required = ('radius',)
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class KnifeEdge(Record):
    """`knife_edge` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    axis_2: the edge in the second body, in the inertial frame at the initial pose; with
        `between` it is the second frame's x
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    axis_2: Optional[Union[Sequence[float], str]] = None
    comment: Any = None

    _type = 'knife_edge'
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class Lock(Record):
    """`lock` in files.

    name: what the rest of the model calls it
    body: the body that is held [required]
    translation: directions in which the body frame's origin is held: "x", "y", "z" [default []]
    rotation: axes about which it may not turn: two leave the rotation about the third, one
        alone is held as by a universal joint [default []]
    """

    name: Optional[str] = None
    body: str = None  # type: ignore[assignment]
    translation: Sequence[str] = field(default_factory=lambda: [])
    rotation: Sequence[str] = field(default_factory=lambda: [])
    comment: Any = None

    _type = 'lock'
    _required = ('body',)


@dataclass(repr=False, eq=False)
class Screw(Record):
    """`screw` in files.

    name: what the rest of the model calls it
    bodies: names of the two bodies; together with `at` [default []]
    at: place of the joint in the inertial frame at the initial pose (m)
    between: two frames in body coordinates, instead of `bodies` and `at` [default []]
    axis: axis (line or normal) in the inertial frame at the initial pose; with `between` it is
        the first frame's z
    pitch: p in displacement = p · angle / 2π: the way of a turn, > 0 for a right-handed thread
        (m) [required]
    drive: imposed angle of the second body to the first
    """

    name: Optional[str] = None
    bodies: Sequence[str] = field(default_factory=lambda: [])
    at: Optional[Sequence[float]] = None
    between: Sequence["Frame"] = field(default_factory=lambda: [])
    axis: Optional[Union[Sequence[float], str]] = None
    pitch: float = None  # type: ignore[assignment]
    drive: Optional[Union["Position", "Speed"]] = None
    comment: Any = None

    _type = 'screw'
    _required = ('pitch',)
    _unions = {
        'between': ('Frame',),
        'drive': ('Position', 'Speed'),
    }


@dataclass(repr=False, eq=False)
class Gear(Record):
    """`gear` in files.

    name: what the results call it
    joints: the two joints a and b, each with one coordinate: revolute, prismatic or screw
        [required]
    ratio: i in rate_a + i · rate_b = 0: i > 0 for an external pair, i < 0 for an internal one
        or a belt; rad/m or m/rad between a joint that turns and one that slides [required]
    """

    name: Optional[str] = None
    joints: Sequence[str] = None  # type: ignore[assignment]
    ratio: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'gear'
    _required = ('joints', 'ratio')


@dataclass(repr=False, eq=False)
class Relation(Record):
    """`relation` in files.

    name: what the results call it
    joints: joints, each with one coordinate: revolute, prismatic or screw [required]
    coefficients: cᵢ in Σ cᵢ sᵢ = 0, sᵢ the angle or displacement of the joint since the initial
        pose; one for each joint [required]
    """

    name: Optional[str] = None
    joints: Sequence[str] = None  # type: ignore[assignment]
    coefficients: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'relation'
    _required = ('joints', 'coefficients')


@dataclass(repr=False, eq=False)
class Force(Record):
    """`force` in files.

    name: what the results call it
    on: body and point the force acts on [required]
    value: inertial components, each a function of time (N) [required]
    """

    name: Optional[str] = None
    on: "Frame" = None  # type: ignore[assignment]
    value: Sequence[Union[float, "Table", "Sine", "Expression"]] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'force'
    _required = ('on', 'value')
    _unions = {
        'on': ('Frame',),
        'value': ('Table', 'Sine', 'Expression'),
    }


@dataclass(repr=False, eq=False)
class Torque(Record):
    """`torque` in files.

    name: what the results call it
    on: body the torque acts on [required]
    value: inertial components, each a function of time (N m) [required]
    """

    name: Optional[str] = None
    on: "Frame" = None  # type: ignore[assignment]
    value: Sequence[Union[float, "Table", "Sine", "Expression"]] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'torque'
    _required = ('on', 'value')
    _unions = {
        'on': ('Frame',),
        'value': ('Table', 'Sine', 'Expression'),
    }


@dataclass(repr=False, eq=False)
class SpringDamper(Record):
    """`spring_damper` in files.

    name: what the results call it
    between: the two points, as frames in body coordinates [required]
    stiffness: stiffness (N/m) [required]
    damping: viscous damping along the line (N s/m) [default 0]
    rest_length: length without force; the initial length if not given (m)
    """

    name: Optional[str] = None
    between: Sequence["Frame"] = None  # type: ignore[assignment]
    stiffness: float = None  # type: ignore[assignment]
    damping: float = 0
    rest_length: Optional[float] = None
    comment: Any = None

    _type = 'spring_damper'
    _required = ('between', 'stiffness')
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class TorsionalSpringDamper(Record):
    """`torsional_spring_damper` in files.

    name: what the results call it
    joint: a revolute or cylindrical joint [required]
    stiffness: stiffness (N m/rad) [required]
    damping: viscous damping (N m s/rad) [default 0]
    rest_angle: joint angle without torque, zero being the initial pose (rad) [default 0]
    """

    name: Optional[str] = None
    joint: str = None  # type: ignore[assignment]
    stiffness: float = None  # type: ignore[assignment]
    damping: float = 0
    rest_angle: float = 0
    comment: Any = None

    _type = 'torsional_spring_damper'
    _required = ('joint', 'stiffness')


@dataclass(repr=False, eq=False)
class Bushing(Record):
    """`bushing` in files.

    name: what the results call it
    between: the two frames, in body coordinates [required]
    stiffness: along the first frame's x, y, z (N/m) [required]
    rotational_stiffness: about the first frame's x, y, z (N m/rad) [default [0, 0, 0]]
    damping: along the first frame's x, y, z (N s/m) [default [0, 0, 0]]
    rotational_damping: about the first frame's x, y, z (N m s/rad) [default [0, 0, 0]]
    """

    name: Optional[str] = None
    between: Sequence["Frame"] = None  # type: ignore[assignment]
    stiffness: Sequence[float] = None  # type: ignore[assignment]
    rotational_stiffness: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    damping: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    rotational_damping: Sequence[float] = field(default_factory=lambda: [0, 0, 0])
    comment: Any = None

    _type = 'bushing'
    _required = ('between', 'stiffness')
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class UserForce(Record):
    """`user` in files.

    name: what the results call it
    between: two frames in body coordinates: the law, which a program (C++ or Python) gives,
        acts on the second, its reaction on the first [required]
    law: function of (time, first, second), two motions with `position`, `rotation`, `velocity`
        and `angular_velocity` in the inertial frame: the force (N) at the second frame's
        origin, or (force, torque); the first frame has the reaction
    """

    name: Optional[str] = None
    between: Sequence["Frame"] = None  # type: ignore[assignment]
    law: Optional[Callable[..., Any]] = None
    comment: Any = None

    _type = 'user'
    _required = ('between',)
    _unwritten = ('law',)
    _unions = {
        'between': ('Frame',),
    }


@dataclass(repr=False, eq=False)
class Actuator(Record):
    """`actuator` in files.

    name: what the results call it
    joint: a revolute, cylindrical or screw joint, which gets a torque, or a prismatic one,
        which gets a force [required]
    value: a function of time; its expression may also name what moves: `<joint>.angle`,
        `<joint>.rate`, `<joint>.displacement`, `<body>.position.x`, `<body>.velocity.x`,
        `<body>.angular_velocity.x`, of a compliant contact `<contact>.force.n`, `.force.t1`,
        `.force.t2`, `<contact>.indentation` (N m or N) [required]
    """

    name: Optional[str] = None
    joint: str = None  # type: ignore[assignment]
    value: Union[float, "Table", "Sine", "Expression"] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'actuator'
    _required = ('joint', 'value')
    _unions = {
        'value': ('Table', 'Sine', 'Expression'),
    }


@dataclass(repr=False, eq=False)
class Collider(Record):
    """`Collider`.

    name: what contacts call it; `collider<index>` if not given
    frame: the body that carries it, and the place on it [required]
    shape: a point, sphere, capsule, box, cylinder, convex, mesh, half_space, face,
        hollow_sphere, bore or groove [required]
    """

    name: Optional[str] = None
    frame: "Frame" = None  # type: ignore[assignment]
    shape: Union["PointShape", "Sphere", "Box", "HalfSpace", "Face", "HollowSphereShape", "Cylinder", "Bore", "Groove", "Capsule", "Convex", "MeshShape"] = None  # type: ignore[assignment]
    comment: Any = None

    _required = ('frame', 'shape')
    _unions = {
        'frame': ('Frame',),
        'shape': ('PointShape', 'Sphere', 'Box', 'HalfSpace', 'Face', 'HollowSphereShape',
            'Cylinder', 'Bore', 'Groove', 'Capsule', 'Convex', 'MeshShape'),
    }


@dataclass(repr=False, eq=False)
class Contact(Record):
    """`Contact`.

    name: what the results call it; `contact<index>` if not given
    between: two entries, each a collider's name, a pattern (`*` any letters, `?` one) or a list
        of these; a pattern against itself means all distinct pairs; left out are pairs on one
        body, pairs from patterns on moving bodies that a joint connects (see `collide_joined`),
        and shapes that cannot touch: a point, sphere, capsule, box, cylinder, convex or mesh
        touches a half_space or face, and any two of them but two points touch each other; all
        but a cylinder may be inside of a hollow_sphere; a sphere, point or cylinder touches a
        bore from inside, a sphere a groove [required]
    collide_joined: whether pairs that a pattern selects touch although a joint connects their
        moving bodies; pairs that are named always do [default false]
    restitution: normal velocity after an impact over that before it, reversed: a number, or a
        law of the speed of approach [default 0]
    tangential_restitution: the same for the slip of an impact that sticks [default 0]
    friction: Coulomb's coefficient of friction: a number, or a law of the slip speed (that
        before an impact, or at the beginning of the step) [default 0]
    static_friction: coefficient of a contact that sticks, for the event_driven integrator;
        `friction` at rest if not given, or if that is larger
    rolling_friction: of what is round: largest moment against rolling over the normal force (m)
        [default 0]
    spinning_friction: of what is round: largest moment against spinning about the normal over
        the normal force (m) [default 0]
    sliding_and_spinning: independent: each has its own bound; coupled (Coulomb-Contensou):
        force F and moment M share one, (F/(friction N))² + (M/(spinning_friction N))² ≤ 1, so
        that what spins slides more easily (one of "independent", "coupled") [default
        "independent"]
    model: rigid: nothing overlaps, an impact is a jump of velocities, and forces are recovered
        from impulses by the local law; compliant: the local law is a force in the motion, in
        steps that resolve it, and it says what an impact does (one of "rigid", "compliant")
        [default "rigid"]
    stiffness: K of the local law F = K δⁿ: the force of a compliant contact; of a rigid one
        forces are recovered from it, and it does not change the motion (N/mⁿ)
    exponent: n of the local law; 1.5, Hertz's, if not given
    young_modulus: instead of `stiffness`: of both bodies, for Hertz's law; gives stresses as
        well (Pa)
    poisson_ratio: of both bodies; 0.3 if not given
    materials: instead of `young_modulus` and `poisson_ratio`: of the two sides, in the order of
        `between`; stresses are those in the first [default []]
    radii: for Hertz's law: [R1, R2] or [R1, R1', R2, R2'], the principal radii of the two
        surfaces in the order of `between`, concave ones negative, 0 for flat; those of the
        colliders if not given (m) [default []]
    damping_model: damping of the local law, from the restitution and the speed of approach;
        flores if not given (one of "none", "hunt_crossley", "lankarani_nikravesh", "hu",
        "flores", "zhang")
    damping: of a compliant contact, instead of `damping_model`: c of F = K δⁿ + c δ̇
        (Kelvin-Voigt), never pulling (N s/m)
    divide_steps: of a compliant contact: whether steps are divided where it touches or comes
        near, so that each meeting has some 64; false: steps are those that were asked for, and
        what is shorter is not resolved [default true]
    force_method: within an impact: reconstruction from the impulse (if not given), or
        integration of the local law of the two bodies as a check (one of "reconstruction",
        "integration")
    elastoplastic: instead of `stiffness`, for the event_driven integrator: forces inside of
        impacts by an elastic, plastic and damped law
    """

    name: Optional[str] = None
    between: Sequence[Union[str, Sequence[str]]] = None  # type: ignore[assignment]
    collide_joined: bool = False
    restitution: Union[float, "PowerRestitution", "TableRestitution"] = 0
    tangential_restitution: float = 0
    friction: Union[float, "ExponentialFriction", "StribeckFriction"] = 0
    static_friction: Optional[float] = None
    rolling_friction: float = 0
    spinning_friction: float = 0
    sliding_and_spinning: str = 'independent'
    model: str = 'rigid'
    stiffness: Optional[float] = None
    exponent: Optional[float] = None
    young_modulus: Optional[float] = None
    poisson_ratio: Optional[float] = None
    materials: Sequence["ContactMaterial"] = field(default_factory=lambda: [])
    radii: Sequence[float] = field(default_factory=lambda: [])
    damping_model: Optional[str] = None
    damping: Optional[float] = None
    divide_steps: bool = True
    force_method: Optional[str] = None
    elastoplastic: Optional["ElastoplasticContact"] = None
    comment: Any = None

    _required = ('between',)
    _unions = {
        'restitution': ('PowerRestitution', 'TableRestitution'),
        'friction': ('ExponentialFriction', 'StribeckFriction'),
        'materials': ('ContactMaterial',),
        'elastoplastic': ('ElastoplasticContact',),
    }


@dataclass(repr=False, eq=False)
class PowerRestitution(Record):
    """`power` in files.

    reference: coefficient at the reference speed: e = reference · (speed /
        reference_speed)^exponent, but at most 1 [required]
    reference_speed: speed of approach at which `reference` holds (m/s) [required]
    exponent: negative where quicker impacts give back less, −0.25 for bodies that yield; an
        impact that is slow enough then has e = 1 [required]
    """

    reference: float = None  # type: ignore[assignment]
    reference_speed: float = None  # type: ignore[assignment]
    exponent: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'power'
    _required = ('reference', 'reference_speed', 'exponent')


@dataclass(repr=False, eq=False)
class TableRestitution(Record):
    """`table` in files.

    speeds: increasing speeds of approach (m/s) [required]
    values: coefficients at these speeds, linear between them, constant outside [required]
    """

    speeds: Sequence[float] = None  # type: ignore[assignment]
    values: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'table'
    _required = ('speeds', 'values')


@dataclass(repr=False, eq=False)
class ExponentialFriction(Record):
    """`exponential` in files.

    base: coefficient of friction at high slip speeds [required]
    amplitude: what is added to it at the slip speed 0; may be negative, but not below −base
        [required]
    decay: how quickly it goes: base + amplitude exp(−decay · slip speed) (s/m) [required]
    """

    base: float = None  # type: ignore[assignment]
    amplitude: float = None  # type: ignore[assignment]
    decay: float = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'exponential'
    _required = ('base', 'amplitude', 'decay')


@dataclass(repr=False, eq=False)
class StribeckFriction(Record):
    """`stribeck` in files.

    static: coefficient of a contact that sticks [required]
    kinetic: coefficient of one that slips quickly; above `static`, friction grows with the slip
        speed [required]
    stribeck_velocity: slip speed at which the difference has fallen to 1/e (m/s) [required]
    exponent: δ in kinetic + (static − kinetic) exp(−(s/v)^δ) + viscous · s [default 2]
    viscous: growth with the slip speed s (s/m) [default 0]
    """

    static: float = None  # type: ignore[assignment]
    kinetic: float = None  # type: ignore[assignment]
    stribeck_velocity: float = None  # type: ignore[assignment]
    exponent: float = 2
    viscous: float = 0
    comment: Any = None

    _type = 'stribeck'
    _required = ('static', 'kinetic', 'stribeck_velocity')


@dataclass(repr=False, eq=False)
class ContactMaterial(Record):
    """`ContactMaterial`.

    young_modulus: stiffness of the material (Pa) [required]
    poisson_ratio: of the material [default 0.3]
    """

    young_modulus: float = None  # type: ignore[assignment]
    poisson_ratio: float = 0.3
    comment: Any = None

    _required = ('young_modulus',)


@dataclass(repr=False, eq=False)
class ElastoplasticContact(Record):
    """`ElastoplasticContact`.

    materials: of the two sides, in the order of `between`; one entry if they are the same
        [required]
    radii: [R1, R2] of the two surfaces, concave ones negative, 0 for flat; those of the
        colliders if not given (m) [default []]
    hardness: mean pressure at which the weaker side yields fully; above its yield_strength (Pa)
        [required]
    damping: b of a damping force b v^1.5 while the two approach (kg m^-1/2 s^-1/2) [default 0]
    """

    materials: Sequence["PlasticMaterial"] = None  # type: ignore[assignment]
    radii: Sequence[float] = field(default_factory=lambda: [])
    hardness: float = None  # type: ignore[assignment]
    damping: float = 0
    comment: Any = None

    _required = ('materials', 'hardness')
    _unions = {
        'materials': ('PlasticMaterial',),
    }


@dataclass(repr=False, eq=False)
class PlasticMaterial(Record):
    """`PlasticMaterial`.

    young_modulus: stiffness of the material (Pa) [required]
    poisson_ratio: of the material [default 0.3]
    yield_strength: where it begins to yield (Pa) [required]
    """

    young_modulus: float = None  # type: ignore[assignment]
    poisson_ratio: float = 0.3
    yield_strength: float = None  # type: ignore[assignment]
    comment: Any = None

    _required = ('young_modulus', 'yield_strength')


@dataclass(repr=False, eq=False)
class BallBearing(Record):
    """`BallBearing`.

    name: what the results call it; `ball_bearing<index>` if not given
    inner: frame of the inner race: its centre, its z being the axis [required]
    outer: frame of the outer race [required]
    balls: how many [required]
    ball_radius: of every ball (m) [required]
    ball_density: of the balls (kg/m³) [default 7800]
    inner_radius: distance from the axis to the bottom of the inner race (m) [required]
    outer_radius: distance from the axis to the bottom of the outer race; what it exceeds
        inner_radius + 2 ball_radius by is half of the diametral clearance; if that is negative,
        which `model` compliant allows, the balls are pressed in (m) [required]
    inner_groove_radius: radius of the groove's section; a cylinder if not given (radial load
        only) (m)
    outer_groove_radius: the same, outer race (m)
    planar: whether races act as cylinders even if groove radii are given, which then count for
        stresses only: for motion in a plane [default false]
    first_angle: of ball 0 about the outer race's axis, from its x (rad) [default 0]
    cage: none, springs or a ring
    restitution: of balls and races [default 0]
    tangential_restitution: the same, along [default 0]
    friction: between balls and races [default 0]
    rolling_friction: largest moment against rolling over the normal force (m) [default 0]
    young_modulus: of balls and races: forces within impacts and stresses are then computed (Pa)
    poisson_ratio: the same; 0.3 if not given
    model: rigid: balls and races do not overlap; compliant: Hertz's law is a force in the
        motion, balls share the load by their stiffness (one of "rigid", "compliant") [default
        "rigid"]
    damping_model: of the local law of the contacts; flores if not given (one of "none",
        "hunt_crossley", "lankarani_nikravesh", "hu", "flores", "zhang")
    damping: of each contact of a compliant bearing, instead of `damping_model`: c of F = K δⁿ +
        c δ̇, never pulling (N s/m)
    divide_steps: of a compliant bearing: whether steps are divided where balls touch, so that
        their swinging between the races and their impacts are resolved; else the integrator's
        step is what a ball's load is followed with [default false]
    settle_time: from when on the summary counts speeds, loads, stresses and life: what comes
        before belongs to the start of the run (s) [default 0]
    """

    name: Optional[str] = None
    inner: "Frame" = None  # type: ignore[assignment]
    outer: "Frame" = None  # type: ignore[assignment]
    balls: int = None  # type: ignore[assignment]
    ball_radius: float = None  # type: ignore[assignment]
    ball_density: float = 7800
    inner_radius: float = None  # type: ignore[assignment]
    outer_radius: float = None  # type: ignore[assignment]
    inner_groove_radius: Optional[float] = None
    outer_groove_radius: Optional[float] = None
    planar: bool = False
    first_angle: float = 0
    cage: Union["NoCage", "SpringCage", "RingCage"] = field(default_factory=lambda: NoCage())
    restitution: float = 0
    tangential_restitution: float = 0
    friction: float = 0
    rolling_friction: float = 0
    young_modulus: Optional[float] = None
    poisson_ratio: Optional[float] = None
    model: str = 'rigid'
    damping_model: Optional[str] = None
    damping: Optional[float] = None
    divide_steps: bool = False
    settle_time: float = 0
    comment: Any = None

    _required = ('inner', 'outer', 'balls', 'ball_radius', 'inner_radius', 'outer_radius')
    _unions = {
        'inner': ('Frame',),
        'outer': ('Frame',),
        'cage': ('NoCage', 'SpringCage', 'RingCage'),
    }


@dataclass(repr=False, eq=False)
class NoCage(Record):
    """`none` in files."""

    comment: Any = None

    _type = 'none'


@dataclass(repr=False, eq=False)
class SpringCage(Record):
    """`springs` in files.

    stiffness: of each spring (N/m) [required]
    damping: of each spring (N s/m) [default 0]
    """

    stiffness: float = None  # type: ignore[assignment]
    damping: float = 0
    comment: Any = None

    _type = 'springs'
    _required = ('stiffness',)


@dataclass(repr=False, eq=False)
class RingCage(Record):
    """`ring` in files.

    mass: of the ring, whose inertia is that of a thin ring (kg) [required]
    clearance: radius of a pocket less that of a ball: what a ball may move in it (m) [required]
    friction: between balls and pockets [default 0]
    restitution: of balls in pockets [default 0]
    """

    mass: float = None  # type: ignore[assignment]
    clearance: float = None  # type: ignore[assignment]
    friction: float = 0
    restitution: float = 0
    comment: Any = None

    _type = 'ring'
    _required = ('mass', 'clearance')


@dataclass(repr=False, eq=False)
class Dynamics(Record):
    """`dynamics` in files.

    end_time: the run goes from 0 to this time (s) [required]
    integrator: the time-stepping method
    solver: of the contact problems in each step
    multiple_impacts: sequence: an impact goes on from contact to contact as in Newton's cradle;
        simultaneous: all contacts that touch share it at once (one of "simultaneous",
        "sequence") [default "sequence"]
    on_failure: what to do with a step that does not converge: stop, halve the step, or accept
        (one of "stop", "halve", "accept") [default "halve"]
    record: what goes into the results, and how often
    stop_when: a condition on t and on what moves, e.g. `ball.position.z < 0.1`, with the names
        that actuators have: the run is complete when it becomes true, at the latest at end_time
    checkpoint: how often a run writes down all that it goes on with
    """

    end_time: float = None  # type: ignore[assignment]
    integrator: Union["NonsmoothGeneralizedAlpha", "GeneralizedAlpha", "MoreauJean", "EventDriven"] = field(default_factory=lambda: NonsmoothGeneralizedAlpha())
    solver: "ContactSolverOptions" = field(default_factory=lambda: ContactSolverOptions())
    multiple_impacts: str = 'sequence'
    on_failure: str = 'halve'
    record: "RecordOptions" = field(default_factory=lambda: RecordOptions())
    stop_when: Optional[str] = None
    checkpoint: "CheckpointOptions" = field(default_factory=lambda: CheckpointOptions())
    comment: Any = None

    _type = 'dynamics'
    _required = ('end_time',)
    _unions = {
        'integrator': ('NonsmoothGeneralizedAlpha', 'GeneralizedAlpha', 'MoreauJean',
            'EventDriven'),
        'solver': ('ContactSolverOptions',),
        'record': ('RecordOptions',),
        'checkpoint': ('CheckpointOptions',),
    }


@dataclass(repr=False, eq=False)
class NonsmoothGeneralizedAlpha(Record):
    """`nonsmooth_generalized_alpha` in files.

    step: time step h, or an object: steps chosen by their error, impacts located between them
        (s) [default 0.001]
    rho_inf: spectral radius at high frequencies: 1 damps no linear oscillation, 0 damps most
        [default 0.8]
    coupling: decoupled: positions and velocities are corrected one after the other; coupled:
        all parts of a step are solved together (one of "decoupled", "coupled") [default
        "decoupled"]
    neglect_force_difference: true: the corrections leave out how forces change with them, which
        is quicker but less accurate for stiff forces; for the decoupled scheme only [default
        false]
    position_friction: Coulomb's law at position level too; false shows the drift that this
        prevents [default true]
    tolerance: of Newton's method, relative to the forces that balance each other [default
        1e-10]
    max_iterations: of Newton's method in each sub-problem [default 25]
    """

    step: Union[float, "AdaptiveStep"] = 0.001
    rho_inf: float = 0.8
    coupling: str = 'decoupled'
    neglect_force_difference: bool = False
    position_friction: bool = True
    tolerance: float = 1e-10
    max_iterations: int = 25
    comment: Any = None

    _type = 'nonsmooth_generalized_alpha'
    _unions = {
        'step': ('AdaptiveStep',),
    }


@dataclass(repr=False, eq=False)
class AdaptiveStep(Record):
    """`AdaptiveStep`.

    max: the longest step (s) [required]
    tolerance: error of places over the size of a mechanism: of a step in which it moves by its
        own size, of a shorter one in proportion; an impact is met as closely as it may move
        things [default 0.0001]
    min: the shortest step, taken whatever its error; `max`/1000000 if not given (s)
    """

    max: float = None  # type: ignore[assignment]
    tolerance: float = 0.0001
    min: Optional[float] = None
    comment: Any = None

    _required = ('max',)


@dataclass(repr=False, eq=False)
class GeneralizedAlpha(Record):
    """`generalized_alpha` in files.

    step: time step h, or an object: steps chosen by their error, impacts located between them
        (s) [default 0.001]
    rho_inf: spectral radius at high frequencies: 1 damps no linear oscillation, 0 damps most
        [default 0.8]
    tolerance: of Newton's method, relative to the forces that balance each other [default
        1e-10]
    max_iterations: of Newton's method in each sub-problem [default 25]
    """

    step: Union[float, "AdaptiveStep"] = 0.001
    rho_inf: float = 0.8
    tolerance: float = 1e-10
    max_iterations: int = 25
    comment: Any = None

    _type = 'generalized_alpha'
    _unions = {
        'step': ('AdaptiveStep',),
    }


@dataclass(repr=False, eq=False)
class MoreauJean(Record):
    """`moreau_jean` in files.

    step: time step h (s) [default 0.001]
    theta: weight of the end of the step in its forces: 0 explicit, 0.5 midpoint, 1 implicit and
        damping [default 0.5]
    tolerance: of Newton's method, relative to the forces that balance each other [default
        1e-10]
    max_iterations: of Newton's method in each sub-problem [default 25]
    """

    step: float = 0.001
    theta: float = 0.5
    tolerance: float = 1e-10
    max_iterations: int = 25
    comment: Any = None

    _type = 'moreau_jean'


@dataclass(repr=False, eq=False)
class EventDriven(Record):
    """`event_driven` in files.

    step: interval of the results; the steps of the motion are chosen by the tolerance and not
        longer (s) [default 0.01]
    tolerance: error of a step of the motion, over the size of the mechanism and its speed
        [default 1e-10]
    contact_speed: a point that touches and approaches or separates more slowly stays in
        contact, so that bounces come to an end (m/s) [default 1e-05]
    energetic_restitution: e* of impact events, from −1 to 1: 1 − e*² of the normal work of
        compression is lost; negative: the event ends before compression does and another
        follows. A number, or a list by_points or by_order; the contacts' `restitution` if not
        given
    restitution_law: what ends an event: the energetic coefficient (Stronge), Poisson's of
        impulses or Newton's of velocities; or complementarity: the law of the time-stepping
        integrators, one problem for the whole impact, with tangential_restitution and
        multiple_impacts (one of "energetic", "poisson", "newton", "complementarity") [default
        "energetic"]
    normal_work: what finds the end of compression: the integral of the normal work, or the
        expression by a pseudoinverse of the thesis (one of "integral", "pseudoinverse")
        [default "integral"]
    composition: of events of one collision: consistent, or frozen: points that separate keep
        the velocity of that moment (as in the thesis; momentum is not kept) (one of
        "consistent", "frozen") [default "consistent"]
    shares: of points of a plane or line that share the impulse of an event: points: all count
        the same (feet, nails; the thesis); face: each counts for its part of the face or edge
        that they span, so that turning slip depends little on how many there are; where points
        cannot stand for it (corners alone) a warning tells (one of "points", "face") [default
        "points"]
    hyperstatic_forces: of lasting contact where more points touch than are needed: those of the
        least sum of squares, or by the rigid-body rule, by which forces of two points of a body
        have equal components along the line between them, as nearly as equilibrium allows;
        where points slip in different directions, the motion depends on it (one of
        "minimum_norm", "rigid_body") [default "minimum_norm"]
    """

    step: float = 0.01
    tolerance: float = 1e-10
    contact_speed: float = 1e-05
    energetic_restitution: Optional[Union[float, "RestitutionByPoints", "RestitutionByOrder"]] = None
    restitution_law: str = 'energetic'
    normal_work: str = 'integral'
    composition: str = 'consistent'
    shares: str = 'points'
    hyperstatic_forces: str = 'minimum_norm'
    comment: Any = None

    _type = 'event_driven'
    _unions = {
        'energetic_restitution': ('RestitutionByPoints', 'RestitutionByOrder'),
    }


@dataclass(repr=False, eq=False)
class RestitutionByPoints(Record):
    """`by_points` in files.

    values: of events with 1, 2, … points; the last one holds for more [required]
    """

    values: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'by_points'
    _required = ('values',)


@dataclass(repr=False, eq=False)
class RestitutionByOrder(Record):
    """`by_order` in files.

    values: of the first, second, … event of a collision; the last one holds for later ones
        [required]
    """

    values: Sequence[float] = None  # type: ignore[assignment]
    comment: Any = None

    _type = 'by_order'
    _required = ('values',)


@dataclass(repr=False, eq=False)
class ContactSolverOptions(Record):
    """`ContactSolverOptions`.

    method: automatic: sweeps, then proximal Newton, then more robust methods; the others: this
        one only (one of "automatic", "newton", "proximal_newton", "gauss_seidel", "admm",
        "path_following") [default "automatic"]
    accuracy: fast: islands of more than 50 contacts are judged by their motions, with few
        sweeps; standard: those of more than 300, more closely; high: none; a tolerance that is
        given wins (one of "fast", "standard", "high") [default "standard"]
    tolerance: relative residual of the contact laws that is aimed for [default 1e-12]
    acceptable: relative residual that is accepted where none of the methods gets further
        [default 1e-08]
    penalty: of the augmented Lagrangian, over the contact's own stiffness; changes the way, not
        the result [default 4]
    proximal: first proximal term, over the contact's own compliance; changes the way, not the
        result [default 0.01]
    max_iterations: of Newton's method in each contact problem [default 150]
    sleep: nonsmooth_generalized_alpha: rigid bodies without joints and forces that lie still
        are left as they are until something comes near [default true]
    """

    method: str = 'automatic'
    accuracy: str = 'standard'
    tolerance: float = 1e-12
    acceptable: float = 1e-08
    penalty: float = 4
    proximal: float = 0.01
    max_iterations: int = 150
    sleep: bool = True
    comment: Any = None


@dataclass(repr=False, eq=False)
class RecordOptions(Record):
    """`RecordOptions`.

    every: record every n-th step; the first and the last always [default 1]
    interval: in place of `every`: a row at each multiple of it, and at the end; a multiple of a
        step that is a number; with steps chosen by their error their `max` if not given (s)
    contacts: points: columns for every pair that may touch (up to 1000 pairs of a contact; of
        more, totals), or totals: the sums of each contact only (one of "points", "totals")
        [default "points"]
    events: all: impacts and changes of state, impacts only, or none (one of "all", "impacts",
        "none") [default "all"]
    flexible: of flexible bodies: all (motion of nodes, strains and stresses of elements), nodes
        (motion only), or bodies (centre of mass only) (one of "all", "nodes", "bodies")
        [default "all"]
    impacts: of the event_driven integrator: velocities, impulses and works inside of impacts,
        over the impulse; true: of all, or which
    """

    every: int = 1
    interval: Optional[float] = None
    contacts: str = 'points'
    events: str = 'all'
    flexible: str = 'all'
    impacts: Optional[Union[bool, "RecordedImpacts"]] = None
    comment: Any = None

    _unions = {
        'impacts': ('RecordedImpacts',),
    }


@dataclass(repr=False, eq=False)
class RecordedImpacts(Record):
    """`RecordedImpacts`.

    contacts: names of contacts: impacts in which one of them takes part; all if not given
        [default []]
    after: impacts from this time on (s) [default 0]
    most: the first so many of them; a warning tells if more came [default 100]
    """

    contacts: Sequence[str] = field(default_factory=lambda: [])
    after: float = 0
    most: int = 100
    comment: Any = None


@dataclass(repr=False, eq=False)
class Statics(Record):
    """`statics` in files.

    load_steps: gravity and forces (as they are at t = 0) are raised in this many equal steps
        [default 1]
    tolerance: largest unbalanced force relative to the forces that balance each other [default
        1e-10]
    max_iterations: in each load step [default 200]
    """

    load_steps: int = 1
    tolerance: float = 1e-10
    max_iterations: int = 200
    comment: Any = None

    _type = 'statics'


@dataclass(repr=False, eq=False)
class Modes(Record):
    """`modes` in files.

    count: how many modes, lowest frequencies first [default 10]
    equilibrium: find the static equilibrium first; false: linearise at the initial pose
        [default true]
    load_steps: of the static equilibrium [default 1]
    """

    count: int = 10
    equilibrium: bool = True
    load_steps: int = 1
    comment: Any = None

    _type = 'modes'


@dataclass(repr=False, eq=False)
class CheckpointOptions(Record):
    """`CheckpointOptions`.

    every_seconds: wall time from one checkpoint to the next, from which `saltus resume` goes
        on; one is written in any case when the run is interrupted (s) [default 60]
    """

    every_seconds: float = 60
    comment: Any = None


@dataclass(repr=False, eq=False)
class ModelRecord(Record):
    """`ModelRecord`.

    gravity: acceleration of gravity, inertial components (m/s²) [default [0, 0, -9.81]]
    bodies: what moves [default []]
    joints: what holds bodies together [default []]
    forces: what acts on bodies [default []]
    colliders: what can touch: shapes on bodies and on the ground [default []]
    contacts: which colliders touch each other, and how [default []]
    ball_bearings: ball bearings: each stands for races, balls, cage and contacts [default []]
    parameters: numbers by their names: wherever a number stands in the model or in the options
        of the run, a text like "=2*mu" may stand, and formulas of time may name them
    """

    gravity: Sequence[float] = field(default_factory=lambda: [0, 0, -9.81])
    bodies: Sequence[Union["RigidBody", "PointMass", "Beam", "Bar", "Solid"]] = field(default_factory=lambda: [])
    joints: Sequence[Union["Fixed", "Spherical", "Revolute", "Prismatic", "Cylindrical", "Universal", "Planar", "Distance", "PointOnLine", "PointOnPlane", "Rolling", "KnifeEdge", "Lock", "Screw", "Gear", "Relation"]] = field(default_factory=lambda: [])
    forces: Sequence[Union["Force", "Torque", "SpringDamper", "TorsionalSpringDamper", "Bushing", "UserForce", "Actuator"]] = field(default_factory=lambda: [])
    colliders: Sequence["Collider"] = field(default_factory=lambda: [])
    contacts: Sequence["Contact"] = field(default_factory=lambda: [])
    ball_bearings: Sequence["BallBearing"] = field(default_factory=lambda: [])
    parameters: dict[str, Any] = field(default_factory=dict)
    comment: Any = None

    _unwritten = ('parameters',)
    _unions = {
        'bodies': ('RigidBody', 'PointMass', 'Beam', 'Bar', 'Solid'),
        'joints': ('Fixed', 'Spherical', 'Revolute', 'Prismatic', 'Cylindrical', 'Universal',
            'Planar', 'Distance', 'PointOnLine', 'PointOnPlane', 'Rolling', 'KnifeEdge', 'Lock',
            'Screw', 'Gear', 'Relation'),
        'forces': ('Force', 'Torque', 'SpringDamper', 'TorsionalSpringDamper', 'Bushing',
            'UserForce', 'Actuator'),
        'colliders': ('Collider',),
        'contacts': ('Contact',),
        'ball_bearings': ('BallBearing',),
    }


__all__ = [
    'RigidBody',
    'SolidSphere',
    'HollowSphere',
    'SolidBox',
    'SolidCylinder',
    'SlenderRod',
    'ExplicitInertia',
    'FromShape',
    'PointShape',
    'Sphere',
    'Box',
    'HalfSpace',
    'Face',
    'HollowSphereShape',
    'Cylinder',
    'Bore',
    'Groove',
    'Capsule',
    'Convex',
    'MeshShape',
    'Pose',
    'Twist',
    'PointMass',
    'Beam',
    'CircularSection',
    'RectangularSection',
    'PipeSection',
    'ExplicitSection',
    'ElasticMaterial',
    'StiffnessProportional',
    'ModalRatio',
    'Bar',
    'Solid',
    'BoxMesh',
    'MeshFile',
    'Fixed',
    'Frame',
    'Spherical',
    'JointFriction',
    'Revolute',
    'Position',
    'Table',
    'Sine',
    'Expression',
    'Speed',
    'Limits',
    'Prismatic',
    'Cylindrical',
    'CylindricalLimits',
    'Universal',
    'UniversalLimits',
    'Planar',
    'Distance',
    'PointOnLine',
    'PointOnPlane',
    'Rolling',
    'KnifeEdge',
    'Lock',
    'Screw',
    'Gear',
    'Relation',
    'Force',
    'Torque',
    'SpringDamper',
    'TorsionalSpringDamper',
    'Bushing',
    'UserForce',
    'Actuator',
    'Collider',
    'Contact',
    'PowerRestitution',
    'TableRestitution',
    'ExponentialFriction',
    'StribeckFriction',
    'ContactMaterial',
    'ElastoplasticContact',
    'PlasticMaterial',
    'BallBearing',
    'NoCage',
    'SpringCage',
    'RingCage',
    'Dynamics',
    'NonsmoothGeneralizedAlpha',
    'AdaptiveStep',
    'GeneralizedAlpha',
    'MoreauJean',
    'EventDriven',
    'RestitutionByPoints',
    'RestitutionByOrder',
    'ContactSolverOptions',
    'RecordOptions',
    'RecordedImpacts',
    'Statics',
    'Modes',
    'CheckpointOptions',
    'ModelRecord',
]
