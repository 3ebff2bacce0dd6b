"""Particles that decks insert: templates, distributions, fix insert/..., fix pour."""

import math

import stl
from arguments import Refused
from deck import Distribution, Grain, Insertion
from geometry import scene_region, volume
from report import DeckError
from setup import region_of

BARS = 24  # of a table in place of a smooth distribution


def template(name, style, arguments, deck, report, files):
    """Reads fix particletemplate/sphere or /multisphere."""
    arguments.integer("a seed")
    unit = deck.units
    grain = Grain(name, 1, 0.0, 0.0, command=arguments.command)
    scale, spheres_file, listed = 1.0, None, None
    while arguments.more():
        key = arguments.word("a keyword")
        if key in ("atom_type", "type"):
            grain.type = arguments.integer(key)
        elif key == "density":
            read_density(grain, arguments, unit, report)
        elif key == "radius":
            read_radius(grain, arguments, unit, report)
        elif key == "volume_limit":
            arguments.number(key)
        elif key == "nspheres" and style == "multisphere":
            count = arguments.integer(key)
        elif key == "ntry" and style == "multisphere":
            arguments.integer(key)
        elif key == "spheres" and style == "multisphere":
            if arguments.skip("file"):
                spheres_file = arguments.word("the file of spheres")
                if arguments.skip("scale"):
                    scale = arguments.number("scale")
            else:
                listed = [[arguments.number("a sphere") for _ in range(4)] for _ in range(count)]
        else:
            raise Refused(f"the keyword {key} of a template is not converted.", "Give the size and the density only.")
    if style == "multisphere":
        if spheres_file:
            listed = read_spheres(files.text(spheres_file, arguments.command.place), arguments.command)
        grain.spheres = [
            {"position": [scale * unit.length * x for x in s[:3]], "radius": scale * unit.length * s[3]}
            for s in listed or []
        ]
        if not grain.spheres:
            raise Refused("the clump has no spheres.")
        grain.radius = 1.0
    if grain.radius <= 0 or grain.density <= 0:
        raise DeckError(f"{arguments.command.place}: the template {name} needs a radius and a density above 0.")
    deck.templates[name] = grain


def read_spheres(text, command):
    spheres = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            try:
                spheres.append([float(word) for word in words[:4]])
            except ValueError:
                raise DeckError(f"{command.place}: a line of the file of spheres has no numbers.") from None
            if len(words) < 4:
                raise DeckError(f"{command.place}: a line of the file of spheres has fewer than 4 numbers.")
    return spheres


def read_density(grain, arguments, unit, report):
    style = arguments.word("the density's style")
    grain.density = arguments.number("the density", unit.density)
    if style != "constant":
        other = arguments.number("the density", unit.density)
        if style == "uniform":
            grain.density = (grain.density + other) / 2
        report.changed(arguments.command, f"All have the mean density {grain.density:g} kg/m^3.")


def read_radius(grain, arguments, unit, report):
    style = arguments.word("the radius' style")
    grain.radius = arguments.number("the radius", unit.length)
    if style in ("constant", "mono"):
        return
    other = arguments.number("the radius", unit.length)
    if style == "uniform":
        grain.sizes = sizes_between(grain.radius, other)
        grain.radius = other
    elif style == "gaussian":
        grain.sizes = gaussian(grain.radius, other)
        report.changed(arguments.command, f"The normal distribution is a table of {BARS} sizes, within 3 sigma.")
    elif style == "lognormal":
        raise Refused("this lognormal distribution is not converted.", "Give scale of type lognormal in the scene.")
    else:
        raise Refused(f"radii of style {style} are not converted.", "Use constant, uniform or gaussian.")


def sizes_between(low, high):
    """Returns uniform sizes relative to the largest, or None where there is one size only."""
    if high < low:
        low, high = high, low
    return {"type": "uniform", "lower": low / high, "upper": 1.0} if high > low * (1 + 1e-9) else None


def gaussian(mean, sigma):
    """Returns a table of sizes relative to the mean."""
    reach = min(3 * sigma / mean, 0.99)
    edges = [1 - reach + 2 * reach * i / BARS for i in range(BARS + 1)]
    cdf = [0.5 * (1 + math.erf((edge - 1) * mean / sigma / math.sqrt(2))) for edge in edges]
    return {"type": "table", "sizes": edges, "fractions": [b - a for a, b in zip(cdf, cdf[1:])]}


def distribution(name, style, arguments, deck, report):
    """Reads fix particledistribution/discrete, /numberbased or /massbased."""
    arguments.integer("a seed")
    count = arguments.integer("the number of templates")
    grains, shares = [], []
    for _ in range(count):
        grain = arguments.word("a template")
        if grain not in deck.templates:
            raise Refused(f"the template {grain} is not there, or was not converted.", "See its line.")
        grains.append(deck.templates[grain])
        shares.append(arguments.number("a share"))
    if not grains or min(shares) < 0 or sum(shares) <= 0:
        raise DeckError(f"{arguments.command.place}: shares must be 0 or above, and their sum above 0.")
    by = "number" if style.endswith("numberbased") else "mass"
    deck.distributions[name] = Distribution(grains, shares, by)


def mean_mass(mixture):
    """Returns the mean mass of a particle [kg]."""
    masses = [grain.density * grain.mean_volume() for grain in mixture.grains]
    if mixture.by == "number":
        return sum(m * s for m, s in zip(masses, mixture.shares)) / sum(mixture.shares)
    return sum(mixture.shares) / sum(s / m for m, s in zip(masses, mixture.shares))


def mean_volume(mixture):
    """Returns the mean volume of a particle [m^3]."""
    volumes = [grain.mean_volume() for grain in mixture.grains]
    shares = mixture.shares
    if mixture.by == "mass":
        shares = [s / (v * g.density) for s, v, g in zip(shares, volumes, mixture.grains)]
    return sum(v * s for v, s in zip(volumes, shares)) / sum(shares)


def insert(name, style, arguments, deck, report):
    """Reads fix insert/pack, insert/stream and insert/rate/region of LIGGGHTS."""
    unit, command = deck.units, arguments.command
    what = {"all_in": False, "every": None, "extrude": 0.0, "region": None, "face": None}
    new = Insertion(name, command, None, None, deck.time, groups=command.words[2])
    rate_unit = 1 / unit.time
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "seed":
            arguments.integer(key)
        elif key == "distributiontemplate":
            template_name = arguments.word(key)
            if template_name not in deck.distributions:
                raise Refused(f"the distribution {template_name} is not there, or was not converted.", "See its line.")
            new.distribution = deck.distributions[template_name]
        elif key == "maxattempt":
            new.attempts = arguments.integer(key)
        elif key == "insert_every":
            what["every"] = 0 if arguments.skip("once") else arguments.integer(key)
            if not 0 <= what["every"] < 1e15:
                raise DeckError(f"{command.place}: insert_every must be 0 or above, and below 1e15.")
        elif key in ("overlapcheck", "verbose", "print_stats_during", "warn_boxentent", "check_dist_from_subdomain_border"):
            if not arguments.yes(key) and key == "overlapcheck":
                report.changed(command, "Particles are always put where there is room: overlapcheck no is not taken.")
        elif key == "all_in":
            what["all_in"] = arguments.yes(key)
        elif key == "vel":
            read_velocity(new, arguments, unit, report)
        elif key == "omega":
            arguments.skip("constant")
            new.spin = tuple(x / unit.time for x in arguments.vector(key))
        elif key == "orientation":
            style = arguments.word(key)
            if style not in ("random", "template"):
                raise Refused(f"the orientation {style} is not converted.", "Give the entry an orientation.")
            new.turned = style == "random"
        elif key == "region":
            what["region"] = region_of(arguments.word(key), deck)
        elif key in ("volumefraction_region", "particles_in_region", "mass_in_region"):
            new_field = {"v": "fraction", "p": "number", "m": "mass"}[key[0]]
            value = arguments.number(key, unit.of(1) if key[0] == "m" else 1.0)
            setattr(new, new_field, int(value) if new_field == "number" else value)
        elif key in ("nparticles", "mass"):
            if not arguments.skip("INF"):
                value = arguments.number(key, unit.of(1) if key == "mass" else 1.0)
                setattr(new, "number" if key == "nparticles" else "mass", int(value) if key == "nparticles" else value)
        elif key == "particlerate":
            new.number_rate = arguments.number(key, rate_unit)
        elif key == "massrate":
            new.mass_rate = arguments.number(key, unit.of(1) * rate_unit)
        elif key == "insertion_face":
            what["face"] = arguments.word(key)
        elif key == "extrude_length":
            what["extrude"] = arguments.number(key, unit.length)
        elif key in ("start",):
            first = arguments.integer(key)
            new.start = max(deck.time, deck.time + (first - deck.step) * deck.dt if deck.dt else deck.time)
        elif key in ("ntry_mc", "duration"):
            arguments.integer(key)
        elif key == "duration_time":
            arguments.number(key)
        else:
            raise Refused(f"the keyword {key} of {style} is not converted.", "Add an emitter or a packing by hand.")
    if new.distribution is None:
        raise DeckError(f"{command.place}: distributiontemplate is missing.")
    finish(new, style, what, deck, report)
    deck.insertions.append(new)
    return new


def read_velocity(new, arguments, unit, report):
    style = arguments.word("the velocity's style")
    if style not in ("constant", "uniform", "gaussian"):
        arguments.at -= 1
        style = "constant"
    new.velocity = arguments.vector("the velocity", unit.velocity)
    if style != "constant":
        spread = arguments.vector("the spread", unit.velocity)
        if any(spread):
            report.changed(arguments.command, f"All particles have the mean velocity: the {style} spread is not taken.")


def finish(new, style, what, deck, report):
    """Sets the region, the number and the rate of an insertion."""
    if new.spin is not None and not any(new.spin):
        new.spin = None
    if style == "insert/stream":
        if what["face"] not in deck.meshes:
            raise Refused("the mesh of the insertion face is not there, or was not converted.", "See its line.")
        new.region, axis, _ = stl.face_region(deck.meshes[what["face"]].faces)
        if "points" in new.region:
            report.note(new.command, f"Particles come at {stl.POINTS} points that are spread over the insertion face.")
        if new.number_rate is None and new.mass_rate is None:
            raise Refused("a stream as dense as there is room is not converted.", "Give massrate or particlerate.")
        finish_rate(new)
        return
    if what["region"] is None:
        raise Refused("the region is missing.")
    shrink = max(grain.largest() for grain in new.distribution.grains) if what["all_in"] else 0.0
    new.region = scene_region(what["region"], deck, shrink)
    if style == "insert/rate/region":
        finish_rate(new)
        return
    full = scene_region(what["region"], deck)
    if new.fraction is not None:
        new.number = max(1, int(new.fraction * volume(full) / mean_volume(new.distribution)))
        new.fraction = None
    if new.number is None and new.mass is None:
        raise Refused("the number of particles is missing.")
    if what["every"]:
        if deck.dt is None:
            raise DeckError(f"{new.command.place}: insert_every needs a timestep before it.")
        new.interval, new.keep_region = what["every"] * deck.dt, full
    share = (new.number or new.mass / mean_mass(new.distribution)) * mean_volume(new.distribution) / volume(full)
    new.packed = not what["every"] and not deck.runs and share <= 0.3 and what["all_in"] and "outside" not in full
    if new.packed:
        new.region = full  # bodies of a packing lie wholly within


def finish_rate(new):
    if new.number_rate is None and new.mass_rate is None:
        raise Refused("the rate is missing.", "Give massrate or particlerate.")
    rate = new.number_rate or new.mass_rate / mean_mass(new.distribution)
    new.interval = min(1 / rate, 0.01)


def pour(name, arguments, deck, report):
    """Reads fix pour: batches that fall one after the other, as a stream from the top of the region.

    LAMMPS puts a batch at random heights, each particle as fast as if it had fallen from the top. So a stream from the
    top with the same mean rate is the same."""
    unit, command = deck.units, arguments.command
    total, kind = arguments.integer("the number of particles"), arguments.integer("the type")
    arguments.integer("a seed")
    low_density = high_density = unit.density
    fraction, rate, velocity, area = 0.25, 0.0, [0.0] * 5, None
    grain = Grain(name, kind, 0.0, unit.length / 2, command=command)
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "region":
            area = region_of(arguments.word(key), deck)
        elif key == "diam":
            read_diameter(grain, arguments, unit)
        elif key == "dens":
            low_density, high_density = (arguments.number(key, unit.density) for _ in range(2))
        elif key == "vol":
            fraction = arguments.number(key)
            arguments.integer("attempts")
        elif key == "rate":
            rate = arguments.number(key, unit.velocity)
        elif key == "vel":
            count = 5 if deck.dimension == 3 else 3
            velocity = [arguments.number(key, unit.velocity) for _ in range(count)]
            if deck.dialect == "liggghts" and arguments.more() and is_number(arguments.peek()):
                velocity.append(arguments.number(key, unit.velocity))
        elif key == "ignore":
            continue
        elif key == "id":
            arguments.word(key)
        else:
            raise Refused(f"the keyword {key} of pour is not converted.", "Add an emitter by hand.")
    if area is None or area.kind not in ("block", "cylinder"):
        raise Refused("pour needs a region that is a block or a cylinder.")
    if high_density != low_density:
        report.changed(command, "All have the mean density.")
    grain.density = (low_density + high_density) / 2
    up = 2 if deck.dimension == 3 else 1
    gravity = -deck.net_gravity()[up]
    if gravity <= 0:
        raise Refused("pour needs gravity that points down.", "Put fix gravity before it.")
    region = scene_region(area, deck)
    new = Insertion(name, command, Distribution([grain], [1.0], "number"), None, deck.time, number=total)
    top, bottom, new.region = top_of(region, up, grain.largest(), deck)
    down = velocity[-1]
    fall = top - bottom
    relative = down - rate
    duration = (relative + math.sqrt(relative * relative + 2 * gravity * fall)) / gravity
    if deck.dimension == 2:
        # Discs: LAMMPS counts areas here.
        space = (region["upper"][0] - region["lower"][0]) * fall
        batch = int(fraction * space / (math.pi * grain.radius**2 * mean_square(grain)))
    else:
        batch = int(fraction * volume(region) / grain.mean_volume())
    if batch == 0 or duration <= 0:
        raise DeckError(f"{command.place}: pour puts no particle into its region.")
    if rate != 0:
        report.changed(command, "The region does not move: rate is not taken.")
    if velocity[0] != velocity[1] or (len(velocity) > 3 and velocity[2] != velocity[3]):
        report.changed(command, "Across, all have the mean velocity.")
    across = (velocity[0] + velocity[1]) / 2
    beside = (velocity[2] + velocity[3]) / 2 if len(velocity) > 3 else 0.0
    new.velocity = (across, beside, down) if up == 2 else (across, down, 0.0)
    new.number_rate = batch / duration
    new.interval = min(1 / new.number_rate, 0.01)
    report.note(command, f"The batches of {batch} in each {duration:.4g} s are a stream of {new.number_rate:.4g} per second "
                "from the top of the region.")
    deck.insertions.append(new)
    return new


def is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def mean_square(grain):
    if not grain.sizes:
        return 1.0
    low, high = grain.sizes.get("lower", 1.0), grain.sizes.get("upper", 1.0)
    return (low * low + low * high + high * high) / 3


def read_diameter(grain, arguments, unit):
    style = arguments.word("the diameters' style")
    if style == "one":
        grain.radius = arguments.number("a diameter", unit.length) / 2
    elif style == "range":
        low, high = (arguments.number("a diameter", unit.length) / 2 for _ in range(2))
        grain.radius, grain.sizes = max(low, high), sizes_between(low, high)
    elif style == "poly":
        count = arguments.integer("their number")
        rows = sorted((arguments.number("a diameter", unit.length) / 2, arguments.number("a share")) for _ in range(count))
        grain.radius = rows[-1][0]
        grain.sizes = {"type": "table", "sizes": [r / grain.radius for r, _ in rows], "fractions": [s for _, s in rows]}
    else:
        # LIGGGHTS: diam LOW HIGH.
        low, high = float(style) * unit.length / 2, arguments.number("a diameter", unit.length) / 2
        grain.radius, grain.sizes = max(low, high), sizes_between(low, high)


def top_of(region, up, largest, deck):
    """Returns the heights of the region's ends, and the flat region where particles appear."""
    if region["type"] == "box":
        lower, upper = list(region["lower"]), list(region["upper"])
        top, bottom = upper[up], lower[up]
        lower[up] = upper[up] = top
        return top, bottom, {"type": "box", "lower": lower, "upper": upper}
    if region["axis"] != [0.0, 0.0, 1.0]:
        raise Refused("pour needs a cylinder along z.")
    half = region["length"] / 2
    x, y, z = region["centre"]
    return z + half, z - half, {**region, "centre": [x, y, z + half], "length": 0}
