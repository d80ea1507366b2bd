// SPDX-License-Identifier: Apache-2.0
// Every scheme that takes constraints takes redundant ones: a bar on three parallel links, where
// one row is implied wherever the others hold, and a pendulum whose rows are repeated. The motion
// is that without the rows too many, nothing is unconverged, and what the rows push together is the
// same.
#include "model/model_rig.h"

// links (p1, p2, p3) carry a bar: rank 5 of 6 rows, but only where they hold
#define LINKS(last)                                                                                \
    "carom: 1\n"                                                                                   \
    "coordinates: {p1: {start: 0.3}, p2: {start: 0.3}, p3: {start: 0.3}, x: {start: 1 + "          \
    "sin(0.3)}, y: {start: -cos(0.3)}, a: {}}\n"                                                   \
    "kinetic: (der(p1)^2 + der(p2)^2 + der(p3)^2)/6 + der(x)^2 + der(y)^2 + der(a)^2/4\n"          \
    "potential: 9.81*(2*y - (cos(p1) + cos(p2) + cos(p3))/2)\n"                                    \
    "constraints:\n"                                                                               \
    "  - {name: x1, equation: x - cos(a) - sin(p1)}\n"                                             \
    "  - {name: x2, equation: x - 1 - sin(p2)}\n"                                                  \
    "  - {name: x3, equation: x + cos(a) - 2 - sin(p3)}\n"                                         \
    "  - {name: y1, equation: y - sin(a) + cos(p1)}\n"                                             \
    "  - {name: y3, equation: y + sin(a) + cos(p3)}\n" last

#define ROD(more)                                                                                  \
    "carom: 1\n"                                                                                   \
    "coordinates: {x: {start: 1}, y: {}, z: {}}\n"                                                 \
    "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"                                                \
    "potential: 9.81*y + z\n"                                                                      \
    "constraints:\n"                                                                               \
    "  - {name: rod, equation: (x^2 + y^2 - 1)/2}\n"                                               \
    "  - {name: plane, equation: z}\n" more

enum { MOST = 8 };
// where a run ends, and what all rows push together
typedef struct end {
    double q[MOST], force[MOST], weight;
} end;

static end finish_run(const char *text, const carom_scheme *scheme)
{
    carom_error error = {0};
    carom_model *model = model_from_text(text);
    const carom_sizes n = carom_model_sizes(model);
    carom_sim_options options = carom_sim_default();
    carom_sim *sim;
    end at = {0};
    options.scheme = scheme->name;
    options.end = 0.5;
    options.tolerance = scheme->is_adaptive ? 1e-8 : 0;
    options.step = scheme->is_adaptive ? 0 : 1e-3;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK) {
        options.step = 1e-3; // it chooses steps, but has no tolerance
        options.tolerance = 0;
        must(carom_sim_new(model, &options, &sim, &error), &error);
    }
    if (carom_sim_run(sim, &error) != CAROM_OK) fail_msg("%s: %s", scheme->name, error.message);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    const carom_state *state = carom_sim_state(sim);
    memcpy(at.q, state->q, sizeof(double) * (size_t)n.nq);
    // one evaluation for W
    const unsigned mask = CAROM_MASS | CAROM_ROWS;
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    const carom_point point = {.t = state->t, .q = state->q, .u = state->u};
    must(carom_model_eval(plan, &point, mask, ev, &error), &error);
    const bool has_forces = scheme->separates_impact;
    carom_dynamics_push(ev, has_forces ? state->la : state->P, at.force);
    at.weight = has_forces ? 20 : 20 * 1e-3;
    carom_plan_free(plan);
    carom_sim_free(sim);
    carom_model_free(model);
    return at;
}

static void compare(const char *redundant, const char *regular, int n)
{
    int n_scheme = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_bilateral) continue;
        n_scheme++;
        const end a = finish_run(redundant, scheme), b = finish_run(regular, scheme);
        for (int k = 0; k < n; k++) {
            if (!(fabs(a.q[k] - b.q[k]) < 1e-4))
                fail_msg("%s: position %d is %.12g, not %.12g", scheme->name, k, a.q[k], b.q[k]);
            if (!(fabs(a.force[k] - b.force[k]) < 1e-3 * a.weight))
                fail_msg("%s: force %d is %.12g, not %.12g", scheme->name, k, a.force[k],
                         b.force[k]);
        }
    }
    assert_true(n_scheme >= 20);
}

static void a_bar_on_three_links_moves_as_on_two(void **state)
{
    (void)state;
    compare(LINKS("  - {name: y2, equation: y + cos(p2)}\n"), LINKS(""), 6);
}

static void repeated_rows_change_nothing(void **state)
{
    (void)state;
    compare(ROD("  - {name: plane3, equation: 3*z}\n"
                "  - {name: rod2, equation: (x^2 + y^2 + z - 1)/2}\n"),
            ROD(""), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_on_three_links_moves_as_on_two),
        cmocka_unit_test(repeated_rows_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
