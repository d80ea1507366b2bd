// SPDX-License-Identifier: Apache-2.0
// Shipped models of many round bodies against closed forms, with other numbers than they are
// shipped with: a ball bearing and a stone that rolls down a height field.
#include "physics/motion_rig.h"

// ---- ball bearing ----

/// The cage's speed over the shaft's, on the average of the second half, and the balls' places.
typedef struct bearing {
    double pitch, clearance, from, sum;
    int n;
} bearing;

static void look_at_bearing(const motion *m, const double *row)
{
    bearing *b = m->own;
    for (int i = 1; i <= 8; i++) { // between the races, but for what the steps leave
        char x[32], y[32];
        snprintf(x, sizeof x, "ball[%d].x", i);
        snprintf(y, sizeof y, "ball[%d].y", i);
        const double r = hypot(row[column_of(m, x)], row[column_of(m, y)]);
        rig_below(r, b->pitch / 2 + b->clearance + 1e-8);
        rig_below(b->pitch / 2 - b->clearance - 1e-8, r);
    }
    if (row[0] < b->from) return;
    b->sum += row[column_of(m, "ratio")];
    b->n++;
}

// Harris: balls that roll on both races turn the cage with (1 - d/D)/2 of the shaft's speed; it
// starts with another one, and the pockets' play lets it swing by less than a percent
static void balls_that_roll_turn_the_cage(void **state)
{
    static const char *const change[][4] = {{"cage=18", "roll=-140", NULL},
                                            {"omega=90", "load=500", NULL}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        bearing b = {.pitch = 0.05, .clearance = 2e-5, .from = 0.1};
        motion m = {.look = look_at_bearing, .own = &b};
        motion_run(&m, &(motion_plan){.model = "ball-bearing", .change = change[k]});
        rig_near(b.sum / b.n, 0.4, 2e-3);
        rig_close(&m.r);
    }
}

// ---- rockfall ----

// A ball that rolls down a plane of 3 : 4 has 5/7 g 3/5; that of a height field's triangles has no
// bumps. The steps end before the bench.
static void look_at_stone(const motion *m, const double *row)
{
    const double t = row[0], speed = 5. / 7 * 9.81 * 0.6 * t;
    rig_near(row[column_of(m, "der_stone.x")], 0.8 * speed, 1e-12);
    rig_near(row[column_of(m, "der_stone.y")], 0, 1e-12);
    rig_near(row[column_of(m, "der_stone.z")], -0.6 * speed, 1e-12);
}

static void a_stone_rolls_down_the_face_without_a_bump(void **state)
{
    static const char *const change[][2] = {{"R=0.3", NULL}, {"R=0.17", NULL}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        motion m = {.look = look_at_stone};
        motion_run(&m, &(motion_plan){.model = "rockfall",
                                      .scheme = "moreau_combined_projection",
                                      .step = 2e-3,
                                      .change = change[k],
                                      .end = 1.4});
        rig_close(&m.r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_that_roll_turn_the_cage),
        cmocka_unit_test(a_stone_rolls_down_the_face_without_a_bump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
