# SPDX-License-Identifier: Apache-2.0
"""Simulations stepped by hand: views, states, checkpoints, stops, threads, memory."""
import gc
import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import carom


def crank(**options):
    return carom.Simulation(carom.Model.from_file("slider-crank"), **{"end": 1, **options})


def resident():
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Stepping(unittest.TestCase):
    def test_steps_by_hand_are_those_of_a_run(self):
        sim, r = crank(), carom.Model.from_file("slider-crank").run(end=0.01)
        q = [sim.q.copy()]
        while sim.t < 0.01 - 1e-9:
            sim.step()
            q.append(sim.q.copy())
        self.assertTrue(np.array_equal(np.array(q), r.q))
        other = crank()
        other.step(len(q) - 1)
        self.assertTrue(np.array_equal(other.u, sim.u))
        self.assertTrue(np.array_equal(other.gaps, r.gaps[-1]))

    def test_views_are_the_librarys_memory_and_outlive_the_simulation(self):
        sim = crank()
        sim.step(300)
        q, u, P = sim.q, sim.u, sim.P
        self.assertIs(sim.q, q)  # no copy is made
        self.assertIsNotNone(q.base)
        self.assertEqual((q.shape, u.shape, P.shape), ((3,), (3,), (8,)))
        with self.assertRaises(ValueError):
            q[0] = 1
        kept = q.tolist()
        del sim
        gc.collect()
        self.assertEqual(q.tolist(), kept)

    def test_impulses_of_a_step_are_those_recorded(self):
        sim = crank(record=True)
        for _ in range(2000):
            sim.step()
            if sim.P.any():
                break
        pressed = sim.P[0::2].copy()
        r = sim.run()
        self.assertTrue(pressed.any())
        row = np.flatnonzero(np.isclose(r.t, 0.0027, atol=1e-9))[0]
        self.assertTrue(np.array_equal(r.P[row], pressed))

    def test_a_state_is_set_and_got(self):
        sim = crank()
        sim.step(100)
        there = sim.state
        sim.step(50)
        sim.state = there
        self.assertEqual(sim.t, there.t)
        self.assertTrue(np.array_equal(sim.q, there.q))
        with self.assertRaises(carom.InputError):
            sim.state = (0, [1, 2], [3, 4, 5])
        with self.assertRaises(carom.InputError):
            sim.state = (0, [1, 2, np.nan], [3, 4, 5])
        sim.reset()
        self.assertEqual(sim.t, 0)

    def test_live_parameters_change_without_a_new_model(self):
        model = carom.Model.from_file("bouncing-ball").live()
        name = "e"
        self.assertIn(name, model.parameters)
        sim = carom.Simulation(model, scheme="event_driven", tolerance=1e-9, end=5)
        rates = []
        for e in (0.5, 0.25):
            sim.set({name: e})
            self.assertEqual(sim.parameter(name), e)
            self.assertEqual(sim.run_until(event="impact"), "event")
            rates.append(abs(sim.u[0]))
        self.assertAlmostEqual(rates[0] / rates[1], 2, places=6)
        with self.assertRaises(carom.InputError):
            sim.set(nothing=1)
        with self.assertRaises(carom.InputError):
            sim.parameter("nothing")

    def test_checkpoints_go_on_bit_for_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            sim, other = crank(), crank()
            sim.step(1000)
            sim.checkpoint(path)
            sim.step(1000)
            other.restart(path)
            other.step(1000)
            self.assertTrue(np.array_equal(sim.q, other.q) and sim.t == other.t)
            with self.assertRaises(carom.InputError):
                crank(step=1e-3).restart(path)
            with self.assertRaises(carom.CaromError):
                crank().restart(os.path.join(folder, "nothing"))

    def test_it_stops_where_it_is_asked_to(self):
        sim = carom.Simulation(carom.Model.from_file("bouncing-ball"), scheme="event_driven", tolerance=1e-9, end=2)
        self.assertEqual(sim.run_until(t=0.1), "time")
        self.assertAlmostEqual(sim.t, 0.1, places=12)
        name = sim.model.contacts[0].name
        self.assertEqual(sim.run_until(contact=name), "event")
        self.assertAlmostEqual(float(sim.gaps[0]), 0, places=8)
        for wrong in ({"event": "bang"}, {"contact": "nothing"}, {"contact": 7}, {"crossing": "sideways"}):
            with self.assertRaises(carom.InputError):
                sim.run_until(**wrong)
        self.assertEqual(sim.run_until(), "end")
        self.assertTrue(sim.is_done)
        sim.end = 2.5
        self.assertFalse(sim.is_done)

    def test_sections_are_met_exactly(self):
        model = carom.Model.from_string("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\npotential: x^2/2\n"
                                        "record: {here: x}\n")
        sim = carom.Simulation(model, scheme="event_driven", tolerance=1e-10, end=10, section="here")
        for crossing, t in (("down", np.pi / 2), ("up", 3 * np.pi / 2), ("both", 5 * np.pi / 2)):
            self.assertEqual(sim.run_until(crossing=crossing), "crossing")
            self.assertAlmostEqual(sim.t, t, places=8)
        row = sim.row()
        self.assertEqual(list(row), sim.columns)
        self.assertAlmostEqual(row["here"], 0, places=8)
        self.assertAlmostEqual(row["energy"], 0.5, places=8)
        with self.assertRaises(carom.InputError):
            carom.Simulation(model, step=1e-2, end=1, section="nothing")

    def test_compiled_equations_give_the_same_motion(self):
        plain, native = crank(end=0.01), crank(end=0.01, native=True)
        if not native.is_native:
            self.skipTest("there is no compiler")
        self.assertFalse(plain.is_native)
        plain.run_until()
        native.run_until()
        self.assertLess(np.abs(plain.q - native.q).max(), 1e-9)

    def test_progress_and_interrupts_stop_a_run(self):
        seen = []
        model = carom.Model.from_file("slider-crank")
        r = model.run(end=1000, record=False, limits={"rows": "none"},
                      progress=lambda t, end, steps: seen.append(t) or len(seen) > 2)
        self.assertEqual(r.status, "stopped")
        self.assertEqual(len(seen), 3)
        before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            with self.assertRaises(KeyboardInterrupt):
                model.run(end=1000, record=False, limits={"rows": "none"})
        finally:
            signal.signal(signal.SIGALRM, before)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            model.run(end=1000, record=False, limits={"rows": "none"}, progress=lambda *_: 1 / 0)

    def test_one_simulation_is_for_one_thread(self):
        sim = crank(end=50, limits={"rows": "none"})
        raised = []

        def step_too():
            time.sleep(0.05)
            try:
                sim.step()
            except RuntimeError as why:
                raised.append(why)

        other = threading.Thread(target=step_too)
        other.start()
        sim.run()
        other.join()
        self.assertEqual(len(raised), 1)


class Cost(unittest.TestCase):
    """Bounds that hold on a machine with other work too; docs/python.md has the numbers of an idle one."""

    def test_threads_run_at_the_same_time(self):
        both = []

        def work(sim):
            started = time.monotonic()
            sim.run()
            both.append((started, time.monotonic()))

        sims = [crank(end=5, limits={"rows": "none"}) for _ in range(2)]
        threads = [threading.Thread(target=work, args=(sim,)) for sim in sims]
        for thread in threads:
            thread.start()
        turns = 0
        while any(thread.is_alive() for thread in threads):
            turns += 1  # Python goes on meanwhile
            time.sleep(0.002)
        overlap = min(end for _, end in both) - max(start for start, _ in both)
        self.assertGreater(overlap, 0.5 * min(end - start for start, end in both))
        self.assertGreater(turns, 10)
        self.assertTrue(np.array_equal(sims[0].q, sims[1].q))

    def test_a_step_by_hand_costs_little_more_than_one_of_the_library(self):
        n, best = 20000, [np.inf, np.inf]
        for _ in range(7):
            sim = crank()
            start = time.thread_time()
            for _ in range(n):
                sim.step()
            middle = time.thread_time()
            sim.step(n)
            best = [min(best[0], middle - start), min(best[1], time.thread_time() - middle)]
        self.assertLess((best[0] - best[1]) / n, 2e-6)

    def test_models_and_simulations_are_freed(self):
        text = "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\npotential: y\ncontacts: [{name: f, gap: y}]\n"

        def once():
            model = carom.Model.from_string(text)
            r = model.run(step=1e-2, end=0.3)
            r.events, r.q.sum(), model.at().mass.sum()

        for _ in range(100):
            once()
        gc.collect()
        before = resident()
        for _ in range(1000):
            once()
        gc.collect()
        self.assertLess(resident() - before, 2 << 20)  # 2 kB each would be a leak


if __name__ == "__main__":
    unittest.main()
