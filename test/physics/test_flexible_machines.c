// SPDX-License-Identifier: Apache-2.0
// Machines with flexible parts against numbers of independent programs: the slider-crank of the
// test set for IVP solvers, the slider-crank with play and an elastic rod (its equations give the
// same), and a cord that wraps around a peg.
#include "physics/rig.h"

#define TWIN(name) "../test/physics/twins/" name

typedef struct hits {
    int n;
    double t[4], P[4], last_close;
    int last_contact;
} hits;

static carom_status note(void *self, const carom_event *event, carom_error *error)
{
    hits *h = self;
    (void)error;
    if (event->kind == CAROM_CLOSE) {
        h->last_close = event->t;
        h->last_contact = event->contact;
    }
    if (event->kind != CAROM_IMPACT || h->n == 4) return CAROM_OK;
    h->t[h->n] = event->t;
    h->P[h->n++] = event->P;
    return CAROM_OK;
}

static hits run(rig *r, const rig_plan *plan)
{
    hits h = {0};
    rig_open(r, plan);
    rig_must(
        r, carom_sim_add_recorder(r->sim, (carom_recorder){.self = &h, .event = note}, &r->error));
    rig_run(r);
    return h;
}

// B. Simeon 1996: MEBDFI with tolerances of 1e-14
static void the_slider_crank_of_the_test_set(void **state)
{
    static const double q[] = {15.0,
                               -0.331173498825626,
                               0.169737332842786,
                               0.0001893192899613509,
                               2.375751249879174e-05,
                               -5.323896770569702e-06,
                               -8.363313279112129e-06};
    (void)state;
    rig r;
    const rig_plan plan = {.model = TWIN("slider-crank-flexible-ivp"),
                           .scheme = "phem56",
                           .tolerance = 1e-10,
                           .end = 0.1};
    (void)run(&r, &plan);
    for (int i = 0; i < 7; i++) rig_near(rig_state(&r)->q[i], q[i], 1e-8 * fabs(q[i]) + 1e-11);
    rig_close(&r);
}

// both corners of the slider hit at once, and the energy behind a tenth of a second of hits
static void a_slider_with_play_hits_as_its_equations_say(void **state)
{
    (void)state;
    rig r;
    const rig_plan plan = {
        .model = "slider-crank-flexible", .scheme = "moreau_jean", .step = 1e-5, .end = 0.1};
    const hits h = run(&r, &plan);
    for (int k = 0; k < 2; k++) rig_near(h.t[k], 3.04e-3, 1e-9);
    rig_near(fmax(h.P[0], h.P[1]), 0.05198286686, 1e-9);
    rig_near(fmin(h.P[0], h.P[1]), 0.05146559735, 1e-9);
    rig_near(rig_audit(&r).energy_end, 6.0481837806, 1e-6);
    rig_close(&r);
}

// the tip of the cord arrives at 0.8098 s, after all others
static void the_tip_of_a_cord_arrives_last(void **state)
{
    static const double step[] = {1e-4, 5e-5}, tip[] = {0.8098, 0.80955};
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        const rig_plan plan = {
            .model = "cable-on-peg", .scheme = "moreau_jean", .step = step[i], .end = 0.8102};
        const hits h = run(&r, &plan);
        rig_near(h.last_close, tip[i], i ? 3e-4 : 1.01e-4);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slider_crank_of_the_test_set),
        cmocka_unit_test(a_slider_with_play_hits_as_its_equations_say),
        cmocka_unit_test(the_tip_of_a_cord_arrives_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
