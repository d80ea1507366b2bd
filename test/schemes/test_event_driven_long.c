// SPDX-License-Identifier: Apache-2.0
// label: slow. Long runs of the event-driven scheme: no event is lost, none is told twice, no
// energy is gained.
#include "schemes/event_driven_rig.h"

static const char table[] =
    "carom: 1\nname: table\nparameters: {A: 0.01, w: 40, e: 0.7}\n"
    "coordinates:\n  y: {start: 0.1}\nkinetic: 1/2*der(y)^2\npotential: 9.81*y\n"
    "contacts:\n  - {name: table, gap: y - A*sin(w*t), restitution: e}\n";

// many impacts and accumulations in one run, none lost: each release follows a closing, and the
// energy balance holds
static void ten_thousand_impacts_on_a_shaken_table(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = table, .tolerance = 1e-9, .end = 1500});
    assert_true(count(&r, CAROM_IMPACT) > 10000);
    assert_true(count(&r, CAROM_ACCUMULATED) > 10);
    int is_closed = 0;
    double fastest = 0;
    for (int k = 0; k < r.log->n; k++) {
        const carom_event *event = &r.log->event[k];
        if (event->kind == CAROM_IMPACT) {
            assert_true(!is_closed && event->rate_before < 0 && event->energy_lost >= 0);
            is_near(event->rate_after, -0.7 * event->rate_before, 1e-13);
            fastest = fmax(fastest, -event->rate_before);
            // accumulation is declared at v_acc, not before
            if (event[1].kind == CAROM_ACCUMULATED)
                assert_true(event->rate_after <= 1e-8 * fastest);
        }
        if (event->kind == CAROM_ACCUMULATED || event->kind == CAROM_CLOSE) is_closed++;
        if (event->kind == CAROM_OPEN) is_closed--;
        assert_true(is_closed == 0 || is_closed == 1);
    }
    const carom_audit it = audit(&r);
    is_near(it.energy_error, 0, 1e-6 * it.work);
    assert_true(it.min_gap >= -1e-9);
    end(&r);
}

// without forcing: six balls, each of which bounces to rest; an impact of one
// does not disturb the others
static const char balls[] =
    "carom: 1\nname: balls\nparameters: {n: 6}\n"
    "coordinates:\n  y[i]:\n    for: {i: 1..n}\n    start: 1 + 0.1*i\n"
    "kinetic: sum(i, 1, n, der(y[i])^2/2)\npotential: sum(i, 1, n, 9.81*y[i])\n"
    "contacts:\n  - name: floor[i]\n    for: {i: 1..n}\n    gap: y[i]\n    restitution: 0.99\n";

static void ten_thousand_impacts_and_six_accumulations_gain_no_energy(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = balls, .tolerance = 1e-9, .end = 130});
    const int each = (int)ceil(log(1e-8) / log(0.99));
    assert_int_equal(count(&r, CAROM_IMPACT), 6 * each);
    assert_true(6 * each > 10000);
    assert_int_equal(count(&r, CAROM_ACCUMULATED), 6);
    for (int k = 0; k < 6; k++)
        is_near(find(&r, CAROM_ACCUMULATED, k)->t,
                sqrt(2 * (1.1 + 0.1 * k) / 9.81) * (1 + 2 * 0.99 / 0.01), 1e-9);
    double lost = 0;
    for (int k = 0; k < r.log->n; k++) {
        assert_true(r.log->event[k].energy_lost >= 0);
        lost += r.log->event[k].energy_lost;
    }
    const carom_audit it = audit(&r);
    is_near(it.energy_end, 0, 1e-12);
    is_near(it.energy_error, 0, 1e-11 * it.energy_start);
    is_near(lost, it.energy_start, 1e-11 * it.energy_start);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_impacts_on_a_shaken_table),
        cmocka_unit_test(ten_thousand_impacts_and_six_accumulations_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
