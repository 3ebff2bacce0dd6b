"""Walls of decks: fix wall/gran with primitives, meshes and regions, fix mesh/surface."""

import math
import os

import model_lammps
import model_liggghts
import stl
from arguments import Refused
from deck import Mesh, Wall
from geometry import placed, split
from report import DeckError
from setup import region_of

PLANES = {"xplane": 0, "yplane": 1, "zplane": 2}
CYLINDERS = {"xcylinder": "x", "ycylinder": "y", "zcylinder": "z"}
# Quaternions that turn z to an axis.
TURNS = {"x": [math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0], "y": [math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0], "z": None}
OLD = tuple("wall/gran/" + style for style in model_liggghts.OLD)  # of LIGGGHTS 2
MOST_TRIANGLES = 2_000_000


def mesh(name, style, arguments, deck, report, files):
    """Reads fix mesh/surface and its kin."""
    unit, command = deck.units, arguments.command
    new = Mesh(name, command, "", "", 1)
    scale, rotation, shift = unit.length, None, (0.0, 0.0, 0.0)
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "file":
            new.file = arguments.word("the file")
        elif key == "type":
            new.type = arguments.integer(key)
        elif key == "scale":
            factor = arguments.number(key)
            scale, shift = scale * factor, tuple(factor * x for x in shift)
        elif key == "move":
            shift = tuple(a + b for a, b in zip(shift, arguments.vector(key, unit.length)))
        elif key == "rotate":
            arguments.skip("axis")
            axis = arguments.vector("the axis")
            arguments.skip("angle")
            turn = stl.rotation_matrix(axis, math.radians(arguments.number("the angle")))
            rotation = stl.product(turn, rotation) if rotation else turn
            shift = tuple(sum(r * x for r, x in zip(row, shift)) for row in turn)
        elif key == "surface_vel":
            new.surface_velocity = arguments.vector(key, unit.velocity)
        elif key == "surface_ang_vel":
            raise Refused("surfaces that turn without moving are not converted.", "Let the mesh turn, if it is round.")
        elif key in ("verbose", "auto_remove_duplicates", "heal", "precision", "min_feature_length",
                     "element_exclusion_list", "curvature", "curvature_tolerant", "store_size"):
            arguments.word(key)
            if key == "element_exclusion_list":
                arguments.word(key)
        elif key in ("stress", "reference_point", "wear", "temperature"):
            mesh_figure(key, new, arguments, report)
        elif key in ("com", "ctrlPV", "axis", "target_val", "vel_max", "kp", "ki", "kd", "ratio", "mode", "dim"):
            servo_word(new, key, arguments, unit)
        else:
            raise Refused(f"the keyword {key} of a mesh is not converted.", "Add the mesh by hand.")
    if not new.file:
        raise DeckError(f"{command.place}: the mesh {name} has no file.")
    new.scale, new.rotation, new.translation = scale, rotation, shift
    data = files.read(new.file, command.place)
    if not stl.is_surface(data, new.file):
        raise DeckError(f"{command.place}: {new.file!r} is no surface in an STL, OBJ or PLY file.")
    found = stl.triangles(data) or []
    if len(found) > MOST_TRIANGLES:
        raise DeckError(f"{command.place}: {new.file!r} has more than {MOST_TRIANGLES} triangles.")
    new.faces = [[stl.moved(p, scale, rotation, shift) for p in t] for t in found]
    new.path, new.data = files.path(new.file, command.place), data
    if "servo" in style:
        finish_servo(new, report)
    deck.meshes[name] = new
    return new


def mesh_figure(key, new, arguments, report):
    """Reads what a mesh measures beside its contacts."""
    command = arguments.command
    if key == "reference_point":
        arguments.vector(key)
        report.note(command, "Torques of walls in metrics.csv are about their position, not the reference point.")
        return
    if key == "temperature":
        new.temperature = warm(arguments)
        return
    value = arguments.word(key)
    if key == "wear" and value == "finnie":
        new.wears = command
    elif key == "wear" and value != "off":
        report.left(command, f"Wear by {value} is not computed.", "See the observer mesh-wear.")


def servo_word(new, key, arguments, unit):
    new.servo = new.servo or {}
    if key == "com":
        arguments.vector(key)
    elif key == "axis":
        new.servo["direction"] = list(arguments.vector(key))
    elif key == "ctrlPV":
        new.servo["control"] = arguments.word(key)
    elif key == "target_val":
        new.servo["force"] = arguments.number(key, unit.force)
    elif key == "vel_max":
        new.servo["max_speed"] = arguments.number(key, unit.velocity)
    elif key == "mode":
        arguments.word(key)
    else:
        arguments.number(key)


def finish_servo(new, report):
    servo = new.servo or {}
    if servo.get("control") != "force" or "force" not in servo or "max_speed" not in servo:
        raise Refused("a servo that turns, or has no target or speed, is not converted.", "Add the hook servo-wall.")
    direction, force = servo.get("direction", [0.0, 0.0, 1.0]), servo["force"]
    # A positive target pushes along the axis.
    new.servo = {"direction": direction if force > 0 else [-x for x in direction], "force": abs(force),
                 "max_speed": servo["max_speed"]}
    report.changed(new.command, "The servo has its own control in place of kp, ki and kd.", "See the hook servo-wall.")


def read_wall(name, arguments, deck, report):
    """Reads fix wall/gran of either program. Returns the walls."""
    words = arguments.words
    if words[3] in OLD:
        model = model_liggghts.read_old(words[3].removeprefix("wall/gran/"), arguments, ("primitive", "mesh"))
        return liggghts_walls(name, model, arguments, deck, report)
    if deck.dialect == "liggghts" or "model" in words[4:5]:
        if words[4] != "model":
            if not any(word in CYLINDERS or word in PLANES for word in words):
                raise Refused("this form of wall/gran is not converted.", "Write model ... primitive or mesh.")
            model = model_lammps.read_classic(classic_style(deck), arguments, deck)
            return lammps_walls(name, model, arguments, deck, report)
        model = model_liggghts.read_model(arguments, report, ("primitive", "mesh"))
        return liggghts_walls(name, model, arguments, deck, report)
    style = arguments.word("the model")
    stop = (*PLANES, *CYLINDERS, "region", "contacts")
    if style == "granular":
        model = model_lammps.read_granular(arguments, deck, stop)
    elif style in model_lammps.CLASSIC:
        model = model_lammps.read_classic(style, arguments, deck)
    else:
        raise Refused(f"walls of style {style} are not converted.", "Use granular, hooke/history or hertz/history.")
    return lammps_walls(name, model, arguments, deck, report)


def classic_style(deck):
    model = deck.pair_model
    if isinstance(model, str) and model.startswith("gran/"):
        return model[5:]
    raise Refused("the wall's model is that of the pairs, which is not known.", "Put pair_style before it.")


def liggghts_walls(name, model, arguments, deck, report):
    unit = deck.units.length
    kind = arguments.word("primitive or mesh")
    new = []
    if kind == "primitive":
        arguments.skip("type")
        material = arguments.integer("the type")
        style = arguments.word("the primitive")
        if style in PLANES:
            new.append(plane(name, PLANES[style], arguments.number("its place", unit), deck))
        elif style in CYLINDERS:
            radius = arguments.number("its radius", unit)
            centre = (arguments.number("its centre", unit), arguments.number("its centre", unit))
            # LIGGGHTS names them in cyclic order: z, x of a cylinder along y.
            new.append(cylinder(name, CYLINDERS[style], radius, *(centre[::-1] if style == "ycylinder" else centre)))
        else:
            raise Refused(f"the primitive {style} is not converted.", "Use planes, cylinders or a mesh.")
        for wall in new:
            wall.type = material
    elif kind == "mesh":
        if arguments.skip("n_meshes"):
            count = arguments.integer("the number of meshes")
            arguments.skip("meshes")
            for _ in range(count):
                new.append(mesh_wall(arguments.word("a mesh"), deck))
        else:
            raise Refused("the meshes are missing.")
    else:
        raise Refused(f"walls {kind} are not converted.", "Use primitive or mesh.")
    while arguments.more():
        key = arguments.word("a keyword")
        if key in ("store_force", "store_force_contact", "contact_forces"):
            if arguments.peek() in ("yes", "no"):
                arguments.word(key)
            report.note(arguments.command, "metrics.csv has the force on each wall.")
        elif key == "shear":
            shear(new, arguments, deck)
        elif key == "temperature" and kind == "primitive":
            new[0].temperature = warm(arguments)
        else:
            raise Refused(f"the keyword {key} of a wall is not converted.")
    for wall in new:
        wall.model, wall.command, wall.start = model, arguments.command, deck.time
    return new


def warm(arguments):
    """Returns the temperature of a wall [K]."""
    value = arguments.number("the temperature")
    if value <= 0:
        raise DeckError(f"{arguments.command.place}: the temperature must be above 0.")
    return value


def mesh_wall(name, deck):
    if name not in deck.meshes:
        raise Refused(f"the mesh {name} is not there, or was not converted.", "See its line.")
    found = deck.meshes[name]
    wall = Wall(name, found.command, {"type": "mesh"}, (0.0, 0.0, 0.0), found.type, None, 0.0, mesh=name)
    wall.surface_velocity, wall.servo, wall.temperature = found.surface_velocity, found.servo, found.temperature
    return wall


def plane(name, axis, place, deck):
    """Returns a plane across an axis; its free side is that of the middle of the box."""
    if deck.lower is None:
        raise Refused("there is no box yet, which tells the free side of the plane.", "Put the wall after create_box.")
    up = place <= (deck.lower[axis] + deck.upper[axis]) / 2
    return half_space(name, axis, place, 1.0 if up else -1.0, deck)


def half_space(name, axis, place, side, deck):
    normal = [0.0, 0.0, 0.0]
    normal[axis] = side
    position = [(a + b) / 2 for a, b in zip(deck.lower, deck.upper)] if deck.lower else [0.0, 0.0, 0.0]
    position[axis] = place
    extent = max(b - a for a, b in zip(deck.lower, deck.upper)) if deck.lower else 1.0
    return Wall(name, None, {"type": "half-space", "normal": normal, "extent": extent}, tuple(position), 1, None, 0.0)


def cylinder(name, axis, radius, c1, c2):
    shape = {"type": "cylinder", "radius": radius, "inside": True, "extent": 4 * radius}
    return Wall(name, None, shape, placed(axis, 0.0, (c1, c2)), 1, None, 0.0, orientation=TURNS[axis])


def lammps_walls(name, model, arguments, deck, report):
    unit = deck.units.length
    style = arguments.word("the wall's form")
    new = []
    if style in PLANES:
        for side in (1.0, -1.0):
            if not arguments.skip("NULL"):
                new.append(half_space(name, PLANES[style], arguments.number("its place", unit), side, deck))
    elif style in CYLINDERS:
        new.append(cylinder(name, CYLINDERS[style], arguments.number("its radius", unit), 0.0, 0.0))
    elif style == "region":
        whole = arguments.word("a region")
        new = region_walls(name, region_of(whole, deck), deck, report, arguments.command)
        deck.region_walls[name] = (whole, arguments.command, model)
    else:
        raise Refused(f"the wall {style} is not converted.", "Use planes, cylinders or a region.")
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "wiggle":
            wiggle(new, arguments, deck)
        elif key == "shear":
            shear(new, arguments, deck)
        elif key == "contacts":
            report.note(arguments.command, "Contacts are in the files of the writer vtk.")
        else:
            raise Refused(f"the keyword {key} of a wall is not converted.")
    for wall in new:
        wall.model, wall.command, wall.start = model, arguments.command, deck.time
    return new


def wiggle(walls, arguments, deck):
    """x = A (1 - cos(w t)): as a table of velocities A w sin(w t), linear in between, 60 to a period."""
    axis = "xyz".index(arguments.word("the direction"))
    amplitude = arguments.number("the amplitude", deck.units.length)
    period = arguments.number("the period", deck.units.time)
    if period <= 0:
        raise DeckError(f"{arguments.command.place}: the period must be above 0.")
    for wall in walls:
        wall.motion.append({"wiggle": (axis, amplitude, period)})


def shear(walls, arguments, deck):
    axis = "xyz".index(arguments.word("the direction"))
    speed = arguments.number("the speed", deck.units.velocity)
    for wall in walls:
        if wall.shape["type"] == "cylinder":
            turns = {None: "z"}.get(wall.orientation) or ("x" if wall.orientation == TURNS["x"] else "y")
            if "xyz"[axis] != turns:
                raise Refused("a cylinder turns about its own axis only.")
            spin = [0.0, 0.0, 0.0]
            spin[axis] = speed / wall.shape["radius"]
            wall.motion.append({"angular_velocity": spin})
        else:
            velocity = [0.0, 0.0, 0.0]
            velocity[axis] = speed
            wall.surface_velocity = tuple(velocity)


def region_walls(name, region, deck, report, command):
    """Returns the walls of a region that holds particles in."""
    if region.moves:
        raise Refused("walls of a region that moves along are not converted.", "Give the wall a motion in the scene.")
    if region.kind in ("union", "intersect"):
        walls = []
        for i, member in enumerate(region.members):
            each = region_walls(f"{name}_{i + 1}", region_of(member, deck), deck, report, command)
            if region.kind == "union" and not region_of(member, deck).open_faces:
                raise Refused("a union of closed regions is not converted.", "Open the faces where they meet.")
            walls += each
        return walls
    walls = simple_walls(name, region, deck, command)
    for wall in walls:
        wall.region = name_of(region, deck)
    return walls


def name_of(region, deck):
    return next((name for name, known in deck.regions.items() if known is region), None)


def simple_walls(name, region, deck, command):
    """Returns the walls of a region of one form."""
    n = region.numbers
    if region.kind == "plane":
        sign = 1.0 if region.inside else -1.0
        shape = {"type": "half-space", "normal": [sign * x for x in n["normal"]], "extent": 1.0}
        return [Wall(name, command, shape, n["point"], 1, None, 0.0)]
    if region.kind == "block":
        return block_walls(name, region, deck, command)
    if region.kind == "sphere":
        shape = {"type": "sphere-wall", "radius": n["radius"], "inside": region.inside}
        return [Wall(name, command, shape, n["centre"], 1, None, 0.0)]
    if region.kind in ("cylinder", "cone"):
        return round_walls(name, region, deck, command)
    raise Refused(f"walls of a region of style {region.kind} are not converted.", "Use a mesh.")


def block_walls(name, region, deck, command):
    n = region.numbers
    centre = tuple((a + b) / 2 for a, b in zip(n["lower"], n["upper"]))
    if not region.inside or not region.open_faces:
        half = [(b - a) / 2 for a, b in zip(n["lower"], n["upper"])]
        return [Wall(name, command, {"type": "box", "half_sizes": half, "inside": region.inside}, centre, 1, None, 0.0)]
    walls = []
    for face in range(6):
        if face + 1 not in region.open_faces:
            axis, high = face // 2, face % 2
            place = (n["upper"] if high else n["lower"])[axis]
            wall = half_space(f"{name}_{face + 1}", axis, place, -1.0 if high else 1.0, deck)
            position = list(centre)
            position[axis] = place
            wall.position = tuple(position)
            walls.append(wall)
    return walls


def round_walls(name, region, deck, command):
    """Cylinders and cones: closed ones as containers, open ones as pipes, one end as a plane of its own."""
    n, axis = region.numbers, region.numbers["axis"]
    length = n["high"] - n["low"]
    if length <= 0:
        raise Refused("the region has no length.")
    position = placed(axis, (n["low"] + n["high"]) / 2, n["across"])
    turn = TURNS[axis]
    i = "xyz".index(axis)
    if 3 in region.open_faces:
        walls = []
    else:
        closed = not ({1, 2} & region.open_faces)
        shape = round_shape(n, length, region.inside, closed)
        walls = [Wall(name, command, shape, position, 1, None, 0.0, orientation=turn)]
        if closed:
            return walls
    for face, place, side in ((1, n["low"], 1.0), (2, n["high"], -1.0)):
        if face not in region.open_faces:
            wall = half_space(f"{name}_end", i, place, side, deck)
            wall.position = placed(axis, place, n["across"])
            if split(axis, wall.position)[0] != place:
                raise Refused("the end of the region is not converted.")
            walls.append(wall)
    return walls


def round_shape(n, length, inside, closed):
    wall = 0.5 * max(n["radius"], n["radius2"])
    if n["radius"] == n["radius2"]:
        if inside and not closed:
            return {"type": "tube", "radius": n["radius"], "length": length, "wall": wall}
        return {"type": "cylinder", "radius": n["radius"], "length": length, "inside": inside}
    shape = {"type": "frustum", "lower_radius": n["radius"], "upper_radius": n["radius2"], "length": length}
    return {**shape, "wall": wall} if inside and not closed else {**shape, "inside": inside}


def copied_name(mesh_name, file):
    """Returns the name under which a mesh is copied beside the scene."""
    base = os.path.basename(file)
    stem, dot, end = base.rpartition(".")
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in f"{mesh_name}_{stem}")[:80]
    return f"{safe}.{end.lower() if dot and end.isalnum() else 'stl'}"
