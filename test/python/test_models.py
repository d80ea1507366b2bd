# SPDX-License-Identifier: Apache-2.0
"""Models from files and texts, results, errors: against closed forms, and against the command."""
import csv
import html
import math
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import carom

COMMAND = os.environ.get("CAROM_COMMAND")
BALL = """carom: 1
name: ball
parameters: {g: 9.81, e: 0.5, h: 1}
coordinates: {y: {start: h}}
kinetic: der(y)^2/2
potential: g*y
contacts: [{name: floor, gap: y, restitution: e}]
run: {scheme: event_driven, tolerance: 1e-10, end: 0.6}
draw: [{disc: [0, y], radius: 0.1}]
"""


class Models(unittest.TestCase):
    def test_a_ball_falls_and_bounces_as_it_must(self):
        r = carom.Model.from_string(BALL).run()
        fall = math.sqrt(2 / 9.81)
        impacts = r.events[r.events["kind"] == "impact"]
        self.assertTrue(r.success, r.message)
        self.assertAlmostEqual(impacts["t"][0], fall, delta=1e-9)
        self.assertAlmostEqual(impacts["rate_after"][0], 0.5 * 9.81 * fall, delta=1e-8)
        self.assertEqual(impacts["contact"][0], "floor")
        after = 0.6 - fall
        self.assertAlmostEqual(r["y"][-1], 0.5 * 9.81 * fall * after - 0.5 * 9.81 * after**2, delta=1e-8)
        self.assertAlmostEqual(r.audit.impact_loss, 0.75 * 9.81, delta=1e-7)

    def test_parameters_and_starts_change_what_depends_on_them(self):
        model = carom.Model.from_string(BALL, "ball.yaml", e=0.25)
        self.assertEqual(model.contacts[0].restitution, 0.25)
        model.set(h="g/9.81*2", e=np.float64(1)).start({"der(y)": -3})
        self.assertEqual(model.start_q.tolist(), [2.0])
        self.assertEqual(model.start_u.tolist(), [-3.0])
        self.assertEqual(model.contacts[0].restitution, 1.0)
        self.assertEqual(model.number("2*h"), 4.0)

    def test_a_change_that_is_wrong_leaves_the_model_as_it_was(self):
        model = carom.Model.from_string(BALL).set(h=3)
        for wrong in ({"hh": 1}, {"e": 2}, {"h": "1/0"}, {"h": float("nan")}):
            with self.assertRaises(carom.InputError):
                model.set(wrong)
        self.assertEqual(model.start_q.tolist(), [3.0])
        self.assertTrue(model.run().success)

    def test_errors_have_file_line_and_column(self):
        with self.assertRaises(carom.InputError) as caught:
            carom.Model.from_string(BALL.replace("g*y", "g*z"), "folder/ball.yaml")
        why = caught.exception
        self.assertEqual((why.file, why.line, why.column), ("folder/ball.yaml", 6, 14))
        self.assertEqual(str(why), f"folder/ball.yaml:6:14: {why.what}")
        self.assertIn("'z'", why.what)
        self.assertIsInstance(why, ValueError)
        with self.assertRaises(carom.InputError) as caught:
            carom.Model.from_string(BALL).set(gg=1)
        self.assertEqual((caught.exception.file, caught.exception.line), ("set gg", None))
        with self.assertRaises(carom.CaromError):
            carom.Model.from_file("/nowhere/model.yaml")
        with self.assertRaises(carom.FileError):
            carom.Model.from_file("no-such-model")
        with self.assertRaises(carom.InputError):
            carom.Model.from_string("carom: 1\0")

    def test_every_bad_model_has_its_place(self):
        n = 0
        for path in sorted((Path(__file__).resolve().parents[1] / "bad-models").glob("*.yaml")):
            with open(path, errors="replace") as file:
                expected = re.match(r"# expect: (\d+):(\d+): ", file.readline())
            if not expected:
                continue
            with self.assertRaises(carom.InputError, msg=path.name) as caught:
                carom.Model.from_file(path).run()
            why = caught.exception
            self.assertEqual((why.line, why.column), (int(expected[1]), int(expected[2])), str(why))
            self.assertEqual(str(why), f"{why.file}:{why.line}:{why.column}: {why.what}")
            n += 1
        self.assertGreater(n, 300)

    def test_options_of_a_run_are_checked(self):
        model = carom.Model.from_string(BALL)
        for wrong in ({"scheme": "moreau"}, {"step": -1}, {"step": "abc"}, {"end": 0}, {"every": 0}, {"solver": "x"},
                      {"step": 1e-3, "tolerance": 1e-3}, {"options": {"nothing": 1}}, {"limits": {"nothing": 1}}):
            with self.assertRaises(carom.InputError, msg=str(wrong)):
                model.run(**wrong)
        with self.assertRaises(TypeError):
            model.run(stepp=1)
        with self.assertRaises(carom.InputError) as caught:
            carom.Model.from_string(BALL.replace("run:", "#")).run(end=1)
        self.assertIn("no time step", str(caught.exception))

    def test_files_in_other_folders_are_read_where_that_is_allowed(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
            part = Path(elsewhere) / "part.yaml"
            part.write_text("carom: 1\nparameters: {extra: 7}\n")
            text = BALL + f"include: [{part}]\n"
            path = Path(folder) / "ball.yaml"
            path.write_text(text)
            with self.assertRaises(carom.InputError):
                carom.Model.from_file(path).run()
            self.assertEqual(carom.Model.from_file(path, carom.Access(folders=[elsewhere])).number("extra"), 7)
        with self.assertRaises(carom.InputError):
            carom.Model.from_string(BALL, "ball.yaml", carom.Access({"nodes": 3}))

    def test_all_shipped_models_are_there(self):
        self.assertIn("slider-crank", carom.models())
        self.assertEqual(carom.Model.from_file("rover").sizes.nq, len(carom.Model.from_file("rover").coordinates))


class AgainstTheCommand(unittest.TestCase):
    """The same numbers, to the last bit."""

    def compare(self, model, given, arguments, **options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.csv")
            subprocess.run([COMMAND, "run", model, "-q", "-o", path, *arguments], check=True, capture_output=True)
            with open(path, newline="") as file:
                head, *rows = csv.reader(file)
        r = carom.Model.from_file(model, **given).run(**options)
        self.assertEqual(r.columns, head)
        self.assertEqual(len(r), len(rows))
        self.assertTrue(np.array_equal(r.rows, np.array(rows, dtype=float), equal_nan=True))

    def test_fixed_steps(self):
        self.compare("slider-crank", {"mu": 0.02}, ["--set", "mu=0.02", "--end", "0.02"], end=0.02)

    def test_another_scheme_than_the_file_with_options(self):
        self.compare("bouncing-ball", {}, ["--scheme", "event_driven", "--tolerance", "1e-8", "--output-step", "0.05"],
                     scheme="event_driven", tolerance=1e-8, output_step=0.05)
        self.compare("slider-crank", {}, ["--scheme", "nonsmooth_gen_alpha", "--step", "1e-4", "--end", "0.01",
                                          "--option", "rho=0.7", "--every", "3"],
                     scheme="nonsmooth_gen_alpha", step=1e-4, end=0.01, options={"rho": 0.7}, every=3)

    def test_step_control(self):
        self.compare("slider-crank", {}, ["--scheme", "moreau_jean", "--step", "auto", "--end", "0.01"],
                     scheme="moreau_jean", step="auto", end=0.01)


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = carom.Model.from_file("slider-crank")
        cls.r = cls.model.run(end=0.02, step=1e-4)

    def test_groups_are_the_columns(self):
        r = self.r
        self.assertEqual(r.q.shape, (201, 3))
        self.assertTrue(np.array_equal(r.q[:, 0], r["th1"]))
        self.assertTrue(np.array_equal(r.u[:, 2], r["der_th3"]))
        self.assertTrue(np.array_equal(r.gaps[:, 1], r["gap_c2"]))
        self.assertTrue(np.array_equal(r.P[:, 3], r["P_c4"]))
        self.assertEqual(r.group("nothing").shape, (201, 0))
        self.assertAlmostEqual(r.t[-1], 0.02)
        self.assertFalse(r.rows.flags.writeable)
        with self.assertRaises(KeyError) as caught:
            r["th11"]
        self.assertIn("th1", str(caught.exception))

    def test_contacts_that_come_and_go_have_lines(self):
        r = carom.Model.from_string("""carom: 1
gravity: [0, 0, -9.81]
bodies:
  a: {density: 500, at: [0, 0, 0.2], shape: {box: [0.2, 0.2, 0.2]}, material: m}
  b: {density: 500, at: [0, 0, 0.5], shape: {sphere: [0, 0, 0], radius: 0.1}, material: m}
  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}, material: m}
materials: [{between: [m, m], friction: 0.3}]
detection: {lasting: 0}
""").run(step=1e-3, end=0.6)
        lines = r.touches
        self.assertGreater(len(lines), 100)
        self.assertTrue(np.array_equal(np.unique(r.t[lines["step"]] - lines["t"]), [0]))
        last = lines[lines["step"] == len(r) - 1]
        weight = 9.81 * 500 * (0.2**3 + 4 / 3 * math.pi * 0.1**3)
        below = last[(last["body"] == 0).any(axis=1)]
        self.assertAlmostEqual(below["P"].sum() / 1e-3, weight, delta=1e-6 * weight)
        self.assertTrue(np.allclose(np.abs(below["normal"][:, 2]), 1))
        self.assertEqual(len(self.r.touches), 0)

    def test_the_frame_of_a_notebook_holds_the_page(self):
        frame = self.r._repr_html_()
        inside = html.unescape(frame[frame.index('"') + 1:frame.index('" sandbox')])
        self.assertTrue(inside.startswith("<!doctype html>") and inside.rstrip().endswith("</html>"))
        self.assertTrue('"model":"slider-crank"' in inside and "default-src 'none'" in inside)

    def test_rows_outlive_what_they_came_from(self):
        rows = carom.Model.from_string(BALL).run(end=0.3).rows
        self.assertTrue(np.isfinite(rows[:, :3]).all())

    def test_saved_files_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            mine, other = os.path.join(folder, "mine.csv"), os.path.join(folder, "other.csv")
            self.r.save(mine)
            subprocess.run([COMMAND, "run", "slider-crank", "-q", "--end", "0.02", "--step", "1e-4", "-o", other],
                           check=True, capture_output=True)
            self.assertEqual(Path(mine).read_bytes(), Path(other).read_bytes())
            self.r.save(os.path.join(folder, "mine.h5"))
            shown = subprocess.run([COMMAND, "plot", os.path.join(folder, "mine.h5"), "-o", os.path.join(folder, "a.svg")],
                                   capture_output=True, text=True)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            with self.assertRaises(carom.CaromError):
                self.r.save(os.path.join(folder, "mine.txt"))
            with self.assertRaises(carom.FileError):
                self.r.save(os.path.join(folder, "no", "mine.csv"))
            self.r.save(mine)  # again: the file is free

    def test_pages_and_pictures(self):
        frame = self.r._repr_html_()
        self.assertTrue(frame.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in frame)
        self.assertIn("Content-Security-Policy", frame)
        self.assertIn("&quot;th1&quot;", frame)
        self.assertIn("<svg", self.r.figure("th1").svg())
        with tempfile.TemporaryDirectory() as folder:
            self.r.report(os.path.join(folder, "page.html"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "page.html")), 50000)
            self.r.figure("th1").save(os.path.join(folder, "a.svg"))
            with self.assertRaises(carom.InputError):
                self.r.report(os.path.join(folder, "page.txt"))

    def test_pandas_where_it_is(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaises(ImportError):
                self.r.to_pandas()
            return
        self.assertEqual(self.r.to_pandas()["th1"].iloc[-1], self.r["th1"][-1])

    def test_a_run_that_ends_early_says_why_and_keeps_its_rows(self):
        text = BALL.replace("potential: g*y", "potential: -exp(y)").replace("event_driven, tolerance: 1e-10", "moreau_midpoint, step: 1e-3")
        r = carom.Model.from_string(text).run(end=5)
        self.assertFalse(r.success)
        self.assertEqual(r.status, "stopped")
        self.assertIsInstance(r.failure, carom.NotFiniteError)
        self.assertIn(r.message, str(r.failure))
        self.assertGreater(len(r), 1)
        with tempfile.TemporaryDirectory() as folder:
            r.save(os.path.join(folder, "cut.csv"))

    def test_rows_are_limited_as_those_of_the_command(self):
        with self.assertRaises(carom.InputError):
            carom.Model.from_string(BALL).run(scheme="moreau_midpoint", step=1e-15, end=1)
        r = self.model.run(end=0.01, step=1e-4, record=False)
        self.assertEqual(len(r), 0)
        self.assertAlmostEqual(r.end.t, 0.01)
        with self.assertRaises(carom.InputError):
            r.save("/tmp/nothing.csv")


if __name__ == "__main__":
    unittest.main()
