#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Matrices of an arch of plane stress for models/arch.yaml: bilinear quadrilaterals, two by two
points, consistent mass. Needs nothing but Python.

    python3 examples/elastic/arch.py FOLDER     writes arch-mass.mtx, arch-stiffness.mtx, arch-nodes.csv

Any program of finite elements that can write its matrices serves as well; this one is short."""

import math
import sys

RADIUS, THICKNESS, DEPTH = 0.1, 0.02, 0.01  # mean radius, height of the section, out of plane [m]
E, NU, DENSITY = 2e9, 0.35, 1200.0          # a plastic [N/m2], [kg/m3]
ALONG, ACROSS = 24, 2                       # elements


def nodes():
    """The half ring y >= 0, from the right foot to the left one."""
    at = []
    for i in range(ALONG + 1):
        angle = math.pi * i / ALONG
        for j in range(ACROSS + 1):
            r = RADIUS + THICKNESS * (j / ACROSS - 0.5)
            at.append((r * math.cos(angle), r * math.sin(angle)))
    return at


def elements():
    row = ACROSS + 1
    for i in range(ALONG):
        for j in range(ACROSS):
            a = i * row + j
            yield (a, a + 1, a + row + 1, a + row)


def shape(s, t):
    """Values and derivatives by s and t of the four functions of the square."""
    corner = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return [((1 + a * s) * (1 + b * t) / 4, a * (1 + b * t) / 4, b * (1 + a * s) / 4)
            for a, b in corner]


def element(at):
    """K = int B'C B, M = int rho H'H, of one element."""
    c = E / (1 - NU * NU)
    law = [[c, c * NU, 0], [c * NU, c, 0], [0, 0, c * (1 - NU) / 2]]
    K = [[0.0] * 8 for _ in range(8)]
    M = [[0.0] * 8 for _ in range(8)]
    g = 1 / math.sqrt(3)
    for s, t in ((-g, -g), (g, -g), (g, g), (-g, g)):
        N = shape(s, t)
        xs = sum(n[1] * p[0] for n, p in zip(N, at))
        xt = sum(n[2] * p[0] for n, p in zip(N, at))
        ys = sum(n[1] * p[1] for n, p in zip(N, at))
        yt = sum(n[2] * p[1] for n, p in zip(N, at))
        area = xs * yt - xt * ys
        B = [[0.0] * 8 for _ in range(3)]
        for k, (_, ds, dt) in enumerate(N):
            dx, dy = (yt * ds - ys * dt) / area, (xs * dt - xt * ds) / area
            B[0][2 * k], B[1][2 * k + 1], B[2][2 * k], B[2][2 * k + 1] = dx, dy, dy, dx
        w = abs(area) * DEPTH
        for a in range(8):
            for b in range(8):
                K[a][b] += w * sum(B[i][a] * law[i][j] * B[j][b]
                                   for i in range(3) for j in range(3))
                if a % 2 == b % 2:
                    M[a][b] += w * DENSITY * N[a // 2][0] * N[b // 2][0]
    return M, K


def write_matrix(path, n, entry):
    with open(path, "w", encoding="utf-8") as file:
        lower = sorted((j, i) for (i, j) in entry if i >= j)
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        file.write("%% examples/elastic/arch.py\n%d %d %d\n" % (n, n, len(lower)))
        for j, i in lower:
            file.write("%d %d %.12g\n" % (i + 1, j + 1, entry[i, j]))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    at = nodes()
    mass, stiffness = {}, {}
    for corner in elements():
        M, K = element([at[k] for k in corner])
        unknown = [2 * k + c for k in corner for c in range(2)]
        for a, i in enumerate(unknown):
            for b, j in enumerate(unknown):
                mass[i, j] = mass.get((i, j), 0.0) + M[a][b]
                stiffness[i, j] = stiffness.get((i, j), 0.0) + K[a][b]
    mass = {k: v for k, v in mass.items() if v != 0 or k[0] == k[1]}
    write_matrix(folder + "/arch-mass.mtx", 2 * len(at), mass)
    write_matrix(folder + "/arch-stiffness.mtx", 2 * len(at), stiffness)
    with open(folder + "/arch-nodes.csv", "w", encoding="utf-8") as file:
        file.write("node,x,y\n")
        for k, (x, y) in enumerate(at):
            file.write("%d,%.12g,%.12g\n" % (k + 1, x, y))


if __name__ == "__main__":
    main()
