"""What all tests share: scenes that are small and quick."""

import copy
import os
import pathlib
import sys

import pytest

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when the library is loaded
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import scree  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]

PILE = {
    "name": "pile",
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "materials": {"glass": {"density": 2500}, "wall": {}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.005},
               "box": {"type": "box", "half_sizes": [0.03, 0.03, 0.1], "inside": True}},
    "bodies": [
        {"name": "beads", "shape": "bead", "material": "glass",
         "packing": {"type": "lattice", "lower": [-0.02, -0.02, 0.007], "counts": [4, 4, 4], "spacing": 0.0131,
                     "jitter": "free"}},
        {"name": "box", "shape": "box", "material": "wall", "fixed": True, "position": [0, 0, 0.1]},
    ],
    "interactions": [{"between": ["*", "*"],
                      "law": {"type": "linear", "normal_stiffness": 5000, "normal_damping": 0.6, "tangential": "spring",
                              "tangential_stiffness": 2500, "friction": 0.4}}],
    "integrator": {"type": "velocity-verlet", "dt": 5e-05},
    "output": {"interval": 0.05, "metrics_interval": 0.01, "writers": []},
    "run": {"duration": 0.1},
}


def has_vtk():
    """Whether this build writes frames and draws pictures."""
    return any(method["name"] == "vtk" for method in scree.plugins())


@pytest.fixture
def pile():
    """64 beads that fall into a box, as a dict of the test's own."""
    return copy.deepcopy(PILE)


@pytest.fixture
def sim(pile):
    """The simulation of ``pile``, on one thread."""
    return scree.Simulation(pile, threads=1)
