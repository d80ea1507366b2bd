# SPDX-License-Identifier: Apache-2.0
"""What the Python package costs, on the slider-crank (100 000 steps): best of 7, processor time but for the threads.

    make wheel && PYTHONPATH=build/python /usr/bin/python3 bench/python.py [build/carom]

run over command: with and without rows; a step by hand against one of the library; two threads against one, by the clock,
which says something on an idle machine with two cores only; memory that a thousand models leave.
"""
import gc
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

import carom

BEST, STEPS = 7, 100000
COMMAND = sys.argv[1] if len(sys.argv) > 1 else "build/carom"


def best(what, clock=time.process_time):
    """The least time that what() takes; what it needs is made before."""
    least = float("inf")
    for _ in range(BEST):
        go = what()
        start = clock()
        go()
        least = min(least, clock() - start)
    return least


def command(*more):
    def children():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    line = [COMMAND, "run", "slider-crank", "-q", *more]
    return best(lambda: lambda: subprocess.run(line, check=True, stderr=subprocess.DEVNULL), children)


def simulation(**options):
    return carom.Simulation(carom.Model.from_file("slider-crank"), **options)


def by_hand():
    sim = simulation()

    def go():
        for _ in range(STEPS):
            sim.step()

    return go


def in_threads(n):
    sims = [simulation(end=20, limits={"rows": "none"}) for _ in range(n)]

    def go():
        threads = [threading.Thread(target=sim.run) for sim in sims]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return go


def left_behind(n):
    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def once():
        carom.Model.from_file("slider-crank").run(end=1e-3).events

    for _ in range(100):
        once()
    before = resident()
    for _ in range(n):
        once()
    return resident() - before


def main():
    model = carom.Model.from_file("slider-crank")
    with tempfile.TemporaryDirectory() as folder:
        commands = [command(), command("-o", os.path.join(folder, "r.h5")), command("-o", os.path.join(folder, "r.csv"))]
    runs = [best(lambda: lambda: model.run(record=False)), best(lambda: lambda: model.run())]
    hand, inside = best(by_hand), best(lambda: (lambda sim: lambda: sim.step(STEPS))(simulation()))
    one, two = (best(lambda n=n: in_threads(n), time.monotonic) for n in (1, 2))
    print(f"nothing recorded   run {1e3 * runs[0]:.1f} ms, command {1e3 * commands[0]:.1f} ms: {runs[0] / commands[0]:.2f}")
    print(f"all rows kept      run {1e3 * runs[1]:.1f} ms, command -o r.h5 {1e3 * commands[1]:.1f} ms, -o r.csv {1e3 * commands[2]:.1f} ms")
    print(f"a step             by hand {1e6 * hand / STEPS:.2f} us, of the library {1e6 * inside / STEPS:.2f} us")
    print(f"two threads        {2 * one / two:.2f} times the speed of one (load {os.getloadavg()[0]:.1f})")
    print(f"1000 models        leave {left_behind(1000) / 1024:.0f} kB")


if __name__ == "__main__":
    main()
