"""What a deck says, in SI units, free of any program's commands."""

import math
from dataclasses import dataclass, field

from lines import Command
from units import SYSTEMS


@dataclass
class Region:
    """A part of space by its form: block, sphere, cylinder, cone, plane, union, intersect, mesh."""

    kind: str
    command: Command
    numbers: dict = field(default_factory=dict)
    inside: bool = True
    open_faces: set = field(default_factory=set)
    moves: bool = False
    rotation: tuple = None  # variable of the angle, point, axis
    members: list = field(default_factory=list)


@dataclass
class Atom:
    """A sphere that the deck places itself."""

    id: int
    type: int
    position: tuple
    radius: float = 0.0
    density: float = 0.0
    velocity: tuple = (0.0, 0.0, 0.0)
    spin: tuple = (0.0, 0.0, 0.0)
    groups: set = field(default_factory=set)
    command: Command = None


@dataclass
class Grain:
    """A kind of particle: a sphere of one size or of a distribution, or a clump."""

    name: str
    type: int
    density: float
    radius: float
    sizes: dict = None  # a scene's distribution of sizes relative to the radius
    spheres: list = None
    command: Command = None
    union: float = None  # volume of a clump, once it is known [m^3]

    def mean_cube(self):
        """Returns the mean of the cube of the size relative to the radius."""
        if not self.sizes:
            return 1.0
        if self.sizes["type"] == "uniform":
            low, high = self.sizes["lower"], self.sizes["upper"]
            return (low + high) * (low * low + high * high) / 4 if high > low else low**3
        sizes, shares = self.sizes["sizes"], self.sizes["fractions"]
        if len(shares) == len(sizes):
            cubes = [size**3 for size in sizes]
        else:
            cubes = [(a + b) * (a * a + b * b) / 4 for a, b in zip(sizes, sizes[1:])]
        return sum(c * s for c, s in zip(cubes, shares)) / sum(shares)

    def mean_volume(self):
        if self.spheres:
            if self.union is None:
                self.union = union_volume(self.spheres)
            return self.union
        return 4 / 3 * math.pi * self.radius**3 * self.mean_cube()

    def largest(self):
        """Returns the largest radius."""
        if self.spheres:
            return max(math.hypot(*s["position"]) + s["radius"] for s in self.spheres)
        if not self.sizes:
            return self.radius
        return self.radius * (self.sizes.get("upper") or max(self.sizes["sizes"]))

    def radii(self):
        """Returns the radii, or None where they are spread."""
        if self.spheres:
            return sorted({s["radius"] for s in self.spheres})
        if not self.sizes:
            return [self.radius]
        if self.sizes["type"] == "table" and len(self.sizes["sizes"]) == len(self.sizes["fractions"]):
            return [self.radius * size for size in self.sizes["sizes"]]
        return None


POINTS = 20_000  # by which a clump's volume is estimated, within about 1 %


def halton(i, base):
    """Returns the i-th of Halton's numbers, which fill 0 to 1 evenly."""
    value, share = 0.0, 1.0
    while i:
        share /= base
        value += share * (i % base)
        i //= base
    return value


def union_volume(spheres):
    """Returns the volume of spheres that may overlap [m^3]; what several share counts once."""
    if len(spheres) == 1:
        return 4 / 3 * math.pi * spheres[0]["radius"] ** 3
    balls = [(*s["position"], s["radius"]) for s in spheres]
    lower = [min(b[k] - b[3] for b in balls) for k in range(3)]
    size = [max(b[k] + b[3] for b in balls) - lower[k] for k in range(3)]
    hits = 0
    for i in range(1, POINTS + 1):
        x, y, z = (lower[k] + size[k] * halton(i, base) for k, base in enumerate((2, 3, 5)))
        hits += any((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 < r * r for a, b, c, r in balls)
    return math.prod(size) * hits / POINTS


@dataclass
class Distribution:
    """A mixture of kinds of particles."""

    grains: list
    shares: list
    by: str


@dataclass
class Insertion:
    """Particles that come during the run."""

    name: str
    command: Command
    distribution: Distribution
    region: dict
    start: float
    groups: str = "all"
    stop: float = None
    number: int = None
    mass: float = None
    fraction: float = None
    number_rate: float = None
    mass_rate: float = None
    interval: float = 0.0
    keep_region: dict = None  # where particles count, if the region is filled up again every so often
    velocity: tuple = (0.0, 0.0, 0.0)
    spin: tuple = None
    turned: bool = False  # clumps in any direction
    packed: bool = False  # stands there at the start
    attempts: int = 0


@dataclass
class Mesh:
    """A surface of triangles from a file."""

    name: str
    command: Command
    file: str
    path: str
    type: int
    scale: float = 1.0
    rotation: list = None  # matrix
    translation: tuple = (0.0, 0.0, 0.0)
    surface_velocity: tuple = None
    surface_spin: tuple = None
    servo: dict = None
    wears: Command = None  # by Finnie
    temperature: float = None  # [K]


@dataclass
class Wall:
    """A wall: shape, pose, type, and the model that acts on it."""

    name: str
    command: Command
    shape: dict
    position: tuple
    type: int
    model: object
    start: float
    stop: float = None
    orientation: list = None
    mesh: str = None
    motion: list = field(default_factory=list)
    surface_velocity: tuple = None
    servo: dict = None
    temperature: float = None  # [K]; None: insulated
    region: str = None  # of the deck, whose movement it follows
    angle: float = 0.0  # by which that has turned it so far [rad]


@dataclass
class Motion:
    """A movement that is prescribed to a mesh or to a group of spheres."""

    name: str
    command: Command
    target: str
    motion: dict
    start: float
    stop: float = None


@dataclass
class Conditions:
    """What may change from run to run."""

    dt: float
    gravity: tuple
    viscous: float
    pairs: object
    frozen: frozenset
    freezers: frozenset  # groups of fix freeze, whose mass does not count in dashpots
    integrated: frozenset


@dataclass
class Run:
    """A run command."""

    command: Command
    steps: int
    start: float
    duration: float
    conditions: Conditions


class Deck:
    """The state of a deck while its commands are carried out, and what they have said."""

    def __init__(self, dialect):
        self.dialect = dialect
        self.units = SYSTEMS["si" if dialect == "liggghts" else "lj"]
        self.units_command = None
        self.dimension = 3
        self.boundary = None
        self.lower = self.upper = None
        self.box_command = None
        self.types = 0
        self.step, self.counter, self.time = 0, 0, 0.0
        self.dt, self.elapsed = None, 0
        self.gravity = {}
        self.viscous = {}
        self.regions, self.groups, self.atoms = {}, {}, []
        self.templates, self.distributions = {}, {}
        self.meshes, self.fixes = {}, {}
        self.walls, self.insertions, self.motions, self.runs = [], [], [], []
        self.lattice = None
        self.properties, self.pair_model, self.pair_coefficients = {}, None, {}
        self.frozen, self.integrated, self.multisphere = {}, {}, None
        self.frame_steps, self.row_steps = [], []
        self.lost = None
        self.heat, self.heat_changes = None, []
        self.region_walls = {}  # fixes whose walls follow a region of the deck: its name, the command, the model
        self.stale = set()  # names of regions that were made anew

    def scaled_dt(self):
        return (self.dt or 0.0) / self.units.time

    def box_number(self, name):
        """Returns an edge of the box by LAMMPS' name, in the deck's units."""
        if self.lower is None or name not in ("xlo", "xhi", "ylo", "yhi", "zlo", "zhi", "lx", "ly", "lz"):
            return None
        axis = "xyz".index(name[0] if name[0] in "xyz" else name[1])
        low, high = self.lower[axis] / self.units.length, self.upper[axis] / self.units.length
        return high - low if name[0] == "l" else low if name.endswith("lo") else high

    def periodic(self):
        """Returns for each axis whether it is periodic; never z in two dimensions."""
        sides = self.boundary or ["pp", "pp", "pp"]
        return [side == "pp" and not (axis == 2 and self.dimension == 2) for axis, side in enumerate(sides)]
