# SPDX-License-Identifier: Apache-2.0
"""Models said in Python (carom.Builder), contact problems, studies."""
import inspect
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import carom

COMMAND = os.environ.get("CAROM_COMMAND")


def ball():
    b = carom.Builder("ball", about="A ball.")
    b.parameter(g=9.81, e=np.float64(0.8))
    b.coordinate("y", start=1, unit="m")
    return b.kinetic("der(y)^2/2").potential("g*y").contact("floor", gap="y", restitution="e").record("height", "y")


class Builders(unittest.TestCase):
    def test_equations(self):
        r = ball().define("half", "y/2").force("-0.1*der(y)", coordinate="y").draw(disc=[0, "y"], radius=0.1).run(
            scheme="moreau_midpoint", step=1e-4, end=2)
        self.assertTrue(r.success, r.message)
        self.assertTrue(np.array_equal(r["y"], r["height"]))
        self.assertEqual(r.unit("y"), "m")
        self.assertGreater((r.events["kind"] == "impact").sum(), 0)

    def test_families_and_tables(self):
        b = carom.Builder("row").parameter(n=3).coordinate("x[i]", start="0.1*i", for_={"i": "1..n"})
        b.kinetic("der(x[i])^2/2", for_={"i": "1..n"}).potential("lift(x[i])", for_={"i": "1..n"})
        model = b.table("lift", points=np.array([[-10, 10], [10.0, -10]])).model()
        self.assertEqual(model.coordinates, ["x[1]", "x[2]", "x[3]"])
        self.assertTrue(np.allclose(model.at().forces, 1))

    def test_bodies_joints_motors_and_elements(self):
        b = carom.Builder("swing").gravity(0, -9.81)
        b.body("arm", mass=1, inertia=0.02, at=[0.25, 0], points={"end": [0.25, 0]})
        b.body("bob", mass=2, inertia=0.01, at="arm.end")
        b.joint("pin", "revolute", "ground", "arm", at=[0, 0]).joint("eye", "revolute", "arm", "bob", at="arm.end")
        b.element("brace", "spring", "ground", "bob", from_=[0.5, -1], to="bob", stiffness=50, damping=1)
        b.contact("floor", gap="bob.y + 0.6", restitution=0.5).run_section(scheme="moreau_midpoint", step=1e-4, end=1)
        model = b.model()
        self.assertEqual((model.sizes.nq, model.sizes.n_constraint), (6, 4))
        sim = model.simulation(end=0.1)
        sim.run_until()
        self.assertAlmostEqual(np.linalg.norm(sim.reaction("pin")[:2]) > 0, True)
        with self.assertRaises(carom.InputError):
            sim.reaction("nothing")

    def test_shapes_and_materials(self):
        b = carom.Builder("bowl").parameter(R=0.1, v=2, mu=0.2).gravity(0, 0, -9.81)
        b.body("ball", density=700, at=[0, 0, "R"], velocity=["v", 0, 0], shape={"sphere": [0, 0, 0], "radius": "R"},
               material="wood")
        b.body("ground", shape={"plane": [0, 0, 0], "normal": [0, 0, 1]}, material="cloth")
        b.material("wood", "cloth", friction="mu", restitution=0.5)
        r = b.run(scheme="event_driven", tolerance=1e-9, end=1)
        self.assertTrue(r.success, r.message)
        self.assertAlmostEqual(r.end.u[0], 5 / 7 * 2, places=6)  # it rolls from t = 2/7 v/(mu g) on

    def test_what_is_wrong_is_reported_at_its_line_of_python(self):
        b = ball()
        line = inspect.currentframe().f_lineno + 1
        b.potential("k*y^2")
        with self.assertRaises(carom.InputError) as caught:
            b.model()
        self.assertEqual((caught.exception.file, caught.exception.line), (__file__, line))
        self.assertIn("'k'", caught.exception.what)
        for wrong in (lambda: b.add("nothing", 1), lambda: b.add("contacts", {}, "name"), lambda: b.add("define", 1),
                      lambda: b.parameter(x=math.nan), lambda: b.parameter(x=object())):
            with self.assertRaises(carom.InputError):
                wrong()

    def test_what_is_said_is_a_file_for_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.yaml")
            ball().run_section(scheme="moreau_midpoint", step=1e-3, end=1).save(path)
            done = subprocess.run([COMMAND, "run", path, "-q", "-o", path + ".csv"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(carom.Model.from_file(path).run()), len(Path(path + ".csv").read_text().splitlines()) - 1)


def delassus(n, seed):
    """A random positive definite matrix and b."""
    random = np.random.default_rng(seed)
    half = random.standard_normal((n, n))
    return half @ half.T / n + 0.1 * np.eye(n), random.standard_normal(n)


class ContactProblems(unittest.TestCase):
    def test_complementarity(self):
        for seed in range(5):
            G, b = delassus(12, seed)
            found = carom.solve_contact(G, b)
            self.assertTrue(found.converged, found)
            self.assertLess(found.residual, 1e-9)
            self.assertTrue((found.P >= 0).all() and (found.xi > -1e-9).all())
            self.assertLess(abs(found.P @ found.xi), 1e-9)
            self.assertTrue(np.allclose(found.xi, G @ found.P + b))

    def test_friction_keeps_the_cone_and_opposes_the_slip(self):
        G, b = delassus(12, 7)
        mu = np.array([0.1, 0.4, 0.7, 1.0])
        found = carom.solve_contact(G, b, mu, dim=3)
        self.assertTrue(found.converged)
        for k in range(4):
            P, xi = found.P[3 * k:3 * k + 3], found.xi[3 * k:3 * k + 3]
            most, slip = mu[k] * P[0], np.linalg.norm(xi[1:])
            self.assertLess(np.linalg.norm(P[1:]), most + 1e-9)
            if P[0] > 1e-9 and slip > 1e-6:
                self.assertTrue(np.allclose(P[1:], -most * xi[1:] / slip, atol=1e-7))

    def test_unsymmetric_matrices_are_not_turned_round(self):
        found = carom.solve_contact([[2, 1], [0, 1]], [-3, -1])
        self.assertTrue(np.allclose(found.P, [1, 1]))

    def test_sparse_is_as_dense(self):
        try:
            from scipy import sparse
        except ImportError:
            self.skipTest("scipy is not installed")
        G, b = delassus(30, 3)
        G[np.abs(G) < 0.15] = 0
        expected = carom.solve_contact(G, b, 0.3, dim=3)
        for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
            found = carom.solve_contact(form(G), b, 0.3, dim=3)
            self.assertTrue(found.converged)
            self.assertTrue(np.allclose(found.P, expected.P, atol=1e-8))
        hollow = sparse.csr_matrix(np.array([[0.0, 1.0], [-1.0, 0.0]]))  # without entries on the diagonal
        self.assertEqual(carom.solve_contact(hollow, [1.0, 1.0]).P.tolist(), [0, 0])

    def test_blocks(self):
        G, b = np.eye(4), np.array([-1.0, 5.0, -3.0, 0.0])
        found = carom.solve_contact(G, b, blocks=[carom.Block(1, is_bilateral=True), carom.Block(1, radius=2.0),
                                                  carom.Block(2, mu=0.5)])
        self.assertTrue(np.allclose(found.P, [1, -2, 3, 0]))

    def test_what_is_no_problem_is_refused(self):
        G, b = delassus(4, 1)
        for wrong in (lambda: carom.solve_contact(G, b[:3]), lambda: carom.solve_contact(G, b, 0.3, dim=3),
                      lambda: carom.solve_contact(G, b, blocks=[carom.Block(3)]), lambda: carom.solve_contact(G, [1, 2, 3, np.nan]),
                      lambda: carom.solve_contact(G, b, solver="nothing"), lambda: carom.solve_contact(G, b, -0.3, dim=2),
                      lambda: carom.solve_contact(G, b, options={"nothing": 1}), lambda: carom.solve_contact(G, b, guess=[1]),
                      lambda: carom.solve_contact(G * np.nan, b)):
            with self.assertRaises(carom.InputError):
                wrong()
        self.assertEqual(carom.solve_contact(np.zeros((0, 0)), []).P.size, 0)
        self.assertIn("auto", ["auto", *carom.solvers()])


OSCILLATOR = """carom: 1
name: impact oscillator
parameters: {zeta: 0.05, w: 1.7, A: 1.2, d: 1, e: 0.7}
coordinates: {x: {start: 0}}
kinetic: 0.5*der(x)^2
potential: 0.5*x^2
forces: [{coordinate: x, force: A*cos(w*t) - 2*zeta*der(x)}]
contacts: [{name: stop, gap: d - x, restitution: e}]
run: {scheme: event_driven, tolerance: 1e-8, end: 30}
"""


class Studies(unittest.TestCase):
    def test_a_sweep_is_that_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "oscillator.yaml")
            Path(path).write_text(OSCILLATOR)
            model = carom.Model.from_file(path, zeta=0.1)
            table = carom.sweep(model, vary={"A": (0.8, 1.6, 3), "e": [0.5, 0.8]}, take=["largest x", "events stop"])
            out = os.path.join(folder, "a.csv")
            done = subprocess.run([COMMAND, "sweep", path, "--set", "zeta=0.1", "--vary", "A=0.8:1.6:3", "--vary", "e=[0.5,0.8]",
                                   "--take", "largest x", "--take", "events stop", "-o", out], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = np.array([line.split(",") for line in Path(out).read_text().splitlines()[1:]], dtype=float)
            self.assertTrue(np.array_equal(table.rows, rows))
            self.assertEqual((table.n_run, table.n_failed, len(table)), (6, 0, 6))
            table.save(os.path.join(folder, "b.csv"))
            self.assertEqual(Path(out).read_bytes(), Path(folder, "b.csv").read_bytes())

    def test_one_run_of_a_sweep_is_a_run(self):
        model = carom.Model.from_string(OSCILLATOR)
        table = carom.sweep(model, vary={"A": [1.3]}, take="last x", end=5)
        r = carom.Model.from_string(OSCILLATOR, "o.yaml", A=1.3).run(end=5)
        self.assertAlmostEqual(table.rows[0, -1], r["x"][-1], places=12)

    def test_sections_and_stores(self):
        model = carom.Model.from_string(OSCILLATOR)
        with tempfile.TemporaryDirectory() as folder:
            asked = dict(vary={"w": (1.6, 1.8, 3)}, section={"period": "2*pi/w"}, skip=20, points=4, show="x",
                         store=os.path.join(folder, "s.caromdb"))
            first, seen = carom.bif(model, **asked), []
            again = carom.bif(model, progress=lambda done, all, steps: seen.append(done), **asked)
            self.assertTrue(np.array_equal(first.rows, again.rows, equal_nan=True))
            with self.assertRaises(carom.CaromError):
                carom.bif(model, **{**asked, "skip": 21})

    @unittest.skipUnless("sensitivity" in carom.kinds(), "this library has no sensitivity")
    def test_derivatives_are_those_of_differences(self):
        """What is asked in a struct inside of that of studies: by."""
        model = carom.Model.from_string(OSCILLATOR)
        exact = carom.sensitivity(model, by=["A"], take="last x", end=5)
        ends = [carom.Model.from_string(OSCILLATOR, "o.yaml", A=A).run(end=5)["x"][-1] for A in (1.2 - 1e-5, 1.2 + 1e-5)]
        self.assertAlmostEqual(exact["d(last x)/d(A)"][0], (ends[1] - ends[0]) / 2e-5, delta=1e-4)

    def test_failures_are_told(self):
        table = carom.sweep(carom.Model.from_string(OSCILLATOR), vary={"d": [1, -1]}, take="last x", end=1)
        self.assertEqual(table.n_failed, 1)
        self.assertIn("d = -1", table.failures[0])
        self.assertTrue(np.isnan(table.rows[1, -1]))

    def test_kinds_come_from_the_library(self):
        for kind in carom.kinds():
            self.assertTrue(callable(getattr(carom, kind + "_" * (kind == "continue"))))
        model = carom.Model.from_string(OSCILLATOR)
        for wrong in (lambda: carom.study("nothing", model), lambda: carom.sweep(model, vary={"q": [1]}, take="last x"),
                      lambda: carom.sweep(model, vary=["A"], take="last x"),
                      lambda: carom.sweep(model, vary={"A": [1]}, take="nothing x")):
            with self.assertRaises(carom.InputError):
                wrong()
        with self.assertRaises(TypeError):
            carom.sweep(model, nothing=1)


if __name__ == "__main__":
    unittest.main()
