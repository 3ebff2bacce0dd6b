"""Types of scenes as dicts, for editors and mypy: ``scene: scree.Scene = {...}``.

Made by framework/docs/tools/make_scene_types.py from the schemas. Do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, Literal, Sequence, Type, TypedDict, Union

from .law import Law as _PythonLaw

class _Oscillation(TypedDict):
    amplitude: Sequence[float]
    """Amplitude [m/s^2]."""
    frequency: float
    """Frequency [Hz]."""


class Oscillation(_Oscillation, total=False):
    """Added to the rest: amplitude sin(2 pi frequency t + phase). Default: none."""

    phase: float
    """Phase at time 0 [rad]."""


class GravityRow(TypedDict):
    """The value at one time."""

    time: float
    """Time [s]; later than that of the previous row."""
    vector: Sequence[float]
    """Acceleration [m/s^2]."""


class Gravity(TypedDict, total=False):
    """Gravity that varies in time: the sum of a constant vector, an oscillation and a table, as far as they are given. The potential energy in the results is that of the moment's gravity."""

    vector: Sequence[float]
    """Constant part [m/s^2]. Default: none."""
    oscillation: Oscillation
    table: Sequence[GravityRow]
    """Values over time, added to the rest: linear between rows, constant before the first and after the last. Default: none."""


class SceneDamping(TypedDict, total=False):
    """Background damping of every free body."""

    linear: float
    """Force -c v against the velocity, or -c (v - fluid_velocity); c in [N s/m]."""
    angular: float
    """Torque -c omega against the rotation; c in [N m s]."""
    fluid_velocity: Sequence[float]
    """Velocity of a uniform stream that drags every body along by "linear" [m/s]. Default: a fluid at rest."""
    mass_proportional: float
    """Force -alpha m v and torque -alpha L: every velocity decays at the rate alpha [1/s], whatever the mass."""
    local: float
    """Local damping after Cundall [-]: each component of the force and torque of contacts and gravity is reduced by this fraction of its size where it speeds the body up, raised where it slows it down. For quasi-static loading; it also slows free fall."""


class Material(TypedDict, total=False):
    """A material."""

    density: float
    """Density [kg/m^3]. Needed where a body of this material moves freely."""
    youngs_modulus: Union[float, Literal['rigid']]
    """Young's modulus [Pa], or "rigid". Default: none; needed by laws that follow from elasticity."""
    poisson_ratio: float
    """Poisson's ratio [-]. Default: none; needed by laws that follow from elasticity."""


class _BoxShape(TypedDict):
    type: Literal['box']
    half_sizes: Sequence[float]
    """Half of the side lengths along the body's axes [m]: [x, y] in 2D scenes, [x, y, z] in 3D scenes."""


class BoxShape(_BoxShape, total=False):
    """A rectangle in 2D scenes, a cuboid in 3D scenes: a solid body with mass, or a container."""

    inside: bool
    """Container [true/false]: particles stay inside; the matter is outside."""
    thickness: float
    """Thickness out of the plane of 2D scenes [m]: mass = area * thickness * density. 3D scenes do not use it."""
    node_spacing: float
    """Largest distance of a solid's boundary nodes in 2D scenes [m]. Default: a quarter of the smaller half size."""


class _CapsuleShape(TypedDict):
    type: Literal['capsule']
    length: float
    """Length of the cylinder without its caps [m]."""
    radius: float
    """Radius [m]."""


class CapsuleShape(_CapsuleShape, total=False):
    """A cylinder with round caps, along the body's z axis; in 2D scenes a rectangle with round ends, along its x axis. A grain, or a segment of a rod."""

    mass_of: Literal['capsule', 'cylinder']
    """What weighs: all of it, as in a grain, or the cylinder without its caps, as in a rod of segments, whose caps lie within their neighbours."""
    thickness: float
    """Extent out of the plane of 2D scenes [m]; with the material's density it gives the mass. 3D scenes do not use it."""


class _ChainShape(TypedDict):
    type: Literal['chain']


class ChainShape(_ChainShape, total=False):
    """An open chain of straight edges, swept by a disc: landscapes, hopper walls. Has no mass; for fixed or moved bodies."""

    vertices: Sequence[Sequence[float]]
    """Vertices [m, times scale], in order. Default: those of `file`."""
    file: str
    """JSON file with the key "vertices", an array of [x, y] [m, times scale], relative to the scene's folder. Default: none."""
    scale: float
    """Factor on the vertices, not on the radius [-]."""
    radius: float
    """Radius of the disc [m]. Spheropolygons, discs and clumps also meet chains of radius 0; other shapes need one above 0."""


class _CircleShape(TypedDict):
    type: Literal['circle']
    radius: float
    """Radius [m]."""


class CircleShape(_CircleShape, total=False):
    """A disc: a solid body with mass, or a round container such as a drum."""

    inside: bool
    """Container [true/false]: particles stay inside; the matter is outside."""
    thickness: float
    """Thickness out of the plane [m]: mass = area * thickness * density."""
    nodes: int
    """Number of boundary nodes [-] of a solid circle, for detectors that sample outlines."""


class ClumpShapeSpheresItem(TypedDict):
    """One sphere."""

    position: Sequence[float]
    """Centre [m]; in 2D scenes z is left out or 0."""
    radius: float
    """Radius [m]."""


class _ClumpShape(TypedDict):
    type: Literal['clump']


class ClumpShape(_ClumpShape, total=False):
    """A rigid body of spheres, in 2D scenes of discs. Volume that several share counts once. The spheres are given by `spheres`, `file` or `template`."""

    spheres: Sequence[ClumpShapeSpheresItem]
    """The spheres [m, times scale], in axes of the clump's own. Default: those of `file` or `template`."""
    file: str
    """File of lines "x y z r" [m, times scale], relative to the scene's folder; # begins a comment. Default: none."""
    template: Literal['cross-9', 'cross-17', 'tetrapod']
    """Built-in clump of largest radius about 1 [m, times scale]: cross-9 and cross-17 are discs that fill r = (2 + sin 4 theta)/3, tetrapod is four spheres about a fifth. Default: none."""
    scale: float
    """Factor on positions and radii [-]."""
    thickness: float
    """Extent out of the plane of 2D scenes [m]; with the material's density it gives the mass. 3D scenes do not use it."""
    mass: float
    """Mass [kg] whatever the material's density. Default: density times volume."""
    centre_of_mass: Sequence[float]
    """In the axes of the spheres, after scaling [m]; needs mass and inertia. Default: that of a uniform body."""
    inertia: Sequence[float]
    """About the centre of mass, in the axes of the spheres [kg m^2]. In 2D scenes [zz]. In 3D scenes [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], where xy = -integral x y dm. Needs mass. Default: that of a uniform body."""


class _ConeShape(TypedDict):
    type: Literal['cone']
    radius: float
    """Radius of the base, at the lower end [m]."""
    length: float
    """Height from the base to the tip [m]."""


class ConeShape(_ConeShape, total=False):
    """A cone about the body's z axis, with its tip up, in 3D scenes: a solid body with mass, or a container. The body's position is the middle of its height."""

    inside: bool
    """Container [true/false]: particles stay inside; the matter is outside."""


class _CylinderShape(TypedDict):
    type: Literal['cylinder']
    radius: float
    """Radius [m]."""


class CylinderShape(_CylinderShape, total=False):
    """A cylinder about the body's z axis, in 3D scenes: a solid body with mass, a drum, or a tube without ends."""

    length: float
    """Length along the axis [m], with the body's position in the middle. Default: without ends, and then without mass."""
    inside: bool
    """Container [true/false]: particles stay inside; the matter is outside."""
    extent: float
    """Length in pictures of a cylinder without ends [m]."""


class _EllipsoidShape(TypedDict):
    type: Literal['ellipsoid']
    semi_axes: Sequence[float]
    """Half extents along the axes [m], or their ratios where `radius` or `volume` gives the size."""


class EllipsoidShape(_EllipsoidShape, total=False):
    """An ellipsoid."""

    radius: float
    """Largest radius [m]. Default: set by `semi_axes`."""
    volume: float
    """Volume [m^3]. Default: set by `semi_axes`."""
    nodes: int
    """Nodes on the surface from which contacts are looked for, rounded up to 10 k^2 + 2 [-]. The depth of a contact does not depend on them."""
    table: int
    """Cells of the depth field's table along an edge of a cube, 4 or more [-]; 0 evaluates the radius itself each time, which is exact and slow."""


class _FrustumShape(TypedDict):
    type: Literal['frustum']
    lower_radius: float
    """Radius at -length/2 [m]; of an open wall that of its inner surface."""
    upper_radius: float
    """Radius at +length/2 [m]; of an open wall that of its inner surface."""
    length: float
    """Height along the axis [m]."""


class FrustumShape(_FrustumShape, total=False):
    """A truncated cone about the body's z axis, in 3D scenes: a solid body with mass, a container with ends, or an open wall that grains flow through (hopper, funnel). The body's position is the middle of its height."""

    inside: bool
    """Container with ends [true/false]: particles stay inside; the matter is outside."""
    wall: float
    """Thickness of an open wall [m], outward from the radii; the grains' radius or more. Default: none, a solid or a container."""


class _HalfPlaneShape(TypedDict):
    type: Literal['half-plane']


class HalfPlaneShape(_HalfPlaneShape, total=False):
    """Matter on one side of a straight line without end: floors and side walls. Has no mass; for fixed or moved bodies."""

    normal: Sequence[float]
    """Direction out of the matter [-], of any length; the line passes through the body's position."""
    extent: float
    """Length of the line in pictures [m]; it has no effect on contacts."""


class _HalfSpaceShape(TypedDict):
    type: Literal['half-space']


class HalfSpaceShape(_HalfSpaceShape, total=False):
    """Matter on one side of a plane without end, in 3D scenes: floors and side walls. Has no mass; for fixed or moved bodies."""

    normal: Sequence[float]
    """Direction out of the matter [-], of any length; the plane passes through the body's position."""
    extent: float
    """Side of the square in pictures [m]; it has no effect on contacts."""


class _HelicoidShape(TypedDict):
    type: Literal['helicoid']
    inner_radius: float
    """Where the blade begins [m]."""
    outer_radius: float
    """Where the blade ends [m], without its rim of half the thickness."""
    pitch: float
    """Rise along z per turn [m]."""
    turns: float
    """Number of turns [-]; the body's position is the middle of its height, where the blade points along x."""
    thickness: float
    """Thickness of the blade [m]; the grains' radius or more."""


class HelicoidShape(_HelicoidShape, total=False):
    """The blade of a screw about the body's z axis, in 3D scenes, with round rims. Has no mass; for fixed or moved bodies. A shaft is a cylinder of its own."""

    hand: Literal['right', 'left']
    """A right-handed screw rises counter-clockwise, seen from above."""


class _MaterialPointShape(TypedDict):
    type: Literal['material-point']
    spacing: float
    """Edge of the piece [m]; the distance of points in a lattice. A third of a cell is good in 2D, half of one in 3D."""


class MaterialPointShape(_MaterialPointShape, total=False):
    """A piece of a granular continuum: a square in 2D scenes (per metre of depth), a cube in 3D scenes. It has no contacts; the integrator granular-continuum moves it."""

    fraction: float
    """Part of the piece that is solid [-]: mass = density * fraction * spacing^dimension."""


class _MeshShape(TypedDict):
    type: Literal['mesh']


class MeshShape(_MeshShape, total=False):
    """A wall or a tool of triangles from a file, as CAD programs write them. A closed surface bounds matter; an open one is a sheet without thickness that acts on both sides. Vertices are welded, triangles are cut where corners of others lie on their edges, and those without area or given twice are left out; the run and `scree check` tell what was found."""

    file: str
    """Surface in an STL, PLY (each text or binary) or OBJ file [m, times scale], relative to the scene's folder. Default: none, then there are `vertices` and `faces`."""
    vertices: Sequence[Sequence[float]]
    """Places [m, times scale] that `faces` number from 0. Default: none."""
    faces: Sequence[Sequence[int]]
    """Corners of each face, as numbers of vertices [-], counter-clockwise from the free side. Those of more than three are cut into triangles from the first corner on. Default: none; `vertices` need them."""
    scale: float
    """Factor on all places of the file [-]: 0.001 for files in mm."""
    rotation: Sequence[float]
    """Turn of the surface about the file's origin: a vector along the axis, as long as the angle [rad]."""
    translation: Sequence[float]
    """Way of the surface, after the turn [m]. The body's `position` is that of the file's origin, moved so."""
    inside: bool
    """true: a container. The space that the surface encloses is free, and matter is outside."""
    sides: Literal['auto', 'outside', 'both']
    """Where grains may be. outside: the surface must be closed, and bounds matter. both: a sheet. auto: outside where the surface is closed, else both."""


class _MeshGrainShape(TypedDict):
    type: Literal['mesh-grain']


class MeshGrainShape(_MeshGrainShape, total=False):
    """A grain of any form from a closed surface of triangles: gravel, castings, tablets, scans. Mass and moments are those of the polyhedron. Contacts see a smooth depth field on a grid, so edges are rounded by about half a cell. The body's `position` is its centre of mass. Plugin star3d has the detectors: `surface`, `surface-sphere`, `surface-wall`."""

    file: str
    """Closed surface in an STL, PLY (each text or binary) or OBJ file [m, times scale], relative to the scene's folder. Default: none, then there are `vertices` and `faces`."""
    vertices: Sequence[Sequence[float]]
    """Places [m, times scale] that `faces` number from 0. Default: none."""
    faces: Sequence[Sequence[int]]
    """Corners of each face, as numbers of vertices [-], counter-clockwise from outside. Default: none; `vertices` need them."""
    scale: float
    """Factor on all places of the file [-]: 0.001 for files in mm."""
    volume: float
    """Volume of the grain [m^3]: the surface is scaled to it. Default: that of the file."""
    resolution: int
    """Cells of the depth field's grid along the smallest extent [-]. Default: 24. More give sharper edges, and need memory and time at set-up by the third power."""
    nodes: int
    """Approximate number of nodes on the surface [-]. Default: 642. Bumps and arms need to be several nodes wide."""


class _PlateShape(TypedDict):
    type: Literal['plate']
    hole: float
    """Radius of the hole [m]."""
    thickness: float
    """Thickness along z [m], with the body's position in the middle."""


class PlateShape(_PlateShape, total=False):
    """A plate across the body's z axis with a round hole in its middle, in 3D scenes: the bottom of a silo, an orifice, a washer. It has mass."""

    radius: float
    """Radius of a round plate [m]. Default: none, the plate has half_sizes."""
    half_sizes: Sequence[float]
    """Half of the side lengths [x, y] of a plate with straight sides [m]. Default: none, the plate has a radius."""


class _PolylineShape(TypedDict):
    type: Literal['polyline']
    points: Sequence[Sequence[float]]
    """Corners [x, y] in order [m], seen from the body's position."""


class PolylineShape(_PolylineShape, total=False):
    """Straight segments in 2D scenes: a closed line around a solid body or around a container, or an open wall of some thickness."""

    closed: bool
    """Whether a segment leads from the last point back to the first [true/false]."""
    inside: bool
    """Of a closed line: container [true/false], particles stay inside; the matter is outside."""
    wall: float
    """Of an open line: thickness of the wall in the plane [m], with round ends; the grains' radius or more. Default: none; an open line needs one."""
    side: Literal['both', 'left', 'right']
    """Of an open line: on which side of the points the wall lies, as one walks along them. With left or right the points are on its surface."""
    thickness: float
    """Thickness out of the plane [m]: mass = area * thickness * density. Open lines and containers have no mass."""
    node_spacing: float
    """Largest distance of boundary nodes [m]. Default: a quarter of the shortest segment, and at most half of the wall."""


class _SphereShape(TypedDict):
    type: Literal['sphere']
    radius: float
    """Radius [m]."""


class SphereShape(_SphereShape, total=False):
    """A sphere in 3D scenes, a disc in 2D scenes."""

    thickness: float
    """Extent out of the plane of 2D scenes [m]; with the material's density it gives the mass. 3D scenes do not use it."""


class _SphereWallShape(TypedDict):
    type: Literal['sphere-wall']
    radius: float
    """Radius [m]."""


class SphereWallShape(_SphereWallShape, total=False):
    """A ball as an obstacle, or a round container, in 3D scenes. Grains are of the shape sphere."""

    inside: bool
    """Container [true/false]: particles stay inside; the matter is outside."""


class _SpheropolygonShape(TypedDict):
    type: Literal['spheropolygon']
    radius: float
    """Radius of the disc [m]; bodies that move freely need one above 0."""


class SpheropolygonShape(_SpheropolygonShape, total=False):
    """A simple polygon, convex or not, swept by a disc: its corners are round, its sides straight. The outline is given by `vertices` or `file`; `position_of` says which of its points a body's position is."""

    vertices: Sequence[Sequence[float]]
    """Vertices of the polygon [m, times scale] in the order in which they follow each other around it; clockwise ones are reversed, with a note. Default: those of `file`."""
    file: str
    """JSON file with the key "vertices", an array of [x, y] [m, times scale], relative to the scene's folder. Default: none."""
    scale: float
    """Factor on the vertices, not on the radius [-]."""
    thickness: float
    """Extent out of the plane [m]; with the material's density it gives the mass."""
    position_of: Literal['origin', 'centre-of-mass']
    """What a body's `position` is that of, and what a random orientation turns about: the origin of the vertices' coordinates, or the centre of mass, as suits packings."""
    node_spacing: float
    """Largest distance of boundary nodes along straight sides [m], for detectors that sample outlines. Default: half the radius, at least the perimeter / 400."""


class _SpheropolyhedronShape(TypedDict):
    type: Literal['spheropolyhedron']
    radius: float
    """Radius of the sphere [m]. It comes on top of the polyhedron: a box is twice this larger than its edges."""


class SpheropolyhedronShape(_SpheropolyhedronShape, total=False):
    """A closed polyhedron, convex or not, swept by a sphere: its edges and corners are round, its faces flat. The surface is a `solid`, a list of `vertices` and `faces`, or a `file`."""

    solid: Literal['box', 'tetrahedron', 'octahedron', 'dodecahedron', 'icosahedron', 'prism', 'pyramid']
    """A polyhedron made from a few numbers, about the origin: a box has `edges`, the others an `edge`; prisms and pyramids stand on a regular polygon across the z axis, with `sides` and `height`. Default: none."""
    edges: Sequence[float]
    """Lengths of the box along x, y and z [m, times scale], without its rounding. Default: none; a box needs them."""
    edge: float
    """Length of the edges of other solids, of prisms and pyramids those of the base [m, times scale]. Default: none; they need it."""
    sides: int
    """Of the base of a prism or pyramid [-]."""
    height: float
    """Of a prism or pyramid [m, times scale]. Default: none; they need it."""
    vertices: Sequence[Sequence[float]]
    """Places [m, times scale] that `faces` number from 0. Default: none."""
    faces: Sequence[Sequence[int]]
    """Corners of each flat face, as numbers of vertices [-], counter-clockwise from outside. Default: none; `vertices` need them."""
    file: str
    """Closed surface in an OBJ, STL or PLY file [m, times scale], relative to the scene's folder. Default: none."""
    scale: float
    """Factor on the polyhedron, not on the radius [-]."""
    position_of: Literal['origin', 'centre-of-mass']
    """What a body's `position` is that of, and what a random orientation turns about: the origin of the vertices' coordinates, or the centre of mass, as suits packings."""


class _StarShapeCoefficients(TypedDict):
    a0: float
    """Mean radius [any unit, the same for all coefficients]."""


class StarShapeCoefficients(_StarShapeCoefficients, total=False):
    """Fourier coefficients of the radius, in any unit: only their ratios count, the size is set by `radius` or `area`."""

    cos: Dict[str, float]
    """Cosine coefficients by harmonic, e.g. {"3": 0.5} adds 0.5 cos(3 theta) [unit of a0]."""
    sin: Dict[str, float]
    """Sine coefficients by harmonic, e.g. {"4": 1} adds 1 sin(4 theta) [unit of a0]."""


class _StarShape(TypedDict):
    type: Literal['star']
    coefficients: StarShapeCoefficients
    """Fourier coefficients of the radius, in any unit: only their ratios count, the size is set by `radius` or `area`."""


class StarShape(_StarShape, total=False):
    """A planar particle whose radius is a Fourier series of the angle: r(theta) = a0 + sum_k cos_k cos(k theta) + sin_k sin(k theta), scaled to `radius` or `area`. r must be positive everywhere."""

    radius: float
    """Largest radius [m]; give this or `area`. Default: set by `area`."""
    area: float
    """Area [m^2]; give this or `radius`. Default: set by `radius`."""
    thickness: float
    """Extent out of the plane [m]; with the material's density it gives the mass."""
    nodes: int
    """Boundary nodes that contact detection samples, equally spaced in the angle [-]."""
    table_size: int
    """Samples of the lookup table of r and dr/dtheta with linear interpolation [-]; 0 evaluates the series each time (many different shapes: saves memory)."""


class _Star3dShape(TypedDict):
    type: Literal['star3d']
    coefficients: Sequence[Sequence[float]]
    """Terms [l, m, c] of the series: degree l from 0 to 20, order m from -l to l (negative: sines), coefficient c [any unit, the same for all]. Each harmonic has a mean square of 1 over the sphere, so that [0, 0, c] is the mean radius."""


class Star3dShape(_Star3dShape, total=False):
    """A solid whose radius is a series of real spherical harmonics of the direction, scaled to `radius` or `volume`. The radius must be positive everywhere."""

    radius: float
    """Largest radius [m]; give this or `volume`. Default: set by `volume`."""
    volume: float
    """Volume [m^3]; give this or `radius`. Default: set by `radius`."""
    nodes: int
    """Nodes on the surface from which contacts are looked for, rounded up to 10 k^2 + 2 [-]. More find narrower dents and arms; the depth of a contact does not depend on them."""
    table: int
    """Cells of the depth field's table along an edge of a cube, 4 or more [-]; 0 evaluates the radius itself each time, which is exact and slow."""


class _SuperquadricShape(TypedDict):
    type: Literal['superquadric']
    semi_axes: Sequence[float]
    """Half extents a, b, c along the axes [m], or their ratios where `radius` or `volume` gives the size."""


class SuperquadricShape(_SuperquadricShape, total=False):
    """A superquadric: ((|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1)) = 1, from rounded boxes and cylinders over ellipsoids to octahedra."""

    exponents: Sequence[float]
    """e1 along the z axis and e2 around it [-]: 1 is round, 0.1 a box, 2 an octahedron."""
    radius: float
    """Largest radius [m]. Default: set by `semi_axes`."""
    volume: float
    """Volume [m^3]. Default: set by `semi_axes`."""
    nodes: int
    """Nodes on the surface from which contacts are looked for, rounded up to 10 k^2 + 2 [-]. More find sharper edges; the depth of a contact does not depend on them."""
    table: int
    """Cells of the depth field's table along an edge of a cube, 4 or more [-]; 0 evaluates the radius itself each time, which is exact and slow."""


class TorusShape(TypedDict):
    """A ring of round section about the body's z axis, in 3D scenes. It has mass."""

    type: Literal['torus']
    radius: float
    """Radius of the circle in the middle of the ring [m]."""
    tube_radius: float
    """Radius of the ring's section [m], below the radius."""


class TubeShape(TypedDict):
    """A pipe about the body's z axis, open at both ends, in 3D scenes. It has mass."""

    type: Literal['tube']
    radius: float
    """Inner radius [m]."""
    length: float
    """Length along the axis [m], with the body's position in the middle."""
    wall: float
    """Thickness of the wall [m], outward from the radius; the grains' radius or more."""


Shape = Union[BoxShape, CapsuleShape, ChainShape, CircleShape, ClumpShape, ConeShape, CylinderShape, EllipsoidShape, FrustumShape, HalfPlaneShape, HalfSpaceShape, HelicoidShape, MaterialPointShape, MeshShape, MeshGrainShape, PlateShape, PolylineShape, SphereShape, SphereWallShape, SpheropolygonShape, SpheropolyhedronShape, StarShape, Star3dShape, SuperquadricShape, TorusShape, TubeShape]


class VelocityRow(TypedDict):
    """The velocity at one time."""

    time: float
    """Time since the start of the motion [s]; later than that of the previous row."""
    velocity: Sequence[float]
    """Velocity [m/s]."""


class DisplacementRow(TypedDict):
    """The displacement at one time."""

    time: float
    """Time since the start of the motion [s]; later than that of the previous row."""
    displacement: Sequence[float]
    """Displacement from where the body stood [m]."""


class Motion(TypedDict, total=False):
    """One motion of a body: a constant velocity, a rotation, an oscillation and tables, added up."""

    velocity: Sequence[float]
    """Translation [m/s]."""
    angular_velocity: Union[float, Sequence[float]]
    centre: Sequence[float]
    """A point on the axis of rotation [m]; moves with the velocity. Default: the body's position."""
    amplitude: Sequence[float]
    """Amplitude of an oscillation, amplitude sin(2 pi frequency t) [m]."""
    frequency: float
    """Frequency of the oscillation [Hz]."""
    velocities: Sequence[VelocityRow]
    """Velocities over time, added to the rest: linear between rows, constant before the first and after the last. Default: none."""
    displacements: Sequence[DisplacementRow]
    """Displacements over time, added to the rest: linear between rows, constant before the first and after the last. Default: none."""
    start: float
    """Time at which the motion begins [s]."""
    stop: float
    """Time at which the motion ends [s]; the body rests in its last pose. Default: never."""


class _CsvPacking(TypedDict):
    type: Literal['csv']
    file: str
    """File name [-], relative to the scene's folder."""


class CsvPacking(_CsvPacking, total=False):
    """Places from a file of comma-separated values in SI units. Its first line has column names: x, y, z, theta or qw, qx, qy, qz, vx, vy, vz, omega or wx, wy, wz, scale or (of spheres) radius, id."""

    skip_unknown: bool
    """Whether columns of other names are passed over [true/false]."""


class _BoxRegion(TypedDict):
    type: Literal['box']
    lower: Sequence[float]
    """Lowest corner [m]."""
    upper: Sequence[float]
    """Highest corner [m]."""


class BoxRegion(_BoxRegion, total=False):
    """A box along the axes, in 2D a rectangle. Flat where a side has no length."""

    outside: bool


class _SphereRegion(TypedDict):
    type: Literal['sphere']
    centre: Sequence[float]
    """Its centre [m]."""
    radius: float
    """Radius [m]."""


class SphereRegion(_SphereRegion, total=False):
    """A sphere, in 2D a disc."""

    outside: bool


class _CylinderRegion(TypedDict):
    type: Literal['cylinder']
    centre: Sequence[float]
    """The middle of its axis [m]."""
    radius: float
    """Radius [m]."""
    length: float
    """Length along the axis [m]."""


class CylinderRegion(_CylinderRegion, total=False):
    """A cylinder, 3D. Flat where its length is 0: a disc."""

    axis: Sequence[float]
    outside: bool


class _FrustumRegion(TypedDict):
    type: Literal['frustum']
    centre: Sequence[float]
    """The middle of its axis [m]."""
    lower_radius: float
    """Radius where the axis begins [m]."""
    upper_radius: float
    """Radius where the axis ends [m]."""
    length: float
    """Length along the axis [m]."""


class FrustumRegion(_FrustumRegion, total=False):
    """A truncated cone, 3D; a cone where one radius is 0."""

    axis: Sequence[float]
    outside: bool


class _HalfSpaceRegion(TypedDict):
    type: Literal['half-space']
    point: Sequence[float]
    """On the plane [m]."""
    normal: Sequence[float]
    """Direction out of the region [-], of any length, as that of the shape half-space."""


class HalfSpaceRegion(_HalfSpaceRegion, total=False):
    """All on one side of a plane, in 2D of a line."""

    outside: bool


class _PolygonRegion(TypedDict):
    type: Literal['polygon']
    points: Sequence[Sequence[float]]
    """Corners in order [m]."""


class PolygonRegion(_PolygonRegion, total=False):
    """A simple polygon, 2D."""

    outside: bool


Region = Union[BoxRegion, SphereRegion, CylinderRegion, FrustumRegion, HalfSpaceRegion, PolygonRegion]


class _FillPacking(TypedDict):
    type: Literal['fill']
    region: Region
    """What is filled; bodies lie wholly within."""


class FillPacking(_FillPacking, total=False):
    """Bodies in random places within a region, none touching another or what stands there, until there are as many as wanted. The largest are placed first."""

    number: int
    """Bodies wanted [-]. Default: none; give this, mass or solid_fraction."""
    mass: float
    """Mass wanted [kg], met to half a body. Default: none; give this, number or solid_fraction."""
    solid_fraction: float
    """Share of the region's volume (2D: area) wanted [-], met to half a body. Default: none; give this, number or mass."""
    shares: Sequence[float]
    """Shares of the entry's shapes in any unit [-]. Default: shapes take turns."""
    by: Literal['number', 'mass']
    """Whether shares are those of the number of bodies or of their mass."""
    gap: float
    """Least distance between bounding spheres [m]."""
    attempts: int
    """Places tried for one body [-]."""


class _ImportPacking(TypedDict):
    type: Literal['import']
    file: str
    """File name [-], relative to the scene's folder. Numbers are taken as SI units."""
    format: Literal['dump', 'data', 'xyzr']
    """dump: of LAMMPS or LIGGGHTS, with columns id x y z radius (or diameter). data: of LAMMPS, atom_style sphere or granular. xyzr: lines x y z r, as of Yade."""


class ImportPacking(_ImportPacking, total=False):
    """Spheres from a file of another code, with places, sizes and velocities. The entry has one shape of type sphere, of any radius."""

    timestep: int
    """Frame of a dump [-]. Default: the last one."""
    types: Sequence[int]
    """Types of a dump's or data file's spheres that this entry takes [-]. Default: all."""


class _LatticePacking(TypedDict):
    type: Literal['lattice']
    lower: Sequence[float]
    """First place, before jitter [m]."""


class LatticePacking(_LatticePacking, total=False):
    """Places on a square (2D) or cubic (3D) lattice that begins at the lower corner, moved by a random jitter."""

    upper: Sequence[float]
    """Upper corner [m]: floor((upper - lower)/spacing) + 1 places per axis. Default: none; give this or counts."""
    counts: Sequence[int]
    """Number of places per axis [-]. Default: none; give this or upper."""
    spacing: float
    """Lattice constant [m]. Default: the diameter of the shape's bounding circle or sphere, of the largest body where sizes differ."""
    jitter: Union[float, Literal['free']]
    """Each coordinate moves by a uniform random length between 0 and this [m]; "free" = spacing/2 - bounding radius."""


class _ListPackingPlacesItem(TypedDict):
    position: Sequence[float]
    """Of the shape's reference point [m]."""


class ListPackingPlacesItem(_ListPackingPlacesItem, total=False):
    """One place; what it leaves out is taken from the entry of bodies."""

    scale: float
    """Size of the body relative to its shape, times the entry's scale [-]. Default: 1."""
    id: int
    """Id of the body [-]. Default: the next free one."""
    orientation: Union[float, Sequence[float]]
    """Angle [rad] in 2D, or quaternion [w, x, y, z]. Default: the entry's orientation."""
    velocity: Sequence[float]
    """Of the centre of mass [m/s]. Default: the entry's velocity."""
    angular_velocity: Union[float, Sequence[float]]
    """About z in 2D, or [x, y, z], world axes [rad/s]. Default: the entry's angular_velocity."""


class ListPacking(TypedDict):
    """Places written out one by one."""

    type: Literal['list']
    places: Sequence[ListPackingPlacesItem]
    """The places [SI units]."""


class _PoissonDiscPacking(TypedDict):
    type: Literal['poisson-disc']
    lower: Sequence[float]
    """Lower corner of the box of places [m]."""
    upper: Sequence[float]
    """Upper corner of the box of places [m]."""


class PoissonDiscPacking(_PoissonDiscPacking, total=False):
    """Random places in a box, none nearer to another than min_distance (Bridson's algorithm), in 2D and 3D."""

    min_distance: float
    """Smallest distance of two places [m]. Default: the diameter of the shape's bounding circle or sphere, of the largest body where sizes differ."""
    attempts: int
    """Candidates tried about a place before it is given up [-]; more pack more densely."""


class _RandomClosePacking(TypedDict):
    type: Literal['random-close']
    centre: Sequence[float]
    """Of the ellipsoid [m]."""
    semi_axes: Sequence[float]
    """Of the ellipsoid that holds all centres, along x, y, z [m]."""


class RandomClosePacking(_RandomClosePacking, total=False):
    """Spheres in random places that touch their neighbours, within an ellipsoid, in 3D."""

    diameter: float
    """Of a sphere [m]. Default: the diameter of the shape's bounding sphere, of the largest body where sizes differ."""
    density: float
    """Share of the volume that spheres fill [-]; above 0.63 it takes long."""
    floor: float
    """Height below which no centre lies [m]. Default: none."""


class _StrandsPackingRoots(TypedDict):
    normal: Sequence[float]
    """Direction in which strands leave [-]. Their frames are turned from the world's the shortest way; for [0, 0, -1] about x."""


class StrandsPackingRoots(_StrandsPackingRoots, total=False):
    """Where strands begin: at `positions`, or a `count` of them spread over the disc of this `centre` and `radius`. Default: where the lines of `file` begin, which is needed then."""

    positions: Sequence[Sequence[float]]
    """One per strand [m]."""
    count: int
    """Strands on the disc [-]. Default: none; those at `positions`."""
    centre: Sequence[float]
    """Of the disc [m]."""
    radius: float
    """Of the disc [m]; in 2D half of a line's length."""


class _StrandsPacking(TypedDict):
    type: Literal['strands']


class StrandsPacking(_StrandsPacking, total=False):
    """Strands of capsules that follow each other from a root, joined by shared faces: rods, hair, fibres, cables. The length of a segment is that of the entry's shape."""

    file: str
    """File of lines along which strands lie [-], relative to the scene's folder, in place of all other options: comma-separated values with the columns strand, x, y, z [m] (in 2D strand, x, y). Rows of one strand follow each other. Each strand has as many segments as fit on its line. Default: none."""
    segments: int
    """Segments of each strand [-]. Default: as many as fit on the lines of `file`, which is needed then."""
    roots: StrandsPackingRoots
    """Where strands begin: at `positions`, or a `count` of them spread over the disc of this `centre` and `radius`. Default: where the lines of `file` begin, which is needed then."""
    curvature: Sequence[float]
    """Of each strand, about the x and y axes of its segments [1/m]; in 2D about z. With `twist` a helix."""
    twist: float
    """Of each strand, angle per length about its axis [rad/m]."""
    points: Sequence[Sequence[float]]
    """Line along which each strand lies [m], in place of curvature and twist, in axes whose z (in 2D x) is the root's normal; the first point is the root. Default: none."""


class _TetrahedraPacking(TypedDict):
    type: Literal['tetrahedra']


class TetrahedraPacking(_TetrahedraPacking, total=False):
    """A solid cut into elements that share faces, to be bonded: a cuboid of cells, or a mesh from a file. Every element becomes a body: the entry's shape, which should be a sphere, scaled to the element's volume."""

    kind: Literal['bcc', 'kuhn', 'cubic']
    """How the cuboid is cut [-]: bcc, jittered tetrahedra, 12 per cell and a few, nearly isotropic; kuhn, six tetrahedra per cell; cubic, the cells themselves, which makes a solid with Poisson's ratio 0."""
    size: Sequence[float]
    """Sides of the cuboid [m]. A plate is a flat one. Default: none; give size and cells, or a file."""
    cells: Sequence[int]
    """Cells along each side [-]. Default: none; give size and cells, or a file."""
    jitter: float
    """With bcc and kuhn: vertices move by up to this part of a cell along each axis [-], by the entry's seed; those on a side of the cuboid stay in it."""
    file: str
    """Mesh of tetrahedra [-]: .msh of Gmsh (ASCII, 2.2 or 4.1) or .vtu, relative to the scene's folder. Default: none; give a file, or size and cells."""
    unit: float
    """With a file: metres per unit of its coordinates [m]; 0.001 for millimetres."""
    min_quality: float
    """With a file: least mean ratio 12 (3V)^(2/3)/sum l^2 of a tetrahedron [-], 1 for a regular one, 0 for a flat one. Slivers make explicit steps small."""
    allow_pieces: bool
    """With a file: whether it may consist of several pieces that share no face [true/false]. Mostly these are nodes that were not merged."""
    area: Literal['face', 'projected']
    """Cross-section of the bond of two tetrahedra [-]: the area of their common face, or that as seen along the line between the centroids, which makes a solid softer by a few percent."""
    position: Sequence[float]
    """Of the cuboid's lowest corner, or of the file's origin [m]."""
    orientation: Sequence[float]
    """Of the solid about that point: quaternion [w, x, y, z]."""


Packing = Union[CsvPacking, FillPacking, ImportPacking, LatticePacking, ListPacking, PoissonDiscPacking, RandomClosePacking, StrandsPacking, TetrahedraPacking]


class _UniformSizes(TypedDict):
    type: Literal['uniform']
    lower: float
    """Smallest size [-]."""
    upper: float
    """Largest size [-]."""


class UniformSizes(_UniformSizes, total=False):
    """Every size between two is as frequent as any other."""

    by: Literal['number', 'mass']


class _LognormalSizes(TypedDict):
    type: Literal['lognormal']
    sigma: float
    """Standard deviation of the natural logarithm of the size [-]."""


class LognormalSizes(_LognormalSizes, total=False):
    """The logarithm of the size is distributed normally."""

    median: float
    """Half of all is smaller than this [-]."""
    cutoff: float
    """Sizes lie between median exp(-cutoff sigma) and median exp(cutoff sigma) [-]."""
    by: Literal['number', 'mass']


class _TableSizes(TypedDict):
    type: Literal['table']
    sizes: Sequence[float]
    """Sizes in ascending order [-]."""
    fractions: Sequence[float]
    """Shares in any unit [-]: as many as sizes where there are these sizes and no others; one fewer where each is spread evenly between a size and the next."""


class TableSizes(_TableSizes, total=False):
    """Sizes with their shares, as from sieves."""

    by: Literal['number', 'mass']


Sizes = Union[UniformSizes, LognormalSizes, TableSizes]


class _Held(TypedDict):
    lower: Sequence[float]
    """Lowest corner of the box [m]."""
    upper: Sequence[float]
    """Highest corner of the box [m]."""


class Held(_Held, total=False):
    """Bodies of the entry that start with their position within this box are fixed, or have this motion."""

    motion: Union[Motion, Sequence[Motion]]


class _Bodies(TypedDict):
    shape: Union[str, Sequence[str]]
    """Name of a shape, or a list of names that alternate over the places of a packing."""
    material: str
    """Name of a material."""


class Bodies(_Bodies, total=False):
    """One body at `position`, or a `packing` of bodies that share shape and material."""

    name: str
    """Name of the entry in outputs. Default: bodies<index>."""
    fixed: bool
    """true: the body never moves, whatever hits it."""
    motion: Union[Motion, Sequence[Motion]]
    packing: Packing
    position: Sequence[float]
    """Position of the shape's reference point [m]. Default: the origin."""
    orientation: Union[Literal['random'], float, Sequence[float]]
    velocity: Sequence[float]
    """Initial velocity [m/s]. Default: at rest."""
    angular_velocity: Union[float, Sequence[float]]
    random_speed: float
    """Every body gets this speed in a direction of its own on top of its initial velocity [m/s], uniform, from the seed: a gas. Default: 0."""
    surface_velocity: Sequence[float]
    """Velocity of the surface of a body that itself stays, as of a conveyor belt [m/s]."""
    scale: Union[float, Sizes]
    """Size of each body relative to its shape [-]: a number, or a distribution that sizes are drawn from with the seed. Mass and moments of inertia follow. Default: 1."""
    remove_at: float
    """Time at which the bodies vanish [s]: a gate that opens. Default: never."""
    removed: bool
    """true: the bodies are not there. In a stage: they vanish when it begins, and do not come back."""
    held: Sequence[Held]
    """Parts of a packing that do not move freely: clamps and grips."""
    seed: int
    """Seed of all that is random in this entry [-]."""
    columns: Dict[str, Union[float, Sequence[float]]]
    """Start values of columns that methods of the scene have for bodies, by name: a number, or a vector. external_force [N] and external_torque [N m] are always there: a constant force on each body."""


class ExtremalDetector(TypedDict):
    """Contacts whose forces conserve energy: maxima and minima of the depth along an outline r(theta), each a contact with a weight, so that the law's energy stays smooth while contacts merge and part. Nodes of both where both shapes have the facet RadialFunction; else nodes of the one in the SignedDistance of the other. Never chosen by auto. The nodes are as many as the shape's, spread by arc length and curvature. Bodies with a `scale` are refused."""

    type: Literal['extremal']


class NodesToSurfaceDetector(TypedDict):
    """The generic detector: boundary nodes of one body in the signed distance of the other, both ways where both offer both. One contact per run of touching nodes, at its deepest node."""

    type: Literal['nodes-to-surface']


class PolyhedronMeshDetector(TypedDict):
    """Contacts of spheropolyhedra with a mesh. Corners touch as spheres do in `sphere-mesh`. Edges and faces touch edges and corners of the mesh that stand out. Flat neighbours of the mesh count once. One shape needs the facets SweptPolyhedron and RoundVertices, the other is a `mesh`."""

    type: Literal['polyhedron-mesh']


class SegmentFacesDetector(TypedDict):
    """Contacts of capsules and rods with obstacles, in 3D: per face one at each lowest point of the distance along the axis, and one at the end that is farther. One shape needs the facet Segment, the other Faces."""

    type: Literal['segment-faces']


class SegmentMeshDetector(TypedDict):
    """Contacts of capsules with a mesh. Ends touch as spheres do in `sphere-mesh`. The segment between them touches edges and corners of the mesh that stand out. One shape needs the facets Segment and RoundVertices, the other is a `mesh`."""

    type: Literal['segment-mesh']


class SegmentSegmentDetector(TypedDict):
    """Contacts of capsules and rods with each other, in 3D: one where they are nearest, and one more at the far end of the stretch along which they lie. Both shapes need the facet Segment."""

    type: Literal['segment-segment']


class SegmentSphereDetector(TypedDict):
    """Contacts of capsules and rods with spheres and clumps, in 3D: one per sphere. One shape needs the facet Segment, the other SphereSet."""

    type: Literal['segment-sphere']


class SmoothMeshDetector(TypedDict):
    """Contacts of bodies with a smooth depth field on a mesh: ellipsoids, superquadrics, stars, `mesh-grain`. Each is a critical point of the depth along the mesh, so flat neighbours count once, and forces are the gradient of one energy over edges and corners. Bodies that are not convex may touch a triangle in several places. One shape needs the facet SmoothField, the other is a `mesh`."""

    type: Literal['smooth-mesh']


class _SphereFaceDetector(TypedDict):
    type: Literal['sphere-face']


class SphereFaceDetector(_SphereFaceDetector, total=False):
    """Contacts of spheropolyhedra with spheres, clumps and capsules, by the same energy as `vertex-face`: a sphere is a vertex, a capsule an edge. One shape needs the facets SweptPolyhedron and RoundVertices, the other RoundVertices."""

    alpha: float
    """Verlet distance [m], as for `vertex-face`. It changes the time a run takes, never its results. Default: 0.03 of the smaller bounding radius."""


class SphereMeshDetector(TypedDict):
    """Contacts of spheres and clumps with a mesh: one for each lasting minimum of the distance. Flat neighbours count once, corners and grooves touch on every wall, and forces do not jump as a sphere goes over edges. Shallow hollow edges share the force by weights. One shape needs the facet SphereSet, the other is a `mesh`."""

    type: Literal['sphere-mesh']


class SphereSphereDetector(TypedDict):
    """Contacts between bodies made of spheres (discs in 2D): one per pair of spheres that touch. Both shapes need the facet SphereSet."""

    type: Literal['sphere-sphere']


class SphereSurfaceDetector(TypedDict):
    """Contacts between a body made of spheres (discs in 2D) and an obstacle: one per sphere and face that touch. One shape needs the facet SphereSet, the other Faces."""

    type: Literal['sphere-surface']


class SurfaceDetector(TypedDict):
    """Contacts between smooth solids: nodes on the surface of one in the depth field of the other. Each top of the depth along a surface, found to rounding, is a contact, and saddles between tops take back what was counted twice, so that forces conserve energy. Both shapes need the facets SurfaceNodes and SmoothField, and each side counts one half."""

    type: Literal['surface']


class SurfaceSphereDetector(TypedDict):
    """Contacts of smooth solids with spheres and clumps: tops of the depth along the smooth surface in the exact field of each sphere. One shape needs the facets SurfaceNodes and SmoothField, the other SphereSet."""

    type: Literal['surface-sphere']


class SurfaceWallDetector(TypedDict):
    """Contacts of smooth solids with half-spaces and containers: tops of the depth along the smooth surface behind each face. One shape needs the facets SurfaceNodes and SmoothField, the other WallFaces."""

    type: Literal['surface-wall']


class _TaubinDetector(TypedDict):
    type: Literal['taubin']


class TaubinDetector(_TaubinDetector, total=False):
    """Contacts between two outlines r(theta): boundary nodes of one inside the other, one contact per overlapping region, depth and normal to first order (Taubin). Both shapes need the facet RadialFunction. Bodies may have any `scale`."""

    scheme: Literal['symmetric', 's1-then-s2', 's1-only', 'all-nodes']
    """symmetric: nodes of both bodies, the same result in either order of the bodies. s1-then-s2: the paper's CPU scheme, with regions of the first body's nodes and the deepest node of either. s1-only: the paper's GPU scheme. all-nodes: one contact per inside node."""
    distance: Literal['taubin', 'radial']
    """taubin: first-order distance. radial: distance along the radius, far too large on steep outlines; for comparison only."""


class _VertexEdgeDetector(TypedDict):
    type: Literal['vertex-edge']


class VertexEdgeDetector(_VertexEdgeDetector, total=False):
    """Contacts of spheropolygons and chains with each other and with discs and clumps: each vertex of one with each edge of the other, so that the force is the exact gradient of an energy. One shape needs the facet SweptPolygon, the other RoundVertices."""

    corner_weight: Literal[0, 2, 3]
    """How many of the four vertex-edge terms that see one pair of vertices are subtracted [-]. 0: none, as published. 2: each vertex meets the other outline once, and corners of fine polygons have a share, so that a finer outline is not a stiffer one. 3: each contact counts once; edges must be longer than the width of a corner."""
    delta_allow: float
    """Largest overlap that corner weight 3 has to stand [m]: edges must be longer than sqrt(2 (r_a + r_b) delta_allow). Default: 0.1 (r_a + r_b)."""
    alpha: float
    """Verlet distance [m]: vertices and edges are listed that come as near as the sum of their radii and twice this. It changes the time a run takes, never its results. Default: 0.03 of the smaller bounding radius."""


class _VertexFaceDetector(TypedDict):
    type: Literal['vertex-face']


class VertexFaceDetector(_VertexFaceDetector, total=False):
    """Contacts of spheropolyhedra with each other and with solid boxes: all pairs of vertices, edges and faces, with weights of the terms of one energy, so that the force is its exact gradient. One shape needs the facets SweptPolyhedron and RoundVertices, the other SweptPolyhedron."""

    alpha: float
    """Verlet distance [m]: features are listed that come as near as the sum of their radii and twice this. It changes the time a run takes, never its results. Default: 0.03 of the smaller bounding radius."""


class VertexWallDetector(TypedDict):
    """Contacts between the rounded vertices of a body and a flat or hollow wall: one per vertex and face that touch. One shape needs the facet RoundVertices, the other WallFaces."""

    type: Literal['vertex-wall']


Detector = Union[ExtremalDetector, NodesToSurfaceDetector, PolyhedronMeshDetector, SegmentFacesDetector, SegmentMeshDetector, SegmentSegmentDetector, SegmentSphereDetector, SmoothMeshDetector, SphereFaceDetector, SphereMeshDetector, SphereSphereDetector, SphereSurfaceDetector, SurfaceDetector, SurfaceSphereDetector, SurfaceWallDetector, TaubinDetector, VertexEdgeDetector, VertexFaceDetector, VertexWallDetector]


class _CoulombLaw(TypedDict):
    type: Literal['coulomb']


class CoulombLaw(_CoulombLaw, total=False):
    """Rigid contact without stiffness: no overlap, Coulomb friction, Newton's restitution. For integrators that solve for impulses (moreau-jean)."""

    friction: float
    """Coulomb coefficient mu [-]: |r_T| <= mu r_N."""
    restitution: float
    """Restitution e [-] of the normal velocity (Newton): an impact rebounds with e times the speed of approach."""


class _HertzMindlinLawRolling(TypedDict):
    model: Literal['elastic-plastic', 'constant']
    """elastic-plastic: spring and dashpot under the cap, holds at rest (Ai et al. 2011, model C); constant: mu_r R N against the spin (model A)."""
    friction: float
    """Coefficient mu_r of rolling friction [-]: the couple is at most mu_r R N, R the reduced radius."""


class HertzMindlinLawRolling(_HertzMindlinLawRolling, total=False):
    """Rolling resistance {model, friction, stiffness, damping}: a couple against the relative spin across the normal. Default: none."""

    stiffness: float
    """Factor s of the rolling stiffness k_r = s k_n (mu_r R)^2 [-]; only for elastic-plastic. Default: 2.25 in 3D, 3 in 2D."""
    damping: float
    """Ratio eta of the rolling dashpot C_r = 2 eta sqrt(I_r k_r) [-]; only for elastic-plastic. Default: 0.3."""


class _HertzMindlinLawPlasticity(TypedDict):
    unloading_ratio: float
    """How much stiffer than loading unloading and loading again is, k2/k1 [-]."""


class HertzMindlinLawPlasticity(_HertzMindlinLawPlasticity, total=False):
    """Hysteresis of the normal spring {unloading_ratio, adhesion_stiffness, adhesion_exponent}: it unloads more steeply than it loads, and what it does not give back is dissipated. Default: none."""

    adhesion_stiffness: float
    """kc of the least force -kc d^x that a contact sticks with [N/m^x]. Default: none, contacts push only."""
    adhesion_exponent: float
    """x of the least force -kc d^x [-]. Default: 1."""


class _HertzMindlinLawLiquid(TypedDict):
    surface_tension: float
    """Surface tension of the liquid [N/m]; water 0.072."""
    volume: float
    """Volume of each bridge, or with supply: films the largest one [m^3]. It sets how far bridges reach."""


class HertzMindlinLawLiquid(_HertzMindlinLawLiquid, total=False):
    """Liquid bridges {surface_tension, contact_angle, volume, supply, viscosity, roughness}: they form where bodies touch, and pull until they break at a gap. Default: none."""

    contact_angle: float
    """Contact angle of the liquid on the bodies [degrees]."""
    supply: Literal['endless', 'films']
    """endless: each bridge has the volume; films: it takes it from films of the bodies, which the modifier liquid-films keeps."""
    viscosity: float
    """Viscosity of the liquid [Pa s]: lubrication forces along and across the normal."""
    roughness: float
    """Gap below which viscous forces grow no more [m]. Default: none; required with a viscosity."""


class HertzMindlinLawTwisting(TypedDict):
    """Resistance against twist about the normal {friction}, in 3D: a spring and dashpot k_t a^2/2, c_t a^2/2 under the cap 2/3 a mu N (Marshall 2009). Default: none."""

    friction: float
    """mu of the cap 2/3 a mu N [-], a = sqrt(R d)."""


class _HertzMindlinLawCohesion(TypedDict):
    model: Literal['jkr', 'dmt', 'sjkr', 'constant']
    """jkr: Johnson-Kendall-Roberts, soft bodies, a neck across gaps; dmt: pull 2 pi w R while touching, stiff bodies; sjkr: pull per area of the circle in which spheres cross; constant: the same pull for all."""


class HertzMindlinLawCohesion(_HertzMindlinLawCohesion, total=False):
    """Cohesion {model, and work_of_adhesion, force or energy_density}: bodies that touch pull at each other. Default: none."""

    work_of_adhesion: float
    """Work of adhesion w = gamma_a + gamma_b - gamma_ab [J/m^2]: twice the surface energy of two like bodies. Default: none; required for dmt and jkr."""
    force: float
    """Pull of each contact [N]. Default: none; required for constant."""
    energy_density: float
    """Pull per area of the circle in which spheres cross [J/m^3]. Default: none; required for sjkr."""


class _HertzMindlinLaw(TypedDict):
    type: Literal['hertz-mindlin']
    restitution: float
    """Restitution e of a head-on impact without cohesion [-], at every speed; the dashpot is calibrated to the force that never pulls."""


class HertzMindlinLaw(_HertzMindlinLaw, total=False):
    """Hertz's normal force 4/3 E* sqrt(R) d^1.5 with Tsuji's dashpot, Mindlin's tangential stiffness 8 G* sqrt(R d) under Coulomb's cap, rolling resistance and cohesion. Elastic properties come from the materials."""

    friction: float
    """Coulomb coefficient mu [-]: |F_t| <= mu N, N the normal force plus the pull-off force."""
    tangential_damping: float
    """Tangential dashpot c_t in units of c_n sqrt(k_t/k_n) [-], under the same cap."""
    youngs_modulus: float
    """Young's modulus of both sides [Pa]. Default: that of each side's material."""
    poisson_ratio: float
    """Poisson's ratio of both sides [-]. Default: that of each side's material."""
    typical_speed: float
    """Speed of impacts [m/s] at which the duration of a contact is taken; only the warning on too large a time step depends on it."""
    rolling: HertzMindlinLawRolling
    """Rolling resistance {model, friction, stiffness, damping}: a couple against the relative spin across the normal. Default: none."""
    plasticity: HertzMindlinLawPlasticity
    """Hysteresis of the normal spring {unloading_ratio, adhesion_stiffness, adhesion_exponent}: it unloads more steeply than it loads, and what it does not give back is dissipated. Default: none."""
    liquid: HertzMindlinLawLiquid
    """Liquid bridges {surface_tension, contact_angle, volume, supply, viscosity, roughness}: they form where bodies touch, and pull until they break at a gap. Default: none."""
    twisting: HertzMindlinLawTwisting
    """Resistance against twist about the normal {friction}, in 3D: a spring and dashpot k_t a^2/2, c_t a^2/2 under the cap 2/3 a mu N (Marshall 2009). Default: none."""
    cohesion: HertzMindlinLawCohesion
    """Cohesion {model, and work_of_adhesion, force or energy_density}: bodies that touch pull at each other. Default: none."""


class _LennardJonesLaw(TypedDict):
    type: Literal['lennard-jones']
    well_depth: float
    """e [J]: energy that parts two surfaces in touch, but for the shift at the range."""
    distance: float
    """x0 [m]: length over which the force changes; the stiffness at touch is 72 e/x0^2."""


class LennardJonesLaw(_LennardJonesLaw, total=False):
    """A potential like Lennard and Jones' between surfaces, e ((x0/x)^12 - 2 (x0/x)^6) at x = x0 - d: pulls across gaps up to its range, pushes where bodies overlap."""

    range: float
    """Gap from which on there is no force [m]; force and energy are shifted to end smoothly there. Default: 1.5 x0."""
    typical_speed: float
    """Speed of typical impacts [m/s], for the warning about too large a dt: the core is much stiffer than the well. 0: bodies that swing in the well."""
    tangential: Literal['none', 'viscous', 'spring']
    """Friction [-]: none; viscous = history-free min(k_t |u_t| dt, mu N), which holds nothing at rest; spring = Cundall-Strack spring with history."""
    tangential_stiffness: float
    """Tangential spring k_t [N/m]. Default: 36 e/x0^2."""
    tangential_damping: float
    """Tangential dashpot c_t [N s/m] beside the spring, under the same Coulomb cap; only for tangential: spring."""
    friction: float
    """Coulomb coefficient mu [-]: |F_t| <= mu N, N the normal force where it pushes."""


class _LinearLawRolling(TypedDict):
    model: Literal['elastic-plastic', 'constant']
    """elastic-plastic: spring and dashpot under the cap, holds at rest (Ai et al. 2011, model C); constant: mu_r R N against the spin (model A)."""
    friction: float
    """Coefficient mu_r of rolling friction [-]: the couple is at most mu_r R N, R the reduced radius."""


class LinearLawRolling(_LinearLawRolling, total=False):
    """Rolling resistance {model, friction, stiffness, damping}: a couple against the relative spin across the normal. Default: none."""

    stiffness: float
    """Factor s of the rolling stiffness k_r = s k_n (mu_r R)^2 [-]; only for elastic-plastic. Default: 2.25 in 3D, 3 in 2D."""
    damping: float
    """Ratio eta of the rolling dashpot C_r = 2 eta sqrt(I_r k_r) [-]; only for elastic-plastic. Default: 0.3."""


class _LinearLawPlasticity(TypedDict):
    unloading_stiffness: float
    """Stiffness k2 of unloading and loading again [N/m], above normal_stiffness k1; the restitution is sqrt(k1/k2) at every speed (Walton and Braun 1986)."""


class LinearLawPlasticity(_LinearLawPlasticity, total=False):
    """Hysteresis of the normal spring {unloading_stiffness, adhesion_stiffness, adhesion_exponent}: it unloads more steeply than it loads, and what it does not give back is dissipated. Default: none."""

    adhesion_stiffness: float
    """kc of the least force -kc d^x that a contact sticks with [N/m^x]. Default: none, contacts push only."""
    adhesion_exponent: float
    """x of the least force -kc d^x [-]. Default: 1."""


class _LinearLawLiquid(TypedDict):
    surface_tension: float
    """Surface tension of the liquid [N/m]; water 0.072."""
    volume: float
    """Volume of each bridge, or with supply: films the largest one [m^3]. It sets how far bridges reach."""


class LinearLawLiquid(_LinearLawLiquid, total=False):
    """Liquid bridges {surface_tension, contact_angle, volume, supply, viscosity, roughness}: they form where bodies touch, and pull until they break at a gap. Default: none."""

    contact_angle: float
    """Contact angle of the liquid on the bodies [degrees]."""
    supply: Literal['endless', 'films']
    """endless: each bridge has the volume; films: it takes it from films of the bodies, which the modifier liquid-films keeps."""
    viscosity: float
    """Viscosity of the liquid [Pa s]: lubrication forces along and across the normal."""
    roughness: float
    """Gap below which viscous forces grow no more [m]. Default: none; required with a viscosity."""


class LinearLawTwisting(TypedDict):
    """Resistance against twist about the normal {friction}, in 3D: a spring and dashpot k_t a^2/2, c_t a^2/2 under the cap 2/3 a mu N (Marshall 2009). Default: none."""

    friction: float
    """mu of the cap 2/3 a mu N [-], a = sqrt(R d)."""


class _LinearLawCohesion(TypedDict):
    model: Literal['dmt', 'sjkr', 'constant']
    """dmt: pull 2 pi w R, R the reduced radius; sjkr: pull per area of the circle in which spheres cross; constant: the same pull for all. (jkr needs the law hertz-mindlin.)"""


class LinearLawCohesion(_LinearLawCohesion, total=False):
    """Cohesion {model, and work_of_adhesion, force or energy_density}: bodies that touch pull at each other. Default: none."""

    work_of_adhesion: float
    """Work of adhesion w = gamma_a + gamma_b - gamma_ab [J/m^2]: twice the surface energy of two like bodies. Default: none; required for dmt."""
    force: float
    """Pull of each contact [N]. Default: none; required for constant."""
    energy_density: float
    """Pull per area of the circle in which spheres cross [J/m^3]. Default: none; required for sjkr."""


class _LinearLaw(TypedDict):
    type: Literal['linear']
    normal_stiffness: float
    """Normal spring k_n [N/m]."""


class LinearLaw(_LinearLaw, total=False):
    """Linear spring and dashpot along the normal, F_n = max(0, k_n d - c_n u_n), with Coulomb friction, rolling resistance and cohesion."""

    normal_damping: float
    """Normal dashpot c_n [N s/m]. Default: 0, or what restitution asks for."""
    restitution: float
    """Restitution e of a head-on impact [-], for every mass: c_n = 2 z(e) sqrt(k_n m), m the reduced mass; z is calibrated to the force that never pulls. Default: that of normal_damping."""
    tangential: Literal['none', 'viscous', 'spring']
    """Friction [-]: none; viscous = history-free min(k_t |u_t| dt, mu F_n), which holds nothing at rest; spring = Cundall-Strack spring with history."""
    tangential_stiffness: float
    """Tangential spring k_t [N/m]. Default: half of normal_stiffness."""
    tangential_damping: float
    """Tangential dashpot c_t [N s/m] beside the spring, under the same Coulomb cap; only for tangential: spring."""
    friction: float
    """Coulomb coefficient mu [-]: |F_t| <= mu F_n."""
    rolling: LinearLawRolling
    """Rolling resistance {model, friction, stiffness, damping}: a couple against the relative spin across the normal. Default: none."""
    plasticity: LinearLawPlasticity
    """Hysteresis of the normal spring {unloading_stiffness, adhesion_stiffness, adhesion_exponent}: it unloads more steeply than it loads, and what it does not give back is dissipated. Default: none."""
    liquid: LinearLawLiquid
    """Liquid bridges {surface_tension, contact_angle, volume, supply, viscosity, roughness}: they form where bodies touch, and pull until they break at a gap. Default: none."""
    twisting: LinearLawTwisting
    """Resistance against twist about the normal {friction}, in 3D: a spring and dashpot k_t a^2/2, c_t a^2/2 under the cap 2/3 a mu N (Marshall 2009). Default: none."""
    cohesion: LinearLawCohesion
    """Cohesion {model, and work_of_adhesion, force or energy_density}: bodies that touch pull at each other. Default: none."""


class _PowerLawLaw(TypedDict):
    type: Literal['power-law']
    stiffness: float
    """k [N/m^(p - 1)]: the force is k d^(p - 1)."""
    exponent: float
    """p of the energy k d^p/p [-]: 2 is a linear spring, 2.5 is Hertz's power."""


class PowerLawLaw(_PowerLawLaw, total=False):
    """Normal force k d^(p - 1), energy k d^p/p, with a dashpot and Coulomb friction: smoother onset of contacts with p above 2."""

    normal_damping: float
    """Normal dashpot c_n [N s/m]; the sum never pulls."""
    typical_speed: float
    """Speed of typical impacts [m/s], on which the duration of a contact depends unless p = 2: for the warning about too large a dt."""
    tangential: Literal['none', 'viscous', 'spring']
    """Friction [-]: none; viscous = history-free min(k_t |u_t| dt, mu N), which holds nothing at rest; spring = Cundall-Strack spring with history."""
    tangential_stiffness: float
    """Tangential spring k_t [N/m]. Default: none; required where friction is above 0."""
    tangential_damping: float
    """Tangential dashpot c_t [N s/m] beside the spring, under the same Coulomb cap; only for tangential: spring."""
    friction: float
    """Coulomb coefficient mu [-]: |F_t| <= mu N, N the normal force where it pushes."""


Law = Union[CoulombLaw, HertzMindlinLaw, LennardJonesLaw, LinearLaw, PowerLawLaw, _PythonLaw, Type[_PythonLaw]]


class _Interaction(TypedDict):
    between: Sequence[str]
    """Names of the two materials; "*" stands for any."""
    law: Union[Literal['none'], Law]
    """What a contact does; "none": the two never touch."""


class Interaction(_Interaction, total=False):
    """What happens when bodies of these two materials touch."""

    detector: Union[str, Detector]
    """How contacts are found: "auto" takes the most specific detector both shapes support; or a detector's name, or a detector with options."""


class _BallJointBondLaw(TypedDict):
    type: Literal['ball-joint']


class BallJointBondLaw(_BallJointBondLaw, total=False):
    """A joint without stiffness: two bodies keep a point in common and turn about it freely; in two dimensions a hinge. For integrators that solve for impulses (moreau-jean)."""

    position: float
    """Where the point is on the line between the centres when the run begins [-]: 0 at that of the body that comes first in the scene, 1 at that of the other."""


class _BondedBeamBondLaw(TypedDict):
    type: Literal['bonded-beam']


class BondedBeamBondLaw(_BondedBeamBondLaw, total=False):
    """A short beam between the centres of two bodies, round in 3D: resists stretch, shear, bending and twist, and breaks when its section is torn or sheared. Its moduli are those of the beam, not of the solid it makes up with others. With stiffness per area it is the parallel bond of Potyondy and Cundall."""

    youngs_modulus: float
    """Young's modulus E of the beam [Pa]: stretch E S/l, bending E I/l. Default: none; give this or normal_stiffness."""
    normal_stiffness: float
    """Stiffness per area of a parallel bond [Pa/m], whatever its length: stretch k S, bending k I. Default: none; give this or youngs_modulus."""
    shear_stiffness: float
    """With normal_stiffness: the same against shear and twist [Pa/m]. Default: shear_ratio times normal_stiffness."""
    shear_ratio: float
    """Shear modulus over Young's modulus, G/E, of the beam [-]: shear G S l, twist G J/l. Sets Poisson's ratio of the solid: about 0.16 to 0.2 at 0.4 for tetrahedra, 0 for cubic lattices."""
    tensile_strength: float
    """Tensile stress that tears the section [Pa]: F_n/S + M_b r/I. Default: unbreakable."""
    shear_strength: float
    """Shear stress that breaks the section [Pa]: F_s/S + M_t r/J. Default: unbreakable."""
    strength_scatter: float
    """Standard deviation of the strengths over their means [-]: each bond has two of its own, normally distributed, at least 0.01 of the mean."""
    seed: int
    """Seed of the strengths [-]. They depend on it and on the ids of the bodies."""
    thickness: float
    """In 2D: extent of the section out of the plane [m]; its height is twice the radius. 3D scenes do not use it."""
    paper_exact: bool
    """Take the criterion as it is printed in the paper [true/false]: bonds tear in compression too, and moments count half."""


class ElasticRodBondLawStiffness(TypedDict):
    """Stiffness of another section, in place of the moduli. Default: that of a round one."""

    EA: float
    """Against stretch [N]."""
    EI: Sequence[float]
    """Against bending about the bodies' x and y axes [N m^2]; one number for both. In 2D the first one counts."""
    GJ: float
    """Against twist [N m^2]."""


class _ElasticRodBondLawRest1(TypedDict):
    curvature: Sequence[float]
    """About the bodies' x and y axes [1/m]; in 2D about z."""


class ElasticRodBondLawRest1(_ElasticRodBondLawRest1, total=False):
    """A helix."""

    twist: float
    """Angle per length about the axis [rad/m]."""


class _ElasticRodBondLaw(TypedDict):
    type: Literal['elastic-rod']


class ElasticRodBondLaw(_ElasticRodBondLaw, total=False):
    """Joins segments end to end to a rod, hair, fibre or cable that stretches, bends and twists about a natural shape, and breaks. At a body without a segment the rod is clamped."""

    youngs_modulus: float
    """Young's modulus E of a round section [Pa]. Default: the material's."""
    shear_modulus: float
    """Shear modulus G of a round section [Pa]. Default: E/(2 (1 + nu)) with the material's Poisson ratio nu."""
    stiffness: ElasticRodBondLawStiffness
    """Stiffness of another section, in place of the moduli. Default: that of a round one."""
    rest: Union[Literal['as-placed', 'straight', 'sag-free'], ElasticRodBondLawRest1]
    """Shape without stress [-]: as the bodies are placed, straight, or of a curvature and twist. With sag-free the rod, as the bodies are placed, bears the weight of what hangs on it, by gravity at the start. It has to be held at one end, and cannot be a ring."""
    viscosity_time: float
    """Internal friction against the rate of bending and twist, as a time tau [s]: moments grow by tau times the rate at which elastic ones change. Needs bonds that are taken implicitly."""
    yield_moment: float
    """Bending moment beyond which a joint stays bent, perfectly plastic [N m]. Of a round section that yields at the stress sigma, the first fibres do at sigma pi r^3/4, all of it at sigma 4 r^3/3. Default: elastic."""
    yield_torque: float
    """Moment of twist beyond which a joint stays twisted [N m]. Default: elastic."""
    tensile_strength: float
    """Tensile stress that breaks a joint [Pa]: F/A + M r/I. Default: unbreakable."""
    shear_strength: float
    """Shear stress of twist that breaks a joint [Pa]: M_t r/J. Default: unbreakable."""


BondLaw = Union[BallJointBondLaw, BondedBeamBondLaw, ElasticRodBondLaw]


class _Bonds(TypedDict):
    between: Sequence[str]
    """Names of two entries of `bodies`, with by-hook also of emitters; the same twice: bodies of one entry with each other."""
    law: BondLaw


class Bonds(_Bonds, total=False):
    """Joins bodies of two entries, or of one, by bonds without stress."""

    pairs: Literal['faces', 'touching', 'roots', 'tips', 'by-hook']
    """Who is joined. faces: bodies that share a face by their packing (tetrahedra, lattices), with the face as cross-section. touching: bodies whose bounding spheres touch, or capsules whose ends do, with a round cross-section. roots: the first segment of every strand of one entry with the other entry's one body. tips: the last segment. by-hook: nobody at the start; hooks of type bond-maker join bodies during the run."""
    name: str
    """Name by which hooks find the entry. Default: the names of `between`, such as grains-grains."""
    gap: float
    """With touching and by-hook: bodies up to this far apart are joined too [m]."""
    radius: float
    """Except with faces: radius of the cross-section [m]. Default: radius_multiplier times that of the smaller body."""
    radius_multiplier: float
    """Except with faces: radius of the cross-section over that of the smaller body [-]."""
    beside_contact: bool
    """Whether two bodies joined by a bond touch each other too, so that the bond acts beside their contact, as parallel bonds do. Default: true with by-hook, else false."""
    self_contact: bool
    """Whether bodies that hang together by these bonds touch each other, as coils of a rope do. Bodies joined by one bond never do. Default: true with roots and tips, whose strands touch each other and the body that holds them; else false."""


class _GearIntegrator(TypedDict):
    type: Literal['gear']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


class GearIntegrator(_GearIntegrator, total=False):
    """Gear's predictor-corrector for second-order equations: one evaluation per step; keeps higher derivatives of every body."""

    values: Literal[4, 5, 6]
    """Values kept of each coordinate [-]: itself, its velocity, acceleration, and so on."""
    velocity_forces: bool
    """Whether forces depend on velocity (dashpots, friction, drag), which sets the corrector's first coefficient: 19/90 if true, 19/120 if false for 5 values; 3/16 and 3/20 for 6; no difference for 4 [-]."""


class _GranularContinuumIntegratorFriction1(TypedDict):
    static: float
    """mu_s of slow flow and rest [-]."""
    dynamic: float
    """mu_2 of fast flow [-], at least static."""
    diameter: float
    """Of grains [m]."""


class GranularContinuumIntegratorFriction1(_GranularContinuumIntegratorFriction1, total=False):
    """Part of a scene."""

    I0: float
    """Inertial number at which mu is the mean of the two [-]."""


class GranularContinuumIntegratorFluid(TypedDict):
    """A viscous fluid between and around the grains, at rest at first. Grains and bodies weigh less by it. It drags them, and its pressure holds them up for as long as it has not flowed out. It fills the space between walls around the grains and goes on beyond. Default: none."""

    density: float
    """Of the fluid [kg/m^3], at most that of the grains."""
    viscosity: float
    """Of the fluid [Pa s]."""
    diameter: float
    """Of grains, which sets the drag [m]."""


class GranularContinuumIntegratorBoundariesItem(TypedDict):
    """Part of a scene."""

    material: str
    """Name of a material."""
    friction: Union[float, Literal['stick', 'slip']]
    """Friction mu of the wall [-]; "stick": grains that touch it never slide; "slip": 0."""


class _GranularContinuumIntegrator(TypedDict):
    type: Literal['granular-continuum']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""
    cell: float
    """Width of the grid's cells [m]: two to four spacings of points."""


class GranularContinuumIntegrator(_GranularContinuumIntegrator, total=False):
    """Dry grains as a continuum: nonsmooth Drucker-Prager material points between fixed and prescribed walls, and rigid bodies among them. Every step solves for the stresses on a grid; dt is limited by accuracy, not by a stiffness."""

    friction: Union[float, GranularContinuumIntegratorFriction1]
    """Internal friction mu [-]: |Dev stress| <= mu * pressure, with |A|^2 = A:A/2. An object {static, dynamic, I0, diameter}: mu(I), which grows with the rate of shear."""
    cohesion: float
    """Cohesion c of the bulk [Pa]: |Dev stress| <= c + mu * pressure, until grains are torn apart."""
    viscosity: float
    """Viscosity eta of the bulk [Pa s]: beside what friction and cohesion bear, the stress 2 * eta * D(velocity). With cohesion as yield stress and a small friction such as 0.001 the matter is a Bingham fluid: |tau| = cohesion + eta * rate of shear. Where grains lie less densely than max_fraction it is less in proportion; per volume of grains it is eta / max_fraction."""
    max_fraction: float
    """Largest solid fraction [-]: grains that lie less densely carry no stress."""
    fluid: GranularContinuumIntegratorFluid
    """A viscous fluid between and around the grains, at rest at first. Grains and bodies weigh less by it. It drags them, and its pressure holds them up for as long as it has not flowed out. It fills the space between walls around the grains and goes on beyond. Default: none."""
    boundaries: Sequence[GranularContinuumIntegratorBoundariesItem]
    """Walls and rigid bodies, by their material. Those of other materials have the continuum's friction, with mu(I) its static one."""
    tolerance: float
    """Largest error of a step's stresses [-], relative to those of the previous step and to the weight of a cell. Where nothing moves faster than 200 * tolerance * gravity * dt it is a hundredth of that. Default: 1e-3; 1e-4 where rigid bodies take part: with more they do not sink in."""
    max_sweeps: int
    """Gauss-Seidel sweeps per step at most [-]."""
    volume_rate: float
    """Part of an excess of volume above 5 % that is undone per step [-]; 0 = none."""
    max_unconverged_steps: int
    """Steps in a row that may miss the tolerance before the run stops [-]; 0 = any number."""
    grains: int
    """Grains that pictures show, per point [-]: they are spread in the points, go where these flow, and act on nothing. Kept as the table grains (position, radius, shade, point), which the writer vtk writes to tables/grains.pvd; 0 = none."""


class _MoreauJeanIntegratorDump(TypedDict):
    folder: str
    """Where to: a folder in the output folder."""


class MoreauJeanIntegratorDump(_MoreauJeanIntegratorDump, total=False):
    """Writes the friction problems of some steps as FCLib files {folder, start, interval, bonds}. Default: none."""

    start: float
    """Time of the first one [s]."""
    interval: float
    """Time between them [s]; 0 = one only."""
    bonds: bool
    """Whether implicit bonds, which then are part of W, may be there [true/false]; joints may not."""


class _MoreauJeanIntegrator(TypedDict):
    type: Literal['moreau-jean']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


class MoreauJeanIntegrator(_MoreauJeanIntegrator, total=False):
    """Time stepping of velocities and impulses (Moreau-Jean): every step solves for the contact impulses of rigid bodies with Coulomb friction by block Gauss-Seidel. First order; dt is limited by accuracy, not by a stiffness."""

    tolerance: float
    """Largest error of a step's impulses [-], relative to impulses, those of the previous step or larger ones found (100 times those of free fall at most), and to what approaching contacts and joints require. It is the root of the sum of squares over contacts, each weighted by how much its impulse moves."""
    max_sweeps: int
    """Gauss-Seidel sweeps per step at most [-], those that polish other methods' iterates among them."""
    local_solver: Literal['hybrid', 'newton', 'enumerative']
    """Solver of one contact [-]: hybrid = take-off and stick by inspection, sliding by Newton's method, then by the roots of the quartic; newton = on the Fischer-Burmeister function alone, enumerative = by roots alone, for comparison."""
    warm_start: bool
    """Start from the impulses of the previous step, contact by contact [true/false]; false, for comparison: from nothing."""
    drift_rate: float
    """Fraction of an overlap that is undone per step [-]; the work this does is in metrics.csv."""
    slop: float
    """Gaps and overlaps up to this size [m] count as touching: they neither close nor open. Piles at rest want some, 1e-4 of a radius: without it the solver keeps correcting gaps as small as its own tolerance."""
    margin: float
    """Gaps up to this size [m] are contacts that may close in the step. Default: 0.02 of the smallest moving body's bounding radius, and beyond that those that may close in the step as bodies move, however fast."""
    dump: MoreauJeanIntegratorDump
    """Writes the friction problems of some steps as FCLib files {folder, start, interval, bonds}. Default: none."""
    bonds: Literal['implicit', 'explicit']
    """How bonds act whose law offers an energy (elastic-rod, bonded-beam) [-]. implicit: as at the end of the step, together with the contacts; only accuracy limits dt. explicit: by the forces at its beginning, whose stiffness limits dt."""
    bonded_contacts: Literal['auto', 'sweeps', 'split-admm']
    """How contacts of bodies that implicit bonds hold together are solved [-]. sweeps: on a matrix that couples all contacts of a fragment. split-admm: without it, at a cost that is linear in segments and contacts. auto: the latter for many contacts per fragment and where sweeps take long, and sweeps where it does not converge."""
    newton_iterations: int
    """Iterates of Newton's method on implicit bonds per step, at most [-]; at least two are made."""
    newton_tolerance: float
    """What may be left of the forces on bodies that implicit bonds hold together [-]: the accelerations it would give them, relative to the larger of 9.81 m/s^2 and what stops them within a step."""
    max_unconverged_steps: int
    """Steps in a row that may miss the tolerance before the run stops [-]; 0 = any number, and joints may come apart by any gap."""


class _Rk4Integrator(TypedDict):
    type: Literal['rk4']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


class Rk4Integrator(_Rk4Integrator, total=False):
    """Classical Runge-Kutta of fourth order: four evaluations of all contacts per step. A reference for smooth forces."""

    exact_springs: bool
    """true: a fifth evaluation per step lets the springs of friction grow by the true displacement (second order) instead of by the last stage's velocity (first order: as if damped by omega dt / 4 of critical) [-]."""


class SymplecticEulerIntegrator(TypedDict):
    """Semi-implicit Euler: v += dt a, then x += dt v. First order, energy bounded; the integrator of the star reference scenes."""

    type: Literal['symplectic-euler']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


class _VariationalIntegrator(TypedDict):
    type: Literal['variational']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


class VariationalIntegrator(_VariationalIntegrator, total=False):
    """Implicit time stepping: a step is the minimum of an incremental potential of inertia, bonds and contacts on positions and rotations, found by Newton's method. For stiff bonds and large dt. Bodies of any moments of inertia."""

    scheme: Literal['backward-euler', 'midpoint', 'bdf2', 'sdirk2']
    """Discretisation in time [-]: backward-euler damps vibrations and spin and never makes potential energy grow. midpoint nearly keeps energy and angular momentum, and does not damp. bdf2 is of second order and damps little. sdirk2 is too; it minimises twice per step, damps only what it does not resolve, and has friction inside the minimum. These two take bodies with three equal moments of inertia only."""
    tolerance: float
    """Residual of a step [-]: root of the sum of squares of forces left over, and torques over radii, relative to the weight of the bodies at 9.81 m/s^2, summed in the same way."""
    max_iterations: int
    """Newton iterations per step at most [-]."""
    linear_solver: Literal['auto', 'block-jacobi', 'block-ic', 'multigrid', 'direct', 'cholmod']
    """Solver of the linear systems [-]: conjugate gradients with block-Jacobi, incomplete Cholesky or multigrid, or a sparse Cholesky factorisation. auto chooses by size and shape."""
    resolve_breaks: int
    """How often a step in which bonds break is solved again with those that are left [-]; each time the most loaded ones break. 0: all overloaded bonds break at once."""
    fracture_dt: float
    """With sdirk2: longest part of a step at whose end bonds may break [s]. A step that would overload a bond, or that loses more energy than energy_tolerance, is made in parts, which become longer again when nothing happens. Default: none; steps are not divided."""
    energy_tolerance: float
    """With fracture_dt: energy that a part longer than that may lose without account, of the kinetic and elastic energy [-]."""
    friction_speed: float
    """With sdirk2: speed of sliding from which on friction is all that Coulomb's law allows [m/s]. Slower sliding has less; what is held by friction creeps with less than this."""


class VelocityVerletIntegrator(TypedDict):
    """Velocity Verlet: half kick, drift, forces, half kick. Second order where forces do not depend on velocity."""

    type: Literal['velocity-verlet']
    dt: Union[float, Literal['auto']]
    """Time step [s]."""


Integrator = Union[GearIntegrator, GranularContinuumIntegrator, MoreauJeanIntegrator, Rk4Integrator, SymplecticEulerIntegrator, VariationalIntegrator, VelocityVerletIntegrator]


class ScenePluginsItem(TypedDict):
    """A plugin."""

    name: str
    """Name of the plugin."""
    version: str
    """Version of the plugin."""
    hash: str
    """Hash of its file, hexadecimal."""


class _BondMakerModifier(TypedDict):
    type: Literal['bond-maker']


class BondMakerModifier(_BondMakerModifier, total=False):
    """Joins bodies that touch, or nearly so, by bonds of an entry of bonds with "pairs": "by-hook": once, or at every call. Bonds are free of stress when they are made. It works with explicit integrators."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of its figure: <name>_count, bonds made so far."""
    bonds: str
    """Name of the entry of bonds whose law and section the bonds have. Default: the only one with "pairs": "by-hook"."""
    pairs: Literal['touching', 'contacts']
    """Who is joined [-]. touching: bodies whose bounding spheres, or capsules whose ends, are at most the gap apart. contacts: bodies of any shape that had a contact in the last step."""
    gap: float
    """With touching: bodies up to this far apart are joined too [m]. Default: the gap of the entry of bonds."""
    bodies: Sequence[str]
    """Names of entries of bodies, or of emitters: any two of their bodies are joined. Default: one body of each of the two entries that the bonds are between."""
    region: Region
    """Both bodies have their centres of mass in it. Default: anywhere."""
    again: bool
    """Whether bodies are joined again whose bond broke before [true/false]."""


class DeformingCellModifierStrainRate(TypedDict, total=False):
    """Given components of the velocity gradient: "xy" is the rate of v_x along y, a simple shear; "xx" is the rate at which the cell grows along x. Components that are named neither here nor in "stress" are 0. Default: none."""

    xx: float
    """Rate of extension along x; below 0 the cell is compressed [1/s]. Default: not given."""
    yy: float
    """Rate of extension along y [1/s]. Default: not given."""
    zz: float
    """Rate of extension along z, in 3D [1/s]. Default: not given."""
    xy: float
    """Rate of v_x along y: shear of planes y [1/s]. Default: not given."""
    xz: float
    """Rate of v_x along z, in 3D [1/s]. Default: not given."""
    yz: float
    """Rate of v_y along z, in 3D [1/s]. Default: not given."""


class DeformingCellModifierStress(TypedDict, total=False):
    """Components of the stress that the cell follows, of contacts and motion, compression positive. A shear in the direction of a positive rate "xy" has a stress "xy" below 0. Default: none."""

    xx: float
    """Stress on sides x [Pa]. Default: not given."""
    yy: float
    """Stress on sides y [Pa]. Default: not given."""
    zz: float
    """Stress on sides z, in 3D [Pa]. Default: not given."""
    xy: float
    """Shear stress [Pa]. Default: not given."""
    xz: float
    """Shear stress, in 3D [Pa]. Default: not given."""
    yz: float
    """Shear stress, in 3D [Pa]. Default: not given."""


class _DeformingCellModifier(TypedDict):
    type: Literal['deforming-cell']


class DeformingCellModifier(_DeformingCellModifier, total=False):
    """Deforms the periodic cell: strains it at given rates, moves its sides until the content has given stresses, or both, component by component. All sides must be periodic. "interval" is the time between two corrections, best the time step. Images of bodies go with the cell in place and velocity (Lees and Edwards 1972). The centre of the cell rests. At "stop" the cell does, and bodies lose its motion."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name that the columns in metrics.csv begin with."""
    strain_rate: DeformingCellModifierStrainRate
    """Given components of the velocity gradient: "xy" is the rate of v_x along y, a simple shear; "xx" is the rate at which the cell grows along x. Components that are named neither here nor in "stress" are 0. Default: none."""
    stress: DeformingCellModifierStress
    """Components of the stress that the cell follows, of contacts and motion, compression positive. A shear in the direction of a positive rate "xy" has a stress "xy" below 0. Default: none."""
    viscosity: float
    """Viscosity of the answer to a stress: rate = (stress - target)/viscosity [Pa s]. A larger one is slower and smoother. Default: from the stiffness and mass of the contacts, about as fast as is stable."""
    max_strain_rate: float
    """Largest rate of a component that follows a stress [1/s]. Default: that of an inertial number of 0.1 at the largest of the given stresses."""
    thickness: float
    """Thickness of the cell in 2D, for stresses [m]."""
    affine: bool
    """Whether bodies get the motion of the cell when it begins: velocities that grow from its centre, and its rotation. Without it the flow spreads from the sides."""


class _EmitterModifier(TypedDict):
    type: Literal['emitter']
    shape: Union[str, Sequence[str]]
    """Name of a shape, or a list of names for a mixture."""
    material: str
    """Name of a material."""


class EmitterModifier(_EmitterModifier, total=False):
    """Puts new bodies into a region during the run, where there is room for their bounding spheres. At each call it makes what is due; what finds no room stays owed."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of its bodies' entry in outputs, of its random numbers, and of its figures: <name>_count, <name>_mass_kg and <name>_owed (<name>_owed_kg by mass)."""
    shares: Sequence[float]
    """Shares of the shapes in any unit [-]. Default: all alike."""
    by: Literal['number', 'mass']
    """Whether shares are those of the number of bodies or of their mass."""
    scale: Union[float, Sizes]
    """Size of each body relative to its shape [-]: a number, or a distribution. Default: 1."""
    region: Region
    """Where positions are drawn, uniformly; it may be flat. Default: none, there are points."""
    points: Sequence[Sequence[float]]
    """Positions that bodies take in turn [m]. Default: none, there is a region."""
    number: int
    """Bodies in all [-]; without a rate all at once, as far as there is room. Default: no limit."""
    mass: float
    """Mass in all [kg], kept to half a body; without a rate at once. Default: no limit."""
    keep: bool
    """true: each call brings what the region then lacks of number and mass, so that these are what it holds and no totals. All bodies that move freely count whose centre of mass is in it. Without a rate; needs an interval."""
    keep_region: Region
    """Where bodies count with keep [m]. Default: region."""
    number_rate: float
    """Bodies per second, from start on [1/s]. Default: none."""
    mass_rate: float
    """Mass per second, from start on [kg/s], kept to half a body. Default: none."""
    velocity: Sequence[float]
    """Of each new body [m/s]. Default: at rest."""
    random_speed: float
    """Every body gets this speed in a direction of its own on top [m/s]."""
    angular_velocity: Union[float, Sequence[float]]
    """Of each new body [rad/s]. Default: none."""
    orientation: Union[Literal['random'], float, Sequence[float]]
    """Angle [rad] in 2D, quaternion [w, x, y, z] in 3D, or "random". Default: as the shape is given."""
    attempts: int
    """Places tried for a body in one call [-]; the next call tries others."""
    max_wait: float
    """The run ends with an error when a body has found no room for this long [s]. Default: it waits, and says so once."""
    seed: int
    """Seed of all that is random in this hook [-]."""


class ExternalLoadModifierForcesItem(TypedDict):
    """The force at one time."""

    time: float
    """Time since "start" [s]; later than that of the previous row."""
    force: Sequence[float]
    """Force on each body [N]."""


class ExternalLoadModifierTorquesItem(TypedDict):
    """The torque at one time."""

    time: float
    """Time since "start" [s]; later than that of the previous row."""
    torque: Sequence[float]
    """Torque on each body [N m]."""


class _ExternalLoadModifier(TypedDict):
    type: Literal['external-load']
    name: str
    """Name of the load, which its columns in metrics.csv begin with."""


class ExternalLoadModifier(_ExternalLoadModifier, total=False):
    """Puts a force and a torque on each of some bodies, as functions of time: constants, harmonics and tables, added up. They act at centres of mass, in world axes. "interval" is the time between changes, such as the time step; a load that changes needs one. At "stop" it ends."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    bodies: Sequence[str]
    """Names of the entries of bodies that have the load. Default: all that move freely."""
    force: Sequence[float]
    """Constant force on each body [N]. In 2D a third number is ignored. Default: none."""
    force_amplitude: Sequence[float]
    """Amplitude of force_amplitude sin(2 pi frequency t), t since "start" [N]. Default: none."""
    torque: Sequence[float]
    """Constant torque on each body [N m]. In 2D only the third number counts: [0, 0, z]. Default: none."""
    torque_amplitude: Sequence[float]
    """Amplitude of torque_amplitude sin(2 pi frequency t), t since "start" [N m]. Default: none."""
    forces: Sequence[ExternalLoadModifierForcesItem]
    """Forces over time, added to the rest: linear between rows, constant before the first and after the last. Default: none."""
    torques: Sequence[ExternalLoadModifierTorquesItem]
    """Torques over time, added to the rest: linear between rows, constant before the first and after the last. Default: none."""
    frequency: float
    """Frequency of both harmonics [Hz]."""


class _GranularCullingModifier(TypedDict):
    type: Literal['granular-culling']
    window: float
    """Coupling window [s]: how long impulses are summed before they are compared, about 10 contact times. The hook's interval says how often forces are read within it."""


class GranularCullingModifier(_GranularCullingModifier, total=False):
    """Removes granules that lie deep in a solid mass, makes the rest of the mass one rigid body, and restores them where it is hit or exposed. d is the diameter of the largest granule, g the option gravity."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    bodies: Sequence[str]
    """Names of the entries of the scene's bodies that are granules. Default: all bodies that move freely."""
    cull_every: int
    """Windows between tests of what may be stored [-]."""
    expose_every: int
    """Windows between tests of what is exposed [-]."""
    restore_every: int
    """Windows after which everything is restored, to test the exchange [-]; 0: never."""
    gravity: float
    """Acceleration that scales of time and speed are made of [m/s^2], also where the scene has none."""
    velocity_tolerance: float
    """How much a solid granule may move against the rigid motion of its neighbours [sqrt(g d)]."""
    compare_with: Literal['rigid-motion', 'mean-velocity']
    """What a granule's velocity is compared with: the rigid motion that fits its neighbours and itself best, or their mean velocity, by which nothing that rotates counts as solid."""
    least_neighbours: int
    """Granules that a solid granule touches at least [-]."""
    hold_time: float
    """How long a granule is solid before it counts [sqrt(d/g)], its neighbours being the same in all tests."""
    held_at_start: bool
    """Whether what is solid in the first test counts as having been so before."""
    contact_gap: float
    """Granules nearer than this touch [d]."""
    cage_gap: float
    """Granules nearer than this to a stored one are interface [d]: whatever could move into its place while it is not there. Farther ones have others before them: sqrt(2) - 1 in a square. A granule with too few contacts is compared with all that are this near."""
    depth_in: float
    """How deep a granule's outer side lies below the surface when it is stored, at least [d]."""
    depth_out: float
    """An interface granule whose centre lies less deep than this is exposed [d]."""
    ball_radius: float
    """Radius of the ball about a granule that the surface is made of [d]; spheres of other sizes get as much more than their own radius."""
    closing: float
    """Radius by which the union of balls is dilated and eroded [d]."""
    voxel: float
    """Edge of the field's voxels [d]."""
    field: Literal['auto', 'dense', 'openvdb']
    """What depth is measured in: a dense grid, or a sparse one by OpenVDB where scree was built with it. Results are the same. Dense takes half the time where granules lie together, openvdb a fifth and less where their box has 1600 voxels per sphere; auto takes openvdb from 300."""
    band: float
    """How deep below the surface openvdb measures [d]. Default: as deep as depth_in, ball_radius and closing need."""
    walls_as_solid: Literal['none', 'fixed', 'all']
    """Walls that count as matter when depth is measured: fixed ones, prescribed ones too, or none."""
    smallest_group: int
    """Stored granules of an aggregate, at least [-]; smaller ones dissolve."""
    impact_height: float
    """An impact is an impulse above that of a granule after a fall by this [d]."""
    load_factor: float
    """An impact also exceeds this many times what the members of an aggregate bear at rest in a window on average [-]: a load that passes from one granule to another is no impact."""
    mean_windows: float
    """Windows over which the running mean of impulses without impact is taken [-]."""
    carve_coefficient: float
    """Radius carved by an impact at the threshold [d]."""
    carve_exponent: float
    """Power of the impulse over the threshold that the radius grows with [-]: 1/3 makes the volume grow as the impulse, 1 is the paper's."""
    carve_least: float
    """Least radius carved, and that about an exposed granule [d]."""
    carve_most: float
    """Largest radius carved, as part of that of the aggregate [-]."""


class _HeatModifierMaterialsItem(TypedDict):
    material: str
    """Name of the material in the scene."""
    conductivity: float
    """Thermal conductivity [W/m/K]."""
    heat_capacity: float
    """Specific heat capacity [J/kg/K]."""


class HeatModifierMaterialsItem(_HeatModifierMaterialsItem, total=False):
    """Values of one material."""

    real_youngs_modulus: float
    """Young's modulus of the real material, where that of the scene is softer [Pa]; see "softness". Default: that of the scene."""


class _HeatModifierConditionsItem(TypedDict):
    bodies: str
    """Name of the entry of the scene's bodies, or of the emitter."""


class HeatModifierConditionsItem(_HeatModifierConditionsItem, total=False):
    """What holds for the bodies of one entry."""

    temperature: float
    """Temperature when they come [K]. Default: that of all."""
    fixed: bool
    """Whether they keep their temperature, whatever heat flows."""
    insulated: bool
    """Whether no heat flows through their contacts."""
    source: float
    """Power into each of the bodies [W]; below 0 it cools."""
    capacity: float
    """Heat capacity of each body [J/K]. Default: its mass times heat_capacity; a body without mass keeps its temperature."""


class _HeatModifierChangesItem(TypedDict):
    time: float
    """When: at the first exchange from then on [s]."""
    region: Region
    """Which bodies, by their centre of mass [m]."""


class HeatModifierChangesItem(_HeatModifierChangesItem, total=False):
    """What bodies that move freely are given whose centre of mass is in a region."""

    temperature: float
    """Temperature from which they go on [K]. Default: theirs."""
    source: float
    """Power into each of them from then on [W], beside that of a condition; below 0 it cools. Default: theirs."""


class _HeatModifier(TypedDict):
    type: Literal['heat']
    materials: Sequence[HeatModifierMaterialsItem]
    """Values of materials. Those of all bodies that are not insulated are needed."""


class HeatModifier(_HeatModifier, total=False):
    """Temperatures of bodies, and heat that flows through their contacts. "interval" is the time between exchanges, one to ten time steps."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    temperature: float
    """Temperature of bodies when they come [K], unless "conditions", or "columns" of their entry, say otherwise."""
    conditions: Sequence[HeatModifierConditionsItem]
    """What holds for the bodies of some entries, or of emitters in hooks before this one."""
    changes: Sequence[HeatModifierChangesItem]
    """Temperatures and sources that bodies are given at a time, wherever they come from."""
    radius: Literal['hertz', 'overlap']
    """Radius of a contact's area: "hertz" is sqrt(R* d), that of elastic spheres; "overlap" that of the circle in which the spheres cross, sqrt(2) times more."""
    softness: Literal['collisions', 'lasting']
    """Corrects contact radii where springs are softer than "real_youngs_modulus": by (E_soft/E_real)^(1/5) for "collisions", by (E_soft/E_real)^(1/3) for "lasting" contacts. Default: no correction."""
    dissipation: bool
    """Whether the work that contacts take from the motion becomes heat of both bodies, in proportion to sqrt(conductivity density heat_capacity). What springs hold counts as heat while the contact lasts. Give an "interval" of one time step."""
    most_substeps: int
    """Largest number of sub-steps between two exchanges. Each is at most half of m c/sum H of any body [-]."""


class _LiquidFilmsModifierFilmsItem(TypedDict):
    bodies: str
    """Name of the entry of the scene's bodies."""


class LiquidFilmsModifierFilmsItem(_LiquidFilmsModifierFilmsItem, total=False):
    """Films of the bodies of one entry."""

    volume: float
    """Liquid on each body [m^3]. Default: none, where there is a fraction."""
    fraction: float
    """Liquid on each body, as a part of its own volume [-]. Default: none, where there is a volume."""


class _LiquidFilmsModifier(TypedDict):
    type: Literal['liquid-films']
    films: Sequence[LiquidFilmsModifierFilmsItem]
    """Entries of the scene's bodies that hold films, and how much each body has when it comes. Others hold none."""


class LiquidFilmsModifier(_LiquidFilmsModifier, total=False):
    """Films of liquid on bodies, from which bridges of laws with "liquid": {"supply": "films"} are made, and to which they go back: what films lose bridges have, to the last bit. "interval" is the time between exchanges, one to ten time steps."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    share: float
    """Share of its film that a body gives to each bridge that forms [-]; all that form at once get the film at most."""


class _OutletModifier(TypedDict):
    type: Literal['outlet']
    region: Region
    """Where bodies go, by their centre of mass."""


class OutletModifier(_OutletModifier, total=False):
    """Takes bodies out that have come into a region, and counts them. Bodies joined by bonds, or members of one owner, go as one, when their centre of mass is in it."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of its figures: <name>_count and <name>_mass_kg."""
    bodies: Sequence[str]
    """Names of the entries of bodies, or of emitters, whose bodies may go. Default: all that move freely."""


class _PythonModifier(TypedDict):
    type: Literal['python']
    file: str
    """File of Python, which is run once when a run is prepared."""


class PythonModifier(_PythonModifier, total=False):
    """Calls a function of a file of Python between steps, with an object like scree.Simulation: it reads and sets bodies, adds and removes some, puts forces on them, drives walls, and reads contacts. The command line must allow it: --allow-python. "interval" is the time between calls."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    function: str
    """Name of its function that is called with the simulation, and with the parameters by name."""
    parameters: Dict[str, Any]
    """Further arguments of the function, by name: numbers [in units of yours], texts, lists, objects."""
    contacts: bool
    """Whether the function asks for contacts; false saves their making at each call."""


class ServoWallModifierSpansItem(TypedDict):
    """Two walls that face each other."""

    between: Sequence[str]
    """Names of two entries of the scene's bodies; the places of their first bodies count."""


class ServoWallModifierLoadItem(TypedDict):
    """The load at one time."""

    time: float
    """Time [s]; later than that of the previous row."""
    factor: float
    """Factor of force or pressure [-]."""


class _ServoWallModifier(TypedDict):
    type: Literal['servo-wall']
    bodies: str
    """Name of the entry of the scene's bodies that is the wall."""
    direction: Sequence[float]
    """Direction in which the wall pushes; of any length [-]."""
    max_speed: float
    """Largest speed of the servo [m/s], which is also that of the approach while the wall touches nothing."""


class ServoWallModifier(_ServoWallModifier, total=False):
    """Moves a wall along a direction until its contacts press against it with a given force or pressure. The bodies need a "motion", to which the servo's is added; "motion": {} is none of their own. "interval" is the time between corrections of the speed, about ten time steps."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    force: float
    """Force with which the wall is to push [N]. Default: none, where there is a pressure."""
    pressure: float
    """Pressure with which the wall is to push [Pa], times the current area. Default: none, where there is a force."""
    area: float
    """Area that a pressure acts on [m^2]; with one span, the other edge [m]. Default: the product of the spans."""
    spans: Sequence[ServoWallModifierSpansItem]
    """Walls whose distances across the direction span the area that a pressure acts on. Default: none."""
    load: Sequence[ServoWallModifierLoadItem]
    """The load over time, as a factor of force or pressure: linear between rows, constant before the first and after the last. Default: 1 at all times."""
    gain: float
    """Speed per missing force [m/(N s)]. Default: from the stiffness and mass of what touches the wall, so that it settles."""
    shortest: float
    """Least displacement along the direction [m]. Default: without limit."""
    longest: float
    """Largest displacement along the direction [m]. Default: without limit."""


class BodyMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Only together. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


class _BodyMeterObserver(TypedDict):
    type: Literal['body-meter']
    name: str
    """Name of the file, without .csv."""


class BodyMeterObserver(_BodyMeterObserver, total=False):
    """Writes <name>.csv: pose, velocity, force, torque and power of chosen bodies, a row per body and call, or one row of all together. Forces are those of contacts and bonds."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count. Fixed and moved ones count too. Default: none, where there are ids."""
    ids: Sequence[int]
    """Numbers of single bodies, beside those of entries [-]. Default: none."""
    together: bool
    """true: one row per call, with the centre of mass of all and sums of force, torque and power."""
    point: Sequence[float]
    """Point that torques are about [m]. Default: the centre of mass of each body, or of all together."""
    average: BodyMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Only together. Default: none."""


class _CullingLedgerObserver(TypedDict):
    type: Literal['culling-ledger']


class CullingLedgerObserver(_CullingLedgerObserver, total=False):
    """Writes culling.csv, with counts and times of the hook granular-culling, stored.pvd: the granules that it has stored, where they are, and interface.pvd: the surface about them."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    pictures: bool
    """Whether stored.pvd and interface.pvd are written; needs scree built with VTK."""


class FieldsObserverAverage(TypedDict, total=False):
    """Averages over time: each call adds a sample, and a frame is the mean over a window. Default: none, each call is a frame."""

    start: float
    """Windows follow each other from this time on [s]."""
    window: float
    """Length of a window, its end included [s]. Default: all since start, as one frame that is written at checkpoints and at the end."""


class _FieldsObserver(TypedDict):
    type: Literal['fields']


class FieldsObserver(_FieldsObserver, total=False):
    """Writes <name>.pvd for ParaView: coarse-grained fields of the grains on a regular grid (.vti), such as solid fraction, velocity, granular temperature and stress. Each grain is spread over cells by Lucy's kernel, so that mass and momentum are those of the grains."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of the files, <name>.pvd and <name>/<name>_000000.vti and on."""
    lower: Sequence[float]
    """Lower corner of the grid [m]. Along periodic directions the grid spans the periodic cell, whatever stands here. Default: none, where all directions are periodic."""
    upper: Sequence[float]
    """Upper corner of the grid [m], as for "lower". Default: none, where all directions are periodic."""
    width: float
    """Width of the kernel: its standard deviation along an axis [m]. A grain reaches 3.46 widths far, in 2D 3.35. Default: mean diameter of the bounding spheres of the grains at the start."""
    spacing: float
    """Edge of a cell, or less, so that whole cells fit [m]: from 0.1 to 1.5 widths. Default: half a width."""
    fields: Sequence[Literal['solid_fraction', 'density', 'momentum_density', 'velocity', 'temperature', 'pressure', 'contact_stress', 'kinetic_stress', 'boundary_force', 'fabric', 'coordination']]
    """Names of the fields that are written. Default: all."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count; all others are like walls to them. Default: all that move freely."""
    thickness: float
    """In 2D: how thick the bodies are [m], for all that is per volume."""
    average: FieldsObserverAverage
    """Averages over time: each call adds a sample, and a frame is the mean over a window. Default: none, each call is a frame."""


class FlowMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


class _FlowMeterObserver(TypedDict):
    type: Literal['flow-meter']
    name: str
    """Name of the file, without .csv."""
    point: Sequence[float]
    """A point of the plane [m]."""
    normal: Sequence[float]
    """Direction that counts as forward; of any length [-]."""


class FlowMeterObserver(_FlowMeterObserver, total=False):
    """Writes <name>.csv: how many bodies and how much mass have gone through a plane, and the rates since the previous call. Bodies that are removed between two calls are not seen."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    region: Region
    """Where on the plane bodies count. Default: everywhere."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count. Default: all that move freely."""
    average: FlowMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""


class _FractureSurfaceObserver(TypedDict):
    type: Literal['fracture-surface']


class FractureSurfaceObserver(_FractureSurfaceObserver, total=False):
    """Bodies of the packing "tetrahedra" as the solid they form, for ParaView. fracture.pvd has the visible faces, tetrahedra.pvd each body, with id, fragment (smallest id in it), damage (share of broken bonds) and speed. fragments.csv lists bodies and mass of every fragment."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    cracks: Literal['broken', 'fragments']
    """Which faces inside are seen [-]: broken, both sides of every broken bond; fragments, only where two fragments met, so that cracks that end inside stay hidden (the paper's reading)."""
    watertight: bool
    """Corners of tetrahedra that hang together are drawn as one point, their mean [true/false]; false: each tetrahedron where it is, with gaps in a strained solid."""
    tetrahedra: bool
    """Whether tetrahedra.pvd is written besides the surface [true/false]."""


class HeapMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


_HeapMeterObserverWords = TypedDict("_HeapMeterObserverWords", {"from": "float"}, total=False)


class _HeapMeterObserver(_HeapMeterObserverWords):
    type: Literal['heap-meter']
    name: str
    """Name of the file, without .csv."""


class HeapMeterObserver(_HeapMeterObserver, total=False):
    """Writes <name>.csv: the angle of repose of a heap on a floor by three definitions, its height and its radius. In 2D, or with a ridge, the heap has two sides."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    floor: float
    """Height of the floor along "up" [m]."""
    up: Sequence[float]
    """Direction out of the floor; of any length [-]. Default: z, in 2D y."""
    centre: Sequence[float]
    """A point on the axis of the heap [m]. Default: its centre of mass."""
    ridge: Sequence[float]
    """In 3D: direction along a heap that is long and has two sides; of any length [-]. Default: none, the heap is round."""
    sectors: int
    """Most sectors of a round heap; in each of them a line is fitted. Small heaps have fewer [-]."""
    to: float
    """Where lines end, over the radius of the foot [-]."""
    region: Region
    """Where bodies count. Default: everywhere above the floor."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count. Default: all that move freely."""
    average: HeapMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""


class MeshWearObserverArchard(TypedDict):
    """Wear by sliding: coefficient times normal force times way over hardness. Default: none."""

    coefficient: float
    """Coefficient k [-], 1e-8 to 1e-2."""
    hardness: float
    """Hardness H of the wall [Pa]."""


class _MeshWearObserverFinnie(TypedDict):
    flow_stress: float
    """Flow stress p of the wall [Pa]."""


class MeshWearObserverFinnie(_MeshWearObserverFinnie, total=False):
    """Wear by impacts of hard grains on a ductile wall, each once as it begins. Default: none."""

    chip_ratio: float
    """Length of a chip over its depth, psi [-]."""
    force_ratio: float
    """Normal over tangential force on the grain, K [-]."""
    by: Literal['impact', 'work']
    """impact: the speed at which an impact begins counts, once; work: force times speed of the grain's centre while it comes nearer, summed over the contact, as in LIGGGHTS. A grain that rests or rolls on then wears, too."""


class _MeshWearObserver(TypedDict):
    type: Literal['mesh-wear']


class MeshWearObserver(_MeshWearObserver, total=False):
    """Writes a time series of surfaces for ParaView, <name>.pvd: force, pressure and shear stress of each triangle of meshes, and what sliding (Archard) and impacts (Finnie) have worn off. Each call adds a sample, so `interval` is to be short: some steps."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of the files, <name>.pvd and <name>/<name>_000000.vtp and on."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count, all of them of shape `mesh`. Default: none, where there are ids."""
    ids: Sequence[int]
    """Numbers of single bodies, beside those of entries [-]. Default: none."""
    every: int
    """Calls per file [-]. Loads in it are means of these calls."""
    archard: MeshWearObserverArchard
    """Wear by sliding: coefficient times normal force times way over hardness. Default: none."""
    finnie: MeshWearObserverFinnie
    """Wear by impacts of hard grains on a ductile wall, each once as it begins. Default: none."""


class MixingMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


class _MixingMeterObserver(TypedDict):
    type: Literal['mixing-meter']
    name: str
    """Name of the file, without .csv."""
    bodies: Sequence[str]
    """Names of the entries of bodies that are mixed: two or more."""
    cell_size: float
    """Edge of the cells, which are cubes, in 2D squares [m]. Some 3 to 5 diameters of a body are usual."""


class MixingMeterObserver(_MixingMeterObserver, total=False):
    """Writes <name>.csv: how well the bodies of two or more entries are mixed, at each call. It is Lacey's index of the cells of a grid: 0 where each cell holds one entry alone, 1 where cells are filled at random. Bodies count where their centre of mass is."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    origin: Sequence[float]
    """A corner of a cell [m]."""
    region: Region
    """Where bodies count. Default: everywhere."""
    average: MixingMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""


class _ParticleFilesObserver(TypedDict):
    type: Literal['particle-files']
    format: Literal['csv', 'dump', 'xyzr']
    """csv: a table with column names, of any shapes. dump: of LAMMPS or LIGGGHTS, with ids from 1, bounds and the columns asked for. xyzr: lines x y z r, as of Yade. The last two formats are for spheres."""


class ParticleFilesObserver(_ParticleFilesObserver, total=False):
    """Writes the bodies that move freely as text, a file per call: <name>/<name>_000000.csv, and so on, in formats that packings `csv` and `import` and other codes read."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    name: str
    """Name of the folder, and what files begin with."""
    bodies: Sequence[str]
    """Names of the entries of bodies that are written, fixed and driven ones too. Default: all bodies that move freely."""
    types: Literal['materials', 'entries']
    """What the column `type` of a dump counts, from 1 in the order of the scene: materials, or entries of bodies. Default: materials."""
    columns: Sequence[Literal['id', 'type', 'x', 'y', 'z', 'vx', 'vy', 'vz', 'omegax', 'omegay', 'omegaz', 'radius', 'diameter', 'mass']]
    """Columns of a dump, in this order, in SI units. Default: id type x y z vx vy vz omegax omegay omegaz radius."""


_ProfileMeterObserverBinsWords = TypedDict("_ProfileMeterObserverBinsWords", {"from": "float"}, total=False)


class _ProfileMeterObserverBins(_ProfileMeterObserverBinsWords):
    to: float
    """Where the last bin ends [m]."""
    number: int
    """Number of bins."""


class ProfileMeterObserverBins(_ProfileMeterObserverBins, total=False):
    """Slabs along a direction, or shells about an axis, all of the same width."""

    along: Sequence[float]
    """Direction that slabs follow each other in; of any length [-]. Default: none, where there is "about"."""
    about: Sequence[float]
    """Axis that shells lie about; of any length [-]. In 2D [0, 0, 1]. Default: none, where there is "along"."""
    point: Sequence[float]
    """Point from which heights count, or on the axis [m]."""


class ProfileMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


class _ProfileMeterObserver(TypedDict):
    type: Literal['profile-meter']
    name: str
    """Name of the file, without .csv."""
    bins: ProfileMeterObserverBins
    """Slabs along a direction, or shells about an axis, all of the same width."""


class ProfileMeterObserver(_ProfileMeterObserver, total=False):
    """Writes <name>.csv: what bins along a direction or a radius hold, a row per bin and call: bodies, mass, velocity, granular temperature, solid fraction, and stress of contacts and of motion."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    share: Literal['volume', 'centre']
    """What of a body belongs to a bin. volume: the share of its volume there, of spheres, in mass, momentum and solid fraction; other bodies by their centres. centre: all of a body is where its centre is."""
    entries: bool
    """true: also counts the bodies of each entry, in columns ENTRY_count."""
    region: Region
    """Where bodies and contacts count: by centre, and by point. Default: everywhere."""
    section: float
    """Of slabs the area [m^2], in 2D the width [m]; of shells the length [m]. With it bins have a volume, for solid fraction and stress. Default: from the region, or from the periodic cell."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count. Default: all that move freely."""
    thickness: float
    """In 2D: how thick the bodies are [m], for solid fraction and stress."""
    average: ProfileMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""


class RegionMeterObserverAverage(TypedDict, total=False):
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""

    start: float
    """Rows of this time and later are averaged [s]."""
    window: float
    """How much time before a row is averaged, the row included [s]. Default: all since start."""


class _RegionMeterObserver(TypedDict):
    type: Literal['region-meter']
    name: str
    """Name of the file, without .csv."""
    region: Region
    """The region that is measured."""


class RegionMeterObserver(_RegionMeterObserver, total=False):
    """Writes <name>.csv: how many bodies are in a region, their mass, solid fraction, velocity, coordination and stress, at each call. Bodies count where their centre of mass is."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    bodies: Sequence[str]
    """Names of the entries of bodies that count. Default: all that move freely."""
    thickness: float
    """In 2D: how thick the bodies are [m], for solid fraction and stress."""
    average: RegionMeterObserverAverage
    """Also writes averages over time, in columns mean_... after the others: of the rows so far, or of a window of time. Default: none."""


class _TrackObserver(TypedDict):
    type: Literal['track']
    name: str
    """Name of the file, without .vtp."""


class TrackObserver(_TrackObserver, total=False):
    """Writes <name>.vtp: paths of bodies as lines for ParaView, a point per call, with time [s], speed [m/s] and id. A line is parted where its body leaps around a periodic cell. The file is written at checkpoints and at the end."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    bodies: Sequence[str]
    """Names of the entries of bodies that are followed. Default: none, where there are ids."""
    ids: Sequence[int]
    """Numbers of single bodies, beside those of entries [-]. Default: none."""


class _VtkObserver(TypedDict):
    type: Literal['vtk']


class VtkObserver(_VtkObserver, total=False):
    """Writes what ParaView opens: particles.pvd (the particles), walls.pvd (fixed and moved bodies), contacts.pvd (the force network). Rods are written to rods.pvd, particles with outlines also as points.pvd, and points of other methods to tables/NAME.pvd. On request it writes bonds.pvd, and grids/NAME.pvd for fields on grids of the integrator."""

    start: float
    """Time of the first call [s]."""
    interval: float
    """Time between calls [s]; 0: once, at start."""
    stop: float
    """No calls after this time [s]. Default: never."""
    mode: Literal['auto', 'surface', 'glyph']
    """How particles are written. surface: each particle's true outline; glyph: one point per particle with its orientation, and each shape's outline once. auto: by the bodies of the start, surface where the outlines of all frames of the run take at most about 100 MB, else glyph."""
    contacts: bool
    """Whether the contacts with their forces [N] are written as well."""
    bonds: bool
    """Whether bonds are written as lines, with state, time of breaking [s], strain [-], turn [rad] and the arrays of their laws."""
    rods: bool
    """Whether rods, bodies with segments that bonds join, are written as lines with radius [m], tension [N], moments [N m], curvature and twist [1/m]."""
    points: bool
    """Whether particles that are written as surfaces are written as points too, to points.pvd, and each shape's outline once: one row per particle for tables and histograms, and small pages of scree view."""
    tables: bool
    """Whether the points that other methods keep in tables of their own are written, to tables/NAME.pvd."""
    grids: bool
    """Whether fields on the grids of the integrator are written as images (.vti), to grids/NAME.pvd. Those of granular-continuum: solid_fraction [-], pressure [Pa], velocity [m/s], shear_rate [1/s], inertial_number [-]."""
    columns: Sequence[str]
    """Names of what is written of each body besides id, shape and speed (SI units): columns of the bodies, and of their contacts coordination, pressure, stress. Default: every column that is meant to be shown, with coordination and pressure where contacts are written."""


Hook = Union[BondMakerModifier, DeformingCellModifier, EmitterModifier, ExternalLoadModifier, GranularCullingModifier, HeatModifier, LiquidFilmsModifier, OutletModifier, PythonModifier, ServoWallModifier, BodyMeterObserver, CullingLedgerObserver, FieldsObserver, FlowMeterObserver, FractureSurfaceObserver, HeapMeterObserver, MeshWearObserver, MixingMeterObserver, ParticleFilesObserver, ProfileMeterObserver, RegionMeterObserver, TrackObserver, VtkObserver]


class SceneGrid(TypedDict, total=False):
    """The search for neighbours. Changes the speed; results change only by rounding."""

    skin: float
    """Extra reach of the list of neighbours [m]: the list is rebuilt when bodies have moved by half of it. Default: a fraction of the smallest moving body's radius; of the smallest shape's where nothing moves at the start."""


class SceneDomain(TypedDict):
    """A body that leaves this box ends the run with an error. Default: the initial extent of the scene, enlarged a hundredfold on every side; none where nothing moves at the start."""

    lower: Sequence[float]
    """Lower corner [m]."""
    upper: Sequence[float]
    """Upper corner [m]."""


class ScenePeriodic(TypedDict, total=False):
    """Directions in which space repeats: a body that leaves on one side comes back on the other, and bodies touch across the sides. A wall should be unbounded in these directions."""

    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[float]


Writer = Union[BodyMeterObserver, CullingLedgerObserver, FieldsObserver, FlowMeterObserver, FractureSurfaceObserver, HeapMeterObserver, MeshWearObserver, MixingMeterObserver, ParticleFilesObserver, ProfileMeterObserver, RegionMeterObserver, TrackObserver, VtkObserver]


class SceneOutput(TypedDict, total=False):
    """What is written, and how often."""

    interval: float
    """Time between frames of the writers [s], each after the step nearest to its time; 0: the first and the last state only."""
    metrics_interval: float
    """Time between rows of metrics.csv [s], each after the step nearest to its time; 0: the first and the last state only."""
    checkpoint_interval: float
    """Time between checkpoints [s]; 0: only when the run is interrupted or fails."""
    energy_ledger: bool
    """true: metrics.csv and summary.json account for the work [J] of gravity, external forces, damping, bonds, each wall and each interaction, and for what each interaction has dissipated, in columns ledger_*. Needs an integrator that tells which forces its steps apply; others are refused by name."""
    writers: Sequence[Writer]
    """Writers of the frames."""


class Until(TypedDict, total=False):
    """What ends the stage: one of `time`, `duration`, `steps` and `figure`. A figure goes with `below` or `above`, and needs a `limit`."""

    time: float
    """Time of the run [s]. Default: another end."""
    duration: float
    """Time from the beginning of the stage [s]. Default: another end."""
    steps: int
    """Number of steps [-]. Default: another end."""
    figure: str
    """A column of metrics.csv, such as kinetic_energy_J or lid_force_y_N; or unbalanced_force_ratio, the mean net force on free bodies over the mean contact force, which becomes a column then. Default: another end."""
    below: float
    """The stage ends when the figure is below this [in its unit]. Default: not asked."""
    above: float
    """The stage ends when the figure is above this [in its unit]. Default: not asked."""
    hold: float
    """The figure must stay there for this long [s]. Default: 0."""
    limit: float
    """The stage lasts no longer than this [s]. Required with a figure. Default: none."""
    interval: float
    """Time between tests of the figure [s]. Default: 100 steps."""
    at_limit: Literal['fail', 'go on']
    """What happens at the limit. fail: the run ends as failed, with a checkpoint. go on: the next stage begins, with a warning. Default: fail."""


class Change(TypedDict, total=False):
    """What differs from the previous stage, under the scene's own keys; nothing else is named. Objects are merged, null removes a key, anything else replaces what was there. Entries of lists are called by name (bodies), "a-b" of their two materials (interactions), type (hooks, writers) or index. An object with another `type` is replaced whole. Times are those of the run; what a stage brings (a motion, a hook) begins with the stage at the earliest. Default: nothing."""

    gravity: Union[Sequence[Any], Dict[str, Any], None]
    """As /gravity."""
    damping: Union[Dict[str, Any], None]
    """As /damping."""
    materials: Dict[str, Any]
    """As /materials: youngs_modulus and poisson_ratio may change."""
    bodies: Dict[str, Dict[str, Any]]
    """By name of the entry: fixed, motion, held, remove_at, removed, surface_velocity. A motion begins at the pose of the moment."""
    interactions: Union[Dict[str, Any], Sequence[Any]]
    """By the two materials, e.g. {"grain-wall": {"law": {"friction": 0.5}}}; or a whole new list. A law of the same type keeps its contact history."""
    integrator: Dict[str, Any]
    """As /integrator. Another type, or other options than dt, starts from positions and velocities alone."""
    hooks: Union[Dict[str, Any], Sequence[Any], None]
    """By type or index, or a whole new list."""
    grid: Union[Dict[str, Any], None]
    """As /grid."""
    domain: Union[Dict[str, Any], None]
    """As /domain."""
    output: Union[Dict[str, Any], None]
    """As /output."""


class _Stage(TypedDict):
    name: str
    """Name of the stage in progress, summary and messages."""
    until: Until


class Stage(_Stage, total=False):
    """A part of a run: what changes when it begins, and what ends it."""

    change: Change


class SceneRun(TypedDict, total=False):
    """How long to run, and what is allowed. A duration is required without stages, and not allowed with them."""

    duration: float
    """Simulated time [s]."""
    max_initial_overlap: float
    """Largest overlap allowed before the first step, as a fraction [-] of the smaller body's bounding radius."""
    accept_long_dt: bool
    """true: the run is not refused where dt is too long for the stiffness of a contact."""


_Schema = TypedDict("_Schema", {"$schema": str}, total=False)


class _Scene(_Schema):
    dimension: Literal[2, 3]
    """2: bodies move in the x-y plane and turn about z. 3: they move freely. Every vector in the scene has this many components."""
    materials: Dict[str, Material]
    """Materials by name. Interactions are chosen by the materials of the two bodies."""
    shapes: Dict[str, Shape]
    """Shapes by name."""
    bodies: Sequence[Bodies]
    """Bodies: each entry is one body, or a packing of many."""
    integrator: Integrator


class Scene(_Scene, total=False):
    """A scene as a dict, with the keys of its file."""

    name: str
    """Name of the scene: the default output folder is out/<name>. Default: the name of the file, or of its folder when the file is called scene.json."""
    description: str
    """Free text: what to look for, where the figures come from."""
    gravity: Union[Sequence[float], Gravity]
    """Acceleration of gravity [m/s^2]: a vector, or an object where it varies in time. Default: none."""
    damping: SceneDamping
    """Background damping of every free body."""
    interactions: Sequence[Interaction]
    """What happens when bodies of two materials touch. The entry that names both materials wins over one with "*"."""
    bonds: Sequence[Bonds]
    """Bonds that hold bodies together until they break."""
    plugins: Sequence[ScenePluginsItem]
    """The plugins a run has used, as scree writes them into the resolved scene. A scene of your own needs no such list; where there is one, a warning names changed plugins. Default: none."""
    hooks: Sequence[Hook]
    """What runs between steps, in this order: modifiers change the bodies, observers look at them."""
    grid: SceneGrid
    """The search for neighbours. Changes the speed; results change only by rounding."""
    domain: SceneDomain
    """A body that leaves this box ends the run with an error. Default: the initial extent of the scene, enlarged a hundredfold on every side; none where nothing moves at the start."""
    periodic: ScenePeriodic
    """Directions in which space repeats: a body that leaves on one side comes back on the other, and bodies touch across the sides. A wall should be unbounded in these directions."""
    output: SceneOutput
    """What is written, and how often."""
    stages: Sequence[Stage]
    """Parts of one run, one after the other: fill, rest, shear. The scene around them holds from the start; each stage may change it; bodies, contact history and ids carry over. The stages say how long the run lasts, and run.duration is left out. Default: none, the run has one part."""
    run: SceneRun
    """How long to run, and what is allowed. A duration is required without stages, and not allowed with them."""
