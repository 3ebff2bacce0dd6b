"""Shapes and motions from functions."""

import json

import numpy as np
import pytest
import scree


def scene_of(dimension, shapes, bodies, **more):
    return {"dimension": dimension, "gravity": [0] * dimension, "materials": {"m": {"density": 1000}}, "shapes": shapes,
            "bodies": [{"material": "m", **b} for b in bodies],
            "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
            "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "run": {"duration": 1}, **more}


def egg(angle):
    return 0.01 * (1 + 0.2 * np.cos(angle) + 0.1 * np.sin(3 * angle))


def test_a_planar_shape_has_the_radius_of_its_function():
    """A series that is one: its coefficients, and the area in closed form."""
    made = scree.shape(egg)
    assert made["type"] == "star" and set(made["coefficients"]["cos"]) == {"1"} and set(made["coefficients"]["sin"]) == {"3"}
    assert made["coefficients"]["a0"] == pytest.approx(0.01, rel=1e-14)
    assert made["coefficients"]["cos"]["1"] == pytest.approx(0.002, rel=1e-13)
    assert made["coefficients"]["sin"]["3"] == pytest.approx(0.001, rel=1e-13)
    assert made["area"] == pytest.approx(np.pi * 1e-4 * (1 + 0.02 + 0.005), rel=1e-13)
    assert json.loads(json.dumps(made)) == made


@pytest.mark.parametrize("angle", [0.0, 1.9])
def test_a_planar_shape_touches_where_its_function_says(angle):
    """A disc beside it, in a direction in which the outline is that of a circle about the origin: the gap is the overlap."""
    overlaps = []
    for depth in (1e-4, -1e-4):
        at = (0.01 + 0.004 - depth) * np.array([np.cos(angle), np.sin(angle)])
        sim = scree.Simulation(scene_of(2, {"round": scree.shape(lambda a: 0.01), "disc": {"type": "circle", "radius": 0.004}}, [
            {"shape": "round", "position": [0, 0]}, {"shape": "disc", "position": at}],
            interactions=[{"between": ["*", "*"], "detector": {"type": "nodes-to-surface"},
                           "law": {"type": "linear", "normal_stiffness": 1000}}]), threads=1)
        overlaps.append(max(sim.contacts()["overlap"], default=0))
    assert overlaps[0] == pytest.approx(1e-4, rel=0.05) and overlaps[1] <= 0


def bump(units):
    """A ball with one bump, in a direction that no symmetry has."""
    return 0.01 * (1 + 0.25 * np.exp(-6 * (1 - units @ BUMP)))


BUMP = np.array([0.36, -0.48, 0.8])


@pytest.mark.parametrize("signs, by", [((1, 1, 1), "radius"), ((1, 1, 1), "distance"), ((-1, 1, 1), "radius"),
                                       ((1, -1, 1), "radius"), ((1, 1, -1), "radius")])
def test_a_solid_has_its_bump_where_the_function_has_it(signs, by):
    """A ball 1 % of the radius within reach of the bump touches it there, and nowhere else."""
    direction = BUMP * signs
    made = (scree.shape3d(bump, degree=16) if by == "radius" else scree.shape3d(
        distance=lambda p: np.linalg.norm(p, axis=1) - bump(p / np.maximum(np.linalg.norm(p, axis=1), 1e-30)[:, None]),
        reach=0.02, degree=16))
    at = direction * (0.0125 + 0.004 - 1e-4)
    sim = scree.Simulation(scene_of(3, {"bumpy": made, "ball": {"type": "sphere", "radius": 0.004}}, [
        {"shape": "bumpy", "position": [0, 0, 0]}, {"shape": "ball", "position": at}]), threads=1)
    contacts = sim.contacts()
    touching = contacts[contacts["overlap"] > 0]
    if signs == (1, 1, 1):
        assert touching["overlap"].max() == pytest.approx(1e-4, rel=0.05)
        assert touching["normal"][0] == pytest.approx(direction, abs=0.02)
    else:
        assert len(touching) == 0


def test_a_series_gives_the_volume_of_the_solid():
    """A ball about another point, by the distance from it: its volume is known."""
    centre = np.array([0.001, -0.002, 0.0015])
    made = scree.shape3d(distance=lambda p: np.linalg.norm(p - centre, axis=1) - 0.008, reach=0.02)
    assert made["volume"] == pytest.approx(4 / 3 * np.pi * 0.008**3, rel=1e-6)


@pytest.mark.parametrize("call, text", [
    (lambda: scree.shape(lambda a: np.cos(a)), r"the radius is .* at the angle .* above 0 everywhere"),
    (lambda: scree.shape(lambda a: np.ones(3)), "has not given numbers of shape"),
    (lambda: scree.shape(lambda a: 1 + (a > 2), harmonics=10), "10 harmonics miss the radius by .* raise harmonics"),
    (lambda: scree.shape(lambda a: 1, harmonics=0), "harmonics is 0; 1 to 1000"),
    (lambda: scree.shape3d(), "either radius, or distance"),
    (lambda: scree.shape3d(lambda u: u[:, 0]), "in the direction"),
    (lambda: scree.shape3d(lambda u: 1 / np.abs(u).max(axis=1)), "degree 12 miss .* raise degree"),
    (lambda: scree.shape3d(distance=lambda p: p[:, 0] + 1), "reach is 0; with distance"),
    (lambda: scree.shape3d(distance=lambda p: p[:, 0] - 1, reach=0.5), "must be outside"),
    (lambda: scree.shape3d(lambda u: 1, degree=21), "degree is 21; 0 to 20"),
    (lambda: scree.motion(lambda t: [0], until=1), "a displacement of 3 numbers"),
    (lambda: scree.motion(lambda t: [0, 0, np.nan], until=1), "the pose at 0 s"),
    (lambda: scree.motion(lambda t: [0, 0, t], until=0), "until is 0"),
    (lambda: scree.motion(lambda t: ([0, 0, t], 1.0), until=1), "begins without a rotation"),
    (lambda: scree.motion(lambda t: [0, 0, np.sin(2 * np.pi * 200 * t)], until=1, samples=200),
     r"200 samples miss the function: at .* s by .* m, of a way of 0.9.* m. Leave samples out, or raise it, or raise tolerance, which is 0.01"),
    (lambda: scree.motion(lambda t: [0, 0, float(t > 0.3)], until=1), "10000 samples miss the function: at 0.3.*without jumps"),
    (lambda: scree.motion(lambda t: ([0, 0, 0], [np.cos(400 * t), 0, 0, np.sin(400 * t)]), until=1, samples=50), "50 samples .* rad, of a rotation"),
])
def test_mistakes_are_told(call, text):
    with pytest.raises(scree.InputError, match=text):
        call()


def test_a_motion_has_the_positions_of_its_function_at_its_samples():
    def path(t):
        return [0.1 * np.sin(7 * t), 0.2 * t**2, -0.05 * t]

    sim = scree.Simulation(scene_of(3, {"ball": {"type": "sphere", "radius": 0.01}}, [
        {"shape": "ball", "position": [1, 2, 3], "motion": scree.motion(path, until=1, samples=50)}]), threads=1)
    for k in range(1, 6):
        sim.run_until(0.02 * k)
        assert sim.bodies["position"][0] - [1, 2, 3] == pytest.approx(path(sim.time), abs=1e-12)


@pytest.mark.parametrize("frequency", [7, 200, 400])
def test_a_fast_motion_gets_the_samples_that_it_needs(frequency):
    """200 samples of 200 Hz in a second all see the same phase: the table was one of rest."""
    rows = scree.motion(lambda t: [0, 0, 0.01 * np.sin(2 * np.pi * frequency * t)], until=1)[0]["displacements"]
    way = np.array([r["displacement"][2] for r in rows])
    middle = (way[1:] + way[:-1]) / 2
    times = np.array([r["time"] for r in rows])
    between = 0.01 * np.sin(2 * np.pi * frequency * (times[1:] + times[:-1]) / 2)
    assert np.abs(middle - between).max() <= 0.0001 and way.max() == pytest.approx(0.01, rel=0.02)


def test_a_motion_has_the_orientations_of_its_function_at_its_samples():
    def turned(t):
        axis, angle = np.array([2, -1, 2]) / 3, 3 * t + t**2
        lean = np.array([np.cos(t / 3), np.sin(t / 3), 0, 0])
        return [0, 0, t], product([np.cos(angle / 2), *(np.sin(angle / 2) * axis)], lean)

    def product(p, q):
        (a, *u), (b, *v) = p, q
        return np.array([a * b - np.dot(u, v), *(a * np.array(v) + b * np.array(u) + np.cross(u, v))])

    sim = scree.Simulation(scene_of(3, {"ball": {"type": "sphere", "radius": 0.01}}, [
        {"shape": "ball", "motion": scree.motion(turned, until=2, samples=100)}]), threads=1)
    for k in (1, 2, 7):
        sim.run_until(0.02 * k)
        q = sim.bodies["orientation"][0]
        assert abs(q @ turned(sim.time)[1]) == pytest.approx(1, abs=1e-12)
        assert sim.bodies["position"][0] == pytest.approx([0, 0, sim.time])


def test_a_motion_in_the_plane_turns_by_its_angle():
    sim = scree.Simulation(scene_of(2, {"disc": {"type": "circle", "radius": 0.01}}, [
        {"shape": "disc", "motion": scree.motion(lambda t: ([t, 0], np.sin(t)), until=1, samples=100)}]), threads=1)
    sim.run_until(0.05)
    w, _, _, z = sim.bodies["orientation"][0]
    assert 2 * np.arctan2(z, w) == pytest.approx(np.sin(0.05), abs=1e-12)
    assert sim.bodies["angular_velocity"][0, 2] == pytest.approx((np.sin(0.05) - np.sin(0.04)) / 0.01, rel=0.02)
