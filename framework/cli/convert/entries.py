"""Bodies and hooks of a scene: spheres that stand there, those that come, walls."""

import math

import heat
import model_liggghts
import stl
from arguments import Refused
from geometry import bounds
from insertion import mean_mass
from kinds import MOST_SIZES, sphere_mass
from motion import wiggle_table
from report import DeckError
from setup import in_group
from walls import copied_name
from writer import rounded

MOST_PLACES = 200  # that are written into the scene itself


class Entries:
    """Makes shapes, entries of bodies and hooks of a scene from a deck."""

    def __init__(self, deck, kinds, report, total):
        self.deck, self.kinds, self.report, self.total = deck, kinds, report, total
        self.shapes, self.bodies, self.hooks, self.files = {}, [], [], {}
        self.fixed = {}  # of entries: whether they are fixed in each run
        self.names = set()
        self.standing = []  # names of entries of walls, and these

    def name(self, wanted):
        safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in wanted)[:60] or "entry"
        name, count = safe, 2
        while name in self.names:
            name, count = f"{safe}_{count}", count + 1
        self.names.add(name)
        return name

    def shape(self, wanted, shape):
        """Returns the name of a shape, which is made if there is none like it."""
        for name, known in self.shapes.items():
            if known == shape:
                return name
        name = wanted
        count = 2
        while name in self.shapes:
            name, count = f"{wanted}_{count}", count + 1
        self.shapes[name] = shape
        return name

    # Spheres that the deck places itself.

    def atoms(self):
        clusters = {}
        signature_of = self.signatures()
        radii = {}
        for atom in self.deck.atoms:
            radii.setdefault((atom.type, atom.density), set()).add(round(atom.radius, 12))
        for atom in self.deck.atoms:
            fixed, motions, weighed = signature_of(atom)
            many = len(radii[atom.type, atom.density]) > MOST_SIZES
            size = round(atom.radius, 12) if self.kinds.sized and not many else None
            clusters.setdefault((atom.type, atom.density, size, fixed, motions, weighed), []).append(atom)
        for (kind, density, _, fixed, motions, weighed), atoms in clusters.items():
            self.cluster(kind, density, fixed, motions, weighed, atoms)

    def signatures(self):
        """Returns a function that tells of an atom in which runs it is fixed, what moves it, and whether its mass counts
        in dashpots where it is held."""
        deck, cache = self.deck, {}
        moved = [m for m in deck.motions if m.target.startswith("group:")]

        def member(group, atom):
            try:
                return in_group(deck, group, atom)
            except Refused:
                return group == "all"

        def signature(atom):
            key = (atom.type, frozenset(atom.groups))
            if key not in cache:
                fixed = tuple(
                    any(member(g, atom) for g in run.conditions.frozen)
                    or not any(member(g, atom) for g in run.conditions.integrated)
                    for run in deck.runs
                ) or (False,)
                motions = tuple(i for i, m in enumerate(moved) if member(m.target[6:], atom))
                weighed = not any(member(g, atom) for run in deck.runs for g in run.conditions.freezers)
                cache[key] = ((False,) * len(fixed), motions, weighed) if motions else (fixed, (), weighed)
            return cache[key]

        self.moved = moved
        return signature

    def cluster(self, kind, density, fixed, motions, weighed, atoms):
        largest = max(atom.radius for atom in atoms)
        if largest <= 0 or density <= 0:
            self.report.left(atoms[0].command, "Spheres have no radius or no density.", "Set them by set.")
            return
        mean = (sum(atom.radius**3 for atom in atoms) / len(atoms)) ** (1 / 3)
        sizes = [round(atom.radius, 12) for atom in atoms]
        held = all(fixed) or bool(motions)
        material = self.kinds.of_spheres(kind, density, sizes, mean, sphere_mass(mean, density), held, weighed)
        places = []
        for atom in atoms:
            place = {"position": list(atom.position)}
            if abs(atom.radius / largest - 1) > 1e-12:
                place["scale"] = atom.radius / largest
            if not held and any(atom.velocity):
                place["velocity"] = list(atom.velocity)
            if not held and any(atom.spin):
                place["angular_velocity"] = list(atom.spin)
            places.append(place)
        entry = {
            "name": self.name(f"spheres_{kind}"),
            "shape": self.shape(f"sphere_{kind}", {"type": "sphere", "radius": largest}),
            "material": material.name,
        }
        entry["packing"] = self.list_of(entry["name"], places)
        if motions:
            entry["motion"] = [self.timed(self.moved[i]) for i in motions]
        elif fixed[0]:
            entry["fixed"] = True
        self.fixed[entry["name"]] = fixed
        self.bodies.append(entry)

    def list_of(self, name, places):
        """Returns the packing of these places: written out, or in a table beside the scene where they are many."""
        if len(places) <= MOST_PLACES:
            return {"type": "list", "places": places}
        rows, moving = [], any("velocity" in place or "angular_velocity" in place for place in places)
        rows.append("x,y,z,scale" + (",vx,vy,vz,wx,wy,wz" if moving else ""))
        for place in places:
            numbers = [*place["position"], place.get("scale", 1.0)]
            if moving:
                numbers += [*place.get("velocity", (0, 0, 0)), *place.get("angular_velocity", (0, 0, 0))]
            rows.append(",".join(repr(rounded(float(x))) for x in numbers))
        self.files[f"{name}.csv"] = "\n".join(rows) + "\n"
        return {"type": "csv", "file": f"{name}.csv"}

    def timed(self, motion):
        """Returns a motion with its times."""
        result = dict(motion.motion)
        if motion.start > 0:
            result["start"] = motion.start
        if motion.stop is not None and motion.stop < self.total:
            result["stop"] = motion.stop
        return result

    # Spheres and clumps that are inserted.

    def insertions(self):
        for new in self.deck.insertions:
            if new.start >= self.total > 0 and not new.packed:
                continue
            for part in self.parts(new):
                if new.packed:
                    self.fill(new, *part)
                else:
                    self.emitter(new, *part)

    def parts(self, new):
        """Returns groups of grains that one entry can have: (grains, shares, part of number, part of mass)."""
        mixture = new.distribution
        pairs = [(g, s) for g, s in zip(mixture.grains, mixture.shares) if s > 0]
        masses = {id(g): g.density * g.mean_volume() for g, _ in pairs}
        counts = [s / masses[id(g)] if mixture.by == "mass" else s for g, s in pairs]
        weights = [c * masses[id(g)] for (g, _), c in zip(pairs, counts)]
        groups = {}
        for i, (grain, share) in enumerate(pairs):
            key = (self.kinds.of_grain(grain).name, None if not grain.sizes else i)
            groups.setdefault(key, []).append(i)
        for (material, _), members in groups.items():
            yield (
                material, [pairs[i][0] for i in members], [pairs[i][1] for i in members],
                sum(counts[i] for i in members) / sum(counts), sum(weights[i] for i in members) / sum(weights),
            )

    def grain_shape(self, grain):
        if grain.spheres:
            return self.shape(grain.name, {"type": "clump", "spheres": grain.spheres})
        return self.shape(grain.name, {"type": "sphere", "radius": grain.radius})

    def common(self, new, material, grains, shares):
        """Returns what packings and emitters say in the same way, and how shares count."""
        names = [self.grain_shape(grain) for grain in grains]
        mixed = {"shares": shares, "by": new.distribution.by} if len(names) > 1 else {}
        base = {"name": self.name(new.name), "shape": names if len(names) > 1 else names[0], "material": material}
        if grains[0].sizes:
            base["scale"] = {**grains[0].sizes, "by": "number"}
        if any(new.velocity):
            base["velocity"] = list(new.velocity)
        if new.spin:
            base["angular_velocity"] = list(new.spin)
        if new.turned and any(grain.spheres for grain in grains):
            base["orientation"] = "random"
        return base, mixed

    def fill(self, new, material, grains, shares, count_share, mass_share):
        base, mixed = self.common(new, material, grains, shares)
        packing = {"type": "fill", "region": new.region, **mixed}
        if new.number is not None:
            packing["number"] = max(1, round(new.number * count_share))
        else:
            packing["mass"] = new.mass * mass_share
        self.bodies.append({**base, "packing": packing})

    def emitter(self, new, material, grains, shares, count_share, mass_share):
        base, mixed = self.common(new, material, grains, shares)
        place = new.region if "points" in new.region else {"region": new.region}
        hook = {"type": "emitter", **base, **mixed, **place}
        if new.number is not None:
            hook["number"] = max(1, round(new.number * count_share))
        elif new.mass is not None:
            hook["mass"] = new.mass * mass_share
        if new.number_rate is not None:
            hook["number_rate"] = new.number_rate * count_share
        elif new.mass_rate is not None:
            hook["mass_rate"] = new.mass_rate * mass_share
        if new.keep_region:
            hook |= {"keep": True, "keep_region": new.keep_region}
            if count_share < 1:
                self.report.changed(new.command, "Each kind of particle keeps its share of all that are in the region.")
        hook["attempts"] = max(1000, min(new.attempts, 1_000_000))
        if new.start > 0:
            hook["start"] = new.start
        if new.interval > 0:
            hook["interval"] = new.interval
        if new.stop is not None and new.stop < self.total:
            hook["stop"] = new.stop
        self.hooks.append(hook)

    # Walls.

    def walls(self):
        for wall in self.deck.walls:
            if any(new.start < wall.start and self.meet(new, wall) for new in self.deck.insertions):
                self.report.changed(wall.command, "The wall is there from the start: nothing touches it before, but new "
                                    "particles find no room in it.")
            shape = dict(wall.shape)
            motions = [self.timed(m) for m in self.deck.motions if m.target == f"mesh:{wall.mesh}"]
            if wall.mesh:
                shape = self.mesh_shape(self.deck.meshes[wall.mesh])
            entry = {
                "name": self.name(wall.name),
                "shape": self.shape(wall.mesh or wall.name, shape),
                "material": self.kinds.of_wall(wall).name,
                "position": list(wall.position),
            }
            if wall.orientation:
                entry["orientation"] = wall.orientation
            for motion in wall.motion:
                motions.append(self.wiggled(motion, wall))
            if wall.surface_velocity:
                entry["surface_velocity"] = list(wall.surface_velocity)
            if motions:
                entry["motion"] = motions
            elif wall.servo:
                entry["motion"] = {}
            else:
                entry["fixed"] = True
            self.bodies.append(entry)
            self.standing.append((entry["name"], wall))
            if wall.servo:
                self.hooks.append({"type": "servo-wall", "bodies": entry["name"], **wall.servo,
                                   "interval": 10 * (self.deck.dt or 1e-6)})

            if wall.mesh and self.deck.meshes[wall.mesh].wears:
                self.wear(wall, entry["name"])

    def meet(self, new, wall):
        """Returns whether new particles may come where a wall stands that is not there yet for the deck."""
        mesh = self.deck.meshes.get(wall.mesh)
        if mesh is None or any(m.target == f"mesh:{wall.mesh}" and m.start < wall.start for m in self.deck.motions):
            return True
        points = [p for face in mesh.faces for p in face]
        reach = max(grain.largest() for grain in new.distribution.grains) * (1 - 1e-9)  # touching is not meeting
        lower, upper = bounds(new.region)
        return all(min(p[i] for p in points) <= upper[i] + reach and max(p[i] for p in points) >= lower[i] - reach
                   for i in range(3)) if points else True

    def wear(self, wall, name):
        """Adds an observer of Finnie's wear: depth 2 k f(angle) v F dt over the area, so that k = 1/(4 p)."""
        command, model = self.deck.meshes[wall.mesh].wears, model_liggghts.Properties(self.deck.properties)
        types = {atom.type for atom in self.deck.atoms} | {
            grain.type for new in self.deck.insertions for grain in new.distribution.grains}
        try:
            constants = {model.of_pair("k_finnie", wall.type, kind) for kind in types}
        except Refused as refused:
            self.report.left(command, f"Wear is not computed: {refused.reason}", refused.advice)
            return
        if len(constants) != 1 or min(constants) <= 0:
            self.report.left(command, "Wear is not computed: k_finnie must be one number above 0 for all that meets the "
                             "mesh.", "Add the observer mesh-wear.")
            return
        self.report.note(command, "The observer mesh-wear has depth and volume that are worn off.")
        dt = self.deck.dt or 1e-6
        self.hooks.append({
            "type": "mesh-wear", "name": f"wear_{name}", "bodies": [name], "interval": dt,
            "every": max(1, min(self.deck.frame_steps or [1000])),
            "finnie": {"flow_stress": 1 / (4 * constants.pop()), "chip_ratio": 2, "force_ratio": 2, "by": "work"},
        })

    def wiggled(self, motion, wall):
        if "wiggle" in motion:
            stop = self.total if wall.stop is None else wall.stop
            axis, amplitude, period = motion["wiggle"]
            motion = wiggle_table(axis, amplitude, period, max(stop - wall.start, period))
            self.report.note(wall.command, "The oscillation is a table of velocities, 60 rows to a period.")
        return {**motion, "start": wall.start} if wall.start > 0 else dict(motion)

    def mesh_shape(self, mesh):
        name = copied_name(mesh.name, mesh.file)
        self.files[name] = mesh.data
        shape = {"type": "mesh", "file": name, "scale": mesh.scale, "sides": "both"}
        if mesh.rotation:
            vector = stl.rotation_vector(mesh.rotation)
            if any(abs(x) > 1e-12 for x in vector):
                shape["rotation"] = vector
        if any(mesh.translation):
            shape["translation"] = list(mesh.translation)
        return shape

    def heat(self):
        """Adds the hook heat."""
        if self.deck.heat is None:
            if self.deck.heat_changes:
                raise DeckError("the deck sets temperatures or sources of heat, but has no fix heat/gran.")
            if any(wall.temperature is not None for wall in self.deck.walls):
                wall = next(wall for wall in self.deck.walls if wall.temperature is not None)
                self.report.note(wall.command, "No heat flows without fix heat/gran.")
            return
        made = heat.hook(self.deck, self.kinds, self.standing, self.total, self.report)
        if made:
            self.hooks.append(made)

    def outlet(self):
        """Adds an outlet where particles that leave the box are lost."""
        deck = self.deck
        if deck.lower is None or not deck.boundary or deck.lost == "error":
            return
        if deck.lost is None and deck.dialect == "lammps":
            return
        lower, upper, any_side = list(deck.lower), list(deck.upper), False
        size = max(b - a for a, b in zip(lower, upper))
        for axis, side in enumerate(deck.boundary):
            flat = axis == 2 and deck.dimension == 2
            for end, edges, sign in ((0, lower, -1), (1, upper, 1)):
                if side[end] == "f" and not flat:
                    any_side = True
                else:
                    edges[axis] += sign * 1e4 * size
        if any_side:
            self.hooks.append({"type": "outlet", "name": "left_box", "interval": 100 * (deck.dt or 1e-5),
                               "region": {"type": "box", "lower": lower, "upper": upper, "outside": True}})


def mean_size_speed(deck, gravity):
    """Returns the speed of a fall by ten mean radii [m/s], or 1 where there is no gravity."""
    radii = [a.radius for a in deck.atoms[:1000]] + [
        g.radius if not g.spheres else g.spheres[0]["radius"] for n in deck.insertions for g in n.distribution.grains
    ]
    size = math.hypot(*gravity)
    return math.sqrt(20 * size * sum(radii) / len(radii)) if radii and size > 0 else 1.0


__all__ = ["Entries", "mean_size_speed", "mean_mass"]
