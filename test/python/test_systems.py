# SPDX-License-Identifier: Apache-2.0
"""Models of Python functions, and schemes in Python: against the same models and schemes of the library."""
import gc
import math
import threading
import traceback
import unittest
import weakref

import numpy as np

import carom

EQUATIONS = """carom: 1
parameters: {m: 2, g: 9.81, l: 1.5}
coordinates: {x: {start: 0.9}, y: {start: -1.2}}
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
constraints: [{name: rod, equation: (x^2 + y^2 - l^2)/(2*l)}]
contacts: [{name: wall, gap: x + 0.3, slip: y, restitution: 0.6, friction: 0.2}]
"""


class Pendulum(carom.System):
    """The same as a class."""

    q0, u0 = [0.9, -1.2], [0, 0]
    coordinate_names = ["x", "y"]
    constraint_names = ["rod"]
    contacts = [carom.Contact("wall", restitution=0.6, friction=0.2, n_slip=1)]
    mass_is_constant = True
    m, g, length = 2, 9.81, 1.5

    def mass(self, t, q):
        return self.m * np.eye(2)

    def forces(self, t, q, u):
        return np.array([0, -self.m * self.g])

    def gaps(self, t, q):
        return [(q @ q - self.length**2) / (2 * self.length)], [q[0] + 0.3]

    def rows(self, t, q):
        return np.array([q / self.length, [1, 0], [0, 1]])

    def potential(self, t, q):
        return self.m * self.g * q[1]


class Top(carom.System):
    """A free body in space: 3 coordinates, a quaternion."""

    J = np.array([1.0, 2.0, 3.0])
    q0, u0 = [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0.1, 2.0, 0.1]
    positions = [carom.Plain(3), carom.Quaternion(inertia=[1, 2, 3])]

    def mass(self, t, q):
        return np.diag([1, 1, 1, *self.J])

    def forces(self, t, q, u):
        return np.concatenate([np.zeros(3), np.cross(self.J * u[3:], u[3:])])


class Systems(unittest.TestCase):
    def test_functions_move_as_equations_do(self):
        file = carom.Model.from_string(EQUATIONS)
        for options in ({"scheme": "moreau_midpoint", "step": 1e-3}, {"scheme": "event_driven", "tolerance": 1e-8},
                        {"scheme": "nonsmooth_gen_alpha", "step": 1e-3}):
            expected, found = file.run(end=1, **options), Pendulum().run(end=1, **options)
            self.assertTrue(found.success, found.message)
            self.assertGreater(found.counts.events, 0)
            bound = 1e-5 if options["scheme"] == "event_driven" else 1e-7  # derivatives by finite differences
            self.assertLess(np.abs(found.end.q - expected.end.q).max(), bound, options)
        self.assertAlmostEqual(found.audit.energy_start, -2 * 9.81 * 1.2)

    def test_a_point_answers_as_the_functions_do(self):
        at = Pendulum().at(0, [0.3, -0.4], [1, 2])
        other = carom.Model.from_string(EQUATIONS).at(0, [0.3, -0.4], [1, 2])
        for name in ("mass", "forces", "gaps", "constraints", "rows", "rates"):
            self.assertTrue(np.allclose(getattr(at, name), getattr(other, name), atol=1e-14), name)
        self.assertAlmostEqual(at.potential, other.potential)
        self.assertAlmostEqual(at.kinetic, other.kinetic)

    def test_quaternions_stay_of_unit_length_and_keep_the_spin(self):
        r = Top().run(scheme="moreau_midpoint", step=1e-3, end=1)
        self.assertTrue(r.success, r.message)
        self.assertAlmostEqual(float(np.linalg.norm(r.end.q[3:])), 1, places=12)
        start, end = np.linalg.norm(Top.J * Top.u0[3:]), np.linalg.norm(Top.J * r.end.u[3:])
        self.assertAlmostEqual(start, end, places=5)
        self.assertGreater(np.abs(r.end.u[3:] - Top.u0[3:]).max(), 0.1)  # it tumbles

    def test_what_a_function_raises_is_raised_with_its_traceback(self):
        class Broken(Pendulum):
            def forces(self, t, q, u):
                if t > 0.05:
                    raise RuntimeError("the spring broke")
                return super().forces(t, q, u)

        for go in (lambda: Broken().run(step=1e-3, end=1), lambda: Broken().at(0.06),
                   lambda: carom.Simulation(Broken(), step=1e-3, end=1).step(100),
                   lambda: carom.Simulation(Broken(), step=1e-3, end=1).run_until(t=0.5)):
            try:
                go()
                self.fail("nothing was raised")
            except RuntimeError:
                text = traceback.format_exc()
            self.assertIn("the spring broke", text)
            self.assertIn("in forces", text)

    def test_each_thread_has_its_own_exceptions(self):
        class Late(Pendulum):
            def forces(self, t, q, u):
                if threading.current_thread().name == "late" and t > 0.02:
                    raise ArithmeticError("late")
                return super().forces(t, q, u)

        system, ends = Late(), {}

        def go():
            try:
                ends[threading.current_thread().name] = system.run(step=1e-3, end=0.05).success
            except ArithmeticError as why:
                ends[threading.current_thread().name] = str(why)

        threads = [threading.Thread(target=go, name=name) for name in ("late", "well", "too")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ends, {"late": "late", "well": True, "too": True})

    def test_interrupts_in_functions_are_no_different(self):
        class Stopped(Pendulum):
            def rows(self, t, q):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            Stopped().run(step=1e-3, end=1)

    def test_answers_of_wrong_shape_say_so(self):
        cases = {"forces": lambda self, t, q, u: [1, 2, 3], "mass": lambda self, t, q: np.eye(3),
                 "rows": lambda self, t, q: np.eye(2), "gaps": lambda self, t, q: [1, 2, 3]}
        for method, wrong in cases.items():
            with self.assertRaises(carom.InputError, msg=method) as caught:
                type("Wrong", (Pendulum,), {method: wrong, "mass_is_constant": False})().run(step=1e-3, end=1)
            self.assertIn(f"Wrong.{method}", str(caught.exception))

    def test_numbers_that_are_not_finite_end_the_run(self):
        class Infinite(Pendulum):
            def forces(self, t, q, u):
                return [np.inf if t > 0.01 else 0, 0]

        r = Infinite().run(step=1e-3, end=1)
        self.assertFalse(r.success)
        self.assertIsInstance(r.failure, carom.NotFiniteError)

    def test_a_class_that_lacks_something_says_what(self):
        for more, word in (({"forces": None}, "forces"), ({"rows": None}, "rows"), ({"q0": [1, 2, 3]}, "positions"),
                           ({"coordinate_names": ["x"]}, "names"), ({"q0": [], "u0": []}, "velocities")):
            with self.assertRaises(carom.InputError) as caught:
                type("Lacking", (Pendulum,), more)()
            self.assertIn(word, str(caught.exception))
        with self.assertRaises(carom.InputError):
            Pendulum().set(m=1)
        with self.assertRaises(carom.InputError):
            Pendulum().run(step="m/1000", end=1)

    def test_systems_are_freed(self):
        system = Pendulum()
        system.run(step=1e-3, end=0.01)
        gone = weakref.ref(system)
        del system
        gc.collect()
        self.assertIsNone(gone())


class SemiImplicitEuler(carom.Scheme):
    """docs/extending.md, in Python."""

    name = "semi_implicit_euler"
    masks = (carom.MASS | carom.FORCES | carom.GAPS | carom.ROWS,)

    def step(self, s, now):
        ev = s.evaluate(now.t, now.q, now.u, self.masks[0])
        u, P = s.contact(ev, now.u, s.free_velocity(ev, now.u, s.h), active=ev.gaps <= 0)
        return s.state(now.t + s.h, s.move(now.q, u, s.h), u, P)


class MidpointInPython(carom.Scheme):
    """moreau_midpoint."""

    masks = (carom.MASS | carom.FORCES | carom.GAPS | carom.ROWS,)

    def step(self, s, now):
        middle = s.move(now.q, now.u, s.h / 2)
        ev = s.evaluate(now.t + s.h / 2, middle, now.u, self.masks[0])
        u, P = s.contact(ev, now.u, s.free_velocity(ev, now.u, s.h), active=ev.gaps <= 0)
        return s.state(now.t + s.h, s.move(middle, u, s.h / 2), u, P)


class Schemes(unittest.TestCase):
    def test_moreaus_midpoint_rule_in_python_is_that_of_the_library(self):
        for name, end in (("slider-crank", 0.01), ("bouncing-ball", 1)):
            model = carom.Model.from_file(name)
            step = 1e-4 if name == "slider-crank" else 1e-3
            mine, theirs = (model.run(scheme=s, step=step, end=end) for s in (MidpointInPython(), "moreau_midpoint"))
            self.assertLess(np.abs(mine.q - theirs.q).max(), 1e-11)
            self.assertTrue(np.array_equal(mine.P > 0, theirs.P > 0))
            self.assertTrue(mine.success, mine.message)

    def test_its_order_is_that_of_the_equations(self):
        model = carom.Model.from_string("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\npotential: x^2/2\n")
        errors = [abs(model.run(scheme=SemiImplicitEuler(), step=h, end=1).end.q[0] - math.cos(1)) for h in (0.02, 0.01)]
        self.assertAlmostEqual(errors[0] / errors[1], 2, delta=0.1)

    def test_constraints_and_friction_hold(self):
        r = carom.Model.from_string(EQUATIONS).run(scheme=SemiImplicitEuler(), step=1e-4, end=0.5)
        self.assertTrue(r.success, r.message)
        self.assertLess(r.audit.max_drift, 2e-3)
        self.assertLess(r.audit.cone_violation, 1e-12)

    def test_what_it_raises_is_raised(self):
        class Broken(SemiImplicitEuler):
            def step(self, s, now):
                return super().step(s, now) if now.t < 0.01 else 1 / 0

        class Nothing(SemiImplicitEuler):
            def step(self, s, now):
                return None

        model = carom.Model.from_file("bouncing-ball")
        with self.assertRaises(ZeroDivisionError):
            model.run(scheme=Broken(), step=1e-3, end=1)
        with self.assertRaises(ZeroDivisionError):
            carom.Simulation(model, scheme=Broken(), step=1e-3, end=1).step(100)
        with self.assertRaises(carom.InputError):
            model.run(scheme=Nothing(), step=1e-3, end=1)
        with self.assertRaises(carom.InputError):
            carom.Scheme()


if __name__ == "__main__":
    unittest.main()
