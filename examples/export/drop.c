// SPDX-License-Identifier: Apache-2.0
// A model written by 'carom export' in a program of its own: the bouncing ball with Moreau's
// midpoint rule, without the library.
//
//     carom export models/bouncing-ball.yaml -o bouncing_ball.c
//     cc -O2 -ffp-contract=off examples/export/drop.c bouncing_ball.c -I. -lm -o drop
//     ./drop 1e-3 2
#define bouncing_ball_DECLARATIONS_ONLY
#include "bouncing_ball.c"

#include <stdio.h>
#include <stdlib.h>

typedef struct ball {
    double t, q[bouncing_ball_n], u[bouncing_ball_n];
} ball;

// q_m = q + h/2 u,  M (u+ - u) = h f + W' P,  q+ = q_m + h/2 u+
static void step(ball *b, double h)
{
    double M, f, gap, W;
    const double t = b->t + 0.5 * h, e = bouncing_ball_contact_law[0];
    b->q[0] += 0.5 * h * b->u[0];
    bouncing_ball_mass(t, b->q, NULL, NULL, NULL, &M);
    bouncing_ball_forces(t, b->q, b->u, NULL, NULL, &f);
    bouncing_ball_gaps(t, b->q, NULL, NULL, NULL, &gap);
    bouncing_ball_rows(t, b->q, NULL, NULL, NULL, &W);
    double u = b->u[0] + h * f / M;
    if (gap <= 0) {
        // 0 <= W u+ + e W u  _|_  P >= 0
        const double closing = W * u + e * W * b->u[0];
        if (closing < 0) u -= closing / W;
    }
    b->u[0] = u;
    b->q[0] += 0.5 * h * u;
    b->t += h;
}

int main(int argc, char **argv)
{
    const double h = argc > 1 ? atof(argv[1]) : 1e-3, end = argc > 2 ? atof(argv[2]) : 2;
    const long n = (long)(end / h + 0.5);
    ball b = {0, {bouncing_ball_q0[0]}, {bouncing_ball_u0[0]}};
    double T, V;
    for (long i = 0; i < n; i++) step(&b, h);
    bouncing_ball_kinetic(b.t, b.q, b.u, NULL, NULL, &T);
    bouncing_ball_potential(b.t, b.q, NULL, NULL, NULL, &V);
    printf("%s = %.17g, its rate %.17g, energy %.17g\n", bouncing_ball_coordinate[0], b.q[0],
           b.u[0], T + V);
    return 0;
}
