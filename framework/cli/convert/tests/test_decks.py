"""Whole decks: what their scenes say, that scree accepts them, and that nothing is left out in silence."""

import math
import pathlib
import unittest

import support
from support import DeckTest, lammps, law_of, liggghts

FACET = "facet normal 0 0 1\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"


def square(z, half=1):
    """Returns an STL file of a square across z."""
    a, b, c, d = (f"{x * half} {y * half} {z}" for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return "solid square\n" + FACET.format(a, b, c) + FACET.format(a, c, d) + "endsolid square\n"


class Decks(DeckTest):
    def whole(self, deck, code=0):
        """Converts a deck, and checks that scree accepts the scene."""
        outcome = self.folder.convert(deck)
        self.assertEqual(outcome.code, code, outcome.out + outcome.err)
        if support.PROGRAM:
            checked, said = self.folder.check()
            self.assertEqual(checked, 0, said)
        return outcome

    def left(self, outcome):
        return " ".join(r["text"] + r["reason"] for r in outcome.remarks("left") + outcome.remarks("changed"))


class Liggghts(Decks):
    def test_hertz(self):
        scene = self.whole(liggghts("hertz tangential history rolling_friction cdt cohesion sjkr")).scene
        self.assertEqual(scene["materials"]["type_1"], {"density": 2500, "youngs_modulus": 5e6, "poisson_ratio": 0.3})
        law = law_of(scene, "type_1", "type_1")
        self.assertEqual(law, {"type": "hertz-mindlin", "restitution": 0.6, "friction": 0.4,
                               "rolling": {"model": "constant", "friction": 0.2},
                               "cohesion": {"model": "sjkr", "energy_density": 1000}})
        self.assertEqual(scene["gravity"], [0, 0, -9.81])
        self.assertEqual(scene["integrator"], {"type": "velocity-verlet", "dt": 1e-5})
        self.assertEqual(scene["run"], {"duration": 0.01})
        grains = scene["bodies"][0]
        self.assertEqual(grains["packing"]["number"], 100)
        self.assertEqual(scene["shapes"][grains["shape"]], {"type": "sphere", "radius": 0.004})

    def test_models_as_liggghts_2_wrote_them(self):
        new = self.whole(liggghts("hertz tangential history rolling_friction cdt cohesion sjkr")).scene
        old = liggghts("X").replace("pair_style gran model X", "pair_style gran/hertz/history 1 1 1")
        old = old.replace("wall/gran model X", "wall/gran/hertz/history rolling_friction cdt cohesion sjkr")
        scene = self.whole(old).scene
        self.assertEqual(scene["interactions"], new["interactions"])

    def test_rolling_models(self):
        # epsd: k_r = 2.25 (4/3 E* a)(mu R)^2 = s 2 E* a (mu R)^2; the dashpot has I_r = 7/10 m r^2 of two like spheres.
        rolling = law_of(self.whole(liggghts("hertz tangential history rolling_friction epsd")).scene,
                         "type_1", "type_1")["rolling"]
        self.assertAlmostEqual(rolling["stiffness"], 1.5, 12)
        self.assertAlmostEqual(rolling["damping"], 0.3 * 2, 12)
        wall = law_of(self.whole(liggghts("hertz tangential history rolling_friction epsd")).scene,
                      "type_1", "wall")["rolling"]
        self.assertAlmostEqual(wall["damping"], 0.3, 12)
        # epsd2: k_r = k_t R^2 = 8 G* a R^2. nu = 0.3: G*/E* = 0.7/(2 1.7), so s = 4 0.205882/0.04.
        rolling = law_of(self.whole(liggghts("hertz tangential history rolling_friction epsd2")).scene,
                         "type_1", "type_1")["rolling"]
        self.assertAlmostEqual(rolling["stiffness"], 4 * 0.7 / 3.4 / 0.04, 9)
        self.assertEqual(rolling["damping"], 0)

    def test_hooke_of_two_sizes(self):
        deck = liggghts("hooke tangential history").replace("discrete 15485867 1 pt 1.0", "discrete 1 2 pt 0.25 big 0.75")
        deck = deck.replace("fix pd ", "fix big all particletemplate/sphere 1 atom_type 1 density constant 2500 radius "
                            "constant 0.006\nfix pd ")
        scene = self.whole(deck).scene
        # E* = 5e6/(2 0.91) Pa; R, m of two spheres of 4 mm: 2 mm, half of 6.70206e-4 kg; v = 2 m/s.
        effective, mass = 5e6 / 1.82, 4 / 3 * math.pi * 0.004**3 * 2500
        k = 16 / 15 * math.sqrt(0.002) * effective * (15 * mass / 2 * 4 / (16 * math.sqrt(0.002) * effective)) ** 0.2
        law = law_of(scene, "type_1", "type_1")
        self.assertAlmostEqual(law["normal_stiffness"] / k, 1, 12)
        self.assertAlmostEqual(law["tangential_stiffness"] / k, 1, 12)
        z = -math.log(0.6) / math.hypot(math.pi, math.log(0.6))
        self.assertAlmostEqual(law["tangential_damping"] / (2 * z * math.sqrt(k * mass / 2)), 1, 12)
        self.assertGreater(law_of(scene, "type_1", "type_1_2")["normal_stiffness"], k)
        # Shares of mass: 0.25/m1 to 0.75/m2 of 100 bodies.
        numbers = [body["packing"]["number"] for body in scene["bodies"] if "packing" in body]
        self.assertEqual(numbers, [53, 47])

    def test_friction_without_history_has_the_same_dashpot(self):
        law = law_of(self.whole(liggghts("hooke tangential no_history")).scene, "type_1", "type_1")
        z = -math.log(0.6) / math.hypot(math.pi, math.log(0.6))
        mass = 4 / 3 * math.pi * 0.004**3 * 2500 / 2
        damping = 2 * z * math.sqrt(law["normal_stiffness"] * mass)
        self.assertAlmostEqual(law["tangential_stiffness"] * 1e-5 / damping, 1, 12)
        self.assertEqual(law["tangential"], "viscous")

    def test_units_of_cgs(self):
        deck = liggghts("hertz tangential history").replace("units si", "units cgs")
        for si, cgs in (("-0.05 0.05 -0.05 0.05 0 0.2", "-5 5 -5 5 0 20"), ("5e6", "5e7"), ("9.81", "981"),
                        ("constant 2500", "constant 2.5"), ("constant 0.004", "constant 0.4"),
                        ("-0.04 0.04 -0.04 0.04 0.01 0.19", "-4 4 -4 4 1 19")):
            deck = deck.replace(si, cgs)
        self.assertEqual(self.rounded(self.whole(deck).scene), self.rounded(
            self.whole(liggghts("hertz tangential history")).scene))

    def rounded(self, thing):
        if isinstance(thing, dict):
            return {key: self.rounded(value) for key, value in thing.items()}
        if isinstance(thing, list):
            return [self.rounded(value) for value in thing]
        return float(f"{thing:.10g}") if isinstance(thing, (int, float)) else thing

    def test_runs_that_change_something_are_stages(self):
        deck = liggghts("hertz tangential history") + (
            "unfix g\nrun 500\nfix g all gravity 9.81 vector 1 0 0\ntimestep 2e-5\nrun 2000 upto\nrun 100\n")
        scene = self.whole(deck).scene
        self.assertEqual([stage["until"] for stage in scene["stages"]], [{"steps": 1000}, {"steps": 500}, {"steps": 600}])
        self.assertEqual(scene["stages"][1]["change"], {"gravity": [0, 0, 0]})
        self.assertEqual(scene["stages"][2]["change"], {"gravity": [9.81, 0, 0], "integrator": {"dt": 2e-5}})
        self.assertNotIn("duration", scene.get("run", {}))

    def test_meshes_are_moved_scaled_and_turned_in_the_order_of_the_deck(self):
        self.folder.write("meshes/plate.stl", square(0, 30))
        deck = liggghts("hertz tangential history").replace("run 1000", (
            "fix cad all mesh/surface file meshes/plate.stl type 1 move 0 0 10 scale 0.001 rotate axis 0 1 0 angle 90\n"
            "fix cadwall all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad\n"
            "run 1000\nfix mv all move/mesh mesh cad linear 0 0 0.1\nrun 1000\nunfix mv\n"
            "fix mv all move/mesh mesh cad rotate origin 0 0 0 axis 0 0 2 period 0.5\nrun 1000"))
        scene = self.whole(deck).scene
        shape = next(s for s in scene["shapes"].values() if s["type"] == "mesh")
        self.assertEqual(shape["scale"], 0.001)
        # 10 mm along z, turned about y by 90 degrees: 10 mm along x.
        for got, wanted in zip(shape["translation"], (0.01, 0, 0)):
            self.assertAlmostEqual(got, wanted, 12)
        for got, wanted in zip(shape["rotation"], (0, math.pi / 2, 0)):
            self.assertAlmostEqual(got, wanted, 12)
        self.assertTrue((self.folder.out / shape["file"]).exists())
        motions = next(b for b in scene["bodies"] if b["name"] == "cad")["motion"]
        self.assertEqual(motions[0], {"velocity": [0, 0, 0.1], "start": 0.01, "stop": 0.02})
        self.assertAlmostEqual(motions[1]["angular_velocity"][2], 4 * math.pi, 12)
        self.assertEqual((motions[1]["start"], motions[1].get("stop")), (0.02, None))

    def test_walls_that_come_and_go_touch_only_then(self):
        deck = liggghts("hertz tangential history").replace("run 1000", (
            "run 1000\nfix lid all wall/gran model hertz tangential history primitive type 1 zplane 0.15\nrun 500\n"
            "unfix lid\nrun 500"))
        outcome = self.whole(deck, code=6)
        self.assertIn("find no room in it", self.left(outcome))
        scene = outcome.scene

        def pairs(interactions):
            return [i["between"] for i in interactions]

        self.assertNotIn(["type_1", "wall_lid"], pairs(scene["interactions"]))
        self.assertIn(["type_1", "wall_lid"], pairs(scene["stages"][1]["change"]["interactions"]))
        self.assertNotIn(["type_1", "wall_lid"], pairs(scene["stages"][2]["change"]["interactions"]))

    def test_streams_come_at_their_face(self):
        self.folder.write("face.stl", square(0.15, 0.02))
        deck = liggghts("hertz tangential history")
        start = deck.index("region fill")
        deck = deck[:start] + (
            "fix face all mesh/surface file face.stl type 1\n"
            "fix ins all insert/stream seed 1 distributiontemplate pd nparticles 500 massrate 0.2 vel constant 0 0 -1 "
            "overlapcheck yes insertion_face face extrude_length 0.05\nfix nve all nve/sphere\nrun 1000\nunfix ins\nrun 1000\n")
        hook = self.whole(deck).scene["hooks"][0]
        self.assertEqual(hook["region"], {"type": "box", "lower": [-0.02, -0.02, 0.15], "upper": [0.02, 0.02, 0.15]})
        self.assertEqual((hook["mass_rate"], hook["number"], hook["stop"]), (0.2, 500, 0.01))

    def test_a_region_that_is_filled_up_again_is_kept_so(self):
        deck = liggghts("hertz tangential history").replace("insert_every once", "insert_every 200")
        hook = self.whole(deck).scene["hooks"][0]
        self.assertEqual((hook["keep"], hook["number"], hook["interval"]), (True, 100, 200 * 1e-5))
        # all_in: places keep a radius from the sides, but all centres in the region count.
        self.assertEqual(hook["region"]["lower"], [-0.036, -0.036, 0.014])
        self.assertEqual(hook["keep_region"]["lower"], [-0.04, -0.04, 0.01])

    def test_finnies_wear_is_summed_by_the_work_of_contacts(self):
        self.folder.write("plate.stl", square(0.05, 0.02))
        deck = liggghts("hertz tangential history").replace("run 1000", (
            "fix m8 all property/global k_finnie peratomtypepair 1 0.5\n"
            "fix cad all mesh/surface/stress file plate.stl type 1 wear finnie\n"
            "fix cadwall all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad\nrun 1000"))
        hook = next(h for h in self.whole(deck).scene["hooks"] if h["type"] == "mesh-wear")
        # depth = 2 k f v F dt/area; the scene's is 2 f v F dt/(4 p area).
        self.assertEqual(hook["finnie"], {"flow_stress": 0.5, "chip_ratio": 2, "force_ratio": 2, "by": "work"})
        self.assertEqual((hook["bodies"], hook["interval"]), (["cad"], 1e-5))
        outcome = self.whole(deck.replace("fix m8 all property/global k_finnie peratomtypepair 1 0.5\n", ""), code=6)
        self.assertIn("Wear is not computed: the property k_finnie is missing", self.left(outcome))

    def test_walls_that_come_later_far_from_new_particles_are_no_difference(self):
        self.folder.write("plate.stl", square(0.195, 0.02))
        deck = liggghts("hertz tangential history").replace("0.01 0.19", "0.01 0.15").replace("run 1000", (
            "run 1000\nfix cad all mesh/surface file plate.stl type 1\n"
            "fix cadwall all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad\nrun 1000"))
        self.whole(deck)
        self.folder.write("plate.stl", square(0.1, 0.02))
        self.assertIn("find no room in it", self.left(self.whole(deck, code=6)))

    def test_heat_flows_as_much_as_by_the_root_of_the_area(self):
        deck = liggghts("hertz tangential history").replace("run 1000", (
            "fix k all property/global thermalConductivity peratomtype 100\n"
            "fix c all property/global thermalCapacity peratomtype 10\n"
            "fix h all heat/gran initial_temperature 300\n"
            "fix lid all wall/gran model hertz tangential history primitive type 1 zplane 0.2 temperature 400\n"
            "run 1000\nregion half block 0 INF INF INF INF INF units box\nset region half property/atom Temp 800.\n"
            "run 500\nset region half property/atom heatSource -1.5\nrun 500"))
        hook = next(h for h in self.whole(deck).scene["hooks"] if h["type"] == "heat")
        self.assertEqual({m["material"]: m["heat_capacity"] for m in hook["materials"]}, {"type_1": 10, "wall": 10})
        for material in hook["materials"]:
            self.assertAlmostEqual(material["conductivity"] / 100, math.pi**0.5, 12)
        self.assertEqual((hook["radius"], hook["interval"], hook["temperature"]), ("overlap", 1e-5, 300))
        self.assertEqual(hook["conditions"], [{"bodies": "floor", "insulated": True},
                                              {"bodies": "lid", "temperature": 400, "fixed": True}])
        half = {"type": "box", "lower": [0, -0.05, 0], "upper": [0.05, 0.05, 0.2]}
        self.assertEqual(hook["changes"], [{"time": 0.01, "region": half, "temperature": 800},
                                           {"time": 0.015, "region": half, "source": -1.5}])
        for gone, said in (("fix c all property/global thermalCapacity peratomtype 10\n", "thermalCapacity is missing"),):
            self.assertIn(said, self.left(self.whole(deck.replace(gone, ""), code=6)))
        bad = self.folder.convert(deck.replace("fix h all heat/gran initial_temperature 300\n", ""))
        self.assertEqual(bad.code, 2)
        self.assertIn("has no fix heat/gran", bad.err)

    def test_what_has_no_counterpart_is_named(self):
        deck = liggghts("hertz tangential history").replace("run 1000", (
            "fix grow all adapt 40 atom diameter v_x\n"
            "frobnicate all\nfix x all property/global k_bond peratomtypepair 1 1\nrun 1000"))
        outcome = self.whole(deck, code=6)
        for name in ("adapt", "frobnicate", "k_bond"):
            self.assertIn(name, self.left(outcome))
        self.assertIn("in.deck:", (self.folder.out / "report.txt").read_text())
        self.assertIn("See report.txt", outcome.scene["description"])

    def test_no_word_is_left_out_in_silence(self):
        # A word more in any line is refused or reported, but for commands that change no physics.
        deck = liggghts("hertz tangential history rolling_friction epsd2 cohesion sjkr")
        lines = [line for line in deck.splitlines() if line]
        for i, line in enumerate(lines):
            if line.split()[0] in ("newton", "pair_coeff"):
                continue
            code = self.folder.convert_here("\n".join([*lines[:i], line + " nonsense", *lines[i + 1:]]) + "\n")
            self.assertIn(code, (2, 6), line)

    def test_bad_decks_are_errors_with_their_place(self):
        for old, new, said in (
            ("units si", "units furlong", "in.deck:5: units 'furlong' are not converted. Known: si, cgs"),
            ("timestep 1e-5", "timestep -1", "in.deck:18: the time step must be above 0."),
            ("timestep 1e-5", "timestep fast", "in.deck:18: the time step is 'fast'; a number is needed."),
            ("run 1000", "", "the deck has no run command"),
            ("coefficientRestitution peratomtypepair 1 0.6", "coefficientRestitution peratomtypepair 1 1.6",
             "coefficients of restitution lie above 0"),
            ("insert_every once", "insert_every -5", "insert_every must be 0 or above"),
            ("zplane 0.0", "zplane 0.0 temperature -4", "in.deck:20: the temperature must be above 0."),
            ("run 1000", "fix h all heat/gran\nrun 1000", "heat/gran needs an initial_temperature above 0"),
            ("run 1000", "unfix nothing\nrun 1000", "there is no fix 'nothing'"),
        ):
            outcome = self.folder.convert(liggghts("hertz tangential history").replace(old, new))
            self.assertEqual(outcome.code, 2)
            self.assertIn(said, outcome.err)
            self.assertFalse(self.folder.out.exists())


class Lammps(Decks):
    def test_hooke(self):
        scene = self.whole(lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1")).scene
        mass = 4 / 3 * math.pi * 0.001**3 * 2500
        z = 2000 / 2 * math.sqrt(mass / 2 / 1000)
        law = law_of(scene, "type_1", "type_1")
        self.assertAlmostEqual(law["restitution"], math.exp(-math.pi * z / math.sqrt(1 - z * z)), 12)
        self.assertAlmostEqual(law["tangential_stiffness"], 2000 / 7, 9)
        self.assertAlmostEqual(law["tangential_damping"], mass / 2 * 1000, 12)
        self.assertAlmostEqual(law_of(scene, "type_1", "wall")["tangential_damping"], mass * 1000, 12)
        self.assertEqual(scene["periodic"], {"x": [0, 0.02], "y": [0, 0.02]})

    def test_dashpots_across_alone(self):
        scene = self.whole(lammps("gran/hooke/history 1000 NULL 0 800 0.5 1")).scene
        mass = 4 / 3 * math.pi * 0.001**3 * 2500
        law = law_of(scene, "type_1", "type_1")
        self.assertEqual(law["normal_damping"], 0)
        self.assertAlmostEqual(law["tangential_damping"], mass / 2 * 800, 12)
        outcome = self.whole(lammps("gran/hertz/history 1e6 NULL 0 800 0.5 1"), code=6)
        self.assertIn("across without one along the normal", self.left(outcome))

    def test_dashpots_count_the_mass_of_held_spheres_but_for_fix_freeze(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace("create_box 1", "create_box 2").replace(
            "set group", "create_atoms 2 single 0.002 0.002 0.05\nset group")
        mass = 4 / 3 * math.pi * 0.001**3 * 2500
        for held, counted in (("fix f b freeze\nfix nve a nve/sphere", mass), ("fix nve a nve/sphere", mass / 2)):
            scene = self.whole(deck.replace("fix nve all nve/sphere", "group a type 1\ngroup b type 2\n" + held)).scene
            law = law_of(scene, "type_1", "type_2_fixed")
            z = 2000 * counted / 2 / math.sqrt(mass * 1000)
            self.assertAlmostEqual(law["restitution"], math.exp(-math.pi * z / math.sqrt(1 - z * z)), 12)
            self.assertAlmostEqual(law["tangential_damping"], counted * 1000, 12)

    def test_granular(self):
        model = "hertz/material 1e7 0.7 0.3 tangential mindlin NULL 1.0 0.5 damping tsuji twisting marshall"
        scene = self.whole(lammps("granular", model, "granular " + model)).scene
        law = law_of(scene, "type_1", "type_1")
        self.assertEqual(law["twisting"], {"friction": 0.5})
        self.assertAlmostEqual(law["youngs_modulus"] / 1e7, 1, 12)
        self.assertAlmostEqual(law["poisson_ratio"], 0.3, 12)

    def test_a_density_before_the_diameter_is_that_of_the_old_size(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace(
            "diameter 0.002 density 2500", "density 2500 diameter 0.002")
        outcome = self.folder.convert(deck)
        density = outcome.scene["materials"]["type_1"]["density"]
        self.assertAlmostEqual(density * 0.002**3 / 2500, 1, 9)

    def test_frozen_spheres_and_those_that_nothing_integrates_are_fixed(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace("create_box 1", "create_box 3")
        deck = deck.replace("set group", "create_atoms 2 single 0.002 0.002 0.05\ncreate_atoms 3 single 0.004 0.01 0.06\nset group")
        deck = deck.replace("fix nve all", "group a type 1 2\ngroup b type 2\nfix f b freeze\nfix nve a")
        deck += "unfix f\nrun 1000\n"
        scene = self.whole(deck).scene
        fixed = {body["name"]: body.get("fixed", False) for body in scene["bodies"]}
        self.assertEqual((fixed["spheres_1"], fixed["spheres_2"], fixed["spheres_3"]), (False, True, True))
        self.assertEqual(scene["stages"][1]["change"]["bodies"], {"spheres_2": {"fixed": False}})

    def test_a_drum_turns_as_its_variable_says(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace("boundary p p f", "boundary f f f").replace(
            "fix wall all wall/gran hooke/history 1000 NULL 2000 NULL 0.5 1 zplane 0 NULL",
            "variable angle equal 2*PI*step/4000\n"
            "region drum cylinder y 0.01 0.01 0.01 0 0.02 rotate v_angle 0.01 0 0.01 0 1 0\n"
            "fix wall all wall/gran/region hooke/history 1000 NULL 2000 NULL 0.5 1 region drum")
        drum = next(b for b in self.whole(deck).scene["bodies"] if b["name"] == "wall")
        self.assertAlmostEqual(drum["motion"][0]["angular_velocity"][1], 2 * math.pi / 4e-3, 6)
        self.assertEqual(drum["motion"][0]["centre"], [0.01, 0, 0.01])

    def test_pouring(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace(
            "fix nve", "region top block 0.004 0.016 0.004 0.016 0.06 0.09\n"
            "fix ins all pour 300 1 4711 region top diam range 0.001 0.002 dens 2500 2500 vol 0.2 50 vel 0 0 0 0 -0.5\nfix nve")
        outcome = self.whole(deck, code=6)  # spread sizes
        self.assertIn("mean size", self.left(outcome))
        hook = outcome.scene["hooks"][0]
        # A fall of 0.03 m from -0.5 m/s; 0.2 of the region in spheres of the mean volume.
        time = (-0.5 + math.sqrt(0.25 + 2 * 9.81 * 0.03)) / 9.81
        mean = 4 / 3 * math.pi * (0.0005 + 0.001) * (0.0005**2 + 0.001**2) / 4
        self.assertAlmostEqual(hook["number_rate"], int(0.2 * 0.012 * 0.012 * 0.03 / mean) / time, 6)
        self.assertEqual(hook["velocity"], [0, 0, -0.5])
        self.assertEqual(hook["region"]["lower"][2], 0.09)

    def test_many_spheres_are_a_table_beside_the_scene(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace(
            "create_atoms 1 single 0.01 0.01 0.0011", "lattice sc 0.0025\nregion many block 0 0.02 0 0.02 0.01 0.05 units box\n"
            "create_atoms 1 region many").replace("0.01 0.01 0.0033", "0.01 0.01 0.0033 units box")
        packing = self.whole(deck).scene["bodies"][0]["packing"]
        rows = (self.folder.out / packing["file"]).read_text().splitlines()
        # 8 x 8 places across, since the sides are periodic, 17 above each other, and one alone.
        self.assertEqual((rows[0], len(rows)), ("x,y,z,scale", 8 * 8 * 17 + 2))

    def test_data_files(self):
        self.folder.write("data.two", "two spheres\n\n2 atoms\n1 atom types\n0 0.02 xlo xhi\n0 0.02 ylo yhi\n0 0.1 zlo zhi\n\n"
                          "Atoms # sphere\n\n1 1 0.002 2500 0.01 0.01 0.0011\n2 1 0.004 2500 0.01 0.01 0.05 0 0 0\n\n"
                          "Velocities\n\n2 0 0 -0.1 0 5 0\n")
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1")
        start, end = deck.index("region domain"), deck.index("pair_style")
        scene = self.whole(deck[:start] + "read_data data.two\n" + deck[end:]).scene
        places = [body["packing"]["places"] for body in scene["bodies"] if "packing" in body]
        self.assertEqual(places[1], [{"position": [0.01, 0.01, 0.05], "velocity": [0, 0, -0.1], "angular_velocity": [0, 5, 0]}])
        self.folder.write("data.two", "two spheres\n\n0 0.02 xlo xhi\n\nAtoms\n\n1 1 0.002\n")
        bad = self.folder.convert(deck[:start] + "read_data data.two\n" + deck[end:])
        self.assertEqual(bad.code, 2)
        self.assertIn("data.two:7: 7 or 10 columns are needed", bad.err)

    def test_two_dimensions_are_a_layer_in_three(self):
        deck = lammps("gran/hooke/history 1000 NULL 2000 NULL 0.5 1").replace("atom_style", "dimension 2\natom_style")
        deck = deck.replace("boundary p p f", "boundary p f p").replace("zplane", "yplane").replace("0 0.1\n", "-0.5 0.5\n")
        deck = deck.replace("vector 0 0 -1", "vector 0 -1 0").replace("0.01 0.01 0.0011", "0.01 0.0011 0")
        scene = self.whole(deck.replace("0.01 0.01 0.0033", "0.01 0.0033 0")).scene
        self.assertEqual(scene["periodic"], {"x": [0, 0.02]})
        self.assertTrue(all(p["position"][2] == 0 for b in scene["bodies"] if "packing" in b for p in b["packing"]["places"]))


if __name__ == "__main__":
    assert pathlib
    unittest.main()
