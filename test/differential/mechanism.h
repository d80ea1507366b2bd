// SPDX-License-Identifier: Apache-2.0
// Random mechanisms as texts of model files: boxes, discs, masses on belts, pendulums, points in
// space; with friction, restitution, slopes, walls and floors that move. All lengths are of size 1
// m, all times of size 1 s. The parameter `d` changes start rates and friction a little: how
// sensitive is the motion?
#ifndef CAROM_TEST_DIFFERENTIAL_MECHANISM_H
#define CAROM_TEST_DIFFERENTIAL_MECHANISM_H

#include "differential/chance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MECHANISM_TEXT = 4096 };

typedef struct mechanism {
    const char *family;
    double end; // of the run [s]
    char text[MECHANISM_TEXT];
    size_t n;
} mechanism;

// what contacts of one mechanism share
typedef struct ground {
    double slope;                 // of gravity against the floor
    double lift, lift_w, lift_at; // the floor goes up and down: lift*sin(w*t + at)
    double shake, shake_w;        // and to and fro
    double mu, e;
} ground;

__attribute__((format(printf, 2, 3))) static inline void say(mechanism *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(m->text + m->n, MECHANISM_TEXT - m->n, format, list);
    va_end(list);
    m->n += (size_t)n;
}

static inline ground draw_ground(chance *c)
{
    ground g = {.slope = chance_some(c, 0.4, -0.5, 0.5),
                .mu = chance_some(c, 0.85, 0.05, 0.8),
                .e = chance_some(c, 0.5, 0.1, 0.8)};
    if (chance_is(c, 0.35)) {
        g.lift_w = chance_between(c, 3, 12);
        g.lift_at = chance_between(c, 0, 6);
        g.lift = round(1e5 * chance_between(c, 2, 14) / (g.lift_w * g.lift_w)) / 1e5;
    }
    if (chance_is(c, 0.35)) {
        g.shake_w = chance_between(c, 3, 15);
        g.shake = chance_between(c, 1, 10) / (g.shake_w * g.shake_w);
    }
    return g;
}

// parameters of all families, and where the floor is
static inline void say_ground(mechanism *m, const ground *g)
{
    say(m, "carom: 1\nparameters: {d: 0, mu: %.6g*(1 + d), e: %.6g, s: %.6g}\n", g->mu, g->e,
        g->slope);
    m->end = 1.5;
}

static inline void say_floor(mechanism *m, const ground *g)
{
    say(m, "define:\n  up: %.8g*sin(%.6g*t + %.6g)\n  along: %.6g*sin(%.6g*t)\n", g->lift,
        g->lift_w, g->lift_at, g->shake, g->shake_w);
}

// where the floor is at the start
static inline double floor_start(const ground *g)
{
    return g->lift * sin(g->lift_at);
}

// a corner at (side b, bottom h) of a box against the floor, or against a wall at the right
static inline void say_corner(mechanism *m, double b, double h, int number)
{
    say(m,
        "  - {name: corner%d, gap: y + (%.6g)*sin(th) + (%.6g)*cos(th) - up, "
        "slip: x + (%.6g)*cos(th) - (%.6g)*sin(th) - along, restitution: e, friction: mu}\n",
        number, b, h, b, h);
}

static inline void say_wall_corner(mechanism *m, double b, double h, double wall)
{
    say(m,
        "  - {name: wall%s, gap: %.6g - x - (%.6g)*cos(th) + (%.6g)*sin(th), "
        "slip: y + (%.6g)*sin(th) + (%.6g)*cos(th), restitution: e, friction: mu}\n",
        h < 0 ? "_low" : "_high", wall, b, h, b, h);
}

// a box stands on the floor, is dropped on a corner, or thrown against a wall
static inline void draw_box(mechanism *m, chance *c)
{
    const ground g = draw_ground(c);
    const double b = chance_between(c, 0.1, 0.4), h = chance_between(c, 0.08, 0.35);
    const bool is_dropped = chance_is(c, 0.55), is_level = !is_dropped || chance_is(c, 0.15);
    const double th = is_level ? 0 : chance_between(c, -0.7, 0.7);
    const double low = b * fabs(sin(th)) + h * cos(th);
    const double drop = is_dropped ? chance_between(c, 0.01, 0.3) : 0;
    const double wall = chance_some(c, 0.3, b + h + 0.1, 1.2);
    const double run = chance_some(c, 0.7, -2, 2), spin = chance_some(c, 0.4, -3, 3);
    say_ground(m, &g);
    say(m, "coordinates:\n  x: {start: 0, rate: %.6g + 0.7*d}\n", run);
    say(m, "  y: {start: %.17g, rate: %.17g + d}\n", low + floor_start(&g) + drop,
        is_dropped ? 0 : g.lift * g.lift_w * cos(g.lift_at));
    say(m, "  th: {start: %.6g, rate: %.6g + 0.4*d}\n", th, is_dropped ? spin : 0);
    say_floor(m, &g);
    say(m, "kinetic: (der(x)^2 + der(y)^2)/2 + %.6g*der(th)^2\n", (b * b + h * h) / 6);
    say(m, "potential: 9.81*(cos(s)*y - sin(s)*x)\ncontacts:\n");
    const double side[] = {-b, b, b, -b};
    const bool is_free = is_dropped || chance_is(c, 0.3);
    for (int i = 0; i < (is_free ? 4 : 2); i++) say_corner(m, side[i], i < 2 ? -h : h, i + 1);
    if (wall > 0) {
        say_wall_corner(m, b, -h, wall);
        say_wall_corner(m, b, h, wall);
    }
    m->family = "box";
}

// a disc on a floor, perhaps between walls
static inline void draw_disc(mechanism *m, chance *c)
{
    const ground g = draw_ground(c);
    const double R = chance_between(c, 0.05, 0.25);
    const double drop = chance_some(c, 0.5, 0.01, 0.4);
    const double right = chance_some(c, 0.6, R + 0.05, 1), left = chance_some(c, 0.3, R + 0.05, 1);
    const double run = chance_some(c, 0.8, -2.5, 2.5), spin = chance_some(c, 0.6, -20, 20);
    say_ground(m, &g);
    say(m, "coordinates:\n  x: {start: 0, rate: %.6g + 0.7*d}\n", run);
    say(m, "  y: {start: %.17g, rate: %.17g + d}\n", R + floor_start(&g) + drop,
        drop > 0 ? 0 : g.lift * g.lift_w * cos(g.lift_at));
    say(m, "  a: {start: 0, rate: %.6g + d}\n", spin);
    say_floor(m, &g);
    say(m, "kinetic: (der(x)^2 + der(y)^2)/2 + %.6g*der(a)^2\n", R * R / 4);
    say(m, "potential: 9.81*(cos(s)*y - sin(s)*x)\ncontacts:\n");
    say(m,
        "  - {name: ground, gap: y - %.6g - up, slip: x + %.6g*a - along, restitution: e, "
        "friction: mu}\n",
        R, R);
    if (right > 0)
        say(m,
            "  - {name: right, gap: %.6g - x - %.6g, slip: y + %.6g*a, restitution: e, "
            "friction: mu}\n",
            right, R, R);
    if (left > 0)
        say(m,
            "  - {name: left, gap: x + %.6g - %.6g, slip: y - %.6g*a, restitution: e, "
            "friction: %.6g}\n",
            left, R, R, chance_some(c, 0.7, 0.1, 0.6));
    m->family = "disc";
}

// one to three masses in a row on springs, on a belt that runs, and stops between some of them
static inline void draw_belt(mechanism *m, chance *c)
{
    ground g = draw_ground(c);
    const int n = 1 + chance_below(c, 3);
    const double speed = chance_some(c, 0.7, -1.5, 1.5);
    const bool has_stops = chance_is(c, 0.4);
    if (g.mu < 0.05) g.mu = 0.3;
    say_ground(m, &g);
    say(m, "coordinates:\n");
    for (int i = 1; i <= n; i++)
        say(m, "  x%d: {start: %.6g, rate: %.6g + %.6g*d}\n  y%d: {start: 0}\n", i,
            chance_some(c, 0.5, -0.2, 0.2), chance_some(c, 0.5, -1, 1), 1 / (double)i, i);
    say(m, "define:\n  belt: (%.6g)*t + %.6g*sin(%.6g*t)\n", speed, g.shake, g.shake_w);
    say(m, "kinetic:\n");
    for (int i = 1; i <= n; i++) say(m, "  - (der(x%d)^2 + der(y%d)^2)/2\n", i, i);
    say(m, "potential:\n");
    for (int i = 1; i <= n; i++) {
        char before[16] = "0";
        if (i > 1) snprintf(before, sizeof before, "x%d", i - 1);
        say(m, "  - %.6g*(x%d - %s)^2/2 + 9.81*y%d\n", chance_between(c, 5, 80), i, before, i);
    }
    if (chance_is(c, 0.4))
        say(m, "forces:\n  - {coordinate: x1, force: %.6g*sin(%.6g*t)}\n", chance_between(c, 1, 8),
            chance_between(c, 3, 12));
    say(m, "contacts:\n");
    for (int i = 1; i <= n; i++)
        say(m, "  - {name: belt%d, gap: y%d, slip: x%d - belt, friction: %.6g*mu}\n", i, i, i,
            chance_between(c, 0.6, 1.4));
    for (int i = 1; i <= n && has_stops; i++)
        say(m, "  - {name: stop%d, gap: %.6g - x%d, restitution: e}\n", i,
            chance_between(c, 0.25, 0.5), i);
    m->family = "belt";
}

// a pendulum of one or two rods in angles, its pivot moves, its tips hit walls that
// are rough. A rod that stands nearly across a wall jams (Painleve): walls are nearer
// than that, and not too rough.
static inline void draw_pendulum(mechanism *m, chance *c)
{
    ground g = draw_ground(c);
    const int n = 1 + chance_below(c, 2);
    const double l = chance_between(c, 0.4, 0.8);
    const double right = chance_between(c, 0.05, 0.5) * l, left = chance_some(c, 0.5, 0.3, 0.6) * l;
    g.shake = fmin(g.shake, 0.2 * l);
    say_ground(m, &g);
    say(m, "coordinates:\n");
    for (int i = 1; i <= n; i++)
        say(m, "  p%d: {start: %.6g, rate: %.6g + d}\n", i, chance_between(c, -0.2, 0.02),
            chance_between(c, -2, 2));
    say(m, "define:\n  pivot: %.6g*sin(%.6g*t)\n  X1: pivot + %.6g*sin(p1)\n  Y1: -%.6g*cos(p1)\n",
        g.shake, g.shake_w, l, l);
    if (n == 2) say(m, "  X2: X1 + %.6g*sin(p2)\n  Y2: Y1 - %.6g*cos(p2)\n", 0.8 * l, 0.8 * l);
    say(m, "kinetic:\n");
    for (int i = 1; i <= n; i++) say(m, "  - (der(X%d)^2 + der(Y%d)^2)/2\n", i, i);
    say(m, "potential:\n");
    for (int i = 1; i <= n; i++) say(m, "  - 9.81*Y%d\n", i);
    say(m, "contacts:\n");
    for (int i = 1; i <= n; i++) {
        say(m,
            "  - {name: right%d, gap: %.6g - X%d, slip: Y%d, restitution: e, friction: 0.3*mu}\n",
            i, right + 0.05 * i, i, i);
        if (left > 0)
            say(m, "  - {name: left%d, gap: X%d + %.6g, restitution: e}\n", i, i, left + 0.1 * i);
    }
    m->family = "pendulum";
}

// a mass on a rod, held by a constraint, over a floor that moves. Near the lowest point of the
// swing friction would jam the rod (Painleve): the floor stays above it.
static inline void draw_rod(mechanism *m, chance *c)
{
    ground g = draw_ground(c);
    g.lift = round(2e3 * g.lift) / 1e5;
    const double l = chance_between(c, 0.4, 0.9);
    const double at = chance_sign(c) * chance_between(c, 0.8, 1.3), y = -l * cos(at);
    const double v = chance_some(c, 0.8, -2, 2), share = chance_between(c, 0.05, 0.9);
    const double high = y - g.lift - 0.01, floor = high - share * fmax(0, high - g.lift + 0.9 * l);
    say_ground(m, &g);
    say(m, "coordinates:\n  x: {start: %.17g, rate: %.17g + %.17g*d}\n", l * sin(at), v * cos(at),
        cos(at));
    say(m, "  y: {start: %.17g, rate: %.17g + %.17g*d}\n", y, v * sin(at), sin(at));
    say_floor(m, &g);
    say(m, "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n");
    say(m, "constraints:\n  - {name: rod, equation: x^2 + y^2 - %.17g}\n", l * l);
    say(m,
        "contacts:\n  - {name: ground, gap: y - up + %.17g, slip: x - along, restitution: e, "
        "friction: 0.3*mu}\n",
        -floor);
    m->family = "rod";
}

// a point in space over a floor that moves, perhaps in a corner of rough walls
static inline void draw_point(mechanism *m, chance *c)
{
    const ground g = draw_ground(c);
    const double drop = chance_some(c, 0.5, 0.01, 0.4), tilt = chance_some(c, 0.4, -0.4, 0.4);
    const double wall = chance_some(c, 0.5, 0.05, 0.5), wall2 = chance_some(c, 0.4, 0.05, 0.5);
    const double x = chance_some(c, 0.9, -2, 2), y = chance_some(c, 0.9, -2, 2);
    say_ground(m, &g);
    say(m, "coordinates:\n  x: {start: 0, rate: %.6g + 0.7*d}\n  y: {start: 0, rate: %.6g + d}\n",
        x, y);
    say(m, "  z: {start: %.17g, rate: %.17g + d}\n", floor_start(&g) + drop,
        drop > 0 ? 0 : g.lift * g.lift_w * cos(g.lift_at));
    say_floor(m, &g);
    say(m, "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n");
    say(m, "potential: 9.81*(cos(s)*z + sin(s)*x + (%.6g)*y)\ncontacts:\n", tilt);
    say(m,
        "  - {name: ground, gap: z - up, slip: [x - along, y + %.6g*along], restitution: e, "
        "friction: mu}\n",
        chance_some(c, 0.5, -1, 1));
    if (wall > 0)
        say(m, "  - {name: wall, gap: x + %.6g, slip: [y, z], restitution: e, friction: %.6g}\n",
            wall, chance_some(c, 0.6, 0.05, 0.5));
    if (wall2 > 0)
        say(m, "  - {name: wall2, gap: %.6g - y, slip: [x, z], restitution: e, friction: %.6g}\n",
            wall2, chance_some(c, 0.6, 0.05, 0.5));
    m->family = "point";
}

// two or three blocks on each other, on a floor that moves; a spring or a force pulls one of them
static inline void draw_stack(mechanism *m, chance *c)
{
    const ground g = draw_ground(c);
    const int n = 2 + chance_below(c, 2), pulled = 1 + chance_below(c, n);
    say_ground(m, &g);
    say(m, "coordinates:\n");
    for (int i = 1; i <= n; i++)
        say(m, "  x%d: {start: 0, rate: %.6g + %.6g*d}\n  y%d: {start: %.17g, rate: %.17g}\n", i,
            chance_some(c, 0.4, -1.5, 1.5), 1 / (double)i, i, floor_start(&g),
            g.lift * g.lift_w * cos(g.lift_at));
    say_floor(m, &g);
    say(m, "kinetic:\n");
    for (int i = 1; i <= n; i++)
        say(m, "  - %.6g*(der(x%d)^2 + der(y%d)^2)\n", chance_between(c, 0.2, 2), i, i);
    say(m, "potential:\n  - %.6g*x%d^2\n", chance_some(c, 0.6, 5, 60), pulled);
    for (int i = 1; i <= n; i++) say(m, "  - %.6g*y%d\n", chance_between(c, 5, 20), i);
    if (chance_is(c, 0.5))
        say(m, "forces:\n  - {coordinate: x%d, force: %.6g*sin(%.6g*t)}\n", pulled,
            chance_between(c, 1, 15), chance_between(c, 3, 12));
    say(m,
        "contacts:\n  - {name: ground, gap: y1 - up, slip: x1 - along, restitution: e, friction: "
        "mu}\n");
    for (int i = 2; i <= n; i++)
        say(m,
            "  - {name: on%d, gap: y%d - y%d, slip: x%d - x%d, restitution: e, friction: %.6g}\n",
            i - 1, i, i - 1, i, i - 1, chance_some(c, 0.9, 0.05, 0.9));
    m->family = "stack";
}

// two discs on a slope run into each other, or lean on each other and on a wall
static inline void draw_pair(mechanism *m, chance *c)
{
    const ground g = draw_ground(c);
    const double R = chance_between(c, 0.08, 0.2), away = chance_some(c, 0.7, 0.02, 0.5);
    const double wall = chance_some(c, 0.6, 0.05, 0.5);
    say_ground(m, &g);
    say(m, "coordinates:\n");
    for (int i = 1; i <= 2; i++)
        say(m,
            "  x%d: {start: %.6g, rate: %.6g + d}\n  y%d: {start: %.17g, rate: %.17g + d}\n"
            "  a%d: {start: 0, rate: %.6g + 0.6*d}\n",
            i, i == 1 ? 0 : 2 * R + away, chance_some(c, 0.6, -1.5, 1.5), i, R + floor_start(&g),
            g.lift * g.lift_w * cos(g.lift_at), i, chance_some(c, 0.5, -10, 10));
    say_floor(m, &g);
    say(m, "kinetic:\n");
    for (int i = 1; i <= 2; i++)
        say(m, "  - (der(x%d)^2 + der(y%d)^2)/2 + %.6g*der(a%d)^2\n", i, i, R * R / 4, i);
    say(m, "potential: 9.81*(cos(s)*(y1 + y2) - sin(s)*(x1 + x2))\ncontacts:\n");
    for (int i = 1; i <= 2; i++)
        say(m,
            "  - {name: ground%d, gap: y%d - %.6g - up, slip: x%d + %.6g*a%d - along, restitution: "
            "e, friction: mu}\n",
            i, i, R, i, R, i);
    // the discs stay side by side: the floor holds both, or they leave it a little
    say(m,
        "  - {name: between, gap: x2 - x1 - %.6g, slip: y2 - y1 - %.6g*(a1 + a2), restitution: e, "
        "friction: %.6g}\n",
        2 * R, R, chance_some(c, 0.6, 0.05, 0.4));
    if (wall > 0)
        say(m,
            "  - {name: wall, gap: %.6g - x2, slip: y2 + %.6g*a2, restitution: e, friction: "
            "%.6g}\n",
            2 * R + away + wall, R, chance_some(c, 0.6, 0.05, 0.5));
    m->family = "pair";
}

static inline void draw_mechanism(mechanism *m, unsigned long seed, int index)
{
    static void (*const draw[])(mechanism *, chance *) = {
        draw_box, draw_disc, draw_belt, draw_pendulum, draw_rod, draw_point, draw_stack, draw_pair};
    chance c = chance_of(seed, index);
    *m = (mechanism){.family = ""};
    draw[index % 8](m, &c);
}

#endif
