// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy: its beak hits the pole at about 0.081, 0.227 and 0.374 s, and then it hops
// down periodically. The period and the way down per cycle are properties of the motion: at h and
// h/2 they agree to O(h).
#include "physics/rig.h"

// Mean over the cycles after the first beak hit; one cycle holds one (possibly repeated) beak hit.
typedef struct cycle {
    double period, drop; // [s], [m]
    double hits[3];
} cycle;

static cycle hop(double h)
{
    static const double end = 1.6;
    rig r;
    cycle c = {0, 0, {0}};
    double t = 0, t_first = 0, y_first = 0;
    int seen = 0;
    bool was_pushing = false;
    rig_open(
        &r, &(rig_plan){.model = "woodpecker", .scheme = "moreau_midpoint", .step = h, .end = end});
    for (long i = 0; i < lround(end / h); i++) {
        rig_step(&r, 1);
        const bool is_pushing = rig_state(&r)->P[0] > 0;
        const double now = (double)(i + 1) * h;
        if (is_pushing && !was_pushing && now - t > 0.05) {
            t = now;
            if (seen < 3) c.hits[seen] = t;
            if (seen++ == 0) t_first = t, y_first = rig_state(&r)->q[0];
            c.period = (t - t_first) / (seen > 1 ? seen - 1 : 1);
            c.drop = (y_first - rig_state(&r)->q[0]) / (seen > 1 ? seen - 1 : 1);
        }
        was_pushing = is_pushing;
    }
    assert_int_equal(seen, 11);
    assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
    rig_close(&r);
    return c;
}

static void beak_hits_when_it_should(void **state)
{
    (void)state;
    const cycle c = hop(4e-5);
    rig_near(c.hits[0], 0.081, 1e-3);
    rig_near(c.hits[1], 0.227, 1e-3);
    rig_near(c.hits[2], 0.374, 1e-3);
}

// A cycle has about ten transitions (hits, jams and releases of three contacts), each found within
// one step: the period is off by at most 10 h, the way by 10 h times the largest speed of the
// sleeve, 0.35 m/s.
static void hopping_does_not_depend_on_the_step_beyond_first_order(void **state)
{
    const double h = 4e-5;
    (void)state;
    const cycle coarse = hop(h), fine = hop(h / 2);
    assert_true(fine.drop > 0);
    rig_near(coarse.period, fine.period, 10 * h);
    rig_near(coarse.drop, fine.drop, 3.5 * h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beak_hits_when_it_should),
        cmocka_unit_test(hopping_does_not_depend_on_the_step_beyond_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
