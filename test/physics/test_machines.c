// SPDX-License-Identifier: Apache-2.0
// label: slow
// Shipped machines of shapes that touch: a Geneva drive, a latch, a clock, gears with backlash, a
// rattleback, a bowling ball, against closed forms, other methods and other integrations.
#include "physics/motion_rig.h"

static const double pi = 3.14159265358979323846;

// ---- Geneva drive ----

/// What play lets the wheel do, and what it did.
typedef struct geneva {
    double play, farthest; // of the wheel's angle from the ideal one, over what play allows
    int n_moving, n_locked;
} geneva;

// phi = -atan2(r sin th, a - r cos th), a quarter less for each index; play over the pin's lever
static void look_at_geneva(const motion *m, const double *row)
{
    geneva *g = m->own;
    const double r = 0.03, a = sqrt(2) * r, th = row[column_of(m, "pin_angle")];
    const double driver = row[column_of(m, "driver.angle")],
                 wheel = row[column_of(m, "wheel.angle")];
    const double turn = floor((driver + pi) / (2 * pi)); // whole ones of the driver before
    const double lever = sqrt(a * a + r * r - 2 * a * r * cos(th)), deep = 2e-5;
    double far, room;
    if (fabs(th) < pi / 4 - 0.02) {
        far = wheel - (row[column_of(m, "ideal")] - turn * pi / 2);
        room = (g->play + deep) / lever;
        g->n_moving++;
    } else if (fabs(th) > pi / 4 + 0.1) {
        // the lock is 0.1 mm smaller than the hollow, whose ends have a lever of 0.66 r
        far = wheel - (pi / 4 - (turn + (th > 0)) * pi / 2);
        room = (1e-4 + deep) / (0.66 * r);
        g->n_locked++;
    } else {
        return;
    }
    g->farthest = fmax(g->farthest, fabs(far) / room);
}

static void a_geneva_wheel_turns_and_stands_within_its_play(void **state)
{
    static const char *const change[][2] = {{NULL}, {"pin=0.00408", NULL}};
    const double play[] = {1e-4, 2e-5};
    (void)state;
    for (int k = 0; k < 2; k++) {
        geneva g = {.play = play[k]};
        motion m = {.look = look_at_geneva, .own = &g};
        motion_run(&m, &(motion_plan){.model = "geneva-drive", .change = change[k]});
        rig_below(g.farthest, 1);
        assert_true(g.n_moving > 2000 && g.n_locked > 4000);
        rig_near(last(&m, "driver.angle"), 4 * pi, 1e-10);
        rig_close(&m.r);
    }
}

// ---- breaker ----

/// When the arm came to two angles.
typedef struct opening {
    double t[2], before_t, before;
} opening;
static const double opened[2] = {0.02, 0.3};

static void look_at_breaker(const motion *m, const double *row)
{
    opening *o = m->own;
    const double t = row[0], angle = row[column_of(m, "arm.angle")];
    for (int k = 0; k < 2; k++)
        if (o->t[k] == 0 && angle > opened[k])
            o->t[k] =
                o->before_t + (t - o->before_t) * (opened[k] - o->before) / (angle - o->before);
    o->before_t = t;
    o->before = angle;
}

static opening open_breaker(const char *scheme, double step)
{
    opening o = {.t = {0}};
    motion m = {.look = look_at_breaker, .own = &o};
    motion_run(&m, &(motion_plan){.model = "circuit-breaker", .scheme = scheme, .step = step});
    rig_near(last(&m, "arm.angle"), 0.4, 0.02); // at its buffer
    rig_close(&m.r);
    return o;
}

// it lets go at the same time to a step, whatever the step and the method; on the way the roller
// leaves the hook's edge and rattles in its pin, and the arm is open at the same time to 1 %
static void a_breaker_opens_in_a_time_that_converges(void **state)
{
    const opening fine = open_breaker("moreau_midpoint", 1e-6);
    (void)state;
    for (double h = 8e-6; h > 1.5e-6; h /= 2) {
        const opening o = open_breaker("moreau_midpoint", h);
        rig_near(o.t[0], fine.t[0], h);
        rig_near(o.t[1], fine.t[1], 0.01 * fine.t[1]);
    }
    rig_near(open_breaker("moreau_jean", 2e-6).t[0], fine.t[0], 2e-6);
}

static void a_breaker_that_is_not_tripped_stays_closed(void **state)
{
    motion m = {.look = NULL};
    (void)state;
    motion_run(&m, &(motion_plan){.model = "circuit-breaker",
                                  .change = (const char *const[]){"trip=0", NULL}});
    rig_below(last(&m, "arm.angle"), 1e-3);
    rig_close(&m.r);
}

// ---- clock ----

/// Of the last whole swings.
typedef struct swings {
    double t, angle, crossed, teeth, period, passed, top, amplitude;
    int n;
} swings;

static void look_at_clock(const motion *m, const double *row)
{
    swings *s = m->own;
    const double t = row[0], angle = row[column_of(m, "anchor.angle")];
    if (s->angle < 0 && angle >= 0) {
        const double now = s->t + (t - s->t) * s->angle / (s->angle - angle);
        const double teeth = row[column_of(m, "teeth")];
        s->period = now - s->crossed;
        s->passed = teeth - s->teeth;
        s->amplitude = s->top;
        s->crossed = now;
        s->teeth = teeth;
        s->top = 0;
        s->n++;
    }
    s->top = fmax(s->top, angle);
    s->t = t;
    s->angle = angle;
}

// a tooth in each swing; T = 2 pi sqrt(J/(m g l)) (1 + A^2/16), which friction and impulses change
// by little; the amplitude comes to the same from above and from below
static void a_clock_goes(void **state)
{
    static const char *const start[][2] = {{"start=deg(2.9)", NULL}, {"start=deg(2.6)", NULL}};
    const double J = 0.2 * 0.248 * 0.248 + 1e-5, free = 2 * pi * sqrt(J / (0.2 * 9.81 * 0.248));
    double amplitude[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        swings s = {.n = 0};
        motion m = {.look = look_at_clock, .own = &s};
        motion_run(&m, &(motion_plan){.model = "escapement-clock", .change = start[k], .end = 30});
        assert_true(s.n >= 29);
        rig_near(s.passed, 1, 5e-3);
        amplitude[k] = s.amplitude;
        rig_near(s.period, free * (1 + s.amplitude * s.amplitude / 16), 2e-3);
        // what the weight gives is what is lost
        const carom_audit audit = rig_audit(&m.r);
        rig_near(audit.energy_error, 0, 1e-7);
        rig_near(last(&m, "load.y") - m.first[column_of(&m, "load.y")],
                 0.01 * (last(&m, "wheel.angle") - m.first[column_of(&m, "wheel.angle")]), 1e-9);
        rig_close(&m.r);
    }
    rig_near(amplitude[0], amplitude[1], 0.01 * amplitude[0]);
}

// ---- gears ----

/// The wheel's lag behind z1/z2 of the pinion, along the pitch circle [m].
typedef struct backlash {
    double least, most;
    int n_change, side;
} backlash;

static void look_at_gears(const motion *m, const double *row)
{
    backlash *b = m->own;
    const double lag = row[column_of(m, "lag")];
    b->least = fmin(b->least, lag);
    b->most = fmax(b->most, lag);
    if (fabs(lag) < 4e-5 || (lag > 0 ? 1 : -1) == b->side) return;
    b->side = lag > 0 ? 1 : -1;
    b->n_change++;
}

// Teeth are thinner by 50 um each than without play: the lag lies between -50 and 50 um; chords are
// up to 3.5 um inside of the involutes of either wheel.
static void gears_rattle_and_keep_their_ratio(void **state)
{
    backlash b = {0};
    motion m;
    (void)state;
    memset(&m, 0, sizeof m);
    m.look = look_at_gears;
    m.own = &b;
    motion_run(&m, &(motion_plan){.model = "gear-rattle"});
    rig_below(b.most, 57e-6);
    rig_below(-b.least, 57e-6);
    assert_true(b.most > 48e-6 && b.least < -48e-6 && b.n_change > 20);
    // 24 rad of the pinion, and no more than the play beside 17/25 of it
    rig_near(last(&m, "wheel.angle"), -17. / 25 * last(&m, "pinion.angle"), 57e-6 / 0.0375);
    rig_close(&m.r);
}

// ---- rattleback ----

static const double skew = 0.1, half[3] = {0.2, 0.03, 0.02}, moment[3] = {2e-4, 1.6e-3, 1.7e-3};

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A^2 v in axes of the body
static void stretch(const double *v, double *out)
{
    const double c = cos(skew), s = sin(skew);
    const double x = half[0] * half[0] * (c * v[0] + s * v[1]),
                 y = half[1] * half[1] * (c * v[1] - s * v[0]);
    out[0] = c * x - s * y;
    out[1] = s * x + c * y;
    out[2] = half[2] * half[2] * v[2];
}

// J - m [x][x] by Cramer's rule, m = 1
static void solve(const double *x, const double *right, double *w)
{
    double M[3][3], c[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[i][j] = (i == j ? moment[i] + dot(x, x) : 0) - x[i] * x[j];
    for (int i = 0; i < 3; i++) cross(M[(i + 1) % 3], M[(i + 2) % 3], c[i]);
    const double det = dot(M[0], c[0]);
    for (int i = 0; i < 3; i++)
        w[i] = (right[0] * c[0][i] + right[1] * c[1][i] + right[2] * c[2][i]) / det;
}

// Garcia and Hubbard: y = (G, w), up and the spin in axes of the body. x from the centre of mass to
// the contact, v = x x w, F = v' + w x v + g G, and J w' + w x J w = x x F.
static void rattle(const double *y, double *rate)
{
    const double *G = y, *w = y + 3;
    double q[3], dq[3], x[3], dx[3], a[3], b[3], F[3], Jw[3], right[3];
    cross(G, w, rate);
    stretch(G, q);
    stretch(rate, dq);
    const double n = sqrt(dot(G, q)), dn = dot(q, rate) / n;
    for (int i = 0; i < 3; i++) {
        x[i] = -q[i] / n + (i == 2 ? 0.01 : 0);
        dx[i] = -dq[i] / n + q[i] * dn / (n * n);
        Jw[i] = moment[i] * w[i];
    }
    cross(x, w, a);
    cross(w, a, b);
    cross(dx, w, a);
    for (int i = 0; i < 3; i++) F[i] = a[i] + b[i] + 9.81 * G[i];
    cross(x, F, a);
    cross(w, Jw, b);
    for (int i = 0; i < 3; i++) right[i] = a[i] - b[i];
    solve(x, right, rate + 3);
}

static void integrate(double *y, double end, int n)
{
    const double h = end / n, share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int k = 0; k < n; k++) {
        double at[6], rate[6] = {0}, sum[6] = {0};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 6; i++) at[i] = y[i] + h * share[s] * rate[i];
            rattle(at, rate);
            for (int i = 0; i < 6; i++) sum[i] += weight[s] * rate[i];
        }
        for (int i = 0; i < 6; i++) y[i] += h / 6 * sum[i];
    }
}

static void a_rattleback_turns_back_as_garcia_and_hubbard_say(void **state)
{
    double y[6] = {0, 0, 1, 0.02, 0, 5};
    (void)state;
    for (int end = 1; end <= 2; end++) { // it turns back at 0.9 s
        motion m = {.look = NULL};
        integrate(y, 1, 4000);
        motion_run(&m,
                   &(motion_plan){.model = "rattleback", .tolerance = 1e-9, .end = (double)end});
        rig_near(last(&m, "stone.wx"), y[3], 4e-5);
        rig_near(last(&m, "stone.wy"), y[4], 4e-5);
        rig_near(last(&m, "stone.wz"), y[5], 4e-5);
        rig_below(last(&m, "spin"), -1.8);
        rig_near(last(&m, "energy"), m.first[column_of(&m, "energy")], 1e-8);
        rig_close(&m.r);
    }
}

// ---- bowling ----

static void look_at_bowling(const motion *m, const double *row)
{
    const double t = row[0], v = 8, g = 9.81, mu = 0.25, rolls = 2. / 7 * v / (mu * g);
    if (t > 1.3) return; // before the first pin
    rig_near(row[column_of(m, "der_ball.x")], t < rolls ? v - mu * g * t : 5. / 7 * v, 1e-11);
    rig_near(row[column_of(m, "standing")], 10, 0);
}

static void a_bowling_ball_slides_rolls_and_strikes(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "bowling", look_at_bowling);
    rig_below(last(&m, "standing"), 4);
    rig_below(last(&m, "energy"), 0.3 * m.first[column_of(&m, "energy")]);
    const carom_audit audit = rig_audit(&m.r);
    rig_below(fabs(audit.energy_error), 0.05); // of 190 J
    rig_below(-audit.min_gap, 5e-3);
    rig_close(&m.r);
}

// ---- rover ----

/// What the motors gave, at most, over what they can.
typedef struct rover_drive {
    double most;
    int n_flat;
} rover_drive;

// How far the wheels stand above or below their radius. How six wheels share the pull of the start
// is not unique, and they are pressed in by as much as the solver's answer says.
static double rover_depth(const motion *m, const double *row)
{
    static const char *const wheel[] = {"lf", "lm", "rf", "rm", "lr", "rr"};
    double depth = 0;
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.wheel.z", wheel[i]);
        depth = fmax(depth, fabs(row[column_of(m, name)] - 0.142));
    }
    return depth;
}

// on the flat all wheels roll: v = omega r, but for what a small tilt does, which is of second
// order
static void look_at_rover(const motion *m, const double *row)
{
    static const char *const motor[] = {"lf", "lm", "rf", "rm", "lr", "rr"};
    rover_drive *drive = m->own;
    const double t = row[0], h = 5e-3, torque = 8;
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "PT_%s.drive.speed", motor[i]);
        drive->most = fmax(drive->most, fabs(row[column_of(m, name)]) / (h * torque));
    }
    if (t < 0.5 || t > 1.5) return;
    const double depth = rover_depth(m, row);
    rig_below(depth, 5e-4);
    rig_near(row[column_of(m, "der_chassis.x")], 0.142, 1e-9 + depth * depth);
    rig_near(row[column_of(m, "der_chassis.z")], 0, 1e-9);
    drive->n_flat++;
}

static void a_rover_drives_over_stones_for_half_a_minute(void **state)
{
    rover_drive drive = {0};
    motion m = {.look = look_at_rover, .own = &drive};
    (void)state;
    motion_run(&m, &(motion_plan){.model = "rover"});
    rig_below(drive.most, 1 + 1e-9);
    rig_below(0.99, drive.most); // they need what they have
    assert_true(drive.n_flat > 150);
    // it came far, on its wheels, and no wheel sank in
    rig_near(last(&m, "travelled"), 4.15, 0.1);
    rig_below(fabs(last(&m, "pitch")), 0.5);
    const carom_audit audit = rig_audit(&m.r);
    rig_below(-audit.min_gap, 3e-3);
    rig_below(audit.max_drift, 1e-3);
    rig_below(fabs(audit.energy_error), 0.1); // of 100 J lost
    rig_close(&m.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_geneva_wheel_turns_and_stands_within_its_play),
        cmocka_unit_test(a_breaker_opens_in_a_time_that_converges),
        cmocka_unit_test(a_breaker_that_is_not_tripped_stays_closed),
        cmocka_unit_test(a_clock_goes),
        cmocka_unit_test(gears_rattle_and_keep_their_ratio),
        cmocka_unit_test(a_rattleback_turns_back_as_garcia_and_hubbard_say),
        cmocka_unit_test(a_bowling_ball_slides_rolls_and_strikes),
        cmocka_unit_test(a_rover_drives_over_stones_for_half_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
