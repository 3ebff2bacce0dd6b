"""Carries out the commands of a deck one after the other."""

import math
import re

import heat
import insertion
import motion
import pairs
import setup
import turning
import walls
from arguments import Arguments, Refused
from data_file import read_data
from deck import Conditions, Run
from report import DeckError, printable

IGNORED = {
    "atom_modify": "", "balance": "", "bond_style": None, "comm_modify": "", "comm_style": "", "communicate": "",
    "compute_modify": "", "dump_modify": "", "echo": "", "fix_modify": "", "hard_particles": "", "info": "", "log": "",
    "modify_timing": "", "neigh_modify": None, "neighbor": "", "newton": "", "package": "", "processors": "",
    "restart": "", "soft_particles": "", "suffix": "", "thermo_style": "", "timers": "", "timer": "",
    "undump": "", "uncompute": "", "write_data": "", "write_dump": "", "write_restart": "", "mass": "",
}
NOTES = {
    "restart": "Checkpoints and --resume of scree need no command.",
    "write_restart": "Checkpoints and --resume of scree need no command.",
    "write_data": "The observer particle-files writes spheres.",
    "thermo_style": "metrics.csv has energies, numbers and forces.",
    "mass": "Spheres have their mass from size and density.",
}
ENERGIES = ("ke", "ke/atom", "erotate/sphere", "erotate/sphere/atom", "erotate/asphere", "temp", "temp/sphere", "pe",
            "erotate", "erotate/multisphere", "ke/multisphere")
QUIET_FIXES = ("balance", "check/timestep/gran", "enforce2d", "print", "property/atom", "neighlist/mesh",
               "mesh/surface/planar")
INTEGRATORS = ("nve/sphere", "nve", "multisphere", "rigid", "nve/sphere/limit")
DUMPS = ("custom", "custom/vtk", "vtk", "mesh/stl", "mesh/vtk", "mesh/gran/VTK", "atom", "xyz", "custom/gz", "local",
         "local/gran", "image", "movie", "cfg", "euler/vtk", "atom/vtk", "decomposition/vtk", "dcd", "xtc", "atom/gz")


class Commands:
    """Carries out commands on a deck. Each is taken, or the report says why not."""

    def __init__(self, deck, variables, report, files):
        self.deck, self.variables, self.report, self.files = deck, variables, report, files

    def __call__(self, command):
        arguments = Arguments(command, self.variables)
        try:
            self.carry_out(arguments)
        except Refused as refused:
            reason = refused.reason[:1].upper() + refused.reason[1:]
            self.report.left(command, reason, refused.advice)
        except (IndexError, ValueError, OverflowError, ZeroDivisionError) as error:
            raise DeckError(f"{command.place}: {command.name}: its arguments are not understood ({error}).") from None

    def carry_out(self, arguments):
        name = arguments.words[0]
        if name in IGNORED:
            self.ignored(arguments)
            return
        method = getattr(self, "on_" + name, None) if name.isidentifier() else None
        if method is None:
            raise Refused(f"the command {name[:40]} is not converted.", "Do by hand what it does.")
        method(arguments)
        if arguments.more():
            words = " ".join(arguments.rest())
            self.report.left(arguments.command, f"It is taken without: {printable(words)}", "Compare results without it.")

    def ignored(self, arguments):
        name = arguments.words[0]
        if name == "neigh_modify" and "exclude" in arguments.words:
            self.report.note(arguments.command, "Fixed bodies do not touch each other; other pairs do.")
        elif NOTES.get(name):
            self.report.note(arguments.command, NOTES[name])
        else:
            self.report.note(arguments.command, "It changes no physics.")

    def simple(self, function, arguments):
        function(arguments, self.deck, self.report)

    def on_units(self, a): self.simple(setup.units, a)
    def on_dimension(self, a): self.simple(setup.dimension, a)
    def on_boundary(self, a): self.simple(setup.boundary, a)
    def on_change_box(self, a): self.simple(setup.change_box, a)
    def on_region(self, a): self.simple(setup.region, a)
    def on_create_box(self, a): self.simple(setup.create_box, a)
    def on_lattice(self, a): self.simple(setup.lattice, a)
    def on_create_atoms(self, a): self.simple(setup.create_atoms, a)
    def on_group(self, a): self.simple(setup.group, a)
    def on_set(self, a):
        if not heat.set_atoms(a, self.deck):
            setup.set_atoms(a, self.deck, self.report)

    def on_velocity(self, a): self.simple(setup.velocity, a)
    def on_delete_atoms(self, a): self.simple(setup.delete_atoms, a)
    def on_pair_style(self, a): self.simple(pairs.pair_style, a)
    def on_pair_coeff(self, a): self.simple(pairs.pair_coeff, a)

    def on_read_data(self, a):
        read_data(a, self.deck, self.report, self.files)

    def on_read_restart(self, a):
        raise Refused("states in restart files are not read.", "Write them as a dump, and use the packing import.")

    def on_atom_style(self, a):
        style = a.word("its style")
        if style not in ("sphere", "granular", "hybrid"):
            raise Refused(f"atoms of style {style} are not converted.", "Spheres and clumps are.")
        if style == "hybrid":
            raise Refused("hybrid atom styles are not converted.", "Use sphere.")

    def on_timestep(self, a):
        self.deck.dt = a.number("the time step", self.deck.units.time)
        if self.deck.dt <= 0:
            raise DeckError(f"{a.command.place}: the time step must be above 0.")

    def on_reset_timestep(self, a):
        self.deck.step = self.deck.counter = a.integer("the step")

    def on_compute(self, a):
        style = a.rest()[2] if len(a.words) > 3 else "?"
        if style in ENERGIES:
            self.report.note(a.command, "metrics.csv has energies.")
        else:
            self.report.note(a.command, "What a deck computes is not taken.", "See the observers, and howto/measure.md.")

    def on_thermo(self, a):
        word = a.word("the interval")
        if word.isdigit() and int(word):
            self.deck.row_steps.append(int(word))

    def on_thermo_modify(self, a):
        words = a.rest()
        if "lost" in words:
            self.deck.lost = words[words.index("lost") + 1]
        self.report.note(a.command, "It changes no physics.")

    def on_dump(self, a):
        a.word("its ID"), a.word("a group")
        style = a.word("its style")
        interval = a.integer("the interval")
        if style not in DUMPS:
            raise Refused(f"dumps of style {style} are not written.", "The writer vtk has particles and walls.")
        a.rest()
        if interval > 0:
            self.deck.frame_steps.append(interval)
        self.report.note(a.command, "The writer vtk writes particles and walls.")

    def on_run(self, a):
        steps = a.integer("the number of steps")
        while a.more():
            key = a.word("a keyword")
            if key == "upto":
                steps -= self.deck.counter
            elif key in ("start", "stop"):
                a.integer(key)
            elif key in ("pre", "post"):
                a.yes(key)
            elif key == "every":
                raise Refused("commands in between of a run are not converted.", "Write several runs.")
            else:
                raise Refused(f"the keyword {key} of run is not known.")
        if steps < 0:
            raise DeckError(f"{a.command.place}: run: the step {self.deck.counter} has passed.")
        self.add_run(a.command, steps)

    def add_run(self, command, steps):
        deck = self.deck
        if deck.dt is None:
            deck.dt = 0.005 if deck.units.name == "lj" else None
            if deck.dt is None:
                raise DeckError(f"{command.place}: run: there is no timestep.")
        viscous = sum(value for value, _ in deck.viscous.values())
        frozen = frozenset(group for group, _ in deck.frozen.values())
        freezers = frozenset(group for group, style in deck.frozen.values() if style == "freeze")
        integrated = frozenset(deck.integrated.values())
        conditions = Conditions(deck.dt, self.net_gravity(), viscous, pairs.snapshot(deck), frozen, freezers, integrated)
        if steps > 0:
            turning.renew(deck, self.report)
            turning.turn(deck, self.variables, self.report, steps)
            deck.runs.append(Run(command, steps, deck.time, steps * deck.dt, conditions))
            if len(deck.runs) > 2000:
                raise DeckError(f"{command.place}: the deck has more than 2000 runs.")
        deck.step += steps
        deck.counter += steps
        deck.time += steps * deck.dt

    def net_gravity(self):
        return tuple(sum(vector[i] for vector in self.deck.gravity.values()) for i in range(3))

    def on_minimize(self, a):
        raise Refused("energies are not minimised.", "Use the integrator variational, or damping.")

    def on_unfix(self, a):
        name = a.word("its ID")
        if name not in self.deck.fixes:
            if name not in self.refused_fixes():
                raise DeckError(f"{a.command.place}: unfix: there is no fix {name[:40]!r}.")
            self.report.note(a.command, "The fix was not taken.")
            return
        self.end_fix(name)

    def refused_fixes(self):
        return getattr(self, "refused", set())

    def end_fix(self, name):
        deck = self.deck
        deck.region_walls.pop(name, None)
        for thing in deck.fixes.pop(name):
            if hasattr(thing, "stop"):
                thing.stop = deck.time
        for table in (deck.gravity, deck.viscous, deck.frozen, deck.integrated):
            table.pop(name, None)

    def on_fix(self, a):
        name, group, style = a.word("its ID"), a.word("its group"), a.word("its style")
        if name in self.deck.fixes:
            self.end_fix(name)
        try:
            made = self.fix(name, group, style, a)
        except Refused:
            self.refused = self.refused_fixes() | {name}
            raise
        self.deck.fixes[name] = made if isinstance(made, list) else [made] if made is not None else []

    def fix(self, name, group, style, a):
        deck, report = self.deck, self.report
        if style == "property/global":
            return pairs.global_property(name, a, deck, report)
        if style.startswith("particletemplate/"):
            kind = style.split("/")[1]
            if kind not in ("sphere", "multisphere"):
                raise Refused(f"templates of {kind} are not converted.", "Use sphere or multisphere.")
            return insertion.template(name, kind, a, deck, report, self.files)
        if style.startswith("particledistribution/"):
            return insertion.distribution(name, style, a, deck, report)
        if style in ("insert/pack", "insert/stream", "insert/rate/region"):
            return insertion.insert(name, style, a, deck, report)
        if style == "pour":
            deck.net_gravity = self.net_gravity
            return insertion.pour(name, a, deck, report)
        if style.startswith("mesh/surface"):
            if style not in ("mesh/surface", "mesh/surface/stress", "mesh/surface/planar", "mesh/surface/stress/servo"):
                raise Refused(f"meshes of style {style} are not converted.", "Use mesh/surface.")
            return walls.mesh(name, style, a, deck, report, self.files)
        if style in ("wall/gran", "wall/gran/region", *walls.OLD):
            made = walls.read_wall(name, a, deck, report)
            deck.walls += made
            return made
        if style == "move/mesh":
            return motion.move_mesh(name, a, deck, report)
        if style == "move":
            return motion.move_group(name, group, a, deck, report)
        if style == "gravity":
            deck.gravity[name] = self.gravity(a)
            return None
        if style in INTEGRATORS:
            return self.integrator(name, group, style, a)
        if style == "freeze" or (style == "setforce" and self.all_zero(a)):
            if group == "all":
                raise Refused("all particles are frozen.")
            deck.frozen[name] = (group, style)
            if style == "setforce":
                report.changed(a.command, "The spheres do not turn either: setforce leaves torques.", "Use fix freeze.")
            return None
        if style == "viscous":
            return self.viscous(name, group, a)
        if style in ("heat/gran", "heat/gran/conduction"):
            return heat.read(a, deck)
        if style in QUIET_FIXES:
            a.rest()
            report.note(a.command, "It changes no physics.")
            return None
        if style == "ave/time" and self.forces_of_walls(a.rest()):
            report.note(a.command, "metrics.csv has the force on each wall.")
            return None
        if style.startswith("ave/") or style.startswith("massflow"):
            raise Refused(f"what {style} measures is not taken.", "See the observers, and howto/measure.md.")
        raise Refused(f"the fix {style} is not converted.", "Look for it in reference/modifiers.md and observers.md.")

    def forces_of_walls(self, words):
        """Returns whether fix ave/time asks for nothing but forces on meshes."""
        asked = [word for word in words if word[:2] in ("f_", "c_", "v_")]
        matches = [re.fullmatch(r"f_(.+)\[[123]\]", word) for word in asked]
        return bool(asked) and all(m and m[1] in self.deck.meshes for m in matches)

    def integrator(self, name, group, style, a):
        words = a.rest()
        if style == "rigid" and words[:1]:
            raise Refused("rigid bodies of spheres of the deck are not converted.", "Use the shape clump.")
        for word in words:
            if word == "disc":
                self.report.changed(a.command, "Spheres turn as spheres, not as discs.")
            elif word not in ("update", "dipole", "no", "yes", "implicit_integration", "CAddRhoFluid"):
                self.report.left(a.command, f"The keyword {word} is not taken.", "")
        self.deck.integrated[name] = group
        if style == "nve":
            self.report.changed(a.command, "Spheres turn, too.")
        return None

    def all_zero(self, a):
        forces = [a.word("a force") for _ in range(3)]
        if any(not insertion.is_number(force) or float(force) != 0 for force in forces):
            raise Refused("only a force of 0 0 0 is converted, as a fixed body.", "Add the hook external-load.")
        return True

    def viscous(self, name, group, a):
        if group != "all":
            raise Refused("damping of one group is not converted.", "Damping of a scene acts on all free bodies.")
        value = a.number("gamma", self.deck.units.of(1, 0, -1))
        if a.more():
            raise Refused("damping by type is not converted.", "Damping of a scene acts on all free bodies.")
        self.deck.viscous[name] = (value, a.command)
        return None

    def gravity(self, a):
        """Returns the vector of fix gravity [m/s^2]."""
        size = a.number("gravity", self.deck.units.acceleration)
        style = a.word("its style")
        if style == "vector":
            direction = a.vector("its direction")
        elif style == "chute":
            angle = math.radians(a.number("the angle"))
            flat = self.deck.dimension == 2
            direction = (math.sin(angle), -math.cos(angle) if flat else 0.0, 0.0 if flat else -math.cos(angle))
        elif style == "spherical":
            phi, theta = (math.radians(a.number("an angle")) for _ in range(2))
            if self.deck.dimension == 2:
                direction = (math.sin(theta), math.cos(theta), 0.0)
            else:
                direction = (math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta))
        else:
            raise Refused(f"gravity of style {style} is not converted.", "Use vector, chute or spherical.")
        length = math.hypot(*direction)
        if length == 0:
            raise DeckError(f"{a.command.place}: the direction of gravity has no length.")
        return tuple(clean(size * x / length, size) for x in direction)


def clean(x, size):
    """Returns 0 for what is rounding of a sine only."""
    return 0.0 if abs(x) < 1e-15 * abs(size) else x
