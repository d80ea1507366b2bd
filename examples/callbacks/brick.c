// SPDX-License-Identifier: Apache-2.0
// A brick as a model from C functions: thrown spinning, it tumbles on a floor that its corners hit.
// Positions are its centre and a unit quaternion (7), velocities those of the centre and the spin
// in axes of the brick (6); the library moves the quaternion, the functions only use its matrix.
//
//     cc -O2 examples/callbacks/brick.c $(pkg-config --cflags --libs carom) -lm -o brick
//     ./brick moreau_midpoint 1e-4 2
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_POSITION = 7, N_VELOCITY = 6, N_CORNER = 8 };

typedef struct brick {
    double mass, gravity, J[3]; // [kg], [m/s2], principal inertia [kg m2]
    double half[3];             // half lengths of its edges [m]
} brick;

// row i of the rotation matrix of the quaternion p
static void matrix_row(const double *p, int i, double *row)
{
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(row, R + 3 * i, 3 * sizeof *row);
}

static void corner(const brick *b, int i, double *s)
{
    for (int k = 0; k < 3; k++) s[k] = i >> k & 1 ? b->half[k] : -b->half[k];
}

static int mass(void *user, double t, const double *q, double *M)
{
    (void)t, (void)q;
    const brick *b = user;
    memset(M, 0, N_VELOCITY * N_VELOCITY * sizeof *M);
    for (int i = 0; i < 3; i++) M[(N_VELOCITY + 1) * i] = b->mass;
    for (int i = 0; i < 3; i++) M[(N_VELOCITY + 1) * (3 + i)] = b->J[i];
    return 0;
}

// weight, and the gyroscopic moment (J w) x w
static int forces(void *user, double t, const double *q, const double *u, double *f)
{
    (void)t, (void)q;
    const brick *b = user;
    const double *J = b->J, *w = u + 3;
    f[0] = f[1] = 0;
    f[2] = -b->mass * b->gravity;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        f[3 + i] = (J[j] - J[k]) * w[j] * w[k];
    }
    return 0;
}

static int potential(void *user, double t, const double *q, double *V)
{
    (void)t;
    const brick *b = user;
    *V = b->mass * b->gravity * q[2];
    return 0;
}

// the height of corner s: z + R3.s
static int gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)t, (void)constraint;
    double R3[3], s[3];
    matrix_row(q + 3, 2, R3);
    for (int i = 0; i < N_CORNER; i++) {
        corner(user, i, s);
        gap[i] = q[2] + R3[0] * s[0] + R3[1] * s[1] + R3[2] * s[2];
    }
    return 0;
}

// e.(v + R (w x s)) = e.v + (s x R'e).w   for e = z (the gap), x and y (the slips)
static int rows(void *user, double t, const double *q, double *W, double *w0)
{
    (void)t;
    static const int axis[] = {2, 0, 1};
    memset(W, 0, 3 * N_CORNER * N_VELOCITY * sizeof *W);
    memset(w0, 0, 3 * N_CORNER * sizeof *w0);
    for (int i = 0; i < N_CORNER; i++) {
        double s[3], e[3];
        corner(user, i, s);
        for (int k = 0; k < 3; k++, W += N_VELOCITY) {
            matrix_row(q + 3, axis[k], e);
            W[axis[k]] = 1;
            W[3] = s[1] * e[2] - s[2] * e[1];
            W[4] = s[2] * e[0] - s[0] * e[2];
            W[5] = s[0] * e[1] - s[1] * e[0];
        }
    }
    return 0;
}

static carom_status brick_model(brick *b, carom_model **model, carom_error *error)
{
    static const double q0[] = {0, 0, 0.5, 1, 0, 0, 0}, u0[] = {0.5, 0, 1, 0.1, 12, 0.1};
    static const char *const position[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    static const char *const velocity[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const name[] = {"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"};
    carom_contact_facts corners[N_CORNER] = {{0}};
    for (int i = 0; i < N_CORNER; i++)
        corners[i] = (carom_contact_facts){.name = name[i], .n_slip = 2, .e = 0.3, .mu = 0.4};
    // with the inertia said here, explicit schemes have their order, and `variational` its momenta
    const carom_chart_part part[] = {
        {.kind = CAROM_CHART_PLAIN, .q = 0, .u = 0, .n = 3},
        {.kind = CAROM_CHART_QUATERNION, .q = 3, .u = 3, .inertia = {b->J[0], b->J[1], b->J[2]}}};
    const carom_callbacks given = {.user = b,
                                   .name = "brick",
                                   .n = N_VELOCITY,
                                   .n_position = N_POSITION,
                                   .positions = {.part = part, .n_part = 2},
                                   .n_contact = N_CORNER,
                                   .contact = corners,
                                   .coordinate_name = position,
                                   .velocity_name = velocity,
                                   .q0 = q0,
                                   .u0 = u0,
                                   .mass_is_constant = true,
                                   .mass = mass,
                                   .forces = forces,
                                   .potential = potential,
                                   .gaps = gaps,
                                   .rows = rows};
    return carom_model_from_callbacks(&given, model, error);
}

static brick a_brick(void)
{
    const double a = 0.2, b = 0.1, c = 0.06, m = 2; // edges [m], mass [kg]
    return (brick){
        .mass = m,
        .gravity = 9.81,
        .J = {m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b)},
        .half = {a / 2, b / 2, c / 2}};
}

int main(int n_argument, char **argument)
{
    carom_error error = {0};
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    brick b = a_brick();
    carom_sim_options options = carom_sim_default();
    options.scheme = n_argument > 1 ? argument[1] : "moreau_midpoint";
    options.step = n_argument > 2 ? atof(argument[2]) : 1e-4;
    options.end = n_argument > 3 ? atof(argument[3]) : 2;
    carom_status status = brick_model(&b, &model, &error);
    if (status == CAROM_OK) status = carom_sim_new(model, &options, &sim, &error);
    if (status == CAROM_OK) status = carom_sim_run(sim, &error);
    if (status == CAROM_OK) {
        const carom_state *s = carom_sim_state(sim);
        printf("t %g: centre %.6f %.6f %.6f, turned %.6f %.6f %.6f %.6f\n", s->t, s->q[0], s->q[1],
               s->q[2], s->q[3], s->q[4], s->q[5], s->q[6]);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    carom_sim_free(sim);
    carom_model_free(model);
    return status == CAROM_OK ? 0 : 2;
}
