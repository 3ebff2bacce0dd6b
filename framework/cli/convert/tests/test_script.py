"""The flow of scripts: variables, loops, conditions, includes; and scripts that mean harm."""

import os
import unittest

from support import DeckTest, liggghts

def deck(before=""):
    """Returns a deck whose gravity is the variable g, which `before` sets."""
    return before + "\n" + liggghts("hertz tangential history").replace("gravity 9.81", "gravity ${g}")


class Flow(DeckTest):
    def gravity(self, before, *options, code=0):
        outcome = self.folder.convert(deck(before), *options)
        self.assertEqual(outcome.code, code, outcome.err + outcome.out)
        return -outcome.scene["gravity"][2]

    def test_formulas_follow_the_order_of_lammps(self):
        cases = {
            "2+3*4^2": 50, "-2^2": 4, "2^3^2": 64, "10%4": 2, "(1<2)*3": 3, "1==1&&2>3||1": 1, "sqrt(16)+ln(exp(2))": 6,
            "log(1000)": 3, "round(2.5)": 3, "abs(-4)": 4, "PI/PI+1": 2, "ternary(1,5,6)": 5, "1.5e1": 15, ".5*4": 2,
        }
        for formula, value in cases.items():
            with self.subTest(formula):
                self.assertAlmostEqual(self.gravity(f'variable g equal "{formula}"'), value, 10)

    def test_variables_are_put_in_by_all_forms(self):
        self.assertEqual(self.gravity("variable a equal 2\nvariable g equal $a*${a}+v_a+$(v_a^2)"), 10)

    def test_text_variables_and_formats(self):
        self.assertEqual(self.gravity("variable a string 4\nvariable g equal $(v_a*2:%.1f)"), 8)

    def test_a_loop_is_unrolled(self):
        text = "variable g equal 0\nvariable i loop 5\nlabel top\nvariable g equal ${g}+$i\nnext i\njump SELF top"
        self.assertEqual(self.gravity(text), 15)

    def test_an_index_is_walked_and_given_from_outside(self):
        text = "variable g equal 0\nvariable a index 3 4\nlabel on\nvariable g equal ${g}*10+$a\nnext a\njump SELF on"
        self.assertEqual(self.gravity(text), 34)
        self.assertEqual(self.gravity("variable g index 3", "--var", "g", "7"), 7)

    def test_what_the_user_gives_counts_and_loops_can_be_left(self):
        self.assertEqual(self.gravity("variable g equal 3", "--var", "g", "7"), 7)
        text = ('variable g equal 0\nvariable i loop 100\nlabel top\nif "$i > 4" then "jump SELF out"\n'
                "variable g equal ${g}+$i\nnext i\njump SELF top\nlabel out\nvariable i delete")
        self.assertEqual(self.gravity(text), 10)

    def test_conditions_choose_commands_and_jumps(self):
        text = 'variable a equal 3\nvariable g equal 1\nif "$a > 2 && ${a} != 4" then "variable g equal 5" else "quit"'
        self.assertEqual(self.gravity(text), 5)
        text = 'variable w string soft\nif "${w} == hard" then "variable g equal 1" elif "${w} == soft" "variable g equal 2"'
        # elif stands without then, as in LAMMPS.
        outcome = self.folder.convert(deck("variable g equal 3\n" + text))
        self.assertIn(outcome.code, (0, 2))

    def test_includes_continuations_comments_and_quotes(self):
        self.folder.write("parts/more.txt", "variable g equal & # a comment\n  2*3\n")
        self.assertEqual(self.gravity("include parts/more.txt # and on"), 6)

    def test_what_is_known_in_a_run_only_is_named(self):
        outcome = self.folder.convert(deck("variable g equal c_1*2"))
        self.assertEqual(outcome.code, 6)
        self.assertIn("c_1 is known during a run only", outcome.remarks("left")[0]["reason"])


class Harm(DeckTest):
    def refused(self, text, *words, code=2):
        outcome = self.folder.convert(text)
        self.assertEqual(outcome.code, code, outcome.out + outcome.err)
        self.assertNotIn("Traceback", outcome.err)
        for word in words:
            self.assertIn(word, outcome.err)
        if code == 2:
            self.assertFalse(outcome.folder.exists())
        return outcome

    def test_loops_without_end_end(self):
        self.refused("label a\njump SELF a\n", "in.deck:", "has not ended")

    def test_a_deck_that_includes_itself(self):
        self.refused("include in.deck\n", "include each other")

    def test_loops_of_too_many_turns(self):
        self.refused("variable i loop 1000000000000\n", "turns at most")
        self.refused("variable i loop 900000\nlabel a\nnext i\njump SELF a\n", "has not ended")

    def test_files_outside_are_not_read_and_not_shown(self):
        secret = self.folder.path.parent / "secret.txt"
        secret.write_text("variable secret_word equal 1\nboom secret_word\n")
        for text in ("include ../secret.txt\n", f"include {secret}\n", "variable a file ../secret.txt\n"):
            outcome = self.refused(text, "outside of the deck's folder", "--allow-path")
            self.assertNotIn("secret_word", outcome.err + outcome.out)
        os.symlink(secret, self.folder.path / "link.txt")
        self.refused("include link.txt\n", "outside of the deck's folder")
        outcome = self.folder.convert("include ../../../../../../../etc/passwd\n")
        self.assertEqual(outcome.code, 2)
        self.assertNotIn("root:", outcome.err + outcome.out)

    def test_a_mesh_that_is_none_is_not_copied(self):
        self.folder.write("notes.txt", "my password\n")
        text = liggghts("hertz tangential history") + "fix m all mesh/surface file notes.txt type 1\n"
        outcome = self.refused(text, "no surface in an STL, OBJ or PLY file")
        self.assertNotIn("password", outcome.err)

    def test_programs_are_never_run(self):
        mark = self.folder.path / "mark"
        text = liggghts("hertz tangential history").replace("run 1000", f"shell touch {mark}\npython f input 1\nrun 1000")
        outcome = self.refused(text, code=0)
        self.assertFalse(mark.exists())
        self.assertIn("never run", outcome.out)

    def test_binary_files_pipes_and_garbage(self):
        self.refused(b"\x7fELF\0\1\2".decode("latin1"), "bytes of value 0")
        os.mkfifo(self.folder.path / "pipe")
        self.refused("include pipe\n", "no regular file")
        self.refused("include /dev/zero\n", "outside")
        self.refused('units "si\n', "a quote is not closed")
        self.refused("\x01\x02\x03 ~~~ ${\n", "is not closed")

    def test_formulas_that_grow(self):
        for formula in ("9^9^9^9", "(" * 500 + "1" + ")" * 500, "1/0", "sqrt(-1)", "exp(1e9)", "-" * 3000 + "1"):
            outcome = self.refused(f'variable g equal "{formula}"\n' + liggghts("hertz tangential history").replace(
                "gravity 9.81", "gravity ${g}"), code=6)
            self.assertTrue(outcome.remarks("left"))
        self.refused("variable a equal v_b\nvariable b equal v_a\nvariable g equal 1\nfix g all gravity ${a} vector 0 0 -1\n")
        text = "variable a string xxxxxxxxxxxxxxxxxxxx\n" + "variable a string ${a}${a}${a}${a}${a}${a}\n" * 30
        self.refused(text.replace("variable a string $", "variable a delete\nvariable a string $"))
        doubled = "variable a0 string xxxxxxxxxx\n" + "".join(
            f"variable a{i + 1} string ${{a{i}}}${{a{i}}}\n" for i in range(60))
        self.refused(doubled, "longer than")

    def test_names_that_are_paths_stay_in_the_folder(self):
        facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        self.folder.write("a.stl", "solid a\n" + facet + "endsolid\n")
        text = liggghts("hertz tangential history").replace(
            "run 1000", "fix ../../x all mesh/surface file a.stl type 1\nfix w all wall/gran model hertz tangential history "
            "mesh n_meshes 1 meshes ../../x\nrun 1000")
        outcome = self.refused(text, code=0)
        self.assertEqual(len(list(outcome.folder.iterdir())), 4)
        self.assertEqual([p for p in self.folder.path.parent.iterdir() if p.name != "decks"], [])

    def test_a_folder_that_is_there_is_kept(self):
        (self.folder.path / "converted_1").mkdir()
        outcome = self.folder.convert(liggghts("hertz tangential history"))
        self.assertEqual(outcome.code, 2)
        self.assertIn("nothing is overwritten", outcome.err)


if __name__ == "__main__":
    unittest.main()
