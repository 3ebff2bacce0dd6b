"""Bodies, rows and contacts."""

import gc
import random

import numpy as np
import pytest
import scree
from conftest import ROOT


def test_columns_are_copies_in_the_order_of_ids(sim):
    before = sim.bodies["position"]
    assert before.shape == (65, 3) and sim.bodies.id.tolist() == list(range(65))
    sim.run(0.1)  # rows are sorted again meanwhile
    with sim.rows() as rows:
        order, positions = rows.id.copy(), rows.position.copy()
    after = sim.bodies["position"]
    assert (after[order] == positions).all()
    before[:] = 0  # a copy
    assert (sim.bodies["position"] == after).all()


def test_columns_are_read_into_arrays_of_the_caller(sim):
    sim.bodies.set("orientation", [np.cos(0.3), 0, 0, np.sin(0.3)], ids=[5])
    for name in ("position", "mass", "orientation", "group"):
        target = np.empty_like(sim.bodies[name])
        assert sim.bodies.read(name, out=target) is target
        assert (target == sim.bodies[name]).all() and (sim.bodies.read(name) == target).all()
    part = np.zeros((2, 65, 3))
    sim.bodies.read("velocity", out=part[1])  # a part of an array, without a gap
    assert (part[1] == sim.bodies["velocity"]).all()


@pytest.mark.parametrize("target, text", [
    (np.empty((64, 3)), r'out has type float64 and shape \(64, 3\); "position" needs type float64 and shape \(65, 3\)'),
    (np.empty((65, 3), np.float32), "out has type float32"),
    (np.empty((65, 3), ">f8"), "out has type >f8"),
    (np.empty((3, 65)).T, "a view with gaps"),
    (np.broadcast_to(0.0, (65, 3)), "read only"),
    ([0.0] * 65, "out is a list; an array of NumPy is allowed"),
])
def test_arrays_that_cannot_take_a_column_are_refused(sim, target, text):
    with pytest.raises(scree.InputError, match=text):
        sim.bodies.read("position", out=target)


def test_what_columns_there_are(sim):
    columns = {c.name: c for c in sim.bodies.columns()}
    assert columns["position"].unit == "m" and columns["position"].components == 3
    assert columns["mass"].dtype == np.float64
    assert sim.bodies.names == ["beads", "box"] and sim.bodies.shapes == ["bead", "box"]
    assert sim.bodies.materials == ["glass", "wall"]
    assert sim.bodies.of("box").tolist() == [64] and len(sim.bodies.of("beads")) == 64
    assert sim.bodies.group[-1] == 1 and sim.bodies.shape[0] == 0
    with pytest.raises(scree.InputError, match='Did you mean "position"'):
        sim.bodies["positon"]
    with pytest.raises(scree.InputError, match='Did you mean "beads"'):
        sim.bodies.of("bead")


def test_orientations_are_w_x_y_z(sim):
    turned = [np.cos(0.3), 0, 0, np.sin(0.3)]
    sim.bodies.set("orientation", np.multiply(2, turned), ids=[5])
    assert sim.bodies["orientation"][5] == pytest.approx(turned)
    assert sim.bodies["orientation"][4].tolist() == [1, 0, 0, 0]
    with sim.rows() as rows:
        assert rows.orientation_xyzw[rows.id == 5][0] == pytest.approx(turned[1:] + turned[:1])
        with pytest.raises(AttributeError, match="orientation_xyzw"):
            rows.orientation


def test_a_velocity_that_is_set_moves_the_body(sim):
    sim.gravity = 0
    sim.bodies.set("velocity", [0.01, 0, 0], ids=sim.bodies.of("beads"))
    start = sim.bodies["position"]
    sim.step(100)
    moved = (sim.bodies["position"] - start)[:64]
    assert moved == pytest.approx(np.tile([0.01 * sim.time, 0, 0], (64, 1)), abs=1e-15)


def test_values_that_do_not_fit_are_refused(sim):
    for name, values, ids, text in [
            ("velocity", [1, 2], None, r"velocity has shape \(2,\); \(65, 3\)"),
            ("velocity", [np.nan, 0, 0], None, "finite"),
            ("orientation", [0, 0, 0, 0], None, "zero"),
            ("velocity", [0, 0, 0], [99], "body 99 does not exist"),
            ("velocity", [0, 0, 0], sim.bodies.id > 3, r"With a mask give sim.bodies.id\[mask\]"),
            ("velocity", [0, 0, 0], [2.7], "whole numbers from 0 on"),
            ("velocity", [0, 0, 0], [-1], "whole numbers from 0 on"),
            ("velocity", [0, 0, 0], np.array([-1]).astype(np.uint64), "whole numbers from 0 on"),
            ("mass", 1.0, None, "read only"),
            ("velicity", 1.0, None, 'Did you mean "velocity"')]:
        with pytest.raises(scree.InputError, match=text):
            sim.bodies.set(name, values, ids)


def test_bodies_come_and_go(sim):
    ids = sim.bodies.add("bead", "glass", [[0, 0, 0.15], [0.02, 0, 0.15]], velocity=[0, 0, -0.1], scale=[1, 0.5])
    assert ids.tolist() == [65, 66] and len(sim.bodies) == 67
    assert sim.bodies["radius"][65:].tolist() == [0.005, 0.0025]
    assert sim.bodies["velocity"][65:].tolist() == [[0, 0, -0.1]] * 2
    sim.step(10)
    sim.bodies.remove([65, 1000])
    sim.step(10)
    assert sim.bodies.id.tolist() == [*range(65), 66]
    sim.bodies.remove(3)
    assert (sim.bodies["position"][sim.bodies.id == 66][:, 2] < 0.15).all()
    with pytest.raises(scree.InputError, match='unknown shape "beat". Did you mean "bead"'):
        sim.bodies.add("beat", "glass", [0, 0, 0.15])
    with pytest.raises(scree.InputError, match="2 names for 1 bodies"):
        sim.bodies.add(["bead", "bead"], "glass", [0, 0, 0.15])
    with pytest.raises(scree.InputError, match="finite"):
        sim.bodies.add("bead", "glass", [0, 0, np.inf])
    with pytest.raises(scree.InputError):
        sim.bodies.add("bead", "glass", [0, 0, 0.15], scale=-1)


def test_velocities_of_bodies_that_do_not_move_freely_are_refused(pile):
    """A fixed wall with a velocity would drag the beads on it for ever, and stay. The scene refuses one too."""
    pile["shapes"]["lid"] = {"type": "half-space", "normal": [0, 0, -1]}
    pile["bodies"].append({"name": "lid", "shape": "lid", "material": "wall", "position": [0, 0, 0.2], "motion": {"velocity": [0, 0, 0.1]}})
    sim = scree.Simulation(pile, threads=1)
    sim.step(10)
    before = sim.hash()
    for name, ids, text in [
            ("velocity", [64], r'the velocity of body 64 \("box"\) cannot be set: it is fixed, and would drag others. Leave it out by ids'),
            ("angular_velocity", None, 'angular_velocity of body 64 .* needs "motion": {} in the scene in place of "fixed"'),
            ("velocity", [3, 65], r'body 65 \("lid"\) cannot be set: it moves as its motion says.*sim.bodies.drive'),
            ("position", [65], "the position of body 65 .* moves as its motion says")]:
        with pytest.raises(scree.InputError, match=text):
            sim.bodies.set(name, [1, 0, 0], ids=ids)
    assert sim.hash() == before
    sim.bodies["velocity"] = sim.bodies["velocity"]  # as they are
    sim.bodies.set("position", [0, 0, 0.099], ids=[64])  # a wall may be put elsewhere
    with pytest.raises(scree.InputError, match="the velocity of body 6[45]"):
        with sim.rows() as rows:
            rows.velocity += [0, 0, 0.5]
    assert sim.bodies["velocity"][64:].tolist() == [[0, 0, 0], [0, 0, 0.1]] and (sim.bodies["velocity"][:64, 2] > 0.4).all()
    with pytest.raises(ZeroDivisionError):
        with sim.rows() as rows:
            rows.velocity += 1
            1 / 0
    assert sim.bodies["velocity"][64].tolist() == [0, 0, 0]
    sim.step()


def test_walls_that_are_added_hold_like_those_of_the_scene(pile):
    """A floor from Python, from the start, gives the bits of a floor in the scene."""
    pile["shapes"]["floor"] = {"type": "half-space", "normal": [0, 0, 1]}
    with_floor = dict(pile, bodies=[*pile["bodies"], {"name": "floor", "shape": "floor", "material": "wall", "fixed": True, "position": [0, 0, 0.02]}])
    pile["bodies"][0]["packing"]["lower"] = [-0.02, -0.02, 0.027]
    sims = [scree.Simulation(pile, threads=1), scree.Simulation(with_floor, threads=1)]
    (floor,) = sims[0].bodies.add("floor", "wall", [0, 0, 0.02], fixed=True)
    assert floor == 65
    for sim in sims:
        sim.run(0.1)
        assert sim.bodies["position"][:64, 2].min() > 0.02 + 0.005 - 0.0005
        assert (sim.contacts()["b"] == 65).any()
    assert (sims[0].bodies["position"] == sims[1].bodies["position"]).all()


def test_bodies_that_cannot_take_part_are_refused_when_they_are_added(pile):
    """They ended the next run, and each one after it."""
    pile["shapes"].update(floor={"type": "half-space", "normal": [0, 0, 1]}, block={"type": "box", "half_sizes": [0.01, 0.01, 0.01]})
    pile["materials"]["steel"] = {"density": 7800}
    pile["interactions"][0]["between"] = ["glass", "wall"]
    pile["interactions"].append({"between": ["glass", "glass"], "law": pile["interactions"][0]["law"]})
    sim = scree.Simulation(pile, threads=1)
    sim.run(0.01)
    before = sim.hash()
    for options, text in [
            (dict(shape="floor", material="wall"), 'a body of shape "floor" and material "wall" cannot move freely: .*fixed=True'),
            (dict(shape="bead", material="wall"), "cannot move freely: its mass is 0 kg.*or give the material a density"),
            (dict(shape="bead", material="steel"), 'nothing says what happens between materials "(glass|steel)" and "steel"'),
            (dict(shape="floor", material="steel", fixed=True), 'nothing says what happens between materials "glass" and "steel"'),
            (dict(shape="floor", material="wall", fixed=True, velocity=[1, 0, 0]), "is fixed, and takes no velocity")]:
        with pytest.raises(scree.InputError, match=text):
            sim.bodies.add(position=[0, 0, 0.19], **options)
        assert len(sim.bodies) == 65 and sim.hash() == before
    sim.run(0.01)
    other = scree.Simulation(pile, threads=1)
    other.run(0.02)
    assert sim.hash() == other.hash()


def test_a_driven_body_moves_at_its_velocity(pile):
    pile["bodies"][1]["motion"] = {}
    del pile["bodies"][1]["fixed"]
    sim = scree.Simulation(pile, threads=1)
    sim.bodies.drive(64, velocity=[0, 0, 0.5])
    sim.run(0.01)
    assert sim.bodies["position"][64] == pytest.approx([0, 0, 0.105], abs=1e-15)
    sim.bodies.drive([64], angular_velocity=[0, 0, 2])
    sim.run(0.01)
    assert sim.bodies["position"][64] == pytest.approx([0, 0, 0.105], abs=1e-15)
    assert sim.bodies["orientation"][64] == pytest.approx([np.cos(0.01), 0, 0, np.sin(0.01)], abs=1e-14)
    assert sim.walls()["box"].power is not None
    with pytest.raises(scree.InputError, match="body 3 has no motion"):
        sim.bodies.drive(3, [0, 0, 1])


def test_external_forces_act_until_they_are_set_again(sim):
    weight = 9.81 * sim.bodies["mass"][:64]
    sim.bodies.set("external_force", np.outer(weight, [0, 0, 1]), ids=range(64))
    sim.step(1)  # the first half of a step has the forces of before
    start = sim.bodies["velocity"]
    sim.step(50)
    assert sim.bodies["velocity"] == pytest.approx(start, abs=1e-12)
    with sim.rows() as rows:
        rows.external_force[:] = 0
    sim.step(50)
    assert (sim.bodies["velocity"][:64, 2] < start[:64, 2] - 0.01).all()


def test_a_column_follows_its_bodies(sim):
    sim.column("temperature", "K", 293)
    sim.column("temperature", "K", 293)  # it exists
    sim.bodies["temperature"] = np.arange(65.0)
    (new,) = sim.bodies.add("bead", "glass", [0, 0, 0.15])
    sim.bodies.remove([0, 10])
    sim.run(0.1)
    ids = sim.bodies.id
    assert (sim.bodies["temperature"] == np.where(ids == new, 293, ids)).all()
    sim.column("heat_flux", "W/m^2", components=3)
    assert sim.bodies["heat_flux"].shape == (64, 3)
    with pytest.raises(scree.InputError, match="Take another name"):
        sim.column("mass", "g")


# Rows.


def test_rows_are_no_copy(sim):
    with sim.rows() as rows:
        address = rows.position.address
        rows.position[0, 2] += 0.001
        assert rows.position[0].address == address and rows.position[1].address == address + 24
        assert sim.bodies["position"][rows.id[0], 2] == rows.position[0, 2]
    with sim.rows() as rows:
        assert rows.position.address == address


def test_a_kick_by_rows_and_by_ids_give_the_same_bits(pile):
    by_rows, by_ids = scree.Simulation(pile, threads=1), scree.Simulation(pile, threads=1)
    for sim in (by_rows, by_ids):
        sim.run(0.03)
    with by_rows.rows() as r:
        r.velocity[r.group == 0] += [0.1, 0, 0]
        r.velocity[:, 2] *= 0.5
    v = by_ids.bodies["velocity"]
    v[by_ids.bodies.group == 0] += [0.1, 0, 0]
    v[:, 2] *= 0.5
    by_ids.bodies.set("velocity", v)
    for sim in (by_rows, by_ids):
        sim.run(0.03)
    assert by_rows.hash() == by_ids.hash()


def test_views_work_like_arrays(sim):
    sim.column("temperature", "K", 300)
    with sim.rows() as r:
        r.temperature += 1
        r.temperature[r.group == 1] = 0
        np.add(r.temperature, 1, out=r.temperature)
        np.add.at(r.temperature, np.flatnonzero(r.id == 0), 5)
        r["temperature"][:2] -= 1
        t = r.temperature
        assert t.shape == (65,) and t.ndim == 1 and t.size == 65 and len(t) == 65 and t.dtype == float
        assert np.mean(t) == t.mean() == np.asarray(t).mean() and t.max() == np.max(t) and (t > 0).all()
        assert np.concatenate([t, t]).shape == (130,) and np.linalg.norm(r.velocity, axis=1).shape == (65,)
        assert r.position.astype(np.float32).dtype == np.float32 and sum(1 for _ in r.position) == 65
        transposed = np.transpose(r.position)
        r.temperature = t
        kept = np.asarray(t)
    assert isinstance(transposed, np.ndarray) and transposed.shape == (3, 65)  # a copy
    expected = np.full(65, 302.0)
    expected[64], expected[0] = 1, 307
    assert np.sort(sim.bodies["temperature"] - expected).tolist() == [-1, -1] + 63 * [0]
    assert np.sort(kept).tolist() == np.sort(sim.bodies["temperature"]).tolist()


def test_what_may_not_be_written(sim):
    with sim.rows() as r:
        for write in (lambda: r.mass.__setitem__(0, 1.0), lambda: np.add(r.mass, 1, out=r.mass),
                      lambda: r.__setattr__("radius", 1.0), lambda: np.copyto(r.mass, 1.0),
                      lambda: np.put(r.id, 0, 7)):
            with pytest.raises((ValueError, TypeError)):
                write()
        with pytest.raises(ValueError, match='column "mass" is read only. Columns that may be written: angular_velocity'):
            r.mass[0] = 1
    assert (sim.bodies.id == np.arange(65)).all()


def test_rows_are_held_in_place(sim):
    with sim.rows():
        for change in (lambda: sim.step(), lambda: sim.run(0.01), lambda: sim.bodies.remove([1]),
                       lambda: sim.bodies.add("bead", "glass", [0, 0, 0.15]), lambda: sim.restore(sim.snapshot()),
                       lambda: sim.column("more")):
            with pytest.raises(RuntimeError, match="rows are held"):
                change()
        with sim.rows() as inner:  # both may read
            assert len(inner) == 65
    sim.step()


def test_an_error_in_the_block_closes_it(sim):
    with pytest.raises(ZeroDivisionError):
        with sim.rows() as r:
            r.velocity[0] = [1, 2, 3]
            1 / 0
    sim.step()


USES = [
    lambda v: v[0], lambda v: v[-1], lambda v: v[:3], lambda v: v.copy(), lambda v: np.asarray(v), lambda v: v + 1,
    lambda v: v.__setitem__(0, 1), lambda v: v.__setitem__(slice(None), 0), lambda v: np.add(v, 1, out=v),
    lambda v: v.__iadd__(1), lambda v: np.sum(v), lambda v: v.sum(), lambda v: v.max(), lambda v: len(v), lambda v: v.shape,
    lambda v: list(v), lambda v: v == 0, lambda v: np.linalg.norm(v), lambda v: np.copyto(v, 0), lambda v: v.address,
    lambda v: np.add.at(v, 0, 1), lambda v: v.astype(int), lambda v: 1 - v, lambda v: np.zeros(3) + v, lambda v: v.dtype,
    lambda v: np.concatenate([v, v]), lambda v: np.array(v), lambda v: v.any(), lambda v: np.zeros(100)[v], lambda v: -v,
]


def test_a_stale_view_raises_in_each_of_1000_uses(pile):
    """After its block, after steps, after bodies came or went, and after the simulation is gone."""
    draw = random.Random(1)
    sim = scree.Simulation(pile, threads=1)
    views = []
    for turn in range(1000):
        if turn % 20 == 0:
            with sim.rows() as rows:
                views = [rows.position, rows.velocity, rows.id, rows.mass, rows.position[3:9], rows.position[:, 1]]
                blocks = rows
        change = draw.randrange(6)
        if change == 0:
            sim.step(draw.randrange(1, 4))
        elif change == 1:
            sim.bodies.add("bead", "glass", [0, 0, 0.19])
            sim.bodies.remove(sim.bodies.id[-1:])
        elif change == 2 and turn % 50 == 0:
            sim = scree.Simulation(pile, threads=1)
            gc.collect()
        with pytest.raises(ReferenceError, match=r"outside of its block"):
            draw.choice(USES)(draw.choice(views))
        with pytest.raises(ReferenceError):
            blocks.position
        assert "closed view" in repr(views[0])


def test_a_view_of_a_dropped_simulation_stays_whole_inside_of_its_block(pile):
    sim = scree.Simulation(pile, threads=1)
    with sim.rows() as rows:
        del sim
        gc.collect()
        assert np.isfinite(rows.position).all() and rows.position.shape == (65, 3)


# Contacts, bonds and walls.


def test_contacts_have_the_forces_that_hold_the_pile(sim):
    sim.run(0.6)
    contacts = sim.contacts()
    assert {"a", "b", "overlap", "normal", "point", "force"} <= set(contacts.dtype.names)
    assert (contacts["a"] < contacts["b"]).all() and (contacts["overlap"] > 0).all()
    assert np.linalg.norm(contacts["normal"], axis=1) == pytest.approx(1)
    weight = 9.81 * sim.bodies["mass"][:64].sum()
    on_box = contacts["force"][contacts["b"] == 64].sum(axis=0)
    assert on_box[2] == pytest.approx(-weight, rel=0.05)  # the pile hardly moves any more
    wall = sim.walls()["box"]
    assert wall.force == pytest.approx(on_box, rel=1e-12, abs=1e-12) and wall.power is None


def test_bonds_tell_bodies_and_what_their_law_reports():
    sim = scree.Simulation(ROOT / "examples/beam_stretch/scene.json", set={"/output/writers": []})
    bonds = sim.bonds()
    assert len(bonds) > 0 and (bonds["a"] < bonds["b"]).all() and np.isinf(bonds["broken_at"]).all()
    assert (bonds["section"] > 0).all()


def test_bonds_that_a_hook_makes_are_told_with_the_fragments_of_bodies():
    sim = scree.Simulation({
        "dimension": 2,
        "materials": {"stone": {"density": 2500}},
        "shapes": {"grain": {"type": "sphere", "radius": 0.01}},
        "bodies": [{"name": "grains", "shape": "grain", "material": "stone", "packing": {
            "type": "list", "places": [{"position": [0, 0]}, {"position": [0.02, 0]}, {"position": [0.05, 0]}]}}],
        "bonds": [{"between": ["grains", "grains"], "pairs": "by-hook",
                   "law": {"type": "bonded-beam", "normal_stiffness": 1e8}}],
        "hooks": [{"type": "bond-maker", "start": 1e-4}],
        "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1e4}}],
        "integrator": {"type": "velocity-verlet", "dt": 1e-5},
        "output": {"writers": []}, "run": {"duration": 1},
    })
    sim.step(10)
    assert len(sim.bonds()) == 0 and list(sim.bodies["fragment"]) == [0, 1, 2]
    sim.step()
    bonds = sim.bonds()
    assert list(bonds["a"]) == [0] and list(bonds["b"]) == [1] and np.isinf(bonds["broken_at"]).all()
    assert list(sim.bodies["fragment"]) == [0, 0, 2] and list(sim.bodies["damage"]) == [0, 0, 0]
