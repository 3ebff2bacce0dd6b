"""Makes a scene of a deck: materials, interactions, and what changes from run to run."""

import model_lammps
import model_liggghts
from arguments import Refused
from contact import Pair, reduced, rolling_inertia
from entries import Entries, mean_size_speed
from kinds import Kinds
from pairs import Coefficients
from report import CHANGED, DeckError, NOTE

SPREAD = (
    CHANGED, "Constants of this model depend on the size of spheres, which is spread: they are those of the mean size.",
    "Give several entries of one size each for better ones.",
)
BOUNCE = (
    NOTE, "Restitution is kept; scree's contacts never pull, so the dashpot is stronger for the same bounce.", "",
)


class Builder:
    """Makes the scene of a deck."""

    def __init__(self, deck, report, name, speed):
        self.deck, self.report, self.scene_name = deck, report, name
        self.runs = deck.runs
        self.total = sum(run.duration for run in self.runs)
        self.long_dt = False
        self.kinds = Kinds(deck, self.depends_on_size())
        self.entries = Entries(deck, self.kinds, report, self.total)
        gravity = next((run.conditions.gravity for run in self.runs), (0.0, 0.0, 0.0))
        self.speed = speed or mean_size_speed(deck, gravity)

    def models(self):
        for run in self.runs:
            model = run.conditions.pairs[0]
            yield from model.table.values() if isinstance(model, Coefficients) else [model]
        for wall in self.deck.walls:
            yield wall.model

    def depends_on_size(self):
        return any(hasattr(m, "depends_on_size") and m.depends_on_size() for m in self.models())

    def build(self):
        """Returns the scene as a dict."""
        deck = self.deck
        if not self.runs:
            raise DeckError("the deck has no run command that was taken: there is nothing to simulate.")
        self.entries.atoms()
        self.entries.insertions()
        self.entries.walls()
        self.entries.outlet()
        self.entries.heat()
        if not self.entries.bodies and not self.entries.hooks:
            raise DeckError("the deck has no particles and no walls that could be taken.")
        parts = self.parts()
        first = parts[0][1]
        scene = {
            "name": self.scene_name, "description": "", "dimension": 3, **first,
            "shapes": self.entries.shapes, "bodies": self.entries.bodies,
        }
        if self.entries.hooks:
            scene["hooks"] = self.entries.hooks
        sides = {"xyz"[i]: [deck.lower[i], deck.upper[i]] for i, p in enumerate(deck.periodic()) if p and deck.lower}
        if sides and deck.boundary:
            scene["periodic"] = sides
        scene["output"] = self.output()
        run = {"max_initial_overlap": 1} if deck.atoms else {}
        if self.long_dt:
            run["accept_long_dt"] = True
        if len(parts) == 1:
            scene["run"] = {"duration": self.total, **run}
        else:
            scene["stages"] = self.stages(parts)
            if run:
                scene["run"] = run
        return ordered(scene)

    def output(self):
        dt = self.runs[-1].conditions.dt
        frames, rows = self.deck.frame_steps, self.deck.row_steps
        interval = min(frames) * dt if frames else self.total / 50
        return {"interval": interval, "metrics_interval": min(rows) * dt if rows else interval}

    def parts(self):
        """Returns parts of the run with the state of each: runs that change nothing are one part."""
        parts = []
        for i, run in enumerate(self.runs):
            state = self.state(i, run)
            fixed = {name: flags[i] for name, flags in self.entries.fixed.items()}
            if parts and parts[-1][1] == state and parts[-1][2] == fixed:
                parts[-1][0].append(run)
            else:
                parts.append(([run], state, fixed))
        return parts

    def state(self, i, run):
        conditions = run.conditions
        model, properties = conditions.pairs
        state = {
            "materials": self.kinds.materials(properties),
            "interactions": self.interactions(run, model, properties),
            "integrator": {"type": "velocity-verlet", "dt": conditions.dt},
        }
        if any(conditions.gravity):
            state["gravity"] = list(conditions.gravity)
        if conditions.viscous > 0:
            state["damping"] = {"linear": conditions.viscous}
        return state

    def stages(self, parts):
        stages = []
        for n, (runs, state, fixed) in enumerate(parts):
            stage = {"name": f"run {n + 1}", "until": {"steps": sum(run.steps for run in runs)}}
            if n:
                change = self.change(parts[n - 1], state, fixed)
                if change:
                    stage["change"] = change
            stages.append(stage)
        return stages

    def change(self, before, state, fixed):
        change = {}
        for key in sorted({*before[1], *state}):
            old, new = before[1].get(key), state.get(key)
            if old == new:
                continue
            if key == "materials":
                new = {name: {k: v for k, v in value.items() if k != "density"} for name, value in new.items()
                       if value != old.get(name)}
            if key == "integrator":
                new = {"dt": new["dt"]}
            change[key] = [0.0, 0.0, 0.0] if key == "gravity" and new is None else new
        moved = {name: {"fixed": flag} for name, flag in fixed.items() if flag != before[2][name]}
        if moved:
            change["bodies"] = moved
        return change

    def interactions(self, run, model, properties):
        """Returns the interactions of a run."""
        spheres, walls = list(self.kinds.spheres.values()), list(self.kinds.walls.values())
        found = []
        for n, a in enumerate(spheres):
            for b in spheres[n:]:
                if a.mass is None and b.mass is None:
                    continue
                found.append({"between": [a.name, b.name], "law": self.law(run, model, properties, a, b)})
            for wall in walls:
                now = wall.start <= run.start + 1e-12 and (wall.stop is None or run.start < wall.stop - 1e-12)
                if a.mass is None or not now:
                    continue
                found.append({"between": [a.name, wall.name], "law": self.wall_law(run, wall, properties, a)})
        found.append({"between": ["*", "*"], "law": "none"})
        return found

    def law(self, run, model, properties, a, b):
        """Returns the law of spheres of two kinds."""
        mass = reduced(*((a.mass, b.mass) if a.mass is not None else (b.mass, a.mass)))
        inertia = reduced(*(
            (rolling_inertia(a.mass, a.radius), None if b.mass is None else rolling_inertia(b.mass, b.radius))
            if a.mass is not None else (rolling_inertia(b.mass, b.radius), None)
        ))
        damping_mass = reduced(*((a.mass, b.mass or b.held_mass) if a.mass is not None else (b.mass, a.held_mass)))
        pair = Pair(reduced(a.radius, b.radius), mass, False, run.conditions.dt, inertia, self.speed, damping_mass)
        command = run.command
        try:
            if isinstance(model, Coefficients):
                model = model.of(min(a.type, b.type), max(a.type, b.type))
            if model is None or isinstance(model, str):
                raise Refused("the pairs have no model that was taken.", "Write laws into interactions.")
            command = model.command
            return self.converted(model, properties, a.type, b.type, pair, a.spread or b.spread)
        except Refused as refused:
            reason = f"Spheres do not touch each other in the scene: {refused.reason}"
            self.report.left(command, reason, refused.advice)
            return "none"

    def wall_law(self, run, wall, properties, a):
        inertia = rolling_inertia(a.mass, a.radius)
        pair = Pair(a.radius, a.mass, True, run.conditions.dt, inertia, self.speed)
        try:
            return self.converted(wall.model, properties, a.type, wall.type, pair, a.spread)
        except Refused as refused:
            reason = f"Spheres do not touch this wall in the scene: {refused.reason}"
            self.report.left(wall.model.command, reason, refused.advice)
            return "none"

    def converted(self, model, properties, i, j, pair, spread):
        if isinstance(model, model_liggghts.Model):
            law = model_liggghts.law(model, model_liggghts.Properties(properties), i, j, pair)
        else:
            law = model_lammps.law(model, pair)
        remarks = list(law.remarks)
        if spread and model.depends_on_size():
            remarks.append(SPREAD)
        if "restitution" in law.options and law.options["restitution"] < 1:
            remarks.append(BOUNCE)
        self.long_dt = self.long_dt or law.long_dt
        for kind, reason, advice in remarks:
            self.report.add(kind, model.command, reason, advice)
        return law.options


def ordered(scene):
    """Returns the scene with its keys in the order of the reference."""
    order = ("name", "description", "dimension", "gravity", "damping", "materials", "shapes", "bodies", "interactions",
             "integrator", "hooks", "periodic", "output", "stages", "run")
    return {key: scene[key] for key in order if key in scene}
