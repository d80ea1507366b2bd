// SPDX-License-Identifier: Apache-2.0
// Models that use what the shipped ones do not: time-dependent energies, tables, families with two
// indices, forces at points, sliding rates with an offset.
#ifndef CAROM_TEST_MODEL_TEXTS_H
#define CAROM_TEST_MODEL_TEXTS_H

typedef struct named_model {
    const char *name, *text;
} named_model;

// T has terms of degree 0, 1 and 2 in the rates, all depending on time
static const named_model moving_pivot = {
    "pendulum with a moving pivot",
    "carom: 1\n"
    "parameters: {m: 1.3, l: 0.7, gravity: 9.81}\n"
    "coordinates:\n"
    "  phi: {start: 0.4, rate: 0.3}\n"
    "define:\n"
    "  x: 0.2*sin(3*t) + l*sin(phi)\n"
    "  y: 0.1*t^2 - l*cos(phi)\n"
    "kinetic: m/2*(der(x)^2 + der(y)^2)\n"
    "potential: m*gravity*y + 0.4*cos(phi - 2*t)\n"
    "contacts:\n"
    "  - {name: wall, gap: 2 + x - 0.3*cos(t), slip: y*x + t, friction: 0.2}\n"};

// two coordinates, linear terms in the rates (gyroscopic), mass depending on time, constraint
// depending on time
static const named_model gyroscopic = {
    "bead on a turning, growing wheel",
    "carom: 1\n"
    "parameters: {m: 0.8, w: 1.7}\n"
    "coordinates:\n"
    "  r: {start: 1, rate: -0.2}\n"
    "  s: {start: 0.5, rate: 0.2}\n"
    "  z: {start: 0.5, rate: 0}\n"
    "kinetic: m*(1 + t^2)/2*(der(r)^2 + (r*der(s) + w*r)^2) + der(z)^2*(1 + r^2) + "
    "0.3*der(z)*r*sin(t) + t*r\n"
    "potential: r^2/2 + 0.2*sin(s + w*t)*r + z^2*s\n"
    "forces:\n"
    "  - {coordinate: r, force: -0.3*der(r)*(1 + s^2) + sin(2*t)}\n"
    "constraints:\n"
    "  - {name: lift, equation: (z - 0.5)*r + 0.4*sin(t)^2*s}\n"};

static const named_model cam = {
    "follower on a cam given by a table",
    "carom: 1\n"
    "parameters: {m: 1, k: 50, w: 5}\n"
    "coordinates:\n"
    "  y: {start: 0.6}\n"
    "  a: {start: 0.1, rate: 0.5}\n"
    "tables:\n"
    "  lift:\n"
    "    points: [[0, 0], [1, 0.1], [2, 0.35], [3, 0.4], [4, 0.3], [5, 0.05], [6.283185307179586, "
    "0]]\n"
    "    kind: cubic\n"
    "    period: 2*pi\n"
    "kinetic: m/2*(der(y)^2 + (1 + lift(a))*der(a)^2)\n"
    "potential: k/2*y^2 + lift(w*t + y)\n"
    "contacts:\n"
    "  - {name: cam, gap: y - lift(w*t + a), restitution: 0.5, slip: a*y, friction: 0.1}\n"};

static const named_model grid = {"a net of masses with two indices",
                                 "carom: 1\n"
                                 "parameters: {n: 3, k: 4, m: 0.5}\n"
                                 "coordinates:\n"
                                 "  z[i,j]:\n"
                                 "    for: {i: 1..n, j: 1..i}\n"
                                 "    start: 0.1*i - 0.05*j\n"
                                 "define:\n"
                                 "  h[i,j]:\n"
                                 "    for: {i: 1..n, j: 1..i}\n"
                                 "    value: z[i,j] + 0.2*z[i,j]^2\n"
                                 "kinetic:\n"
                                 "  - term: m/2*der(h[i,j])^2\n"
                                 "    for: {i: 1..n, j: 1..i}\n"
                                 "  - term: m/8*(der(z[i,j]) + der(z[i-1,j]))^2\n"
                                 "    for: {i: 2..n, j: 1..i-1}\n"
                                 "potential:\n"
                                 "  - term: k/2*(z[i,j] - z[i-1,j])^2 + k/4*z[i,j]^4\n"
                                 "    for: {i: 2..n, j: 1..i-1}\n"
                                 "contacts:\n"
                                 "  - name: pair[i,j]\n"
                                 "    for: {i: 2..n, j: 1..i-1}\n"
                                 "    gap: 1 + h[i,j] - z[i-1,j]\n"
                                 "    restitution: 0.3\n"};

// forces at points that move with the coordinates and time; sliding rates with an offset, in space
static const named_model pushed = {
    "two bars pushed at points, rolling in space",
    "carom: 1\n"
    "parameters: {l: 0.9, c: 0.4}\n"
    "coordinates:\n"
    "  a: {start: 0.3, rate: 1}\n"
    "  b: {start: -0.5}\n"
    "  x: {start: 0.2}\n"
    "define:\n"
    "  px: x + l*cos(a) + l*cos(a + b)\n"
    "  py: l*sin(a) + l*sin(a + b) + 0.1*t\n"
    "kinetic: (der(px)^2 + der(py)^2)/2 + (der(x)^2 + der(a)^2 + der(b)^2)/2\n"
    "potential: 9.81*py + x^2\n"
    "forces:\n"
    "  - at: [px, py]\n"
    "    force: [-c*der(px) + sin(t), -c*der(py)^2*x]\n"
    "  - at: [px*py]\n"
    "    force: [a + t]\n"
    "  - coordinate: b\n"
    "    force: -0.1*der(b)^3\n"
    "contacts:\n"
    "  - name: wheel\n"
    "    gap: 3 + py\n"
    "    slip_rate: [der(x) - l*cos(a)*der(b) + 0.3*sin(t)*x, der(b)*exp(x) + 2]\n"
    "    friction: 0.4\n"
    "    tangential_restitution: 0.2\n"};

// every joint, motor and element of the plane, free and carried bodies; more rows than it needs
static const named_model zoo = {
    "zoo of joints and elements",
    "carom: 1\n"
    "space: plane\n"
    "gravity: [0.3*sin(t), -9.81]\n"
    "coordinates: {z: {start: 0.2}}\n"
    "bodies:\n"
    "  a: {mass: 1.2, inertia: 0.3, centre: [0.1, 0.05], at: [0.4, 0.1], angle: 0.3, "
    "points: {tip: [0.7, 0.1], foot: [-0.4, 0]}}\n"
    "  b: {mass: 0.7, inertia: 0.2, at: [1.3, 0.5], points: {end: [0.5, 0.2]}}\n"
    "  c[i]: {for: {i: 1..2}, mass: i, inertia: 0.1*i, at: [2*i, 1], gravity: no, "
    "points: {p: [0.1, 0.2]}}\n"
    "  arm: {mass: 0.5, inertia: 0.1, on: {revolute: a, at: a.foot, origin: [-0.3, 0.1], "
    "start: 0.4}, points: {tip: [0.3, 0]}}\n"
    "  sled: {mass: 0.4, inertia: 0.1, on: {prismatic: arm, at: arm.tip, axis: [1, 2], "
    "start: 0.1, angle: 0.2}}\n"
    "  shell: {mass: 0.2, inertia: 0.1, on: {fixed: sled, at: sled, origin: [0.1, 0]}}\n"
    "  bead: {mass: 0.3, inertia: 0.1, at: [a.tip.x + z*a.R11, a.tip.y + z*a.R21], "
    "angle: a.angle + 2*z}\n"
    "joints:\n"
    "  pin: {revolute: [a, b], at: a.tip, limits: [-1, 1], radius: 0.1, restitution: "
    "0.5, damping: 0.2, zero: 0.1}\n"
    "  rail: {prismatic: [b, 'c[1]'], at: 'c[1].p', axis: [1, 0.3], limits: [-2, 2], "
    "damping: 0.1}\n"
    "  weld: {fixed: ['c[1]', 'c[2]'], at: [2, 2]}\n"
    "  rod2: {distance: [a, 'c[2]'], from: a.foot, to: 'c[2].p'}\n"
    "  line: {rope: [ground, b], from: [-1, 2], to: b.end, length: 4}\n"
    "  track: {point_on_line: [a, 'c[1]'], at: 'c[1]', axis: [0.2, 1]}\n"
    "  compass: {orient: [arm, b]}\n"
    "  wheel: {revolute: [ground, 'c[2]'], at: [3, 0]}\n"
    "  gears: {gear: [pin, wheel], teeth: [20, -31]}\n"
    "  teeth: {rack: [rail, wheel], radius: 0.2}\n"
    "  lift: {cam: [rail, wheel], lift: 0.1*sin(wheel.angle)}\n"
    "  told: {motion: pin, angle: 0.1 + 0.3*t^2}\n"
    "  rule: {custom: [a, b], rows: [a.x*b.y - z]}\n"
    "  bearing: {journal: [a, shell], from: a.tip, to: shell, radius: 0.05, play: 4, "
    "friction: 0.2}\n"
    "  slot: {notch: [arm, bead], at: bead, axis: [1, 0.5], size: [0.2, 0.1], play: 3, "
    "friction: 0.1}\n"
    "motors:\n"
    "  drive: {on: wheel, torque: 0.3*sin(t) - 0.1*wheel.angle}\n"
    "  push: {on: sled, force: 2 - der(sled.displacement)}\n"
    "  turn: {on: arm, angle: 0.4 + 2*t^2}\n"
    "force elements:\n"
    "  s: {spring: [ground, b], from: [0, 3], to: b.end, stiffness: 30, damping: 0.3, "
    "length: 1, force: 0.1*b.vx}\n"
    "  p: {bumper: [ground, a], from: [-3, 0], to: a, stiffness: 10, damping: 0.1, "
    "length: 9}\n"
    "  m: {torsion: pin, stiffness: 2, angle: 0.3, damping: 0.1, torque: 0.1*pin.angle^2}\n"
    "  n: {torsion: [a, bead], stiffness: 1}\n"
    "  u: {bushing: [b, shell], at: shell, axis: [1, 1], stiffness: [3, 5, 2], damping: "
    "[0.1, 0.2, 0.3]}\n"
    "  f: {force: arm, at: arm.tip, value: [0.3*t, -1], frame: body}\n"
    "  g: {force: shell, at: shell, value: [z, arm.w]}\n"
    "  o: {torque: 'c[1]', value: '-0.2*c[1].w'}\n"};

// dry friction in every form; records: the way of each slip, then the limit, disc by disc
static const named_model rubbing = {
    "dry friction in the plane",
    "carom: 1\n"
    "space: plane\n"
    "bodies:\n"
    "  a: {mass: 1.2, inertia: 0.3, centre: [0.1, 0.05], at: [0.4, 0.1], angle: 0.3, "
    "points: {tip: [0.7, 0.1]}}\n"
    "  b: {mass: 0.7, inertia: 0.2, at: [1.3, 0.5], points: {end: [0.5, 0.2]}}\n"
    "  arm: {mass: 0.5, inertia: 0.1, on: {revolute: a, at: a.tip, start: 0.4}}\n"
    "joints:\n"
    "  pin: {revolute: [ground, b], at: [1.1, 0.2]}\n"
    "  rail: {prismatic: [ground, a], at: a, axis: [3, 4]}\n"
    "force elements:\n"
    "  skin: {dry_friction: [a, b], from: a.tip, to: b.end, normal: [0.6, 0.8], load: 20 + "
    "a.x^2, coefficient: 0.3 + 0.1*sin(t)}\n"
    "  mat: {dry_friction: [a, b], from: a.tip, to: b.end, load: 5, coefficient: 0.2 + b.x^2}\n"
    "  pad: {dry_friction: pin, torque: 0.2 + 0.1*cos(pin.angle)}\n"
    "  shoe: {dry_friction: rail, force: 3 + t}\n"
    "  hub: {dry_friction: arm, torque: 0.1}\n"
    "record:\n"
    "  skin: 'dot([-0.8*cos(a.angle - 0.3) - 0.6*sin(a.angle - 0.3), 0.6*cos(a.angle - 0.3) - "
    "0.8*sin(a.angle - 0.3)], b.end - a.tip)'\n"
    "  skin_limit: (20 + a.x^2)*(0.3 + 0.1*sin(t))\n"
    "  mat1: 'dot([cos(a.angle - 0.3), sin(a.angle - 0.3)], b.end - a.tip)'\n"
    "  mat2: 'dot([-sin(a.angle - 0.3), cos(a.angle - 0.3)], b.end - a.tip)'\n"
    "  mat_limit: 5*(0.2 + b.x^2)\n"
    "  pad: b.angle\n"
    "  pad_limit: 0.2 + 0.1*cos(b.angle)\n"
    "  shoe: 0.6*a.x + 0.8*a.y\n"
    "  shoe_limit: 3 + t\n"
    "  hub: arm.angle\n"
    "  hub_limit: 0.1\n"};

static const named_model *const built_models[] = {&moving_pivot, &gyroscopic, &cam,
                                                  &grid,         &pushed,     &zoo};
enum { N_BUILT = sizeof built_models / sizeof *built_models };

static const char *const shipped_models[] = {
    "ball-in-box",   "ball-on-moving-plane",   "block-on-belt",   "block-on-incline",
    "bouncing-ball", "chain-of-balls",         "column-of-beads", "oscillator-with-stop",
    "painleve-rod",  "pendulum-in-ring",       "pendulum",        "rocking-block",
    "slider-crank",  "slider-crank-bilateral", "spring-pendulum", "woodpecker"};
enum { N_SHIPPED = sizeof shipped_models / sizeof *shipped_models };

#endif
