// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, under every scheme: either its answers come to
// those of event_driven with the step, or it refuses by name. And every scheme under every impact
// law.
#include "battery/battery_rig.h"

typedef struct lawful {
    const char *text;
    double end;
    unsigned varies;
    int n;         // coordinates compared
    double factor; // of the step: the error is at most so large
} lawful;

#define ON_A_BELT                                                                                  \
    "carom: 1\n"                                                                                   \
    "coordinates: {x: {start: 1.2, rate: 0.2}, y: {start: 0}}\n"                                   \
    "kinetic: (der(x)^2 + der(y)^2)/2\n"                                                           \
    "potential: x^2/2 + 10*y\n"
#define ON_A_SLOPE                                                                                 \
    "carom: 1\n"                                                                                   \
    "coordinates: {x: {start: 0, rate: 2}, y: {start: 0}}\n"                                       \
    "kinetic: (der(x)^2 + der(y)^2)/2\n"                                                           \
    "potential: 9.81*(x*sin(0.3) + y*cos(0.3))\n"

static const lawful model_of[] = {
    // Stribeck, through a stick and a slip
    {ON_A_BELT
     "contacts: [{name: belt, gap: y, slip_rate: der(x) - 0.2, friction: 0.1/(1 + 3*slip_rate)}]\n",
     15, CAROM_VARIES_FRICTION, 1, 12},
    {ON_A_BELT
     "contacts: [{name: belt, gap: y, slip_rate: der(x) - 0.2, friction: 0.06, friction_static: 0.1}]\n",
     15, CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP, 1, 4},
    // stops on a slope, and is held by static friction alone
    {ON_A_SLOPE
     "contacts: [{name: slope, gap: y, slip: x, friction: 0.25, friction_static: 0.35}]\n",
     2, CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP, 1, 5},
    // ice, and a floor that becomes rough
    {ON_A_SLOPE
     "contacts: [{name: slope, gap: y, slip: x, friction: \"if(x > 0.1 and x < 0.2, 0, 0.4)\"}]\n",
     0.5, CAROM_VARIES_FRICTION, 1, 2},
    {ON_A_SLOPE "contacts: [{name: slope, gap: y, slip: x, friction: 0.3 + t}]\n", 0.5,
     CAROM_VARIES_FRICTION, 1, 2},
    {"carom: 1\n"
     "coordinates: {x: {start: 0, rate: 1}, y: {start: 0, rate: 1}, z: {start: 0}}\n"
     "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
     "potential: 9.81*z\n"
     "contacts: [{name: floor, gap: z, slip: [x, y], friction: [0.4, 0.1]}]\n",
     1, 0, 2, 2},
    {"carom: 1\n"
     "coordinates: {y: {start: 1}}\n"
     "kinetic: der(y)^2/2\n"
     "potential: 9.81*y\n"
     "contacts: [{name: floor, gap: y, restitution: 0.8*exp(-arrival_speed/8)}]\n",
     1.1, CAROM_VARIES_RESTITUTION, 1, 4},
};
enum { N_MODEL = sizeof model_of / sizeof *model_of };

static void reference_of(const carom_model *model, double end, double *q, int n)
{
    carom_error error = {0};
    carom_sim_options options = carom_sim_default();
    carom_sim *sim;
    options.scheme = "event_driven";
    options.tolerance = 1e-10;
    options.end = end;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    run_to_end(sim);
    for (int i = 0; i < n; i++) q[i] = carom_sim_state(sim)->q[i];
    carom_sim_free(sim);
}

static bool is_rough(const carom_model *model)
{
    const carom_contact_facts *facts = carom_model_contact(model, 0);
    return facts->mu > 0 || facts->varies & CAROM_VARIES_FRICTION;
}

// the error with a step; below 0 where the scheme refuses, which it does by name
static double error_of(const carom_model *model, const lawful *it, const carom_scheme *scheme,
                       double h, const double *expected)
{
    carom_error error = {0};
    carom_sim_options options = carom_sim_default();
    carom_sim *sim = NULL;
    double worst = 0;
    options.scheme = scheme->name;
    options.step = h;
    options.end = it->end;
    const bool takes = scheme->has_contact && (scheme->has_friction || !is_rough(model)) &&
                       !(it->varies & ~scheme->takes.varies);
    const carom_status status = carom_sim_new(model, &options, &sim, &error);
    if (!takes) {
        assert_int_equal(status, CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, scheme->name));
        return -1;
    }
    must(status, &error);
    run_to_end(sim);
    for (int i = 0; i < it->n; i++)
        worst = fmax(worst, fabs(carom_sim_state(sim)->q[i] - expected[i]));
    carom_sim_free(sim);
    return worst;
}

static void schemes_converge_or_refuse(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODEL; m++) {
        double expected[3];
        int n_taken = 0;
        carom_model *model = model_from_text(model_of[m].text);
        reference_of(model, model_of[m].end, expected, model_of[m].n);
        for (int k = 0; k < carom_scheme_count(); k++) {
            const carom_scheme *scheme = carom_scheme_at(k);
            if (strcmp(scheme->name, "event_driven") == 0) continue;
            const double coarse = error_of(model, &model_of[m], scheme, 1e-3, expected);
            if (coarse < 0) continue;
            const double fine = error_of(model, &model_of[m], scheme, 1e-4, expected);
            // first order: where an event falls within its step, the factor is any up to this one
            if (!(coarse <= model_of[m].factor * 1e-3) || !(fine <= model_of[m].factor * 1e-4))
                fail_msg("model %d: %s errs by %g, then %g", m, scheme->name, coarse, fine);
            n_taken++;
        }
        assert_true(n_taken >= 10);
        carom_model_free(model);
    }
}

// alone and without friction every law gives back e times the speed
static void schemes_know_impact_laws_or_refuse(void **state)
{
    (void)state;
    static const char *const law[] = {"newton", "poisson", "stronge", "sequential"};
    for (int i = 0; i < 4; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "carom: 1\n"
                 "coordinates: {y: {start: 0.1, rate: -1}}\n"
                 "kinetic: der(y)^2/2\n"
                 "contacts: [{name: floor, gap: y, restitution: 0.5, law: %s}]\n",
                 law[i]);
        carom_model *model = model_from_text(text);
        for (int k = 0; k < carom_scheme_count(); k++) {
            const carom_scheme *scheme = carom_scheme_at(k);
            carom_error error = {0};
            carom_sim_options options = carom_sim_default();
            carom_sim *sim = NULL;
            options.scheme = scheme->name;
            options.step = 1e-3;
            options.end = 0.3;
            const bool takes =
                scheme->has_contact && (i == 0 || strcmp(scheme->name, "event_driven") == 0);
            const carom_status status = carom_sim_new(model, &options, &sim, &error);
            assert_int_equal(status == CAROM_OK, takes);
            if (takes) {
                run_to_end(sim);
                near(scheme->name, carom_sim_state(sim)->u[0], 0.5, 1e-6);
                near(scheme->name, carom_sim_state(sim)->q[0], 0.1, 2e-3);
            } else {
                assert_non_null(strstr(error.message, scheme->name));
                if (scheme->has_contact) assert_non_null(strstr(error.message, law[i]));
            }
            carom_sim_free(sim);
        }
        carom_model_free(model);
    }
}

// a name of the model's own means what the model says
static void names_of_the_model_come_first(void **state)
{
    (void)state;
    carom_model *model = model_from_text(
        "carom: 1\n"
        "parameters: {slip_rate: 0.25, arrival_speed: 0.5}\n"
        "coordinates: {x: {start: 0}, y: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "contacts: [{name: floor, gap: y, slip: x, friction: slip_rate, restitution: arrival_speed}]\n");
    const carom_contact_facts *facts = carom_model_contact(model, 0);
    near("mu", facts->mu, 0.25, 0);
    near("e", facts->e, 0.5, 0);
    assert_int_equal(facts->varies, 0);
    carom_model_free(model);
}

// d mu/d slip rate, d mu/d q against differences
static void derivatives_of_friction_are_exact(void **state)
{
    (void)state;
    carom_error error = {0};
    const unsigned mask = CAROM_COEFFICIENTS;
    const double h = 1e-6, q[] = {0.3, 0.1}, u[] = {0, 0};
    carom_plan *plan = NULL;
    carom_model *model = model_from_text(
        "carom: 1\n"
        "coordinates: {x: {start: 0}, y: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "contacts: [{name: floor, gap: y, slip: x, friction: (0.3 + x^2 + sin(y))*exp(-3*slip_rate)}]\n");
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    double mu[6];
    for (int k = 0; k < 6; k++) {
        const double sign = k % 2 ? h : -h;
        const double at[] = {q[0] + (k / 2 == 0 ? sign : 0), q[1] + (k / 2 == 1 ? sign : 0)};
        const double rate[] = {0, 0.4 + (k / 2 == 2 ? sign : 0)};
        const carom_point point = {.q = at, .u = u, .P = rate};
        must(carom_model_eval(plan, &point, mask, ev, &error), &error);
        mu[k] = ev->coefficients.mu[0];
    }
    const double rate[] = {0, 0.4};
    const carom_point point = {.q = q, .u = u, .P = rate};
    must(carom_model_eval(plan, &point, mask, ev, &error), &error);
    near("mu", ev->coefficients.mu[0], (0.3 + 0.09 + sin(0.1)) * exp(-1.2), 1e-15);
    near("by x", sparse_entry(&ev->coefficients.mu_q, 0, 0), (mu[1] - mu[0]) / (2 * h), 1e-9);
    near("by y", sparse_entry(&ev->coefficients.mu_q, 0, 1), (mu[3] - mu[2]) / (2 * h), 1e-9);
    near("by slip rate", ev->coefficients.slope[0], (mu[5] - mu[4]) / (2 * h), 1e-9);
    carom_plan_free(plan);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_converge_or_refuse),
        cmocka_unit_test(schemes_know_impact_laws_or_refuse),
        cmocka_unit_test(names_of_the_model_come_first),
        cmocka_unit_test(derivatives_of_friction_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
